"""The native reading: a transition system as machine code that expands packed states.

Each action becomes one function that writes the successor; one function tests the guards along a decision tree and
calls those whose guard holds; a loop around it expands a run of states into a flat buffer.  Conditions that a search
looks for become functions of their own, so that a condition nobody looks for any more costs nothing.

LLVM's optimiser is not used: terms arrive shared and simplified, and its passes take ten times as long as generating
code.  What they would have found is done while lowering.  Code is generated with little effort first, which takes a
fifth of the time and costs a third to a half of the speed of expansion; a long search asks for better code meanwhile.

The failure this module guards against is a value that does not fit its field and would spill into its neighbours.  A
term that cannot be shown to stay in the domain of its variable is refused, or, if it is an integer, checked when it
is written.
"""

from __future__ import annotations

import enum
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from model.readings._guards import Choose, Node, Sequel, Take, When, guard_tree, pin
from model.readings._lowering import Body
from model.readings.packing import Field, Packing
from model.state import Domain, Variable
from model.system import Action, TransitionSystem
from model.terms import BOOL, FALSE, INT, Op, Term

__all__ = ["MAX_ACTIONS", "Conditions", "Effort", "Native", "compile_conditions", "compile_system"]

MAX_ACTIONS = 1 << 16
"""The index of an action is kept in 16 bits for each state."""

_NESTED_CHOICES = 16


class Effort(enum.IntEnum):
    """How well to compile: LLVM's code generation level."""

    QUICK = 0
    THOROUGH = 2


@dataclass(frozen=True, slots=True)
class Conditions:
    """Compiled conditions on a packed state.

    Attributes
    ----------
    packing
        The layout of states.
    addresses
        Address of ``holds(state) -> 0 or 1``, both 64-bit, for each condition; valid as long as this object lives.
    """

    packing: Packing
    addresses: Mapping[Term, int]
    _engine: Any = field(repr=False)


@dataclass(frozen=True, slots=True)
class Native:
    """A compiled system.

    Attributes
    ----------
    expand
        Address of ``expand(states, count, room, out, actions, ends, overflows) -> expanded``, all 64-bit.  It expands
        states until ``count`` are done or more than ``room`` successors are written; a result below zero is the
        complement of an action that wrote a value outside a domain.  ``out`` receives the words of
        successors, ``actions`` (16 bits) what led to each, ``ends`` for each state how many successors there are up
        to and with its own, ``overflows`` how many of its enabled actions would overflow, or -1 if it has no enabled
        action and is not terminal.
    conditions
        The conditions that were asked for.
    seconds
        What compiling took.
    """

    expand: int
    conditions: Conditions
    seconds: float


def compile_system(system: TransitionSystem, conditions: Iterable[Term] = (), effort: Effort = Effort.QUICK) -> Native:
    """Compile a system.

    Parameters
    ----------
    system
        What to compile.
    conditions
        Conditions on a state to compile beside it.
    effort
        How well to compile; it changes nothing but speed.

    Returns
    -------
    Native
        The machine code, alive as long as this object.

    Raises
    ------
    ValueError
        If there are too many actions, or an action could write a value outside a domain.
    OverflowError
        If an integer could leave 64 bits.
    """
    start = time.perf_counter()
    terms = list(conditions)
    if len(system.actions) > MAX_ACTIONS:
        raise ValueError(f"{system.name} has {len(system.actions)} actions; the native reading takes {MAX_ACTIONS}")
    packing = Packing.of(system)
    parts = [_action_function(system, packing, i) for i in range(len(system.actions))]
    parts += [_condition_function(packing, "terminal", system.terminal), _guard_function(system, packing)]
    parts.append(_EXPAND.replace("WORDS", str(packing.words)))
    compiled = _with_conditions(packing, terms, parts, effort)
    expand = compiled._engine.get_function_address("expand")
    return Native(expand, compiled, time.perf_counter() - start)


def compile_conditions(system: TransitionSystem, conditions: Iterable[Term]) -> Conditions:
    """Compile conditions on the states of a system, and nothing else."""
    return _with_conditions(Packing.of(system), conditions, [], Effort.QUICK)


def _with_conditions(packing: Packing, conditions: Iterable[Term], parts: list[str], effort: Effort) -> Conditions:
    names = {term: f"condition{i}" for i, term in enumerate(dict.fromkeys(conditions))}
    functions = [_condition_function(packing, name, term) for term, name in names.items()]
    engine = _machine_code("\n".join(parts + functions), effort)
    return Conditions(packing, {term: engine.get_function_address(name) for term, name in names.items()}, engine)


def _machine_code(assembly: str, effort: Effort) -> Any:
    import llvmlite.binding as llvm  # heavy, and needed by nobody who stays with the plain reading

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=llvm.get_host_cpu_features().flatten(),
        opt=int(effort),
        jit=True,
    )
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(assembly), target)
    engine.finalize_object()
    return engine


_ARGUMENTS = "ptr %s, ptr %out, ptr %actions, ptr %counts"

_EXPAND = """
define i64 @expand(i64 %states0, i64 %count, i64 %room, i64 %out0, i64 %actions0, i64 %ends0, i64 %overflows0) {
entry:
  %states = inttoptr i64 %states0 to ptr
  %out = inttoptr i64 %out0 to ptr
  %actions = inttoptr i64 %actions0 to ptr
  %ends = inttoptr i64 %ends0 to ptr
  %overflows = inttoptr i64 %overflows0 to ptr
  %counts = alloca [3 x i64]
  %overflow = getelementptr i64, ptr %counts, i64 1
  %fault = getelementptr i64, ptr %counts, i64 2
  store i64 0, ptr %counts
  store i64 0, ptr %fault
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %done ]
  %before = phi i64 [ 0, %entry ], [ %after, %done ]
  %more = icmp slt i64 %i, %count
  %fits = icmp sle i64 %before, %room
  %go = and i1 %more, %fits
  br i1 %go, label %body, label %exit
body:
  %offset = mul i64 %i, WORDS
  %s = getelementptr i64, ptr %states, i64 %offset
  store i64 0, ptr %overflow
  call void @guards(ptr %s, ptr %out, ptr %actions, ptr %counts)
  %complement = load i64, ptr %fault
  %wrong = icmp ne i64 %complement, 0
  br i1 %wrong, label %refuse, label %fine
refuse:
  ret i64 %complement
fine:
  %after = load i64, ptr %counts
  %over = load i64, ptr %overflow
  %end = getelementptr i64, ptr %ends, i64 %i
  store i64 %after, ptr %end
  %slot = getelementptr i64, ptr %overflows, i64 %i
  store i64 %over, ptr %slot
  %same = icmp eq i64 %before, %after
  %none = icmp eq i64 %over, 0
  %stuck = and i1 %same, %none
  br i1 %stuck, label %check, label %done
check:
  %address = ptrtoint ptr %s to i64
  %terminal = call i64 @terminal(i64 %address)
  %mark = sub i64 %terminal, 1
  store i64 %mark, ptr %slot
  br label %done
done:
  %next = add i64 %i, 1
  br label %head
exit:
  ret i64 %i
}
"""


def _function(signature: str, body: Body) -> str:
    return "\n".join([f"define {signature} {{", "entry:", *body.lines, "}"])


def _condition_function(packing: Packing, name: str, term: Term) -> str:
    body = Body(packing)
    body.lines.append("%s = inttoptr i64 %address to ptr")
    body.load()
    body.lines.append(f"ret i64 {body.emit(f'zext i1 {body.lower(term)} to i64')}")
    return _function(f"i64 @{name}(i64 %address) nounwind", body)


def _action_function(system: TransitionSystem, packing: Packing, index: int) -> str:
    """Writes the successor and its action behind those that are there, or counts an overflow."""
    action = system.actions[index]
    body = Body(packing)
    body.load()
    if action.overflow is not FALSE:
        body.lines.append(f"br i1 {body.lower(action.overflow)}, label %over, label %write")
        body.lines += [
            "over:",
            "%overflow = getelementptr i64, ptr %counts, i64 1",
            "%o = load i64, ptr %overflow",
            "%o1 = add i64 %o, 1",
            "store i64 %o1, ptr %overflow",
            "ret void",
            "write:",
        ]
    words = _successor(system, body, action)
    body.lines += ["%n = load i64, ptr %counts", f"%first = mul i64 %n, {packing.words}"]
    for w, value in enumerate(words):
        body.lines += [
            f"%i{w} = add i64 %first, {w}",
            f"%p{w} = getelementptr i64, ptr %out, i64 %i{w}",
            f"store i64 {value}, ptr %p{w}",
        ]
    body.lines += [
        "%slot = getelementptr i16, ptr %actions, i64 %n",
        f"store i16 {index}, ptr %slot",
        "%n1 = add i64 %n, 1",
        "store i64 %n1, ptr %counts",
        "ret void",
        "fault:",
        "%fault_slot = getelementptr i64, ptr %counts, i64 2",
        f"store i64 {~index}, ptr %fault_slot",
        "ret void",
    ]
    return _function(f"internal void @action{index}({_ARGUMENTS}) nounwind", body)


def _successor(system: TransitionSystem, body: Body, action: Action) -> list[str]:
    """The words of the state after an action."""
    cleared = [0] * body.packing.words
    constant = [0] * body.packing.words
    placed: list[list[str]] = [[] for _ in cleared]
    for variable, term in action.updates.items():
        place = body.fields[variable]
        if not _stays(system, action, variable, term):
            _check_when_written(body, system.domains[variable], term)
        cleared[place.word] |= place.mask
        if term.op is Op.CONST:
            assert isinstance(term.payload, int)
            constant[place.word] |= place.stored(term.payload)
        else:
            placed[place.word].append(_placed(body, variable, place, term, _NESTED_CHOICES))
    words = []
    for w, (gone, bits) in enumerate(zip(cleared, constant, strict=True)):
        value = f"%w{w}"
        if gone:
            value = body.emit(f"and i64 {value}, {gone ^ (1 << 64) - 1}")
        if bits:
            value = body.emit(f"or i64 {value}, {bits}")
        for part in placed[w]:
            value = body.emit(f"or i64 {value}, {part}")
        words.append(value)
    return words


def _placed(body: Body, variable: Variable, place: Field, term: Term, depth: int) -> str:
    """The bits of a word that give a variable the value of a term."""
    if term.op is Op.CONST:
        assert isinstance(term.payload, int)
        return str(place.stored(term.payload))
    if term.op is Op.VAR and term.payload is variable:
        return body.emit(f"and i64 %w{place.word}, {place.mask}")
    if term.op is Op.ITE and depth and not body.knows(term):
        condition = body.lower(term.args[0])
        arms = (_placed(body, variable, place, arm, depth - 1) for arm in term.args[1:])
        return body.emit("select i1 {}, i64 {}, i64 {}".format(condition, *arms))
    value = body.lower(term)
    if term.sort is BOOL:
        value = body.emit(f"zext i1 {value} to i64")
    if place.first:
        value = body.emit(f"sub i64 {value}, {place.first}")
    return body.emit(f"shl i64 {value}, {place.shift}") if place.shift else value


def _stays(system: TransitionSystem, action: Action, variable: Variable, term: Term) -> bool:
    """Whether a term is known to stay in the domain of the variable that it is written to."""
    domain = system.domains[variable]
    if term.sort is INT:
        return action.overflow is not FALSE or domain.low <= term.low <= term.high <= domain.high
    if term.sort is BOOL:
        fits = (domain.low, domain.high) == (0, 1) or (term.is_constant and term.payload == domain.first)
    else:
        fits = term.mask & ~domain.mask == 0
    if not fits:
        raise ValueError(f"{action.label} may write {term} to {variable}, which is only {domain}")
    return True


def _check_when_written(body: Body, domain: Domain, term: Term) -> None:
    """Go on only with a value in the domain.  A path condition can exclude others where the bounds of a term do not."""
    above = body.emit(f"sub i64 {body.lower(term)}, {domain.low}")
    outside = body.emit(f"icmp ugt i64 {above}, {domain.high - domain.low}")
    onward = body.label()
    body.lines += [f"br i1 {outside}, label %fault, label %{onward}", f"{onward}:"]


def _guard_function(system: TransitionSystem, packing: Packing) -> str:
    body = Body(packing)
    body.load()
    _emit(body, guard_tree(system.actions))
    body.lines.append("ret void")
    return _function(f"internal void @guards({_ARGUMENTS}) nounwind", body)


def _emit(body: Body, node: Node) -> None:
    match node:
        case Take(action):
            body.lines.append(f"call void @action{action}({_ARGUMENTS})")
        case Sequel(parts):
            for part in parts:
                _emit(body, part)
        case When(conditions, then):
            _emit_when(body, conditions, then)
        case Choose():
            _emit_choice(body, node)
        case _:
            raise NotImplementedError(f"no code for {node}")


def _emit_when(body: Body, conditions: tuple[Term, ...], then: Node) -> None:
    end = body.label()
    pins = [c for c in conditions if pin(c) is not None]
    with body.scope():
        if pins:
            onward = body.label()
            body.lines += [f"br i1 {body.all_of(pins)}, label %{onward}, label %{end}", f"{onward}:"]
        for condition in conditions:
            if pin(condition) is None:
                onward = body.label()
                body.branch(condition, onward, end)
                body.lines.append(f"{onward}:")
        _emit(body, then)
    body.lines += [f"br label %{end}", f"{end}:"]


def _emit_choice(body: Body, node: Choose) -> None:
    place, end, other = body.fields[node.key], body.label(), body.label()
    branches = [(code, branch, body.label()) for code, branch in node.cases]
    table = " ".join(
        f"i64 {code - place.first}, label %{label}"
        for code, _, label in branches
        if 0 <= code - place.first < 1 << place.width
    )
    body.lines.append(f"switch i64 {body.stored_value(node.key)}, label %{other} [{table}]")
    for label, branch in [(label, branch) for _, branch, label in branches] + [(other, node.other)]:
        body.lines.append(f"{label}:")
        with body.scope():
            _emit(body, branch)
        body.lines.append(f"br label %{end}")
    body.lines.append(f"{end}:")
