"""The shipped scenarios as trials: what each comes to under the rules as they are, and under others."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import TypeVar

from counterexamples.check import ScenarioResult, check_scenario
from counterexamples.expression_checks import checks_of
from counterexamples.options import Options
from counterexamples.secrets import Build
from counterexamples.selection import ruling_files, scenario_text
from counterexamples.verdict import ExitCode, Verdict, exit_code, word
from model.documents import Document, load_documents
from model.errors import UsageError
from model.game import build_system
from model.scenario import Scenario, build_scenario
from model.setup import Setup
from model.state import Schema
from model.system import TransitionSystem
from properties.kinds import Property

__all__ = ["OPTIONS", "Trial", "documents_of", "find_trial", "in_processes", "is_red", "places", "trials"]

OPTIONS = Options(max_states=150_000, max_seconds=60.0)
"""How far a changed model is explored."""

_A = TypeVar("_A")
_R = TypeVar("_R")


@dataclass(frozen=True, eq=False)
class Trial:
    """A shipped scenario, with what it checks.

    Parameters
    ----------
    place
        ``S15/2`` for the second scenario of a ruling, else the file among those of faults, and a number.
    """

    place: str
    document: Document
    text: str

    @cached_property
    def scenario(self) -> Scenario:
        """The scenario, built under the rules as they are."""
        return build_scenario(self.document)

    @cached_property
    def properties(self) -> tuple[Property, ...]:
        """What it lists to be checked."""
        return tuple(check.property for check in checks_of(self.scenario))

    @cached_property
    def schema(self) -> Schema:
        """Where its variables come from, whatever the rules, so that systems can be compared."""
        return Schema(self.scenario.setup)

    @cached_property
    def system(self) -> TransitionSystem:
        """Its system under the rules as they are."""
        return build_system(self.scenario.name, self.scenario.setup, self.schema)

    @cached_property
    def verdicts(self) -> Mapping[Property, Verdict]:
        """What its properties come to under the rules as they are."""
        return self.settle(self.properties, self.system)

    def check(self, properties: Sequence[Property], system: TransitionSystem,
              build: Build = build_system) -> ScenarioResult:
        """Check properties on a system of this scenario; ``build`` makes those of other setups, for secrecy."""
        def built(name: str, setup: Setup) -> TransitionSystem:
            return system if setup is self.scenario.setup else build(name, setup)

        return check_scenario(self.scenario, self.text, properties, OPTIONS, built)

    def settle(self, properties: Sequence[Property], system: TransitionSystem,
               build: Build = build_system) -> dict[Property, Verdict]:
        """What properties come to; see :meth:`check`."""
        return {row.property: row.verdict for row in self.check(properties, system, build).results}


def is_red(verdict: Verdict) -> bool:
    """Whether the verdict says that the rules are wrong: a violation, or what should be possible is not.

    A premise that no longer occurs makes the gate red, too, but says nothing about the rule.
    """
    return exit_code(verdict) is ExitCode.VIOLATED or word(verdict) == "unreachable"


def documents_of(place: str) -> list[tuple[Document, str]]:
    """The scenarios of a place, each with its text.

    Raises
    ------
    UsageError
        If there is no such ruling, file or number.
    """
    name, _, number = place.partition("/")
    path = ruling_files().get(name) or _folder() / f"{name}.yaml"
    if not path.is_file():
        raise UsageError(f"there is no ruling and no file of scenarios {name!r}")
    found = _documents(path)
    return [found[int(number) - 1]] if number else list(found)


@cache
def places() -> tuple[str, ...]:
    """Every shipped scenario: those of the rulings, then those that exhibit faults."""
    names = [*ruling_files(), *(path.stem for path in sorted(_folder().glob("*.yaml")))]
    return tuple(f"{name}/{i}" for name in names for i, _ in enumerate(documents_of(name), 1))


@cache
def find_trial(place: str) -> Trial:
    """The trial at a place, built once in each process."""
    document, text = documents_of(place)[0]
    return Trial(place, document, text)


def trials() -> Iterator[Trial]:
    """Every trial."""
    return map(find_trial, places())


def in_processes(work: Callable[[_A], _R], tasks: Sequence[_A], jobs: int) -> Iterator[_R]:
    """Do tasks in this process or in several; results come in the order of the tasks."""
    if jobs <= 1 or len(tasks) <= 1:
        yield from map(work, tasks)
        return
    # A fresh interpreter for each: forking would copy whatever threads this process has in an unknown state.
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn")) as pool:
        yield from pool.map(work, tasks, chunksize=1)


def _folder() -> Path:
    return Path(__file__).parent / "faults" / "scenarios"


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
