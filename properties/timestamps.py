"""Properties of timestamps (613.7): what is turned over, enters, is attached or begins is newer than all else.

A timestamp is raw state: which of two sources of continuous effects is the newer.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable

from model.families import ATTACHED, CAUSE, COUNTERS, EFFECT, NEWER, ZONE
from model.setup import CounterStamp, Obj, Shot
from model.terms import FALSE, Term, and_, eq, not_, or_
from model.vocabulary import CounterKind, EventKind, Keyword, Marker, Zone
from properties.kinds import Clause, Property, StepRule, StepView, View
from properties.support import down, on_battlefield

__all__ = ["PROPERTIES"]

_KEYWORDS = {keyword.value for keyword in Keyword}


def _is_newer(view: View, a: Hashable, b: Hashable) -> Term:
    stamped = view.setup.stamped
    return view[NEWER, a, b] if stamped.index(a) < stamped.index(b) else not_(view[NEWER, b, a])


def _turned_over(step: StepView, o: Obj) -> Term:
    both = and_(on_battlefield(step.before, o), on_battlefield(step.after, o), not_(step.happens(EventKind.LEAVES, o)))
    return and_(both, not_(eq(down(step.before, o), down(step.after, o))))


def _comes(step: StepView, o: Obj) -> Term:
    """Whether an object enters the battlefield, or comes from another zone onto the stack."""
    cast = and_(step.changed(ZONE, o), step.after[ZONE, o].is_(Zone.STACK))
    return or_(step.happens(EventKind.ENTERS, o), cast)


def _joined(step: StepView, o: Obj) -> Term:
    on = step.after[ATTACHED, o].isnt(Marker.NONE)
    return and_(on_battlefield(step.before, o), step.changed(ATTACHED, o), on)


def _begins(step: StepView, stamp: Hashable) -> Term:
    """Whether one more instance of a continuous effect, or one more keyword counter, is there."""
    if isinstance(stamp, Shot):
        return or_(*(step.after[EFFECT, stamp, o] > step.before[EFFECT, stamp, o] for o in step.setup.objects))
    if isinstance(stamp, CounterStamp):
        kinds = [kind for kind in CounterKind if kind.value in _KEYWORDS]
        return or_(*(step.after[COUNTERS, stamp.on, k] > step.before[COUNTERS, stamp.on, k] for k in kinds))
    return FALSE


def _idle(step: StepView, stamp: Hashable) -> Term:
    """Whether nothing happens in the step that could give a source of continuous effects a timestamp."""
    if isinstance(stamp, Obj):
        turned = or_(step.changed(CAUSE, stamp), step.happens(EventKind.TURN_UP_ATTEMPT, stamp))
        moved = or_(step.changed(ZONE, stamp), step.happens(EventKind.LEAVES, stamp), _comes(step, stamp))
        return not_(or_(turned, moved, step.changed(ATTACHED, stamp), step.happens(EventKind.ATTACHED, stamp)))
    if isinstance(stamp, CounterStamp):
        return and_(*(not_(step.changed(COUNTERS, stamp.on, kind)) for kind in CounterKind))
    return not_(_resolves_from(step, stamp))


def _resolves_from(step: StepView, stamp: Hashable) -> Term:
    """Whether the source of an effect resolves or acts in the step, so that the effect may begin again."""
    assert isinstance(stamp, Shot)
    named = any(str(stamp.source) in value for _, value in step.action.label.arguments)
    return or_(_begins(step, stamp), FALSE if not named else step.happens(EventKind.TURNED_UP, stamp.source))


def _newest(
    words: str, happens: Callable[[StepView, Hashable], Term], kind: type[object] | tuple[type[object], ...]
) -> Callable[[StepView], Iterable[Clause]]:
    def formula(step: StepView) -> Iterable[Clause]:
        for stamp in step.setup.stamped:
            if isinstance(stamp, kind):
                now = happens(step, stamp)
                for other in step.setup.stamped:
                    if other is not stamp and now is not FALSE:
                        yield Clause(
                            f"{_called(stamp)}: {words}, and newer than {_called(other)}",
                            and_(now, _idle(step, other)),
                            _is_newer(step.after, stamp, other),
                        )

    return formula


def _called(stamp: Hashable) -> str:
    return f"counters on {stamp.on}" if isinstance(stamp, CounterStamp) else str(stamp)


def _over(step: StepView, stamp: Hashable) -> Term:
    return _turned_over(step, stamp) if isinstance(stamp, Obj) else FALSE


def _arrives(step: StepView, stamp: Hashable) -> Term:
    return or_(_comes(step, stamp), _joined(step, stamp)) if isinstance(stamp, Obj) else FALSE


PROPERTIES: tuple[Property, ...] = (
    StepRule(
        "turned-over-is-newest",
        "A permanent that is turned face up or face down has a timestamp later than all others.",
        ("613.7f", "613.7"),
        formula=_newest("turned over", _over, Obj),
    ),
    StepRule(
        "arrived-is-newest",
        "What enters the battlefield or the stack, or becomes attached, has a timestamp later than all others.",
        ("613.7d", "613.7e", "613.7"),
        formula=_newest("arrives or is attached", _arrives, Obj),
    ),
    StepRule(
        "begun-is-newest",
        "The effect of a spell or ability that begins, and keyword counters that are put on, have a timestamp later "
        "than all others.",
        ("613.7b", "613.7c", "613.7"),
        formula=_newest("begins", _begins, (Shot, CounterStamp)),
    ),
)
