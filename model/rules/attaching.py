"""Attaching Auras and Equipment (701.3, 303.4, 301.5)."""

from __future__ import annotations

from collections.abc import Hashable

from model.characteristics import look
from model.families import ATTACHED, ZONE
from model.rules.state_based_actions import may_be_enchanted_by
from model.rules.zones import touch
from model.setup import Obj
from model.state import State
from model.terms import FALSE, and_, not_, or_
from model.vocabulary import EventKind, Type, Zone

__all__ = ["attach"]


def attach(game: State, what: Obj, to: Hashable, *rules: str) -> None:
    """Attach an Aura or Equipment on the battlefield to an object that it can be attached to (701.3a, 701.3b)."""
    if not isinstance(to, Obj) or to is what:
        return
    derived = look(game)
    on = and_(*(game[ZONE, o].is_(Zone.BATTLEFIELD) for o in (what, to)))
    if on is FALSE:
        return
    aura = and_(derived.is_subtype(what, "Aura"), may_be_enchanted_by(game, to, what))
    equipment = and_(
        derived.is_subtype(what, "Equipment"),
        derived.is_type(to, Type.CREATURE),
        not_(derived.is_type(what, Type.CREATURE)),
    )
    with game.when(and_(on, or_(aura, equipment), game[ATTACHED, what].isnt(to))) as live:
        if live:
            game.cite("701.3a", *rules)
            game[ATTACHED, what] = to
            touch(game, what)
            game.emit(EventKind.ATTACHED, what, to)
