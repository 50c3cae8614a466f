"""Which of many candidate lemmas are inductive together.

Houdini (Flanagan and Leino, *Houdini, an Annotation Assistant for ESC/Java*, 2001) assumes every candidate, asks for a
step after which one of them fails, drops all that fail after that step, and repeats.  What is left when there is no
such step is the largest inductive subset; it does not depend on the order in which steps are found.

The property is a candidate like the others, so it may support the lemmas that support it.  Each action is asked about
on its own: a candidate after the action is a term over the state before it, which is the candidate itself, and so not
asked about, wherever the action writes nothing that the candidate reads.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import z3

from counterexamples.search._smt_solver import (
    Answer,
    Budget,
    EngineDisagreementError,
    Questioner,
    Sat,
    Unknown,
    Unsat,
)
from model.readings.evaluate import Valuation
from model.readings.smt import Lowering
from model.system import Code, Monitor, TransitionSystem
from model.terms import FALSE, Term, or_, variables

__all__ = ["Houdini"]

_TOGETHER = 32
"""How many candidates are assumed with one literal."""


@dataclass(slots=True)
class Houdini:
    """The candidates that have not failed yet.

    Parameters
    ----------
    system
        The system.
    candidates
        Monitors to be proved unreachable together, with distinct names.
    assumed
        Monitors of states that are known to be unreachable.
    budget
        What may be spent.

    Attributes
    ----------
    alive
        The candidates left, by name.
    lowering
        The symbolic reading that is used.
    """

    system: TransitionSystem
    candidates: Sequence[Monitor]
    assumed: Sequence[Monitor]
    budget: Budget
    alive: dict[str, Monitor] = field(init=False)
    lowering: Lowering = field(init=False)
    _asker: Questioner = field(init=False)
    _facts: dict[str, Any] = field(init=False, default_factory=dict)
    _monitors: dict[str, Monitor] = field(init=False)
    _reads: dict[str, frozenset[Hashable]] = field(init=False)
    _failures: dict[tuple[str, int], Term] = field(init=False, default_factory=dict)
    _actions: list[Any] = field(init=False)
    _order: dict[str, int] = field(init=False)
    _together: dict[int, Any] = field(init=False, default_factory=dict)
    _asked: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        self.alive = {candidate.name: candidate for candidate in self.candidates}
        if len(self.alive) != len(self.candidates):
            raise ValueError("candidate lemmas must have distinct names")
        self._monitors = dict(self.alive)
        self._order = {name: i for i, name in enumerate(self.alive)}
        self._reads = {name: frozenset(variables([c.on_state])) for name, c in self.alive.items()}
        lowering = self.lowering = Lowering(self.system)
        asker = self._asker = Questioner(lowering.context, self.budget)
        asker.add(lowering.domain(0), *(z3.Not(lowering.term(fact.on_state)) for fact in self.assumed))
        self._actions = [asker.literal(f"take {a}") for a in range(len(self.system.actions))]
        for a, literal in enumerate(self._actions):
            asker.add(z3.Or(z3.Not(literal), lowering.term(lowering.can(a))))
        for i, candidate in enumerate(self.candidates):
            literal = self._facts[candidate.name] = asker.literal(f"fact {i}")
            asker.add(z3.Or(z3.Not(literal), z3.Not(lowering.term(candidate.on_state))))

    def run(self, progress: Callable[[int], None] | None = None) -> Unknown | None:
        """Drop candidates until the rest is inductive.  Returns why not, if the search ends before that.

        Parameters
        ----------
        progress
            Told how many candidates are left, after each pass over the actions.
        """
        if (unknown := self._drop_at_start()) is not None:
            return unknown
        actions, quiet, a = len(self._actions), 0, 0
        while quiet < actions:  # until every action has been asked about since a candidate was last dropped
            before = len(self.alive)
            if (unknown := self._drop_after(a)) is not None:
                return unknown
            quiet = quiet + 1 if len(self.alive) == before else 1
            a = (a + 1) % actions
            if a == 0 and progress is not None:
                progress(len(self.alive))
        return None

    def _drop_at_start(self) -> Unknown | None:
        """Drop what some initial state violates."""
        lowering = Lowering(self.system)
        asker = Questioner(lowering.context, self.budget)
        asker.add(lowering.init(), lowering.domain(0))
        while True:
            literal = asker.literal(f"start {len(self.alive)}")
            bad = or_(*(candidate.on_state for candidate in self.alive.values()))
            asker.add(z3.Or(z3.Not(literal), lowering.term(bad)))
            match asker.ask(literal):
                case Sat(model):
                    self._drop(lowering.state(model, 0), {name: c.on_state for name, c in self.alive.items()})
                case Unsat():
                    return None
                case Unknown() as unknown:
                    return unknown

    def _drop_after(self, action: int) -> Unknown | None:
        """Drop what some step by this action violates."""
        while True:
            fails = {name: term for name in self.alive if (term := self.failure(name, action)) is not FALSE}
            if not fails:
                return None
            match self._ask(self._all(), or_(*fails.values()), self._actions[action]):
                case Sat(model):
                    self._drop(self.state(model), fails)
                case Unsat():
                    return None
                case Unknown() as unknown:
                    return unknown

    def _drop(self, state: tuple[Code, ...], fails: Mapping[str, Term]) -> None:
        here = Valuation(self.system, state)
        dropped = [name for name, term in fails.items() if here.value(term)]
        if not dropped:
            raise EngineDisagreementError(f"the plain reading finds no candidate that fails in {state}")
        for name in dropped:
            del self.alive[name]
            self._together.pop(self._order[name] // _TOGETHER, None)

    def _all(self) -> list[Any]:
        """Literals for all that is left.  Z3 takes long to be told hundreds of assumptions, so each is for many."""
        groups: dict[int, list[Any]] = {}
        for name in self.alive:
            groups.setdefault(self._order[name] // _TOGETHER, []).append(self._facts[name])
        for group, facts in groups.items():
            if group not in self._together:
                literal = self._together[group] = self._asker.literal(f"group {group} of {len(self.alive)}")
                self._asker.add(z3.Or(z3.Not(literal), self.lowering.all_of(facts)))
        return [self._together[group] for group in groups]

    def failure(self, name: str, action: int) -> Term:
        """The states from which a step by an action violates a candidate; FALSE if none that satisfies it can."""
        found = self._failures.get((name, action))
        if found is None:
            candidate, found = self._monitors[name], FALSE
            if not self._reads[name].isdisjoint(self.system.actions[action].updates):
                found = self.lowering.after(candidate.on_state, action)
            found = or_(FALSE if found is candidate.on_state else found, candidate.on_step.get(action, FALSE))
            self._failures[name, action] = found
        return found

    def step(self, name: str, action: int) -> Answer:
        """Whether a step by an action can violate a candidate, dropped or not, where it and all that is left hold."""
        return self._ask([*self._all(), self._facts[name]], self.failure(name, action), self._actions[action])

    def allows(self, term: Term) -> Answer:
        """Whether some state satisfies a term and all that is left of the candidates."""
        return self._ask(self._all(), term)

    def support(self, roots: Iterable[str], terms: Iterable[Term]) -> frozenset[str] | Unknown:
        """Candidates that are inductive by themselves, few of them, by the cores of the solver.

        Parameters
        ----------
        roots
            What must be among them; not to be called with anything that was dropped.
        terms
            What they must exclude, as all that is left does.
        """
        needed: dict[str, None] = dict.fromkeys(roots)
        for term in terms:
            if (unknown := self._add_support(needed, term)) is not None:
                return unknown
        done: set[str] = set()
        while len(done) < len(needed):
            name = next(name for name in needed if name not in done)
            done.add(name)
            for action, literal in enumerate(self._actions):
                term = self.failure(name, action)
                if term is not FALSE and (unknown := self._add_support(needed, term, literal)) is not None:
                    return unknown
        return frozenset(needed)

    def _add_support(self, needed: dict[str, None], term: Term, *literals: Any) -> Unknown | None:
        """Add what excludes a term, if what is there does not."""
        if isinstance(self._ask(self._literals(needed), term, *literals), Unsat):
            return None
        match self._ask(self._literals(self.alive), term, *literals):
            case Unsat() as answer:
                needed.update(dict.fromkeys(self._shrink(self._used(answer), tuple(needed), term, literals)))
                return None
            case Sat():
                raise EngineDisagreementError("candidates that were inductive together are not any more")
            case Unknown() as unknown:
                return unknown

    def _used(self, answer: Unsat) -> list[str]:
        return [name for name in self.alive if str(self._facts[name]) in answer.core]

    def _shrink(self, used: list[str], free: tuple[str, ...], term: Term, literals: Sequence[Any]) -> list[str]:
        """Leave out what a core has by chance; what is needed anyway is free."""
        for name in used:
            if name not in free:
                others = self._literals(n for n in (*used, *free) if n != name)
                answer = self._ask(others, term, *literals)
                if isinstance(answer, Unsat):
                    return self._shrink([n for n in self._used(answer) if n != name], free, term, literals)
        return used

    def _literals(self, names: Iterable[str]) -> list[Any]:
        return [self._facts[name] for name in names]

    def _ask(self, facts: Sequence[Any], wrong: Term, *literals: Any) -> Answer:
        """Whether something is wrong in a state in which the facts and the literals hold."""
        self._asked += 1
        goal = self._asker.literal(f"goal {self._asked}")
        self._asker.add(z3.Or(z3.Not(goal), self.lowering.term(wrong)))
        return self._asker.ask(goal, *literals, *facts)

    def state(self, model: Any) -> tuple[Code, ...]:
        """The state that a model of :meth:`step` or :meth:`allows` tells."""
        return self.lowering.state(model, 0)
