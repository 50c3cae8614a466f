"""The symbolic reading and what is built on it, against the plain reading and plain breadth-first search."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, product

import pytest
import z3
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from counterexamples.search.bounded import Exhausted, Found, Overflow, bounded_search
from counterexamples.search.induction import (
    CounterexampleToInduction,
    Proved,
    Refuted,
    Undecided,
    prove,
)
from model.readings.evaluate import Refusal, Valuation, evaluate, replay, successor
from model.readings.smt import Lowering
from model.state import Domain, Family, Schema, State
from model.system import Action, Code, Label, Monitor, TransitionSystem
from model.terms import BOOL, FALSE, INT, TRUE, Sort, Term, add, and_, eq, ite, le, not_, number, or_, subtract
from tests.systems import monitored_systems, random_systems

MODERATE = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
MONITORS = monitored_systems()


COLOUR = Sort("colour", ("white", "blue", "black", "red", "green"))


def sparse_system(seed: int) -> TransitionSystem:
    """A system in which each action leaves few states, so that shortest plays are long."""
    choose = random.Random(seed)
    low = choose.randint(-3, 2)
    domains = [Domain.full(BOOL), Domain(INT, low, low + choose.randint(2, 4)), Domain(COLOUR, mask=0b10101)]
    family = Family("x", lambda setup, i: (setup[i], setup[i].first))
    schema = Schema(domains)
    variables = tuple(schema.variable((family, i)) for i in range(len(domains)))
    actions = []
    for i in range(choose.randint(8, 16)):
        state = State(schema, lambda v: v.domain.term(v))
        for v in choose.sample(variables, choose.choice((2, 3, 3))):
            state.require(eq(v.domain.term(v), v.domain.constant(choose.choice(v.domain.codes()))), "there", "")
        for v in choose.sample(variables, choose.randint(1, 2)):
            shifted = v.domain.sort is INT and choose.random() < 0.6
            state[family, v.index[0]] = state[family, v.index[0]] + choose.choice((-1, 1, 2)) if shifted \
                else v.domain.constant(choose.choice(v.domain.codes()))
        actions.append(Action.recorded(Label("go", None, f"go {i}", (("index", str(i)),)), state))
    initial = {v: (v.domain.first,) for v in variables}
    domain_of = {v: v.domain for v in variables}
    return TransitionSystem(f"sparse {seed}", variables, domain_of, initial, tuple(actions), FALSE, schema)


def every_state_and_step(system: TransitionSystem) -> tuple[Monitor, ...]:
    """A monitor for each state, and one for each action."""
    states = product(*(system.domains[v].codes() for v in system.variables))
    there = [
        Monitor(f"at {codes}", and_(*(eq(system.read(v), v.domain.constant(c))
                                      for v, c in zip(system.variables, codes, strict=True))))
        for codes in states
    ]
    return (*there, *(Monitor(f"does {i}", on_step={i: TRUE}) for i in range(len(system.actions))))


@dataclass(frozen=True)
class Layer:
    """What plain breadth-first search finds at one depth."""

    states: frozenset[tuple[Code, ...]]
    shown: frozenset[str]
    overflow: bool


def layers(system: TransitionSystem, monitors: tuple[Monitor, ...]) -> Iterator[Layer]:
    """New states, and what is shown by plays of so many steps; the last layer has no states."""
    current = frozenset(system.initial_states())
    seen: set[tuple[Code, ...]] = set(current)
    shown: set[str] = set()
    while True:
        shown |= {m.name for m in monitors for s in current if Valuation(system, s).value(m.on_state)}
        overflow, after, shown_next = False, set(), set()
        for state in current:
            here = Valuation(system, state)
            for index, action in enumerate(system.actions):
                overflow |= here.enabled(action) and bool(here.value(action.overflow))
                found = here.successor(action)
                if not isinstance(found, Refusal):
                    after.add(found)
                    shown_next |= {m.name for m in monitors if index in m.on_step and here.value(m.on_step[index])}
        yield Layer(current, frozenset(shown), overflow)
        if not current:
            return
        current, shown = frozenset(after - seen), shown_next
        seen |= current


def first_depths(system: TransitionSystem, monitors: tuple[Monitor, ...]) -> dict[str, int]:
    """The length of a shortest play to each monitor that has one."""
    found: dict[str, int] = {}
    for depth, layer in enumerate(layers(system, monitors)):
        for name in layer.shown:
            found.setdefault(name, depth)
    return found


def lowered_value(lowering: Lowering, term: Term, state: tuple[Code, ...], time: int) -> Code:
    """What Z3 makes of a term where the symbols of a moment have the codes of a state."""
    pairs = []
    for variable, symbol, code in zip(lowering.system.variables, lowering.symbols(time), state, strict=True):
        if variable.domain.sort is BOOL:
            pairs.append((symbol, z3.BoolVal(bool(code), lowering.context)))
        else:
            pairs.append((symbol, z3.BitVecVal(code, symbol.size(), lowering.context)))
    value = z3.simplify(z3.substitute(lowering.term(term, time), *pairs))
    if term.sort is BOOL:
        return int(z3.is_true(value))
    return int(value.as_signed_long() if term.sort is INT and term.low < 0 else value.as_long())


class Terms:
    """Random integers, truth values and members over the variables of a system."""

    def __init__(self, system: TransitionSystem, choose: random.Random) -> None:
        self.choose = choose
        self.variables = [system.read(v) for v in system.variables]

    def integer(self, depth: int) -> Term:
        known = [v for v in self.variables if v.sort is INT]
        if depth == 0:
            return self.choose.choice([*known, number(self.choose.randint(-9, 9))])
        a, b = self.integer(depth - 1), self.integer(depth - 1)
        return self.choose.choice((
            lambda: subtract(a, b), lambda: add(a, b, a), lambda: ite(self.boolean(depth - 1), a, b), lambda: a,
        ))()

    def boolean(self, depth: int) -> Term:
        if depth == 0:
            known = self.choose.choice(self.variables)
            return known if known.sort is BOOL else le(known, number(0)) if known.sort is INT \
                else known.is_(self.choose.choice(known.sort.members))
        a, b = self.boolean(depth - 1), self.boolean(depth - 1)
        members = [v for v in self.variables if v.sort.members]
        return self.choose.choice((
            lambda: le(self.integer(depth - 1), self.integer(depth - 1)),
            lambda: eq(self.integer(depth - 1), self.integer(depth - 1)),
            lambda: and_(a, b), lambda: or_(a, not_(b)), lambda: ite(a, b, not_(b)), lambda: eq(a, b),
            lambda: eq(ite(a, members[0], members[0]), members[0]) if members else a,
        ))()


@pytest.mark.parametrize("seed", range(40))
def test_random_terms_have_the_same_value(seed: int) -> None:
    choose = random.Random(seed)
    system = sparse_system(seed)
    lowering, terms = Lowering(system), Terms(system, choose)
    for _ in range(12):
        term = terms.integer(4) if choose.random() < 0.5 else terms.boolean(4)
        for _ in range(4):
            state = tuple(choose.choice(system.domains[v].codes()) for v in system.variables)
            assert lowered_value(lowering, term, state, 0) == evaluate(term, Valuation(system, state).codes)


@given(st.data(), MONITORS)
@MODERATE
def test_terms_have_the_same_value(data: st.DataObject, case: tuple[TransitionSystem, tuple[Monitor, ...]]) -> None:
    system, monitors = case
    state = tuple(data.draw(st.sampled_from(system.domains[v].codes())) for v in system.variables)
    lowering, here = Lowering(system), Valuation(system, state)
    terms = [system.terminal, *(m.on_state for m in monitors), *(t for m in monitors for t in m.on_step.values())]
    for action in system.actions:
        terms.append(action.guard)
        if here.value(action.guard):
            terms += [action.overflow, *action.updates.values()]
    for term in terms:
        for time in (0, 2):
            assert lowered_value(lowering, term, state, time) == here.value(term)


@given(st.data(), random_systems())
@MODERATE
def test_steps_are_the_same(data: st.DataObject, system: TransitionSystem) -> None:
    """From a random state, the solver's choices and next states are the plain reading's."""
    state = tuple(data.draw(st.sampled_from(system.domains[v].codes())) for v in system.variables)
    lowering = Lowering(system)
    solver = z3.SolverFor("QF_FD", ctx=lowering.context)
    solver.add(lowering.transition(1), lowering.domain(2))
    for variable, symbol, code in zip(system.variables, lowering.symbols(1), state, strict=True):
        boolean = variable.domain.sort is BOOL
        solver.add(symbol == (bool(code) if boolean else z3.BitVecVal(code, symbol.size(), lowering.context)))
    found = {}
    while solver.check() == z3.sat:
        model = solver.model()
        index = model.eval(lowering.choice(1), model_completion=True).as_long()
        assert index not in found, "an action has two next states"
        found[index] = lowering.state(model, 2)
        solver.add(z3.Not(lowering.takes(index, 1)))
    assert solver.check() == z3.unsat
    plain = {i: successor(system, action, state) for i, action in enumerate(system.actions)}
    assert found == {i: after for i, after in plain.items() if not isinstance(after, Refusal)}


@given(random_systems())
@MODERATE
def test_initial_states_are_the_same(system: TransitionSystem) -> None:
    lowering = Lowering(system)
    solver = z3.SolverFor("QF_FD", ctx=lowering.context)
    solver.add(lowering.init(), lowering.domain(0))
    found = set()
    while solver.check() == z3.sat:
        state = lowering.state(solver.model(), 0)
        found.add(state)
        solver.add(z3.Not(lowering.all_of([
            s == solver.model().eval(s, model_completion=True) for s in lowering.symbols(0)
        ])))
    assert found == set(system.initial_states())


@pytest.mark.parametrize("seed", range(15))
def test_sparse_systems_are_searched_as_by_breadth_first_search(seed: int) -> None:
    system = sparse_system(seed)
    monitors = every_state_and_step(system)
    first = first_depths(system, monitors)
    outcomes = bounded_search(system, monitors, depth=30)
    for outcome in outcomes:
        assert isinstance(outcome, Found if outcome.monitor in first else Exhausted)
        if isinstance(outcome, Found):
            assert len(outcome.path.actions) == first[outcome.monitor]


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("simple_path", (False, True))
@pytest.mark.parametrize("max_candidates", (0, 60))
def test_sparse_systems_are_proved_as_by_breadth_first_search(
    seed: int, simple_path: bool, max_candidates: int
) -> None:
    system = sparse_system(seed)
    monitors = every_state_and_step(system)
    first = first_depths(system, monitors)
    for monitor in monitors[seed % 11 :: 11]:
        outcome = prove(system, monitor, max_k=16, simple_path=simple_path, max_candidates=max_candidates)
        if isinstance(outcome, CounterexampleToInduction):
            assert not simple_path and monitor.name not in first
        else:
            assert isinstance(outcome, Refuted if monitor.name in first else Proved)


@given(MONITORS, st.integers(0, 4))
@MODERATE
def test_bounded_search_finds_what_breadth_first_search_finds(
    case: tuple[TransitionSystem, tuple[Monitor, ...]], depth: int
) -> None:
    system, monitors = case
    first = first_depths(system, monitors)
    steps = list(islice(layers(system, monitors), depth + 2))
    for monitor, outcome in zip(monitors, bounded_search(system, monitors, depth=depth), strict=True):
        match outcome:
            case Found(name, path):
                assert name == monitor.name and len(path.actions) == first[name]
                replay(system, path)
            case Exhausted(name, reached, complete, overflow):
                assert name == monitor.name and (complete or reached == depth)
                assert first.get(name, reached + 1) > reached
                if complete:
                    assert name not in first
                # A step that only states seen earlier can take is seen earlier, so the layers up to the bound suffice.
                assert overflow is (
                    Overflow.POSSIBLE if any(s.overflow for s in steps[:reached]) else Overflow.IMPOSSIBLE
                )
            case _:
                raise AssertionError(outcome)


@given(
    MONITORS,
    st.integers(1, 4),
    st.booleans(),
    st.sampled_from((0, 40)),
)
@MODERATE
def test_induction_never_proves_what_can_happen(
    case: tuple[TransitionSystem, tuple[Monitor, ...]], max_k: int, simple_path: bool, max_candidates: int
) -> None:
    system, monitors = case
    first = first_depths(system, monitors)
    reachable = frozenset[tuple[Code, ...]]().union(*(layer.states for layer in layers(system, ())))
    overflows = any(layer.overflow for layer in layers(system, ()))
    for i, monitor in enumerate(monitors):
        lemmas = [Monitor(m.name, m.on_state) for m in monitors[:i]]
        outcome = prove(system, monitor, max_k=max_k, simple_path=simple_path, lemmas=lemmas,
                        max_candidates=max_candidates)
        match outcome:
            case Proved(name, certificate):
                assert name not in first
                for lemma in certificate.plan.lemmas:
                    assert not any(Valuation(system, s).value(lemma.on_state) for s in reachable)
                assert not (certificate.plan.excludes_overflow and overflows)
            case Refuted(name, path):
                assert len(path.actions) == first[name]
                replay(system, path)
            case CounterexampleToInduction(name, states, actions):
                assert len(states) == len(actions) == outcome.k == max_k
                assert name not in first or states[0] in reachable or first[name] >= max_k
            case Undecided(why=why):
                raise AssertionError(why)


@given(MONITORS)
@settings(parent=MODERATE, max_examples=30)
def test_simple_paths_settle_everything(case: tuple[TransitionSystem, tuple[Monitor, ...]]) -> None:
    """Small systems have short simple paths only, so k-induction with them must agree with breadth-first search."""
    system, monitors = case
    first = first_depths(system, monitors)
    states = sum(len(layer.states) for layer in layers(system, ()))
    for monitor in monitors[:1]:
        outcome = prove(system, monitor, max_k=12, simple_path=True)
        if isinstance(outcome, CounterexampleToInduction):
            assert first.get(monitor.name, 12) >= 12 or states >= 12
        else:
            assert isinstance(outcome, Refuted if monitor.name in first else Proved)
