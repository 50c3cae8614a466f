"""Properties of turning face up for a cost: who may, when, and what it asks for.

Enabledness is stated from raw state and printed cards: the guard of the action is only ever the thing compared with.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from model.cards.abilities import Costs, FaceDownCost
from model.cards.cost import ManaCost
from model.families import BY, CAUSE, CONTROLLER, ITEM, PRIORITY
from model.setup import Obj, Player
from model.terms import TRUE, Term, and_, not_, or_
from model.vocabulary import Cause, EventKind, Type
from properties.kinds import Clause, Invariant, Possible, Property, StepRule, StepView, View
from properties.support import (
    can_surely_pay,
    cannot_surely_pay,
    cannot_turn_up,
    changes_costs,
    down,
    holder_acts,
    is_instant_or_sorcery,
    keyword_costs,
    lost_abilities,
    makes_copies,
    on_battlefield,
    pure_mana,
    sets_types,
    unmodified,
)

__all__ = ["KEYWORD_ROUTE", "MANA_ROUTE", "PROPERTIES", "keyword_route_stands", "mana_route_stands"]

_BY_CARD = (Cause.MANIFEST, Cause.CLOAK)
MANA_ROUTE = "turn face up for mana cost"
KEYWORD_ROUTE = "turn face up for keyword cost"


def _pairs(view: View) -> Iterator[tuple[Player, Obj]]:
    return ((p, o) for p in view.setup.players for o in view.setup.objects)


def _at_hand(view: View, p: Player, o: Obj) -> Term:
    """Whether a player with priority controls the face-down permanent."""
    return and_(holder_acts(view, p), on_battlefield(view, o), down(view, o), view[CONTROLLER, o].is_(p))


def _is_creature_card(o: Obj) -> bool:
    return not o.token and Type.CREATURE in o.card.front.types


def mana_route_stands(view: View, p: Player, o: Obj, cost: ManaCost) -> Term:
    """Whether nothing but paying keeps a player from the mana-cost route of a manifested or cloaked permanent."""
    return and_(
        _at_hand(view, p, o),
        view[CAUSE, o].among(_BY_CARD),
        not_(cannot_turn_up(view, o)),
        can_surely_pay(view, p, Costs(mana=cost)),
    )


def keyword_route_stands(view: View, p: Player, o: Obj, ability: FaceDownCost) -> Term:
    """Whether nothing but paying keeps a player from turning a permanent face up for a keyword cost of its card."""
    return and_(
        _at_hand(view, p, o),
        unmodified(view, o),
        not_(lost_abilities(view, o)),
        not_(cannot_turn_up(view, o)),
        can_surely_pay(view, p, ability.cost),
    )


def _mana_route_open(view: View) -> Iterable[Clause]:
    for p, o in _pairs(view):
        cost = o.card.front.cost
        if not _is_creature_card(o) or cost is None:
            continue
        premise = mana_route_stands(view, p, o, cost)
        yield Clause(
            f"{o}: {p} may turn it face up for {cost}", premise, view.offered(MANA_ROUTE, p.name, permanent=o.name)
        )


def _mana_route_shut(view: View) -> Iterable[Clause]:
    for p, o in _pairs(view):
        offered = view.offered(MANA_ROUTE, p.name, permanent=o.name)
        cost = o.card.front.cost
        if not _is_creature_card(o) or cost is None:
            yield Clause(
                f"{o}: no creature card with a mana cost, not to be turned face up for one",
                down(view, o),
                not_(offered),
            )
            continue
        wrong = or_(
            not_(_at_hand(view, p, o)),
            not_(view[CAUSE, o].among(_BY_CARD)),
            cannot_turn_up(view, o),
            cannot_surely_pay(view, p, Costs(mana=cost)),
        )
        yield Clause(
            f"{o}: {p} may not turn it face up for its mana cost", and_(on_battlefield(view, o), wrong), not_(offered)
        )


def _mana_route_despite_loss(view: View) -> Iterable[Clause]:
    for p, o in _pairs(view):
        cost = o.card.front.cost
        if not _is_creature_card(o) or cost is None:
            continue
        premise = and_(mana_route_stands(view, p, o, cost), lost_abilities(view, o))
        yield Clause(
            f"{o}: manifested, without abilities, {p} may still turn it face up for {cost}",
            premise,
            view.offered(MANA_ROUTE, p.name, permanent=o.name),
        )


def _keyword_route_open(view: View) -> Iterable[Clause]:
    if sets_types(view.setup) or changes_costs(view.setup):
        return
    for p, o in _pairs(view):
        for ability in keyword_costs(o.card.front):
            cost = f"{ability.kind} cost {ability.cost}"
            yield Clause(
                f"{o}: {p} may turn it face up for its {cost}",
                keyword_route_stands(view, p, o, ability),
                view.offered(KEYWORD_ROUTE, p.name, permanent=o.name, cost=cost),
            )


def _keyword_route_shut_by_loss(view: View) -> Iterable[Clause]:
    if makes_copies(view.setup) or sets_types(view.setup):
        return
    for p, o in _pairs(view):
        if any(keyword_costs(o.card.front)):
            premise = and_(on_battlefield(view, o), down(view, o), lost_abilities(view, o))
            yield Clause(
                f"{o}: without abilities, {p} may not turn it face up for a keyword cost",
                premise,
                not_(view.offered(KEYWORD_ROUTE, p.name, permanent=o.name)),
            )


def _keyword_route_needs_keyword(view: View) -> Iterable[Clause]:
    for p, o in _pairs(view):
        costs = list(keyword_costs(o.card.front))
        offered = view.offered(KEYWORD_ROUTE, p.name, permanent=o.name)
        wrong = not_(_at_hand(view, p, o))
        if not costs:
            wrong = or_(wrong, unmodified(view, o))
        elif all(pure_mana(c.cost) for c in costs):
            wrong = or_(wrong, and_(unmodified(view, o), *(cannot_surely_pay(view, p, c.cost) for c in costs)))
        yield Clause(
            f"{o}: {p} has no keyword cost to turn it face up for", and_(on_battlefield(view, o), wrong), not_(offered)
        )


def _no_stack(step: StepView) -> Iterable[Clause]:
    label = step.action.label
    if label.rule not in (MANA_ROUTE, KEYWORD_ROUTE):
        return
    name = step.argument("permanent")
    o = next(o for o in step.setup.objects if o.name == name)
    same = [not_(step.changed(family, place)) for place in range(step.setup.bounds.stack) for family in (ITEM, BY)]
    actor = next(p for p in step.setup.players if p.name == label.actor)
    turned = down(step.after, o) if is_instant_or_sorcery(o) else not_(down(step.after, o))
    yield Clause(
        f"{o}: turned face up at once, the stack as it was, {actor} with priority",
        TRUE,
        and_(*same, step.after[PRIORITY,].is_(actor), turned),
    )


def _only_with_priority(step: StepView) -> Iterable[Clause]:
    label = step.action.label
    if label.rule in (MANA_ROUTE, KEYWORD_ROUTE):
        actor = next(p for p in step.setup.players if p.name == label.actor)
        name = step.argument("permanent")
        o = next(o for o in step.setup.objects if o.name == name)
        yield Clause(
            f"{o}: turned face up by its controller {actor}, who has priority",
            TRUE,
            and_(step.before[PRIORITY,].is_(actor), step.before[CONTROLLER, o].is_(actor)),
        )


def _turned_by(rule: str, step: StepView) -> Iterator[tuple[Obj, Term]]:
    if step.action.label.rule == rule:
        name = step.argument("permanent")
        o = next(o for o in step.setup.objects if o.name == name)
        yield o, step.happens(EventKind.TURNED_UP, o)


def _witness_mana(step: StepView) -> Iterable[Clause]:
    for o, turned in _turned_by(MANA_ROUTE, step):
        yield Clause(f"{o}: turned face up for its mana cost", turned, not_(down(step.after, o)))


def _witness_keyword(step: StepView) -> Iterable[Clause]:
    for o, turned in _turned_by(KEYWORD_ROUTE, step):
        yield Clause(f"{o}: turned face up for a keyword cost", turned, not_(down(step.after, o)))


def _witness_manifested_keyword(step: StepView) -> Iterable[Clause]:
    for o, turned in _turned_by(KEYWORD_ROUTE, step):
        yield Clause(
            f"{o}: manifested, and turned face up for a keyword cost",
            and_(turned, step.before[CAUSE, o].among(_BY_CARD)),
            not_(down(step.after, o)),
        )


def _witness_despite_loss(step: StepView) -> Iterable[Clause]:
    for o, turned in _turned_by(MANA_ROUTE, step):
        yield Clause(
            f"{o}: turned face up for its mana cost without abilities",
            and_(turned, lost_abilities(step.before, o)),
            not_(down(step.after, o)),
        )


def _witness_noncreature_keyword(step: StepView) -> Iterable[Clause]:
    for o, turned in _turned_by(KEYWORD_ROUTE, step):
        if not _is_creature_card(o):
            yield Clause(
                f"{o}: no creature card, manifested, turned face up for its keyword cost",
                and_(turned, step.before[CAUSE, o].among(_BY_CARD)),
                not_(down(step.after, o)),
            )


def _witness_in_response(step: StepView) -> Iterable[Clause]:
    for rule in (MANA_ROUTE, KEYWORD_ROUTE):
        for o, turned in _turned_by(rule, step):
            yield Clause(
                f"{o}: turned face up while something is on the stack",
                turned,
                step.before[ITEM, 0].isnt(step.setup.item_sort.members[0]),
            )


def _separated(view: View) -> Iterable[Clause]:
    for p, o in _pairs(view):
        if _is_creature_card(o) and any(keyword_costs(o.card.front)):
            lost = and_(view[CAUSE, o].is_(Cause.MANIFEST), lost_abilities(view, o), on_battlefield(view, o))
            yield Clause(
                f"{o}: {p} may turn it face up for its mana cost and not for its keyword cost",
                lost,
                and_(
                    view.offered(MANA_ROUTE, p.name, permanent=o.name),
                    not_(view.offered(KEYWORD_ROUTE, p.name, permanent=o.name)),
                ),
            )


PROPERTIES: tuple[Property, ...] = (
    Invariant(
        "manifested-creature-card-may-be-turned-up",
        "With priority, a player who can pay may turn a manifested or cloaked creature card face up for its mana cost.",
        ("701.40b", "701.58b", "116.2b", "117.1"),
        ("S4", "S9"),
        formula=_mana_route_open,
    ),
    Invariant(
        "mana-route-asks-the-card",
        "The mana-cost route is open only to the controller with priority and the mana, for a manifested or "
        "cloaked creature card with a mana cost, whatever effects apply to it.",
        ("701.40b", "701.58b", "116.2b", "118.6", "202.1", "202.1b"),
        ("S4", "S5"),
        formula=_mana_route_shut,
    ),
    Invariant(
        "mana-route-survives-ability-loss",
        "Losing its abilities does not stop a manifested creature card from being turned face up for its mana cost.",
        ("701.40b",),
        ("S8",),
        formula=_mana_route_despite_loss,
    ),
    Invariant(
        "keyword-route-open-with-cost",
        "With priority, a player who can pay may turn a face-down permanent face up for the morph or disguise "
        "cost that it would have, whatever turned it face down.",
        ("702.37e", "702.168d", "701.40c", "701.40d", "701.58c", "701.58d"),
        ("S7",),
        formula=_keyword_route_open,
    ),
    Invariant(
        "keyword-route-shut-by-ability-loss",
        "A face-down permanent that has lost its abilities cannot be turned face up for a morph or disguise cost.",
        ("702.37e", "702.168d"),
        ("S14", "S8"),
        formula=_keyword_route_shut_by_loss,
    ),
    Invariant(
        "keyword-route-needs-the-keyword",
        "The keyword route is open only to the controller with priority and the mana, and only where the card has "
        "morph, megamorph or disguise.",
        ("702.37e", "702.168d", "116.2b"),
        ("S7",),
        formula=_keyword_route_needs_keyword,
    ),
    StepRule(
        "turning-up-for-a-cost-uses-no-stack",
        "Turning a permanent face up for a cost is done at once: the stack is unchanged and the player keeps priority.",
        ("116.1", "116.2b", "116.3", "117.3c"),
        ("S6",),
        formula=_no_stack,
    ),
    StepRule(
        "turning-up-for-a-cost-needs-priority",
        "Only the controller, while holding priority, turns a permanent face up for a cost.",
        ("116.2b", "117.1"),
        ("S4", "S6"),
        formula=_only_with_priority,
    ),
    Possible(
        "turned-up-for-mana-cost",
        "A manifested creature card is turned face up for its mana cost.",
        ("701.40b",),
        ("S4",),
        on_step=_witness_mana,
    ),
    Possible(
        "turned-up-for-keyword-cost",
        "A face-down permanent is turned face up for a morph or disguise cost.",
        ("702.37e", "702.168d"),
        ("S7",),
        on_step=_witness_keyword,
    ),
    Possible(
        "manifested-turned-up-for-keyword-cost",
        "A manifested permanent is turned face up for a morph or disguise cost.",
        ("701.40c", "701.40d"),
        ("S7",),
        on_step=_witness_manifested_keyword,
    ),
    Possible(
        "turned-up-for-mana-cost-without-abilities",
        "A manifested creature card that has lost its abilities is turned face up for its mana cost.",
        ("701.40b",),
        ("S8",),
        on_step=_witness_despite_loss,
    ),
    Possible(
        "noncreature-turned-up-for-keyword-cost",
        "A manifested card that is no creature card is turned face up for its morph or disguise cost.",
        ("701.40c", "702.37e"),
        ("S7",),
        on_step=_witness_noncreature_keyword,
    ),
    Possible(
        "turned-up-in-response",
        "A permanent is turned face up while something is on the stack.",
        ("116.2b", "117.1"),
        ("S6", "S17"),
        on_step=_witness_in_response,
    ),
    Possible(
        "routes-come-apart",
        "A manifested creature card with a keyword cost that has lost its abilities offers the mana-cost route and "
        "not the keyword route.",
        ("701.40b", "702.37e"),
        ("S8", "S14"),
        on_state=_separated,
    ),
)
