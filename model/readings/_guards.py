"""Which actions a state enables: the decision tree that the native reading compiles.

The guard of an action is a list of conjuncts.  Testing each guard alone would test shared conjuncts again and again,
so the tree switches on variables that many guards pin to a constant, and tests a conjunct once for a run of
neighbouring actions that share it.  Along every branch the actions stand in their order in the system, because that
order decides which of two plays of one length is found.  A switch may keep an action in several branches; how often
is bounded, since each copy is compiled.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce

from model.system import Action
from model.terms import BOOL, TRUE, Op, Term, not_, subterms

__all__ = ["Choose", "Node", "Pin", "Sequel", "Take", "When", "guard_tree", "pin"]

_COPIES_PER_ACTION = 0.5
"""How many copies of unpinned actions a switch may make for each action below it."""


@dataclass(frozen=True, slots=True)
class Pin:
    """The condition that a variable has, or has not, one value."""

    key: Hashable
    code: int
    holds: bool

    def decided(self, code: int) -> bool:
        """The truth of the condition where the variable has the value ``code``."""
        return (self.code == code) is self.holds


def pin(term: Term) -> Pin | None:
    """The term as a pin, if it is one.  A truth value is pinned to 1 or to 0, never to "not 1"."""
    sign = term.op is not Op.NOT
    atom = term if sign else term.args[0]
    if atom.op is Op.VAR and atom.sort is BOOL:
        return Pin(atom.payload, int(sign), True)
    if atom.op is Op.EQ and atom.args[0].op is Op.VAR and atom.args[1].op is Op.CONST:
        assert isinstance(atom.args[1].payload, int)
        return Pin(atom.args[0].payload, atom.args[1].payload, sign)
    return None


@dataclass(frozen=True, slots=True)
class Take:
    """The guard of this action holds."""

    action: int


@dataclass(frozen=True, slots=True)
class When:
    """Where all the conditions hold, go on; else there is nothing below."""

    conditions: tuple[Term, ...]
    then: Node


@dataclass(frozen=True, slots=True)
class Choose:
    """Go on by the value of a variable; ``other`` where it has none of the listed codes."""

    key: Hashable
    cases: tuple[tuple[int, Node], ...]
    other: Node


@dataclass(frozen=True, slots=True)
class Sequel:
    """Everything below, in this order."""

    parts: tuple[Node, ...]


Node = Take | When | Choose | Sequel


@dataclass(frozen=True, slots=True)
class _Item:
    """An action with the conjuncts that are still to be tested, in the order in which to test them."""

    action: int
    conditions: dict[Term, None]

    def without(self, tested: dict[Term, None]) -> _Item:
        return replace(self, conditions={c: None for c in self.conditions if c not in tested})

    def pinned(self, key: Hashable) -> int | None:
        """The value that the guard asks of a variable."""
        for condition in self.conditions:
            found = pin(condition)
            if found is not None and found.holds and found.key == key:
                return found.code
        return None

    def at(self, key: Hashable, code: int) -> _Item | None:
        """What is left to test where a variable has this value; None if the guard is false there."""
        left: dict[Term, None] = {}
        for condition in self.conditions:
            found = pin(condition)
            if found is None or found.key != key:
                left[condition] = None
            elif not found.decided(code):
                return None
        return _Item(self.action, left)


def guard_tree(actions: Sequence[Action]) -> Node:
    """The decision tree for the guards of the actions."""
    sizes: dict[Term, int] = {}
    items = []
    for index, action in enumerate(actions):
        conjuncts = [c for c in _conjuncts(action.guard) if c is not TRUE]
        for conjunct in conjuncts:
            if conjunct not in sizes:
                sizes[conjunct] = 0 if pin(conjunct) else sum(1 for _ in subterms([conjunct]))
        conjuncts.sort(key=lambda c: (sizes[c], c.uid))
        items.append(_Item(index, dict.fromkeys(conjuncts)))
    return _tree(items)


def _conjuncts(guard: Term) -> Iterator[Term]:
    """What must hold for a guard to hold, with disjunctions that must fail taken apart."""
    for part in guard.args if guard.op is Op.AND else (guard,):
        if part.op is Op.NOT and part.args[0].op is Op.OR:
            yield from (not_(arg) for arg in part.args[0].args)
        else:
            yield part


def _tree(items: list[_Item]) -> Node:
    if not items:
        return Sequel(())
    shared = reduce(_common, (item.conditions for item in items))
    if shared:
        return When(tuple(shared), _tree([item.without(shared) for item in items]))
    if len(items) == 1:
        return Take(items[0].action)
    key = _best_switch(items)
    if key is not None:
        return _switch(items, key)
    start, end = _best_run(items)
    if end - start < 2:
        return Sequel(tuple(_tree([item]) for item in items))
    parts = [_tree(part) for part in (items[:start], items[start:end], items[end:]) if part]
    return Sequel(tuple(_opened(parts)))


def _common(a: dict[Term, None], b: dict[Term, None]) -> dict[Term, None]:
    return {condition: None for condition in a if condition in b}


def _opened(parts: Sequence[Node]) -> Iterator[Node]:
    for part in parts:
        if isinstance(part, Sequel):
            yield from part.parts
        else:
            yield part


def _best_switch(items: Sequence[_Item]) -> Hashable | None:
    """The variable whose switch leaves the fewest guards to test, if it does not copy too much."""
    pinned: dict[Hashable, Counter[int]] = defaultdict(Counter)
    for item in items:
        for condition in item.conditions:
            found = pin(condition)
            if found is not None and found.holds:
                pinned[found.key][found.code] += 1
    best, best_saved = None, 1.0
    for key, codes in pinned.items():
        count = codes.total()
        copies = (len(items) - count) * len(codes)
        saved = count - max(codes.values()) if len(codes) > 1 else count / 2
        if copies <= _COPIES_PER_ACTION * len(items) and saved > best_saved:
            best, best_saved = key, saved
    return best


def _switch(items: Sequence[_Item], key: Hashable) -> Choose:
    codes = sorted({code for item in items if (code := item.pinned(key)) is not None})
    cases = tuple((code, _tree([left for item in items if (left := item.at(key, code))])) for code in codes)
    return Choose(key, cases, _tree([item for item in items if item.pinned(key) is None]))


def _best_run(items: Sequence[_Item]) -> tuple[int, int]:
    """The longest run of neighbours that share a condition; the first of several."""
    best = (0, 1)
    open_runs: dict[Term, int] = {}
    for i in range(len(items) + 1):
        here = items[i].conditions if i < len(items) else {}
        for condition in [c for c in open_runs if c not in here]:
            start = open_runs.pop(condition)
            if i - start > best[1] - best[0]:
                best = (start, i)
        for condition in here:
            open_runs.setdefault(condition, i)
    return best
