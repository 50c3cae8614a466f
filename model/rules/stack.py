"""The stack (405), as a shift register: place 0 is the top."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from model.characteristics import look
from model.families import BY, ITEM, TARGET, THAT, ZONE, X
from model.rules.zones import move
from model.setup import Item, Obj, Player, Setup
from model.state import State
from model.terms import FALSE, Term, and_, not_, or_
from model.vocabulary import EventKind, Keyword, Marker, Zone

__all__ = ["counter", "is_empty", "is_on_stack", "pop", "push"]


def _fields(setup: Setup, place: int) -> list[tuple[Any, ...]]:
    return [
        (ITEM, place),
        (BY, place),
        *((TARGET, place, k) for k in range(setup.target_places)),
        (THAT, place),
        (X, place),
    ]


def is_empty(game: State) -> Term:
    """Whether nothing is on the stack."""
    return game[ITEM, 0].is_(Marker.NONE)


def push(
    game: State,
    item: Item,
    by: Player,
    *,
    targets: Sequence[Hashable] = (),
    that: Hashable = Marker.NONE,
    x: int | Term = 0,
) -> None:
    """Put a spell or ability on top of the stack (405.2)."""
    setup: Setup = game.setup
    game.exceed(game[ITEM, setup.bounds.stack - 1].isnt(Marker.NONE))
    for place in range(setup.bounds.stack - 1, 0, -1):
        for below, above in zip(_fields(setup, place), _fields(setup, place - 1), strict=True):
            game[below] = game[above]
    game[ITEM, 0] = item
    game[BY, 0] = by
    for k in range(setup.target_places):
        game[TARGET, 0, k] = targets[k] if k < len(targets) else Marker.NONE
    game[THAT, 0] = that
    game[X, 0] = x


def pop(game: State, place: int = 0) -> None:
    """Take what stands at a place off the stack; what is below moves up."""
    setup: Setup = game.setup
    for here in range(place, setup.bounds.stack - 1):
        for upper, lower in zip(_fields(setup, here), _fields(setup, here + 1), strict=True):
            game[upper] = game[lower]
    last = setup.bounds.stack - 1
    for key in _fields(setup, last):
        game[key] = 0 if key[0] is X else Marker.NONE


def is_on_stack(game: State, what: Hashable) -> Term:
    """Whether an object is a spell on the stack, or an ability is on it."""
    if isinstance(what, Obj):
        return game[ZONE, what].is_(Zone.STACK)
    return or_(*(game[ITEM, place].is_(what) for place in range(game.setup.bounds.stack)))


def counter(game: State, what: Hashable, to: Zone = Zone.GRAVEYARD) -> None:
    """Counter a spell or ability: it leaves the stack; a spell goes to its owner's graveyard (701.6a).

    Parameters
    ----------
    what
        The spell's object, or the ability.
    to
        Where a spell goes instead of the graveyard.
    """
    setup: Setup = game.setup
    done: Term = FALSE
    game.cite("701.6a")
    sticks = look(game).has_keyword(what, Keyword.UNCOUNTERABLE) if isinstance(what, Obj) else FALSE
    for place in range(setup.bounds.stack):
        item = game[ITEM, place]
        standing = or_(*(item.is_(i) for i in setup.items if i is what or (i.ability is None and i.source is what)))
        here = and_(standing, not_(done), not_(sticks))
        done = or_(done, here)
        with game.when(here) as live:
            if live:
                pop(game, place)
    if isinstance(what, Obj):
        with game.when(and_(done, game[ZONE, what].is_(Zone.STACK))) as live:
            if live:
                game.emit(EventKind.COUNTERED, what)
                move(game, what, to)
