"""Ending the game and leaving it (104, 800.4a): what was face down is shown."""

from __future__ import annotations

from model.families import BY, CONTROLLER, ENTERED_UNDER, ITEM, LEFT, OVER, ZONE
from model.rules.revealing import reveal_all
from model.rules.stack import pop
from model.rules.zones import become_new_object, move_all
from model.setup import Player, Setup
from model.state import State
from model.terms import TRUE, and_, count, not_, or_
from model.vocabulary import EventKind, Zone

__all__ = ["end_game", "leave_game"]


def end_game(game: State) -> None:
    """The game ends; every face-down spell and permanent is revealed (708.9)."""
    for o in game.setup.objects:
        reveal_all(game, TRUE, o, "708.9", "104.1")
    game.emit(EventKind.GAME_OVER)
    game[OVER,] = True


def leave_game(game: State, player: Player) -> None:
    """A player leaves (800.4a).

    Everything the player owns is revealed where it is face down and leaves; what the player controls on the stack
    ceases to exist; what the player had gained control of goes back, and what entered under the player's control is
    exiled, revealed by its owner as it moves.
    """
    setup: Setup = game.setup
    game.cite("800.4a")
    game.emit(EventKind.LEFT_GAME, player)
    game[LEFT, player] = True
    remaining = count(not_(game[LEFT, p]) for p in setup.players)
    for o in setup.objects:
        if o.owner is player:
            reveal_all(game, TRUE, o, "708.9")
    with game.when(remaining <= 1) as last:
        if last:
            end_game(game)
    for place in reversed(range(setup.bounds.stack)):
        theirs = or_(
            and_(game[BY, place].is_(player)),
            *(game[ITEM, place].is_(i) for i in setup.items if i.source.owner is player and i.ability is None),
        )
        with game.when(theirs) as live:
            if live:
                pop(game, place)
    for o in setup.objects:
        if o.owner is player:
            become_new_object(game, o)
            game[ZONE, o] = Zone.OUTSIDE
    for o in setup.objects:
        if o.owner is not player:
            gained = and_(game[CONTROLLER, o].is_(player), game[ENTERED_UNDER, o].isnt(player))
            with game.when(gained) as live:
                if live:
                    game[CONTROLLER, o] = game[ENTERED_UNDER, o]
    taken = [
        (o, and_(game[CONTROLLER, o].is_(player), game[ZONE, o].is_(Zone.BATTLEFIELD)))
        for o in setup.objects
        if o.owner is not player
    ]
    move_all(game, taken, Zone.EXILE)
