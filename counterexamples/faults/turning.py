"""Faults of turning permanents over (708.2b, 708.8, 712)."""

from __future__ import annotations

from typing import Any

from counterexamples.faults.fault import Rule, fault
from counterexamples.faults.shared import is_down, turns_up
from model.families import ATTACHED, CAUSE, COUNTERS, DAMAGE, KNOWN, SICK, TAPPED
from model.rules import special_actions, state_based_actions, triggers, turning, zones
from model.rules.triggers import notice, notice_all
from model.setup import Obj
from model.state import State
from model.terms import not_
from model.vocabulary import Cause, CounterKind, EventKind, Marker


@fault(
    "BR-56",
    "AFTERUP",
    "magefree/mage issue 8127",
    "A manifested creature that is turned face up counts as entering, so that its enters ability triggers.",
    breaks=turning.turn_up,
    rules=("708.8", "701.40b"),
    caught_by=("turning-up-is-no-entering",),
    on=("S15/1",),
)
def turning_up_enters(right: Rule, game: State, o: Obj, *args: Any) -> None:
    with game.when(turns_up(right, game, o, *args)):
        notice(game, EventKind.ENTERS, o)


@fault(
    "BR-54",
    "TURNUP",
    "Card-Forge/forge pull 3986",
    "An effect that turns a creature face down is a toggle, and turns a face-down creature face up.",
    breaks=turning.turn_down,
    rules=("708.2b",),
    caught_by=("turning-down-never-turns-up",),
    on=("S22",),
)
def turning_down_toggles(right: Rule, game: State, o: Obj, **kwargs: Any) -> None:
    was = is_down(game, o)
    right(game, o, **kwargs)
    with game.when(was) as live:
        if live:
            turning.turn_up(game, o, o.owner)


@fault(
    "BR-60",
    "AFTERUP",
    "phase-rs/phase issue 7601",
    "Megamorph is treated like morph, and its +1/+1 counter is never put on.",
    breaks=special_actions._megamorph,
    rules=("702.37b", "708.11"),
    caught_by=("counters-on-turning-up",),
    on=("megamorph",),
)
def megamorph_is_morph(right: Rule, game: State, player: Any, o: Obj, picks: Any) -> None:
    turning.turn_up(game, o, player, picks)


@fault(
    "BR-61",
    "AFTERUP",
    "phase-rs/phase issue 3691",
    "What happens as a permanent is turned face up is left for later, so that a 0/0 dies before it.",
    breaks=turning._as_turned_up,
    rules=("708.11", "704.3"),
    caught_by=("as-turned-up-applies-at-once",),
    on=("as_turned_up",),
)
def as_turned_up_comes_later(right: Rule, *args: Any) -> list[Any]:
    return []


@fault(
    "BR-64",
    "AFTERUP",
    "magefree/mage issue 7153",
    "What happens as a permanent is turned face up is applied again to its own event.",
    breaks=turning._as_turned_up,
    rules=("614.5",),
    caught_by=("as-turned-up-applies-at-once",),
    on=("as_turned_up",),
)
def as_turned_up_repeats(right: Rule, *args: Any) -> list[Any]:
    return [*right(*args), *right(*args)]


@fault(
    "BR-66",
    "AFTERUP",
    "magarena/magarena issues 879 and 878",
    "Whether the permanent that is turned face up is a creature is asked while it is still face down.",
    breaks=(turning.turn_up, triggers.notice),
    rules=("603.4", "603.2"),
    caught_by=("turned-up-triggers-see-what-it-is",),
    on=("turned_up_watchers",),
)
def watchers_look_too_early(right: Rule, game: State, first: Any, *args: Any, **kwargs: Any) -> None:
    if isinstance(first, Obj):
        if not turning.is_instant_or_sorcery_card(first):
            notice_all(game, EventKind.TURNED_UP, [(first, is_down(game, first))], player=args[0])
        right(game, first, *args, **kwargs)
    elif first is EventKind.TURNED_UP:
        game.emit(first, args[0])
    else:
        right(game, first, *args, **kwargs)


@fault(
    "F-turning-up-untaps",
    "AFTERUP",
    "own",
    "A permanent that is turned face up untaps.",
    breaks=turning.turn_up,
    rules=("110.5",),
    caught_by=("turning-over-keeps-tapped",),
    on=("S18",),
)
def turning_up_untaps(right: Rule, game: State, o: Obj, *args: Any) -> None:
    with game.when(turns_up(right, game, o, *args)):
        game[TAPPED, o] = False


@fault(
    "F-tapped-stays-over",
    "TURNUP",
    "own",
    "A tapped permanent is not turned over.",
    breaks=(turning.turn_up, turning.turn_down),
    rules=("110.5",),
    caught_by=("turned-over-while-tapped",),
    on=("S18",),
)
def tapped_is_not_turned(right: Rule, game: State, o: Obj, *args: Any, **kwargs: Any) -> None:
    with game.when(not_(game[TAPPED, o])):
        right(game, o, *args, **kwargs)


@fault(
    "F-turning-up-heals",
    "AFTERUP",
    "own",
    "A permanent that is turned face up is a new one without damage.",
    breaks=turning.turn_up,
    rules=("708.8", "400.7"),
    caught_by=("turning-over-changes-characteristics-only",),
    on=("damaged",),
)
def turning_up_heals(right: Rule, game: State, o: Obj, *args: Any) -> None:
    with game.when(turns_up(right, game, o, *args)):
        game[DAMAGE, o] = 0


@fault(
    "F-turning-up-loses-targets",
    "AFTERUP",
    "own",
    "What targeted a permanent has lost it once it is turned face up.",
    breaks=turning.turn_up,
    rules=("708.8", "608.2b"),
    caught_by=("turning-over-keeps-targets",),
    on=("S17/3",),
)
def turning_up_loses_targets(right: Rule, game: State, o: Obj, *args: Any) -> None:
    with game.when(turns_up(right, game, o, *args)):
        zones._forget(game, o)


@fault(
    "F-turning-up-drops-attachments",
    "AFTERUP",
    "own",
    "What is attached to a permanent falls off as it is turned over.",
    breaks=(turning.turn_up, turning.turn_down),
    rules=("708.8", "303.4c"),
    caught_by=("attached-through-turning", "what-is-attached-stays-attached"),
    on=("S17/1",),
)
def attachments_fall_off(right: Rule, game: State, o: Obj, *args: Any, **kwargs: Any) -> None:
    right(game, o, *args, **kwargs)
    for other in game.setup.objects:
        with game.when(game[ATTACHED, other].is_(o)):
            game[ATTACHED, other] = Marker.NONE


@fault(
    "F-attachments-stay",
    "AFTERUP",
    "own",
    "What is attached to a permanent stays there whatever it turns out to be.",
    breaks=state_based_actions._attachment_checks,
    rules=("704.5m", "704.5n"),
    caught_by=("attachment-falls-off-what-turned-up",),
    on=("S17/2",),
)
def attachments_stay(right: Rule, *args: Any) -> list[Any]:
    return []


@fault(
    "F-turning-up-clears-counters",
    "AFTERUP",
    "own",
    "A permanent that is turned face up loses its counters.",
    breaks=turning.turn_up,
    rules=("708.8",),
    caught_by=("counters-on-turning-up",),
    on=("S17/1",),
)
def turning_up_clears_counters(right: Rule, game: State, o: Obj, *args: Any) -> None:
    with game.when(turns_up(right, game, o, *args)):
        game[COUNTERS, o, CounterKind.PLUS] = 0


@fault(
    "F-turning-up-ignores-bans",
    "TURNUP",
    "own",
    "What cannot be turned face up is turned face up by effects.",
    breaks=turning.turn_up,
    rules=("101.2",),
    caught_by=("what-cannot-be-turned-up-is-not",),
    on=("barred",),
)
def bans_are_ignored(right: Rule, game: State, o: Obj, by: Any, *args: Any) -> None:
    right(game, o, by, *args)
    with game.when(is_down(game, o)):
        if not turning.is_instant_or_sorcery_card(o):
            game[CAUSE, o] = Cause.NONE


@fault(
    "F-down-again",
    "TURNUP",
    "own",
    "An effect that turns a face-down permanent face down makes it face down anew, for another cause.",
    breaks=turning.turn_down,
    rules=("708.2b", "708.6"),
    caught_by=("cause-is-kept",),
    on=("S22", "S24"),
)
def turned_down_again(right: Rule, game: State, o: Obj, **kwargs: Any) -> None:
    with game.when(is_down(game, o)):
        game[CAUSE, o] = Cause.TURNED_DOWN
    right(game, o, **kwargs)


@fault(
    "F-turned-down-is-manifested",
    "TURNUP",
    "own",
    "What an effect turns face down counts as manifested.",
    breaks=turning.turn_down,
    rules=("708.6", "708.2"),
    caught_by=("cause-is-what-turned-it-down",),
    on=("S23/2",),
)
def turned_down_is_manifested(right: Rule, game: State, o: Obj, **kwargs: Any) -> None:
    right(game, o, **kwargs)
    with game.when(game[CAUSE, o].is_(Cause.TURNED_DOWN)):
        game[CAUSE, o] = Cause.MANIFEST


@fault(
    "F-nothing-turns-down",
    "TURNUP",
    "own",
    "Effects that turn a creature face down do nothing.",
    breaks=turning.turn_down,
    rules=("708.2a",),
    caught_by=("turned-down",),
    on=("S18",),
)
def nothing_turns_down(right: Rule, *args: Any, **kwargs: Any) -> None:
    return


@fault(
    "F-turning-over-is-forgetting",
    "LOOK",
    "own",
    "Once a permanent is turned face down, nobody remembers which card it was.",
    breaks=turning.turn_down,
    rules=("708.6",),
    caught_by=("nothing-is-forgotten",),
    on=("S22",),
)
def turning_down_forgets(right: Rule, game: State, o: Obj, **kwargs: Any) -> None:
    right(game, o, **kwargs)
    with game.when(game[CAUSE, o].is_(Cause.TURNED_DOWN)):
        for player in game.setup.players:
            game[KNOWN, player, o] = False


@fault(
    "F-turned-down-has-ward",
    "L1B",
    "own",
    "What an effect turns face down has ward {2}, as if it were cloaked.",
    breaks=turning.turn_down,
    rules=("708.2a",),
    caught_by=("turned-down-without-a-list-is-a-2-2",),
    on=("turned_down",),
)
def turned_down_has_ward(right: Rule, game: State, o: Obj, **kwargs: Any) -> None:
    right(game, o, profile=game.setup.profiles[1])


@fault(
    "F-turning-up-is-arriving",
    "AFTERUP",
    "own",
    "A creature that is turned face up has to wait until its controller's next turn, as if it had just come.",
    breaks=turning.turn_up,
    rules=("708.8", "400.7"),
    caught_by=("turning-over-changes-characteristics-only",),
    on=("S17/1",),
)
def turning_up_is_arriving(right: Rule, game: State, o: Obj, *args: Any) -> None:
    with game.when(turns_up(right, game, o, *args)):
        game[SICK, o] = True
