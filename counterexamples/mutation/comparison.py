"""Whether two models are one: their transition relations compared term by term, by a solver, and by exploring.

Systems of one schema share their variables, and terms are hash-consed, so two relations that are written alike are
found equal by comparing pointers.  What is left is put to Z3, over all states and not only those that can be reached;
and if that fails, exploring tells whether any play shows the difference.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

from counterexamples.search._smt_solver import Answer, Budget, Limits, Questioner, Unsat
from counterexamples.search.explore import explore
from counterexamples.trials import OPTIONS
from model.readings.smt import Lowering
from model.state import Variable
from model.system import Action, Monitor, Path, TransitionSystem, slice_system
from model.terms import FALSE, Term, and_, eq, not_, or_, substitute
from model.terms import variables as variables_of

__all__ = ["Difference", "Differs", "differences_between", "prove_equal", "shortest_difference"]

_SECONDS = 20.0
"""How long the solver may think about one pair of systems."""


@dataclass(frozen=True, slots=True)
class Differs:
    """How an action of one system differs from the one of the same name in another.

    Parameters
    ----------
    label
        What is done, in words.
    action
        Its index in the right system; None if only the wrong one has it.
    goes_on
        In which states both take it and something else comes of it, or only the right one takes it.
    is_new
        In which states only the wrong system takes it.
    told
        In which states it tells of other events or names other rules.
    """

    label: str
    action: int | None
    goes_on: Term
    is_new: Term
    told: Term

    @property
    def anywhere(self) -> Term:
        """In which states the transition relations differ."""
        return or_(self.goes_on, self.is_new)


@dataclass(frozen=True, slots=True)
class Difference:
    """A shortest play that shows a difference.

    Attributes
    ----------
    play
        Its steps in words; the last is the one that differs.
    how
        What is different about it.
    """

    play: tuple[str, ...]
    how: str


def differences_between(right: TransitionSystem, wrong: TransitionSystem) -> list[Differs]:
    """Every action that is not the same term by term; both systems share their schema."""
    theirs = {action.label.key: action for action in wrong.actions}
    translate = _Translation(right)
    found = []
    for index, action in enumerate(right.actions):
        other = theirs.pop(action.label.key, None)
        if other is None:
            found.append(Differs(str(action.label), index, action.guard, FALSE, FALSE))
        elif (differs := _compare(index, action, other, translate)) is not None:
            found.append(differs)
    found += [Differs(str(action.label), None, FALSE, translate(action.guard), FALSE) for action in theirs.values()]
    return [d for d in found if d.anywhere is not FALSE or d.told is not FALSE]


class _Translation:
    """Reads the variables of another system as those of this one: what is constant here is the constant."""

    def __init__(self, system: TransitionSystem) -> None:
        self._system = system
        self._reads: dict[Hashable, Term] = {}
        self._memo: dict[Term, Term] = {}

    def __call__(self, term: Term) -> Term:
        for key in variables_of([term]):
            assert isinstance(key, Variable)
            self._reads.setdefault(key, self._system.read(key))
        return substitute(term, self._reads, self._memo)

    def read(self, variable: Variable) -> Term:
        """What a variable is before the step."""
        return self._system.read(variable)


def _compare(index: int, one: Action, other: Action, translate: _Translation) -> Differs | None:
    if _alike(one, other):
        return None
    theirs = translate(other.guard)
    both = and_(one.guard, theirs)
    updates = {v: translate(t) for v, t in other.updates.items()}
    changed = [
        not_(eq(one.updates.get(v, translate.read(v)), updates.get(v, translate.read(v))))
        for v in dict.fromkeys([*one.updates, *updates])
        if one.updates.get(v) is not updates.get(v)
    ]
    overflow = not_(eq(one.overflow, translate(other.overflow)))
    goes_on = or_(and_(one.guard, not_(theirs)), and_(both, or_(overflow, *changed)))
    told = and_(both, _tells_otherwise(one, other, translate))
    return Differs(str(one.label), index, goes_on, and_(theirs, not_(one.guard)), told)


def _alike(one: Action, other: Action) -> bool:
    return (
        one.guard is other.guard and one.overflow is other.overflow and dict(one.updates) == dict(other.updates)
        and set(one.citations) == set(other.citations) and one.events == other.events
    )


def _tells_otherwise(one: Action, other: Action, translate: _Translation) -> Term:
    """In which states the two tell of other events, or name other rules."""
    mine, theirs = _told(one), _told(other)
    keys = dict.fromkeys([*mine, *theirs])
    return or_(*(not_(eq(mine.get(key, FALSE), translate(theirs.get(key, FALSE)))) for key in keys))


def _told(action: Action) -> Mapping[Hashable, Term]:
    found: dict[Hashable, Term] = {citation.rule: citation.condition for citation in action.citations}
    for event in action.events:
        key = (event.kind, event.subjects)
        found[key] = or_(found.get(key, FALSE), event.condition)
    return found


def prove_equal(right: TransitionSystem, differs: Sequence[Differs]) -> Answer:
    """Ask Z3 for a state, reachable or not, in which the relations differ; :class:`Unsat` proves them equal."""
    wanted = or_(*(d.anywhere for d in differs))
    if wanted is FALSE:
        return Unsat(frozenset())
    lowering = Lowering(right)
    asked = Questioner(lowering.context, Budget(Limits(seconds=_SECONDS)))
    asked.add(lowering.domain(0), lowering.term(wanted))
    return asked.ask()


def shortest_difference(right: TransitionSystem, differs: Sequence[Differs]) -> tuple[Difference | None, bool]:
    """A shortest play on which the models differ, and whether everything was explored to find it."""
    new = Monitor("new", or_(*(d.is_new for d in differs)))
    goes_on = Monitor("goes on", FALSE, {d.action: d.goes_on for d in differs if d.action is not None})
    told = Monitor("told", FALSE, {d.action: d.told for d in differs if d.action is not None})
    monitors = [goes_on, new, told]
    sliced = slice_system(right, [t for m in monitors for t in (m.on_state, *m.on_step.values())])
    found = explore(sliced, monitors, max_states=OPTIONS.max_states, max_seconds=OPTIONS.max_seconds)
    whole = found.complete and not found.overflows
    ways = {"goes on": "goes on otherwise", "new": "more can be done there", "told": "tells of other events or rules"}
    hits = [(name, path) for name, path in found.hits.items() if name != "told" or len(found.hits) == 1]
    if not hits:
        return None, whole
    name, path = min(hits, key=lambda hit: len(hit[1].actions))
    return Difference(_words(right, path), ways[name]), whole


def _words(system: TransitionSystem, path: Path) -> tuple[str, ...]:
    return tuple(str(system.actions[index].label) for index in path.actions)
