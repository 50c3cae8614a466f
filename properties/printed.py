"""What actions do and what phrases mean, read off labels, raw state and printed faces, apart from the rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TypeVar

from model.cards.abilities import Ability, ActivatedAbility, Attach, Condition, Costs
from model.cards.card import Face
from model.cards.phrases import Filter
from model.families import ACTIVE, CAUSE, HAPPENED, ITEM, STEP, TAPPED, ZONE
from model.setup import Item, Obj, Player, Setup
from model.terms import FALSE, TRUE, Term, and_, count, not_, or_
from model.vocabulary import Cause, Keyword, Marker, TurnStep, Type, Zone
from properties.kinds import StepView, View
from properties.shown import shows, stands
from properties.support import changes_of, controls, down, makes_copies, sets_types

__all__ = [
    "activated",
    "actor_of",
    "at_leisure",
    "called",
    "can_have",
    "cast_face",
    "cast_object",
    "chosen_targets",
    "condition_holds",
    "costs_of",
    "fits",
    "item_named",
    "printed",
    "shows",
    "spell_fits",
    "spell_meets",
    "split_second_waits",
    "stands",
]

_Kind = TypeVar("_Kind", bound=Ability)


# -- actions --------------------------------------------------------------------------------------------------------


def actor_of(step: StepView) -> Player | None:
    """The player who acts, if one does."""
    return next((p for p in step.setup.players if p.name == step.action.label.actor), None)


def item_named(setup: Setup, name: str | None) -> Item | None:
    """What can stand on the stack under a name."""
    return next((item for item in setup.items if str(item) == name), None)


def cast_face(step: StepView) -> Item | None:
    """What a step casts face up, if it does."""
    return item_named(step.setup, step.argument("spell")) if step.action.label.rule == "cast" else None


def cast_object(step: StepView) -> Obj | None:
    """The card that a step casts, face up or face down."""
    if step.action.label.rule not in ("cast", "cast face down"):
        return None
    return next(o for o in step.setup.objects if o.name == step.argument("card"))


def activated(step: StepView) -> tuple[Obj, ActivatedAbility | Attach] | None:
    """The ability that a step activates, with the object that has it."""
    if step.action.label.rule not in ("activate", "equip"):
        return None
    name = step.argument("ability")
    for o in step.setup.objects:
        for ability in step.setup.abilities_of(o):
            if isinstance(ability, ActivatedAbility | Attach) and name == called(step.setup, o, ability):
                return o, ability
    return None


def called(setup: Setup, o: Obj, ability: ActivatedAbility | Attach) -> str:
    """What an ability of an object is called in labels."""
    if isinstance(ability, ActivatedAbility) and ability.mana_ability:
        number = next(i for i, a in enumerate(setup.abilities_of(o), 1) if a is ability)
        return f"mana ability {number} of {o}"
    return str(next((i for i in setup.items if i.source is o and i.ability is ability), None))


def costs_of(ability: ActivatedAbility | Attach) -> Costs:
    """What it costs to activate an ability."""
    costs = ability.activate if isinstance(ability, ActivatedAbility) else ability.equip
    return costs or Costs()


def chosen_targets(step: StepView) -> list[str]:
    """The targets that an action's label names, in their order."""
    return [value for key, value in step.action.label.arguments if key == "target"]


# -- moments --------------------------------------------------------------------------------------------------------


def at_leisure(view: View, p: Player) -> Term:
    """Whether it is a main phase of the player's own turn, and nothing is on the stack."""
    main = view[STEP,].among((TurnStep.MAIN, TurnStep.SECOND_MAIN))
    return and_(view[ACTIVE,].is_(p), main, view[ITEM, 0].is_(Marker.NONE))


def split_second_waits(view: View) -> Term:
    """Whether a face-up spell whose card has split second is on the stack."""
    quick = [i for i in view.setup.items
             if i.ability is None and i.face is not None and Keyword.SPLIT_SECOND in i.face.keywords]
    return or_(*(and_(view[ITEM, place].is_(i), view[CAUSE, i.source].is_(Cause.NONE))
                 for place in range(view.setup.bounds.stack) for i in quick))


# -- objects --------------------------------------------------------------------------------------------------------


def printed(setup: Setup, kind: type[_Kind]) -> Iterator[tuple[Obj, _Kind]]:
    """Every ability of a class on a front face, with the object whose it is."""
    return ((o, a) for o in setup.objects for a in o.card.front.abilities if isinstance(a, kind))


def can_have(setup: Setup, o: Obj, keyword: Keyword) -> bool:
    """Whether the object has a keyword on some face, or anything in the scenario can give one of its name."""
    given = any(keyword in c.grant for c in changes_of(setup))
    counters = any(getattr(getattr(part, "kind", None), "value", "") == keyword.value for _, _, part in setup.parts)
    counters = counters or any(kind.value == keyword.value for kind in setup.placements[o.index].counters)
    return given or counters or any(keyword in face.keywords for face in setup.faces_of(o))


def _truth(value: object) -> Term:
    return TRUE if value else FALSE


# -- phrases --------------------------------------------------------------------------------------------------------


def _plain(wanted: Filter) -> Filter:
    """The part of a phrase that is understood here."""
    return Filter(
        types=wanted.types,
        all_types=wanted.all_types,
        not_types=wanted.not_types,
        colours=wanted.colours,
        not_colours=wanted.not_colours,
        colourless=wanted.colourless,
        face_down=wanted.face_down,
        controller=wanted.controller,
        owner=wanted.owner,
        zone=wanted.zone,
        other=wanted.other,
        tapped=wanted.tapped,
        phrase=wanted.phrase,
    )


def face_fits(wanted: Filter, face: Face | None) -> bool:
    """Whether a face has the types and colours that a phrase asks for; without one, a face-down 2/2 creature's."""
    types = frozenset({Type.CREATURE}) if face is None else face.types
    colours = frozenset() if face is None else face.colours
    return bool(
        wanted.all_types <= types
        and (not wanted.types or wanted.types & types)
        and not wanted.not_types & types
        and (not wanted.colours or wanted.colours & colours)
        and not wanted.not_colours & colours
        and (wanted.colourless is None or wanted.colourless is not bool(colours))
    )


def spell_fits(wanted: Filter, face: Face | None) -> bool | None:
    """Whether a spell, face down without a face, is what a phrase speaks of; None if the phrase asks for more."""
    plain = _plain(wanted)
    if plain != wanted or wanted.controller or wanted.owner or wanted.other or wanted.tapped is not None:
        return None
    return face_fits(wanted, face) and wanted.face_down in (None, face is None)


def spell_meets(view: View, o: Obj, face: Face | None, wanted: Filter, source: Obj) -> Term | None:
    """Whether a spell is what a phrase on a source speaks of, which may ask whose card it is; None if that is open."""
    kind = spell_fits(replace(wanted, owner=None), face)
    if kind is None or wanted.owner is None:
        return None if kind is None else _truth(kind)
    if wanted.owner == "that player" or not kind:
        return None if kind else FALSE
    return or_(*(controls(view, source, q) for q in view.setup.players if (q is o.owner) == (wanted.owner == "you")))


def fits(view: View, o: Obj, wanted: Filter, you: Player, source: Obj) -> Term | None:
    """Whether an object is what a phrase on a source speaks of; None if that takes more than raw state and print."""
    setup = view.setup
    coloured = bool(wanted.colours or wanted.not_colours or wanted.colourless is not None)
    recoloured = any(c.colours is not None or c.add_colours for c in changes_of(setup))
    several = wanted.zone is Zone.STACK and len(setup.spells(o)) > 1
    if _plain(wanted) != wanted or makes_copies(setup) or sets_types(setup) or (coloured and recoloured) or several:
        return None
    if "that player" in (wanted.controller, wanted.owner):
        return None
    tests = [view[ZONE, o].is_(wanted.zone), shows(view, o, lambda face: face_fits(wanted, face))]
    if wanted.other and o is source:
        return FALSE
    if wanted.face_down is not None:
        tests.append(down(view, o) if wanted.face_down else not_(down(view, o)))
    if wanted.tapped is not None:
        tests.append(view[TAPPED, o] if wanted.tapped else not_(view[TAPPED, o]))
    if wanted.controller is not None:
        mine = controls(view, o, you) if wanted.zone in (Zone.BATTLEFIELD, Zone.STACK) else _truth(o.owner is you)
        tests.append(mine if wanted.controller == "you" else not_(mine))
    if wanted.owner is not None:
        tests.append(_truth((o.owner is you) == (wanted.owner == "you")))
    return and_(*tests)


def condition_holds(view: View, condition: Condition, you: Player, source: Obj) -> Term | None:
    """Whether a printed condition holds; None if it asks for more than counts, the turn, and what happened in it."""
    known = Condition(
        count=condition.count,
        at_least=condition.at_least,
        at_most=condition.at_most,
        your_turn=condition.your_turn,
        this_turn=condition.this_turn,
    )
    if known != condition:
        return None
    tests = []
    if condition.count is not None:
        found = [fits(view, o, condition.count, you, source) for o in view.setup.objects]
        if any(term is None for term in found):
            return None
        number = count(term for term in found if term is not None)
        if condition.at_least is not None or condition.at_most is None:
            tests.append(number >= (1 if condition.at_least is None else condition.at_least))
        if condition.at_most is not None:
            tests.append(number <= condition.at_most)
    if condition.your_turn is not None:
        mine = view[ACTIVE,].is_(you)
        tests.append(mine if condition.your_turn else not_(mine))
    if condition.this_turn:
        tests.append(or_(*(view[HAPPENED, you, what] for what in condition.this_turn)))
    return and_(*tests)
