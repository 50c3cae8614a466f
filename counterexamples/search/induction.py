"""Proof by induction that what is looked for cannot be reached.

A property is inductive if no action leads from a state in which it holds to one in which it does not.  One that is true
but not inductive needs help, and three kinds are tried in turn: lemmas that the caller gives, proved together with the
property (:mod:`._smt_houdini`); lemmas that are guessed (:mod:`._smt_candidates`); and a longer look back, as in
k-induction (Sheeran, Singh and Stålmarck, *Checking Safety Properties Using Induction and a SAT-Solver*, 2000).

A proof found is written down as queries for any solver, and counts only once the certificate has been checked from that
text.  Where induction fails, the step that breaks it may start from a state that no play reaches: it is a
:class:`CounterexampleToInduction`, and says nothing against the property.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from counterexamples.search._smt_candidates import candidate_lemmas
from counterexamples.search._smt_certificate import (
    Accepted,
    Certificate,
    Plan,
    Purpose,
    Query,
    Refused,
    check_certificate,
    queries_of,
)
from counterexamples.search._smt_houdini import Houdini
from counterexamples.search._smt_lookback import Broken, LookBack, Supported
from counterexamples.search._smt_solver import (
    Budget,
    EngineDisagreementError,
    Limits,
    Sat,
    Unknown,
    Unsat,
)
from counterexamples.search.bounded import BoundedSearch, Exhausted, Found, domain_fault
from counterexamples.search.bounded import Undecided as BoundedUndecided
from model.readings.evaluate import Refusal, Valuation, successor
from model.readings.smt import Lowering
from model.system import Code, Monitor, Path, TransitionSystem
from model.terms import FALSE, and_

__all__ = [
    "Accepted", "Certificate", "CounterexampleToInduction", "InductionOutcome", "Limits", "Plan", "Proved", "Purpose",
    "Query", "Refused", "Refuted", "Stage", "Undecided", "check_certificate", "prove",
]


@dataclass(frozen=True, slots=True)
class Proved:
    """No play shows what the monitor looks for, and the certificate, which was checked, says why.

    If ``certificate.plan.excludes_overflow`` is false, steps that leave a declared range may have been left out.
    """

    monitor: str
    certificate: Certificate


@dataclass(frozen=True, slots=True)
class Refuted:
    """A play to what the monitor looks for, found while the start of the induction was checked, and replayed."""

    monitor: str
    path: Path


@dataclass(frozen=True, slots=True)
class CounterexampleToInduction:
    """Why induction fails: steps from a state that no play need reach, to what the monitor looks for.

    This is not a play.  It shows what the induction does not know of the first state.

    Parameters
    ----------
    monitor
        The name of the monitor.
    states
        The codes at each moment before an action, in the order of the system's variables.
    actions
        The index of the action taken from each of the states; the last one shows what is looked for.
    lemmas
        The names of the lemmas that hold in each of the states.
    """

    monitor: str
    states: tuple[tuple[Code, ...], ...]
    actions: tuple[int, ...]
    lemmas: tuple[str, ...]

    @property
    def k(self) -> int:
        """How many moments the induction looked back."""
        return len(self.states)


@dataclass(frozen=True, slots=True)
class Undecided:
    """The search ended without an answer, and why."""

    monitor: str
    why: str


InductionOutcome = Proved | Refuted | CounterexampleToInduction | Undecided


class Stage(enum.Enum):
    """What a proof attempt is doing."""

    LEMMAS = "sorting out lemmas"
    STEP = "asking about steps"
    CERTIFICATE = "checking the certificate"


@dataclass(frozen=True, slots=True)
class Attempt:
    """Progress: a stage, how many moments the induction looks back in it, and how many lemmas there are."""

    stage: Stage
    k: int
    lemmas: int


def prove(
    system: TransitionSystem,
    monitor: Monitor,
    *,
    max_k: int = 1,
    simple_path: bool = False,
    lemmas: Sequence[Monitor] = (),
    proved: Sequence[Monitor] = (),
    max_candidates: int = 0,
    limits: Limits | None = None,
    progress: Callable[[Attempt], None] | None = None,
    stop: Callable[[], bool] | None = None,
) -> InductionOutcome:
    """Try to prove that no play shows what a monitor looks for.

    Parameters
    ----------
    system
        The system.
    monitor
        The violation, as states, steps or both.
    max_k
        How many moments the induction may look back.
    simple_path
        Hold these moments to be different, which makes every true property provable for some ``k``.
    lemmas
        States that may be unreachable; those that are inductive together, and with the property, are used.
    proved
        States that are known to be unreachable.
    max_candidates
        How many lemmas to guess, if the property is not inductive without.
    limits, progress, stop
        As for bounded search.

    Returns
    -------
    InductionOutcome
        The counterexample to induction is that of the largest ``k`` tried.

    Raises
    ------
    ValueError
        If a limit is out of range, a lemma is not about states, or two have one name.
    """
    if max_k < 1:
        raise ValueError(f"max_k must be at least 1, not {max_k!r}")
    if max_candidates < 0:
        raise ValueError(f"max_candidates must be at least 0, not {max_candidates!r}")
    plan = Plan(1, simple_path, tuple(lemmas), tuple(proved))
    return _Proof(system, monitor, plan, Budget(limits or Limits(), stop), progress).run(max_k, max_candidates)


@dataclass(slots=True)
class _Proof:
    """One attempt; ``plan`` has the lemmas that the caller gave."""

    system: TransitionSystem
    monitor: Monitor
    plan: Plan
    budget: Budget
    progress: Callable[[Attempt], None] | None
    houdini: Houdini = field(init=False)

    def run(self, max_k: int, max_candidates: int) -> InductionOutcome:
        """Try the cheap before the dear, until something is settled."""
        if (why := domain_fault(Lowering(self.system), self.budget)) is not None:
            return Undecided(self.monitor.name, why)
        base = BoundedSearch(self.system, [self.monitor], self.budget)
        if (failed := self.base(base, 0)) is not None:
            return failed
        outcome = self.with_lemmas(self.plan.lemmas)
        if isinstance(outcome, CounterexampleToInduction) and max_candidates:
            guesses = candidate_lemmas(self.system, self.monitor, max_candidates=max_candidates)
            outcome = self.with_lemmas((*self.plan.lemmas, *guesses))
        if isinstance(outcome, CounterexampleToInduction) and max_k > 1:
            plan = replace(self.plan, lemmas=tuple(self.houdini.alive.values()))
            outcome = self.looking_back(LookBack(self.system, self.monitor, plan, self.budget), base, max_k)
        return outcome

    def tell(self, stage: Stage, k: int) -> None:
        if self.progress is not None:
            self.progress(Attempt(stage, k, len(self.houdini.alive)))

    def base(self, search: BoundedSearch, depth: int) -> Refuted | Undecided | None:
        """What plays of at most ``depth`` steps say; None if they show nothing."""
        match search.extend(depth)[0]:
            case Found(name, path):
                return Refuted(name, path)
            case BoundedUndecided(name, why=why):
                return Undecided(name, why)
            case Exhausted():
                return None

    def with_lemmas(self, lemmas: Sequence[Monitor]) -> InductionOutcome:
        """Plain induction of the property and of as many lemmas as are inductive with it."""
        name = self.monitor.name
        self.houdini = Houdini(self.system, (self.monitor, *lemmas), self.plan.assumed, self.budget)
        self.tell(Stage.LEMMAS, 1)
        if (unknown := self.houdini.run(lambda _: self.tell(Stage.LEMMAS, 1))) is not None:
            return Undecided(name, unknown.why)
        if name in self.houdini.alive:
            return self.conclude(1, [name])
        for action in range(len(self.system.actions)):
            match self.houdini.step(name, action):
                case Sat(model):
                    return self.broken((self.houdini.state(model),), (action,))
                case Unknown(why):
                    return Undecided(name, why)
        raise EngineDisagreementError(f"{name!r} was dropped, but no step violates it")

    def looking_back(self, back: LookBack, base: BoundedSearch, max_k: int) -> InductionOutcome:
        """Induction that looks back further and further."""
        while True:
            if (failed := self.base(base, back.k)) is not None:
                return failed
            self.tell(Stage.STEP, back.k + 1)
            match back.extend():
                case Broken(states, actions):
                    if back.k >= max_k:
                        return self.broken(states, actions)
                case Unknown(why):
                    return Undecided(self.monitor.name, why)
                case Supported(lemmas):
                    return self.conclude(back.k, lemmas)

    def broken(self, states: tuple[tuple[Code, ...], ...], actions: tuple[int, ...]) -> CounterexampleToInduction:
        """The counterexample that these steps are, if the plain reading agrees that they are steps."""
        for i, index in enumerate(actions):
            after = successor(self.system, self.system.actions[index], states[i])
            if isinstance(after, Refusal) or (i + 1 < len(states) and after != states[i + 1]):
                raise EngineDisagreementError(f"the plain reading refuses a step of the symbolic one: {states[i]}")
        assert not isinstance(after, Refusal)
        before = Valuation(self.system, states[-1]).value(self.monitor.on_step.get(actions[-1], FALSE))
        if not before and not Valuation(self.system, after).value(self.monitor.on_state):
            raise EngineDisagreementError(f"the plain reading sees no violation in a step from {states[-1]}")
        names = tuple(name for name in self.houdini.alive if name != self.monitor.name)
        return CounterexampleToInduction(self.monitor.name, states, actions, names)

    def conclude(self, k: int, roots: Iterable[str]) -> Proved | Undecided:
        """Write the proof down with as few lemmas as the solver's cores ask for, and check it."""
        name, houdini = self.monitor.name, self.houdini
        overflows = [and_(action.guard, action.overflow) for action in self.system.actions]
        overflows = [term for term in overflows if term is not FALSE]
        excludes_overflow = all(isinstance(houdini.allows(term), Unsat) for term in overflows)
        support = houdini.support(roots, overflows if excludes_overflow else ())
        if isinstance(support, Unknown):
            return Undecided(name, support.why)
        lemmas = tuple(lemma for lemma in houdini.alive.values() if lemma.name in support - {name})
        plan = replace(self.plan, k=k, simple_path=self.plan.simple_path and k > 1, lemmas=lemmas,
                       excludes_overflow=excludes_overflow)
        return self.certify(plan)

    def certify(self, plan: Plan) -> Proved | Undecided:
        """Write the certificate, and prove nothing unless it is accepted.

        Raises
        ------
        EngineDisagreementError
            If the solver, asked anew, refuses what it told the search.
        """
        self.tell(Stage.CERTIFICATE, plan.k)
        queries = tuple(queries_of(self.system, self.monitor, plan))
        certificate = Certificate(self.system.name, self.monitor.name, plan, queries)
        match check_certificate(self.system, self.monitor, certificate, proved=plan.assumed, budget=self.budget):
            case Accepted():
                return Proved(self.monitor.name, certificate)
            case Refused(why, unanswered=True):
                return Undecided(self.monitor.name, f"the certificate is refused: {why}")
            case Refused(why):
                raise EngineDisagreementError(f"{self.system.name}: the certificate is refused: {why}")
