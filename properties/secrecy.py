"""Properties of secrecy: no leak, no leak through options, no overreach, timely release (708.2, 708.5, 708.6, 708.9).

The first two speak of two games that differ only in cards that a player may not know; the others of one game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from model.families import CAUSE, COUNTERS, DAMAGE, KNOWN, OVER, PROFILE, TAPPED, ZONE
from model.rules.views import Sight, view, which_card
from model.setup import Obj, Player
from model.terms import BOOL, FALSE, INT, TRUE, Term, and_, eq, not_, or_
from model.vocabulary import CounterKind, EventKind, Marker, Zone
from properties.disclosures import DISCLOSURES, Since, disclosed
from properties.kinds import Clause, Invariant, PairView, Property, Secret, StepRule, StepView, View
from properties.support import PERMANENT_OR_SPELL, controls, down, on_battlefield

__all__ = ["PROPERTIES"]

_NOTHING = frozenset({str(Marker.NONE), str(Zone.OUTSIDE)})
"""What is seen of what is not there."""


def _same_view(pair: PairView) -> Iterable[Clause]:
    one, two = (view(side.state, player) for side, player in zip(pair.sides, pair.players, strict=True))
    for sight in dict.fromkeys([*one, *two]):
        mine, theirs = one.get(sight), two.get(sight)
        subject = f"{pair.players[0]} sees the same {sight} in both games"
        shown = tuple(FALSE if value is None else value for value in (mine, theirs))
        yield Clause(subject, not_(pair.told), _alike(mine, theirs), shown)


def _same_options(pair: PairView) -> Iterable[Clause]:
    first, second = pair.offered(0), pair.offered(1)
    for words in dict.fromkeys([*first, *second]):
        mine, theirs = first.get(words, FALSE), second.get(words, FALSE)
        subject = f"{pair.players[0]} may {words} in both games or in neither"
        yield Clause(subject, not_(pair.told), eq(mine, theirs), (mine, theirs))


def _alike(a: Term | None, b: Term | None) -> Term:
    """Whether what is seen is the same in both games; members are compared by what they are called."""
    if a is None or b is None:
        return _is_nothing(a if b is None else b)
    if a.sort is b.sort:
        return eq(a, b)
    theirs = {str(member): member for member in b.possible()}
    return or_(*(and_(a.is_(mine), b.is_(theirs[str(mine)])) for mine in a.possible() if str(mine) in theirs))


def _is_nothing(value: Term | None) -> Term:
    """Whether a sight that one game does not have shows nothing in the other."""
    if value is None or value.sort is BOOL:
        return TRUE if value is None else not_(value)
    return value.is_(0) if value.sort is INT else value.among(m for m in value.possible() if str(m) in _NOTHING)


def _nothing_public_is_hidden(state: View) -> Iterable[Clause]:
    for p in state.setup.players:
        seen = view(state.state, p)
        for o in state.setup.objects:
            there = and_(down(state, o), state[ZONE, o].among(PERMANENT_OR_SPELL))
            facts = [("cause", state[CAUSE, o]), ("face-down profile", state[PROFILE, o]), ("tapped", state[TAPPED, o]),
                     ("damage", state[DAMAGE, o])]
            facts += [(f"{kind} counters", state[COUNTERS, o, kind]) for kind in CounterKind]
            for what, fact in facts:
                yield Clause(f"{p} sees the {what} of {o}", there, _shows(seen, what, o, fact))
            for q in state.setup.players:
                shown = seen.get(Sight("controller", (o.name,)))
                yield Clause(f"{p} sees that {q} controls {o}", and_(there, controls(state, o, q)),
                             FALSE if shown is None else shown.is_(q))


def _shows(seen: dict[Sight, Term], what: str, o: Obj, fact: Term) -> Term:
    shown = seen.get(Sight(what, (o.name,)))
    return FALSE if shown is None else eq(shown, fact)


def _history_is_kept(state: View) -> Iterable[Clause]:
    """What a player has learned of an object that can be followed stays before the player's eyes."""
    for p in state.setup.players:
        for o in state.setup.objects:
            learned = and_(state[KNOWN, p, o], down(state, o), on_battlefield(state, o))
            yield Clause(f"{p} still sees that {o} is {o.card}", learned, _sees_card(state, p, o))


def _sees_card(state: View, p: Player, o: Obj) -> Term:
    return which_card(state.state, p, o).is_(o.card.name)


def _shown_only_by_right(step: StepView) -> Iterable[Clause]:
    for p, o in _pairs(step):
        fresh = and_(not_(_sees_card(step.before, p, o)), _sees_card(step.after, p, o))
        yield Clause(f"{p} comes to see that {o} is {o.card}, under a rule", fresh, disclosed(step, o, p))


def _released_in_time(step: StepView) -> Iterable[Clause]:
    for p, o in _pairs(step):
        # In a library, cards that were known can no longer be told apart once it is shuffled.
        there = not_(step.after[ZONE, o].among((Zone.LIBRARY, Zone.OUTSIDE)))
        # What was shown and then enters the battlefield is another object, which may be one of a shuffled pile.
        another = step.happens(EventKind.ENTERS, o)
        for entry in DISCLOSURES:
            same = TRUE if entry.since is Since.WHILE else not_(another)
            due = and_(entry.applies(step, o, p), there, same, not_(step.before[OVER,]))
            yield Clause(f"{p} sees {o}: {entry.reveals} ({entry.rule})", due, _sees_card(step.after, p, o))


def _pairs(step: StepView) -> Iterator[tuple[Player, Obj]]:
    return ((p, o) for p in step.setup.players for o in step.setup.objects if not o.token)


PROPERTIES: tuple[Property, ...] = (
    Secret(
        "no-leak",
        "Two games that differ only in cards that a player may not know look the same to that player.",
        ("708.5", "400.2", "708.2", "708.4", "701.58a", "702.37b"),
        ("S13",),
        formula=_same_view,
    ),
    Secret(
        "no-leak-through-options",
        "Two games that differ only in cards that a player may not know offer that player the same actions and prices.",
        ("708.5", "708.2", "708.2a"),
        ("S13",),
        formula=_same_options,
    ),
    Invariant(
        "no-overreach",
        "How an object came to be face down, its profile, status and counters stay visible to every player.",
        ("708.6", "708.2", "708.2a"),
        ("S22",),
        formula=_nothing_public_is_hidden,
    ),
    Invariant(
        "known-history-stays-visible",
        "A player who has learned which card a permanent is can still tell when it has been turned face down.",
        ("708.6",),
        ("S22",),
        formula=_history_is_kept,
    ),
    StepRule(
        "shown-only-by-right",
        "A player comes to see which card an object is only under a rule that discloses it.",
        ("708.5", "400.2", "701.20a"),
        ("S13",),
        formula=_shown_only_by_right,
    ),
    StepRule(
        "released-in-time",
        "What a rule discloses to a player is before that player's eyes from that step on.",
        ("708.9", "708.5", "701.20a", "701.40g", "116.2b"),
        ("S13", "S24"),
        formula=_released_in_time,
    ),
)
