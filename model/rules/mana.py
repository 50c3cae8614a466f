"""Paying costs (118, 601.2g-h).

Mana of a fixed kind is spent before mana that can pay anything, since that keeps more options; which kind pays for
generic mana is a choice only where a player has several kinds.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace

from model.cards.abilities import Costs
from model.cards.cost import Payment
from model.cards.phrases import Filter
from model.characteristics import look
from model.families import COUNTERS, LIFE, MANA, TAPPED, ZONE
from model.peek import Peek
from model.rules.revealing import reveal
from model.rules.triggers import notice
from model.rules.turning import turn_down
from model.rules.zones import move, move_all
from model.setup import Obj, Player
from model.state import State
from model.terms import FALSE, TRUE, Term, and_, const, ite, le, not_, number
from model.vocabulary import CounterKind, EventKind, ManaKind, Zone

__all__ = ["Way", "pay", "ways_to_pay"]


@dataclass(frozen=True, slots=True)
class Way:
    """One way to pay a cost.

    Parameters
    ----------
    payment
        The mana and life.
    split
        How much of each coloured kind pays for generic mana.
    objects
        What is sacrificed, discarded, returned, revealed or exiled.
    words
        How the choice is described; empty where there is none.
    """

    payment: Payment
    split: tuple[tuple[ManaKind, int], ...] = ()
    objects: tuple[Obj, ...] = ()
    words: str = ""


_SPECIFIC = tuple(kind for kind in ManaKind if kind not in (ManaKind.ANY, ManaKind.COLOURLESS, ManaKind.FACE_DOWN))


def ways_to_pay(peek: Peek, player: Player, costs: Costs, source: Obj, *, x: int = 0, tax: int = 0) -> Iterator[Way]:
    """Every way in which the player could pay, whatever the state."""
    payments = [p.taxed(tax) for p in costs.mana.payments(x)] if costs.mana else [Payment(life=0)]
    payments = [Payment(p.generic, p.kinds, p.life + costs.life) for p in payments]
    kinds: list[ManaKind] = [kind for kind in _SPECIFIC if peek.highest(MANA, player, kind) > 0]
    if not kinds:
        payments = list({(p.total, p.life): p for p in payments}.values())
    for payment, chosen in itertools.product(payments, _objects(peek, player, costs, source)):
        for split in _splits(payment, kinds, peek, player):
            words = [f"paying {payment}"] if len(payments) > 1 else []
            words += [f"with {amount} {kind}" for kind, amount in split if len(kinds) > 1]
            words += [f"with {o}" for o in chosen]
            yield Way(payment, split, chosen, " ".join(words))


def _splits(
    payment: Payment, kinds: list[ManaKind], peek: Peek, player: Player
) -> Iterator[tuple[tuple[ManaKind, int], ...]]:
    """How coloured mana can pay the generic part: everything that a choice can come to."""
    if len(kinds) < 2 or payment.generic == 0:
        yield ()
        return
    ranges = [range(min(payment.generic, peek.highest(MANA, player, kind)) + 1) for kind in kinds]
    for amounts in itertools.product(*ranges):
        if sum(amounts) <= payment.generic:
            yield tuple(zip(kinds, amounts, strict=True))


def _objects(peek: Peek, player: Player, costs: Costs, source: Obj) -> Iterator[tuple[Obj, ...]]:
    """What can be sacrificed, discarded and so on, as far as the zones allow."""
    zone = _object_zone(costs)
    if zone is None:
        yield ()
        return
    candidates = [o for o in peek.setup.objects if peek.may_be_in(o, zone)]
    yield from itertools.combinations(candidates, costs.times)


def _object_zone(costs: Costs) -> Zone | None:
    if costs.sacrifice is not None or costs.bounce is not None:
        return Zone.BATTLEFIELD
    if costs.discard is not None or costs.reveal is not None:
        return Zone.HAND
    return Zone.GRAVEYARD if costs.exile is not None else None


def pay(game: State, player: Player, costs: Costs, way: Way, source: Obj, rule: str, *, hidden: bool = False) -> None:
    """Pay a cost in one way; requires that it can be paid (118.3).

    Parameters
    ----------
    hidden
        Whether it is paid for a face-down spell or for turning face up, so that mana kept for that can be spent.
    """
    if costs.tap:
        game.require(not_(game[TAPPED, source]), f"{source} is untapped", "118.3")
        game[TAPPED, source] = True
        notice(game, EventKind.BECOMES_TAPPED, source)
    if costs.this is not None:
        _pay_with_this(game, player, costs.this, source)
    if costs.loyalty is not None:
        total = game[COUNTERS, source, CounterKind.LOYALTY]
        if costs.loyalty < 0:
            game.require(total >= -costs.loyalty, f"{source} has enough loyalty", "606.6")
        game[COUNTERS, source, CounterKind.LOYALTY] = game[COUNTERS, source, CounterKind.LOYALTY] + costs.loyalty
    if way.payment.life:
        game.require(game[LIFE, player] >= way.payment.life, f"{player} has {way.payment.life} life", "119.4")
        game[LIFE, player] = game[LIFE, player] - way.payment.life
    if way.payment.total:
        _pay_mana(game, player, way, rule, hidden=hidden)
    _pay_objects(game, player, costs, way, source)


def _pay_with_this(game: State, player: Player, how: str, source: Obj) -> None:
    """Pay with the source of an ability, which is where the ability can be activated."""
    if how == "exile face down":
        move_all(game, [(source, TRUE)], Zone.EXILE, hidden=True)
        return
    if how == "discard":
        notice(game, EventKind.DISCARDED, source, player=player)
        move(game, source, Zone.GRAVEYARD)
        return
    if how == "turn down":
        turn_down(game, source)
        return
    if how == "sacrifice":
        notice(game, EventKind.SACRIFICED, source, player=player)
    zones = {"sacrifice": Zone.GRAVEYARD, "exile": Zone.EXILE, "return to hand": Zone.HAND}
    move(game, source, zones[how])


def _pay_mana(game: State, player: Player, way: Way, rule: str, *, hidden: bool) -> None:
    kept = game[MANA, player, ManaKind.FACE_DOWN]
    if hidden and kept.high > 0:
        total = number(way.payment.total)
        used = _at_most(total, kept)
        rest = total - used
        game.require(game[MANA, player, ManaKind.ANY] >= rest, f"{player} can pay {way.payment}", rule)
        game[MANA, player, ManaKind.FACE_DOWN] = _clipped(kept - used, kept.high)
        pool = game[MANA, player, ManaKind.ANY]
        game[MANA, player, ManaKind.ANY] = _clipped(pool - rest, pool.high)
        return
    if all(game[MANA, player, kind].high == 0 for kind in (ManaKind.COLOURLESS, *_SPECIFIC)):
        game.require(game[MANA, player, ManaKind.ANY] >= way.payment.total, f"{player} can pay {way.payment}", rule)
        game[MANA, player, ManaKind.ANY] = game[MANA, player, ManaKind.ANY] - way.payment.total
        return
    needed, split = dict(way.payment.kinds), dict(way.split)
    anything, affordable = number(0), TRUE
    generic = number(way.payment.generic)
    for kind in (ManaKind.COLOURLESS, *_SPECIFIC):
        pool, want = game[MANA, player, kind], needed.get(kind, 0)
        if pool.high == 0:
            anything = anything + want
            continue
        own = _at_most(number(want), pool)
        anything = anything + (number(want) - own)
        left = pool - own
        if way.split and kind in split:
            affordable = and_(affordable, number(split[kind]) <= left)
            spare = number(split[kind])
        else:
            spare = number(0) if generic is number(0) else _at_most(generic, left)
        generic = generic - spare
        game[MANA, player, kind] = _clipped(left - spare, pool.high)
    affordable = and_(affordable, generic >= 0)  # no more is split off than there is to pay
    anything = anything + generic
    pool = game[MANA, player, ManaKind.ANY]
    enough = and_(affordable, anything <= pool)
    game.require(enough, f"{player} can pay {way.payment}", rule)
    game[MANA, player, ManaKind.ANY] = _clipped(pool - anything, pool.high)


def _at_most(a: Term, b: Term) -> Term:
    return ite(le(a, b), a, b)


def _clipped(term: Term, high: int) -> Term:
    """The same term where the guard holds, with bounds that show it is no overflow."""
    if term.low >= 0 and term.high <= high:
        return term
    return ite(and_(number(0) <= term, term <= number(high)), term, number(0))


def _pay_objects(game: State, player: Player, costs: Costs, way: Way, source: Obj) -> None:
    wanted = costs.sacrifice or costs.bounce or costs.discard or costs.reveal or costs.exile
    if wanted is None:
        return
    you = const(game.setup.player_sort, player)
    zone = _object_zone(costs)
    assert zone is not None
    for o in way.objects:
        mine = (
            look(game).controller(o).is_(player) if zone is Zone.BATTLEFIELD else (TRUE if o.owner is player else FALSE)
        )
        meets = look(game).matches(o, _in_zone(wanted, zone), you, source)
        game.require(and_(game[ZONE, o].is_(zone), mine, meets), f"{o} can be used to pay {costs}", "118.3")
    for o in way.objects:
        if costs.reveal is not None:
            reveal(game, o, "701.20a")
            continue
        if costs.sacrifice is not None:
            notice(game, EventKind.SACRIFICED, o, player=player)
        if costs.discard is not None:
            notice(game, EventKind.DISCARDED, o, player=player)
        move(
            game,
            o,
            Zone.HAND if costs.bounce is not None else Zone.EXILE if costs.exile is not None else Zone.GRAVEYARD,
        )


def _in_zone(wanted: Filter, zone: Zone) -> Filter:
    return replace(wanted, zone=zone)
