"""The plain reading: each operator, the three outcomes of an action, and replay."""

from __future__ import annotations

import operator
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.readings.evaluate import (
    DomainError,
    Refusal,
    ReplayError,
    Valuation,
    enabled,
    evaluate,
    replay,
    successor,
)
from model.state import Domain, Family, Requirement, Schema, Variable
from model.system import Action, Label, Path, Step, TransitionSystem
from model.terms import (
    BOOL,
    FALSE,
    INT,
    TRUE,
    Op,
    Sort,
    Term,
    add,
    and_,
    const,
    eq,
    ite,
    le,
    not_,
    number,
    or_,
    subterms,
    subtract,
    variable,
)
from tests.systems import benchmark_system, monitored_systems

COLOUR = Sort("colour", ("red", "green", "blue"))
P, Q, R = (variable(name, BOOL) for name in "pqr")
X, Y = variable("x", INT, low=-3, high=4), variable("y", INT, low=2, high=9)
C, D = variable("c", COLOUR), variable("d", COLOUR)

truths = st.sampled_from((0, 1))
valuations = st.fixed_dictionaries(
    {"p": truths, "q": truths, "r": truths, "x": st.integers(-3, 4), "y": st.integers(2, 9),
     "c": st.integers(0, 2), "d": st.integers(0, 2)}
)

MEANINGS: list[tuple[Op, Term, Callable[[dict[str, int]], int]]] = [
    (Op.CONST, number(7), lambda v: 7),
    (Op.CONST, const(COLOUR, "blue"), lambda v: 2),
    (Op.CONST, TRUE, lambda v: 1),
    (Op.VAR, X, lambda v: v["x"]),
    (Op.NOT, not_(P), lambda v: 1 - v["p"]),
    (Op.AND, and_(P, Q, R), lambda v: v["p"] & v["q"] & v["r"]),
    (Op.OR, or_(P, Q, R), lambda v: v["p"] | v["q"] | v["r"]),
    (Op.EQ, eq(C, D), lambda v: v["c"] == v["d"]),
    (Op.EQ, eq(X, Y), lambda v: v["x"] == v["y"]),
    (Op.ITE, ite(P, X, Y), lambda v: v["x"] if v["p"] else v["y"]),
    (Op.ITE, ite(P, C, D), lambda v: v["c"] if v["p"] else v["d"]),
    (Op.ADD, add(X, Y, number(-5)), lambda v: v["x"] + v["y"] - 5),
    (Op.SUB, subtract(X, Y), lambda v: v["x"] - v["y"]),
    (Op.LE, le(X, Y), lambda v: v["x"] <= v["y"]),
]


def test_every_operator_has_a_meaning_here() -> None:
    assert {op for op, _, _ in MEANINGS} == set(Op)
    assert all(term.op is op for op, term, _ in MEANINGS)


@pytest.mark.parametrize(("op", "term", "meaning"), MEANINGS)
@given(values=valuations)
def test_operator(op: Op, term: Term, meaning: Callable[[dict[str, int]], int], values: dict[str, int]) -> None:
    assert evaluate(term, values) == int(meaning(values))
    assert type(evaluate(term, values)) is int


def test_an_operator_without_a_case_raises() -> None:
    class Unknown:
        op, args = "xor", ()

    with pytest.raises(NotImplementedError, match="xor"):
        evaluate(Unknown(), {})  # type: ignore[arg-type]


def test_only_what_decides_is_asked_for() -> None:
    assert evaluate(and_(P, Q), {"p": 0}) == 0
    assert evaluate(or_(P, Q), {"p": 1}) == 1
    assert evaluate(ite(P, X, Y), {"p": 1, "x": 3}) == 3
    with pytest.raises(KeyError, match="q"):
        evaluate(and_(P, Q), {"p": 1})


def test_a_memo_holds_what_was_evaluated() -> None:
    memo: dict[Term, int] = {}
    evaluate(ite(P, X, Y), {"p": 1, "x": 3}, memo)
    assert memo == {ite(P, X, Y): 3, P: 1, X: 3}


def test_terms_deeper_than_the_stack() -> None:
    term = X
    for i in range(20_000):
        term = ite(variable(("deep", i), BOOL), number(i), subtract(term, Y))
    values = {("deep", i): 0 for i in range(20_000)} | {"x": 1, "y": 2}
    assert evaluate(term, values) == 1 - 2 * 20_000


def _system(action: Callable[[Variable, Variable], Action]) -> TransitionSystem:
    """A counter from 0 to 3 and a flag, with one action."""
    schema = Schema(None)
    count = schema.variable((Family("count", lambda _: (Domain(INT, 0, 3), 0)),))
    flag = schema.variable((Family("flag", lambda _: (Domain.full(BOOL), 0)),))
    domains = {count: count.domain, flag: flag.domain}
    initial = {count: (0, 2), flag: (0,)}
    return TransitionSystem("counter", (count, flag), domains, initial, (action(count, flag),), FALSE, schema)


def _step(count: Variable, flag: Variable) -> Action:
    now = count.domain.term(count)
    guard = Requirement(not_(flag.domain.term(flag)), "the flag is down", "1.1")
    return Action(Label("step", "alice", "step"), (guard,), {count: now + 1}, overflow=now.is_(3))


def test_the_three_outcomes_of_an_action() -> None:
    system = _system(_step)
    action = system.actions[0]
    assert successor(system, action, (1, 0)) == (2, 0)
    assert successor(system, action, (3, 0)) is Refusal.OVERFLOW
    assert successor(system, action, (3, 1)) is Refusal.DISABLED
    assert enabled(system, action, (3, 0)) and not enabled(system, action, (1, 1))


def test_updates_read_the_state_before() -> None:
    def swap(count: Variable, flag: Variable) -> Action:
        one = count.domain.term(count).is_(1)
        return Action(Label("swap", None, "swap"), (), {count: ite(flag.domain.term(flag), number(1), number(0)),
                                                      flag: one})

    system = _system(swap)
    assert successor(system, system.actions[0], (1, 0)) == (0, 1)
    assert successor(system, system.actions[0], (0, 1)) == (1, 0)


def test_a_write_outside_the_domain_is_an_internal_fault() -> None:
    def leave(count: Variable, flag: Variable) -> Action:
        return Action(Label("leave", None, "leave"), (), {count: count.domain.term(count) + 1})

    system = _system(leave)
    with pytest.raises(DomainError, match="leave writes 4 to count"):
        successor(system, system.actions[0], (3, 0))


def test_replay_gives_every_step() -> None:
    steps = replay(_system(_step), Path((0, 0), (0, 0)))
    assert steps == [Step(0, (0, 0), (1, 0)), Step(0, (1, 0), (2, 0))]


def test_replay_says_what_is_wrong() -> None:
    system = _system(_step)
    with pytest.raises(ReplayError, match=r"step 2, alice: step, cannot be taken: it would leave a declared range"):
        replay(system, Path((2, 0), (0, 0)))
    with pytest.raises(ReplayError, match=r"the play starts with count = 1, which is not initial in counter"):
        replay(system, Path((1, 0), ()))
    benchmark = benchmark_system(1)
    destroy = next(i for i, a in enumerate(benchmark.actions) if a.label.rule == "destroy")
    start = next(benchmark.initial_states())
    with pytest.raises(ReplayError, match=r"step 1, .*its guard is false: not so: on the battlefield"):
        replay(benchmark, Path(start, (destroy,)))


@given(monitored_systems())
def test_sharing_a_memo_changes_nothing(drawn: tuple[TransitionSystem, object]) -> None:
    system, _ = drawn
    state = next(system.initial_states())
    valuation = Valuation(system, state)
    roots = [t for a in system.actions for t in (a.guard, a.overflow, *a.updates.values())]
    for term in subterms(roots):
        assert valuation.value(term) == evaluate(term, valuation.codes)


def test_operators_agree_with_python() -> None:
    values = {"x": -3, "y": 9}
    for build, apply in ((add, operator.add), (subtract, operator.sub), (le, operator.le), (eq, operator.eq)):
        assert evaluate(build(X, Y), values) == apply(-3, 9)
