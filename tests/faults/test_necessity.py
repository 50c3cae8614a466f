"""The load-bearing matrix and the coverage of the rulebook."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from counterexamples.cli import run_command
from counterexamples.mutation.comparison import differences_between
from counterexamples.mutation.coverage import Fired, Level, cover
from counterexamples.mutation.necessity import (
    Need,
    leave_out,
    necessity,
    rows,
    rules_of_the_model,
    unneeded,
    weakenings,
)
from counterexamples.mutation.weakened import Role, Weakening, build_without
from counterexamples.trials import find_trial
from counterexamples.verdict import ExitCode
from properties.kinds import Possible
from properties.registry import find_property
from properties.rulebook import rule_order, rulebook


def _row(rule: str, role: Role, *where: str) -> Any:
    weakened = leave_out(Weakening(rule, role is Role.RESTRICTS), map(find_trial, where))
    [found] = [row for row in rows([weakened]) if row.role is role]
    return found


@pytest.mark.parametrize(("rule", "role", "where", "property_"), [
    ("708.9", Role.PRESCRIBES, "S20/1", "face-down-permanent-leaving-is-revealed"),
    ("708.2a", Role.PRESCRIBES, "S3/1", "face-down-copiable-values"),
    ("701.40g", Role.PRESCRIBES, "S24/1", "instant-or-sorcery-is-revealed-and-stays-down"),
    ("702.37e", Role.RESTRICTS, "S8/1", "keyword-route-shut-by-ability-loss"),
    ("702.37e", Role.PERMITS, "S7/1", "keyword-route-open-with-cost"),
    ("708.8", Role.PRESCRIBES, "S7/1", "turned-up-for-keyword-cost"),
    ("708.5", Role.RESTRICTS, "S13/1", "nobody-else-may-look"),
])
def test_a_property_needs_its_rule(rule: str, role: Role, where: str, property_: str) -> None:
    row = _row(rule, role, where)
    assert property_ in row.of(Need.NEEDED)
    evidence = row.cells[property_].evidence
    # What a property forbids is shown by a play; what should be possible is missing from every play.
    assert evidence.trace is not None or isinstance(find_property(property_), Possible)
    assert evidence.trace is None or evidence.trace.property == property_


def test_leaving_out_what_permits_takes_plays_away_and_adds_none() -> None:
    trial = find_trial("S7/1")
    system, roles = build_without(trial.scenario.name, trial.scenario.setup, Weakening("702.37e", False), trial.schema)
    assert roles == {Role.PERMITS}
    keys = {a.label.key for a in system.actions}
    assert keys < {a.label.key for a in trial.system.actions}
    assert not any("for its morph cost" in a.label.words for a in system.actions)


def test_leaving_out_what_forbids_takes_nothing_away() -> None:
    trial = find_trial("barred/1")
    system, roles = build_without(trial.scenario.name, trial.scenario.setup, Weakening("101.2", True), trial.schema)
    assert roles == {Role.RESTRICTS}
    assert {a.label.key for a in system.actions} > {a.label.key for a in trial.system.actions}


@pytest.mark.parametrize("guards", [True, False])
def test_without_a_rule_that_takes_no_part_the_model_is_the_same(guards: bool) -> None:
    trial = find_trial("S8/1")
    system, roles = build_without(trial.scenario.name, trial.scenario.setup, Weakening("509.1", guards), trial.schema)
    assert not roles and not differences_between(trial.system, system)


def test_planted_faults_stand_beside_as_what_is_put_wrong() -> None:
    tasks = [task for task in weakenings(["708.5"]) if task == "BR-95"]
    [row] = [row for row in rows(necessity(tasks, 1)) if row.rule == "708.5"]
    assert row.role is Role.WEAKENED and "nobody-else-may-look" in row.of(Need.NEEDED)
    assert "BR-95" in row.cells["nobody-else-may-look"].evidence.detail


def test_a_rule_that_nothing_needs_is_a_finding() -> None:
    idle, needed = _row("104.1", Role.RESTRICTS, "S21/1"), _row("708.9", Role.PRESCRIBES, "S20/1")
    assert not idle.of(Need.NEEDED)
    assert unneeded([idle, needed]) == ["104.1"]


def test_the_rules_of_the_model_come_in_the_order_of_the_rulebook() -> None:
    found = rules_of_the_model()
    assert list(found) == sorted(found, key=rule_order)
    assert {"708.9", "708.2a", "101.2", "704.5f", "601.2"} <= set(found)


def test_the_command_writes_the_matrix(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = {kind: str(tmp_path / f"n.{kind}") for kind in ("json", "csv")}
    code = run_command(["necessity", "708.3", "--jobs", "1", "--json", paths["json"], "--csv", paths["csv"]])
    shown = capsys.readouterr().out
    assert code is ExitCode.OK and "put-face-down-as-told" in shown and "1 of 1 rules are needed" in shown
    document = json.loads(Path(paths["json"]).read_text(encoding="utf-8"))
    assert document["schema"] == "facedown.necessity/1"
    roles = {row["role"] for row in document["rows"]}
    assert "prescribes" in roles and {row["rule"] for row in document["rows"]} == {"708.3"}
    cells = [cell for row in document["rows"] for cell in row["properties"] if cell["need"] == "needed"]
    assert all(cell["play"] is None or len(cell["play"]) == cell["steps"] for cell in cells) and cells
    table = list(csv.DictReader(Path(paths["csv"]).read_text(encoding="utf-8").splitlines()))
    assert table[0]["rule"] == "708.3" and table[0]["put-face-down-as-told"] == "needed"


def test_a_rule_that_no_scenario_rests_on_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["necessity", "708.99"]) is ExitCode.USAGE
    assert "no shipped scenario rests on the rule '708.99'" in capsys.readouterr().err


# -- coverage --------------------------------------------------------------------------------------

NECESSITY = {"rows": [
    {"rule": "708.9", "role": "prescribes", "properties": [
        {"property": "face-down-permanent-leaving-is-revealed", "need": "needed", "scenario": "S20/1",
         "detail": "violated"}]},
    {"rule": "708.5", "role": "weakened", "properties": [
        {"property": "nobody-else-may-look", "need": "needed", "scenario": "S13/1", "detail": "violated by BR-95",
         "play": ["alice: pass priority"]}]},
    {"rule": "708.3", "role": "weakened", "properties": [
        {"property": "nobody-else-may-look", "need": "needed", "scenario": "S13/1", "detail": "violated by X"}]},
]}
MUTANTS = {"mutants": [
    {"id": "m", "fate": "killed", "by": "keyword-route-open-with-cost", "rules": ["702.37e", "116.2b"]},
    {"id": "n", "fate": "survived", "by": None, "rules": ["708.8"]},
]}


def test_coverage_says_the_most_that_is_known_of_each_rule() -> None:
    firings = [Fired("708.8", "S4/1", ("turn up",), "the last step rests on it"),
               Fired("708.8", "S1/1", ("a", "b"), "the last step rests on it")]
    covered = {c.entry.rule: c for c in cover(firings, NECESSITY, MUTANTS)}
    assert [*covered] == [entry.rule for entry in rulebook()]
    assert covered["708.9"].level is Level.DECIDED
    assert covered["708.5"].level is covered["702.37e"].level is Level.KILLED
    shown = covered["708.5"].fired
    assert shown is not None and shown.steps == ("alice: pass priority",) and "nobody-else-may-look" in shown.how
    # A property that does not state the rule does not count for it.
    assert covered["708.3"].level is Level.NEVER_FIRED
    assert covered["708.8"].level is Level.FIRED and covered["708.8"].fired is firings[0]
    out = [c for c in covered.values() if c.level is Level.OUT_OF_SCOPE]
    assert out and all(c.evidence for c in out)


def test_the_coverage_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, document in (("necessity", NECESSITY), ("mutants", MUTANTS)):
        text = json.dumps({"schema": f"facedown.{name}/1", **document})
        (tmp_path / f"{name}.json").write_text(text, encoding="utf-8")
    given = [f"--{name}={tmp_path / name}.json" for name in ("necessity", "mutants")]
    assert run_command(["coverage", *given, "--jobs", "1", "--json", str(tmp_path / "c.json")]) is ExitCode.OK
    assert "rules cited by nothing" in capsys.readouterr().out
    document = json.loads((tmp_path / "c.json").read_text(encoding="utf-8"))
    rules = [entry["rule"] for entry in document["rules"]]
    assert rules == sorted(rules, key=rule_order)
    assert sum(document["summary"].values()) == len(rules)
    fired = {entry["rule"]: entry for entry in document["rules"] if entry["play"] is not None}
    assert {"708.9", "708.8", "701.40a", "702.37e", "704.5f"} <= set(fired)
    assert all(entry["level"] != "never fired" for entry in fired.values())
    assert all(entry["play"]["how"] for entry in fired.values())
    assert run_command(["coverage", f"--necessity={tmp_path / 'mutants.json'}"]) is ExitCode.BAD_INPUT
