"""Properties of turning face up and face down: what changes, and above all what does not (708.8)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from model.cards.abilities import Replacement
from model.families import (
    ATTACHED,
    ATTACKING,
    BLOCKING,
    CAUSE,
    CONTROLLER,
    COUNTERS,
    DAMAGE,
    EFFECT,
    ITEM,
    PROFILE,
    SICK,
    TAPPED,
    TARGET,
    TRANSFORMED,
    ZONE,
)
from model.setup import Obj
from model.terms import Term, and_, not_, or_
from model.vocabulary import Cause, CounterKind, EventKind
from properties.kinds import Clause, Invariant, Possible, Property, StepRule, StepView, View
from properties.special_actions import KEYWORD_ROUTE
from properties.support import (
    PERMANENT_OR_SPELL,
    cannot_turn_up,
    down,
    everybody_knows,
    is_instant_or_sorcery,
    on_battlefield,
    waiting_for,
)

__all__ = ["PROPERTIES"]

_STATUS = (ZONE, CONTROLLER, TAPPED, DAMAGE, ATTACHED, ATTACKING, BLOCKING, SICK)


def _flips(step: StepView, o: Obj) -> Term:
    """Whether a permanent is turned over in the step: face down on one side of it, face up on the other."""
    both = and_(on_battlefield(step.before, o), on_battlefield(step.after, o))
    same_object = not_(step.happens(EventKind.LEAVES, o))
    over = or_(
        and_(down(step.before, o), not_(down(step.after, o))), and_(not_(down(step.before, o)), down(step.after, o))
    )
    return and_(both, same_object, over)


def _turned_over(step: StepView) -> Iterator[tuple[Obj, Term]]:
    for o in step.setup.objects:
        yield o, _flips(step, o)


def _frame(step: StepView) -> Iterable[Clause]:
    rule = step.action.label.rule
    if rule == "state-based actions":
        return
    for o, flips in _turned_over(step):
        kept = [
            not_(step.changed(family, o))
            for family in _STATUS
            if not (family in (TAPPED, DAMAGE, ATTACHED) and rule in ("resolve", "next turn"))
        ]
        kept += [not_(step.changed(EFFECT, shot, o)) for shot in step.setup.shots if rule != "resolve"]
        yield Clause(f"{o}: turned over, and otherwise the same permanent", flips, and_(*kept))


def _tapped(step: StepView) -> Iterable[Clause]:
    for o, flips in _turned_over(step):
        yield Clause(f"{o}: turned over, tapped or untapped as it was", flips, not_(step.changed(TAPPED, o)))


def _counters(step: StepView) -> Iterable[Clause]:
    by_megamorph = step.action.label.rule == KEYWORD_ROUTE and str(step.argument("cost")).startswith("megamorph")
    for o, flips in _turned_over(step):
        if step.action.label.rule in ("resolve", "state-based actions"):
            continue
        if any(isinstance(a, Replacement) for a in step.setup.abilities_of(o)):
            continue
        plus = step.after[COUNTERS, o, CounterKind.PLUS]
        want = step.before[COUNTERS, o, CounterKind.PLUS] + (1 if by_megamorph else 0)
        yield Clause(
            f"{o}: one +1/+1 counter more if its megamorph cost was paid, and else as many as before",
            flips,
            plus.is_(want),
        )


def _targets(step: StepView) -> Iterable[Clause]:
    for o, flips in _turned_over(step):
        for place in range(step.setup.bounds.stack):
            still = and_(
                step.before[ITEM, place].isnt(step.setup.item_sort.members[0]), not_(step.changed(ITEM, place))
            )
            for k in range(step.setup.target_places):
                aimed = step.before[TARGET, place, k].is_(o)
                yield Clause(
                    f"{o}: still the target of what targets it",
                    and_(flips, still, aimed),
                    step.after[TARGET, place, k].is_(o),
                )


def _no_entering(step: StepView) -> Iterable[Clause]:
    watching = [(w, a) for kind in (EventKind.ENTERS,) for w, a in step.setup.watchers(kind)]
    for o, flips in _turned_over(step):
        others = or_(*(step.happens(EventKind.ENTERS, other) for other in step.setup.objects if other is not o))
        quiet = [waiting_for(step.after, w, a) <= waiting_for(step.before, w, a) for w, a in watching]
        yield Clause(
            f"{o}: turned over, and nothing enters or triggers on entering",
            and_(flips, not_(others)),
            and_(not_(step.happens(EventKind.ENTERS, o)), *quiet),
        )


def _attempts(step: StepView) -> Iterator[tuple[Obj, Term]]:
    for o in step.setup.objects:
        if is_instant_or_sorcery(o):
            stays = and_(on_battlefield(step.after, o), down(step.before, o))
            yield o, and_(step.happens(EventKind.TURN_UP_ATTEMPT, o), stays)


def _instant_stays_down(step: StepView) -> Iterable[Clause]:
    for o, tried in _attempts(step):
        yield Clause(
            f"{o}: revealed, face down for the same cause",
            tried,
            and_(not_(step.changed(CAUSE, o)), not_(step.changed(PROFILE, o)), everybody_knows(step.after, o)),
        )


def _instant_triggers_nothing(step: StepView) -> Iterable[Clause]:
    watching = list(step.setup.watchers(EventKind.TURNED_UP))
    for o, tried in _attempts(step):
        others = or_(*(step.happens(EventKind.TURNED_UP, other) for other in step.setup.objects if other is not o))
        quiet = [waiting_for(step.after, w, a) <= waiting_for(step.before, w, a) for w, a in watching]
        yield Clause(
            f"{o}: nothing triggers on its being turned face up",
            and_(tried, not_(others)),
            and_(not_(step.happens(EventKind.TURNED_UP, o)), *quiet),
        )


def _instant_never_up(step: StepView) -> Iterable[Clause]:
    for o in step.setup.objects:
        if is_instant_or_sorcery(o):
            premise = and_(on_battlefield(step.before, o), down(step.before, o), on_battlefield(step.after, o))
            yield Clause(f"{o}: an instant or sorcery card, and still face down", premise, down(step.after, o))


def _barred(step: StepView) -> Iterable[Clause]:
    for o in step.setup.objects:
        premise = and_(
            on_battlefield(step.before, o),
            down(step.before, o),
            cannot_turn_up(step.before, o),
            on_battlefield(step.after, o),
            not_(step.happens(EventKind.LEAVES, o)),
        )
        yield Clause(f"{o}: cannot be turned face up, and is not", premise, down(step.after, o))


def _cause_kept(step: StepView) -> Iterable[Clause]:
    for o in step.setup.objects:
        premise = and_(
            down(step.before, o),
            on_battlefield(step.before, o),
            on_battlefield(step.after, o),
            down(step.after, o),
            not_(step.happens(EventKind.ENTERS, o)),
        )
        yield Clause(
            f"{o}: face down for the same cause, with the same characteristics",
            premise,
            and_(not_(step.changed(CAUSE, o)), not_(step.changed(PROFILE, o))),
        )


def _spell_keeps_cause(step: StepView) -> Iterable[Clause]:
    for o in step.setup.objects:
        on_stack = and_(step.before[ZONE, o].is_(PERMANENT_OR_SPELL[1]), down(step.before, o))
        premise = and_(on_stack, on_battlefield(step.after, o))
        yield Clause(
            f"{o}: enters face down as it was cast",
            premise,
            and_(not_(step.changed(CAUSE, o)), not_(step.changed(PROFILE, o))),
        )


def _front_face(step: StepView) -> Iterable[Clause]:
    for o, flips in _turned_over(step):
        if o.card.is_double_faced:
            yield Clause(
                f"{o}: turned face up, front face up",
                and_(flips, down(step.before, o)),
                not_(step.after[TRANSFORMED, o]),
            )


def _frozen_faces(step: StepView) -> Iterable[Clause]:
    for o in step.setup.objects:
        if o.card.is_double_faced:
            premise = and_(
                on_battlefield(step.before, o), down(step.before, o), on_battlefield(step.after, o), down(step.after, o)
            )
            yield Clause(
                f"{o}: face down, and does not transform",
                premise,
                and_(not_(step.happens(EventKind.TRANSFORMED, o)), not_(step.changed(TRANSFORMED, o))),
            )


def _double_faced_stays_up(step: StepView) -> Iterable[Clause]:
    for o in step.setup.objects:
        if o.card.is_double_faced:
            premise = and_(
                on_battlefield(step.before, o),
                not_(down(step.before, o)),
                on_battlefield(step.after, o),
                not_(step.happens(EventKind.LEAVES, o)),
            )
            yield Clause(f"{o}: double-faced, and not turned face down", premise, not_(down(step.after, o)))


def _designation_ends(view: View) -> Iterable[Clause]:
    for o in view.setup.objects:
        yield Clause(
            f"{o}: face up or elsewhere, and no longer manifested",
            and_(not_(view[ZONE, o].among(PERMANENT_OR_SPELL))),
            view[CAUSE, o].is_(Cause.NONE),
        )


def _turned(kind: EventKind, words: str, down_after: bool) -> Callable[[StepView], Iterable[Clause]]:
    def formula(step: StepView) -> Iterable[Clause]:
        for o in step.setup.objects:
            is_down = down(step.after, o)
            yield Clause(f"{o}: {words}", step.happens(kind, o), is_down if down_after else not_(is_down))

    return formula


def _attempt_witness(step: StepView) -> Iterable[Clause]:
    for o, tried in _attempts(step):
        yield Clause(f"{o}: revealed and still face down", tried, down(step.after, o))


def _attached_through(step: StepView) -> Iterable[Clause]:
    for o, flips in _turned_over(step):
        for other in step.setup.objects:
            if other is not o:
                yield Clause(
                    f"{o}: turned over with {other} attached",
                    and_(flips, step.before[ATTACHED, other].is_(o)),
                    step.after[ATTACHED, other].is_(o),
                )


def _attachment_falls(step: StepView) -> Iterable[Clause]:
    if step.action.label.rule != "state-based actions":
        return
    for aura in step.setup.objects:
        for o in step.setup.objects:
            was_on = and_(
                on_battlefield(step.before, o),
                on_battlefield(step.after, o),
                step.before[ATTACHED, aura].is_(o),
                not_(down(step.before, o)),
            )
            yield Clause(f"{aura}: no longer legal on {o}", was_on, not_(step.after[ATTACHED, aura].is_(o)))


def _double_faced_up(step: StepView) -> Iterable[Clause]:
    for o in step.setup.objects:
        if o.card.is_double_faced:
            yield Clause(
                f"{o}: double-faced, turned face up",
                step.happens(EventKind.TURNED_UP, o),
                and_(down(step.before, o), not_(down(step.after, o))),
            )


def _flip_tapped(step: StepView) -> Iterable[Clause]:
    for o, flips in _turned_over(step):
        yield Clause(f"{o}: turned over while tapped", and_(flips, step.before[TAPPED, o]), step.after[TAPPED, o])


PROPERTIES: tuple[Property, ...] = (
    StepRule(
        "turning-over-changes-characteristics-only",
        "A permanent that is turned face up or face down stays the same permanent: zone, controller, tapped or not, "
        "damage, attachments, combat and effects are as before.",
        ("708.8", "110.5", "400.7", "611.2c"),
        ("S17",),
        formula=_frame,
    ),
    StepRule(
        "turning-over-keeps-tapped",
        "Turning a permanent over does not tap or untap it.",
        ("110.5", "110.5c"),
        ("S18",),
        formula=_tapped,
    ),
    StepRule(
        "counters-on-turning-up",
        "Turning up changes no counters, but for the +1/+1 counter if the megamorph cost was paid.",
        ("708.8", "702.37b"),
        ("S17",),
        formula=_counters,
    ),
    StepRule(
        "turning-over-keeps-targets",
        "What targets a permanent that is turned over still targets it.",
        ("708.8", "608.2b"),
        ("S17",),
        formula=_targets,
    ),
    StepRule(
        "turning-up-is-no-entering",
        "Turning a permanent over makes nothing enter, and no enters ability trigger.",
        ("708.8", "603.6a"),
        ("S15",),
        formula=_no_entering,
    ),
    StepRule(
        "instant-or-sorcery-is-revealed-and-stays-down",
        "When something would turn a face-down instant or sorcery card face up, it is revealed and stays face down "
        "as it was.",
        ("701.40g", "701.58g"),
        ("S24",),
        formula=_instant_stays_down,
    ),
    StepRule(
        "instant-or-sorcery-triggers-nothing",
        "The attempt to turn an instant or sorcery card face up triggers no turned-face-up ability.",
        ("701.40g", "603.2g"),
        ("S25",),
        formula=_instant_triggers_nothing,
    ),
    StepRule(
        "instant-or-sorcery-never-turns-up",
        "A face-down instant or sorcery card on the battlefield stays face down.",
        ("701.40g", "701.58g", "712.8a"),
        ("S24",),
        formula=_instant_never_up,
    ),
    StepRule(
        "what-cannot-be-turned-up-is-not",
        "A permanent that cannot be turned face up stays face down.",
        ("101.2",),
        formula=_barred,
    ),
    StepRule(
        "cause-is-kept",
        "A permanent that stays face down keeps its cause and its listed characteristics; effects "
        "that would turn it face down do nothing.",
        ("708.2b", "708.6"),
        ("S22", "S23"),
        formula=_cause_kept,
    ),
    StepRule(
        "face-down-spell-enters-as-cast",
        "A face-down spell becomes a face-down permanent with the same cause and characteristics.",
        ("708.4", "608.3a"),
        ("S23",),
        formula=_spell_keeps_cause,
    ),
    StepRule(
        "double-faced-turns-up-front",
        "A double-faced card that is turned face up has its front face up.",
        ("712.15a",),
        ("S9",),
        formula=_front_face,
    ),
    StepRule(
        "face-down-does-not-transform",
        "A face-down permanent cannot transform.",
        ("712.15", "701.27a"),
        ("S9",),
        formula=_frozen_faces,
    ),
    StepRule(
        "double-faced-cannot-be-turned-down",
        "A face-up double-faced permanent is not turned face down.",
        ("712.16",),
        ("S9",),
        formula=_double_faced_stays_up,
    ),
    Invariant(
        "designation-ends-on-leaving",
        "What has left the battlefield and the stack is no longer manifested, cloaked or face down for any cause.",
        ("701.40a", "708.9"),
        formula=_designation_ends,
    ),
    Possible(
        "turned-up",
        "A permanent is turned face up.",
        ("708.8",),
        ("S15", "S17"),
        on_step=_turned(EventKind.TURNED_UP, "turned face up", False),
    ),
    Possible(
        "turned-down",
        "A permanent is turned face down.",
        ("708.2a",),
        ("S17",),
        on_step=_turned(EventKind.TURNED_DOWN, "turned face down", True),
    ),
    Possible(
        "instant-or-sorcery-attempted",
        "Something tries to turn a face-down instant or sorcery card face up.",
        ("701.40g",),
        ("S24", "S25"),
        on_step=_attempt_witness,
    ),
    Possible(
        "attached-through-turning",
        "Something stays attached to a permanent that is turned over.",
        ("708.8", "303.4c"),
        ("S17",),
        on_step=_attached_through,
    ),
    Possible(
        "attachment-falls-off-what-turned-up",
        "An Aura or Equipment becomes illegal on what its permanent turned out to be.",
        ("704.5m", "704.5n"),
        ("S17",),
        on_step=_attachment_falls,
    ),
    Possible(
        "double-faced-turned-up",
        "A manifested double-faced card is turned face up.",
        ("712.15a",),
        ("S9",),
        on_step=_double_faced_up,
    ),
    Possible(
        "turned-over-while-tapped", "A tapped permanent is turned over.", ("110.5",), ("S18",), on_step=_flip_tapped
    ),
)
