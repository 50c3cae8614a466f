"""Priority and passing (117), and the turn (500)."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import partial

from model.characteristics import look
from model.families import (
    ACTIVE,
    BANNED,
    BANNED_UNTIL,
    CAST_DOWN,
    CAUSE,
    COPIED,
    COPY_ENDS,
    DAMAGE,
    DEATHTOUCHED,
    EFFECT,
    HAPPENED,
    ITEM,
    LAND_PLAYED,
    LEFT,
    MANA,
    ONCE,
    ONCE_FROM,
    OVER,
    PASSES,
    PERMITTED,
    PREVENTED,
    PRIORITY,
    REDIRECTED,
    SETTLED,
    SICK,
    SKIPS_UNTAP,
    STEP,
    TAPPED,
    TURN,
    TURNED_UP,
    ZONE,
)
from model.peek import Peek
from model.rules.combat_damage import deal_combat_damage, end_combat
from model.rules.drawing import draw
from model.rules.stack import is_empty
from model.rules.state_based_actions import settle
from model.rules.triggers import notice
from model.setup import Item, Player, Setup
from model.state import State
from model.system import Candidate, Label
from model.terms import Term, and_, const, count, ite, not_, number, or_
from model.vocabulary import Cause, EventKind, Keyword, ManaKind, Marker, TurnStep, Zone

__all__ = [
    "actions",
    "begin_step",
    "give_priority",
    "hand_priority_on",
    "keep_priority",
    "require_game_turn",
    "require_no_split_second",
    "require_priority",
    "require_sorcery_timing",
]

_MAIN = (TurnStep.MAIN, TurnStep.SECOND_MAIN)


def require_priority(game: State, player: Player) -> None:
    """Require that a player has priority and nothing is being done (117.1, 117.2e)."""
    game.require(not_(game[OVER,]), "the game is not over", "104.1")
    game.require(game[SETTLED,], "state-based actions and triggers have been dealt with", "117.5")
    game.require(game[PRIORITY,].is_(player), f"{player} has priority", "117.1")


def require_sorcery_timing(game: State, player: Player, rule: str) -> None:
    """Require a main phase of the player's own turn with an empty stack."""
    game.require(game[ACTIVE,].is_(player), f"it is {player}'s turn", rule)
    game.require(game[STEP,].among(_MAIN), "it is a main phase", rule)
    game.require(is_empty(game), "the stack is empty", rule)


def require_no_split_second(game: State) -> None:
    """Require that no spell with split second is on the stack (702.61a); special actions do not ask for this."""
    setup: Setup = game.setup
    if Keyword.SPLIT_SECOND not in setup.keywords:
        return
    spells = [
        item
        for item in setup.items
        if item.ability is None and item.face is not None and Keyword.SPLIT_SECOND in item.face.keywords
    ]
    # A spell that was cast face down has no keyword of its card (708.4).
    found = or_(
        *(
            and_(game[ITEM, place].is_(item), game[CAUSE, item.source].is_(Cause.NONE))
            for place in range(setup.bounds.stack)
            for item in spells
        )
    )
    game.require(not_(found), "no spell with split second is on the stack", "702.61a")


def require_game_turn(game: State) -> None:
    """Require that all players have passed in succession, so that the game goes on by itself (117.4)."""
    game.require(game[SETTLED,], "state-based actions and triggers have been dealt with", "117.5")
    game.require(game[PRIORITY,].is_(Marker.NONE), "all players have passed in succession", "117.4")


def keep_priority(game: State, player: Player) -> None:
    """The player who acted gets priority again, and nobody counts as having passed (117.3c)."""
    game[PASSES,] = 0
    game[PRIORITY,] = player


def give_priority(game: State, player: Player) -> None:
    """A player gets priority, or, having left the game, the next in turn order who has not (117.3a, 800.4a)."""
    game[PRIORITY,] = ite(game[LEFT, player], _next_in_game(game, player), const(game.setup.player_sort, player))


def hand_priority_on(game: State, player: Player) -> None:
    """The next player in turn order who is in the game gets priority."""
    game[PRIORITY,] = _next_in_game(game, player)


def _next_in_game(game: State, player: Player) -> Term:
    """The next player in turn order who is in the game; the player, if nobody else is."""
    result: Term = const(game.setup.player_sort, player)
    for other in reversed(game.setup.others(player)):
        result = ite(game[LEFT, other], result, const(game.setup.player_sort, other))
    return result


def _pass(game: State, player: Player) -> None:
    require_priority(game, player)
    game.cite("117.3d")
    setup: Setup = game.setup
    still = count(not_(game[LEFT, p]) for p in setup.players)
    passed = game[PASSES,] + 1
    last = passed >= still
    game[PASSES,] = ite(last, number(0), passed)
    hand_priority_on(game, player)
    with game.when(last):
        game[PRIORITY,] = Marker.NONE


def begin_step(game: State, player: Player, step: TurnStep) -> None:
    """A step of a player's turn begins: turn-based actions, triggers, then the player gets priority (503-514)."""
    game[STEP,] = step
    give_priority(game, player)
    game[PASSES,] = 0
    if step is TurnStep.DRAW:
        draw(game, player, "504.1")
    if step in (TurnStep.FIRST_DAMAGE, TurnStep.DAMAGE):
        deal_combat_damage(game, first=step is TurnStep.FIRST_DAMAGE)
    if step in (TurnStep.SECOND_MAIN, TurnStep.END):
        end_combat(game)
    notice(game, EventKind.STEP_BEGINS, player=player, step=step)
    settle(game)


def _advance(game: State, player: Player, step: TurnStep, following: TurnStep) -> None:
    require_game_turn(game)
    game.require(is_empty(game), "the stack is empty", "500.2")
    game.require(game[ACTIVE,].is_(player), f"it is {player}'s turn", "500.1")
    game.require(game[STEP,].is_(step), f"it is the {step} step", "500.1")
    game.cite("500.2")
    begin_step(game, player, following)


def _new_turn(game: State, player: Player, last: TurnStep, first: TurnStep, following: Player) -> None:
    require_game_turn(game)
    game.require(is_empty(game), "the stack is empty", "500.2")
    game.require(game[ACTIVE,].is_(player), f"it is {player}'s turn", "500.1")
    game.require(game[STEP,].is_(last), f"it is the {last} step", "500.1")
    game.require(not_(game[LEFT, following]), f"{following} is in the game", "800.4a")
    for between in game.setup.others(player):
        if between is following:
            break
        game.require(game[LEFT, between], f"{between} has left the game", "800.4a")
    game.cite("514.2", "502.3")
    setup: Setup = game.setup
    if setup.bounds.turns is not None:
        game[TURN,] = game[TURN,] + 1
    game[ACTIVE,] = following
    for p in setup.players:
        with game.when(game[BANNED_UNTIL, p].is_(following)) as over:
            if over:
                game[BANNED, p] = Marker.NONE
                game[BANNED_UNTIL, p] = Marker.NONE
    for o in setup.cards():
        left = game[PERMITTED, player, o]
        game[PERMITTED, player, o] = ite(left > 0, left - 1, left)
    end_combat(game)
    _clean_up(game, setup)
    _untap(game, setup, following)
    begin_step(game, following, first)


def _clean_up(game: State, setup: Setup) -> None:
    """Damage wears off and effects until end of turn end (514.2)."""
    for o in setup.objects:
        game[DAMAGE, o] = 0
        game[DEATHTOUCHED, o] = False
        game[ONCE_FROM, o] = False
        game[TURNED_UP, o] = False
        game[REDIRECTED, o] = Marker.NONE
        with game.when(game[COPY_ENDS, o]) as live:
            if live:
                game[COPIED, o] = Marker.NONE
                game[COPY_ENDS, o] = False
        for shot in setup.shots:
            if shot.until == "end of turn":
                game[EFFECT, shot, o] = 0
    for item in setup.items:
        if isinstance(item, Item) and item.ability is not None:
            game[ONCE, item] = False
    for number_of_shield in range(len(setup.shields)):
        game[PREVENTED, number_of_shield] = False
    for p in setup.players:
        game[LAND_PLAYED, p] = False
        game[CAST_DOWN, p] = False
        for what in ("you turned a permanent face up", "a permanent entered face down"):
            game[HAPPENED, p, what] = False
        for kind in ManaKind:
            game[MANA, p, kind] = setup.mana[p.index].get(kind, 0)


def _untap(game: State, setup: Setup, player: Player) -> None:
    derived = look(game)
    skips = game[SKIPS_UNTAP, player]
    mine = [(o, and_(game[ZONE, o].is_(Zone.BATTLEFIELD), derived.controller(o).is_(player))) for o in setup.objects]
    for o, controlled in mine:
        with game.when(and_(controlled, not_(skips))):
            game[TAPPED, o] = and_(game[TAPPED, o], derived.ruled(o, "doesnt_untap"))
        with game.when(controlled):
            game[SICK, o] = False
    game[SKIPS_UNTAP, player] = False


def actions(peek: Peek) -> Iterator[Candidate]:
    """Passing, the next step, and the next turn."""
    setup = peek.setup
    for player in setup.players:
        if peek.may_be(player, PRIORITY):
            yield Candidate(Label("pass", player.name, "pass priority"), partial(_pass, player=player))
    steps = setup.steps
    for player in setup.players:
        if not peek.may_be(player, ACTIVE):
            continue
        for step, following in itertools.pairwise(steps):
            if peek.may_be(step, STEP) and following not in (TurnStep.ATTACK, TurnStep.BLOCK):
                label = Label(
                    "next step",
                    None,
                    f"{player}'s {following} step begins",
                    (("step", str(following)), ("of", player.name)),
                )
                yield Candidate(label, partial(_advance, player=player, step=step, following=following))
        for heir in setup.others(player):
            label = Label("next turn", None, f"{heir}'s turn begins", (("of", heir.name), ("after", player.name)))
            yield Candidate(label, partial(_new_turn, player=player, last=steps[-1], first=steps[0], following=heir))
