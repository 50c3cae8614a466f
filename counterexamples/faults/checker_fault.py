"""What a fault of the checker is, and how one is planted and met.

The faults themselves are in :mod:`counterexamples.faults.checker`.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, chdir, contextmanager
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from counterexamples.verdict import ExitCode

__all__ = ["CheckerFault", "Site", "checker_fault", "lay_out", "planted", "run_commands", "table", "written_into"]

_MARKS = ("<!-- gates -->", "<!-- end of gates -->")

_BEAR = """\
name: a bear, manifested
players:
  alice:
    battlefield: [{card: Runeclaw Bear, as: bear, face_down: manifest}]
    mana: {generic: 2}
  bob: {}
check:
  - possible: "bear.face_up"
  - always: "bear.power == 2"
  - property: turned-up-for-mana-cost
"""
_CONCESSION = """\
name: a concession
players:
  alice: {}
  bob: {battlefield: [{card: Serra Angel, as: angel, face_down: manifest}]}
concede: [alice, bob]
check:
  - never: "over and not angel.public"
"""
_LINE = _BEAR[:_BEAR.index("check:")] + 'play:\n  - alice: turn up bear\nexpect:\n  - "bear.face_up"\n'


@dataclass(frozen=True, slots=True)
class Site:
    """Where a fault is planted: the program, and a folder with files that it reads."""

    folder: Path
    _undo: ExitStack

    def put(self, holder: Any, name: str, wrong: Any) -> None:
        """Put something in the place of what a module or class has under a name."""
        self._undo.callback(setattr, holder, name, vars(holder)[name])
        setattr(holder, name, wrong)

    def wrap(self, holder: Any, name: str, wrong: Callable[..., Any]) -> None:
        """Put a function in the place of another, which it takes before the arguments."""
        right = vars(holder)[name]

        @functools.wraps(right)
        def replaced(*args: Any, **kwargs: Any) -> Any:
            return wrong(right, *args, **kwargs)

        self.put(holder, name, replaced)

    def edit(self, file: str, pattern: str, text: str) -> None:
        """Change the first place in a file that a regular expression finds."""
        path = self.folder / file
        changed, count = re.subn(pattern, text, path.read_text(encoding="utf-8"), count=1, flags=re.DOTALL)
        if not count:
            raise LookupError(f"{file} has no {pattern!r}")
        path.write_text(changed, encoding="utf-8")


@dataclass(frozen=True, slots=True)
class CheckerFault:
    """A fault of the checker, or of what it is given.

    Parameters
    ----------
    says
        What goes wrong.
    gate
        What notices it.
    code
        What the process returns.
    tells
        A part of the message.
    commands
        Command lines without the program's name, run one after the other; the last one is to fail.
    plant
        Plants it.
    """

    id: str
    says: str
    gate: str
    code: ExitCode
    tells: str
    commands: tuple[str, ...]
    plant: Callable[[Site], None]


def lay_out(folder: Path) -> None:
    """Write the files that the commands read."""
    medium = (files("counterexamples") / "benchmarks" / "medium.yaml").read_text(encoding="utf-8")
    for name, text in (("bear", _BEAR), ("concession", _CONCESSION), ("line", _LINE), ("medium", medium)):
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")


@contextmanager
def planted(fault: CheckerFault, folder: Path) -> Iterator[None]:
    """Plant a fault in the program and in the files of a folder; the program is mended again, whatever happens."""
    with ExitStack() as stack:
        fault.plant(Site(folder, stack))
        yield


def run_commands(fault: CheckerFault, folder: Path) -> ExitCode:
    """Run the commands of a fault in a folder.  Returns what the last one does."""
    from counterexamples.cli import run_command

    with chdir(folder):
        return [run_command(command.split()) for command in fault.commands][-1]


def table(faults: Sequence[CheckerFault]) -> str:
    """Fault against gate, in Markdown."""
    rows = [f"| {fault.says} | {fault.gate} | {int(fault.code)} |" for fault in faults]
    return "\n".join(["| Planted fault | Gate that turns red | Exit code |", "| --- | --- | --- |", *rows])


def written_into(text: str, faults: Sequence[CheckerFault]) -> str:
    """The text with the table of the faults between its marks."""
    before, rest = text.split(_MARKS[0])
    return f"{before}{_MARKS[0]}\n\n{table(faults)}\n\n{_MARKS[1]}{rest.split(_MARKS[1])[1]}"


def checker_fault(says: str, gate: str, code: ExitCode, tells: str,
                  *commands: str) -> Callable[[Callable[[Site], None]], CheckerFault]:
    """Make a fault of the function below, which plants it and gives its id; see :class:`CheckerFault`."""
    def made(plant: Callable[[Site], None]) -> CheckerFault:
        return CheckerFault(plant.__name__.replace("_", "-"), says, gate, code, tells, commands, plant)

    return made
