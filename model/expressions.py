"""Expressions over the state, in scenario files: parsed, never evaluated as Python.

``bear.face_down and bear.name`` reads an object's characteristics; ``alice.life == 20`` a player's numbers;
``count("face-down creature", alice) >= 2`` counts what meets a filter.  Words that name nothing, and comparisons of
things of different kinds, are refused with their column.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass

from model.cards.phrases import Filter
from model.characteristics import look, look_if_face_up
from model.errors import InputError, nearest
from model.families import (
    ACTIVE,
    ATTACHED,
    CAUSE,
    COUNTERS,
    DAMAGE,
    ITEM,
    KNOWN,
    LEFT,
    LIFE,
    MANA,
    OVER,
    PENDING,
    PRIORITY,
    SETTLED,
    STEP,
    TAPPED,
    TRANSFORMED,
    TURN,
    ZONE,
)
from model.scenario import Scenario, slug
from model.setup import Obj, Player
from model.state import State
from model.terms import BOOL, FALSE, INT, TRUE, Sort, Term, add, and_, const, count, eq, ite, not_, number, or_
from model.vocabulary import Cause, Colour, CounterKind, Keyword, ManaKind, Marker, Supertype, TurnStep, Type, Zone

__all__ = ["describe_value", "parse_expression"]


@dataclass(frozen=True, slots=True)
class _Word:
    """A word or string that stands for a member of whatever it is compared with."""

    text: str


@dataclass(frozen=True, slots=True)
class _Named:
    """A term over names: true where there is a name."""

    term: Term


_Value = Term | Obj | Player | _Word | _Named


def parse_expression(text: str, scenario: Scenario, game: State, path: tuple[str | int, ...] = ()) -> Term:
    """The condition that an expression states of a state.

    Parameters
    ----------
    text
        The expression.
    game
        A recorder over the state.
    path
        Where it stands in the scenario's file, for messages.

    Raises
    ------
    InputError
        With the column of what is not understood, and what is accepted there.
    """
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except SyntaxError as problem:
        raise scenario.document.error(
            f"the expression {text!r} cannot be parsed at column {problem.offset or 1}", path
        ) from None
    return _Reader(text, scenario, game, path).truth(tree.body)


class _Reader:
    """Reads one expression."""

    def __init__(self, text: str, scenario: Scenario, game: State, path: tuple[str | int, ...]) -> None:
        self._text = text
        self._scenario = scenario
        self._game = game
        self._path = path

    def _error(self, node: ast.AST, message: str) -> InputError:
        column = getattr(node, "col_offset", 0) + 1
        return self._scenario.document.error(f"in {self._text!r}, column {column}: {message}", self._path)

    def truth(self, node: ast.expr) -> Term:
        """The expression as a condition."""
        match node:
            case ast.BoolOp(op=ast.And(), values=values):
                return and_(*(self.truth(v) for v in values))
            case ast.BoolOp(op=ast.Or(), values=values):
                return or_(*(self.truth(v) for v in values))
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return not_(self.truth(operand))
            case ast.Compare():
                return self._compare(node)
            case ast.Constant(value=bool(truth)):
                return TRUE if truth else FALSE
        value = self.value(node)
        if isinstance(value, _Named):
            return value.term.isnt(Marker.NONE)
        if isinstance(value, Term) and value.sort is BOOL:
            return value
        raise self._error(node, f"{ast.unparse(node)} is {_kind(value)}, not a condition")

    def _compare(self, node: ast.Compare) -> Term:
        parts = [node.left, *node.comparators]
        return and_(
            *(self._pair(node, op, left, right) for op, left, right in zip(node.ops, parts, parts[1:], strict=False))
        )

    def _pair(self, node: ast.Compare, op: ast.cmpop, left_node: ast.expr, right_node: ast.expr) -> Term:
        if isinstance(op, ast.In | ast.NotIn):
            if not isinstance(right_node, ast.Tuple | ast.List):
                raise self._error(right_node, "in is followed by a list such as (hand, graveyard)")
            found = or_(*(self._pair(node, ast.Eq(), left_node, item) for item in right_node.elts))
            return found if isinstance(op, ast.In) else not_(found)
        left, right = self._sides(left_node, right_node)
        if isinstance(op, ast.Eq | ast.NotEq):
            same = self._same(node, left, right)
            return same if isinstance(op, ast.Eq) else not_(same)
        for value in (left, right):
            if not (isinstance(value, Term) and value.sort is INT):
                raise self._error(
                    node, f"{ast.unparse(node)} compares {_kind(left)} with {_kind(right)}; only numbers have an order"
                )
        order: dict[type[ast.cmpop], Callable[[Term, Term], Term]] = {
            ast.Lt: lambda a, b: a < b,
            ast.LtE: lambda a, b: a <= b,
            ast.Gt: lambda a, b: a > b,
            ast.GtE: lambda a, b: a >= b,
        }
        compare = order.get(type(op))
        if compare is None:
            raise self._error(node, "accepted comparisons are ==, !=, <, <=, >, >=, in and not in")
        return compare(left, right)  # type: ignore[arg-type]

    def _sides(self, left_node: ast.expr, right_node: ast.expr) -> tuple[_Value, _Value]:
        """Both sides; a word that is a value of what it is compared with means that, and not an object of the name."""
        values: list[_Value] = []
        for node, other in ((left_node, right_node), (right_node, left_node)):
            if isinstance(node, ast.Name) and isinstance(other, ast.Attribute):
                against = self.value(other)
                sort = against.sort if isinstance(against, Term) else None
                if sort is not None and slug(node.id) in {slug(str(member)) for member in sort.members}:
                    values.append(_Word(node.id))
                    continue
            values.append(self.value(node))
        return values[0], values[1]

    def _same(self, node: ast.AST, left: _Value, right: _Value) -> Term:
        left, right = (v.term if isinstance(v, _Named) else v for v in (left, right))
        if isinstance(left, Term) and isinstance(right, Term):
            if left.sort is not right.sort:
                raise self._error(node, f"{ast.unparse(node)} compares {_kind(left)} with {_kind(right)}")
            return eq(left, right)
        term, other = (left, right) if isinstance(left, Term) else (right, left)
        if not isinstance(term, Term):
            if isinstance(left, _Word) or isinstance(right, _Word):
                raise self._error(node, f"{ast.unparse(node)} compares {_kind(left)} with {_kind(right)}")
            return TRUE if left is right else FALSE
        if not isinstance(other, _Word):
            if other not in term.sort.codes:
                raise self._error(node, f"{ast.unparse(node)} compares {_kind(term)} with {_kind(other)}")
            return term.is_(other)
        return term.is_(self._member(node, term.sort, other.text))

    def _member(self, node: ast.AST, sort: Sort, word: str) -> Hashable:
        if sort in (BOOL, INT):
            raise self._error(node, f"{ast.unparse(node)} compares a {sort.name} with the name {word!r}")
        known = {slug(str(member)): member for member in sort.members}
        found = known.get(slug(word))
        if found is None:
            raise self._error(
                node, f"{word!r} is no {sort.name}{nearest(word, known)}; accepted are " + ", ".join(sorted(known)[:20])
            )
        return found

    def value(self, node: ast.expr) -> _Value:
        """What an expression stands for."""
        match node:
            case ast.Constant(value=bool(value)):
                return TRUE if value else FALSE
            case ast.Constant(value=int(value)):
                return number(value)
            case ast.Constant(value=str(value)):
                return _Word(value)
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(value))):
                return number(-value)
            case ast.BinOp(op=ast.Add() | ast.Sub(), left=left, right=right):
                a, b = self._number(left), self._number(right)
                return add(a, b) if isinstance(node.op, ast.Add) else a - b
            case ast.Name(id=word):
                return self._name(node, word)
            case ast.Attribute(value=inner, attr=attribute):
                return self._attribute(node, self.value(inner), attribute)
            case ast.Call():
                return self._call(node)
            case ast.BoolOp() | ast.Compare() | ast.UnaryOp():
                return self.truth(node)
        raise self._error(
            node,
            f"{ast.unparse(node)} is not accepted; accepted are names, attributes, numbers, "
            "comparisons, and/or/not, count(...) and has(...)",
        )

    def _number(self, node: ast.expr) -> Term:
        value = self.value(node)
        if isinstance(value, Term) and value.sort is INT:
            return value
        raise self._error(node, f"{ast.unparse(node)} is {_kind(value)}, not a number")

    def _name(self, node: ast.expr, word: str) -> _Value:
        for player in self._scenario.setup.players:
            if slug(player.name) == slug(word):
                return player
        o = self._scenario.object_named(word)
        if o is not None:
            return o
        special = _GLOBALS.get(word)
        if special is not None:
            return special(self._game)
        if slug(word) in _WORDS:
            return _Word(word)
        known = [*self._scenario.aliases, *(p.name for p in self._scenario.setup.players), *_GLOBALS]
        raise self._error(node, f"{word!r} names no object or player of the scenario{nearest(word, known)}")

    def _attribute(self, node: ast.expr, of: _Value, attribute: str) -> _Value:
        if isinstance(of, Obj):
            reader = _OBJECT.get(attribute)
            if reader is not None:
                return reader(self._game, of)
            known = list(_OBJECT)
        elif isinstance(of, Player):
            player_reader = _PLAYER.get(attribute)
            if player_reader is not None:
                return player_reader(self._game, of)
            known = list(_PLAYER)
        else:
            raise self._error(node, f"{ast.unparse(node)}: only objects and players have attributes")
        raise self._error(
            node, f"{of} has no {attribute!r}{nearest(attribute, known)}; accepted are {', '.join(known)}"
        )

    def _call(self, node: ast.Call) -> _Value:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        values = [self.value(argument) for argument in node.args]
        match name, values:
            case "count", [_Word(phrase), *who] if all(isinstance(w, Player) for w in who) and len(who) <= 1:
                return self._count(node, phrase, who[0] if who else None)  # type: ignore[arg-type]
            case "has", [Obj() as o, _Word(word)]:
                keywords = {k.value: k for k in Keyword}
                if word not in keywords:
                    raise self._error(node, f"{word!r} is no keyword{nearest(word, keywords)}")
                return look(self._game).has_keyword(o, keywords[word])
            case "same_name", [Obj() as a, Obj() as b]:
                return look(self._game).same_name(a, b)
            case "knows", [Player() as p, Obj() as o]:
                return self._game[KNOWN, p, o]
            case "counters", [Obj() as o, _Word(kind)]:
                kinds = {k.value: k for k in CounterKind}
                if kind not in kinds:
                    raise self._error(node, f"{kind!r} is no kind of counter; accepted are {', '.join(kinds)}")
                return self._game[COUNTERS, o, kinds[kind]]
        raise self._error(
            node,
            'accepted are count("filter", player), has(object, "keyword"), '
            'same_name(object, object), knows(player, object) and counters(object, "kind")',
        )

    def _count(self, node: ast.AST, phrase: str, who: Player | None) -> Term:
        try:
            wanted = Filter.parse(phrase)
        except ValueError as problem:
            raise self._error(node, str(problem)) from None
        you = const(self._game.setup.player_sort, who or Marker.NONE)
        derived = look(self._game)
        return count(
            and_(derived.matches(o, wanted, you), TRUE if who is None else derived.controller(o).is_(who))
            for o in self._game.setup.objects
        )


def _kind(value: _Value) -> str:
    match value:
        case Obj():
            return f"the object {value}"
        case Player():
            return f"the player {value}"
        case _Word(text):
            return f"the name {text!r}"
        case _Named():
            return "a name"
        case Term():
            return f"a {value.sort.name}"


def _on_board(game: State, o: Obj) -> Term:
    return game[ZONE, o].among((Zone.BATTLEFIELD, Zone.STACK))


_OBJECT: Mapping[str, Callable[[State, Obj], _Value]] = {
    "zone": lambda g, o: g[ZONE, o],
    "controller": lambda g, o: look(g).controller(o),
    "owner": lambda g, o: const(g.setup.player_sort, o.owner),
    "face_down": lambda g, o: look(g).face_down(o),
    "face_up": lambda g, o: and_(_on_board(g, o), not_(look(g).face_down(o))),
    "cause": lambda g, o: g[CAUSE, o],
    "name": lambda g, o: _Named(look(g).name(o)),
    "power": lambda g, o: look(g).power(o),
    "toughness": lambda g, o: look(g).toughness(o),
    "mana_value": lambda g, o: look(g).mana_value(o),
    "colourless": lambda g, o: look(g).is_colourless(o),
    "legendary": lambda g, o: look(g).is_supertype(o, Supertype.LEGENDARY),
    "tapped": lambda g, o: g[TAPPED, o],
    "damage": lambda g, o: g[DAMAGE, o],
    "counters": lambda g, o: g[COUNTERS, o, CounterKind.PLUS],
    "attached_to": lambda g, o: g[ATTACHED, o],
    "transformed": lambda g, o: g[TRANSFORMED, o],
    "public": lambda g, o: and_(*(g[KNOWN, p, o] for p in g.setup.players)),
    "has_no_abilities": lambda g, o: look(g).without_abilities(o),
    "would_have_a_morph_cost": lambda g, o: or_(*(has for _, has in look_if_face_up(g, o).face_down_costs(o))),
    **{t.value: (lambda g, o, t=t: look(g).is_type(o, t)) for t in Type},  # type: ignore[misc]
    **{c.value: (lambda g, o, c=c: look(g).is_colour(o, c)) for c in Colour},  # type: ignore[misc]
}
_PLAYER: Mapping[str, Callable[[State, Player], _Value]] = {
    "life": lambda g, p: g[LIFE, p],
    "left": lambda g, p: g[LEFT, p],
    "has_priority": lambda g, p: g[PRIORITY,].is_(p),
    "mana": lambda g, p: add(*(g[MANA, p, kind] for kind in ManaKind)),
    **{
        z.value: (lambda g, p, z=z: count(g[ZONE, o].is_(z) for o in g.setup.objects if o.owner is p))  # type: ignore[misc]
        for z in (Zone.HAND, Zone.LIBRARY, Zone.GRAVEYARD, Zone.EXILE)
    },
}
_GLOBALS: Mapping[str, Callable[[State], _Value]] = {
    "stack": lambda g: add(
        *(ite(g[ITEM, i].is_(Marker.NONE), number(0), number(1)) for i in range(g.setup.bounds.stack))
    ),
    "turn": lambda g: g[TURN,],
    "step": lambda g: g[STEP,],
    "active": lambda g: g[ACTIVE,],
    "settled": lambda g: g[SETTLED,],
    "over": lambda g: g[OVER,],
    "waiting": lambda g: add(*(g[PENDING, item, that, p] for item, that, p in g.setup.waiting)),
}
_WORDS = {slug(str(m)) for kind in (Zone, Cause, TurnStep, Marker) for m in kind}


def describe_value(text: str, scenario: Scenario, game: State) -> str:
    """What a part of an expression stands for in a concrete state, in words."""
    try:
        value = _Reader(text, scenario, game, ()).value(ast.parse(text, mode="eval").body)
    except InputError:
        return "not known"
    if isinstance(value, _Named):
        value = value.term
    if isinstance(value, Term):
        return str(value.value) if value.is_constant else str(value)
    return str(value)
