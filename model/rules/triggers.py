"""Triggered abilities (603): noticing events, and the instances that wait to be put on the stack."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from model.cards.abilities import PLAYER_EVENTS, TriggeredAbility
from model.characteristics import look
from model.conditions import holds
from model.families import DELAYED, ONCE, PENDING, ZONE
from model.setup import Item, Obj, Player, Setup
from model.state import State
from model.terms import FALSE, TRUE, Term, and_, const, not_, or_
from model.vocabulary import EventKind, Marker, TurnStep, Zone

__all__ = ["any_waiting", "await_trigger", "notice", "notice_all", "waits_for_others"]


def notice(
    game: State,
    kind: EventKind,
    subject: Obj | None = None,
    *,
    player: Player | None = None,
    step: TurnStep | None = None,
) -> None:
    """Record an event, and let every ability that it triggers wait (603.2).

    Parameters
    ----------
    subject
        What it happens to.  Abilities look at it as it is now; leaves-the-battlefield events are therefore noticed
        before the object moves (603.10a).
    player
        Who does it, for events of players; otherwise the controller of the subject.
    """
    notice_all(game, kind, [(subject, TRUE)], player=player, step=step)


def notice_all(
    game: State,
    kind: EventKind,
    subjects: Sequence[tuple[Obj | None, Term]],
    *,
    player: Player | None = None,
    step: TurnStep | None = None,
    amount: int | None = None,
    from_graveyard: Term = FALSE,
) -> None:
    """Record events that happen at once: an ability that speaks of "one or more" triggers once for all (603.2c)."""
    for subject, condition in subjects:
        with game.when(condition):
            game.emit(kind, *(s for s in (subject, player) if s is not None))
    _notice_delayed(game, kind, subjects, step)
    for watcher, ability in game.setup.watchers(kind):
        if ability.when.step is not step:
            continue
        present = _present(game, watcher, ability, subjects)
        if present is FALSE:
            continue
        matched = [
            (subject, and_(present, condition, _concerns(game, watcher, ability, subject, player)))
            for subject, condition in subjects
        ]
        if ability.condition is not None:
            you = look(game).controller(watcher)
            matched = [
                (subject, and_(condition, holds(game, ability.condition, you, watcher, subject)))
                for subject, condition in matched
            ]
        if ability.when.from_graveyard:
            matched = [(subject, and_(condition, from_graveyard)) for subject, condition in matched]
        if ability.when.batch:
            matched = [(None, or_(*(condition for _, condition in matched)))]
        for subject, condition in matched:
            with game.when(condition):
                _trigger(game, watcher, ability, (subject, player, amount))


def _notice_delayed(
    game: State, kind: EventKind, subjects: Sequence[tuple[Obj | None, Term]], step: TurnStep | None
) -> None:
    """Let delayed triggered abilities that watch an object wait, once (603.7b)."""
    for source, ability in game.setup.delayed:
        if ability.when.event is not kind or ability.when.step is not step:
            continue
        item = game.setup.item(source, ability)
        for o in game.setup.objects:
            about = TRUE if kind is EventKind.STEP_BEGINS else or_(*(c for s, c in subjects if s is o))
            with game.when(and_(game[DELAYED, item, o], about)) as live:
                if live:
                    game[DELAYED, item, o] = False
                    await_trigger(game, item, o, look(game).controller(source))


def _present(game: State, watcher: Obj, ability: TriggeredAbility, subjects: Sequence[tuple[Obj | None, Term]]) -> Term:
    """Whether the watcher has the ability where it works: on the battlefield, or on the stack for its own cast."""
    zones = [Zone.GRAVEYARD if ability.from_graveyard else Zone.BATTLEFIELD]
    if ability.when.event is EventKind.CAST and ability.when.subject is None:
        zones.append(Zone.STACK)
    on = game[ZONE, watcher].among(zones)
    of_this = ability.when.subject is None and ability.when.event not in (*PLAYER_EVENTS, EventKind.STEP_BEGINS)
    if on is FALSE or (of_this and all(s is not watcher for s, _ in subjects)):
        return FALSE
    here = and_(on, look(game).has_ability(watcher, ability))
    return here


def _concerns(game: State, watcher: Obj, ability: TriggeredAbility, subject: Obj | None, player: Player | None) -> Term:
    """Whether the event is one that the trigger condition speaks of."""
    derived, when = look(game), ability.when
    you = derived.controller(watcher)
    tests = []
    if subject is not None:
        if when.subject is not None:
            tests.append(derived.matches(subject, when.subject, you, watcher))
        elif when.event not in (*PLAYER_EVENTS, EventKind.STEP_BEGINS):
            tests.append(TRUE if subject is watcher else FALSE)
    if when.this_was is not None:
        tests.append(derived.matches(watcher, when.this_was, you, watcher))
    if when.player != "any":
        actor = (
            const(game.setup.player_sort, player)
            if player is not None
            else derived.controller(subject)
            if subject is not None
            else const(game.setup.player_sort, Marker.NONE)
        )
        mine = actor.is_(you)
        tests.append(mine if when.player == "you" else not_(mine))
    return and_(*tests)


def _trigger(game: State, watcher: Obj, ability: TriggeredAbility, about: tuple[object, ...]) -> None:
    item = game.setup.item(watcher, ability)
    subjects = game.setup.subjects(item)
    that = next((s for s in about if s is not None and s in subjects), Marker.NONE)
    if ability.when.once_each_turn:
        fresh = not_(game[ONCE, item])
        with game.when(fresh):
            game[ONCE, item] = True
            await_trigger(game, item, that, look(game).controller(watcher))
        return
    await_trigger(game, item, that, look(game).controller(watcher))


def await_trigger(game: State, item: Item, that: object, controller: Term) -> None:
    """Let an instance of a triggered ability wait until it is put on the stack (603.3)."""
    game.cite("603.2")
    for p in game.setup.players:
        with game.when(controller.is_(p)) as live:
            if live:
                game[PENDING, item, that, p] = game[PENDING, item, that, p] + 1


def any_waiting(game: State, setup: Setup) -> Term:
    """Whether any triggered ability waits."""
    return or_(*_some_waiting(game, setup, setup.players))


def _some_waiting(game: State, setup: Setup, players: Collection[Player]) -> Iterator[Term]:
    for item, that, p in setup.waiting:
        number = game[PENDING, item, that, p]
        if number.high and p in players:
            yield number > 0


def waits_for_others(game: State, active: Term, player: Player) -> Term:
    """Whether a player earlier in turn order from the active player has a trigger that waits (APNAP, 603.3b)."""
    setup: Setup = game.setup
    found = []
    for start in setup.players:
        order = [start, *setup.others(start)]
        earlier = set(order[: order.index(player)])
        found.append(and_(active.is_(start), or_(*_some_waiting(game, setup, earlier))))
    return or_(*found)
