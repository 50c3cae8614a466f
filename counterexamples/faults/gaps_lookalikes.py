"""Faults of what is easily taken for something else: transforming, putting, copying what shows (701.27b, 708.12)."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from functools import partial
from typing import Any

from counterexamples.faults.fault import Rule, fault
from model import conditions
from model.cards.abilities import Condition, Costs
from model.cards.card import Face
from model.cards.phrases import Filter
from model.characteristics import Look
from model.effects.continuous import Transform
from model.effects.selecting import objects
from model.families import (
    ACTIVE,
    ATTACHED,
    BY,
    CAUSE,
    FREE,
    ITEM,
    LAND_PLAYED,
    PRIORITY,
    TARGET,
    THAT,
    ZONE,
    X,
)
from model.peek import Peek
from model.rules import attaching, casting, mana, priority, resolving, stack, state_based_actions, turning, zones
from model.rules.casting import FACE_DOWN_COST
from model.rules.mana import Way, ways_to_pay
from model.rules.triggers import notice
from model.setup import Obj, Player
from model.state import State
from model.system import Candidate, Label
from model.terms import TRUE, Term, not_
from model.vocabulary import Cause, EventKind, Marker, Type, Zone


@fault(
    "F-anything-is-cast-face-down",
    "CAST",
    "own",
    "Any creature card can be cast face down for {3}.",
    breaks=casting._ways_to_cast,
    rules=("702.37d", "702.168c", "708.1"),
    caught_by=("cast-face-down-as-a-keyword-lets-it",),
    on=("gap_lookalikes/1",),
)
def anything_is_cast_face_down(right: Rule, peek: Peek, player: Player, o: Obj) -> Iterator[Candidate]:
    yield from right(peek, player, o)
    if Type.CREATURE in o.card.front.types and not o.card.front.face_down_costs:
        for way in ways_to_pay(peek, player, FACE_DOWN_COST, o):
            label = Label(
                "cast face down", player.name, f"cast {o} face down", (("card", o.name), ("as", "morph"))
            )
            yield Candidate(label, partial(casting._cast_face_down, player=player, o=o, kind="morph", way=way, tax=0))


@fault(
    "F-face-down-for-nothing",
    "CAST",
    "own",
    "A card that may be cast without paying its mana cost is cast face down for nothing.",
    breaks=mana.pay,
    rules=("118.9a", "702.37c"),
    caught_by=("face-down-is-an-alternative-cost",),
    on=("gap_lookalikes/2",),
)
def face_down_for_nothing(
    right: Rule, game: State, player: Player, costs: Costs, way: Way, source: Obj, *args: Any, **kwargs: Any
) -> None:
    with game.when(not_(game[FREE, player, source]) if costs is FACE_DOWN_COST else TRUE) as live:
        if live:
            right(game, player, costs, way, source, *args, **kwargs)


@fault(
    "F-put-is-played",
    "PROC",
    "own",
    "A land card that an effect puts onto the battlefield, or that is turned face up, has been played.",
    breaks=(turning.turn_up, zones.enter),
    rules=("305.4",),
    caught_by=("land-that-turns-up-was-not-played",),
    on=("gap_lookalikes/3",),
)
def put_is_played(right: Rule, game: State, o: Obj, player: Player, *args: Any, **kwargs: Any) -> None:
    right(game, o, player, *args, **kwargs)
    if Type.LAND in o.card.front.types and "cause" not in kwargs:
        game[LAND_PLAYED, player] = True


@fault(
    "F-transforming-turns-up",
    "AFTERUP",
    "own",
    "A permanent that transforms counts as turned face up, and triggers what watches for that.",
    breaks=Transform.apply,
    rules=("701.27b",),
    caught_by=("transforming-is-no-turning-over",),
    on=("gap_lookalikes/4",),
)
def transforming_turns_up(right: Rule, effect: Transform, context: Any) -> None:
    right(effect, context)
    for o, condition in objects(context, effect.transform):
        if o.card.layout == "transform":
            with context.game.when(condition):
                notice(context.game, EventKind.TURNED_UP, o, player=context.controller)


@fault(
    "F-permanent-is-asked-for-its-card",
    "MASK",
    "own",
    "An effect that asks for the card of a face-down permanent takes the creature that it shows for the card.",
    breaks=conditions.holds,
    rules=("708.12",),
    caught_by=("card-of-a-face-down-permanent-is-asked-for",),
    on=("gap_lookalikes/5",),
)
def permanent_is_asked(right: Rule, game: State, condition: Condition, *args: Any, **kwargs: Any) -> Term:
    if condition.card_is:
        shown = Filter(types=frozenset(condition.card_is))
        condition = condition.model_copy(update={"card_is": (), "target_is": shown})
    return right(game, condition, *args, **kwargs)  # type: ignore[no-any-return]


@fault(
    "F-aura-judged-face-down",
    "AFTERUP",
    "own",
    "An Aura that may become attached as it is turned face up is judged as the creature that it was, and stays loose.",
    breaks=attaching.attach,
    rules=("303.4k", "708.11"),
    caught_by=("aura-turned-up-goes-where-it-may",),
    on=("gap_lookalikes/6",),
)
def aura_is_judged_face_down(right: Rule, game: State, what: Obj, to: Hashable, *rules: str) -> None:
    with game.when(game.before(CAUSE, what).is_(Cause.NONE)) as live:
        if live:
            right(game, what, to, *rules)


@fault(
    "F-aura-goes-anywhere",
    "AFTERUP",
    "own",
    "An Aura is attached to whatever an effect names, be it something that it can enchant or not.",
    breaks=attaching.attach,
    rules=("303.4k", "701.3b"),
    caught_by=("aura-turned-up-goes-where-it-may",),
    on=("gap_lookalikes/6",),
)
def aura_goes_anywhere(right: Rule, game: State, what: Obj, to: Hashable, *rules: str) -> None:
    with game.when(game[ZONE, what].is_(Zone.BATTLEFIELD)):
        game[ATTACHED, what] = to


@fault(
    "F-turned-down-hangs-on",
    "SBA",
    "own",
    "An Equipment that is turned face down, and so a creature, stays attached.",
    breaks=state_based_actions._attachment_checks,
    rules=("301.5c", "704.5p"),
    caught_by=("face-down-creatures-hang-on-nothing",),
    on=("gap_lookalikes/7",),
)
def turned_down_hangs_on(right: Rule, *args: Any) -> list[Any]:
    return [check for check in right(*args) if check.rule != "704.5p"]


@fault(
    "F-other-player-acts-first",
    "PROC",
    "own",
    "After a spell or ability has resolved, the player next after the active one has priority first.",
    breaks=resolving._finish,
    rules=("117.3b",),
    caught_by=("active-player-acts-first",),
    on=("gap_lookalikes/8",),
)
def other_player_acts_first(right: Rule, game: State) -> None:
    right(game)
    active = game[ACTIVE,]
    for player in game.setup.players:
        with game.when(active.is_(player)) as live:
            if live:
                game[PRIORITY,] = game.setup.next_player(player)


@fault(
    "F-other-player-begins-the-step",
    "PROC",
    "own",
    "As a step begins, the player next after the active one has priority first.",
    breaks=priority.begin_step,
    rules=("117.3a",),
    caught_by=("active-player-acts-first",),
    on=("gap_lookalikes/8",),
)
def other_player_begins_the_step(right: Rule, game: State, player: Player, step: Any) -> None:
    right(game, player, step)
    game[PRIORITY,] = game.setup.next_player(player)


@fault(
    "F-newest-goes-below",
    "PROC",
    "own",
    "What is put on the stack goes below what is on top of it.",
    breaks=stack.push,
    rules=("405.2",),
    caught_by=("newest-is-on-top-of-the-stack",),
    on=("gap_lookalikes/8",),
)
def newest_goes_below(right: Rule, game: State, *args: Any, **kwargs: Any) -> None:
    right(game, *args, **kwargs)
    keys: list[tuple[Any, Any]] = [((family, 0), (family, 1)) for family in (ITEM, BY, THAT, X)]
    keys += [((TARGET, 0, k), (TARGET, 1, k)) for k in range(game.setup.target_places)]
    with game.when(game[ITEM, 1].isnt(Marker.NONE)):
        for upper, lower in keys:
            game[upper], game[lower] = game[lower], game[upper]


@fault(
    "F-spell-that-cannot-enter-is-lost",
    "LEAVE",
    "own",
    "A face-down spell that cannot enter the battlefield is neither on the stack nor anywhere else.",
    breaks=resolving._discard_what_stays,
    rules=("608.3e", "708.9"),
    caught_by=("spell-that-cannot-enter-goes-to-the-graveyard", "spells-stand-on-the-stack"),
    on=("gap_lookalikes/9",),
)
def stuck_spell_is_lost(right: Rule, *args: Any) -> None:
    return


@fault(
    "F-adventure-shows-its-half",
    "AFTERUP",
    "own",
    "A creature card that has an Adventure has the characteristics of the Adventure on the battlefield.",
    breaks=Look._cases,
    rules=("715.4",),
    caught_by=("turning-up-restores-the-card",),
    on=("gap_lookalikes/10",),
)
def adventure_shows_its_half(right: Rule, derived: Look, o: Obj) -> list[tuple[Term, Face]]:
    half = o.card.halves[0] if o.card.layout == "adventure" else o.card.front
    return [(condition, half if face is o.card.front else face) for condition, face in right(derived, o)]


@fault(
    "F-instants-end-in-exile",
    "LEAVE",
    "own",
    "An instant or sorcery that has resolved is exiled.",
    breaks=zones.move,
    rules=("608.2n",),
    caught_by=("instants-and-sorceries-end-in-the-graveyard",),
    on=("gap_lookalikes/8",),
)
def instants_end_in_exile(right: Rule, game: State, o: Obj, zone: Zone) -> None:
    right(game, o, Zone.EXILE if zone is Zone.GRAVEYARD and not o.card.front.is_permanent_card else zone)
