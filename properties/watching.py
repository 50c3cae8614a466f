"""Properties of what watches face-down objects: triggers on turning up, on deaths, and on combat damage (603)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from model.cards.abilities import StaticAbility, TriggeredAbility
from model.cards.fields import Amount
from model.cards.phrases import Filter, Who
from model.effects.board import GainLife
from model.families import CONTROLLER, LIFE, PROFILE, ZONE
from model.setup import Obj
from model.terms import TRUE, Term, and_, not_, or_
from model.vocabulary import EventKind, Type, Zone
from properties.consequences import turned_up
from properties.kinds import Clause, Property, StepRule, StepView
from properties.special_actions import KEYWORD_ROUTE
from properties.support import (
    controller_of,
    down,
    item_of,
    lost_abilities,
    on_battlefield,
    printed_triggers,
    shown_face,
    unmodified,
    waiting_for,
)

__all__ = ["PROPERTIES"]


def _seen_as_it_is(step: StepView) -> Iterable[Clause]:
    for watcher, ability in printed_triggers(step.setup, EventKind.TURNED_UP):
        wanted = ability.when.subject
        if wanted is None or wanted != Filter(types=wanted.types, all_types=wanted.all_types, phrase=wanted.phrase):
            continue
        condition = ability.condition
        for o in step.setup.objects:
            types = o.card.front.types
            fits = (
                wanted.all_types <= types
                and (not wanted.types or bool(wanted.types & types))
                and (condition is None or (condition.that_is is not None and condition.that_is.all_types <= types))
            )
            premise = and_(
                turned_up(step, o),
                unmodified(step.after, o),
                shown_face(step.before, watcher),
                shown_face(step.after, watcher),
                not_(lost_abilities(step.before, watcher)),
                not_(_others_turn_up(step, o)),
            )
            more = waiting_for(step.after, watcher, ability) - waiting_for(step.before, watcher, ability)
            yield Clause(
                f"{o}: turned face up, {'what' if fits else 'not what'} {watcher} watches for",
                premise,
                more.is_(1 if fits else 0),
            )


def _others_turn_up(step: StepView, o: Obj) -> Term:
    return or_(*(step.happens(EventKind.TURNED_UP, other) for other in step.setup.objects if other is not o))


def _what_was_paid(step: StepView) -> Iterable[Clause]:
    """Abilities that work from the graveyard, on cards that the cost of turning up has put there."""
    if step.action.label.rule != KEYWORD_ROUTE:
        return
    for watcher in step.setup.cards():
        for ability in watcher.card.front.abilities:
            if (
                isinstance(ability, TriggeredAbility)
                and ability.from_graveyard
                and ability.when.event is EventKind.TURNED_UP
                and ability.condition is None
            ):
                paid = and_(step.before[ZONE, watcher].is_(Zone.HAND), step.after[ZONE, watcher].is_(Zone.GRAVEYARD))
                more = waiting_for(step.after, watcher, ability) - waiting_for(step.before, watcher, ability)
                yield Clause(
                    f"{watcher}: discarded to turn a permanent face up, and sees it turn up", paid, more.is_(1)
                )


def _granted_dies(step: StepView) -> Iterable[Clause]:
    for source in step.setup.objects:
        for static in source.card.front.abilities:
            if (
                not isinstance(static, StaticAbility)
                or static.static.who is not Who.EACH
                or static.static.filter
                != Filter(
                    all_types=frozenset({Type.CREATURE}),
                    phrase=static.static.filter.phrase if static.static.filter else "",
                )
            ):
                continue
            for ability in static.grant_abilities:
                if (
                    isinstance(ability, TriggeredAbility)
                    and ability.when.event is EventKind.DIES
                    and ability.when.subject is None
                ):
                    yield from _granted_clauses(step, source, ability)


def _granted_clauses(step: StepView, source: Obj, ability: TriggeredAbility) -> Iterator[Clause]:
    for o in step.setup.cards():
        body = step.before[PROFILE, o].among([f for f in step.setup.profiles if Type.CREATURE in f.types])
        died = and_(on_battlefield(step.before, o), down(step.before, o), body, step.after[ZONE, o].is_(Zone.GRAVEYARD))
        more = waiting_for(step.after, o, ability) - waiting_for(step.before, o, ability)
        yield Clause(
            f"{o}: died face down, and the ability that {source} gave it triggers",
            and_(died, shown_face(step.before, source), not_(lost_abilities(step.before, source))),
            more.is_(1),
        )


def _watched(step: StepView, kind: EventKind) -> Iterator[tuple[Obj, TriggeredAbility, Filter, Term]]:
    """Printed abilities on what happens to creatures, with when their source stands throughout the step."""
    for watcher, ability in printed_triggers(step.setup, kind):
        wanted = ability.when.subject
        if (
            wanted is None
            or ability.condition is not None
            or ability.when.once_each_turn
            or ability.when.player != "any"
        ):
            continue
        plain = Filter(
            all_types=wanted.all_types & {Type.CREATURE},
            face_down=wanted.face_down,
            controller=wanted.controller,
            phrase=wanted.phrase,
        )
        if plain == wanted and wanted.face_down is not False and wanted.controller in (None, "you"):
            yield (
                watcher,
                ability,
                wanted,
                and_(
                    shown_face(step.before, watcher),
                    shown_face(step.after, watcher),
                    not_(lost_abilities(step.before, watcher)),
                ),
            )


def _mine(step: StepView, watcher: Obj, wanted: Filter, o: Obj) -> Term:
    same = or_(
        *(and_(step.before[CONTROLLER, watcher].is_(p), step.before[CONTROLLER, o].is_(p)) for p in step.setup.players)
    )
    return TRUE if wanted.controller is None else same


def _deaths(step: StepView) -> Iterable[Clause]:
    for watcher, ability, wanted, stands in _watched(step, EventKind.DIES):
        creatures = [f for f in step.setup.profiles if Type.CREATURE in f.types]
        for o in step.setup.cards():
            died = and_(
                on_battlefield(step.before, o),
                down(step.before, o),
                step.before[PROFILE, o].among(creatures),
                step.after[ZONE, o].is_(Zone.GRAVEYARD),
                _mine(step, watcher, wanted, o),
            )
            more = waiting_for(step.after, watcher, ability) - waiting_for(step.before, watcher, ability)
            yield Clause(f"{watcher}: sees {o} die face down", and_(stands, died), more >= 1)


def _blows(step: StepView) -> Iterable[Clause]:
    for watcher, ability, wanted, stands in _watched(step, EventKind.COMBAT_DAMAGE):
        for o in step.setup.cards():
            dealt = and_(
                step.happens(EventKind.COMBAT_DAMAGE, o),
                on_battlefield(step.before, o),
                down(step.before, o),
                _mine(step, watcher, wanted, o),
            )
            more = waiting_for(step.after, watcher, ability) - waiting_for(step.before, watcher, ability)
            yield Clause(f"{watcher}: sees {o} deal combat damage face down", and_(stands, dealt), more >= 1)


def _own_text(step: StepView) -> Iterable[Clause]:
    item = item_of(step.setup, step.action)
    ability = item.ability if item is not None else None
    if item is None or not isinstance(ability, TriggeredAbility) or ability.targets or ability.may or ability.condition:
        return
    gains = [e.gain_life for e in ability.do if isinstance(e, GainLife) and e.player is None]
    if len(gains) != len(ability.do) or any(gain != Amount(gain.fixed) for gain in gains):
        return
    p = controller_of(step.setup, step.action)
    total = sum(gain.fixed for gain in gains)
    change = step.after[LIFE, p] - step.before[LIFE, p]
    yield Clause(f"{item}: says that {p} gains {total} life, and {p} does", TRUE, change.is_(total))


PROPERTIES: tuple[Property, ...] = (
    StepRule(
        "turned-up-triggers-see-what-it-is",
        "What watches for permanents of a kind that are turned face up looks at the face-up permanent.",
        ("603.2", "603.4"),
        formula=_seen_as_it_is,
    ),
    StepRule(
        "what-was-paid-sees-it-turned-up",
        "The cost of turning a permanent face up is paid first, so that a card discarded "
        "for it is in the graveyard when the permanent turns up.",
        ("702.37e", "603.2"),
        formula=_what_was_paid,
    ),
    StepRule(
        "granted-dies-ability-triggers-face-down",
        "A dies ability that an effect gives to every creature triggers when a face-down one dies.",
        ("603.10a", "613.1f", "708.2"),
        formula=_granted_dies,
    ),
    StepRule(
        "deaths-are-seen-as-they-were",
        "What watches for creatures, or face-down creatures, that die looks at them as they were on the battlefield.",
        ("603.10a", "608.2h"),
        formula=_deaths,
    ),
    StepRule(
        "watchers-see-face-down-creatures",
        "What watches for creatures that deal combat damage sees face-down ones.",
        ("708.2", "510.3a", "603.2"),
        formula=_blows,
    ),
    StepRule(
        "triggered-ability-does-what-it-says",
        "A triggered ability that resolves follows its own text, whatever else its card triggers.",
        ("603.3", "608.2c"),
        formula=_own_text,
    ),
)
