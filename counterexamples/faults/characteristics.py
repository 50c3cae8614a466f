"""Faults of what a face-down object is (708.2, 613): masking in the wrong place, or only in part."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from counterexamples.faults.fault import Rule, fault
from model import conditions
from model.cards.abilities import StaticAbility
from model.cards.card import Face
from model.cards.phrases import Who
from model.characteristics import Look, look
from model.families import ATTACHED, CAUSE, COPIED, EFFECT, LEFT, ZONE
from model.setup import Obj
from model.state import State
from model.terms import FALSE, Term, add, and_, const, eq, ite, not_, number, or_
from model.vocabulary import Cause, Colour, Marker, Type, Zone

_Cases = list[tuple[Term, Face]]


def _unmasked(derived: Look, o: Obj, cases: _Cases, when: Term, shown: Callable[[Face], Face]) -> _Cases:
    """The faces of an object, where a profile gives way to something else under a condition."""
    profiles = derived.game.setup.profiles
    found: _Cases = []
    for condition, face in cases:
        if face in profiles:
            found += [(and_(condition, not_(when)), face), (and_(condition, when), shown(face))]
        else:
            found.append((condition, face))
    return [(condition, face) for condition, face in found if condition is not FALSE]


def _stripped(derived: Look, o: Obj) -> Term:
    """Whether a spell or an Aura takes its abilities away."""
    game, setup = derived.game, derived.game.setup
    shots = [game[EFFECT, shot, o] > 0 for shot in setup.shots if shot.changes.lose_abilities]
    auras = [
        game[ATTACHED, source].is_(o)
        for source in setup.objects
        for ability in source.card.front.abilities
        if isinstance(ability, StaticAbility) and ability.lose_abilities and ability.static.who is Who.HOST
    ]
    return or_(*shots, *auras)


# -- public reports ----------------------------------------


@fault(
    "BR-01",
    "L1B",
    "magefree/mage issue 11688",
    "Being face down is an ability of the object, so that an effect that takes its abilities away unmasks it.",
    breaks=Look._cases,
    rules=("613.2b", "613.1f", "708.2", "708.2a"),
    caught_by=("face-down-copiable-values", "face-down-shows-what-is-listed"),
    on=("S3/2",),
)
def masking_is_an_ability(right: Rule, derived: Look, o: Obj) -> _Cases:
    return _unmasked(derived, o, right(derived, o), _stripped(derived, o), lambda face: o.card.front)


@fault(
    "BR-02",
    "L1B",
    "magefree/mage issue 7091",
    "When the player who turned creatures face down leaves, they show their real size while still face down.",
    breaks=Look._cases,
    rules=("110.5", "708.2a", "800.4a"),
    caught_by=("face-down-shows-what-is-listed",),
    on=("turner_leaves",),
)
def masking_ends_with_its_source(right: Rule, derived: Look, o: Obj) -> _Cases:
    game = derived.game
    gone = or_(*(game[LEFT, p] for p in derived.game.setup.players if p is not o.owner))
    when = and_(gone, game[CAUSE, o].is_(Cause.TURNED_DOWN))
    return _unmasked(
        derived,
        o,
        right(derived, o),
        when,
        lambda face: replace(face, power=o.card.front.power, toughness=o.card.front.toughness),
    )


@fault(
    "BR-05",
    "L1B",
    "magefree/mage issue 684",
    "A face-down permanent counts for devotion with the mana symbols of the hidden card.",
    breaks=conditions._devotion,
    rules=("708.2a", "700.5", "613.2b"),
    caught_by=("devotion-counts-no-hidden-card",),
    on=("devotion",),
)
def devotion_sees_hidden_cards(right: Rule, game: State, colours: Any, you: Term) -> Term:
    total = right(game, colours, you)
    letters = {c.value: letter for c, letter in zip(Colour, "WUBRG", strict=True)}
    wanted = {letters[c.value] for c in colours}
    for o in game.setup.objects:
        cost = o.card.front.cost
        symbols = sum(1 for s in cost.symbols if wanted & set(s.split("/"))) if cost else 0
        hidden = and_(
            game[ZONE, o].is_(Zone.BATTLEFIELD), game[CAUSE, o].isnt(Cause.NONE), eq(look(game).controller(o), you)
        )
        total = add(total, ite(hidden, number(symbols), number(0)))
    return total  # type: ignore[no-any-return]


@fault(
    "BR-06",
    "MASK",
    "magefree/mage issue 12882",
    "Creatures that an effect turns face down keep their supertypes, card types and subtypes.",
    breaks=Look._cases,
    rules=("708.2a",),
    caught_by=("face-down-shows-what-is-listed",),
    on=("S18", "turner_leaves"),
)
def types_are_not_masked(right: Rule, derived: Look, o: Obj) -> _Cases:
    front = o.card.front
    return _unmasked(
        derived,
        o,
        right(derived, o),
        derived.game[CAUSE, o].is_(Cause.TURNED_DOWN),
        lambda face: replace(face, types=front.types, supertypes=front.supertypes, subtypes=front.subtypes),
    )


@fault(
    "BR-08",
    "MASK",
    "magefree/mage issue 3726",
    "A face-down creature has the mana value of the hidden card.",
    breaks=Look.mana_value,
    rules=("708.2a", "202.3a"),
    caught_by=("face-down-mana-value-zero",),
    on=("S2",),
)
def mana_value_is_not_masked(right: Rule, derived: Look, o: Obj) -> Term:
    return ite(derived.face_down(o), number(o.card.front.mana_value), right(derived, o))


@fault(
    "BR-11",
    "MASK",
    "PennyDreadfulMTG/modo-bugs issues 707 and 812",
    "Two face-down creatures share a name, since both have none.",
    breaks=Look.same_name,
    rules=("201.2a", "708.2a"),
    caught_by=("nameless-objects-share-no-name",),
    on=("S16/1",),
)
def no_name_is_a_name(right: Rule, derived: Look, a: Obj, b: Obj) -> Term:
    return eq(derived.name(a), derived.name(b))


@fault(
    "BR-16",
    "COPY",
    "magefree/mage issue 3583",
    "A clone that is turned face down keeps the abilities that it had copied.",
    breaks=Look._cases,
    rules=("613.2a", "613.2b", "708.10"),
    caught_by=("face-down-shows-what-is-listed",),
    on=("copying/2",),
)
def copies_show_through(right: Rule, derived: Look, o: Obj) -> _Cases:
    found: _Cases = []
    copied = derived.game[COPIED, o]
    for condition, face in right(derived, o):
        if face not in derived.game.setup.profiles:
            found.append((condition, face))
            continue
        for source in copied.possible():
            here = and_(condition, copied.is_(source))
            found.append((here, face if source is Marker.NONE else replace(face, abilities=source.abilities)))  # type: ignore[attr-defined]
    return found


@fault(
    "BR-57",
    "AFTERUP",
    "magefree/mage issue 4566",
    "A morph that is turned face up has its name and card types, but no creature types.",
    breaks=Look._cases,
    rules=("708.8",),
    caught_by=("turning-up-restores-the-card",),
    on=("S7/1",),
)
def subtypes_do_not_come_back(right: Rule, derived: Look, o: Obj) -> _Cases:
    return [
        (condition, replace(face, subtypes=frozenset()) if face is o.card.front and face.face_down_costs else face)
        for condition, face in right(derived, o)
    ]


@fault(
    "BR-102",
    "HIDE",
    "MTGO forum thread 1894",
    "Cloaked cards of one enchantment kind have their rules text while face down.",
    breaks=Look._cases,
    rules=("708.2a", "708.5"),
    caught_by=("face-down-copiable-values",),
    on=("cloaked_text",),
)
def text_is_not_masked(right: Rule, derived: Look, o: Obj) -> _Cases:
    front = o.card.front
    when = derived.game[CAUSE, o].is_(Cause.CLOAK) if Type.ENCHANTMENT in front.types else FALSE
    return _unmasked(
        derived, o, right(derived, o), when, lambda face: replace(face, abilities=(*face.abilities, *front.abilities))
    )


# -- our own ----------------------------------------


@fault(
    "F-effects-pass-by",
    "L1B",
    "own",
    "Effects from elsewhere do not apply to face-down objects.",
    breaks=Look._applies,
    rules=("613.1", "613.1e", "613.1f", "708.2"),
    caught_by=("other-effects-show-on-face-down", "face-down-and-coloured"),
    on=("S3/2",),
)
def effects_pass_by(right: Rule, derived: Look, effect: Any, o: Obj) -> Term:
    return and_(right(derived, effect, o), not_(derived.face_down(o)))


@fault(
    "F-ward-stays",
    "L1B",
    "own",
    "The ward of a cloaked creature is no ability, and is not lost with the others.",
    breaks=Look._has_ability,
    rules=("613.1f", "708.2"),
    caught_by=("ward-can-be-lost",),
    on=("S3/1",),
)
def ward_stays(right: Rule, derived: Look, o: Obj, ability: Any, stage: Any) -> Term:
    profiled = or_(
        *(
            condition
            for condition, face in derived.cases(o)
            if face in derived.game.setup.profiles and any(a is ability for a in face.abilities)
        )
    )
    return or_(right(derived, o, ability, stage), profiled)


@fault(
    "F-hidden-name",
    "MASK",
    "own",
    "A face-down creature has the name of the hidden card, for whatever asks for names.",
    breaks=Look.name,
    rules=("201.2a", "708.2a"),
    caught_by=("nameless-objects-share-no-name",),
    on=("S16/1",),
)
def name_is_not_masked(right: Rule, derived: Look, o: Obj) -> Term:
    hidden = const(derived.game.setup.name_sort, o.card.front.name)
    return ite(derived.face_down(o), hidden, right(derived, o))
