"""``facedown exit-codes``."""

from __future__ import annotations

import click

from counterexamples.verdict import ExitCode

__all__ = ["exit_codes_command"]


@click.command("exit-codes")
def exit_codes_command() -> ExitCode:
    """List what the process returns, and when.

    If several apply, it is the first of 70, 13, 15, 10, 12, 11, 14.
    """
    from counterexamples.report import Report

    Report().table([(str(int(code)), code.says) for code in ExitCode], header=("code", "meaning"), right=(0,))
    return ExitCode.OK
