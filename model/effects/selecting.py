"""From selectors to objects and players, each with the condition under which it is meant."""

from __future__ import annotations

from collections.abc import Sequence

from model.cards.fields import Amount
from model.cards.phrases import Filter, Selector, Who
from model.characteristics import look
from model.effects.context import Context, Option
from model.families import ATTACHED, COUNTERS, LINKED, ZONE
from model.peek import Peek
from model.setup import Obj, Player
from model.terms import FALSE, TRUE, Term, add, and_, const, ite, not_, number, or_
from model.vocabulary import CounterKind, Marker, Zone

__all__ = ["OBJECTS", "Chosen", "amount_of", "choices", "objects", "players"]

OBJECTS = frozenset(
    {Who.THIS, Who.THAT, Who.TARGET, Who.EACH, Who.CHOSEN, Who.RESULTS, Who.HOST, Who.BINNED, Who.TARGETS, Who.LINKED}
)
"""The kinds of selector that can mean objects."""

Chosen = list[tuple[Obj, Term]]
"""Objects, each with the condition under which it is meant."""


def choices(peek: Peek, selector: Selector, context: Context) -> Sequence[Sequence[Option]]:
    """What a selector asks a player to choose while an effect is carried out (608.2d)."""
    if selector.who is not Who.CHOSEN or selector.filter is None:
        return ()
    zone, other = selector.filter.zone, selector.filter.other
    found = [
        Option(f"choosing {o}", o)
        for o in peek.setup.objects
        if peek.may_be_in(o, zone) and not (other and o is context.source)
    ]
    return [[*found, Option("choosing nothing", Marker.NONE)]]


def objects(context: Context, selector: Selector, by: Player | None = None) -> Chosen:
    """The objects that a selector means in the present state.

    Parameters
    ----------
    by
        Who chooses, where something is chosen; the controller of the effect unless given.
    """
    game, source = context.game, context.source
    match selector.who:
        case Who.THIS:
            return [(source, TRUE)]
        case Who.THAT:
            return [(context.that, TRUE)] if isinstance(context.that, Obj) else []
        case Who.TARGET:
            target = context.targets[selector.slot] if selector.slot < len(context.targets) else Marker.NONE
            return [(target, context.legality(selector.slot))] if isinstance(target, Obj) else []
        case Who.TARGETS:
            return [(t, context.legality(k)) for k, t in enumerate(context.targets) if isinstance(t, Obj)]
        case Who.LINKED:
            found = [(o, and_(game[LINKED, o].is_(source), game[ZONE, o].is_(Zone.EXILE))) for o in game.setup.objects]
        case Who.RESULTS:
            return list(context.results)
        case Who.BINNED:
            return list(context.binned)
        case Who.HOST:
            found = [(o, game[ATTACHED, source].is_(o)) for o in game.setup.objects]
        case Who.EACH:
            left_out = context.targets[0] if selector.but_target and context.targets else None
            found = [(o, c) for o, c in _matching(context, selector.filter, context.controller) if o is not left_out]
        case Who.CHOSEN:
            return _picked(context, selector.filter, by or context.controller)
        case _:
            raise ValueError(f"{selector} names players, not objects")
    return [(o, condition) for o, condition in found if condition is not FALSE]


def _matching(context: Context, wanted: Filter | None, by: Player) -> Chosen:
    assert wanted is not None
    game = context.game
    you = const(game.setup.player_sort, by)
    derived = look(game)
    player = next((t for t in (*context.targets, context.that) if isinstance(t, Player)), None)
    that_player = None if player is None else const(game.setup.player_sort, player)
    return [(o, derived.matches(o, wanted, you, context.source, that_player=that_player)) for o in game.setup.objects]


def _picked(context: Context, wanted: Filter | None, by: Player) -> Chosen:
    """What was chosen; it must qualify, and nothing may be chosen only where nothing qualifies."""
    value = context.pick().value
    matching = _matching(context, wanted, by)
    if isinstance(value, Obj):
        meets = next(condition for o, condition in matching if o is value)
        context.game.require(meets, f"{value} can be chosen", "608.2d")
        return [(value, TRUE)]
    context.game.require(not_(or_(*(condition for _, condition in matching))), "there is nothing to choose", "608.2d")
    return []


def players(context: Context, selector: Selector) -> list[tuple[Player, Term]]:
    """The players that a selector means."""
    setup = context.game.setup
    match selector.who:
        case Who.YOU:
            return [(context.controller, TRUE)]
        case Who.OPPONENT:
            return [(p, TRUE) for p in setup.others(context.controller)]
        case Who.EACH_PLAYER:
            return [(p, TRUE) for p in (context.controller, *setup.others(context.controller))]
        case Who.THAT_PLAYER:
            return [(context.that, TRUE)] if isinstance(context.that, Player) else []
        case Who.TARGET:
            target = context.targets[selector.slot] if selector.slot < len(context.targets) else Marker.NONE
            return [(target, context.legality(selector.slot))] if isinstance(target, Player) else []
        case Who.CONTROLLER | Who.OWNER:
            return _of(context, selector)
    raise ValueError(f"{selector} names objects, not players")


def _of(context: Context, selector: Selector) -> list[tuple[Player, Term]]:
    assert selector.of is not None
    found: dict[Player, Term] = {}
    of = context.targets[selector.of.slot] if selector.of.who is Who.TARGET and context.targets else None
    meant = [(of, TRUE)] if isinstance(of, Obj) else objects(context, selector.of)
    for o, condition in meant:
        for p in context.game.setup.players:
            if selector.who is Who.OWNER:
                is_p = TRUE if o.owner is p else FALSE
            else:
                known = context.controllers.get(o)
                is_p = (look(context.game).controller(o) if known is None else known).is_(p)
            here = and_(condition, is_p)
            if here is not FALSE:
                found[p] = or_(found.get(p, FALSE), here)
    return list(found.items())


def amount_of(context: Context, value: Amount) -> Term:
    """The number that an amount in an effect stands for in the present state."""
    game, derived = context.game, look(context.game)
    you = const(game.setup.player_sort, context.controller)
    total = derived.amount(value, you, context.source, context.x, context.that)
    if value.of is None:
        return total
    counted = objects(context, value.of)
    return add(total, *(ite(condition, _measure(context, value.measure, o), number(0)) for o, condition in counted))


def _measure(context: Context, what: str | None, o: Obj) -> Term:
    derived = look(context.game)
    match what:
        case "number":
            return number(1)
        case "power":
            return derived.power(o)
        case "toughness":
            return derived.toughness(o)
        case "mana value":
            return derived.mana_value(o)
    return context.game[COUNTERS, o, CounterKind.PLUS]
