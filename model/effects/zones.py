"""Effects that move objects between zones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

from model.cards.fields import AmountField, SelectorField
from model.characteristics import look
from model.effects.base import Context, Effect, Option
from model.effects.selecting import choices, objects, players
from model.families import ACTIVE, PERMITTED, ZONE
from model.peek import Peek
from model.rules.drawing import draw
from model.rules.stack import counter
from model.rules.triggers import notice
from model.rules.zones import enter, from_top, move, move_all, put_on_top
from model.terms import Term, and_, ite, not_, number
from model.vocabulary import EventKind, Keyword, Zone

__all__ = ["AllowCast", "Bounce", "CounterSpell", "Destroy", "Draw", "Exile", "Mill", "PutOnLibrary", "PutOntoBattlefield",
           "Sacrifice", "ToGraveyard"]


class Destroy(Effect):
    """Destroy permanents (701.8)."""

    verb: ClassVar[str] = "destroy"
    destroy: SelectorField

    def apply(self, context: Context) -> None:
        """Destroy all at once; what is indestructible stays."""
        derived = look(context.game)
        context.game.cite("701.8a")
        group = [(o, and_(condition, context.game[ZONE, o].is_(Zone.BATTLEFIELD),
                          not_(derived.has_keyword(o, Keyword.INDESTRUCTIBLE))))
                 for o, condition in objects(context, self.destroy)]
        move_all(context.game, group, Zone.GRAVEYARD)


class _Moves(Effect):
    """Objects that move to one zone at once."""

    def _move(self, context: Context, selector: SelectorField, zone: Zone) -> None:
        group = objects(context, selector)
        move_all(context.game, group, zone)
        context.results += group


class Exile(_Moves):
    """Exile objects (701.13)."""

    verb: ClassVar[str] = "exile"
    exile: SelectorField

    def options(self, peek: Peek, context: Context) -> Sequence[Sequence[Option]]:
        """Which object, if one is chosen."""
        return choices(peek, self.exile, context)

    def apply(self, context: Context) -> None:
        """Exile all at once."""
        context.game.cite("701.13a")
        self._move(context, self.exile, Zone.EXILE)


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


class CounterSpell(Effect):
    """Counter spells or abilities (701.6)."""

    verb: ClassVar[str] = "counter"
    counter: SelectorField
    to: Literal["graveyard", "hand", "exile"] = "graveyard"

    def apply(self, context: Context) -> None:
        """Counter the target if it is still legal."""
        target = context.targets[self.counter.slot]
        with context.game.when(context.legality(self.counter.slot)) as live:
            if live:
                counter(context.game, target, Zone(self.to))


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
            mine = and_(condition, game[ZONE, o].is_(Zone.BATTLEFIELD), look(game).controller(o).is_(context.controller))
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

    def options(self, peek: Peek, context: Context) -> Sequence[Sequence[Option]]:
        """Which card, if one is chosen."""
        return choices(peek, self.put_onto_battlefield, context)

    def apply(self, context: Context) -> None:
        """Put each onto the battlefield; instant and sorcery cards stay where they are (400.4a)."""
        for o, condition in objects(context, self.put_onto_battlefield):
            for player, is_player in self._controllers(context, o):
                with context.game.when(and_(condition, is_player)) as live:
                    if live:
                        enter(context.game, o, player, tapped=self.tapped)
                        context.results.append((o, and_(condition, is_player)))

    def _controllers(self, context: Context, o: object) -> list[tuple[object, Term]]:
        return players(context, self.under) if self.under is not None else [(context.controller, _true())]  # type: ignore[return-value]


def _true() -> Term:
    return and_()


class PutOnLibrary(Effect):
    """Put objects on top, or on the bottom, of their owners' libraries."""

    verb: ClassVar[str] = "put_on_library"
    put_on_library: SelectorField
    bottom: bool = False

    def apply(self, context: Context) -> None:
        """Put each there, in order."""
        for o, condition in objects(context, self.put_on_library):
            with context.game.when(condition) as live:
                if live:
                    put_on_top(context.game, o, bottom=self.bottom)


class Draw(Effect):
    """Draw cards (121)."""

    verb: ClassVar[str] = "draw"
    draw: AmountField
    player: SelectorField | None = None

    def apply(self, context: Context) -> None:
        """Draw them one at a time."""
        who = players(context, self.player) if self.player is not None else [(context.controller, and_())]
        for player, condition in who:
            for _ in range(self.draw.fixed + self.draw.per_x * context.x):
                with context.game.when(condition) as live:
                    if live:
                        draw(context.game, player)


class Mill(Effect):
    """Put cards from the top of a library into the graveyard (701.17)."""

    verb: ClassVar[str] = "mill"
    mill: AmountField
    player: SelectorField | None = None

    def apply(self, context: Context) -> None:
        """Mill them at once."""
        who = players(context, self.player) if self.player is not None else [(context.controller, and_())]
        for player, condition in who:
            number = self.mill.fixed + self.mill.per_x * context.x
            group = [(o, and_(condition, c)) for place in range(number) for o, c in from_top(context.game, player, place)]
            move_all(context.game, group, Zone.GRAVEYARD)




class AllowCast(Effect):
    """The controller of the effect may cast cards from where they are until the end of that player's next turn."""

    verb: ClassVar[str] = "allow_cast"
    allow_cast: SelectorField

    def apply(self, context: Context) -> None:
        """Permit it: through this turn and the next, if this turn is the player's own."""
        game, player = context.game, context.controller
        lasts = ite(game[ACTIVE,].is_(player), number(2), number(1))
        for o, condition in objects(context, self.allow_cast):
            with game.when(condition):
                game.cite("601.3")
                game[PERMITTED, player, o] = lasts
