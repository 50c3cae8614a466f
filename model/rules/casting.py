"""Casting spells (601), face up and face down (708.4), and playing lands (305)."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from functools import partial

from model.cards.abilities import ActivatedAbility, Attach, Costs, TriggeredAbility
from model.cards.card import Face
from model.cards.cost import ManaCost
from model.cards.phrases import Filter
from model.families import CAST_DOWN, CAUSE, CONTROLLER, FREE, LAND_PLAYED, PERMITTED, PROFILE, ZONE
from model.parts import amounts, parts_of
from model.peek import Peek
from model.rules.casting_zones import (
    casting_zones,
    from_elsewhere,
    land_from_elsewhere,
    origin_permissions,
    require_permitted_spell,
)
from model.rules.mana import Way, pay, ways_to_pay
from model.rules.priority import keep_priority, require_no_split_second, require_priority, require_sorcery_timing
from model.rules.revealing import make_public
from model.rules.spell_rules import may_cast_now, possible_taxes, require_castable_spell
from model.rules.stack import push
from model.rules.state_based_actions import settle
from model.rules.targeting import TargetSpec, choose_targets, target_choices, words_for
from model.rules.triggers import notice
from model.rules.zones import enter, touch
from model.setup import Item, Obj, Player
from model.state import State
from model.system import Candidate, Label
from model.terms import FALSE, not_, or_
from model.vocabulary import Cause, EventKind, Keyword, Type, Zone

__all__ = ["actions", "has_x", "specs_of", "spell_targets"]

FACE_DOWN_COST = Costs(mana=ManaCost.parse("{3}"))
"""The alternative cost of casting a card face down (702.37a, 702.168a)."""


def spell_targets(item: Item) -> tuple[tuple[TargetSpec, ...], bool]:
    """What a spell targets, and whether up to that many."""
    if item.spell is not None:
        return item.spell.targets, item.spell.up_to
    assert item.face is not None
    enchants = (a.enchant for a in item.face.abilities if isinstance(a, Attach) and a.enchant is not None)
    return tuple(enchants)[:1], False


def actions(peek: Peek) -> Iterator[Candidate]:
    """Every way to cast a card from hand, face up or face down, and to play a land."""
    for o in peek.setup.cards():
        for player in peek.setup.players:
            mine = player is o.owner and peek.may_be_in(o, Zone.HAND)
            elsewhere = player is o.owner and any(peek.may_be_in(o, zone) for zone in casting_zones(peek))
            free = peek.highest(FREE, player, o) > 0
            if mine or elsewhere or free or peek.highest(PERMITTED, player, o) > 0:
                yield from _ways_to_cast(peek, player, o)


def _ways_to_cast(peek: Peek, player: Player, o: Obj) -> Iterator[Candidate]:
    if Type.LAND in o.card.front.types:
        yield Candidate(
            Label("play a land", player.name, f"play {o}", (("card", o.name),)), partial(_play_land, player=player, o=o)
        )
    for item in peek.setup.spells(o):
        if item.face is not None and item.face.cost is not None:
            yield from _face_up(peek, player, o, item, item.face)
    for kind in dict.fromkeys("disguise" if c.kind == "disguise" else "morph" for c in o.card.front.face_down_costs):
        for tax in possible_taxes(peek):
            for way in ways_to_pay(peek, player, FACE_DOWN_COST, o, tax=tax):
                label = Label(
                    "cast face down",
                    player.name,
                    f"cast {o} face down{_with(way)}",
                    (("card", o.name), ("as", kind), *_taxed(tax), *_paid(way)),
                )
                yield Candidate(label, partial(_cast_face_down, player=player, o=o, kind=kind, way=way, tax=tax))


def _with(way: Way) -> str:
    return f", {way.words}" if way.words else ""


def _taxed(tax: int) -> tuple[tuple[str, str], ...]:
    return (("cost change", f"{tax:+d}"),) if tax else ()


def _paid(way: Way) -> tuple[tuple[str, str], ...]:
    return (("paying", way.words),) if way.words else ()


def _face_up(peek: Peek, player: Player, o: Obj, item: Item, face: Face) -> Iterator[Candidate]:
    specs, up_to = spell_targets(item)
    assert face.cost is not None
    extra = (item.spell.additional if item.spell else None) or Costs()
    costs = extra.model_copy(update={"mana": face.cost.plus(extra.mana)})
    if peek.highest(FREE, player, o) > 0:
        yield from _for_nothing(peek, player, o, item, extra)
    for x in range(peek.setup.bounds.x + 1) if face.cost.x_count else (0,):
        for targets in target_choices(peek, specs, player, o, up_to=up_to):
            for tax in possible_taxes(peek):
                for way in ways_to_pay(peek, player, costs, o, x=x, tax=tax):
                    words = f"cast {item}"
                    words += (f" with X = {x}" if face.cost.x_count else "") + words_for(targets) + _with(way)
                    arguments = (
                        ("card", o.name),
                        ("spell", str(item)),
                        *((("x", str(x)),) if face.cost.x_count else ()),
                        *(("target", str(t)) for t in targets),
                        *_taxed(tax),
                        *_paid(way),
                    )
                    yield Candidate(
                        Label("cast", player.name, words, arguments),
                        partial(
                            _cast, player=player, o=o, item=item, x=x, targets=targets, costs=costs, way=way, tax=tax
                        ),
                    )


def _for_nothing(peek: Peek, player: Player, o: Obj, item: Item, extra: Costs) -> Iterator[Candidate]:
    """Casting without paying the mana cost; additional costs are paid all the same (118.9)."""
    specs, up_to = spell_targets(item)
    for targets in target_choices(peek, specs, player, o, up_to=up_to):
        for way in ways_to_pay(peek, player, extra, o):
            words = f"cast {item} without paying its mana cost{words_for(targets)}{_with(way)}"
            named = (("card", o.name), ("spell", str(item)), ("for", "nothing"))
            label = Label("cast", player.name, words, (*named, *(("target", str(t)) for t in targets), *_paid(way)))
            yield Candidate(
                label,
                partial(
                    _cast, player=player, o=o, item=item, x=0, targets=targets, costs=extra, way=way, tax=0, free=True
                ),
            )


def _cast(
    game: State,
    *,
    player: Player,
    o: Obj,
    item: Item,
    x: int,
    targets: Sequence[Hashable],
    costs: Costs,
    way: Way,
    tax: int,
    free: bool = False,
) -> None:
    game.cite("601.2")
    require_priority(game, player)
    require_no_split_second(game)
    if free:
        game.require(game[FREE, player, o], f"{player} may cast {o} without paying its mana cost", "118.9")
    else:
        _require_castable(game, player, o)
    origins = [] if free else origin_permissions(game, player, o)
    face = item.face
    assert face is not None
    game[FREE, player, o] = False
    quick = Type.INSTANT in face.types or Keyword.FLASH in face.keywords
    timely = may_cast_now(game, player)
    specs, _ = spell_targets(item)
    game[ZONE, o] = Zone.STACK
    game[CONTROLLER, o] = player
    require_permitted_spell(game, player, o, origins)
    require_castable_spell(game, player, o, tax, timely=not_(FALSE) if quick else timely, rule="307.1")
    pay(game, player, costs, way, o, "601.2h")
    choose_targets(game, specs, targets, player, o, o)
    push(game, item, player, targets=targets, x=min(x, game.setup.bounds.x))
    touch(game, o)
    make_public(game, o)
    notice(game, EventKind.CAST, o, player=player)
    keep_priority(game, player)
    settle(game)


def _cast_face_down(game: State, *, player: Player, o: Obj, kind: str, way: Way, tax: int) -> None:
    disguised = kind == "disguise"
    game.cite("708.4", "702.168a" if disguised else "702.37c")
    require_priority(game, player)
    require_no_split_second(game)
    _require_castable(game, player, o)
    timely = may_cast_now(game, player)
    origins = origin_permissions(game, player, o)
    game[ZONE, o] = Zone.STACK
    game[CONTROLLER, o] = player
    game[CAUSE, o] = Cause.DISGUISE if disguised else Cause.MORPH
    game[PROFILE, o] = game.setup.profiles[1 if disguised else 0]
    require_permitted_spell(game, player, o, origins)
    require_castable_spell(game, player, o, tax, timely=timely, rule="302.1")
    pay(game, player, FACE_DOWN_COST, way, o, "601.2h", hidden=True)
    game[CAST_DOWN, player] = True
    push(game, game.setup.spells(o)[0], player)
    touch(game, o)
    notice(game, EventKind.CAST, o, player=player)
    keep_priority(game, player)
    settle(game)


def _require_castable(game: State, player: Player, o: Obj) -> None:
    """Require that the card is in the player's hand, or that an effect permits casting it from where it is (601.3)."""
    in_hand = or_(game[ZONE, o].is_(Zone.HAND), from_elsewhere(game, player, o)) if o.owner is player else FALSE
    where = f"{o} is in {player}'s hand, or {player} may cast it from where it is"
    game.require(or_(in_hand, game[PERMITTED, player, o] > 0), where, "601.3")
    game[PERMITTED, player, o] = 0


def _play_land(game: State, *, player: Player, o: Obj) -> None:
    require_priority(game, player)
    game.require(
        or_(game[ZONE, o].is_(Zone.HAND), land_from_elsewhere(game, player, o)),
        f"{o} is in {player}'s hand, or {player} may play it from where it is",
        "305.1",
    )
    require_sorcery_timing(game, player, "305.1")
    game.require(not_(game[LAND_PLAYED, player]), f"{player} has played no land this turn", "305.2")
    game.cite("305.1")
    game[LAND_PLAYED, player] = True
    enter(game, o, player)
    keep_priority(game, player)
    settle(game)


def specs_of(item: Item) -> tuple[tuple[TargetSpec, ...], bool]:
    """What a spell or ability targets, and whether up to that many."""
    ability = item.ability
    if ability is None:
        return spell_targets(item)
    if isinstance(ability, Attach):
        return (Filter.parse("creature you control"),), False
    return getattr(ability, "targets", ()), getattr(ability, "up_to", False)


def has_x(item: Item) -> bool:
    """Whether a spell or ability has an X to choose or to go by (107.3)."""
    if isinstance(item.ability, TriggeredAbility):
        return any(amount.per_x for part in parts_of(item.ability) for amount in amounts(part))
    cost = (
        item.face.cost
        if item.face is not None
        else item.ability.activate.mana
        if isinstance(item.ability, ActivatedAbility)
        else None
    )
    return cost is not None and cost.x_count > 0
