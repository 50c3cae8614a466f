"""``facedown bench``."""

from __future__ import annotations

import dataclasses
import json
import sys
from typing import TYPE_CHECKING

import click

from counterexamples.about import VERSION
from counterexamples.commands.output import write_document
from counterexamples.verdict import ExitCode

if TYPE_CHECKING:
    from counterexamples.bench import Measurement
    from counterexamples.report import Report

__all__ = ["bench_command"]


@click.command("bench")
@click.option("--json", "json_path", metavar="FILE", help="Write the measurements as JSON; - is standard output.")
def bench_command(json_path: str | None) -> ExitCode:
    """Measure the explorer on three scenarios of growing size."""
    from counterexamples.bench import measure
    from counterexamples.report import Report

    report = Report(sys.stderr if json_path == "-" else sys.stdout)
    found = []
    for measurement in measure():
        _tell(report, measurement)
        found.append(dataclasses.asdict(measurement))
    if json_path is not None:
        document = {"schema": "facedown.bench/1", "version": VERSION, "measurements": found}
        write_document(json.dumps(document, indent=1), json_path)
    return ExitCode.OK


def _tell(report: Report, m: Measurement) -> None:
    report.facts(m.scenario, [
        ("state", f"{m.bits} bits in {m.words} words, {m.bytes_per_state:g} bytes each with a hash table "
                  f"{m.table_load:.0%} full"),
        ("system", f"{m.cards} cards, {m.actions} actions, {m.terms:,} terms"),
        ("seconds", f"{m.build_seconds:.2f} to build, {m.compile_seconds:.2f} to compile, "
                    f"{m.search_seconds:.2f} to search"),
        ("found", f"{m.states:,} states, {m.transitions:,} transitions, depth {m.depth}, "
                  f"{m.overflows:,} steps that left a declared range"),
        ("rate", f"{m.states_per_second:,} states/s, {m.transitions_per_second:,} transitions/s"),
    ])
