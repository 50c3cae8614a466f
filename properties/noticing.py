"""Properties of the moment at which triggered abilities look, and of whose they are (603.3, 603.10)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from model.cards.abilities import (
    Condition,
    Trigger,
    TriggeredAbility,
)
from model.cards.phrases import Filter
from model.families import (
    CONTROLLER,
    ENTERED_UNDER,
    PENDING,
    ZONE,
)
from model.setup import Obj
from model.terms import FALSE, TRUE, Term, and_, count, eq, ite, not_, number, or_
from model.vocabulary import EventKind, Zone
from properties.kinds import Clause, Property, StepRule, StepView, View
from properties.shown import controlled_by_same, is_plain, meets, stands, stays
from properties.support import (
    controls,
    printed_triggers,
    sets_types,
    waiting_for,
)

__all__ = ["PROPERTIES"]

_LOOKS_BACK = (EventKind.DIES, EventKind.LEAVES)
"""What these events happen to is looked at as it was before (603.10a)."""
_LOOKS_AFTER = (
    EventKind.TURNED_DOWN,
    EventKind.TURNED_UP,
    EventKind.BECOMES_TAPPED,
    EventKind.ATTACKS,
    EventKind.BLOCKS,
)


def _waits_under(step: StepView) -> Iterable[Clause]:
    delayed = {(o, id(ability)) for o, ability in step.setup.delayed}
    for item, that, p in step.setup.waiting:
        if not isinstance(item.ability, TriggeredAbility):
            continue
        source = item.source
        more = step.after[PENDING, item, that, p] > step.before[PENDING, item, that, p]
        if (source, id(item.ability)) in delayed:
            # Its controller is who controlled what created it, which may be long ago (603.7d).
            more = and_(more, eq(step.before[CONTROLLER, source], step.before[ENTERED_UNDER, source]))
        yield Clause(
            f"{item}: triggers under {p}, who controls {source}",
            more,
            or_(controls(step.before, source, p), controls(step.after, source, p)),
        )


def _plain_trigger(when: Trigger) -> bool:
    return (
        is_plain(when.subject)
        and not when.once_each_turn
        and when.this_was is None
        and not when.from_graveyard
        and when.subject is not None
        and when.subject.zone is Zone.BATTLEFIELD
    )


def _plain_condition(condition: Condition | None) -> bool:
    if condition is None:
        return True
    return is_plain(condition.count) and condition == Condition(count=condition.count, at_least=condition.at_least)


def _expected(step: StepView, view: View, watcher: Obj, ability: TriggeredAbility) -> Term:
    """How often an ability triggers on what happens in a step, with the objects looked at in a state."""
    when, wanted, kind = ability.when, ability.when.subject, ability.when.event
    assert wanted is not None
    condition: Term = TRUE
    if ability.condition is not None and ability.condition.count is not None:
        asked = ability.condition.count
        least = 1 if ability.condition.at_least is None else ability.condition.at_least
        condition = count(meets(view, watcher, asked, o) for o in step.setup.objects) >= least
    found = []
    for o in step.setup.objects:
        whose: Term = TRUE
        if when.player != "any":
            mine = controlled_by_same(view, watcher, o)
            whose = mine if when.player == "you" else not_(mine)
        found.append(and_(step.happens(kind, o), meets(view, watcher, wanted, o), whose, condition))
    return ite(or_(*found), number(1), number(0)) if when.batch else count(found)


def _seen(step: StepView, kinds: Iterable[EventKind], *, before: bool) -> Iterator[Clause]:
    if sets_types(step.setup):
        return
    twice = or_(
        *(
            and_(step.happens(EventKind.TURNED_UP, o), step.happens(EventKind.TURNED_DOWN, o))
            for o in step.setup.objects
        )
    )
    for kind in kinds:
        happens = and_(or_(*(step.happens(kind, o) for o in step.setup.objects)), not_(twice))
        if happens is FALSE:
            continue
        for watcher, ability in printed_triggers(step.setup, kind):
            actor = kind is EventKind.TURNED_UP and ability.when.player != "any"
            if actor or not _plain_trigger(ability.when) or not _plain_condition(ability.condition):
                continue
            view = step.before if before else step.after
            standing = and_(stands(step.before, watcher), stands(step.after, watcher), stays(step, watcher))
            more = waiting_for(step.after, watcher, ability) - waiting_for(step.before, watcher, ability)
            yield Clause(
                f"{watcher}: triggers on what it watches for, as often as that {kind}",
                and_(standing, happens),
                eq(more, _expected(step, view, watcher, ability)),
            )


def _seen_after(step: StepView) -> Iterable[Clause]:
    return _seen(step, _LOOKS_AFTER, before=False)


def _seen_before(step: StepView) -> Iterable[Clause]:
    return _seen(step, _LOOKS_BACK, before=True)


def _drawn(step: StepView) -> Iterable[Clause]:
    for watcher, ability in printed_triggers(step.setup, EventKind.DRAWN):
        condition = ability.condition
        wanted = condition.that_is if condition is not None else None
        if wanted is None or wanted != Filter(
            all_types=wanted.all_types, zone=Zone.HAND, owner="you", phrase=wanted.phrase
        ):
            continue
        if condition != Condition(that_is=wanted) or ability.when.player != "you":
            continue
        for o in step.setup.cards():
            drawn = and_(
                step.before[ZONE, o].is_(Zone.LIBRARY),
                step.after[ZONE, o].is_(Zone.HAND),
                step.happens(EventKind.DRAWN, o),
            )
            mine = and_(
                stands(step.before, watcher), stands(step.after, watcher), controls(step.after, watcher, o.owner)
            )
            others = or_(*(step.happens(EventKind.DRAWN, other) for other in step.setup.cards() if other is not o))
            more = waiting_for(step.after, watcher, ability) - waiting_for(step.before, watcher, ability)
            fits = wanted.all_types <= o.card.front.types
            yield Clause(
                f"{o}: drawn, and seen in the hand by {watcher}",
                and_(drawn, mine, not_(others)),
                more.is_(1 if fits else 0),
            )


PROPERTIES: tuple[Property, ...] = (
    StepRule(
        "triggers-wait-under-the-controller-of-their-source",
        "A triggered ability is controlled by the player who controls its source, whoever owns it.",
        ("603.3", "603.7"),
        formula=_waits_under,
    ),
    StepRule(
        "triggers-look-after-the-event",
        "What watches for something that leaves nothing behind looks at how the objects are once it has happened; "
        '"you" is who controls it.',
        ("603.10", "603.2", "603.4", "109.5"),
        formula=_seen_after,
    ),
    StepRule(
        "leaving-is-seen-from-before",
        'What watches for objects that die or leave the battlefield looks at them as they were before; "you" is who '
        "controls it.",
        ("603.10a", "603.4", "109.5", "708.2"),
        formula=_seen_before,
    ),
    StepRule(
        "drawn-cards-are-seen-in-the-hand",
        "What watches for drawn cards of a kind finds them in the hand.",
        ("603.10", "121.1"),
        formula=_drawn,
    ),
)
