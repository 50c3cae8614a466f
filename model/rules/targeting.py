"""Targets (115, 601.2c, 608.2b): what can be chosen, and whether it still may be on resolution."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterator, Sequence

from model.cards.abilities import WardAbility
from model.cards.phrases import Filter
from model.characteristics import look
from model.families import ITEM, LEFT, ZONE
from model.peek import Peek
from model.rules.protection import protected
from model.rules.stack import is_on_stack
from model.rules.triggers import await_trigger, notice
from model.setup import Item, Obj, Player
from model.state import State
from model.terms import FALSE, Term, and_, const, not_, or_
from model.vocabulary import EventKind, Keyword, Marker, Type, Zone

__all__ = ["TargetSpec", "choose_targets", "is_legal", "no_legal_target", "target_choices", "words_for"]

TargetSpec = Filter | str
"""A filter; or ``player``, ``opponent``, ``any target``, ``spell or ability``."""


def target_choices(
    peek: Peek, specs: Sequence[TargetSpec], by: Player, source: Obj, *, up_to: bool = False
) -> Iterator[tuple[Hashable, ...]]:
    """Every choice of targets that the zones allow; none twice (601.2c)."""
    per_place = [[*_choices(peek, spec, by, source), *([Marker.NONE] if up_to else [])] for spec in specs]
    for targets in itertools.product(*per_place):
        real = [t for t in targets if t is not Marker.NONE]
        if len(set(real)) == len(real):
            yield targets


def _choices(peek: Peek, spec: TargetSpec, by: Player, source: Obj) -> Iterator[Hashable]:
    setup = peek.setup
    if isinstance(spec, Filter):
        yield from (o for o in setup.objects if peek.may_be_in(o, spec.zone) and not (spec.other and o is source))
        return
    if spec in ("player", "any target"):
        yield from setup.players
    elif spec == "opponent":
        yield from setup.others(by)
    if spec == "any target":
        yield from (o for o in setup.objects if peek.may_be_in(o, Zone.BATTLEFIELD))
    if spec == "spell or ability":
        places = range(setup.bounds.stack)
        standing = {item for place in places for item in peek.values(ITEM, place) if isinstance(item, Item)}
        yield from (o for o in setup.objects if peek.may_be_in(o, Zone.STACK))
        yield from (i for i in setup.items if i in standing and i.ability is not None)


def is_legal(game: State, spec: TargetSpec, target: Hashable, by: Player, source: Obj) -> Term:
    """Whether something is a legal target for a spell or ability that a player controls."""
    if isinstance(target, Marker):
        return FALSE
    if not _fits(spec, target, by):
        return FALSE
    you = const(game.setup.player_sort, by)
    if isinstance(target, Player):
        return not_(game[LEFT, target])
    if spec == "spell or ability":
        return is_on_stack(game, target)
    assert isinstance(target, Obj)
    derived = look(game)
    if isinstance(spec, Filter):
        meets = derived.matches(target, spec, you, source)
    else:
        kinds = (Type.CREATURE, Type.PLANESWALKER, Type.BATTLE)
        meets = and_(game[ZONE, target].is_(Zone.BATTLEFIELD), or_(*(derived.is_type(target, kind) for kind in kinds)))
    if meets is FALSE:
        return FALSE
    theirs = not_(derived.controller(target).is_(by))
    hexproof = and_(theirs, derived.has_keyword(target, Keyword.HEXPROOF))
    on = game[ZONE, target].is_(Zone.BATTLEFIELD)
    barred = or_(hexproof, derived.has_keyword(target, Keyword.SHROUD), protected(game, target, source))
    return and_(meets, not_(and_(on, barred)))


def choose_targets(
    game: State, specs: Sequence[TargetSpec], targets: Sequence[Hashable], by: Player, source: Obj, what: Hashable
) -> None:
    """Require that targets are legal, and let what they cause trigger (601.2c, 702.21a).

    Parameters
    ----------
    what
        What targets them: the spell's object, or the stack item of the ability.
    """
    for spec, target in zip(specs, targets, strict=True):
        if target is Marker.NONE:
            continue
        legal = FALSE if target is what else is_legal(game, spec, target, by, source)  # nothing targets itself (115.5)
        game.require(legal, f"{target} is a legal target", "601.2c")
        if isinstance(target, Obj):
            notice(game, EventKind.TARGETED, target, player=by)
            _ward(game, target, by, what)


def _ward(game: State, target: Obj, by: Player, what: Hashable) -> None:
    derived = look(game)
    theirs = and_(game[ZONE, target].is_(Zone.BATTLEFIELD), not_(derived.controller(target).is_(by)))
    for ability in game.setup.abilities_of(target):
        if isinstance(ability, WardAbility):
            with game.when(and_(theirs, derived.has_ability(target, ability))) as live:
                if live:
                    game.cite("702.21a")
                    await_trigger(game, game.setup.item(target, ability), what, derived.controller(target))


def no_legal_target(game: State, specs: Sequence[TargetSpec], by: Player, source: Obj) -> Term:
    """Whether some place has no legal target at all."""
    everything: list[Hashable] = [*game.setup.players, *game.setup.objects]
    everything += [i for i in game.setup.items if i.ability is not None]
    return or_(
        *(not_(or_(*(is_legal(game, spec, t, by, source) for t in everything if _fits(spec, t, by)))) for spec in specs)
    )


def _fits(spec: TargetSpec, target: Hashable, by: Player) -> bool:
    """Whether something is of the kind that is targeted at all."""
    if isinstance(spec, Filter):
        return isinstance(target, Obj)
    if isinstance(target, Player):
        return spec in ("player", "any target") or (spec == "opponent" and target is not by)
    return spec == "spell or ability" or (spec == "any target" and isinstance(target, Obj))


def words_for(targets: Sequence[Hashable]) -> str:
    """How a choice of targets is described."""
    real = [str(t) for t in targets if t is not Marker.NONE]
    return f" targeting {' and '.join(real)}" if real else ""
