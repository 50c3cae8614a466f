"""Dealing damage (120.3): to permanents and players, with what triggers on it."""

from __future__ import annotations

from model.characteristics import look
from model.families import CONTROLLER, COUNTERS, DAMAGE, DEATHTOUCHED, LIFE, ZONE
from model.rules.triggers import notice_all
from model.setup import Obj, Player
from model.state import State
from model.terms import FALSE, TRUE, Term, and_, ite, number, or_
from model.vocabulary import CounterKind, EventKind, Keyword, Type, Zone

__all__ = ["damage_object", "damage_player"]


def damage_object(game: State, source: Obj, o: Obj, value: Term, *, combat: bool = False) -> None:
    """A source deals damage to a permanent (120.3c-e)."""
    derived = look(game)
    on = game[ZONE, o].is_(Zone.BATTLEFIELD)
    creature = and_(on, derived.is_type(o, Type.CREATURE))
    walker = and_(on, derived.is_type(o, Type.PLANESWALKER))
    hurts = value > 0
    game.cite("120.3")
    with game.when(and_(creature, hurts)) as live:
        if live:
            total = game[DAMAGE, o] + value
            most = game.schema.variable((DAMAGE, o)).domain.high
            game[DAMAGE, o] = total if total.high <= most else _capped(total, most)
            game[DEATHTOUCHED, o] = or_(game[DEATHTOUCHED, o], derived.has_keyword(source, Keyword.DEATHTOUCH))
    with game.when(and_(walker, hurts)) as live:
        if live:
            game[COUNTERS, o, CounterKind.LOYALTY] = game[COUNTERS, o, CounterKind.LOYALTY] - value
    with game.when(and_(or_(creature, walker), hurts)):
        _dealt(game, source, value, None, combat=combat)


def _capped(total: Term, most: int) -> Term:
    """Damage beyond what is lethal for anything makes no difference."""
    return ite(total <= most, total, number(most))


def damage_player(game: State, source: Obj, player: Player, value: Term, *, combat: bool = False) -> None:
    """A source deals damage to a player (120.3a)."""
    game.cite("120.3a")
    with game.when(value > 0):
        game[LIFE, player] = game[LIFE, player] - value
        _dealt(game, source, value, player, combat=combat)


def _dealt(game: State, source: Obj, value: Term, player: Player | None, *, combat: bool) -> None:
    """Lifelink, and abilities that trigger on damage."""
    derived = look(game)
    linked = derived.has_keyword(source, Keyword.LIFELINK)
    if linked is not FALSE:
        for p in game.setup.players:
            with game.when(and_(linked, game[CONTROLLER, source].is_(p))):
                game.cite("702.15b")
                game[LIFE, p] = game[LIFE, p] + value
    kinds = [EventKind.DAMAGE] + ([EventKind.COMBAT_DAMAGE] if combat else [])
    for kind in kinds:
        if not game.setup.watchers(kind):
            game.emit(kind, source, *((player,) if player else ()))
            continue
        counted = any(isinstance(s, int) for w, a in game.setup.watchers(kind)
                      for s in game.setup.subjects(game.setup.item(w, a)))
        if not counted:
            notice_all(game, kind, [(source, TRUE)], player=player)
            continue
        for n in range(1, game.setup.bounds.amount + 1):
            with game.when(value.is_(n)) as live:
                if live:
                    notice_all(game, kind, [(source, TRUE)], player=player, amount=n)
        game.exceed(value > game.setup.bounds.amount)
