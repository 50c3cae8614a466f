"""Properties of cards that are milled, scried or surveilled (701.17, 701.22, 701.25)."""

from __future__ import annotations

from collections.abc import Iterable

from model.effects.base import Effect
from model.effects.face_down import PutFaceDown
from model.effects.libraries import Mill, Surveil
from model.families import ZONE
from model.setup import Obj, Player
from model.terms import TRUE, Term, and_, eq, not_
from model.vocabulary import EventKind, Zone
from properties.kinds import Clause, Property, StepRule, StepView
from properties.support import controller_of, in_library, instructions, item_of, place_of

__all__ = ["PROPERTIES"]


def _told(step: StepView, *allowed: type[Effect]) -> tuple[Effect, Player] | None:
    """The first instruction of a spell without targets, if all are of the kinds allowed, and who follows it."""
    item = item_of(step.setup, step.action)
    if item is None or item.spell is None or item.spell.targets:
        return None
    told = instructions(item)
    if not told or not all(isinstance(effect, allowed) for effect in told):
        return None
    return told[0], controller_of(step.setup, step.action)


def _above(step: StepView, o: Obj, number: int) -> Term:
    """Whether a card is among so many from the top of its library."""
    return and_(step.before[ZONE, o].is_(Zone.LIBRARY), place_of(step.before, o) < number)


def _milled(step: StepView) -> Iterable[Clause]:
    mill, player = _told(step, Mill, PutFaceDown) or (None, None)
    if not isinstance(mill, Mill) or player is None or mill.mill.per_x or mill.player is not None:
        return
    for o in step.setup.cards():
        if o.owner is player:
            top, here = _above(step, o, mill.mill.fixed), step.before[ZONE, o].is_(Zone.LIBRARY)
            stays = step.after[ZONE, o].is_(Zone.LIBRARY)
            yield Clause(f"{o}: among the top cards, and milled", top, not_(stays))
            yield Clause(f"{o}: below the top cards, and not milled", and_(here, not_(top)), stays)


def _put_where_chosen(step: StepView) -> Iterable[Clause]:
    look, player = _told(step, Surveil) or (None, None)
    if not isinstance(look, Surveil) or player is None:
        return
    chosen = [value for key, value in step.action.label.arguments if key == "choice"]
    if len(chosen) != look.surveil:
        return
    for o in step.setup.cards():
        if o.owner is not player:
            continue
        for place, words in enumerate(chosen):
            here = and_(step.before[ZONE, o].is_(Zone.LIBRARY), place_of(step.before, o).is_(place))
            if words.endswith("stays"):
                fate = step.after[ZONE, o].is_(Zone.LIBRARY)
            elif look.bottom:
                last = eq(place_of(step.after, o) + 1, in_library(step.after, player))
                fate = and_(step.after[ZONE, o].is_(Zone.LIBRARY), last if look.surveil == 1 else TRUE)
            else:
                fate = step.after[ZONE, o].is_(Zone.GRAVEYARD)
            yield Clause(
                f"{o}: looked at by {player}, and {words.partition(' ')[2].partition(' ')[2]}",
                here,
                and_(fate, step.happens(EventKind.LOOKED, o, player)),
            )


PROPERTIES: tuple[Property, ...] = (
    StepRule(
        "milled-cards-are-the-top-ones",
        "Who mills cards puts that many from the top of the library into the graveyard, and no others.",
        ("701.17a",),
        formula=_milled,
    ),
    StepRule(
        "cards-looked-at-go-where-they-are-put",
        "Who scries or surveils looks at so many cards, and each stays or goes to the bottom or into the graveyard as "
        "that player chooses.",
        ("701.22a", "701.25a"),
        formula=_put_where_chosen,
    ),
)
