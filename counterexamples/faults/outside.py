"""Public reports that no fault can be planted for, each with the reason: nothing is left out in silence."""

from __future__ import annotations

from counterexamples.faults.fault import Outside

__all__ = ["OUTSIDE"]

OUTSIDE: tuple[Outside, ...] = (
    Outside(
        "BR-40",
        "CAST",
        "Card-Forge/forge issue 6217",
        "An ability that lets a creature card be cast face down takes the mana, and then nothing is cast.",
        "the vocabulary of cards has no casting face down by an ability",
    ),
    Outside(
        "BR-89",
        "LEAVE",
        "Card-Forge/forge pull 4255",
        "A merged permanent that was face down is still face down in its owner's hand.",
        "the model has no merged permanents",
    ),
    Outside(
        "BR-101",
        "HIDE",
        "PennyDreadfulMTG/modo-bugs issue 1103",
        "In a face-down pile the border and the user's settings for a hidden card are visible.",
        "it is about how a client draws a printing; the model has no printings",
    ),
)
