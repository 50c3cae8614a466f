"""The native reading against the plain one: the same states, steps, plays and verdicts, and faults that show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from counterexamples.search import _native
from counterexamples.search._native import NativeSearch
from counterexamples.search._results import Limits, Task
from counterexamples.search.explore import Cut, Exploration, ReachableGraph, explore, reachable_graph
from model.readings import _lowering, native
from model.readings._guards import Choose, Node, Sequel, Take, When, guard_tree
from model.readings._lowering import Body
from model.readings.evaluate import DomainError
from model.readings.native import compile_system
from model.readings.packing import WORD_BITS, Field, Packing
from model.state import Domain, Family, Schema, Variable
from model.system import Action, Label, Monitor, TransitionSystem
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
)
from tests.systems import benchmark_system, monitored_systems, random_systems

Drawn = tuple[TransitionSystem, tuple[Monitor, ...]]

relaxed = settings(deadline=None, max_examples=100, suppress_health_check=[HealthCheck.too_slow])


def both(system: TransitionSystem, monitors: Iterable[Monitor] = (), **options: object) -> list[Exploration]:
    """What each reading finds, without what may differ."""
    found = [explore(system, list(monitors), reading=r, **options)  # type: ignore[arg-type]
             for r in ("plain", "native")]
    return [replace(result, reading="", seconds=0.0, build=None) for result in found]


def agree(system: TransitionSystem, other: TransitionSystem | None = None) -> bool:
    """Whether the readings find the same states and steps: the plain one in one system, the native one in another."""
    plain = reachable_graph(system, reading="plain")
    compiled = reachable_graph(other or system, reading="native")
    return len(plain) == len(compiled) and _content(plain) == _content(compiled)


def _content(graph: ReachableGraph) -> list[object]:
    edges = graph.edges
    states = [graph.state(i) for i in range(len(graph))]
    return [states, edges.offsets.tolist(), edges.targets.tolist(), edges.actions.tolist(), graph.exploration.overflows]


@relaxed
@given(monitored_systems())
def test_whole_searches_agree(drawn: Drawn) -> None:
    plain, compiled = both(*drawn)
    assert plain == compiled


@relaxed
@given(monitored_systems(), st.integers(1, 40), st.booleans())
def test_cut_searches_agree(drawn: Drawn, limit: int, early: bool) -> None:
    plain, compiled = both(*drawn, max_states=limit, stop_when_all_hit=early)
    assert plain == compiled


@relaxed
@given(monitored_systems())
def test_graphs_and_conditions_agree(drawn: Drawn) -> None:
    system, monitors = drawn
    plain, compiled = (reachable_graph(system, reading=r) for r in ("plain", "native"))
    for name in ("offsets", "targets", "actions"):
        assert getattr(plain.edges, name).tolist() == getattr(compiled.edges, name).tolist()
    for index in range(len(plain)):
        assert plain.state(index) == compiled.state(index)
        assert plain.path(index) == compiled.path(index)
    for condition in [m.on_state for m in monitors] + [a.guard for a in system.actions]:
        assert plain.holding(condition).tolist() == compiled.holding(condition).tolist()


def _operators(system: TransitionSystem) -> set[Op]:
    return {t.op for a in system.actions for t in subterms([a.guard, a.overflow, *a.updates.values()])}


def test_random_systems_are_worth_comparing() -> None:
    """They use every operator, and everything that a search can report comes up."""
    operators: Counter[Op] = Counter()
    seen: Counter[str] = Counter()

    @settings(relaxed, max_examples=500, phases=[Phase.generate], database=None, derandomize=True)
    @given(monitored_systems())
    def collect(drawn: Drawn) -> None:
        operators.update(_operators(drawn[0]))
        found = explore(*drawn, reading="plain")
        seen.update(name for name, condition in {
            "overflow": found.overflows > 0,
            "deadlock after a step": found.deadlock is not None and len(found.deadlock.actions) > 0,
            "several hits": len(found.hits) > 1,
            "a hit after steps": any(len(path.actions) > 1 for path in found.hits.values()),
            "many states": found.states > 25,
            "depth": found.depth > 4,
        }.items() if condition)

    collect()
    assert set(operators) == set(Op)
    assert len(seen) == 6, seen


def test_more_monitors_than_a_word_has_bits() -> None:
    system = benchmark_system(1)
    s = system.symbolic_state()
    monitors = [Monitor(f"{v} = {code}", on_state=eq(s[(v.family, *v.index)], v.domain.constant(code)))
                for v in system.variables if v.domain.sort is not BOOL for code in v.domain.codes()]
    monitors += [Monitor(f"step {i} for the {k}. time", on_step={i: TRUE}) for i in range(12) for k in range(8)]
    plain, compiled = both(system, monitors)
    assert len(monitors) > 64
    assert plain == compiled
    assert all(m.name in plain.hits for m in monitors if m.on_step)


def test_a_monitor_that_has_hit_is_dropped() -> None:
    system = benchmark_system(1)
    monitors = [Monitor("state", on_state=TRUE), Monitor("step", on_step={11: TRUE})]
    search = NativeSearch(Task(system, monitors, Limits(), 0.0))
    search.run(compile_system(system, [TRUE]))
    assert search.watch.states.shape == search.watch.steps.shape == (0, 2)


# Layout


@given(random_systems(), st.data())
def test_packing_keeps_states_apart(system: TransitionSystem, data: st.DataObject) -> None:
    packing = Packing.of(system)
    states = st.tuples(*(st.sampled_from(system.domains[v].codes()) for v in system.variables))
    a, b = data.draw(states), data.draw(states)
    assert packing.unpack(packing.pack(a)) == a
    assert (packing.pack(a) == packing.pack(b)) is (a == b)


def _wide(count: int) -> TransitionSystem:
    """Fields of many widths over several words; one action for each puts it to its last value."""
    schema = Schema(None)
    family = Family("x", lambda _, i: (Domain(INT, -i, i ** 3 + 1), -i))
    variables = tuple(schema.variable((family, i)) for i in range(count))
    actions = tuple(Action(Label("set", None, f"set {v}", (("x", str(v.index[0])),)), (),
                           {v: number(v.domain.high)}) for v in variables)
    return TransitionSystem("wide", variables, {v: v.domain for v in variables}, {v: (v.initial,) for v in variables},
                            actions, FALSE, schema)


def test_fields_never_straddle_words() -> None:
    packing = Packing.of(_wide(40))
    assert packing.words > 3
    taken = [0] * packing.words
    for place in packing.fields:
        assert place.shift + place.width <= WORD_BITS
        assert taken[place.word] & place.mask == 0
        taken[place.word] |= place.mask


def test_states_of_several_words() -> None:
    system = _wide(12)
    plain, compiled = both(system)
    assert plain == compiled
    assert plain.states == 2 ** 12
    assert Packing.of(system).words > 1


def test_a_field_that_does_not_fit_is_refused() -> None:
    schema = Schema(None)
    huge = schema.variable((Family("huge", lambda _: (Domain(INT, 0, 1 << 64), 0)),))
    with pytest.raises(ValueError, match="huge needs 65 bits"):
        Packing.first_fit([huge], {huge: huge.domain})


# What is refused


def _one(update: Callable[[Term], Term], domain: Domain, overflow: Term = FALSE) -> TransitionSystem:
    """One variable and one action."""
    schema = Schema(None)
    x = schema.variable((Family("x", lambda _: (domain, domain.first)),))
    action = Action(Label("act", None, "act"), (), {x: update(domain.term(x))}, overflow)
    return TransitionSystem("one", (x,), {x: domain}, {x: (x.initial,)}, (action,), FALSE, schema)


def test_a_member_outside_the_domain_is_refused() -> None:
    colours = Sort("colour", ("red", "green", "blue"))
    with pytest.raises(ValueError, match="act may write blue to x"):
        compile_system(_one(lambda x: const(colours, "blue"), Domain(colours, mask=3)))


@pytest.mark.parametrize("reading", ["plain", "native"])
def test_an_integer_outside_the_domain_is_an_internal_fault(reading: str) -> None:
    with pytest.raises(DomainError, match="act writes"):
        explore(_one(lambda x: x + 1, Domain(INT, -1, 3)), reading=reading)  # type: ignore[arg-type]


def test_an_integer_whose_bounds_say_less_than_its_path_is_accepted() -> None:
    assert agree(_one(lambda x: ite(le(x, number(2)), x + 1, x), Domain(INT, -1, 3)))


def test_integers_beyond_a_word_are_refused() -> None:
    with pytest.raises(OverflowError, match="does not fit 64 bits"):
        compile_system(_one(lambda x: add(*[x] * 8), Domain(INT, 0, 1 << 61), TRUE))


def test_too_many_actions_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native, "MAX_ACTIONS", 11)
    with pytest.raises(ValueError, match="has 12 actions; the native reading takes 11"):
        compile_system(benchmark_system(1))


def test_an_operator_without_a_case_raises() -> None:
    class Unknown:
        op, args, sort, payload = "xor", (), BOOL, None

    with pytest.raises(NotImplementedError, match="xor"):
        Body(Packing.of(benchmark_system(1)))._instruction(Unknown())  # type: ignore[arg-type]


# Planted faults: each must make the readings differ


def _machine(build: Callable[[list[Term]], Term], sort: Sort = INT) -> TransitionSystem:
    """Two flags, two counters and two colours that change freely, and a register written with what ``build`` makes."""
    schema = Schema(None)
    colours = Sort("colour", ("red", "green", "blue"))
    domains = [Domain.full(BOOL), Domain.full(BOOL), Domain(INT, -1, 2), Domain(INT, 1, 3), Domain.full(colours),
               Domain.full(colours)]
    domains.append({BOOL: Domain.full(BOOL), INT: Domain(INT, -20, 20)}.get(sort, Domain.full(colours)))
    family = Family("x", lambda setup, i: (domains[i], domains[i].first))
    variables = tuple(schema.variable((family, i)) for i in range(len(domains)))
    terms = [v.domain.term(v) for v in variables]
    result = build(terms)
    if sort is not INT and sort is not BOOL:
        result = ite(eq(terms[4], const(colours, "red")), result, terms[5])
    action = Action(Label("act", None, "act"), (), {variables[-1]: result})
    free: dict[Variable, tuple[int, ...]] = {v: tuple(v.domain.codes()) for v in variables[:-1]}
    free[variables[-1]] = (domains[-1].first,)
    return TransitionSystem("machine", variables, {v: v.domain for v in variables}, free, (action,), FALSE, schema)


MACHINES: dict[Op, TransitionSystem] = {
    Op.CONST: _machine(lambda x: add(x[2], x[3], number(2))),
    Op.VAR: _machine(lambda x: ite(x[0], x[2], x[3])),
    Op.NOT: _machine(lambda x: not_(le(x[2], x[3])), BOOL),
    Op.AND: _machine(lambda x: and_(x[0], x[1], le(x[2], x[3])), BOOL),
    Op.OR: _machine(lambda x: or_(x[0], x[1], le(x[2], x[3])), BOOL),
    Op.EQ: _machine(lambda x: eq(x[4], x[5]), BOOL),
    Op.ITE: _machine(lambda x: ite(x[0], x[2], x[3]) + x[2]),
    Op.ADD: _machine(lambda x: add(x[2], x[3])),
    Op.SUB: _machine(lambda x: subtract(x[2], x[3])),
    Op.LE: _machine(lambda x: le(x[2], x[3]), BOOL),
}


@pytest.mark.parametrize("op", Op)
def test_a_wrong_operator_shows(op: Op, monkeypatch: pytest.MonkeyPatch) -> None:
    system = MACHINES[op]
    assert agree(system)
    right = Body._instruction

    def wrong(body: Body, term: Term) -> str:
        value = right(body, term)
        if term.op is not op:
            return value
        return body.emit(f"xor {'i1' if term.sort is BOOL else 'i64'} {value}, 1")

    monkeypatch.setattr(Body, "_instruction", wrong)
    assert not agree(system)


def test_a_dropped_update_shows() -> None:
    system = benchmark_system(1)
    for index, action in enumerate(system.actions):
        for variable in action.updates:
            less = {v: t for v, t in action.updates.items() if v is not variable}
            actions = list(system.actions)
            actions[index] = replace(action, updates=less)
            assert not agree(system, replace(system, actions=tuple(actions)))


def test_a_dropped_condition_shows() -> None:
    system = benchmark_system(1)
    implied = ("face down", "mana", "three mana")  # by the kind, and by there being one object
    for index, action in enumerate(system.actions):
        for requirement in action.requirements:
            if requirement.says in implied or (action.label.rule, requirement.says) == ("untap", "on the battlefield"):
                continue
            fewer = tuple(r for r in action.requirements if r is not requirement)
            actions = list(system.actions)
            actions[index] = replace(action, requirements=fewer)
            assert not agree(system, replace(system, actions=tuple(actions)))


def test_states_told_apart_by_eight_bits_show(monkeypatch: pytest.MonkeyPatch) -> None:
    def narrow(system: TransitionSystem) -> Packing:
        fields = [Field(0, place.shift % 8, place.width, place.first) for place in whole(system).fields]
        return Packing(system.variables, tuple(fields), 1)

    system, whole = benchmark_system(1), Packing.of
    assert agree(system)
    monkeypatch.setattr(Packing, "of", staticmethod(narrow))
    assert not agree(system)


def test_a_field_one_bit_short_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    system, whole = benchmark_system(1), Packing.of
    for short in range(len(system.variables)):
        def narrow(system: TransitionSystem, short: int = short) -> Packing:
            packing = whole(system)
            fields = [replace(f, width=f.width - (i == short)) for i, f in enumerate(packing.fields)]
            return replace(packing, fields=tuple(fields))

        with monkeypatch.context() as patched:
            patched.setattr(Packing, "of", staticmethod(narrow))
            assert not agree(system)


def test_guards_in_another_order_show(monkeypatch: pytest.MonkeyPatch) -> None:
    """The order of actions decides which of two plays is found, and both readings keep it."""
    system = benchmark_system(1)
    monitors = [Monitor(f"{v} changed", on_state=not_(eq(v.domain.term(v), v.domain.constant(v.initial))))
                for v in system.variables if v.domain.sort is not BOOL]
    plain, compiled = both(system, monitors)
    assert plain == compiled

    def backwards(actions: Sequence[Action]) -> Node:
        return _renumbered(guard_tree(actions[::-1]), len(actions))

    monkeypatch.setattr(native, "guard_tree", backwards)
    plain, compiled = both(system, monitors)
    assert plain.states == compiled.states
    assert plain.hits != compiled.hits


def _renumbered(node: Node, count: int) -> Node:
    """A tree over reversed actions, with the numbers that they have in the right order."""
    match node:
        case Take(action):
            return Take(count - 1 - action)
        case When(conditions, then):
            return When(conditions, _renumbered(then, count))
        case Choose(key, cases, other):
            return Choose(key, tuple((c, _renumbered(n, count)) for c, n in cases), _renumbered(other, count))
        case Sequel(parts):
            return Sequel(tuple(_renumbered(part, count) for part in parts))


def test_conditions_are_evaluated_by_parts_only_where_that_is_right(monkeypatch: pytest.MonkeyPatch) -> None:
    """Guards are short-circuited from some size on; the size must not matter."""
    for size in (0, 3, 10_000):
        monkeypatch.setattr(_lowering, "_WHOLE", size)
        assert agree(benchmark_system(1))
        for op in Op:
            assert agree(MACHINES[op])


def test_better_code_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A long search goes over to code that was generated with more effort while it ran."""
    system = benchmark_system(3)
    monitors = [Monitor(f"step {i}", on_step={i: TRUE}) for i in range(len(system.actions))]
    used: list[int] = []
    right = NativeSearch._use

    def noted(search: NativeSearch, code: native.Native, hits: NDArray[np.int64]) -> None:
        used.append(code.expand)
        right(search, code, hits)

    monkeypatch.setattr(NativeSearch, "_use", noted)
    monkeypatch.setattr(_native, "_PATIENCE", 0)
    better = explore(system, monitors, reading="native")
    assert len(used) == 2
    monkeypatch.setattr(_native, "_PATIENCE", 10 ** 9)
    quick = explore(system, monitors, reading="native")
    assert len(used) == 3
    assert replace(better, seconds=0.0, build=None) == replace(quick, seconds=0.0, build=None)


@settings(relaxed, max_examples=100)
@given(monitored_systems())
def test_short_circuits_agree(drawn: Drawn) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(_lowering, "_WHOLE", 0)
        plain, compiled = both(*drawn)
    assert plain == compiled


def test_cut_is_the_same_reason() -> None:
    plain, compiled = both(benchmark_system(1), max_states=50)
    assert plain.cut is compiled.cut is Cut.STATES
    assert plain == compiled
