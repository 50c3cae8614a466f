"""The evidence of a proof by induction, and what checks it.

A certificate lists every query whose answer ``unsat`` makes up the proof, as SMT-LIB text that any solver reads.  What
queries there must be follows from the system, the property and the plan of the proof (how long the induction looks
back, and the lemmas); so the checker derives them again and refuses a certificate that has more, fewer or others,
before it asks each of them anew, in a context that shares nothing with the search.

With ``P`` for the property, ``L`` for the lemmas and ``A`` for what was proved elsewhere, the queries for ``k`` are

base
    some play of at most ``k - 1`` steps violates ``P``, or some initial state violates ``L``;
step, one for each action
    after ``k`` moments in which ``P``, ``L`` and ``A`` hold, the action is a step that violates ``P``, or leads to a
    state that does;
lemmas, one for each action
    from a state in which ``L`` and ``A`` hold, the action leads to one in which ``L`` does not hold, or outside the
    domains.  For ``k = 1`` this is part of the step, where ``P`` may be used too;
overflow, one for each action that can overflow, if the proof says that none does
    in a state in which ``P``, ``L`` and ``A`` hold, the action is enabled and would leave a declared range.

See Sheeran, Singh and Stålmarck, *Checking Safety Properties Using Induction and a SAT-Solver* (2000); ``simple_path``
adds their condition that the ``k`` moments are all different.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import z3

from counterexamples.search._smt_solver import Answer, Budget, Questioner, Sat, Unknown, Unsat, explain
from model.readings.smt import Lowering
from model.system import Monitor, TransitionSystem
from model.terms import FALSE, Term, and_, or_

__all__ = ["Accepted", "Certificate", "Plan", "Purpose", "Query", "Refused", "check_certificate", "queries_of"]

_TEXT_LOGIC = "QF_BV"


class Purpose(enum.Enum):
    """What a query is for."""

    BASE = "base"
    STEP = "step"
    LEMMAS = "lemmas"
    OVERFLOW = "overflow"


@dataclass(frozen=True, slots=True)
class Plan:
    """How a proof goes.

    Parameters
    ----------
    k
        How many moments the induction looks back; 1 for plain induction.
    simple_path
        Whether these moments are held to be different.
    lemmas
        Monitors of states, proved unreachable together.
    assumed
        Monitors of states, proved unreachable elsewhere.
    excludes_overflow
        Whether the proof also shows that no step would leave a declared range, so that none was left out.
    """

    k: int = 1
    simple_path: bool = False
    lemmas: tuple[Monitor, ...] = ()
    assumed: tuple[Monitor, ...] = ()
    excludes_overflow: bool = False

    def __post_init__(self) -> None:
        if self.k < 1:
            raise ValueError(f"k must be at least 1, not {self.k!r}")
        for fact in (*self.lemmas, *self.assumed):
            if fact.on_step:
                raise ValueError(f"a lemma must be about states, but {fact.name!r} looks for steps")


@dataclass(frozen=True, slots=True)
class Query:
    """One query of a proof; its answer must be ``unsat``.

    Parameters
    ----------
    purpose
        What it is for.
    action
        The index of the action that it is about; None for the base.
    text
        An SMT-LIB 2 script in the logic of bit-vectors.
    """

    purpose: Purpose
    action: int | None
    text: str

    @property
    def name(self) -> str:
        """A name that no other query of the proof has, fit for a file."""
        return self.purpose.value if self.action is None else f"{self.purpose.value}-{self.action}"


@dataclass(frozen=True, slots=True)
class Certificate:
    """The evidence of a proof: the property, the plan and every query."""

    system: str
    monitor: str
    plan: Plan
    queries: tuple[Query, ...]


@dataclass(frozen=True, slots=True)
class Accepted:
    """The certificate proves the property."""


@dataclass(frozen=True, slots=True)
class Refused:
    """The certificate does not prove the property.

    Parameters
    ----------
    why
        What is wrong with it.
    unanswered
        Whether that is no more than that the solver gave no answer.
    """

    why: str
    unanswered: bool = False


def check_certificate(
    system: TransitionSystem,
    monitor: Monitor,
    certificate: Certificate,
    *,
    proved: Sequence[Monitor] = (),
    budget: Budget | None = None,
) -> Accepted | Refused:
    """Check a proof without the search that made it.

    Parameters
    ----------
    system, monitor
        What the certificate is said to be about: that no play shows what the monitor looks for.
    certificate
        The evidence.
    proved
        What is known to be unreachable; the proof may rest on nothing else.
    budget
        What the check may cost; not limited if None.

    Returns
    -------
    Accepted or Refused
        Refused too if some answer is not known.
    """
    if (certificate.system, certificate.monitor) != (system.name, monitor.name):
        return Refused(f"it is about {certificate.monitor!r} in {certificate.system!r}")
    for fact in certificate.plan.assumed:
        if fact not in proved:
            return Refused(f"it rests on {fact.name!r}, which is not proved")
    try:
        expected = {(q.purpose, q.action): q.text for q in queries_of(system, monitor, certificate.plan)}
    except ValueError as error:
        return Refused(f"its lemmas are not about the system: {error}")
    given = {(q.purpose, q.action): q.text for q in certificate.queries}
    if len(given) != len(certificate.queries):
        return Refused("it has two queries for one purpose and action")
    for key in [*expected, *given]:
        if key not in given:
            return Refused(f"it lacks {_name(system, *key)}")
        if expected.get(key) != given[key]:
            return Refused(f"it has another text, or no need, for {_name(system, *key)}")
    budget = budget or Budget()
    for query in certificate.queries:
        answer = _ask_text(query.text, budget)
        if not isinstance(answer, Unsat):
            why = f"the answer to {_name(system, query.purpose, query.action)} is {explain(answer)}"
            return Refused(why, unanswered=isinstance(answer, Unknown))
    return Accepted()


def _name(system: TransitionSystem, purpose: Purpose, action: int | None) -> str:
    if action is None:
        return f"the {purpose.value} query"
    known = system.actions[action].label.key if action < len(system.actions) else f"action {action}"
    return f"the {purpose.value} query of {known}"


def _ask_text(text: str, budget: Budget) -> Answer:
    """Ask anew.  What Z3 says is read here: if the search misread an answer, it must not be misread here as well."""
    if (why := budget.exhausted()) is not None:
        return Unknown(why)
    context = z3.Context()
    asker = Questioner(context, budget, _TEXT_LOGIC)
    asker.add(*z3.parse_smt2_string(text, ctx=context))
    said = asker.raw()
    if said == z3.unsat:
        return Unsat(frozenset())
    return Sat(None) if said == z3.sat else asker.unknown()


def queries_of(system: TransitionSystem, monitor: Monitor, plan: Plan) -> Iterator[Query]:
    """The queries that a proof must answer with ``unsat``, in a fixed order."""
    writer = _Writer(Lowering(system), monitor, plan)
    yield Query(Purpose.BASE, None, writer.base())
    for action in range(len(system.actions)):
        yield Query(Purpose.STEP, action, writer.step(action))
        if plan.k > 1:
            yield Query(Purpose.LEMMAS, action, writer.lemmas(action))
        if plan.excludes_overflow and system.actions[action].overflow is not FALSE:
            yield Query(Purpose.OVERFLOW, action, writer.overflow(action))


@dataclass(frozen=True, slots=True)
class _Writer:
    """Writes the queries of one proof."""

    lowering: Lowering
    monitor: Monitor
    plan: Plan

    @property
    def lemma(self) -> Term:
        """The states that violate a lemma."""
        return or_(*(lemma.on_state for lemma in self.plan.lemmas))

    @property
    def fact(self) -> Term:
        """The states that violate a lemma, or what was proved elsewhere."""
        return or_(self.lemma, *(fact.on_state for fact in self.plan.assumed))

    def base(self) -> str:
        """A play that ends early is no play of ``k - 1`` steps, so each length has the steps up to it only."""
        lowering = self.lowering
        cases = [lowering.term(or_(self.lemma, self.monitor.on_state))]
        steps: list[Any] = []
        for time in range(1, self.plan.k):
            steps += [lowering.transition(time - 1), lowering.domain(time)]
            shown = lowering.any_of([lowering.term(self.monitor.on_state, time), self.bad_step(time - 1)])
            cases.append(lowering.all_of([*steps, shown]))
        return self.script([lowering.init(), lowering.domain(0), lowering.any_of(cases)])

    def step(self, action: int) -> str:
        """The query whether one action breaks what is to be proved; unsatisfiable if it cannot."""
        lowering, last = self.lowering, self.plan.k - 1
        parts = []
        for time in range(last + 1):
            parts.append(lowering.domain(time))
            parts.append(z3.Not(lowering.term(or_(self.fact, self.monitor.on_state), time)))
            if time < last:
                parts += [lowering.transition(time), z3.Not(self.bad_step(time))]
        if self.plan.simple_path:
            parts += [lowering.differ(one, other) for one, other in combinations(range(last + 1), 2)]
        wrong = [self.monitor.on_step.get(action, FALSE), lowering.after(self.monitor.on_state, action)]
        if self.plan.k == 1:
            wrong += [lowering.after(self.lemma, action), lowering.escapes(action)]
        parts.append(lowering.term(and_(lowering.can(action), or_(*wrong)), last))
        return self.script(parts)

    def lemmas(self, action: int) -> str:
        lowering = self.lowering
        wrong = or_(lowering.after(self.lemma, action), lowering.escapes(action))
        parts = [lowering.domain(0), z3.Not(lowering.term(self.fact)), lowering.term(and_(lowering.can(action), wrong))]
        return self.script(parts)

    def overflow(self, action: int) -> str:
        lowering, taken = self.lowering, self.lowering.system.actions[action]
        parts = [lowering.domain(0), z3.Not(lowering.term(or_(self.fact, self.monitor.on_state)))]
        return self.script([*parts, lowering.term(and_(taken.guard, taken.overflow))])

    def bad_step(self, time: int) -> Any:
        lowering = self.lowering
        return lowering.any_of([
            lowering.all_of([lowering.takes(action, time), lowering.term(condition, time)])
            for action, condition in self.monitor.on_step.items()
        ])

    def script(self, parts: Sequence[Any]) -> str:
        written = z3.Solver(ctx=self.lowering.context)
        written.add(*parts)
        body = "\n".join(line for line in written.to_smt2().splitlines() if not line.startswith((";", "(set-info")))
        return f"(set-logic {_TEXT_LOGIC})\n(set-info :status unsat)\n{body}\n"
