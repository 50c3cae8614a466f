"""Mutation operators: one small wrong change to the text of a rule.

Each operator finds the places in a function's syntax tree at which it applies, and changes one of them.  They stand for
the ways in which engines get these rules wrong: a condition is left out or turned round, the owner is taken for the
controller, the present look for the hypothetical one, what an object is now for the card that it is, one cause for
another; something changes that should stay, or a trigger looks at the wrong moment.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from properties.rulebook import rules_in

__all__ = ["OPERATORS", "Operator", "Site"]

_CAUSES = {
    "MORPH": "DISGUISE", "DISGUISE": "MORPH", "MANIFEST": "CLOAK", "CLOAK": "MANIFEST", "TURNED_DOWN": "MANIFEST",
    "PUT_DOWN": "MANIFEST", "MASK": "MORPH",
}
_RESETS = {"TAPPED": "False", "DAMAGE": "0", "ATTACHED": "Marker.NONE"}
"""Variables of an object that a rule may wrongly reset, and to what."""

_KEPT = frozenset({"become_new_object", "_forget"})
"""Functions that make a new object of one, and so reset whatever there is."""

_Function = ast.FunctionDef
_Edit = Callable[[_Function], None]


@dataclass(frozen=True, slots=True)
class Site:
    """A place where an operator applies.

    Parameters
    ----------
    line
        The line of the module, from 1, and the last line of the statement.
    was, becomes
        The text before and after.
    rules
        The rule numbers that stand there.
    edit
        Makes the change in a copy of the function's tree.
    """

    line: int
    last: int
    was: str
    becomes: str
    rules: tuple[str, ...]
    edit: _Edit


@dataclass(frozen=True, slots=True)
class Operator:
    """A kind of wrong change.

    Parameters
    ----------
    name
        What it is called in the names of mutants.
    says
        What it does, in one sentence.
    sites
        The places in a function at which it applies.
    """

    name: str
    says: str
    sites: Callable[[_Function], Iterator[Site]]


# -- finding places -----------------------------------------------------------------------------------------------


def _nodes(function: _Function) -> list[ast.AST]:
    """Every node, in a fixed order that a copy of the tree shares."""
    return list(ast.walk(function))


def _replaced(function: _Function, old: ast.AST, new: ast.AST, statement: ast.stmt | None = None) -> Site:
    """Replace one node."""
    number = _nodes(function).index(old)

    def edit(tree: _Function) -> None:
        target = _nodes(tree)[number]
        _swap(tree, target, copy.deepcopy(new))

    where = statement or old
    line = getattr(where, "lineno", function.lineno)
    rules = _rules_in(statement or old)
    return Site(line, getattr(where, "end_lineno", line), _text(old), _text(new), rules, edit)


def _swap(tree: ast.AST, old: ast.AST, new: ast.AST) -> None:
    for parent in ast.walk(tree):
        for field, value in ast.iter_fields(parent):
            if value is old:
                setattr(parent, field, new)
                return
            if isinstance(value, list) and any(item is old for item in value):
                value[:] = [new if item is old else item for item in value]
                return
    raise AssertionError("the node is not in the tree")


def _text(node: ast.AST) -> str:
    return " ".join(ast.unparse(node).split())


def _rules_in(node: ast.AST) -> tuple[str, ...]:
    found = (n.value for n in ast.walk(node) if isinstance(n, ast.Constant) and isinstance(n.value, str))
    return tuple(dict.fromkeys(text for text in found if rules_in(text) == (text,)))


def _statements(function: _Function) -> Iterator[ast.stmt]:
    return (node for node in ast.walk(function) if isinstance(node, ast.stmt) and node is not function)


def _holder(function: _Function, node: ast.AST) -> ast.stmt:
    """The innermost statement in which a node stands."""
    inside = (s for s in _statements(function) if any(n is node for n in ast.walk(s)))
    return min(inside, key=lambda s: sum(1 for _ in ast.walk(s)))


def _calls(function: _Function, method: str) -> Iterator[tuple[ast.Expr, ast.Call]]:
    """Statements that call a method of the recorder, such as ``game.require(...)``."""
    for statement in _statements(function):
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            called = statement.value.func
            if isinstance(called, ast.Attribute) and called.attr == method:
                yield statement, statement.value


def _parsed(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


# -- guards and citations -----------------------------------------------------------------------------------------


def _guard_dropped(function: _Function) -> Iterator[Site]:
    for statement, _ in _calls(function, "require"):
        yield _replaced(function, statement, ast.Pass(), statement)


def _guard_negated(function: _Function) -> Iterator[Site]:
    for statement, call in _calls(function, "require"):
        yield _replaced(function, call.args[0], ast.UnaryOp(ast.Invert(), call.args[0]), statement)


def _citation_removed(function: _Function) -> Iterator[Site]:
    for statement, call in _calls(function, "cite"):
        for argument in call.args:
            rest = [a for a in call.args if a is not argument]
            shorter = ast.Expr(ast.Call(call.func, rest, [])) if rest else ast.Pass()
            site = _replaced(function, statement, shorter, statement)
            yield Site(site.line, site.last, site.was, site.becomes, _rules_in(argument), site.edit)


# -- one thing taken for another ----------------------------------------------------------------------------------


def _owner_for_controller(function: _Function) -> Iterator[Site]:
    """``derived.controller(o)`` and ``game[CONTROLLER, o]`` become the owner of ``o``."""
    for node in ast.walk(function):
        if (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "controller"
                and len(node.args) == 1 and isinstance(node.args[0], ast.Name)):
            look = ast.unparse(node.func.value)
            yield _owner(function, node, f"{look}.game.setup", node.args[0].id)
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load) and _family(node) == "CONTROLLER":
            key = node.slice
            if isinstance(key, ast.Tuple) and isinstance(key.elts[1], ast.Name):
                yield _owner(function, node, f"{ast.unparse(node.value)}.setup", key.elts[1].id)


def _owner(function: _Function, node: ast.expr, setup: str, o: str) -> Site:
    new = _parsed(f"__import__('model.terms').terms.const({setup}.player_sort, {o}.owner)")
    site = _replaced(function, node, new, _holder(function, node))
    return Site(site.line, site.last, _text(node), f"the owner of {o}", site.rules, site.edit)


def _controller_for_owner(function: _Function) -> Iterator[Site]:
    """``x.is_(o.owner)`` asks for the controller of ``o`` instead, and ``game[...] = o.owner`` writes it."""
    recorder = next((a.arg for a in function.args.args if a.arg == "game"), None)
    for node in ast.walk(function):
        if not (isinstance(node, ast.Attribute) and node.attr == "owner" and isinstance(node.value, ast.Name)):
            continue
        holder = _holder(function, node)
        asked = any(isinstance(c, ast.Call) and isinstance(c.func, ast.Attribute) and c.func.attr in ("is_", "isnt")
                    and node in c.args for c in ast.walk(holder))
        written = isinstance(holder, ast.Assign) and holder.value is node
        if recorder is not None and (asked or written):
            o = node.value.id
            new = _parsed(f"game[__import__('model.families').families.CONTROLLER, {o}]")
            site = _replaced(function, node, new, holder)
            yield Site(site.line, site.last, _text(node), f"the controller of {o}", site.rules, site.edit)


def _cause_for_cause(function: _Function) -> Iterator[Site]:
    for node in ast.walk(function):
        if (isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "Cause"
                and node.attr in _CAUSES):
            new = ast.Attribute(ast.Name("Cause", ast.Load()), _CAUSES[node.attr], ast.Load())
            yield _replaced(function, node, new, _holder(function, node))


def _present_for_hypothetical(function: _Function) -> Iterator[Site]:
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "look_if_face_up":
            new = ast.Call(ast.Name("look", ast.Load()), [node.args[0]], [])
            yield _replaced(function, node, new, _holder(function, node))


def _copiable_for_card(function: _Function) -> Iterator[Site]:
    """``o.card.front`` becomes what a face-down object's copiable values are: its profile."""
    for node in ast.walk(function):
        if (isinstance(node, ast.Attribute) and node.attr == "front" and isinstance(node.value, ast.Attribute)
                and node.value.attr == "card"):
            new = _parsed("__import__('model.setup').setup.DEFAULT_PROFILE")
            site = _replaced(function, node, new, _holder(function, node))
            yield Site(site.line, site.last, _text(node), "the face-down profile", site.rules, site.edit)


# -- when, and what else ------------------------------------------------------------------------------------------


def _other_moment(function: _Function) -> Iterator[Site]:
    """A trigger looks after what it looks before, or before what it looks after."""
    for parent in ast.walk(function):
        for field in ("body", "orelse"):
            block = getattr(parent, field, None)
            if isinstance(block, list) and len(block) > 1:
                for statement in block:
                    if isinstance(statement, ast.stmt) and _only_notices(statement):
                        yield _moved(function, parent, field, block.index(statement))


def _only_notices(statement: ast.stmt) -> bool:
    """Whether all that a statement does is to let abilities notice an event."""
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        called = statement.value.func
        name = called.id if isinstance(called, ast.Name) else called.attr if isinstance(called, ast.Attribute) else ""
        return name.lstrip("_").startswith("notice")
    if isinstance(statement, ast.If) and not statement.orelse:
        noticing = [s for s in statement.body if "cite" not in ast.unparse(s)]
        return bool(noticing) and all(_only_notices(s) for s in noticing)
    return False


def _moved(function: _Function, parent: ast.AST, field: str, place: int) -> Site:
    number = _nodes(function).index(parent)
    block: list[ast.stmt] = getattr(parent, field)
    statement = block[place]
    early = place > sum(isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant) for s in block[:1])

    def edit(tree: _Function) -> None:
        body: list[ast.stmt] = getattr(_nodes(tree)[number], field)
        moved = body.pop(place)
        body.insert(0 if early else len(body), moved)

    becomes = "before the rest of its block" if early else "after the rest of its block"
    return Site(statement.lineno, statement.end_lineno or statement.lineno, _text(statement), becomes,
                _rules_in(statement), edit)


def _frame_dropped(function: _Function) -> Iterator[Site]:
    """Where a rule writes to an object, one more of its variables is reset."""
    if function.name in _KEPT:
        return
    written: dict[tuple[str, str], ast.Assign] = {}
    families: dict[str, set[str]] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript):
            key = node.targets[0].slice
            if isinstance(key, ast.Tuple) and len(key.elts) == 2 and isinstance(key.elts[1], ast.Name):
                o, recorder = key.elts[1].id, ast.unparse(node.targets[0].value)
                if o in ("o", "source", "card"):
                    written.setdefault((o, recorder), node)
                    families.setdefault(o, set()).add(_family(node.targets[0]))
    for (o, recorder), node in written.items():
        for family, value in _RESETS.items():
            if family not in families[o]:
                yield _also_reset(function, node, recorder, o, family, value)


def _also_reset(function: _Function, node: ast.Assign, recorder: str, o: str, family: str, value: str) -> Site:
    value = value.replace("Marker", "__import__('model.vocabulary').vocabulary.Marker")
    reset = ast.parse(f"{recorder}[__import__('model.families').families.{family}, {o}] = {value}").body[0]
    both = ast.If(ast.Constant(True), [node, reset], [])
    site = _replaced(function, node, both, node)
    return Site(site.line, site.last, _text(node), f"and resets {family.lower()} of {o}", (), site.edit)


def _family(node: ast.Subscript) -> str:
    key = node.slice.elts[0] if isinstance(node.slice, ast.Tuple) and node.slice.elts else node.slice
    return key.id if isinstance(key, ast.Name) else ""


OPERATORS: tuple[Operator, ...] = (
    Operator("guard-dropped", "A condition of a guard is left out.", _guard_dropped),
    Operator("guard-negated", "A condition of a guard is turned round.", _guard_negated),
    Operator("frame-dropped", "One more variable of an object is reset.", _frame_dropped),
    Operator("owner-for-controller", "The owner is taken for the controller.", _owner_for_controller),
    Operator("controller-for-owner", "The controller is taken for the owner.", _controller_for_owner),
    Operator("other-moment", "A trigger looks before what it should look after, or the reverse.", _other_moment),
    Operator("present-for-hypothetical", "What an object is now is taken for what it would be face up.",
             _present_for_hypothetical),
    Operator("copiable-for-card", "The copiable values of a face-down object are taken for the card.",
             _copiable_for_card),
    Operator("cause-for-cause", "One cause of being face down is taken for another.", _cause_for_cause),
    Operator("citation-removed", "A rule that decides is not named.", _citation_removed),
)
