"""Induction: what is true is proved, what is false never is, and no certificate passes with a part missing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import z3

from counterexamples.search import _smt_certificate, _smt_solver
from counterexamples.search.bounded import Exhausted, Found, bounded_search
from counterexamples.search.explore import explore
from counterexamples.search.induction import (
    Accepted,
    Attempt,
    Certificate,
    CounterexampleToInduction,
    Limits,
    Plan,
    Proved,
    Purpose,
    Refused,
    Refuted,
    Undecided,
    check_certificate,
    prove,
)
from model.state import Domain
from model.system import Monitor, TransitionSystem
from model.terms import TRUE, and_, eq, le, not_, number, or_
from tests.systems import benchmark_invariant_violation, benchmark_system, card_type, kind, mana, zone


def lemmas_of(system: TransitionSystem, objects: int) -> list[Monitor]:
    """That an instant or sorcery is never of the kind morph or disguise."""
    s = system.symbolic_state()
    return [
        Monitor(f"{i} is wrongly a {way}", and_(s[card_type, i].is_("spell"), s[kind, i].is_(way)))
        for i in range(objects) for way in ("morph", "disguise")
    ]


def proof(system: TransitionSystem, monitor: Monitor, **options: Any) -> Certificate:
    outcome = prove(system, monitor, **options)
    assert isinstance(outcome, Proved), outcome
    return outcome.certificate


@pytest.mark.parametrize("objects", [1, 2, 3, 4])
def test_the_benchmark_is_proved_with_lemmas_that_are_guessed(objects: int) -> None:
    system = benchmark_system(objects)
    certificate = proof(system, benchmark_invariant_violation(system), max_candidates=1000)
    used = {lemma.on_state for lemma in certificate.plan.lemmas}
    assert used == {lemma.on_state for lemma in lemmas_of(system, objects)}
    assert certificate.plan.k == 1 and certificate.plan.excludes_overflow


def test_without_a_lemma_the_benchmark_is_not_proved() -> None:
    system = benchmark_system(2)
    outcome = prove(system, benchmark_invariant_violation(system), max_k=6)
    assert isinstance(outcome, CounterexampleToInduction) and outcome.k == 6 == len(outcome.actions)


def test_lemmas_that_are_given_are_proved_with_the_property() -> None:
    system = benchmark_system(2)
    s = system.symbolic_state()
    false_lemma = Monitor("a spell is in the library", and_(s[card_type, 0].is_("spell"), s[zone, 0].is_("library")))
    certificate = proof(system, benchmark_invariant_violation(system), lemmas=[false_lemma, *lemmas_of(system, 2)])
    assert certificate.plan.lemmas == tuple(lemmas_of(system, 2))


def test_a_simple_path_proves_without_a_lemma() -> None:
    system = benchmark_system(1)
    monitor = benchmark_invariant_violation(system)
    certificate = proof(system, monitor, max_k=12, simple_path=True)
    assert certificate.plan.k > 1 and certificate.plan.simple_path and not certificate.plan.lemmas
    assert {query.purpose for query in certificate.queries} == {Purpose.BASE, Purpose.STEP, Purpose.LEMMAS}


def test_bad_steps_are_proved_away() -> None:
    """No spell is turned up for the cost of its keyword."""
    system = benchmark_system(2)
    s = system.symbolic_state()
    turns = {
        index: s[card_type, i].is_("spell") for index, action in enumerate(system.actions)
        for i in range(2) if action.label.key == f"keyword(object={i})"
    }
    assert len(turns) == 2
    monitor = Monitor("a spell is turned up", on_step=turns)
    assert isinstance(prove(system, monitor), CounterexampleToInduction)
    assert {lemma.on_state for lemma in proof(system, monitor, max_candidates=1000).plan.lemmas} \
        == {lemma.on_state for lemma in lemmas_of(system, 2)}
    always = replace(monitor, on_step=dict.fromkeys(turns, TRUE))
    assert isinstance(prove(system, always, max_candidates=1000, max_k=4), Refuted)


@pytest.mark.parametrize("simple_path", [False, True])
@pytest.mark.parametrize("max_candidates", [0, 1000])
@pytest.mark.parametrize("max_k", [1, 2, 3, 5])
@pytest.mark.parametrize("objects", [1, 2])
def test_the_faulty_benchmark_is_never_proved(
    objects: int, max_k: int, max_candidates: int, simple_path: bool
) -> None:
    system = benchmark_system(objects, faulty=True)
    monitor = benchmark_invariant_violation(system)
    outcome = prove(system, monitor, max_k=max_k, max_candidates=max_candidates, simple_path=simple_path,
                    lemmas=lemmas_of(system, objects))
    if max_k <= 2:  # the violation is at depth 2, and the start of k-induction looks at k - 1 steps
        assert isinstance(outcome, CounterexampleToInduction)
    else:
        assert isinstance(outcome, Refuted) and len(outcome.path.actions) == 2


def test_the_faulty_benchmark_is_refuted_by_the_other_engines() -> None:
    system = benchmark_system(2, faulty=True)
    monitor = benchmark_invariant_violation(system)
    assert isinstance(bounded_search(system, [monitor], depth=2)[0], Found)
    assert isinstance(bounded_search(system, [monitor], depth=1)[0], Exhausted)
    hits = explore(system, [monitor], reading="plain", stop_when_all_hit=True).hits
    assert len(hits[monitor.name].actions) == 2


def test_a_certificate_for_the_faulty_benchmark_is_refused() -> None:
    """Whatever plan is written down: the queries that it needs are not all unsatisfiable."""
    system = benchmark_system(1, faulty=True)
    monitor = benchmark_invariant_violation(system)
    for plan in (Plan(), Plan(2), Plan(4), Plan(6, simple_path=True), Plan(1, lemmas=tuple(lemmas_of(system, 1)))):
        queries = tuple(_smt_certificate.queries_of(system, monitor, plan))
        verdict = check_certificate(system, monitor, Certificate(system.name, monitor.name, plan, queries))
        assert isinstance(verdict, Refused) and verdict.why.endswith("is sat")


@pytest.fixture(scope="module")
def proved() -> tuple[TransitionSystem, Monitor, Certificate]:
    system = benchmark_system(1)
    monitor = benchmark_invariant_violation(system)
    return system, monitor, proof(system, monitor, max_candidates=1000)


Case = tuple[TransitionSystem, Monitor, Certificate]


def test_a_whole_certificate_is_accepted(proved: Case) -> None:
    system, monitor, certificate = proved
    assert check_certificate(system, monitor, certificate) == Accepted()
    assert len({query.name for query in certificate.queries}) == len(certificate.queries) == 1 + len(system.actions)


def test_each_query_is_needed(proved: Case) -> None:
    system, monitor, certificate = proved
    for i, query in enumerate(certificate.queries):
        rest = certificate.queries[:i] + certificate.queries[i + 1 :]
        verdict = check_certificate(system, monitor, replace(certificate, queries=rest))
        assert isinstance(verdict, Refused) and "lacks" in verdict.why and query.purpose.value in verdict.why


def test_each_lemma_is_needed(proved: Case) -> None:
    system, monitor, certificate = proved
    for lemma in certificate.plan.lemmas:
        plan = replace(certificate.plan, lemmas=tuple(x for x in certificate.plan.lemmas if x is not lemma))
        assert isinstance(check_certificate(system, monitor, replace(certificate, plan=plan)), Refused)
        queries = tuple(_smt_certificate.queries_of(system, monitor, plan))
        verdict = check_certificate(system, monitor, replace(certificate, plan=plan, queries=queries))
        assert isinstance(verdict, Refused) and verdict.why.endswith("is sat")


def test_queries_cannot_be_changed(proved: Case) -> None:
    system, monitor, certificate = proved
    first, *rest = certificate.queries
    trivial = replace(first, text="(set-logic QF_BV)\n(assert false)\n(check-sat)\n")
    extra = replace(first, purpose=Purpose.OVERFLOW, action=0)
    for queries in ((trivial, *rest), (first, first, *rest), (first, *rest, extra), (replace(first, action=99), *rest)):
        assert isinstance(check_certificate(system, monitor, replace(certificate, queries=queries)), Refused)


def test_a_certificate_is_about_one_property_of_one_system(proved: Case) -> None:
    system, monitor, certificate = proved
    faulty = replace(benchmark_system(1, faulty=True), name=system.name)
    for other, wanted in (
        (benchmark_system(2), monitor), (system, replace(monitor, name="another")),
        (system, replace(monitor, on_state=or_(monitor.on_state, TRUE))),
        (faulty, benchmark_invariant_violation(faulty)),
    ):
        assert isinstance(check_certificate(other, wanted, certificate), Refused)


def test_a_proof_rests_on_nothing_that_is_not_proved() -> None:
    system = benchmark_system(1)
    monitor, known = benchmark_invariant_violation(system), lemmas_of(system, 1)
    certificate = proof(system, monitor, proved=known)
    assert not certificate.plan.lemmas and certificate.plan.assumed == tuple(known)
    assert check_certificate(system, monitor, certificate, proved=known) == Accepted()
    refused = check_certificate(system, monitor, certificate, proved=known[:1])
    assert isinstance(refused, Refused) and "which is not proved" in refused.why


def test_the_texts_stand_alone(proved: Case) -> None:
    """Each is a script for any solver, with one query, whose answer is unsat."""
    _, _, certificate = proved
    for query in certificate.queries:
        assert query.text.startswith("(set-logic QF_BV)") and query.text.count("(check-sat)") == 1
        solver = z3.Solver(ctx=z3.Context())
        solver.from_string(query.text)
        assert solver.check() == z3.unsat


class Silent:
    """A solver that never knows."""

    def check(self, *_assumptions: object) -> Any:
        return z3.unknown

    def reason_unknown(self) -> str:
        return "planted"

    def add(self, *_formulas: object) -> None: ...

    def statistics(self) -> list[tuple[str, int]]:
        return []


@pytest.mark.parametrize("options", [{}, {"max_k": 3}, {"max_candidates": 100}])
def test_unknown_is_not_taken_for_a_proof(monkeypatch: pytest.MonkeyPatch, options: dict[str, Any]) -> None:
    monkeypatch.setattr(_smt_solver, "solver", lambda _context, _logic: Silent())
    system = benchmark_system(1)
    outcome = prove(system, benchmark_invariant_violation(system), lemmas=lemmas_of(system, 1), **options)
    assert outcome == Undecided("the invariant is broken", "the solver says: planted")


@pytest.mark.parametrize("known", range(1, 60, 3))
def test_unknown_at_any_query_is_not_taken_for_a_proof(monkeypatch: pytest.MonkeyPatch, known: int) -> None:
    """The solver falls silent after some queries; what it said before must not be enough."""
    asked = 0
    ask = _smt_solver.Questioner.ask

    def fading(self: _smt_solver.Questioner, *assumptions: object) -> _smt_solver.Answer:
        nonlocal asked
        asked += 1
        return ask(self, *assumptions) if asked <= known else _smt_solver.Unknown("planted")

    monkeypatch.setattr(_smt_solver.Questioner, "ask", fading)
    system = benchmark_system(1)
    outcome = prove(system, benchmark_invariant_violation(system), lemmas=lemmas_of(system, 1))
    assert isinstance(outcome, Proved) is (asked <= known)
    assert isinstance(outcome, Proved | Undecided)


def test_a_certificate_without_answers_is_refused(proved: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    system, monitor, certificate = proved
    monkeypatch.setattr(_smt_solver, "solver", lambda _context, _logic: Silent())
    verdict = check_certificate(system, monitor, certificate)
    assert isinstance(verdict, Refused) and verdict.why.endswith("is unknown (the solver says: planted)")


def test_limits_leave_a_proof_undecided() -> None:
    system = benchmark_system(3)
    monitor = benchmark_invariant_violation(system)
    runs = [prove(system, monitor, max_candidates=500, limits=Limits(resources=100_000)) for _ in range(2)]
    assert runs[0] == runs[1] and isinstance(runs[0], Undecided) and "100000 solver resources" in runs[0].why
    assert isinstance(prove(system, monitor, stop=lambda: True), Undecided)


def test_a_violated_start_is_refuted_with_a_play() -> None:
    system = benchmark_system(1)
    s = system.symbolic_state()
    outcome = prove(system, Monitor("mana is full", eq(s[mana,], number(7))))
    assert isinstance(outcome, Refuted) and outcome.path.actions == ()


def test_a_proof_says_whether_steps_were_left_out() -> None:
    """Without the guards on mana, a step may leave its range, and the invariant says nothing of that."""
    system = benchmark_system(1)
    s = system.symbolic_state()
    low = le(s[mana,], number(2))
    risky = replace(system, actions=tuple(replace(a, overflow=low) if a.label.rule == "pass" else a
                                          for a in system.actions))
    monitor = benchmark_invariant_violation(risky)
    assert not proof(risky, monitor, lemmas=lemmas_of(risky, 1)).plan.excludes_overflow
    safe = replace(system, actions=tuple(
        replace(a, overflow=s[kind, 0].is_("morph") & s[card_type, 0].is_("spell")) if a.label.rule == "pass" else a
        for a in system.actions
    ))
    certificate = proof(safe, monitor, lemmas=lemmas_of(safe, 1))
    assert certificate.plan.excludes_overflow and certificate.queries[-1].purpose is Purpose.OVERFLOW
    queries = certificate.queries[:-1]
    assert isinstance(check_certificate(safe, monitor, replace(certificate, queries=queries)), Refused)
    claimed = replace(certificate.plan, excludes_overflow=True)
    false_claim = Certificate(risky.name, monitor.name, claimed,
                              tuple(_smt_certificate.queries_of(risky, monitor, claimed)))
    assert isinstance(check_certificate(risky, monitor, false_claim), Refused)


def test_a_system_that_leaves_its_domains_proves_nothing() -> None:
    system = benchmark_system(1)
    monitor = benchmark_invariant_violation(system)
    lemmas = lemmas_of(system, 1)
    place = next(v for v in system.variables if v.family is zone)
    leaky = replace(system, domains={**system.domains, place: Domain(place.domain.sort, mask=0b011)})
    outcome = prove(leaky, monitor, lemmas=lemmas)
    assert outcome == Undecided(monitor.name, "a step can write a value outside the domain of its variable")
    plan = Plan(1, lemmas=tuple(lemmas))
    queries = tuple(_smt_certificate.queries_of(leaky, monitor, plan))
    refused = check_certificate(leaky, monitor, Certificate(leaky.name, monitor.name, plan, queries))
    assert isinstance(refused, Refused) and "destroy" in refused.why and refused.why.endswith("is sat")


def test_progress_and_arguments() -> None:
    system = benchmark_system(1)
    monitor, told = benchmark_invariant_violation(system), list[Attempt]()
    prove(system, monitor, max_k=3, progress=told.append)
    assert [attempt.k for attempt in told if attempt.stage.name == "STEP"] == [1, 2, 3]
    with pytest.raises(ValueError, match="max_k must be at least 1, not 0"):
        prove(system, monitor, max_k=0)
    with pytest.raises(ValueError, match="max_candidates must be at least 0, not -1"):
        prove(system, monitor, max_candidates=-1)
    with pytest.raises(ValueError, match="looks for steps"):
        prove(system, monitor, lemmas=[Monitor("a step", on_step={0: TRUE})])
    with pytest.raises(ValueError, match="distinct names"):
        prove(system, monitor, lemmas=[Monitor(monitor.name, not_(TRUE))])
    with pytest.raises(ValueError, match="k must be at least 1"):
        Plan(0)
