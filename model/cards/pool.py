"""The card pool: card facts as YAML, one file for each first letter, read when a card is asked for."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

import model.effects.board
import model.effects.continuous
import model.effects.face_down
import model.effects.flow
import model.effects.libraries
import model.effects.spells
import model.effects.zones  # noqa: F401  the vocabulary is what these modules define
from model.cards.card import Card, CardData
from model.documents import load_document
from model.errors import InputError, UnsupportedError, nearest
from model.yaml_text import FastLoader

__all__ = ["card_data", "find_card", "names"]


def _letter(name: str) -> str:
    first = name[:1].lower()
    return first if first.isascii() and first.isalpha() else "other"


@cache
def _file(letter: str) -> Mapping[str, Any]:
    path = files("model.cards") / "pool" / f"{letter}.yaml"
    if not path.is_file():
        return {}
    return yaml.load(path.read_text(encoding="utf-8"), Loader=FastLoader) or {}


def names() -> Iterator[str]:
    """Every card of the pool, sorted."""
    letters = [chr(code) for code in range(ord("a"), ord("z") + 1)]
    return iter(sorted(name for letter in [*letters, "other"] for name in _file(letter)))


def card_data(name: str) -> CardData:
    """The validated entry of a card.

    Raises
    ------
    InputError
        If the pool has no such card, naming the nearest, or if its entry is wrong.
    """
    entry = _file(_letter(name)).get(name)
    if entry is None:
        raise InputError(f"the card pool has no card {name!r}{nearest(name, names())}")
    try:
        return CardData.model_validate(entry)
    except ValueError:
        path = files("model.cards") / "pool" / f"{_letter(name)}.yaml"
        document = load_document(str(path))
        return document.validate(CardData, document.data[name], at=(name,))


def find_card(name: str, ignores: Collection[str] = ()) -> Card:
    """The card with a name; see :func:`card_data` for what is raised.

    Parameters
    ----------
    ignores
        What the card may do that the vocabulary cannot say, because it does not matter here.

    Raises
    ------
    UnsupportedError
        If the card does anything else that the vocabulary cannot say.
    """
    data = card_data(name)
    missing = [concept for concept in data.missing if concept not in ignores]
    if missing:
        raise UnsupportedError(
            f"the card {name!r} needs what the vocabulary does not have: {', '.join(missing)}; list "
            "it under ignores where it does not matter"
        )
    return _card(name)


@cache
def _card(name: str) -> Card:
    return card_data(name).card(name)
