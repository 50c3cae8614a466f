"""Putting triggered abilities on the stack (603.3) and activating abilities (602)."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from functools import partial

from model.cards.abilities import Ability, ActivatedAbility, Attach, Costs, TriggeredAbility
from model.characteristics import look
from model.conditions import holds
from model.effects.context import Context
from model.families import (
    ACTIVE,
    ONCE,
    PAID_X,
    PENDING,
    SETTLED,
    SICK,
    ZONE,
)
from model.peek import Peek
from model.rules.casting import has_x, specs_of
from model.rules.mana import Way, pay, ways_to_pay
from model.rules.priority import (
    keep_priority,
    require_no_split_second,
    require_priority,
    require_sorcery_timing,
)
from model.rules.stack import push
from model.rules.state_based_actions import needed, settle
from model.rules.targeting import choose_targets, no_legal_target, target_choices, words_for
from model.rules.triggers import waits_for_others
from model.setup import Item, Obj, Player
from model.state import State
from model.system import Candidate, Label
from model.terms import and_, const, not_
from model.vocabulary import Keyword, Marker, Type, Zone

__all__ = ["actions"]


def actions(peek: Peek) -> Iterator[Candidate]:
    """Every trigger that can be put on the stack, and every ability that can be activated."""
    yield from _triggers(peek)
    yield from _activations(peek)


# -- triggered abilities --------------------------------------------------------------------------------------------


def _triggers(peek: Peek) -> Iterator[Candidate]:
    for item, that, player in peek.setup.waiting:
        if peek.highest(PENDING, item, that, player) == 0:
            continue
        specs, up_to = specs_of(item)
        about = () if that is Marker.NONE else (("about", str(that)),)
        base = f"put {item} on the stack" + (f" about {that}" if about and that is not item.source else "")
        for targets in target_choices(peek, specs, player, item.source, up_to=up_to):
            arguments = (("ability", str(item)), *about, *(("target", str(t)) for t in targets))
            yield Candidate(
                Label("put trigger on the stack", player.name, base + words_for(targets), arguments),
                partial(_put_on_stack, item=item, that=that, player=player, targets=targets),
            )
        if specs and not up_to:
            label = Label("drop trigger", player.name, f"{item} has no legal target", (("ability", str(item)), *about))
            yield Candidate(label, partial(_drop, item=item, that=that, player=player))


def _require_waiting(game: State, item: Item, that: Hashable, player: Player) -> None:
    game.require(not_(game[SETTLED,]), "something waits", "603.3")
    game.require(game[PENDING, item, that, player] > 0, f"{item} has triggered", "603.2")
    game.require(not_(needed(game)), "no state-based action applies", "704.3")
    game.require(not_(waits_for_others(game, game[ACTIVE,], player)), "no earlier player's trigger waits", "603.3b")
    game[PENDING, item, that, player] = game[PENDING, item, that, player] - 1


def _put_on_stack(game: State, *, item: Item, that: Hashable, player: Player, targets: Sequence[Hashable]) -> None:
    game.cite("603.3")
    _require_waiting(game, item, that, player)
    if isinstance(item.ability, TriggeredAbility) and item.ability.at_most_x:
        number_of_targets = sum(1 for target in targets if target is not Marker.NONE)
        game.require(game[PAID_X, item.source] >= number_of_targets, "there are at most X targets", "601.2c")
    push(game, item, player, targets=targets, that=that, x=game[PAID_X, item.source] if has_x(item) else 0)
    choose_targets(game, specs_of(item)[0], targets, player, item.source, item)
    settle(game)


def _drop(game: State, *, item: Item, that: Hashable, player: Player) -> None:
    game.cite("603.3")
    _require_waiting(game, item, that, player)
    game.require(no_legal_target(game, specs_of(item)[0], player, item.source), "there is no legal target", "603.3d")
    settle(game)


# -- activated abilities ----------------------------------------------------------------------------------------------


def _activations(peek: Peek) -> Iterator[Candidate]:
    for o in peek.setup.objects:
        for ability in peek.setup.abilities_of(o):
            costs = (
                ability.activate
                if isinstance(ability, ActivatedAbility)
                else ability.equip
                if isinstance(ability, Attach)
                else None
            )
            if costs is not None and peek.may_be_in(o, _works_in(ability)):
                yield from _activate_ways(peek, o, ability, costs)  # type: ignore[arg-type]


def _works_in(ability: Ability) -> Zone:
    """Where an activated ability works (113.6)."""
    if isinstance(ability, ActivatedAbility) and (ability.from_hand or ability.from_graveyard):
        return Zone.HAND if ability.from_hand else Zone.GRAVEYARD
    return Zone.BATTLEFIELD


def _activate_ways(peek: Peek, o: Obj, ability: ActivatedAbility | Attach, costs: Costs) -> Iterator[Candidate]:
    is_mana = isinstance(ability, ActivatedAbility) and ability.mana_ability
    item = None if is_mana else peek.setup.item(o, ability)
    place = next(i for i, a in enumerate(peek.setup.abilities_of(o)) if a is ability)
    called = str(item) if item is not None else f"mana ability {place + 1} of {o}"
    specs, up_to = ((), False) if item is None else specs_of(item)
    has_x = costs.mana is not None and costs.mana.x_count > 0
    name = "equip" if isinstance(ability, Attach) else "activate"
    for player in peek.setup.players:
        for x in range(peek.setup.bounds.x + 1) if has_x else (0,):
            for targets in target_choices(peek, specs, player, o, up_to=up_to):
                for way in ways_to_pay(peek, player, costs, o, x=x):
                    what = f"{name} {o}" if isinstance(ability, Attach) else f"activate {called}"
                    words = what + (f" with X = {x}" if has_x else "") + words_for(targets)
                    words += f", {way.words}" if way.words else ""
                    arguments = (
                        ("ability", called),
                        *(("target", str(t)) for t in targets),
                        *((("x", str(x)),) if has_x else ()),
                        *((("paying", way.words),) if way.words else ()),
                    )
                    yield Candidate(
                        Label(name, player.name, words, arguments),
                        partial(
                            _activate,
                            player=player,
                            o=o,
                            ability=ability,
                            item=item,
                            costs=costs,
                            x=x,
                            targets=targets,
                            way=way,
                        ),
                    )


def _activate(
    game: State,
    *,
    player: Player,
    o: Obj,
    ability: ActivatedAbility | Attach,
    item: Item | None,
    costs: Costs,
    x: int,
    targets: Sequence[Hashable],
    way: Way,
) -> None:
    game.cite("602.2")
    require_priority(game, player)
    if item is not None:
        require_no_split_second(game)
    derived = look(game)
    zone = _works_in(ability)
    game.require(game[ZONE, o].is_(zone), f"{o} is in the zone {zone}", "602.1")
    game.require(derived.controller(o).is_(player), f"{player} controls {o}", "602.2")
    game.require(derived.has_ability(o, ability), f"{o} has the ability", "602.1")
    if isinstance(ability, ActivatedAbility) and ability.condition is not None:
        you = const(game.setup.player_sort, player)
        game.require(holds(game, ability.condition, you, o), "the condition of the ability holds", "602.5b")
    if item is not None and (
        costs.loyalty is not None or (isinstance(ability, ActivatedAbility) and ability.once_each_turn)
    ):
        once = _loyalty_marker(game, o) if costs.loyalty is not None else item
        rule = "606.3" if costs.loyalty is not None else "602.5b"
        game.require(not_(game[ONCE, once]), f"{item} has not been activated this turn", rule)
        game[ONCE, once] = True
    if isinstance(ability, Attach) or ability.sorcery_speed or costs.loyalty is not None:
        require_sorcery_timing(game, player, "702.6a" if isinstance(ability, Attach) else "602.5d")
    if costs.tap:
        sick = and_(game[SICK, o], derived.is_type(o, Type.CREATURE), not_(derived.has_keyword(o, Keyword.HASTE)))
        game.require(not_(sick), f"{o} is not affected by summoning sickness", "302.6")
    if item is not None:
        choose_targets(game, specs_of(item)[0], targets, player, o, item)
    pay(game, player, costs, way, o, "602.2b")
    if item is None:
        assert isinstance(ability, ActivatedAbility)
        context = Context(game, o, player, x=x)
        for effect in ability.do:
            effect.apply(context)
    else:
        push(game, item, player, targets=targets, x=x)
    keep_priority(game, player)
    settle(game)


def _loyalty_marker(game: State, o: Obj) -> Item:
    """What stands for the one loyalty ability that a permanent may use in a turn (606.3): its first one."""
    items: tuple[Item, ...] = game.setup.items
    return next(
        item
        for item in items
        if item.source is o and isinstance(item.ability, ActivatedAbility) and item.ability.activate.loyalty is not None
    )
