"""Checking many scenarios: in this process, or in several that each take the next one.

A worker reads its scenarios from their files, so nothing but places, options and plain results crosses between
processes.  Whatever the workers' timing, outcomes come out in the order of the selection.
"""

from __future__ import annotations

import multiprocessing
import signal
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import TYPE_CHECKING

from counterexamples.options import Options
from counterexamples.selection import Item, Selection
from counterexamples.trace import Trace
from counterexamples.verdict import ExitCode, Vacuous, Verdict

if TYPE_CHECKING:
    from counterexamples.check import CheckResult
    from counterexamples.search.explore import Progress
    from model.documents import Document

__all__ = ["Checker", "Failed", "Outcome", "Pulse", "Row", "Settled", "run"]

_POLL_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class Row:
    """What came of one property on one scenario, with all that is said about it."""

    property: str
    kind: str
    says: str
    cites: tuple[str, ...]
    rulings: tuple[str, ...]
    scenario: str
    verdict: Verdict
    engine: str
    states: int
    transitions: int
    depth: int
    overflows: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Settled:
    """A scenario that has been checked.  ``rows`` is empty if nothing that was asked for concerns it.

    Attributes
    ----------
    deadlock
        A play to a state in which nobody has a legal action: a fault of the model.
    never_fired
        Actions that no play takes; None if that was not found out.
    """

    item: Item
    scenario: str
    rows: tuple[Row, ...]
    actions: int = 0
    deadlock: Trace | None = None
    never_fired: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Failed:
    """A scenario that could not be checked.

    Attributes
    ----------
    trace
        The stack trace, for what only a fault of the program can cause.
    """

    item: Item
    code: ExitCode
    message: str
    trace: str | None = None


@dataclass(frozen=True, slots=True)
class Pulse:
    """How far a search is."""

    scenario: str
    states: int
    states_per_second: float
    depth: int
    waiting: int


Outcome = Settled | Failed


class Checker:
    """Checks one scenario after the other, and reads a file that holds several only once.

    Parameters
    ----------
    properties
        Ids that narrow what is checked; see :class:`~counterexamples.selection.Selection`.
    own
        Whether properties that are not in a scenario's list are put to it as well.
    """

    def __init__(self, properties: Sequence[str], options: Options, *, own: bool = False,
                 on_pulse: Callable[[Pulse], None] | None = None) -> None:
        self._properties = properties
        self._options = options
        self._own = own
        self._on_pulse = on_pulse
        self._path: str | None = None
        self._documents: tuple[tuple[Document, str], ...] = ()

    def check(self, item: Item) -> Outcome:
        """Check one scenario.  Whatever goes wrong is an outcome, too."""
        from counterexamples.explain import EndingError
        from model.errors import FacedownError, InputError
        from model.readings.evaluate import ReplayError

        try:
            return self._check(item)
        except InputError as problem:
            return Failed(item, ExitCode.BAD_INPUT, str(problem))
        except FacedownError as problem:
            return Failed(item, ExitCode.USAGE, str(problem))
        except (ReplayError, EndingError) as problem:
            return Failed(item, ExitCode.DISAGREEMENT, f"two readings of the rules disagree: {problem}")
        except Exception as problem:
            if type(problem).__name__ == "EngineDisagreementError":  # its module imports a solver
                return Failed(item, ExitCode.DISAGREEMENT, f"two engines disagree: {problem}")
            return Failed(item, ExitCode.INTERNAL, f"{type(problem).__name__}: {problem}", traceback.format_exc())

    def _check(self, item: Item) -> Settled:
        from counterexamples.check import check_scenario
        from counterexamples.expression_checks import chosen_checks
        from model.scenario import build_scenario

        document, source = self._read(item)
        scenario = build_scenario(document)
        checks = chosen_checks(scenario, self._properties, put=self._own)
        if not checks:
            return Settled(item, scenario.name, ())
        result = check_scenario(scenario, source, [check.property for check in checks], self._watched(scenario.name))
        rows = tuple(_row(found, constant=check.constant) for check, found in zip(checks, result.results, strict=True))
        return Settled(item, result.scenario, rows, result.actions, result.deadlock, result.never_fired)

    def _read(self, item: Item) -> tuple[Document, str]:
        """The document of a scenario, and its text."""
        from counterexamples.selection import scenario_text
        from model.documents import load_documents

        if self._path != item.path:
            documents = load_documents(item.path)
            text = Path(item.path).read_text(encoding="utf-8")
            lines = [document.places[()][0] for document in documents]
            self._documents = tuple((d, scenario_text(text, lines, i)) for i, d in enumerate(documents))
            self._path = item.path
        return self._documents[item.index]

    def _watched(self, name: str) -> Options:
        """The options, with somebody to tell how far the search is."""
        on_pulse = self._on_pulse
        if on_pulse is None:
            return self._options

        def progress(now: Progress) -> None:
            on_pulse(Pulse(name, now.states, now.states_per_second, now.depth, now.waiting))

        return replace(self._options, progress=progress)


def _row(result: CheckResult, *, constant: bool) -> Row:
    verdict = Vacuous("it speaks of constants only") if constant else result.verdict
    prop = result.property
    return Row(prop.id, prop.kind, prop.says, prop.cites, prop.rulings, result.scenario, verdict, result.engine,
               result.states, result.transitions, result.depth, result.overflows, result.seconds)


def run(selection: Selection, options: Options, jobs: int,
        on_pulse: Callable[[Pulse], None] | None = None,
        stop: Callable[[], bool] | None = None) -> Iterator[Outcome]:
    """Check everything that was selected.

    Parameters
    ----------
    jobs
        How many processes check; with one, or one scenario, this one does.
    on_pulse
        Called a few times per second while something is searched.
    stop
        Asked now and then whether to end.

    Yields
    ------
    Settled or Failed
        In the order of the selection, each as soon as those before it are there.
    """
    jobs = min(jobs, len(selection.items))
    if jobs > 1:
        yield from _run_in_processes(selection, options, jobs, on_pulse, stop or _never)
        return
    checker = Checker(selection.properties, replace(options, stop=stop), own=selection.own, on_pulse=on_pulse)
    for item in selection.items:
        yield checker.check(item)
        if stop is not None and stop():
            return


def _never() -> bool:
    return False


def _run_in_processes(selection: Selection, options: Options, jobs: int,
                      on_pulse: Callable[[Pulse], None] | None, stop: Callable[[], bool]) -> Iterator[Outcome]:
    # A fresh interpreter for each: forking would copy whatever threads this process has in an unknown state.
    context = multiprocessing.get_context("spawn")
    with _Crew(context, selection, options, jobs, pulses=on_pulse is not None) as crew:
        ready: dict[int, Outcome] = {}
        due = 0
        while due < len(selection.items) and not stop():
            for number, message in crew.messages():
                if isinstance(message, Pulse):
                    if on_pulse is not None:
                        on_pulse(message)
                else:
                    ready[number] = message
            while due in ready:
                yield ready.pop(due)
                due += 1
        for number in sorted(ready):
            yield ready[number]


class _Crew:
    """The worker processes; ends them when it is left, whatever the reason."""

    def __init__(self, context: multiprocessing.context.SpawnContext, selection: Selection, options: Options,
                 jobs: int, *, pulses: bool) -> None:
        self._selection = selection
        self._next = 0
        self._busy: dict[Connection, int] = {}
        self._processes: dict[Connection, multiprocessing.context.SpawnProcess] = {}
        with _deaf():
            for _ in range(jobs):
                ours, theirs = context.Pipe()
                process = context.Process(target=_work, daemon=True,
                                          args=(theirs, selection.properties, options, selection.own, pulses))
                process.start()
                theirs.close()
                self._processes[ours] = process
                self._give(ours)

    def __enter__(self) -> _Crew:
        return self

    def __exit__(self, *_: object) -> None:
        for process in self._processes.values():
            process.terminate()
        for connection, process in self._processes.items():
            process.join()
            connection.close()

    def _give(self, connection: Connection) -> None:
        if self._next < len(self._selection.items):
            self._busy[connection] = self._next
            connection.send(self._selection.items[self._next])
            self._next += 1
        else:
            self._busy.pop(connection, None)

    def messages(self) -> Iterator[tuple[int, Outcome | Pulse]]:
        """What workers have sent since the last time; waits for a moment if that is nothing."""
        for connection in wait(list(self._busy), _POLL_SECONDS):
            assert isinstance(connection, Connection)
            number = self._busy[connection]
            try:
                message = connection.recv()
            except EOFError:
                yield number, self._lost(connection, number)
                continue
            if not isinstance(message, Pulse):
                self._give(connection)
            yield number, message

    def _lost(self, connection: Connection, number: int) -> Failed:
        """A worker has died; the others take over what it would have done."""
        process = self._processes[connection]
        process.join()
        del self._busy[connection]
        item = self._selection.items[number]
        why = f"the process that checked it ended with exit code {process.exitcode}"
        if not self._busy:
            raise RuntimeError(f"{item.path}: {why}, and none is left")
        return Failed(item, ExitCode.INTERNAL, f"{item.path}: {why}")


@contextmanager
def _deaf() -> Iterator[None]:
    """Start processes that ignore Ctrl-C from the first: the parent says what was settled, and ends them."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _work(connection: Connection, properties: Sequence[str], options: Options, own: bool, pulses: bool) -> None:
    """What a worker does until there is nothing left to take."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # not inherited everywhere
    checker = Checker(properties, options, own=own, on_pulse=connection.send if pulses else None)
    while True:
        try:
            item = connection.recv()
        except EOFError:
            return
        connection.send(checker.check(item))
