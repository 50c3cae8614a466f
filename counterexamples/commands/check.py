"""``facedown check``: what was selected is checked, and every outcome is told, collected and, with its play, saved."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

import click

from counterexamples.about import EDITION, VERSION
from counterexamples.commands.output import write_document
from counterexamples.options import ENGINES, Engine, Options
from counterexamples.verdict import ExitCode, Violated, Witnessed

if TYPE_CHECKING:
    from counterexamples.document import Coverage, FailOn, Problem, Result, ResultDocument
    from counterexamples.report import Report
    from counterexamples.run import Failed, Outcome, Settled
    from counterexamples.selection import Selection
    from counterexamples.trace import Trace
    from counterexamples.trace_file import Archive

__all__ = ["check_command"]

_FAIL_ON: tuple[FailOn, ...] = ("violated", "vacuous", "undecided")
_OUT = "facedown-out"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What a command line asks for, beside what to check."""

    options: Options
    fail_on: tuple[FailOn, ...]
    json: str | None
    out: str | None
    coverage: bool
    jobs: int
    quiet: bool
    progress: bool


@click.command("check")
@click.argument("files", nargs=-1, type=click.Path())
@click.option("--property", "properties", multiple=True, metavar="ID",
              help="Only this property.  In files of your own it is checked even where it is not listed.")
@click.option("--ruling", "rulings", multiple=True, metavar="S24", help="Only the scenarios of this ruling.")
@click.option("--engine", type=click.Choice(ENGINES), default="auto", show_default=True,
              help="auto explores every state, and proves by induction what is too large for that.")
@click.option("--depth", type=click.IntRange(1, 1000),
              help=f"How many steps the bounded engine looks.  [default: {Options().depth}]")
@click.option("--max-states", type=click.IntRange(1),
              help=f"When exploring a scenario gives up.  [default: {Options().max_states}]")
@click.option("--max-seconds", type=click.FloatRange(0, min_open=True), default=120.0, show_default=True,
              help="When any engine gives up on a scenario.")
@click.option("--audit", type=click.IntRange(0), metavar="STATES",
              help="How many states the plain reading looks at again, to check what the engine says cannot happen; 0 "
                   f"does not.  [default: {Options().audit}]")
@click.option("--json", "json_path", metavar="FILE", help="Write the result document; - is standard output.")
@click.option("--out", type=click.Path(), metavar="DIR",
              help=f"Save the plays of witnesses as well, and in this folder.  [default: {_OUT}]")
@click.option("--fail-on", multiple=True, type=click.Choice((*_FAIL_ON, "none")),
              help="What makes the exit code differ from 0; by default all of these.  Bad input, refused evidence and "
                   "faults always do.")
@click.option("--coverage", is_flag=True, help="List the actions that no play takes.")
@click.option("--jobs", type=click.IntRange(1, 64), default=2, show_default=True, help="How many processes check.")
@click.option("--quiet", is_flag=True, help="Say only what is in the way.")
@click.option("--progress/--no-progress", default=None, help="Say how far the search is.  [default: on a terminal]")
def check_command(
    files: tuple[str, ...], properties: tuple[str, ...], rulings: tuple[str, ...], engine: Engine,
    depth: int | None, max_states: int | None, max_seconds: float, audit: int | None, json_path: str | None,
    out: str | None, fail_on: tuple[str, ...], coverage: bool, jobs: int, quiet: bool, progress: bool | None,
) -> ExitCode:
    """Check scenarios: FILES and folders of your own, or every shipped ruling if there are none."""
    if "none" in fail_on and len(fail_on) > 1:
        raise click.UsageError("--fail-on none goes with no other")
    kept = tuple(kind for kind in _FAIL_ON if not fail_on or kind in fail_on)
    options = _options(engine, depth, max_states, max_seconds, audit)
    settings = Settings(options=options, fail_on=kept, json=json_path, out=out, coverage=coverage, jobs=jobs,
                        quiet=quiet, progress=sys.stderr.isatty() if progress is None else progress)
    _require_writable(settings)
    selection, problem = _selected(files, rulings, properties)
    return _check(selection, settings, problem)


def _options(engine: Engine, depth: int | None, max_states: int | None, max_seconds: float,
             audit: int | None) -> Options:
    """How to check; an option that the engine would not read is refused rather than ignored."""
    explores = engine in ("auto", "explore")
    if depth is not None and engine != "bounded":
        raise click.UsageError("--depth is for --engine bounded")
    if max_states is not None and not explores:
        raise click.UsageError(f"--max-states is for --engine explore and auto, not for {engine}")
    if audit is not None and engine == "induction":
        raise click.UsageError("--audit is for engines that search; a proof by induction has a certificate")
    standard = Options()
    return Options(engine=engine, depth=depth or standard.depth, max_states=max_states or standard.max_states,
                   max_seconds=max_seconds, audit=standard.audit if audit is None else audit)


def _require_writable(settings: Settings) -> None:
    """Refuse before the search what could not be written after it."""
    if settings.json not in (None, "-") and not Path(settings.json).absolute().parent.is_dir():
        raise click.UsageError(f"--json {settings.json}: there is no such folder")
    if settings.out is not None:
        try:
            Path(settings.out).mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise click.UsageError(f"--out {settings.out}: {problem.strerror}") from None


def _selected(files: Sequence[str], rulings: Sequence[str],
              properties: Sequence[str]) -> tuple[Selection, Problem | None]:
    """What is to be checked; nothing, if a file cannot be used, which the result document then says."""
    from counterexamples.document import Problem
    from counterexamples.selection import Selection, select
    from model.errors import InputError

    try:
        return select(files, rulings, properties), None
    except InputError as problem:
        file = problem.span.file if problem.span is not None else ""
        return Selection(()), Problem(file=file, code=15, message=str(problem))


def _check(selection: Selection, settings: Settings, problem: Problem | None) -> ExitCode:
    from counterexamples.report import Progress, Report
    from counterexamples.run import run

    start = time.perf_counter()
    progress = Progress(sys.stderr, len(selection.items)) if settings.progress else None
    stream = sys.stderr if settings.json == "-" else sys.stdout
    with Report(stream, quiet=settings.quiet, progress=progress) as report, _interruptible() as interruption:
        record = _Record(report, _archive(settings), keep_witnesses=settings.out is not None)
        if problem is not None:
            record.problem(problem)
        on_pulse = progress.show if progress is not None else None
        with suppress(KeyboardInterrupt):  # the second Ctrl-C: what was settled is told all the same
            for outcome in run(selection, settings.options, settings.jobs, on_pulse, interruption.requested):
                record.add(outcome)
                if progress is not None:
                    progress.settled += 1
        if not interruption.asked:
            _require_something(record, selection)
        found = record.document(settings, interrupted=interruption.asked)
        record.tell(found, settings, len(selection.items), time.perf_counter() - start)
        if settings.json is not None:
            write_document(found.model_dump_json(by_alias=True, indent=1), settings.json)
    return ExitCode(found.exit_code)


def _archive(settings: Settings) -> Archive:
    from counterexamples.trace_file import Archive

    return Archive(Path(settings.out or _OUT), version=VERSION, edition=EDITION)


def _require_something(record: _Record, selection: Selection) -> None:
    """A property that nothing was checked for is a mistake, not a success."""
    from model.errors import UsageError, nearest
    from properties.registry import all_properties

    if not selection.properties or record.problems:
        return
    checked = {result.property for result in record.results}
    for id_ in selection.properties:
        if id_ not in checked:
            known = [*all_properties(), *checked]
            what = "no scenario that was selected checks the property" if id_ in known else "there is no property"
            raise UsageError(f"{what} {id_!r}" + ("" if id_ in known else nearest(id_, known)))


@dataclass(slots=True)
class _Interruption:
    """Whether the user has asked to end."""

    asked: bool = False

    def requested(self) -> bool:
        return self.asked


@contextmanager
def _interruptible() -> Iterator[_Interruption]:
    """Turn the first Ctrl-C into a request to end; the second ends at once."""
    interruption = _Interruption()

    def ask(number: int, frame: FrameType | None) -> None:
        if interruption.asked:
            raise KeyboardInterrupt
        interruption.asked = True

    before = signal.signal(signal.SIGINT, ask)
    try:
        yield interruption
    finally:
        signal.signal(signal.SIGINT, before)


@dataclass(slots=True)
class _Record:
    """What has come out so far."""

    report: Report
    archive: Archive
    keep_witnesses: bool
    results: list[Result] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    coverage: list[Coverage] = field(default_factory=list)
    plays: list[tuple[Trace, str]] = field(default_factory=list)
    scenarios: int = 0
    traces: int = 0

    def add(self, outcome: Outcome) -> None:
        """Take an outcome down and say it."""
        from counterexamples.run import Settled

        if isinstance(outcome, Settled):
            self._settled(outcome)
        else:
            self._failed(outcome)

    def _settled(self, outcome: Settled) -> None:
        from counterexamples.document import Coverage, result_of

        if not outcome.rows:
            return
        self.scenarios += 1
        file = _shown(outcome.item.path)
        results = [result_of(row, file, self._saved(row.verdict)) for row in outcome.rows]
        self.results.extend(results)
        self.coverage.append(Coverage(scenario=outcome.scenario, file=file, actions=outcome.actions,
                                      never_fired=outcome.never_fired))
        self.report.heading(outcome.item.ruling or file)
        self.report.rows(results)
        if outcome.deadlock is not None:
            self._deadlock(outcome, outcome.deadlock, file)

    def _saved(self, verdict: object) -> str | None:
        """Save a play, if it is to be kept.  Returns where."""
        if isinstance(verdict, Violated) or (isinstance(verdict, Witnessed) and self.keep_witnesses):
            path = self._save(verdict.trace)
            if isinstance(verdict, Violated):
                self.plays.append((verdict.trace, path))
            return path
        return None

    def _save(self, trace: Trace) -> str:
        self.traces += 1
        return self.archive.save(trace)

    def _deadlock(self, outcome: Settled, trace: Trace, file: str) -> None:
        from counterexamples.document import Problem

        path = self._save(trace)
        self.plays.append((trace, path))
        message = (f"{file}: {outcome.scenario}: after {len(trace.steps)} steps no player has a legal action, which is "
                   "a fault of the model")
        self.problem(Problem(file=file, code=70, message=message, trace=path))

    def _failed(self, outcome: Failed) -> None:
        from counterexamples.document import problem_of

        self.problem(problem_of(outcome, _shown(outcome.item.path)))
        if outcome.trace is not None:
            self.report.stack_trace(outcome.trace)

    def problem(self, problem: Problem) -> None:
        """Take down and say what kept something from being checked."""
        self.problems.append(problem)
        self.report.problem(problem)

    def document(self, settings: Settings, *, interrupted: bool) -> ResultDocument:
        """The result document."""
        from counterexamples.document import Settings as Echo
        from counterexamples.document import document

        options = settings.options
        echo = Echo(engine=options.engine, depth=options.depth, max_states=options.max_states,
                    max_seconds=options.max_seconds, audit=options.audit, fail_on=settings.fail_on)
        return document(version=VERSION, edition=EDITION, command=" ".join(["facedown", *sys.argv[1:]]), settings=echo,
                        interrupted=interrupted, results=self.results, problems=self.problems,
                        coverage=self.coverage)

    def tell(self, found: ResultDocument, settings: Settings, asked: int, seconds: float) -> None:
        """The plays, what was asked for beside, and the summary."""
        for trace, path in self.plays:
            self.report.play(trace, path)
        if settings.coverage:
            self.report.coverage(found)
        folder = str(self.archive.run) if self.archive.run is not None else None
        self.report.summary(found, scenarios=self.scenarios, asked=asked, seconds=seconds, folder=folder,
                            traces=self.traces)


def _shown(path: str) -> str:
    """A path as users know it: from here, or from the package for what is shipped."""
    from counterexamples.selection import rulings_folder

    folder = rulings_folder()
    if Path(path).parent == folder:
        return f"{folder.parent.name}/{folder.name}/{Path(path).name}"
    return path
