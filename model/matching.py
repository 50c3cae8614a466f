"""What a filter or a condition says of the state.

A filter's words are data (:mod:`model.cards.phrases`); here they become terms over the characteristics of a look.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from model.cards.phrases import Filter
from model.families import (
    ATTACHED,
    ATTACKING,
    BLOCKING,
    CHOSEN_NAME,
    CHOSEN_TYPE,
    COUNTERS,
    LINKED,
    TAPPED,
    TURNED_UP,
    ZONE,
)
from model.setup import Obj
from model.state import State
from model.terms import FALSE, TRUE, Term, and_, const, eq, not_, or_
from model.vocabulary import Marker, Stage, Supertype, Type, Zone

if TYPE_CHECKING:
    from model.characteristics import Look

__all__ = ["Asking", "has_qualities", "matches"]


@dataclass(frozen=True, slots=True)
class Asking:
    """Whose words a filter is.

    Parameters
    ----------
    you
        Who "you" is, as a term over players.
    this
        The object whose text it stands in.
    that_player
        Who "that player" is.
    """

    you: Term
    this: Obj | None = None
    that_player: Term | None = None


def matches(look: Look, game: State, o: Obj, wanted: Filter, asking: Asking, stage: Stage) -> Term:
    """Whether an object meets a filter.

    Parameters
    ----------
    look
        The characteristics it is asked of.
    asking
        Who "you", "this" and "that player" are.
    stage
        How far the layers have been applied to the characteristics that it asks about.
    """
    this = asking.this
    if wanted.other and o is this:
        return FALSE
    tests = [game[ZONE, o].is_(wanted.zone)]
    if tests[0] is FALSE:
        return FALSE
    tests += _status_tests(look, game, o, wanted, this)
    tests += _player_tests(look, game, o, wanted, asking)
    if any(test is FALSE for test in tests):
        return FALSE
    return and_(*tests, *_value_tests(look, o, wanted, stage))


def _status_tests(look: Look, game: State, o: Obj, wanted: Filter, this: Obj | None) -> list[Term]:
    tests: list[Term] = []
    if wanted.face_down is not None:
        down = look.face_down(o)
        tests.append(down if wanted.face_down else not_(down))
    if wanted.token is not None:
        tests.append(TRUE if wanted.token == o.token else FALSE)
    if wanted.tapped is not None:
        tests.append(game[TAPPED, o] if wanted.tapped else not_(game[TAPPED, o]))
    if wanted.attacking:
        tests.append(and_(game[ATTACKING, o].isnt(Marker.NONE), look.is_type(o, Type.CREATURE)))
    if wanted.blocking:
        tests.append(and_(game[BLOCKING, o].isnt(Marker.NONE), look.is_type(o, Type.CREATURE)))
    if wanted.shares_type_with_linked:
        tests.append(
            or_(
                *(
                    and_(game[LINKED, other].is_(this), game[ZONE, other].is_(Zone.EXILE), look.is_type(o, kind))
                    for other in game.setup.cards()
                    if other is not o
                    for kind in sorted(other.card.front.types, key=str)
                )
            )
        )
    if wanted.turned_up_this_turn:
        tests.append(game[TURNED_UP, o])
    if wanted.chosen_name and this is not None:
        name = look.name(o)
        tests.append(and_(name.isnt(Marker.NONE), eq(name, game[CHOSEN_NAME, this])))
    if wanted.chosen_type and this is not None:
        chosen = game[CHOSEN_TYPE, this]
        tests.append(or_(*(and_(chosen.is_(t), look.is_subtype(o, t)) for t in game.setup.subtypes)))
    if wanted.lacks_counter is not None:
        tests.append(game[COUNTERS, o, wanted.lacks_counter] <= 0)
    if wanted.counter is not None:
        tests.append(game[COUNTERS, o, wanted.counter] > 0)
    if wanted.attached_to_this:
        tests.append(game[ATTACHED, o].is_(this))
    return tests


def _player_tests(look: Look, game: State, o: Obj, wanted: Filter, asking: Asking) -> list[Term]:
    you, that_player = asking.you, asking.that_player
    tests = []
    owner = const(game.setup.player_sort, o.owner)
    for who, of in ((wanted.controller, look.controller(o) if wanted.controller else owner), (wanted.owner, owner)):
        if who == "you":
            tests.append(eq(of, you))
        elif who == "opponent":
            tests.append(not_(eq(of, you)))
        elif who == "that player":
            tests.append(TRUE if that_player is None else eq(of, that_player))
    return tests


def _value_tests(look: Look, o: Obj, wanted: Filter, stage: Stage) -> Iterator[Term]:
    if wanted.types:
        yield or_(*(look.is_type(o, t, stage) for t in wanted.types))
    for kind in wanted.all_types:
        yield look.is_type(o, kind, stage)
    for kind in wanted.not_types:
        yield not_(look.is_type(o, kind, stage))
    if wanted.subtypes:
        yield or_(*(look.is_subtype(o, s, stage) for s in wanted.subtypes))
    for subtype in wanted.not_subtypes:
        yield not_(look.is_subtype(o, subtype, stage))
    for supertype in wanted.supertypes:
        yield look.is_supertype(o, supertype)
    for supertype in wanted.not_supertypes:
        yield not_(look.is_supertype(o, supertype))
    if wanted.colours:
        yield or_(*(look.is_colour(o, c, stage) for c in wanted.colours))
    for colour in wanted.not_colours:
        yield not_(look.is_colour(o, colour, stage))
    if wanted.colourless is not None:
        yield look.is_colourless(o) if wanted.colourless else not_(look.is_colourless(o))
    if wanted.keyword is not None:
        yield look.has_keyword(o, wanted.keyword)
    if wanted.lacks is not None:
        yield not_(look.has_keyword(o, wanted.lacks))
    if wanted.without_abilities:
        yield look.without_abilities(o)
    if wanted.morph_ability:
        yield or_(*(has for cost, has in look.face_down_costs(o) if cost.is_morph))
    if wanted.disguise_ability:
        yield or_(*(has for cost, has in look.face_down_costs(o) if not cost.is_morph))
    if wanted.permanent_card:
        yield not_(or_(look.is_type(o, Type.INSTANT), look.is_type(o, Type.SORCERY)))
    if wanted.base is not None:
        yield and_(look.base(o, "power").is_(wanted.base[0]), look.base(o, "toughness").is_(wanted.base[1]))
    if wanted.even:
        yield look.any_face(o, lambda f: f.mana_value % 2 == 0)
    if wanted.historic:
        yield or_(
            look.is_supertype(o, Supertype.LEGENDARY),
            look.is_type(o, Type.ARTIFACT, stage),
            look.is_subtype(o, "Saga", stage),
        )
    if wanted.named is not None:
        yield look.name(o).is_(wanted.named)
    for bounds, value in (
        (wanted.power, look.power),
        (wanted.toughness, look.toughness),
        (wanted.mana_value, look.mana_value),
    ):
        low, high = bounds
        if low is not None:
            yield value(o) >= low
        if high is not None:
            yield value(o) <= high


def has_qualities(look: Look, o: Obj, wanted: Filter) -> Term:
    """Whether an object has the characteristics that a filter asks for, wherever it is and whoever controls it."""
    return and_(*_value_tests(look, o, wanted, Stage.FINAL))
