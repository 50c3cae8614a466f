"""The state that rules read and write.

A :class:`Family` declares variables by kind and index (the zone of each object, the life of each player); a
:class:`Schema` makes each variable the first time somebody asks for it, so a mechanism that no rule touches costs
nothing.  A :class:`State` records what one rule does: it answers reads with terms, collects writes under the current
path condition, the guard, the events and the rule numbers that were used.  The same recorder serves a concrete state,
whose reads are constants, and a symbolic one, whose reads are variables.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from model.terms import BOOL, FALSE, INT, TRUE, Op, Sort, Term, and_, const, implies, ite, not_, number, or_
from model.terms import variable as variable_term

__all__ = ["Citation", "Disabled", "Domain", "Event", "Family", "Requirement", "Schema", "State", "Variable"]


@dataclass(frozen=True, slots=True)
class Domain:
    """The values that a variable may take.

    Parameters
    ----------
    sort
        BOOL, INT or an enumeration.
    low, high
        Inclusive bounds of an integer, or of the codes of a truth value.
    mask
        Bit mask of the codes of an enumeration; zero for the other sorts.
    """

    sort: Sort
    low: int = 0
    high: int = 1
    mask: int = 0

    @staticmethod
    def full(sort: Sort, low: int = 0, high: int = 1) -> Domain:
        """Every value of the sort; ``low`` to ``high`` for integers."""
        return Domain(sort, low, high) if sort in (BOOL, INT) else Domain(sort, mask=sort.full_mask)

    @staticmethod
    def single(sort: Sort, code: int) -> Domain:
        """The one value with this code."""
        return Domain(sort, code, code) if sort in (BOOL, INT) else Domain(sort, mask=1 << code)

    def codes(self) -> list[int]:
        """The codes of the values, ascending."""
        if self.mask:
            return [code for code in range(self.mask.bit_length()) if self.mask >> code & 1]
        return list(range(self.low, self.high + 1))

    def __contains__(self, code: int) -> bool:
        return bool(self.mask >> code & 1) if self.mask else self.low <= code <= self.high

    @property
    def is_single(self) -> bool:
        """Whether one value is left."""
        return self.mask & (self.mask - 1) == 0 if self.mask else self.low == self.high

    @property
    def first(self) -> int:
        """The smallest code."""
        return (self.mask & -self.mask).bit_length() - 1 if self.mask else self.low

    @property
    def last(self) -> int:
        """The largest code."""
        return self.mask.bit_length() - 1 if self.mask else self.high

    def union(self, other: Domain) -> Domain:
        """The values of both."""
        return Domain(self.sort, min(self.low, other.low), max(self.high, other.high), self.mask | other.mask)

    def clip(self, other: Domain) -> Domain:
        """These values as far as another domain has them; one bound of it, if it has none of these integers."""
        low, high = (min(max(bound, other.low), other.high) for bound in (self.low, self.high))
        return Domain(self.sort, low, high, self.mask & other.mask)

    def term(self, key: Hashable) -> Term:
        """The variable with this key over these values, or the constant that is left of it."""
        if self.is_single:
            return self.constant(self.first)
        return variable_term(key, self.sort, low=self.low, high=self.high, mask=self.mask)

    def constant(self, code: int) -> Term:
        """The constant of this sort with the code."""
        if self.sort is INT:
            return number(code)
        if self.sort is BOOL:
            return TRUE if code else FALSE
        return const(self.sort, self.sort.members[code])


@dataclass(frozen=True, slots=True, eq=False)
class Family:
    """A kind of state variable.

    Parameters
    ----------
    name
        What it is called in traces and messages.
    declare
        ``declare(setup, *index)`` gives the declared domain and the code of the initial value.
    shapes
        Whether the characteristics of objects may depend on it, so that a write makes derived values stale.
    """

    name: str
    declare: Callable[..., tuple[Domain, int]]
    shapes: bool = True

    def __repr__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True, eq=False)
class Variable:
    """One state variable: its family, its index, its declared domain and its initial code."""

    family: Family
    index: tuple[Hashable, ...]
    domain: Domain
    initial: int

    def __str__(self) -> str:
        inside = ", ".join(map(str, self.index))
        return f"{self.family.name}[{inside}]" if inside else self.family.name

    __repr__ = __str__


@dataclass(slots=True)
class Schema:
    """Makes the variables of one scenario on demand.

    Parameters
    ----------
    setup
        What families need to know to declare a variable: players, objects, bounds.
    """

    setup: Any
    variables: dict[tuple[Hashable, ...], Variable] = field(default_factory=dict)

    def variable(self, key: tuple[Any, ...]) -> Variable:
        """The variable of the family ``key[0]`` with the index ``key[1:]``."""
        found = self.variables.get(key)
        if found is None:
            domain, initial = key[0].declare(self.setup, *key[1:])
            found = self.variables[key] = Variable(key[0], key[1:], domain, initial)
        return found


@dataclass(frozen=True, slots=True)
class Requirement:
    """A conjunct of a guard: the condition, what it says, and the rule that asks for it."""

    condition: Term
    says: str
    rule: str


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happens in a step: its kind, what it happens to, and when (over the state before the step)."""

    kind: enum.Enum
    subjects: tuple[Hashable, ...]
    condition: Term


@dataclass(frozen=True, slots=True)
class Citation:
    """A rule that decides a step wherever the condition holds of the state before it."""

    rule: str
    condition: Term


class Disabled(Exception):  # noqa: N818  it is control flow, no error
    """The guard of the rule that is being recorded is false."""

    def __init__(self, requirement: Requirement) -> None:
        super().__init__(requirement.says)
        self.requirement = requirement


class State:
    """A recorder of one rule.

    Parameters
    ----------
    schema
        Makes the variables.
    read
        The value of a variable before the rule.

    Attributes
    ----------
    writes
        The value after the rule, of each variable that was written.
    requirements, events, citations, overflow
        The guard, what happens, the rules used, and when the step would leave a declared range.
    reads
        The variables whose value before the rule was asked for.
    derived
        What was derived from the present values; emptied by a write that may change it.
    """

    __slots__ = (
        "_known",
        "_path",
        "_read",
        "citations",
        "derived",
        "events",
        "overflow",
        "reads",
        "requirements",
        "schema",
        "setup",
        "writes",
    )

    def __init__(self, schema: Schema, read: Callable[[Variable], Term]) -> None:
        self.schema = schema
        self.setup = schema.setup
        self._read = read
        self._path = TRUE
        self._known: dict[Hashable, Term] = {}
        self.writes: dict[Variable, Term] = {}
        self.requirements: list[Requirement] = []
        self.events: list[Event] = []
        self.citations: dict[str, Term] = {}
        self.overflow = FALSE
        self.reads: set[Variable] = set()
        self.derived: dict[Hashable, Any] = {}

    def origin(self) -> State:
        """A recorder over the state before the rule, under the guard so far; its reads count as this one's."""
        other = self._another()
        other._known, other.reads = self._known, self.reads
        return other

    def _another(self) -> State:
        """A recorder of the same kind over the same state."""
        return State(self.schema, self._read)

    def __getitem__(self, key: tuple[Any, ...]) -> Term:
        variable = self.schema.variable(key)
        written = self.writes.get(variable)
        return self._before(variable) if written is None else written

    def before(self, *key: Any) -> Term:
        """The value that a variable had before the rule."""
        return self._before(self.schema.variable(key))

    def _before(self, variable: Variable) -> Term:
        self.reads.add(variable)
        known = self._known.get(variable)
        return self._read(variable) if known is None else known

    def __setitem__(self, key: tuple[Any, ...], value: object) -> None:
        if self._path is FALSE:
            return
        variable = self.schema.variable(key)
        domain = variable.domain
        term = value if isinstance(value, Term) else _constant(domain, value)
        if domain.sort is INT and (term.low < domain.low or term.high > domain.high):
            self.exceed(not_(and_(number(domain.low) <= term, term <= number(domain.high))))
        if self._path is not TRUE:
            term = ite(self._path, term, self[key])
        if variable.family.shapes and self.derived and term is not self[key]:
            self.derived.clear()
        self.writes[variable] = term

    @property
    def path(self) -> Term:
        """The condition under which the rule is at its present point."""
        return self._path

    @contextmanager
    def when(self, condition: Term) -> Iterator[bool]:
        """Make what is done inside conditional.  Yields whether the inside can have any effect."""
        saved = self._path
        self._path = and_(saved, condition)
        try:
            yield self._path is not FALSE
        finally:
            self._path = saved

    def require(self, condition: Term, says: str, rule: str) -> None:
        """Add a conjunct to the guard.

        Raises
        ------
        Disabled
            If the guard is false, whatever the state.
        """
        condition = implies(self._path, condition)
        if condition is TRUE:
            return
        requirement = Requirement(condition, says, rule)
        if condition is FALSE:
            raise Disabled(requirement)
        self.requirements.append(requirement)
        self._assume(condition)

    def _assume(self, condition: Term) -> None:
        """Read a variable that the guard pins to one value as that value from here on."""
        for part in condition.args if condition.op is Op.AND else (condition,):
            if part.op is Op.EQ and part.args[0].op is Op.VAR and part.args[1].op is Op.CONST:
                self._known[part.args[0].payload] = part.args[1]
            elif part.op is Op.VAR:
                self._known[part.payload] = TRUE
            elif part.op is Op.NOT and part.args[0].op is Op.VAR:
                self._known[part.args[0].payload] = FALSE
            else:
                self._narrow(part)

    def _narrow(self, part: Term) -> None:
        """Read a variable that the guard compares with a constant with the values that are left."""
        negated = part.op is Op.NOT
        atom = part.args[0] if negated else part
        if negated and atom.op is Op.EQ and atom.args[0].op is Op.VAR and atom.args[1].op is Op.CONST:
            name, excluded = atom.args
            if name.sort is not INT:
                self._known[name.payload] = variable_term(name.payload, name.sort, mask=name.mask & ~excluded.mask)
            return
        if atom.op is not Op.LE:
            return
        left, right = atom.args
        name, bound = (right, left) if left.op is Op.CONST else (left, right)
        if name.op is not Op.VAR or bound.op is not Op.CONST:
            return
        at_least = (left is bound) is not negated
        limit = bound.low + (0 if not negated else 1 if at_least else -1)
        low, high = (max(name.low, limit), name.high) if at_least else (name.low, min(name.high, limit))
        self._known[name.payload] = variable_term(name.payload, INT, low=low, high=high)

    def exceed(self, condition: Term) -> None:
        """Record that the step would leave a declared range wherever the condition holds."""
        self.overflow = or_(self.overflow, and_(self._path, condition))

    def emit(self, kind: enum.Enum, *subjects: Hashable) -> None:
        """Record that something happens, under the present path condition."""
        if self._path is not FALSE:
            self.events.append(Event(kind, subjects, self._path))

    def under(self, rule: str, condition: Term) -> Term:
        """When a rule applies, for rules that say what is so and not what is done: whoever wants to know which rules a
        step rests on, or to do without one, is told of it here.

        Parameters
        ----------
        rule
            Its number.
        condition
            When it applies.

        Returns
        -------
        Term
            The condition.
        """
        return condition

    def cite(self, *rules: str) -> None:
        """Record that rules decide what happens, under the present path condition."""
        for rule in rules:
            self.citations[rule] = or_(self.citations.get(rule, FALSE), self._path)


def _constant(domain: Domain, value: object) -> Term:
    if domain.sort is BOOL:
        return TRUE if value else FALSE
    if domain.sort is INT:
        return number(value)  # type: ignore[arg-type]
    return const(domain.sort, value)
