"""Faults of combat with face-down creatures, and of state-based actions on them (506-511, 704)."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from counterexamples.faults.fault import Rule, fault
from counterexamples.faults.shared import is_down
from model.families import CAUSE, OVER, PRIORITY, SETTLED, TAPPED, ZONE
from model.rules import combat, combat_damage, priority, state_based_actions, zones
from model.setup import Obj, Player
from model.state import State
from model.terms import FALSE, TRUE, Term, and_, not_, or_
from model.vocabulary import Cause, Keyword, Supertype, Zone

# -- attacking and blocking ----------------------------------------


@fault(
    "F-anything-attacks",
    "COMBAT",
    "own",
    "Whatever is on the battlefield may attack, tapped, new, or no creature.",
    breaks=combat._require_able_to_attack,
    rules=("508.1a", "302.6"),
    caught_by=("only-able-creatures-attack",),
    on=("combat_attacks",),
)
def anything_attacks(right: Rule, *args: Any) -> None:
    return


@fault(
    "F-hidden-defender",
    "COMBAT",
    "own",
    "A face-down creature does not attack if its card has defender.",
    breaks=combat._require_able_to_attack,
    rules=("508.1a", "708.2"),
    caught_by=("face-down-creatures-may-attack",),
    on=("combat_attacks",),
)
def hidden_defender(right: Rule, game: State, player: Player, o: Obj) -> None:
    right(game, player, o)
    game.require(FALSE if Keyword.DEFENDER in o.card.front.keywords else TRUE, f"{o} has no defender", "702.3b")


@fault(
    "F-attackers-stay-untapped",
    "COMBAT",
    "own",
    "Attacking taps nothing.",
    breaks=combat._attack,
    rules=("508.1",),
    caught_by=("attacking-taps-and-changes-no-more",),
    on=("combat_attacks",),
)
def attackers_stay_untapped(right: Rule, game: State, **kwargs: Any) -> None:
    right(game, **kwargs)
    for o in kwargs["attackers"]:
        game[TAPPED, o] = False


@fault(
    "F-anything-blocks",
    "COMBAT",
    "own",
    "Whatever is on the battlefield may block every attacker.",
    breaks=combat._require_able_to_block,
    rules=("509.1a", "509.1b"),
    caught_by=("only-able-creatures-block", "blocks-heed-what-is-said", "blocks-heed-keywords"),
    on=("combat_blocks",),
)
def anything_blocks(right: Rule, *args: Any) -> None:
    return


@fault(
    "F-hidden-flier-blocks",
    "COMBAT",
    "own",
    "A face-down creature blocks what flies if its card has flying.",
    breaks=combat._evasion,
    rules=("702.9b", "708.2a"),
    caught_by=("blocks-heed-keywords",),
    on=("combat_blocks",),
)
def hidden_flier_blocks(right: Rule, derived: Any, b: Obj, a: Obj) -> Term:
    return or_(right(derived, b, a), TRUE if Keyword.FLYING in b.card.front.keywords else FALSE)


@fault(
    "F-hidden-do-not-block",
    "COMBAT",
    "own",
    "Face-down creatures cannot block.",
    breaks=combat._require_able_to_block,
    rules=("509.1a", "708.2"),
    caught_by=("untapped-creatures-may-block",),
    on=("combat_blocks",),
)
def hidden_do_not_block(right: Rule, game: State, derived: Any, defender: Player, b: Obj, a: Obj) -> None:
    right(game, derived, defender, b, a)
    game.require(game[CAUSE, b].is_(Cause.NONE), f"{b} is face up", "509.1a")


@fault(
    "F-combat-at-any-time",
    "COMBAT",
    "own",
    "Attackers and blockers are declared in any step of anybody's turn, whatever is on the stack.",
    breaks=combat._require_step,
    rules=("508.1", "500.2"),
    caught_by=("combat-is-declared-in-order",),
    on=("combat_attacks",),
)
def combat_at_any_time(right: Rule, game: State, player: Player, step: Any) -> None:
    priority.require_game_turn(game)


# -- damage ----------------------------------------


@fault(
    "F-hidden-deal-nothing",
    "COMBAT",
    "own",
    "Face-down creatures deal no combat damage.",
    breaks=combat_damage._deals,
    rules=("510.2", "708.2a"),
    caught_by=("face-down-attackers-deal-damage",),
    on=("combat_damage",),
)
def hidden_deal_nothing(right: Rule, derived: Any, o: Obj, **kwargs: Any) -> Term:
    return and_(right(derived, o, **kwargs), not_(derived.face_down(o)))


@fault(
    "F-combat-never-ends",
    "COMBAT",
    "own",
    "What attacks goes on attacking after combat.",
    breaks=combat_damage.end_combat,
    rules=("511.3",),
    caught_by=("combat-ends",),
    on=("combat_damage",),
)
def combat_never_ends(right: Rule, game: State) -> None:
    return


# -- state-based actions ----------------------------------------


@fault(
    "F-hidden-survive",
    "DIES",
    "own",
    "No damage kills a face-down creature.",
    breaks=state_based_actions._creature_checks,
    rules=("704.5g", "708.2a"),
    caught_by=("nobody-acts-while-something-is-dying",),
    on=("combat_damage",),
)
def hidden_survive(right: Rule, game: State, derived: Any, o: Obj, on: Term) -> Iterator[Any]:
    return (replace(c, applies=and_(c.applies, not_(is_down(game, o)))) for c in right(game, derived, o, on))


@fault(
    "F-one-dies-at-a-time",
    "DIES",
    "own",
    "Of several creatures with lethal damage one dies at a time.",
    breaks=zones.move_all,
    rules=("704.3",),
    caught_by=("lethal-damage-kills-at-once",),
    on=("combat_damage",),
)
def one_dies_at_a_time(right: Rule, game: State, group: Sequence[tuple[Obj, Term]], zone: Zone, **kwargs: Any) -> None:
    earlier: Term = FALSE
    first = []
    for o, condition in group:
        first.append((o, and_(condition, not_(earlier))))
        earlier = or_(earlier, condition)
    right(game, first, zone, **kwargs)


@fault(
    "F-nothing-is-done",
    "DIES",
    "own",
    "State-based actions are looked for, and none is performed.",
    breaks=state_based_actions._perform,
    rules=("704.3",),
    caught_by=("state-based-actions-do-something",),
    on=("combat_damage",),
)
def nothing_is_done(right: Rule, game: State) -> None:
    game.require(not_(game[OVER,]), "the game is not over", "104.1")
    game.require(not_(game[SETTLED,]), "something has changed", "704.3")
    state_based_actions.settle(game)


@fault(
    "F-card-without-toughness",
    "DIES",
    "own",
    "A face-down creature whose card is no creature has no toughness.",
    breaks=state_based_actions._creature_checks,
    rules=("704.5f", "708.2a"),
    caught_by=("face-down-creatures-with-toughness-live",),
    on=("combat_damage",),
)
def card_without_toughness(right: Rule, game: State, derived: Any, o: Obj, on: Term) -> Iterator[Any]:
    checks = list(right(game, derived, o, on))
    if o.card.front.toughness is None:
        checks += [replace(check, applies=is_down(game, o)) for check in checks[:1]]
    return iter(checks)


@fault(
    "F-hidden-legends",
    "DIES",
    "own",
    "The legend rule asks for the names of the cards, face down or not.",
    breaks=state_based_actions._legends,
    rules=("704.5j", "708.2a"),
    caught_by=("legend-rule-asks-for-name-and-controller",),
    on=("combat_legends",),
)
def hidden_legends(right: Rule, game: State) -> Iterator[tuple[Obj, Obj, Term]]:
    legends = [o for o in game.setup.objects if Supertype.LEGENDARY in o.card.front.supertypes]
    for a, b in itertools.combinations(legends, 2):
        there = and_(*(game[ZONE, o].is_(Zone.BATTLEFIELD) for o in (a, b)))
        yield a, b, and_(there, TRUE if a.card is b.card else FALSE)


@fault(
    "F-no-legend-rule",
    "DIES",
    "own",
    "A player may have two legendary permanents of one name.",
    breaks=state_based_actions._legends,
    rules=("704.5j",),
    caught_by=("one-legend-of-a-name",),
    on=("combat_legends",),
)
def no_legend_rule(right: Rule, game: State) -> Iterator[Any]:
    return iter(())


@fault(
    "F-auras-stick",
    "DIES",
    "own",
    "An Aura stays on what it can no longer enchant.",
    breaks=state_based_actions._attachment_checks,
    rules=("704.5m",),
    caught_by=("attached-where-it-may-be",),
    on=("combat_auras",),
)
def auras_stick(right: Rule, *args: Any) -> Iterator[Any]:
    return iter(())


@fault(
    "F-play-goes-on",
    "DIES",
    "own",
    "When the game is over, players may still act.",
    breaks=priority.require_priority,
    rules=("104.1",),
    caught_by=("nothing-more-after-the-game",),
    on=("combat_legends",),
)
def play_goes_on(right: Rule, game: State, player: Player) -> None:
    game.require(game[SETTLED,], "state-based actions and triggers have been dealt with", "117.5")
    game.require(game[PRIORITY,].is_(player), f"{player} has priority", "117.1")
