"""The rules of the rulebook that the project is about, in the rulebook's order: the rows of its coverage."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise

from pydantic import Field

from model.cards.fields import Data
from model.documents import Document, load_document

__all__ = ["RulebookEntry", "read_rulebook", "rule_order", "rulebook", "rules_in"]

_RULE = r"([1-9]\d\d)\.([1-9]\d*)([a-km-np-z]?)"
"""Section, number and letter; the rulebook does not use the letters l and o."""

_NAMED = re.compile(r"\b[1-9]\d\d\.\d+[a-z]?\b")


class _EntryData(Data):
    """An entry as it stands in the file."""

    rule: str = Field(pattern=f"^{_RULE}$")
    says: str = Field(min_length=1)
    out_of_scope: str | None = Field(default=None, min_length=1)


@dataclass(frozen=True, slots=True)
class RulebookEntry:
    """A rule that bears on face-down objects, or on the procedures that the model runs.

    Attributes
    ----------
    rule
        Its number, such as 708.2a.
    says
        What it says, in our words.
    out_of_scope
        Why the model leaves it out; None if it does not.
    """

    rule: str
    says: str
    out_of_scope: str | None


def rule_order(rule: str) -> tuple[int, int, str]:
    """A key that sorts rule numbers as the rulebook does: 708.2, 708.2a, 708.10.

    Raises
    ------
    ValueError
        If it is no rule number.
    """
    match = re.fullmatch(_RULE, rule)
    if match is None:
        raise ValueError(f"{rule!r} is no rule number; rules are written like 701.40b")
    return int(match[1]), int(match[2]), match[3]


def rules_in(text: str) -> tuple[str, ...]:
    """The rule numbers that a text names, each once, in their order there."""
    return tuple(dict.fromkeys(_NAMED.findall(text)))


@cache
def rulebook() -> tuple[RulebookEntry, ...]:
    """Every rule that the project is about, in the rulebook's order.

    Raises
    ------
    model.errors.InputError
        If the file is wrong.
    """
    path = files("properties").joinpath("rulebook.yaml")
    return read_rulebook(load_document(str(path), path.read_text(encoding="utf-8")))


def read_rulebook(document: Document) -> tuple[RulebookEntry, ...]:
    """The entries of a document.

    Raises
    ------
    model.errors.InputError
        If an entry is wrong, stands there twice, or is not in its place.
    """
    if not isinstance(document.data, list):
        raise document.error("expected a list of rules")
    read = [document.validate(_EntryData, data, (i,)) for i, data in enumerate(document.data)]
    for i, (earlier, later) in enumerate(pairwise(read), start=1):
        if earlier.rule == later.rule:
            raise document.error(f"the rule {later.rule} stands here twice", (i, "rule"))
        if rule_order(earlier.rule) > rule_order(later.rule):
            raise document.error(f"{later.rule} comes before {earlier.rule} in the rulebook", (i, "rule"))
    return tuple(RulebookEntry(data.rule, data.says, data.out_of_scope) for data in read)
