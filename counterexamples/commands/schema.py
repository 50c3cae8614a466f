"""``facedown schema``."""

from __future__ import annotations

import click

from counterexamples.verdict import ExitCode

__all__ = ["schema_command"]


@click.command("schema")
@click.argument("kind", type=click.Choice(["scenario", "trace", "result"]))
@click.option("--validate", "path", metavar="FILE", help="Check this file, and print no schema.")
def schema_command(kind: str, path: str | None) -> ExitCode:
    """Print the JSON Schema of scenario files, traces or results.

    With --validate, a file is checked as facedown reads it, which asks for more than a schema can say: one that is not
    of the kind, or was changed, is refused (15), and so is a result that contradicts itself (13).
    """
    from counterexamples.report import Report
    from counterexamples.schemas import shipped

    report = Report()
    if path is None:
        report.raw(shipped(kind))
        return ExitCode.OK
    _load(kind, path)
    report.line(f"{path} is a valid {kind}")
    report.exit(ExitCode.OK)
    return ExitCode.OK


def _load(kind: str, path: str) -> None:
    """Read a file, which raises what is wrong with it."""
    match kind:
        case "scenario":
            from counterexamples.selection import select

            select([path], [], [])
        case "trace":
            from counterexamples.trace_file import load_trace

            load_trace(path)
        case "result":
            from counterexamples.document import load_result

            load_result(path)
