"""Properties of the order of play: who may act, what resolves, and how steps and turns follow (117, 500, 603, 608)."""

from __future__ import annotations

from collections.abc import Iterable

from model.cards.abilities import TriggeredAbility
from model.families import (
    ACTIVE,
    ATTACHED,
    BY,
    COUNTERS,
    DAMAGE,
    ITEM,
    LEFT,
    LIFE,
    PAID_X,
    PENDING,
    PRIORITY,
    SETTLED,
    SKIPS_UNTAP,
    STEP,
    TAPPED,
    TARGET,
    THAT,
    ZONE,
    X,
)
from model.setup import Item, Player
from model.terms import FALSE, TRUE, Term, and_, not_, or_
from model.vocabulary import CounterKind, Marker, TurnStep, Type, Zone
from properties.kinds import Clause, Invariant, Property, StepRule, StepView, View
from properties.printed import actor_of, chosen_targets, item_named
from properties.support import (
    changes_of,
    controls,
    in_game,
    on_battlefield,
    shown_face,
)

__all__ = ["PROPERTIES"]

_RESOLVING = ("resolve", "resolve face down", "resolve ward")
_GAME_ITSELF = (*_RESOLVING, "next step", "next turn", "attack", "block")
_WITH_PRIORITY = (
    "pass", "cast", "cast face down", "play a land", "activate", "equip", "concede",
    "turn face up for mana cost", "turn face up for keyword cost",
)
_PUT_TRIGGER, _DROP_TRIGGER = "put trigger on the stack", "drop trigger"
_CHECKS = ("state-based actions", "legend rule")
_COMBAT = (TurnStep.ATTACK, TurnStep.BLOCK, TurnStep.FIRST_DAMAGE, TurnStep.DAMAGE)


# -- priority -------------------------------------------------------------------------------------------------------


def _after_the_end(step: StepView) -> Iterable[Clause]:
    yield Clause("the game is not over before the step", TRUE, in_game(step.before))


def _priority(step: StepView) -> Iterable[Clause]:
    p = actor_of(step)
    if p is not None and step.action.label.rule in _WITH_PRIORITY:
        here = and_(step.before[PRIORITY,].is_(p), step.before[SETTLED,], not_(step.before[LEFT, p]))
        yield Clause(f"{p}: acts, and has priority", TRUE, here)


def _all_have_passed(step: StepView) -> Iterable[Clause]:
    if step.action.label.rule in _GAME_ITSELF:
        passed = and_(step.before[PRIORITY,].is_(Marker.NONE), step.before[SETTLED,])
        yield Clause("all have passed in succession, and nothing else is to be done", TRUE, passed)


def _active_first(step: StepView) -> Iterable[Clause]:
    if step.action.label.rule in _GAME_ITSELF:
        for p in step.setup.players:
            yield Clause(
                f"{p}: the active player, and gets priority after what the game did",
                and_(step.after[ACTIVE,].is_(p), in_game(step.after), not_(step.after[LEFT, p])),
                step.after[PRIORITY,].is_(p),
            )


def _due(view: View) -> Term:
    """Whether a state-based action applies: one of those that can be read off raw state."""
    found = [and_(view[LIFE, p] <= 0, not_(view[LEFT, p])) for p in view.setup.players]
    for o in view.setup.objects:
        if o.token:
            found.append(not_(view[ZONE, o].among((Zone.BATTLEFIELD, Zone.OUTSIDE, Zone.STACK))))
        elif Type.PLANESWALKER in o.card.front.types and not o.card.is_double_faced:
            found.append(and_(shown_face(view, o), view[COUNTERS, o, CounterKind.LOYALTY] <= 0))
    return or_(*found)


def _checks_first(step: StepView) -> Iterable[Clause]:
    is_check = TRUE if step.action.label.rule in (*_CHECKS, "look") else FALSE
    due = and_(in_game(step.before), _due(step.before))
    yield Clause("a state-based action applies, and is performed", due, is_check)


# -- triggered abilities --------------------------------------------------------------------------------------------


def _trigger(step: StepView) -> tuple[Item, Player] | None:
    """The triggered ability that a step takes from those that wait, with its controller."""
    p, item = actor_of(step), item_named(step.setup, step.argument("ability"))
    taken = step.action.label.rule in (_PUT_TRIGGER, _DROP_TRIGGER)
    return (item, p) if taken and item is not None and p is not None else None


def _has_triggered(view: View) -> Iterable[Clause]:
    for item in dict.fromkeys(item for item, _, _ in view.setup.waiting):
        subjects = view.setup.subjects(item)
        for p in view.setup.players:
            for that in subjects:
                # Labels do not say that an ability is about nothing.
                any_of = subjects if that is Marker.NONE else (that,)
                about = {} if that is Marker.NONE else {"about": str(that)}
                waits = or_(*(view[PENDING, item, other, p] > 0 for other in any_of))
                rules = (_PUT_TRIGGER, _DROP_TRIGGER)
                offered = or_(*(view.offered(rule, p.name, ability=str(item), **about) for rule in rules))
                yield Clause(f"{item}: does not wait for {p}, and is not put on the stack", not_(waits), not_(offered))


def _in_turn_order(step: StepView) -> Iterable[Clause]:
    found = _trigger(step)
    if found is None:
        return
    for first in step.setup.players:
        order = (first, *step.setup.others(first))
        before = order[: order.index(found[1])]
        waiting = or_(*(step.before[PENDING, i, that, q] > 0 for i, that, q in step.setup.waiting if q in before))
        yield Clause(f"{found[0]}: put on the stack by {found[1]} after every trigger of those before in turn order",
                     step.before[ACTIVE,].is_(first), not_(waiting))


def _at_most_x(step: StepView) -> Iterable[Clause]:
    found = _trigger(step)
    if found is not None and isinstance(found[0].ability, TriggeredAbility) and found[0].ability.at_most_x:
        item = found[0]
        chosen = sum(1 for name in chosen_targets(step) if name != str(Marker.NONE))
        yield Clause(f"{item}: has {chosen} targets, of at most X", TRUE, step.before[PAID_X, item.source] >= chosen)


# -- resolving ------------------------------------------------------------------------------------------------------


def _top(step: StepView) -> Iterable[Clause]:
    if step.action.label.rule in _RESOLVING:
        item = item_named(step.setup, step.argument("item"))
        by = next(p for p in step.setup.players if p.name == step.argument("by"))
        if item is not None:
            on_top = and_(step.before[ITEM, 0].is_(item), step.before[BY, 0].is_(by))
            yield Clause(f"{item}: resolves, and is what {by} put on top of the stack", TRUE, on_top)


def _as_put(step: StepView) -> Iterable[Clause]:
    if step.action.label.rule not in _RESOLVING:
        return
    known = {str(member): member for member in step.setup.reference_sort.members}
    same = [step.before[TARGET, 0, k].is_(known[name]) for k, name in enumerate(chosen_targets(step))]
    if (about := step.argument("about")) is not None:
        same.append(step.before[THAT, 0].is_(known[about]))
    if (x := step.argument("x")) is not None:
        same.append(step.before[X, 0].is_(int(x)))
    if same:
        yield Clause("what resolves has the targets and the X that were chosen", TRUE, and_(*same))


# -- steps and turns ------------------------------------------------------------------------------------------------


def _steps(step: StepView) -> Iterable[Clause]:
    steps, label = step.setup.steps, step.action.label
    if label.rule == "next turn":
        return
    idle = label.rule == "attack" and step.argument("attackers") == "nothing"
    for now, place in zip(steps, range(1, len(steps) + 1), strict=True):
        rest = [s for s in steps[place:] if not (idle and s in _COMBAT)]
        following = step.after[STEP,].is_(rest[0]) if rest else FALSE
        goes_on = and_(following, step.before[ITEM, 0].is_(Marker.NONE), not_(step.changed(ACTIVE)))
        yield Clause(f"{now}: over, the stack is empty, and the next step of the turn begins",
                     and_(step.before[STEP,].is_(now), step.changed(STEP)), goes_on)


def _turns(step: StepView) -> Iterable[Clause]:
    steps, players = step.setup.steps, step.setup.players
    begins = step.action.label.rule == "next turn"
    for p in players:
        heirs, gone = [], TRUE
        for q in step.setup.others(p):
            heirs.append(and_(step.after[ACTIVE,].is_(q), not_(step.before[LEFT, q]), gone))
            gone = and_(gone, step.before[LEFT, q])
        ended = and_(step.before[ITEM, 0].is_(Marker.NONE), step.before[STEP,].is_(steps[-1]))
        yield Clause(f"{p}: the turn is over, and that of the next player who is in the game begins",
                     and_(step.before[ACTIVE,].is_(p), TRUE if begins else step.changed(ACTIVE)),
                     and_(TRUE if begins else FALSE, ended, step.after[STEP,].is_(steps[0]), or_(*heirs)))


def _begins(step: StepView) -> Player | None:
    if step.action.label.rule != "next turn":
        return None
    return next(p for p in step.setup.players if p.name == step.argument("of"))


def _untaps(step: StepView) -> Iterable[Clause]:
    p = _begins(step)
    if p is None:
        return
    held = any(c.doesnt_untap for c in changes_of(step.setup))
    for o in step.setup.objects:
        mine = controls(step.after, o, p)
        was = and_(on_battlefield(step.before, o), on_battlefield(step.after, o), step.before[TAPPED, o])
        yield Clause(f"{o}: tapped, not {p}'s, and stays so as {p}'s turn begins",
                     and_(was, not_(mine)), step.after[TAPPED, o])
        if not held:
            yield Clause(f"{o}: tapped, {p}'s, and untaps as {p}'s turn begins",
                         and_(was, mine, not_(step.before[SKIPS_UNTAP, p])), not_(step.after[TAPPED, o]))


def _wears_off(step: StepView) -> Iterable[Clause]:
    if _begins(step) is not None:
        for o in step.setup.objects:
            yield Clause(f"{o}: no longer damaged, and still attached as it was", on_battlefield(step.before, o),
                         and_(step.after[DAMAGE, o].is_(0), not_(step.changed(ATTACHED, o))))


PROPERTIES: tuple[Property, ...] = (
    StepRule(
        "nothing-happens-after-the-end",
        "Once the game is over, nothing happens any more.",
        ("104.1",),
        formula=_after_the_end,
    ),
    StepRule(
        "players-act-with-priority",
        "Who casts, activates, plays a land, takes a special action or passes is in the game and has priority.",
        ("117.1", "117.1a", "117.1c", "117.2e", "117.5"),
        formula=_priority,
    ),
    StepRule(
        "game-goes-on-when-all-have-passed",
        "The top of the stack resolves, and a step or turn ends, only after all players have passed in succession.",
        ("117.4", "117.5", "500.2"),
        formula=_all_have_passed,
    ),
    StepRule(
        "active-player-gets-priority",
        "When a step begins, and after a resolution, the active player gets priority.",
        ("117.3b",),
        formula=_active_first,
    ),
    StepRule(
        "state-based-actions-come-first",
        "While a state-based action applies, nothing else happens: no trigger is put on the stack, and nobody acts.",
        ("704.3", "117.5", "603.3"),
        formula=_checks_first,
    ),
    Invariant(
        "only-what-has-triggered-goes-on-the-stack",
        "A triggered ability is put on the stack, or dropped for want of a target, by its controller and only if it "
        "has triggered.",
        ("603.2", "603.3"),
        formula=_has_triggered,
    ),
    StepRule(
        "triggers-go-on-the-stack-in-turn-order",
        "Players put their triggered abilities on the stack in turn order, the active player first.",
        ("603.3b",),
        formula=_in_turn_order,
    ),
    StepRule(
        "trigger-has-at-most-x-targets",
        "A triggered ability with up to X targets gets no more of them than the X that was paid.",
        ("601.2c", "603.3d", "107.3"),
        formula=_at_most_x,
    ),
    StepRule(
        "top-of-the-stack-resolves",
        "What resolves is on top of the stack, under the control of the player who follows its instructions.",
        ("608.1", "117.4"),
        formula=_top,
    ),
    StepRule(
        "resolves-as-it-was-put-on-the-stack",
        "What resolves has the targets, the X and the event that it was put on the stack with.",
        ("608.2", "608.2b", "601.2c", "107.3"),
        formula=_as_put,
    ),
    StepRule(
        "steps-follow-in-order",
        "A step ends with an empty stack, and the next one of the same turn begins; without attackers the rest of "
        "combat is skipped.",
        ("500.1", "500.2", "508.8"),
        formula=_steps,
    ),
    StepRule(
        "turns-follow-in-order",
        "A turn ends after its last step with an empty stack, and the next player in turn order who is in the game "
        "begins one with its first step.",
        ("500.1", "500.2", "800.4a"),
        formula=_turns,
    ),
    StepRule(
        "untap-step-untaps-the-active-players",
        "As a turn begins, the permanents that the active player controls untap, and no others.",
        ("502.3",),
        formula=_untaps,
    ),
    StepRule(
        "damage-wears-off-between-turns",
        "As a turn ends, all damage wears off, and what is attached stays attached.",
        ("514.2",),
        formula=_wears_off,
    ),
)
