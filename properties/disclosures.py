"""The rules that let a player know which card an object is, as data: what each discloses, to whom, and from when.

Properties of secrecy read this table from the rulebook's side: raw state, printed cards, and what happens in a step.
Whatever the model shows to a player must fall under one of these rules, and what falls under one must be shown.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass

from model.cards.abilities import LookPermission
from model.cards.phrases import Filter
from model.families import ABOVE, CAUSE, HIDDEN, OVER, ZONE
from model.setup import Obj, Player
from model.terms import FALSE, Term, and_, not_, or_
from model.vocabulary import Cause, EventKind, Zone
from properties.kinds import StepView, View
from properties.support import PERMANENT_OR_SPELL, controls, down, is_instant_or_sorcery, shown_face

__all__ = ["DISCLOSURES", "Audience", "Disclosure", "Since", "disclosed", "may_know"]


class Audience(enum.Enum):
    """To whom a rule discloses a card."""

    EVERYBODY = "everybody"
    CONTROLLER = "its controller"
    OWNER = "its owner"
    PERMITTED = "whom an effect lets look"


class Since(enum.Enum):
    """From when on a rule discloses a card."""

    AS_IT_HAPPENS = "as it happens, and ever after for that object"
    WHILE = "for as long as it is so"


@dataclass(frozen=True, slots=True)
class Disclosure:
    """A rule that discloses which card an object is.

    Parameters
    ----------
    rule
        Its number.
    reveals
        What it discloses, in a few words.
    to, since
        To whom, and from when.
    applies
        Whether in a step it discloses an object to a player: what happens in it, or what is so after it.
    """

    rule: str
    reveals: str
    to: Audience
    since: Since
    applies: Callable[[StepView, Obj, Player], Term]


def disclosed(step: StepView, o: Obj, player: Player) -> Term:
    """Whether some rule discloses an object to a player in a step."""
    return or_(*(entry.applies(step, o, player) for entry in DISCLOSURES))


def may_know(view: View, o: Obj, player: Player) -> Term:
    """Whether what is so in a state, whatever happened before, lets a player know which card an object is."""
    return or_(_in_the_open(view, o), _its_controller(view, o, player), _in_own_hand(view, o, player),
               _permitted(view, o, player))


# -- what is so -----------------------------------------------------------------------------------


def _hidden(view: View, o: Obj) -> Term:
    return and_(down(view, o), view[ZONE, o].among(PERMANENT_OR_SPELL))


def _in_the_open(view: View, o: Obj) -> Term:
    face_up = and_(view[ZONE, o].among(PERMANENT_OR_SPELL), view[CAUSE, o].is_(Cause.NONE))
    return or_(face_up, and_(view[ZONE, o].among((Zone.GRAVEYARD, Zone.EXILE)), not_(view[HIDDEN, o])))


def _its_controller(view: View, o: Obj, player: Player) -> Term:
    return and_(_hidden(view, o), controls(view, o, player))


def _in_own_hand(view: View, o: Obj, player: Player) -> Term:
    return view[ZONE, o].is_(Zone.HAND) if o.owner is player else FALSE


def _permitted(view: View, o: Obj, player: Player) -> Term:
    """Whether a face-up permanent of the player has a printed permission to look that can reach the object."""
    found = []
    for source in view.setup.objects:
        here = and_(shown_face(view, source), controls(view, source, player))
        for ability in source.card.front.abilities:
            if not isinstance(ability, LookPermission):
                continue
            if isinstance(ability.look_at, Filter):
                found.append(and_(here, _hidden(view, o)))
            elif o.owner is player:
                found.append(and_(here, view[ZONE, o].is_(Zone.LIBRARY), _on_top(view, o)))
    return or_(*found)


def _on_top(view: View, o: Obj) -> Term:
    others = (c for c in view.setup.cards() if c is not o and c.owner is o.owner)
    return not_(or_(*(and_(view[ZONE, c].is_(Zone.LIBRARY), view[ABOVE, c, o]) for c in others)))


# -- what happens ---------------------------------------------------------------------------------


def _leaves(step: StepView, o: Obj, player: Player) -> Term:
    """A face-down permanent or spell goes anywhere but from the stack to the battlefield."""
    was, now = step.before[ZONE, o], step.after[ZONE, o]
    enters = and_(was.is_(Zone.STACK), now.is_(Zone.BATTLEFIELD))
    left = or_(step.changed(ZONE, o), step.happens(EventKind.LEAVES, o))
    return and_(_hidden(step.before, o), left, not_(enters))


def _game_ends(step: StepView, o: Obj, player: Player) -> Term:
    return and_(_hidden(step.before, o), not_(step.before[OVER,]), step.after[OVER,])


def _shown_for_its_cost(step: StepView, o: Obj, player: Player) -> Term:
    if not step.action.label.rule.startswith("turn face up") or step.argument("permanent") != o.name:
        return FALSE
    return _hidden(step.before, o)


def _stays_down(step: StepView, o: Obj, player: Player) -> Term:
    return step.happens(EventKind.TURN_UP_ATTEMPT, o) if is_instant_or_sorcery(o) else FALSE


DISCLOSURES: tuple[Disclosure, ...] = (
    Disclosure("400.2", "a card that is face up in a public zone", Audience.EVERYBODY, Since.WHILE,
               lambda step, o, p: _in_the_open(step.after, o)),
    Disclosure("402.3", "a card in a hand", Audience.OWNER, Since.WHILE,
               lambda step, o, p: _in_own_hand(step.after, o, p)),
    Disclosure("708.5", "a face-down permanent or spell", Audience.CONTROLLER, Since.WHILE,
               lambda step, o, p: _its_controller(step.after, o, p)),
    Disclosure("708.5", "what an effect lets the player look at", Audience.PERMITTED, Since.WHILE,
               lambda step, o, p: _permitted(step.after, o, p)),
    Disclosure("701.20e", "a card that the player is told to look at", Audience.PERMITTED, Since.AS_IT_HAPPENS,
               lambda step, o, p: step.happens(EventKind.LOOKED, o, p)),
    Disclosure("701.20a", "a card that an instruction or a cost reveals", Audience.EVERYBODY, Since.AS_IT_HAPPENS,
               lambda step, o, p: step.happens(EventKind.REVEALED, o)),
    Disclosure("116.2b", "a permanent that is turned face up for a cost", Audience.EVERYBODY, Since.AS_IT_HAPPENS,
               _shown_for_its_cost),
    Disclosure("701.40g", "an instant or sorcery card that is told to turn face up", Audience.EVERYBODY,
               Since.AS_IT_HAPPENS, _stays_down),
    Disclosure("708.9", "a face-down permanent or spell that leaves", Audience.EVERYBODY, Since.AS_IT_HAPPENS, _leaves),
    Disclosure("708.9", "what is face down as the game ends", Audience.EVERYBODY, Since.AS_IT_HAPPENS, _game_ends),
)
"""In the order of the zones and of what happens there."""
