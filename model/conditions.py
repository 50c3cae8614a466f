"""Conditions of abilities and effects (603.4, 608.2c): what the present state says of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from model.cards.abilities import Condition
from model.cards.phrases import Filter
from model.characteristics import look
from model.families import ACTIVE, HAPPENED, ZONE
from model.setup import Obj
from model.state import State
from model.terms import FALSE, TRUE, Term, add, and_, count, eq, ite, not_, number, or_
from model.vocabulary import Colour, Type, Zone

__all__ = ["holds"]


def _devotion(game: State, colours: Iterable[Colour], you: Term) -> Term:
    """How many mana symbols of the colours are among the mana costs of a player's permanents (700.5)."""
    derived, parts = look(game), []
    letters = dict(zip(Colour, "WUBRG", strict=True))
    wanted = {letters[c] for c in colours}
    for o in game.setup.objects:
        mine = and_(game[ZONE, o].is_(Zone.BATTLEFIELD), eq(derived.controller(o), you))
        if mine is FALSE:
            continue
        for here, face in derived.cases(o):
            symbols = sum(1 for s in face.cost.symbols if wanted & set(s.split("/"))) if face.cost else 0
            parts.append(ite(and_(mine, here), number(symbols), number(0)))
    return add(*parts)


def _total_power(game: State, you: Term) -> Term:
    """The power of a player's creatures together."""
    derived, parts = look(game), []
    for o in game.setup.objects:
        creature = and_(game[ZONE, o].is_(Zone.BATTLEFIELD), derived.is_type(o, Type.CREATURE))
        parts.append(ite(and_(creature, eq(derived.controller(o), you)), derived.power(o), number(0)))
    return add(*parts)


def _shares_name(game: State, wanted: Filter, you: Term, this: Obj | None, that: object) -> Term:
    """Whether an object has the same name as another one that a filter describes."""
    if not isinstance(that, Obj):
        return FALSE
    derived = look(game)
    player = derived.controller(that)
    return or_(
        *(
            and_(derived.matches(o, wanted, you, this, that_player=player), derived.same_name(o, that))
            for o in game.setup.objects
            if o is not that
        )
    )


def holds(
    game: State,
    condition: Condition,
    you: Term,
    this: Obj | None,
    that: object = None,
    those: Sequence[tuple[Obj, Term]] = (),
    target: object = None,
) -> Term:
    """Whether a condition holds in the present state.

    Parameters
    ----------
    you, this, that
        Who "you" is, whose text the condition stands in, and what the trigger event was about.
    those
        What earlier instructions of the same resolution were about.
    target
        The first target.
    """
    tests = []
    if condition.count is not None or condition.devotion:
        wanted = condition.count
        counted = (
            _devotion(game, condition.devotion, you)
            if wanted is None
            else count(look(game).matches(o, wanted, you, this) for o in game.setup.objects)
        )
        if condition.at_least is not None or condition.at_most is None:
            tests.append(counted >= (1 if condition.at_least is None else condition.at_least))
        if condition.at_most is not None:
            tests.append(counted <= condition.at_most)
    if condition.your_turn is not None:
        mine = eq(game[ACTIVE,], you)
        tests.append(mine if condition.your_turn else not_(mine))
    for wanted, o in ((condition.that_is, that), (condition.this_is, this), (condition.target_is, target)):
        if wanted is not None:
            tests.append(look(game).matches(o, wanted, you, this) if isinstance(o, Obj) else FALSE)
    if condition.card_is:
        tests.append(TRUE if isinstance(target, Obj) and set(condition.card_is) & target.card.front.types else FALSE)
    if condition.those_are is not None:
        wanted = condition.those_are
        tests.append(or_(*(and_(meant, look(game).matches(o, wanted, you, this)) for o, meant in those)))
    if condition.shares_name_with is not None:
        tests.append(_shares_name(game, condition.shares_name_with, you, this, that))
    if condition.total_power is not None:
        tests.append(_total_power(game, you) >= condition.total_power)
    if condition.this_turn:
        tests.append(
            or_(
                *(and_(you.is_(p), game[HAPPENED, p, what]) for p in game.setup.players for what in condition.this_turn)
            )
        )
    return not_(and_(*tests)) if condition.unless else and_(*tests)
