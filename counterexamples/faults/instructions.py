"""Faults of instructions that meet face-down objects (608.2): who is reached, what is copied, what pays."""

from __future__ import annotations

from typing import Any

from counterexamples.faults.fault import Rule, fault
from model import matching
from model.characteristics import Look
from model.effects.continuous import BecomeCopy
from model.effects.face_down import PutFaceDown
from model.effects.selecting import objects
from model.effects.zones import Exile
from model.families import CAUSE, COPIED, HAPPENED, ZONE
from model.rules import revealing, turning
from model.rules.zones import enter
from model.setup import Obj, Player
from model.state import State
from model.terms import FALSE, Term, and_, not_
from model.vocabulary import Cause, Type, Zone


@fault(
    "BR-12",
    "MASK",
    "MTGO forum thread 2088",
    "An effect that exiles its target and whatever shares a name with it does not exile a face-down creature at all.",
    breaks=Exile.apply,
    rules=("608.2", "201.2a", "708.2a"),
    caught_by=("instructions-reach-face-down-targets",),
    on=("S20",),
)
def nameless_targets_stay(right: Rule, effect: Exile, context: Any) -> None:
    game = context.game
    down = [game[CAUSE, o].isnt(Cause.NONE) for o, _ in objects(context, effect.exile)]
    with game.when(and_(*(not_(d) for d in down))):
        right(effect, context)


@fault(
    "BR-15",
    "COPY",
    "magefree/mage issue 3582",
    "A copy of a creature that was turned face down has the values of the hidden card.",
    breaks=BecomeCopy.apply,
    rules=("707.2", "708.2a"),
    caught_by=("copy-of-face-down-is-as-listed",),
    on=("copying/1",),
)
def copies_take_hidden_values(right: Rule, effect: BecomeCopy, context: Any) -> None:
    game = context.game
    right(effect, context)
    for model, condition in objects(context, effect.become_copy_of):
        for o, is_copy in objects(context, effect.on):
            with game.when(and_(condition, game[CAUSE, model].isnt(Cause.NONE), is_copy)):
                game[COPIED, o] = model.card.front


@fault(
    "BR-20",
    "COPY",
    "Cockatrice/Cockatrice issue 827",
    "A copy of a face-down card shows everybody the real card.",
    breaks=BecomeCopy.apply,
    rules=("707.2", "708.5"),
    caught_by=("copy-of-face-down-is-as-listed", "learned-only-by-right"),
    on=("copying/1",),
)
def copies_show_the_card(right: Rule, effect: BecomeCopy, context: Any) -> None:
    game = context.game
    right(effect, context)
    for model, condition in objects(context, effect.become_copy_of):
        with game.when(and_(condition, game[CAUSE, model].isnt(Cause.NONE))):
            revealing.make_public(game, model)
            for o, is_copy in objects(context, effect.on):
                with game.when(is_copy):
                    game[COPIED, o] = model.card.front


@fault(
    "BR-55",
    "TURNUP",
    "magefree/mage issue 7045",
    "A cost that asks for a face-down permanent takes only manifested creature cards.",
    breaks=matching._status_tests,
    rules=("118.3", "708.2", "406.3"),
    caught_by=("any-face-down-permanent-pays",),
    on=("cost_of_face_down",),
)
def only_some_are_face_down(right: Rule, derived: Look, game: State, o: Obj, wanted: Any, this: Any) -> list[Term]:
    tests = list(right(derived, game, o, wanted, this))
    if wanted.face_down:
        manifested = game[CAUSE, o].is_(Cause.MANIFEST)
        tests.append(manifested if Type.CREATURE in o.card.front.types else FALSE)
    return tests


@fault(
    "BR-67",
    "AFTERUP",
    "Card-Forge/forge issue 6271",
    "What asks whether a permanent was turned face up this turn does not notice that one was.",
    breaks=turning.turn_up,
    rules=("608.2", "603.4"),
    caught_by=("turning-up-is-remembered-this-turn",),
    on=("history",),
)
def turning_up_leaves_no_record(right: Rule, game: State, o: Obj, by: Player, *args: Any) -> None:
    what = "you turned a permanent face up"
    before = game[HAPPENED, by, what]
    right(game, o, by, *args)
    game[HAPPENED, by, what] = before


@fault(
    "BR-81",
    "PROC",
    "phase-rs/phase issue 2163",
    "An effect that puts every milled creature card face down under one "
    "player's control puts one there, face up, and under its owner's.",
    breaks=PutFaceDown.apply,
    rules=("708.2", "110.2a", "701.17a"),
    caught_by=("put-face-down-as-told",),
    on=("put_all_face_down",),
)
def one_card_face_up(right: Rule, effect: PutFaceDown, context: Any) -> None:
    game = context.game
    for o, condition in objects(context, effect.put_face_down)[:1]:
        with game.when(and_(condition, game[ZONE, o].isnt(Zone.BATTLEFIELD))) as live:
            if live:
                enter(game, o, o.owner)
