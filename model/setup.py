"""The fixed part of a game: who plays, with which objects, within which bounds, and how it starts.

Everything here is known before any rule runs, and rules may branch on it in plain Python.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from pydantic import BaseModel

from model.cards.abilities import (
    Ability,
    Attach,
    Changes,
    Costs,
    SpellAbility,
    StaticAbility,
    TriggeredAbility,
    WardAbility,
)
from model.cards.card import COPIED_SPELL, Card, Face
from model.cards.cost import ManaCost
from model.cards.fields import Amount
from model.cards.phrases import Who
from model.effects.base import Effect
from model.parts import amounts, depends_on_order, mentions, parts_of, uses_stack
from model.terms import Sort
from model.vocabulary import Cause, CounterKind, EventKind, Keyword, ManaKind, Marker, TurnStep, Type, Zone

__all__ = ["Bounds", "CounterStamp", "Item", "Obj", "Placement", "Player", "Setup", "Shot"]


@dataclass(frozen=True, slots=True, eq=False)
class Player:
    """A player: position in turn order, and name."""

    index: int
    name: str

    def __str__(self) -> str:
        return self.name

    __repr__ = __str__


@dataclass(frozen=True, slots=True, eq=False)
class Obj:
    """A card, or a token that may be made, in the scenario.

    The slot keeps its identity for the whole game; that a zone change makes a new object (400.7) is modelled by
    clearing everything that referred to the old one.
    """

    index: int
    name: str
    card: Card
    owner: Player
    token: bool = False

    def __str__(self) -> str:
        return self.name

    __repr__ = __str__


@dataclass(frozen=True, slots=True, eq=False)
class Item:
    """What can stand on the stack: a spell (no ability) cast as a face in a mode, or an ability of an object."""

    source: Obj
    ability: Ability | None
    face: Face | None = None
    spell: SpellAbility | None = None
    label: str = ""

    def __str__(self) -> str:
        return self.label

    __repr__ = __str__


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    """A continuous effect that a resolving spell or ability can start, from one source (611.2)."""

    effect: Effect
    changes: Changes
    source: Obj
    until: str
    label: str

    @property
    def adds_up(self) -> bool:
        """Whether two instances do more than one: what adds to power or toughness (613.4c)."""
        return self.changes.add_power is not None or self.changes.add_toughness is not None

    def __str__(self) -> str:
        return self.label

    __repr__ = __str__


@dataclass(frozen=True, slots=True)
class CounterStamp:
    """What the timestamp of the keyword counters on an object belongs to (613.7c)."""

    on: Obj


@dataclass(frozen=True, slots=True)
class Bounds:
    """The declared ranges.  A step that would leave one is counted and not followed.

    Parameters
    ----------
    turns
        How many turns are played; None for as many as there are states to tell apart.
    stack
        How many spells and abilities can be on the stack at once.
    counters
        How many counters of a kind an object can have.
    life
        The highest life total.
    pending
        How many instances of one triggered ability can wait to be put on the stack.
    x
        The largest value that is chosen for X.
    mana
        How much mana of one kind a player can have beyond what the scenario gives.
    amount
        The largest number that a trigger event can be about, such as damage dealt.
    """

    turns: int | None = None
    stack: int = 3
    counters: int = 3
    life: int = 40
    pending: int = 2
    x: int = 2
    mana: int = 0
    amount: int = 8


@dataclass(frozen=True, slots=True)
class Placement:
    """How an object starts."""

    zone: Zone = Zone.OUTSIDE
    controller: Player | None = None
    cause: Cause = Cause.NONE
    profile: Face | None = None
    tapped: bool = False
    sick: bool = False
    counters: Mapping[CounterKind, int] = field(default_factory=dict)
    attached_to: Obj | None = None
    damage: int = 0
    transformed: bool = False
    known_to: frozenset[Player] = frozenset()


DEFAULT_PROFILE = Face(
    None, None, frozenset({Type.CREATURE}), power=Amount(2), toughness=Amount(2), label="face-down 2/2"
)
"""The characteristics of a face-down object when nothing lists others (708.2a)."""

WARDED_PROFILE = Face(
    None,
    None,
    frozenset({Type.CREATURE}),
    power=Amount(2),
    toughness=Amount(2),
    abilities=(WardAbility(ward=Costs(mana=ManaCost.parse("{2}"))),),
    label="face-down 2/2 with ward {2}",
)
"""The characteristics of a disguised or cloaked object (702.168a, 701.58a)."""


@dataclass(frozen=True, eq=False)
class Setup:
    """A scenario's fixed part.

    Attributes
    ----------
    players
        In turn order; the first is the active player at the start.
    objects
        Every card and every token that may be made, by index.
    placements
        How each object starts, by index.
    libraries
        For each player by index, the library from the top.
    mana
        For each player by index, what can be spent each turn.
    steps
        The steps that are modelled, in the order of a turn.
    conceders
        Players who may concede.
    looking
        Whether looking at a face-down object is an action.
    starts_settled
        Whether no state-based action applies at the start.
    """

    players: tuple[Player, ...]
    objects: tuple[Obj, ...]
    placements: tuple[Placement, ...]
    libraries: tuple[tuple[Obj, ...], ...]
    mana: tuple[Mapping[ManaKind, int], ...]
    lives: tuple[int, ...]
    bounds: Bounds = Bounds()
    steps: tuple[TurnStep, ...] = (TurnStep.MAIN,)
    first_step: TurnStep = TurnStep.MAIN
    conceders: frozenset[Player] = frozenset()
    looking: bool = False
    starts_settled: bool = True
    shuffled: frozenset[Player] = frozenset()

    def cards(self) -> Iterator[Obj]:
        """The objects that are no tokens."""
        return (o for o in self.objects if not o.token)

    def next_player(self, player: Player) -> Player:
        """The player next in turn order."""
        return self.players[(player.index + 1) % len(self.players)]

    def others(self, player: Player) -> tuple[Player, ...]:
        """The other players, in turn order from the given one."""
        n = len(self.players)
        return tuple(self.players[(player.index + i) % n] for i in range(1, n))

    # -- what the cards of this scenario can do -------------------------------------------------------------------

    @cached_property
    def parts(self) -> tuple[tuple[Obj, Ability, BaseModel], ...]:
        """Every effect and every set of changes in an ability of an object's own faces."""
        return tuple(
            (o, a, part) for o in self.objects for face in o.card.faces for a in face.abilities for part in parts_of(a)
        )

    @cached_property
    def copying(self) -> bool:
        """Whether anything in the scenario makes copies."""
        return any(getattr(part, "copies", False) for _, _, part in self.parts)

    @cached_property
    def profiles(self) -> tuple[Face, ...]:
        """The profiles that a face-down object of the scenario can have."""
        listed = (getattr(part, "profile_face", None) for _, _, part in self.parts)
        return tuple(dict.fromkeys([DEFAULT_PROFILE, WARDED_PROFILE, *(face for face in listed if face is not None)]))

    @cached_property
    def every_face(self) -> tuple[Face, ...]:
        """Every printed face, every profile, and what effects that change copiable values make of them."""
        plain = list(dict.fromkeys([*(f for o in self.objects for f in o.card.faces), *self.profiles]))
        changing = [part for _, _, part in self.parts if getattr(part, "changes_faces", False)]
        changed = [part.variant(face) for part in changing for face in plain]  # type: ignore[attr-defined]
        return tuple(dict.fromkeys([*plain, *changed]))

    def faces_of(self, o: Obj) -> tuple[Face, ...]:
        """Every face whose values the object may ever have."""
        return self.every_face if self.copying else (*o.card.faces, *self.profiles)

    @cached_property
    def granted(self) -> tuple[Ability, ...]:
        """Every ability that an effect of the scenario can grant."""
        found = [a for _, _, part in self.parts for a in getattr(part, "grant_abilities", ())]
        return tuple({id(a): a for a in found}.values())

    @cached_property
    def _abilities(self) -> Mapping[Obj, tuple[Ability, ...]]:
        result = {}
        for o in self.objects:
            found = [a for face in self.faces_of(o) for a in face.abilities] + list(self.granted)
            result[o] = tuple({id(a): a for a in found}.values())
        return result

    def abilities_of(self, o: Obj) -> tuple[Ability, ...]:
        """Every ability that the object may ever have."""
        return self._abilities[o]

    @cached_property
    def shots(self) -> tuple[Shot, ...]:
        """Every continuous effect that a resolution can start."""
        sources: dict[int, tuple[Effect, list[Obj]]] = {}
        for o in self.objects:
            for ability in self.abilities_of(o):
                for part in parts_of(ability):
                    if isinstance(part, Effect) and getattr(part, "changes", None) is not None:
                        sources.setdefault(id(part), (part, []))[1].append(o)
        found: list[Shot] = []
        for effect, owners in sources.values():
            for o in dict.fromkeys(owners):
                number = 1 + sum(1 for shot in found if shot.source is o)
                label = f"effect of {o}" if number == 1 else f"effect {number} of {o}"
                found.append(Shot(effect, effect.changes, o, effect.until, label))  # type: ignore[attr-defined]
        return tuple(found)

    def tokens_of(self, effect: Effect) -> tuple[Obj, ...]:
        """The slots for tokens that an effect makes."""
        card = getattr(effect, "card", None)
        return tuple(o for o in self.objects if o.token and o.card is card)

    @cached_property
    def stamped(self) -> tuple[Hashable, ...]:
        """What needs a timestamp: sources of continuous effects whose order can matter (613.7)."""
        found: list[Hashable] = []
        for o in self.objects:
            statics = (a for a in self.abilities_of(o) if isinstance(a, StaticAbility))
            if any(depends_on_order(a) for a in statics):
                found.append(o)
        found.extend(shot for shot in self.shots if depends_on_order(shot.changes))
        removing = any(getattr(part, "lose_abilities", False) for _, _, part in self.parts)
        keywords = {keyword.value for keyword in Keyword}
        kinds = {getattr(getattr(part, "kind", None), "value", "") for _, _, part in self.parts}
        kinds |= {kind.value for placement in self.placements for kind in placement.counters}
        if removing and kinds & keywords:
            found.extend(CounterStamp(o) for o in self.objects)
        return tuple(found) if len(found) > 1 else ()

    @cached_property
    def _watchers(self) -> Mapping[EventKind, tuple[tuple[Obj, TriggeredAbility], ...]]:
        found: dict[EventKind, list[tuple[Obj, TriggeredAbility]]] = {}
        for o in self.objects:
            for ability in self.abilities_of(o):
                if isinstance(ability, TriggeredAbility):
                    found.setdefault(ability.when.event, []).append((o, ability))
        return {kind: tuple(pairs) for kind, pairs in found.items()}

    def watchers(self, kind: EventKind) -> tuple[tuple[Obj, TriggeredAbility], ...]:
        """The objects that may have an ability that such an event can trigger, with the ability."""
        return self._watchers.get(kind, ())

    @cached_property
    def _subjects(self) -> Mapping[int, tuple[Hashable, ...]]:
        return {id(item): self._thats(item) for item in self.items if item.ability is not None}

    def _thats(self, item: Item) -> tuple[Hashable, ...]:
        if isinstance(item.ability, WardAbility):
            abilities = (i for i in self.items if i.ability is not None and i is not item)
            return (*self.objects, *abilities)
        if any(ability is item.ability for _, ability in self.delayed):
            return self.objects
        if isinstance(item.ability, TriggeredAbility):
            parts = list(parts_of(item.ability))
            mentioned = {who for part in parts for who in mentions(part)}
            if any(amount.event for part in parts for amount in amounts(part)):
                return tuple(range(self.bounds.amount + 1))
            if item.ability.when.event is EventKind.MANIFEST_DREAD and Who.THAT in mentioned:
                return (Marker.NONE, *self.objects)
            if Who.THAT in mentioned or any(getattr(part, "that_is", None) is not None for part in parts):
                return self.objects
            if Who.THAT_PLAYER in mentioned:
                return self.players
        return (Marker.NONE,)

    def subjects(self, item: Item) -> tuple[Hashable, ...]:
        """What an instance of a triggered ability can be about; the one marker NONE if its text does not ask."""
        return self._subjects[id(item)]

    @cached_property
    def waiting(self) -> tuple[tuple[Item, Hashable, Player], ...]:
        """Every kind of trigger instance: the ability, what it is about, and who controls it."""
        return tuple(
            (item, that, p)
            for item in self.items
            if isinstance(item.ability, (TriggeredAbility, WardAbility))
            for that in self.subjects(item)
            for p in self.players
        )

    @cached_property
    def target_places(self) -> int:
        """The most targets that anything in the scenario has."""
        counts = [len(getattr(a, "targets", ())) for o in self.objects for a in self.abilities_of(o)]
        enchanting = any(isinstance(a, Attach) for o in self.objects for a in self.abilities_of(o))
        return max([*counts, int(enchanting)], default=0)

    # -- sorts ----------------------------------------------------------------------------------------------------

    @cached_property
    def player_sort(self) -> Sort:
        """A player, or nobody."""
        return Sort("player", (Marker.NONE, *self.players))

    @cached_property
    def items(self) -> tuple[Item, ...]:
        """What can stand on the stack."""
        found: list[Item] = []
        for o in self.objects:
            if not o.token or o.card.layout == COPIED_SPELL:
                castable = (o.card.front, *o.card.halves, *((o.card.back,) if o.card.layout == "modal" else ()))
                for face in castable:
                    if face is not None and (Type.LAND not in face.types or face is o.card.front):
                        name = o.name if face is o.card.front else f"{o.name} as {face}"
                        modes: list[SpellAbility | None] = [a for a in face.abilities if isinstance(a, SpellAbility)]
                        modes = modes or [None]
                        found.extend(
                            Item(o, None, face, mode, f"{name}, mode {i + 1}" if len(modes) > 1 else name)
                            for i, mode in enumerate(modes)
                        )
            later = [a for source, a in self.delayed if source is o]
            of_profiles = {id(a) for face in self.profiles for a in face.abilities}
            stacked = [a for a in self.abilities_of(o) if uses_stack(a)]
            own = [a for a in stacked if id(a) not in of_profiles]
            lent = [a for a in stacked if id(a) in of_profiles]
            # Called apart from those of the card, of which nothing may be told by how many there are.
            for name, abilities in ((o.name, [*own, *later]), (f"face-down {o.name}", lent)):
                for number, ability in enumerate(abilities):
                    called = f"ability {number + 1} of {name}" if number else f"ability of {name}"
                    found.append(Item(o, ability, label=called))
        return tuple(found)

    @cached_property
    def item_sort(self) -> Sort:
        """What stands in a place of the stack, or nothing."""
        return Sort("stack item", (Marker.NONE, *self.items))

    @cached_property
    def _item_index(self) -> Mapping[tuple[Obj, int], Item]:
        return {(item.source, id(item.ability)): item for item in self.items if item.ability is not None}

    def item(self, o: Obj, ability: Ability) -> Item:
        """The stack item for an ability of an object."""
        return self._item_index[o, id(ability)]

    @cached_property
    def _limited(self) -> Mapping[Obj, tuple[Item, ...]]:
        found: dict[Obj, list[Item]] = {}
        for item in self.items:
            costs = getattr(item.ability, "activate", None)
            once = getattr(getattr(item.ability, "when", item.ability), "once_each_turn", False)
            if once or getattr(item.ability, "once_each_turn", False) or getattr(costs, "loyalty", None) is not None:
                found.setdefault(item.source, []).append(item)
        return {o: tuple(items) for o, items in found.items()}

    def limited_items(self, o: Obj) -> tuple[Item, ...]:
        """The abilities of an object that may be used, or trigger, once each turn."""
        return self._limited.get(o, ())

    def spells(self, o: Obj) -> tuple[Item, ...]:
        """The stack items for an object as a spell: one for each face and mode, the front face first."""
        return tuple(item for item in self.items if item.source is o and item.ability is None)

    @cached_property
    def reference_sort(self) -> Sort:
        """What can be referred to: an object, a player, an ability on the stack; nothing, or something gone."""
        abilities = tuple(item for item in self.items if item.ability is not None)
        counted = any(isinstance(s, int) for item in self.items if item.ability for s in self.subjects(item))
        numbers = range(self.bounds.amount + 1) if counted else ()
        return Sort("reference", (Marker.NONE, Marker.GONE, *self.players, *self.objects, *abilities, *numbers))

    @cached_property
    def profile_sort(self) -> Sort:
        """The profile of a face-down object."""
        return Sort("profile", self.profiles)

    @cached_property
    def copy_sort(self) -> Sort:
        """What an object is a copy of, or nothing."""
        return Sort("copied values", (Marker.NONE, *self.every_face))

    @cached_property
    def card_sort(self) -> Sort:
        """The card that an object is, by name, or none that can be told."""
        return Sort("card", (Marker.NONE, *dict.fromkeys(o.card.name for o in self.objects)))

    @cached_property
    def name_sort(self) -> Sort:
        """A name, or none."""
        names = [face.name for face in self.every_face if face.name]
        names += [name for _, _, part in self.parts if (name := getattr(part, "name", None))]
        return Sort("name", (Marker.NONE, *dict.fromkeys(names)))

    @cached_property
    def shields(self) -> tuple[Any, ...]:
        """The effects that prevent combat damage."""
        found = [part for _, _, part in self.parts if getattr(part, "prevent_combat_damage", None) is not None]
        return tuple({id(part): part for part in found}.values())

    @cached_property
    def subtype_sort(self) -> Sort:
        """A subtype, or none."""
        return Sort("subtype", (Marker.NONE, *self.subtypes))

    @cached_property
    def delayed(self) -> tuple[tuple[Obj, TriggeredAbility], ...]:
        """Every delayed triggered ability that an effect can set up, with the source of the effect."""
        found = [
            (o, ability)
            for o, _, part in self.parts
            if isinstance(ability := getattr(part, "delayed", None), TriggeredAbility)
        ]
        return tuple({(o, id(a)): (o, a) for o, a in found}.values())

    @cached_property
    def subtypes(self) -> tuple[str, ...]:
        """Every subtype that occurs, sorted."""
        found = {s for face in self.every_face for s in face.subtypes}
        for _, _, part in self.parts:
            found.update(getattr(part, "subtypes", None) or (), getattr(part, "add_subtypes", ()))
        return tuple(sorted(found))

    @cached_property
    def keywords(self) -> frozenset[Keyword]:
        """Every keyword that occurs on a face, as a grant, or as a counter."""
        found = {k for face in self.every_face for k in face.keywords}
        for _, _, part in self.parts:
            found.update(getattr(part, "grant", ()) or ())
        return frozenset(found)
