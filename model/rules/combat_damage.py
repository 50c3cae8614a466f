"""The combat damage step (510) and the end of combat (511)."""

from __future__ import annotations

from model.characteristics import Look, look
from model.families import ATTACKING, BLOCKED, BLOCKING, ZONE
from model.rules.damage import Blow, deal_at_once
from model.setup import Obj, Setup
from model.state import State
from model.terms import FALSE, Term, and_, ite, le, not_, number, or_
from model.vocabulary import Keyword, Marker, TurnStep, Type, Zone

__all__ = ["deal_combat_damage", "end_combat"]


def end_combat(game: State) -> None:
    """Everything is removed from combat (511.3)."""
    for o in game.setup.objects:
        game[ATTACKING, o] = Marker.NONE
        game[BLOCKING, o] = Marker.NONE
        game[BLOCKED, o] = False


def _fights(game: State, derived: Look, o: Obj) -> Term:
    """Whether the object is a creature on the battlefield; what no longer is one is out of combat (506.4)."""
    return and_(game[ZONE, o].is_(Zone.BATTLEFIELD), derived.is_type(o, Type.CREATURE))


def _deals(derived: Look, o: Obj, *, first: bool, split: bool) -> Term:
    """Whether the creature deals damage in this step (510.4)."""
    double = derived.has_keyword(o, Keyword.DOUBLE_STRIKE)
    early = derived.has_keyword(o, Keyword.FIRST_STRIKE)
    if first:
        return or_(double, early)
    return or_(double, not_(early)) if split else not_(FALSE)


def deal_combat_damage(game: State, *, first: bool) -> None:
    """All attackers and blockers of this step deal damage at once (510.2).

    A blocked attacker assigns lethal damage to its blockers in their order; the rest goes to the last of them, or to
    the player if it has trample (702.19b).
    """
    setup: Setup = game.setup
    derived = look(game)
    split = TurnStep.FIRST_DAMAGE in setup.steps
    blows: list[Blow] = []
    for a in setup.objects:
        attacking = and_(_fights(game, derived, a), game[ATTACKING, a].isnt(Marker.NONE))
        if attacking is FALSE:
            continue
        deals = and_(attacking, _deals(derived, a, first=first, split=split))
        blows += _attacker_blows(game, derived, a, deals)
        for b in setup.objects:
            blocks = and_(
                attacking,
                _fights(game, derived, b),
                game[BLOCKING, b].is_(a),
                _deals(derived, b, first=first, split=split),
            )
            if blocks is not FALSE:
                blows.append(Blow(b, a, ite(blocks, _positive(derived.power(b)), number(0))))
    game.cite("510.2")
    deal_at_once(game, blows, combat=True)


def _positive(value: Term) -> Term:
    return value if value.low >= 0 else ite(value > 0, value, number(0))


def _attacker_blows(game: State, derived: Look, a: Obj, deals: Term) -> list[Blow]:
    setup: Setup = game.setup
    power = ite(deals, _positive(derived.power(a)), number(0))
    blockers = [(b, and_(_fights(game, derived, b), game[BLOCKING, b].is_(a))) for b in setup.objects]
    blockers = [(b, blocks) for b, blocks in blockers if blocks is not FALSE]
    left, blows = power, list[Blow]()
    trample = derived.has_keyword(a, Keyword.TRAMPLE)
    for i, (b, blocks) in enumerate(blockers):
        later = or_(*(other for _, other in blockers[i + 1 :]))
        lethal = ite(derived.has_keyword(a, Keyword.DEATHTOUCH), number(1), _positive(derived.toughness(b)))
        capped = ite(le(lethal, left), lethal, left)
        assigned = ite(blocks, ite(or_(later, trample), capped, left), number(0))
        left = left - assigned
        blows.append(Blow(a, b, assigned))
    through = or_(not_(game[BLOCKED, a]), trample)
    for p in setup.players:
        reaches = and_(game[ATTACKING, a].is_(p), through)
        if reaches is not FALSE:
            blows.append(Blow(a, p, ite(reaches, _positive(left), number(0))))
    return blows
