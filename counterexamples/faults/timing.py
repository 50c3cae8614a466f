"""Faults of the order of play: who may act and when, what resolves, and how steps and turns follow (117, 500, 603)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from counterexamples.faults.fault import Rule, fault
from model.families import ACTIVE, DAMAGE, TAPPED
from model.rules import abilities, casting, casting_zones, priority, resolving
from model.setup import Player, Setup
from model.state import State
from model.terms import FALSE, Term

__all__ = ["without"]


@contextmanager
def without(*rules: str) -> Iterator[None]:
    """Let rule functions require nothing of what they require under some rule numbers."""
    right = State.require

    def require(self: State, condition: Term, says: str, rule: str) -> None:
        if rule not in rules:
            right(self, condition, says, rule)

    State.require = require  # type: ignore[method-assign]
    try:
        yield
    finally:
        State.require = right  # type: ignore[method-assign]


# -- priority -------------------------------------------------------------------------------------------------------


@fault(
    "F-game-goes-on-after-its-end",
    "TIMING",
    "own",
    "Who has priority when the game ends may go on acting.",
    breaks=priority.require_priority,
    rules=("104.1",),
    caught_by=("nothing-happens-after-the-end",),
    on=("timing_triggers",),
)
def acting_after_the_end(right: Rule, *args: Any) -> None:
    with without("104.1"):
        right(*args)


@fault(
    "F-anybody-acts",
    "TIMING",
    "own",
    "Players act without waiting for priority.",
    breaks=priority.require_priority,
    rules=("117.1",),
    caught_by=("players-act-with-priority",),
    on=("timing_steps",),
)
def anybody_acts(right: Rule, *args: Any) -> None:
    with without("117.1"):
        right(*args)


@fault(
    "F-nobody-can-respond",
    "TIMING",
    "own",
    "What is on top of the stack resolves, and steps end, before all players have passed.",
    breaks=priority.require_game_turn,
    rules=("117.4",),
    caught_by=("game-goes-on-when-all-have-passed",),
    on=("timing_steps",),
)
def nobody_can_respond(right: Rule, *args: Any) -> None:
    with without("117.4"):
        right(*args)


@fault(
    "F-opponents-go-first",
    "TIMING",
    "own",
    "After a resolution the player after the active one gets priority.",
    breaks=resolving._finish,
    rules=("117.3b",),
    caught_by=("active-player-gets-priority",),
    on=("timing_steps",),
)
def opponents_go_first(right: Rule, game: State) -> None:
    right(game)
    for player in game.setup.players:
        with game.when(game[ACTIVE,].is_(player)) as live:
            if live:
                priority.hand_priority_on(game, player)


# -- triggered abilities --------------------------------------------------------------------------------------------


@fault(
    "F-triggers-before-checks",
    "TIMING",
    "own",
    "Triggered abilities are put on the stack while a state-based action still has to be performed.",
    breaks=abilities._require_waiting,
    rules=("704.3", "603.3"),
    caught_by=("state-based-actions-come-first",),
    on=("timing_triggers",),
)
def triggers_before_checks(right: Rule, *args: Any) -> None:
    with without("704.3"):
        right(*args)


@fault(
    "F-triggers-unasked",
    "TIMING",
    "own",
    "While some triggered ability waits, others that have not triggered can be put on the stack.",
    breaks=abilities._require_waiting,
    rules=("603.2", "603.3"),
    caught_by=("only-what-has-triggered-goes-on-the-stack",),
    on=("timing_triggers",),
)
def triggers_unasked(right: Rule, *args: Any) -> None:
    with without("603.2"):
        right(*args)


@fault(
    "F-triggers-in-any-order",
    "TIMING",
    "own",
    "Players put their triggered abilities on the stack in whatever order.",
    breaks=abilities._require_waiting,
    rules=("603.3b",),
    caught_by=("triggers-go-on-the-stack-in-turn-order",),
    on=("timing_triggers",),
)
def triggers_in_any_order(right: Rule, *args: Any) -> None:
    with without("603.3b"):
        right(*args)


@fault(
    "F-more-than-x-targets",
    "TIMING",
    "own",
    "A triggered ability with up to X targets has as many as there is room for.",
    breaks=abilities._put_on_stack,
    rules=("601.2c",),
    caught_by=("trigger-has-at-most-x-targets",),
    on=("timing_triggers",),
)
def more_than_x_targets(right: Rule, *args: Any, **kwargs: Any) -> None:
    with without("601.2c"):
        right(*args, **kwargs)


# -- resolving ------------------------------------------------------------------------------------------------------


@fault(
    "F-bottom-resolves",
    "TIMING",
    "own",
    "Anything that could be on the stack resolves, whatever is on top.",
    breaks=resolving._require_top,
    rules=("608.1",),
    caught_by=("top-of-the-stack-resolves",),
    on=("timing_steps", "timing_triggers"),
)
def anything_resolves(right: Rule, *args: Any) -> None:
    with without("608.1"):
        right(*args)


@fault(
    "F-targets-are-chosen-anew",
    "TIMING",
    "own",
    "A spell that resolves affects a target chosen then instead of the one that was chosen for it.",
    breaks=resolving._resolve,
    rules=("608.2b", "601.2c"),
    caught_by=("resolves-as-it-was-put-on-the-stack",),
    on=("timing_triggers",),
)
def targets_are_chosen_anew(right: Rule, *args: Any, **kwargs: Any) -> None:
    with without("608.2b"):
        right(*args, **kwargs)


# -- steps and turns ------------------------------------------------------------------------------------------------


@fault(
    "F-steps-in-any-order",
    "TIMING",
    "own",
    "Any step of any player's turn can begin when all players have passed.",
    breaks=priority._advance,
    rules=("500.1",),
    caught_by=("steps-follow-in-order",),
    on=("timing_steps",),
)
def steps_in_any_order(right: Rule, *args: Any, **kwargs: Any) -> None:
    with without("500.1"):
        right(*args, **kwargs)


@fault(
    "F-turn-of-who-has-left",
    "TIMING",
    "own",
    "A player who has left the game still takes turns, and others are passed over.",
    breaks=priority._new_turn,
    rules=("800.4a",),
    caught_by=("turns-follow-in-order",),
    on=("timing_turns",),
)
def turn_of_who_has_left(right: Rule, *args: Any, **kwargs: Any) -> None:
    with without("800.4a"):
        right(*args, **kwargs)


@fault(
    "F-everything-untaps",
    "TIMING",
    "own",
    "As a turn begins, the permanents of all players untap.",
    breaks=priority._untap,
    rules=("502.3",),
    caught_by=("untap-step-untaps-the-active-players", "tapped-until-its-controller-untaps"),
    on=("timing_turns", "moving_turned"),
)
def everything_untaps(right: Rule, game: State, setup: Setup, player: Player) -> None:
    right(game, setup, player)
    for o in setup.objects:
        game[TAPPED, o] = False


@fault(
    "F-damage-stays",
    "TIMING",
    "own",
    "Damage stays on creatures from turn to turn.",
    breaks=priority._clean_up,
    rules=("514.2",),
    caught_by=("damage-wears-off-between-turns",),
    on=("timing_turns",),
)
def damage_stays(right: Rule, game: State, setup: Setup) -> None:
    before = {o: game[DAMAGE, o] for o in setup.objects}
    right(game, setup)
    for o, damage in before.items():
        game[DAMAGE, o] = damage


# -- in its time ----------------------------------------------------------------------------------------------------


@fault(
    "F-sorceries-at-any-time",
    "TIMING",
    "own",
    "Lands are played, and equip and loyalty abilities activated, whenever their player has priority.",
    breaks=priority.require_sorcery_timing,
    rules=("305.1", "602.5d", "606.3", "702.6a"),
    caught_by=("sorcery-speed-is-kept",),
    on=("timing_steps",),
)
def sorceries_at_any_time(right: Rule, *args: Any) -> None:
    return


@fault(
    "F-any-number-of-lands",
    "TIMING",
    "own",
    "A player plays any number of lands in a turn.",
    breaks=casting._play_land,
    rules=("305.2",),
    caught_by=("one-land-a-turn",),
    on=("timing_steps",),
)
def any_number_of_lands(right: Rule, *args: Any, **kwargs: Any) -> None:
    with without("305.2"):
        right(*args, **kwargs)


@fault(
    "F-no-lands-from-elsewhere",
    "TIMING",
    "own",
    "A permission to play lands from the top of the library does nothing.",
    breaks=casting_zones.land_from_elsewhere,
    rules=("305.1", "601.3"),
    caught_by=("land-may-be-played",),
    on=("timing_elsewhere",),
)
def no_lands_from_elsewhere(right: Rule, *args: Any) -> Term:
    return FALSE


@fault(
    "F-split-second-is-slow",
    "TIMING",
    "own",
    "Players respond to a spell with split second as to any other.",
    breaks=priority.require_no_split_second,
    rules=("702.61a",),
    caught_by=("split-second-stops-spells-and-abilities",),
    on=("timing_activation",),
)
def split_second_is_slow(right: Rule, *args: Any) -> None:
    return
