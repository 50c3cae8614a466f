"""Properties of copies and tokens near face-down objects (707, 111): what a copy keeps, and what becomes of it."""

from __future__ import annotations

from collections.abc import Iterable

from model.cards.abilities import EntryBan, Replacement
from model.cards.card import COPIED_SPELL
from model.cards.phrases import Selector, Who
from model.effects.continuous import BecomeCopy, BecomeSize
from model.families import (
    ATTACHED,
    COPIED,
    COUNTERS,
    DAMAGE,
    EFFECT,
    OVER,
    SETTLED,
    TAPPED,
    ZONE,
)
from model.parts import parts_of
from model.setup import Obj
from model.terms import TRUE, Term, and_, eq, not_, or_
from model.vocabulary import CounterKind, EventKind, Marker, Zone
from properties.kinds import Clause, Invariant, Property, StepRule, StepView, View
from properties.special_actions import KEYWORD_ROUTE, MANA_ROUTE
from properties.support import down, item_of, on_battlefield, resolves

__all__ = ["PROPERTIES"]


def _stays(step: StepView, o: Obj) -> Term:
    both = and_(on_battlefield(step.before, o), on_battlefield(step.after, o))
    return and_(both, not_(step.happens(EventKind.LEAVES, o)), not_(step.happens(EventKind.ENTERS, o)))


def _copies_nothing(step: StepView) -> bool:
    """Whether no text that could copy anything takes part in the step: of what resolves, or of what turns up."""
    kinds = (BecomeCopy, BecomeSize)
    if step.action.label.rule == "resolve":
        item = item_of(step.setup, step.action)
        texts = [] if item is None else [t for t in (item.ability, item.spell) if t is not None]
        return not any(isinstance(part, kinds) for text in texts for part in parts_of(text)) and not _replacing(step)
    return step.action.label.rule in (MANA_ROUTE, KEYWORD_ROUTE) and not _replacing(step)


def _replacing(step: StepView) -> bool:
    """Whether any ability copies something as it is turned face up."""
    kinds = (BecomeCopy, BecomeSize)
    texts = {id(a): a for o in step.setup.objects for a in step.setup.abilities_of(o) if isinstance(a, Replacement)}
    return any(isinstance(part, kinds) for a in texts.values() for part in parts_of(a))


def _kept(step: StepView) -> Iterable[Clause]:
    if not step.setup.copying or not _copies_nothing(step):
        return
    for o in step.setup.objects:
        original = or_(
            *(
                step.happens(kind, other)
                for kind in (EventKind.TURNED_UP, EventKind.TURNED_DOWN)
                for other in step.setup.objects
                if other is not o
            )
        )
        as_it_was = eq(down(step.before, o), down(step.after, o))
        copy = and_(step.before[COPIED, o].isnt(Marker.NONE), _stays(step, o), as_it_was)
        yield Clause(
            f"{o}: a copy, and the same copy though another permanent is turned over",
            and_(original, copy),
            not_(step.changed(COPIED, o)),
        )


def _copy_of_a_copy(step: StepView) -> Iterable[Clause]:
    effect, item = resolves(step, BecomeCopy), item_of(step.setup, step.action)
    if not isinstance(effect, BecomeCopy) or item is None or item.spell is None or effect.changes_faces:
        return
    if effect.on.who is not Who.TARGET or effect.become_copy_of.who is not Who.TARGET or len(item.spell.spell) != 1:
        return
    names = [value for key, value in step.action.label.arguments if key == "target"]
    copy, model = (
        next((o for o in step.setup.objects if [o.name] == names[s.slot : s.slot + 1]), None)
        for s in (effect.on, effect.become_copy_of)
    )
    if copy is None or model is None:
        return
    there = and_(*(on_battlefield(step.before, o) for o in (copy, model)), not_(down(step.before, model)))
    legal = step.changed(COPIED, copy)
    for face in step.setup.every_face:
        taken = Marker.NONE if face is copy.card.front else face
        yield Clause(
            f"{copy}: a copy of {model}, which is itself a copy of {face}",
            and_(there, legal, step.before[COPIED, model].is_(face)),
            and_(step.after[COPIED, copy].is_(taken), eq(down(step.before, copy), down(step.after, copy))),
        )


def _copied_spell(step: StepView) -> Iterable[Clause]:
    item = item_of(step.setup, step.action)
    if item is None or item.ability is not None or item.source.card.layout != COPIED_SPELL:
        return
    if any(isinstance(a, EntryBan) for o in step.setup.objects for a in step.setup.abilities_of(o)):
        return
    o = item.source
    yield Clause(
        f"{o}: resolves, and is a token with the values of the spell",
        TRUE,
        and_(on_battlefield(step.after, o), not_(down(step.after, o)), not_(step.changed(COPIED, o))),
    )


def _nowhere_else(view: View) -> Iterable[Clause]:
    for o in view.setup.objects:
        if o.token:
            stack = [Zone.STACK] if o.card.layout == COPIED_SPELL else []
            yield Clause(
                f"{o}: on the battlefield, or gone",
                and_(view[SETTLED,], not_(view[OVER,])),
                view[ZONE, o].among([Zone.BATTLEFIELD, Zone.OUTSIDE, *stack]),
            )


def _not_back(step: StepView) -> Iterable[Clause]:
    for o in step.setup.objects:
        if o.token:
            yield Clause(
                f"{o}: a token that has left the battlefield, and is not back",
                step.happens(EventKind.LEAVES, o),
                not_(on_battlefield(step.after, o)),
            )


def _remembers_nothing(view: View) -> Iterable[Clause]:
    places = (Zone.LIBRARY, Zone.HAND, Zone.GRAVEYARD, Zone.EXILE)
    for o in view.setup.cards():
        bare = [view[COUNTERS, o, kind].is_(0) for kind in CounterKind]
        # What an ability says of its own source may begin when that is gone, and says nothing of the card there.
        told = [shot for shot in view.setup.shots if getattr(shot.effect, "on", None) != Selector(Who.THIS)]
        bare += [view[EFFECT, shot, o].is_(0) for shot in told]
        bare += [view[DAMAGE, o].is_(0), not_(view[TAPPED, o])]
        bare += [view[family, o].is_(Marker.NONE) for family in (ATTACHED, COPIED)]
        yield Clause(
            f"{o}: a card in a hand, library, graveyard or exile, with nothing on it",
            view[ZONE, o].among(places),
            and_(*bare),
        )


PROPERTIES: tuple[Property, ...] = (
    StepRule(
        "copy-does-not-follow-its-original",
        "What is a copy stays the same copy when another permanent, such as the one that it copied, is turned over.",
        ("707.2b", "708.10"),
        formula=_kept,
    ),
    StepRule(
        "copy-of-a-copy-is-that-copy",
        "What becomes a copy of a copy has the values that were copied, and is face up or face down as it was.",
        ("707.3", "707.2", "110.5a"),
        formula=_copy_of_a_copy,
    ),
    StepRule(
        "copied-permanent-spell-becomes-a-token",
        "A copy of a permanent spell becomes a face-up token with the values of the spell, be they those of a "
        "face-down one.",
        ("707.10f", "111.13", "608.3"),
        formula=_copied_spell,
    ),
    Invariant(
        "tokens-are-on-the-battlefield-or-gone",
        "While any player may act, a token is on the battlefield, and a copy of a spell there or on the stack.",
        ("704.5d", "704.5e"),
        formula=_nowhere_else,
    ),
    StepRule(
        "token-that-has-left-is-not-back",
        "A token that leaves the battlefield does not come back in the same resolution.",
        ("111.8",),
        formula=_not_back,
    ),
    Invariant(
        "cards-elsewhere-remember-nothing",
        "A card in a hand, library, graveyard or exile has no counters, damage, effects or copied values, and is "
        "neither tapped nor attached.",
        ("400.7", "122.2", "110.5d"),
        formula=_remembers_nothing,
    ),
)
