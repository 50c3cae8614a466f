"""Effects on spells: countering, casting, permissions to cast, and changed targets."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import cached_property
from typing import ClassVar, Literal

from model.cards.abilities import Attach
from model.cards.card import COPIED_SPELL, Card, CardData, Face
from model.cards.fields import SelectorField
from model.characteristics import look
from model.effects.base import Effect
from model.effects.context import Context, Option
from model.effects.selecting import choices, objects
from model.families import ACTIVE, BANNED, BANNED_UNTIL, BY, CONTROLLER, COPIED, FREE, ITEM, PERMITTED, TARGET, ZONE
from model.peek import Peek
from model.rules.casting import specs_of, spell_targets
from model.rules.revealing import make_public
from model.rules.stack import counter, push
from model.rules.targeting import choose_targets, is_legal
from model.rules.triggers import notice
from model.rules.zones import become_new_object
from model.terms import FALSE, Term, and_, ite, not_, number, or_
from model.vocabulary import EventKind, Marker, Type, Zone

__all__ = ["AllowCast", "AllowFree", "BanName", "CastFree", "CopySpell", "CounterSpell", "Retarget"]


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


class CopySpell(Effect):
    """Copy a permanent spell (707.10): what resolves of the copy is a token (707.10f, 111.13).

    Copies of instants, of sorceries, and of spells with a target or with X are left out, and counted as such.
    """

    verb: ClassVar[str] = "copy_spell"
    copies: ClassVar[bool] = True
    most: ClassVar[int] = 1
    copy_spell: SelectorField

    @cached_property
    def card(self) -> Card:
        """What the copy is made as, until it takes the copiable values of the spell."""
        blank = CardData(type="Creature", pt="0/0")
        return Card("copy of a spell", blank.face(None), COPIED_SPELL)

    def apply(self, context: Context) -> None:
        """Put a copy on the stack; the status is no copiable value, so it is face up (707.2, 110.5d)."""
        game = context.game
        for spell, condition in objects(context, self.copy_spell):
            cases = look(game).cases(spell)
            taken: Term = FALSE
            for o in game.setup.tokens_of(self):
                free = game[ZONE, o].is_(Zone.OUTSIDE)
                with game.when(and_(condition, free, not_(taken))) as live:
                    if live:
                        game.cite("707.10")
                        become_new_object(game, o)
                        game[ZONE, o] = Zone.STACK
                        game[CONTROLLER, o] = context.controller
                        for case, face in cases:
                            with game.when(case):
                                game[COPIED, o] = face
                            if not _stands_alone(face):
                                game.exceed(case)
                        push(game, game.setup.spells(o)[0], context.controller)
                taken = or_(taken, free)
            game.exceed(and_(condition, not_(taken)))


def _stands_alone(face: Face) -> bool:
    aimed = any(isinstance(ability, Attach) for ability in face.abilities)
    return face.is_permanent_card and not aimed and (face.cost is None or face.cost.x_count == 0)


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


class Retarget(Effect):
    """Change the target of a spell or ability with a single target (115.7)."""

    verb: ClassVar[str] = "change_target"
    change_target: SelectorField

    def options(self, peek: Peek, context: Context) -> Sequence[Sequence[Option]]:
        """The new target."""
        targets = [
            o for o in peek.setup.objects if peek.may_be_in(o, Zone.BATTLEFIELD) or peek.may_be_in(o, Zone.STACK)
        ]
        return [
            [
                *(Option(f"choosing {t}", t) for t in (*targets, *peek.setup.players)),
                Option("choosing nothing", Marker.NONE),
            ]
        ]

    def apply(self, context: Context) -> None:
        """Change it where the new target is legal for what stands there."""
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
                            itself = item.ability is None and new is item.source  # nothing targets itself (115.5)
                            legal = FALSE if itself else is_legal(game, specs[0], new, p, item.source)
                            game.require(legal, f"{new} is a legal target for {item}", "115.7a")
                            game[TARGET, place, 0] = new


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
