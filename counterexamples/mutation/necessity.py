"""The load-bearing matrix: for each rule of the model and each property, whether the property needs the rule."""

from __future__ import annotations

import enum
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from counterexamples.faults.catalogue import all_faults, find_fault
from counterexamples.faults.matrix import FaultResult, run_fault
from counterexamples.mutation.comparison import differences_between
from counterexamples.mutation.probe import probe
from counterexamples.mutation.weakened import Role, Weakening, build_without
from counterexamples.trace import Trace
from counterexamples.trials import Trial, in_processes, is_red, trials
from counterexamples.verdict import HoldsTo, Proved, Undecided, Vacuous, Verdict, Violated, Witnessed, word
from model.setup import Setup
from model.system import TransitionSystem
from properties.kinds import Property
from properties.registry import all_properties
from properties.rulebook import rule_order

__all__ = ["Breach", "Cell", "Need", "Row", "Weakened", "leave_out", "necessity", "rows",
           "rules_of_the_model", "unbroken", "unneeded", "weakenings"]


class Need(enum.Enum):
    """Whether a property needs a rule, the strongest answer first."""

    NEEDED = "needed"
    """Without the rule it is broken."""
    UNDECIDED = "undecided"
    """Without the rule it holds to a bound only."""
    IDLE = "idle"
    """Without the rule its premise never occurs, so that it says nothing."""
    NOT_NEEDED = "not needed"
    """Without the rule it is proved, or witnessed, all the same."""


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
    rules
        What was weakened.
    roles
        How it acts in them.
    problem
        Why some scenario could not be checked without it.
    """

    rules: tuple[str, ...]
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
    """Every rule that takes part in a shipped scenario, in the order of the rulebook."""
    return tuple(sorted({rule for trial in trials() for rule in probe(trial).rules()}, key=rule_order))


def _takes_part(trial: Trial, weakening: Weakening) -> bool:
    probed = probe(trial)
    found = (*probed.forbids, probed.rules_out) if weakening.guards else probed.rests_on
    return any(weakening.rule in rules for rules in found)


def weakenings(rules: Sequence[str] = ()) -> list[Weakening | str]:
    """What to try: each rule left out, once as what forbids and once as what permits and prescribes, and the ids of
    the planted faults that put something wrong in its place.

    Parameters
    ----------
    rules
        Which rules; all of them if there are none.
    """
    wanted = set(rules)
    planted = [fault.id for fault in all_faults().values() if not wanted or wanted & set(fault.rules)]
    left_out = [Weakening(rule, guards) for rule in rules or rules_of_the_model() for guards in (True, False)]
    return [*left_out, *planted]


def necessity(tasks: Sequence[Weakening | str], jobs: int) -> Iterator[Weakened]:
    """Try what :func:`weakenings` lists, in this process or in several."""
    return in_processes(_weaken, tasks, jobs)


def _weaken(task: Weakening | str) -> Weakened:
    return _planted(run_fault(task)) if isinstance(task, str) else leave_out(task)


def _planted(found: FaultResult) -> Weakened:
    """A planted fault as a weakening of the rules that it breaks; what it leaves standing is not asked."""
    breaches = tuple(
        Breach(red.property, red.scenario, Need.NEEDED, f"{red.verdict} by {found.id}", red.trace)
        for red in found.reds
    )
    return Weakened(find_fault(found.id).rules, frozenset({Role.WEAKENED}), breaches, found.problem, found.seconds)


def leave_out(weakening: Weakening, where: Iterable[Trial] | None = None) -> Weakened:
    """Check every scenario in which a rule takes part, or those given, without it."""
    start = time.perf_counter()
    roles: set[Role] = set()
    breaches: list[Breach] = []
    problem = None
    for trial in trials() if where is None else where:
        if not _takes_part(trial, weakening):
            continue
        try:
            found, acted = _without(trial, weakening)
        except Exception as failure:  # the machine may need the rule to work at all
            problem = f"{trial.place}: {type(failure).__name__}: {failure}"
            continue
        roles |= acted
        breaches += found
    return Weakened((weakening.rule,), frozenset(roles), tuple(breaches), problem, time.perf_counter() - start)


def _without(trial: Trial, weakening: Weakening) -> tuple[list[Breach], frozenset[Role]]:
    setup = trial.scenario.setup
    system, roles = build_without(trial.scenario.name, setup, weakening, trial.schema)
    if weakening.guards and not differences_between(trial.system, system):
        # Nothing more can be done, and what properties read of a state does not rest on guards.
        return [_breach(trial, prop, verdict, verdict) for prop, verdict in trial.verdicts.items()], roles

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
    """The matrix, in the order of the rulebook: what forbids, permits, prescribes and is put wrong are kept apart."""
    gathered: dict[tuple[str, Role], list[Weakened]] = {}
    for entry in found:
        for rule in entry.rules:
            for role in entry.roles:
                gathered.setdefault((rule, role), []).append(entry)
    order = sorted(gathered, key=lambda key: (rule_order(key[0]), list(Role).index(key[1])))
    return [_row(rule, role, gathered[rule, role]) for rule, role in order]


def _row(rule: str, role: Role, entries: Sequence[Weakened]) -> Row:
    by_property: dict[str, list[Breach]] = {}
    for breach in (breach for entry in entries for breach in entry.breaches):
        by_property.setdefault(breach.property, []).append(breach)
    cells = {name: _cell(breaches) for name, breaches in by_property.items()}
    return Row(rule, role, cells, next((entry.problem for entry in entries if entry.problem), None))


def _cell(breaches: Sequence[Breach]) -> Cell:
    best = min(breaches, key=lambda b: (list(Need).index(b.need), b.trace is None, _length(b)))
    return Cell(best.need, best)


def _length(breach: Breach) -> int:
    return len(breach.trace.steps) if breach.trace is not None else 0


def unneeded(matrix: Sequence[Row]) -> list[str]:
    """The rules that no property needs in any role, nor may need beyond a bound: findings."""
    needed = {row.rule for row in matrix if row.of(Need.NEEDED) or row.of(Need.UNDECIDED)}
    return [rule for rule in dict.fromkeys(row.rule for row in matrix) if rule not in needed]


def unbroken(matrix: Sequence[Row]) -> list[str]:
    """The named properties that some scenario asks for and that leaving out no rule breaks: findings."""
    asked = {prop.id for trial in trials() for prop in trial.properties}
    broken = {name for row in matrix for name in row.of(Need.NEEDED)}
    return [name for name in all_properties() if name in asked and name not in broken]
