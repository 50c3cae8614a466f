"""What there is, and what refers to what: rulings, properties, scenarios, and rules of the rulebook."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from counterexamples.selection import ruling_files
from model.documents import load_documents
from model.errors import UsageError, nearest
from properties.registry import all_properties
from properties.rulebook import rule_order, rules_in
from properties.rulings import RulingData

__all__ = ["Exercise", "RuleUse", "ShippedRuling", "Use", "find_rule", "find_shipped", "rule_index", "rulings",
           "rulings_of", "scenarios_of"]

_WHOLE_RULE = re.compile(r"[1-9]\d\d\.\d+[a-z]?")
_MODULES = ("*.py", "rules/*.py", "effects/*.py", "cards/*.py")


@dataclass(frozen=True, slots=True)
class Use:
    """A place in the model where a rule decides something, or is spoken of.

    Parameters
    ----------
    where
        Module and line.
    what
        The function or class in which it stands.
    decides
        Whether it is cited by a step there; otherwise a comment on the code speaks of it.
    """

    where: str
    what: str
    decides: bool


@dataclass(frozen=True, slots=True)
class Exercise:
    """A shipped scenario, as far as it can be told without building it.

    Parameters
    ----------
    properties
        The ids of the named properties that it checks.
    cards
        The names of the cards in it.
    """

    name: str
    properties: frozenset[str]
    cards: frozenset[str]


@dataclass(frozen=True, slots=True)
class ShippedRuling:
    """A ruling, and the scenarios that exercise it."""

    data: RulingData
    scenarios: tuple[Exercise, ...]

    @property
    def id(self) -> str:
        """S1 to S31."""
        return self.data.ruling


@cache
def rulings() -> tuple[ShippedRuling, ...]:
    """Every ruling, in the order of their numbers."""
    found = []
    for path in ruling_files().values():
        head, *rest = load_documents(path)
        found.append(ShippedRuling(head.validate(RulingData), tuple(_exercise(document.data) for document in rest)))
    return tuple(found)


def find_shipped(id_: str) -> ShippedRuling:
    """The ruling with an id.

    Raises
    ------
    UsageError
        If there is none.
    """
    known = {ruling.id: ruling for ruling in rulings()}
    if id_.upper() not in known:
        raise UsageError(f"there is no ruling {id_!r}{nearest(id_, known)}; they are S1 to S{len(known)}")
    return known[id_.upper()]


def _exercise(data: Mapping[str, Any]) -> Exercise:
    entries = (entry for player in data["players"].values() for zone in player.values() if isinstance(zone, list)
               for entry in zone)
    cards = (re.sub(r" x\d+$", "", entry if isinstance(entry, str) else entry["card"]) for entry in entries)
    checked = (entry["property"] for entry in data.get("check", ()) if "property" in entry)
    return Exercise(data["name"], frozenset(checked), frozenset(cards))


@dataclass(slots=True)
class RuleUse:
    """What refers to a rule."""

    rule: str
    uses: list[Use] = field(default_factory=list)
    properties: list[str] = field(default_factory=list)
    rulings: list[str] = field(default_factory=list)


def rulings_of(property_id: str) -> list[str]:
    """The ids of the rulings that a property states."""
    return [ruling.id for ruling in rulings() if property_id in ruling.data.properties]


def scenarios_of(wanted: Callable[[Exercise], bool]) -> list[str]:
    """Each shipped scenario of which something is true, with its ruling."""
    return [f"{ruling.id}: {scenario.name}" for ruling in rulings() for scenario in ruling.scenarios
            if wanted(scenario)]


def rule_index() -> Mapping[str, RuleUse]:
    """Every rule that anything refers to, in the rulebook's order."""
    found: dict[str, RuleUse] = {}

    def entry(rule: str) -> RuleUse:
        return found.setdefault(rule, RuleUse(rule))

    for prop in all_properties().values():
        for rule in prop.cites:
            entry(rule).properties.append(prop.id)
    for ruling in rulings():
        for rule in ruling.data.cites:
            entry(rule).rulings.append(ruling.id)
    for rule, use in _uses():
        entry(rule).uses.append(use)
    return dict(sorted(found.items(), key=lambda pair: rule_order(pair[0])))


def find_rule(rule: str) -> RuleUse:
    """What refers to a rule.

    Raises
    ------
    UsageError
        If nothing does.
    """
    index = rule_index()
    wanted = rule.removeprefix("CR").strip().rstrip(".")
    if wanted not in index:
        raise UsageError(f"nothing refers to a rule {rule!r}{nearest(wanted, index)}; rules are written like 701.40b")
    return index[wanted]


def _uses() -> Iterator[tuple[str, Use]]:
    root = Path(str(files("model")))
    for pattern in _MODULES:
        for path in sorted(root.glob(pattern)):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            yield from _uses_in(tree, f"{root.name}/{path.relative_to(root)}", "")


def _uses_in(node: ast.AST, module: str, inside: str) -> Iterator[tuple[str, Use]]:
    """The rules that a part of a module names: in a literal of its own, or in a docstring."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        inside = f"{inside}.{node.name}" if inside else node.name
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        whole = _WHOLE_RULE.fullmatch(node.value)
        for rule in [whole[0]] if whole else rules_in(node.value):
            yield rule, Use(f"{module}:{node.lineno}", inside or "module", decides=whole is not None)
    for child in ast.iter_child_nodes(node):
        yield from _uses_in(child, module, inside)
