"""Actions and transition systems.

An :class:`Action` is a deterministic, named function of the state: a label that says who does what with which choices,
a guard, updates, and what decides it.  A :class:`TransitionSystem` is a set of variables with finite domains, initial
states, and actions.  Every engine works on this and knows nothing of the game.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from model.state import Citation, Domain, Event, Requirement, Schema, State, Variable
from model.terms import FALSE, Term, and_
from model.terms import variables as variables_of

__all__ = ["Action", "Candidate", "Code", "Label", "Monitor", "Path", "Step", "TransitionSystem", "slice_system"]

Code = int
"""The value of a variable as states store it: 0 or 1, the code of a member, or the integer itself."""


@dataclass(frozen=True, slots=True)
class Label:
    """Who does what, with which choices.

    Parameters
    ----------
    rule
        The name of the rule, in the rulebook's terms.
    actor
        The player who acts; None for what the game does by itself.
    words
        The action in the game's words, without the player.
    arguments
        Every choice by name, in the order in which it is made.
    """

    rule: str
    actor: str | None
    words: str
    arguments: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        return f"{self.actor}: {self.words}" if self.actor else self.words

    @property
    def key(self) -> str:
        """A name that no other action of the system has."""
        inside = ", ".join(f"{name}={value}" for name, value in self.arguments)
        return f"{self.rule}({', '.join(filter(None, (self.actor, inside)))})"


@dataclass(frozen=True, slots=True)
class Candidate:
    """An action before its rule has run: a label, and what runs the rule on a recorder."""

    label: Label
    run: Callable[[State], None]


@dataclass(frozen=True, eq=False)
class Action:
    """A deterministic step.

    Attributes
    ----------
    requirements
        The conjuncts of the guard, with what each says.
    updates
        The value after the step of each variable that may change, over the state before.
    overflow
        When the step would leave a declared range, and so is counted instead of followed.
    events, citations
        What happens in the step, and which rules decide it, each with its condition.
    """

    label: Label
    requirements: tuple[Requirement, ...]
    updates: Mapping[Variable, Term]
    overflow: Term = FALSE
    events: tuple[Event, ...] = ()
    citations: tuple[Citation, ...] = ()

    @staticmethod
    def recorded(label: Label, state: State) -> Action:
        """The action that a recorder has seen."""
        updates = {v: t for v, t in state.writes.items() if t is not state.before(v.family, *v.index)}
        citations = tuple(Citation(rule, condition) for rule, condition in state.citations.items())
        return Action(label, tuple(state.requirements), updates, state.overflow, tuple(state.events), citations)

    @cached_property
    def guard(self) -> Term:
        """The whole guard."""
        return and_(*(requirement.condition for requirement in self.requirements))


@dataclass(frozen=True, slots=True)
class Monitor:
    """What an engine looks for: a state, or a step.

    Parameters
    ----------
    name
        Unique among the monitors of one search.
    on_state
        True of the states looked for; FALSE if only steps are.
    on_step
        For actions by index: true of the states before a step that is looked for.
    """

    name: str
    on_state: Term = FALSE
    on_step: Mapping[int, Term] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Path:
    """A play: the initial codes in the order of the system's variables, and the indices of the actions taken."""

    initial: tuple[Code, ...]
    actions: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a replayed play: the action's index and the codes before and after."""

    action: int
    before: tuple[Code, ...]
    after: tuple[Code, ...]


@dataclass(frozen=True, eq=False)
class TransitionSystem:
    """A finite transition system.

    Attributes
    ----------
    variables
        In the order in which states list them.
    domains
        The values that each variable can take; at least those of every reachable state.
    initial
        The codes that each variable can have at the start; every combination is an initial state.
    actions
        In a fixed order, which breaks ties between plays of one length.
    terminal
        True of states in which the game is over and nobody needs a legal action.
    schema
        Where the variables come from.
    recorder
        Makes what states of the system are read through, of the schema and of how variables are read.
    """

    name: str
    variables: tuple[Variable, ...]
    domains: Mapping[Variable, Domain]
    initial: Mapping[Variable, tuple[Code, ...]]
    actions: tuple[Action, ...]
    terminal: Term
    schema: Schema
    recorder: Callable[[Schema, Callable[[Variable], Term]], State] = State

    def initial_states(self) -> Iterator[tuple[Code, ...]]:
        """Every initial state, in a fixed order."""
        return itertools.product(*(self.initial[v] for v in self.variables))

    @cached_property
    def position(self) -> Mapping[Hashable, int]:
        """Where states list a variable."""
        return {variable: i for i, variable in enumerate(self.variables)}

    @cached_property
    def bits(self) -> int:
        """The size of a packed state without padding."""
        spans = (self.domains[v] for v in self.variables)
        return sum((d.last - d.first).bit_length() for d in spans)

    def read(self, variable: Variable) -> Term:
        """The term that stands for a variable in this system: the variable itself, or its one value."""
        domain = self.domains.get(variable)
        return (
            Domain.single(variable.domain.sort, variable.initial).constant(variable.initial)
            if domain is None
            else domain.term(variable)
        )

    def symbolic_state(self) -> State:
        """A recorder over any state of this system."""
        return self.recorder(self.schema, self.read)


def slice_system(system: TransitionSystem, roots: Iterable[Term]) -> TransitionSystem:
    """Drop every variable on which no guard, no root and no kept variable depends (cone of influence).

    Parameters
    ----------
    system
        The whole system.
    roots
        The terms that must keep their meaning: those of every monitor.

    Returns
    -------
    TransitionSystem
        A system with the same actions in the same order.  Its plays are the plays of the whole one, projected.
    """
    kept: set[Hashable] = set()
    waiting = list(roots)
    waiting.append(system.terminal)
    for action in system.actions:
        waiting.extend(requirement.condition for requirement in action.requirements)
        waiting.append(action.overflow)
    writers: dict[Hashable, list[Term]] = {}
    for action in system.actions:
        for variable, term in action.updates.items():
            writers.setdefault(variable, []).append(term)
    while waiting:
        found = [key for key in variables_of(waiting) if key not in kept]
        kept.update(found)
        waiting = [term for key in found for term in writers.get(key, ())]
    if len(kept) == len(system.variables):
        return system
    actions = tuple(replace(a, updates={v: t for v, t in a.updates.items() if v in kept}) for a in system.actions)
    variables = tuple(v for v in system.variables if v in kept)
    return replace(system, variables=variables, actions=actions)


def order_variables(variables: Sequence[Variable]) -> tuple[Variable, ...]:
    """A fixed order that does not depend on when a variable was made."""
    return tuple(sorted(variables, key=lambda v: (v.family.name, str(v))))
