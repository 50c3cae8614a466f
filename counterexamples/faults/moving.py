"""Faults of owner and controller, of when triggers look, and of what stays as it is (110, 400, 603, 708.8)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from counterexamples.faults.fault import Rule, fault
from model.cards.abilities import Replacement
from model.effects.context import Context, Option
from model.families import (
    ATTACHED,
    CAUSE,
    CONTROLLER,
    COUNTERS,
    DAMAGE,
    ENTERED_UNDER,
    PRIORITY,
    ZONE,
)
from model.rules import leaving, priority, revealing, triggers, turning, zones
from model.setup import Item, Obj, Player
from model.state import State
from model.terms import FALSE, TRUE, Term, and_, const, or_
from model.vocabulary import Cause, CounterKind, EventKind, Marker, Zone

# -- what stays as it is ----------------------------------------


@fault(
    "F-turning-down-heals",
    "TURNDOWN",
    "own",
    "A permanent that is turned face down has no damage any more.",
    breaks=turning.turn_down,
    rules=("708.8", "514.2"),
    caught_by=("damage-stays-until-the-turn-ends",),
    on=("moving_turned",),
)
def turning_down_heals(right: Rule, game: State, o: Obj, **kwargs: Any) -> None:
    right(game, o, **kwargs)
    game[DAMAGE, o] = 0


@fault(
    "F-turning-down-unattaches",
    "TURNDOWN",
    "own",
    "What is attached to a permanent falls off as that is turned face down.",
    breaks=turning.turn_down,
    rules=("708.8", "701.3a"),
    caught_by=("attached-until-something-says-so",),
    on=("moving_turned",),
)
def turning_down_unattaches(right: Rule, game: State, o: Obj, **kwargs: Any) -> None:
    right(game, o, **kwargs)
    for other in game.setup.objects:
        with game.when(game[ATTACHED, other].is_(o)):
            game[ATTACHED, other] = Marker.NONE



# -- owner and controller ----------------------------------------


@fault(
    "F-kept-in-the-graveyard",
    "LEAVE",
    "own",
    "A card in a graveyard is still controlled by whoever controlled the permanent.",
    breaks=zones.become_new_object,
    rules=("400.7",),
    caught_by=("only-permanents-and-spells-have-controllers",),
    on=("moving_stolen/1",),
)
def kept_in_the_graveyard(right: Rule, game: State, o: Obj) -> None:
    controller = game[CONTROLLER, o]
    right(game, o)
    game[CONTROLLER, o] = controller


@fault(
    "F-gained-is-exiled",
    "LEAVE",
    "own",
    "What a player who leaves had gained control of is exiled instead of going back.",
    breaks=leaving.leave_game,
    rules=("800.4a",),
    caught_by=("gained-control-ends-with-the-player",),
    on=("moving_leaver",),
)
def gained_is_exiled(right: Rule, game: State, player: Player) -> None:
    for o in game.setup.objects:
        with game.when(game[CONTROLLER, o].is_(player)):
            game[ENTERED_UNDER, o] = player
    right(game, player)


@fault(
    "F-priority-for-who-has-left",
    "LEAVE",
    "own",
    "A player who has left the game gets priority in turn.",
    breaks=priority.hand_priority_on,
    rules=("800.4a",),
    caught_by=("who-has-left-does-nothing",),
    on=("moving_leaver",),
)
def priority_for_who_has_left(right: Rule, game: State, player: Player) -> None:
    game[PRIORITY,] = game.setup.next_player(player)


@fault(
    "F-owners-triggers",
    "TRIGGER",
    "own",
    "A triggered ability is controlled by the owner of its source.",
    breaks=triggers.await_trigger,
    rules=("603.3",),
    caught_by=("triggers-wait-under-the-controller-of-their-source",),
    on=("moving_stolen/1", "moving_stolen/2"),
)
def owners_triggers(right: Rule, game: State, item: Item, that: object, controller: Term) -> None:
    right(game, item, that, const(game.setup.player_sort, item.source.owner))


@fault(
    "F-nothing-for-what-enters-face-down",
    "ENTERS",
    "own",
    "What gives counters to creatures that enter does not see face-down ones.",
    breaks=zones._apply_as_enters,
    rules=("614.12", "708.3"),
    caught_by=("entry-texts-serve-their-controller",),
    on=("moving_stolen/3",),
)
def nothing_for_what_enters_face_down(right: Rule, game: State, o: Obj, *args: Any) -> None:
    with game.when(game[CAUSE, o].is_(Cause.NONE)):
        right(game, o, *args)


@fault(
    "F-as-turned-up-by-the-owner",
    "TURNUP",
    "own",
    "What a card says of its controller as it is turned face up is done to its owner.",
    breaks=turning._apply_replacement,
    rules=("708.11", "109.5"),
    caught_by=("as-turned-up-serves-its-controller",),
    on=("moving_stolen/3",),
)
def as_turned_up_by_the_owner(
    right: Rule, game: State, o: Obj, ability: Replacement, has: Term, picks: Sequence[Option]
) -> None:
    with game.when(has):
        context = Context(game, o, o.owner, that=o, picks=iter(picks))
        for effect in ability.do:
            effect.apply(context)


@fault(
    "F-everybody-sees-the-own-library",
    "HIDE",
    "own",
    "Every player may look at the own library.",
    breaks=revealing._top_permitted,
    rules=("401.2",),
    caught_by=("top-card-permission-serves-its-controller",),
    on=("moving_stolen/4",),
)
def everybody_sees_the_own_library(right: Rule, game: State, player: Player, o: Obj) -> Term:
    return or_(right(game, player, o), game[ZONE, o].is_(Zone.LIBRARY) if o.owner is player else FALSE)


# -- when triggers look ----------------------------------------


@fault(
    "F-watchers-miss-face-down",
    "TRIGGER",
    "own",
    "What happens to a face-down creature triggers nothing.",
    breaks=triggers._concerns,
    rules=("603.10", "603.10a", "708.2"),
    caught_by=("triggers-look-after-the-event", "leaving-is-seen-from-before"),
    on=("combat_watchers", "moving_stolen/1"),
)
def watchers_miss_face_down(right: Rule, game: State, watcher: Obj, ability: Any, subject: Any, player: Any) -> Term:
    seen = TRUE if subject is None else game[CAUSE, subject].is_(Cause.NONE)
    return and_(right(game, watcher, ability, subject, player), seen)


@fault(
    "F-draws-are-not-seen",
    "TRIGGER",
    "own",
    "Nothing triggers on a card that is drawn.",
    breaks=triggers.notice,
    rules=("603.10", "121.1"),
    caught_by=("drawn-cards-are-seen-in-the-hand",),
    on=("moving_drawn/1",),
)
def draws_are_not_seen(right: Rule, game: State, kind: EventKind, subject: Any = None, **kwargs: Any) -> None:
    if kind is EventKind.DRAWN:
        game.emit(kind, subject, kwargs["player"])
    else:
        right(game, kind, subject, **kwargs)


# -- entering face up ----------------------------------------


@fault(
    "F-instants-enter",
    "NONPERM",
    "own",
    "An instant card is put onto the battlefield face up like any other.",
    breaks=zones.enter,
    rules=("304.4", "400.4a"),
    caught_by=("instants-and-sorceries-are-no-face-up-permanents", "put-onto-the-battlefield-as-it-is"),
    on=("moving_graveyard",),
)
def instants_enter(right: Rule, game: State, o: Obj, controller: Player, **kwargs: Any) -> None:
    right(game, o, controller, **kwargs)
    if not o.card.front.is_permanent_card and kwargs.get("cause", Cause.NONE) is Cause.NONE:
        zones.become_new_object(game, o)
        game[ZONE, o] = Zone.BATTLEFIELD


@fault(
    "F-no-loyalty",
    "ENTERS",
    "own",
    "A planeswalker enters without loyalty counters.",
    breaks=zones._arrive,
    rules=("306.5b",),
    caught_by=("planeswalkers-enter-with-loyalty",),
    on=("moving_graveyard",),
)
def no_loyalty(right: Rule, game: State, o: Obj, how: Any) -> None:
    right(game, o, how)
    game[COUNTERS, o, CounterKind.LOYALTY] = 0
