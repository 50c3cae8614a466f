"""Terms as LLVM instructions.

Truth values are ``i1``, everything else is ``i64``.  Conditions on several fields of one word become one comparison,
and "one of these members" one bit test: LLVM would find neither without optimiser passes, which cost more time than
they save here.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from model.readings._guards import Pin, pin
from model.readings.packing import WORD_BITS, Field, Packing
from model.terms import BOOL, INT, Op, Term

__all__ = ["Body", "check_range"]

_IMMEDIATE = 1 << 31
"""Masks below this are operands of an instruction; others need a register."""

_WHOLE = 24
"""Conditions with fewer subterms are evaluated whole."""


def check_range(term: Term) -> None:
    """Raise OverflowError if an integer term might leave 64 bits."""
    if term.sort is INT and not -(1 << 63) <= term.low <= term.high < 1 << 63:
        raise OverflowError(f"{term} ranges from {term.low} to {term.high}, which does not fit 64 bits")


@dataclass(slots=True)
class _Masked:
    """Bits of a word and what they are compared with."""

    mask: int = 0
    bits: int = 0

    def add(self, mask: int, bits: int) -> bool:
        """Ask for more bits; False if they contradict those asked for before."""
        agree = (self.bits ^ bits) & self.mask & mask == 0
        self.mask |= mask
        self.bits |= bits
        return agree


@dataclass(slots=True)
class Body:
    """The body of one LLVM function that reads a packed state.

    A value is reused wherever its block dominates: what a :meth:`scope` lowers is forgotten when the scope ends.

    Attributes
    ----------
    lines
        The instructions and labels so far.
    """

    packing: Packing
    fields: Mapping[Hashable, Field] = field(init=False)
    lines: list[str] = field(default_factory=list)
    _values: dict[Term, str] = field(default_factory=dict)
    _trail: list[Term] = field(default_factory=list)
    _sizes: dict[Term, int] = field(default_factory=dict)
    _names: int = 0

    def load(self) -> None:
        """Load the words of the state that ``%s`` points to; everything else reads them."""
        for w in range(self.packing.words):
            self.lines += [f"%a{w} = getelementptr i64, ptr %s, i64 {w}", f"%w{w} = load i64, ptr %a{w}"]

    def knows(self, term: Term) -> bool:
        """Whether the term has been lowered here."""
        return term in self._values

    def emit(self, instruction: str) -> str:
        """Append an instruction and return the name of its result."""
        self._names += 1
        self.lines.append(f"%v{self._names} = {instruction}")
        return f"%v{self._names}"

    def label(self) -> str:
        """A new name for a block."""
        self._names += 1
        return f"b{self._names}"

    def __post_init__(self) -> None:
        self.fields = dict(zip(self.packing.variables, self.packing.fields, strict=True))

    @contextmanager
    def scope(self) -> Iterator[None]:
        """Forget at the end what was lowered inside."""
        known = len(self._trail)
        yield
        for term in self._trail[known:]:
            del self._values[term]
        del self._trail[known:]

    def lower(self, root: Term) -> str:
        """The value of a term."""
        stack = [root]
        while stack:
            term = stack[-1]
            waiting = [] if term in self._values else [a for a in self._operands(term) if a not in self._values]
            if waiting:
                stack += waiting
                continue
            stack.pop()
            if term not in self._values:
                check_range(term)
                self._values[term] = self._instruction(term)
                self._trail.append(term)
        return self._values[root]

    def branch(self, term: Term, yes: str, no: str) -> None:
        """Go to one block or the other by a condition, which is evaluated only as far as it decides.

        A small condition is evaluated whole, because that costs less than a branch that is guessed wrong.
        """
        if term.op is Op.NOT:
            self.branch(term.args[0], no, yes)
        elif term.op not in (Op.AND, Op.OR) or term in self._values or self._size(term) < _WHOLE:
            self.lines.append(f"br i1 {self.lower(term)}, label %{yes}, label %{no}")
        else:
            with self.scope():
                self._branch_by_parts(term, yes, no)

    def _branch_by_parts(self, term: Term, yes: str, no: str) -> None:
        conjunction = term.op is Op.AND
        pins = [arg for arg in term.args if self._pin(arg) is not None]
        rest = sorted((arg for arg in term.args if self._pin(arg) is None), key=lambda a: (self._size(a), a.uid))
        if pins and rest:
            onward = self.label()
            targets = (onward, no) if conjunction else (yes, onward)
            self.lines.append("br i1 {}, label %{}, label %{}".format(self._junction(pins, conjunction), *targets))
            self.lines.append(f"{onward}:")
        for part in rest[:-1]:
            onward = self.label()
            self.branch(part, *((onward, no) if conjunction else (yes, onward)))
            self.lines.append(f"{onward}:")
        if rest:
            self.branch(rest[-1], yes, no)
        else:
            self.lines.append(f"br i1 {self._junction(pins, conjunction)}, label %{yes}, label %{no}")

    def _size(self, term: Term) -> int:
        """How many subterms a condition has, counted with repetition and up to a bound."""
        known = self._sizes.get(term)
        if known is None:
            known = 1
            for arg in term.args:
                known += self._size(arg) if known < _WHOLE else 0
            self._sizes[term] = known
        return known

    def _pin(self, term: Term) -> Pin | None:
        """The term as a pin to a code that its field can store."""
        found = pin(term)
        if found is None:
            return None
        place = self.fields[found.key]
        return found if 0 <= found.code - place.first < 1 << place.width else None

    def _operands(self, term: Term) -> Iterable[Term]:
        if self._pin(term) is not None:
            return ()
        if term.op in (Op.AND, Op.OR):
            return [arg for arg in term.args if self._pin(arg) is None]
        return term.args

    def _instruction(self, term: Term) -> str:
        if self._pin(term) is not None:
            return self.all_of([term])
        args = [self._values.get(arg, "") for arg in term.args]
        match term.op:
            case Op.CONST:
                return ("true" if term.payload else "false") if term.sort is BOOL else str(term.payload)
            case Op.VAR:
                return self._read(self.fields[term.payload])
            case Op.NOT:
                return self.emit(f"xor i1 {args[0]}, true")
            case Op.AND:
                return self.all_of(term.args)
            case Op.OR:
                return self._any_of(term.args)
            case Op.EQ:
                return self.emit(f"icmp eq i64 {args[0]}, {args[1]}")
            case Op.ITE:
                kind = "i1" if term.sort is BOOL else "i64"
                return self.emit(f"select i1 {args[0]}, {kind} {args[1]}, {kind} {args[2]}")
            case Op.ADD:
                total = args[0]
                for arg in args[1:]:
                    total = self.emit(f"add i64 {total}, {arg}")
                return total
            case Op.SUB:
                return self.emit(f"sub i64 {args[0]}, {args[1]}")
            case Op.LE:
                return self.emit(f"icmp sle i64 {args[0]}, {args[1]}")
            case _:
                raise NotImplementedError(f"the native reading has no case for {term.op}")

    def _stored(self, place: Field) -> str:
        """The bits of a field, as a number."""
        value = f"%w{place.word}"
        if place.width == 0:
            return "0"
        if place.shift:
            value = self.emit(f"lshr i64 {value}, {place.shift}")
        if place.shift + place.width < WORD_BITS:
            value = self.emit(f"and i64 {value}, {(1 << place.width) - 1}")
        return value

    def _read(self, place: Field) -> str:
        stored = self._stored(place)
        return self.emit(f"add i64 {stored}, {place.first}") if place.first else stored

    def stored_value(self, key: Hashable) -> str:
        """The bits of a variable's field, as a number: its code less the first of its domain."""
        return self._stored(self.fields[key])

    def all_of(self, terms: Iterable[Term]) -> str:
        """Whether all the conditions hold, as one value."""
        return self._junction(list(terms), conjunction=True)

    def _any_of(self, terms: Iterable[Term]) -> str:
        return self._junction(list(terms), conjunction=False)

    def _junction(self, terms: list[Term], conjunction: bool) -> str:
        """Pins that all must hold (or, dually, that all must fail for the whole to fail) are merged by word."""
        words: dict[int, _Masked] = {}
        members: dict[Hashable, list[int]] = {}
        parts = []
        for term in terms:
            found = self._pin(term)
            if found is None:
                parts.append(self.lower(term))
                continue
            place = self.fields[found.key]
            if found.holds is not conjunction and place.width == 1:
                found = Pin(found.key, 2 * place.first + 1 - found.code, conjunction)
            if found.holds is conjunction:
                if not words.setdefault(place.word, _Masked()).add(place.mask, place.stored(found.code)):
                    return "false" if conjunction else "true"
            else:
                members.setdefault(found.key, []).append(found.code)
        wanted = "eq" if conjunction else "ne"
        parts[:0] = [self._compare(w, m, wanted) for w, m in words.items()]
        parts += [self._member(key, codes, not conjunction) for key, codes in members.items()]
        total = parts[0]
        for part in parts[1:]:
            total = self.emit(f"{'and' if conjunction else 'or'} i1 {total}, {part}")
        return total

    def _compare(self, word: int, masked: _Masked, wanted: str) -> str:
        if masked.mask == 0:
            return "true" if wanted == "eq" else "false"
        value, mask, bits = f"%w{word}", masked.mask, masked.bits
        if mask >= _IMMEDIATE:
            shift = (mask & -mask).bit_length() - 1
            if mask >> shift < _IMMEDIATE:
                value, mask, bits = self.emit(f"lshr i64 {value}, {shift}"), mask >> shift, bits >> shift
        value = self.emit(f"and i64 {value}, {mask}")
        return self.emit(f"icmp {wanted} i64 {value}, {bits}")

    def _member(self, key: Hashable, codes: list[int], holds: bool) -> str:
        """Whether a variable has (or has not) one of the codes."""
        place = self.fields[key]
        if len(codes) > 1 and 1 << place.width <= WORD_BITS:
            accepted = sum(1 << code - place.first for code in codes)
            if not holds:
                accepted ^= (1 << (1 << place.width)) - 1
            return self.emit(f"trunc i64 {self.emit(f'lshr i64 {accepted}, {self._stored(place)}')} to i1")
        wanted, join = ("eq", "or") if holds else ("ne", "and")
        total = ""
        for code in codes:
            part = self._compare(place.word, _Masked(place.mask, place.stored(code)), wanted)
            total = self.emit(f"{join} i1 {total}, {part}") if total else part
        return total
