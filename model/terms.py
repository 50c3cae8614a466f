"""Finite-domain terms: the one language in which rules are written.

A term is an immutable, hash-consed node: two terms with the same structure are the same object, so equality is
identity and a shared subterm is stored, evaluated and compiled once.  Three sorts of value exist: truth values,
members of an enumeration, and integers with known bounds.  Sets are kept outside the language, as mappings from a
member to a truth-valued term, which is what lets printed card data vanish while a rule runs.

Building a term folds constants and simplifies locally, using what is known of the values a subterm can take
(``mask`` for enumerations, ``low`` and ``high`` for integers).  A rule that runs on a concrete state therefore yields
constants only, and a rule that runs on a symbolic state yields no more than the part that depends on that state.

The failure this module guards against is a condition that silently becomes Python control flow: asking a term that is
not constant for its truth value raises :class:`SymbolicConditionError`.
"""

from __future__ import annotations

import enum
import itertools
import weakref
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

__all__ = [
    "BOOL",
    "FALSE",
    "INT",
    "TRUE",
    "Op",
    "Sort",
    "SymbolicConditionError",
    "Term",
    "add",
    "and_",
    "const",
    "count",
    "eq",
    "implies",
    "ite",
    "le",
    "leaves",
    "not_",
    "number",
    "or_",
    "substitute",
    "subterms",
    "subtract",
    "variable",
    "variables",
]


class SymbolicConditionError(TypeError):
    """A rule asked a term that is not constant for its truth value."""


class Op(enum.Enum):
    """The operators of the language.  Every reading has a case for each, and its last arm raises."""

    __hash__ = object.__hash__  # members are compared by identity; the inherited hash of the name is slow

    CONST = enum.auto()
    VAR = enum.auto()
    NOT = enum.auto()
    AND = enum.auto()
    OR = enum.auto()
    EQ = enum.auto()
    ITE = enum.auto()
    ADD = enum.auto()
    SUB = enum.auto()
    LE = enum.auto()


@dataclass(frozen=True, slots=True, eq=False)
class Sort:
    """A domain of values.

    Parameters
    ----------
    name
        For messages.
    members
        The members of an enumeration, in the order of their codes; empty for truth values and integers.
    """

    name: str
    members: tuple[Hashable, ...] = ()
    codes: Mapping[Hashable, int] = field(init=False, repr=False)
    constants: dict[int, Term] = field(init=False, repr=False, default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "codes", {member: code for code, member in enumerate(self.members)})
        if len(self.codes) != len(self.members):
            raise ValueError(f"sort {self.name!r} names a member twice")

    @property
    def full_mask(self) -> int:
        """The bit mask of all members."""
        return (1 << len(self.members)) - 1

    def code(self, member: Hashable) -> int:
        """The code of a member; raises KeyError, naming the sort, for anything else."""
        try:
            return self.codes[member]
        except KeyError:
            raise KeyError(f"{member!r} is not a member of {self.name}") from None


BOOL = Sort("truth value")
INT = Sort("integer")


class Term:
    """A node.  Made by the functions of this module only; never by its constructor.

    ``payload`` is the code of a constant or the key of a variable.  ``low`` and ``high`` bound an integer (inclusive);
    ``mask`` has a bit for each code an enumeration term can take.
    """

    __slots__ = ("__weakref__", "args", "high", "low", "mask", "op", "payload", "sort", "uid")

    _interned: ClassVar[weakref.WeakValueDictionary[tuple[object, ...], Term]] = weakref.WeakValueDictionary()
    _serial: ClassVar[Iterator[int]] = itertools.count()

    op: Op
    sort: Sort
    args: tuple[Term, ...]
    payload: Hashable
    low: int
    high: int
    mask: int
    uid: int

    def __bool__(self) -> bool:
        if self is TRUE:
            return True
        if self is FALSE:
            return False
        raise SymbolicConditionError(f"the truth of {self} is not known while the rule is built; use when() or ite()")

    def __and__(self, other: Term) -> Term:
        return and_(self, other)

    def __or__(self, other: Term) -> Term:
        return or_(self, other)

    def __invert__(self) -> Term:
        return not_(self)

    def __add__(self, other: Term | int) -> Term:
        return add(self, _lift(other))

    def __sub__(self, other: Term | int) -> Term:
        return subtract(self, _lift(other))

    def __le__(self, other: Term | int) -> Term:
        return le(self, _lift(other))

    def __ge__(self, other: Term | int) -> Term:
        return le(_lift(other), self)

    def __lt__(self, other: Term | int) -> Term:
        return not_(le(_lift(other), self))

    def __gt__(self, other: Term | int) -> Term:
        return not_(le(self, _lift(other)))

    def is_(self, member: Hashable) -> Term:
        """Whether this term has the value ``member`` (a member of its sort, an integer, or a term)."""
        if isinstance(member, Term):
            return eq(self, member)
        if self.sort is INT:
            return eq(self, number(member))  # type: ignore[arg-type]
        code = self.sort.codes.get(member)
        return FALSE if code is None else eq(self, _constant(self.sort, code))

    def isnt(self, member: Hashable) -> Term:
        """The negation of :meth:`is_`."""
        return not_(self.is_(member))

    def among(self, members: Iterable[Hashable]) -> Term:
        """Whether this term has one of the values."""
        return or_(*(self.is_(member) for member in members))

    @property
    def is_constant(self) -> bool:
        """Whether the term is a constant."""
        return self.op is Op.CONST

    @property
    def value(self) -> Hashable:
        """The value of a constant: a bool, an int or a member.  Raises for any other term."""
        if self.op is not Op.CONST:
            raise SymbolicConditionError(f"{self} is not a constant")
        if self.sort is BOOL:
            return bool(self.payload)
        code = self.payload
        assert isinstance(code, int)
        return code if self.sort is INT else self.sort.members[code]

    def possible(self) -> Iterator[Hashable]:
        """The members that an enumeration term can take, in the order of their codes."""
        return (m for code, m in enumerate(self.sort.members) if self.mask >> code & 1)

    def __str__(self) -> str:
        match self.op:
            case Op.CONST:
                return str(self.value)
            case Op.VAR:
                return str(self.payload)
            case Op.ITE:
                return "({1} if {0} else {2})".format(*self.args)
            case Op.NOT:
                return f"not {self.args[0]}"
            case _:
                return "(" + f" {self.op.name.lower()} ".join(map(str, self.args)) + ")"

    __repr__ = __str__


def _make(op: Op, sort: Sort, args: tuple[Term, ...], payload: Hashable, low: int, high: int, mask: int) -> Term:
    key = (op, sort, payload, low, high, mask) if op is Op.VAR else (op, sort, payload, *args)
    term = Term._interned.get(key)
    if term is None:
        term = Term()
        term.op, term.sort, term.args, term.payload = op, sort, args, payload
        term.low, term.high, term.mask = low, high, mask
        term.uid = next(Term._serial)
        Term._interned[key] = term
    return term


def _constant(sort: Sort, code: int) -> Term:
    found = sort.constants.get(code)
    if found is None:
        found = sort.constants[code] = _make(Op.CONST, sort, (), code, code, code, 0 if sort is INT else 1 << code)
    return found


FALSE = _constant(BOOL, 0)
TRUE = _constant(BOOL, 1)


def const(sort: Sort, member: Hashable) -> Term:
    """The constant of an enumeration sort with the value ``member``."""
    return _constant(sort, sort.code(member))


def number(value: int) -> Term:
    """The integer constant ``value``."""
    return _constant(INT, value)


def _lift(value: Term | int) -> Term:
    return value if isinstance(value, Term) else number(value)


def variable(key: Hashable, sort: Sort, *, low: int = 0, high: int = 0, mask: int = 0) -> Term:
    """A variable.

    Parameters
    ----------
    key
        What the readings look up.
    low, high
        Inclusive bounds of an integer.
    mask
        The codes an enumeration variable can take; all of them if zero.

    Returns
    -------
    Term
        The variable, or the one constant that its domain leaves.
    """
    if sort is INT:
        return number(low) if low == high else _make(Op.VAR, sort, (), key, low, high, 0)
    if sort is BOOL:
        return _make(Op.VAR, sort, (), key, 0, 1, 3)
    mask = mask or sort.full_mask
    if mask & (mask - 1) == 0:
        return _constant(sort, mask.bit_length() - 1)
    return _make(Op.VAR, sort, (), key, 0, 0, mask)


def not_(a: Term) -> Term:
    """Negation."""
    if a.op is Op.CONST:
        return FALSE if a is TRUE else TRUE
    if a.op is Op.NOT:
        return a.args[0]
    return _make(Op.NOT, BOOL, (a,), None, 0, 1, 3)


def _flatten(op: Op, parts: Iterable[Term], neutral: Term, absorbing: Term) -> dict[Term, None] | None:
    """The distinct operands with nested uses of ``op`` opened; None if the absorbing value is among them."""
    found: dict[Term, None] = {}
    for part in parts:
        if part is neutral:
            continue
        if part is absorbing:
            return None
        for operand in part.args if part.op is op else (part,):
            found[operand] = None
    return found


def _literal(term: Term) -> tuple[Term, Term, bool] | None:
    """(subject, constant, sign) if the term says that a subject has, or has not, a constant value."""
    sign = term.op is not Op.NOT
    atom = term if sign else term.args[0]
    if atom.op is Op.EQ and atom.args[1].op is Op.CONST:
        return atom.args[0], atom.args[1], sign
    return None


def _junction(op: Op, parts: Iterable[Term], neutral: Term, absorbing: Term) -> Term:
    """Conjunction or its dual.  ``x is a`` and ``x is b`` exclude each other; ``x is a`` makes ``x is not b`` idle."""
    found = _flatten(op, parts, neutral, absorbing)
    if found is None:
        return absorbing
    if len(found) > 1:
        pinned: dict[Term, Term] = {}
        wanted = op is Op.AND
        literals = [(operand, literal) for operand in found if (literal := _literal(operand)) is not None]
        for _, (subject, value, sign) in literals:
            if sign is wanted and pinned.setdefault(subject, value) is not value:
                return absorbing
        for operand, (subject, value, sign) in literals:
            if sign is not wanted and subject in pinned:
                if pinned[subject] is value:
                    return absorbing
                del found[operand]
        if any(operand.op is Op.NOT and operand.args[0] in found for operand in found):
            return absorbing
        dual = Op.OR if op is Op.AND else Op.AND
        for operand in [o for o in found if o.op is dual]:
            if any(part in found for part in operand.args):
                del found[operand]
    if not found:
        return neutral
    if len(found) == 1:
        return next(iter(found))
    return _make(op, BOOL, tuple(sorted(found, key=lambda t: t.uid)), None, 0, 1, 3)


def and_(*parts: Term) -> Term:
    """Conjunction; TRUE of nothing."""
    return _junction(Op.AND, parts, TRUE, FALSE)


def or_(*parts: Term) -> Term:
    """Disjunction; FALSE of nothing."""
    return _junction(Op.OR, parts, FALSE, TRUE)


def implies(premise: Term, conclusion: Term) -> Term:
    """Implication."""
    return or_(not_(premise), conclusion)


def eq(a: Term, b: Term) -> Term:
    """Equality of two terms of one sort."""
    if a.sort is not b.sort:
        raise TypeError(f"cannot compare {a.sort.name} with {b.sort.name}")
    if a is b:
        return TRUE
    if a.sort is BOOL:
        return _equivalence(a, b)
    if a.op is Op.CONST:
        a, b = b, a
    if a.op is Op.CONST:
        return FALSE
    disjoint = (a.high < b.low or b.high < a.low) if a.sort is INT else a.mask & b.mask == 0
    if disjoint:
        return FALSE
    if b.op is Op.CONST:
        if a.op is Op.ITE and (a.args[1].op is Op.CONST or a.args[2].op is Op.CONST):
            return ite(a.args[0], eq(a.args[1], b), eq(a.args[2], b))
        if a.sort is not INT and a.mask.bit_count() == 2 and a.mask & -a.mask != b.mask:
            return not_(eq(a, _constant(a.sort, (a.mask & -a.mask).bit_length() - 1)))
    elif b.uid < a.uid:
        a, b = b, a
    return _make(Op.EQ, BOOL, (a, b), None, 0, 1, 3)


def _equivalence(a: Term, b: Term) -> Term:
    for x, y in ((a, b), (b, a)):
        if x.op is Op.CONST:
            return y if x is TRUE else not_(y)
    if a is not_(b):
        return FALSE
    return or_(and_(a, b), and_(not_(a), not_(b)))


def ite(condition: Term, then: Term, other: Term) -> Term:
    """``then`` where the condition holds, else ``other``."""
    if condition is TRUE or then is other:
        return then
    if condition is FALSE:
        return other
    if then.sort is BOOL:
        if then.op is Op.CONST:
            return or_(condition, other) if then is TRUE else and_(not_(condition), other)
        if other.op is Op.CONST:
            return or_(not_(condition), then) if other is TRUE else and_(condition, then)
    if condition.op is Op.NOT:
        condition, then, other = condition.args[0], other, then
    if then.op is Op.ITE and then.args[0] is condition:
        then = then.args[1]
    if other.op is Op.ITE:
        if other.args[0] is condition:
            other = other.args[2]
        elif other.args[1] is then:
            return ite(or_(condition, other.args[0]), then, other.args[2])
    if then is other:
        return then
    low, high, mask = min(then.low, other.low), max(then.high, other.high), then.mask | other.mask
    return _make(Op.ITE, then.sort, (condition, then, other), None, low, high, mask)


def add(*parts: Term) -> Term:
    """Sum of integers; 0 of nothing."""
    total, operands = 0, []
    for part in parts:
        for operand in part.args if part.op is Op.ADD else (part,):
            if operand.op is Op.CONST:
                total += operand.low
            else:
                operands.append(operand)
    if not operands:
        return number(total)
    if len(operands) == 1 and total == 0:
        return operands[0]
    operands.sort(key=lambda t: t.uid)
    if total:
        operands.append(number(total))
    low, high = sum(t.low for t in operands), sum(t.high for t in operands)
    return _make(Op.ADD, INT, tuple(operands), None, low, high, 0)


def subtract(a: Term, b: Term) -> Term:
    """Difference of two integers."""
    if b.op is Op.CONST:
        return add(a, number(-b.low))
    if a is b:
        return number(0)
    return _make(Op.SUB, INT, (a, b), None, a.low - b.high, a.high - b.low, 0)


def le(a: Term, b: Term) -> Term:
    """Whether ``a`` is at most ``b``."""
    if a is b or a.high <= b.low:
        return TRUE
    if a.low > b.high:
        return FALSE
    for whole, other, flip in ((a, b, False), (b, a, True)):
        if whole.op is Op.ITE and other.op is Op.CONST:
            then, orelse = whole.args[1], whole.args[2]
            return ite(whole.args[0], *((le(other, x) if flip else le(x, other)) for x in (then, orelse)))
    return _make(Op.LE, BOOL, (a, b), None, 0, 1, 3)


def count(conditions: Iterable[Term]) -> Term:
    """How many of the conditions hold."""
    return add(*(ite(condition, number(1), number(0)) for condition in conditions))


def subterms(roots: Iterable[Term]) -> Iterator[Term]:
    """Every distinct subterm of the roots, operands before the terms that use them."""
    done: set[Term] = set()
    for root in roots:
        stack = [(root, False)]
        while stack:
            term, expanded = stack.pop()
            if expanded:
                yield term
            elif term not in done:
                done.add(term)
                stack.append((term, True))
                stack.extend((arg, False) for arg in term.args if arg not in done)


def variables(roots: Iterable[Term]) -> dict[Hashable, Term]:
    """The variables in the roots, by key."""
    return {term.payload: term for term in subterms(roots) if term.op is Op.VAR}


_REBUILD: Mapping[Op, Callable[..., Term]] = {
    Op.NOT: not_,
    Op.AND: and_,
    Op.OR: or_,
    Op.EQ: eq,
    Op.ITE: ite,
    Op.ADD: add,
    Op.SUB: subtract,
    Op.LE: le,
}


def substitute(root: Term, replacement: Mapping[Hashable, Term], memo: dict[Term, Term] | None = None) -> Term:
    """``root`` with variables replaced, simplified again.

    Parameters
    ----------
    replacement
        Terms by the key of the variable they stand for; other variables stay.
    memo
        Results to share between calls with the same replacement.
    """
    memo = {} if memo is None else memo
    for term in subterms([root]):
        if term in memo:
            continue
        if term.op is Op.VAR:
            memo[term] = replacement.get(term.payload, term)
        elif term.op is Op.CONST:
            memo[term] = term
        else:
            args = [memo[arg] for arg in term.args]
            same = all(new is old for new, old in zip(args, term.args, strict=True))
            memo[term] = term if same else _REBUILD[term.op](*args)
    return memo[root]


def leaves(term: Term) -> Iterator[Term]:
    """The terms that a chain of ``ite`` can yield, without their conditions."""
    stack, done = [term], set()
    while stack:
        top = stack.pop()
        if top in done:
            continue
        done.add(top)
        if top.op is Op.ITE:
            stack.extend(top.args[1:])
        else:
            yield top
