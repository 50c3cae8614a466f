"""The kinds of property, and how one becomes something to look for.

A property is a formula written from the rulebook's side: over raw state, printed card data, events, and which actions
are offered.  It yields :class:`Clause` values, one for each thing it speaks of: a premise and what must then hold (or,
for a possibility, may be reached).  Keeping the premise apart is what makes an empty truth visible.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from model.setup import Player, Setup
from model.state import State
from model.system import Action, Monitor, TransitionSystem
from model.terms import FALSE, Term, and_, not_, or_
from model.vocabulary import EventKind

__all__ = [
    "AlwaysPossible",
    "Clause",
    "Instance",
    "Invariant",
    "PairView",
    "Possible",
    "Property",
    "Secret",
    "StepRule",
    "StepView",
    "View",
    "instantiate",
    "instantiate_pair",
]


@dataclass(frozen=True, slots=True)
class Clause:
    """What a property says of one thing.

    Parameters
    ----------
    subject
        What it speaks of, in the game's words.
    premise
        When it says anything.
    conclusion
        What must hold then; for a possibility, what is to be reached together with the premise.
    shown
        Terms whose values say why, to whoever reads that the clause is broken.
    """

    subject: str
    premise: Term
    conclusion: Term
    shown: tuple[Term, ...] = ()

    @property
    def violation(self) -> Term:
        """True where the clause is broken."""
        return and_(self.premise, not_(self.conclusion))


class View:
    """A state of a system, as properties read it.

    Parameters
    ----------
    system
        The system, whole.
    state
        A recorder over the state; properties only read it.
    """

    def __init__(self, system: TransitionSystem, state: State) -> None:
        self.system = system
        self.state = state
        self.setup: Setup = system.schema.setup

    def __getitem__(self, key: tuple[Any, ...]) -> Term:
        return self.state[key]

    def offered(self, rule: str, actor: str | None = None, **arguments: str) -> Term:
        """Whether some action of a rule, by a player, with the given arguments, is enabled here."""
        wanted = set(arguments.items())
        return or_(
            *(
                a.guard
                for a in self.system.actions
                if a.label.rule == rule and actor in (None, a.label.actor) and wanted <= set(a.label.arguments)
            )
        )


class StepView:
    """A step of a system: the state before, the action, and the state after.

    Attributes
    ----------
    before, after
        Both as functions of the state before.
    action
        The action that is taken.
    """

    def __init__(self, system: TransitionSystem, action: Action, before: View) -> None:
        self.system = system
        self.action = action
        self.setup = before.setup
        self.before = before
        after = system.recorder(system.schema, lambda v: action.updates.get(v, system.read(v)))
        self.after = View(system, after)

    def happens(self, kind: EventKind, *subjects: Hashable) -> Term:
        """Whether an event of the kind, about all of these, happens in the step."""
        return or_(*(e.condition for e in self.action.events if e.kind is kind and set(subjects) <= set(e.subjects)))

    def times(self, kind: EventKind, *subjects: Hashable) -> list[Term]:
        """The condition of each event of the kind that is about all of these."""
        return [e.condition for e in self.action.events if e.kind is kind and set(subjects) <= set(e.subjects)]

    def changed(self, *key: Any) -> Term:
        """Whether a variable has another value after the step."""
        return not_(self.after[key].is_(self.before[key]))

    def argument(self, name: str) -> str | None:
        """A choice that the action's label names."""
        return next((value for key, value in self.action.label.arguments if key == name), None)


@dataclass(frozen=True, slots=True)
class PairView:
    """Two games side by side, as a player sees them who may not know what makes them differ.

    Attributes
    ----------
    sides
        A state of either.
    players
        The player, in either.
    told
        Whether the player has been told, so that the games may look different from then on.
    """

    sides: tuple[View, View]
    players: tuple[Player, Player]
    told: Term

    def offered(self, side: int) -> dict[str, Term]:
        """What the player may do in one of the games, with its price: the words of the action, and when."""
        found: dict[str, Term] = {}
        for action in self.sides[side].system.actions:
            if action.label.actor == self.players[side].name:
                found[action.label.words] = or_(found.get(action.label.words, FALSE), action.guard)
        return found


@dataclass(frozen=True, slots=True)
class Property:
    """Base of the kinds.

    Parameters
    ----------
    id
        Its name, everywhere.
    says
        One sentence of plain English.
    cites
        The rule numbers that it states.
    rulings
        The official rulings that it states.
    """

    id: str
    says: str
    cites: tuple[str, ...]
    rulings: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        """The name of the kind."""
        return type(self).__name__


@dataclass(frozen=True, slots=True)
class Invariant(Property):
    """Holds in every reachable state."""

    formula: Callable[[View], Iterable[Clause]] = field(kw_only=True)


@dataclass(frozen=True, slots=True)
class StepRule(Property):
    """Holds of every step: state before, action, state after."""

    formula: Callable[[StepView], Iterable[Clause]] = field(kw_only=True)


@dataclass(frozen=True, slots=True)
class Possible(Property):
    """Some play reaches a state, or takes a step, in which a clause holds; the probe looks at what happens."""

    on_state: Callable[[View], Iterable[Clause]] | None = field(kw_only=True, default=None)
    on_step: Callable[[StepView], Iterable[Clause]] | None = field(kw_only=True, default=None)


@dataclass(frozen=True, slots=True)
class AlwaysPossible(Property):
    """From every reachable state some play reaches a state in which a clause holds."""

    formula: Callable[[View], Iterable[Clause]] = field(kw_only=True)


@dataclass(frozen=True, slots=True)
class Secret(Property):
    """Holds of every two plays in which the same happens, of games that differ in what a player may not know."""

    formula: Callable[[PairView], Iterable[Clause]] = field(kw_only=True)


@dataclass(frozen=True, slots=True)
class Instance:
    """A property on one system.

    Attributes
    ----------
    target
        What an engine looks for: a violation, or for a possibility the witness.
    premise
        What must occur for the property to say anything; None where the target is the witness.
    state_clauses, step_clauses
        The clauses, for explaining what was found; those of a step by the action's index.
    """

    property: Property
    target: Monitor
    premise: Monitor | None
    state_clauses: tuple[Clause, ...] = ()
    step_clauses: Mapping[int, tuple[Clause, ...]] = field(default_factory=dict)

    @builtins.property  # the field of this name hides the decorator
    def monitors(self) -> tuple[Monitor, ...]:
        """What has to be watched."""
        return (self.target,) if self.premise is None else (self.target, self.premise)


def instantiate(prop: Property, system: TransitionSystem) -> Instance:
    """Put a property to a system."""
    match prop:
        case Invariant(formula=formula) | AlwaysPossible(formula=formula):
            wanted = isinstance(prop, AlwaysPossible)
            clauses = tuple(formula(View(system, system.symbolic_state())))
            return _state_instance(prop, clauses, wanted=wanted)
        case Possible(on_state=on_state) if on_state is not None:
            return _state_instance(prop, tuple(on_state(View(system, system.symbolic_state()))), wanted=True)
        case StepRule(formula=step_formula):
            return _step_instance(prop, system, step_formula, wanted=False)
        case Possible(on_step=on_step) if on_step is not None:
            return _step_instance(prop, system, on_step, wanted=True)
    raise TypeError(f"{prop.id} has no formula")


def instantiate_pair(prop: Secret, pair: PairView) -> Instance:
    """Put a property of secrecy to two games side by side."""
    return _state_instance(prop, tuple(prop.formula(pair)), wanted=False)


def _state_instance(prop: Property, clauses: tuple[Clause, ...], *, wanted: bool) -> Instance:
    if wanted:
        goal = or_(*(and_(c.premise, c.conclusion) for c in clauses))
        return Instance(prop, Monitor(prop.id, goal), None, clauses)
    bad = or_(*(c.violation for c in clauses))
    seen = or_(*(c.premise for c in clauses))
    return Instance(prop, Monitor(prop.id, bad), Monitor(f"{prop.id} premise", seen), clauses)


def _step_instance(
    prop: Property, system: TransitionSystem, formula: Callable[[StepView], Iterable[Clause]], *, wanted: bool
) -> Instance:
    before = View(system, system.symbolic_state())
    clauses, targets, premises = {}, {}, {}
    for index, action in enumerate(system.actions):
        found = tuple(c for c in formula(StepView(system, action, before)) if c.premise is not FALSE)
        if not found:
            continue
        clauses[index] = found
        targets[index] = or_(*(and_(c.premise, c.conclusion) if wanted else c.violation for c in found))
        premises[index] = or_(*(c.premise for c in found))
    target = Monitor(prop.id, FALSE, {i: t for i, t in targets.items() if t is not FALSE})
    premise = None if wanted else Monitor(f"{prop.id} premise", FALSE, premises)
    return Instance(prop, target, premise, (), clauses)
