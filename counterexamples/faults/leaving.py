"""Faults of leaving, revealing, and the end of the game (708.9, 800.4a)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from counterexamples.faults.fault import Rule, fault
from model.effects.zones import PutOntoBattlefield
from model.families import CAUSE, COPIED, ZONE
from model.rules import revealing, stack, zones
from model.setup import Obj
from model.state import State
from model.terms import Term, and_
from model.vocabulary import Cause, EventKind, Marker, Zone

# -- public reports ----------------------------------------


@fault(
    "BR-73",
    "NONPERM",
    "magefree/mage issue 12922",
    "A face-down creature that is exiled stays face down there, and whatever is cast from there is a face-down object.",
    breaks=zones.become_new_object,
    rules=("708.9", "608.2n", "304.4"),
    caught_by=("designation-ends-on-leaving", "face-down-only-on-battlefield-or-stack"),
    on=("S20",),
)
def exile_keeps_it_face_down(right: Rule, game: State, o: Obj) -> None:
    cause = game[CAUSE, o]
    right(game, o)
    game[CAUSE, o] = cause


@fault(
    "BR-90",
    "LEAVE",
    "magefree/mage issue 13749",
    "What comes back from exile enters face down, though nothing says so.",
    breaks=PutOntoBattlefield.apply,
    rules=("110.5b", "708.3"),
    caught_by=("enters-face-up-unless-told",),
    on=("comes_back",),
)
def comes_back_face_down(right: Rule, effect: Any, context: Any) -> None:
    right(effect, context)
    for o, condition in context.results:
        with context.game.when(and_(condition, context.game[ZONE, o].is_(Zone.BATTLEFIELD))):
            context.game[CAUSE, o] = Cause.PUT_DOWN


@fault(
    "BR-91",
    "LEAVE",
    "magarena/magarena issue 708",
    "A face-down card that is a copy of something is not revealed when it dies.",
    breaks=revealing.reveal_all,
    rules=("708.9",),
    caught_by=("face-down-permanent-leaving-is-revealed",),
    on=("copying/3",),
)
def copies_are_not_revealed(right: Rule, game: State, among: Term, o: Obj, *rules: str) -> None:
    right(game, and_(among, game[COPIED, o].is_(Marker.NONE)), o, *rules)


@fault(
    "BR-92",
    "LEAVE",
    "cyngerian/scutemob, finding 3",
    "What left face down is face up in its new zone, but no reveal ever happens.",
    breaks=revealing.reveal,
    rules=("708.9",),
    caught_by=("face-down-permanent-leaving-is-revealed", "face-down-spell-leaving-stack-is-revealed"),
    on=("S19", "S20"),
)
def no_reveal_event(right: Rule, game: State, o: Obj, *rules: str) -> None:
    revealing.make_public(game, o)


@fault(
    "BR-93",
    "LEAVE",
    "Cockatrice/Cockatrice issue 884",
    "A face-down permanent that is put into its owner's library is "
    "handled like a card of the library, and not revealed.",
    breaks=zones.put_on_top,
    rules=("708.9", "401.2"),
    caught_by=("face-down-permanent-leaving-is-revealed",),
    on=("into_library",),
)
def library_hides_it(right: Rule, game: State, o: Obj, **kwargs: Any) -> None:
    kept, game.events = list(game.events), []
    right(game, o, **kwargs)
    game.events = kept + [e for e in game.events if e.kind is not EventKind.REVEALED]


@fault(
    "BR-107",
    "HIDE",
    "Cockatrice/Cockatrice issue 333",
    "What is put on the stack is always face up, so that a card with morph is shown as it is cast.",
    breaks=stack.push,
    rules=("708.4",),
    caught_by=("cast-face-down-is-hidden",),
    on=("S19",),
)
def spells_are_face_up(right: Rule, game: State, item: Any, *args: Any, **kwargs: Any) -> None:
    right(game, item, *args, **kwargs)
    if item.ability is None:
        game[CAUSE, item.source] = Cause.NONE


# -- our own ----------------------------------------


@fault(
    "F-countered-unseen",
    "LEAVE",
    "own",
    "A face-down spell that is countered goes to the graveyard without being revealed.",
    breaks=revealing.reveal_all,
    rules=("708.9",),
    caught_by=("face-down-spell-leaving-stack-is-revealed",),
    on=("S19",),
)
def countered_unseen(right: Rule, game: State, among: Term, o: Obj, *rules: str) -> None:
    right(game, and_(among, game[ZONE, o].isnt(Zone.STACK)), o, *rules)


@fault(
    "F-no-counter",
    "LEAVE",
    "own",
    "A face-down spell cannot be countered.",
    breaks=stack.counter,
    rules=("708.9", "708.4"),
    caught_by=("face-down-spell-leaves-stack",),
    on=("S19",),
)
def face_down_spells_stick(right: Rule, game: State, what: Any, *args: Any) -> None:
    with game.when(game[CAUSE, what].is_(Cause.NONE)):
        right(game, what, *args)


@fault(
    "F-dies-unseen",
    "LEAVE",
    "own",
    "A face-down permanent that leaves the battlefield is not revealed, and remembered by nobody.",
    breaks=(revealing.reveal_all, zones._show_in),
    rules=("708.9",),
    caught_by=("face-down-permanent-leaving-is-revealed", "face-down-permanent-leaves"),
    on=("S20",),
)
def dies_unseen(right: Rule, *args: Any) -> None:
    return


@fault(
    "F-game-ends-unseen",
    "LEAVE",
    "own",
    "When the game ends, face-down objects are not revealed.",
    breaks=(revealing.reveal_all,),
    rules=("708.9", "104.1"),
    caught_by=("everything-is-revealed-at-game-end", "game-ends-with-face-down-objects", "leaver-reveals-what-it-owns"),
    on=("S21/1",),
)
def game_ends_unseen(right: Rule, *args: Any) -> None:
    return


@fault(
    "F-leaver-shows-nothing",
    "LEAVE",
    "own",
    "Only the end of the game reveals what was face down; a player who leaves takes it along unseen.",
    breaks=revealing.reveal_all,
    rules=("708.9", "800.4a"),
    caught_by=("leaver-reveals-what-it-owns",),
    on=("S21/2",),
)
def leaver_shows_nothing(right: Rule, game: State, among: Term, o: Obj, *rules: str) -> None:
    if "104.1" in rules:
        right(game, among, o, *rules)


@fault(
    "F-leaver-keeps-others",
    "LEAVE",
    "own",
    "What a player who leaves controls of others stays on the battlefield.",
    breaks=zones.move_all,
    rules=("800.4a",),
    caught_by=("what-a-leaver-controls-of-others-is-exiled",),
    on=("S21/2",),
)
def leaver_keeps_others(right: Rule, game: State, group: Sequence[Any], zone: Zone, **kwargs: Any) -> None:
    if zone is not Zone.EXILE:
        right(game, group, zone, **kwargs)


@fault(
    "F-countered-stays",
    "LEAVE",
    "own",
    "A countered spell is off the stack, but its card is not moved.",
    breaks=zones.move,
    rules=("400.1", "405.1", "701.6a"),
    caught_by=("spells-stand-on-the-stack",),
    on=("S19",),
)
def countered_stays(right: Rule, *args: Any) -> None:
    return


@fault(
    "F-countered-is-lost",
    "LEAVE",
    "own",
    "The card of a countered spell is in no zone any more.",
    breaks=zones.move,
    rules=("400.1", "701.6a"),
    caught_by=("no-card-is-lost",),
    on=("S19",),
)
def countered_is_lost(right: Rule, game: State, o: Obj, zone: Zone) -> None:
    right(game, o, zone)
    game[ZONE, o] = Zone.OUTSIDE
