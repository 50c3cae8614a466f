"""Faults of manifesting, cloaking and manifesting dread (701.40, 701.58, 701.62)."""

from __future__ import annotations

from typing import Any

from counterexamples.faults.fault import Rule, fault
from model.cards.phrases import Who
from model.effects import selecting
from model.effects.board import Attach, Counters
from model.effects.libraries import Pile
from model.families import CAUSE, KNOWN, PROFILE, ZONE
from model.rules import casting, manifesting, priority, resolving, revealing, triggers, zones
from model.rules.leaving import leave_game
from model.setup import Obj, Player
from model.state import State
from model.terms import FALSE, Term, and_, not_, or_
from model.vocabulary import Cause, EventKind, Zone

# -- public reports ----------------------------------------


@fault(
    "BR-79",
    "PROC",
    "phase-rs/phase issues 3245 and 1018",
    "Manifesting dread puts one card into the graveyard and leaves the other face down on top of the library.",
    breaks=manifesting.manifest_dread,
    rules=("701.62a",),
    caught_by=("manifest-dread-manifests-one-of-two", "face-down-only-on-battlefield-or-stack"),
    on=("S1/1",),
)
def face_down_in_the_library(right: Rule, game: State, player: Player, choice: Any) -> Any:
    first, second = zones.from_top(game, player, 0), zones.from_top(game, player, 1)
    kept, gone = (first, second) if choice.value == 0 else (second, first)
    for o, condition in kept:
        with game.when(condition):
            game[CAUSE, o] = Cause.MANIFEST
            game[PROFILE, o] = game.setup.profiles[0]
    zones.move_all(game, gone, Zone.GRAVEYARD)
    return [], gone


@fault(
    "BR-103",
    "HIDE",
    "magefree/mage pull 12509",
    "A face-down pile is shuffled and put back, but everybody can still tell which card is which.",
    breaks=Pile.apply,
    rules=("701.40e", "701.58e", "708.6", "400.7"),
    caught_by=("nobody-knows-the-order-of-a-pile",),
    on=("pile",),
)
def pile_is_not_shuffled(right: Rule, effect: Pile, context: Any) -> None:
    game = context.game
    before = {(p, o): game[KNOWN, p, o] for p in game.setup.players for o in game.setup.objects}
    right(effect, context)
    for (p, o), known in before.items():
        game[KNOWN, p, o] = or_(known, game[KNOWN, p, o])


# -- our own ----------------------------------------


@fault(
    "F-both-manifested",
    "PROC",
    "own",
    "To manifest dread, a player manifests both cards.",
    breaks=zones.move_all,
    rules=("701.62a",),
    caught_by=("manifest-dread-manifests-one-of-two",),
    on=("S1/1",),
)
def both_are_manifested(right: Rule, game: State, group: Any, zone: Zone, **kwargs: Any) -> None:
    if zone is not Zone.GRAVEYARD:
        right(game, group, zone, **kwargs)
        return
    for o, condition in group:
        with game.when(and_(condition, game[ZONE, o].is_(Zone.LIBRARY))):
            manifesting.manifest(game, o, o.owner)


@fault(
    "F-always-the-first",
    "PROC",
    "own",
    "The first of the two cards is manifested, without a choice.",
    breaks=manifesting.manifest_dread,
    rules=("701.62a",),
    caught_by=("manifest-dread-second-card",),
    on=("S1",),
)
def always_the_first(right: Rule, game: State, player: Player, choice: Any) -> Any:
    return right(game, player, manifesting.DREAD_OPTIONS[0])


@fault(
    "F-always-the-second",
    "PROC",
    "own",
    "The second of the two cards is manifested, without a choice.",
    breaks=manifesting.manifest_dread,
    rules=("701.62a",),
    caught_by=("manifest-dread-first-card",),
    on=("S1",),
)
def always_the_second(right: Rule, game: State, player: Player, choice: Any) -> Any:
    return right(game, player, manifesting.DREAD_OPTIONS[1])


@fault(
    "F-dread-unseen",
    "LOOK",
    "own",
    "Who manifests dread does not get to see the card that goes face down.",
    breaks=revealing.learn,
    rules=("701.62a",),
    caught_by=("manifest-dread-looks-at-both",),
    on=("S1/1",),
)
def dread_is_unseen(right: Rule, *args: Any) -> None:
    return


@fault(
    "F-one-card-is-no-choice",
    "PROC",
    "own",
    "With one card in the library, the player may put it into the graveyard instead of manifesting it.",
    breaks=manifesting.manifest_dread,
    rules=("701.62a",),
    caught_by=("manifest-dread-with-one-card",),
    on=("S10",),
)
def one_card_may_be_binned(right: Rule, game: State, player: Player, choice: Any) -> Any:
    if choice.value == 0:
        return right(game, player, choice)
    first = zones.from_top(game, player, 0)
    alone = not_(or_(*(condition for _, condition in zones.from_top(game, player, 1))))
    zones.move_all(game, [(o, and_(condition, alone)) for o, condition in first], Zone.GRAVEYARD)
    return right(game, player, choice)


@fault(
    "F-empty-library-loses",
    "PROC",
    "own",
    "Who manifests dread with an empty library loses the game.",
    breaks=manifesting.manifest_dread,
    rules=("701.62a", "101.3"),
    caught_by=("manifest-dread-with-empty-library",),
    on=("S11",),
)
def empty_library_loses(right: Rule, game: State, player: Player, choice: Any) -> Any:
    empty = not_(or_(*(condition for _, condition in zones.from_top(game, player, 0))))
    found = right(game, player, choice)
    with game.when(empty) as live:
        if live:
            leave_game(game, player)
    return found


@fault(
    "F-two-cards-or-nothing",
    "PROC",
    "own",
    "Dread is manifested only with two cards in the library: with fewer the spell or ability cannot even resolve.",
    breaks=manifesting.manifest_dread,
    rules=("701.62a", "101.3", "701.62b"),
    caught_by=("manifest-dread-library-of-one", "manifest-dread-library-of-none"),
    on=("S10", "S11"),
)
def two_cards_or_nothing(right: Rule, game: State, player: Player, choice: Any) -> Any:
    game.require(
        or_(*(condition for _, condition in zones.from_top(game, player, 1))), "two cards are there", "701.62a"
    )
    return right(game, player, choice)


@fault(
    "F-dread-triggers-if-done",
    "PROC",
    "own",
    "Abilities that trigger on manifesting dread trigger only if a card was "
    "manifested and another put into the graveyard.",
    breaks=triggers.notice_all,
    rules=("701.62b",),
    caught_by=("manifest-dread-always-triggers", "manifest-dread-triggers-short-library"),
    on=("S12",),
)
def dread_triggers_if_done(right: Rule, game: State, kind: EventKind, subjects: Any, **kwargs: Any) -> None:
    if kind is EventKind.MANIFEST_DREAD:
        subjects = [(o, condition) for o, condition in subjects if o is not None]
    right(game, kind, subjects, **kwargs)


@fault(
    "F-manifested-at-once",
    "PROC",
    "own",
    "Several cards are manifested at once, in one event.",
    breaks=triggers.notice_all,
    rules=("701.40e", "603.2c"),
    caught_by=("manifested-one-at-a-time",),
    on=("S27",),
)
def manifested_at_once(right: Rule, game: State, kind: EventKind, subjects: Any, **kwargs: Any) -> None:
    earlier = or_(*(e.condition for e in game.events if e.kind is EventKind.ENTERS))
    with game.when(not_(earlier) if kind is EventKind.ENTERS else not_(FALSE)):
        right(game, kind, subjects, **kwargs)


@fault(
    "F-one-trigger-for-all",
    "PROC",
    "own",
    "An ability that triggers on one or more creatures triggers once for all cards that one resolution manifests.",
    breaks=triggers.notice_all,
    rules=("603.2c", "701.40e"),
    caught_by=("one-or-more-enter-triggers-for-each", "one-or-more-enter-triggers-twice"),
    on=("S28",),
)
def one_trigger_for_all(right: Rule, game: State, kind: EventKind, subjects: Any, **kwargs: Any) -> None:
    manifested_at_once.wrong(right, game, kind, subjects, **kwargs)


@fault(
    "F-second-manifest-fails",
    "PROC",
    "own",
    "While a player controls a face-down permanent, nothing else is manifested.",
    breaks=manifesting.manifest,
    rules=("708.6", "701.40a"),
    caught_by=("two-face-down-permanents",),
    on=("S27",),
)
def one_face_down_at_a_time(right: Rule, game: State, o: Obj, player: Player, **kwargs: Any) -> None:
    others = or_(
        *(
            and_(game[ZONE, other].is_(Zone.BATTLEFIELD), game[CAUSE, other].isnt(Cause.NONE))
            for other in game.setup.objects
            if other is not o
        )
    )
    with game.when(not_(others)) as live:
        if live:
            right(game, o, player, **kwargs)


@fault(
    "F-no-instant-is-manifested",
    "PROC",
    "own",
    "An instant or sorcery card cannot be manifested.",
    breaks=manifesting.manifest,
    rules=("701.40a", "701.62a"),
    caught_by=("instant-or-sorcery-manifested", "manifest-dread-manifests-one-of-two"),
    on=("S1/2",),
)
def no_instant_is_manifested(right: Rule, game: State, o: Obj, player: Player, **kwargs: Any) -> None:
    if o.card.front.is_permanent_card:
        right(game, o, player, **kwargs)


@fault(
    "F-manifested-is-cloaked",
    "PROC",
    "own",
    "A manifested card is recorded as cloaked.",
    breaks=manifesting.manifest,
    rules=("708.6", "708.2"),
    caught_by=("cause-is-what-turned-it-down",),
    on=("S23/1",),
)
def manifested_is_cloaked(right: Rule, game: State, o: Obj, player: Player, **kwargs: Any) -> None:
    right(game, o, player, **kwargs)
    with game.when(game[CAUSE, o].is_(Cause.MANIFEST)):
        game[CAUSE, o] = Cause.CLOAK


@fault(
    "F-all-causes-alike",
    "PROC",
    "own",
    "Whatever becomes face down is recorded as if it had been cast with morph.",
    breaks=(zones.enter, casting._cast_face_down),
    rules=("708.6",),
    caught_by=("face-down-for-different-causes", "cause-is-what-turned-it-down"),
    on=("S23/1",),
)
def all_causes_alike(right: Rule, game: State, *args: Any, **kwargs: Any) -> None:
    if "kind" in kwargs:
        kwargs["kind"] = "morph"
    elif kwargs.get("cause", Cause.NONE) is not Cause.NONE:
        kwargs["cause"] = Cause.MORPH
    right(game, *args, **kwargs)


@fault(
    "F-resolves-under-priority",
    "PROC",
    "own",
    "What is on top of the stack resolves whenever the game likes, whoever has priority.",
    breaks=priority.require_game_turn,
    rules=("117.2e", "117.4"),
    caught_by=("nobody-acts-while-manifesting",),
    on=("S27",),
)
def resolves_under_priority(right: Rule, game: State) -> None:
    return


@fault(
    "F-counters-come-later",
    "PROC",
    "own",
    "Counters that the same instructions put on the manifested cards come too late "
    "for the first check of state-based actions.",
    breaks=Counters.apply,
    rules=("608.2c", "704.3", "704.4"),
    caught_by=("counters-before-anything-else", "counters-save-the-manifested"),
    on=("S29",),
)
def counters_come_later(right: Rule, effect: Counters, context: Any) -> None:
    if effect.on.who is not Who.RESULTS:
        right(effect, context)


@fault(
    "F-caster-manifests",
    "PROC",
    "own",
    "When its controller is told to manifest, the controller of the spell does.",
    breaks=selecting._of,
    rules=("608.2c", "608.2h", "110.2a"),
    caught_by=("its-controller-manifests",),
    on=("S30",),
)
def caster_manifests(right: Rule, context: Any, selector: Any) -> list[tuple[Player, Term]]:
    return [(context.controller, or_(*(condition for _, condition in right(context, selector))))]


@fault(
    "F-source-must-be-there",
    "PROC",
    "own",
    "The trigger of an Equipment that has left does nothing.",
    breaks=resolving._carry_out,
    rules=("608.2c", "113.7a"),
    caught_by=("manifests-though-the-source-is-gone", "equipment-gone-when-its-trigger-resolves"),
    on=("S26",),
)
def source_must_be_there(right: Rule, game: State, item: Any, context: Any) -> None:
    there = game[ZONE, item.source].is_(Zone.BATTLEFIELD) if item.ability is not None else not_(FALSE)
    with game.when(there) as live:
        if live:
            right(game, item, context)


@fault(
    "F-nothing-attaches",
    "PROC",
    "own",
    "The Equipment stays where it is when its trigger manifests dread.",
    breaks=Attach.apply,
    rules=("701.3a", "608.2c"),
    caught_by=("equipment-attaches-to-the-manifested",),
    on=("S26",),
)
def nothing_attaches(right: Rule, *args: Any) -> None:
    return
