"""The ``check:`` list of a scenario, as properties.

``property:`` names one; ``never:``, ``always:`` and ``possible:`` give an expression over the state.  An expression is
split at its outermost ``or`` (never) or ``and`` (always), so that a violation can name the part that is false.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from model.errors import UsageError
from model.expressions import parse_expression
from model.scenario import CheckData, Scenario
from model.terms import TRUE, not_
from properties.kinds import Clause, Invariant, Possible, Property, View
from properties.registry import find_property

__all__ = ["Check", "checks_of", "chosen_checks"]

_Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Check:
    """One thing to check of a scenario.

    Parameters
    ----------
    property
        The property.
    constant
        Whether it is an expression that speaks of no part of the state, and so says nothing.
    """

    property: Property
    constant: bool = False


def checks_of(scenario: Scenario) -> list[Check]:
    """Everything that a scenario's ``check:`` list asks for.

    Raises
    ------
    InputError
        If it asks for nothing, for an unknown property, for two things at once, or twice for one.
    """
    document = scenario.document
    if not scenario.data.check:
        raise document.error(f"the scenario {scenario.name!r} has nothing to check; it needs a list check: of entries "
                             "with property:, never:, always: or possible:", ("check",))
    found: list[Check] = []
    for i, entry in enumerate(scenario.data.check):
        check = _check(scenario, entry, ("check", i))
        if any(check.property.id == other.property.id for other in found):
            raise document.error(f"{check.property.id!r} is checked twice; one of the two needs another name: or has "
                                 "to go", ("check", i))
        found.append(check)
    return found


def chosen_checks(scenario: Scenario, wanted: Sequence[str], *, put: bool) -> list[Check]:
    """The checks that a command line asks for.

    Parameters
    ----------
    wanted
        Ids of properties, or names of expressions; empty for everything in the scenario's list.
    put
        Whether a property that is not in the list is put to the scenario all the same.
    """
    if not wanted:
        return checks_of(scenario)
    listed = checks_of(scenario) if scenario.data.check else []
    chosen = [check for check in listed if check.property.id in wanted]
    if put:
        missing = [id_ for id_ in wanted if all(check.property.id != id_ for check in chosen)]
        chosen += [Check(found) for id_ in missing if (found := _known(id_)) is not None]
    return chosen


def _known(id_: str) -> Property | None:
    try:
        return find_property(id_)
    except UsageError:
        return None


def _check(scenario: Scenario, entry: CheckData, path: _Path) -> Check:
    given = {kind: value for kind in ("property", "never", "always", "possible")
             if (value := getattr(entry, kind)) is not None}
    if len(given) != 1:
        raise scenario.document.error("an entry of check: has one of property:, never:, always: and possible:, found "
                                      + (" and ".join(given) or "none"), path)
    kind, text = next(iter(given.items()))
    if kind == "property":
        try:
            return Check(find_property(text))
        except UsageError as problem:
            raise scenario.document.error(str(problem), (*path, "property")) from None
    return Check(_expression(scenario, kind, text, entry.name, (*path, kind)), _is_constant(scenario, text, path))


def _expression(scenario: Scenario, kind: str, text: str, name: str | None, path: _Path) -> Property:
    id_ = name or f"{kind}: {text}"
    cites = tuple(c for c in scenario.data.cites if not _is_ruling(c))
    rulings = tuple(c for c in scenario.data.cites if _is_ruling(c))
    match kind:
        case "never":
            parts = list(_parts(scenario, text, ast.Or, path))
            return Invariant(id_, f"Never: {text}.", cites, rulings,
                             formula=_clauses(scenario, parts, path, never=True))
        case "always":
            parts = list(_parts(scenario, text, ast.And, path))
            return Invariant(id_, f"Always: {text}.", cites, rulings,
                             formula=_clauses(scenario, parts, path, never=False))
    return Possible(id_, f"It can happen that {text}.", cites, rulings,
                    on_state=_clauses(scenario, [text], path, never=False))


def _is_ruling(text: str) -> bool:
    return re.fullmatch(r"S\d+", text) is not None


def _clauses(scenario: Scenario, parts: Sequence[str], path: _Path, *,
             never: bool) -> Callable[[View], Iterable[Clause]]:
    def formula(view: View) -> Iterator[Clause]:
        for part in parts:
            condition = parse_expression(part, scenario, view.state, path)
            # No premise: an expression that is never true must not count as saying nothing.
            yield Clause(f"not ({part})", TRUE, not_(condition)) if never else Clause(part, TRUE, condition)

    return formula


def _parts(scenario: Scenario, text: str, operator: type[ast.boolop], path: _Path) -> Iterator[str]:
    tree = _parsed(scenario, text, path)
    if isinstance(tree, ast.BoolOp) and isinstance(tree.op, operator):
        yield from (ast.unparse(part) for part in tree.values)
    else:
        yield text


def _parsed(scenario: Scenario, text: str, path: _Path) -> ast.expr:
    try:
        return ast.parse(text.strip(), mode="eval").body
    except SyntaxError as problem:
        raise scenario.document.error(
            f"the expression {text!r} cannot be parsed at column {problem.offset or 1}", path) from None
    except ValueError as problem:
        raise scenario.document.error(f"the expression {text!r} cannot be parsed: {problem}", path) from None


def _is_constant(scenario: Scenario, text: str, path: _Path) -> bool:
    return not any(isinstance(node, ast.Name) for node in ast.walk(_parsed(scenario, text, path)))


