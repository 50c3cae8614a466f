"""Conceding (104.3a)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from model.peek import Peek
from model.rules.leaving import leave_game
from model.rules.priority import hand_priority_on, require_priority
from model.rules.state_based_actions import settle
from model.setup import Player
from model.state import State
from model.system import Candidate, Label

__all__ = ["actions"]


def _concede(game: State, player: Player) -> None:
    require_priority(game, player)
    game.cite("104.3a")
    leave_game(game, player)
    hand_priority_on(game, player)
    settle(game)


def actions(peek: Peek) -> Iterator[Candidate]:
    """Conceding, for the players for whom the scenario asks for it.

    The rules allow it at any time; here it needs priority, which leaves out no state that differs afterwards.
    """
    for player in peek.setup.players:
        if player in peek.setup.conceders:
            yield Candidate(Label("concede", player.name, "concede"), partial(_concede, player=player))
