"""Zone changes (400): each makes a new object, reveals what left face down, and is seen by triggers.

An object's slot stays the same, so "a new object with no memory of the old one" (400.7) is made true by clearing all
that the slot carries and all that refers to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from model.cards.abilities import EntryBan, Replacement
from model.cards.card import Face
from model.characteristics import look
from model.effects.context import Context, Option
from model.families import (
    ABOVE,
    ATTACHED,
    ATTACKING,
    BLOCKED,
    BLOCKING,
    CAUSE,
    CHOSEN_NAME,
    CHOSEN_TYPE,
    CONTROLLER,
    COPIED,
    COPY_ENDS,
    COPY_WHILE_UP,
    COUNTERS,
    DAMAGE,
    DEATHTOUCHED,
    DELAYED,
    EFFECT,
    ENTERED_UNDER,
    FREE,
    HAPPENED,
    HIDDEN,
    LINKED,
    NEWER,
    ONCE,
    PAID_X,
    PERMITTED,
    PROFILE,
    REDIRECTED,
    SICK,
    TAPPED,
    TARGET,
    TRANSFORMED,
    TURNED_UP,
    ZONE,
)
from model.peek import Peek
from model.rules.revealing import learn, make_public, reveal_all
from model.rules.triggers import notice_all
from model.setup import Obj, Player, Setup
from model.state import State
from model.terms import FALSE, TRUE, Term, and_, const, count, eq, ite, not_, number, or_
from model.vocabulary import Cause, CounterKind, EventKind, Marker, Type, Zone

__all__ = [
    "become_new_object",
    "enter",
    "entry_options",
    "from_top",
    "is_from_top",
    "move",
    "move_all",
    "put_on_top",
    "touch",
]


def move(game: State, o: Obj, zone: Zone) -> None:
    """Move one object to a zone other than the battlefield and the stack."""
    move_all(game, [(o, TRUE)], zone)


def move_all(game: State, group: Sequence[tuple[Obj, Term]], zone: Zone, *, hidden: bool = False) -> None:
    """Move objects at once to a zone other than the battlefield and the stack.

    Leaves-the-battlefield abilities look back at the moment before any of them moves (603.10a); every face-down spell
    and permanent among them is revealed (708.9).

    Parameters
    ----------
    hidden
        Whether cards are exiled face down (406.3).
    """
    group = [(o, and_(condition, game[ZONE, o].isnt(zone))) for o, condition in group]
    group = [(o, condition) for o, condition in group if condition is not FALSE]
    leaving = [
        (o, here)
        for o, condition in group
        if (here := and_(condition, game[ZONE, o].is_(Zone.BATTLEFIELD))) is not FALSE
    ]
    if leaving:
        notice_all(game, EventKind.LEAVES, list(leaving))
        if zone is Zone.GRAVEYARD:
            game.cite("603.6c")
            _notice_dying(game, leaving)
    for o, condition in group:
        with game.when(condition):
            reveal_all(game, TRUE, o, "708.9")
            become_new_object(game, o)
            game[ZONE, o] = zone
            if hidden:
                game[HIDDEN, o] = True
            else:
                _show_in(game, o, zone)


def _notice_dying(game: State, leaving: Sequence[tuple[Obj, Term]]) -> None:
    """Objects die; an ability that asks how many +1/+1 counters there were is told (122.2, 603.10a)."""
    setup: Setup = game.setup
    counted = any(
        isinstance(s, int) for w, a in setup.watchers(EventKind.DIES) for s in setup.subjects(setup.item(w, a))
    )
    if not counted:
        notice_all(game, EventKind.DIES, list(leaving))
        return
    for n in range(setup.bounds.counters + 1):
        group = [(o, and_(condition, game[COUNTERS, o, CounterKind.PLUS].is_(n))) for o, condition in leaving]
        notice_all(game, EventKind.DIES, [(o, c) for o, c in group if c is not FALSE], amount=n)


def _show_in(game: State, o: Obj, zone: Zone) -> None:
    if zone in (Zone.GRAVEYARD, Zone.EXILE):
        make_public(game, o)
    elif zone is Zone.HAND:
        learn(game, o.owner, o)


def become_new_object(game: State, o: Obj) -> None:
    """Clear everything an object carries and every reference to it (400.7)."""
    setup: Setup = game.setup
    game[CONTROLLER, o] = o.owner
    game[ENTERED_UNDER, o] = o.owner
    game[CAUSE, o] = Cause.NONE
    game[PROFILE, o] = setup.profiles[0]
    game[COPIED, o] = Marker.NONE
    game[ATTACHED, o] = Marker.NONE
    game[ATTACKING, o] = Marker.NONE
    game[BLOCKING, o] = Marker.NONE
    for family in (TRANSFORMED, TAPPED, SICK, DEATHTOUCHED, BLOCKED, COPY_ENDS, COPY_WHILE_UP):
        game[family, o] = False
    game[DAMAGE, o] = 0
    game[LINKED, o] = Marker.NONE
    game[REDIRECTED, o] = Marker.NONE
    game[HIDDEN, o] = False
    game[PAID_X, o] = 0
    game[TURNED_UP, o] = False
    game[CHOSEN_NAME, o] = Marker.NONE
    game[CHOSEN_TYPE, o] = Marker.NONE
    for source, ability in setup.delayed:
        game[DELAYED, setup.item(source, ability), o] = False
    for player in setup.players:
        game[FREE, player, o] = False
        game[PERMITTED, player, o] = 0
    for kind in CounterKind:
        game[COUNTERS, o, kind] = 0
    for shot in setup.shots:
        game[EFFECT, shot, o] = 0
    for item in setup.limited_items(o):
        game[ONCE, item] = False
    _forget(game, o)


def _forget(game: State, o: Obj) -> None:
    setup: Setup = game.setup
    for other in setup.objects:
        for family in (ATTACHED, BLOCKING):
            refers = game[family, other].is_(o)
            if refers is not FALSE:
                game[family, other] = ite(refers, _marker(setup, Marker.NONE), game[family, other])
    for place in range(setup.bounds.stack):
        for k in range(setup.target_places):
            target = game[TARGET, place, k]
            if target.is_(o) is not FALSE:
                game[TARGET, place, k] = ite(target.is_(o), _marker(setup, Marker.GONE), target)


def _marker(setup: Setup, marker: Marker) -> Term:
    return const(setup.reference_sort, marker)


def touch(game: State, stamp: object) -> None:
    """Give a permanent or effect a timestamp later than every other (613.7)."""
    stamped = game.setup.stamped
    if stamp not in stamped:
        return
    at = stamped.index(stamp)
    for i, other in enumerate(stamped):
        if i < at:
            game[NEWER, other, stamp] = False
        elif i > at:
            game[NEWER, stamp, other] = True


def enter(
    game: State,
    o: Obj,
    controller: Player,
    *,
    cause: Cause = Cause.NONE,
    profile: Face | None = None,
    tapped: bool = False,
    attached_to: Obj | None = None,
    transformed: bool = False,
    picks: Iterator[Option] | None = None,
    x: int = 0,
    copied: Sequence[tuple[Term, Face]] | None = None,
) -> None:
    """Put an object onto the battlefield.

    A card that is put face down is turned face down before it enters, so its own abilities do not see it enter (708.3);
    an instant or sorcery card cannot enter face up and stays where it is (400.4a).

    Parameters
    ----------
    cause, profile
        Why it is face down and as what; face up without them.
    picks
        The choices for its own "as this enters" abilities, in the order of :func:`entry_options`.
    x
        The value of X of the spell that it was (107.3m); 0 for what was none.
    copied
        The copiable values that a token enters with, each with its condition.
    """
    if cause is Cause.NONE and not o.card.front.is_permanent_card:
        return
    # A token that has left the battlefield cannot come back (111.8).
    free = game[ZONE, o].among((Zone.OUTSIDE, Zone.STACK)) if o.token else TRUE
    with game.when(and_(free, not_(_barred(game, o, cause)))) as live:
        if live:
            arrive = _Arrival(controller, cause, profile, tapped, attached_to, transformed, picks, x, copied)
            _arrive(game, o, arrive)


@dataclass(frozen=True, slots=True)
class _Arrival:
    """How an object enters; see :func:`enter`."""

    controller: Player
    cause: Cause
    profile: Face | None
    tapped: bool
    attached_to: Obj | None
    transformed: bool
    picks: Iterator[Option] | None
    x: int
    copied: Sequence[tuple[Term, Face]] | None


def _barred(game: State, o: Obj, cause: Cause) -> Term:
    """Whether an effect stops the card from entering from where it is (701.40f)."""
    found = []
    for source in game.setup.objects:
        for ability in game.setup.abilities_of(source):
            if isinstance(ability, EntryBan):
                types = {Type.CREATURE} if cause is not Cause.NONE else o.card.front.types
                works = and_(
                    game[ZONE, source].is_(Zone.BATTLEFIELD),
                    look(game).has_ability(source, ability),
                    game[ZONE, o].among(ability.zones),
                )
                found.append(works if types & set(ability.cant_enter) else FALSE)
    return or_(*found)


def _arrive(game: State, o: Obj, how: _Arrival) -> None:
    controller, cause = how.controller, how.cause
    from_graveyard = game[ZONE, o].is_(Zone.GRAVEYARD)
    become_new_object(game, o)
    game[ZONE, o] = Zone.BATTLEFIELD
    game[CONTROLLER, o] = controller
    game[ENTERED_UNDER, o] = controller
    game[CAUSE, o] = cause
    if how.profile is not None:
        game[PROFILE, o] = how.profile
    game[TRANSFORMED, o] = how.transformed
    game[TAPPED, o] = how.tapped
    for case, face in how.copied or ():
        with game.when(case) as live:
            if live:
                game[COPIED, o] = face
    game[SICK, o] = True
    if how.attached_to is not None:
        game[ATTACHED, o] = how.attached_to
    touch(game, o)
    game[PAID_X, o] = min(how.x, setup_x(game))
    if cause is not Cause.NONE:
        game[HAPPENED, controller, "a permanent entered face down"] = True
    if cause is Cause.NONE:
        make_public(game, o)
        if o.card.front.loyalty is not None:
            game[COUNTERS, o, CounterKind.LOYALTY] = o.card.front.loyalty
    _apply_as_enters(game, o, controller, how.picks if how.picks is not None else iter(()), how.x)
    notice_all(game, EventKind.ENTERS, [(o, TRUE)], from_graveyard=from_graveyard)


def setup_x(game: State) -> int:
    """The largest X that is remembered."""
    setup: Setup = game.setup
    return setup.bounds.x


def _own_entries(setup: Setup, o: Obj) -> Iterator[Replacement]:
    return (
        a for a in setup.abilities_of(o) if isinstance(a, Replacement) and a.as_.startswith("enters") and a.what is None
    )


def entry_options(peek: Peek, o: Obj, context: Context) -> list[Sequence[Option]]:
    """What an object's own "as this enters" abilities ask for: for each choice, its options (614.12a)."""
    return [
        options
        for ability in _own_entries(peek.setup, o)
        for effect in ability.do
        for options in effect.options(peek, context)
    ]


def _apply_as_enters(game: State, o: Obj, controller: Player, picks: Iterator[Option], x: int) -> None:
    """Apply replacements of entering: the object's own if it is face up, and those of others (614.12)."""
    for source in game.setup.objects:
        for ability in game.setup.abilities_of(source):
            if not isinstance(ability, Replacement) or not ability.as_.startswith("enters"):
                continue
            own = ability.what is None
            if own and source is not o:
                continue
            derived = look(game)
            works = and_(game[ZONE, source].is_(Zone.BATTLEFIELD), derived.has_ability(source, ability))
            if not own and works is not FALSE:
                works = and_(works, derived.matches(o, ability.what, derived.controller(source), source))  # type: ignore[arg-type]
            with game.when(works) as live:
                if live:
                    game.cite("614.12")
                    context = Context(game, source, controller, that=o, x=x, picks=picks)
                    for effect in ability.do:
                        effect.apply(context)


def is_from_top(game: State, o: Obj, place: int) -> Term:
    """Whether an object is at a place of its owner's library, counted from 0 at the top."""
    setup: Setup = game.setup
    here = game[ZONE, o].is_(Zone.LIBRARY)
    if here is FALSE:
        return FALSE
    above = [
        and_(game[ZONE, other].is_(Zone.LIBRARY), game[ABOVE, other, o])
        for other in setup.objects
        if other is not o and other.owner is o.owner
    ]
    return and_(here, eq(count(above), number(place)))


def from_top(game: State, player: Player, place: int) -> list[tuple[Obj, Term]]:
    """The objects that can be at a place of a library, each with its condition."""
    found = [(o, is_from_top(game, o, place)) for o in game.setup.cards() if o.owner is player]
    return [(o, condition) for o, condition in found if condition is not FALSE]


def put_on_top(game: State, o: Obj, *, bottom: bool = False) -> None:
    """Put an object on top, or on the bottom, of its owner's library."""
    move(game, o, Zone.LIBRARY)
    for other in game.setup.objects:
        if other is not o and other.owner is o.owner:
            game[ABOVE, o, other] = not bottom
            game[ABOVE, other, o] = bottom
