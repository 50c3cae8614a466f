"""The phrases in which cards name objects and players.

``face-down nontoken creature an opponent controls`` is a :class:`Filter`; ``target``, ``this``, ``its controller`` or
``each creature`` is a :class:`Selector`.  The words are the rulebook's, in any order, and the set of them is closed: a
word that is not known is refused with the nearest one that is.
"""

from __future__ import annotations

import difflib
import enum
import re
from collections.abc import Callable
from dataclasses import dataclass, fields, replace

from model.vocabulary import Colour, CounterKind, Keyword, Supertype, Type, Zone

__all__ = ["Filter", "Selector", "Who"]


@dataclass(frozen=True, slots=True)
class Filter:
    """A condition on an object.  A field at its default asks nothing.

    Parameters
    ----------
    types, subtypes, colours
        At least one of these.
    all_types
        Every one of these.
    controller, owner
        ``you``, ``opponent``, ``that player``, or None.
    zone
        Where the object is.
    """

    types: frozenset[Type] = frozenset()
    all_types: frozenset[Type] = frozenset()
    not_types: frozenset[Type] = frozenset()
    subtypes: frozenset[str] = frozenset()
    not_subtypes: frozenset[str] = frozenset()
    supertypes: frozenset[Supertype] = frozenset()
    not_supertypes: frozenset[Supertype] = frozenset()
    colours: frozenset[Colour] = frozenset()
    not_colours: frozenset[Colour] = frozenset()
    colourless: bool | None = None
    face_down: bool | None = None
    token: bool | None = None
    other: bool = False
    tapped: bool | None = None
    attacking: bool | None = None
    blocking: bool | None = None
    controller: str | None = None
    owner: str | None = None
    zone: Zone = Zone.BATTLEFIELD
    power: tuple[int | None, int | None] = (None, None)
    toughness: tuple[int | None, int | None] = (None, None)
    mana_value: tuple[int | None, int | None] = (None, None)
    keyword: Keyword | None = None
    lacks: Keyword | None = None
    without_abilities: bool = False
    morph_ability: bool = False
    disguise_ability: bool = False
    counter: CounterKind | None = None
    lacks_counter: CounterKind | None = None
    permanent_card: bool = False
    attached_to_this: bool = False
    damaged_by_this: bool = False
    named: str | None = None
    historic: bool = False
    even: bool = False
    turned_up_this_turn: bool = False
    base: tuple[int, int] | None = None
    chosen_name: bool = False
    chosen_type: bool = False
    shares_type_with_linked: bool = False
    phrase: str = ""

    @staticmethod
    def parse(phrase: str) -> Filter:
        """Parse a phrase.  Raises ValueError, naming the word that is not known and the nearest that is."""
        result, rest = Filter(phrase=phrase), f" {phrase.strip()} "
        for pattern, build in _PATTERNS:
            while (match := pattern.search(rest)) is not None:
                result = build(result, match)
                rest = f"{rest[: match.start()]} {rest[match.end() :]}"
        words = rest.split()
        for i, word in enumerate(words):
            result = _word(result, word, words[i + 1 : i + 2] == ["or"] or words[i - 1 : i] == ["or"])
        return replace(result, phrase=phrase)

    @property
    def is_trivial(self) -> bool:
        """Whether it asks nothing but the zone."""
        return all(getattr(self, f.name) == f.default for f in fields(self) if f.name not in ("phrase", "zone"))


def _bounds(text: str) -> tuple[int | None, int | None]:
    number = int(re.search(r"\d+", text).group())  # type: ignore[union-attr]
    if "less" in text:
        return (None, number)
    return (number, None) if "greater" in text or "more" in text else (number, number)


_Build = Callable[[Filter, "re.Match[str]"], Filter]


def _set(**values: object) -> _Build:
    return lambda result, _: replace(result, **values)  # type: ignore[arg-type]


def _ranged(name: str) -> _Build:
    return lambda result, match: replace(result, **{name: _bounds(match.group(1))})  # type: ignore[arg-type]


_WITH = {**{keyword.value: keyword for keyword in Keyword}}
_ANY_KEYWORD = "|".join(sorted(_WITH, key=len, reverse=True))
_ANY_COUNTER = "|".join(re.escape(kind.value) for kind in CounterKind)

_PATTERNS: tuple[tuple[re.Pattern[str], _Build], ...] = tuple(
    (re.compile(pattern), build)
    for pattern, build in (
        (r"\s(?:cards? )?in your library\b", _set(zone=Zone.LIBRARY, owner="you")),
        (r"\s(?:cards? )?in your hand\b", _set(zone=Zone.HAND, owner="you")),
        (r"\spermanent cards?\b", _set(permanent_card=True)),
        (r"\ssharing a card type with a card exiled with this\b", _set(shares_type_with_linked=True)),
        (r"\s(?:that was )?turned face up this turn\b", _set(turned_up_this_turn=True)),
        (r"\swith base power and toughness (\d+)/(\d+)", lambda r, m: replace(r, base=(int(m[1]), int(m[2])))),
        (r"\swith the chosen name\b", _set(chosen_name=True)),
        (r"\sof the chosen type\b", _set(chosen_type=True)),
        (r"\s(?:cards? )?in (?:target|that) player's graveyard\b", _set(zone=Zone.GRAVEYARD, owner="that player")),
        (r"\s(?:cards? )?in your graveyard\b", _set(zone=Zone.GRAVEYARD, owner="you")),
        (r"\s(?:cards? )?in an opponent's graveyard\b", _set(zone=Zone.GRAVEYARD, owner="opponent")),
        (r"\s(?:cards? )?in (?:a|any) graveyards?\b", _set(zone=Zone.GRAVEYARD)),
        (r"\s(?:cards? )?in exile\b", _set(zone=Zone.EXILE)),
        (r"\s(?:that )?you control\b", _set(controller="you")),
        (r"\s(?:that )?you don't control\b", _set(controller="opponent")),
        (r"\s(?:an|your) opponents? controls?\b", _set(controller="opponent")),
        (r"\sthat player controls\b", _set(controller="that player")),
        (r"\s(?:that )?you own\b", _set(owner="you")),
        (r"\s(?:an )?opponents? owns?\b", _set(owner="opponent")),
        (r"\swith power (\d+(?: or (?:less|greater|more))?)", _ranged("power")),
        (r"\swith even mana value\b", _set(even=True)),
        (r"\swith toughness (\d+(?: or (?:less|greater|more))?)", _ranged("toughness")),
        (r"\swith mana value (\d+(?: or (?:less|greater|more))?)", _ranged("mana_value")),
        (r"\swith a morph ability\b", _set(morph_ability=True)),
        (r"\swith a disguise ability\b", _set(disguise_ability=True)),
        (r"\swith no abilities\b", _set(without_abilities=True)),
        (rf"\swithout (?:an? )?({_ANY_COUNTER}) counter",
         lambda r, m: replace(r, lacks_counter=CounterKind(m.group(1)))),
        (rf"\swith (?:an? )?({_ANY_COUNTER}) counter", lambda r, m: replace(r, counter=CounterKind(m.group(1)))),
        (rf"\swith ({_ANY_KEYWORD})\b", lambda r, m: replace(r, keyword=_WITH[m.group(1)])),
        (rf"\swithout ({_ANY_KEYWORD})\b", lambda r, m: replace(r, lacks=_WITH[m.group(1)])),
        (r"\sattached to this\b", _set(attached_to_this=True)),
        (r"\snamed (.+?)\s*$", lambda r, m: replace(r, named=m.group(1))),
        (r"\s(?:another|other)\b", _set(other=True)),
        (r"\sface-down\b", _set(face_down=True)),
        (r"\sface-up\b", _set(face_down=False)),
        (r"\shistoric\b", _set(historic=True)),
        (r"\snontoken\b", _set(token=False)),
        (r"\stokens?\b", _set(token=True)),
        (r"\suntapped\b", _set(tapped=False)),
        (r"\stapped\b", _set(tapped=True)),
        (r"\sattacking\b", _set(attacking=True)),
        (r"\sblocking\b", _set(blocking=True)),
        (r"\scolou?rless\b", _set(colourless=True)),
        (r"\scolou?red\b", _set(colourless=False)),
        (r"\sspells?\b", _set(zone=Zone.STACK)),
        (r"\s(?:permanents?|cards?|the|an?|all|objects?)(?=\s)", lambda r, _: r),
    )
)

_PLAIN: dict[str, tuple[str, object]] = {
    **{t.value: ("types", t) for t in Type},
    **{f"{t.value}s": ("types", t) for t in Type},
    "sorceries": ("types", Type.SORCERY),
    **{f"non{t.value}": ("not_types", t) for t in Type},
    **{c.value: ("colours", c) for c in Colour},
    **{f"non{c.value}": ("not_colours", c) for c in Colour},
    **{s.value: ("supertypes", s) for s in Supertype},
    **{f"non{s.value}": ("not_supertypes", s) for s in Supertype},
}


def _word(result: Filter, word: str, alternative: bool) -> Filter:
    """Add one word: a type, a colour, a supertype, or (capitalised) a subtype."""
    if word in ("or", "and"):
        return result
    if word in _PLAIN:
        name, member = _PLAIN[word]
        if name == "types" and not alternative:
            name = "all_types"
    elif word[:1].isupper():
        name, member = "subtypes", word
    elif word.startswith("non-") and word[4:5].isupper():
        name, member = "not_subtypes", word[4:]
    else:
        near = difflib.get_close_matches(word, [*_PLAIN, "face-down", "face-up", "nontoken", "you control"], 1)
        raise ValueError(f"{word!r} is no word of a filter" + (f"; did you mean {near[0]!r}?" if near else ""))
    return replace(result, **{name: getattr(result, name) | {member}})


class Who(enum.Enum):
    """What a selector picks out."""

    THIS = "this"
    THAT = "that"
    TARGET = "target"
    EACH = "each"
    CHOSEN = "chosen"
    RESULTS = "those"
    HOST = "attached"
    BINNED = "binned"
    TARGETS = "targets"
    LINKED = "exiled with this"
    YOU = "you"
    OPPONENT = "each opponent"
    EACH_PLAYER = "each player"
    THAT_PLAYER = "that player"
    CONTROLLER = "controller"
    OWNER = "owner"


_FIXED = {
    "this": Who.THIS,
    "that": Who.THAT,
    "it": Who.THAT,
    "those": Who.RESULTS,
    "manifested": Who.RESULTS,
    "cloaked": Who.RESULTS,
    "equipped": Who.HOST,
    "enchanted": Who.HOST,
    "you": Who.YOU,
    "binned": Who.BINNED,
    "targets": Who.TARGETS,
    "exiled with this": Who.LINKED,
    "each opponent": Who.OPPONENT,
    "opponent": Who.OPPONENT,
    "each player": Who.EACH_PLAYER,
    "that player": Who.THAT_PLAYER,
}
_ORDINALS = {"target": 0, "first target": 0, "second target": 1, "third target": 2}


@dataclass(frozen=True, slots=True)
class Selector:
    """Which objects or players an effect means.

    Parameters
    ----------
    who
        The kind of reference.
    filter
        For EACH and CHOSEN: what qualifies.
    of
        For CONTROLLER and OWNER: of what.
    slot
        For TARGET: which of the declared targets, from 0.
    but_target
        For EACH: whether the first target is left out.
    """

    who: Who
    filter: Filter | None = None
    of: Selector | None = None
    slot: int = 0
    but_target: bool = False

    @staticmethod
    def parse(phrase: str) -> Selector:
        """Parse a phrase.  Raises ValueError for one that is not understood."""
        text = phrase.strip()
        if text in _FIXED:
            return Selector(_FIXED[text])
        if text in _ORDINALS:
            return Selector(Who.TARGET, slot=_ORDINALS[text])
        for prefix, who in (("controller of ", Who.CONTROLLER), ("owner of ", Who.OWNER)):
            if text.startswith(prefix):
                return Selector(who, of=Selector.parse(text[len(prefix) :]))
        if text in ("its controller", "its owner"):
            return Selector(Who.CONTROLLER if text.endswith("controller") else Who.OWNER, of=Selector(Who.TARGET))
        for prefix, who in (
            ("each ", Who.EACH),
            ("all ", Who.EACH),
            ("chosen ", Who.CHOSEN),
            ("a ", Who.CHOSEN),
            ("an ", Who.CHOSEN),
            ("another ", Who.CHOSEN),
        ):
            if text.startswith(prefix):
                rest = text if prefix == "another " else text[len(prefix) :]
                wanted = Filter.parse(rest.removesuffix(" other than target"))
                return Selector(who, filter=wanted, but_target=rest.endswith(" other than target"))
        raise ValueError(
            f"{phrase!r} names nothing; accepted are {', '.join([*_FIXED, *_ORDINALS])}, its controller, its owner, "
            "controller of ..., owner of ..., each ..., a ... followed by a filter"
        )

    def __str__(self) -> str:
        text = self.filter.phrase if self.filter else f"of {self.of}" if self.of else ""
        return f"{self.who.value} {text}".strip()
