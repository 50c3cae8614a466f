"""``facedown replay``."""

from __future__ import annotations

import json
import sys

import click

from counterexamples.verdict import ExitCode

__all__ = ["replay_command"]


@click.command("replay")
@click.argument("trace", type=click.Path())
@click.option("--json", "json_path", type=click.Choice(["-"]), help="Print what came of it as JSON.")
def replay_command(trace: str, json_path: str | None) -> ExitCode:
    """Take the play of a TRACE file again, step by step, and check that it shows what it says.

    A file that was changed is refused (15), and so is a play that the rules do not allow (13).
    """
    from counterexamples.replaying import replay_trace
    from counterexamples.report import Report
    from counterexamples.trace_file import load_trace

    saved = load_trace(trace)
    played = replay_trace(saved, trace)
    if json_path is not None:
        found = {"schema": "facedown.replay/1", "trace": trace, "replayed": True, "property": played.property,
                 "scenario": played.scenario, "verdict": played.verdict, "clause": played.clause,
                 "steps": len(played.steps), "exit_code": int(ExitCode.OK)}
        Report(sys.stdout).raw(json.dumps(found, indent=1) + "\n")
        return ExitCode.OK
    report = Report()
    report.play(played, None)
    number = len(played.steps)
    report.line(f"\nreplayed: the rules allow {'the step' if number == 1 else f'all {number} steps'}, every state is "
                "the one in the trace, and the end shows what it says")
    report.exit(ExitCode.OK)
    return ExitCode.OK
