"""Scenario files: players, cards, bounds, and what to check or to play.

A scenario is validated into :class:`ScenarioData`, whose JSON Schema is published, and turned into a
:class:`Scenario`: the setup that the rules run on.  Everything that is wrong is reported with file, line and column.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, WithJsonSchema

from model.cards.card import Card, CardData
from model.cards.fields import Data
from model.cards.pool import find_card
from model.documents import Document, load_documents
from model.effects.board import Token
from model.effects.spells import CopySpell
from model.errors import InputError, UnsupportedError, nearest
from model.parts import parts_of
from model.rules.state_based_actions import needed
from model.setup import DEFAULT_PROFILE, WARDED_PROFILE, Bounds, Obj, Placement, Player, Setup
from model.state import Schema, State
from model.vocabulary import Cause, CounterKind, EventKind, ManaKind, TurnStep, Zone

__all__ = ["BoundsData", "CheckData", "EntryData", "PlayerData", "Scenario", "ScenarioData", "load_scenarios"]

_SLUG = re.compile(r"[^a-z0-9]+")


class EntryData(Data):
    """A card in a zone.  A bare string is its name; ``Forest x3`` stands for three of them."""

    card: str
    alias: str | None = Field(None, alias="as", description="the name by which expressions and plays call it")
    face_down: Literal["morph", "disguise", "manifest", "cloak", "turned down", "put face down"] | None = None
    tapped: bool = False
    summoning_sick: bool = False
    counters: dict[CounterKind, int] = Field(default_factory=dict)
    attached_to: str | None = None
    controller: str | None = None
    damage: int = 0
    transformed: bool = False
    known_to: tuple[str, ...] = ()


def _entry(value: Any) -> Any:
    return {"card": value} if isinstance(value, str) else value


_Entry = Annotated[
    EntryData, BeforeValidator(_entry), WithJsonSchema({"anyOf": [{"type": "string"}, {"$ref": "#/$defs/EntryData"}]})
]


class PlayerData(Data):
    """What a player starts with.  ``library`` lists the top card first."""

    hand: tuple[_Entry, ...] = ()
    library: tuple[_Entry, ...] = ()
    battlefield: tuple[_Entry, ...] = ()
    graveyard: tuple[_Entry, ...] = ()
    exile: tuple[_Entry, ...] = ()
    mana: dict[ManaKind, Annotated[int, Field(ge=0, le=30)]] = Field(default_factory=dict)
    life: Annotated[int, Field(ge=1, le=60)] = 20


class BoundsData(Data):
    """The declared ranges; a verdict under which one was left is "to this bound"."""

    turns: Annotated[int, Field(ge=1, le=60)] | None = None
    stack: Annotated[int, Field(ge=1, le=8)] = 3
    counters: Annotated[int, Field(ge=1, le=31)] = 3
    pending: Annotated[int, Field(ge=1, le=7)] = 2
    x: Annotated[int, Field(ge=1, le=10)] = 2
    mana: Annotated[int, Field(ge=0, le=15)] = 0
    tokens: Annotated[int, Field(ge=1, le=8)] = 1


class CheckData(Data):
    """One thing to check: a named property, or an expression over the state."""

    property: str | None = None
    never: str | None = None
    always: str | None = None
    possible: str | None = None
    name: str | None = Field(None, description="what to call an expression in results")


class ScenarioData(Data):
    """A scenario file."""

    name: str
    cites: tuple[str, ...] = ()
    note: str | None = None
    players: dict[str, PlayerData]
    cards: dict[str, CardData] = Field({}, description="cards of the scenario's own, as in the pool")
    bounds: BoundsData = BoundsData()
    steps: tuple[TurnStep, ...] | None = Field(
        None, description="the steps of a turn to model; main if nothing needs more"
    )
    concede: tuple[str, ...] = Field((), description="players who may concede")
    check: tuple[CheckData, ...] = ()
    play: tuple[Any, ...] = ()
    expect: tuple[str, ...] = ()
    source: dict[str, str] | None = None
    unsupported: str | None = None
    disputed: str | None = None
    ignores: tuple[str, ...] = Field(
        (), description="what cards do that the vocabulary cannot say and that does not matter here"
    )
    looking: bool = Field(False, description="whether looking at a face-down object is an action of its own")
    could_be: dict[str, tuple[str, ...]] = Field(
        {}, description="for a card that some player cannot see, other cards that it could be: games to tell apart"
    )


@dataclass(frozen=True, slots=True, eq=False)
class Scenario:
    """A validated scenario and the setup that it describes.

    Attributes
    ----------
    aliases
        The object for each word that names one in expressions and plays.
    """

    name: str
    data: ScenarioData
    document: Document
    setup: Setup
    aliases: Mapping[str, Obj]

    def object_named(self, word: str) -> Obj | None:
        """The object that a word names, if it names exactly one."""
        return self.aliases.get(slug(word))


def slug(text: str) -> str:
    """A name as one word of an expression: ``Exalted Angel`` becomes ``exalted_angel``."""
    return _SLUG.sub("_", text.lower().replace("'", "")).strip("_")


def load_scenarios(path: Path | str, text: str | None = None) -> list[Scenario]:
    """Read every scenario of a file, one for each YAML document.

    Raises
    ------
    InputError
        For the first thing that is wrong.
    """
    return [build_scenario(document) for document in load_documents(path, text)]


def build_scenario(document: Document, cast: Mapping[int, tuple[str, Card]] | None = None) -> Scenario:
    """Validate one document; see :func:`load_scenarios`.

    Parameters
    ----------
    cast
        For objects by index another name, and the card that it is instead of the one in the document.
    """
    if not isinstance(document.data, dict):
        raise document.error("a scenario is a mapping with the keys name, players, and check or play")
    data = document.validate(ScenarioData)
    return _Builder(document, data, cast or {}).build()


class _Builder:
    """Turns validated data into a setup."""

    def __init__(self, document: Document, data: ScenarioData, cast: Mapping[int, tuple[str, Card]]) -> None:
        self._document = document
        self._cast = cast
        self._data = data
        self._own = {name: entry.card(name) for name, entry in data.cards.items()}
        self._players = tuple(Player(i, name) for i, name in enumerate(data.players))
        self._objects: list[Obj] = []
        self._placements: list[Placement] = []
        self._aliases: dict[str, Obj] = {}
        self._attach: list[tuple[int, str, tuple[str | int, ...]]] = []

    def build(self) -> Scenario:
        """The scenario that the document describes."""
        if len(self._players) < 1:
            raise self._document.error("a scenario has at least one player", ("players",))
        libraries = tuple(tuple(self._zones(player)) for player in self._players)
        self._tokens()
        self._resolve_attachments()
        bounds = self._data.bounds
        top_life = max(p.life for p in self._data.players.values()) + 20
        setup = Setup(
            players=self._players,
            objects=tuple(self._objects),
            placements=tuple(self._placements),
            libraries=libraries,
            mana=tuple(p.mana for p in self._data.players.values()),
            lives=tuple(p.life for p in self._data.players.values()),
            bounds=Bounds(bounds.turns, bounds.stack, bounds.counters, top_life, bounds.pending, bounds.x, bounds.mana),
            steps=self._steps(),
            first_step=TurnStep.MAIN,
            looking=self._data.looking,
            conceders=frozenset(self._player(name, ("concede", i)) for i, name in enumerate(self._data.concede)),
        )
        start = State(Schema(setup), lambda variable: variable.domain.constant(variable.initial))
        if bool(needed(start)):
            setup = replace(setup, starts_settled=False)
        self._name_words()
        self._check_places()
        return Scenario(self._data.name, self._data, self._document, setup, self._aliases)

    def _player(self, name: str, path: Sequence[str | int]) -> Player:
        for player in self._players:
            if player.name == name:
                return player
        known = [p.name for p in self._players]
        raise self._document.error(f"no player is called {name!r}; the players are {', '.join(known)}", path)

    def _zones(self, player: Player) -> Iterator[Obj]:
        data = self._data.players[player.name]
        for zone in (Zone.HAND, Zone.LIBRARY, Zone.BATTLEFIELD, Zone.GRAVEYARD, Zone.EXILE):
            for i, entry in enumerate(getattr(data, zone.value)):
                path = ("players", player.name, zone.value, i)
                for o in self._place(player, entry, zone, path):
                    if zone is Zone.LIBRARY:
                        yield o

    def _place(self, player: Player, entry: EntryData, zone: Zone, path: tuple[str | int, ...]) -> Iterator[Obj]:
        match = re.fullmatch(r"(.+?) x(\d+)", entry.card)
        name, number = (match[1], int(match[2])) if match else (entry.card, 1)
        card = self._card(name, path)
        for _ in range(number):
            o = self._add(card, player, entry.alias, path)
            self._placements.append(self._placement(entry, card, player, zone, path))
            if entry.attached_to is not None:
                self._attach.append((o.index, entry.attached_to, path))
            yield o

    def _card(self, name: str, path: Sequence[str | int]) -> Card:
        if name in self._own:
            return self._own[name]
        try:
            return find_card(name, self._data.ignores)
        except UnsupportedError as problem:
            raise UnsupportedError(problem.message, self._document.span(path)) from None
        except InputError as problem:
            if problem.span is not None:
                raise
            near = nearest(name, self._own)
            raise self._document.error(
                problem.message + ("" if "did you mean" in problem.message else near), path
            ) from None

    def _add(self, card: Card, owner: Player, alias: str | None, path: Sequence[str | int], token: bool = False) -> Obj:
        taken = {o.name for o in self._objects}
        meant = alias or card.name
        base, card = self._cast.get(len(self._objects), (meant, card))
        name = base if base not in taken else next(f"{base} {n}" for n in range(2, 99) if f"{base} {n}" not in taken)
        if alias is not None and slug(alias) in self._aliases:
            raise self._document.error(
                f"two cards are called {alias!r}: the same card cannot stand in two places", path
            )
        o = Obj(len(self._objects), name, card, owner, token)
        self._objects.append(o)
        self._aliases[slug(name)] = o
        if base != meant:
            self._aliases[slug(meant)] = o
        return o

    def _placement(
        self, entry: EntryData, card: Card, player: Player, zone: Zone, path: tuple[str | int, ...]
    ) -> Placement:
        on = zone is Zone.BATTLEFIELD
        for key, used in (
            ("face_down", entry.face_down),
            ("tapped", entry.tapped),
            ("counters", entry.counters),
            ("attached_to", entry.attached_to),
            ("controller", entry.controller),
        ):
            if used and not on:
                raise self._document.error(f"{key} is for cards on the battlefield", (*path, key))
        cause = Cause(entry.face_down) if entry.face_down else Cause.NONE
        if on and cause is Cause.NONE and not card.front.is_permanent_card:
            raise self._document.error(f"{card} cannot be on the battlefield face up (304.4)", path)
        controller = self._player(entry.controller, (*path, "controller")) if entry.controller else player
        for kind, number in entry.counters.items():
            if number > self._data.bounds.counters:
                raise self._document.error(
                    f"{number} {kind} counters are beyond the bound of {self._data.bounds.counters}",
                    (*path, "counters"),
                )
        if zone in (Zone.BATTLEFIELD, Zone.GRAVEYARD, Zone.EXILE) and cause is Cause.NONE:
            known = frozenset(self._players)
        else:
            known = frozenset({controller} if zone in (Zone.HAND, Zone.BATTLEFIELD) else ())
        known |= {self._player(name, (*path, "known_to")) for name in entry.known_to}
        profile = WARDED_PROFILE if cause in (Cause.DISGUISE, Cause.CLOAK) else DEFAULT_PROFILE
        return Placement(
            zone,
            controller,
            cause,
            profile,
            entry.tapped,
            entry.summoning_sick,
            entry.counters,
            None,
            entry.damage,
            entry.transformed,
            known,
        )

    def _tokens(self) -> None:
        """Make a slot for each token that an effect of the scenario can create."""
        makers = {
            id(part): part
            for o in list(self._objects)
            for face in o.card.faces
            for a in face.abilities
            for part in parts_of(a)
            if isinstance(part, (Token, CopySpell))
        }
        for effect in makers.values():
            for _ in range(effect.most * self._data.bounds.tokens):
                owner = next(
                    o.owner
                    for o in self._objects
                    if any(part is effect for face in o.card.faces for a in face.abilities for part in parts_of(a))
                )
                self._add(effect.card, owner, None, (), token=True)
                self._placements.append(Placement())

    def _resolve_attachments(self) -> None:
        for index, word, path in self._attach:
            host = self._aliases.get(slug(word))
            if host is None:
                raise self._document.error(
                    f"no object is called {word!r}{nearest(word, self._aliases)}", (*path, "attached_to")
                )
            self._placements[index] = replace(self._placements[index], attached_to=host)

    def _steps(self) -> tuple[TurnStep, ...]:
        if self._data.steps is not None:
            if TurnStep.MAIN not in self._data.steps:
                raise self._document.error("the steps of a turn include main", ("steps",))
            combat = {TurnStep.ATTACK, TurnStep.BLOCK, TurnStep.DAMAGE}
            missing = [str(step) for step in TurnStep if step in combat - set(self._data.steps)]
            if missing and len(missing) < len(combat):
                why = f"the steps of combat come together; {' and '.join(missing)} is not among them"
                raise self._document.error(why, ("steps",))
            ends = max(self._data.steps, key=list(TurnStep).index)
            if not missing and ends is TurnStep.DAMAGE:
                why = f"a step follows combat: {TurnStep.SECOND_MAIN} or {TurnStep.END}"
                raise self._document.error(why, ("steps",))
            return tuple(sorted(set(self._data.steps), key=list(TurnStep).index))
        wanted = {TurnStep.MAIN}
        for o in self._objects:
            for face in o.card.faces:
                for ability in face.abilities:
                    for part in parts_of(ability):
                        step = getattr(part, "step", None)
                        if getattr(part, "event", None) is EventKind.STEP_BEGINS and step is not None:
                            wanted.add(step)
        return tuple(sorted(wanted, key=list(TurnStep).index))

    def _name_words(self) -> None:
        """Let each word of a name that only one object has stand for the object."""
        words: dict[str, set[Obj]] = {}
        for o in self._objects:
            for word in slug(o.name).split("_"):
                words.setdefault(word, set()).add(o)
        for word, meant in words.items():
            if len(meant) == 1 and word not in self._aliases:
                self._aliases[word] = next(iter(meant))

    def _check_places(self) -> None:
        players = {slug(p.name) for p in self._players}
        for word in sorted(players & set(self._aliases)):
            if len(word) > 0 and slug(self._aliases[word].name) == word:
                raise self._document.error(f"{word!r} is both a player and a card; give the card another name with as:")
            self._aliases.pop(word, None)
