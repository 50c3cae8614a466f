"""YAML as the project reads it: only ``true`` and ``false`` are truth values, so that ``on`` and ``no`` stay words."""

from __future__ import annotations

import re
from typing import Any

import yaml

__all__ = ["FastLoader", "MarkedLoader"]


def _words_stay_words(loader: type[Any]) -> None:
    resolvers = {
        first: [(tag, pattern) for tag, pattern in pairs if tag != "tag:yaml.org,2002:bool"]
        for first, pairs in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }
    loader.yaml_implicit_resolvers = resolvers
    loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("^(?:true|false)$"), list("tf"))


class MarkedLoader(yaml.SafeLoader):
    """Knows the line and column of every node."""


class FastLoader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """For files that ship with the program."""


_words_stay_words(MarkedLoader)
_words_stay_words(FastLoader)
