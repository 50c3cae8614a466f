"""Turning a face-down permanent face up for a cost: a special action (116.2b).

There are two, and they ask different things.  The mana-cost route of a manifested or cloaked permanent asks the card
that represents it and ignores every effect (701.40b, 701.58b).  The keyword route of any face-down permanent asks for
the cost that it would have if it were face up, under every effect that applies then (702.37e, 702.168d).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from functools import partial

from model.cards.abilities import Costs, FaceDownCost
from model.characteristics import look, look_if_face_up
from model.effects.context import Context, Option
from model.families import CAUSE, COUNTERS, PAID_X, ZONE
from model.peek import Peek
from model.rules.mana import Way, pay, ways_to_pay
from model.rules.priority import keep_priority, require_priority
from model.rules.spell_rules import morph_tax, possible_taxes
from model.rules.state_based_actions import settle
from model.rules.turning import as_turned_up_options, turn_up
from model.setup import Obj, Player
from model.state import State
from model.system import Candidate, Label
from model.terms import const, count, ite, not_, number
from model.vocabulary import Cause, CounterKind, Type, Zone

__all__ = ["actions"]

_MOST_COUNTED = 6
"""By how much a cost that is less for each of something is less at most."""


def actions(peek: Peek) -> Iterator[Candidate]:
    """Every way to turn a face-down permanent face up for a cost."""
    for o in peek.setup.objects:
        if not peek.may_be_face_down(o):
            continue
        for player in peek.setup.players:
            context = Context(None, o, player)  # type: ignore[arg-type]
            for picks in as_turned_up_options(peek, o, context):
                yield from _for_mana_cost(peek, player, o, picks)
                yield from _for_keyword(peek, player, o, picks)


def _label(rule: str, player: Player, o: Obj, what: str, way: Way, x: int | None, picks: Sequence[Option]) -> Label:
    words = f"turn {o} face up for its {what}" + (f" with X = {x}" if x is not None else "")
    extra = [way.words, *(pick.words for pick in picks)]
    words += "".join(f", {part}" for part in extra if part)
    arguments = [("permanent", o.name), ("cost", what)] + ([("x", str(x))] if x is not None else [])
    arguments += [("choice", part) for part in extra if part]
    return Label(rule, player.name, words, tuple(arguments))


def _for_mana_cost(peek: Peek, player: Player, o: Obj, picks: Sequence[Option]) -> Iterator[Candidate]:
    front = o.card.front
    by_card = any(peek.may_be(cause, CAUSE, o) for cause in (Cause.MANIFEST, Cause.CLOAK))
    if o.token or Type.CREATURE not in front.types or front.cost is None or not by_card:
        return
    costs = Costs(mana=front.cost)
    for way in ways_to_pay(peek, player, costs, o):
        yield Candidate(
            _label("turn face up for mana cost", player, o, f"mana cost {front.cost}", way, None, picks),
            partial(_turn_up_for_mana_cost, player=player, o=o, costs=costs, way=way, picks=picks),
        )


def _turn_up_for_mana_cost(
    game: State, *, player: Player, o: Obj, costs: Costs, way: Way, picks: Sequence[Option]
) -> None:
    _require_face_down(game, player, o)
    game.require(game[CAUSE, o].among((Cause.MANIFEST, Cause.CLOAK)), f"{o} is manifested or cloaked", "701.40b")
    game.cite("116.2b")
    for cause, rule in ((Cause.MANIFEST, "701.40b"), (Cause.CLOAK, "701.58b")):
        with game.when(game[CAUSE, o].is_(cause)):
            game.cite(rule)
    pay(game, player, costs, way, o, "701.40b", hidden=True)
    turn_up(game, o, player, picks)
    keep_priority(game, player)
    settle(game)


def _require_face_down(game: State, player: Player, o: Obj) -> None:
    require_priority(game, player)
    derived = look(game)
    game.require(game[ZONE, o].is_(Zone.BATTLEFIELD), f"{o} is on the battlefield", "116.2b")
    game.require(derived.controller(o).is_(player), f"{player} controls {o}", "116.2b")
    game.require(derived.face_down(o), f"{o} is face down", "116.2b")
    game.require(not_(look(game).ruled(o, "cant_turn_up")), f"{o} can be turned face up", "101.2")


def _for_keyword(peek: Peek, player: Player, o: Obj, picks: Sequence[Option]) -> Iterator[Candidate]:
    for ability in peek.setup.abilities_of(o):
        if not isinstance(ability, FaceDownCost):
            continue
        mana = ability.cost.mana
        has_x = mana is not None and mana.x_count > 0
        taxes = possible_taxes(peek, morph=True) if ability.is_morph else [0]
        if ability.cost.less_per is not None:
            taxes = [tax - n for tax in taxes for n in range(_MOST_COUNTED + 1)]
        for x, tax in itertools.product(range(peek.setup.bounds.x + 1) if has_x else (0,), taxes):
            for way in ways_to_pay(peek, player, ability.cost, o, x=x, tax=tax):
                what = f"{ability.kind} cost {ability.cost}" + (f" {tax:+d}" if tax else "")
                label = _label("turn face up for keyword cost", player, o, what, way, x if has_x else None, picks)
                yield Candidate(
                    label,
                    partial(
                        _turn_up_for_keyword, player=player, o=o, ability=ability, way=way, picks=picks, x=x, tax=tax
                    ),
                )


def _turn_up_for_keyword(
    game: State, *, player: Player, o: Obj, ability: FaceDownCost, way: Way, picks: Sequence[Option], x: int, tax: int
) -> None:
    _require_face_down(game, player, o)
    rule = "702.168d" if ability.kind == "disguise" else "702.37e"
    game.require(
        look_if_face_up(game, o).has_ability(o, ability), f"{o} would have {ability.kind} if it were face up", rule
    )
    game.cite("116.2b", rule)
    change = morph_tax(game, player) if ability.is_morph else number(0)
    if ability.cost.less_per is not None:
        you, wanted = const(game.setup.player_sort, player), ability.cost.less_per
        counted = count(look(game).matches(other, wanted, you, o) for other in game.setup.objects)
        most = number(sum(int(s) for s in ability.cost.mana.symbols if s.isdigit()) if ability.cost.mana else 0)
        change = change - ite(counted <= most, counted, most)  # a reduction takes generic mana only (118.7a)
    game.require(change.is_(tax), f"the cost changes by {tax}", "118.7")
    pay(game, player, ability.cost, way, o, rule, hidden=True)
    game[PAID_X, o] = x
    if ability.kind == "megamorph":
        # The counter is put on as it turns up (702.37b), which an instant or sorcery card never does.
        _megamorph(game, player, o, picks)
    else:
        turn_up(game, o, player, picks)
    keep_priority(game, player)
    settle(game)


def _megamorph(game: State, player: Player, o: Obj, picks: Sequence[Option]) -> None:
    before = look(game).face_down(o)
    with game.when(before):
        if o.token or o.card.front.is_permanent_card:
            game.cite("702.37b")
            game[COUNTERS, o, CounterKind.PLUS] = game[COUNTERS, o, CounterKind.PLUS] + 1
    turn_up(game, o, player, picks)
