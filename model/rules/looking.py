"""Looking at face-down objects (708.5).  It changes nothing but what a player has learned, and needs no priority."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from model.families import CAUSE, OVER
from model.peek import Peek
from model.rules.revealing import learn, may_look
from model.setup import Obj, Player
from model.state import State
from model.system import Candidate, Label
from model.terms import not_
from model.vocabulary import Cause, EventKind, Zone

__all__ = ["actions"]


def _look(game: State, *, player: Player, o: Obj) -> None:
    game.require(not_(game[OVER,]), "the game is not over", "104.1")
    game.require(may_look(game, player, o), f"{player} may look at {o}", "708.5")
    game.cite("708.5")
    game.emit(EventKind.LOOKED, o, player)
    learn(game, player, o)


def actions(peek: Peek) -> Iterator[Candidate]:
    """Looking, where the scenario models it."""
    if not peek.setup.looking:
        return
    for player in peek.setup.players:
        for o in peek.setup.objects:
            down = peek.values(CAUSE, o) != [Cause.NONE]
            here = peek.may_be_in(o, Zone.BATTLEFIELD) or peek.may_be_in(o, Zone.STACK)
            if (down and here) or (peek.may_be_in(o, Zone.LIBRARY) and o.owner is player):
                yield Candidate(
                    Label("look", player.name, f"look at {o}", (("object", o.name),)),
                    partial(_look, player=player, o=o),
                )
