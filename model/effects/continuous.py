"""Effects that last: continuous effects, control, copies, and what is chosen for an object."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import ClassVar, Literal

from model.cards.abilities import AnyAbility, Changes
from model.cards.card import Face
from model.cards.fields import Amount, SelectorField
from model.characteristics import look
from model.effects.base import Effect
from model.effects.context import Context, Option
from model.effects.selecting import choices, objects, players
from model.families import (
    CAUSE,
    CHOSEN_NAME,
    CHOSEN_TYPE,
    CONTROLLER,
    COPIED,
    COPY_ENDS,
    COPY_WHILE_UP,
    DELAYED,
    EFFECT,
    SHOT_X,
    SICK,
    TAKER,
    TRANSFORMED,
    ZONE,
)
from model.peek import Peek
from model.rules.triggers import notice
from model.rules.zones import touch
from model.setup import Obj
from model.terms import Term, and_, eq, not_, or_
from model.vocabulary import Cause, EventKind, Marker, Zone

__all__ = [
    "BecomeCopy",
    "BecomeSize",
    "ChooseName",
    "ChooseType",
    "Delayed",
    "ExchangeControl",
    "GainControl",
    "Transform",
    "Until",
]


class Until(Effect):
    """Start a continuous effect on objects (611.2)."""

    verb: ClassVar[str] = "until"
    until: Literal["end of turn", "turned up", "forever"]
    on: SelectorField
    changes: Changes

    def options(self, peek: Peek, context: Context) -> Sequence[Sequence[Option]]:
        """On which object, if one is chosen."""
        return choices(peek, self.on, context)

    def apply(self, context: Context) -> None:
        """Start it on each object that is meant now; it follows them whatever they become (611.2c)."""
        game = context.game
        shot = next(s for s in game.setup.shots if s.effect is self and s.source is context.source)
        game.cite("611.2c")
        for o, condition in objects(context, self.on):
            with game.when(condition):
                game[EFFECT, shot, o] = game[EFFECT, shot, o] + 1 if shot.adds_up else 1
                touch(game, shot)
                game[SHOT_X, shot] = min(context.x, game.setup.bounds.x)
                if self.changes.control is not None:
                    game[TAKER, shot] = context.controller
                    game[SICK, o] = True


class GainControl(Effect):
    """Gain control of permanents for as long as they are there (layer 2)."""

    verb: ClassVar[str] = "gain_control"
    gain_control: SelectorField
    player: SelectorField | None = None

    def apply(self, context: Context) -> None:
        """Change who controls each; it has to wait for the new controller's turn again (302.6)."""
        game = context.game
        who = players(context, self.player) if self.player is not None else [(context.controller, and_())]
        changes = [
            (o, player, and_(condition, is_player, game[CONTROLLER, o].isnt(player), not_(self._kept(context, o))))
            for o, condition in objects(context, self.gain_control)
            for player, is_player in who
        ]
        context.results += [(o, change) for o, _, change in changes]
        for o, player, change in changes:
            with game.when(change) as live:
                if live:
                    game.cite("613.1b")
                    game[CONTROLLER, o] = player
                    game[SICK, o] = True
                    # The newer effect wins over one that lasts until end of turn (613.7).
                    for shot in (shot for shot in game.setup.shots if shot.changes.control is not None):
                        with game.when(game[EFFECT, shot, o] > 0):
                            game[TAKER, shot] = player

    def _kept(self, context: Context, o: Obj) -> Term:
        """Whether an effect keeps other players from gaining control of the object."""
        return look(context.game).ruled(o, "cant_gain_control")


class Transform(Effect):
    """Transform permanents (701.27); a face-down permanent cannot (712.15)."""

    verb: ClassVar[str] = "transform"
    transform: SelectorField

    def apply(self, context: Context) -> None:
        """Turn each to its other face."""
        game = context.game
        for o, condition in objects(context, self.transform):
            if o.card.layout != "transform":
                continue
            allowed = and_(condition, game[ZONE, o].is_(Zone.BATTLEFIELD), game[CAUSE, o].is_(Cause.NONE))
            with game.when(allowed) as live:
                if live:
                    game.cite("701.27a")
                    game[TRANSFORMED, o] = not_(game[TRANSFORMED, o])
                    notice(game, EventKind.TRANSFORMED, o)


class _Copies(Effect):
    """An effect of layer 1a: it sets copiable values, changed in what it says (707.9, 613.2a)."""

    copies: ClassVar[bool] = True
    gains: tuple[AnyAbility, ...] = ()
    size: tuple[int, int] | None = None

    @cached_property
    def _variants(self) -> dict[Face, Face]:
        return {}

    @property
    def changes_faces(self) -> bool:
        """Whether the values are other than those that are copied."""
        return bool(self.gains) or self.size is not None

    def variant(self, face: Face) -> Face:
        """The copiable values that a face gives with what this effect changes."""
        if not self.changes_faces:
            return face
        face = face.base or face  # a later choice takes the place of an earlier one
        found = self._variants.get(face)
        if found is None:
            power, toughness = face.power, face.toughness
            if self.size is not None:
                power, toughness = Amount(self.size[0]), Amount(self.size[1])
            found = self._variants[face] = replace(
                face, power=power, toughness=toughness, abilities=(*face.abilities, *self.gains),
                label=f"{face} as changed",
                base=face,
            )
        return found


class BecomeSize(_Copies):
    """An object takes a size that is part of its copiable values, as a creature that chooses it does (613.2a)."""

    verb: ClassVar[str] = "become_size"
    become_size: SelectorField

    def apply(self, context: Context) -> None:
        """Set it over the values that the object has face up now."""
        game = context.game
        game.cite("613.2a")
        for o, condition in objects(context, self.become_size):
            for case, face in look(game).cases(o):
                if face.name is not None:
                    with game.when(and_(condition, case)) as live:
                        if live:
                            game[COPIED, o] = self.variant(face)


class BecomeCopy(_Copies):
    """An object becomes a copy of another (707): it takes the other's copiable values, not its status."""

    verb: ClassVar[str] = "become_copy_of"
    become_copy_of: SelectorField
    on: SelectorField
    until: Literal["end of turn", "turned down", "forever"] = "forever"

    def options(self, peek: Peek, context: Context) -> Sequence[Sequence[Option]]:
        """What is copied, if it is chosen."""
        return choices(peek, self.become_copy_of, context)

    def apply(self, context: Context) -> None:
        """Take the copiable values as they are now (707.2)."""
        game = context.game
        game.cite("707.2")
        models = objects(context, self.become_copy_of)
        values = [
            (and_(condition, case), face) for model, condition in models for case, face in look(game).cases(model)
        ]
        for o, condition in objects(context, self.on):
            for case, face in values:
                with game.when(and_(condition, case)) as live:
                    if live:
                        values_now = self.variant(face)
                        game[COPIED, o] = values_now if values_now is not o.card.front else Marker.NONE
                        game[COPY_ENDS, o] = self.until == "end of turn"
                        game[COPY_WHILE_UP, o] = self.until == "turned down"


class ExchangeControl(Effect):
    """Exchange control of two permanents (701.12b)."""

    verb: ClassVar[str] = "exchange_control"
    exchange_control: SelectorField
    other: SelectorField

    def apply(self, context: Context) -> None:
        """Each is now under the control of the other's controller, if both are there, of two players, and may be."""
        game = context.game
        for a, x in objects(context, self.exchange_control):
            for b, y in objects(context, self.other):
                there = (game[ZONE, o].is_(Zone.BATTLEFIELD) for o in (a, b))
                kept = or_(*(look(game).ruled(o, "cant_gain_control") for o in (a, b)))
                on = and_(x, y, *there, not_(kept), not_(eq(game[CONTROLLER, a], game[CONTROLLER, b])))
                with game.when(on) as live:
                    if live:
                        game[CONTROLLER, a], game[CONTROLLER, b] = game[CONTROLLER, b], game[CONTROLLER, a]
                        game[SICK, a] = True
                        game[SICK, b] = True


class ChooseName(Effect):
    """A name is chosen for an object (201.4)."""

    verb: ClassVar[str] = "choose_name"
    choose_name: SelectorField

    def options(self, peek: Peek, context: Context) -> Sequence[Sequence[Option]]:
        """Every name of the scenario."""
        return [[Option(f"choosing {n}", n) for n in peek.setup.name_sort.members if n is not Marker.NONE]]

    def apply(self, context: Context) -> None:
        """Note it."""
        name = context.pick().value
        for o, condition in objects(context, self.choose_name):
            with context.game.when(condition):
                context.game[CHOSEN_NAME, o] = name


class ChooseType(Effect):
    """A creature type is chosen for an object."""

    verb: ClassVar[str] = "choose_type"
    choose_type: SelectorField

    def options(self, peek: Peek, context: Context) -> Sequence[Sequence[Option]]:
        """Every subtype of the scenario."""
        return [[Option(f"choosing {t}", t) for t in peek.setup.subtypes]]

    def apply(self, context: Context) -> None:
        """Note it."""
        chosen = context.pick().value
        for o, condition in objects(context, self.choose_type):
            with context.game.when(condition):
                context.game[CHOSEN_TYPE, o] = chosen


class Delayed(Effect):
    """A delayed triggered ability that watches objects, and triggers once (603.7)."""

    verb: ClassVar[str] = "delayed"
    delayed: AnyAbility
    on: SelectorField

    def apply(self, context: Context) -> None:
        """Let it watch what is meant now."""
        item = context.game.setup.item(context.source, self.delayed)
        context.game.cite("603.7")
        for o, condition in objects(context, self.on):
            with context.game.when(condition):
                context.game[DELAYED, item, o] = True
