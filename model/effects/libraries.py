"""Effects on libraries: drawing, milling, searching, looking, and shuffled piles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar, Literal

from model.cards.fields import AmountField, FilterField, SelectorField
from model.characteristics import look
from model.effects.base import Effect
from model.effects.context import Context, Option
from model.effects.selecting import amount_of, objects, players
from model.families import KNOWN, LINKED, ZONE
from model.peek import Peek
from model.rules.drawing import draw
from model.rules.manifesting import cloak, manifest
from model.rules.revealing import reveal
from model.rules.zones import enter, from_top, move, move_all, put_on_top
from model.setup import Obj
from model.terms import and_, const, not_, or_
from model.vocabulary import EventKind, Zone

__all__ = ["Draw", "Mill", "Pile", "PutOnLibrary", "Search", "Surveil", "TakeTop"]


_MOST_DRAWN = 20
"""How many cards one effect draws at most."""


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
        wanted = amount_of(context, self.draw)
        for player, condition in who:
            for n in range(min(wanted.high, _MOST_DRAWN)):
                with context.game.when(and_(condition, wanted > n)) as live:
                    if live:
                        draw(context.game, player)
        context.game.exceed(wanted > _MOST_DRAWN)


class Mill(Effect):
    """Put cards from the top of a library into the graveyard (701.17a)."""

    verb: ClassVar[str] = "mill"
    mill: AmountField
    player: SelectorField | None = None

    def apply(self, context: Context) -> None:
        """Mill them at once."""
        who = players(context, self.player) if self.player is not None else [(context.controller, and_())]
        for player, condition in who:
            number = self.mill.fixed + self.mill.per_x * context.x
            group = [
                (o, and_(condition, c)) for place in range(number) for o, c in from_top(context.game, player, place)
            ]
            move_all(context.game, group, Zone.GRAVEYARD)
            context.results += group


class Search(Effect):
    """A player searches the own library for a card (701.23) and shuffles.

    What is on top after the shuffle is one of the choices; the rest keeps its order, which nobody knows.
    """

    verb: ClassVar[str] = "search"
    search: FilterField
    to: Literal["hand", "battlefield", "graveyard"] = "hand"
    tapped: bool = False
    reveal: bool = False

    def options(self, peek: Peek, context: Context) -> Sequence[Sequence[Option]]:
        """Which card is found, if any."""
        there = [o for o in peek.setup.cards() if peek.may_be_in(o, Zone.LIBRARY) and o.owner is context.controller]
        return [[*(Option(f"finding {o}", o) for o in there), Option("finding nothing", None)]]

    def apply(self, context: Context) -> None:
        """Find it and put it where it goes."""
        game, found = context.game, context.pick().value
        game.cite("701.23a")
        for o in game.setup.cards():
            if o.owner is context.controller:
                with game.when(game[ZONE, o].is_(Zone.LIBRARY)):
                    for p in game.setup.players:
                        game[KNOWN, p, o] = False
        if not isinstance(found, Obj):
            return
        you = const(game.setup.player_sort, context.controller)
        wanted = replace(self.search, zone=Zone.LIBRARY)
        game.require(look(game).matches(found, wanted, you, context.source), f"{found} can be found", "701.23a")
        if self.reveal:
            reveal(game, found, "701.20a")
        if self.to == "battlefield":
            enter(game, found, context.controller, tapped=self.tapped)
        else:
            move(game, found, Zone(self.to))
        context.results.append((found, and_()))


class Surveil(Effect):
    """A player surveils (701.25) or scries (701.22): looks at cards and puts any of them elsewhere."""

    verb: ClassVar[str] = "surveil"
    surveil: int
    bottom: bool = False

    def options(self, peek: Peek, context: Context) -> Sequence[Sequence[Option]]:
        """For each card from the top, whether it stays."""
        away = "on the bottom" if self.bottom else "in the graveyard"
        return [
            [Option(f"card {i + 1} stays", False), Option(f"card {i + 1} {away}", True)] for i in range(self.surveil)
        ]

    def apply(self, context: Context) -> None:
        """Look, then put the cards that were chosen away."""
        game = context.game
        tops = [from_top(game, context.controller, place) for place in range(self.surveil)]
        picks = [bool(context.pick().value) for _ in tops]
        for top, away in zip(tops, picks, strict=True):
            for o, here in top:
                with game.when(here) as live:
                    if live:
                        game[KNOWN, context.controller, o] = True
                        game.emit(EventKind.LOOKED, o, context.controller)
                        if away and self.bottom:
                            put_on_top(game, o, bottom=True)
                        elif away:
                            move(game, o, Zone.GRAVEYARD)


class Pile(Effect):
    """Exile cards in a face-down pile, shuffle it, and manifest or cloak them; nobody knows which is which."""

    verb: ClassVar[str] = "pile"
    pile: tuple[SelectorField, ...]
    top_cards: int = 0
    how: Literal["manifest", "cloak"] = "manifest"
    tapped: bool = False
    any_number: bool = False

    def options(self, peek: Peek, context: Context) -> Sequence[Sequence[Option]]:
        """For each permanent that may be meant, whether it is, where any number may be chosen."""
        if not self.any_number:
            return ()
        there = [o for o in peek.setup.objects if peek.may_be_in(o, Zone.BATTLEFIELD)]
        return [[Option(f"hiding {o}", o), Option(f"leaving {o}", None)] for o in there]

    def apply(self, context: Context) -> None:
        """Exile, forget, and put down."""
        game = context.game
        group = [pair for selector in self.pile for pair in objects(context, selector)]
        if self.any_number:
            chosen = {option.value for option in context.picks if option.words.startswith(("hiding", "leaving"))}
            group = [(o, condition) for o, condition in group if o in chosen]
        group += [pair for place in range(self.top_cards) for pair in from_top(game, context.controller, place)]
        move_all(game, group, Zone.EXILE, hidden=True)
        put = cloak if self.how == "cloak" else manifest
        for o, condition in group:
            with game.when(and_(condition, game[ZONE, o].is_(Zone.EXILE))) as live:
                if live:
                    for p in game.setup.players:
                        game[KNOWN, p, o] = False
                    put(game, o, context.controller, tapped=self.tapped)
                    context.results.append((o, condition))


class TakeTop(Effect):
    """What the next instructions mean by "those": the top cards of a library."""

    verb: ClassVar[str] = "take_top"
    take_top: int
    library: SelectorField | None = None

    def apply(self, context: Context) -> None:
        """Note them; nothing moves."""
        who = players(context, self.library) if self.library is not None else [(context.controller, and_())]
        for player, condition in who:
            for place in range(self.take_top):
                context.results += [(o, and_(condition, c)) for o, c in from_top(context.game, player, place)]


class Hideaway(Effect):
    """Look at cards from the top, exile one face down, and put the rest on the bottom (702.75a)."""

    verb: ClassVar[str] = "hideaway"
    hideaway: int

    def options(self, peek: Peek, context: Context) -> Sequence[Sequence[Option]]:
        """Which card is hidden."""
        there = [o for o in peek.setup.cards() if o.owner is context.controller and peek.may_be_in(o, Zone.LIBRARY)]
        return [[*(Option(f"hiding {o}", o) for o in there), Option("hiding nothing", None)]]

    def apply(self, context: Context) -> None:
        """Hide it."""
        game, hidden = context.game, context.pick().value
        game.cite("702.75a")
        looked = [pair for place in range(self.hideaway) for pair in from_top(game, context.controller, place)]
        for o, here in looked:
            with game.when(here):
                game[KNOWN, context.controller, o] = True
                game.emit(EventKind.LOOKED, o, context.controller)
        seen = or_(*(here for o, here in looked if o is hidden))
        nothing = not_(or_(*(here for _, here in looked)))
        chosen = seen if isinstance(hidden, Obj) else nothing
        game.require(chosen, "the hidden card is among those looked at", "702.75a")
        for o, here in looked:
            with game.when(here) as live:
                if live and o is hidden:
                    move_all(game, [(o, here)], Zone.EXILE, hidden=True)
                    game[LINKED, o] = context.source
                elif live:
                    put_on_top(game, o, bottom=True)
