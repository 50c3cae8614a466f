"""Faults of turning face up for a cost (116.2b, 701.40b, 702.37e, 702.168d)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from counterexamples.faults.fault import Rule, fault
from model.cards.abilities import FaceDownCost
from model.characteristics import look, look_if_face_up
from model.families import CAUSE, ZONE
from model.rules import priority, special_actions
from model.rules.priority import hand_priority_on, require_sorcery_timing
from model.setup import Obj, Player
from model.state import State
from model.terms import FALSE, TRUE, not_, or_
from model.vocabulary import Cause, Type, Zone

_FOR_MANA = special_actions._turn_up_for_mana_cost
_FOR_KEYWORD = special_actions._turn_up_for_keyword
_BOTH = (_FOR_MANA, _FOR_KEYWORD)


@fault(
    "BR-19",
    "COPY",
    "PennyDreadfulMTG/modo-bugs issue 220",
    "A permanent whose copy effect has ended may still be turned face up for the megamorph cost that it had copied.",
    breaks=_FOR_KEYWORD,
    rules=("702.37b", "702.37e", "708.8"),
    caught_by=("keyword-route-asks-its-own-cost",),
    on=("copied_megamorph",),
)
def copied_costs_are_kept(right: Rule, game: State, *, o: Obj, ability: FaceDownCost, **kwargs: Any) -> None:
    with _has_all(game, o):
        right(game, o=o, ability=ability, **kwargs)


@contextmanager
def _has_all(game: State, o: Obj) -> Iterator[None]:
    """Let an object have every ability face up, for as long as the context is open."""
    derived = look_if_face_up(game, o)
    derived.has_ability = lambda *args: TRUE  # type: ignore[method-assign]
    try:
        yield
    finally:
        vars(derived).pop("has_ability")


@fault(
    "BR-43",
    "TURNUP",
    "magefree/mage issues 8109 and 10800",
    "A card with morph that an effect put onto the battlefield face down cannot be turned face up for its morph cost.",
    breaks=_FOR_KEYWORD,
    rules=("702.37e", "708.7"),
    caught_by=("keyword-route-open-with-cost",),
    on=("put_face_down/1",),
)
def morph_only_if_cast_so(right: Rule, game: State, *, o: Obj, **kwargs: Any) -> None:
    game.require(not_(game[CAUSE, o].among((Cause.PUT_DOWN, Cause.TURNED_DOWN))), "it was cast face down", "702.37e")
    right(game, o=o, **kwargs)


@fault(
    "BR-44",
    "TURNUP",
    "magefree/mage issue 13543",
    "A card with disguise that an effect put onto the battlefield face "
    "down cannot be turned face up for its disguise cost.",
    breaks=_FOR_KEYWORD,
    rules=("702.168d", "708.7"),
    caught_by=("keyword-route-open-with-cost",),
    on=("put_face_down/1",),
)
def disguise_only_if_cast_so(right: Rule, game: State, *, o: Obj, ability: FaceDownCost, **kwargs: Any) -> None:
    if ability.kind == "disguise":
        game.require(game[CAUSE, o].among((Cause.DISGUISE, Cause.CLOAK, Cause.MANIFEST)), "it is disguised", "702.168d")
    right(game, o=o, ability=ability, **kwargs)


@fault(
    "BR-49",
    "TURNUP",
    "phase-rs/phase issues 4381 and 114",
    "Turning face up would be accepted, but is never listed among the legal actions.",
    breaks=special_actions.actions,
    rules=("116.2b", "701.40b", "702.37e"),
    caught_by=("manifested-creature-card-may-be-turned-up", "keyword-route-open-with-cost"),
    on=("S7/1",),
)
def turning_up_is_not_listed(right: Rule, peek: Any) -> list[Any]:
    return []


@fault(
    "BR-53",
    "TURNUP",
    "Card-Forge/forge pull 1013",
    "Under an effect that takes all abilities from creatures, a "
    "noncreature card with morph cannot be turned face up, though it would keep its morph.",
    breaks=_FOR_KEYWORD,
    rules=("702.37e",),
    caught_by=("keyword-route-open-with-cost",),
    on=("noncreature_under_humility",),
)
def present_abilities_decide(right: Rule, game: State, *, o: Obj, **kwargs: Any) -> None:
    derived = look(game)
    game.require(not_(or_(*(derived.applies(e, o) for e in derived._removers()))), "it has not lost morph", "702.37e")
    right(game, o=o, **kwargs)


@fault(
    "F-no-mana-route",
    "TURNUP",
    "own",
    "A manifested creature card cannot be turned face up for its mana cost.",
    breaks=special_actions._for_mana_cost,
    rules=("701.40b", "116.2b"),
    caught_by=("manifested-creature-card-may-be-turned-up", "turned-up-for-mana-cost"),
    on=("S4/1",),
)
def no_mana_route(right: Rule, *args: Any) -> list[Any]:
    return []


@fault(
    "F-no-keyword-route",
    "TURNUP",
    "own",
    "Nothing can be turned face up for a morph or disguise cost.",
    breaks=special_actions._for_keyword,
    rules=("702.37e", "702.168d", "701.40c"),
    caught_by=("turned-up-for-keyword-cost", "manifested-turned-up-for-keyword-cost"),
    on=("S7/1",),
)
def no_keyword_route(right: Rule, *args: Any) -> list[Any]:
    return []


@fault(
    "F-manifested-has-no-morph",
    "TURNUP",
    "own",
    "A manifested card cannot be turned face up for its morph or disguise cost.",
    breaks=_FOR_KEYWORD,
    rules=("701.40c", "701.40d"),
    caught_by=("manifested-turned-up-for-keyword-cost", "keyword-route-open-with-cost"),
    on=("S7/1",),
)
def manifested_has_no_morph(right: Rule, game: State, *, o: Obj, **kwargs: Any) -> None:
    game.require(not_(game[CAUSE, o].among((Cause.MANIFEST, Cause.CLOAK))), f"{o} was cast", "702.37e")
    right(game, o=o, **kwargs)


@fault(
    "F-only-creatures-have-morph",
    "TURNUP",
    "own",
    "A manifested card that is no creature card cannot be turned face up for its morph cost.",
    breaks=_FOR_KEYWORD,
    rules=("701.40c", "702.37e"),
    caught_by=("noncreature-turned-up-for-keyword-cost", "keyword-route-open-with-cost"),
    on=("S7/2",),
)
def only_creatures_have_morph(right: Rule, game: State, *, o: Obj, **kwargs: Any) -> None:
    game.require(TRUE if Type.CREATURE in o.card.front.types else FALSE, f"{o} is a creature card", "702.37e")
    right(game, o=o, **kwargs)


@fault(
    "F-mana-route-needs-abilities",
    "TURNUP",
    "own",
    "A manifested creature card that has lost its abilities cannot be turned face up for its mana cost.",
    breaks=_FOR_MANA,
    rules=("701.40b",),
    caught_by=("mana-route-survives-ability-loss", "turned-up-for-mana-cost-without-abilities", "routes-come-apart"),
    on=("S8/1",),
)
def mana_route_needs_abilities(right: Rule, game: State, *, o: Obj, **kwargs: Any) -> None:
    derived = look(game)
    game.require(not_(or_(*(derived.applies(e, o) for e in derived._removers()))), "it has its abilities", "701.40b")
    right(game, o=o, **kwargs)


@fault(
    "F-keyword-route-asks-the-card",
    "TURNUP",
    "own",
    "The keyword route asks the printed card, so that losing all abilities does not shut it.",
    breaks=_FOR_KEYWORD,
    rules=("702.37e", "702.168d"),
    caught_by=("keyword-route-shut-by-ability-loss",),
    on=("S8/1", "S14/1"),
)
def keyword_route_asks_the_card(right: Rule, game: State, *, o: Obj, ability: FaceDownCost, **kwargs: Any) -> None:
    if ability in o.card.front.abilities:
        with _has_all(game, o):
            right(game, o=o, ability=ability, **kwargs)
    else:
        right(game, o=o, ability=ability, **kwargs)


@fault(
    "F-routes-stay-together",
    "TURNUP",
    "own",
    "Losing all abilities shuts neither way to turn a manifested creature card face up.",
    breaks=_FOR_KEYWORD,
    rules=("702.37e",),
    caught_by=("routes-come-apart",),
    on=("S8/1",),
)
def routes_stay_together(right: Rule, game: State, *, o: Obj, ability: FaceDownCost, **kwargs: Any) -> None:
    with _has_all(game, o):
        right(game, o=o, ability=ability, **kwargs)


@fault(
    "F-turned-up-at-any-time",
    "TURNUP",
    "own",
    "A permanent is turned face up for a cost by whoever controls it, with or without priority.",
    breaks=priority.require_priority,
    rules=("116.2b", "117.1"),
    caught_by=(
        "turning-up-for-a-cost-needs-priority",
        "mana-route-asks-the-card",
        "keyword-route-needs-the-keyword",
    ),
    on=("S4/1", "S7/1"),
)
def no_priority_needed(right: Rule, *args: Any) -> None:
    return


@fault(
    "F-keyword-for-anybody",
    "TURNUP",
    "own",
    "Any player with priority may turn a face-down permanent face up for its keyword cost.",
    breaks=special_actions._require_face_down,
    rules=("702.37e", "116.2b"),
    caught_by=("keyword-route-needs-the-keyword",),
    on=("anybody",),
)
def anybody_turns_up(right: Rule, game: State, player: Player, o: Obj) -> None:
    priority.require_priority(game, player)
    game.require(game[ZONE, o].is_(Zone.BATTLEFIELD), "it is on the battlefield", "116.2b")
    game.require(look(game).face_down(o), "it is face down", "116.2b")


@fault(
    "F-turning-up-passes-priority",
    "TURNUP",
    "own",
    "After a permanent is turned face up for a cost, the other player gets priority and may respond.",
    breaks=priority.keep_priority,
    rules=("116.3", "117.3c"),
    caught_by=("turning-up-for-a-cost-uses-no-stack",),
    on=("S6",),
)
def turning_up_passes_priority(right: Rule, game: State, player: Player) -> None:
    hand_priority_on(game, player)


@fault(
    "F-turned-up-at-sorcery-speed",
    "TURNUP",
    "own",
    "A permanent is turned face up for a cost only when a sorcery could be cast.",
    breaks=_BOTH,
    rules=("116.2b", "117.1"),
    caught_by=("turned-up-in-response",),
    on=("S6", "S17/1"),
)
def only_at_sorcery_speed(right: Rule, game: State, *, player: Player, **kwargs: Any) -> None:
    require_sorcery_timing(game, player, "307.1")
    right(game, player=player, **kwargs)
