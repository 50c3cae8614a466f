"""Everything that a user sees on the screen.  No other module prints.

The verdict comes first and never as a colour alone; then what was searched, how to get it back, and what to try next.
Nothing is printed that is not in the result document or in a trace as well.
"""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterable, Sequence
from types import TracebackType
from typing import IO, Self

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from counterexamples.document import Problem, Result, ResultDocument
from counterexamples.run import Pulse
from counterexamples.trace import Beside, Trace
from counterexamples.verdict import ExitCode, VerdictWord

__all__ = ["Progress", "Report"]

_WIDTH_OF_FILES = 160
"""How wide lines are where the output is no terminal, and COLUMNS does not say."""

_WIDTH_OF_ROWS = 130
"""From which width on all that is said of a result has room in one line."""

_WORDS: dict[VerdictWord, tuple[str, str]] = {
    "proved": ("proved", "green"), "witnessed": ("witnessed", "green"), "holds_to_bound": ("to a bound", "yellow"),
    "violated": ("VIOLATED", "bold red"), "unreachable": ("UNREACHABLE", "bold red"),
    "vacuous": ("VACUOUS", "bold red"), "undecided": ("undecided", "bold yellow"),
}
_IN_THE_WAY: tuple[VerdictWord, ...] = ("violated", "unreachable", "vacuous", "undecided")


def _console(stream: IO[str]) -> Console:
    width = None if stream.isatty() or "COLUMNS" in os.environ else _WIDTH_OF_FILES
    return Console(file=stream, width=width, highlight=False, markup=False, emoji=False, soft_wrap=False)


class Progress:
    """A line that says how far a search is, on a stream of its own.

    Parameters
    ----------
    stream
        Where to; on a terminal the line is rewritten in place.
    total
        How many scenarios there are.
    """

    def __init__(self, stream: IO[str], total: int) -> None:
        self._stream = stream
        self._in_place = stream.isatty()
        self._total = total
        self._shown = False
        self.settled = 0

    def show(self, pulse: Pulse) -> None:
        """Show where a search is."""
        line = (f"{self.settled} of {self._total} scenarios; {pulse.scenario}: {pulse.states:,} states, "
                f"{pulse.states_per_second:,.0f}/s, depth {pulse.depth}, {pulse.waiting:,} states left")
        if self._in_place:
            width = _console(self._stream).width
            self._stream.write(f"\r\x1b[K{line[:width - 1]}")
        else:
            self._stream.write(f"{line}\n")
        self._stream.flush()
        self._shown = True

    def clear(self) -> None:
        """Make room for something else."""
        if self._shown and self._in_place:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
        self._shown = False


class Report:
    """What is said of a run.

    Parameters
    ----------
    stream
        Where to.
    quiet
        Say only what is in the way.
    progress
        A line to clear before anything is said.
    """

    def __init__(self, stream: IO[str] | None = None, *, quiet: bool = False, progress: Progress | None = None) -> None:
        self._console = _console(sys.stdout if stream is None else stream)
        self._quiet = quiet
        self._progress = progress
        self._heading: str | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None,
                 trace: TracebackType | None) -> None:
        if self._progress is not None:
            self._progress.clear()

    def _say(self, *what: RenderableType) -> None:
        if self._progress is not None:
            self._progress.clear()
        if self._console.is_terminal:
            self._console.print(Group(*what))
            return
        # Columns are padded to their width, which in a file would be blanks that nobody sees.
        with self._console.capture() as captured:
            self._console.print(Group(*what))
        self.raw("".join(f"{line.rstrip()}\n" for line in captured.get().splitlines()))

    def raw(self, text: str) -> None:
        """Text for a program to read, as it is."""
        self._console.file.write(text)
        self._console.file.flush()

    def line(self, text: str, style: str = "") -> None:
        """A line, however long: messages with a place in a file are not broken."""
        self._message(Text(text, style))

    def _message(self, text: Text) -> None:
        if self._progress is not None:
            self._progress.clear()
        self._console.print(text, soft_wrap=True)

    # -- results --------------------------------------------------------------------------------------------------

    def heading(self, text: str) -> None:
        """What the rows that follow are about, unless that has been said."""
        if not self._quiet and text != self._heading:
            self._heading = text
            self._say(Text(text, "bold"))

    def rows(self, results: Sequence[Result]) -> None:
        """One row for each property of a scenario, and a line for each reason."""
        for result in results:
            if self._quiet and result.verdict not in _IN_THE_WAY:
                continue
            self._say(self._row(result))
            if result.verdict in ("holds_to_bound", "vacuous", "undecided"):
                self._say(Padding(Text(f"{result.detail}", "dim"), (0, 0, 0, 15)))

    def _row(self, result: Result) -> RenderableType:
        word, style = _WORDS[result.verdict]
        states = f"{result.states:,} states" if result.states else ""
        if self._console.width < _WIDTH_OF_ROWS:
            facts = ", ".join(filter(None, (_how(result), states, f"{result.seconds:.1f} s")))
            return Group(Text.assemble("  ", (f"{word:<13}", style), result.property),
                         Padding(Text(f"{result.scenario}: {facts}", "dim"), (0, 0, 0, 15)))
        rest = self._console.width - 2 - 11 - 15 - 16 - 7 - 6 * 2
        table = Table.grid(padding=(0, 2, 0, 0))
        for width in (0, 11, rest * 11 // 20, rest - rest * 11 // 20, 15):
            table.add_column(width=width, overflow="fold")
        table.add_column(width=16, justify="right")
        table.add_column(width=7, justify="right")
        table.add_row("", Text(word, style), result.property, Text(result.scenario, "dim"), _how(result), states,
                      f"{result.seconds:.1f} s")
        return table

    def problem(self, problem: Problem) -> None:
        """What kept a scenario from being checked."""
        self._message(Text.assemble((f"{_PROBLEMS[problem.code]}: ", "bold red"), problem.message))

    def stack_trace(self, text: str) -> None:
        """Where the program went wrong."""
        self._message(Text(text.rstrip(), "dim"))

    # -- plays ----------------------------------------------------------------------------------------------------

    def play(self, trace: Trace, path: str | None) -> None:
        """A play, step by step, with what it shows and how to get it back."""
        word = {"violated": "VIOLATED", "witnessed": "witnessed", "deadlock": "STUCK"}[trace.verdict]
        style = "green" if trace.verdict == "witnessed" else "bold red"
        cites = f" ({', '.join(trace.cites)})" if trace.cites else ""
        length = _number(len(trace.steps), "step")
        label = "shown" if trace.verdict == "witnessed" else "false"
        self._say(
            Text(""), Text.assemble((word, style), f" {trace.property}{cites}"), _indented(trace.says),
            _indented(f"in {trace.scenario!r}, {length}, shortest"), Padding(self._steps(trace), (1, 0, 1, 4)),
            _indented(f"{label}:  {trace.clause}"), _indented(f"cause:  {trace.cause}"),
        )
        if path is not None:
            self.line(f"  replay: facedown replay {shlex.quote(path)}")

    def _steps(self, trace: Trace) -> RenderableType:
        if not trace.steps:
            return Text("no step: so it is at the start", "dim")
        if trace.beside is not None:
            return self._side_by_side(trace, trace.beside)
        table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim", expand=False, pad_edge=False)
        for name in ("step", "player", "action", "changed", "by"):
            table.add_column(name, overflow="fold")
        for step in trace.steps:
            table.add_row(str(step.number), step.actor or "-", step.words, "\n".join(step.shown),
                          Text(", ".join(step.cites), "dim"))
        return table

    def _side_by_side(self, trace: Trace, beside: Beside) -> RenderableType:
        """The same actions in two games: what both do is told once, and where they part is told of each."""
        table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim", expand=False, pad_edge=False)
        for name in ("step", "player", "action", f"where {beside.first}", f"where {beside.second}", "by"):
            table.add_column(name, overflow="fold")
        for one, two in zip(trace.steps, beside.steps, strict=True):
            table.add_row(str(one.number), one.actor or "-", one.words, "\n".join(one.shown), "\n".join(two.shown),
                          Text(", ".join(dict.fromkeys([*one.cites, *two.cites])), "dim"))
        return table

    # -- the end --------------------------------------------------------------------------------------------------

    def summary(self, document: ResultDocument, *, scenarios: int, asked: int, seconds: float, folder: str | None,
                traces: int) -> None:
        """Counts, where traces are, what to try next, and the exit code last."""
        counts = [(number, shown) for name, shown in _WORDS.items() if (number := getattr(document.summary, name))]
        text = Text("\n")
        for i, (number, (word, style)) in enumerate(counts):
            text.append(f"{', ' if i else ''}{number} ").append(word, style)
        text.append(f" in {_number(scenarios, 'scenario')}, {seconds:.1f} s" if counts else "nothing was checked")
        self._say(text)
        if document.interrupted:
            self._say(Text(f"interrupted: {scenarios} of {asked} scenarios were settled", "bold yellow"))
        if document.problems and scenarios:
            words = dict.fromkeys(_PROBLEMS[problem.code] for problem in document.problems)
            self.line(f"{_number(len(document.problems), 'problem')} above: {', '.join(words)}", "bold red")
        if folder is not None:
            self.line(f"traces: {folder} ({traces})")
        for advice in _advice(document):
            self.line(f"next: {advice}", "dim")
        self.exit(ExitCode(document.exit_code))

    def exit(self, code: ExitCode) -> None:
        """What the process returns, and what it means."""
        self._say(Text(f"exit {int(code)}: {code.says}", "green" if code is ExitCode.OK else "bold"))

    def coverage(self, document: ResultDocument) -> None:
        """The actions that no play takes."""
        self._say(Text("\nactions that no play takes", "bold"))
        for entry in document.coverage:
            if entry.never_fired is None:
                self._say(_indented(f"{entry.scenario}: not found out by this engine"))
            else:
                self._say(_indented(f"{entry.scenario}: {len(entry.never_fired)} of {entry.actions}"))
                self._say(*(Padding(Text(label, "dim"), (0, 0, 0, 6)) for label in entry.never_fired))

    # -- what there is --------------------------------------------------------------------------------------------

    def facts(self, title: str, facts: Iterable[tuple[str, str | Sequence[str]]]) -> None:
        """A title, and named facts below it; what is empty is left out."""
        self._say(Text(title, "bold"))
        table = Table.grid(padding=(0, 2, 0, 0))
        table.add_column(style="dim")
        table.add_column(overflow="fold")
        for name, value in facts:
            text = value if isinstance(value, str) else "\n".join(value)
            if text:
                table.add_row(f"  {name}", text)
        self._say(table)

    def table(self, rows: Iterable[Sequence[str]], *, header: Sequence[str] = (), right: Sequence[int] = ()) -> None:
        """Rows in columns; ``right`` says which are numbers."""
        kept = [list(row) for row in rows]
        columns = len(header) or max((len(row) for row in kept), default=0)
        table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, show_header=bool(header), header_style="dim")
        for i in range(columns):
            table.add_column(header[i] if header else "", justify="right" if i in right else "left", overflow="fold")
        for row in kept:
            table.add_row(*(Text(cell) for cell in row))
        self._say(table)


_PROBLEMS = {int(ExitCode.USAGE): "usage", int(ExitCode.DISAGREEMENT): "refused",
             int(ExitCode.BAD_INPUT): "bad input", int(ExitCode.INTERNAL): "internal fault"}


def _number(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _indented(text: str) -> Padding:
    return Padding(Text(text), (0, 0, 0, 2))


def _how(result: Result) -> str:
    match result.verdict:
        case "proved":
            return result.detail
        case "violated" | "witnessed":
            return result.detail.removeprefix("shortest play: ")
        case "unreachable":
            return "exhaustive"
    return result.engine


def _advice(document: ResultDocument) -> list[str]:
    summary, found = document.summary, []
    if summary.violated:
        path = next((r.trace for r in document.results if r.verdict == "violated" and r.trace), None)
        if path is not None:
            found.append(f"facedown replay {shlex.quote(path)} takes the play again, step by step")
    if any(r.overflows for r in document.results):
        found.append("wider bounds: in the scenario, for what left a declared range")
    if summary.undecided or any(r.verdict == "holds_to_bound" and not r.overflows for r in document.results):
        found.append("--max-seconds, --max-states or --depth for a longer search, or --engine induction for a proof "
                     "without one")
    if summary.vacuous or summary.unreachable:
        found.append("--coverage lists the actions that no play takes; a card, mana or a target may be missing")
    return found
