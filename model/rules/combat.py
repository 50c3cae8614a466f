"""Declaring attackers (508) and blockers (509)."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from functools import partial

from model.characteristics import Look, look
from model.families import ACTIVE, ATTACKING, BLOCKED, BLOCKING, LEFT, SICK, STEP, TAPPED, ZONE
from model.peek import Peek
from model.rules.priority import begin_step, require_game_turn
from model.rules.protection import protected
from model.rules.stack import is_empty
from model.rules.triggers import notice, notice_all
from model.setup import Obj, Player, Setup
from model.state import State
from model.system import Candidate, Label
from model.terms import FALSE, TRUE, Term, and_, not_, or_
from model.vocabulary import Colour, EventKind, Keyword, Marker, TurnStep, Type, Zone

__all__ = ["actions"]

_MOST_TOGETHER = 4
"""How many creatures attack, or block, together where nobody says which: every subset is an action of its own."""


def actions(peek: Peek) -> Iterator[Candidate]:
    """Every way to attack and to block."""
    steps = peek.setup.steps
    if TurnStep.ATTACK not in steps:
        return
    before = steps[steps.index(TurnStep.ATTACK) - 1]
    for player in peek.setup.players:
        if peek.may_be(player, ACTIVE):
            if peek.may_be(before, STEP):
                yield from _attacks(peek, player, before)
            if peek.may_be(TurnStep.ATTACK, STEP):
                yield from _blocks(peek, player)


def _names(objects: Sequence[Obj]) -> str:
    return ", ".join(o.name for o in objects) or "nothing"


def _attacks(peek: Peek, player: Player, before: TurnStep) -> Iterator[Candidate]:
    able = [o for o in peek.setup.objects if peek.may_be_in(o, Zone.BATTLEFIELD) and player in peek.controllers(o)]
    for number in range(min(len(able), _MOST_TOGETHER) + 1):
        for attackers in itertools.combinations(able, number):
            for defender in peek.setup.others(player):
                words = f"attack {defender} with {_names(attackers)}" if attackers else "attack with nothing"
                label = Label("attack", player.name, words, (("attackers", _names(attackers)), ("of", defender.name)))
                yield Candidate(
                    label, partial(_attack, player=player, attackers=attackers, defender=defender, before=before)
                )
                if not attackers:
                    break


def _require_step(game: State, player: Player, step: TurnStep) -> None:
    require_game_turn(game)
    game.require(is_empty(game), "the stack is empty", "500.2")
    game.require(game[ACTIVE,].is_(player), f"it is {player}'s turn", "500.1")
    game.require(game[STEP,].is_(step), f"it is the {step} step", "500.1")


def _attack(game: State, *, player: Player, attackers: Sequence[Obj], defender: Player, before: TurnStep) -> None:
    _require_step(game, player, before)
    if not attackers:
        _skip_combat(game, player)
        return
    game.require(not_(game[LEFT, defender]), f"{defender} is in the game", "508.1")
    game.cite("508.1")
    for o in attackers:
        _require_able_to_attack(game, player, o)
    derived = look(game)
    vigilant = [derived.has_keyword(o, Keyword.VIGILANCE) for o in attackers]
    for o, stays in zip(attackers, vigilant, strict=True):
        game[ATTACKING, o] = defender
        with game.when(not_(stays)) as live:
            if live:
                game[TAPPED, o] = True
                notice(game, EventKind.BECOMES_TAPPED, o)
    notice_all(game, EventKind.ATTACKS, [(o, TRUE) for o in attackers])
    begin_step(game, player, TurnStep.ATTACK)


def _skip_combat(game: State, player: Player) -> None:
    """Without attackers the steps of blocking and damage are skipped (508.8)."""
    steps = game.setup.steps
    skipped = (TurnStep.ATTACK, TurnStep.BLOCK, TurnStep.FIRST_DAMAGE, TurnStep.DAMAGE)
    rest = [s for s in steps[steps.index(TurnStep.ATTACK) :] if s not in skipped]
    game.require(TRUE if rest else FALSE, "a step follows combat", "508.8")
    game.cite("508.8")
    begin_step(game, player, rest[0])


def _require_able_to_attack(game: State, player: Player, o: Obj) -> None:
    derived = look(game)
    game.require(game[ZONE, o].is_(Zone.BATTLEFIELD), f"{o} is on the battlefield", "508.1a")
    game.require(derived.controller(o).is_(player), f"{player} controls {o}", "508.1a")
    game.require(derived.is_type(o, Type.CREATURE), f"{o} is a creature", "508.1a")
    game.require(not_(game[TAPPED, o]), f"{o} is untapped", "508.1a")
    ready = or_(not_(game[SICK, o]), derived.has_keyword(o, Keyword.HASTE))
    game.require(ready, f"{o} has been there since the turn began, or has haste", "302.6")
    barred = or_(derived.has_keyword(o, Keyword.DEFENDER), derived.ruled(o, "cant_attack"))
    game.require(not_(barred), f"{o} can attack", "508.1c")


def _blocks(peek: Peek, attacker: Player) -> Iterator[Candidate]:
    setup = peek.setup
    for defender in setup.others(attacker):
        attackers = [o for o in setup.objects if peek.may_be(defender, ATTACKING, o)]
        able = [
            o for o in setup.objects if peek.may_be_in(o, Zone.BATTLEFIELD) and defender in peek.controllers(o)
        ]
        for number in range(min(len(able), _MOST_TOGETHER) + 1):
            for blockers in itertools.combinations(able, number):
                for blocked in itertools.product(attackers, repeat=number):
                    pairs = tuple(zip(blockers, blocked, strict=True))
                    if all(b is not a for b, a in pairs):
                        words = "block " + ", ".join(f"{a} with {b}" for b, a in pairs) if pairs else "block nothing"
                        label = Label(
                            "block",
                            defender.name,
                            words,
                            (
                                ("blocks", ", ".join(f"{a} with {b}" for b, a in pairs) or "nothing"),
                                ("of", attacker.name),
                            ),
                        )
                        yield Candidate(label, partial(_block, attacker=attacker, defender=defender, pairs=pairs))


def _block(game: State, *, attacker: Player, defender: Player, pairs: Sequence[tuple[Obj, Obj]]) -> None:
    _require_step(game, attacker, TurnStep.ATTACK)
    setup: Setup = game.setup
    attacked = or_(*(game[ATTACKING, o].is_(defender) for o in setup.objects))
    nobody = and_(*(game[ATTACKING, o].is_(Marker.NONE) for o in setup.objects))
    # With no attacker left the step begins all the same, and there is nothing to block.
    game.require(attacked if pairs else or_(attacked, nobody), f"{defender} is attacked", "509.1")
    game.cite("509.1")
    derived = look(game)
    for b, a in pairs:
        _require_able_to_block(game, derived, defender, b, a)
    for a in {a for _, a in pairs}:
        number = sum(1 for _, other in pairs if other is a)
        lonely = derived.has_keyword(a, Keyword.MENACE) if number < 2 else FALSE
        game.require(not_(lonely), f"{a} has no menace, or two block it", "702.111b")
    for b, a in pairs:
        game[BLOCKING, b] = a
        game[BLOCKED, a] = True
    notice_all(game, EventKind.BLOCKS, [(b, TRUE) for b, _ in pairs])
    begin_step(game, attacker, TurnStep.BLOCK)


def _require_able_to_block(game: State, derived: Look, defender: Player, b: Obj, a: Obj) -> None:
    game.require(game[ATTACKING, a].is_(defender), f"{a} attacks {defender}", "509.1a")
    game.require(game[ZONE, b].is_(Zone.BATTLEFIELD), f"{b} is on the battlefield", "509.1a")
    game.require(derived.controller(b).is_(defender), f"{defender} controls {b}", "509.1a")
    game.require(
        and_(derived.is_type(b, Type.CREATURE), not_(game[TAPPED, b])), f"{b} is an untapped creature", "509.1a"
    )
    game.require(not_(derived.ruled(b, "cant_block")), f"{b} can block", "509.1b")
    game.require(not_(derived.ruled(a, "cant_be_blocked")), f"{a} can be blocked", "509.1b")
    game.require(_evasion(derived, b, a), f"{b} can block {a}", "509.1b")
    game.require(not_(protected(game, a, b)), f"{a} has no protection from {b}", "702.16f")
    game.require(not_(derived.barred_from_blocking(b, a)), f"{b} can block {a}", "509.1b")
    game.require(not_(_landwalks(game, derived, defender, a)), f"{a} can be blocked by {defender}", "702.14c")


def _landwalks(game: State, derived: Look, defender: Player, a: Obj) -> Term:
    """Whether the attacker has landwalk of a kind that the defender controls (702.14c)."""
    found = []
    for keyword, subtype in (
        (Keyword.PLAINSWALK, "Plains"),
        (Keyword.ISLANDWALK, "Island"),
        (Keyword.SWAMPWALK, "Swamp"),
        (Keyword.MOUNTAINWALK, "Mountain"),
        (Keyword.FORESTWALK, "Forest"),
    ):
        walks = derived.has_keyword(a, keyword)
        if walks is not FALSE:
            lands = (
                and_(
                    game[ZONE, o].is_(Zone.BATTLEFIELD),
                    derived.controller(o).is_(defender),
                    derived.is_subtype(o, subtype),
                )
                for o in game.setup.objects
            )
            found.append(and_(walks, or_(*lands)))
    return or_(*found)


def _evasion(derived: Look, b: Obj, a: Obj) -> Term:
    """Whether the keywords of the attacker let the creature block it (702.9, 702.28, 702.36)."""
    flies = derived.has_keyword(a, Keyword.FLYING)
    meets = or_(not_(flies), derived.has_keyword(b, Keyword.FLYING), derived.has_keyword(b, Keyword.REACH))
    shadow = derived.has_keyword(a, Keyword.SHADOW).is_(derived.has_keyword(b, Keyword.SHADOW))
    brave = or_(derived.is_type(b, Type.ARTIFACT), derived.is_colour(b, Colour.BLACK))
    return and_(meets, shadow, or_(not_(derived.has_keyword(a, Keyword.FEAR)), brave))
