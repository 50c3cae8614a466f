"""Faults of entering the battlefield face down (708.3)."""

from __future__ import annotations

from typing import Any

from counterexamples.faults.fault import Rule, fault
from model.cards.abilities import Replacement
from model.effects.context import Context
from model.families import CAUSE, COUNTERS, ZONE
from model.rules import zones
from model.setup import Obj
from model.state import State
from model.terms import or_
from model.vocabulary import Cause, CounterKind, EventKind, Zone


@fault(
    "BR-10",
    "MASK",
    "phase-rs/phase issue 7822",
    "A manifested planeswalker card enters with its loyalty counters.",
    breaks=zones.enter,
    rules=("708.2a", "708.3", "306.5b", "310.4b"),
    caught_by=("own-text-does-nothing-entering-face-down",),
    on=("planeswalker",),
)
def loyalty_is_not_masked(
    right: Rule, game: State, o: Obj, *args: Any, cause: Cause = Cause.NONE, **kwargs: Any
) -> None:
    right(game, o, *args, cause=cause, **kwargs)
    if cause is not Cause.NONE and o.card.front.loyalty is not None:
        game[COUNTERS, o, CounterKind.LOYALTY] = o.card.front.loyalty


def _own_text(right: Rule, game: State, o: Obj, controller: Any, picks: Any, x: int) -> None:
    """Apply the printed "as this enters" abilities though the object is face down, with the first of every choice."""
    right(game, o, controller, picks, x)
    with game.when(game[CAUSE, o].isnt(Cause.NONE)) as live:
        for ability in o.card.front.abilities if live else ():
            if isinstance(ability, Replacement) and ability.as_.startswith("enters") and ability.what is None:
                for effect in ability.do:
                    options = effect.options(_Anything(game), Context(game, o, controller, that=o))  # type: ignore[arg-type]
                    chosen = iter([choice[0] for choice in options])
                    effect.apply(Context(game, o, controller, that=o, picks=chosen))


class _Anything:
    """Enough of a peek for effects to list what may be chosen."""

    def __init__(self, game: State) -> None:
        self.setup = game.setup

    def __getattr__(self, name: str) -> Any:
        return lambda *args: True


@fault(
    "BR-21",
    "ENTRY",
    "PennyDreadfulMTG/modo-bugs issue 446",
    "A manifested card still makes the choice that its text asks for as it enters.",
    breaks=zones._apply_as_enters,
    rules=("708.3", "614.1c", "614.12"),
    caught_by=("own-text-does-nothing-entering-face-down",),
    on=("as_it_enters/1",),
)
def choices_are_asked(right: Rule, *args: Any) -> None:
    _own_text(right, *args)


@fault(
    "BR-22",
    "ENTRY",
    "MTGO forum threads 1980 and 1987",
    "A cloaked card whose text turns other creatures face down as it "
    "enters does so, and the whole board is turned over.",
    breaks=zones._apply_as_enters,
    rules=("708.3", "701.58a"),
    caught_by=("turned-down-only-when-told",),
    on=("as_it_enters/2",),
)
def the_board_is_turned_over(right: Rule, *args: Any) -> None:
    _own_text(right, *args)


@fault(
    "BR-23",
    "ENTRY",
    "magarena/magarena issue 151",
    "A manifested card that says it enters tapped does.",
    breaks=zones._apply_as_enters,
    rules=("708.3", "614.1c"),
    caught_by=("own-text-does-nothing-entering-face-down",),
    on=("as_it_enters/3",),
)
def enters_tapped(right: Rule, *args: Any) -> None:
    _own_text(right, *args)


@fault(
    "BR-77",
    "PROC",
    "PennyDreadfulMTG/modo-bugs issue 79",
    "A creature card that is manifested where creature cards cannot enter is exiled.",
    breaks=zones.enter,
    rules=("701.40f", "614.17", "101.2"),
    caught_by=("what-may-not-enter-stays",),
    on=("prohibited/1",),
)
def what_may_not_enter_is_exiled(right: Rule, game: State, o: Obj, *args: Any, **kwargs: Any) -> None:
    right(game, o, *args, **kwargs)
    with game.when(game[ZONE, o].is_(Zone.LIBRARY)):
        zones.move(game, o, Zone.EXILE)


@fault(
    "BR-78",
    "PROC",
    "Card-Forge/forge pull 6977",
    "Cards that were looked at and could not be manifested stay in the library.",
    breaks=zones.move_all,
    rules=("701.62a", "701.40f"),
    caught_by=("dread-under-a-ban-fills-the-graveyard",),
    on=("prohibited/2",),
)
def what_was_not_manifested_stays(right: Rule, game: State, group: Any, zone: Zone, **kwargs: Any) -> None:
    manifested = or_(*(e.condition for e in game.events if e.kind is EventKind.MANIFESTED))
    with game.when(manifested):
        right(game, group, zone, **kwargs)
