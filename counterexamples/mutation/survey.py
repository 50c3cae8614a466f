"""Which statements of the model each scenario runs: a change to any other cannot matter there.

Every rule function is replaced for a while by one that says which of its statements it is about to run.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import cache
from typing import Any

from counterexamples.faults.fault import installed
from counterexamples.mutation.mutant import Mutant, Source, compiled, rule_functions
from counterexamples.trials import documents_of, find_trial, places
from model.game import build_system
from model.rules import views
from model.scenario import build_scenario

__all__ = ["places_of", "statements_run"]

_Place = tuple[str, int]
"""The name of a function, and the line on which one of its statements starts."""

_TELL = "__about_to_run__"
"""What the functions call; it stands in their modules for as long as they do."""


def statements_run(place: str) -> frozenset[_Place]:
    """The statements that building the system of a scenario, and showing it to its players, runs."""
    return _survey()[place]


@cache
def _survey() -> Mapping[str, frozenset[_Place]]:
    """What every shipped scenario runs."""
    found: dict[str, set[_Place]] = {place: set() for place in places()}
    with _telling() as names:
        for place, run in found.items():
            for module in names:
                module[_TELL] = run.add
            scenario = build_scenario(documents_of(place)[0][0])
            system = build_system(scenario.name, scenario.setup)
            for player in scenario.setup.players:
                views.view(system.symbolic_state(), player)
    return {place: frozenset(run) for place, run in found.items()}


def places_of(mutant: Mutant) -> list[str]:
    """The scenarios that run the changed statement, those with the fewest actions first."""
    wanted = (mutant.function, mutant.site.line)
    reached = [place for place in places() if wanted in statements_run(place)]
    return sorted(reached, key=lambda place: len(find_trial(place).system.actions))


@contextmanager
def _telling() -> Iterator[list[dict[str, Any]]]:
    """Let every rule function tell what it runs.  Yields the names of their modules, in which whom to tell stands."""
    sources = rule_functions().values()
    modules = list({id(s.function.__globals__): s.function.__globals__ for s in sources}.values())
    with ExitStack() as stack:
        for names in modules:
            stack.callback(names.pop, _TELL, None)
        for source in sources:
            stack.enter_context(installed(source.name, source.function, compiled(source, _told(source), "survey")))
        yield modules


def _told(source: Source) -> ast.FunctionDef:
    """A rule function that tells of each of its statements before it runs it."""
    tree = copy.deepcopy(source.tree)
    for node in list(ast.walk(tree)):
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if isinstance(block, list):
                block[:] = [told for s in block for told in (_telling_of(source.name, s), s)]
    return tree


def _telling_of(name: str, statement: ast.stmt) -> ast.stmt:
    place = ast.Tuple([ast.Constant(name), ast.Constant(statement.lineno)], ast.Load())
    return ast.copy_location(ast.Expr(ast.Call(ast.Name(_TELL, ast.Load()), [place], [])), statement)

