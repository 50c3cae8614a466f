"""The fault matrix: each fault is planted, and the gate that users have is asked whether it turns red."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from counterexamples.check import check_scenario
from counterexamples.faults.catalogue import find_fault
from counterexamples.faults.fault import Fault, planted
from counterexamples.options import Options
from counterexamples.selection import ruling_files, scenario_text
from counterexamples.trace import Trace
from counterexamples.verdict import ExitCode, Verdict, Violated, exit_code, word
from model.documents import Document, load_documents
from model.errors import UsageError
from model.scenario import build_scenario
from properties.kinds import Property
from properties.registry import find_property

__all__ = ["Caught", "FaultResult", "cites_overlap", "documents_of", "is_red", "run_fault", "run_faults", "settle"]

_OPTIONS = Options(max_states=400_000, max_seconds=60.0)


@dataclass(frozen=True, slots=True)
class Caught:
    """A property that a fault turned red, on a scenario.

    Attributes
    ----------
    names_the_rule
        Whether the property cites a rule that the fault breaks.
    trace
        The shortest play; None where what should be possible is not.
    """

    property: str
    scenario: str
    verdict: str
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
        return self.problem is None and not self.missing and any(red.names_the_rule for red in self.reds)

    @property
    def shortest(self) -> Caught | None:
        """The red property with the shortest play, one that names the rule before one that does not."""
        plays = [red for red in self.reds if red.trace is not None]
        return min(
            plays, key=lambda red: (not red.names_the_rule, len(red.trace.steps) if red.trace else 0), default=None
        )


def cites_overlap(cited: Sequence[str], broken: Sequence[str]) -> bool:
    """Whether a rule is in both, or one is the whole of which the other is a lettered part (708.2 and 708.2a)."""
    return any(
        a == b or a.rstrip("abcdefghijklmnopqrstuvwxyz") == b or a == b.rstrip("abcdefghijklmnopqrstuvwxyz")
        for a in cited
        for b in broken
    )


def is_red(verdict: Verdict) -> bool:
    """Whether the verdict says that the rules are wrong: a violation, or what should be possible is not.

    A premise that no longer occurs makes the gate red, too, but says nothing about the rule.
    """
    return exit_code(verdict) is ExitCode.VIOLATED or word(verdict) == "unreachable"


def documents_of(place: str) -> list[tuple[Document, str]]:
    """The scenarios that a fault names, each with its text.

    Raises
    ------
    UsageError
        If there is no such ruling, file or number.
    """
    ruling, _, number = place.partition("/")
    path = ruling_files().get(ruling) or _folder() / f"{ruling}.yaml"
    if not path.is_file():
        raise UsageError(f"there is no ruling and no file of scenarios {ruling!r}")
    found = _documents(path)
    return [found[int(number) - 1]] if number else list(found)


def _folder() -> Path:
    return Path(__file__).parent / "scenarios"


@cache
def _documents(path: Path) -> tuple[tuple[Document, str], ...]:
    documents = load_documents(path)
    lines = [document.places[()][0] for document in documents]
    text = path.read_text(encoding="utf-8")
    return tuple(
        (document, scenario_text(text, lines, i))
        for i, document in enumerate(documents)
        if not (isinstance(document.data, dict) and "ruling" in document.data)
    )


def settle(fault: Fault, properties: Sequence[Property]) -> list[tuple[str, Property, Verdict]]:
    """Check properties on the scenarios of a fault, with whatever is planted.

    Returns
    -------
    list of (scenario, property, verdict)
    """
    found = []
    for place in fault.on:
        for document, text in documents_of(place):
            # Built anew: what a scenario remembers may depend on what is planted.
            scenario = build_scenario(document)
            result = check_scenario(scenario, text, properties, _OPTIONS)
            found += [(scenario.name, row.property, row.verdict) for row in result.results]
    return found


def run_fault(id_: str) -> FaultResult:
    """Plant a fault, and see what turns red."""
    start = time.perf_counter()
    fault = find_fault(id_)
    wanted = [find_property(name) for name in fault.caught_by]
    try:
        with planted(fault):
            rows = settle(fault, wanted)
    except Exception as problem:  # a fault that breaks the machine itself is not caught by a property
        return FaultResult(
            id_, (), fault.caught_by, f"{type(problem).__name__}: {problem}", time.perf_counter() - start
        )
    reds = tuple(
        Caught(
            prop.id,
            scenario,
            word(verdict),
            cites_overlap(prop.cites, fault.rules),
            verdict.trace if isinstance(verdict, Violated) else None,
        )
        for scenario, prop, verdict in rows
        if is_red(verdict)
    )
    missing = tuple(id_ for id_ in fault.caught_by if all(red.property != id_ for red in reds))
    return FaultResult(id_, reds, missing, None, time.perf_counter() - start)


def run_faults(ids: Sequence[str], jobs: int) -> Iterator[FaultResult]:
    """Run faults, in this process or in several; results come in the order asked for."""
    if jobs <= 1 or len(ids) <= 1:
        yield from map(run_fault, ids)
        return
    # A fresh interpreter for each: forking would copy whatever threads this process has in an unknown state.
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn")) as pool:
        yield from pool.map(run_fault, ids, chunksize=1)
