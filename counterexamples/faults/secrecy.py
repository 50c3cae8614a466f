"""Faults of what players are shown: too much, too little, or too late (708.2, 708.5, 708.6, 708.9)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from counterexamples.faults.fault import Rule, fault
from counterexamples.faults.shared import is_down
from model.cards.card import Face
from model.families import CAUSE, PRIORITY, TARGET, ZONE
from model.rules import revealing, targeting, views
from model.rules.views import Sight
from model.setup import Obj, Player
from model.state import State
from model.terms import FALSE, TRUE, Term, and_, const, not_, or_
from model.vocabulary import Cause, Colour, Type, Zone

# -- public reports ----------------------------------------


@fault(
    "BR-96",
    "HIDE",
    "magefree/mage issue 2138",
    "The public log names the hidden card when a face-down spell is targeted.",
    breaks=views.sees_card,
    rules=("708.5", "708.4"),
    caught_by=("no-leak", "shown-only-by-right"),
    on=("S13/4",),
)
def targets_are_named(right: Rule, game: State, player: Player, o: Obj) -> Term:
    places = ((i, k) for i in range(game.setup.bounds.stack) for k in range(game.setup.target_places))
    targeted = or_(*(game[TARGET, i, k].is_(o) for i, k in places))
    return or_(right(game, player, o), targeted)


@fault(
    "BR-97",
    "HIDE",
    "magefree/mage issue 11914",
    "The picture of a face-down spell tells whether it was cast with morph or with megamorph.",
    breaks=views.how_it_lies,
    rules=("702.37b", "708.6"),
    caught_by=("no-leak",),
    on=("S13/4",),
)
def megamorph_looks_different(right: Rule, game: State, o: Obj) -> Iterator[tuple[Sight, Term]]:
    yield from right(game, o)
    mega = any(getattr(a, "kind", "") == "megamorph" for a in o.card.front.abilities)
    yield Sight("picture", (o.name,)), and_(game[CAUSE, o].is_(Cause.MORPH), TRUE if mega else FALSE)


@fault(
    "BR-98",
    "HIDE",
    "magefree/mage issue 13431",
    "A reminder that appears only on cloaked creature cards tells the opponent which they are.",
    breaks=views.how_it_lies,
    rules=("708.5", "701.58a"),
    caught_by=("no-leak",),
    on=("S13/3",),
)
def creature_cards_have_a_reminder(right: Rule, game: State, o: Obj) -> Iterator[tuple[Sight, Term]]:
    yield from right(game, o)
    creature = TRUE if Type.CREATURE in o.card.front.types else FALSE
    yield Sight("reminder", (o.name,)), and_(game[CAUSE, o].is_(Cause.CLOAK), creature)


@fault(
    "BR-105",
    "HIDE",
    "Cockatrice/Cockatrice issue 1126",
    "The colour of a face-down card's size box depends on the size of the hidden card.",
    breaks=views.how_it_lies,
    rules=("708.5",),
    caught_by=("no-leak",),
    on=("S13/4",),
)
def size_box_compares(right: Rule, game: State, o: Obj) -> Iterator[tuple[Sight, Term]]:
    yield from right(game, o)
    yield Sight("colour of the size box", (o.name,)), and_(is_down(game, o), _as_printed(o.card.front))


def _as_printed(face: Face) -> Term:
    return TRUE if face.power is not None and face.power.fixed == 2 else FALSE


# -- our own ----------------------------------------


@fault(
    "F-options-know-the-colour",
    "HIDE",
    "own",
    "What may be targeted is found out from the hidden card, so that a choice that is not offered tells its colour.",
    breaks=targeting.is_legal,
    rules=("708.2", "708.2a", "708.5"),
    caught_by=("no-leak-through-options",),
    on=("S13/3",),
)
def options_know_the_colour(right: Rule, game: State, spec: Any, target: Any, *args: Any) -> Term:
    legal: Term = right(game, spec, target, *args)
    black = isinstance(target, Obj) and Colour.BLACK in target.card.front.colours
    return and_(legal, not_(is_down(game, target))) if black else legal


@fault(
    "F-cause-is-not-shown",
    "HIDE",
    "own",
    "A player cannot see how an object came to be face down.",
    breaks=views.how_it_lies,
    rules=("708.6", "708.2"),
    caught_by=("no-overreach",),
    on=("S13/3",),
)
def cause_is_not_shown(right: Rule, game: State, o: Obj) -> Iterator[tuple[Sight, Term]]:
    return ((sight, value) for sight, value in right(game, o) if sight.what != "cause")


@fault(
    "F-profile-is-not-shown",
    "HIDE",
    "own",
    "A player sees every face-down object as a plain 2/2, with ward or without.",
    breaks=views.how_it_lies,
    rules=("708.2", "708.2a"),
    caught_by=("no-overreach",),
    on=("S13/3",),
)
def profile_is_not_shown(right: Rule, game: State, o: Obj) -> Iterator[tuple[Sight, Term]]:
    for sight, value in right(game, o):
        plain = sight.what == "face-down profile"
        yield sight, const(value.sort, game.setup.profiles[0]) if plain else value


@fault(
    "F-turned-down-is-forgotten",
    "HIDE",
    "own",
    "Once a permanent is turned face down, nobody can tell any more which one it was.",
    breaks=views.sees_card,
    rules=("708.6",),
    caught_by=("known-history-stays-visible",),
    on=("S22",),
)
def turned_down_is_forgotten(right: Rule, game: State, player: Player, o: Obj) -> Term:
    return and_(right(game, player, o), game[CAUSE, o].isnt(Cause.TURNED_DOWN))


@fault(
    "F-own-cards-need-priority",
    "HIDE",
    "own",
    "A player is shown the player's own face-down permanents only while holding priority.",
    breaks=revealing.may_look,
    rules=("708.5",),
    caught_by=("released-in-time",),
    on=("S13/3",),
)
def own_cards_need_priority(right: Rule, game: State, player: Player, o: Obj) -> Term:
    return and_(right(game, player, o), game[PRIORITY,].is_(player))


@fault(
    "F-instant-that-stays-down-is-not-shown",
    "HIDE",
    "own",
    "An instant or sorcery card that is told to turn face up is shown to its controller only.",
    breaks=views.sees_card,
    rules=("701.40g", "701.58g"),
    caught_by=("released-in-time",),
    on=("S24",),
)
def instant_is_not_shown(right: Rule, game: State, player: Player, o: Obj) -> Term:
    return and_(right(game, player, o), or_(not_(is_down(game, o)), revealing.may_look(game, player, o)))


@fault(
    "F-hands-are-open",
    "HIDE",
    "own",
    "Every card in a hand is shown to everybody.",
    breaks=views.sees_card,
    rules=("400.2",),
    caught_by=("no-leak",),
    on=("S13/4",),
)
def hands_are_open(right: Rule, game: State, player: Player, o: Obj) -> Term:
    return or_(right(game, player, o), game[ZONE, o].is_(Zone.HAND))
