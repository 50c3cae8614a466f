"""Effects that manifest, cloak, turn up, turn down, look and reveal."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import cached_property
from typing import ClassVar

from model.cards.card import Face, FaceData
from model.cards.fields import AmountField, SelectorField
from model.effects.base import Effect
from model.effects.context import Context, Option
from model.effects.selecting import choices, objects, players
from model.families import ZONE
from model.peek import Peek
from model.rules.manifesting import DREAD_OPTIONS, cloak, manifest, manifest_dread, manifest_top
from model.rules.revealing import learn, reveal
from model.rules.turning import as_turned_up_options, turn_down, turn_up
from model.rules.zones import enter, from_top
from model.setup import Obj
from model.terms import Term, and_
from model.vocabulary import Cause, EventKind, Type, Zone

__all__ = [
    "Cloak",
    "CloakCard",
    "LookAt",
    "LookAtTop",
    "Manifest",
    "ManifestCard",
    "ManifestDread",
    "PutFaceDown",
    "Reveal",
    "RevealTop",
    "TurnDown",
    "TurnUp",
]


class _Top(Effect):
    """The top card of a library, once or several times, one at a time (701.40e)."""

    times: AmountField | None = None
    library: SelectorField | None = None

    def _repeat(self, context: Context) -> int:
        return 1 if self.times is None else self.times.fixed + self.times.per_x * context.x

    def _each(self, context: Context, who: SelectorField, *, cloaked: bool) -> None:
        for _ in range(self._repeat(context)):
            for player, condition in players(context, who):
                owners = [(player, condition)] if self.library is None else players(context, self.library)
                for owner, owns in owners:
                    with context.game.when(and_(condition, owns)) as live:
                        if live:
                            context.results += [
                                (o, and_(condition, owns, made))
                                for o, made in manifest_top(context.game, owner, player, cloaked=cloaked)
                            ]


class Manifest(_Top):
    """A player manifests the top card of a library."""

    verb: ClassVar[str] = "manifest"
    manifest: SelectorField

    def apply(self, context: Context) -> None:
        """Manifest it, as often as asked."""
        self._each(context, self.manifest, cloaked=False)


class Cloak(_Top):
    """A player cloaks the top card of a library."""

    verb: ClassVar[str] = "cloak"
    cloak: SelectorField

    def apply(self, context: Context) -> None:
        """Cloak it, as often as asked."""
        self._each(context, self.cloak, cloaked=True)


class ManifestDread(Effect):
    """A player manifests dread (701.62)."""

    verb: ClassVar[str] = "manifest_dread"
    manifest_dread: SelectorField
    times: AmountField | None = None

    def _repeat(self, context: Context) -> int:
        return 1 if self.times is None else self.times.fixed + self.times.per_x * context.x

    def options(self, peek: Peek, context: Context) -> Sequence[Sequence[Option]]:
        """Which of the two cards is manifested, each time."""
        return [DREAD_OPTIONS] * self._repeat(context)

    def apply(self, context: Context) -> None:
        """Manifest dread, as often as asked."""
        for _ in range(self._repeat(context)):
            choice = context.pick()
            for player, condition in players(context, self.manifest_dread):
                with context.game.when(condition) as live:
                    if live:
                        made, binned = manifest_dread(context.game, player, choice)
                        context.results += [(o, and_(condition, c)) for o, c in made]
                        context.binned += [(o, and_(condition, c)) for o, c in binned]


class ManifestCard(Effect):
    """Manifest particular cards, in the order in which they are named."""

    verb: ClassVar[str] = "manifest_card"
    manifest_card: SelectorField

    def options(self, peek: Peek, context: Context) -> Sequence[Sequence[Option]]:
        """Which card, if one is chosen."""
        return choices(peek, self.manifest_card, context)

    def apply(self, context: Context) -> None:
        """Manifest each."""
        for o, condition in objects(context, self.manifest_card):
            with context.game.when(condition) as live:
                if live:
                    manifest(context.game, o, context.controller)
                    context.results.append((o, condition))


class CloakCard(Effect):
    """Cloak particular cards."""

    verb: ClassVar[str] = "cloak_card"
    cloak_card: SelectorField
    tapped: bool = False

    def options(self, peek: Peek, context: Context) -> Sequence[Sequence[Option]]:
        """Which card, if one is chosen."""
        return choices(peek, self.cloak_card, context)

    def apply(self, context: Context) -> None:
        """Cloak each."""
        for o, condition in objects(context, self.cloak_card):
            with context.game.when(condition) as live:
                if live:
                    cloak(context.game, o, context.controller, tapped=self.tapped)
                    context.results.append((o, condition))


class _Profiled(Effect):
    """An effect that may list the characteristics of what it makes face down (708.2a)."""

    profile: FaceData | None = None

    @cached_property
    def profile_face(self) -> Face | None:
        """The listed characteristics."""
        if self.profile is None:
            return None
        face = self.profile.face(None)
        return Face(
            None,
            None,
            face.types,
            face.supertypes,
            face.subtypes,
            face.colours,
            face.power,
            face.toughness,
            abilities=face.abilities,
            label=f"face-down {self.profile.type}",
        )


class TurnDown(_Profiled):
    """Turn permanents face down."""

    verb: ClassVar[str] = "turn_down"
    turn_down: SelectorField

    def options(self, peek: Peek, context: Context) -> Sequence[Sequence[Option]]:
        """Which permanent, if one is chosen."""
        return choices(peek, self.turn_down, context)

    def apply(self, context: Context) -> None:
        """Turn each face down."""
        for o, condition in objects(context, self.turn_down):
            with context.game.when(condition) as live:
                if live:
                    turn_down(context.game, o, profile=self.profile_face)


class TurnUp(Effect):
    """Turn permanents face up."""

    verb: ClassVar[str] = "turn_up"
    turn_up: SelectorField

    def _affected(self, peek: Peek, context: Context) -> list[Obj]:
        return [o for o in context.targets if isinstance(o, Obj)] or [
            o for o in peek.setup.objects if peek.may_be_face_down(o)
        ]

    def options(self, peek: Peek, context: Context) -> Sequence[Sequence[Option]]:
        """Which permanent, if one is chosen; then what "as turned face up" abilities ask for."""
        affected = self._affected(peek, context)
        combined = [
            Option(
                ", ".join(pick.words for picks in combination for pick in picks if pick.words),
                tuple(zip(affected, combination, strict=True)),
            )
            for combination in itertools.product(*(as_turned_up_options(peek, o, context) for o in affected))
        ]
        return [*choices(peek, self.turn_up, context), combined]

    def apply(self, context: Context) -> None:
        """Turn each face up."""
        meant = objects(context, self.turn_up)
        picks: dict[Obj, tuple[Option, ...]] = dict(context.pick().value)  # type: ignore[call-overload]
        for o, condition in meant:
            with context.game.when(condition) as live:
                if live:
                    turn_up(context.game, o, context.controller, picks.get(o, ()))


class PutFaceDown(_Profiled):
    """Put cards onto the battlefield face down."""

    verb: ClassVar[str] = "put_face_down"
    put_face_down: SelectorField
    under: SelectorField | None = None
    tapped: bool = False
    only: tuple[Type, ...] = ()

    def options(self, peek: Peek, context: Context) -> Sequence[Sequence[Option]]:
        """Which card, if one is chosen."""
        return choices(peek, self.put_face_down, context)

    def apply(self, context: Context) -> None:
        """Put each onto the battlefield face down."""
        for o, condition in objects(context, self.put_face_down):
            if self.only and not set(self.only) & o.card.front.types:
                continue
            profile = self.profile_face or context.game.setup.profiles[0]
            controllers: list[tuple[object, Term]] = [(context.controller, condition)]
            if self.under is not None:
                controllers = [(p, and_(condition, c)) for p, c in players(context, self.under)]
            for player, here in controllers:
                with context.game.when(and_(here, context.game[ZONE, o].isnt(Zone.BATTLEFIELD))) as live:
                    if live:
                        context.game.cite("708.3")
                        enter(context.game, o, player, cause=Cause.PUT_DOWN, profile=profile, tapped=self.tapped)  # type: ignore[arg-type]
                        context.results.append((o, here))


class LookAt(Effect):
    """A player looks at objects once; nobody else does."""

    verb: ClassVar[str] = "look_at_once"
    look_at_once: SelectorField

    def apply(self, context: Context) -> None:
        """Let the controller learn what each is."""
        for o, condition in objects(context, self.look_at_once):
            with context.game.when(condition):
                learn(context.game, context.controller, o)
                context.game.emit(EventKind.LOOKED, o, context.controller)


class Reveal(Effect):
    """Reveal objects to all players."""

    verb: ClassVar[str] = "reveal"
    reveal: SelectorField

    def options(self, peek: Peek, context: Context) -> Sequence[Sequence[Option]]:
        """Which object, if one is chosen."""
        return choices(peek, self.reveal, context)

    def apply(self, context: Context) -> None:
        """Reveal each."""
        for o, condition in objects(context, self.reveal):
            with context.game.when(condition):
                reveal(context.game, o, "701.20a")


class LookAtTop(Effect):
    """A player looks at the top card of the own library."""

    verb: ClassVar[str] = "look_at_top"
    look_at_top: SelectorField

    def apply(self, context: Context) -> None:
        """Let the player learn what it is."""
        for player, condition in players(context, self.look_at_top):
            for o, is_top in from_top(context.game, player, 0):
                with context.game.when(and_(condition, is_top)):
                    learn(context.game, player, o)
                    context.game.emit(EventKind.LOOKED, o, player)


class RevealTop(Effect):
    """A player reveals the top card of the own library."""

    verb: ClassVar[str] = "reveal_top"
    reveal_top: SelectorField

    def apply(self, context: Context) -> None:
        """Reveal it; later instructions can ask what it is."""
        for player, condition in players(context, self.reveal_top):
            for o, is_top in from_top(context.game, player, 0):
                with context.game.when(and_(condition, is_top)):
                    reveal(context.game, o, "701.20a")
                context.results.append((o, and_(condition, is_top)))
