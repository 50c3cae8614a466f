"""Abilities as data (113.3): keyword, triggered, activated and static abilities, replacements, and spell instructions.

Each class is one shape of entry in a card's ``abilities`` list, told apart by its leading key.
"""

from __future__ import annotations

import difflib
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, WithJsonSchema, model_validator

from model.cards.fields import AmountField, Data, FilterField, Mana, SelectorField
from model.effects.base import Effect, parse_effect
from model.vocabulary import Colour, EventKind, Keyword, TurnStep, Type, Zone

__all__ = [
    "Ability",
    "ActivatedAbility",
    "AnyAbility",
    "Attach",
    "Changes",
    "Condition",
    "CostChange",
    "Costs",
    "Declared",
    "EntryBan",
    "FaceDownCost",
    "KeywordAbility",
    "LookPermission",
    "Replacement",
    "SpellAbility",
    "StaticAbility",
    "Trigger",
    "TriggeredAbility",
    "WardAbility",
    "parse_ability",
]

Declared = Annotated[Effect, BeforeValidator(parse_effect), WithJsonSchema({"type": ["object", "string"]})]
"""An effect as it stands in a ``do`` list."""


class Costs(Data):
    """What has to be paid (118.1).  A bare string is a mana cost."""

    mana: Mana | None = None
    tap: bool = False
    life: int = 0
    sacrifice: FilterField | None = None
    discard: FilterField | None = None
    reveal: FilterField | None = None
    bounce: FilterField | None = None
    exile: FilterField | None = None
    times: int = 1
    this: Literal["sacrifice", "exile", "exile face down", "return to hand", "turn down", "discard"] | None = None
    loyalty: int | None = None
    less_per: FilterField | None = None

    @model_validator(mode="before")
    @classmethod
    def _bare(cls, value: Any) -> Any:
        return {"mana": value} if isinstance(value, str) else value

    def __str__(self) -> str:
        parts = [str(self.mana)] if self.mana else []
        parts += ["tap this"] if self.tap else []
        parts += [f"pay {self.life} life"] if self.life else []
        parts += [f"{self.this} this"] if self.this else []
        parts += [f"{self.loyalty:+d} loyalty"] if self.loyalty is not None else []
        for verb in ("sacrifice", "discard", "reveal", "bounce", "exile"):
            if (what := getattr(self, verb)) is not None:
                article = str(self.times) if self.times > 1 else "" if what.phrase.startswith("another") else "a"
                parts.append(f"{verb} {article} {what.phrase}".replace("  ", " "))
        return ", ".join(parts)


class Condition(Data):
    """A condition on the game: so many objects of a kind, a fact about the turn, or what an object is.

    Parameters
    ----------
    count, at_least, at_most
        At least one object meets the filter, or as many as said.
    that_is, this_is
        What the object that the trigger event was about, or this object, is now.
    those_are
        What at least one object that earlier instructions were about is now.
    target_is
        What the first target is now.
    card_is
        The card that represents the first target has one of these types, whatever effects apply (708.12).
    this_turn
        One of these has happened this turn under your control.
    shares_name_with
        What the event was about shares a name with something of this kind.
    total_power
        The creatures you control have at least so much power together.
    unless
        Whether it is the contrary that is asked for.
    devotion
        Counts devotion to these colours instead of objects (700.5).
    """

    count: FilterField | None = None
    at_least: int | None = None
    at_most: int | None = None
    your_turn: bool | None = None
    that_is: FilterField | None = None
    this_is: FilterField | None = None
    those_are: FilterField | None = None
    target_is: FilterField | None = None
    card_is: tuple[Type, ...] = ()
    this_turn: tuple[Literal["you turned a permanent face up", "a permanent entered face down"], ...] = ()
    shares_name_with: FilterField | None = None
    total_power: int | None = None
    unless: bool = False
    devotion: tuple[Colour, ...] = ()


class Changes(Data):
    """What a continuous effect changes, by layer (613.1)."""

    control: Literal["you"] | None = None
    name: str | None = None
    types: tuple[Type, ...] | None = None
    lose_types: tuple[Type, ...] = ()
    add_types: tuple[Type, ...] = ()
    subtypes: tuple[str, ...] | None = None
    add_subtypes: tuple[str, ...] = ()
    colours: tuple[Colour, ...] | None = None
    add_colours: tuple[Colour, ...] = ()
    lose_abilities: bool = False
    grant: tuple[Keyword, ...] = ()
    grant_abilities: tuple[AnyAbility, ...] = ()
    power: int | None = None
    toughness: int | None = None
    add_power: AmountField | None = None
    add_toughness: AmountField | None = None
    switch: bool = False
    cant_turn_up: bool = False
    cant_block: bool = False
    cant_be_blocked: bool = False
    cant_attack: bool = False
    doesnt_untap: bool = False
    cant_gain_control: bool = False
    cant_be_enchanted: bool = False
    cant_be_blocked_by: FilterField | None = None
    can_block_only: FilterField | None = None

    @property
    def first_layer(self) -> int:
        """The layer in which it starts to apply (613.6); 8 for what changes rules and no characteristic."""
        for layer, used in (
            (2, self.control),
            (3, self.name),
            (
                4,
                self.types is not None
                or self.add_types
                or self.lose_types
                or self.add_subtypes
                or self.subtypes is not None,
            ),
            (5, self.colours is not None or self.add_colours),
            (6, self.lose_abilities or self.grant or self.grant_abilities),
            (
                7,
                self.power is not None
                or self.toughness is not None
                or self.add_power
                or self.add_toughness
                or self.switch,
            ),
        ):
            if used:
                return layer
        return 8


class Ability(Data):
    """Base of all abilities."""


class KeywordAbility(Ability):
    """A keyword without parameters (702)."""

    keyword: Keyword


class WardAbility(Ability):
    """Ward (702.21a)."""

    ward: Costs


class ProtectionAbility(Ability):
    """Protection from qualities (702.16)."""

    protection: FilterField


class FaceDownCost(Ability):
    """Morph, megamorph or disguise (702.37, 702.168): the cost to turn the permanent face up."""

    kind: Literal["morph", "megamorph", "disguise"]
    cost: Costs

    @property
    def is_morph(self) -> bool:
        """Whether it is a morph ability; a megamorph cost is a morph cost (702.37b)."""
        return self.kind != "disguise"


PLAYER_EVENTS = frozenset({EventKind.MANIFEST_DREAD, EventKind.DRAWN, EventKind.LIFE_GAINED})
"""Events of a player: a trigger on one says whose, not what object."""


class Trigger(Data):
    """A trigger condition (603.2).

    Parameters
    ----------
    event
        What is watched for.
    subject
        What it must happen to; None means this object.
    player
        Whose event it is: of the ability's controller, of an opponent, or of anybody.
    step
        For the beginning of a step.
    batch
        Whether events that happen at once trigger it once ("one or more").
    once_each_turn
        Whether it triggers at most once in a turn.
    from_graveyard
        For entering: whether it must be from a graveyard.
    this_was
        What this object must be as the event happens.
    """

    event: EventKind
    subject: FilterField | None = None
    player: Literal["you", "opponent", "any"] = "any"
    step: TurnStep | None = None
    batch: bool = False
    once_each_turn: bool = False
    this_was: FilterField | None = None
    from_graveyard: bool = False

    @model_validator(mode="before")
    @classmethod
    def _keyed(cls, value: Any) -> Any:
        if not isinstance(value, dict) or "event" in value:
            return value
        names = {kind.value.replace(" ", "_"): kind for kind in EventKind} | {"begins": EventKind.STEP_BEGINS}
        found = [key for key in value if key in names]
        if len(found) != 1:
            wrong = next((key for key in value if key not in cls.model_fields and key not in names), None)
            near = difflib.get_close_matches(str(wrong), list(names), 1)
            raise ValueError(
                f"a trigger has one event; accepted are {', '.join(sorted(names))}"
                + (f"; did you mean {near[0]!r} for {wrong!r}?" if near else "")
            )
        event, what = names[found[0]], value[found[0]]
        rest = {key: item for key, item in value.items() if key != found[0]}
        if event is EventKind.STEP_BEGINS:
            return {"event": event, "step": what, **rest}
        if event in PLAYER_EVENTS:
            return {"event": event, "player": what, **rest}
        return {"event": event, "subject": None if what == "this" else what, **rest}


class TriggeredAbility(Ability):
    """A triggered ability (603)."""

    when: Trigger
    condition: Condition | None = Field(None, alias="if")
    targets: tuple[FilterField | Literal["player", "opponent", "any target", "spell or ability"], ...] = ()
    up_to: bool = False
    may: bool = False
    from_graveyard: bool = False
    at_most_x: bool = False
    do: tuple[Declared, ...]


class ActivatedAbility(Ability):
    """An activated ability (602)."""

    activate: Costs
    targets: tuple[FilterField | Literal["player", "opponent", "any target", "spell or ability"], ...] = ()
    up_to: bool = False
    sorcery_speed: bool = False
    mana_ability: bool = False
    from_hand: bool = False
    from_graveyard: bool = False
    once_each_turn: bool = False
    condition: Condition | None = Field(None, alias="if")
    do: tuple[Declared, ...]


class Attach(Ability):
    """What an Aura can enchant (303.4), or the cost to equip (702.6)."""

    enchant: FilterField | None = None
    equip: Costs | None = None


class StaticAbility(Changes, Ability):
    """A static ability with a continuous effect on the objects it names (611.3)."""

    static: SelectorField
    condition: Condition | None = Field(None, alias="if")


class CostChange(Ability):
    """A static ability that changes what spells or turning face up cost (601.2f)."""

    costs_change: FilterField | Literal["morph"]
    by: int
    per: FilterField | None = None
    player: Literal["you", "opponent", "any"] = "you"
    first_each_turn: bool = False
    of_this: bool = False


class CastBan(Ability):
    """A static ability that stops spells from being cast (601.3); judged on the spell as it would be on the stack."""

    cant_cast: FilterField
    player: Literal["you", "opponent", "any"] = "any"


class EntryBan(Ability):
    """A static ability that stops cards of a type from entering the battlefield from some zones (614.17).

    A card that would enter face down is a creature card by then (701.40a), so it is stopped as one (701.40f).
    """

    cant_enter: tuple[Type, ...]
    zones: tuple[Zone, ...]


class CastFrom(Ability):
    """A static ability that lets its controller cast spells, or play lands, from another zone (601.3)."""

    cast_from: Literal["library", "graveyard"]
    what: FilterField
    lands: bool = False
    once_each_turn: bool = False


class FlashPermission(Ability):
    """A static ability that lets its controller cast spells as though they had flash (702.8)."""

    as_though_flash: FilterField


class LookPermission(Ability):
    """A static ability that lets its controller look at face-down objects (708.5), or at the own library's top card."""

    look_at: FilterField | Literal["top of your library"]


class Replacement(Ability):
    """Something done as an object enters or is turned face up (614.1c, 614.1e): no trigger, before anything else."""

    as_: Literal["enters", "turned_up", "enters_or_turned_up"] = Field(alias="as")
    what: FilterField | None = None
    do: tuple[Declared, ...]


class SpellAbility(Ability):
    """What an instant or sorcery does (113.3a)."""

    targets: tuple[FilterField | Literal["player", "opponent", "any target", "spell or ability"], ...] = ()
    up_to: bool = False
    spell: tuple[Declared, ...]
    additional: Costs | None = None


_BY_KEY: dict[str, type[Ability]] = {
    "when": TriggeredAbility,
    "activate": ActivatedAbility,
    "static": StaticAbility,
    "as": Replacement,
    "spell": SpellAbility,
    "enchant": Attach,
    "equip": Attach,
    "ward": WardAbility,
    "costs_change": CostChange,
    "look_at": LookPermission,
    "protection": ProtectionAbility,
    "cant_cast": CastBan,
    "as_though_flash": FlashPermission,
    "cant_enter": EntryBan,
    "cast_from": CastFrom,
}


def parse_ability(value: Any) -> Ability:
    """Validate one entry of ``abilities``.

    Raises
    ------
    ValueError
        If it is no keyword and has no leading key that the vocabulary knows.
    """
    if isinstance(value, Ability):
        return value
    if isinstance(value, str):
        words = {keyword.value: keyword for keyword in Keyword}
        if value in words:
            return KeywordAbility(keyword=words[value])
        near = difflib.get_close_matches(value, list(words), 1)
        raise ValueError(f"{value!r} is no keyword" + (f"; did you mean {near[0]!r}?" if near else ""))
    if not isinstance(value, dict):
        raise ValueError(f"an ability is a keyword or a mapping, found {value!r}")
    keyword = next((key for key in ("morph", "megamorph", "disguise") if list(value) == [key]), None)
    if keyword is not None:
        return FaceDownCost.model_validate({"kind": keyword, "cost": value[keyword]})
    kind = next((_BY_KEY[key] for key in _BY_KEY if key in value), None)
    if kind is None:
        raise ValueError(f"an ability needs one of the keys {', '.join(_BY_KEY)}; found {', '.join(map(str, value))}")
    return kind.model_validate(value)


AnyAbility = Annotated[Ability, BeforeValidator(parse_ability), WithJsonSchema({"type": ["object", "string"]})]
"""An ability as it stands in a card."""

Changes.model_rebuild()
StaticAbility.model_rebuild()
