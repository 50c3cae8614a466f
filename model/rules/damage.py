"""Dealing damage (120.3): to permanents and players, with what triggers on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from model.characteristics import look
from model.families import COUNTERS, DAMAGE, DEATHTOUCHED, LIFE, PREVENTED, REDIRECTED, ZONE
from model.rules.protection import protected
from model.rules.triggers import notice_all
from model.setup import Obj, Player, Setup
from model.state import State
from model.terms import FALSE, TRUE, Term, and_, ite, not_, number, or_
from model.vocabulary import CounterKind, EventKind, Keyword, Type, Zone

__all__ = ["Blow", "damage_object", "damage_player", "deal_at_once"]


@dataclass(frozen=True, slots=True)
class Blow:
    """Damage that a source deals to an object or player."""

    source: Obj
    victim: Obj | Player
    amount: Term


def damage_object(game: State, source: Obj, o: Obj, value: Term) -> None:
    """A source deals damage to a permanent (120.3c-e)."""
    deal_at_once(game, [Blow(source, o, value)])


def damage_player(game: State, source: Obj, player: Player, value: Term) -> None:
    """A source deals damage to a player (120.3a)."""
    deal_at_once(game, [Blow(source, player, value)])


def deal_at_once(game: State, blows: Sequence[Blow], *, combat: bool = False) -> None:
    """Deal damage from all sources at once; what triggers on it sees it as one event (120.3, 510.2)."""
    game.cite("120.3")
    blows = [part for blow in blows for part in _redirected(game, blow)]
    dealt = [(blow, hurts) for blow in blows if (hurts := _result(game, blow, combat=combat)) is not None]
    kinds = [EventKind.DAMAGE, EventKind.COMBAT_DAMAGE] if combat else [EventKind.DAMAGE]
    for kind in kinds:
        for victim in (None, *game.setup.players):
            group = [
                (blow, hurts)
                for blow, hurts in dealt
                if (blow.victim if isinstance(blow.victim, Player) else None) is victim
            ]
            if group:
                _notice(game, kind, group, victim)
    for blow, hurts in dealt:
        if isinstance(blow.victim, Obj):
            with game.when(hurts):
                notice_all(game, EventKind.DAMAGED, [(blow.victim, TRUE)])


def _result(game: State, blow: Blow, *, combat: bool) -> Term | None:
    """Mark the damage.  Returns when there is any."""
    hurts = blow.amount > 0
    if combat:
        hurts = and_(hurts, not_(_prevented(game, blow)))
    if isinstance(blow.victim, Obj):
        hurts = and_(hurts, not_(protected(game, blow.victim, blow.source)))
    if isinstance(blow.victim, Player):
        game.cite("120.3a")
        with game.when(hurts):
            game[LIFE, blow.victim] = game[LIFE, blow.victim] - blow.amount
            _lifelink(game, blow)
        return hurts
    derived, o = look(game), blow.victim
    on = game[ZONE, o].is_(Zone.BATTLEFIELD)
    creature, walker = (and_(on, derived.is_type(o, kind)) for kind in (Type.CREATURE, Type.PLANESWALKER))
    with game.when(and_(creature, hurts)) as live:
        if live:
            most = game.schema.variable((DAMAGE, o)).domain.high
            total = game[DAMAGE, o] + blow.amount
            # Damage beyond what is lethal for anything makes no difference.
            game[DAMAGE, o] = total if total.high <= most else ite(total <= most, total, number(most))
            game[DEATHTOUCHED, o] = or_(game[DEATHTOUCHED, o], derived.has_keyword(blow.source, Keyword.DEATHTOUCH))
    with game.when(and_(walker, hurts)) as live:
        if live:
            game[COUNTERS, o, CounterKind.LOYALTY] = game[COUNTERS, o, CounterKind.LOYALTY] - blow.amount
    hurts = and_(or_(creature, walker), hurts)
    with game.when(hurts):
        _lifelink(game, blow)
    return hurts


def _redirected(game: State, blow: Blow) -> list[Blow]:
    """The blow, or what an effect makes of it that has it dealt to something else (614.9)."""
    if not isinstance(blow.victim, Obj):
        return [blow]
    to = game[REDIRECTED, blow.victim]
    others = [o for o in game.setup.objects if o is not blow.victim and to.is_(o) is not FALSE]
    if not others:
        return [blow]
    parts = [Blow(blow.source, o, ite(to.is_(o), blow.amount, number(0))) for o in others]
    return [Blow(blow.source, blow.victim, ite(to.among(others), number(0), blow.amount)), *parts]


def _prevented(game: State, blow: Blow) -> Term:
    """Whether an effect prevents the combat damage of the source (615.1)."""
    derived = look(game)
    you = derived.controller(blow.source)
    return or_(
        *(
            and_(game[PREVENTED, i], derived.matches(blow.source, shield.prevent_combat_damage, you))
            for i, shield in enumerate(game.setup.shields)
        )
    )


def _lifelink(game: State, blow: Blow) -> None:
    derived = look(game)
    linked = derived.has_keyword(blow.source, Keyword.LIFELINK)
    for p in game.setup.players:
        with game.when(and_(linked, derived.controller(blow.source).is_(p))) as live:
            if live:
                game.cite("702.15b")
                game[LIFE, p] = game[LIFE, p] + blow.amount


def _counts(setup: Setup, kind: EventKind) -> bool:
    return any(isinstance(s, int) for w, a in setup.watchers(kind) for s in setup.subjects(setup.item(w, a)))


def _notice(game: State, kind: EventKind, group: Sequence[tuple[Blow, Term]], player: Player | None) -> None:
    if not _counts(game.setup, kind):
        notice_all(game, kind, [(blow.source, hurts) for blow, hurts in group], player=player)
        return
    for blow, hurts in group:
        for n in range(1, game.setup.bounds.amount + 1):
            with game.when(and_(hurts, blow.amount.is_(n))) as live:
                if live:
                    notice_all(game, kind, [(blow.source, TRUE)], player=player, amount=n)
        game.exceed(and_(hurts, blow.amount > game.setup.bounds.amount))
