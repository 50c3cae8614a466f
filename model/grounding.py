"""From rules to a transition system.

Grounding runs every candidate action once on a symbolic state and keeps those whose guard is not false.  What a
variable can be is not known beforehand, so it is found by a fixpoint (the Cartesian abstraction of Cousot and Cousot):
each variable starts with its initial value alone, each recorded update adds the values that its term can yield, and a
candidate is run again when a variable that it read has gained a value.  Everything that stays single is a constant
while rules run, so printed card data, unused zones and impossible causes vanish from the terms.

The result over-approximates the reachable values, which is sound: an action is dropped only if its guard is false for
every combination of values that the variables were found to take.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from model.state import Disabled, Domain, Schema, State, Variable
from model.system import Action, Candidate, Code, TransitionSystem, order_variables
from model.terms import BOOL, FALSE, INT, Term, leaves

__all__ = ["ground"]


def ground(
    name: str,
    schema: Schema,
    candidates: Sequence[Candidate],
    *,
    free: Mapping[Variable, tuple[Code, ...]] | None = None,
    terminal: tuple[object, ...] | None = None,
) -> TransitionSystem:
    """Run the candidates to a fixpoint.

    Parameters
    ----------
    name
        The name of the system.
    schema
        Makes the variables, each with its initial code.
    candidates
        Everything that might be done, in the order that breaks ties.
    free
        Variables with several initial codes.
    terminal
        Family and index of the truth value that says that the game is over.

    Returns
    -------
    TransitionSystem
        Over the variables that can take more than one value.
    """
    free = free or {}
    domains = {v: _hull(v, codes) for v, codes in free.items()}
    abstraction = _Abstraction(schema, domains)
    recorded: list[Action | None] = [None] * len(candidates)
    reads: list[frozenset[Variable]] = [frozenset()] * len(candidates)
    pending = range(len(candidates))
    while pending:
        changed: set[Variable] = set()
        for i in pending:
            recorded[i], reads[i] = abstraction.record(candidates[i])
            if (action := recorded[i]) is not None:
                changed.update(abstraction.absorb(action))
        pending = [i for i in range(len(candidates)) if not changed.isdisjoint(reads[i])]  # type: ignore[assignment]
    live = {v: d for v, d in domains.items() if not d.is_single}
    variables = order_variables(list(live))
    initial = {v: free.get(v, (v.initial,)) for v in variables}
    reader = State(schema, abstraction.read)
    over = reader[terminal] if terminal is not None else FALSE
    actions = tuple(action for action in recorded if action is not None)
    return TransitionSystem(name, variables, live, initial, actions, over, schema)


def _hull(variable: Variable, codes: Sequence[Code]) -> Domain:
    domain = Domain.single(variable.domain.sort, codes[0])
    for code in codes[1:]:
        domain = domain.union(Domain.single(variable.domain.sort, code))
    return domain


class _Abstraction:
    """What each variable can be, so far."""

    def __init__(self, schema: Schema, domains: dict[Variable, Domain]) -> None:
        self._schema = schema
        self._domains = domains

    def read(self, variable: Variable) -> Term:
        domain = self._domains.get(variable)
        if domain is None:
            domain = self._domains[variable] = Domain.single(variable.domain.sort, variable.initial)
        return domain.term(variable)

    def record(self, candidate: Candidate) -> tuple[Action | None, frozenset[Variable]]:
        """Run a candidate.  Returns its action, or None if its guard is false, and what it read."""
        state = State(self._schema, self.read)
        try:
            candidate.run(state)
            action: Action | None = Action.recorded(candidate.label, state)
        except Disabled:
            action = None
        return action, frozenset(state.reads)

    def absorb(self, action: Action) -> list[Variable]:
        """Add the values that an action writes.  Returns the variables that gained one."""
        changed = []
        for variable, term in action.updates.items():
            self.read(variable)
            old = self._domains[variable]
            new = old.union(_values(variable, term))
            if new != old:
                if variable.domain.sort is INT:
                    new = variable.domain  # widening: a counter would otherwise climb one value a round
                self._domains[variable] = new
                changed.append(variable)
        return changed


def _values(variable: Variable, term: Term) -> Domain:
    """The values that a term can yield, within the declared domain of the variable it is written to."""
    sort = variable.domain.sort
    if sort is BOOL:
        low = 1 if term.is_constant and term.payload == 1 else 0
        high = 0 if term.is_constant and term.payload == 0 else 1
        return Domain(BOOL, low, high)
    if sort is INT:
        return Domain(INT, term.low, term.high).intersection(variable.domain)
    mask = 0
    for leaf in leaves(term):
        mask |= leaf.mask
    return Domain(sort, mask=mask).intersection(variable.domain)
