"""``facedown schema``."""

from __future__ import annotations

import click

from counterexamples.verdict import ExitCode

__all__ = ["schema_command"]


@click.command("schema")
@click.argument("kind", type=click.Choice(["scenario", "trace", "result"]))
def schema_command(kind: str) -> ExitCode:
    """Print the JSON Schema of scenario files, traces or results."""
    from counterexamples.report import Report
    from counterexamples.schemas import shipped

    Report().raw(shipped(kind))
    return ExitCode.OK
