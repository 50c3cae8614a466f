"""Properties of leaving: what was face down is shown (708.9)."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from model.families import CONTROLLER, ENTERED_UNDER, KNOWN, LEFT, OVER, ZONE
from model.setup import Obj
from model.terms import Term, and_, not_
from model.vocabulary import EventKind, Zone
from properties.kinds import Clause, Possible, Property, StepRule, StepView
from properties.support import PERMANENT_OR_SPELL, down, everybody_knows, on_battlefield

__all__ = ["PROPERTIES"]


def _leaves_stack(step: StepView) -> Iterable[Clause]:
    for o in step.setup.objects:
        leaves = and_(
            down(step.before, o),
            step.before[ZONE, o].is_(Zone.STACK),
            not_(step.after[ZONE, o].among(PERMANENT_OR_SPELL)),
        )
        yield Clause(
            f"{o}: left the stack face down, and was revealed",
            leaves,
            and_(everybody_knows(step.after, o), step.happens(EventKind.REVEALED, o)),
        )


def _leaves_battlefield(step: StepView) -> Iterable[Clause]:
    for o in step.setup.objects:
        leaves = and_(down(step.before, o), on_battlefield(step.before, o), not_(on_battlefield(step.after, o)))
        yield Clause(
            f"{o}: left the battlefield face down, and was revealed",
            leaves,
            and_(everybody_knows(step.after, o), step.happens(EventKind.REVEALED, o)),
        )


def _game_ends(step: StepView) -> Iterable[Clause]:
    ends = and_(not_(step.before[OVER,]), step.after[OVER,])
    for o in step.setup.objects:
        hidden = and_(down(step.before, o), step.before[ZONE, o].among(PERMANENT_OR_SPELL))
        yield Clause(
            f"{o}: face down as the game ended, and was revealed", and_(ends, hidden), everybody_knows(step.after, o)
        )


def _player_leaves(step: StepView) -> Iterable[Clause]:
    for o in step.setup.objects:
        p = o.owner
        leaves = and_(not_(step.before[LEFT, p]), step.after[LEFT, p])
        hidden = and_(down(step.before, o), step.before[ZONE, o].among(PERMANENT_OR_SPELL))
        yield Clause(
            f"{o}: its owner {p} left the game, and it was revealed",
            and_(leaves, hidden),
            everybody_knows(step.after, o),
        )


def _entered_under_leaver(step: StepView) -> Iterable[Clause]:
    for o in step.setup.objects:
        for p in step.setup.players:
            if p is o.owner:
                continue
            leaves = and_(not_(step.before[LEFT, p]), step.after[LEFT, p], not_(step.after[OVER,]))
            # What was only taken by an effect goes back, since the effect ends first.
            own = and_(step.before[CONTROLLER, o].is_(p), step.before[ENTERED_UNDER, o].is_(p))
            taken = and_(on_battlefield(step.before, o), own)
            yield Clause(
                f"{o}: under the control of {p}, who left, and not the owner's to lose",
                and_(leaves, taken),
                step.after[ZONE, o].is_(Zone.EXILE),
            )


def _unseen(step: StepView, o: Obj) -> Term:
    return not_(and_(*(step.before[KNOWN, p, o] for p in step.setup.players)))


def _probe(zone: Zone) -> Callable[[StepView], Iterable[Clause]]:
    def formula(step: StepView) -> Iterable[Clause]:
        for o in step.setup.objects:
            there = and_(down(step.before, o), step.before[ZONE, o].is_(zone), _unseen(step, o))
            away = not_(step.after[ZONE, o].among(PERMANENT_OR_SPELL))
            yield Clause(
                f"{o}: unseen and face down, leaves and is revealed", there, and_(away, everybody_knows(step.after, o))
            )

    return formula


def _probe_end(step: StepView) -> Iterable[Clause]:
    ends = and_(not_(step.before[OVER,]), step.after[OVER,])
    for o in step.setup.objects:
        unseen = and_(down(step.before, o), step.before[ZONE, o].among(PERMANENT_OR_SPELL), _unseen(step, o))
        yield Clause(
            f"{o}: unseen and face down as the game ends, and revealed",
            and_(ends, unseen),
            everybody_knows(step.after, o),
        )


PROPERTIES: tuple[Property, ...] = (
    StepRule(
        "face-down-spell-leaving-stack-is-revealed",
        "A face-down spell that leaves the stack for any zone but the battlefield is revealed as it moves.",
        ("708.9",),
        ("S19",),
        formula=_leaves_stack,
    ),
    StepRule(
        "face-down-permanent-leaving-is-revealed",
        "A face-down permanent that leaves the battlefield is revealed as it moves.",
        ("708.9",),
        ("S20",),
        formula=_leaves_battlefield,
    ),
    StepRule(
        "everything-is-revealed-at-game-end",
        "When the game ends, every face-down spell and permanent is revealed.",
        ("708.9", "104.1"),
        ("S21",),
        formula=_game_ends,
    ),
    StepRule(
        "leaver-reveals-what-it-owns",
        "When a player leaves, every face-down spell and permanent that the player owns is revealed.",
        ("708.9", "800.4a"),
        ("S21",),
        formula=_player_leaves,
    ),
    StepRule(
        "what-a-leaver-controls-of-others-is-exiled",
        "What a player who leaves still controls of others is exiled.",
        ("800.4a",),
        ("S21",),
        formula=_entered_under_leaver,
    ),
    Possible(
        "face-down-spell-leaves-stack",
        "A face-down spell leaves the stack for another zone than the battlefield.",
        ("708.9",),
        ("S19",),
        on_step=_probe(Zone.STACK),
    ),
    Possible(
        "face-down-permanent-leaves",
        "A face-down permanent leaves the battlefield.",
        ("708.9",),
        ("S20",),
        on_step=_probe(Zone.BATTLEFIELD),
    ),
    Possible(
        "game-ends-with-face-down-objects",
        "The game ends while something unseen is face down.",
        ("708.9",),
        ("S21",),
        on_step=_probe_end,
    ),
)
