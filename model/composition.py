"""Two games played side by side: self-composition (Barthe, D'Argenio and Rezk 2004).

A question about secrecy is one about two plays.  The composition of two systems takes the same action in both at once,
so that the engines answer it as a question about one system, whose states are pairs.
"""

from __future__ import annotations

from collections.abc import Callable

from model.state import Domain, Family, Requirement, Variable
from model.system import Action, TransitionSystem, order_variables
from model.terms import BOOL, Term, not_, or_

__all__ = ["TOLD", "compose"]

TOLD = Family("told", lambda setup: (Domain.full(BOOL), 0), shapes=False)
"""Whether, by now, the observer of two games has been told what makes them differ."""


def compose(
    first: TransitionSystem,
    second: TransitionSystem,
    knows: Term,
    told: Callable[[Action], Term],
) -> tuple[TransitionSystem, Term]:
    """The pairs of plays of two systems in which the same actions are taken, until an observer may tell them apart.

    Parameters
    ----------
    first, second
        Two systems; actions with the same key are taken together, and no others.
    knows
        Over the states of both: whether the observer may know.
    told
        Whether an action of either, besides, tells the observer.

    Returns
    -------
    TransitionSystem, Term
        The composition, and whether the observer has been told.  No pair is followed further once that is so.
    """
    flag = Variable(TOLD, (), Domain.full(BOOL), 0)
    ended = or_(flag.domain.term(flag), knows)
    others = {action.label.key: action for action in second.actions}
    actions = tuple(
        _together(action, others[action.label.key], ended, flag, told)
        for action in first.actions
        if action.label.key in others
    )
    domains = {**first.domains, **second.domains, flag: flag.domain}
    initial = {**first.initial, **second.initial, flag: (0,)}
    variables = (*order_variables(list(first.variables)), *order_variables(list(second.variables)), flag)
    terminal = or_(first.terminal, second.terminal, ended)
    return TransitionSystem(first.name, variables, domains, initial, actions, terminal, first.schema), ended


def _together(
    one: Action, two: Action, ended: Term, flag: Variable, told: Callable[[Action], Term]
) -> Action:
    updates = {**one.updates, **two.updates}
    updates[flag] = or_(told(one), told(two))
    requirements = (Requirement(not_(ended), "nothing has been told", ""), *one.requirements, *two.requirements)
    overflow = or_(one.overflow, two.overflow)
    return Action(one.label, requirements, updates, overflow, one.events, one.citations)
