"""Properties of instructions (608.2c): what each leaves as it was, and who controls what after it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from model.cards.abilities import Attach as AttachAbility
from model.cards.abilities import Replacement
from model.effects import board, continuous, face_down, libraries, spells, zones
from model.effects.base import Effect
from model.effects.continuous import (
    ExchangeControl,
    GainControl,
)
from model.effects.flow import Pay
from model.families import (
    ATTACHED,
    ATTACKING,
    BANNED,
    BLOCKING,
    CAUSE,
    CHOSEN_NAME,
    CHOSEN_TYPE,
    CONTROLLER,
    COPIED,
    COPY_ENDS,
    COPY_WHILE_UP,
    COUNTERS,
    DAMAGE,
    DEATHTOUCHED,
    DELAYED,
    EFFECT,
    FREE,
    HIDDEN,
    LIFE,
    LINKED,
    MANA,
    PERMITTED,
    PREVENTED,
    PROFILE,
    REDIRECTED,
    SICK,
    SKIPS_UNTAP,
    TAPPED,
    TRANSFORMED,
    ZONE,
)
from model.parts import parts_of
from model.setup import Item, Obj
from model.state import Family
from model.terms import FALSE, Term, and_, not_, or_
from model.vocabulary import CounterKind, EventKind, ManaKind, Marker
from properties.kinds import Clause, Property, StepRule, StepView
from properties.support import (
    changes_of,
    controller_of,
    instructions,
    item_of,
    on_battlefield,
)
from properties.told import carried_out, does_only, meant_objects, meant_players

__all__ = ["PROPERTIES"]

# -- what stays -----------------------------------------------------------------------------------------------------

_CONTROL = frozenset({CONTROLLER, SICK})
_HURT = frozenset({DAMAGE, DEATHTOUCHED, COUNTERS, LIFE})
_COPY = frozenset({COPIED, COPY_ENDS, COPY_WHILE_UP})

_CHANGES: Mapping[type[Effect], frozenset[Family]] = {
    board.AddMana: frozenset({MANA}),
    board.Attach: frozenset({ATTACHED}),
    board.Counters: frozenset({COUNTERS}),
    board.Damage: _HURT,
    board.Fight: _HURT,
    board.GainLife: frozenset({LIFE}),
    board.LoseLife: frozenset({LIFE}),
    board.PreventCombatDamage: frozenset({PREVENTED}),
    board.Redirect: frozenset({REDIRECTED}),
    board.SkipUntap: frozenset({SKIPS_UNTAP}),
    board.Tap: frozenset({TAPPED}),
    board.Untap: frozenset({TAPPED}),
    continuous.BecomeCopy: _COPY,
    continuous.BecomeSize: _COPY,
    continuous.ChooseName: frozenset({CHOSEN_NAME}),
    continuous.ChooseType: frozenset({CHOSEN_TYPE}),
    continuous.Delayed: frozenset({DELAYED}),
    continuous.ExchangeControl: _CONTROL,
    continuous.GainControl: _CONTROL,
    continuous.Transform: frozenset({TRANSFORMED}),
    continuous.Until: frozenset({EFFECT, SICK}),
    face_down.TurnDown: frozenset({CAUSE, PROFILE}) | _COPY,
    face_down.TurnUp: frozenset({CAUSE, PROFILE, TRANSFORMED}),
    libraries.Hideaway: frozenset({LINKED}),
    spells.AllowCast: frozenset({PERMITTED}),
    spells.AllowFree: frozenset({FREE}),
    spells.BanName: frozenset({BANNED}),
    zones.Exile: frozenset({LINKED}),
}
"""What an instruction changes of an object that stays where it is, or of a player; one that is not listed, nothing."""

_MOVERS: tuple[type[Effect], ...] = (
    board.Token,
    face_down.Cloak,
    face_down.CloakCard,
    face_down.Manifest,
    face_down.ManifestCard,
    face_down.ManifestDread,
    face_down.PutFaceDown,
    libraries.Draw,
    libraries.Hideaway,
    libraries.Mill,
    libraries.Pile,
    libraries.PutOnLibrary,
    libraries.Search,
    libraries.Surveil,
    spells.CastFree,
    spells.CopySpell,
    spells.CounterSpell,
    zones.Bounce,
    zones.Destroy,
    zones.Discard,
    zones.Exile,
    zones.PutOntoBattlefield,
    zones.Sacrifice,
    zones.ToGraveyard,
)
"""The instructions that move objects between zones."""

_OF_OBJECTS = (
    CONTROLLER, CAUSE, PROFILE, TRANSFORMED, TAPPED, SICK, DAMAGE, DEATHTOUCHED, ATTACHED, ATTACKING, BLOCKING, COPIED,
    COPY_ENDS, COPY_WHILE_UP, CHOSEN_NAME, CHOSEN_TYPE, LINKED, REDIRECTED, HIDDEN,
)
_OF_PLAYERS = (LIFE, SKIPS_UNTAP, BANNED)


def _parts(step: StepView, item: Item) -> list[Effect]:
    """Every instruction of what resolves, whether or not it is chosen or its condition holds."""
    return [part for effect in instructions(item) for part in parts_of(effect) if isinstance(part, Effect)]


def _families(parts: Iterable[Effect]) -> set[Family]:
    return {family for part in parts for family in _CHANGES.get(type(part), ())}


def _keys(step: StepView, o: Obj) -> Iterator[tuple[Any, ...]]:
    setup = step.setup
    yield from ((family, o) for family in _OF_OBJECTS)
    yield from ((COUNTERS, o, kind) for kind in CounterKind)
    yield from ((EFFECT, shot, o) for shot in setup.shots)
    yield from ((family, p, o) for family in (PERMITTED, FREE) for p in setup.players)


def _leaves(step: StepView, o: Obj) -> Term:
    return or_(step.changed(ZONE, o), step.happens(EventKind.LEAVES, o))


def _lets_go(step: StepView, family: Family, o: Obj) -> Term:
    """Whether all that changes is that what the object referred to has left (400.7)."""
    gone = (and_(step.before[family, o].is_(other), _leaves(step, other)) for other in step.setup.objects)
    return and_(step.after[family, o].is_(Marker.NONE), or_(*gone))


def _replacing(step: StepView) -> Mapping[Family, Term]:
    """What may change because something enters, or is turned face up, with an ability that says so (614.1c, 614.1e)."""
    found: dict[Family, Term] = {}
    for o in step.setup.objects:
        for ability in step.setup.abilities_of(o):
            if isinstance(ability, Replacement):
                of = (o,) if ability.what is None else ()
                happens = or_(step.happens(EventKind.ENTERS, *of), step.happens(EventKind.TURNED_UP, *of))
                for family in _families(part for part in parts_of(ability) if isinstance(part, Effect)):
                    found[family] = or_(found.get(family, FALSE), happens)
    return found


def _frame(step: StepView) -> Iterable[Clause]:
    item = item_of(step.setup, step.action)
    if item is None:
        return
    parts, you = _parts(step, item), controller_of(step.setup, step.action)
    if any(isinstance(part, Pay) for part in parts):
        return
    changes = _families(parts) | ({ATTACHED} if isinstance(item.ability, AttachAbility) else set())
    setup, goes_on = step.setup, not_(step.happens(EventKind.LEFT_GAME))
    replaced = _replacing(step)
    moves = any(isinstance(part, _MOVERS) for part in parts)
    started = {id(part) for part in parts}
    for o in setup.objects:
        if not moves and o is not item.source:
            yield Clause(f"{o}: not moved by what moves nothing", goes_on, not_(step.changed(ZONE, o)))
        kept = []
        for key in _keys(step, o):
            family = key[0]
            allowed = family in changes
            if family is EFFECT:
                allowed = id(key[1].effect) in started
            elif family in (PERMITTED, FREE):
                allowed = allowed and key[1] is you
            if not allowed and (changed := step.changed(*key)) is not FALSE:
                excused = replaced.get(family, FALSE)
                if family in (ATTACHED, BLOCKING):
                    excused = or_(excused, _lets_go(step, family, o))
                kept.append(or_(not_(changed), excused))
        for source, ability in setup.delayed:
            watched = setup.item(source, ability)
            if DELAYED not in changes:
                kept.append(or_(step.before[DELAYED, watched, o], not_(step.after[DELAYED, watched, o])))
        yield Clause(f"{o}: as before but for what it says", and_(goes_on, not_(_leaves(step, o))), and_(*kept))
    for p in setup.players:
        others = [not_(step.changed(family, p)) for family in _OF_PLAYERS if family not in changes]
        others += [not_(step.changed(MANA, p, kind)) for kind in ManaKind if MANA not in changes]
        yield Clause(f"{p}: as before but for what it says", goes_on, and_(*others))
    if PREVENTED not in changes:
        for i, _ in enumerate(setup.shields):
            yield Clause("combat damage: prevented as before", goes_on, not_(step.changed(PREVENTED, i)))


# -- control --------------------------------------------------------------------------------------------------------


def _barred_from_changing_hands(step: StepView) -> bool:
    """Whether anything in the scenario keeps players from gaining control, or gives it while it lasts."""
    return any(c.cant_gain_control or c.control is not None for c in changes_of(step.setup))


def _gained(step: StepView) -> Iterable[Clause]:
    effect = does_only(step, GainControl)
    if effect is None or _barred_from_changing_hands(step):
        return
    for p in meant_players(step, effect.player):
        for o in meant_objects(step, effect.gain_control):
            meant = and_(carried_out(step), on_battlefield(step.before, o))
            had = step.before[CONTROLLER, o].is_(p)
            yield Clause(
                f"{o}: {p} gains control of it, and has it for the first time",
                and_(meant, not_(had)),
                and_(step.after[CONTROLLER, o].is_(p), step.after[SICK, o]),
            )
            yield Clause(
                f"{o}: {p} has it already, and nothing changes",
                and_(meant, had),
                and_(not_(step.changed(CONTROLLER, o)), not_(step.changed(SICK, o))),
            )


def _exchanged(step: StepView) -> Iterable[Clause]:
    effect = does_only(step, ExchangeControl)
    if effect is None or _barred_from_changing_hands(step):
        return
    for a in meant_objects(step, effect.exchange_control):
        for b in meant_objects(step, effect.other):
            both = and_(carried_out(step), *(on_battlefield(step.before, o) for o in (a, b)))
            for p in step.setup.players:
                for q in step.setup.players:
                    had = and_(both, step.before[CONTROLLER, a].is_(p), step.before[CONTROLLER, b].is_(q))
                    if p is q:
                        kept = [not_(step.changed(family, o)) for family in (CONTROLLER, SICK) for o in (a, b)]
                        yield Clause(f"{a} and {b}: both are {p}'s, and nothing changes", had, and_(*kept))
                        continue
                    yield Clause(
                        f"{a} and {b}: {p} and {q} exchange them",
                        had,
                        and_(
                            step.after[CONTROLLER, a].is_(q),
                            step.after[CONTROLLER, b].is_(p),
                            step.after[SICK, a],
                            step.after[SICK, b],
                        ),
                    )


PROPERTIES: tuple[Property, ...] = (
    StepRule(
        "instructions-change-what-they-speak-of",
        "What resolves changes of a permanent or player that stays only what its instructions speak of: "
        "who gains control of a creature does not untap it, heal it or take off what is attached.",
        ("608.2c", "110.5", "400.7", "611.2c", "701.12b", "613.1b"),
        formula=_frame,
    ),
    StepRule(
        "gained-control-is-the-named-players",
        "Who gains control of a permanent controls it, and has not controlled it since the turn began; for who has it "
        "already nothing changes.",
        ("613.1b", "302.6"),
        formula=_gained,
    ),
    StepRule(
        "exchange-of-control-is-mutual",
        "If control of two permanents is exchanged, each player gains control of what the other controlled, whoever "
        "owns it; between two permanents of one player nothing is exchanged.",
        ("701.12b", "302.6"),
        formula=_exchanged,
    ),
)
