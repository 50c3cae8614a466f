"""Properties of paying: what turning face up costs, and what a face-down permanent can pay for (118)."""

from __future__ import annotations

from collections.abc import Iterable

from model.cards.abilities import ActivatedAbility, CostChange, FaceDownCost
from model.cards.phrases import Filter
from model.families import CONTROLLER, MANA, PAID_X, PROFILE
from model.setup import Player
from model.terms import TRUE, Term, add, and_, not_
from model.vocabulary import EventKind, ManaKind, Type
from properties.kinds import Clause, Invariant, Property, StepRule, StepView, View
from properties.printed import activated, costs_of
from properties.special_actions import KEYWORD_ROUTE, MANA_ROUTE
from properties.support import (
    can_surely_pay,
    down,
    holder_acts,
    lost_abilities,
    on_battlefield,
    shown_face,
    unmodified,
)

__all__ = ["PROPERTIES"]


def _own_cost(view: View) -> Iterable[Clause]:
    for o in view.setup.objects:
        own = {f"{a.kind} cost {a.cost}" for a in o.card.front.abilities if isinstance(a, FaceDownCost)}
        foreign = {
            f"{a.kind} cost {a.cost}"
            for a in view.setup.abilities_of(o)
            if isinstance(a, FaceDownCost) and not any(a is granted for granted in view.setup.granted)
        } - own
        for cost in sorted(foreign):
            yield Clause(
                f"{o}: no copy, and not to be turned face up for the {cost} of another card",
                and_(on_battlefield(view, o), down(view, o), unmodified(view, o)),
                not_(view.offered(KEYWORD_ROUTE, permanent=o.name, cost=cost)),
            )


def _paid(step: StepView) -> Iterable[Clause]:
    label = step.action.label
    if label.rule not in (MANA_ROUTE, KEYWORD_ROUTE):
        return
    if any(isinstance(a, CostChange) for o in step.setup.objects for a in step.setup.abilities_of(o)):
        return
    o = next(o for o in step.setup.objects if o.name == step.argument("permanent"))
    player = next(p for p in step.setup.players if p.name == label.actor)
    what = str(step.argument("cost"))
    if label.rule == MANA_ROUTE:
        cost = o.card.front.cost
    else:
        own = [
            a for a in step.setup.abilities_of(o) if isinstance(a, FaceDownCost) and f"{a.kind} cost {a.cost}" == what
        ]
        cost = own[0].cost.mana if own and own[0].cost.less_per is None else None
    if cost is None or any("P" in symbol or symbol.startswith("2/") for symbol in cost.symbols):
        return
    price = cost.mana_value + cost.x_count * int(step.argument("x") or 0)
    spent = _mana(step.before, player) - _mana(step.after, player)
    yield Clause(f"{o}: turned face up by {player}, who has paid {price} mana", TRUE, spent.is_(price))


def _mana(view: View, player: Player) -> Term:
    return add(*(view[MANA, player, kind] for kind in ManaKind))


def _x_is_kept(step: StepView) -> Iterable[Clause]:
    x = step.argument("x")
    if step.action.label.rule == KEYWORD_ROUTE and x is not None:
        o = next(o for o in step.setup.objects if o.name == step.argument("permanent"))
        yield Clause(
            f"{o}: turned face up with X = {x}, as its abilities know", TRUE, step.after[PAID_X, o].is_(int(x))
        )


def _pays(view: View) -> Iterable[Clause]:
    for source in view.setup.objects:
        for ability in source.card.front.abilities:
            if not isinstance(ability, ActivatedAbility) or ability.targets or ability.condition is not None:
                continue
            wanted = ability.activate.sacrifice
            if (
                wanted is None
                or wanted != Filter(face_down=True, all_types=wanted.all_types, phrase=wanted.phrase)
                or not wanted.all_types <= {Type.CREATURE}
            ):
                continue
            rest = ability.activate.model_copy(update={"sacrifice": None})
            free = rest.mana is None and not (rest.tap or rest.life or rest.this or rest.loyalty)
            for o in view.setup.objects:
                p = source.owner
                premise = and_(
                    holder_acts(view, p),
                    shown_face(view, source),
                    view[CONTROLLER, source].is_(p),
                    not_(lost_abilities(view, source)),
                    on_battlefield(view, o),
                    down(view, o),
                    view[CONTROLLER, o].is_(p),
                    view[PROFILE, o].is_(view.setup.profiles[0]),
                    TRUE if free else can_surely_pay(view, p, rest),
                )
                yield Clause(
                    f"{o}: face down, and can be sacrificed to {source}",
                    premise,
                    view.offered("activate", p.name, paying=f"with {o}"),
                )


def _is_what_it_says(step: StepView) -> Iterable[Clause]:
    """The source of an ability that is discarded or sacrificed to pay for it is seen to be."""
    found = activated(step)
    how = costs_of(found[1]).this if found is not None else None
    seen = {"discard": EventKind.DISCARDED, "sacrifice": EventKind.SACRIFICED}.get(how or "")
    if found is not None and seen is not None:
        yield Clause(f"{found[0]}: {seen} to pay, which abilities see", TRUE, step.happens(seen, found[0]))


PROPERTIES: tuple[Property, ...] = (
    Invariant(
        "keyword-route-asks-its-own-cost",
        "A face-down permanent to which no copy effect applies is turned face up for "
        "no morph or disguise cost but its own.",
        ("702.37e", "702.168d"),
        formula=_own_cost,
    ),
    StepRule(
        "turning-up-is-paid-in-full",
        "Who turns a permanent face up for a cost has paid every symbol of it.",
        ("701.40b", "701.58b", "702.37e", "702.168d", "107.4e", "107.3d"),
        formula=_paid,
    ),
    StepRule(
        "x-of-turning-up-is-kept",
        "The X that was chosen to turn a permanent face up is the X of its other abilities.",
        ("702.37f", "702.168e", "107.3"),
        formula=_x_is_kept,
    ),
    Invariant(
        "any-face-down-permanent-pays",
        "A cost that asks for a face-down permanent can be paid with any of the player's, whatever made it face down.",
        ("118.3", "708.2"),
        formula=_pays,
    ),
    StepRule(
        "paying-with-the-source-is-seen",
        "Discarding or sacrificing the source of an ability to pay for it is discarding or sacrificing.",
        ("701.9a", "701.21a", "602.2b"),
        formula=_is_what_it_says,
    ),
)
