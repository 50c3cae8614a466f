"""What a player sees of the game (400.2, 708.2, 708.5, 708.6).

A view is a function of the state and the player, kept apart from the state itself: how an object came to be face down,
its characteristics, counters and history are for everybody to see, and which card it is only for who may know.  Engines
show too much or too little here; the properties of secrecy compare views, so a rule of showing is a rule like others.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass

from model.characteristics import look
from model.families import (
    ACTIVE,
    ATTACHED,
    ATTACKING,
    BLOCKING,
    BY,
    CAUSE,
    COUNTERS,
    DAMAGE,
    HIDDEN,
    ITEM,
    KNOWN,
    LIFE,
    MANA,
    OVER,
    PENDING,
    PRIORITY,
    PROFILE,
    SETTLED,
    STEP,
    TAPPED,
    TARGET,
    TRANSFORMED,
    TURN,
    ZONE,
    X,
)
from model.rules.revealing import may_look
from model.setup import Obj, Player
from model.state import State
from model.terms import TRUE, Term, and_, const, count, ite, not_, number, or_
from model.vocabulary import Cause, Colour, CounterKind, ManaKind, Marker, Type, Zone

__all__ = ["Sight", "view", "which_card"]

_OPEN = (Zone.BATTLEFIELD, Zone.STACK, Zone.GRAVEYARD, Zone.EXILE)


@dataclass(frozen=True, slots=True)
class Sight:
    """One thing that a player sees.

    Parameters
    ----------
    what
        A characteristic, a status, a number, in the game's words.
    of
        Of what: names of objects or players, places of the stack.
    """

    what: str
    of: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.what} of {', '.join(self.of)}" if self.of else self.what


def view(game: State, player: Player) -> dict[Sight, Term]:
    """Everything that a player sees.

    Parameters
    ----------
    game
        A recorder over the state; it is only read.

    Returns
    -------
    dict
        The value of each sight; integers and members stand for themselves, "none" and 0 for what is not there.
    """
    found = dict(_table(game))
    for o in game.setup.objects:
        found.update(_public(game, o))
        found[Sight("identity", (o.name,))] = which_card(game, player, o)
    return found


def _table(game: State) -> Iterator[tuple[Sight, Term]]:
    """The turn, the players and the stack (117, 405.1, 500)."""
    setup = game.setup
    for family in (ACTIVE, STEP, TURN, PRIORITY, SETTLED, OVER):
        yield Sight(family.name), game[family,]
    for p in setup.players:
        yield Sight("life", (p.name,)), game[LIFE, p]
        for kind in ManaKind:
            yield Sight(f"{kind} mana", (p.name,)), game[MANA, p, kind]
        for zone in (Zone.HAND, Zone.LIBRARY):
            held = count(game[ZONE, o].is_(zone) for o in setup.cards() if o.owner is p)
            yield Sight(f"cards in {zone}", (p.name,)), held
    for place in range(setup.bounds.stack):
        where = (f"place {place} of the stack",)
        yield Sight("spell or ability", where), game[ITEM, place]
        yield Sight("controller", where), game[BY, place]
        yield Sight("x", where), game[X, place]
        for k in range(setup.target_places):
            yield Sight(f"target {k + 1}", where), game[TARGET, place, k]
    for item, that, p in setup.waiting:
        yield Sight("waiting triggers", (str(item), str(that), p.name)), game[PENDING, item, that, p]


def _public(game: State, o: Obj) -> Iterator[tuple[Sight, Term]]:
    """What everybody sees of an object, whether its card is known or not (708.2, 708.6)."""
    of, derived = (o.name,), look(game)
    zone = game[ZONE, o]
    there = zone.among((Zone.BATTLEFIELD, Zone.STACK))
    # Which of a player's hidden cards lies in which hidden zone is nobody's to see; how many do is.
    yield Sight("zone", of), _where(zone, Zone.OUTSIDE, zone.among(_OPEN))
    yield from how_it_lies(game, o)
    yield Sight("controller", of), _where(derived.controller(o), Marker.NONE, there)
    yield Sight("name", of), _where(derived.name(o), Marker.NONE, there)
    for what, size in (("power", derived.power(o)), ("toughness", derived.toughness(o))):
        creature = and_(there, derived.is_type(o, Type.CREATURE))
        yield Sight(what, of), ite(creature, size, number(0))
    yield Sight("mana value", of), ite(there, derived.mana_value(o), number(0))
    for kind in Type:
        yield Sight(f"is {kind}", of), and_(there, derived.is_type(o, kind))
    for colour in Colour:
        yield Sight(f"is {colour}", of), and_(there, derived.is_colour(o, colour))
    for keyword in sorted(game.setup.keywords, key=str):
        yield Sight(f"has {keyword}", of), and_(there, derived.has_keyword(o, keyword))


def how_it_lies(game: State, o: Obj) -> Iterator[tuple[Sight, Term]]:
    """The status of an object and why it has it: public, and never to be mixed up (708.6)."""
    of = (o.name,)
    there = game[ZONE, o].among((Zone.BATTLEFIELD, Zone.STACK))
    down = and_(there, game[CAUSE, o].isnt(Cause.NONE))
    yield Sight("cause", of), _where(game[CAUSE, o], Cause.NONE, there)
    yield Sight("face-down profile", of), _where(game[PROFILE, o], game.setup.profiles[0], down)
    yield Sight("transformed", of), and_(there, not_(down), game[TRANSFORMED, o])
    yield Sight("exiled face down", of), game[HIDDEN, o]
    yield Sight("tapped", of), game[TAPPED, o]
    yield Sight("damage", of), game[DAMAGE, o]
    yield Sight("attached to", of), game[ATTACHED, o]
    yield Sight("attacks", of), game[ATTACKING, o]
    yield Sight("blocks", of), game[BLOCKING, o]
    for kind in CounterKind:
        yield Sight(f"{kind} counters", of), game[COUNTERS, o, kind]


def which_card(game: State, player: Player, o: Obj) -> Term:
    """The card that an object is, as far as the player can tell; the marker NONE if not (708.5, 400.2)."""
    sort = game.setup.card_sort
    return ite(sees_card(game, player, o), const(sort, o.card.name), const(sort, Marker.NONE))


def sees_card(game: State, player: Player, o: Obj) -> Term:
    """Whether a player sees which card an object is: everybody does, or this player has learned it or may look."""
    zone = game[ZONE, o]
    face_up = and_(zone.among((Zone.BATTLEFIELD, Zone.STACK)), game[CAUSE, o].is_(Cause.NONE))
    in_the_open = and_(zone.among((Zone.GRAVEYARD, Zone.EXILE)), not_(game[HIDDEN, o]))
    learned = game[KNOWN, player, o] if not o.token else TRUE
    return or_(face_up, in_the_open, learned, may_look(game, player, o))


def _where(value: Term, else_member: Hashable, condition: Term) -> Term:
    return ite(condition, value, const(value.sort, else_member))
