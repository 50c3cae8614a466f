"""What several wrong functions need: questions on the state, asked without the rules."""

from __future__ import annotations

from typing import Any

from counterexamples.faults.fault import Rule
from model.families import CAUSE, ZONE
from model.setup import Obj
from model.state import State
from model.terms import Term, and_
from model.vocabulary import Cause, Zone

__all__ = ["is_down", "turns_up"]


def is_down(game: State, o: Obj) -> Term:
    """Whether the object is a face-down permanent."""
    return and_(game[ZONE, o].is_(Zone.BATTLEFIELD), game[CAUSE, o].isnt(Cause.NONE))


def turns_up(right: Rule, game: State, o: Obj, *args: Any, **kwargs: Any) -> Term:
    """Turn an object over as is right.  Returns whether it was a face-down permanent and now is face up."""
    before = is_down(game, o)
    right(game, o, *args, **kwargs)
    return and_(before, game[CAUSE, o].is_(Cause.NONE))
