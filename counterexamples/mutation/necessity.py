"""The load-bearing matrix: for each rule of the model and each property, whether the property needs the rule."""

from __future__ import annotations

import enum
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from counterexamples.mutation.corpus import Trial, in_processes, is_red, trials
from counterexamples.mutation.weakened import Role, Weakening, build_without
from counterexamples.trace import Trace
from counterexamples.verdict import HoldsTo, Proved, Undecided, Vacuous, Verdict, Violated, Witnessed, word
from model.setup import Setup
from model.system import TransitionSystem
from properties.kinds import Property
from properties.registry import all_properties
from properties.rulebook import rule_order

__all__ = ["Breach", "Cell", "Need", "Row", "Weakened", "necessity", "rows", "rules_of_the_model", "unbroken"]


class Need(enum.Enum):
    """Whether a property needs a rule."""

    NEEDED = "needed"
    """Without the rule it is broken."""
    UNDECIDED = "undecided"
    """Without the rule it holds to a bound only."""
    IDLE = "idle"
    """Without the rule its premise never occurs, so that it says nothing."""
    NOT_NEEDED = "not needed"
    """Without the rule it is proved, or witnessed, all the same."""


_STRONGEST = (Need.NEEDED, Need.UNDECIDED, Need.IDLE, Need.NOT_NEEDED)


@dataclass(frozen=True, slots=True)
class Breach:
    """What came of a property on a scenario without a rule.

    Attributes
    ----------
    detail
        The verdict, and for what is undecided the bound.
    trace
        The shortest play that breaks it; None for what can no longer happen, and for what is not broken.
    """

    property: str
    scenario: str
    need: Need
    detail: str
    trace: Trace | None = None


@dataclass(frozen=True, slots=True)
class Weakened:
    """What came of all scenarios in which a rule takes part, without it.

    Attributes
    ----------
    roles
        How the rule acts in them.
    problem
        Why some scenario could not be checked without it.
    """

    weakening: Weakening
    roles: frozenset[Role]
    breaches: tuple[Breach, ...]
    problem: str | None = None
    seconds: float = field(default=0.0, compare=False)


@dataclass(frozen=True, slots=True)
class Cell:
    """Whether a property needs a rule, over all scenarios that ask for it, and the shortest evidence."""

    need: Need
    evidence: Breach


@dataclass(frozen=True, slots=True)
class Row:
    """A rule in one of its roles, with a cell for each property that is asked where it takes part."""

    rule: str
    role: Role
    cells: Mapping[str, Cell]
    problem: str | None

    def of(self, need: Need) -> list[str]:
        """The properties that stand so to the rule."""
        return [name for name, cell in self.cells.items() if cell.need is need]


def rules_of_the_model() -> tuple[str, ...]:
    """Every rule that a guard or a citation of a shipped scenario names, in the order of the rulebook."""
    return tuple(sorted({rule for trial in trials() for rule in _named(trial.system)}, key=rule_order))


def _named(system: TransitionSystem) -> set[str]:
    restricting = {r.rule for action in system.actions for r in action.requirements}
    return restricting | {c.rule for action in system.actions for c in action.citations}


def _takes_part(trial: Trial, weakening: Weakening) -> bool:
    if weakening.guards:
        # A guard that is false whatever the state has left no action behind, so every scenario may have more of them.
        return any(r.rule == weakening.rule for a in trial.system.actions for r in a.requirements)
    return any(c.rule == weakening.rule for a in trial.system.actions for c in a.citations)


def necessity(rules: Sequence[str], jobs: int) -> Iterator[Weakened]:
    """Leave out each rule, once as what forbids and once as what permits and prescribes."""
    tasks = [Weakening(rule, guards) for rule in rules for guards in (True, False)]
    return in_processes(leave_out, tasks, jobs)


def leave_out(weakening: Weakening) -> Weakened:
    """Check every scenario in which a rule takes part without it."""
    start = time.perf_counter()
    roles: set[Role] = set()
    breaches: list[Breach] = []
    problem = None
    for trial in trials():
        if not _takes_part(trial, weakening):
            continue
        try:
            found, acted = _without(trial, weakening)
        except Exception as failure:  # the machine may need the rule to work at all
            problem = f"{trial.place}: {type(failure).__name__}: {failure}"
            continue
        roles |= acted
        breaches += found
    return Weakened(weakening, frozenset(roles), tuple(breaches), problem, time.perf_counter() - start)


def _without(trial: Trial, weakening: Weakening) -> tuple[list[Breach], frozenset[Role]]:
    setup = trial.scenario.setup
    system, roles = build_without(trial.scenario.name, setup, weakening, trial.schema)

    def build(name: str, setup: Setup) -> TransitionSystem:
        return build_without(name, setup, weakening)[0]

    settled = trial.settle(trial.properties, system, build)
    return [_breach(trial, prop, trial.verdicts[prop], verdict) for prop, verdict in settled.items()], roles


def _breach(trial: Trial, prop: Property, before: Verdict, after: Verdict) -> Breach:
    trace = after.trace if isinstance(after, Violated) else None
    match after:
        case _ if is_red(after) and not is_red(before):
            return Breach(prop.id, trial.place, Need.NEEDED, word(after), trace)
        case HoldsTo(bound=bound) if not isinstance(before, HoldsTo):
            return Breach(prop.id, trial.place, Need.UNDECIDED, bound)
        case Undecided(why=why):
            return Breach(prop.id, trial.place, Need.UNDECIDED, why)
        case Vacuous(why=why) if not isinstance(before, Vacuous):
            return Breach(prop.id, trial.place, Need.IDLE, why)
        case Proved() | HoldsTo() | Witnessed():
            return Breach(prop.id, trial.place, Need.NOT_NEEDED, word(after))
    return Breach(prop.id, trial.place, Need.NOT_NEEDED, f"{word(after)}, as with the rule")


def rows(found: Iterable[Weakened]) -> list[Row]:
    """The matrix: what forbids, what permits and what prescribes are kept apart."""
    return [_row(entry, role) for entry in found for role in Role if role in entry.roles]


def _row(entry: Weakened, role: Role) -> Row:
    by_property: dict[str, list[Breach]] = {}
    for breach in entry.breaches:
        by_property.setdefault(breach.property, []).append(breach)
    cells = {name: _cell(breaches) for name, breaches in by_property.items()}
    return Row(entry.weakening.rule, role, cells, entry.problem)


def _cell(breaches: Sequence[Breach]) -> Cell:
    best = min(breaches, key=lambda b: (_STRONGEST.index(b.need), b.trace is None, _length(b)))
    return Cell(best.need, best)


def _length(breach: Breach) -> int:
    return len(breach.trace.steps) if breach.trace is not None else 0


def unbroken(matrix: Sequence[Row]) -> list[str]:
    """The named properties that some scenario asks for and that leaving out no rule breaks: findings."""
    asked = {prop.id for trial in trials() for prop in trial.properties}
    broken = {name for row in matrix for name in row.of(Need.NEEDED)}
    return [name for name in all_properties() if name in asked and name not in broken]
