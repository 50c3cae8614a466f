"""What an object shows, read from its status, its listed or printed face, and what is on it; no layers are asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from model.cards.abilities import StaticAbility
from model.cards.card import Face
from model.cards.phrases import Filter, Who
from model.families import (
    ATTACHED,
    ATTACKING,
    BLOCKING,
    COPIED,
    COUNTERS,
    EFFECT,
    PROFILE,
    TAPPED,
    TRANSFORMED,
    ZONE,
)
from model.parts import parts_of
from model.setup import Obj, Player, Setup
from model.terms import FALSE, TRUE, Term, and_, ite, not_, number, or_
from model.vocabulary import CounterKind, EventKind, Keyword, Marker, Type
from properties.kinds import StepView, View
from properties.support import controls, down, item_of, lost_abilities, makes_copies, on_battlefield, shown_face

__all__ = [
    "controlled_by_same",
    "faces_shown",
    "has",
    "has_said",
    "is_creature",
    "is_plain",
    "lacks",
    "meets",
    "named",
    "pairs_named",
    "player_called",
    "shows",
    "size",
    "stands",
    "stays",
    "tells",
    "unchanged",
]

_T = TypeVar("_T")

_KEYWORD_COUNTERS = tuple(kind for kind in CounterKind if kind.value in {keyword.value for keyword in Keyword})


def faces_shown(view: View, o: Obj) -> Iterator[tuple[Term, Face]]:
    """The faces that can give an object its copiable values, each with when it does (613.2)."""
    hidden = down(view, o)
    yield from ((and_(hidden, view[PROFILE, o].is_(face)), face) for face in view.setup.profiles)
    copied = view[COPIED, o]
    if makes_copies(view.setup):
        yield from ((and_(not_(hidden), copied.is_(face)), face) for face in view.setup.every_face)
    own = and_(not_(hidden), copied.is_(Marker.NONE))
    if o.card.back is None:
        yield own, o.card.front
    else:
        yield and_(own, not_(view[TRANSFORMED, o])), o.card.front
        yield and_(own, view[TRANSFORMED, o]), o.card.back


def shows(view: View, o: Obj, test: Callable[[Face], object]) -> Term:
    """Whether the face that an object shows meets a test."""
    return or_(*(condition for condition, face in faces_shown(view, o) if test(face)))


def is_creature(view: View, o: Obj) -> Term:
    """Whether the face that an object shows is a creature's."""
    return shows(view, o, lambda face: Type.CREATURE in face.types)


def unchanged(view: View, o: Obj) -> Term:
    """Whether the object is surely as the face that it shows: no effect, counter or attachment gives or takes anything.

    Its own static abilities count only face up, and those of others wherever they stand face up on the battlefield.
    """
    tests = [not_(view[ATTACHED, other].is_(o)) for other in view.setup.objects if other is not o]
    tests += [view[EFFECT, shot, o].is_(0) for shot in view.setup.shots]
    tests += [view[COUNTERS, o, kind].is_(0) for kind in _KEYWORD_COUNTERS]
    for source in view.setup.objects:
        whom = {a.static.who for face in source.card.faces for a in face.abilities if isinstance(a, StaticAbility)}
        if Who.EACH in whom or (source is o and whom):
            tests.append(not_(and_(on_battlefield(view, source), not_(down(view, source)))))
    return FALSE if makes_copies(view.setup) else and_(*tests)


def has(view: View, o: Obj, keyword: Keyword) -> Term:
    """Whether an object surely has a keyword: it shows a face with it, and nothing takes its abilities away."""
    return and_(shows(view, o, lambda face: keyword in face.keywords), not_(lost_abilities(view, o)))


def lacks(view: View, o: Obj, *keywords: Keyword) -> Term:
    """Whether an object surely has none of some keywords: its face has none, and nothing gives it any."""
    return and_(not_(shows(view, o, lambda face: face.keywords.intersection(keywords))), unchanged(view, o))


def has_said(view: View, o: Obj, what: str) -> Term:
    """Whether an effect in force says something of the object, such as ``cant_block``.

    Reads what resolutions started, what is attached to it, and its own printed text.
    """
    found = [view[EFFECT, shot, o] > 0 for shot in view.setup.shots if getattr(shot.changes, what)]
    for source in view.setup.objects:
        for ability in source.card.front.abilities:
            if isinstance(ability, StaticAbility) and getattr(ability, what) and ability.condition is None:
                on_this = ability.static.who is Who.THIS and source is o
                reaches = TRUE if on_this else view[ATTACHED, source].is_(o)
                if on_this or ability.static.who is Who.HOST:
                    found.append(and_(stands(view, source), reaches))
    return or_(*found)


def stands(view: View, o: Obj) -> Term:
    """Whether the object is a face-up permanent with the abilities of its printed front face."""
    return and_(shown_face(view, o), not_(view[TRANSFORMED, o]), not_(lost_abilities(view, o)))


def size(view: View, o: Obj, what: str) -> Term:
    """The power or toughness of an unchanged creature with its counters; the face's number must be a fixed one."""
    value: Term = number(0)
    for condition, face in faces_shown(view, o):
        printed = getattr(face, what)
        value = ite(condition, number(printed.fixed if printed is not None else 0), value)
    return value + view[COUNTERS, o, CounterKind.PLUS] - view[COUNTERS, o, CounterKind.MINUS]


def controlled_by_same(view: View, a: Obj, b: Obj) -> Term:
    """Whether one player controls both."""
    return or_(*(and_(controls(view, a, p), controls(view, b, p)) for p in view.setup.players))


# -- filters -------------------------------------------------------------------------------------------------------


def is_plain(wanted: Filter | None) -> bool:
    """Whether a filter asks only what :func:`meets` can tell."""
    if wanted is None:
        return False
    return wanted == Filter(
        types=wanted.types,
        all_types=wanted.all_types,
        face_down=wanted.face_down,
        controller=wanted.controller if wanted.controller in ("you", "opponent") else None,
        other=wanted.other,
        tapped=wanted.tapped,
        attacking=wanted.attacking,
        blocking=wanted.blocking,
        zone=wanted.zone,
        phrase=wanted.phrase,
    )


def meets(view: View, source: Obj, wanted: Filter, o: Obj) -> Term:
    """Whether an object is what the text of another asks for; "you" is who controls that one (109.5).

    Exact where nothing in the scenario changes types.
    """
    if wanted.other and o is source:
        return FALSE
    tests = [view[ZONE, o].is_(wanted.zone)]
    tests.append(shows(view, o, lambda face: wanted.all_types <= face.types))
    tests.append(shows(view, o, lambda face: not wanted.types or bool(wanted.types & face.types)))
    if wanted.face_down is not None:
        tests.append(down(view, o) if wanted.face_down else not_(down(view, o)))
    if wanted.tapped is not None:
        tests.append(view[TAPPED, o] if wanted.tapped else not_(view[TAPPED, o]))
    for asked, family in ((wanted.attacking, ATTACKING), (wanted.blocking, BLOCKING)):
        if asked:
            tests.append(view[family, o].isnt(Marker.NONE))
    if wanted.controller is not None:
        mine = controlled_by_same(view, source, o)
        tests.append(mine if wanted.controller == "you" else not_(mine))
    return and_(*tests)


# -- what a step does -------------------------------------------------------------------------------------------


def stays(step: StepView, o: Obj) -> Term:
    """Whether an object is on the battlefield before and after, and has not left in between."""
    both = and_(on_battlefield(step.before, o), on_battlefield(step.after, o))
    return and_(both, not_(step.happens(EventKind.LEAVES, o)), not_(step.happens(EventKind.ENTERS, o)))


def tells(step: StepView, kind: type[object]) -> bool:
    """Whether what resolves in the step has an instruction of a kind anywhere in its text."""
    item = item_of(step.setup, step.action)
    texts = [] if item is None else [a for a in (item.ability, item.spell) if a is not None]
    return any(isinstance(part, kind) for text in texts for part in parts_of(text))


def named(setup: Setup, text: str | None) -> Sequence[Obj]:
    """The objects that a label lists by name."""
    if text in (None, "nothing"):
        return []
    return _listed(str(text), [(o, o.name) for o in setup.objects])


def pairs_named(setup: Setup, text: str | None) -> Sequence[tuple[Obj, Obj]]:
    """The attackers that a label lists, each with what blocks it."""
    if text in (None, "nothing"):
        return []
    known = [((a, b), f"{a} with {b}") for a in setup.objects for b in setup.objects if a is not b]
    return _listed(str(text), known)


def _listed(text: str, known: Iterable[tuple[_T, str]]) -> list[_T]:
    """What a text lists, parted by commas; names may have commas of their own, so the longest are tried first."""
    entries, found = sorted(known, key=lambda entry: -len(entry[1])), []
    while text:
        meant, words = next((m, w) for m, w in entries if text == w or text.startswith(f"{w}, "))
        found.append(meant)
        text = text[len(words) + 2 :]
    return found


def player_called(setup: Setup, name: str | None) -> Player:
    """The player with a name."""
    return next(p for p in setup.players if p.name == name)
