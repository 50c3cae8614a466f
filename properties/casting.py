"""Properties of casting face down (708.4): when, for how much, under what, and as what.

What a face-down spell is, is written out here: a nameless colourless creature spell with no mana cost.  Effects that
speak of spells are read off the printed cards, and judged against that.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from model.cards.abilities import Ability, CastBan, CastFrom, CostChange, FlashPermission, WardAbility
from model.cards.card import Face
from model.cards.phrases import Filter
from model.families import (
    ABOVE,
    ACTIVE,
    CAST_DOWN,
    CAUSE,
    CONTROLLER,
    ITEM,
    LAND_PLAYED,
    MANA,
    PROFILE,
    STEP,
    ZONE,
)
from model.setup import Obj, Player, Setup
from model.terms import FALSE, TRUE, Term, add, and_, count, not_, number, or_
from model.vocabulary import Cause, ManaKind, Marker, TurnStep, Type, Zone
from properties.kinds import Clause, Invariant, Property, StepRule, StepView, View
from properties.support import holder_acts, keyword_costs, lost_abilities, shown_face

__all__ = ["PROPERTIES", "face_down_body"]

CAST = "cast face down"
_PRICE = 3


def face_down_body(face: Face, *, warded: bool) -> bool:
    """Whether a face is the default one of a face-down object: a nameless 2/2 creature, with ward {2} or nothing."""
    wards = [a for a in face.abilities if isinstance(a, WardAbility) and str(a.ward.mana) == "{2}"]
    return (
        face.name is None
        and face.cost is None
        and face.types == {Type.CREATURE}
        and not face.supertypes
        and not face.subtypes
        and not face.colours
        and all(size is not None and size.fixed == 2 and size.per is None for size in (face.power, face.toughness))
        and len(face.abilities) == len(wards) == int(warded)
    )


def _hidden_cards(view: View) -> Iterator[tuple[Player, Obj]]:
    """Each card that can be cast face down, with its owner."""
    return ((o.owner, o) for o in view.setup.cards() if any(keyword_costs(o.card.front)))


def _printed(setup: Setup, kind: type[Ability]) -> list[tuple[Obj, Ability]]:
    return [(o, a) for o in setup.objects for a in o.card.front.abilities if isinstance(a, kind)]


def _stands(view: View, source: Obj) -> Term:
    """Whether a permanent shows its printed text and has it."""
    return and_(shown_face(view, source), not_(lost_abilities(view, source)))


def _at_leisure(view: View, p: Player) -> Term:
    """Whether it is a main phase of the player's own turn, and nothing is on the stack."""
    main = view[STEP,].among((TurnStep.MAIN, TurnStep.SECOND_MAIN))
    return and_(view[ACTIVE,].is_(p), main, view[ITEM, 0].is_(Marker.NONE))


def _has_mana(view: View, p: Player, amount: int) -> Term:
    """Whether the player has so much mana of any kinds: the price of a face-down spell is generic."""
    return add(*(view[MANA, p, kind] for kind in ManaKind)) >= number(amount)


def _unhindered(setup: Setup, *but: type[Ability]) -> bool:
    """Whether nothing printed bans spells or changes what they cost, other than abilities of the given classes."""
    return not any(_printed(setup, kind) for kind in (CastBan, CostChange) if kind not in but)


def _from_hand(view: View, p: Player, o: Obj, price: int = _PRICE) -> Term:
    return and_(holder_acts(view, p), view[ZONE, o].is_(Zone.HAND), _has_mana(view, p, price))


def _fits(wanted: Filter) -> bool | None:
    """Whether a face-down spell is what a phrase speaks of; None if the phrase asks for more than is written here."""
    known = Filter(
        types=wanted.types,
        all_types=wanted.all_types,
        not_types=wanted.not_types,
        colours=wanted.colours,
        not_colours=wanted.not_colours,
        colourless=wanted.colourless,
        face_down=wanted.face_down,
        subtypes=wanted.subtypes,
        zone=wanted.zone,
        phrase=wanted.phrase,
    )
    if known != wanted:
        return None
    creature = {Type.CREATURE}
    return (
        wanted.all_types <= creature
        and (not wanted.types or bool(wanted.types & creature))
        and not wanted.not_types & creature
        and not wanted.colours
        and not wanted.subtypes
        and wanted.colourless is not False
        and wanted.face_down is not False
    )


def _may_be_cast(view: View) -> Iterable[Clause]:
    if _unhindered(view.setup):
        for p, o in _hidden_cards(view):
            yield Clause(
                f"{o}: {p} may cast it face down for {{3}}",
                and_(_from_hand(view, p, o), _at_leisure(view, p)),
                view.offered(CAST, p.name, card=o.name),
            )


def _banned(view: View) -> Iterable[Clause]:
    if _printed(view.setup, CostChange):
        return
    bans = [(s, a) for s, a in _printed(view.setup, CastBan) if isinstance(a, CastBan)]
    if not bans or any(_fits(a.cant_cast) is None or a.player != "any" for _, a in bans):
        return
    for p, o in _hidden_cards(view):
        hit = or_(*(_stands(view, s) for s, a in bans if _fits(a.cant_cast)))
        free = and_(_from_hand(view, p, o), _at_leisure(view, p), not_(hit))
        yield Clause(
            f"{o}: a creature spell is banned, and {p} may not cast it face down",
            hit,
            not_(view.offered(CAST, p.name, card=o.name)),
        )
        yield Clause(
            f"{o}: no ban is on creature spells, and {p} may cast it face down",
            free,
            view.offered(CAST, p.name, card=o.name),
        )


def _reduced(view: View) -> Iterable[Clause]:
    changes = [(s, a) for s, a in _printed(view.setup, CostChange) if isinstance(a, CostChange)]
    for source, ability in changes:
        if (
            not isinstance(ability.costs_change, Filter)
            or not _fits(ability.costs_change)
            or ability.of_this
            or ability.by >= 0
            or len(changes) > 1
            or ability.per is not None
            or ability.player != "you"
        ):
            continue
        for p, o in _hidden_cards(view):
            first = not_(view[CAST_DOWN, p]) if ability.first_each_turn else TRUE
            premise = and_(
                _from_hand(view, p, o, max(0, _PRICE + ability.by)),
                _at_leisure(view, p),
                first,
                _stands(view, source),
                view[CONTROLLER, source].is_(p),
            )
            yield Clause(
                f"{o}: {p} may cast it face down for {-ability.by} less",
                premise,
                view.offered(CAST, p.name, card=o.name),
            )


def _flash(view: View) -> Iterable[Clause]:
    if not _unhindered(view.setup):
        return
    for source, ability in _printed(view.setup, FlashPermission):
        if isinstance(ability, FlashPermission) and _fits(ability.as_though_flash):
            for p, o in _hidden_cards(view):
                premise = and_(_from_hand(view, p, o), _stands(view, source), view[CONTROLLER, source].is_(p))
                yield Clause(
                    f"{o}: {p} may cast it face down as though it had flash",
                    premise,
                    view.offered(CAST, p.name, card=o.name),
                )


def _elsewhere(view: View) -> Iterable[Clause]:
    if not _unhindered(view.setup):
        return
    for source, ability in _printed(view.setup, CastFrom):
        if not isinstance(ability, CastFrom) or not _fits(ability.what) or ability.once_each_turn:
            continue
        for p, o in _hidden_cards(view):
            there = _on_top(view, o) if ability.cast_from == "library" else view[ZONE, o].is_(Zone.GRAVEYARD)
            premise = and_(
                there,
                holder_acts(view, p),
                _has_mana(view, p, _PRICE),
                _at_leisure(view, p),
                _stands(view, source),
                view[CONTROLLER, source].is_(p),
            )
            yield Clause(
                f"{o}: {p} may cast it face down from where it is", premise, view.offered(CAST, p.name, card=o.name)
            )


def _on_top(view: View, o: Obj) -> Term:
    above = [
        and_(view[ZONE, other].is_(Zone.LIBRARY), view[ABOVE, other, o])
        for other in view.setup.cards()
        if other is not o and other.owner is o.owner
    ]
    return and_(view[ZONE, o].is_(Zone.LIBRARY), not_(or_(*above)))


def _cast(step: StepView) -> tuple[Player, Obj] | None:
    if step.action.label.rule != CAST:
        return None
    o = next(o for o in step.setup.objects if o.name == step.argument("card"))
    return next(p for p in step.setup.players if p.name == step.action.label.actor), o


def _needs_its_time(step: StepView) -> Iterable[Clause]:
    found = _cast(step)
    if found is not None and not _printed(step.setup, FlashPermission):
        p, o = found
        yield Clause(
            f"{o}: cast face down by {p} in a main phase of the own turn with an empty stack",
            TRUE,
            _at_leisure(step.before, p),
        )


def _no_land_is_played(step: StepView) -> Iterable[Clause]:
    found = _cast(step)
    if found is not None:
        yield Clause(
            f"{found[1]}: cast face down, and no land is played",
            TRUE,
            and_(*(not_(step.changed(LAND_PLAYED, p)) for p in step.setup.players)),
        )


def _counted(step: StepView) -> Iterable[Clause]:
    found = _cast(step)
    if found is not None:
        asked = any(a.first_each_turn for _, a in _printed(step.setup, CostChange) if isinstance(a, CostChange))
        yield Clause(
            f"{found[1]}: cast face down, and counted as such",
            TRUE if asked else FALSE,
            step.after[CAST_DOWN, found[0]],
        )


def _no_trace(step: StepView) -> Iterable[Clause]:
    for o in step.setup.cards():
        here = and_(*(view[ZONE, o].is_(Zone.HAND) for view in (step.before, step.after)))
        yield Clause(
            f"{o}: in hand before and after, face up or down as it was",
            here,
            and_(not_(step.changed(CAUSE, o)), not_(step.changed(PROFILE, o))),
        )


def _is_hidden(step: StepView) -> Iterable[Clause]:
    found = _cast(step)
    if found is None:
        return
    _, o = found
    warded = step.argument("as") == "disguise"
    body = or_(
        *(step.after[PROFILE, o].is_(face) for face in step.setup.profiles if face_down_body(face, warded=warded))
    )
    places = count(
        step.after[ITEM, i].is_(item) for i in range(step.setup.bounds.stack) for item in step.setup.spells(o)
    )
    yield Clause(
        f"{o}: a face-down spell on the stack, a 2/2 creature{' with ward' if warded else ''}",
        TRUE,
        and_(step.after[ZONE, o].is_(Zone.STACK), step.after[CAUSE, o].isnt(Cause.NONE), body, places.is_(1)),
    )


def _on_the_stack(view: View) -> Iterable[Clause]:
    for o in view.setup.cards():
        places = count(view[ITEM, i].is_(item) for i in range(view.setup.bounds.stack) for item in view.setup.spells(o))
        on = view[ZONE, o].is_(Zone.STACK)
        yield Clause(f"{o}: in the zone stack, and one place of the stack has it", on, places.is_(1))
        yield Clause(f"{o}: in another zone, and no place of the stack has it", not_(on), places.is_(0))


PROPERTIES: tuple[Property, ...] = (
    Invariant(
        "face-down-spell-may-be-cast",
        "With priority in a main phase of the own turn, an empty stack and three mana "
        "of any kind, a player may cast a card with morph or disguise face down, whatever the card costs, is, or "
        "which lands were played.",
        ("702.37a", "702.37c", "702.168a", "702.168b", "708.4", "601.3"),
        formula=_may_be_cast,
    ),
    StepRule(
        "face-down-spell-needs-its-time",
        "A face-down spell is a creature spell without flash: it is cast in a main "
        "phase of the own turn with an empty stack.",
        ("302.1", "117.1a", "708.4"),
        formula=_needs_its_time,
    ),
    Invariant(
        "bans-are-judged-on-the-face-down-spell",
        "A ban on creature spells stops a card from being cast face down, and a ban on what only the card is does not.",
        ("601.3a", "708.4"),
        formula=_banned,
    ),
    Invariant(
        "reduction-reaches-face-down-spells",
        "What makes face-down creature spells cost less does so whether they are cast with morph or with disguise.",
        ("601.2f", "708.4"),
        formula=_reduced,
    ),
    Invariant(
        "flash-is-judged-on-the-face-down-spell",
        "A permission to cast spells of a kind as though they had flash holds "
        "for a face-down spell that is of the kind.",
        ("601.3b", "708.4", "105.2c"),
        formula=_flash,
    ),
    Invariant(
        "permission-is-judged-on-the-face-down-spell",
        "A permission to cast spells of a kind from another zone holds for a face-down spell that is of the kind.",
        ("601.3e", "708.4"),
        formula=_elsewhere,
    ),
    StepRule(
        "casting-face-down-plays-no-land",
        "To cast a land card face down is not to play a land.",
        ("305.1", "702.37c"),
        formula=_no_land_is_played,
    ),
    StepRule(
        "face-down-spells-are-counted",
        "A face-down spell that is cast is counted as one for the turn.",
        ("708.4", "601.2f"),
        formula=_counted,
    ),
    StepRule(
        "cast-face-down-is-hidden",
        "A card that is cast face down is a face-down 2/2 creature spell on the stack.",
        ("708.4", "702.37c", "702.168b"),
        formula=_is_hidden,
    ),
    StepRule(
        "unfinished-cast-leaves-no-trace",
        "A card that stays in hand stays as it is: casting it face down is begun and finished, or not done at all.",
        ("733.1", "601.2", "708.4"),
        formula=_no_trace,
    ),
    Invariant(
        "spells-stand-on-the-stack",
        "A card is in the zone stack if and only if one place of the stack has it as a spell.",
        ("400.1", "405.1"),
        formula=_on_the_stack,
    ),
)
