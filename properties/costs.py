"""Properties of costs: what is paid, with what and by whom, and that nothing else comes of paying (118, 601.2)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from model.cards.abilities import ActivatedAbility, CostChange, Costs, FaceDownCost, WardAbility
from model.cards.card import Face
from model.cards.cost import ManaCost
from model.cards.phrases import Filter
from model.families import (
    ATTACHED,
    BY,
    CAST_DOWN,
    CONTROLLER,
    COUNTERS,
    DAMAGE,
    ITEM,
    LIFE,
    MANA,
    PRIORITY,
    SETTLED,
    TAPPED,
    THAT,
    ZONE,
)
from model.setup import Obj, Player
from model.terms import FALSE, TRUE, Term, add, and_, count, ite, not_, number, or_
from model.vocabulary import CounterKind, ManaKind, Marker, Zone
from properties.kinds import Clause, Invariant, Property, StepRule, StepView, View
from properties.printed import (
    activated,
    actor_of,
    called,
    cast_face,
    cast_object,
    costs_of,
    fits,
    item_named,
    printed,
    spell_meets,
    stands,
)
from properties.special_actions import KEYWORD_ROUTE
from properties.support import (
    can_surely_pay,
    controls,
    down,
    in_game,
    is_instant_or_sorcery,
    on_battlefield,
    pure_mana,
)

__all__ = ["PROPERTIES"]

_FACE_DOWN_PRICE = ManaCost.parse("{3}")


# -- what a step asks to be paid ------------------------------------------------------------------------------------


def _keyword_cost(step: StepView) -> tuple[Obj, FaceDownCost] | None:
    """The morph or disguise cost for which a step turns a permanent face up, with or without a change to it."""
    if step.action.label.rule != KEYWORD_ROUTE:
        return None
    o = next(o for o in step.setup.objects if o.name == step.argument("permanent"))
    what = re.sub(r" [+-]\d+$", "", str(step.argument("cost")))
    own = (a for a in step.setup.abilities_of(o) if isinstance(a, FaceDownCost))
    return next(((o, a) for a in own if f"{a.kind} cost {a.cost}" == what), None)


def _costs(step: StepView) -> tuple[Obj, Costs] | None:
    """What a step asks to be paid, and on what the cost stands; of a spell, its additional cost."""
    found, item, route = activated(step), cast_face(step), _keyword_cost(step)
    if found is not None:
        return found[0], costs_of(found[1])
    if item is not None:
        extra = item.spell.additional if item.spell is not None else None
        return item.source, extra or Costs()
    return (route[0], route[1].cost) if route is not None else None


def _paid_with(step: StepView) -> list[Obj]:
    """The objects that the label of an action says it is paid with."""
    words = [value for key, value in step.action.label.arguments if key in ("paying", "choice")]
    return [
        o for o in step.setup.objects
        if any(re.search(rf"(^| )with {re.escape(o.name)}(?= with |$)", text) for text in words)
    ]


def _price(cost: ManaCost, x: int, change: Term) -> Term | None:
    """How much mana a cost takes; None where a symbol can be paid in other amounts than one.

    A reduction takes generic mana only (118.7a).
    """
    if any("P" in symbol or symbol.startswith("2/") for symbol in cost.symbols):
        return None
    generic = sum(int(symbol) for symbol in cost.symbols if symbol.isdigit())
    rest = number(generic + cost.x_count * x) + change
    return number(cost.mana_value - generic) + ite(rest >= 0, rest, number(0))


def _spell_change(view: View, p: Player, o: Obj, face: Face | None) -> Term | None:
    """By how much printed abilities change what a spell costs; None where that takes more than print to say."""
    found = []
    for source, ability in printed(view.setup, CostChange):
        wanted = ability.costs_change
        if not isinstance(wanted, Filter):
            continue
        meets = spell_meets(view, o, face, wanted, source)
        times = _counted(view, source, ability.per)
        if meets is None or times is None:
            return None
        if ability.of_this:
            applies = TRUE if source is o and face is o.card.front else FALSE
        else:
            first = not_(view[CAST_DOWN, p]) if ability.first_each_turn else TRUE
            applies = and_(meets, first, _concerned(view, source, ability, p))
        found.append(ite(applies, _multiplied(times, ability.by), number(0)))
    return add(*found)


def _concerned(view: View, source: Obj, ability: CostChange, p: Player) -> Term:
    """Whether an ability that changes costs is in force for a player."""
    mine = controls(view, source, p)
    whose = {"you": mine, "opponent": not_(mine), "any": TRUE}[ability.player]
    return and_(stands(view, source), whose)


def _counted(view: View, source: Obj, wanted: Filter | None) -> Term | None:
    """How many objects a cost change counts, for the controller of its source; one if it counts nothing."""
    if wanted is None:
        return number(1)
    total = number(0)
    for p in view.setup.players:
        found = [fits(view, o, wanted, p, source) for o in view.setup.objects]
        if any(term is None for term in found):
            return None
        total = ite(controls(view, source, p), count(term for term in found if term is not None), total)
    return total


def _multiplied(times: Term, by: int) -> Term:
    total = number(0)
    for _ in range(abs(by)):
        total = total + times if by > 0 else total - times
    return total


def _morph_change(view: View, p: Player, o: Obj, ability: FaceDownCost) -> Term | None:
    """By how much a morph or disguise cost changes: by abilities that speak of morph costs, and by its own words."""
    found = [
        ite(_concerned(view, source, change, p), number(change.by), number(0))
        for source, change in printed(view.setup, CostChange)
        if change.costs_change == "morph" and ability.is_morph
    ]
    if ability.cost.less_per is not None:
        less = [fits(view, other, ability.cost.less_per, p, o) for other in view.setup.objects]
        if any(term is None for term in less):
            return None
        found.append(number(0) - count(term for term in less if term is not None))
    return add(*found)


def _mana(view: View, p: Player) -> Term:
    return add(*(view[MANA, p, kind] for kind in ManaKind))


def _asked(step: StepView, p: Player) -> Term | None:
    """How much mana a step costs; None if it costs none, or if that cannot be told from print."""
    found, item, route = activated(step), cast_face(step), _keyword_cost(step)
    x = int(step.argument("x") or 0)
    if step.argument("for") == "nothing":
        return number(0)
    if found is not None:
        makes_mana = isinstance(found[1], ActivatedAbility) and found[1].mana_ability
        cost = costs_of(found[1]).mana
        return None if cost is None or makes_mana else _price(cost, x, number(0))
    if route is not None:
        cost, change = route[1].cost.mana, _morph_change(step.before, p, *route)
        return None if cost is None or change is None else _price(cost, x, change)
    o = cast_object(step)
    if o is None:
        return None
    face = item.face if item is not None else None
    cost = _FACE_DOWN_PRICE if item is None else face.cost if face is not None else None
    change = _spell_change(step.before, p, o, face)
    return None if cost is None or change is None else _price(cost, x, change)


# -- paying ---------------------------------------------------------------------------------------------------------


def _in_full(step: StepView) -> Iterable[Clause]:
    p = actor_of(step)
    price = _asked(step, p) if p is not None else None
    if p is not None and price is not None:
        spent = _mana(step.before, p) - _mana(step.after, p)
        yield Clause(f"{p}: has paid every symbol, with what changes the cost", TRUE, spent.is_(price))


def _with_what_may_pay(step: StepView) -> Iterable[Clause]:
    p, found = actor_of(step), _costs(step)
    if p is None or found is None:
        return
    source, costs = found
    wanted = costs.sacrifice or costs.bounce or costs.discard or costs.reveal or costs.exile
    if wanted is None:
        return
    permanent = costs.sacrifice is not None or costs.bounce is not None
    hand = costs.discard is not None or costs.reveal is not None
    zone = Zone.BATTLEFIELD if permanent else Zone.HAND if hand else Zone.GRAVEYARD
    objects, right = _paid_with(step), []
    for o in objects:
        meets = fits(step.before, o, replace(wanted, zone=zone), p, source)
        own = controls(step.before, o, p) if permanent else TRUE if o.owner is p else FALSE
        right += [step.before[ZONE, o].is_(zone), own, TRUE if meets is None else meets]
    enough = TRUE if len(objects) == costs.times else FALSE
    yield Clause(f"{p}: pays with {costs.times} {wanted.phrase}, each {p}'s own", TRUE, and_(enough, *right))


def _by_tapping(step: StepView) -> Iterable[Clause]:
    found = activated(step)
    if found is None or not costs_of(found[1]).tap:
        return
    o, ability = found
    stays = on_battlefield(step.after, o)
    is_mana = isinstance(ability, ActivatedAbility) and ability.mana_ability
    tapped = TRUE if is_mana else or_(not_(stays), step.after[TAPPED, o])
    yield Clause(f"{o}: untapped before, and tapped to pay", TRUE, and_(not_(step.before[TAPPED, o]), tapped))


def _life(step: StepView) -> Iterable[Clause]:
    p, found = actor_of(step), _costs(step)
    if p is not None and found is not None and found[1].life:
        life = found[1].life
        paid = and_(step.before[LIFE, p] >= life, (step.before[LIFE, p] - step.after[LIFE, p]).is_(life))
        yield Clause(f"{p}: has and pays {life} life", TRUE, paid)


def _loyalty(step: StepView) -> Iterable[Clause]:
    found = activated(step)
    by = costs_of(found[1]).loyalty if found is not None else None
    if found is not None and by is not None:
        was, is_ = (view[COUNTERS, found[0], CounterKind.LOYALTY] for view in (step.before, step.after))
        yield Clause(f"{found[0]}: {by:+d} loyalty counters", TRUE, and_(was + by >= 0, is_.is_(was + by)))


def _too_few(view: View) -> Iterable[Clause]:
    for o, ability in printed(view.setup, ActivatedAbility):
        by = ability.activate.loyalty
        if by is not None and by < 0:
            short = and_(stands(view, o), view[COUNTERS, o, CounterKind.LOYALTY] < -by)
            offered = view.offered("activate", ability=called(view.setup, o, ability))
            yield Clause(f"{o}: has fewer counters than its ability of {by} takes off", short, not_(offered))


def _nothing_else(step: StepView) -> Iterable[Clause]:
    p, found, o = actor_of(step), activated(step), cast_object(step)
    at_once = found is not None and isinstance(found[1], ActivatedAbility) and found[1].mana_ability
    if p is None or at_once or (found is None and o is None):
        return
    source, paid = found[0] if found is not None else o, _paid_with(step)
    for other in step.setup.objects:
        if other is not source and other not in paid:
            same = [not_(step.changed(family, other)) for family in (ZONE, CONTROLLER, TAPPED, DAMAGE)]
            yield Clause(f"{other}: has no part in it, and is as before", TRUE, and_(*same))
    if found is not None and not paid:
        stays = and_(on_battlefield(step.before, found[0]), on_battlefield(step.after, found[0]))
        same = [not_(step.changed(family, found[0])) for family in (CONTROLLER, DAMAGE, ATTACHED)]
        yield Clause(f"{source}: damaged and attached as before", stays, and_(*same))
    for q in step.setup.others(p):
        kept = [not_(step.changed(MANA, q, kind)) for kind in ManaKind]
        yield Clause(f"{q}: pays nothing", TRUE, and_(*kept, not_(step.changed(LIFE, q))))


def _ward(step: StepView) -> Iterable[Clause]:
    if step.action.label.rule != "resolve ward":
        return
    name, choice = step.argument("about"), str(step.argument("choice"))
    ability = item_named(step.setup, name)
    spells = [i for i in step.setup.items if i.ability is None and i.source.name == name]
    what = spells or ([ability] if ability is not None else [])
    for p in step.setup.players:
        if f", {p} pays " in choice:
            for place in range(step.setup.bounds.stack):
                here = or_(*(step.before[ITEM, place].is_(i) for i in what))
                yield Clause(f"{name}: on the stack, and {p}, who pays for ward, controls it", here,
                             step.before[BY, place].is_(p))


def _ward_open(view: View) -> Iterable[Clause]:
    """Ward of a plain amount of mana that is on top of the stack, about something that stands there."""
    places, on_top = range(view.setup.bounds.stack), view[ITEM, 0]
    for ward in view.setup.items:
        if not isinstance(ward.ability, WardAbility) or not pure_mana(ward.ability.ward):
            continue
        for that in view.setup.subjects(ward):
            what = [i for i in view.setup.items if i is that or (i.ability is None and i.source is that)]
            for p in view.setup.players:
                theirs = or_(*(and_(view[ITEM, n].is_(i), view[BY, n].is_(p)) for n in places for i in what))
                asked = and_(on_top.is_(ward), view[THAT, 0].is_(that), not_(view[BY, 0].is_(p)), theirs)
                passed = and_(in_game(view), view[SETTLED,], view[PRIORITY,].is_(Marker.NONE))
                words = f"{ward} resolves, {p} pays {ward.ability.ward}"
                yield Clause(
                    f"{that}: {p}, who controls it, may pay for {ward}",
                    and_(passed, asked, can_surely_pay(view, p, ward.ability.ward)),
                    view.offered("resolve ward", None, item=str(ward), choice=words),
                )


def _nothing_gained(step: StepView) -> Iterable[Clause]:
    """Turning an instant or sorcery card face up for a cost, which only reveals it."""
    if step.argument("permanent") is None:
        return
    o = next(o for o in step.setup.objects if o.name == step.argument("permanent"))
    if is_instant_or_sorcery(o):
        kept = [not_(step.changed(COUNTERS, o, kind)) for kind in CounterKind]
        kept += [not_(step.changed(family, o)) for family in (TAPPED, DAMAGE)]
        yield Clause(f"{o}: revealed and still face down, with the counters it had", down(step.after, o), and_(*kept))


PROPERTIES: tuple[Property, ...] = (
    StepRule(
        "costs-are-paid-in-full",
        "Who casts a spell, activates an ability or turns a permanent face up for a keyword cost has paid its mana, "
        "with what effects add to it and take from it.",
        ("118.3", "118.7", "601.2f", "601.2h", "602.2b", "702.37e", "118.9"),
        formula=_in_full,
    ),
    StepRule(
        "costs-are-paid-with-what-may-pay",
        "What is sacrificed, discarded, returned, revealed or exiled to pay a cost is the player's own, where it has "
        "to be, and what the cost asks for.",
        ("118.3", "601.2h", "602.2b"),
        formula=_with_what_may_pay,
    ),
    StepRule(
        "tap-costs-need-untapped",
        "Only an untapped permanent is tapped to pay a cost, and it is tapped then.",
        ("118.3", "602.2b"),
        formula=_by_tapping,
    ),
    StepRule(
        "life-is-paid-by-who-has-it",
        "A player pays life only who has so much, and then has so much less.",
        ("119.4", "118.3"),
        formula=_life,
    ),
    StepRule(
        "loyalty-is-paid-in-counters",
        "To activate a loyalty ability, so many loyalty counters are put on the permanent or taken off it as it says.",
        ("118.3", "602.2b"),
        formula=_loyalty,
    ),
    Invariant(
        "loyalty-abilities-need-their-counters",
        "A loyalty ability that takes counters off is not activated where there are too few.",
        ("606.6",),
        formula=_too_few,
    ),
    StepRule(
        "paying-changes-nothing-else",
        "Casting a spell or activating an ability changes nothing but what is paid with: what has no part in it, and "
        "the mana and life of others, are as before.",
        ("118.1", "601.2h", "602.2b"),
        formula=_nothing_else,
    ),
    StepRule(
        "ward-is-paid-by-the-spells-controller",
        "The cost of ward is paid by the player who controls the spell or ability that it is about.",
        ("702.21a",),
        formula=_ward,
    ),
    Invariant(
        "ward-may-be-paid",
        "As ward resolves, the player who controls the spell or ability that it is about may pay its cost.",
        ("702.21a",),
        formula=_ward_open,
    ),
    StepRule(
        "instant-or-sorcery-gains-nothing-by-the-attempt",
        "An instant or sorcery card that would be turned face up for a cost gets no counter for it.",
        ("702.37b", "701.40g"),
        formula=_nothing_gained,
    ),
)
