"""What a step changed, in the game's words: ``bear: hand to battlefield``, ``alice: life 20 to 18``.

The variables that only keep the game going (who passed, what is settled, how libraries are ordered) have no words.
They stand in the trace's file all the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from model.families import (
    ABOVE,
    ATTACHED,
    ATTACKING,
    BY,
    CAST_DOWN,
    CAUSE,
    CONTROLLER,
    COPIED,
    COUNTERS,
    DAMAGE,
    EFFECT,
    HAPPENED,
    ITEM,
    KNOWN,
    LEFT,
    LIFE,
    MANA,
    NEWER,
    ONCE,
    OVER,
    PAID_X,
    PASSES,
    PENDING,
    PRIORITY,
    PROFILE,
    SETTLED,
    SICK,
    TAPPED,
    TARGET,
    THAT,
    TRANSFORMED,
    TURNED_UP,
    ZONE,
    X,
)
from model.state import Family, Variable
from model.system import Code, TransitionSystem
from model.terms import INT, Sort
from model.vocabulary import Cause, Marker

__all__ = ["change_in_words", "in_words", "shown_changes", "written"]


def written(variable: Variable, code: Code) -> str:
    """A value of a variable in words."""
    return in_words(variable.domain.sort, code)


def in_words(sort: Sort, code: Code) -> str:
    """A value in words."""
    if sort.members:
        return str(sort.members[code])
    return str(code) if sort is INT else ("yes" if code else "no")


def shown_changes(system: TransitionSystem, before: tuple[Code, ...], after: tuple[Code, ...]) -> tuple[str, ...]:
    """What changed between two states, in the order in which a reader looks for it."""
    found = [(_rank(v), change_in_words(v, a, b))
             for v, a, b in zip(system.variables, before, after, strict=True) if a != b and v.family not in _SILENT]
    lines = [line for _, line in sorted(found, key=lambda pair: pair[0])]
    return (*lines, *_stack(system, before, after))


_ORDER = (ZONE, CAUSE, TRANSFORMED, CONTROLLER, COUNTERS, ATTACHED)
_SILENT = frozenset({
    ABOVE, BY, CAST_DOWN, HAPPENED, ITEM, NEWER, ONCE, PAID_X, PASSES, PRIORITY, PROFILE, SETTLED, TARGET, THAT,
    TURNED_UP, X,
})


def _rank(variable: Variable) -> int:
    if variable.family is KNOWN:
        return len(_ORDER) + 1
    return _ORDER.index(variable.family) if variable.family in _ORDER else len(_ORDER)


def change_in_words(variable: Variable, before: Code, after: Code) -> str:
    """What it means that a variable changed."""
    words = _WORDS.get(variable.family)
    old, new = written(variable, before), written(variable, after)
    return words(*variable.index, old, new) if words is not None else f"{variable}: {old} to {new}"


def _cause(o: object, old: str, new: str) -> str:
    if new == str(Cause.NONE):
        return f"{o}: face up"
    return f"{o}: face down ({new})" if old == str(Cause.NONE) else f"{o}: face down ({old}) to face down ({new})"


def _attached(o: object, old: str, new: str) -> str:
    return f"{o}: no longer attached to {old}" if new == str(Marker.NONE) else f"{o}: attached to {new}"


_WORDS: Mapping[Family, Callable[..., str]] = {
    ZONE: lambda o, old, new: f"{o}: {old} to {new}",
    CAUSE: _cause,
    TRANSFORMED: lambda o, _, new: f"{o}: {'back' if new == 'yes' else 'front'} face up",
    CONTROLLER: lambda o, old, new: f"{o}: controlled by {new}, no longer by {old}",
    TAPPED: lambda o, _, new: f"{o}: {'tapped' if new == 'yes' else 'untapped'}",
    SICK: lambda o, _, new: f"{o}: {'' if new == 'yes' else 'no longer '}summoning sick",
    DAMAGE: lambda o, old, new: f"{o}: damage {old} to {new}",
    COPIED: lambda o, _, new: f"{o}: no copy any more" if new == str(Marker.NONE) else f"{o}: a copy of {new}",
    ATTACKING: lambda o, _, new: f"{o}: no longer attacking" if new == str(Marker.NONE) else f"{o}: attacks {new}",
    EFFECT: lambda shot, o, _, new: f"{o}: {shot} {'applies' if new == 'yes' else 'ends'}",
    LEFT: lambda p, *_: f"{p} has left the game",
    OVER: lambda *_: "the game is over",
    COUNTERS: lambda o, kind, old, new: f"{o}: {kind} counters {old} to {new}",
    ATTACHED: _attached,
    KNOWN: lambda p, o, _, new: f"{p} {'learns' if new == 'yes' else 'no longer knows'} {o}",
    LIFE: lambda p, old, new: f"{p}: life {old} to {new}",
    MANA: lambda p, kind, old, new: f"{p}: {kind} mana {old} to {new}",
    PENDING: lambda item, that, _, old, new: f"waiting: {item}{_about(that)} {old} to {new}",
}


def _about(that: Any) -> str:
    return "" if that is Marker.NONE else f" about {that}"


def _stack(system: TransitionSystem, before: tuple[Code, ...], after: tuple[Code, ...]) -> Iterator[str]:
    """One line for the whole stack, top first: its places shift with every spell."""
    old, new = _items(system, before), _items(system, after)
    if old != new:
        yield f"stack: {', '.join(new) or 'empty'}"


def _items(system: TransitionSystem, state: tuple[Code, ...]) -> list[str]:
    places = sorted((v.index[0], i) for i, v in enumerate(system.variables) if v.family is ITEM)
    items = (written(system.variables[i], state[i]) for _, i in places)
    return [item for item in items if item != str(Marker.NONE)]
