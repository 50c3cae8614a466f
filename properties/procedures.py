"""Properties of procedures."""

from __future__ import annotations

from properties.kinds import Property

__all__ = ["PROPERTIES"]

PROPERTIES: tuple[Property, ...] = ()
