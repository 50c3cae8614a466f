"""Bounded search: shortest plays, honest bounds, and no answer where there is none."""

from __future__ import annotations

import os
import signal
import threading
from typing import Any

import pytest
import z3

from counterexamples.search import _smt_solver
from counterexamples.search.bounded import (
    BoundedSearch,
    Depth,
    EngineDisagreementError,
    Exhausted,
    Found,
    Limits,
    Overflow,
    Undecided,
    bounded_search,
    confirm,
)
from model.readings.evaluate import replay
from model.readings.smt import Lowering
from model.state import Domain, Family, Schema, State
from model.system import Action, Label, Monitor, Path, TransitionSystem
from model.terms import BOOL, FALSE, INT, TRUE, Sort, eq, le, number
from tests.systems import benchmark_invariant_violation, benchmark_system


def counter(high: int, step: int = 1, *, declared: int | None = None) -> TransitionSystem:
    """A number that goes up from zero; ``declared`` is the bound beyond which a step overflows."""
    family = Family("n", lambda _setup: (Domain(INT, 0, high if declared is None else declared), 0))
    schema = Schema(None)
    n = schema.variable((family,))
    state = State(schema, lambda v: v.domain.term(v))
    if declared is None:
        state.require(le(state[family,], number(high - step)), "may go up", "")
    state[family,] = state[family,] + step
    up = Action.recorded(Label("up", None, "up"), state)
    return TransitionSystem("counter", (n,), {n: n.domain}, {n: (0,)}, (up,), FALSE, schema)


def at(system: TransitionSystem, value: int) -> Monitor:
    return Monitor(f"at {value}", eq(system.read(system.variables[0]), number(value)))


@pytest.mark.parametrize("objects", [1, 2, 3, 4])
def test_the_faulty_benchmark_is_violated_in_two_steps(objects: int) -> None:
    system = benchmark_system(objects, faulty=True)
    (outcome,) = bounded_search(system, [benchmark_invariant_violation(system)], depth=6)
    assert isinstance(outcome, Found) and len(outcome.path.actions) == 2
    assert [system.actions[step.action].label.rule for step in replay(system, outcome.path)][1] == "keyword"


@pytest.mark.parametrize("objects", [1, 2, 3])
def test_the_benchmark_holds_to_its_bound_and_no_further(objects: int) -> None:
    system = benchmark_system(objects)
    (outcome,) = bounded_search(system, [benchmark_invariant_violation(system)], depth=12)
    assert outcome == Exhausted("the invariant is broken", 12, False, Overflow.IMPOSSIBLE)


def test_plays_are_shortest_for_each_monitor_by_itself() -> None:
    system = counter(9)
    outcomes = bounded_search(system, [at(system, 7), at(system, 0), at(system, 3)], depth=9)
    assert outcomes == tuple(Found(f"at {n}", Path((0,), (0,) * n)) for n in (7, 0, 3))


def test_a_step_that_is_looked_for_ends_the_play() -> None:
    system = counter(9)
    n = system.read(system.variables[0])
    fourth = Monitor("the step from 4", on_step={0: eq(n, number(4))})
    both = Monitor("either", eq(n, number(2)), {0: TRUE})
    assert bounded_search(system, [fourth, both], depth=9) == (
        Found("the step from 4", Path((0,), (0,) * 5)), Found("either", Path((0,), (0,))),
    )
    assert isinstance(bounded_search(system, [fourth], depth=4)[0], Exhausted)


def test_a_search_knows_when_no_play_is_longer() -> None:
    system = counter(3)
    never = Monitor("never")
    assert bounded_search(system, [never], depth=3) == (Exhausted("never", 3, False, Overflow.IMPOSSIBLE),)
    assert bounded_search(system, [never], depth=50) == (Exhausted("never", 4, True, Overflow.IMPOSSIBLE),)


def test_a_search_can_go_on() -> None:
    system = counter(9)
    search = BoundedSearch(system, [at(system, 6)], _smt_solver.Budget())
    told: list[Depth] = []
    assert search.extend(4, told.append) == (Exhausted("at 6", 4, False, Overflow.IMPOSSIBLE),)
    assert search.extend(8, told.append) == (Found("at 6", Path((0,), (0,) * 6)),)
    assert told == [Depth(depth, 1) for depth in range(7)]


@pytest.mark.parametrize(("depth", "overflow"), [(3, Overflow.IMPOSSIBLE), (4, Overflow.POSSIBLE)])
def test_an_overflow_within_the_bound_is_reported_and_not_followed(depth: int, overflow: Overflow) -> None:
    system = counter(3, declared=3)
    (outcome,) = bounded_search(system, [Monitor("never")], depth=depth)
    assert isinstance(outcome, Exhausted) and outcome.overflow is overflow
    assert outcome.complete is (depth == 4)


def test_a_step_out_of_a_domain_leaves_the_search_undecided() -> None:
    letters = Sort("letter", ("a", "b", "c"))
    family = Family("x", lambda _setup: (Domain.full(letters), 0))
    schema = Schema(None)
    x = schema.variable((family,))
    away = Action(Label("go", None, "go"), (), {x: Domain.full(letters).constant(2)})
    domains = {x: Domain(letters, mask=0b011)}
    system = TransitionSystem("leaky", (x,), domains, {x: (0,)}, (away,), FALSE, schema)
    (outcome,) = bounded_search(system, [Monitor("never")], depth=3)
    assert outcome == Undecided("never", 0, "a step can write a value outside the domain of its variable")


def test_limits_leave_the_search_undecided() -> None:
    system = benchmark_system(3)
    monitor = benchmark_invariant_violation(system)
    runs = [bounded_search(system, [monitor], depth=40, limits=Limits(resources=150_000)) for _ in range(2)]
    assert runs[0] == runs[1], "the resource limit must give the same result each time"
    (outcome,) = runs[0]
    assert isinstance(outcome, Undecided) and 0 <= outcome.depth < 40 and "150000 solver resources" in outcome.why
    (late,) = bounded_search(system, [monitor], depth=40, limits=Limits(seconds=1e-6))
    assert late == Undecided(monitor.name, -1, "the limit of 1e-06 seconds is spent")


def test_a_search_ends_when_told_to_stop() -> None:
    system = benchmark_system(2)
    depths: list[int] = []
    (outcome,) = bounded_search(system, [benchmark_invariant_violation(system)], depth=60,
                                progress=lambda now: depths.append(now.depth), stop=lambda: len(depths) > 3)
    assert isinstance(outcome, Undecided) and outcome.why == "the search was told to stop" and outcome.depth == 2


def test_the_keyboard_interrupts_a_search() -> None:
    system = benchmark_system(4)
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        bounded_search(system, [benchmark_invariant_violation(system)], depth=10_000)


class Silent:
    """A solver that never knows."""

    def check(self, *_assumptions: object) -> Any:
        return z3.unknown

    def reason_unknown(self) -> str:
        return "planted"

    def add(self, *_formulas: object) -> None: ...

    def statistics(self) -> list[tuple[str, int]]:
        return []


@pytest.mark.parametrize("depth", [0, 1, 5])
def test_unknown_is_not_taken_for_no_counterexample(monkeypatch: pytest.MonkeyPatch, depth: int) -> None:
    monkeypatch.setattr(_smt_solver, "solver", lambda _context, _logic: Silent())
    system = benchmark_system(1, faulty=True)
    (outcome,) = bounded_search(system, [benchmark_invariant_violation(system)], depth=depth)
    assert outcome == Undecided("the invariant is broken", -1, "the solver says: planted")


def test_a_play_that_the_plain_reading_refuses_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    system = counter(5)
    for path in (Path((1,), ()), Path((0,), (0,) * 6), Path((0,), (0,))):
        with pytest.raises(EngineDisagreementError):
            confirm(system, [at(system, 3)], path)
    monkeypatch.setattr(Lowering, "path", lambda _self, _model, _length: Path((0,), ()))
    with pytest.raises(EngineDisagreementError, match="shows nothing"):
        bounded_search(system, [at(system, 3)], depth=5)


def test_arguments_are_checked() -> None:
    system = counter(5)
    with pytest.raises(ValueError, match="depth must be at least 0, not -1"):
        bounded_search(system, [at(system, 3)], depth=-1)
    with pytest.raises(ValueError, match="distinct names"):
        bounded_search(system, [at(system, 3), at(system, 3)], depth=1)


def test_truth_values_and_steps_of_no_action() -> None:
    family = Family("flag", lambda _setup: (Domain.full(BOOL), 0))
    schema = Schema(None)
    flag = schema.variable((family,))
    system = TransitionSystem("still", (flag,), {flag: flag.domain}, {flag: (0, 1)}, (), FALSE, schema)
    here, there = Monitor("on", system.read(flag)), Monitor("never")
    assert bounded_search(system, [here, there], depth=4) == (
        Found("on", Path((1,), ())), Exhausted("never", 1, True, Overflow.IMPOSSIBLE),
    )
