"""Casting from other zones than the hand under a permission (601.3).

Where the card is counts as it is there; what kind of spell the permission allows is judged on the spell as it is cast,
face down or face up (708.4).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from model.cards.abilities import CastFrom
from model.characteristics import look
from model.families import ONCE_FROM, ZONE
from model.peek import Peek
from model.rules.zones import is_from_top
from model.setup import Obj, Player
from model.state import State
from model.terms import FALSE, Term, and_, const, not_, or_
from model.vocabulary import Type, Zone

__all__ = [
    "Origin",
    "casting_zones",
    "from_elsewhere",
    "land_from_elsewhere",
    "origin_permissions",
    "require_permitted_spell",
]


@dataclass(frozen=True, slots=True)
class Origin:
    """A permission that may be used: whose ability, and when it applies to where the card was."""

    source: Obj
    ability: CastFrom
    applies: Term


def casting_zones(peek: Peek) -> set[Zone]:
    """The zones from which anything in the scenario permits casting."""
    return {
        Zone(a.cast_from) for o in peek.setup.objects for a in peek.setup.abilities_of(o) if isinstance(a, CastFrom)
    }


def origin_permissions(game: State, player: Player, o: Obj) -> list[Origin]:
    """The permissions that the place of a card offers, before it moves."""
    found = []
    for source in game.setup.objects:
        for ability in game.setup.abilities_of(source):
            if not isinstance(ability, CastFrom) or o.owner is not player:
                continue
            there = is_from_top(game, o, 0) if ability.cast_from == "library" else game[ZONE, o].is_(Zone.GRAVEYARD)
            works = and_(
                there,
                game[ZONE, source].is_(Zone.BATTLEFIELD),
                look(game).has_ability(source, ability),
                look(game).controller(source).is_(player),
            )
            if ability.once_each_turn and works is not FALSE:
                works = and_(works, not_(game[ONCE_FROM, source]))
            if works is not FALSE:
                found.append(Origin(source, ability, works))
    return found


def from_elsewhere(game: State, player: Player, o: Obj) -> Term:
    """Whether some permission reaches the place of a card."""
    return or_(*(origin.applies for origin in origin_permissions(game, player, o)))


def land_from_elsewhere(game: State, player: Player, o: Obj) -> Term:
    """Whether a land card may be played from where it is."""
    return (
        or_(*(origin.applies for origin in origin_permissions(game, player, o) if origin.ability.lands))
        if Type.LAND in o.card.front.types
        else FALSE
    )


def require_permitted_spell(game: State, player: Player, spell: Obj, origins: Sequence[Origin]) -> None:
    """Require that a permission that was used allows this kind of spell, and use it up."""
    if not origins:
        return
    you = const(game.setup.player_sort, player)
    allowed = [
        (origin, and_(origin.applies, look(game).matches(spell, origin.ability.what, you, origin.source)))
        for origin in origins
    ]
    reached = or_(*(origin.applies for origin in origins))
    game.require(or_(not_(reached), *(meets for _, meets in allowed)), f"a permission allows casting {spell}", "601.3e")
    for origin, meets in allowed:
        if origin.ability.once_each_turn:
            with game.when(meets):
                game[ONCE_FROM, origin.source] = True
