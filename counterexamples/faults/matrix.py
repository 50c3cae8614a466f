"""The fault matrix: each fault is planted, and the gate that users have is asked whether it turns red."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from counterexamples.check import check_scenario
from counterexamples.faults.catalogue import find_fault
from counterexamples.faults.fault import Fault, planted
from counterexamples.trace import Trace
from counterexamples.trials import OPTIONS, documents_of, in_processes, is_red
from counterexamples.verdict import ExitCode, Verdict, Violated, exit_code, word
from model.documents import Document
from model.scenario import build_scenario
from properties.kinds import Property
from properties.registry import find_property

__all__ = [
    "Caught",
    "FaultResult",
    "cites_overlap",
    "judge",
    "run_fault",
    "run_faults",
    "settle",
]

@dataclass(frozen=True, slots=True)
class Caught:
    """A property that a fault turned red, on a scenario.

    Attributes
    ----------
    required
        Whether it had to turn red.
    names_the_rule
        Whether the property cites a rule that the fault breaks.
    trace
        The shortest play; None where what should be possible is not.
    """

    property: str
    scenario: str
    verdict: str
    required: bool
    names_the_rule: bool
    trace: Trace | None


@dataclass(frozen=True, slots=True)
class FaultResult:
    """What came of a fault.

    Attributes
    ----------
    reds
        Every property that it turned red.
    missing
        Properties that were to turn red and did not.
    problem
        What kept a scenario from being checked.
    """

    id: str
    reds: tuple[Caught, ...] = ()
    missing: tuple[str, ...] = ()
    problem: str | None = None
    seconds: float = field(default=0.0, compare=False)

    @property
    def is_caught(self) -> bool:
        """Whether everything that was to turn red did, and one of it names the rule that is broken."""
        named = any(red.required and red.names_the_rule for red in self.reds)
        return self.problem is None and not self.missing and named

    @property
    def shortest(self) -> Caught | None:
        """The shortest play of what was to turn red: of the first such property that names the rule and has a play."""
        plays = [(red, red.trace) for red in self.reds if red.trace is not None]
        found = min(
            plays,
            default=None,
            key=lambda pair: (
                not pair[0].required,
                not pair[0].names_the_rule,
                self._rank(pair[0]),
                len(pair[1].steps),
            ),
        )
        return found[0] if found is not None else None

    def _rank(self, red: Caught) -> int:
        """How early the fault names a property among those that must catch it."""
        names = find_fault(self.id).caught_by
        return names.index(red.property) if red.property in names else len(names)


def cites_overlap(cited: Sequence[str], broken: Sequence[str]) -> bool:
    """Whether a rule is in both, or one is the whole of which the other is a lettered part (708.2 and 708.2a)."""
    return any(
        a == b or a.rstrip("abcdefghijklmnopqrstuvwxyz") == b or a == b.rstrip("abcdefghijklmnopqrstuvwxyz")
        for a in cited
        for b in broken
    )


def settle(document: Document, text: str, properties: Sequence[Property]) -> dict[Property, Verdict]:
    """Check properties on a scenario, with whatever is planted."""
    # Built anew: what a scenario remembers may depend on what is planted.
    result = check_scenario(build_scenario(document), text, properties, OPTIONS)
    return {row.property: row.verdict for row in result.results}


def _asked(fault: Fault, document: Document) -> list[Property]:
    """What must catch the fault, and then what the scenario lists anyway."""
    listed = (entry.property for entry in build_scenario(document).data.check)
    ids = dict.fromkeys([*fault.caught_by, *(id_ for id_ in listed if id_ is not None)])
    return [find_property(id_) for id_ in ids]


def run_fault(id_: str) -> FaultResult:
    """Plant the fault with an id, and see what turns red."""
    return judge(find_fault(id_))


def judge(fault: Fault) -> FaultResult:
    """Plant a fault, and see what turns red that is not red without it."""
    start = time.perf_counter()
    reds: list[Caught] = []
    try:
        for place in fault.on:
            for document, text in documents_of(place):
                reds += _turned_red(fault, document, text)
    except Exception as problem:  # a fault that breaks the machine itself is not caught by a property
        why = f"{type(problem).__name__}: {problem}"
        return FaultResult(fault.id, (), fault.caught_by, why, time.perf_counter() - start)
    missing = tuple(id_ for id_ in fault.caught_by if all(red.property != id_ for red in reds))
    return FaultResult(fault.id, tuple(reds), missing, None, time.perf_counter() - start)


def _turned_red(fault: Fault, document: Document, text: str) -> list[Caught]:
    with planted(fault):
        found = settle(document, text, _asked(fault, document))
    suspects = [prop for prop, verdict in found.items() if is_red(verdict)]
    # What is red anyway, such as what a scenario never makes possible, is not the doing of the fault.
    before = settle(document, text, suspects) if suspects else {}
    name = build_scenario(document).name
    return [_caught(fault, name, prop, found[prop]) for prop in suspects if exit_code(before[prop]) is ExitCode.OK]


def _caught(fault: Fault, scenario: str, prop: Property, verdict: Verdict) -> Caught:
    trace = verdict.trace if isinstance(verdict, Violated) else None
    required = prop.id in fault.caught_by
    return Caught(prop.id, scenario, word(verdict), required, cites_overlap(prop.cites, fault.rules), trace)


def run_faults(ids: Sequence[str], jobs: int) -> Iterator[FaultResult]:
    """Run faults, in this process or in several; results come in the order asked for."""
    return in_processes(run_fault, ids, jobs)
