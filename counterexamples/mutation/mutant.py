"""Mutants of the model: where they are, and how one takes the place of the right function for a while."""

from __future__ import annotations
import __future__

import ast
import copy
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import FunctionType, ModuleType
from typing import Any

from counterexamples.faults.fault import installed
from counterexamples.mutation.operators import OPERATORS, Operator, Site
from model.errors import look_up
from properties.rulebook import rules_in

__all__ = ["Mutant", "Source", "all_mutants", "compiled", "find_mutant", "mutated", "rule_functions"]

_ROOMS = ("model.rules", "model.effects")
"""Where steps are written.  What characteristics are is for the planted faults to get wrong."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One wrong change to one function of the model.

    Parameters
    ----------
    id
        The operator, the function, and a number.
    function
        Where it is: module and name, ``rules.turning.turn_up``.
    """

    id: str
    operator: Operator
    function: str
    site: Site

    @property
    def rules(self) -> tuple[str, ...]:
        """The rule numbers at the place, else all that the function names."""
        return self.site.rules or _named(self.function)

    @property
    def says(self) -> str:
        """What the change is."""
        return f"{self.site.was}  ->  {self.site.becomes}"


@dataclass(frozen=True, slots=True)
class Source:
    """A function of the model with the syntax tree of its text."""

    module: ModuleType
    function: FunctionType
    tree: ast.FunctionDef

    @property
    def name(self) -> str:
        """Module and qualified name, without the package."""
        return f"{self.module.__name__.removeprefix('model.')}.{self.function.__qualname__}"


@cache
def rule_functions() -> Mapping[str, Source]:
    """Every function and method that writes a step, by name."""
    found = (Source(module, function, tree) for module in _modules() for function, tree in _functions(module))
    return {source.name: source for source in found}


def _modules() -> Iterator[ModuleType]:
    for room in _ROOMS:
        package = import_module(room)
        yield from (import_module(f"{room}.{entry.name}") for entry in iter_modules(package.__path__))


def _functions(module: ModuleType) -> Iterator[tuple[FunctionType, ast.FunctionDef]]:
    for node in ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8")).body:
        holder, nodes = (vars(module)[node.name], node.body) if isinstance(node, ast.ClassDef) else (module, [node])
        for inner in nodes:
            if isinstance(inner, ast.FunctionDef) and not inner.decorator_list:
                function = vars(holder)[inner.name]
                assert isinstance(function, FunctionType)
                yield function, inner


@cache
def _named(function: str) -> tuple[str, ...]:
    """The rules that a function names, in its text or in what is said of it; else those of its module."""
    source = rule_functions()[function]
    return _rules_in(source.tree) or rules_in(source.module.__doc__ or "")


def _rules_in(tree: ast.AST) -> tuple[str, ...]:
    constants = (n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str))
    return tuple(dict.fromkeys(rule for text in constants for rule in rules_in(text)))


@cache
def all_mutants() -> Mapping[str, Mutant]:
    """Every mutant by id, in the order of the operators and of the text."""
    found: dict[str, Mutant] = {}
    for operator in OPERATORS:
        for name, source in rule_functions().items():
            sites = sorted(operator.sites(source.tree), key=lambda site: site.line)
            for number, site in enumerate(sites, 1):
                id_ = f"{operator.name}:{name}" + (f":{number}" if len(sites) > 1 else "")
                found[id_] = Mutant(id_, operator, name, site)
    return found


def find_mutant(id_: str) -> Mutant:
    """The mutant with an id.

    Raises
    ------
    UsageError
        If there is none, naming the nearest.
    """
    return look_up("mutant", id_, all_mutants())


@contextmanager
def mutated(mutant: Mutant) -> Iterator[None]:
    """Let a mutant take the place of the right function wherever the model refers to it."""
    source = rule_functions()[mutant.function]
    tree = copy.deepcopy(source.tree)
    mutant.site.edit(tree)
    with installed(mutant.id, source.function, compiled(source, tree, mutant.id)):
        yield


def compiled(source: Source, tree: ast.FunctionDef, name: str) -> FunctionType:
    """A function that stands in for another of the model, made of a changed syntax tree.

    Parameters
    ----------
    name
        What to call its file in stack traces.
    """
    module = ast.fix_missing_locations(ast.Module([tree], []))
    code = compile(module, f"<{name}>", "exec", flags=__future__.annotations.compiler_flag)
    found: dict[str, Any] = {}
    exec(code, source.function.__globals__, found)
    made = found[source.function.__name__]
    assert isinstance(made, FunctionType)
    made.__qualname__, made.__module__ = source.function.__qualname__, source.function.__module__
    made.__kwdefaults__, made.__defaults__ = source.function.__kwdefaults__, source.function.__defaults__
    return made
