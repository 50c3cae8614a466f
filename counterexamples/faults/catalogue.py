"""Every fault, and every public report that is outside the model."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module

from counterexamples.faults.fault import Fault, Outside, faults_in
from model.errors import look_up

__all__ = ["all_faults", "find_fault", "outside"]

_CHAPTERS = (
    "characteristics",
    "turning",
    "other_cards",
    "special_actions",
    "paying",
    "casting",
    "entering",
    "procedures",
    "triggers",
    "leaving",
    "hidden_information",
    "secrecy",
    "citing",
    "timing",
    "activating",
    "instructions",
    "effects",
    "effects_on_cards",
    "combat",
    "moving",
    "gaps",
    "gaps_lookalikes",
    "gaps_effects",
)
"""One module of faults for each chapter of the rules that they break."""


@cache
def all_faults() -> Mapping[str, Fault]:
    """Every fault by id: the public reports by number, then our own by chapter."""
    found = [f for chapter in _CHAPTERS for f in faults_in(import_module(f"counterexamples.faults.{chapter}"))]
    if len({f.id for f in found}) < len(found):
        ids = [f.id for f in found]
        raise ValueError(f"two faults are called {next(i for i in ids if ids.count(i) > 1)!r}")
    reports = sorted((f for f in found if f.id.startswith("BR-")), key=lambda f: int(f.id[3:].rstrip("abc")))
    return {f.id: f for f in (*reports, *(f for f in found if not f.id.startswith("BR-")))}


def outside() -> tuple[Outside, ...]:
    """The public reports that no fault can be planted for."""
    from counterexamples.faults.outside import OUTSIDE

    return OUTSIDE


def find_fault(id_: str) -> Fault:
    """The fault with an id.

    Raises
    ------
    UsageError
        If there is none, naming the nearest.
    """
    return look_up("fault", id_, all_faults())
