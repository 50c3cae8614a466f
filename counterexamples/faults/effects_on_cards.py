"""Faults of instructions that move cards or speak of spells (608.2c, 701): sacrifice, searching, copies."""

from __future__ import annotations

from typing import Any

from counterexamples.faults.fault import Rule, fault
from model.cards.fields import Amount
from model.cards.phrases import Filter
from model.effects.face_down import PutFaceDown
from model.effects.libraries import Hideaway, Search
from model.effects.selecting import objects
from model.effects.spells import AllowCast, AllowFree, CastFree, CopySpell, Retarget
from model.effects.zones import Discard, Exile, Sacrifice
from model.families import (
    CAUSE,
    COPIED,
    ITEM,
    KNOWN,
    PENDING,
    TARGET,
    ZONE,
)
from model.rules import triggers
from model.rules.zones import move
from model.terms import and_
from model.vocabulary import Cause, EventKind, Marker, Zone

# -- cards ----------------------------------------


@fault(
    "F-sacrifice-of-what-one-owns",
    "EFFECT",
    "own",
    "A player sacrifices what that player owns, whoever controls it.",
    breaks=Sacrifice.apply,
    rules=("701.21a",),
    caught_by=("who-sacrifices-controls-it",),
    on=("effect_sacrifice",),
)
def sacrifice_of_what_one_owns(right: Rule, effect: Sacrifice, context: Any) -> None:
    game = context.game
    for o, condition in objects(context, effect.sacrifice):
        with game.when(and_(condition, game[ZONE, o].is_(Zone.BATTLEFIELD))) as live:
            if live and o.owner is context.controller:
                triggers.notice(game, EventKind.SACRIFICED, o, player=context.controller)
                move(game, o, Zone.GRAVEYARD)


@fault(
    "F-sacrifice-seen-in-the-graveyard",
    "EFFECT",
    "own",
    "What triggers on a sacrifice looks at the card in the graveyard, which is not face down.",
    breaks=Sacrifice.apply,
    rules=("603.10a",),
    caught_by=("sacrifices-are-seen-as-they-were",),
    on=("effect_sacrifice/1",),
)
def sacrifice_seen_in_the_graveyard(right: Rule, effect: Sacrifice, context: Any) -> None:
    game = context.game
    for o, condition in objects(context, effect.sacrifice):
        with game.when(and_(condition, game[ZONE, o].is_(Zone.BATTLEFIELD))) as live:
            if live:
                move(game, o, Zone.GRAVEYARD)
                triggers.notice(game, EventKind.SACRIFICED, o, player=context.controller)


@fault(
    "F-discards-one",
    "EFFECT",
    "own",
    "A player who is told to discard several cards discards one.",
    breaks=Discard.apply,
    rules=("701.9a",),
    caught_by=("discards-as-many-as-told",),
    on=("effect_discard/1",),
)
def discards_one(right: Rule, effect: Discard, context: Any) -> None:
    right(effect.model_copy(update={"discard": Amount(1)}), context)


@fault(
    "F-finds-anything",
    "EFFECT",
    "own",
    "A player who searches a library finds whatever card there is.",
    breaks=Search.apply,
    rules=("701.23a",),
    caught_by=("finds-what-is-searched-for",),
    on=("effect_search",),
)
def finds_anything(right: Rule, effect: Search, context: Any) -> None:
    right(effect.model_copy(update={"search": Filter.parse("card")}), context)


@fault(
    "F-order-outlives-a-search",
    "EFFECT",
    "own",
    "Who knew which card of a library is which knows it after the library was searched, too.",
    breaks=Search.apply,
    rules=("701.23a",),
    caught_by=("nobody-knows-a-searched-library",),
    on=("effect_search/1",),
)
def order_outlives_a_search(right: Rule, effect: Search, context: Any) -> None:
    game = context.game
    known = {(KNOWN, p, o): game[KNOWN, p, o] for p in game.setup.players for o in game.setup.cards()}
    right(effect, context)
    for key, knew in known.items():
        with game.when(knew):
            game[key] = True


@fault(
    "F-hides-any-card",
    "EFFECT",
    "own",
    "Hideaway may exile any card of the library.",
    breaks=Hideaway.apply,
    rules=("702.75a",),
    caught_by=("hides-one-of-the-top-cards",),
    on=("effect_hideaway/1",),
)
def hides_any_card(right: Rule, effect: Hideaway, context: Any) -> None:
    right(effect.model_copy(update={"hideaway": 4}), context)


@fault(
    "F-exiled-with-nothing",
    "EFFECT",
    "own",
    "A card is not known as exiled with what exiled it.",
    breaks=Exile.apply,
    rules=("607.2a",),
    caught_by=("exiled-with-is-remembered",),
    on=("effect_exiled",),
)
def exiled_with_nothing(right: Rule, effect: Exile, context: Any) -> None:
    right(effect.model_copy(update={"linked": False}), context)


@fault(
    "F-anything-is-put-down",
    "EFFECT",
    "own",
    "A card that is put onto the battlefield face down is a creature card whatever it is, since it will be a creature.",
    breaks=PutFaceDown.apply,
    rules=("608.2c", "708.3"),
    caught_by=("only-cards-of-the-types-are-put-down",),
    on=("effect_put_down/1",),
)
def anything_is_put_down(right: Rule, effect: PutFaceDown, context: Any) -> None:
    right(effect.model_copy(update={"only": ()}), context)


# -- spells ----------------------------------------


@fault(
    "F-free-spells-are-face-down",
    "EFFECT",
    "own",
    "A card that is cast without paying its mana cost is cast face down.",
    breaks=CastFree.apply,
    rules=("118.9", "601.2a"),
    caught_by=("cast-without-paying-is-cast",),
    on=("effect_casting/1",),
)
def free_spells_are_face_down(right: Rule, effect: CastFree, context: Any) -> None:
    game = context.game
    right(effect, context)
    for o, condition in objects(context, effect.cast_free):
        with game.when(and_(condition, game[ZONE, o].is_(Zone.STACK))):
            game[CAUSE, o] = Cause.MORPH


@fault(
    "F-free-spells-are-not-seen",
    "EFFECT",
    "own",
    "Casting a card without paying its mana cost triggers nothing.",
    breaks=CastFree.apply,
    rules=("603.2", "601.2a"),
    caught_by=("spells-are-seen-as-cast",),
    on=("effect_casting/1",),
)
def free_spells_are_not_seen(right: Rule, effect: CastFree, context: Any) -> None:
    game = context.game
    waiting = {(PENDING, *key): game[PENDING, *key] for key in game.setup.waiting}
    right(effect, context)
    for key, was in waiting.items():
        game[key] = was


@fault(
    "F-no-permission",
    "EFFECT",
    "own",
    "What may be cast, and for how long, is forgotten at once.",
    breaks=(AllowFree.apply, AllowCast.apply),
    rules=("601.3",),
    caught_by=("permission-to-cast-is-given",),
    on=("effect_casting/2", "effect_casting/3"),
)
def no_permission(right: Rule, effect: Any, context: Any) -> None:
    return


@fault(
    "F-any-new-target",
    "EFFECT",
    "own",
    "A target may be changed to anything there is.",
    breaks=Retarget.apply,
    rules=("115.7a",),
    caught_by=("changed-targets-are-legal",),
    on=("effect_targets",),
)
def any_new_target(right: Rule, effect: Retarget, context: Any) -> None:
    game, new = context.game, context.pick().value
    for place in range(game.setup.bounds.stack):
        for item in game.setup.items:
            if new is not Marker.NONE and item.source is context.targets[effect.change_target.slot]:
                with game.when(game[ITEM, place].is_(item)):
                    game[TARGET, place, 0] = new


@fault(
    "F-copied-spell-shows-the-card",
    "EFFECT",
    "own",
    "The copy of a face-down spell has the values of the hidden card.",
    breaks=CopySpell.apply,
    rules=("707.10", "707.2", "708.2"),
    caught_by=("copy-of-a-spell-shows-what-it-shows",),
    on=("effect_copied_spell",),
)
def copied_spell_shows_the_card(right: Rule, effect: CopySpell, context: Any) -> None:
    game = context.game
    right(effect, context)
    for spell, condition in objects(context, effect.copy_spell):
        for copy in game.setup.tokens_of(effect):
            with game.when(and_(condition, game[ZONE, copy].is_(Zone.STACK))):
                game[COPIED, copy] = spell.card.front
