"""Mana costs (107.4, 202.1): parsed symbols, mana value, colours, and the ways to pay."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from dataclasses import dataclass

from model.vocabulary import Colour, ManaKind

__all__ = ["ManaCost", "Payment"]

_SYMBOL = re.compile(r"\{([^{}]*)\}")
_LETTERS = {kind.value: kind for kind in ManaKind if len(kind.value) == 1}
_COLOUR_OF = {
    ManaKind.WHITE: Colour.WHITE,
    ManaKind.BLUE: Colour.BLUE,
    ManaKind.BLACK: Colour.BLACK,
    ManaKind.RED: Colour.RED,
    ManaKind.GREEN: Colour.GREEN,
}


@dataclass(frozen=True, slots=True)
class Payment:
    """One way to pay a cost: generic mana, mana of given kinds, and life."""

    generic: int = 0
    kinds: tuple[tuple[ManaKind, int], ...] = ()
    life: int = 0

    @property
    def total(self) -> int:
        """How much mana it takes."""
        return self.generic + sum(amount for _, amount in self.kinds)

    def taxed(self, amount: int) -> Payment:
        """The payment with generic mana added, or taken away as far as there is any (601.2f)."""
        return Payment(max(0, self.generic + amount), self.kinds, self.life)

    def __str__(self) -> str:
        parts = [f"{{{self.generic}}}"] if self.generic or not (self.kinds or self.life) else []
        parts += [f"{{{kind}}}" * amount for kind, amount in self.kinds]
        return "".join(parts) + (f" and {self.life} life" if self.life else "")


@dataclass(frozen=True, slots=True)
class ManaCost:
    """A mana cost.

    Parameters
    ----------
    symbols
        What stands between the braces, in the printed order.
    """

    symbols: tuple[str, ...]

    @staticmethod
    def parse(text: str) -> ManaCost:
        """Parse a cost such as ``{X}{2}{R/W}``.

        Raises
        ------
        ValueError
            Naming the first part that is no symbol, and what is accepted.
        """
        rest = _SYMBOL.sub("", text).strip()
        symbols = tuple(part.upper() for part in _SYMBOL.findall(text))
        wrong = rest or next((s for s in symbols if not _is_symbol(s)), None)
        if wrong is not None or not symbols:
            raise ValueError(
                f"{wrong or text!r} in the cost {text!r} is no mana symbol; accepted are {{2}}, {{X}}, {{W}}, {{U}}, "
                "{B}, {R}, {G}, {C}, hybrids such as {R/W} and {2/W}, and {W/P}"
            )
        return ManaCost(symbols)

    def plus(self, other: ManaCost | None) -> ManaCost:
        """This cost and an additional one (601.2f)."""
        return self if other is None else ManaCost((*self.symbols, *other.symbols))

    def __str__(self) -> str:
        return "".join(f"{{{symbol}}}" for symbol in self.symbols)

    @property
    def x_count(self) -> int:
        """How often X stands in it."""
        return self.symbols.count("X")

    @property
    def mana_value(self) -> int:
        """The mana value with X = 0 (202.3)."""
        return sum(_symbol_value(symbol) for symbol in self.symbols)

    @property
    def colours(self) -> frozenset[Colour]:
        """The colours of its symbols (105.2)."""
        letters = {letter for symbol in self.symbols for letter in symbol.split("/") if letter in _LETTERS}
        return frozenset(_COLOUR_OF[_LETTERS[letter]] for letter in letters if _LETTERS[letter] in _COLOUR_OF)

    def payments(self, x: int = 0) -> tuple[Payment, ...]:
        """Every way to pay it with the given X, hybrid and Phyrexian symbols chosen (107.4e, 107.4f)."""
        ways = []
        for choice in itertools.product(*(_alternatives(symbol, x) for symbol in self.symbols)):
            kinds = Counter[ManaKind]()
            for part in choice:
                kinds.update(dict(part.kinds))
            ordered = tuple((kind, kinds[kind]) for kind in ManaKind if kinds[kind])
            ways.append(Payment(sum(p.generic for p in choice), ordered, sum(p.life for p in choice)))
        return tuple(dict.fromkeys(ways))


def _is_symbol(symbol: str) -> bool:
    if symbol == "X" or symbol.isdigit():
        return True
    parts = symbol.split("/")
    if len(parts) == 2 and parts[1] == "P":
        return parts[0] in _LETTERS
    return len(parts) <= 2 and parts[-1] in _LETTERS and (parts[0] in _LETTERS or parts[0].isdigit())


def _symbol_value(symbol: str) -> int:
    if symbol == "X":
        return 0
    first = symbol.split("/")[0]
    return int(first) if first.isdigit() else 1


def _alternatives(symbol: str, x: int) -> tuple[Payment, ...]:
    if symbol == "X":
        return (Payment(generic=x),)
    ways = []
    for part in symbol.split("/"):
        if part.isdigit():
            ways.append(Payment(generic=int(part)))
        elif part == "P":
            ways.append(Payment(life=2))
        else:
            ways.append(Payment(kinds=((_LETTERS[part], 1),)))
    return tuple(ways)
