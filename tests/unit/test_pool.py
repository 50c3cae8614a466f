"""The card pool: every entry is valid, in its place, and says no more and no less than the vocabulary can."""

from __future__ import annotations

import pytest

from model.cards.pool import card_data, names

NAMES = tuple(names())


@pytest.mark.parametrize("name", NAMES)
def test_every_card_loads(name: str) -> None:
    assert card_data(name).card(name).name == name
