"""Faults of looking, learning and what is public (708.5, 708.6, 406.3)."""

from __future__ import annotations

from typing import Any

from counterexamples.faults.fault import Rule, fault
from model.effects.zones import Exile
from model.families import CAUSE, HIDDEN, PRIORITY, ZONE
from model.rules import manifesting, revealing
from model.rules.revealing import make_public
from model.setup import Obj, Player
from model.state import State
from model.terms import FALSE, Term, and_, or_
from model.vocabulary import Cause, Zone

# -- public reports ----------------------------------------


@fault(
    "BR-95",
    "HIDE",
    "magarena/magarena issues 214 and 215",
    "Pointing at a face-down creature shows every player which card it is.",
    breaks=revealing.may_look,
    rules=("708.5",),
    caught_by=("nobody-else-may-look",),
    on=("S13",),
)
def everybody_may_look(right: Rule, game: State, player: Player, o: Obj) -> Term:
    return or_(*(right(game, p, o) for p in game.setup.players))


@fault(
    "BR-100",
    "HIDE",
    "Card-Forge/forge issue 8733",
    "A manifested card of two halves is shown face up to everybody.",
    breaks=manifesting.manifest,
    rules=("708.5", "708.2a"),
    caught_by=("learned-only-by-right",),
    on=("halves",),
)
def halves_are_shown(right: Rule, game: State, o: Obj, player: Player, **kwargs: Any) -> None:
    right(game, o, player, **kwargs)
    if o.card.halves:
        make_public(game, o)


@fault(
    "BR-114",
    "EXILE",
    "PennyDreadfulMTG/modo-bugs issue 788",
    "Split cards that are exiled face down are shown to all players.",
    breaks=Exile.apply,
    rules=("406.3",),
    caught_by=("exiled-face-down-is-hidden",),
    on=("exiled_face_down",),
)
def split_cards_are_shown(right: Rule, effect: Exile, context: Any) -> None:
    right(effect, context)
    for o, condition in context.results:
        if o.card.halves:
            with context.game.when(and_(condition, context.game[HIDDEN, o])):
                make_public(context.game, o)


# -- our own ----------------------------------------


@fault(
    "F-look-needs-priority",
    "LOOK",
    "own",
    "A player may look at face-down objects only while holding priority.",
    breaks=revealing.may_look,
    rules=("708.5",),
    caught_by=("controller-may-look", "looked-without-priority"),
    on=("S13/1",),
)
def look_needs_priority(right: Rule, game: State, player: Player, o: Obj) -> Term:
    return and_(right(game, player, o), game[PRIORITY,].is_(player))


@fault(
    "F-spells-are-not-looked-at",
    "LOOK",
    "own",
    "A player may not look at the player's own face-down spells.",
    breaks=revealing.may_look,
    rules=("708.5",),
    caught_by=("controller-may-look", "looked-at-a-spell"),
    on=("S13/1",),
)
def spells_are_not_looked_at(right: Rule, game: State, player: Player, o: Obj) -> Term:
    return and_(right(game, player, o), game[ZONE, o].isnt(Zone.STACK))


@fault(
    "F-permission-is-void",
    "LOOK",
    "own",
    "Effects that let a player look at other face-down creatures do nothing.",
    breaks=revealing._permitted,
    rules=("708.5",),
    caught_by=("looked-by-permission",),
    on=("S13/2",),
)
def permission_is_void(right: Rule, *args: Any) -> Term:
    return FALSE


@fault(
    "F-looking-shows",
    "HIDE",
    "own",
    "Looking at a face-down object shows it to everybody.",
    breaks=revealing.learn,
    rules=("708.5",),
    caught_by=("looking-changes-nothing-else",),
    on=("S13/1",),
)
def looking_shows(right: Rule, game: State, player: Player, o: Obj) -> None:
    right(game, player, o)
    with game.when(game[CAUSE, o].isnt(Cause.NONE)):
        for p in game.setup.players:
            right(game, p, o)


@fault(
    "F-manifested-in-the-open",
    "HIDE",
    "own",
    "Everybody sees which card is manifested.",
    breaks=manifesting.manifest,
    rules=("708.5", "701.20a"),
    caught_by=("learned-only-by-right",),
    on=("S13/1",),
)
def manifested_in_the_open(right: Rule, game: State, o: Obj, player: Player, **kwargs: Any) -> None:
    right(game, o, player, **kwargs)
    make_public(game, o)
