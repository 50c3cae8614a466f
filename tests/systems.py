"""Transition systems that several tests share: the benchmark with known counts, and random small systems."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import pairwise

from hypothesis import strategies as st

from model.state import Disabled, Domain, Family, Schema, State, Variable
from model.system import Action, Label, Monitor, TransitionSystem, order_variables
from model.terms import (
    BOOL,
    FALSE,
    INT,
    TRUE,
    Sort,
    Term,
    add,
    and_,
    count,
    eq,
    implies,
    ite,
    le,
    not_,
    number,
    or_,
    subtract,
)

__all__ = ["benchmark_invariant_violation", "benchmark_system", "monitored_systems", "random_systems"]

ZONE = Sort("zone", ("library", "battlefield", "graveyard"))
KIND = Sort("kind", ("none", "morph", "manifest", "disguise", "cloak"))
TYPE = Sort("card type", ("creature", "permanent", "spell"))


def _whole(sort: Sort, initial: Hashable) -> Family:
    return Family(sort.name, lambda _setup, *_index: (Domain.full(sort), sort.code(initial)))


def _flag(name: str, initial: bool) -> Family:
    return Family(name, lambda _setup, *_index: (Domain.full(BOOL), int(initial)))


zone, kind, card_type = _whole(ZONE, "library"), _whole(KIND, "none"), _whole(TYPE, "creature")
face_down, abilities, tapped = _flag("face down", False), _flag("abilities", True), _flag("tapped", False)
priority = _flag("priority", False)
mana = Family("mana", lambda _setup: (Domain(INT, 0, 7), 7))


class _Benchmark:
    """Builds the actions of the benchmark for a number of objects."""

    def __init__(self, objects: int, faulty: bool) -> None:
        self.schema = Schema(None)
        self.objects = range(objects)
        self.faulty = faulty
        families = (zone, kind, card_type, face_down, abilities, tapped)
        made = [self.schema.variable((f, i)) for i in self.objects for f in families]
        made += [self.schema.variable((mana,)), self.schema.variable((priority,))]
        self.domains = {v: v.domain for v in made}
        self.actions: list[Action] = []

    def state(self) -> State:
        return State(self.schema, lambda v: v.domain.term(v))

    def finish(self, name: str, state: State, *index: int) -> None:
        arguments = tuple(("object", str(i)) for i in index)
        self.actions.append(Action.recorded(Label(name, None, f"{name} {index}", arguments), state))

    def enter(self, i: int, way: str, paid: bool) -> None:
        s = self.state()
        s.require(s[zone, i].is_("library"), "in the library", "")
        if paid:
            if not self.faulty:
                s.require(s[card_type, i].isnt("spell"), "can be a permanent", "")
            s.require(s[mana,] >= 3, "three mana", "")
            s[mana,] = s[mana,] - 3
        s[zone, i], s[face_down, i], s[kind, i] = "battlefield", True, way
        self.finish(way, s, i)

    def change(self, i: int, name: str, family: Family, value: bool) -> None:
        s = self.state()
        s.require(s[zone, i].is_("battlefield"), "on the battlefield", "")
        s.require(not_(s[family, i]) if value else s[family, i], "something to change", "")
        s[family, i] = value
        self.finish(name, s, i)

    def turn_up(self, i: int, name: str, kinds: Sequence[str], needs: Term, cost: int) -> None:
        s = self.state()
        s.require(s[face_down, i], "face down", "")
        s.require(s[kind, i].among(kinds), "of the kind", "")
        s.require(needs, "able", "")
        s.require(s[mana,] >= cost, "mana", "")
        s[mana,] = s[mana,] - cost
        s[face_down, i], s[kind, i] = False, "none"
        self.finish(name, s, i)

    def destroy(self, i: int) -> None:
        s = self.state()
        s.require(s[zone, i].is_("battlefield"), "on the battlefield", "")
        s[zone, i], s[face_down, i], s[kind, i] = "graveyard", False, "none"
        s[tapped, i], s[abilities, i] = False, True
        self.finish("destroy", s, i)

    def build(self) -> TransitionSystem:
        for i in self.objects:
            s = self.state()
            self.enter(i, "manifest", False)
            self.enter(i, "cloak", False)
            self.enter(i, "morph", True)
            self.enter(i, "disguise", True)
            self.change(i, "lose", abilities, False)
            self.change(i, "tap", tapped, True)
            self.change(i, "untap", tapped, False)
            self.turn_up(i, "mana", ("manifest", "cloak"), s[card_type, i].is_("creature"), 2)
            self.turn_up(i, "keyword", ("morph", "disguise"), s[abilities, i], 1)
            self.destroy(i)
        s = self.state()
        s[mana,] = 7
        for i in self.objects:
            s[tapped, i] = False
        self.finish("turn", s)
        s = self.state()
        s[priority,] = not_(s[priority,])
        self.finish("pass", s)
        variables = order_variables(list(self.domains))
        initial = {v: (0, 1, 2) if v.family is card_type else (v.initial,) for v in variables}
        name = f"benchmark, {len(self.objects)} objects" + (", faulty" if self.faulty else "")
        return TransitionSystem(name, variables, self.domains, initial, tuple(self.actions), FALSE, self.schema)


def benchmark_system(n: int, faulty: bool = False) -> TransitionSystem:
    """The benchmark model for ``n`` objects; the faulty one lets instants and sorceries be cast face down."""
    return _Benchmark(n, faulty).build()


def benchmark_invariant_violation(system: TransitionSystem) -> Monitor:
    """Looks for a state of a benchmark system in which its invariant is false."""
    s = system.symbolic_state()
    objects = sorted({v.index[0] for v in system.variables if v.index}, key=str)
    holds = [
        and_(
            implies(s[face_down, i], s[zone, i].is_("battlefield")),
            implies(and_(s[card_type, i].is_("spell"), s[zone, i].is_("battlefield")), s[face_down, i]),
        )
        for i in objects
    ]
    return Monitor("the invariant is broken", on_state=not_(and_(*holds)))


@dataclass(frozen=True)
class _Vocabulary:
    """Draws random terms over some variables."""

    draw: st.DrawFn
    variables: tuple[Variable, ...]

    def _pick(self, bound: int) -> int:
        return self.draw(st.integers(0, bound - 1))

    def boolean(self, depth: int) -> Term:
        if depth == 0:
            return self._boolean_leaf()
        match self._pick(8):
            case 0:
                return not_(self.boolean(depth - 1))
            case 1:
                return and_(*(self.boolean(depth - 1) for _ in range(2 + self._pick(2))))
            case 2:
                return or_(*(self.boolean(depth - 1) for _ in range(2 + self._pick(2))))
            case 3:
                return eq(self.integer(depth - 1), self.integer(depth - 1))
            case 4:
                return le(self.integer(depth - 1), self.integer(depth - 1))
            case 5:
                return ite(self.boolean(depth - 1), self.boolean(depth - 1), self.boolean(depth - 1))
            case 6:
                return self._same_member(depth - 1)
            case _:
                return self._boolean_leaf()

    def _boolean_leaf(self) -> Term:
        v = self.variables[self._pick(len(self.variables))]
        codes = v.domain.codes()
        term = v.domain.term(v)
        return term if v.domain.sort is BOOL else eq(term, v.domain.constant(codes[self._pick(len(codes))]))

    def _same_member(self, depth: int) -> Term:
        found = [v for v in self.variables if v.domain.mask]
        if not found:
            return self._boolean_leaf()
        domain = found[self._pick(len(found))].domain
        return eq(self.member(domain, depth), self.member(domain, depth))

    def integer(self, depth: int) -> Term:
        found = [v.domain.term(v) for v in self.variables if v.domain.sort is INT]
        choice = self._pick(6) if depth else self._pick(2)
        if choice == 0 and found:
            return found[self._pick(len(found))]
        if choice <= 1:
            return number(self._pick(9) - 4)
        if choice == 2:
            return add(*(self.integer(depth - 1) for _ in range(2 + self._pick(2))))
        if choice == 3:
            return subtract(self.integer(depth - 1), self.integer(depth - 1))
        if choice == 4:
            return count(self.boolean(depth - 1) for _ in range(2))
        return ite(self.boolean(depth - 1), self.integer(depth - 1), self.integer(depth - 1))

    def member(self, domain: Domain, depth: int) -> Term:
        """A member of an enumeration that a variable with this domain can hold."""
        if depth and self._pick(2):
            return ite(self.boolean(depth - 1), self.member(domain, depth - 1), self.member(domain, depth - 1))
        fitting = [v for v in self.variables if v.domain.sort is domain.sort and not v.domain.mask & ~domain.mask]
        if fitting and self._pick(2):
            v = fitting[self._pick(len(fitting))]
            return v.domain.term(v)
        codes = domain.codes()
        return domain.constant(codes[self._pick(len(codes))])

    def moved(self, variable: Variable) -> Term:
        """The next value of a variable, or the one before, so that searches go deep."""
        domain = variable.domain
        term, codes = domain.term(variable), domain.codes()
        if domain.sort is BOOL:
            return not_(term)
        if domain.sort is INT:
            return term + (1 if self._pick(3) else -1)
        return chain(term, [(domain.constant(a), domain.constant(b)) for a, b in pairwise(codes)])

    def value(self, domain: Domain) -> Term:
        if domain.sort is BOOL:
            return self.boolean(2)
        return self.integer(2) if domain.sort is INT else self.member(domain, 2)


def chain(term: Term, steps: Sequence[tuple[Term, Term]]) -> Term:
    """Of each step, the second where the term is the first; else the term."""
    result = term
    for before, after in steps:
        result = ite(eq(term, before), after, result)
    return result


SMALL = Sort("small", ("a", "b", "c"))
LARGE = Sort("large", tuple(f"m{i}" for i in range(7)))


@st.composite
def _domains(draw: st.DrawFn) -> Domain:
    match draw(st.integers(0, 3)):
        case 0:
            return Domain.full(BOOL)
        case 1:
            low = draw(st.integers(-5, 9))
            return Domain(INT, low, low + draw(st.integers(1, 6)))
        case 2:
            return Domain.full(SMALL)
        case _:
            members = draw(st.sets(st.integers(0, 6), min_size=2))
            return Domain(LARGE, mask=sum(1 << code for code in members))


def _action(words: _Vocabulary, schema: Schema, index: int) -> Action:
    state = State(schema, lambda v: v.domain.term(v))
    for _ in range(1 + words._pick(3)):
        condition = words.boolean(2)
        with suppress(Disabled):
            state.require(condition, "a condition", "")
    for v in words.variables:
        if words._pick(2):
            with state.when(words.boolean(1) if words._pick(3) == 0 else TRUE):
                state[(v.family, *v.index)] = words.moved(v) if words._pick(2) else words.value(v.domain)
    action = Action.recorded(Label("act", None, f"act {index}", (("index", str(index)),)), state)
    return action if words._pick(4) else replace(action, overflow=or_(action.overflow, words.boolean(2)))


@st.composite
def random_systems(draw: st.DrawFn) -> TransitionSystem:
    """Small systems over truth values, enumerations with gaps and integers that do not start at zero."""
    domains = draw(st.lists(_domains(), min_size=2, max_size=5))
    family = Family("x", lambda setup, i: (setup[i], setup[i].first))
    schema = Schema(domains)
    variables = tuple(schema.variable((family, i)) for i in range(len(domains)))
    words = _Vocabulary(draw, variables)
    actions = tuple(_action(words, schema, i) for i in range(draw(st.integers(2, 6))))
    initial = {}
    for v in variables:
        codes = st.lists(st.sampled_from(v.domain.codes()), min_size=1, max_size=2, unique=True)
        initial[v] = tuple(draw(codes))
    terminal = words.boolean(1) if words._pick(2) else FALSE
    return TransitionSystem("random", variables, {v: v.domain for v in variables}, initial, actions, terminal, schema)


@st.composite
def monitored_systems(draw: st.DrawFn) -> tuple[TransitionSystem, tuple[Monitor, ...]]:
    """A random system with up to four monitors, of states, of steps, or of both."""
    system = draw(random_systems())
    words = _Vocabulary(draw, system.variables)
    monitors = []
    for i in range(draw(st.integers(0, 4))):
        on_state = words.boolean(3) if words._pick(3) else FALSE
        chosen = draw(st.sets(st.integers(0, len(system.actions) - 1), max_size=3))
        on_step = {a: words.boolean(2) if words._pick(3) else TRUE for a in sorted(chosen)}
        monitors.append(Monitor(f"monitor {i}", on_state, on_step))
    return system, tuple(monitors)
