"""Characteristics: copiable values, the layers (613), and the hypothetical face-up look.

A :class:`Look` derives what an object is from the state: layer 1 picks the face whose values are copiable (the printed
face, what it is a copy of, or, over both, the profile of a face-down object), then continuous effects apply layer by
layer.  Within a layer a later timestamp wins, which for our effects has a closed form: a value is what the object has
unless an effect that sets it applies, or what some effect gives it unless a newer setting effect applies.

``Look(game, up=o)`` is the same derivation as if ``o`` were face up.  "The cost it would have if it were face up"
(702.37e) is a question about that look: every other effect is applied again and tested again for membership.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from model.cards.abilities import Ability, Changes, Condition, FaceDownCost, KeywordAbility, StaticAbility
from model.cards.card import Face
from model.cards.fields import Amount
from model.cards.phrases import Filter, Selector, Who
from model.families import (
    ATTACHED,
    CAUSE,
    CONTROLLER,
    COPIED,
    COUNTERS,
    EFFECT,
    NEWER,
    PROFILE,
    SHOT_X,
    TAKER,
    TRANSFORMED,
    ZONE,
)
from model.matching import Asking, matches
from model.setup import CounterStamp, Obj, Setup, Shot
from model.state import State
from model.terms import FALSE, TRUE, Term, add, and_, const, count, eq, ite, not_, number, or_
from model.vocabulary import Cause, Colour, CounterKind, Keyword, Marker, Stage, Supertype, Type, Zone

_T = TypeVar("_T")

__all__ = ["Look", "look", "look_if_face_up"]

LAND_TYPES = frozenset({"Plains", "Island", "Swamp", "Mountain", "Forest", "Desert", "Gate", "Lair", "Locus", "Cave"})
BASIC_LAND_TYPES = frozenset({"Plains", "Island", "Swamp", "Mountain", "Forest"})


@dataclass(frozen=True, slots=True, eq=False)
class _Applied:
    """A continuous effect: where its timestamp comes from, what it changes, and the static ability behind it."""

    stamp: Obj | Shot
    changes: Changes
    ability: StaticAbility | None


def look(game: State) -> Look:
    """The characteristics in the present state."""
    found = game.derived.get(None)
    if found is None:
        found = game.derived[None] = Look(game)
    return found


def look_if_face_up(game: State, o: Obj) -> Look:
    """The characteristics in the present state as if ``o`` were face up (702.37e, 708.11)."""
    found = game.derived.get(o)
    if found is None:
        found = game.derived[o] = Look(game, up=o)
    return found


class Look:
    """The characteristics of every object in the present state of a recorder.

    Parameters
    ----------
    game
        The recorder; the look is stale once it writes anything that shapes characteristics.
    up
        An object to treat as face up whatever its status.
    """

    def __init__(self, game: State, up: Obj | None = None) -> None:
        self.game = game
        self._setup: Setup = game.setup
        self._up = up
        self._memo: dict[object, object] = {}
        self._asking: set[object] = set()

    # -- status and layer 1 ---------------------------------------------------------------------------------------

    def face_down(self, o: Obj) -> Term:
        """Whether the object is face down; the status is its cause."""
        return FALSE if o is self._up else self.game[CAUSE, o].isnt(Cause.NONE)

    def cases(self, o: Obj) -> list[tuple[Term, Face]]:
        """The faces whose values can be the copiable ones, each with its condition (613.2)."""
        return self._remember(("cases", o), lambda: self._cases(o))

    def _cases(self, o: Obj) -> list[tuple[Term, Face]]:
        game, found = self.game, []
        down = self.game.under("708.2a", self.face_down(o))
        if down is not FALSE:
            profile = game[PROFILE, o]
            found += [(and_(down, profile.is_(face)), face) for face in profile.possible()]
        up = not_(down)
        copied = game[COPIED, o]
        for source in copied.possible():
            is_source = and_(up, copied.is_(source))
            if source is not Marker.NONE:
                found.append((game.under("707.2", is_source), source))
            elif o.card.back is not None:
                back = game.under("712.8", game[TRANSFORMED, o])
                found += [(and_(is_source, not_(back)), o.card.front), (and_(is_source, back), o.card.back)]
            else:
                found.append((is_source, o.card.front))
        return [(condition, face) for condition, face in found if condition is not FALSE]  # type: ignore[misc]

    def any_face(self, o: Obj, test: Callable[[Face], bool]) -> Term:
        """Whether a face that meets a test gives the object its copiable values."""
        return or_(*(condition for condition, face in self.cases(o) if test(face)))

    def _by_face(self, o: Obj, value: Callable[[Face], Term]) -> Term:
        result: Term | None = None
        for condition, face in reversed(self.cases(o)):
            here = value(face)
            result = here if result is None else ite(condition, here, result)
        assert result is not None
        return result

    # -- effects --------------------------------------------------------------------------------------------------

    def _effects(self) -> list[_Applied]:
        return self._remember("effects", lambda: list(_effects(self._setup)))

    def _with(self, what: str, used: Callable[[Changes], bool]) -> list[_Applied]:
        return self._remember(("with", what), lambda: [e for e in self._effects() if used(e.changes)])

    def applies(self, effect: _Applied, o: Obj) -> Term:
        """Whether a continuous effect applies to an object."""
        return self._remember((effect, o), lambda: self._applies(effect, o))

    def _applies(self, effect: _Applied, o: Obj) -> Term:
        if isinstance(effect.stamp, Shot):
            return self.game.under("611.2", self.game[EFFECT, effect.stamp, o] > 0)
        source, ability = effect.stamp, effect.ability
        assert ability is not None
        if effect in self._asking:
            return FALSE  # a loop of effects that remove each other's ability: neither waits for the other (613.8b)
        self._asking.add(effect)
        try:
            layer = effect.changes.first_layer
            on = self.game[ZONE, source].is_(Zone.BATTLEFIELD)
            member = FALSE if on is FALSE else self._member(effect, ability.static, source, o)
            if member is FALSE:
                return FALSE
            stage = Stage.COPIABLE if layer <= 4 else Stage.TYPED if layer == 5 else Stage.FINAL
            condition = (
                TRUE
                if ability.condition is None
                else _holds(self.game, ability.condition, self.controller(source), source)
            )
            return self.game.under("611.3a", and_(on, member, self.has_ability(source, ability, stage), condition))
        finally:
            self._asking.discard(effect)

    def _member(self, effect: _Applied, selector: Selector, source: Obj, o: Obj) -> Term:
        match selector.who:
            case Who.THIS:
                return TRUE if o is source else FALSE
            case Who.HOST:
                return self.game[ATTACHED, source].is_(o)
            case Who.EACH:
                assert selector.filter is not None
                sets_types = effect.changes.types is not None or bool(effect.changes.add_types)
                stage = Stage.COPIABLE if sets_types or effect.changes.first_layer < 4 else Stage.TYPED
                return self.matches(o, selector.filter, self.controller(source), source, stage)
            case _:
                raise ValueError(f"a static ability cannot affect {selector}")

    def newer(self, a: Obj | Shot, b: Obj | Shot | CounterStamp) -> Term:
        """Whether the timestamp of ``a`` is later than that of ``b``."""
        stamped = self._setup.stamped
        if a is b or a not in stamped or b not in stamped:
            return FALSE
        later = self.game[NEWER, a, b] if stamped.index(a) < stamped.index(b) else not_(self.game[NEWER, b, a])
        return self.game.under("613.7", later)

    def _overridden(self, o: Obj, effect: _Applied, setters: Iterable[_Applied]) -> Term:
        """Whether a setting effect that applies later in the layer applies."""
        return or_(*(and_(self.applies(s, o), self._later(s, effect)) for s in setters if s is not effect))

    def _later(self, a: _Applied, b: _Applied) -> Term:
        """Whether one effect applies after another of its layer: the one that depends on it (613.8), or the newer."""
        if _depends(a, b) is not _depends(b, a):
            return TRUE if _depends(a, b) else FALSE
        return self.newer(a.stamp, b.stamp)

    def _layered(self, o: Obj, base: Term, setters: list[_Applied], givers: list[_Applied]) -> Term:
        """A truth value after a layer: see the module's docstring."""
        if not setters and not givers:
            return base
        kept = and_(base, *(not_(self.applies(s, o)) for s in setters))
        given = (and_(self.applies(g, o), not_(self._overridden(o, g, setters))) for g in givers)
        return or_(kept, *given)

    # -- layers 2 to 5 --------------------------------------------------------------------------------------------

    def controller(self, o: Obj) -> Term:
        """Who controls the object (layer 2)."""
        return self._remember(("controller", o), lambda: self._controller(o))

    def _controller(self, o: Obj) -> Term:
        result = self.game[CONTROLLER, o]
        setters = self._with("control", lambda c: c.control is not None)
        for effect in setters:
            here = and_(self.applies(effect, o), not_(self._overridden(o, effect, setters)))
            if isinstance(effect.stamp, Shot):
                result = ite(here, self.game[TAKER, effect.stamp], result)
            elif effect.stamp is not o:
                result = ite(here, self.game[CONTROLLER, effect.stamp], result)
        return result

    def name(self, o: Obj) -> Term:
        """The name, or Marker.NONE (layer 3)."""
        sort = self._setup.name_sort
        base = self._by_face(o, lambda face: const(sort, face.name or Marker.NONE))
        setters = self._with("name", lambda c: c.name is not None)
        for effect in setters:
            here = and_(self.applies(effect, o), not_(self._overridden(o, effect, setters)))
            base = ite(here, const(sort, effect.changes.name), base)
        return base

    def same_name(self, a: Obj, b: Obj) -> Term:
        """Whether two objects share a name; what has none shares none (201.2a)."""
        name = self.name(a)
        return and_(name.isnt(Marker.NONE), eq(name, self.name(b)))

    def is_type(self, o: Obj, kind: Type, stage: Stage = Stage.FINAL) -> Term:
        """Whether it has a card type (layer 4)."""
        base = self._remember(("type1", o, kind), lambda: self.any_face(o, lambda f: kind in f.types))
        if stage is Stage.COPIABLE:
            return base
        return self._remember(
            ("type", o, kind),
            lambda: self._layered(
                o,
                base,
                self._with(f"types {kind}", lambda c: c.types is not None or kind in c.lose_types),
                [e for e in self._effects() if kind in (e.changes.types or ()) or kind in e.changes.add_types],
            ),
        )

    def is_subtype(self, o: Obj, subtype: str, stage: Stage = Stage.FINAL) -> Term:
        """Whether it has a subtype (layer 4)."""
        base = self.any_face(o, lambda f: subtype in f.subtypes)
        if stage is Stage.COPIABLE:
            return base
        land = subtype in LAND_TYPES
        setters = self._with(
            f"subtypes {land}",
            lambda c: c.subtypes is not None and (c.types is not None or _sets_land_type(c) is land),
        )
        givers = [
            e for e in self._effects() if subtype in (e.changes.subtypes or ()) or subtype in e.changes.add_subtypes
        ]
        return self._remember(("subtype", o, subtype), lambda: self._layered(o, base, setters, givers))

    def is_supertype(self, o: Obj, supertype: Supertype) -> Term:
        """Whether it has a supertype."""
        return self.any_face(o, lambda f: supertype in f.supertypes)

    def is_colour(self, o: Obj, colour: Colour, stage: Stage = Stage.FINAL) -> Term:
        """Whether it has a colour (layer 5)."""
        base = self.any_face(o, lambda f: colour in f.colours)
        if stage is not Stage.FINAL:
            return base
        return self._remember(
            ("colour", o, colour),
            lambda: self._layered(
                o,
                base,
                self._with("colours", lambda c: c.colours is not None),
                [e for e in self._effects() if colour in (e.changes.colours or ()) or colour in e.changes.add_colours],
            ),
        )

    def is_colourless(self, o: Obj) -> Term:
        """Whether it has no colour (105.2c)."""
        return and_(*(not_(self.is_colour(o, colour)) for colour in Colour))

    # -- layer 6 --------------------------------------------------------------------------------------------------

    def has_ability(self, o: Obj, ability: Ability, stage: Stage = Stage.FINAL) -> Term:
        """Whether it has one particular ability."""
        return self._remember(("ability", o, id(ability), stage), lambda: self._has_ability(o, ability, stage))

    def _has_ability(self, o: Obj, ability: Ability, stage: Stage) -> Term:
        base = self.any_face(o, lambda f: any(a is ability for a in f.abilities))
        if stage is Stage.COPIABLE:
            return base
        base = and_(base, not_(self._made_basic_land(o)))
        if stage is Stage.TYPED:
            return base
        givers = [e for e in self._effects() if any(a is ability for a in e.changes.grant_abilities)]
        return self._layered(o, base, self._removers(), givers)

    def _removers(self) -> list[_Applied]:
        return self._with("removal", lambda c: c.lose_abilities)

    def _made_basic_land(self, o: Obj) -> Term:
        """Whether an effect sets its land type, which takes the abilities of its rules text (305.7)."""
        setters = self._with("land type", _sets_land_type)
        return self.game.under("305.7", or_(*(self.applies(s, o) for s in setters)))

    def abilities(self, o: Obj) -> Iterator[tuple[Ability, Term]]:
        """Every ability it may have, with the condition under which it does."""
        for ability in self._setup.abilities_of(o):
            has = self.has_ability(o, ability)
            if has is not FALSE:
                yield ability, has

    def has_keyword(self, o: Obj, keyword: Keyword) -> Term:
        """Whether it has a keyword, printed, granted, or from a counter (122.1b)."""
        if keyword not in self._setup.keywords:
            return self._keyword_counter(o, keyword)
        return self._remember(("keyword", o, keyword), lambda: self._has_keyword(o, keyword))

    def _has_keyword(self, o: Obj, keyword: Keyword) -> Term:
        base = and_(self.any_face(o, lambda f: keyword in f.keywords), not_(self._made_basic_land(o)))
        givers = [
            e
            for e in self._effects()
            if keyword in e.changes.grant
            or any(isinstance(a, KeywordAbility) and a.keyword is keyword for a in e.changes.grant_abilities)
        ]
        return or_(self._layered(o, base, self._removers(), givers), self._keyword_counter(o, keyword))

    def _keyword_counter(self, o: Obj, keyword: Keyword) -> Term:
        kind = next((kind for kind in CounterKind if kind.value == keyword.value), None)
        if kind is None:
            return FALSE
        there = self.game.under("122.1b", self.game[COUNTERS, o, kind] > 0)
        if there is FALSE:
            return FALSE
        later = (and_(self.applies(r, o), self.newer(r.stamp, CounterStamp(o))) for r in self._removers())
        return and_(there, not_(or_(*later)))

    def without_abilities(self, o: Obj) -> Term:
        """Whether it has no abilities at all, after layer 6."""
        has = [present for _, present in self.abilities(o)]
        return not_(or_(*has, *(self.has_keyword(o, keyword) for keyword in Keyword)))

    def face_down_costs(self, o: Obj) -> Iterator[tuple[FaceDownCost, Term]]:
        """Its morph, megamorph and disguise abilities, each with its condition."""
        return ((a, has) for a, has in self.abilities(o) if isinstance(a, FaceDownCost))

    # -- layer 7 --------------------------------------------------------------------------------------------------

    def power(self, o: Obj) -> Term:
        """Power (layer 7)."""
        return self._remember(("power", o), lambda: self._switched(o)[0])

    def toughness(self, o: Obj) -> Term:
        """Toughness (layer 7)."""
        return self._remember(("toughness", o), lambda: self._switched(o)[1])

    def _switched(self, o: Obj) -> tuple[Term, Term]:
        power = self._sized(o, lambda f: f.power, "power", lambda c: c.power, lambda c: c.add_power)
        toughness = self._sized(o, lambda f: f.toughness, "toughness", lambda c: c.toughness, lambda c: c.add_toughness)
        for effect in self._with("switch", lambda c: c.switch):
            on = self.applies(effect, o)
            power, toughness = ite(on, toughness, power), ite(on, power, toughness)
        return power, toughness

    def _sized(
        self,
        o: Obj,
        printed: Callable[[Face], Amount | None],
        what: str,
        sets: Callable[[Changes], int | None],
        adds: Callable[[Changes], Amount | None],
    ) -> Term:
        value = self._set_size(o, printed, what, sets)
        parts = [value, self.game[COUNTERS, o, CounterKind.PLUS]]
        minus = self.game[COUNTERS, o, CounterKind.MINUS]
        for effect in self._with(f"add {what}", lambda c: adds(c) is not None):
            on = self.applies(effect, o)
            if on is not FALSE:
                source = effect.stamp.source if isinstance(effect.stamp, Shot) else effect.stamp
                wanted = adds(effect.changes) or Amount(0)
                size = self.amount(wanted, self.controller(source), source)
                if isinstance(effect.stamp, Shot) and wanted.per_x:
                    x = self.game[SHOT_X, effect.stamp]
                    size = add(size, *(ite(x >= n, number(wanted.per_x), number(0)) for n in range(1, x.high + 1)))
                instances = self.game[EFFECT, effect.stamp, o] if isinstance(effect.stamp, Shot) else number(1)
                parts += [ite(and_(on, instances >= n), size, number(0)) for n in range(1, instances.high + 1)]
        return add(*parts) - minus

    def _set_size(
        self, o: Obj, printed: Callable[[Face], Amount | None], what: str, sets: Callable[[Changes], int | None]
    ) -> Term:
        """The size after layer 7b."""
        value = self._by_face(o, lambda f: self.amount(printed(f) or Amount(0), self.controller(o), o))
        setters = self._with(f"set {what}", lambda c: sets(c) is not None)
        for effect in setters:
            here = and_(self.applies(effect, o), not_(self._overridden(o, effect, setters)))
            value = ite(here, number(sets(effect.changes) or 0), value)
        return value

    def base(self, o: Obj, what: str) -> Term:
        """Base power or toughness: what effects that set it leave (208.4b)."""
        if what == "power":
            return self._set_size(o, lambda f: f.power, what, lambda c: c.power)
        return self._set_size(o, lambda f: f.toughness, what, lambda c: c.toughness)

    def mana_value(self, o: Obj) -> Term:
        """Mana value, X being 0; 0 for what has no mana cost (202.3)."""
        return self._by_face(o, lambda f: number(f.mana_value))

    # -- conditions -----------------------------------------------------------------------------------------------

    def amount(self, value: Amount, you: Term, this: Obj | None, x: int = 0, that: object = None) -> Term:
        """The number that an amount stands for."""
        total = number(value.fixed + value.per_x * x)
        if value.event:
            assert isinstance(that, int), "the trigger event has no number"
            total = total + that
        if value.per is not None:
            per = value.per
            counted = count(self.matches(o, per, you, this) for o in self._setup.objects)
            for _ in range(abs(value.times)):
                total = total + counted if value.times > 0 else total - counted
        return total

    def matches(
        self,
        o: Obj,
        wanted: Filter,
        you: Term,
        this: Obj | None = None,
        stage: Stage = Stage.FINAL,
        that_player: Term | None = None,
    ) -> Term:
        """Whether an object meets a filter; see :func:`model.matching.matches`."""
        return matches(self, self.game, o, wanted, Asking(you, this, that_player), stage)

    # -- continuous effects that change rules ------------------------------------------------------------------------

    def ruled(self, o: Obj, what: str) -> Term:
        """Whether a continuous effect says of the object ``cant_turn_up``, ``cant_block``, and so on."""
        return or_(*(self.applies(e, o) for e in self._with(what, lambda c: bool(getattr(c, what)))))

    def barred_from_blocking(self, blocker: Obj, attacker: Obj) -> Term:
        """Whether an effect on either says that the one cannot block the other (509.1b)."""
        found = []
        for effect in self._with("blockers", lambda c: c.cant_be_blocked_by is not None):
            wanted = effect.changes.cant_be_blocked_by
            assert wanted is not None
            meets = self.matches(blocker, wanted, self.controller(attacker), attacker)
            found.append(and_(self.applies(effect, attacker), meets))
        for effect in self._with("blocks only", lambda c: c.can_block_only is not None):
            wanted = effect.changes.can_block_only
            assert wanted is not None
            meets = self.matches(attacker, wanted, self.controller(blocker), blocker)
            found.append(and_(self.applies(effect, blocker), not_(meets)))
        return or_(*found)

    def _remember(self, key: object, derive: Callable[[], _T]) -> _T:
        found = self._memo.get(key)
        if found is None:
            found = self._memo[key] = derive()
        return found  # type: ignore[return-value]


def _effects(setup: Setup) -> Iterator[_Applied]:
    for o in setup.objects:
        for ability in setup.abilities_of(o):
            if isinstance(ability, StaticAbility):
                yield _Applied(o, ability, ability)
    for shot in setup.shots:
        yield _Applied(shot, shot.changes, None)


def _depends(a: _Applied, b: _Applied) -> bool:
    """Whether applying ``b`` can change what ``a`` applies to: it sets types, and ``a`` asks for a type (613.8a)."""
    wanted = a.ability.static.filter if a.ability is not None else None
    asks = wanted is not None and bool(wanted.types or wanted.all_types or wanted.not_types)
    return asks and a.changes.types is None and b.changes.types is not None


def _sets_land_type(changes: Changes) -> bool:
    return changes.subtypes is not None and bool(BASIC_LAND_TYPES.intersection(changes.subtypes))


def _holds(game: State, condition: Condition, you: Term, this: Obj) -> Term:
    from model.conditions import holds  # conditions ask for characteristics, and some characteristics for conditions

    return holds(game, condition, you, this)
