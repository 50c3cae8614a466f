"""How the native reading stores states: bit fields in 64-bit words.

A field holds the code of a variable less the smallest code of its domain.  No field straddles two words, so reading
one is a shift and a mask, and several fields of one word are compared with constants by one comparison.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from model.state import Domain, Variable
from model.system import Code, TransitionSystem

__all__ = ["WORD_BITS", "Field", "Packing"]

WORD_BITS = 64


@dataclass(frozen=True, slots=True)
class Field:
    """Where a variable is kept: its word, its lowest bit there, its width in bits, and the code stored as zero."""

    word: int
    shift: int
    width: int
    first: Code

    @property
    def mask(self) -> int:
        """The bits of the field within its word."""
        return ((1 << self.width) - 1) << self.shift

    def stored(self, code: Code) -> int:
        """The bits of the word that say that the variable has this code."""
        return code - self.first << self.shift


@dataclass(frozen=True, slots=True)
class Packing:
    """A layout of states.

    Attributes
    ----------
    variables
        In the order in which states list them.
    fields
        The field of each variable, in the same order.
    words
        Words of a state; at least one.
    """

    variables: tuple[Variable, ...]
    fields: tuple[Field, ...]
    words: int

    @staticmethod
    def of(system: TransitionSystem) -> Packing:
        """The layout for a system: each variable goes to the first word that has room."""
        return Packing.first_fit(system.variables, system.domains)

    @staticmethod
    def first_fit(variables: Sequence[Variable], domains: Mapping[Variable, Domain]) -> Packing:
        """Lay out variables with these domains.

        Raises
        ------
        ValueError
            If a domain does not fit a word.
        """
        used: list[int] = [0]
        fields = []
        for variable in variables:
            domain = domains[variable]
            width = (domain.last - domain.first).bit_length()
            if width > WORD_BITS:
                raise ValueError(f"{variable} needs {width} bits; a field has at most {WORD_BITS}")
            word = next((w for w, bits in enumerate(used) if bits + width <= WORD_BITS), len(used))
            if word == len(used):
                used.append(0)
            fields.append(Field(word, used[word], width, domain.first))
            used[word] += width
        return Packing(tuple(variables), tuple(fields), len(used))

    def pack(self, state: Sequence[Code]) -> tuple[int, ...]:
        """The words of a state."""
        words = [0] * self.words
        for field, code in zip(self.fields, state, strict=True):
            words[field.word] |= field.stored(code)
        return tuple(words)

    def unpack(self, words: Sequence[int]) -> tuple[Code, ...]:
        """The state that these words hold."""
        return tuple((int(words[f.word]) >> f.shift & (1 << f.width) - 1) + f.first for f in self.fields)
