"""The command line: ``facedown``.

Commands are imported when they are asked for, so that ``facedown --version`` waits for no solver and no compiler.
Whatever happens, the process ends with a code of :class:`~counterexamples.verdict.ExitCode`: what a user can cause is
one message, what only a fault of the program can cause comes with its stack trace.
"""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Mapping, Sequence
from importlib import import_module
from types import MappingProxyType

import click

from counterexamples.about import EDITION, VERSION
from counterexamples.verdict import ExitCode

__all__ = ["facedown", "main", "run_command"]

_COMMANDS: Mapping[str, tuple[str, str]] = MappingProxyType({
    "check": ("check", "Check scenarios: the shipped rulings, or files of your own."),
    "play": ("play", "Follow scripted plays, and compare what they expect."),
    "replay": ("replay", "Take a saved play again, step by step."),
    "show": ("show", "Say what a ruling, property, card or rule says, and what checks it."),
    "list": ("show", "List rulings, properties, cards or rules."),
    "schema": ("schema", "Print the JSON Schema of scenario files, traces or results, or check a file."),
    "faults": ("faults", "Plant faults in the rules, and see whether a property catches each."),
    "necessity": ("necessity", "Leave out each rule, and see which properties need it."),
    "mutants": ("mutants", "Change the rules one line at a time, and see what notices."),
    "coverage": ("coverage", "Say of each rule whether it fired, decided a verdict, and killed a mutant."),
    "bench": ("bench", "Measure the explorer on three scenarios of growing size."),
    "exit-codes": ("exit_codes", "List what the process returns, and when."),
})
"""For each command the module that has it, and what it is for."""


class _Lazy(click.Group):
    """A group whose commands are imported when one is run; the list of them needs none."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        module = import_module(f"counterexamples.commands.{_COMMANDS[cmd_name][0]}")
        command = getattr(module, f"{cmd_name.replace('-', '_')}_command")
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, says) for name, (_, says) in _COMMANDS.items()])


@click.group(cls=_Lazy, context_settings={"help_option_names": ["-h", "--help"]},
             epilog="facedown exit-codes lists what the process returns.")
@click.version_option(VERSION, message=f"facedown %(version)s, {EDITION}")
def facedown() -> None:
    """A model checker for the rules of face-down objects in Magic: The Gathering.

    Without arguments, facedown check settles the shipped rulings.
    """


def run_command(arguments: Sequence[str]) -> ExitCode:
    """Run a command line.  Returns what the process is to return."""
    try:
        code = facedown.main(list(arguments), prog_name="facedown", standalone_mode=False)
        return ExitCode(code) if isinstance(code, int) else ExitCode.OK
    except click.ClickException as problem:
        problem.show()
        return ExitCode.USAGE
    except (click.Abort, KeyboardInterrupt):
        return _failed("interrupted", ExitCode.UNDECIDED)
    except BrokenPipeError:
        # Nobody reads what is printed; the interpreter must not stumble over it again when it flushes.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.INTERNAL
    except Exception as problem:
        return _report(problem)


def _report(problem: Exception) -> ExitCode:
    """Say what went wrong, at the length that helps."""
    from counterexamples.document import ContradictionError
    from counterexamples.explain import EndingError
    from model.errors import InputError, UsageError
    from model.readings.evaluate import ReplayError

    match problem:
        case InputError():
            return _failed(f"bad input: {problem}", ExitCode.BAD_INPUT)
        case UsageError():
            return _failed(f"usage: {problem}", ExitCode.USAGE)
        case ReplayError() | EndingError() | ContradictionError():
            return _failed(f"refused: {problem}", ExitCode.DISAGREEMENT)
    return _failed("internal fault: this is ours to mend\n" + "".join(traceback.format_exception(problem)),
                   ExitCode.INTERNAL)


def _failed(message: str, code: ExitCode) -> ExitCode:
    from counterexamples.report import Report

    report = Report(sys.stderr)
    report.line(message)
    report.exit(code)
    return code


def main() -> None:
    """The entry point of the ``facedown`` command."""
    sys.exit(int(run_command(sys.argv[1:])))


if __name__ == "__main__":
    main()
