"""The plain reading: what terms and actions mean, in Python and without a solver.

It is the reference for the other readings, and replays every play before it is shown.  So it is written to be
checked by eye: one case for each operator, and nothing shared with the compiled or the symbolic reading.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from model.state import Variable
from model.system import Action, Code, Path, Step, TransitionSystem
from model.terms import Op, Term, subterms

__all__ = ["DomainError", "Refusal", "ReplayError", "Valuation", "enabled", "evaluate", "replay", "successor"]


class ReplayError(ValueError):
    """A path is not a play of the system: its start is not initial, or a step cannot be taken."""


class DomainError(AssertionError):
    """A step writes a value outside the domain of its variable, which the system promised never to do."""


class Refusal(enum.Enum):
    """Why an action has no successor in a state."""

    DISABLED = "its guard is false"
    OVERFLOW = "it would leave a declared range"


def evaluate(term: Term, codes: Mapping[Any, Code], memo: dict[Term, Code] | None = None) -> Code:
    """The value of a term.

    Parameters
    ----------
    term
        What to evaluate.
    codes
        The value of each variable by its key: 0 or 1, the code of a member, or the integer itself.
    memo
        Values of subterms, to share between calls with the same ``codes``.

    Returns
    -------
    int
        The value, coded in the same way.

    Raises
    ------
    KeyError
        If a variable that decides the value has none.
    """
    memo = {} if memo is None else memo
    try:
        return _value(term, codes, memo)
    except RecursionError:
        # Operands come first, so that no evaluation goes deeper than one level.
        for part in subterms([term]):
            _value(part, codes, memo)
        return memo[term]


def _value(term: Term, codes: Mapping[Any, Code], memo: dict[Term, Code]) -> Code:
    found = memo.get(term)
    if found is None:
        found = memo[term] = _apply(term, codes, memo)
    return found


def _apply(term: Term, codes: Mapping[Any, Code], memo: dict[Term, Code]) -> Code:
    args = term.args
    match term.op:
        case Op.VAR:
            return codes[term.payload]
        case Op.CONST:
            assert isinstance(term.payload, int)
            return term.payload
        case Op.EQ:
            return int(_value(args[0], codes, memo) == _value(args[1], codes, memo))
        case Op.AND:
            for arg in args:
                if not _value(arg, codes, memo):
                    return 0
            return 1
        case Op.OR:
            for arg in args:
                if _value(arg, codes, memo):
                    return 1
            return 0
        case Op.NOT:
            return 1 - _value(args[0], codes, memo)
        case Op.ITE:
            return _value(args[1 if _value(args[0], codes, memo) else 2], codes, memo)
        case Op.ADD:
            return sum(_value(arg, codes, memo) for arg in args)
        case Op.SUB:
            return _value(args[0], codes, memo) - _value(args[1], codes, memo)
        case Op.LE:
            return int(_value(args[0], codes, memo) <= _value(args[1], codes, memo))
        case _:
            raise NotImplementedError(f"the plain reading has no case for {term.op}")


@dataclass(slots=True)
class Valuation:
    """The plain reading at one state; what it has evaluated is shared by all that is asked of it.

    Parameters
    ----------
    system
        The system.
    state
        The codes in the order of the system's variables.
    """

    system: TransitionSystem
    state: tuple[Code, ...]
    codes: Mapping[Any, Code] = field(init=False)
    _memo: dict[Term, Code] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.codes = dict(zip(self.system.variables, self.state, strict=True))

    def value(self, term: Term) -> Code:
        """The value of a term over the state."""
        known = self._memo.get(term)
        return evaluate(term, self.codes, self._memo) if known is None else known

    def enabled(self, action: Action) -> bool:
        """Whether the guard of an action holds, whether or not it would overflow."""
        return all(self.value(requirement.condition) for requirement in action.requirements)

    def successor(self, action: Action) -> tuple[Code, ...] | Refusal:
        """The state after an action, or why there is none.

        Raises
        ------
        DomainError
            If the action writes a value that the system said it never would.
        """
        if not self.enabled(action):
            return Refusal.DISABLED
        if self.value(action.overflow):
            return Refusal.OVERFLOW
        after = list(self.state)
        for variable, term in action.updates.items():
            after[self.system.position[variable]] = self._written(variable, term, action)
        return tuple(after)

    def _written(self, variable: Variable, term: Term, action: Action) -> Code:
        code = self.value(term)
        if code not in self.system.domains[variable]:
            raise DomainError(f"{action.label} writes {code} to {variable}, outside {self.system.domains[variable]}")
        return code


def enabled(system: TransitionSystem, action: Action, state: tuple[Code, ...]) -> bool:
    """Whether the guard of ``action`` holds in ``state``, whether or not the step would overflow."""
    return Valuation(system, state).enabled(action)


def successor(system: TransitionSystem, action: Action, state: tuple[Code, ...]) -> tuple[Code, ...] | Refusal:
    """The state after ``action`` in ``state``, or why there is none."""
    return Valuation(system, state).successor(action)


def replay(system: TransitionSystem, path: Path) -> list[Step]:
    """Take the steps of a path one by one.

    Parameters
    ----------
    system
        The system, which need not be the one on which the path was found.
    path
        The initial codes and the actions.

    Returns
    -------
    list of Step
        Every step with the codes before and after it.

    Raises
    ------
    ReplayError
        If the start is not an initial state or a step cannot be taken; says which, and what the guard asks for.
    """
    for variable, code in zip(system.variables, path.initial, strict=True):
        if code not in system.initial[variable]:
            raise ReplayError(f"the play starts with {variable} = {code}, which is not initial in {system.name}")
    steps, state = [], path.initial
    for number, index in enumerate(path.actions, 1):
        valuation = Valuation(system, state)
        action = system.actions[index]
        after = valuation.successor(action)
        if isinstance(after, Refusal):
            unmet = [r.says for r in action.requirements if not valuation.value(r.condition)]
            detail = f": not so: {'; '.join(unmet)}" if unmet else ""
            raise ReplayError(f"step {number}, {action.label}, cannot be taken: {after.value}{detail}")
        steps.append(Step(index, state, after))
        state = after
    return steps
