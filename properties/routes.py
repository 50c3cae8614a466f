"""Properties of what turning face up for a cost asks for and survives: symbols, kept mana, X, split second (116, 107).

Like all that is said of the two routes, these read raw state and printed cards; what is offered is only compared with.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from model.cards.abilities import FaceDownCost, Replacement
from model.cards.cost import ManaCost
from model.families import CAUSE, ITEM, LIFE, MANA, PAID_X, PRIORITY, ZONE
from model.setup import Obj, Player
from model.terms import FALSE, TRUE, Term, add, and_, not_, number, or_
from model.vocabulary import Cause, EventKind, Keyword, ManaKind, Marker, Type, Zone
from properties.kinds import Clause, Invariant, Possible, Property, StepRule, StepView, View
from properties.special_actions import KEYWORD_ROUTE, MANA_ROUTE, keyword_route_stands, mana_route_stands
from properties.support import (
    changes_costs,
    down,
    keyword_costs,
    on_battlefield,
    sets_types,
)

__all__ = ["PROPERTIES"]


def _pairs(view: View) -> Iterator[tuple[Player, Obj]]:
    return ((p, o) for p in view.setup.players for o in view.setup.objects)


def _is_creature_card(o: Obj) -> bool:
    return not o.token and Type.CREATURE in o.card.front.types


def _turned_for(step: StepView) -> tuple[Player, Obj] | None:
    """Who turns which permanent face up for a cost in the step, if anybody does."""
    if step.action.label.rule not in (MANA_ROUTE, KEYWORD_ROUTE):
        return None
    player = next(p for p in step.setup.players if p.name == step.action.label.actor)
    return player, next(o for o in step.setup.objects if o.name == step.argument("permanent"))


def _price(step: StepView, o: Obj) -> ManaCost | None:
    """The mana that the label asks for, as printed on the card; None if it asks for none that is printed there."""
    if step.action.label.rule == MANA_ROUTE:
        return o.card.front.cost
    what = str(step.argument("cost"))
    own = (a for a in keyword_costs(o.card.front) if f"{what} ".startswith(f"{a.kind} cost {a.cost} "))
    return next((a.cost.mana for a in own), None)


def _spent(step: StepView, player: Player) -> Term:
    total = add(*(step.before[MANA, player, kind] for kind in ManaKind))
    return total - add(*(step.after[MANA, player, kind] for kind in ManaKind))


# -- while a spell with split second waits ---------------------------------------------------------


def _split_second_waits(view: View) -> Term:
    """Whether a face-up spell with split second is on the stack."""
    quick = [
        item
        for item in view.setup.items
        if item.ability is None and item.face is not None and Keyword.SPLIT_SECOND in item.face.keywords
    ]
    return or_(
        *(
            and_(view[ITEM, place].is_(item), not_(down(view, item.source)))
            for place in range(view.setup.bounds.stack)
            for item in quick
        )
    )


def _despite_split_second(view: View) -> Iterable[Clause]:
    waits = _split_second_waits(view)
    if waits is FALSE:
        return
    for p, o in _pairs(view):
        cost = o.card.front.cost
        if cost is not None and _is_creature_card(o):
            yield Clause(
                f"{o}: {p} may turn it face up for its mana cost under split second",
                and_(waits, mana_route_stands(view, p, o, cost)),
                view.offered(MANA_ROUTE, p.name, permanent=o.name),
            )
        for ability in () if sets_types(view.setup) or changes_costs(view.setup) else keyword_costs(o.card.front):
            yield Clause(
                f"{o}: {p} may turn it face up for its {ability.kind} cost under split second",
                and_(waits, keyword_route_stands(view, p, o, ability)),
                view.offered(KEYWORD_ROUTE, p.name, permanent=o.name, cost=f"{ability.kind} cost {ability.cost}"),
            )


# -- what is paid ----------------------------------------------------------------------------------


def _cloaked_for_keyword(step: StepView) -> Iterable[Clause]:
    found = _turned_for(step)
    if found is not None and step.action.label.rule == KEYWORD_ROUTE:
        _, o = found
        yield Clause(
            f"{o}: cloaked, and turned face up for a keyword cost",
            and_(step.before[CAUSE, o].is_(Cause.CLOAK), step.happens(EventKind.TURNED_UP, o)),
            not_(down(step.after, o)),
        )


def _x_is_zero(step: StepView) -> Iterable[Clause]:
    found, cost = _turned_for(step), None
    if found is not None and step.action.label.rule == MANA_ROUTE:
        cost = found[1].card.front.cost
    if found is None or cost is None or not cost.x_count or _is_mixed(cost):
        return
    player, o = found
    yield Clause(
        f"{o}: turned face up by {player} for its mana cost, in which X is 0",
        TRUE,
        and_(_spent(step, player).is_(cost.mana_value), step.after[PAID_X, o].is_(0)),
    )


def _is_mixed(cost: ManaCost) -> bool:
    """Whether a symbol can be paid in other amounts of mana than one."""
    return any("P" in symbol or symbol.startswith("2/") for symbol in cost.symbols)


def _phyrexian(cost: ManaCost) -> int:
    """How many symbols can be paid with life, if no symbol can be paid in several amounts of mana; else 0."""
    return 0 if any(symbol.startswith("2/") for symbol in cost.symbols) else sum("P" in s for s in cost.symbols)


def _life_or_mana(step: StepView) -> Iterable[Clause]:
    found = _turned_for(step)
    if found is None or changes_costs(step.setup):
        return
    player, o = found
    cost = _price(step, o)
    if cost is None or not _phyrexian(cost) or cost.x_count or _does_something(step, o):
        return
    mana, life = _spent(step, player), step.before[LIFE, player] - step.after[LIFE, player]
    yield Clause(
        f"{o}: turned face up by {player}, who has paid one mana or 2 life for each Phyrexian symbol",
        TRUE,
        and_(add(mana, mana, life).is_(2 * cost.mana_value), life >= 0, life <= 2 * _phyrexian(cost)),
    )


def _does_something(step: StepView, o: Obj) -> bool:
    """Whether the object may have an ability that does something as it is turned face up."""
    return any(isinstance(a, Replacement) for a in step.setup.abilities_of(o))


def _payable_with_life(view: View) -> Iterable[Clause]:
    for p, o in _pairs(view):
        cost = o.card.front.cost
        if cost is None or not _is_creature_card(o) or not _phyrexian(cost):
            continue
        others = ManaCost(tuple(s for s in cost.symbols if "P" not in s) or ("0",))
        yield Clause(
            f"{o}: {p} may turn it face up and pay its Phyrexian symbols with life",
            and_(mana_route_stands(view, p, o, others), view[LIFE, p] >= 2 * _phyrexian(cost)),
            view.offered(MANA_ROUTE, p.name, permanent=o.name),
        )


def _coloured_is_paid(step: StepView) -> Iterable[Clause]:
    found = _turned_for(step)
    if found is None or step.action.label.rule != KEYWORD_ROUTE:
        return
    player, o = found
    cost = _price(step, o)
    if cost is None or any("/" in symbol for symbol in cost.symbols):
        return
    reduced = any(
        a.cost.less_per is not None for a in step.setup.abilities_of(o) if isinstance(a, FaceDownCost)
    ) or changes_costs(step.setup)
    if not reduced:
        return
    for kind in ManaKind:
        asked = cost.symbols.count(kind.value)
        if asked:
            able = (kind, ManaKind.ANY, ManaKind.FACE_DOWN)
            spent = add(*(step.before[MANA, player, k] - step.after[MANA, player, k] for k in able))
            yield Clause(
                f"{o}: turned face up by {player}, who has paid its {kind} mana, whatever makes the cost less",
                TRUE,
                spent >= number(asked),
            )


def _kept_mana(step: StepView) -> Iterable[Clause]:
    if step.action.label.rule in (MANA_ROUTE, KEYWORD_ROUTE, "cast face down", "next turn"):
        return
    for p in step.setup.players:
        kept = step.before[MANA, p, ManaKind.FACE_DOWN]
        if kept.high:
            yield Clause(
                f"{p}: no mana kept for face-down spells and turning face up is spent on anything else",
                kept > 0,
                step.after[MANA, p, ManaKind.FACE_DOWN] >= kept,
            )


# -- what cannot be turned up, and when ------------------------------------------------------------


def _spells_stay(step: StepView) -> Iterable[Clause]:
    for o in step.setup.cards():
        waits = and_(step.before[ZONE, o].is_(Zone.STACK), down(step.before, o), step.after[ZONE, o].is_(Zone.STACK))
        yield Clause(f"{o}: a face-down spell, and still one", waits, not_(step.changed(CAUSE, o)))


def _untap_step(step: StepView) -> Iterable[Clause]:
    if step.action.label.rule != "next turn":
        return
    for o in step.setup.objects:
        stays = and_(on_battlefield(step.before, o), on_battlefield(step.after, o))
        yield Clause(
            f"{o}: not turned over while nobody has priority, between a turn and the first step of the next",
            and_(stays, down(step.before, o)),
            and_(
                step.before[PRIORITY,].is_(Marker.NONE),
                not_(step.changed(CAUSE, o)),
                not_(step.happens(EventKind.TURN_UP_ATTEMPT, o)),
            ),
        )


PROPERTIES: tuple[Property, ...] = (
    Invariant(
        "split-second-stops-no-turning-up",
        "While a spell with split second is on the stack, a player with priority who can pay may turn a permanent face "
        "up for its mana cost or its keyword cost.",
        ("702.61b", "116.2b"),
        formula=_despite_split_second,
    ),
    Possible(
        "cloaked-turned-up-for-keyword-cost",
        "A cloaked permanent is turned face up for a morph or disguise cost.",
        ("701.58c", "701.58d"),
        on_step=_cloaked_for_keyword,
    ),
    StepRule(
        "x-of-a-manifested-card-is-zero",
        "Where the mana cost of a manifested card has X in it, the card is turned face up for that cost with X = 0.",
        ("107.3h", "701.40b", "701.58b"),
        formula=_x_is_zero,
    ),
    StepRule(
        "phyrexian-symbols-are-paid-with-mana-or-life",
        "Who turns a permanent face up pays one mana or 2 life for each Phyrexian symbol of the cost.",
        ("107.4f", "118.13c"),
        formula=_life_or_mana,
    ),
    Invariant(
        "phyrexian-symbols-may-be-paid-with-life",
        "Who has the life may turn a manifested creature card face up with life for its Phyrexian symbols.",
        ("107.4f", "701.40b", "118.13c"),
        formula=_payable_with_life,
    ),
    StepRule(
        "reductions-take-generic-mana-only",
        "However much less a keyword cost is, the coloured mana in it is paid.",
        ("118.7a", "702.37e"),
        formula=_coloured_is_paid,
    ),
    StepRule(
        "kept-mana-is-spent-as-allowed",
        "Mana that can be spent only on face-down spells and on turning permanents face up is spent on nothing else.",
        ("106.6",),
        formula=_kept_mana,
    ),
    StepRule(
        "face-down-spells-stay-face-down",
        "A face-down spell is not turned face up while it is on the stack.",
        ("708.7", "116.2b"),
        formula=_spells_stay,
    ),
    StepRule(
        "nothing-is-turned-over-in-the-untap-step",
        "As a turn begins and permanents untap, nobody has priority, and nothing that is face down is turned face up.",
        ("502.4", "117.1"),
        formula=_untap_step,
    ),
)
