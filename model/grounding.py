"""From rules to a transition system.

Grounding runs every candidate action on a symbolic state and keeps those whose guard is not false.  What a variable can
be is not known beforehand, so it is found by a fixpoint (the Cartesian abstraction of Cousot and Cousot):
each variable starts with its initial value alone, each recorded update adds the values that its term can yield, and a
candidate is run again when a variable that it read has gained a value.  Candidates are enumerated anew in every round,
since what can be chosen depends on what can be where.  Everything that stays single is a constant
while rules run, so printed card data, unused zones and impossible causes vanish from the terms.

The result over-approximates the reachable values, which is sound: an action is dropped only if its guard is false for
every combination of values that the variables were found to take.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from model.state import Disabled, Domain, Schema, State, Variable
from model.system import Action, Candidate, Code, TransitionSystem, order_variables
from model.terms import BOOL, FALSE, INT, Term, leaves

__all__ = ["Recorder", "ground"]

Recorder = Callable[[Schema, Callable[[Variable], Term]], State]
"""Makes the recorder of one rule."""


def ground(
    name: str,
    schema: Schema,
    enumerate_candidates: Callable[[Callable[[Variable], Domain]], Iterable[Candidate]],
    *,
    free: Mapping[Variable, tuple[Code, ...]] | None = None,
    terminal: tuple[object, ...] | None = None,
    recorder: Recorder = State,
) -> TransitionSystem:
    """Run candidates to a fixpoint.

    Parameters
    ----------
    name
        The name of the system.
    schema
        Makes the variables, each with its initial code.
    enumerate_candidates
        Given what each variable can be, everything that might be done, in the order that breaks ties.
    free
        Variables with several initial codes.
    terminal
        Family and index of the truth value that says that the game is over.
    recorder
        Makes what a rule writes to, of the schema and of how variables are read.

    Returns
    -------
    TransitionSystem
        Over the variables that can take more than one value.
    """
    free = free or {}
    abstraction = _Abstraction(schema, {v: _hull(v, codes) for v, codes in free.items()}, recorder)
    recorded: dict[str, tuple[Action | None, frozenset[Variable]]] = {}
    changed: set[Variable] = set()
    order: list[str] = []
    while True:
        grown: set[Variable] = set()
        order.clear()
        ran = False
        for candidate in enumerate_candidates(abstraction.domain):
            key = candidate.label.key
            order.append(key)
            known = recorded.get(key)
            if known is not None and changed.isdisjoint(known[1]) and grown.isdisjoint(known[1]):
                continue
            ran = True
            recorded[key] = action, _ = abstraction.record(candidate)
            if action is not None:
                grown.update(abstraction.absorb(action))
        if not ran and not grown:
            break
        changed = grown
    if len(set(order)) != len(order):
        raise ValueError(f"two actions have one name: {next(k for k in order if order.count(k) > 1)}")
    names = [str(v) for v in abstraction.domains]
    if len(set(names)) != len(names):
        raise ValueError(f"two variables have one name: {next(n for n in names if names.count(n) > 1)}")
    live = {v: d for v, d in abstraction.domains.items() if not d.is_single}
    variables = order_variables(list(live))
    initial = {v: free.get(v, (v.initial,)) for v in variables}
    over = State(schema, abstraction.read)[terminal] if terminal is not None else FALSE
    # An update of a variable that stays single writes its one value wherever the step is followed.
    actions = tuple(
        replace(action, updates={v: t for v, t in action.updates.items() if v in live})
        for key in order
        if (action := recorded[key][0]) is not None
    )
    return TransitionSystem(name, variables, live, initial, actions, over, schema, recorder)


def _hull(variable: Variable, codes: Sequence[Code]) -> Domain:
    domain = Domain.single(variable.domain.sort, codes[0])
    for code in codes[1:]:
        domain = domain.union(Domain.single(variable.domain.sort, code))
    return domain


class _Abstraction:
    """What each variable can be, so far."""

    def __init__(self, schema: Schema, domains: dict[Variable, Domain], recorder: Recorder) -> None:
        self._schema = schema
        self._recorder = recorder
        self._terms: dict[Variable, Term] = {}
        self.domains = domains

    def domain(self, variable: Variable) -> Domain:
        found = self.domains.get(variable)
        if found is None:
            found = self.domains[variable] = Domain.single(variable.domain.sort, variable.initial)
        return found

    def read(self, variable: Variable) -> Term:
        found = self._terms.get(variable)
        if found is None:
            found = self._terms[variable] = self.domain(variable).term(variable)
        return found

    def record(self, candidate: Candidate) -> tuple[Action | None, frozenset[Variable]]:
        """Run a candidate.  Returns its action, or None if its guard is false, and what it read."""
        state = self._recorder(self._schema, self.read)
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
            old = self.domain(variable)
            new = old.union(_values(variable, term))
            if new != old:
                if variable.domain.sort is INT:
                    new = variable.domain  # widening: a counter would otherwise climb one value a round
                self.domains[variable] = new
                self._terms.pop(variable, None)
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
        return Domain(INT, term.low, term.high).clip(variable.domain)
    mask = 0
    for leaf in leaves(term):
        mask |= leaf.mask
    return Domain(sort, mask=mask).clip(variable.domain)
