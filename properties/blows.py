"""Properties of the damage of face-down creatures: fights, first strike and trample (701.14, 510.4, 702.19)."""

from __future__ import annotations

from collections.abc import Iterable

from model.cards.abilities import ProtectionAbility, StaticAbility
from model.cards.card import Face
from model.cards.phrases import Filter, Who
from model.effects.board import Fight, Redirect
from model.families import ATTACKING, BLOCKED, COUNTERS, DAMAGE, EFFECT, STEP
from model.setup import Obj
from model.terms import Term, and_, eq, not_, number
from model.vocabulary import CounterKind, EventKind, Keyword, TurnStep, Type
from properties.kinds import Clause, Property, StepRule, StepView
from properties.shown import is_creature, lacks, shows, size, unchanged
from properties.support import down, item_of, on_battlefield, resolves, sets_types

__all__ = ["PROPERTIES"]

_MOST = 20
"""Damage beyond this makes no difference, and is not told apart."""


def _fighters(step: StepView) -> tuple[Obj, Obj] | None:
    """The two creatures that a spell or ability has fight, if that is all it says and they are its targets."""
    effect, item = resolves(step, Fight), item_of(step.setup, step.action)
    if not isinstance(effect, Fight) or item is None:
        return None
    spoken = item.spell if item.ability is None else item.ability
    told = getattr(spoken, "spell" if item.ability is None else "do", ())
    asked: tuple[object, ...] = getattr(spoken, "targets", ())
    plain = all(
        isinstance(t, Filter) and t == Filter(all_types=frozenset({Type.CREATURE}), other=t.other, phrase=t.phrase)
        for t in asked
    )
    if len(told) != 1 or not plain or {effect.fight.who, effect.other.who} != {Who.TARGET}:
        return None
    names = [value for key, value in step.action.label.arguments if key == "target"]
    a, b = (
        next((o for o in step.setup.objects if [o.name] == names[s.slot : s.slot + 1]), None)
        for s in (effect.fight, effect.other)
    )
    return None if a is None or b is None or a is b else (a, b)


def _fight(step: StepView) -> Iterable[Clause]:
    found = _fighters(step)
    guarded = any(isinstance(a, ProtectionAbility) for o in step.setup.objects for a in step.setup.abilities_of(o))
    if found is None or guarded or sets_types(step.setup) or any(isinstance(p, Redirect) for *_, p in step.setup.parts):
        return
    for a, b in (found, found[::-1]):
        view = step.before
        able = [and_(on_battlefield(view, o), is_creature(view, o), unchanged(view, o)) for o in (a, b)]
        able += [lacks(view, o, Keyword.HEXPROOF, Keyword.SHROUD) for o in (a, b)]
        power = size(view, a, "power")
        yield Clause(
            f"{a}: face down, and deals damage equal to the power that it shows to {b}, which it fights",
            and_(*able, down(view, a), power >= 0, view[DAMAGE, b] + power <= _MOST),
            eq(step.after[DAMAGE, b], view[DAMAGE, b] + power),
        )


def _set_and_added(step: StepView) -> Iterable[Clause]:
    found = _fighters(step)
    setup = step.setup
    abilities = [a for o in setup.objects for a in setup.abilities_of(o)]
    plain = not any(isinstance(a, StaticAbility | ProtectionAbility) for a in abilities)
    if found is None or sets_types(setup) or not plain or any(isinstance(p, Redirect) for *_, p in setup.parts):
        return
    view = step.before
    able = [and_(on_battlefield(view, o), is_creature(view, o)) for o in found]
    able += [not_(shows(view, o, _is_guarded)) for o in found]
    for a, b in (found, found[::-1]):
        for shot in setup.shots:
            power = shot.changes.power
            if power is None or shot.changes.add_power is not None or shot.changes.switch:
                continue
            others = [view[EFFECT, s, o].is_(0) for s in setup.shots for o in found if s is not shot or o is b]
            under = and_(view[EFFECT, shot, a] > 0, *others, down(view, a), *able)
            total = number(power) + view[COUNTERS, a, CounterKind.PLUS] - view[COUNTERS, a, CounterKind.MINUS]
            yield Clause(
                f"{a}: face down, with a power of {power} and its counters, which it deals to {b}",
                and_(under, total >= 0, view[DAMAGE, b] + total <= _MOST),
                eq(step.after[DAMAGE, b], view[DAMAGE, b] + total),
            )


def _is_guarded(face: Face) -> bool:
    return bool(face.keywords & {Keyword.HEXPROOF, Keyword.SHROUD})


def _begins(step: StepView, which: TurnStep) -> Term:
    return and_(not_(step.before[STEP,].is_(which)), step.after[STEP,].is_(which))


def _strikes_later(step: StepView) -> Iterable[Clause]:
    if TurnStep.FIRST_DAMAGE not in step.setup.steps or sets_types(step.setup):
        return
    for o in step.setup.objects:
        slow = lacks(step.before, o, Keyword.FIRST_STRIKE, Keyword.DOUBLE_STRIKE)
        yield Clause(
            f"{o}: face down, and deals no damage in the step of first strike",
            and_(_begins(step, TurnStep.FIRST_DAMAGE), on_battlefield(step.before, o), down(step.before, o), slow),
            not_(step.happens(EventKind.COMBAT_DAMAGE, o)),
        )


def _no_trample(step: StepView) -> Iterable[Clause]:
    for o in step.setup.objects:
        for p in step.setup.players:
            attacks = and_(step.before[ATTACKING, o].is_(p), step.before[BLOCKED, o])
            blunt = and_(down(step.before, o), lacks(step.before, o, Keyword.TRAMPLE))
            yield Clause(
                f"{o}: face down and blocked, and deals no damage to {p}",
                and_(_begins(step, TurnStep.DAMAGE), on_battlefield(step.before, o), attacks, blunt),
                not_(step.happens(EventKind.COMBAT_DAMAGE, o, p)),
            )


PROPERTIES: tuple[Property, ...] = (
    StepRule(
        "face-down-creatures-fight-with-what-they-show",
        "A face-down creature that fights deals damage equal to the power that it shows, with its counters.",
        ("701.14a", "708.2a", "613.4c"),
        formula=_fight,
    ),
    StepRule(
        "set-sizes-are-added-to",
        "A face-down creature whose power an effect sets has that power and what its counters add, whichever was "
        "first, as those that it fights feel.",
        ("613.4b", "613.4c", "613.1g"),
        formula=_set_and_added,
    ),
    StepRule(
        "face-down-creatures-do-not-strike-first",
        "A face-down creature deals no damage in the first of two steps of combat damage, though its card has first "
        "strike.",
        ("510.4", "708.2a"),
        formula=_strikes_later,
    ),
    StepRule(
        "face-down-creatures-do-not-trample",
        "A blocked face-down attacker deals no damage to the player, though its card has trample.",
        ("702.19b", "708.2a"),
        formula=_no_trample,
    ),
)
