"""Faults of what turning face up costs, and of when it is paid (118, 702.37e)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from counterexamples.faults.fault import Rule, fault
from model.cards.abilities import Costs, FaceDownCost
from model.cards.cost import ManaCost
from model.characteristics import look_if_face_up
from model.families import PAID_X
from model.rules import mana, priority, special_actions, state_based_actions, turning
from model.rules.mana import ways_to_pay
from model.rules.zones import move
from model.setup import Obj, Player
from model.state import State
from model.system import Candidate
from model.vocabulary import Type, Zone

_FOR_MANA = special_actions._turn_up_for_mana_cost
_FOR_KEYWORD = special_actions._turn_up_for_keyword
_BOTH = (_FOR_MANA, _FOR_KEYWORD)


@fault(
    "BR-46",
    "TURNUP",
    "magefree/mage issue 677",
    "A manifested creature card with an alternative cost asks for that instead of its mana cost.",
    breaks=special_actions._for_mana_cost,
    rules=("701.40b", "202.1"),
    caught_by=("mana-route-asks-the-card",),
    on=("alternative_cost",),
)
def alternative_cost_instead(right: Rule, peek: Any, player: Player, o: Obj, picks: Any) -> Iterator[Candidate]:
    other = next((a.cost.mana for a in o.card.front.face_down_costs), None)
    yield from right(peek, player, o, picks) if other is None else _mana_route(peek, player, o, picks, other)


def _mana_route(peek: Any, player: Player, o: Obj, picks: Any, cost: ManaCost) -> Iterator[Candidate]:
    """The mana-cost route for a cost of our choice."""
    costs = Costs(mana=cost)
    for way in ways_to_pay(peek, player, costs, o):
        label = special_actions._label("turn face up for mana cost", player, o, f"mana cost {cost}", way, None, picks)
        yield Candidate(
            label,
            partial(special_actions._turn_up_for_mana_cost, player=player, o=o, costs=costs, way=way, picks=picks),
        )


@fault(
    "BR-50",
    "TURNUP",
    "phase-rs/phase, plan S25-B8",
    "Turning face up charges nothing: neither a morph, disguise nor mana cost is ever paid.",
    breaks=mana.pay,
    rules=("702.37e", "702.168d", "701.40b"),
    caught_by=("turning-up-is-paid-in-full", "mana-route-asks-the-card"),
    on=("S4/1", "S7/1"),
)
def turning_up_is_free(
    right: Rule, game: State, player: Player, costs: Any, way: Any, source: Obj, rule: str, **kwargs: Any
) -> None:
    if rule not in ("702.37e", "702.168d", "701.40b"):
        right(game, player, costs, way, source, rule, **kwargs)


@fault(
    "BR-51",
    "TURNUP",
    "cyngerian/scutemob, observation A/B",
    "Of a mana cost with hybrid symbols only the generic part is charged for turning face up.",
    breaks=mana.pay,
    rules=("701.40b", "107.4e", "107.4f"),
    caught_by=("turning-up-is-paid-in-full",),
    on=("hybrid",),
)
def hybrid_is_not_charged(
    right: Rule, game: State, player: Player, costs: Any, way: Any, source: Obj, rule: str, **kwargs: Any
) -> None:
    if rule == "701.40b" and costs.mana is not None and any("/" in s for s in costs.mana.symbols):
        way = replace(way, payment=replace(way.payment, kinds=()))
    right(game, player, costs, way, source, rule, **kwargs)


@fault(
    "BR-52",
    "TURNUP",
    "Card-Forge/forge pull 4569",
    "A manifested creature card without a mana cost can be turned face up for nothing.",
    breaks=special_actions._for_mana_cost,
    rules=("701.40b", "701.58b", "202.1b"),
    caught_by=("mana-route-asks-the-card",),
    on=("S4/2",),
)
def no_cost_is_zero(right: Rule, peek: Any, player: Player, o: Obj, picks: Any) -> Iterator[Candidate]:
    if o.card.front.cost is None and Type.CREATURE in o.card.front.types:
        yield from _mana_route(peek, player, o, picks, ManaCost.parse("{0}"))
    yield from right(peek, player, o, picks)


@fault(
    "BR-68",
    "AFTERUP",
    "PennyDreadfulMTG/modo-bugs issue 947",
    "A permanent is turned face up before its cost is paid, "
    "so that a card discarded for it is not yet in the graveyard.",
    breaks=_FOR_KEYWORD,
    rules=("702.37e", "603.2"),
    caught_by=("what-was-paid-sees-it-turned-up",),
    on=("paid_with_discard",),
)
def paid_afterwards(
    right: Rule, game: State, *, player: Player, o: Obj, ability: FaceDownCost, way: Any, picks: Any, **kwargs: Any
) -> None:
    special_actions._require_face_down(game, player, o)
    game.require(look_if_face_up(game, o).has_ability(o, ability), "it has the ability", "702.37e")
    turning.turn_up(game, o, player, picks)
    mana.pay(game, player, ability.cost, way, o, "702.37e")
    priority.keep_priority(game, player)
    state_based_actions.settle(game)


@fault(
    "BR-69",
    "AFTERUP",
    "PennyDreadfulMTG/modo-bugs issue 993",
    "The X of a morph cost is forgotten: what the permanent does as it is turned face up takes X to be 0.",
    breaks=_FOR_KEYWORD,
    rules=("702.37f", "107.3"),
    caught_by=("x-of-turning-up-is-kept",),
    on=("morph_with_x",),
)
def x_is_forgotten(right: Rule, game: State, *, o: Obj, **kwargs: Any) -> None:
    right(game, o=o, **kwargs)
    game[PAID_X, o] = 0


@fault(
    "F-nothing-turns-up",
    "TURNUP",
    "own",
    "Paying turns nothing face up.",
    breaks=turning.turn_up,
    rules=("708.8",),
    caught_by=("turned-up",),
    on=("S15",),
)
def nothing_turns_up(right: Rule, *args: Any) -> None:
    return


@fault(
    "F-discarded-in-silence",
    "TRIGGER",
    "own",
    "A card that is discarded to pay for its own ability does not count as discarded.",
    breaks=mana._pay_with_this,
    rules=("701.9a",),
    caught_by=("paying-with-the-source-is-seen",),
    on=("timing_costs",),
)
def discarded_in_silence(right: Rule, game: State, player: Player, how: str, source: Obj) -> None:
    if how == "discard":
        move(game, source, Zone.GRAVEYARD)
    else:
        right(game, player, how, source)
