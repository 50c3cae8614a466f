"""Effects that move objects between zones."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import ClassVar, Literal

from model.cards.fields import AmountField, FilterField, SelectorField
from model.characteristics import look
from model.effects.base import Context, Effect, Option
from model.effects.selecting import choices, objects, players
from model.families import ACTIVE, BANNED, BANNED_UNTIL, BY, FREE, ITEM, KNOWN, LINKED, PERMITTED, TARGET, ZONE
from model.peek import Peek
from model.rules.drawing import draw
from model.rules.manifesting import cloak, manifest
from model.rules.revealing import make_public, reveal
from model.rules.stack import counter, push
from model.rules.targeting import choose_targets, is_legal
from model.rules.triggers import notice
from model.rules.zones import become_new_object, enter, from_top, move, move_all, put_on_top
from model.setup import Obj, Player
from model.state import State
from model.terms import FALSE, Term, and_, const, ite, not_, number, or_
from model.vocabulary import EventKind, Keyword, Marker, Type, Zone

__all__ = ["AllowCast", "Bounce", "CounterSpell", "Destroy", "Draw", "Exile", "Mill", "PutOnLibrary", "PutOntoBattlefield",
           "Sacrifice", "ToGraveyard"]


_MOST_DRAWN = 20
"""How many cards one effect draws at most."""


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
        wanted = context.amount(self.draw)
        for player, condition in who:
            for n in range(min(wanted.high, _MOST_DRAWN)):
                with context.game.when(and_(condition, wanted > n)) as live:
                    if live:
                        draw(context.game, player)
        context.game.exceed(wanted > _MOST_DRAWN)


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
            group = [(o, and_(condition, c)) for place in range(number)
                     for o, c in from_top(context.game, player, place)]
            move_all(context.game, group, Zone.GRAVEYARD)
            context.results += group




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


class Discard(Effect):
    """A player discards cards (701.9), of the player's choice, or the whole hand."""

    verb: ClassVar[str] = "discard"
    discard: AmountField | Literal["hand"]
    player: SelectorField | None = None

    def _number(self, context: Context) -> int:
        return 0 if self.discard == "hand" else self.discard.fixed + self.discard.per_x * context.x  # type: ignore[union-attr]

    def options(self, peek: Peek, context: Context) -> Sequence[Sequence[Option]]:
        """Which cards, one after another."""
        # A card that an earlier instruction draws comes from a library.
        held = [Option(f"discarding {o}", o) for o in peek.setup.cards()
                if peek.may_be_in(o, Zone.HAND) or peek.may_be_in(o, Zone.LIBRARY)]
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
        return [[Option(f"card {i + 1} stays", False), Option(f"card {i + 1} {away}", True)] for i in range(self.surveil)]

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
                        if away and self.bottom:
                            put_on_top(game, o, bottom=True)
                        elif away:
                            move(game, o, Zone.GRAVEYARD)


class Retarget(Effect):
    """Change the target of a spell or ability with a single target (115.7)."""

    verb: ClassVar[str] = "change_target"
    change_target: SelectorField

    def options(self, peek: Peek, context: Context) -> Sequence[Sequence[Option]]:
        """The new target."""
        targets = [o for o in peek.setup.objects if peek.may_be_in(o, Zone.BATTLEFIELD) or peek.may_be_in(o, Zone.STACK)]
        return [[*(Option(f"choosing {t}", t) for t in (*targets, *peek.setup.players)),
                 Option("choosing nothing", Marker.NONE)]]

    def apply(self, context: Context) -> None:
        """Change it where the new target is legal for what stands there."""
        from model.rules.resolving import specs_of

        game, new = context.game, context.pick().value
        what = context.targets[self.change_target.slot]
        if new is Marker.NONE:
            return
        game.cite("115.7a")
        for place in range(game.setup.bounds.stack):
            for item in game.setup.items:
                here = game[ITEM, place].is_(item)
                if here is FALSE or not (item is what or (item.ability is None and item.source is what)):
                    continue
                specs, _ = specs_of(item)
                if len(specs) != 1:
                    continue
                for p in game.setup.players:
                    with game.when(and_(here, game[BY, place].is_(p))) as live:
                        if live:
                            legal = is_legal(game, specs[0], new, p, item.source)
                            game.require(legal, f"{new} is a legal target for {item}", "115.7a")
                            game[TARGET, place, 0] = new


class Pile(Effect):
    """Exile cards in a face-down pile, shuffle it, and manifest or cloak them: nobody knows which is which (701.40e)."""

    verb: ClassVar[str] = "pile"
    pile: tuple[SelectorField, ...]
    top_cards: int = 0
    how: Literal["manifest", "cloak"] = "manifest"
    tapped: bool = False

    def apply(self, context: Context) -> None:
        """Exile, forget, and put down."""
        game = context.game
        group = [pair for selector in self.pile for pair in objects(context, selector)]
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


class CastFree(Effect):
    """The controller of the effect casts a card without paying its mana cost (118.9), X being 0."""

    verb: ClassVar[str] = "cast_free"
    cast_free: SelectorField

    def options(self, peek: Peek, context: Context) -> Sequence[Sequence[Option]]:
        """Which card, if one is chosen; then what its spell targets."""
        targets: list[Hashable] = [o for o in peek.setup.objects if peek.may_be_in(o, Zone.BATTLEFIELD)]
        asked = [*(Option(f"choosing {t}", t) for t in (*targets, *peek.setup.players)), Option("", Marker.NONE)]
        return [*choices(peek, self.cast_free, context), [Option("", Marker.NONE), *asked[:-1]]]

    def apply(self, context: Context) -> None:
        """Put it on the stack."""
        from model.rules.casting import spell_targets

        game = context.game
        meant = objects(context, self.cast_free)
        target = context.pick().value
        for o, condition in meant:
            with game.when(condition) as live:
                if not live or Type.LAND in o.card.front.types:
                    continue
                item = game.setup.spells(o)[0]
                specs, up_to = spell_targets(item)
                aims = (target,) if specs and target is not Marker.NONE else ()
                if specs and not aims and not up_to:
                    continue
                become_new_object(game, o)
                game[ZONE, o] = Zone.STACK
                make_public(game, o)
                choose_targets(game, specs[:1], aims, context.controller, o, o)
                push(game, item, context.controller, targets=aims)
                game.cite("118.9")
                notice(game, EventKind.CAST, o, player=context.controller)


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


class AllowFree(Effect):
    """The controller of the effect may cast cards without paying their mana costs for as long as they stay there."""

    verb: ClassVar[str] = "allow_free"
    allow_free: SelectorField

    def apply(self, context: Context) -> None:
        """Permit it."""
        for o, condition in objects(context, self.allow_free):
            with context.game.when(condition):
                context.game.cite("601.3", "118.9")
                context.game[FREE, context.controller, o] = True


class BanName(Effect):
    """The owner of an object cannot cast spells with its name until the controller's next turn."""

    verb: ClassVar[str] = "ban_name"
    ban_name: SelectorField

    def apply(self, context: Context) -> None:
        """Forbid the name that it has now; without a name nothing is forbidden (201.2a)."""
        game = context.game
        for o, condition in objects(context, self.ban_name):
            with game.when(condition) as live:
                if live:
                    game[BANNED, o.owner] = look(game).name(o)
                    game[BANNED_UNTIL, o.owner] = context.controller
