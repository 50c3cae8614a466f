"""Resolving spells and abilities (608)."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterator, Sequence
from functools import partial

from model.cards.abilities import Attach, TriggeredAbility, WardAbility
from model.cards.phrases import Filter
from model.characteristics import look
from model.conditions import holds
from model.effects.base import Effect
from model.effects.context import Context, Option
from model.families import (
    ACTIVE,
    BY,
    CAUSE,
    ITEM,
    PASSES,
    PROFILE,
    TARGET,
    THAT,
    ZONE,
    X,
)
from model.peek import Peek
from model.rules.attaching import attach
from model.rules.casting import has_x, specs_of
from model.rules.mana import Way, pay, ways_to_pay
from model.rules.priority import give_priority, require_game_turn
from model.rules.stack import counter, pop
from model.rules.state_based_actions import settle
from model.rules.targeting import TargetSpec, is_legal, words_for
from model.rules.zones import enter, entry_options, move
from model.setup import Item, Obj, Player
from model.state import State
from model.system import Candidate, Label
from model.terms import FALSE, TRUE, Term, and_, const, not_, or_
from model.vocabulary import Cause, Marker, Zone

__all__ = ["actions"]

_YES, _NO = Option("", True), Option("declining", False)


def actions(peek: Peek) -> Iterator[Candidate]:
    """Every way in which what is on top of the stack can resolve."""
    for item in peek.values(ITEM, 0):
        if isinstance(item, Item):
            yield from _resolutions(peek, item)


def _effects(item: Item) -> tuple[Effect, ...]:
    ability = item.ability
    if ability is None:
        return item.spell.spell if item.spell is not None else ()
    return getattr(ability, "do", ())


def _resolutions(peek: Peek, item: Item) -> Iterator[Candidate]:
    specs, up_to = specs_of(item)
    by = peek.values(BY, 0)
    players = [p for p in by if len(by) == 1 or p in peek.controllers(item.source)]
    places = [[t for t in peek.values(TARGET, 0, k) if _fits(t, spec, up_to)] for k, spec in enumerate(specs)]
    thats = [t for t in peek.values(THAT, 0) if _is_about(peek, item, t)]
    xs = peek.values(X, 0) if has_x(item) else [0]
    for player, targets, that, x in itertools.product(players, list(itertools.product(*places)), thats, xs):
        yield from _resolve_ways(peek, item, player, targets, that, x)


def _fits(target: Hashable, spec: TargetSpec, up_to: bool) -> bool:
    if isinstance(target, Marker):
        return up_to or target is Marker.GONE
    if isinstance(spec, Filter):
        return isinstance(target, Obj)
    return isinstance(target, Player) or spec in ("any target", "spell or ability")


def _is_about(peek: Peek, item: Item, that: Hashable) -> bool:
    if item.ability is None or not isinstance(item.ability, (TriggeredAbility, WardAbility)):
        return that is Marker.NONE
    return that in peek.setup.subjects(item)


def _resolve_ways(
    peek: Peek, item: Item, player: Player, targets: tuple[Hashable, ...], that: Hashable, x: int
) -> Iterator[Candidate]:
    arguments = (
        ("item", str(item)),
        ("by", player.name),
        *(("target", str(t)) for t in targets),
        *((("about", str(that)),) if that is not Marker.NONE else ()),
        *((("x", str(x)),) if has_x(item) else ()),
    )
    if isinstance(item.ability, WardAbility):
        yield from _ward_ways(peek, item, player, that, arguments)
        return
    o = item.source
    downs = (
        [c for c in peek.values(CAUSE, o) if c is not Cause.NONE]
        if item.ability is None and peek.may_be_in(o, Zone.STACK)
        else []
    )
    for cause in downs if x == 0 else ():  # a face-down spell has no X, whatever its card has (708.2a)
        if cause in (Cause.MORPH, Cause.DISGUISE, Cause.MASK) and item is peek.setup.spells(o)[0]:
            named = (("item", str(item)), ("by", player.name), ("cause", str(cause)))
            label = Label("resolve face down", None, f"{o} resolves face down", named)
            yield Candidate(label, partial(_resolve_face_down, o=o, item=item, player=player, cause=cause))
    context = Context(None, o, player, targets, that=that, x=x)  # type: ignore[arg-type]
    asked = [options for effect in _effects(item) for options in effect.options(peek, context)]
    if item.ability is None and item.face is not None and item.face.is_permanent_card:
        asked += entry_options(peek, o, context)
    may = getattr(item.ability, "may", False)
    combinations: list[tuple[Option, ...]] = [(_YES, *picks) if may else picks for picks in itertools.product(*asked)]
    if may:
        combinations.append((_NO,))
    for picks in combinations:
        chosen = tuple(pick.words for pick in picks if pick.words)
        words = f"{item} resolves" + words_for(targets) + (f" with X = {x}" if has_x(item) else "")
        words += "".join(f", {part}" for part in chosen)
        label = Label("resolve", None, words, (*arguments, *(("choice", part) for part in chosen)))
        yield Candidate(
            label, partial(_resolve, item=item, player=player, targets=targets, that=that, x=x, picks=picks, may=may)
        )


def _require_top(game: State, item: Item, player: Player) -> None:
    require_game_turn(game)
    game.require(game[ITEM, 0].is_(item), f"{item} is on top of the stack", "608.1")
    game.require(game[BY, 0].is_(player), f"{player} controls it", "608.1")


def _finish(game: State) -> None:
    """The active player gets priority after a resolution (117.3b)."""
    for player in game.setup.players:
        with game.when(game[ACTIVE,].is_(player)) as live:
            if live:
                give_priority(game, player)
    game[PASSES,] = 0
    settle(game)


def _resolve_face_down(game: State, *, o: Obj, item: Item, player: Player, cause: Cause) -> None:
    _require_top(game, item, player)
    game.require(game[CAUSE, o].is_(cause), f"{o} was cast face down", "708.4")
    game.cite("608.3a", "708.4")
    pop(game)
    profile = game[PROFILE, o]
    for face in list(profile.possible()):
        with game.when(profile.is_(face)) as live:
            if live:
                enter(game, o, player, cause=cause, profile=face)  # type: ignore[arg-type]
    _discard_what_stays(game, o)
    _finish(game)


def _discard_what_stays(game: State, o: Obj) -> None:
    """A permanent spell that cannot enter the battlefield is put into its owner's graveyard (608.3e)."""
    with game.when(game[ZONE, o].is_(Zone.STACK)) as live:
        if live:
            game.cite("608.3e")
            move(game, o, Zone.GRAVEYARD)


def _resolve(
    game: State,
    *,
    item: Item,
    player: Player,
    targets: tuple[Hashable, ...],
    that: Hashable,
    x: int,
    picks: Sequence[Option],
    may: bool,
) -> None:
    _require_top(game, item, player)
    o = item.source
    if item.ability is None:
        game.require(game[CAUSE, o].is_(Cause.NONE), f"{o} was cast face up", "708.4")
    specs, _ = specs_of(item)
    for k, target in enumerate(targets):
        game.require(game[TARGET, 0, k].is_(target), f"it targets {target}", "608.2b")
    if that is not Marker.NONE:
        game.require(game[THAT, 0].is_(that), f"it is about {that}", "608.2")
    if has_x(item):
        game.require(game[X, 0].is_(x), f"X is {x}", "608.2")
    legal = [is_legal(game, spec, t, player, o) for spec, t in zip(specs, targets, strict=True)]
    real = [ok for ok, t in zip(legal, targets, strict=True) if t is not Marker.NONE]
    goes = or_(*real) if real else TRUE
    game.cite("608.1")
    if real:
        with game.when(not_(goes)):
            game.cite("608.2b")
    if isinstance(item.ability, TriggeredAbility) and item.ability.condition is not None:
        goes = and_(goes, holds(game, item.ability.condition, const(game.setup.player_sort, player), o, that))
    if isinstance(item.ability, TriggeredAbility) and item.ability.from_graveyard:
        # What has left the graveyard since is another object (400.7).
        goes = and_(goes, game[ZONE, o].is_(Zone.GRAVEYARD))
    pop(game)
    chosen = iter(picks)
    wanted = next(chosen).value if may else True
    with game.when(goes if wanted else FALSE) as live:
        if live:
            known = {t: look(game).controller(t) for t in (*targets, that) if isinstance(t, Obj)}
            values = {t: look(game).cases(t) for t in targets if isinstance(t, Obj)} if game.setup.copying else {}
            context = Context(
                game, o, player, targets, legal, that, x, chosen, controllers=known, values=values
            )
            _carry_out(game, item, context)
    if item.ability is None and item.face is not None and item.face.is_permanent_card:
        with game.when(goes):
            _discard_what_stays(game, o)
    if item.ability is None:
        with game.when(game[ZONE, o].is_(Zone.STACK)):
            move(game, o, Zone.GRAVEYARD)
    _finish(game)


def _carry_out(game: State, item: Item, context: Context) -> None:
    o, face = item.source, item.face
    if face is not None and face.is_permanent_card:
        game.cite("608.3")
        host = context.targets[0] if context.targets else None
        enter(
            game,
            o,
            context.controller,
            attached_to=host if isinstance(host, Obj) else None,
            transformed=face is o.card.back,
            picks=context.picks,
            x=context.x,
            copied=look(game).cases(o) if o.token else None,
        )
        return
    if isinstance(item.ability, Attach):
        attach(game, o, context.targets[0], "702.6a")
        return
    game.cite("608.2c")
    for effect in _effects(item):
        effect.apply(context)


def _ward_ways(
    peek: Peek, item: Item, player: Player, that: Hashable, arguments: tuple[tuple[str, str], ...]
) -> Iterator[Candidate]:
    assert isinstance(item.ability, WardAbility)
    costs = item.ability.ward
    for other in peek.setup.others(player):
        for way in ways_to_pay(peek, other, costs, item.source):
            words = f"{item} resolves, {other} pays {costs}" + (f", {way.words}" if way.words else "")
            yield Candidate(
                Label("resolve ward", None, words, (*arguments, ("choice", words))),
                partial(_resolve_ward, item=item, player=player, that=that, other=other, way=way),
            )
    label = Label("resolve ward", None, f"{item} resolves, {costs} is not paid", (*arguments, ("choice", "not paid")))
    yield Candidate(label, partial(_resolve_ward, item=item, player=player, that=that, other=None, way=None))


def _resolve_ward(
    game: State, *, item: Item, player: Player, that: Hashable, other: Player | None, way: Way | None
) -> None:
    _require_top(game, item, player)
    game.require(game[THAT, 0].is_(that), f"it is about {that}", "608.2")
    assert isinstance(item.ability, WardAbility)
    game.cite("702.21a")
    pop(game)
    if way is not None and other is not None:
        game.require(_controlled_by(game, that, other), f"{other} controls {that}", "702.21a")
        pay(game, other, item.ability.ward, way, item.source, "702.21a")
    else:
        counter(game, that)
    _finish(game)


def _controlled_by(game: State, what: Hashable, player: Player) -> Term:
    if isinstance(what, Obj):
        return look(game).controller(what).is_(player)
    places = range(game.setup.bounds.stack)
    return or_(*(and_(game[ITEM, place].is_(what), game[BY, place].is_(player)) for place in places))
