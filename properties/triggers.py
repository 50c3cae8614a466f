"""Properties of triggered abilities around face-down objects (603)."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from model.families import CAUSE, CONTROLLER, COUNTERS, ZONE
from model.setup import Obj
from model.terms import Term, and_, count, not_, or_
from model.vocabulary import Cause, CounterKind, EventKind, Keyword, Zone
from properties.kinds import Clause, Possible, Property, StepRule, StepView, View
from properties.procedures import dread, enters
from properties.support import (
    down,
    in_library,
    item_of,
    lost_abilities,
    on_battlefield,
    printed_triggers,
    shown_face,
    waiting_for,
)

__all__ = ["PROPERTIES"]


def _stands(view: View, o: Obj) -> Term:
    return and_(shown_face(view, o), not_(lost_abilities(view, o)))


def _dread_triggers(step: StepView) -> Iterable[Clause]:
    for p, told, times in dread(step):
        for w, ability in printed_triggers(step.setup, EventKind.MANIFEST_DREAD):
            if ability.when.player != "you":
                continue
            watching = and_(told, _stands(step.before, w), _stands(step.after, w), step.before[CONTROLLER, w].is_(p))
            more = waiting_for(step.after, w, ability) - waiting_for(step.before, w, ability)
            yield Clause(
                f"{w}: triggers {times} time(s), however much of the procedure was possible", watching, more.is_(times)
            )


def _dread_triggers_short(step: StepView) -> Iterable[Clause]:
    for p, told, _ in dread(step):
        for w, ability in printed_triggers(step.setup, EventKind.MANIFEST_DREAD):
            more = waiting_for(step.after, w, ability) > waiting_for(step.before, w, ability)
            yield Clause(
                f"{w}: triggers with fewer than two cards in the library of {p}",
                and_(told, in_library(step.before, p) <= 1),
                more,
            )


def _each_event(step: StepView) -> Iterable[Clause]:
    for w, ability in printed_triggers(step.setup, EventKind.ENTERS):
        wanted = ability.when.subject
        if not ability.when.batch or wanted is None:
            continue
        p_is = [step.before[CONTROLLER, w].is_(p) for p in step.setup.players]
        for p, mine in zip(step.setup.players, p_is, strict=True):
            entering = [
                and_(enters(step, o), step.after[CONTROLLER, o].is_(p), down(step.after, o))
                for o in step.setup.cards()
                if o is not w
            ]
            total = count(entering)
            more = waiting_for(step.after, w, ability) - waiting_for(step.before, w, ability)
            yield Clause(
                f"{w}: triggers once for each card that is manifested",
                and_(_stands(step.before, w), _stands(step.after, w), mine, total >= 1),
                more.is_(total),
            )


def _twice(step: StepView) -> Iterable[Clause]:
    for w, ability in printed_triggers(step.setup, EventKind.ENTERS):
        if ability.when.batch:
            before, after = waiting_for(step.before, w, ability), waiting_for(step.after, w, ability)
            yield Clause(f"{w}: triggers twice in one resolution", on_battlefield(step.before, w), after - before >= 2)


def _dies(step: StepView, o: Obj) -> Term:
    return and_(on_battlefield(step.before, o), step.after[ZONE, o].is_(Zone.GRAVEYARD))


def _own_dies(step: StepView) -> Iterable[Clause]:
    for o, ability in printed_triggers(step.setup, EventKind.DIES):
        if ability.when.subject is None and ability.when.this_was is None:
            more = waiting_for(step.after, o, ability) - waiting_for(step.before, o, ability)
            yield Clause(
                f"{o}: died face up, and its ability triggers",
                and_(_dies(step, o), _stands(step.before, o)),
                more.is_(1),
            )


def _own_dies_face_down(step: StepView) -> Iterable[Clause]:
    for o, ability in printed_triggers(step.setup, EventKind.DIES):
        if ability.when.subject is None:
            more = waiting_for(step.after, o, ability) - waiting_for(step.before, o, ability)
            yield Clause(
                f"{o}: died face down, and its printed ability does not trigger",
                and_(_dies(step, o), down(step.before, o)),
                more.is_(0),
            )


def _returns(step: StepView) -> Iterable[Clause]:
    for keyword, kind in ((Keyword.PERSIST, CounterKind.MINUS), (Keyword.UNDYING, CounterKind.PLUS)):
        for o, ability in printed_triggers(step.setup, EventKind.DIES):
            if keyword not in o.card.front.keywords or ability.when.this_was is None:
                continue
            if ability.when.this_was.lacks_counter is not kind:
                continue
            bare = and_(_stands(step.before, o), step.before[COUNTERS, o, kind].is_(0))
            more = waiting_for(step.after, o, ability) - waiting_for(step.before, o, ability)
            yield Clause(
                f"{o}: died, and its {keyword} triggers if it was face up without a {kind} counter",
                _dies(step, o),
                or_(and_(bare, more.is_(1)), and_(not_(bare), more.is_(0))),
            )


def _own_enters_face_down(step: StepView) -> Iterable[Clause]:
    for o, ability in printed_triggers(step.setup, EventKind.ENTERS):
        if ability.when.subject is None:
            more = waiting_for(step.after, o, ability) - waiting_for(step.before, o, ability)
            yield Clause(
                f"{o}: entered face down, and its printed ability does not trigger",
                and_(enters(step, o), down(step.after, o)),
                more <= 0,
            )


def _turned_up(step: StepView) -> Iterable[Clause]:
    for o, ability in printed_triggers(step.setup, EventKind.TURNED_UP):
        if ability.when.subject is None and ability.condition is None:
            turned = and_(
                down(step.before, o),
                on_battlefield(step.before, o),
                shown_face(step.after, o),
                not_(lost_abilities(step.after, o)),
                not_(step.happens(EventKind.LEAVES, o)),
            )
            more = waiting_for(step.after, o, ability) - waiting_for(step.before, o, ability)
            yield Clause(f"{o}: turned face up, and its ability triggers", turned, more.is_(1))


def _resolves_dread_of(event: EventKind) -> Callable[[StepView], Iterable[Clause]]:
    def formula(step: StepView) -> Iterable[Clause]:
        item = item_of(step.setup, step.action)
        when = getattr(item.ability, "when", None) if item is not None else None
        if item is None or when is None or when.event is not event:
            return
        for o in step.setup.cards():
            yield Clause(
                f"{o}: manifested by the ability of {item.source}, which died",
                and_(enters(step, o), step.after[CAUSE, o].is_(Cause.MANIFEST)),
                step.before[ZONE, item.source].is_(Zone.GRAVEYARD),
            )

    return formula


def _died_face_down(step: StepView) -> Iterable[Clause]:
    for o, _ in printed_triggers(step.setup, EventKind.DIES):
        yield Clause(f"{o}: dies face down", _dies(step, o), down(step.before, o))


def _trigger_enters(step: StepView) -> Iterable[Clause]:
    for o, ability in printed_triggers(step.setup, EventKind.ENTERS):
        if ability.when.subject is None:
            yield Clause(
                f"{o}: its enters ability triggers as it enters face up",
                enters(step, o),
                waiting_for(step.after, o, ability) > waiting_for(step.before, o, ability),
            )


PROPERTIES: tuple[Property, ...] = (
    StepRule(
        "manifest-dread-always-triggers",
        "An ability that triggers whenever you manifest dread triggers once for "
        "each time, even if some or all of it was impossible.",
        ("701.62b",),
        ("S12",),
        formula=_dread_triggers,
    ),
    StepRule(
        "one-or-more-enter-triggers-for-each",
        "An ability that triggers whenever one or more creatures enter "
        "triggers for each card that is manifested, since each enters by itself.",
        ("603.2c", "701.40e"),
        ("S28",),
        formula=_each_event,
    ),
    StepRule(
        "dies-face-up-triggers",
        "The dies ability of a permanent that dies face up with it triggers.",
        ("603.6c", "603.10a"),
        ("S31",),
        formula=_own_dies,
    ),
    StepRule(
        "dies-face-down-does-not-trigger",
        "The printed dies ability of a permanent that dies face down does not trigger.",
        ("603.10a", "708.2"),
        ("S31",),
        formula=_own_dies_face_down,
    ),
    StepRule(
        "persist-and-undying-ask-what-died",
        "Persist and undying trigger when a permanent dies that was face up and had no counter of the kind that they "
        "put on it; one that died face down had neither.",
        ("702.79a", "702.93a", "603.10a"),
        formula=_returns,
    ),
    StepRule(
        "enters-face-down-does-not-trigger",
        "The printed enters ability of a card that enters face down does not trigger.",
        ("708.3", "603.6a"),
        ("S15",),
        formula=_own_enters_face_down,
    ),
    StepRule(
        "turned-up-ability-triggers",
        "The turned-face-up ability of a permanent that is turned face up with it triggers, once.",
        ("603.2", "708.8"),
        formula=_turned_up,
    ),
    Possible(
        "manifest-dread-triggers-short-library",
        "An ability triggers on manifesting dread with fewer than two cards.",
        ("701.62b",),
        ("S12",),
        on_step=_dread_triggers_short,
    ),
    Possible(
        "one-or-more-enter-triggers-twice",
        "One resolution triggers a one-or-more ability twice.",
        ("603.2c",),
        ("S28",),
        on_step=_twice,
    ),
    Possible(
        "dies-ability-manifests-dread",
        "The dies ability of a creature manifests dread.",
        ("603.6c",),
        ("S31",),
        on_step=_resolves_dread_of(EventKind.DIES),
    ),
    Possible(
        "dies-face-down-with-printed-ability",
        "A creature with a printed dies ability dies face down.",
        ("603.10a",),
        ("S31",),
        on_step=_died_face_down,
    ),
    Possible(
        "enters-ability-triggers-face-up",
        "A printed enters ability triggers as its permanent enters face up.",
        ("603.6a",),
        ("S15",),
        on_step=_trigger_enters,
    ),
)
