"""Properties of what a face-down object is (708.2): stated on copiable values, never on final characteristics."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from model.cards.abilities import WardAbility
from model.cards.card import Face
from model.characteristics import look
from model.families import CAUSE, EFFECT, ZONE
from model.setup import Obj
from model.terms import FALSE, TRUE, Term, and_, not_, or_
from model.vocabulary import Cause, Colour, Keyword, Type
from properties.kinds import Clause, Invariant, Possible, Property, View
from properties.support import PERMANENT_OR_SPELL, changes_of, down, is_instant_or_sorcery, on_battlefield

__all__ = ["PROPERTIES"]

_BARE = (Cause.MORPH, Cause.MANIFEST)
_WARDED = (Cause.DISGUISE, Cause.CLOAK)


def _is_bare_body(face: Face) -> bool:
    """A nameless colourless 2/2 creature: no mana cost, subtypes or supertypes (708.2a)."""
    sizes = (face.power, face.toughness)
    return (
        face.name is None
        and face.cost is None
        and face.types == {Type.CREATURE}
        and not face.subtypes
        and not face.supertypes
        and not face.colours
        and all(size is not None and size.fixed == 2 and size.per is None for size in sizes)
    )


def _has_no_ability(face: Face) -> bool:
    return not face.abilities


def _has_ward_two(face: Face) -> bool:
    return (
        len(face.abilities) == 1
        and isinstance(face.abilities[0], WardAbility)
        and str(face.abilities[0].ward.mana) == "{2}"
    )


def _copiable(view: View) -> Iterable[Clause]:
    for o in view.setup.objects:
        seen = view[ZONE, o].among(PERMANENT_OR_SPELL)
        cases = look(view.state).cases(o)
        for causes, has_abilities, words in (
            (_BARE, _has_no_ability, "no ability"),
            (_WARDED, _has_ward_two, "ward {2}"),
        ):
            premise = and_(seen, view[CAUSE, o].among(causes))
            right = or_(*(condition for condition, face in cases if _is_bare_body(face) and has_abilities(face)))
            yield Clause(f"{o}: a nameless colourless 2/2 creature with {words}", premise, right)


def _mana_value(view: View) -> Iterable[Clause]:
    for o in view.setup.objects:
        premise = and_(view[ZONE, o].among(PERMANENT_OR_SPELL), view[CAUSE, o].among((*_BARE, *_WARDED)))
        yield Clause(f"{o}: mana value 0", premise, look(view.state).mana_value(o).is_(0))


def _only_there(view: View) -> Iterable[Clause]:
    for o in view.setup.objects:
        yield Clause(f"{o}: on the battlefield or the stack", down(view, o), view[ZONE, o].among(PERMANENT_OR_SPELL))


def _never_face_up(view: View) -> Iterable[Clause]:
    for o in view.setup.objects:
        if is_instant_or_sorcery(o):
            yield Clause(f"{o}: face down", on_battlefield(view, o), down(view, o))


def _pairs(view: View) -> Iterator[tuple[Obj, Obj]]:
    objects = view.setup.objects
    return ((a, b) for i, a in enumerate(objects) for b in objects[i + 1 :])


def _names_given(view: View, o: Obj) -> Term:
    """Whether some effect could be giving the object a name."""
    named = [shot for shot in view.setup.shots if shot.changes.name is not None]
    others = any(c.name is not None for c in changes_of(view.setup))
    return or_(*(view[EFFECT, shot, o] > 0 for shot in named)) if named else (TRUE if others else FALSE)


def _no_shared_name(view: View) -> Iterable[Clause]:
    derived = look(view.state)
    for a, b in _pairs(view):
        both = and_(
            view[ZONE, a].among(PERMANENT_OR_SPELL),
            view[ZONE, b].among(PERMANENT_OR_SPELL),
            or_(and_(down(view, a), not_(_names_given(view, a))), and_(down(view, b), not_(_names_given(view, b)))),
        )
        yield Clause(f"{a} and {b}: no common name", both, not_(derived.same_name(a, b)))


def _two_nameless(view: View) -> Iterable[Clause]:
    for a, b in _pairs(view):
        yield Clause(
            f"{a} and {b}: face down together",
            and_(on_battlefield(view, a), on_battlefield(view, b)),
            and_(down(view, a), down(view, b)),
        )


def _other_effects_show(view: View) -> Iterable[Clause]:
    derived = look(view.state)
    for o in view.setup.objects:
        other = or_(
            derived.power(o).isnt(2),
            derived.toughness(o).isnt(2),
            not_(derived.is_colourless(o)),
            *(derived.has_keyword(o, k) for k in Keyword),
        )
        yield Clause(f"{o}: face down, and no plain 2/2", and_(on_battlefield(view, o), down(view, o)), other)


def _colour_shows(view: View) -> Iterable[Clause]:
    derived = look(view.state)
    for o in view.setup.objects:
        coloured = or_(*(derived.is_colour(o, c) for c in Colour))
        yield Clause(f"{o}: face down and coloured", and_(on_battlefield(view, o), down(view, o)), coloured)


def _ward_off(view: View) -> Iterable[Clause]:
    derived = look(view.state)
    for o in view.setup.objects:
        wards = [a for a in view.setup.abilities_of(o) if isinstance(a, WardAbility)]
        has = or_(*(derived.has_ability(o, a) for a in wards))
        yield Clause(
            f"{o}: disguised or cloaked, without ward",
            and_(on_battlefield(view, o), view[CAUSE, o].among(_WARDED)),
            not_(has),
        )


PROPERTIES: tuple[Property, ...] = (
    Invariant(
        "face-down-copiable-values",
        "The copiable values of a face-down object are those of a nameless, colourless 2/2 creature without mana "
        "cost, types beyond creature, or abilities other than the ward {2} of disguise and cloak.",
        ("708.2", "708.2a", "701.40a", "701.58a", "702.37c", "702.168b"),
        ("S2",),
        formula=_copiable,
    ),
    Invariant(
        "face-down-mana-value-zero",
        "The mana value of a face-down object is 0.",
        ("202.3a", "708.2a"),
        ("S2",),
        formula=_mana_value,
    ),
    Invariant(
        "face-down-only-on-battlefield-or-stack",
        "Nothing is face down in any zone but the battlefield and the stack.",
        ("708.2", "708.9", "110.5", "110.5d"),
        formula=_only_there,
    ),
    Invariant(
        "instant-or-sorcery-never-face-up-on-battlefield",
        "An instant or sorcery card on the battlefield is face down.",
        ("701.40g", "701.58g", "400.4a", "712.14b"),
        ("S24",),
        formula=_never_face_up,
    ),
    Invariant(
        "nameless-objects-share-no-name",
        "A face-down object to which no effect gives a name has no name in common with any other object.",
        ("201.2a", "708.2a"),
        ("S16",),
        formula=_no_shared_name,
    ),
    Possible(
        "two-face-down-permanents",
        "Two permanents can be face down at once.",
        ("708.6",),
        ("S16", "S22"),
        on_state=_two_nameless,
    ),
    Possible(
        "other-effects-show-on-face-down",
        "A face-down permanent can have other power, toughness, colour or abilities through other effects.",
        ("613.1", "708.2"),
        ("S3",),
        on_state=_other_effects_show,
    ),
    Possible(
        "face-down-and-coloured",
        "A face-down permanent can be given a colour.",
        ("613.1e",),
        ("S3",),
        on_state=_colour_shows,
    ),
    Possible(
        "ward-can-be-lost",
        "A disguised or cloaked permanent can lose its ward.",
        ("613.1f", "708.2"),
        ("S3",),
        on_state=_ward_off,
    ),
)
