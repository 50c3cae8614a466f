"""What follows from the rules on face-down objects, found by planting public faults that nothing else caught.

Each states a rule over raw state and printed cards.  Where copiable values or final characteristics are looked at, they
are only ever the thing compared with.
"""

from __future__ import annotations

from collections.abc import Iterable

from model.cards.abilities import (
    Replacement,
    StaticAbility,
)
from model.cards.card import Face
from model.cards.phrases import Who
from model.characteristics import look
from model.effects.board import Counters
from model.effects.continuous import BecomeCopy
from model.effects.face_down import TurnDown, TurnUp
from model.families import (
    ATTACHED,
    CAUSE,
    CONTROLLER,
    COPIED,
    COUNTERS,
    HAPPENED,
    PROFILE,
    TRANSFORMED,
    ZONE,
)
from model.parts import parts_of
from model.setup import Obj
from model.terms import Term, add, and_, ite, not_, number, or_
from model.vocabulary import Colour, CounterKind, EventKind
from properties.casting import face_down_body
from properties.kinds import Clause, Invariant, Property, StepRule, StepView, View
from properties.special_actions import KEYWORD_ROUTE, MANA_ROUTE
from properties.support import (
    PERMANENT_OR_SPELL,
    down,
    instructions,
    is_instant_or_sorcery,
    item_of,
    lost_abilities,
    on_battlefield,
    resolves,
    shown_face,
    unmodified,
)

__all__ = ["PROPERTIES", "turned_up"]


def _same(a: Face, b: Face) -> bool:
    """Whether two faces have the same values in every field that can be copied (707.2)."""
    fields = ("name", "cost", "types", "supertypes", "subtypes", "colours", "power", "toughness", "loyalty", "defence")
    return (
        all(getattr(a, field) == getattr(b, field) for field in fields)
        and len(a.abilities) == len(b.abilities)
        and all(x is y for x, y in zip(a.abilities, b.abilities, strict=True))
    )


def _shows(view: View, o: Obj, face: Face) -> Term:
    return or_(*(condition for condition, shown in look(view.state).cases(o) if _same(shown, face)))


def turned_up(step: StepView, o: Obj) -> Term:
    """Whether a face-down permanent is turned face up in the step and stays on the battlefield."""
    return and_(
        on_battlefield(step.before, o),
        down(step.before, o),
        on_battlefield(step.after, o),
        not_(down(step.after, o)),
        not_(step.happens(EventKind.LEAVES, o)),
    )


# -- characteristics ----------------------------------------


def _as_listed(view: View) -> Iterable[Clause]:
    for o in view.setup.objects:
        seen = and_(view[ZONE, o].among(PERMANENT_OR_SPELL), down(view, o))
        for face in view.setup.profiles:
            yield Clause(
                f"{o}: shows {face} and nothing else", and_(seen, view[PROFILE, o].is_(face)), _shows(view, o, face)
            )


def _default_body(step: StepView) -> Iterable[Clause]:
    if any(isinstance(p, TurnDown) and p.profile is not None for _, _, p in step.setup.parts):
        return
    bare = [face for face in step.setup.profiles if face_down_body(face, warded=False)]
    for o in step.setup.objects:
        yield Clause(
            f"{o}: turned face down, a 2/2 creature and no more",
            step.happens(EventKind.TURNED_DOWN, o),
            or_(*(step.after[PROFILE, o].is_(face) for face in bare)),
        )


def _restored(step: StepView) -> Iterable[Clause]:
    for o in step.setup.objects:
        premise = and_(turned_up(step, o), unmodified(step.after, o), not_(step.after[TRANSFORMED, o]))
        yield Clause(
            f"{o}: turned face up, and as printed in every respect", premise, _shows(step.after, o, o.card.front)
        )


def _copied(step: StepView) -> Iterable[Clause]:
    effect, item = resolves(step, BecomeCopy), item_of(step.setup, step.action)
    if not isinstance(effect, BecomeCopy) or item is None or item.spell is None:
        return
    names = [value for key, value in step.action.label.arguments if key == "target"]
    if (
        len(names) <= max(effect.on.slot, effect.become_copy_of.slot)
        or effect.on.who is not Who.TARGET
        or effect.become_copy_of.who is not Who.TARGET
    ):
        return
    copy, model = (
        next((o for o in step.setup.objects if o.name == names[s.slot]), None)
        for s in (effect.on, effect.become_copy_of)
    )
    if copy is None or model is None:
        return
    there = and_(on_battlefield(step.before, copy), on_battlefield(step.before, model), down(step.before, model))
    for face in step.setup.profiles:
        yield Clause(
            f"{copy}: a copy of {model}, which is face down as {face}",
            and_(there, step.before[PROFILE, model].is_(face), step.changed(COPIED, copy)),
            and_(step.after[COPIED, copy].is_(face), not_(step.changed(CAUSE, copy))),
        )


def _devotion(view: View) -> Iterable[Clause]:
    letters = dict(zip(Colour, "WUBRG", strict=True))
    for source in view.setup.objects:
        for ability in source.card.front.abilities:
            if not isinstance(ability, StaticAbility) or ability.condition is None or not ability.condition.devotion:
                continue
            wanted = {letters[c] for c in ability.condition.devotion}
            total = add(
                *(
                    ite(
                        and_(shown_face(view, o), view[CONTROLLER, o].is_(view.setup.players[k])),
                        number(_symbols(o, wanted)),
                        number(0),
                    )
                    for k in (source.owner.index,)
                    for o in view.setup.objects
                )
            )
            most = ability.condition.at_most
            if most is None or not ability.lose_types:
                continue
            stands = and_(shown_face(view, source), view[CONTROLLER, source].is_(source.owner))
            derived = look(view.state)
            yield Clause(
                f"{source}: counts the mana symbols of face-up permanents only",
                stands,
                and_(*(_iff(derived.is_type(source, kind), total > number(most)) for kind in ability.lose_types)),
            )


def _symbols(o: Obj, wanted: set[str]) -> int:
    cost = o.card.front.cost
    return sum(1 for symbol in cost.symbols if wanted & set(symbol.split("/"))) if cost else 0


def _iff(a: Term, b: Term) -> Term:
    return or_(and_(a, b), and_(not_(a), not_(b)))


# -- turning over ----------------------------------------


def _never_up(step: StepView) -> Iterable[Clause]:
    item = item_of(step.setup, step.action)
    parts = [p for e in instructions(item) for p in parts_of(e)] if item is not None else []
    if any(isinstance(p, TurnDown) for p in parts) and not any(isinstance(p, TurnUp) for p in parts):
        for o in step.setup.objects:
            stays = and_(
                on_battlefield(step.before, o),
                down(step.before, o),
                on_battlefield(step.after, o),
                not_(step.happens(EventKind.LEAVES, o)),
            )
            yield Clause(f"{o}: face down already, and still", stays, down(step.after, o))


def _attached(step: StepView) -> Iterable[Clause]:
    if step.action.label.rule in (MANA_ROUTE, KEYWORD_ROUTE):
        for o in step.setup.objects:
            for other in step.setup.objects:
                premise = and_(
                    turned_up(step, o), step.before[ATTACHED, other].is_(o), on_battlefield(step.after, other)
                )
                yield Clause(
                    f"{other}: attached to {o}, which turns face up, and still",
                    premise,
                    step.after[ATTACHED, other].is_(o),
                )


def _at_once(step: StepView) -> Iterable[Clause]:
    if step.action.label.rule not in (MANA_ROUTE, KEYWORD_ROUTE):
        return
    megamorph = str(step.argument("cost")).startswith("megamorph")
    for o in step.setup.objects:
        wanted = _own_counters(o)
        if wanted and o.name == step.argument("permanent") and not is_instant_or_sorcery(o):
            want = step.before[COUNTERS, o, CounterKind.PLUS] + (wanted + megamorph)
            premise = and_(turned_up(step, o), unmodified(step.after, o), not_(lost_abilities(step.after, o)))
            yield Clause(
                f"{o}: turned face up with its {wanted} counters, once",
                premise,
                step.after[COUNTERS, o, CounterKind.PLUS].is_(want),
            )


def _own_counters(o: Obj) -> int:
    """How many +1/+1 counters a card puts on itself as it is turned face up, if its text does only that."""
    own = [
        a
        for a in o.card.front.abilities
        if isinstance(a, Replacement) and a.as_.endswith("turned_up") and a.what is None
    ]
    effects = [e for a in own for e in a.do]
    if not all(
        isinstance(e, Counters) and e.on.who in (Who.THIS, Who.THAT) and e.kind is CounterKind.PLUS for e in effects
    ):
        return 0
    return sum(e.counters.fixed for e in effects if isinstance(e, Counters) and e.counters.per_x == 0)


def _remembered(step: StepView) -> Iterable[Clause]:
    for p in step.setup.players:
        for o in step.setup.objects:
            yield Clause(
                f"{o}: turned face up by {p}, as the rest of the turn can tell",
                step.happens(EventKind.TURNED_UP, o, p),
                step.after[HAPPENED, p, "you turned a permanent face up"],
            )


PROPERTIES: tuple[Property, ...] = (
    Invariant(
        "face-down-shows-what-is-listed",
        "The copiable values of a face-down object are those that the rule or effect "
        "listed, whatever it is a copy of, whatever takes its abilities away, and whoever has left the game.",
        ("708.2", "708.2a", "613.2a", "613.2b", "708.10", "110.5", "613.1a", "613.2"),
        ("S2",),
        formula=_as_listed,
    ),
    StepRule(
        "turned-down-without-a-list-is-a-2-2",
        "What an effect turns face down without listing characteristics is a 2/2 creature with no other.",
        ("708.2a",),
        formula=_default_body,
    ),
    StepRule(
        "turning-up-restores-the-card",
        "A permanent that is turned face up, and is no copy, is as printed in every respect.",
        ("708.8", "708.2", "715.4"),
        formula=_restored,
    ),
    StepRule(
        "copy-of-face-down-is-as-listed",
        "A copy of a face-down permanent has the listed characteristics, and is face up or down as it was.",
        ("707.2", "708.2", "110.5a", "613.2c"),
        formula=_copied,
    ),
    Invariant(
        "devotion-counts-no-hidden-card",
        "Devotion counts the mana symbols of face-up permanents; a face-down one has none.",
        ("700.5", "708.2a"),
        formula=_devotion,
    ),
    StepRule(
        "turning-down-never-turns-up",
        "An effect that turns permanents face down leaves a face-down one face down.",
        ("708.2b",),
        formula=_never_up,
    ),
    StepRule(
        "what-is-attached-stays-attached",
        "What is attached to a permanent is still attached to it as it is turned face up.",
        ("708.8", "303.4c"),
        ("S17",),
        formula=_attached,
    ),
    StepRule(
        "as-turned-up-applies-at-once",
        "What a card does as it is turned face up is done in the same step, once.",
        ("708.11", "614.5", "614.1e"),
        formula=_at_once,
    ),
    StepRule(
        "turning-up-is-remembered-this-turn",
        "That a player has turned a permanent face up is so for the rest of the turn.",
        ("603.4", "608.2"),
        formula=_remembered,
    ),
)
