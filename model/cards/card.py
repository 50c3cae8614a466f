"""Cards: the printed record, validated, and the faces that the rules read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

from pydantic import BeforeValidator, Field, WithJsonSchema, field_validator, model_validator

from model.cards.abilities import Ability, AnyAbility, Costs, FaceDownCost, KeywordAbility, parse_ability
from model.cards.cost import ManaCost
from model.cards.fields import Amount, Data, Mana
from model.vocabulary import Colour, Keyword, Supertype, Type

__all__ = ["COPIED_SPELL", "Card", "CardData", "Face", "FaceData"]


@dataclass(frozen=True, slots=True, eq=False)
class Face:
    """A set of copiable values (707.2): a printed face, a token, or a face-down profile.

    Parameters
    ----------
    name
        None for what has no name.
    cost
        None for what has no mana cost.
    power, toughness
        None for what is no creature.
    base
        The face that an effect changed into this one (707.9).
    """

    name: str | None
    cost: ManaCost | None
    types: frozenset[Type]
    supertypes: frozenset[Supertype] = frozenset()
    subtypes: frozenset[str] = frozenset()
    colours: frozenset[Colour] = frozenset()
    power: Amount | None = None
    toughness: Amount | None = None
    loyalty: int | None = None
    defence: int | None = None
    abilities: tuple[Ability, ...] = ()
    label: str = ""
    base: Face | None = None

    @property
    def mana_value(self) -> int:
        """The mana value with X = 0; 0 without a mana cost (202.3a)."""
        return self.cost.mana_value if self.cost else 0

    @property
    def keywords(self) -> frozenset[Keyword]:
        """The keywords without parameters that it has."""
        return frozenset(a.keyword for a in self.abilities if isinstance(a, KeywordAbility))

    @property
    def face_down_costs(self) -> tuple[FaceDownCost, ...]:
        """Its morph, megamorph and disguise abilities."""
        return tuple(a for a in self.abilities if isinstance(a, FaceDownCost))

    @property
    def is_permanent_card(self) -> bool:
        """Whether a card with this face can enter the battlefield face up (304.4, 307.4)."""
        return not self.types & {Type.INSTANT, Type.SORCERY}

    def __str__(self) -> str:
        return self.name or self.label

    __repr__ = __str__


COPIED_SPELL: Final = "copied spell"
"""The layout of what stands for the copy of a spell."""


@dataclass(frozen=True, slots=True, eq=False)
class Card:
    """A physical card, or what a token is made as.

    Parameters
    ----------
    front
        The face that is up unless something says otherwise.
    back
        The back face of a double-faced card.
    halves
        What else it can be cast as: the halves of a split card, or an adventure.
    """

    name: str
    front: Face
    layout: str = "normal"
    back: Face | None = None
    halves: tuple[Face, ...] = ()

    @property
    def faces(self) -> tuple[Face, ...]:
        """Every face."""
        return (self.front, *((self.back,) if self.back else ()), *self.halves)

    @property
    def is_double_faced(self) -> bool:
        """Whether it has two faces (712)."""
        return self.back is not None

    def __str__(self) -> str:
        return self.name

    __repr__ = __str__


_TYPE_WORDS = {t.value: t for t in Type}
_SUPERTYPE_WORDS = {s.value: s for s in Supertype}


def _no_boolean(value: Any) -> Any:
    return f"{value}" if isinstance(value, (int, float)) and not isinstance(value, bool) else value


_Pt = Annotated[
    str, BeforeValidator(_no_boolean), WithJsonSchema({"type": "string", "pattern": r"^[-\d*+]+/[-\d*+]+$"})
]


class FaceData(Data):
    """One printed face as it stands in a card file.

    Parameters
    ----------
    type
        The type line, such as ``Legendary Creature - Angel``.
    pt
        Power and toughness, such as ``4/5``; ``*`` takes its value from ``power_is`` or ``toughness_is``.
    """

    name: str | None = None
    cost: Mana | None = None
    type: str
    pt: _Pt | None = None
    power_is: (
        Annotated[Amount, BeforeValidator(Amount.parse), WithJsonSchema({"type": ["integer", "string"]})] | None
    ) = None
    toughness_is: (
        Annotated[Amount, BeforeValidator(Amount.parse), WithJsonSchema({"type": ["integer", "string"]})] | None
    ) = None
    loyalty: int | None = None
    defence: int | None = None
    colours: tuple[Colour, ...] | None = None
    morph: Costs | None = None
    megamorph: Costs | None = None
    disguise: Costs | None = None
    abilities: tuple[AnyAbility, ...] = ()

    @field_validator("type")
    @classmethod
    def _type_line(cls, value: str) -> str:
        words = re.split(r"\s+[-\u2013\u2014]\s+", value, maxsplit=1)[0].lower().split()
        for word in words:
            if word not in _TYPE_WORDS and word not in _SUPERTYPE_WORDS:
                raise ValueError(
                    f"{word!r} in the type line {value!r} is no type; accepted are "
                    + ", ".join([*_SUPERTYPE_WORDS, *_TYPE_WORDS])
                )
        return value

    @model_validator(mode="after")
    def _has_size(self) -> FaceData:
        if "creature" in self.type.lower() and self.pt is None:
            raise ValueError("a creature needs pt, such as pt: 2/2")
        return self

    def face(self, name: str | None) -> Face:
        """The face that the rules read.

        Parameters
        ----------
        name
            The card's name, for a face that gives none itself.
        """
        left, *right = re.split(r"\s+[-\u2013\u2014]\s+", self.type, maxsplit=1)
        words = left.lower().split()
        power, toughness = self._size()
        costs: tuple[Ability, ...] = tuple(
            FaceDownCost(kind=kind, cost=cost)
            for kind in ("morph", "megamorph", "disguise")
            if (cost := getattr(self, kind)) is not None
        )
        from_cost = self.cost.colours if self.cost else frozenset[Colour]()
        return Face(
            name=self.name or name,
            cost=self.cost,
            types=frozenset(_TYPE_WORDS[w] for w in words if w in _TYPE_WORDS),
            supertypes=frozenset(_SUPERTYPE_WORDS[w] for w in words if w in _SUPERTYPE_WORDS),
            subtypes=frozenset(right[0].split()) if right else frozenset(),
            colours=from_cost if self.colours is None else frozenset(self.colours),
            power=power,
            toughness=toughness,
            loyalty=self.loyalty,
            defence=self.defence,
            abilities=(*costs, *self.abilities, *self._meant_by_keywords()),
        )

    def _meant_by_keywords(self) -> Iterator[Ability]:
        """The triggered abilities that persist and undying stand for (702.79a, 702.93a)."""
        for keyword, kind in ((Keyword.PERSIST, "-1/-1"), (Keyword.UNDYING, "+1/+1")):
            if any(isinstance(a, KeywordAbility) and a.keyword is keyword for a in self.abilities):
                returns = {"put_onto_battlefield": "this", "under": "owner of this"}
                yield parse_ability({
                    "when": {"dies": "this", "this_was": f"permanent without a {kind} counter"},
                    "do": [{"condition": {"this_is": "card in a graveyard"},
                            "then": [returns, {"counters": 1, "on": "this", "kind": kind}]}],
                })

    def _size(self) -> tuple[Amount | None, Amount | None]:
        if self.pt is None:
            return None, None
        parts = self.pt.split("/")
        sizes = []
        for part, given in zip(parts, (self.power_is, self.toughness_is), strict=True):
            sizes.append(given or Amount(0) if "*" in part else Amount(int(part)))
        return sizes[0], sizes[1]


class CardData(FaceData):
    """A card as it stands in a card file: its front face and, where it has them, the others."""

    layout: Literal["normal", "transform", "modal", "meld", "split", "adventure", "room"] = "normal"
    back: FaceData | None = None
    halves: tuple[FaceData, ...] = ()
    missing: tuple[str, ...] = Field((), description="what the card does that the vocabulary cannot say")

    def card(self, name: str) -> Card:
        """The card that the rules read."""
        back = self.back.face(None) if self.back else None
        return Card(name, self.face(name), self.layout, back, tuple(half.face(None) for half in self.halves))
