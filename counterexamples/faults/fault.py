"""What a fault is, and how one is planted.

A fault replaces one rule function (or a few, by the same wrong one) for as long as a context manager is open.  The
rules know nothing of it.  To add one, write the wrong function in the module of its chapter and decorate it::

    @fault("F-no-tax", "CAST", "own", "Face-down spells cost nothing.", breaks=mana.pay, rules=("702.37a",),
           caught_by=("cast-face-down-costs-three",), on=("S2",))
    def face_down_spells_are_free(right: Rule, *args: Any, **kwargs: Any) -> None:
        ...

The wrong function takes the right one first, then what the right one takes.  That is all: the matrix finds it, runs the
scenarios, and demands that every property in ``caught_by`` turns red and that one of them cites a rule in ``rules``.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import Any

__all__ = ["Fault", "Outside", "Rule", "fault", "faults_in", "installed", "planted"]

Rule = Callable[..., Any]
"""A rule function, or a method of a class of the model."""

_PACKAGES = ("model", "model.rules", "model.effects", "model.cards")
"""Where the rules are; the readings only evaluate what they wrote."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A wrong variant of the rules.

    Parameters
    ----------
    id
        ``BR-50`` for a public report, ``F-...`` for one of our own.
    kind
        The class of the report: TURNUP, CAST, MASK, ...
    source
        Where it was reported; ``own`` if nowhere.
    says
        What goes wrong, in one sentence.
    breaks
        The rule functions that it replaces, by reference.
    wrong
        What is called instead, with the right function before the arguments.
    rules
        The rule numbers that it breaks.
    caught_by
        The ids of the properties that must turn red, each on at least one of the scenarios.
    on
        Scenarios: ``S15`` for those of a ruling, ``S15/2`` for its second, else a file of ``faults/scenarios``.
    """

    id: str
    kind: str
    source: str
    says: str
    breaks: tuple[Rule, ...]
    wrong: Rule
    rules: tuple[str, ...]
    caught_by: tuple[str, ...]
    on: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Outside:
    """A public report that the model cannot exhibit.

    Parameters
    ----------
    reason
        Why not.
    """

    id: str
    kind: str
    source: str
    says: str
    reason: str


def fault(
    id_: str,
    kind: str,
    source: str,
    says: str,
    *,
    breaks: Rule | Sequence[Rule],
    rules: Sequence[str],
    caught_by: Sequence[str],
    on: Sequence[str],
) -> Callable[[Rule], Fault]:
    """Make a fault of the wrong function below; see :class:`Fault` for the parameters."""
    replaced = tuple(breaks) if isinstance(breaks, Sequence) else (breaks,)

    def made(wrong: Rule) -> Fault:
        return Fault(id_, kind, source, says, replaced, wrong, tuple(rules), tuple(caught_by), tuple(on))

    return made


def faults_in(module: ModuleType) -> tuple[Fault, ...]:
    """The faults that a module defines, in the order in which they stand there."""
    return tuple(value for value in vars(module).values() if isinstance(value, Fault))


@contextmanager
def planted(fault: Fault) -> Iterator[None]:
    """Let a fault replace its rules wherever the model refers to them, and put them back whatever happens."""
    with ExitStack() as stack:
        for right in fault.breaks:
            stack.enter_context(installed(fault.id, right, _in_place_of(right, fault.wrong)))
        yield


@contextmanager
def installed(id_: str, right: Rule, wrong: Rule) -> Iterator[None]:
    """Let one function take the place of another wherever the model refers to it, and put it back whatever happens.

    Parameters
    ----------
    id_
        What does so, for messages.

    Raises
    ------
    LookupError
        If the model refers to the right one by no name.
    """
    with ExitStack() as stack:
        places = list(_places(right))
        if not places:
            raise LookupError(f"{id_}: the model does not refer to {right.__qualname__} by a name")
        for holder, name in places:
            stack.callback(setattr, holder, name, vars(holder)[name])
            setattr(holder, name, wrong)
        yield


def _in_place_of(right: Rule, wrong: Rule) -> Rule:
    """A function, so that it also works as a method."""

    @functools.wraps(right)
    def replaced(*args: Any, **kwargs: Any) -> Any:
        return wrong(right, *args, **kwargs)

    return replaced


def _places(right: Rule) -> Iterator[tuple[Any, str]]:
    """Every module, or the class, that has the rule under a name."""
    owner, dot, name = right.__qualname__.rpartition(".")
    if dot:
        holder = functools.reduce(getattr, owner.split("."), sys.modules[right.__module__])
        if vars(holder).get(name) is right:
            yield holder, name
        return
    for module in _model():
        yield from ((module, key) for key, value in list(vars(module).items()) if value is right)


def _model() -> Iterator[ModuleType]:
    """The modules of the model, imported now so that none imports a wrong function later."""
    for package in _PACKAGES:
        module = import_module(package)
        yield module
        for found in iter_modules(module.__path__):
            if not found.ispkg:
                yield import_module(f"{package}.{found.name}")
