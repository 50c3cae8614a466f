"""State-based actions (704) and settling: what the game does before any player gets priority (704.3, 117.5)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

from model.cards.abilities import Attach
from model.characteristics import Look, look
from model.families import ATTACHED, COUNTERS, DAMAGE, DEATHTOUCHED, LEFT, LIFE, OVER, SETTLED, ZONE
from model.peek import Peek
from model.rules.leaving import leave_game
from model.rules.triggers import any_waiting
from model.rules.zones import move_all
from model.setup import Obj, Player, Setup
from model.state import State
from model.system import Candidate, Label
from model.terms import FALSE, TRUE, Term, and_, not_, or_
from model.vocabulary import CounterKind, Keyword, Marker, Supertype, Type, Zone

__all__ = ["actions", "needed", "settle"]


@dataclass(frozen=True, slots=True)
class _Check:
    """A state-based action: what it is about, when it applies, what it does, and its rule."""

    about: object
    applies: Term
    does: str
    rule: str


def _checks(game: State) -> Iterator[_Check]:
    """Every state-based action that can apply, with its condition in the present state."""
    return (replace(check, applies=game.under(check.rule, check.applies)) for check in _conditions(game))


def _conditions(game: State) -> Iterator[_Check]:
    setup: Setup = game.setup
    derived = look(game)
    for o in setup.objects:
        on = game[ZONE, o].is_(Zone.BATTLEFIELD)
        if on is not FALSE:
            yield from _creature_checks(game, derived, o, on)
            yield from _attachment_checks(game, derived, o, on)
            yield from _counter_checks(game, derived, o, on)
        if o.token:
            # A copy of a spell may stand on the stack too (704.5e).
            away = not_(game[ZONE, o].among((Zone.BATTLEFIELD, Zone.OUTSIDE, Zone.STACK)))
            yield _Check(o, away, "cease", "704.5d")
    for p in setup.players:
        dead = and_(game[LIFE, p] <= 0, not_(game[LEFT, p]))
        yield _Check(p, dead, "lose", "704.5a")


def _creature_checks(game: State, derived: Look, o: Obj, on: Term) -> Iterator[_Check]:
    creature = and_(on, derived.is_type(o, Type.CREATURE))
    if creature is FALSE:
        return
    toughness = derived.toughness(o)
    yield _Check(o, and_(creature, toughness <= 0), "die", "704.5f")
    mortal = not_(derived.has_keyword(o, Keyword.INDESTRUCTIBLE))
    damage = game[DAMAGE, o]
    lethal = or_(and_(damage > 0, toughness <= damage), game[DEATHTOUCHED, o])
    yield _Check(o, and_(creature, mortal, toughness > 0, lethal), "die", "704.5g")


def _attachment_checks(game: State, derived: Look, o: Obj, on: Term) -> Iterator[_Check]:
    setup: Setup = game.setup
    attached = game[ATTACHED, o]
    aura = and_(on, derived.is_subtype(o, "Aura"))
    if aura is FALSE and attached.is_(Marker.NONE) is TRUE:
        return
    hosts = []
    for host in setup.objects:
        to = attached.is_(host)
        if to is not FALSE:
            hosts.append(and_(to, may_be_enchanted_by(game, host, o)))
    if aura is not FALSE:
        yield _Check(o, and_(aura, not_(or_(*hosts))), "die", "704.5m")
    equipment = and_(on, derived.is_subtype(o, "Equipment"), not_(aura))
    held = [
        and_(attached.is_(host), game[ZONE, host].is_(Zone.BATTLEFIELD), derived.is_type(host, Type.CREATURE))
        for host in setup.objects
        if attached.is_(host) is not FALSE
    ]
    loose = attached.is_(Marker.NONE)
    yield _Check(o, and_(equipment, not_(loose), not_(or_(*held))), "unattach", "704.5n")
    plain = and_(on, not_(aura), not_(equipment), not_(loose))
    creature = and_(on, derived.is_type(o, Type.CREATURE), not_(loose))
    yield _Check(o, or_(plain, creature), "unattach", "704.5p")


def may_be_enchanted_by(game: State, host: Obj, aura: Obj) -> Term:
    """Whether an object is something that an Aura can enchant (303.4c)."""
    derived, found = look(game), []
    for ability in game.setup.abilities_of(aura):
        if isinstance(ability, Attach) and ability.enchant is not None:
            meets = derived.matches(host, ability.enchant, derived.controller(aura), aura)
            found.append(and_(derived.has_ability(aura, ability), meets))
    return and_(or_(*found), not_(derived.ruled(host, "cant_be_enchanted"))) if host is not aura else FALSE


def _counter_checks(game: State, derived: Look, o: Obj, on: Term) -> Iterator[_Check]:
    if any(Type.PLANESWALKER in face.types for face in game.setup.faces_of(o)):
        walker = and_(on, derived.is_type(o, Type.PLANESWALKER))
        yield _Check(o, and_(walker, game[COUNTERS, o, CounterKind.LOYALTY] <= 0), "die", "704.5i")
    if any(Type.BATTLE in face.types for face in game.setup.faces_of(o)):
        yield _Check(o, and_(on, derived.is_type(o, Type.BATTLE)), "die", "704.5v")


def _legends(game: State) -> Iterator[tuple[Obj, Obj, Term]]:
    """Pairs of legendary permanents of one name and one controller (704.5j)."""
    setup: Setup = game.setup
    if not any(Supertype.LEGENDARY in face.supertypes for face in setup.every_face):
        return
    derived = look(game)
    for i, a in enumerate(setup.objects):
        for b in setup.objects[i + 1 :]:
            both = and_(
                *(
                    and_(game[ZONE, o].is_(Zone.BATTLEFIELD), derived.is_supertype(o, Supertype.LEGENDARY))
                    for o in (a, b)
                )
            )
            if both is not FALSE:
                yield a, b, and_(both, derived.same_name(a, b), derived.controller(a).is_(derived.controller(b)))


def needed(game: State) -> Term:
    """Whether any state-based action applies."""
    return or_(*(check.applies for check in _checks(game)), *(applies for _, _, applies in _legends(game)))


def settle(game: State) -> None:
    """Note whether the game has something to do before a player gets priority.

    Conditions that are the same terms as before the step are known to be false wherever the step needed a settled game.
    """
    was_settled = game.before(SETTLED) is TRUE
    before: set[Term] = set()
    if was_settled:
        origin = game.origin()
        before = {check.applies for check in _checks(origin)} | {applies for _, _, applies in _legends(origin)}
    after = [check.applies for check in _checks(game)] + [applies for _, _, applies in _legends(game)]
    pending = or_(*(condition for condition in after if condition not in before))
    game[SETTLED,] = or_(not_(or_(pending, any_waiting(game, game.setup))), game[OVER,])


def actions(peek: Peek) -> Iterator[Candidate]:
    """The state-based actions: all that apply, at once; for the legend rule, one action for each choice."""
    yield Candidate(Label("state-based actions", None, "state-based actions"), _perform)
    setup = peek.setup
    legends = [
        o
        for o in setup.objects
        if peek.may_be_in(o, Zone.BATTLEFIELD)
        and any(Supertype.LEGENDARY in face.supertypes for face in setup.faces_of(o))
    ]
    for kept in legends:
        for gone in legends:
            if kept is not gone:
                label = Label(
                    "legend rule",
                    None,
                    f"legend rule: {kept} is kept, {gone} is not",
                    (("kept", kept.name), ("gone", gone.name)),
                )
                yield Candidate(label, partial(_legend_rule, kept=kept, gone=gone))


def _perform(game: State) -> None:
    # When the game is over it is settled, too.
    game.require(not_(game[SETTLED,]), "something has changed", "704.3")
    checks = [check for check in _checks(game) if check.applies is not FALSE]
    game.require(or_(*(check.applies for check in checks)), "a state-based action applies", "704.3")
    for check in checks:
        with game.when(check.applies):
            game.cite(check.rule)
    merged: dict[Obj, Term] = {}
    for check in checks:
        if check.does == "die" and isinstance(check.about, Obj):
            merged[check.about] = or_(merged.get(check.about, FALSE), check.applies)
    move_all(game, list(merged.items()), Zone.GRAVEYARD)
    for check in checks:
        with game.when(check.applies):
            if check.does == "unattach":
                game[ATTACHED, check.about] = Marker.NONE
            elif check.does == "cease":
                game[ZONE, check.about] = Zone.OUTSIDE
            elif isinstance(check.about, Player):
                leave_game(game, check.about)
    settle(game)


def _legend_rule(game: State, kept: Obj, gone: Obj) -> None:
    # When the game is over it is settled, too.
    game.require(not_(game[SETTLED,]), "something has changed", "704.3")
    others = or_(*(check.applies for check in _checks(game)))
    game.require(not_(others), "no other state-based action applies", "704.3")
    pair = or_(*(applies for a, b, applies in _legends(game) if {a, b} == {kept, gone}))
    game.require(pair, f"{kept} and {gone} are legendary and share name and controller", "704.5j")
    game.cite("704.5j")
    move_all(game, [(gone, TRUE)], Zone.GRAVEYARD)
    settle(game)
