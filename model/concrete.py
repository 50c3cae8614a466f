"""The rules on one concrete state: what is enabled, why something is not, and what comes next.

The same rules run on the same recorder; every read is a constant, so terms fold to plain values and thirty objects take
milliseconds.  Nothing is grounded but what is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from model.game import actions
from model.peek import Peek
from model.setup import Setup
from model.state import Disabled, Domain, Requirement, Schema, State, Variable
from model.system import Candidate, Label
from model.terms import INT, Term

__all__ = ["Enabled", "Position", "Refused", "Taken"]


@dataclass(frozen=True, slots=True)
class Enabled:
    """An action that may be taken now, with what it would write."""

    candidate: Candidate
    state: State


@dataclass(frozen=True, slots=True)
class Refused:
    """An action that may not be taken now, and the conjunct of its guard that is false."""

    label: Label
    requirement: Requirement


@dataclass(frozen=True, slots=True)
class Taken:
    """An action that was taken: its label, what happened, and which rules decided it."""

    label: Label
    events: tuple[str, ...]
    cites: tuple[str, ...]


class Position:
    """A concrete state of a scenario, which actions move on.

    Parameters
    ----------
    setup
        The scenario's fixed part; the position starts at its initial state.
    """

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.schema = Schema(setup)
        self._codes: dict[Variable, int] = {}
        self._peek = Peek(self.schema, self._domain)

    def _code(self, variable: Variable) -> int:
        return self._codes.get(variable, variable.initial)

    def _domain(self, variable: Variable) -> Domain:
        return Domain.single(variable.domain.sort, self._code(variable))

    def _read(self, variable: Variable) -> Term:
        return variable.domain.constant(self._code(variable))

    def view(self) -> State:
        """A recorder over this state, to be read."""
        return State(self.schema, self._read)

    def candidates(self) -> Iterator[Candidate]:
        """Everything that might be done, as far as zones and the stack allow."""
        return actions(self._peek)

    def attempt(self, candidate: Candidate) -> Enabled | Refused:
        """Run a candidate on this state, without taking it."""
        state = self.view()
        try:
            candidate.run(state)
        except Disabled as disabled:
            return Refused(candidate.label, disabled.requirement)
        return Enabled(candidate, state)

    def enabled(self, wanted: Callable[[Label], bool] | None = None) -> Iterator[Enabled]:
        """The enabled actions whose label is wanted."""
        for candidate in self.candidates():
            if wanted is None or wanted(candidate.label):
                outcome = self.attempt(candidate)
                if isinstance(outcome, Enabled):
                    yield outcome

    def refusals(self, wanted: Callable[[Label], bool]) -> Iterator[Refused]:
        """The actions whose label is wanted and that are not enabled."""
        for candidate in self.candidates():
            if wanted(candidate.label):
                outcome = self.attempt(candidate)
                if isinstance(outcome, Refused):
                    yield outcome

    def take(self, chosen: Enabled) -> Taken:
        """Take an enabled action.

        Raises
        ------
        OverflowError
            If it would leave a declared range.
        """
        state = chosen.state
        if bool(state.overflow):
            raise OverflowError(f"{chosen.candidate.label} leaves a declared range; widen the scenario's bounds")
        for variable, term in state.writes.items():
            self._codes[variable] = _code(variable, term)
        return Taken(
            chosen.candidate.label,
            tuple(f"{e.kind}: {', '.join(map(str, e.subjects))}" for e in state.events if bool(e.condition)),
            tuple(rule for rule, condition in state.citations.items() if bool(condition)),
        )

    def snapshot(self) -> dict[Variable, int]:
        """The codes that differ from the initial ones, for going back to."""
        return dict(self._codes)

    def restore(self, snapshot: dict[Variable, int]) -> None:
        """Go back to a snapshot."""
        self._codes = dict(snapshot)


def _code(variable: Variable, term: Term) -> int:
    if variable.domain.sort is INT:
        return term.low
    return int(term.payload)  # type: ignore[call-overload, no-any-return]
