"""``facedown show`` and ``facedown list``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from counterexamples.about import EDITION
from counterexamples.verdict import ExitCode

if TYPE_CHECKING:
    from counterexamples.report import Report

__all__ = ["list_command", "show_command"]


@click.command("show")
@click.argument("kind", type=click.Choice(["ruling", "property", "card", "rule"]))
@click.argument("name", nargs=-1, required=True)
def show_command(kind: str, name: tuple[str, ...]) -> ExitCode:
    """Say what a ruling (S24), a property, a card or a rule (701.40b) says, what cites it, and what checks it."""
    from counterexamples.report import Report

    report, wanted = Report(), " ".join(name)
    match kind:
        case "ruling":
            _show_ruling(report, wanted)
        case "property":
            _show_property(report, wanted)
        case "card":
            _show_card(report, wanted)
        case "rule":
            _show_rule(report, wanted)
    return ExitCode.OK


def _show_ruling(report: Report, id_: str) -> None:
    from counterexamples.catalogue import find_shipped
    from properties.registry import find_property

    ruling = find_shipped(id_)
    data = ruling.data
    properties = [find_property(p) for p in data.properties]
    report.facts(ruling.id, [
        ("says", data.says), ("note", data.note or ""), ("rules", ", ".join(data.cites)),
        ("published", data.published),
        ("properties", [f"{p.id} ({p.kind}): {p.says}" for p in properties]),
        ("scenarios", [scenario.name for scenario in ruling.scenarios]),
        ("check", f"facedown check --ruling {ruling.id}"),
    ])


def _show_property(report: Report, id_: str) -> None:
    from counterexamples.catalogue import rulings_of, scenarios_of
    from properties.registry import find_property

    prop = find_property(id_)
    stated = dict.fromkeys([*prop.rulings, *rulings_of(prop.id)])
    report.facts(prop.id, [
        ("says", prop.says), ("kind", prop.kind), ("rules", ", ".join(prop.cites)), ("rulings", ", ".join(stated)),
        ("scenarios", scenarios_of(lambda scenario: prop.id in scenario.properties)),
        ("check", f"facedown check --property {prop.id}"),
    ])


def _show_card(report: Report, name: str) -> None:
    from counterexamples.card_text import card_lines
    from counterexamples.catalogue import scenarios_of
    from model.cards.pool import card_data
    from model.errors import InputError, UsageError

    try:
        data = card_data(name)
    except InputError as problem:
        if problem.span is not None:
            raise
        raise UsageError(problem.message) from None  # the name stands on the command line, and not in a file
    first, *rest = card_lines(data.card(name))
    report.facts(first, [("", rest), ("missing", data.missing),
                         ("scenarios", scenarios_of(lambda scenario: name in scenario.cards))])


def _show_rule(report: Report, rule: str) -> None:
    from counterexamples.catalogue import find_rule

    found = find_rule(rule)
    report.facts(f"{found.rule} ({EDITION})", [
        ("decides in", [f"{use.where}  {use.what}" for use in found.uses if use.decides]),
        ("named in", [f"{use.where}  {use.what}" for use in found.uses if not use.decides]),
        ("properties", found.properties), ("rulings", ", ".join(found.rulings)),
    ])


@click.command("list")
@click.argument("kind", type=click.Choice(["rulings", "properties", "cards", "rules", "disclosures"]))
@click.option("--missing", is_flag=True, help="Only cards that do something the vocabulary cannot say, and what.")
def list_command(kind: str, missing: bool) -> ExitCode:
    """List rulings, properties, cards, rules, or what the rules disclose of hidden cards."""
    from counterexamples.report import Report

    if missing and kind != "cards":
        raise click.UsageError("--missing is for cards")
    report = Report()
    match kind:
        case "rulings":
            _list_rulings(report)
        case "properties":
            _list_properties(report)
        case "cards":
            _list_cards(report, missing=missing)
        case "rules":
            _list_rules(report)
        case "disclosures":
            _list_disclosures(report)
    return ExitCode.OK


def _list_rulings(report: Report) -> None:
    from counterexamples.catalogue import rulings

    report.table([(r.id, str(len(r.data.properties)), str(len(r.scenarios)), r.data.says) for r in rulings()],
                 header=("ruling", "properties", "scenarios", "says"), right=(1, 2))


def _list_properties(report: Report) -> None:
    from properties.registry import all_properties

    report.table([(p.id, p.kind, ", ".join(p.rulings), p.says) for p in all_properties().values()],
                 header=("property", "kind", "rulings", "says"))


def _list_cards(report: Report, *, missing: bool) -> None:
    from model.cards.pool import card_data, names

    cards = [(name, card_data(name)) for name in names()]
    if missing:
        report.table([(name, "; ".join(data.missing)) for name, data in cards if data.missing],
                     header=("card", "missing"))
    else:
        report.table([(name, str(data.cost or ""), data.type, data.pt or "", "no" if data.missing else "yes")
                      for name, data in cards], header=("card", "cost", "type", "size", "supported"))


def _list_rules(report: Report) -> None:
    from counterexamples.catalogue import rule_index

    report.table([(use.rule, str(sum(u.decides for u in use.uses)), str(len(use.properties)),
                   ", ".join(use.rulings)) for use in rule_index().values()],
                 header=("rule", "decides", "properties", "rulings"), right=(1, 2))


def _list_disclosures(report: Report) -> None:
    from properties.disclosures import DISCLOSURES

    report.table([(d.rule, d.reveals, d.to.value, d.since.value) for d in DISCLOSURES],
                 header=("rule", "discloses", "to", "since"))
