"""Revealing, permission to look, and what players have learned: three things that rules keep apart (701.20, 708.5)."""

from __future__ import annotations

from model.cards.abilities import LookPermission
from model.cards.phrases import Filter
from model.characteristics import look
from model.families import ABOVE, CAUSE, KNOWN, ZONE
from model.setup import Obj, Player
from model.state import State
from model.terms import FALSE, Term, and_, const, not_, or_
from model.vocabulary import Cause, EventKind, Zone

__all__ = ["learn", "make_public", "may_look", "reveal", "reveal_all"]


def learn(game: State, player: Player, o: Obj) -> None:
    """A player learns which card an object is.  What has been learned stays learned."""
    game[KNOWN, player, o] = True


def make_public(game: State, o: Obj) -> None:
    """Everybody sees which card an object is, because it is face up in a public zone (400.2)."""
    for player in game.setup.players:
        learn(game, player, o)


def reveal(game: State, o: Obj, *rules: str) -> None:
    """Show a card to all players (701.20a).

    Parameters
    ----------
    rules
        The rule numbers that ask for it.
    """
    game.cite(*rules)
    game.emit(EventKind.REVEALED, o)
    make_public(game, o)


def reveal_all(game: State, among: Term, o: Obj, *rules: str) -> None:
    """Reveal an object if it is a face-down spell or permanent and the condition holds."""
    hidden = and_(game[CAUSE, o].isnt(Cause.NONE), game[ZONE, o].among((Zone.BATTLEFIELD, Zone.STACK)), among)
    with game.when(hidden) as live:
        if live:
            reveal(game, o, *rules)


def may_look(game: State, player: Player, o: Obj) -> Term:
    """Whether a player may look at a face-down object at any time (708.5)."""
    derived = look(game)
    top = _top_permitted(game, player, o)
    if top is not FALSE:
        return top
    down = and_(derived.face_down(o), game[ZONE, o].among((Zone.BATTLEFIELD, Zone.STACK)))
    if down is FALSE:
        return FALSE
    return and_(down, or_(derived.controller(o).is_(player), _permitted(game, player, o)))


def _top_permitted(game: State, player: Player, o: Obj) -> Term:
    """Whether the object is the top card of the player's library and an effect lets the player look at it."""
    derived, found = look(game), []
    if o.owner is not player or game[ZONE, o].is_(Zone.LIBRARY) is FALSE:
        return FALSE
    for source in game.setup.objects:
        for ability in game.setup.abilities_of(source):
            if isinstance(ability, LookPermission) and not isinstance(ability.look_at, Filter):
                works = and_(
                    game[ZONE, source].is_(Zone.BATTLEFIELD),
                    derived.has_ability(source, ability),
                    derived.controller(source).is_(player),
                )
                above = or_(
                    *(
                        and_(game[ZONE, c].is_(Zone.LIBRARY), game[ABOVE, c, o])
                        for c in game.setup.cards()
                        if c.owner is player and c is not o
                    )
                )
                found.append(and_(works, game[ZONE, o].is_(Zone.LIBRARY), not_(above)))
    return or_(*found)


def _permitted(game: State, player: Player, o: Obj) -> Term:
    derived, found = look(game), []
    you = const(game.setup.player_sort, player)
    for source in game.setup.objects:
        for ability in game.setup.abilities_of(source):
            if isinstance(ability, LookPermission) and isinstance(ability.look_at, Filter):
                works = and_(
                    game[ZONE, source].is_(Zone.BATTLEFIELD),
                    derived.has_ability(source, ability),
                    derived.controller(source).is_(player),
                )
                found.append(and_(works, derived.matches(o, ability.look_at, you, source)))
    return or_(*found)
