"""The parts of the symbolic reading and of the solver's front, one by one."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Mapping, Sequence

import pytest
import z3

from counterexamples.search._smt_candidates import candidate_lemmas
from counterexamples.search._smt_houdini import Houdini
from counterexamples.search._smt_solver import Budget, Limits, Questioner, Sat, Unknown, Unsat, explain
from model.readings.smt import Lowering, Shape
from model.state import Domain, Family, Schema, State, Variable
from model.system import Action, Label, Monitor, Path, TransitionSystem
from model.terms import BOOL, FALSE, INT, TRUE, Sort, Term, add, and_, eq, ite, le, number, subtract, variable

LETTERS = Sort("letter", ("a", "b", "c", "d", "e"))


Steps = Callable[..., Sequence[Mapping[int, Term]]]


def system_of(domains: Sequence[Domain], steps: Steps = lambda *_: ()) -> TransitionSystem:
    """A system over variables with these domains.  ``steps`` gives what each action writes, from the variables."""
    family = Family("x", lambda setup, i: (setup[i], setup[i].first))
    schema = Schema(tuple(domains))
    made = [schema.variable((family, i)) for i in range(len(domains))]
    actions = []
    for i, writes in enumerate(steps(*(v.domain.term(v) for v in made))):
        state = State(schema, lambda v: v.domain.term(v))
        for index, term in writes.items():
            state[family, index] = term
        actions.append(Action.recorded(Label("act", None, f"act {i}", (("index", str(i)),)), state))
    initial = {v: (v.domain.first,) for v in made}
    return TransitionSystem("small", tuple(made), {v: v.domain for v in made}, initial, tuple(actions), FALSE, schema)


def codes_of(lowering: Lowering, *formulas: object) -> set[int]:
    """Every value of the first variable at moment 0 that the formulas allow."""
    solver = z3.Solver(ctx=lowering.context)
    solver.add(*formulas)
    found = set()
    while solver.check() == z3.sat:
        code = lowering.state(solver.model(), 0)[0]
        found.add(code)
        symbol = lowering.symbols(0)[0]
        solver.add(symbol != solver.model().eval(symbol, model_completion=True))
    return found


@pytest.mark.parametrize(("low", "high", "shape"), [
    (0, 0, Shape(1, False)), (0, 1, Shape(1, False)), (0, 7, Shape(3, False)), (0, 8, Shape(4, False)),
    (3, 9, Shape(4, False)), (-1, 0, Shape(1, True)), (-1, 1, Shape(2, True)), (-4, 3, Shape(3, True)),
    (-5, 3, Shape(4, True)), (-2, 4, Shape(4, True)), (-9, -7, Shape(5, True)),
])
def test_shapes_hold_their_interval_and_no_more(low: int, high: int, shape: Shape) -> None:
    assert Shape.of(low, high) == shape
    least, most = (-(1 << shape.width - 1), (1 << shape.width - 1) - 1) if shape.signed else (0, (1 << shape.width) - 1)
    assert least <= low <= high <= most


@pytest.mark.parametrize("domain", [
    Domain.full(BOOL), Domain(INT, 0, 7), Domain(INT, 2, 5), Domain(INT, -3, 2), Domain(INT, -8, 7),
    Domain(INT, -9, -5), Domain.full(LETTERS), Domain(LETTERS, mask=0b00011), Domain(LETTERS, mask=0b10101),
], ids=str)
def test_a_variable_has_the_values_of_its_domain(domain: Domain) -> None:
    lowering = Lowering(system_of([domain]))
    assert codes_of(lowering, lowering.domain(0)) == set(domain.codes())
    assert codes_of(lowering, lowering.domain(0), lowering.init()) == {domain.first}


def test_integers_do_not_wrap_around() -> None:
    system = system_of([Domain(INT, 0, 7), Domain(INT, -4, 3)])
    x, y = map(system.read, system.variables)
    lowering = Lowering(system)
    for wrong in (
        le(number(8), add(x, x)) & le(x, number(3)),
        le(subtract(y, x), number(-12)),
        eq(add(x, y), number(-5)),
        le(number(22), add(x, x, x)),
    ):
        solver = z3.Solver(ctx=lowering.context)
        solver.add(lowering.domain(0), lowering.term(wrong))
        assert solver.check() == z3.unsat, wrong


def test_deep_terms_need_no_deep_stack() -> None:
    system = system_of([Domain(INT, 0, 3)])
    x = term = system.read(system.variables[0])
    for i in range(20_000):
        term = ite(eq(x, number(i % 3)), subtract(number(3), term), ite(eq(term, x), x, term))
    lowering = Lowering(system)
    assert lowering.term(eq(term, x)).sort() == z3.BoolSort(lowering.context)


def test_an_operator_without_a_case_is_refused() -> None:
    odd = Term()
    odd.op, odd.args, odd.sort = "XOR", (), BOOL  # type: ignore[assignment]
    with pytest.raises(NotImplementedError, match="no case for XOR"):
        Lowering(system_of([Domain.full(BOOL)])).term(odd)


def test_variables_of_other_systems_are_refused() -> None:
    system = system_of([Domain.full(BOOL)])
    with pytest.raises(ValueError, match="not a variable of small"):
        Lowering(system).term(variable("stranger", BOOL))
    with pytest.raises(ValueError, match="is a integer in a term and a truth value in small"):
        Lowering(system).term(le(variable(system.variables[0], INT, low=0, high=4), number(2)))


@pytest.mark.parametrize(("codes", "message"), [((), "has no initial state"), ((0, 9), "starts with 9, outside")])
def test_unsound_initial_states_are_refused(codes: tuple[int, ...], message: str) -> None:
    system = system_of([Domain(INT, 0, 3)])
    initial: dict[Variable, tuple[int, ...]] = {system.variables[0]: codes}
    broken = TransitionSystem("broken", system.variables, system.domains, initial, (), FALSE, system.schema)
    with pytest.raises(ValueError, match=message):
        Lowering(broken)


def test_a_system_without_actions_makes_no_step() -> None:
    lowering = Lowering(system_of([Domain(INT, 0, 3)]))
    solver = z3.Solver(ctx=lowering.context)
    solver.add(lowering.transition(0))
    assert solver.check() == z3.unsat


@pytest.mark.parametrize("actions", [1, 2, 3, 4, 5])
def test_a_step_is_one_of_the_actions(actions: int) -> None:
    system = system_of([Domain(INT, 0, 9)], lambda _: [{0: number(i + 1)} for i in range(actions)])
    lowering = Lowering(system)
    assert codes_of(lowering, lowering.domain(0), lowering.transition(1), z3.Not(lowering.takes(0, 1))) \
        == (set(range(10)) if actions > 1 else set())


def test_a_model_tells_the_play() -> None:
    letter = Domain.full(LETTERS).constant(4)
    system = system_of([Domain(INT, 0, 5), Domain(LETTERS, mask=0b10010)], lambda *_: ({1: letter}, {0: number(3)}))
    lowering = Lowering(system)
    solver = z3.Solver(ctx=lowering.context)
    solver.add(lowering.init(), lowering.transition(0), lowering.transition(1), lowering.takes(1, 0),
               lowering.takes(0, 1), lowering.differ(0, 1), lowering.differ(1, 2))
    assert solver.check() == z3.sat
    assert lowering.path(solver.model(), 2) == Path((0, 1), (1, 0))
    assert [lowering.state(solver.model(), t) for t in range(3)] == [(0, 1), (3, 1), (3, 4)]
    assert lowering.after(eq(system.read(system.variables[0]), number(3)), 1) is TRUE


def test_names_are_plain_and_contexts_apart() -> None:
    family = Family('odd |\\" name', lambda _setup, *_index: (Domain.full(BOOL), 0))
    schema = Schema(None)
    v = schema.variable((family, "a|b", "\\"))
    system = TransitionSystem("odd", (v,), {v: v.domain}, {v: (0,)}, (), FALSE, schema)
    one, other = Lowering(system), Lowering(system)
    assert str(one.symbols(1)[0]) == "v0.odd_name_a_b@1"
    assert one.context is not other.context and one.context is not z3.main_ctx()


def test_escapes_tell_what_leaves_a_domain() -> None:
    e = Domain.full(LETTERS).constant(4)
    system = system_of([Domain(INT, 0, 3), Domain(LETTERS, mask=0b00111)], lambda x, y: (
        {1: ite(le(x, number(1)), y, e)}, {0: x + 1}, {1: Domain.full(LETTERS).constant(2)},
    ))
    lowering = Lowering(system)
    assert [lowering.escapes(action) is FALSE for action in range(3)] == [False, True, True]
    assert codes_of(lowering, lowering.domain(0), lowering.term(lowering.escapes(0))) == {2, 3}


def pigeons(asker: Questioner, holes: int = 11) -> None:
    """A formula that no solver of this kind decides soon."""
    sits = [[asker.literal(f"{i} in {j}") for j in range(holes)] for i in range(holes + 1)]
    asker.add(*(z3.Or(*row) for row in sits))
    for j in range(holes):
        asker.add(*(z3.Not(z3.And(sits[i][j], sits[k][j])) for i in range(holes + 1) for k in range(i)))


def hard(budget: Budget) -> Questioner:
    asker = Questioner(z3.Context(), budget)
    pigeons(asker)
    return asker


def test_answers_come_with_what_they_mean() -> None:
    asker = Questioner(z3.Context(), Budget())
    a, b = asker.literal("a"), asker.literal("b")
    asker.add(z3.Not(z3.And(a, b)))
    sat, unsat = asker.ask(a), asker.ask(a, b)
    assert isinstance(sat, Sat) and z3.is_true(sat.model.eval(a))
    assert isinstance(unsat, Unsat) and unsat.core == {"a", "b"}
    assert [explain(x) for x in (sat, unsat, Unknown("why"))] == ["sat", "unsat", "unknown (why)"]


def test_resources_are_spent_once_for_all_queries_and_contexts() -> None:
    budget = Budget(Limits(resources=200_000))
    first = hard(budget).ask()
    assert first == Unknown("the limit of 200000 solver resources is spent") and budget.spent >= 200_000
    assert Questioner(z3.Context(), budget).ask() == first


def test_time_is_limited() -> None:
    assert hard(Budget(Limits(seconds=0.3))).ask() == Unknown("the limit of 0.3 seconds is spent")


def test_a_query_ends_when_told_to_stop() -> None:
    told = threading.Event()
    threading.Timer(0.3, told.set).start()
    assert hard(Budget(stop=told.is_set)).ask() == Unknown("the search was told to stop")


def test_the_keyboard_interrupts_a_query() -> None:
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        hard(Budget()).ask()


@pytest.mark.parametrize("name", ["resources", "seconds"])
def test_limits_must_be_positive(name: str) -> None:
    with pytest.raises(ValueError, match=f"{name} must be positive or None, not 0"):
        Limits(**{name: 0})


def test_houdini_goes_on_until_all_that_rested_on_a_lost_candidate_is_lost() -> None:
    """A register that shifts: each candidate falls only once the one before it has, in the worst order of actions."""
    order = (4, 3, 2, 1, 0)
    system = system_of([Domain.full(BOOL)] * 5, lambda *bits: [{i: bits[i - 1] if i else TRUE} for i in order])
    bits = [Monitor(f"bit {i}", system.read(v)) for i, v in enumerate(system.variables)]
    houdini = Houdini(system, bits, (), Budget())
    assert houdini.run() is None and not houdini.alive
    with pytest.raises(ValueError, match="distinct names"):
        Houdini(system, [bits[0], bits[0]], (), Budget())


def test_what_supports_a_candidate_is_found_without_the_rest() -> None:
    system = system_of([Domain.full(BOOL)] * 4, lambda a, b, c, d: ({1: a}, {2: b & d}, {3: TRUE}))
    bits = [Monitor(f"bit {i}", system.read(v)) for i, v in enumerate(system.variables)]
    houdini = Houdini(system, bits, (), Budget())
    assert houdini.run() is None and list(houdini.alive) == ["bit 0", "bit 1", "bit 2"]
    assert houdini.support(["bit 1"], ()) == frozenset({"bit 0", "bit 1"})
    assert houdini.support((), [bits[2].on_state]) == frozenset({"bit 0", "bit 1", "bit 2"})


def test_candidates_are_what_plays_do_not_show() -> None:
    system = system_of([Domain.full(BOOL), Domain.full(BOOL), Domain(INT, 0, 7)], lambda a, b, n: (
        {0: TRUE, 2: number(5)}, {0: FALSE, 1: FALSE}, {1: a},
    ))
    a, b, n = map(system.read, system.variables)
    monitor = Monitor("bad", and_(b, le(n, number(2))))
    found = {candidate.on_state for candidate in candidate_lemmas(system, monitor, max_candidates=100)}
    assert {le(number(6), n), and_(b, ~a), and_(a, le(n, number(4))), and_(b, le(n, number(4)))} <= found
    assert len(candidate_lemmas(system, monitor, max_candidates=2)) == 2
