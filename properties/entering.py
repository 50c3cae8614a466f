"""Properties of entering the battlefield face down (708.3), and of what is put there face down or face up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from model.cards.abilities import EntryBan, Replacement
from model.cards.phrases import Filter, Who
from model.effects.board import Counters
from model.effects.face_down import Cloak, Manifest, PutFaceDown, TurnDown
from model.effects.libraries import Pile
from model.effects.zones import Exile
from model.families import CAUSE, CONTROLLER, COUNTERS, HIDDEN, KNOWN, LEFT, PROFILE, TAPPED, ZONE
from model.parts import parts_of
from model.setup import Obj
from model.terms import FALSE, TRUE, Term, and_, not_, or_
from model.vocabulary import Cause, CounterKind, EventKind, Type, Zone
from properties.kinds import Clause, Invariant, Property, StepRule, StepView, View
from properties.procedures import dread
from properties.support import (
    controller_of,
    down,
    instructions,
    item_of,
    lost_abilities,
    on_battlefield,
    place_of,
    resolves,
    shown_face,
)

__all__ = ["PROPERTIES"]


def _enters_down(step: StepView, o: Obj) -> Term:
    return and_(not_(on_battlefield(step.before, o)), on_battlefield(step.after, o), down(step.after, o))


def _told(step: StepView, kind: type[object]) -> bool:
    """Whether what resolves in the step has an instruction of a kind anywhere in its text."""
    item = item_of(step.setup, step.action)
    return item is not None and any(isinstance(part, kind) for e in instructions(item) for part in parts_of(e))


def _others_replace(step: StepView) -> bool:
    """Whether the text of something other than what enters changes how things enter."""
    return any(
        isinstance(a, Replacement) and a.what is not None
        for o in step.setup.objects
        for a in step.setup.abilities_of(o)
    )


def _own_text(step: StepView) -> Iterable[Clause]:
    if _others_replace(step):
        return
    item = item_of(step.setup, step.action)
    tapped = item is not None and any(getattr(p, "tapped", False) for e in instructions(item) for p in parts_of(e))
    for o in step.setup.cards():
        plain = [] if _told(step, Counters) else [step.after[COUNTERS, o, kind].is_(0) for kind in CounterKind]
        plain += [] if tapped else [not_(step.after[TAPPED, o])]
        yield Clause(f"{o}: enters face down, untapped and without counters", _enters_down(step, o), and_(*plain))


def _turned_down_when_told(step: StepView) -> Iterable[Clause]:
    """By an instruction, a cost, or what an object that enters or turns face up does as it does."""
    told = TRUE if _told(step, TurnDown) or step.action.label.rule != "resolve" else _replaces(step)
    for o in step.setup.objects:
        yield Clause(f"{o}: turned face down, since something said so", step.happens(EventKind.TURNED_DOWN, o), told)


def _replaces(step: StepView) -> Term:
    """Whether something that may have such a text is face up now, and was not on the battlefield face up before."""
    texts = [s for s in step.setup.objects if any(isinstance(a, Replacement) for a in step.setup.abilities_of(s))]
    return or_(
        *(
            and_(
                on_battlefield(step.after, s),
                not_(down(step.after, s)),
                or_(not_(on_battlefield(step.before, s)), down(step.before, s)),
            )
            for s in texts
        )
    )


def _face_up_unless_told(step: StepView) -> Iterable[Clause]:
    if step.action.label.rule == "resolve face down" or _told(step, PutFaceDown):
        return
    for o in step.setup.objects:
        told = or_(step.happens(EventKind.MANIFESTED, o), step.happens(EventKind.CLOAKED, o))
        enters = and_(step.happens(EventKind.ENTERS, o), on_battlefield(step.after, o))
        yield Clause(
            f"{o}: enters face up, since nothing says otherwise", and_(enters, not_(told)), not_(down(step.after, o))
        )


def _reached(step: StepView) -> Iterator[tuple[PutFaceDown, Obj, Term]]:
    """The cards that an instruction to put every card of some types face down reaches, from a graveyard or hand."""
    effect = resolves(step, PutFaceDown)
    if not isinstance(effect, PutFaceDown) or effect.put_face_down.who is not Who.EACH:
        return
    wanted = effect.put_face_down.filter
    if wanted is None or wanted != Filter(
        types=wanted.types, all_types=wanted.all_types, zone=wanted.zone, owner=wanted.owner, phrase=wanted.phrase
    ):
        return
    if wanted.zone not in (Zone.GRAVEYARD, Zone.HAND):
        return
    you = controller_of(step.setup, step.action)
    for o in step.setup.cards():
        types = o.card.front.types
        fits = wanted.all_types <= types and (not wanted.types or wanted.types & types)
        if fits and wanted.owner in (None, "you" if o.owner is you else "opponent"):
            yield effect, o, step.before[ZONE, o].is_(wanted.zone)


def _put_as_told(step: StepView) -> Iterable[Clause]:
    for effect, o, meant in _reached(step):
        face = effect.profile_face or step.setup.profiles[0]
        under = (
            TRUE if effect.under is not None else step.after[CONTROLLER, o].is_(controller_of(step.setup, step.action))
        )
        yield Clause(
            f"{o}: put onto the battlefield face down as {face}",
            meant,
            and_(
                on_battlefield(step.after, o),
                step.after[CAUSE, o].is_(Cause.PUT_DOWN),
                step.after[PROFILE, o].is_(face),
                under,
            ),
        )


def _exiled_hidden(step: StepView) -> Iterable[Clause]:
    effect = resolves(step, Exile)
    if not isinstance(effect, Exile) or not effect.face_down:
        return
    for o in step.setup.cards():
        exiled = and_(step.before[ZONE, o].among((Zone.LIBRARY, Zone.HAND)), step.after[ZONE, o].is_(Zone.EXILE))
        drawn = step.happens(EventKind.DRAWN, o)  # on the way its owner has seen it
        same = [or_(not_(step.changed(KNOWN, p, o)), drawn if p is o.owner else FALSE) for p in step.setup.players]
        yield Clause(f"{o}: exiled face down, and shown to nobody", exiled, and_(step.after[HIDDEN, o], *same))


def _mixed(step: StepView) -> Iterable[Clause]:
    effect = resolves(step, Pile)
    if not isinstance(effect, Pile):
        return
    for o in step.setup.cards():
        unknown = [not_(step.after[KNOWN, p, o]) for p in step.setup.players]
        mixed = and_(_enters_down(step, o), step.before[ZONE, o].isnt(Zone.STACK))
        again = and_(on_battlefield(step.before, o), step.happens(EventKind.ENTERS, o), down(step.after, o))
        yield Clause(
            f"{o}: put down from a shuffled pile, and nobody knows where it is", or_(mixed, again), and_(*unknown)
        )


def _reaches_targets(step: StepView) -> Iterable[Clause]:
    effect = resolves(step, Exile)
    item = item_of(step.setup, step.action)
    if not isinstance(effect, Exile) or item is None or effect.exile.who is not Who.TARGET:
        return
    targets: tuple[object, ...] = getattr(item.ability or item.spell, "targets", ())
    creature = frozenset({Type.CREATURE})
    if (
        len(targets) != 1
        or not isinstance(targets[0], Filter)
        or targets[0] != Filter(all_types=targets[0].all_types, phrase=targets[0].phrase)
        or not targets[0].all_types <= creature
    ):
        return
    o = next((o for o in step.setup.objects if o.name == step.argument("target")), None)
    if o is not None:
        default = step.before[PROFILE, o].is_(step.setup.profiles[0])
        meant = and_(on_battlefield(step.before, o), down(step.before, o), default)
        yield Clause(
            f"{o}: a face-down creature, targeted, and exiled",
            meant,
            or_(step.happens(EventKind.LEAVES, o), step.after[ZONE, o].is_(Zone.EXILE)),
        )


def _bans(step: StepView) -> list[tuple[Obj, EntryBan]]:
    return [
        (s, a)
        for s in step.setup.objects
        for a in s.card.front.abilities
        if isinstance(a, EntryBan) and Type.CREATURE in a.cant_enter and Zone.LIBRARY in a.zones
    ]


def _banned(step: StepView) -> Term:
    """Whether creatures may not enter from libraries, which is what a card is when it would enter face down."""
    return or_(
        *(
            and_(shown_face(step.before, s), shown_face(step.after, s), not_(lost_abilities(step.before, s)))
            for s, _ in _bans(step)
        )
    )


def _stays(step: StepView) -> Iterable[Clause]:
    effect = resolves(step, Manifest) or resolves(step, Cloak)
    if effect is None or not _bans(step):
        return
    for o in step.setup.cards():
        here = and_(step.before[ZONE, o].is_(Zone.LIBRARY), _banned(step))
        same = [not_(step.changed(family, o)) for family in (ZONE, CAUSE)]
        unseen = [not_(step.changed(KNOWN, p, o)) for p in step.setup.players]
        yield Clause(f"{o}: may not enter, and stays where it is, unrevealed", here, and_(*same, *unseen))


def _all_binned(step: StepView) -> Iterable[Clause]:
    if not _bans(step):
        return
    for p, told, times in dread(step):
        for o in step.setup.cards():
            if o.owner is p and times == 1:
                looked = and_(told, _banned(step), step.before[ZONE, o].is_(Zone.LIBRARY), place_of(step.before, o) < 2)
                yield Clause(
                    f"{o}: looked at, not manifested, and put into the graveyard",
                    looked,
                    step.after[ZONE, o].is_(Zone.GRAVEYARD),
                )


def _not_lost(view: View) -> Iterable[Clause]:
    for o in view.setup.cards():
        outside = view.setup.placements[o.index].zone is Zone.OUTSIDE
        in_game = and_(not_(view[LEFT, o.owner]), FALSE if outside else TRUE)
        yield Clause(f"{o}: its owner is in the game, and so is it", in_game, view[ZONE, o].isnt(Zone.OUTSIDE))


PROPERTIES: tuple[Property, ...] = (
    StepRule(
        "own-text-does-nothing-entering-face-down",
        "A card that enters face down does nothing that its own text says of "
        "entering: it has no counters of its own, and is not tapped.",
        ("708.3", "614.1c", "614.12", "306.5b", "310.4b"),
        formula=_own_text,
    ),
    StepRule(
        "turned-down-only-when-told",
        "A permanent is turned face down only by an instruction or cost, never by the text "
        "of a card that enters face down.",
        ("708.3", "708.2a"),
        formula=_turned_down_when_told,
    ),
    StepRule(
        "enters-face-up-unless-told",
        "What enters the battlefield is face up unless an effect or permission says otherwise.",
        ("110.5b", "708.3"),
        formula=_face_up_unless_told,
    ),
    StepRule(
        "put-face-down-as-told",
        "An effect that puts cards onto the battlefield face down puts every card that it speaks "
        "of there, with the characteristics that it lists, and under its controller.",
        ("708.2", "708.3", "110.2a"),
        formula=_put_as_told,
    ),
    StepRule(
        "exiled-face-down-is-hidden",
        "A card that is exiled face down is shown to nobody.",
        ("406.3",),
        formula=_exiled_hidden,
    ),
    StepRule(
        "nobody-knows-the-order-of-a-pile",
        "After a face-down pile is shuffled and put down, nobody knows which card is which.",
        ("701.40e", "701.58e", "708.6"),
        formula=_mixed,
    ),
    StepRule(
        "instructions-reach-face-down-targets",
        "A face-down creature that a spell or ability targets is exiled when it says so.",
        ("608.2c", "708.2a"),
        formula=_reaches_targets,
    ),
    StepRule(
        "what-may-not-enter-stays",
        "A card that an effect keeps from entering is not manifested or cloaked: it stays where "
        "it is, and is not revealed.",
        ("701.40f", "614.17", "101.2", "701.58f"),
        formula=_stays,
    ),
    StepRule(
        "dread-under-a-ban-fills-the-graveyard",
        "Who manifests dread where nothing can be manifested puts every card that was looked at into the graveyard.",
        ("701.62a", "701.40f"),
        formula=_all_binned,
    ),
    Invariant(
        "no-card-is-lost",
        "Every card of a player in the game is in a zone.",
        ("400.1",),
        formula=_not_lost,
    ),
)
