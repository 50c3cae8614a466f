"""Properties of what may be chosen: targets, what is cast from where, and what triggers then (115, 601.2, 603.2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from model.cards.abilities import Attach, CastBan, CastFrom, ProtectionAbility, TriggeredAbility, WardAbility
from model.cards.card import Face
from model.cards.phrases import Filter
from model.families import FREE, LEFT, ONCE_FROM, PENDING, PERMITTED, PROFILE, ZONE
from model.setup import Item, Obj, Player
from model.terms import FALSE, TRUE, Term, and_, not_, or_
from model.vocabulary import EventKind, Keyword, Marker, Type, Zone
from properties.kinds import Clause, Property, StepRule, StepView, View
from properties.printed import (
    activated,
    actor_of,
    cast_face,
    cast_object,
    chosen_targets,
    condition_holds,
    face_fits,
    fits,
    item_named,
    printed,
    shows,
    spell_fits,
    spell_meets,
    stands,
)
from properties.support import (
    changes_of,
    controls,
    down,
    lost_abilities,
    makes_copies,
    on_battlefield,
    place_of,
    printed_triggers,
    sets_types,
    unmodified,
    waiting_for,
)

__all__ = ["PROPERTIES"]

_Spec = Filter | str
_TARGETABLE = frozenset({Type.CREATURE, Type.PLANESWALKER, Type.BATTLE})


# -- targets --------------------------------------------------------------------------------------------------------


def _aims(step: StepView) -> tuple[Item, Player] | None:
    """What a step puts on the stack with targets, and whose it is."""
    p, item = actor_of(step), cast_face(step)
    found = activated(step)
    if found is not None:
        item = next((i for i in step.setup.items if i.source is found[0] and i.ability is found[1]), None)
    elif step.action.label.rule in ("put trigger on the stack", "drop trigger"):
        item = item_named(step.setup, step.argument("ability"))
    return (item, p) if item is not None and p is not None else None


def _specs(item: Item) -> Sequence[_Spec]:
    """What a spell or ability targets, as printed."""
    if isinstance(item.ability, Attach):
        return (Filter.parse("creature you control"),)
    if item.ability is not None:
        return getattr(item.ability, "targets", ())
    if item.spell is not None:
        return item.spell.targets
    abilities = item.face.abilities if item.face is not None else ()
    return [a.enchant for a in abilities if isinstance(a, Attach) and a.enchant is not None][:1]


def _answers(view: View, spec: _Spec, target: object, p: Player, item: Item) -> Term | None:
    """Whether something is what a spell or ability of a player can target; None if that cannot be told from print."""
    if isinstance(target, Player):
        in_game = not_(view[LEFT, target])
        return FALSE if isinstance(spec, Filter) or (spec == "opponent" and target is p) else in_game
    if not isinstance(target, Obj):
        return None
    if isinstance(spec, Filter):
        meets = fits(view, target, spec, p, item.source)
    elif spec == "any target" and not (sets_types(view.setup) or makes_copies(view.setup)):
        meets = and_(on_battlefield(view, target), shows(view, target, lambda face: bool(face.types & _TARGETABLE)))
    else:
        meets = None
    return None if meets is None else and_(meets, not_(_shielded(view, target, p, item)))


def _shielded(view: View, target: Obj, p: Player, item: Item) -> Term:
    """Whether a printed hexproof, shroud or protection keeps a permanent from being targeted."""
    def has(keyword: Keyword) -> Term:
        return shows(view, target, lambda face: keyword in face.keywords)

    protections = [a for a in target.card.front.abilities if isinstance(a, ProtectionAbility)]
    guarded = [and_(stands(view, target), _has_quality(view, a.protection, item)) for a in protections]
    bars = or_(and_(has(Keyword.HEXPROOF), not_(controls(view, target, p))), has(Keyword.SHROUD), *guarded)
    return and_(on_battlefield(view, target), unmodified(view, target), not_(lost_abilities(view, target)), bars)


def _has_quality(view: View, wanted: Filter, item: Item) -> Term:
    """Whether the source of a spell or ability surely has a quality from which something is protected."""
    if any(c.colours is not None or c.add_colours or c.types is not None for c in changes_of(view.setup)):
        return FALSE
    if item.ability is None:
        return TRUE if item.face is not None and face_fits(wanted, item.face) else FALSE
    return shows(view, item.source, lambda face: face_fits(wanted, face))


def _legal(step: StepView) -> Iterable[Clause]:
    found = _aims(step)
    if found is None or step.action.label.rule == "drop trigger":
        return
    item, p = found
    known = {str(member): member for member in step.setup.reference_sort.members}
    for spec, name in zip(_specs(item), chosen_targets(step), strict=False):
        target = known[name]
        answer = None if isinstance(target, Marker) else _answers(step.before, spec, target, p, item)
        if answer is not None:
            yield Clause(f"{name}: a legal target for {item} of {p}", TRUE, answer)


def _none_is_left(step: StepView) -> Iterable[Clause]:
    found = _aims(step)
    if found is None or step.action.label.rule != "drop trigger":
        return
    item, p = found
    setup = step.setup
    everything = [m for m in setup.reference_sort.members if isinstance(m, Player | Obj)]
    places = []
    for spec in _specs(item):
        answers = [_answers(step.before, spec, target, p, item) for target in everything]
        if spec == "spell or ability" or any(a is None for a in answers) or _hidden_shields(step):
            return
        places.append(not_(or_(*(a for a in answers if a is not None))))
    yield Clause(f"{item}: dropped, and there is no legal target for it", TRUE, or_(*places))


def _hidden_shields(step: StepView) -> bool:
    """Whether anything can keep a permanent from being targeted that is not printed on it."""
    shields = {Keyword.HEXPROOF, Keyword.SHROUD}
    return any(shields & set(c.grant) or c.grant_abilities for c in changes_of(step.setup))


def _wards(step: StepView, o: Obj) -> Iterator[tuple[WardAbility, Term]]:
    """The ward abilities that a permanent has, with when it has them."""
    view, quiet = step.before, not any(c.lose_abilities for c in changes_of(step.setup))
    for ability in o.card.front.abilities:
        if isinstance(ability, WardAbility):
            yield ability, stands(view, o)
    for face in step.setup.profiles:
        for ability in face.abilities:
            if isinstance(ability, WardAbility) and quiet:
                here = and_(on_battlefield(view, o), down(view, o), unmodified(view, o))
                yield ability, and_(here, view[PROFILE, o].is_(face))


def _ward_triggers(step: StepView) -> Iterable[Clause]:
    found = _aims(step)
    if found is None or step.action.label.rule == "drop trigger":
        return
    item, p = found
    what = item.source if item.ability is None else item
    for o in step.setup.objects:
        if o.name not in chosen_targets(step):
            continue
        for ability, has in _wards(step, o):
            ward = step.setup.item(o, ability)
            if ward is item:
                continue
            for q in step.setup.players:
                owed = int(q is not p)
                more = step.after[PENDING, ward, what, q] - step.before[PENDING, ward, what, q]
                yield Clause(
                    f"{o}: {q}'s, with ward, which triggers {'once' if owed else 'not'} for {item} of {p}",
                    and_(has, controls(step.before, o, q)),
                    more.is_(owed),
                )


# -- permissions ----------------------------------------------------------------------------------------------------


def _permissions(step: StepView, o: Obj, p: Player, face: Face | None, *, land: bool) -> Iterator[Term]:
    """For each printed permission to cast from another zone, whether it reaches the card as what it is cast."""
    view = step.before
    for source, ability in printed(step.setup, CastFrom):
        meets = ability.lands if land else spell_fits(ability.what, face)
        if meets is False or o.owner is not p:
            continue
        in_library = and_(view[ZONE, o].is_(Zone.LIBRARY), place_of(view, o).is_(0))
        there = in_library if ability.cast_from == "library" else view[ZONE, o].is_(Zone.GRAVEYARD)
        unused = not_(view[ONCE_FROM, source]) if ability.once_each_turn else TRUE
        yield and_(there, stands(view, source), controls(view, source, p), unused)


def _from_where(step: StepView) -> Iterable[Clause]:
    p, o = actor_of(step), cast_object(step)
    land = step.action.label.rule == "play a land"
    if land:
        o = next(c for c in step.setup.cards() if c.name == step.argument("card"))
    if p is None or o is None:
        return
    item, view = cast_face(step), step.before
    if step.argument("for") == "nothing":
        yield Clause(f"{o}: cast for nothing by {p}, as an effect permits", TRUE, view[FREE, p, o])
        return
    own = and_(view[ZONE, o].is_(Zone.HAND), TRUE if o.owner is p else FALSE)
    reached = or_(*_permissions(step, o, p, item.face if item is not None else None, land=land))
    yield Clause(
        f"{o}: from {p}'s hand, or from where an effect permits it",
        TRUE,
        or_(own, view[PERMITTED, p, o] > 0, reached),
    )


def _banned(step: StepView) -> Iterable[Clause]:
    p, o, item = actor_of(step), cast_object(step), cast_face(step)
    if p is None or o is None:
        return
    face, view = item.face if item is not None else None, step.before
    for source, ability in printed(step.setup, CastBan):
        meets = spell_meets(view, o, face, ability.cant_cast, source)
        if meets is not None:
            mine = controls(view, source, p)
            whose = {"you": mine, "opponent": not_(mine), "any": TRUE}[ability.player]
            yield Clause(f"{o}: cast by {p}, and {source} does not forbid it", stands(view, source),
                         not_(and_(meets, whose)))


# -- what triggers --------------------------------------------------------------------------------------------------


def _watchers(step: StepView, kind: EventKind) -> Iterator[tuple[Obj, TriggeredAbility, Filter, Term]]:
    """Printed abilities on what happens to others, with when they stand throughout the step."""
    for watcher, ability in printed_triggers(step.setup, kind):
        wanted = ability.when.subject
        if wanted is None or ability.when.player != "any" or ability.when.once_each_turn or ability.when.batch:
            continue
        yield watcher, ability, wanted, and_(stands(step.before, watcher), stands(step.after, watcher))


def _cast_is_seen(step: StepView) -> Iterable[Clause]:
    o, item = cast_object(step), cast_face(step)
    if o is None:
        return
    for watcher, ability, wanted, there in _watchers(step, EventKind.CAST):
        meets = spell_fits(wanted, item.face if item is not None else None)
        if meets is not None and ability.condition is None:
            more = waiting_for(step.after, watcher, ability) - waiting_for(step.before, watcher, ability)
            yield Clause(
                f"{o}: cast, {'what' if meets else 'not what'} {watcher} watches for", there, more.is_(int(meets))
            )


def _tapping_is_seen(step: StepView) -> Iterable[Clause]:
    found = activated(step)
    if found is None:
        return
    o = found[0]
    for watcher, ability, wanted, there in _watchers(step, EventKind.BECOMES_TAPPED):
        for p in step.setup.players:
            meets = fits(step.after, o, wanted, p, watcher)
            asked = ability.condition
            holds = TRUE if asked is None else condition_holds(step.after, asked, p, watcher)
            if meets is not None and holds is not None:
                tapped = and_(step.happens(EventKind.BECOMES_TAPPED, o), controls(step.after, watcher, p), meets)
                more = waiting_for(step.after, watcher, ability) - waiting_for(step.before, watcher, ability)
                right = or_(and_(holds, more.is_(1)), and_(not_(holds), more.is_(0)))
                yield Clause(f"{watcher}: sees {o} tapped, and asks its condition then", and_(there, tapped), right)


PROPERTIES: tuple[Property, ...] = (
    StepRule(
        "targets-are-legal-when-chosen",
        "A target is what the spell or ability asks for, and neither hexproof, shroud nor protection keeps it from "
        "being chosen.",
        ("601.2c", "602.2b", "603.3d", "115.1", "702.16b"),
        formula=_legal,
    ),
    StepRule(
        "trigger-is-dropped-for-want-of-targets-only",
        "A triggered ability with targets is removed instead of put on the stack only if it has no legal target.",
        ("603.3d",),
        formula=_none_is_left,
    ),
    StepRule(
        "ward-triggers-for-its-controller",
        "When a spell or ability of an opponent targets a permanent with ward, ward triggers once, under the control "
        "of who controls the permanent.",
        ("702.21a",),
        formula=_ward_triggers,
    ),
    StepRule(
        "cast-from-where-it-may-be",
        "A card is cast or played from its owner's hand, or from where an effect lets the player do so with a card of "
        "its kind; for nothing only where an effect says so.",
        ("601.3", "305.1", "118.9"),
        formula=_from_where,
    ),
    StepRule(
        "forbidden-spells-are-not-cast",
        "A spell of a kind that a permanent forbids is not cast by whom it forbids it.",
        ("601.3", "101.2"),
        formula=_banned,
    ),
    StepRule(
        "cast-triggers-see-the-spell",
        "What watches for spells of a kind that are cast sees each as it is on the stack, face down or face up.",
        ("603.2", "708.4"),
        formula=_cast_is_seen,
    ),
    StepRule(
        "conditions-are-asked-after-the-event",
        "An ability on a permanent's becoming tapped asks its condition of the game in which that has happened.",
        ("603.2", "603.4"),
        formula=_tapping_is_seen,
    ),
)
