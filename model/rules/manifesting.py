"""Manifest (701.40), cloak (701.58) and manifest dread (701.62): keyword actions, each one procedure."""

from __future__ import annotations

from model.effects.context import Option
from model.families import ZONE
from model.rules.revealing import learn
from model.rules.triggers import notice_all
from model.rules.zones import enter, from_top, move_all
from model.setup import Obj, Player
from model.state import State
from model.terms import FALSE, Term, and_, not_, or_
from model.vocabulary import Cause, EventKind, Zone

__all__ = ["DREAD_OPTIONS", "cloak", "manifest", "manifest_dread", "manifest_top"]

DREAD_OPTIONS = (Option("manifesting the first card", 0), Option("manifesting the second card", 1))
"""Which of the top two cards is manifested (701.62a)."""


def manifest(game: State, o: Obj, player: Player, *, tapped: bool = False) -> None:
    """Put a card onto the battlefield face down as a manifested 2/2 (701.40a)."""
    game.cite("701.40a")
    enter(game, o, player, cause=Cause.MANIFEST, profile=game.setup.profiles[0], tapped=tapped)
    with game.when(game[ZONE, o].is_(Zone.BATTLEFIELD)):
        game.emit(EventKind.MANIFESTED, o, player)


def cloak(game: State, o: Obj, player: Player, *, tapped: bool = False) -> None:
    """Put a card onto the battlefield face down as a cloaked 2/2 with ward {2} (701.58a)."""
    game.cite("701.58a")
    enter(game, o, player, cause=Cause.CLOAK, profile=game.setup.profiles[1], tapped=tapped)
    with game.when(game[ZONE, o].is_(Zone.BATTLEFIELD)):
        game.emit(EventKind.CLOAKED, o, player)


def manifest_top(game: State, player: Player, by: Player, *, cloaked: bool = False) -> list[tuple[Obj, Term]]:
    """A player manifests, or cloaks, the top card of a library.

    Parameters
    ----------
    player
        Whose library.
    by
        Who manifests, and so controls the permanent.

    Returns
    -------
    list of (object, condition)
        What was manifested, and when.
    """
    top = from_top(game, player, 0)
    for o, is_top in top:
        with game.when(is_top):
            (cloak if cloaked else manifest)(game, o, by)
    return [(o, and_(is_top, game[ZONE, o].is_(Zone.BATTLEFIELD))) for o, is_top in top]


def manifest_dread(
    game: State, player: Player, choice: Option
) -> tuple[list[tuple[Obj, Term]], list[tuple[Obj, Term]]]:
    """A player manifests dread (701.62a): looks at two cards, manifests one, and puts the rest into the graveyard.

    Abilities that trigger on it do so once, however many of the steps were possible (701.62b).

    Returns
    -------
    tuple
        What was manifested, and what was put into the graveyard, each with its condition.
    """
    game.cite("701.62a")
    first, second = from_top(game, player, 0), from_top(game, player, 1)
    has_second = or_(*(condition for _, condition in second))
    for o, condition in (*first, *second):
        with game.when(condition):
            learn(game, player, o)
            game.emit(EventKind.LOOKED, o, player)
    if choice.value == 0:
        chosen, others = first, second
    else:
        chosen = second + [(o, and_(condition, not_(has_second))) for o, condition in first]
        others = [(o, and_(condition, has_second)) for o, condition in first]
    for o, condition in chosen:
        with game.when(condition) as live:
            if live:
                manifest(game, o, player)
    manifested = [(o, and_(condition, game[ZONE, o].is_(Zone.BATTLEFIELD))) for o, condition in chosen]
    failed = [(o, and_(condition, game[ZONE, o].is_(Zone.LIBRARY))) for o, condition in chosen]
    move_all(game, [*others, *failed], Zone.GRAVEYARD)
    game.cite("701.62b")
    binned = [*others, *failed]
    anything: Term = FALSE
    about: list[tuple[Obj | None, Term]] = []
    for o, condition in binned:  # one event, about one of the cards, whatever became of them
        about.append((o, and_(condition, not_(anything))))
        anything = or_(anything, condition)
    notice_all(game, EventKind.MANIFEST_DREAD, [*about, (None, not_(anything))], player=player)
    return manifested, binned
