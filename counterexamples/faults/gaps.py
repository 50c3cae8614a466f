"""Faults of what turning face up for a cost asks for and survives (702.61b, 107.3h, 106.6, 708.7)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from counterexamples.faults.fault import Rule, fault
from counterexamples.faults.shared import is_down
from model.cards.abilities import Costs, FaceDownCost
from model.cards.cost import ManaCost, Payment
from model.characteristics import look
from model.families import CAUSE, PAID_X, ZONE
from model.peek import Peek
from model.rules import mana, priority, special_actions, turning, zones
from model.rules.mana import Way, ways_to_pay
from model.setup import Obj, Player
from model.state import State
from model.system import Candidate
from model.terms import FALSE, Term, and_
from model.vocabulary import Cause, Zone

_FOR_MANA = special_actions._turn_up_for_mana_cost
_FOR_KEYWORD = special_actions._turn_up_for_keyword
_BOTH = (_FOR_MANA, _FOR_KEYWORD)


@fault(
    "F-split-second-stops-special-actions",
    "TURNUP",
    "own",
    "While a spell with split second waits, no permanent is turned face up.",
    breaks=_BOTH,
    rules=("702.61b", "116.2b"),
    caught_by=("split-second-stops-no-turning-up",),
    on=("gap_routes/1",),
)
def split_second_stops_everything(right: Rule, game: State, **kwargs: Any) -> None:
    priority.require_no_split_second(game)
    right(game, **kwargs)


@fault(
    "F-cloaked-has-no-keyword",
    "TURNUP",
    "own",
    "A cloaked card is turned face up for its mana cost only, and not for a morph or disguise cost.",
    breaks=_FOR_KEYWORD,
    rules=("701.58c", "701.58d"),
    caught_by=("cloaked-turned-up-for-keyword-cost", "keyword-route-open-with-cost"),
    on=("gap_routes/2", "gap_routes/3"),
)
def cloaked_has_no_keyword(right: Rule, game: State, *, o: Obj, **kwargs: Any) -> None:
    game.require(game[CAUSE, o].isnt(Cause.CLOAK), f"{o} is not cloaked", "701.58b")
    right(game, o=o, **kwargs)


@fault(
    "F-x-of-a-manifested-card-is-chosen",
    "TURNUP",
    "own",
    "Who turns a manifested card face up for a mana cost with X in it pays for an X of 1.",
    breaks=special_actions._for_mana_cost,
    rules=("107.3h", "701.40b"),
    caught_by=("x-of-a-manifested-card-is-zero",),
    on=("gap_routes/4",),
)
def x_is_one(right: Rule, peek: Peek, player: Player, o: Obj, picks: Any) -> Iterator[Candidate]:
    cost = o.card.front.cost
    if cost is None or not cost.x_count:
        yield from right(peek, player, o, picks)
        return
    paid = Costs(mana=ManaCost(tuple("1" if symbol == "X" else symbol for symbol in cost.symbols)))
    for way in ways_to_pay(peek, player, paid, o):
        label = special_actions._label("turn face up for mana cost", player, o, f"mana cost {cost}", way, None, picks)
        yield Candidate(label, partial(_FOR_MANA, player=player, o=o, costs=paid, way=way, picks=picks))


@fault(
    "F-x-of-disguise-is-forgotten",
    "TURNUP",
    "own",
    "The X that was chosen for a disguise cost is 0 for the other abilities of the permanent.",
    breaks=_FOR_KEYWORD,
    rules=("702.168e",),
    caught_by=("x-of-turning-up-is-kept",),
    on=("gap_routes/10",),
)
def disguise_forgets_x(right: Rule, game: State, *, o: Obj, ability: FaceDownCost, **kwargs: Any) -> None:
    right(game, o=o, ability=ability, **kwargs)
    if ability.kind == "disguise":
        game[PAID_X, o] = 0


@fault(
    "F-x-of-turning-up-costs-nothing",
    "TURNUP",
    "own",
    "The X in the cost of turning face up is chosen, and not paid.",
    breaks=special_actions._for_keyword,
    rules=("107.3d",),
    caught_by=("turning-up-is-paid-in-full",),
    on=("gap_routes/10",),
)
def x_costs_nothing(right: Rule, peek: Peek, player: Player, o: Obj, picks: Any) -> Iterator[Candidate]:
    for candidate in right(peek, player, o, picks):
        x = dict(candidate.label.arguments).get("x")
        if x is None:
            yield candidate
            continue
        run = candidate.run
        way: Way = run.keywords["way"]
        less = replace(way.payment, generic=way.payment.generic - int(x))
        yield replace(candidate, run=partial(run, way=replace(way, payment=less)))


@fault(
    "F-phyrexian-life-is-not-lost",
    "TURNUP",
    "own",
    "Who pays for a Phyrexian symbol with life as a permanent is turned face up loses none.",
    breaks=mana.pay,
    rules=("107.4f", "118.13c"),
    caught_by=("phyrexian-symbols-are-paid-with-mana-or-life",),
    on=("gap_routes/5",),
)
def life_is_not_lost(
    right: Rule, game: State, player: Player, costs: Costs, way: Way, source: Obj, rule: str, **kwargs: Any
) -> None:
    if rule == "701.40b":
        way = replace(way, payment=replace(way.payment, life=0))
    right(game, player, costs, way, source, rule, **kwargs)


@fault(
    "F-phyrexian-takes-mana-only",
    "TURNUP",
    "own",
    "A Phyrexian symbol in the cost of turning face up is paid with mana only.",
    breaks=special_actions._for_mana_cost,
    rules=("107.4f", "118.13c", "701.40b"),
    caught_by=("phyrexian-symbols-may-be-paid-with-life",),
    on=("gap_routes/5",),
)
def mana_only(right: Rule, peek: Peek, player: Player, o: Obj, picks: Any) -> Iterator[Candidate]:
    return (c for c in right(peek, player, o, picks) if not c.run.keywords["way"].payment.life)


@fault(
    "F-reductions-take-coloured-mana",
    "TURNUP",
    "own",
    "What makes a cost less takes the coloured mana of it first.",
    breaks=Payment.taxed,
    rules=("118.7a",),
    caught_by=("reductions-take-generic-mana-only",),
    on=("gap_routes/6",),
)
def coloured_mana_goes_first(right: Rule, payment: Payment, amount: int) -> Payment:
    if amount >= 0 or not payment.kinds:
        return right(payment, amount)  # type: ignore[no-any-return]
    return Payment(payment.generic, payment.kinds[:amount], payment.life)


@fault(
    "F-kept-mana-pays-anything",
    "CAST",
    "own",
    "Mana that is kept for face-down spells and for turning face up pays for a face-up spell.",
    breaks=mana.pay,
    rules=("106.6",),
    caught_by=("kept-mana-is-spent-as-allowed",),
    on=("gap_routes/7",),
)
def kept_mana_pays_anything(right: Rule, *args: Any, hidden: bool = False) -> None:
    right(*args, hidden=True)


@fault(
    "F-waiting-spells-turn-up",
    "TURNUP",
    "own",
    "A face-down spell can be turned face up for its morph cost while it is on the stack.",
    breaks=(special_actions._require_face_down, turning.turn_up),
    rules=("708.7", "116.2b"),
    caught_by=("face-down-spells-stay-face-down",),
    on=("gap_routes/8",),
)
def spells_turn_up(right: Rule, game: State, first: Any, second: Any, *args: Any) -> None:
    if isinstance(first, Player):
        priority.require_priority(game, first)
        game.require(look(game).controller(second).is_(first), f"{first} controls {second}", "116.2b")
        game.require(look(game).face_down(second), f"{second} is face down", "116.2b")
        return
    right(game, first, second, *args)
    with game.when(game[ZONE, first].is_(Zone.STACK)):
        game[CAUSE, first] = Cause.NONE


@fault(
    "F-turned-up-while-untapping",
    "TURNUP",
    "own",
    "As permanents untap, the face-down ones of that player are turned face up.",
    breaks=priority._untap,
    rules=("502.4",),
    caught_by=("nothing-is-turned-over-in-the-untap-step",),
    on=("gap_routes/9",),
)
def turned_up_while_untapping(right: Rule, game: State, setup: Any, player: Player) -> None:
    right(game, setup, player)
    for o in setup.objects:
        with game.when(and_(is_down(game, o), look(game).controller(o).is_(player))) as live:
            if live:
                turning.turn_up(game, o, player)


@fault(
    "F-cloaking-breaks-bans",
    "PROC",
    "own",
    "What may not enter the battlefield is cloaked all the same.",
    breaks=zones._barred,
    rules=("701.58f", "614.17"),
    caught_by=("what-may-not-enter-stays",),
    on=("gap_routes/11",),
)
def cloaking_breaks_bans(right: Rule, game: State, o: Obj, cause: Cause) -> Term:
    return FALSE if cause is Cause.CLOAK else right(game, o, cause)


@fault(
    "F-back-face-is-asked",
    "NONPERM",
    "own",
    "A modal double-faced card counts as a permanent card if either of its faces is one.",
    breaks=turning.is_instant_or_sorcery_card,
    rules=("712.8a", "701.40g"),
    caught_by=("instant-or-sorcery-never-turns-up", "instant-or-sorcery-never-face-up-on-battlefield"),
    on=("gap_routes/12",),
)
def any_face_counts(right: Rule, o: Obj) -> bool:
    return not o.token and not any(face.is_permanent_card for face in o.card.faces)


@fault(
    "F-back-face-enters",
    "NONPERM",
    "own",
    "A modal double-faced card with an instant on its front face is put onto the battlefield for its back face.",
    breaks=zones.enter,
    rules=("712.14b", "304.4"),
    caught_by=("instant-or-sorcery-never-face-up-on-battlefield",),
    on=("gap_routes/12",),
)
def back_face_enters(right: Rule, game: State, o: Obj, player: Player, **kwargs: Any) -> None:
    back = o.card.back
    if back is not None and back.is_permanent_card and not o.card.front.is_permanent_card and "cause" not in kwargs:
        how = zones._Arrival(player, Cause.NONE, None, False, None, True, None, 0, None)
        zones._arrive(game, o, how)
    else:
        right(game, o, player, **kwargs)
