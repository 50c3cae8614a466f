"""Every property, by id."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module

from model.errors import look_up
from properties.kinds import Property

__all__ = ["all_properties", "find_property"]

_THEMES = ("characteristics", "turning", "special_actions", "procedures", "triggers", "leaving", "hidden_information",
           "secrecy", "citing", "casting", "entering", "consequences", "effects", "effects_that_last",
           "effects_on_cards", "effects_on_spells", "watching", "paying", "timing", "activating", "costs", "choosing",
           "combat", "state_based", "moving", "noticing", "routes", "lookalikes", "copies", "timestamps",
           "blows", "libraries")


@cache
def all_properties() -> Mapping[str, Property]:
    """Every property by id, in the order of the themes."""
    found: dict[str, Property] = {}
    for theme in _THEMES:
        for prop in import_module(f"properties.{theme}").PROPERTIES:
            if prop.id in found:
                raise ValueError(f"two properties are called {prop.id!r}")
            found[prop.id] = prop
    return found


def find_property(id_: str) -> Property:
    """The property with an id.

    Raises
    ------
    UsageError
        If there is none, naming the nearest.
    """
    return look_up("property", id_, all_properties())
