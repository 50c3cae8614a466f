"""Turning permanents face up and face down (708).

Neither is a zone change: everything that is not a characteristic stays as it is, and the timestamp is new (613.7f).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from model.cards.abilities import Replacement
from model.cards.card import Face
from model.characteristics import look, look_if_face_up
from model.effects.context import Context, Option
from model.families import CAUSE, COPIED, COPY_WHILE_UP, HAPPENED, PROFILE, TRANSFORMED, TURNED_UP, ZONE
from model.peek import Peek
from model.rules.revealing import make_public, reveal
from model.rules.triggers import notice
from model.rules.zones import touch
from model.setup import Obj, Player, Setup
from model.state import State
from model.terms import FALSE, Term, and_, not_
from model.vocabulary import Cause, EventKind, Marker, Zone

__all__ = ["as_turned_up_options", "is_instant_or_sorcery_card", "turn_down", "turn_up"]


def is_instant_or_sorcery_card(o: Obj) -> bool:
    """Whether the card that represents an object is an instant or sorcery card: its front face decides (712.8a)."""
    return not o.token and not o.card.front.is_permanent_card


def _as_turned_up(setup: Setup, o: Obj) -> Iterator[Replacement]:
    return (
        a
        for a in setup.abilities_of(o)
        if isinstance(a, Replacement) and a.as_.endswith("turned_up") and a.what is None
    )


def as_turned_up_options(peek: Peek, o: Obj, context: Context) -> list[tuple[Option, ...]]:
    """Every combination of choices that an object's "as this is turned face up" abilities ask for (708.11)."""
    asked = [
        options
        for ability in _as_turned_up(peek.setup, o)
        for effect in ability.do
        for options in effect.options(peek, context)
    ]
    return list(itertools.product(*asked))


def turn_up(game: State, o: Obj, by: Player, picks: Sequence[Option] = ()) -> None:
    """Turn a face-down permanent face up, or try to.

    An instant or sorcery card is revealed and stays face down (701.40g, 701.58g); one that cannot be turned face up
    stays as it is (101.2).  "As turned face up" abilities that it would have face up apply at this moment (708.11), no
    "enters" ability does (708.8), and triggers look at it afterwards.

    Parameters
    ----------
    by
        The player who turns it up, or who follows the effect that does.
    picks
        The choices for "as turned face up" abilities, in the order of :func:`as_turned_up_options`.
    """
    derived = look(game)
    allowed = and_(game[ZONE, o].is_(Zone.BATTLEFIELD), derived.face_down(o), not_(derived.ruled(o, "cant_turn_up")))
    with game.when(allowed) as live:
        if not live:
            return
        game.emit(EventKind.TURN_UP_ATTEMPT, o, by)
        if is_instant_or_sorcery_card(o):
            reveal(game, o, "701.40g", "701.58g")
            return
        hypothetical = look_if_face_up(game, o)
        replacements = [(a, hypothetical.has_ability(o, a)) for a in _as_turned_up(game.setup, o)]
        game.cite("708.8")
        game[HAPPENED, by, "you turned a permanent face up"] = True
        game[TURNED_UP, o] = True
        game[CAUSE, o] = Cause.NONE
        game[PROFILE, o] = game.setup.profiles[0]
        game[TRANSFORMED, o] = False
        touch(game, o)
        make_public(game, o)
        for ability, has in replacements:
            _apply_replacement(game, o, ability, has, picks)
        notice(game, EventKind.TURNED_UP, o, player=by)


def _apply_replacement(game: State, o: Obj, ability: Replacement, has: Term, picks: Sequence[Option]) -> None:
    """Apply an "as this is turned face up" ability; its controller makes the choices, whoever turns it up (708.11)."""
    controller = look(game).controller(o)
    for player in game.setup.players:
        with game.when(and_(has, controller.is_(player))) as applies:
            if applies:
                game.cite("708.11")
            context = Context(game, o, player, that=o, picks=iter(picks))
            for effect in ability.do:
                effect.apply(context)


def turn_down(game: State, o: Obj, *, profile: Face | None = None) -> None:
    """Turn a face-up permanent face down.

    A face-down permanent is not affected at all (708.2b), nor is a double-faced one (712.16).

    Parameters
    ----------
    profile
        The characteristics that the effect lists; the default ones if it lists none (708.2a).
    """
    if o.card.is_double_faced:
        return
    allowed = and_(game[ZONE, o].is_(Zone.BATTLEFIELD), not_(look(game).face_down(o)))
    if allowed is FALSE:
        return
    with game.when(allowed):
        game.cite("708.2a")
        game[CAUSE, o] = Cause.TURNED_DOWN
        with game.when(game[COPY_WHILE_UP, o]) as ends:
            if ends:
                game[COPIED, o] = Marker.NONE
                game[COPY_WHILE_UP, o] = False
        game[PROFILE, o] = profile or game.setup.profiles[0]
        touch(game, o)
        notice(game, EventKind.TURNED_DOWN, o)
