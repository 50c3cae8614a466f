"""The symbolic reading: what terms and actions mean to Z3.

Truth values become Z3's own, members of an enumeration become bit-vectors of the width of their sort, and an integer
becomes a bit-vector just wide enough for the interval that its term proves: unsigned if nothing in it is negative,
two's complement otherwise.  An operator first brings its operands to a shape that holds all of them and its result, so
nothing wraps around.  Integers of Z3 itself would need no such care, but keep the solver from working on bits alone.

A variable has one symbol for each moment, and each symbol is held to the domain of its variable.  A step from one
moment to the next is told by a choice, the index of the action taken; the overflow of an action is excluded as the
plain reading excludes it.  Terms are lowered once, at moment 0, and moved to other moments by substitution.

Everything lives in a Z3 context of its own, so that two readings share nothing.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Any

import z3

from model.state import Domain, Variable
from model.system import Code, Path, TransitionSystem
from model.terms import BOOL, FALSE, INT, Op, Sort, Term, and_, eq, le, not_, number, or_, substitute, subterms

__all__ = ["Lowering", "Shape"]

Expression = Any
"""A Z3 expression; the Python interface of Z3 is not typed."""


@dataclass(frozen=True, slots=True)
class Shape:
    """How a bit-vector stands for integers: how many bits, and whether they are two's complement."""

    width: int
    signed: bool

    @staticmethod
    def of(low: int, high: int) -> Shape:
        """The narrowest shape that holds every integer from ``low`` to ``high``."""
        if low >= 0:
            return Shape(max(1, high.bit_length()), False)
        return Shape(max(high.bit_length(), (~low).bit_length()) + 1, True)


def _sort_shape(sort: Sort) -> Shape:
    return Shape.of(0, len(sort.members) - 1)


def _shape(term: Term) -> Shape:
    return Shape.of(term.low, term.high) if term.sort is INT else _sort_shape(term.sort)


def _domain_shape(domain: Domain) -> Shape:
    return Shape.of(domain.low, domain.high) if domain.sort is INT else _sort_shape(domain.sort)


@dataclass(slots=True, eq=False)
class Lowering:
    """The symbolic reading of one system.

    Parameters
    ----------
    system
        The system.
    context
        The Z3 context in which everything is made; a new one if none is given.

    Raises
    ------
    ValueError
        If the system has no initial state, or one outside its domains.
    """

    system: TransitionSystem
    context: Any = field(default_factory=z3.Context)
    _frames: list[list[Expression]] = field(init=False, default_factory=list)
    _choices: list[Expression] = field(init=False, default_factory=list)
    _lowered: dict[Term, Expression] = field(init=False, default_factory=dict)
    _after: dict[int, dict[Term, Term]] = field(init=False, default_factory=dict)
    _domain: list[Expression] = field(init=False, default_factory=list)
    _step: list[Expression] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        for variable in self.system.variables:
            codes, domain = self.system.initial[variable], self.system.domains[variable]
            if not codes:
                raise ValueError(f"{self.system.name} has no initial state: {variable} has no initial value")
            if outside := [code for code in codes if code not in domain]:
                raise ValueError(f"{variable} starts with {outside[0]}, outside its domain in {self.system.name}")

    # Symbols

    def symbols(self, time: int) -> Sequence[Expression]:
        """The symbol of each variable at a moment, in the order of the system's variables."""
        while len(self._frames) <= time:
            now = len(self._frames)
            self._frames.append([self._symbol(i, v, now) for i, v in enumerate(self.system.variables)])
        return self._frames[time]

    def _symbol(self, i: int, variable: Variable, time: int) -> Expression:
        # SMT-LIB has no way to write some characters in a name, so only plain ones are kept and the index tells apart.
        name = f"v{i}.{re.sub(r'[^A-Za-z0-9]+', '_', str(variable)).strip('_')}@{time}"
        domain = self.system.domains[variable]
        if domain.sort is BOOL:
            return z3.Bool(name, self.context)
        return z3.BitVec(name, _domain_shape(domain).width, self.context)

    def choice(self, time: int) -> Expression:
        """The index of the action taken from a moment to the next."""
        while len(self._choices) <= time:
            width = Shape.of(0, len(self.system.actions) - 1 if self.system.actions else 0).width
            self._choices.append(z3.BitVec(f"action@{len(self._choices)}", width, self.context))
        return self._choices[time]

    def takes(self, action: int, time: int) -> Expression:
        """Whether the step from a moment to the next is this action."""
        choice = self.choice(time)
        return choice == z3.BitVecVal(action, choice.size(), self.context)

    # Formulas

    def all_of(self, parts: Sequence[Expression]) -> Expression:
        """Conjunction of Z3 expressions, true of none."""
        return z3.And(*parts) if len(parts) > 1 else parts[0] if parts else z3.BoolVal(True, self.context)

    def any_of(self, parts: Sequence[Expression]) -> Expression:
        """Disjunction of Z3 expressions, false of none."""
        return z3.Or(*parts) if len(parts) > 1 else parts[0] if parts else z3.BoolVal(False, self.context)

    def term(self, term: Term, time: int = 0) -> Expression:
        """The value of a term at a moment.

        Raises
        ------
        ValueError
            If the term has a variable that the system has not, or has with another sort.
        """
        return self._move(self._lower(term), time)

    def _move(self, expression: Expression, time: int, after: bool = False) -> Expression:
        """An expression over moment 0, and over moment 1 and the choice if ``after``, told of a later moment."""
        if time == 0:
            return expression
        pairs = list(zip(self.symbols(0), self.symbols(time), strict=True))
        if after:
            pairs += zip(self.symbols(1), self.symbols(time + 1), strict=True)
            pairs.append((self.choice(0), self.choice(time)))
        return z3.substitute(expression, *pairs) if pairs else expression

    def after(self, term: Term, action: int) -> Term:
        """The term whose value now, if the action can be taken, is the value of ``term`` once it is."""
        updates: dict[Hashable, Term] = dict(self.system.actions[action].updates.items())
        return substitute(term, updates, self._after.setdefault(action, {}))

    def domain(self, time: int) -> Expression:
        """That every variable is in its domain at a moment."""
        if not self._domain:
            symbols = zip(self.system.variables, self.symbols(0), strict=True)
            parts = [part for v, symbol in symbols for part in self._within(symbol, self.system.domains[v])]
            self._domain.append(self.all_of(parts))
        return self._move(self._domain[0], time)

    def _within(self, symbol: Expression, domain: Domain) -> Iterator[Expression]:
        if domain.sort is BOOL:
            return
        shape = _domain_shape(domain)
        if domain.sort is INT:
            least, most = (
                (-(1 << shape.width - 1), (1 << shape.width - 1) - 1) if shape.signed else (0, (1 << shape.width) - 1)
            )
            low, high = self._value(domain.low, shape), self._value(domain.high, shape)
            if domain.low > least:
                yield low <= symbol if shape.signed else z3.ULE(low, symbol)
            if domain.high < most:
                yield symbol <= high if shape.signed else z3.ULE(symbol, high)
            return
        if domain.last < (1 << shape.width) - 1:
            yield z3.ULE(symbol, self._value(domain.last, shape))
        for code in range(domain.last):
            if code not in domain:
                yield symbol != self._value(code, shape)

    def _value(self, code: int, shape: Shape) -> Expression:
        return z3.BitVecVal(code, shape.width, self.context)

    def init(self, time: int = 0) -> Expression:
        """That the state at a moment is an initial one."""
        parts = []
        for variable, symbol in zip(self.system.variables, self.symbols(time), strict=True):
            codes, domain = self.system.initial[variable], self.system.domains[variable]
            parts.append(self.any_of([self._is(symbol, code, domain) for code in sorted(set(codes))]))
        return self.all_of(parts)

    def _is(self, symbol: Expression, code: Code, domain: Domain) -> Expression:
        if domain.sort is BOOL:
            return symbol if code else z3.Not(symbol)
        return symbol == self._value(code, _domain_shape(domain))

    def can(self, action: int) -> Term:
        """When an action can be taken: its guard holds and it does not overflow."""
        return and_(self.system.actions[action].guard, not_(self.system.actions[action].overflow))

    def overflows(self) -> Term:
        """When some action is enabled but would leave a declared range."""
        return or_(*(and_(action.guard, action.overflow) for action in self.system.actions))

    def escapes(self, action: int) -> Term:
        """When an action can be taken, and writes a value that the system says its variable never has.

        FALSE of every state in a sound system; both ways of searching rest on that, so they ask.
        """
        outside = []
        for variable, term in self.system.actions[action].updates.items():
            domain = self.system.domains.get(variable)
            if domain is None:
                domain = Domain.single(variable.domain.sort, variable.initial)
            outside.append(_outside(domain, term))
        found = or_(*outside)
        return FALSE if found is FALSE else and_(self.can(action), found)

    def transition(self, time: int) -> Expression:
        """That the choice at a moment is an action that can be taken, and that it leads to the next moment."""
        if not self._step:
            self._step.append(self._first_step())
        return self._move(self._step[0], time, after=True)

    def _first_step(self) -> Expression:
        actions = range(len(self.system.actions))
        if not actions:
            return z3.BoolVal(False, self.context)
        parts = [z3.Implies(self.takes(a, 0), self.term(self.can(a))) for a in actions]
        width = self.choice(0).size()
        if len(actions) < 1 << width:
            parts.append(z3.ULE(self.choice(0), z3.BitVecVal(len(actions) - 1, width, self.context)))
        writers: dict[Variable, dict[Term, list[int]]] = {v: {} for v in self.system.variables}
        for a in actions:
            for variable, term in self.system.actions[a].updates.items():
                if variable in writers:
                    writers[variable].setdefault(term, []).append(a)
        for i, variable in enumerate(self.system.variables):
            shape = _domain_shape(self.system.domains[variable])
            value = self.symbols(0)[i]
            for term, indices in writers[variable].items():
                written = self.term(term) if term.sort is BOOL else self._fit(self.term(term), _shape(term), shape)
                value = z3.If(self.any_of([self.takes(a, 0) for a in indices]), written, value)
            parts.append(self.symbols(1)[i] == value)
        return self.all_of(parts)

    def differ(self, one: int, other: int) -> Expression:
        """That the states at two moments are not the same."""
        pairs = zip(self.symbols(one), self.symbols(other), strict=True)
        return self.any_of([a != b for a, b in pairs])

    # Models

    def state(self, model: Any, time: int) -> tuple[Code, ...]:
        """The codes at a moment of a model, in the order of the system's variables.

        Raises
        ------
        ValueError
            If the model has a value outside its domain.
        """
        codes = []
        for variable, symbol in zip(self.system.variables, self.symbols(time), strict=True):
            domain = self.system.domains[variable]
            value = model.eval(symbol, model_completion=True)
            if domain.sort is BOOL:
                code = int(z3.is_true(value))
            else:
                code = value.as_signed_long() if _domain_shape(domain).signed else value.as_long()
            if code not in domain:
                raise ValueError(f"the solver's model has {variable} = {code}, outside its domain")
            codes.append(code)
        return tuple(codes)

    def path(self, model: Any, length: int) -> Path:
        """The play that a model tells: its state at moment 0 and the choices of the first ``length`` steps."""
        choices = (model.eval(self.choice(time), model_completion=True).as_long() for time in range(length))
        return Path(self.state(model, 0), tuple(choices))

    # Terms

    def _lower(self, root: Term) -> Expression:
        lowered = self._lowered
        if root not in lowered:
            for term in subterms([root]):
                if term not in lowered:
                    lowered[term] = self._apply(term, [lowered[arg] for arg in term.args])
        return lowered[root]

    def _apply(self, term: Term, args: list[Expression]) -> Expression:
        match term.op:
            case Op.CONST:
                return (
                    z3.BoolVal(bool(term.payload), self.context)
                    if term.sort is BOOL
                    else z3.BitVecVal(term.payload, _shape(term).width, self.context)
                )
            case Op.VAR:
                return self._read(term)
            case Op.NOT:
                return z3.Not(args[0])
            case Op.AND:
                return z3.And(*args)
            case Op.OR:
                return z3.Or(*args)
            case Op.EQ:
                one, other = self._alike(term.args, args)
                return one == other
            case Op.LE:
                one, other = self._alike(term.args, args)
                return one <= other if _common(term.args).signed else z3.ULE(one, other)
            case Op.ITE:
                return z3.If(args[0], *self._alike(term.args[1:], args[1:], term))
            case Op.ADD:
                return self._narrow(term, reduce(operator.add, self._alike(term.args, args, term)))
            case Op.SUB:
                one, other = self._alike(term.args, args, term)
                return self._narrow(term, one - other)
            case _:
                raise NotImplementedError(f"the symbolic reading has no case for {term.op}")

    def _read(self, term: Term) -> Expression:
        position = self.system.position.get(term.payload)
        if position is None:
            raise ValueError(f"{term} is not a variable of {self.system.name}")
        variable = self.system.variables[position]
        domain, symbol = self.system.domains[variable], self.symbols(0)[position]
        if domain.sort is not term.sort:
            raise ValueError(f"{term} is a {term.sort.name} in a term and a {domain.sort.name} in {self.system.name}")
        # A term recorded under a guard may range narrower than its variable; it is asked for its value there only.
        return symbol if term.sort is BOOL else self._fit(symbol, _domain_shape(domain), _shape(term))

    def _alike(self, terms: Sequence[Term], args: list[Expression], *result: Term) -> list[Expression]:
        """The operands in one shape that holds every value of theirs and of the result."""
        if terms[0].sort is BOOL:
            return args
        shape = _common((*terms, *result))
        return [self._fit(arg, _shape(term), shape) for term, arg in zip(terms, args, strict=True)]

    def _narrow(self, term: Term, expression: Expression) -> Expression:
        return self._fit(expression, _common((*term.args, term)), _shape(term))

    def _fit(self, expression: Expression, old: Shape, new: Shape) -> Expression:
        """The same integer in another shape, which must be able to hold it."""
        if new.width <= old.width:
            return expression if new.width == old.width else z3.Extract(new.width - 1, 0, expression)
        extra = new.width - old.width
        return z3.SignExt(extra, expression) if old.signed else z3.ZeroExt(extra, expression)


def _common(terms: Sequence[Term]) -> Shape:
    if terms[0].sort is INT:
        return Shape.of(min(t.low for t in terms), max(t.high for t in terms))
    return _sort_shape(terms[0].sort)


def _outside(domain: Domain, term: Term) -> Term:
    """That a term has a value outside a domain."""
    if domain.sort is INT:
        return not_(and_(le(number(domain.low), term), le(term, number(domain.high))))
    if domain.sort is BOOL:
        return FALSE if not domain.is_single else not_(eq(term, domain.constant(domain.first)))
    stray = term.mask & ~domain.mask
    return or_(*(eq(term, domain.constant(code)) for code in range(stray.bit_length()) if stray >> code & 1))
