"""The official rulings S1 to S31 as data, each with the properties that state it and the scenarios that exercise it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from model.cards.fields import Data
from model.documents import load_documents
from model.errors import UsageError, nearest
from model.scenario import Scenario, build_scenario

__all__ = ["Ruling", "find_ruling", "load_rulings"]


class RulingData(Data):
    """The first document of a ruling's file; the scenarios follow."""

    ruling: str
    says: str
    cites: tuple[str, ...]
    published: tuple[str, ...]
    properties: tuple[str, ...]
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Ruling:
    """An official ruling.

    Attributes
    ----------
    id
        S1 to S31.
    says
        What it says, in our words.
    published
        When and with which cards it was published.
    properties
        The ids of the properties that state it.
    scenarios
        The scenarios that exercise it, each with the path and the text of the file it stands in.
    """

    id: str
    says: str
    cites: tuple[str, ...]
    published: tuple[str, ...]
    properties: tuple[str, ...]
    note: str | None
    scenarios: tuple[tuple[Scenario, str], ...]


@cache
def load_rulings() -> tuple[Ruling, ...]:
    """Every ruling, in the order of their numbers.

    Raises
    ------
    model.errors.InputError
        If a file is wrong.
    """
    found = []
    for path in files("properties").joinpath("rulings").iterdir():
        if path.name.endswith(".yaml"):
            text = path.read_text(encoding="utf-8")
            head, *rest = load_documents(str(path), text)
            data = head.validate(RulingData)
            texts = text.split("\n---\n")[1:]
            scenarios = tuple((build_scenario(d), t) for d, t in zip(rest, texts, strict=True))
            found.append(
                Ruling(data.ruling, data.says, data.cites, data.published, data.properties, data.note, scenarios)
            )
    return tuple(sorted(found, key=lambda ruling: int(ruling.id[1:])))


def find_ruling(id_: str) -> Ruling:
    """The ruling with an id.

    Raises
    ------
    UsageError
        If there is none.
    """
    for ruling in load_rulings():
        if ruling.id.lower() == id_.lower():
            return ruling
    raise UsageError(f"there is no ruling {id_!r}{nearest(id_, [r.id for r in load_rulings()])}; they are S1 to S31")
