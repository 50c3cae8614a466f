"""Effects that move objects between zones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

from model.cards.fields import AmountField, SelectorField
from model.characteristics import look
from model.effects.base import Effect
from model.effects.context import Context, Option
from model.effects.selecting import choices, objects, players
from model.families import LINKED, ZONE
from model.peek import Peek
from model.rules.triggers import notice
from model.rules.zones import enter, move, move_all
from model.setup import Obj, Player
from model.state import State
from model.terms import FALSE, Term, and_, not_, or_
from model.vocabulary import EventKind, Keyword, Type, Zone

__all__ = ["Bounce", "Destroy", "Discard", "Exile", "PutOntoBattlefield", "Sacrifice", "ToGraveyard"]


class Destroy(Effect):
    """Destroy permanents (701.8)."""

    verb: ClassVar[str] = "destroy"
    destroy: SelectorField

    def apply(self, context: Context) -> None:
        """Destroy all at once; what is indestructible stays."""
        derived = look(context.game)
        context.game.cite("701.8a")
        group = [
            (
                o,
                and_(
                    condition,
                    context.game[ZONE, o].is_(Zone.BATTLEFIELD),
                    not_(derived.has_keyword(o, Keyword.INDESTRUCTIBLE)),
                ),
            )
            for o, condition in objects(context, self.destroy)
        ]
        move_all(context.game, group, Zone.GRAVEYARD)


class _Moves(Effect):
    """Objects that move to one zone at once."""

    def _move(self, context: Context, selector: SelectorField, zone: Zone) -> None:
        group = objects(context, selector)
        move_all(context.game, group, zone)
        context.results += group


class Exile(_Moves):
    """Exile objects (701.13), for a linked ability to find again (607.2a) or face down (406.3)."""

    verb: ClassVar[str] = "exile"
    exile: SelectorField
    linked: bool = False
    face_down: bool = False

    def options(self, peek: Peek, context: Context) -> Sequence[Sequence[Option]]:
        """Which object, if one is chosen."""
        return choices(peek, self.exile, context)

    def apply(self, context: Context) -> None:
        """Exile all at once."""
        game = context.game
        game.cite("701.13a")
        group = objects(context, self.exile)
        move_all(game, group, Zone.EXILE, hidden=self.face_down)
        context.results += group
        if self.linked:
            for o, condition in group:
                with game.when(and_(condition, game[ZONE, o].is_(Zone.EXILE))):
                    game[LINKED, o] = context.source


class Bounce(_Moves):
    """Return objects to their owners' hands."""

    verb: ClassVar[str] = "return_to_hand"
    return_to_hand: SelectorField

    def options(self, peek: Peek, context: Context) -> Sequence[Sequence[Option]]:
        """Which object, if one is chosen."""
        return choices(peek, self.return_to_hand, context)

    def apply(self, context: Context) -> None:
        """Return all at once."""
        self._move(context, self.return_to_hand, Zone.HAND)


class ToGraveyard(_Moves):
    """Put objects into their owners' graveyards."""

    verb: ClassVar[str] = "put_into_graveyard"
    put_into_graveyard: SelectorField

    def apply(self, context: Context) -> None:
        """Put all there at once."""
        self._move(context, self.put_into_graveyard, Zone.GRAVEYARD)


class Sacrifice(Effect):
    """A player sacrifices a permanent (701.21)."""

    verb: ClassVar[str] = "sacrifice"
    sacrifice: SelectorField

    def options(self, peek: Peek, context: Context) -> Sequence[Sequence[Option]]:
        """Which permanent, if one is chosen."""
        return choices(peek, self.sacrifice, context)

    def apply(self, context: Context) -> None:
        """Sacrifice what the controller of the effect controls of it."""
        game = context.game
        game.cite("701.21a")
        for o, condition in objects(context, self.sacrifice):
            mine = and_(
                condition, game[ZONE, o].is_(Zone.BATTLEFIELD), look(game).controller(o).is_(context.controller)
            )
            with game.when(mine) as live:
                if live:
                    notice(game, EventKind.SACRIFICED, o, player=context.controller)
                    move(game, o, Zone.GRAVEYARD)


class PutOntoBattlefield(Effect):
    """Put cards onto the battlefield face up."""

    verb: ClassVar[str] = "put_onto_battlefield"
    put_onto_battlefield: SelectorField
    under: SelectorField | None = None
    tapped: bool = False
    only: tuple[Type, ...] = ()

    def options(self, peek: Peek, context: Context) -> Sequence[Sequence[Option]]:
        """Which card, if one is chosen."""
        return choices(peek, self.put_onto_battlefield, context)

    def apply(self, context: Context) -> None:
        """Put each onto the battlefield; instant and sorcery cards stay where they are (400.4a)."""
        for o, condition in objects(context, self.put_onto_battlefield):
            if self.only and not set(self.only) & o.card.front.types:
                continue
            for player, is_player in self._controllers(context, o):
                with context.game.when(and_(condition, is_player)) as live:
                    if live:
                        enter(context.game, o, player, tapped=self.tapped)
                        context.results.append((o, and_(condition, is_player)))

    def _controllers(self, context: Context, o: object) -> list[tuple[Player, Term]]:
        return players(context, self.under) if self.under is not None else [(context.controller, _true())]


def _true() -> Term:
    return and_()


class Discard(Effect):
    """A player discards cards (701.9), of the player's choice, or the whole hand."""

    verb: ClassVar[str] = "discard"
    discard: AmountField | Literal["hand"]
    player: SelectorField | None = None

    def _number(self, context: Context) -> int:
        return 0 if self.discard == "hand" else self.discard.fixed + self.discard.per_x * context.x

    def options(self, peek: Peek, context: Context) -> Sequence[Sequence[Option]]:
        """Which cards, one after another."""
        # A card that an earlier instruction draws comes from a library.
        held = [
            Option(f"discarding {o}", o)
            for o in peek.setup.cards()
            if peek.may_be_in(o, Zone.HAND) or peek.may_be_in(o, Zone.LIBRARY)
        ]
        return [[*held, Option("discarding nothing", None)]] * self._number(context)

    def apply(self, context: Context) -> None:
        """Discard them."""
        game = context.game
        who = players(context, self.player) if self.player is not None else [(context.controller, and_())]
        chosen = [context.pick().value for _ in range(self._number(context))]
        for player, condition in who:
            with game.when(condition) as live:
                if not live:
                    continue
                if self.discard == "hand":
                    chosen = [o for o in game.setup.cards() if o.owner is player]
                for o in chosen:
                    self._one(game, player, o, whole=self.discard == "hand")

    def _one(self, game: State, player: Player, o: object, *, whole: bool) -> None:
        hand = [c for c in game.setup.cards() if c.owner is player]
        if not isinstance(o, Obj):
            game.require(not_(or_(*(game[ZONE, c].is_(Zone.HAND) for c in hand))), "the hand is empty", "701.9a")
            return
        held = game[ZONE, o].is_(Zone.HAND) if o.owner is player else FALSE
        if not whole:
            game.require(held, f"{o} is in {player}'s hand", "701.9a")
        with game.when(held) as live:
            if live:
                game.cite("701.9a")
                notice(game, EventKind.DISCARDED, o, player=player)
                move(game, o, Zone.GRAVEYARD)
