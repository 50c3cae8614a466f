"""The step of k-induction: what several moments without a violation allow next.

One incremental solver holds the moments looked back on; each call adds one before the step that is asked about.  See
Sheeran, Singh and Stålmarck, *Checking Safety Properties Using Induction and a SAT-Solver* (2000).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import z3

from counterexamples.search._smt_certificate import Plan
from counterexamples.search._smt_solver import Budget, Questioner, Sat, Unknown, Unsat
from model.readings.smt import Lowering
from model.system import Code, Monitor, TransitionSystem
from model.terms import FALSE, and_, or_

__all__ = ["Broken", "LookBack", "Supported"]


@dataclass(frozen=True, slots=True)
class Broken:
    """Steps to a violation from a state that need not be reachable: the state before each action, and the actions."""

    states: tuple[tuple[Code, ...], ...]
    actions: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Supported:
    """No step is a violation or leads to one, and these lemmas are enough to say so."""

    lemmas: frozenset[str]


@dataclass(slots=True)
class LookBack:
    """The induction step for growing ``k``.

    Parameters
    ----------
    system, monitor
        The property: that no play shows what the monitor looks for.
    plan
        The lemmas, what was proved elsewhere, and whether the moments are held to be different; its ``k`` is not used.
    budget
        What may be spent.
    """

    system: TransitionSystem
    monitor: Monitor
    plan: Plan
    budget: Budget
    k: int = field(init=False, default=0)
    _lowering: Lowering = field(init=False)
    _asker: Questioner = field(init=False)
    _facts: dict[str, Any] = field(init=False)

    def __post_init__(self) -> None:
        self._lowering = Lowering(self.system)
        self._asker = Questioner(self._lowering.context, self.budget)
        self._facts = {lemma.name: self._asker.literal(f"fact {i}") for i, lemma in enumerate(self.plan.lemmas)}

    def extend(self) -> Broken | Supported | Unknown:
        """Look back one moment more, and ask about each action."""
        self.k += 1
        self._remember(self.k - 1)
        used: set[str] = set()
        for action in range(len(self.system.actions)):
            match self._ask(action):
                case Sat(model):
                    states = tuple(self._lowering.state(model, time) for time in range(self.k))
                    return Broken(states, (*self._lowering.path(model, self.k - 1).actions, action))
                case Unsat(core):
                    used.update(name for name, literal in self._facts.items() if str(literal) in core)
                case Unknown() as unknown:
                    return unknown
        return Supported(frozenset(used))

    def _remember(self, time: int) -> None:
        """Add a moment without a violation, and the step to it."""
        lowering, monitor = self._lowering, self.monitor
        bad = [monitor.on_state, *(fact.on_state for fact in self.plan.assumed)]
        self._asker.add(lowering.domain(time), z3.Not(lowering.term(or_(*bad), time)))
        for lemma in self.plan.lemmas:
            broken = lowering.term(lemma.on_state, time)
            self._asker.add(z3.Not(lowering.all_of([self._facts[lemma.name], broken])))
        if time == 0:
            return
        self._asker.add(lowering.transition(time - 1))
        for action, condition in monitor.on_step.items():
            taken = [lowering.takes(action, time - 1), lowering.term(condition, time - 1)]
            self._asker.add(z3.Not(lowering.all_of(taken)))
        if self.plan.simple_path:
            self._asker.add(*(lowering.differ(earlier, time) for earlier in range(time)))

    def _ask(self, action: int) -> Sat | Unsat | Unknown:
        lowering = self._lowering
        wrong = or_(self.monitor.on_step.get(action, FALSE), lowering.after(self.monitor.on_state, action))
        step = and_(lowering.can(action), wrong)
        if step is FALSE:
            return Unsat(frozenset())
        goal = self._asker.literal(f"goal {self.k} {action}")
        self._asker.add(z3.Or(z3.Not(goal), lowering.term(step, self.k - 1)))
        return self._asker.ask(goal, *self._facts.values())
