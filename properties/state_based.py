"""Properties of state-based actions on face-down permanents, and of the end of the game (704, 104.1)."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from functools import partial
from operator import is_

from model.cards.abilities import Attach
from model.cards.phrases import Filter
from model.families import (
    ATTACHED,
    DAMAGE,
    DEATHTOUCHED,
    LEFT,
    OVER,
    SETTLED,
    ZONE,
)
from model.setup import Obj
from model.terms import FALSE, TRUE, Term, and_, not_, or_
from model.vocabulary import Keyword, Supertype, Zone
from properties.kinds import Clause, Invariant, Property, StepRule, StepView, View
from properties.shown import (
    controlled_by_same,
    is_creature,
    is_plain,
    lacks,
    meets,
    shows,
    size,
    stands,
    unchanged,
)
from properties.support import down, on_battlefield, sets_types

__all__ = ["PROPERTIES"]

_CHECKS = ("state-based actions", "legend rule")


def _mortal(view: View, o: Obj) -> Term:
    """Whether an object surely is a creature that state-based actions destroy (704.5f-h)."""
    toughness = size(view, o, "toughness")
    lethal = or_(and_(view[DAMAGE, o] > 0, toughness <= view[DAMAGE, o]), view[DEATHTOUCHED, o])
    dies = or_(toughness <= 0, and_(lethal, lacks(view, o, Keyword.INDESTRUCTIBLE)))
    return and_(on_battlefield(view, o), is_creature(view, o), unchanged(view, o), dies)


def _fixed(o: Obj) -> bool:
    """Whether the printed sizes of a card are numbers."""
    return all(
        value is None or (value.per is None and value.of is None)
        for f in o.card.faces
        for value in (f.power, f.toughness)
    )


def _lethal(step: StepView) -> Iterable[Clause]:
    if step.action.label.rule in _CHECKS and not sets_types(step.setup):
        for o in filter(_fixed, step.setup.objects):
            gone = not_(on_battlefield(step.after, o))
            yield Clause(f"{o}: dealt lethal damage, or without toughness, and dies", _mortal(step.before, o), gone)


def _none_dying(view: View) -> Iterable[Clause]:
    if not sets_types(view.setup):
        for o in filter(_fixed, view.setup.objects):
            alive = and_(view[SETTLED,], not_(view[OVER,]), on_battlefield(view, o), is_creature(view, o))
            yield Clause(f"{o}: alive while somebody may act", alive, not_(_mortal(view, o)))


def _something(step: StepView) -> Iterable[Clause]:
    if step.action.label.rule in _CHECKS:
        setup = step.setup
        moved = [step.changed(family, o) for family in (ZONE, ATTACHED) for o in setup.objects]
        yield Clause(
            "something that had to be done is done", TRUE, or_(*moved, *(step.changed(LEFT, p) for p in setup.players))
        )


def _spared(step: StepView) -> Iterable[Clause]:
    if step.action.label.rule != "state-based actions" or sets_types(step.setup):
        return
    for o in filter(_fixed, step.setup.objects):
        view = step.before
        hale = and_(not_(view[DEATHTOUCHED, o]), size(view, o, "toughness") > view[DAMAGE, o])
        lives = and_(on_battlefield(view, o), down(view, o), is_creature(view, o), unchanged(view, o), hale)
        nobody_left = and_(*(not_(step.after[LEFT, p]) for p in step.setup.players))
        yield Clause(
            f"{o}: face down with toughness left, and lives", and_(lives, nobody_left), on_battlefield(step.after, o)
        )


def _are_legends(view: View, a: Obj, b: Obj) -> Term:
    """Whether two face-up permanents of one player's are legendary and have one name."""
    if a.card.front.name != b.card.front.name or Supertype.LEGENDARY not in a.card.front.supertypes:
        return FALSE
    same = and_(*(and_(on_battlefield(view, o), shows(view, o, partial(is_, o.card.front))) for o in (a, b)))
    return and_(same, controlled_by_same(view, a, b))


def _legend_rule(step: StepView) -> Iterable[Clause]:
    if step.action.label.rule == "legend rule":
        kept, gone = (next(o for o in step.setup.objects if o.name == step.argument(k)) for k in ("kept", "gone"))
        yield Clause(
            f"{gone}: goes, since {kept} has its name and controller and both are legendary",
            TRUE,
            and_(
                _are_legends(step.before, kept, gone),
                step.after[ZONE, gone].is_(Zone.GRAVEYARD),
                not_(step.changed(ZONE, kept)),
            ),
        )


def _one_legend(view: View) -> Iterable[Clause]:
    for a, b in itertools.combinations(view.setup.objects, 2):
        if a.card.front.name == b.card.front.name and Supertype.LEGENDARY in a.card.front.supertypes:
            both = and_(view[SETTLED,], not_(view[OVER,]), on_battlefield(view, a), on_battlefield(view, b))
            yield Clause(
                f"{a}, {b}: there together, and not both a player's legends", both, not_(_are_legends(view, a, b))
            )


def _attached(view: View) -> Iterable[Clause]:
    if sets_types(view.setup):
        return
    for what, host in itertools.permutations(view.setup.objects, 2):
        on = and_(view[SETTLED,], not_(view[OVER,]), on_battlefield(view, what), view[ATTACHED, what].is_(host))
        fits = [_enchants(view, what, host)] if _wants(what) is not None else [is_creature(view, host)]
        up = and_(on, stands(view, what))
        yield Clause(f"{what}: attached to {host}, and may be", up, and_(on_battlefield(view, host), *fits))


def _wants(aura: Obj) -> Filter | None:
    return next((a.enchant for a in aura.card.front.abilities if isinstance(a, Attach) and a.enchant is not None), None)


def _enchants(view: View, aura: Obj, host: Obj) -> Term:
    wanted = _wants(aura)
    return meets(view, aura, wanted, host) if wanted is not None and is_plain(wanted) else TRUE


def _nothing_more(view: View) -> Iterable[Clause]:
    offered = or_(*(action.guard for action in view.system.actions))
    yield Clause("the game is over, and nothing more can be done", view[OVER,], not_(offered))


PROPERTIES: tuple[Property, ...] = (
    StepRule(
        "lethal-damage-kills-at-once",
        "State-based actions put every creature with lethal damage or without toughness into the graveyard, all "
        "together.",
        ("704.3", "704.5f", "704.5g", "704.5h"),
        formula=_lethal,
    ),
    Invariant(
        "nobody-acts-while-something-is-dying",
        "While any player may act, no creature has lethal damage or no toughness.",
        ("704.3", "704.5f", "704.5g", "704.5h", "117.5"),
        formula=_none_dying,
    ),
    StepRule(
        "state-based-actions-do-something",
        "State-based actions are performed only where one of them applies.",
        ("704.3",),
        formula=_something,
    ),
    StepRule(
        "face-down-creatures-with-toughness-live",
        "State-based actions leave a face-down creature alone whose toughness is greater than the damage on it, "
        "whatever its card says.",
        ("704.5f", "704.5g", "708.2a"),
        formula=_spared,
    ),
    StepRule(
        "legend-rule-asks-for-name-and-controller",
        "The legend rule takes a face-up legendary permanent whose controller keeps another of its name.",
        ("704.5j",),
        formula=_legend_rule,
    ),
    Invariant(
        "one-legend-of-a-name",
        "While any player may act, nobody controls two face-up legendary permanents of one name; face-down ones have "
        "none.",
        ("704.5j", "708.2a"),
        formula=_one_legend,
    ),
    Invariant(
        "attached-where-it-may-be",
        "While any player may act, an Aura is attached to what it can enchant, and an Equipment to a creature.",
        ("704.5m", "704.5n", "303.4c", "303.4", "301.5"),
        formula=_attached,
    ),
    Invariant(
        "nothing-more-after-the-game",
        "When the game is over, nobody can do anything and nothing is done.",
        ("104.1",),
        formula=_nothing_more,
    ),
)
