"""Faults of timestamps, of copies and tokens, and of the damage of face-down creatures (613.7, 707, 701.14)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from counterexamples.faults.fault import Rule, fault
from model.cards.abilities import TriggeredAbility
from model.characteristics import Look
from model.effects.board import Counters, Fight
from model.effects.context import Option
from model.effects.continuous import BecomeCopy, Until
from model.effects.libraries import Mill, Surveil
from model.effects.selecting import objects
from model.families import COPIED, COUNTERS, EFFECT, NEWER, ZONE
from model.rules import attaching, combat_damage, state_based_actions, triggers, turning, zones
from model.rules.damage import damage_object
from model.setup import Obj, Player, Setup
from model.state import State
from model.terms import TRUE, Term, and_, ite, not_, number, or_
from model.vocabulary import Cause, CounterKind, Keyword, Marker, Zone


def _with_old_stamps(game: State, right: Rule, *args: Any, **kwargs: Any) -> None:
    """Do what is right, but leave every timestamp as it was."""
    setup: Setup = game.setup
    pairs = [(NEWER, a, b) for i, a in enumerate(setup.stamped) for b in setup.stamped[i + 1 :]]
    before = {pair: game[pair] for pair in pairs}
    right(*args, **kwargs)
    for pair, value in before.items():
        game[pair] = value


# -- timestamps ----------------------------------------


@fault(
    "F-turned-over-keeps-its-timestamp",
    "AFTERUP",
    "own",
    "A permanent that is turned face up or face down keeps the timestamp that it had.",
    breaks=(turning.turn_up, turning.turn_down),
    rules=("613.7f",),
    caught_by=("turned-over-is-newest",),
    on=("gap_timestamps/1",),
)
def turned_over_keeps_its_timestamp(right: Rule, game: State, *args: Any, **kwargs: Any) -> None:
    _with_old_stamps(game, right, game, *args, **kwargs)


@fault(
    "F-newcomer-is-no-newer",
    "L1B",
    "own",
    "What enters the battlefield has the timestamp that it would have had from the start of the game.",
    breaks=zones._arrive,
    rules=("613.7d",),
    caught_by=("arrived-is-newest",),
    on=("gap_timestamps/5",),
)
def newcomer_is_no_newer(right: Rule, game: State, *args: Any) -> None:
    _with_old_stamps(game, right, game, *args)


@fault(
    "F-attached-is-no-newer",
    "L1B",
    "own",
    "An Equipment that becomes attached keeps the timestamp that it had.",
    breaks=attaching.attach,
    rules=("613.7e",),
    caught_by=("arrived-is-newest",),
    on=("gap_timestamps/2",),
)
def attached_is_no_newer(right: Rule, game: State, *args: Any) -> None:
    _with_old_stamps(game, right, game, *args)


@fault(
    "F-begun-is-no-newer",
    "L1B",
    "own",
    "The effect of a spell that resolves is no newer than the effects that were there.",
    breaks=Until.apply,
    rules=("613.7b",),
    caught_by=("begun-is-newest",),
    on=("gap_timestamps/3",),
)
def begun_is_no_newer(right: Rule, effect: Until, context: Any) -> None:
    _with_old_stamps(context.game, right, effect, context)


@fault(
    "F-counters-are-no-newer",
    "L1B",
    "own",
    "A keyword counter that is put on is no newer than the effect that took all abilities away.",
    breaks=Counters.apply,
    rules=("613.7c",),
    caught_by=("begun-is-newest",),
    on=("gap_timestamps/4",),
)
def counters_are_no_newer(right: Rule, effect: Counters, context: Any) -> None:
    _with_old_stamps(context.game, right, effect, context)


# -- copies and tokens ----------------------------------------


@fault(
    "F-copy-follows-its-original",
    "COPY",
    "own",
    "What copied a face-down creature becomes a copy of the card once that is turned face up.",
    breaks=turning.turn_up,
    rules=("707.2b",),
    caught_by=("copy-does-not-follow-its-original",),
    on=("gap_copies/1",),
)
def copy_follows_its_original(right: Rule, game: State, o: Obj, *args: Any) -> None:
    others = [other for other in game.setup.objects if other is not o]
    copies = [(other, game[COPIED, other].is_(game.setup.profiles[0])) for other in others]
    right(game, o, *args)
    for other, is_copy in copies:
        with game.when(is_copy):
            game[COPIED, other] = o.card.front


@fault(
    "F-copy-of-a-copy-is-the-card",
    "COPY",
    "own",
    "What becomes a copy of a copy has the values of the card that was copied last, and not what that shows.",
    breaks=BecomeCopy.apply,
    rules=("707.3", "707.2"),
    caught_by=("copy-of-a-copy-is-that-copy",),
    on=("gap_copies/2",),
)
def copy_of_a_copy_is_the_card(right: Rule, effect: BecomeCopy, context: Any) -> None:
    game = context.game
    models = [(o, and_(c, game[COPIED, o].isnt(Marker.NONE))) for o, c in objects(context, effect.become_copy_of)]
    right(effect, context)
    for model, is_copy in models:
        for o, condition in objects(context, effect.on):
            with game.when(and_(is_copy, condition)):
                game[COPIED, o] = model.card.front


@fault(
    "F-copied-spell-is-nothing",
    "COPY",
    "own",
    "The copy of a permanent spell becomes a token without the values of the spell.",
    breaks=zones.enter,
    rules=("707.10f", "111.13"),
    caught_by=("copied-permanent-spell-becomes-a-token",),
    on=("gap_copies/3",),
)
def copied_spell_is_nothing(right: Rule, game: State, o: Obj, player: Player, **kwargs: Any) -> None:
    right(game, o, player, **{**kwargs, "copied": None})


@fault(
    "F-countered-copy-stays",
    "SBA",
    "own",
    "A copy of a spell that is countered lies in the graveyard for good.",
    breaks=state_based_actions._conditions,
    rules=("704.5d", "704.5e"),
    caught_by=("tokens-are-on-the-battlefield-or-gone",),
    on=("gap_copies/3",),
)
def countered_copy_stays(right: Rule, game: State) -> list[Any]:
    return [check for check in right(game) if check.does != "cease"]


@fault(
    "F-token-comes-back",
    "ENTRY",
    "own",
    "A token that has left the battlefield comes back if an effect says so.",
    breaks=zones.enter,
    rules=("111.8",),
    caught_by=("token-that-has-left-is-not-back",),
    on=("gap_copies/4",),
)
def token_comes_back(right: Rule, game: State, o: Obj, player: Player, **kwargs: Any) -> None:
    right(game, o, player, **kwargs)
    if o.token:
        with game.when(game[ZONE, o].is_(Zone.EXILE)) as live:
            if live:
                zones._arrive(game, o, zones._Arrival(player, Cause.NONE, None, False, None, False, None, 0, None))


@fault(
    "F-counters-go-along",
    "LEAVE",
    "own",
    "A card that leaves the battlefield keeps its counters.",
    breaks=zones.become_new_object,
    rules=("122.2", "400.7"),
    caught_by=("cards-elsewhere-remember-nothing",),
    on=("gap_copies/5",),
)
def counters_go_along(right: Rule, game: State, o: Obj) -> None:
    before = {kind: game[COUNTERS, o, kind] for kind in CounterKind}
    right(game, o)
    for kind, value in before.items():
        game[COUNTERS, o, kind] = value


@fault(
    "F-effects-go-along",
    "LEAVE",
    "own",
    "What an effect has said of a permanent goes on for the card in the hand.",
    breaks=zones.become_new_object,
    rules=("400.7",),
    caught_by=("cards-elsewhere-remember-nothing",),
    on=("gap_copies/5",),
)
def effects_go_along(right: Rule, game: State, o: Obj) -> None:
    before = {shot: game[EFFECT, shot, o] for shot in game.setup.shots}
    right(game, o)
    for shot, value in before.items():
        game[EFFECT, shot, o] = value


# -- damage ----------------------------------------


@fault(
    "F-fights-with-the-card",
    "COMBAT",
    "own",
    "A face-down creature fights with the power that is printed on its card.",
    breaks=Fight.apply,
    rules=("701.14a", "708.2a"),
    caught_by=("face-down-creatures-fight-with-what-they-show",),
    on=("gap_blows/1",),
)
def fights_with_the_card(right: Rule, effect: Fight, context: Any) -> None:
    for a, x in objects(context, effect.fight):
        for b, y in objects(context, effect.other):
            with context.game.when(and_(x, y)) as live:
                if live and a is not b:
                    for one, other in ((a, b), (b, a)):
                        power = one.card.front.power
                        damage_object(context.game, one, other, number(power.fixed if power is not None else 0))


@fault(
    "F-strikes-first-face-down",
    "COMBAT",
    "own",
    "A face-down creature whose card has first strike deals its damage in the first step.",
    breaks=combat_damage._deals,
    rules=("510.4", "708.2a"),
    caught_by=("face-down-creatures-do-not-strike-first",),
    on=("gap_blows/2",),
)
def strikes_first_face_down(right: Rule, derived: Look, o: Obj, *, first: bool, split: bool) -> Term:
    if Keyword.FIRST_STRIKE in o.card.front.keywords:
        return TRUE if first else not_(TRUE)
    return right(derived, o, first=first, split=split)  # type: ignore[no-any-return]


@fault(
    "F-tramples-face-down",
    "COMBAT",
    "own",
    "A face-down creature whose card has trample deals the rest of its damage to the player.",
    breaks=Look.has_keyword,
    rules=("702.19b", "708.2a"),
    caught_by=("face-down-creatures-do-not-trample",),
    on=("gap_blows/2",),
)
def tramples_face_down(right: Rule, derived: Look, o: Obj, keyword: Keyword) -> Term:
    has: Term = right(derived, o, keyword)
    tramples = keyword is Keyword.TRAMPLE and keyword in o.card.front.keywords
    return or_(has, TRUE) if tramples else has


@fault(
    "F-set-size-swallows-counters",
    "L1B",
    "own",
    "An effect that sets the power of a creature leaves nothing of what its counters add.",
    breaks=Look._sized,
    rules=("613.4b", "613.4c", "613.1g"),
    caught_by=("set-sizes-are-added-to",),
    on=("gap_blows/3",),
)
def set_size_swallows_counters(right: Rule, derived: Look, o: Obj, *args: Any) -> Term:
    sets = args[2]
    value: Term = right(derived, o, *args)
    setters = [effect for effect in derived._effects() if sets(effect.changes) is not None]
    under = or_(*(derived.applies(effect, o) for effect in setters))
    return ite(under, value - derived.game[COUNTERS, o, CounterKind.PLUS], value)


@fault(
    "F-undying-face-down",
    "DIES",
    "own",
    "A card with undying that dies face down returns, as though it had had undying.",
    breaks=triggers._present,
    rules=("702.79a", "702.93a", "603.10a"),
    caught_by=("persist-and-undying-ask-what-died", "dies-face-down-does-not-trigger"),
    on=("gap_blows/4",),
)
def undying_face_down(
    right: Rule, game: State, watcher: Obj, ability: TriggeredAbility, subjects: Sequence[tuple[Obj | None, Term]]
) -> Term:
    if ability.when.this_was is not None and any(subject is watcher for subject, _ in subjects):
        return game[ZONE, watcher].is_(Zone.BATTLEFIELD)
    return right(game, watcher, ability, subjects)  # type: ignore[no-any-return]


# -- libraries ----------------------------------------


@fault(
    "F-mills-one-too-few",
    "EFFECT",
    "own",
    "Who mills leaves the last of the cards on top of the library.",
    breaks=Mill.apply,
    rules=("701.17a",),
    caught_by=("milled-cards-are-the-top-ones",),
    on=("gap_libraries/1",),
)
def mills_one_too_few(right: Rule, effect: Mill, context: Any) -> None:
    right(effect.model_copy(update={"mill": replace(effect.mill, fixed=effect.mill.fixed - 1)}), context)


@fault(
    "F-surveilled-cards-stay",
    "EFFECT",
    "own",
    "Cards that are put on the bottom or into the graveyard by scrying or surveilling stay where they are.",
    breaks=Surveil.apply,
    rules=("701.22a", "701.25a"),
    caught_by=("cards-looked-at-go-where-they-are-put",),
    on=("gap_libraries/2",),
)
def surveilled_cards_stay(right: Rule, effect: Surveil, context: Any) -> None:
    context.picks = iter([Option("", False) for _ in list(context.picks)])
    right(effect, context)
