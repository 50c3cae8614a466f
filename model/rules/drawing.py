"""Drawing cards (121)."""

from __future__ import annotations

from model.rules.leaving import leave_game
from model.rules.triggers import notice
from model.rules.zones import from_top, move
from model.setup import Player
from model.state import State
from model.terms import not_, or_
from model.vocabulary import EventKind, Zone

__all__ = ["draw"]


def draw(game: State, player: Player, *rules: str) -> None:
    """A player draws a card; one who cannot loses the game (121.4, 704.5b)."""
    game.cite("121.1", *rules)
    top = from_top(game, player, 0)
    for o, is_top in top:
        with game.when(is_top):
            move(game, o, Zone.HAND)
            notice(game, EventKind.DRAWN, o, player=player)
    with game.when(not_(or_(*(is_top for _, is_top in top)))) as live:
        if live:
            game.cite("704.5b")
            leave_game(game, player)
