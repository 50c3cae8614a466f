"""Faults of turning over instants, sorceries and double-faced cards (701.40g, 712)."""

from __future__ import annotations

from typing import Any

from counterexamples.faults.fault import Rule, fault
from counterexamples.faults.shared import is_down, turns_up
from model.effects.continuous import Transform
from model.effects.selecting import objects
from model.families import CAUSE, PROFILE, TRANSFORMED, ZONE
from model.rules import revealing, turning
from model.rules.triggers import notice, notice_all
from model.setup import Obj
from model.state import State
from model.terms import FALSE, and_, not_
from model.vocabulary import Cause, EventKind, Zone


@fault(
    "BR-71",
    "NONPERM",
    "magefree/mage issue 13273",
    "A manifested instant that something tries to turn face up stays face down, but is not revealed.",
    breaks=revealing.reveal,
    rules=("701.40g", "701.58g"),
    caught_by=("instant-or-sorcery-is-revealed-and-stays-down",),
    on=("S24",),
)
def attempt_reveals_nothing(right: Rule, game: State, o: Obj, *rules: str) -> None:
    if "701.40g" not in rules:
        right(game, o, *rules)


@fault(
    "BR-72",
    "NONPERM",
    "magefree/mage pull 12509",
    "Manifested and cloaked instants and sorceries can be turned face up, and lie on the battlefield as such.",
    breaks=turning.is_instant_or_sorcery_card,
    rules=("701.40g", "701.58g", "304.4", "307.4"),
    caught_by=("instant-or-sorcery-never-turns-up", "instant-or-sorcery-never-face-up-on-battlefield"),
    on=("S24",),
)
def instants_turn_up(right: Rule, o: Obj) -> bool:
    return False


@fault(
    "BR-76",
    "NONPERM",
    "magefree/mage issue 11191",
    "A modal double-faced card is turned face down, though only transforming ones were to be.",
    breaks=turning.turn_down,
    rules=("712.16", "712.15", "712.15a"),
    caught_by=("double-faced-cannot-be-turned-down",),
    on=("modal",),
)
def modal_cards_turn_down(right: Rule, game: State, o: Obj, **kwargs: Any) -> None:
    if o.card.layout != "modal":
        right(game, o, **kwargs)
        return
    with game.when(and_(game[ZONE, o].is_(Zone.BATTLEFIELD), game[CAUSE, o].is_(Cause.NONE))):
        game[CAUSE, o] = Cause.TURNED_DOWN
        game[PROFILE, o] = game.setup.profiles[0]


@fault(
    "F-attempt-triggers",
    "NONPERM",
    "own",
    "The attempt to turn an instant face up triggers what watches for it.",
    breaks=turning.turn_up,
    rules=("701.40g", "603.2g"),
    caught_by=("instant-or-sorcery-triggers-nothing",),
    on=("S25",),
)
def attempt_triggers(right: Rule, game: State, o: Obj, by: Any, *args: Any) -> None:
    right(game, o, by, *args)
    if turning.is_instant_or_sorcery_card(o):
        notice_all(game, EventKind.TURNED_UP, [(o, is_down(game, o))], player=by)


@fault(
    "F-no-attempt",
    "NONPERM",
    "own",
    "An effect passes by a face-down instant as if it were not there.",
    breaks=turning.turn_up,
    rules=("701.40g",),
    caught_by=("instant-or-sorcery-attempted",),
    on=("S24", "S25"),
)
def no_attempt_on_instants(right: Rule, game: State, o: Obj, *args: Any) -> None:
    if not turning.is_instant_or_sorcery_card(o):
        right(game, o, *args)


@fault(
    "F-back-face-up",
    "NONPERM",
    "own",
    "A manifested double-faced card that is turned face up shows its back face.",
    breaks=turning.turn_up,
    rules=("712.15a",),
    caught_by=("double-faced-turns-up-front",),
    on=("S9",),
)
def back_face_up(right: Rule, game: State, o: Obj, *args: Any) -> None:
    with game.when(turns_up(right, game, o, *args)):
        game[TRANSFORMED, o] = o.card.is_double_faced


@fault(
    "F-double-faced-stays-down",
    "NONPERM",
    "own",
    "A manifested double-faced card cannot be turned face up.",
    breaks=turning.turn_up,
    rules=("712.15a",),
    caught_by=("double-faced-turned-up",),
    on=("S9",),
)
def double_faced_stays_down(right: Rule, game: State, o: Obj, *args: Any) -> None:
    with game.when(FALSE if o.card.is_double_faced else not_(FALSE)):
        right(game, o, *args)


@fault(
    "F-double-faced-turns-down",
    "NONPERM",
    "own",
    "A face-up double-faced permanent is turned face down like any other.",
    breaks=turning.turn_down,
    rules=("712.16",),
    caught_by=("double-faced-cannot-be-turned-down",),
    on=("S9",),
)
def double_faced_turns_down(right: Rule, game: State, o: Obj, **kwargs: Any) -> None:
    with game.when(and_(game[ZONE, o].is_(Zone.BATTLEFIELD), game[CAUSE, o].is_(Cause.NONE))):
        game[CAUSE, o] = Cause.TURNED_DOWN


@fault(
    "F-face-down-transforms",
    "NONPERM",
    "own",
    "A face-down double-faced permanent transforms.",
    breaks=Transform.apply,
    rules=("712.15", "701.27a"),
    caught_by=("face-down-does-not-transform",),
    on=("S9",),
)
def face_down_transforms(right: Rule, effect: Transform, context: Any) -> None:
    right(effect, context)
    game = context.game
    for o, condition in objects(context, effect.transform):
        with game.when(and_(condition, is_down(game, o))):
            game[TRANSFORMED, o] = not_(game[TRANSFORMED, o])
            notice(game, EventKind.TRANSFORMED, o)
