"""What effects say of casting (601.3, 601.2f, 702.8): prohibitions, flash, and cost changes.

All of it is judged on the spell as it is on the stack, so that of a face-down spell only the face-down characteristics
count (708.4).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from model.cards.abilities import Ability, CastBan, CostChange, FlashPermission
from model.cards.phrases import Filter
from model.characteristics import look
from model.families import ACTIVE, BANNED, CAST_DOWN, ITEM, STEP, ZONE
from model.peek import Peek
from model.setup import Obj, Player, Setup
from model.state import State
from model.terms import FALSE, TRUE, Term, add, and_, const, count, ite, not_, number, or_
from model.vocabulary import Marker, TurnStep, Zone

__all__ = ["cost_change", "may_cast_now", "morph_tax", "possible_taxes", "require_castable_spell"]

_MOST_COUNTED = 6
"""How many objects a cost change that counts may count."""


def _abilities(setup: Setup, kind: type[Ability]) -> Iterator[tuple[Obj, Ability]]:
    return ((o, a) for o in setup.objects for a in setup.abilities_of(o) if isinstance(a, kind))


def _works(game: State, source: Obj, ability: Ability) -> Term:
    on = game[ZONE, source].is_(Zone.BATTLEFIELD)
    return FALSE if on is FALSE else and_(on, look(game).has_ability(source, ability))


def _for_player(game: State, who: str, source: Obj, player: Player) -> Term:
    if who == "any":
        return TRUE
    mine = look(game).controller(source).is_(player)
    return mine if who == "you" else not_(mine)


def may_cast_now(game: State, player: Player) -> Term:
    """Whether it is a main phase of the player's own turn with an empty stack."""
    return and_(
        game[ACTIVE,].is_(player),
        game[STEP,].among((TurnStep.MAIN, TurnStep.SECOND_MAIN)),
        game[ITEM, 0].is_(Marker.NONE),
    )


def require_castable_spell(game: State, player: Player, spell: Obj, tax: int, *, timely: Term, rule: str) -> None:
    """Require that nothing forbids the spell, that this is a time for it, and that its cost changes by ``tax``.

    Parameters
    ----------
    spell
        The object, already on the stack as it is being cast.
    timely
        Whether it could be cast now without any permission.
    """
    quick = or_(timely, *_permissions(game, player, spell))
    game.require(quick, f"{player} may cast {spell} now", rule)
    game.require(not_(or_(*_bans(game, player, spell))), f"no effect forbids casting {spell}", "601.3")
    game.require(cost_change(game, player, spell).is_(tax), f"effects change the cost of {spell} by {tax}", "601.2f")


def _permissions(game: State, player: Player, spell: Obj) -> Iterator[Term]:
    you = const(game.setup.player_sort, player)
    for source, ability in _abilities(game.setup, FlashPermission):
        works = and_(_works(game, source, ability), look(game).controller(source).is_(player))
        if works is not FALSE:
            wanted: Filter = ability.as_though_flash  # type: ignore[attr-defined]
            yield and_(works, look(game).matches(spell, wanted, you, source))


def _bans(game: State, player: Player, spell: Obj) -> Iterator[Term]:
    named = look(game).name(spell)
    yield and_(named.isnt(Marker.NONE), named.is_(game[BANNED, player]))
    for source, ability in _abilities(game.setup, CastBan):
        works = and_(_works(game, source, ability), _for_player(game, ability.player, source, player))  # type: ignore[attr-defined]
        if works is not FALSE:
            yield and_(works, look(game).matches(spell, ability.cant_cast, look(game).controller(source), source))  # type: ignore[attr-defined]


def cost_change(game: State, player: Player, spell: Obj) -> Term:
    """By how much effects change the cost of a spell on the stack (601.2f)."""
    parts = []
    for source, ability in _abilities(game.setup, CostChange):
        assert isinstance(ability, CostChange)
        if ability.costs_change == "morph":
            continue
        applies = _changes(game, player, spell, source, ability)
        if applies is not FALSE:
            parts.append(ite(applies, _by(game, source, ability), number(0)))
    return add(*parts)


def _changes(game: State, player: Player, spell: Obj, source: Obj, ability: CostChange) -> Term:
    if ability.of_this:
        return look(game).has_ability(source, ability) if source is spell else FALSE
    works = and_(_works(game, source, ability), _for_player(game, ability.player, source, player))
    if works is FALSE:
        return FALSE
    assert isinstance(ability.costs_change, Filter)
    first = not_(game[CAST_DOWN, player]) if ability.first_each_turn else TRUE
    return and_(works, first, look(game).matches(spell, ability.costs_change, look(game).controller(source), source))


def morph_tax(game: State, player: Player) -> Term:
    """By how much effects change morph costs; a megamorph cost is one, a disguise cost is none (702.37b)."""
    parts = []
    for source, ability in _abilities(game.setup, CostChange):
        assert isinstance(ability, CostChange)
        if ability.costs_change == "morph":
            applies = and_(_works(game, source, ability), _for_player(game, ability.player, source, player))
            parts.append(ite(applies, number(ability.by), number(0)))
    return add(*parts)


def _by(game: State, source: Obj, ability: CostChange) -> Term:
    if ability.per is None:
        return number(ability.by)
    you = look(game).controller(source)
    counted = count(look(game).matches(o, ability.per, you, source) for o in game.setup.objects)
    total = number(0)
    for _ in range(abs(ability.by)):
        total = total + counted if ability.by > 0 else total - counted
    return total


def possible_taxes(peek: Peek, *, morph: bool = False) -> list[int]:
    """Every sum to which the cost changes of the scenario can come; 0 first."""
    ranges = []
    for source, ability in _abilities(peek.setup, CostChange):
        assert isinstance(ability, CostChange)
        reachable = ability.of_this or peek.may_be_in(source, Zone.BATTLEFIELD)
        if reachable and (ability.costs_change == "morph") is morph:
            most = _MOST_COUNTED if ability.per is not None else 1
            ranges.append([ability.by * n for n in range(most + 1)])
    sums = {sum(combination) for combination in itertools.product(*ranges)}
    return sorted(sums, key=lambda tax: (tax != 0, tax))
