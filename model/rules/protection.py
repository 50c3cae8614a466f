"""Protection (702.16): what cannot target, damage or block what has it."""

from __future__ import annotations

from model.cards.abilities import ProtectionAbility
from model.characteristics import look
from model.matching import has_qualities
from model.setup import Obj
from model.state import State
from model.terms import FALSE, Term, and_, or_

__all__ = ["protected"]


def protected(game: State, o: Obj, source: Obj) -> Term:
    """Whether an object has protection from a quality that a source has (702.16b-f)."""
    derived, found = look(game), []
    for ability in game.setup.abilities_of(o):
        if isinstance(ability, ProtectionAbility):
            has = derived.has_ability(o, ability)
            if has is not FALSE:
                found.append(and_(has, has_qualities(derived, source, ability.protection)))
    return or_(*found)
