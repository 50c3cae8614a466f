"""What variables can be, while actions are enumerated.

In a grounding, that is the set of values found so far; on a concrete state, it is the one value.  Rules use it to
enumerate only choices that can come up.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from model.cards.abilities import StaticAbility
from model.families import CAUSE, CONTROLLER, STEP, TAKER, ZONE
from model.setup import Obj, Player, Setup
from model.state import Domain, Schema, Variable
from model.terms import INT
from model.vocabulary import Cause, Zone

__all__ = ["Peek"]


class Peek:
    """The values that variables can have.

    Parameters
    ----------
    schema
        Makes the variables.
    domain
        The values that a variable can have at this point.
    """

    def __init__(self, schema: Schema, domain: Callable[[Variable], Domain]) -> None:
        self.schema = schema
        self.setup: Setup = schema.setup
        self._domain = domain

    def values(self, *key: Any) -> list[Any]:
        """The values that the variable of a family with an index can have."""
        variable = self.schema.variable(key)
        sort, codes = variable.domain.sort, self._domain(variable).codes()
        return codes if sort is INT or not sort.members else [sort.members[code] for code in codes]

    def may_be(self, value: Hashable, *key: Any) -> bool:
        """Whether the variable can have the value."""
        variable = self.schema.variable(key)
        code = variable.domain.sort.codes.get(value)
        return code is not None and code in self._domain(variable)

    def highest(self, *key: Any) -> int:
        """The largest value that an integer variable can have."""
        return self._domain(self.schema.variable(key)).last

    def may_be_in(self, o: Obj, zone: Zone) -> bool:
        """Whether an object can be in a zone."""
        return self.may_be(zone, ZONE, o)

    def may_be_face_down(self, o: Obj) -> bool:
        """Whether an object can be a face-down permanent."""
        return self.may_be_in(o, Zone.BATTLEFIELD) and self.values(CAUSE, o) != [Cause.NONE]

    def controllers(self, o: Obj) -> set[Player]:
        """The players who can control an object, under effects as well (110.2, 613.1b)."""
        setup = self.setup
        found = set(self.values(CONTROLLER, o))
        for shot in setup.shots:
            if shot.changes.control is not None:
                found.update(self.values(TAKER, shot))
        for source in setup.objects:
            if any(isinstance(a, StaticAbility) and a.control is not None for a in setup.abilities_of(source)):
                found.update(self.values(CONTROLLER, source))
        return {player for player in found if isinstance(player, Player)}

    def steps(self) -> list[Any]:
        """The steps that can come up."""
        return self.values(STEP)
