"""Properties of combat with face-down creatures: who may attack and block, and what damage does (506-511)."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from functools import partial

from model.cards.abilities import ProtectionAbility
from model.cards.card import Face
from model.cards.phrases import Filter
from model.families import (
    ACTIVE,
    ATTACHED,
    ATTACKING,
    BLOCKED,
    BLOCKING,
    CAUSE,
    CONTROLLER,
    DAMAGE,
    ITEM,
    LEFT,
    LIFE,
    OVER,
    PREVENTED,
    PRIORITY,
    REDIRECTED,
    SETTLED,
    SICK,
    STEP,
    TAPPED,
    ZONE,
)
from model.setup import Obj, Player
from model.terms import FALSE, TRUE, Term, and_, not_, or_
from model.vocabulary import Colour, EventKind, Keyword, Marker, TurnStep, Type
from properties.kinds import Clause, Invariant, Property, StepRule, StepView, View
from properties.shown import (
    has,
    has_said,
    is_creature,
    is_plain,
    lacks,
    meets,
    named,
    pairs_named,
    player_called,
    shows,
    size,
    stands,
    unchanged,
)
from properties.support import changes_of, controls, down, on_battlefield, sets_types

__all__ = ["PROPERTIES"]

_WALKS = (
    (Keyword.PLAINSWALK, "Plains"),
    (Keyword.ISLANDWALK, "Island"),
    (Keyword.SWAMPWALK, "Swamp"),
    (Keyword.MOUNTAINWALK, "Mountain"),
    (Keyword.FORESTWALK, "Forest"),
)
_EVASION = (Keyword.FLYING, Keyword.SHADOW, Keyword.FEAR, Keyword.MENACE, *(walk for walk, _ in _WALKS))


def _attack(step: StepView) -> tuple[Player, Player, list[Obj]] | None:
    """Who attacks whom with what, if attackers are declared in the step."""
    if step.action.label.rule != "attack":
        return None
    attackers = list(named(step.setup, step.argument("attackers")))
    return player_called(step.setup, step.action.label.actor), player_called(step.setup, step.argument("of")), attackers


def _block(step: StepView) -> tuple[Player, Player, list[tuple[Obj, Obj]]] | None:
    """Who blocks whose attackers, and which with what, if blockers are declared in the step."""
    if step.action.label.rule != "block":
        return None
    pairs = list(pairs_named(step.setup, step.argument("blocks")))
    return player_called(step.setup, step.action.label.actor), player_called(step.setup, step.argument("of")), pairs


def _goes_on(view: View) -> Term:
    """Whether the game is about to go on by itself: all have passed on an empty stack, and nothing is left to do."""
    done = and_(not_(view[OVER,]), view[SETTLED,], view[PRIORITY,].is_(Marker.NONE))
    return and_(done, view[ITEM, 0].is_(Marker.NONE))


def _before_attack(view: View) -> Term:
    steps = view.setup.steps
    return view[STEP,].is_(steps[steps.index(TurnStep.ATTACK) - 1])


def _able(view: View, o: Obj, p: Player) -> Term:
    """Whether an object is, as far as it shows, an untapped creature of the player's; true where it cannot be told."""
    creature = TRUE if sets_types(view.setup) else or_(is_creature(view, o), not_(unchanged(view, o)))
    return and_(on_battlefield(view, o), controls(view, o, p), creature, not_(view[TAPPED, o]))


# -- declaring -----------------------------------------------------------------------------------------------------


def _able_attack(step: StepView) -> Iterable[Clause]:
    declared = _attack(step)
    if declared is not None:
        for o in declared[2]:
            before = step.before
            waits = and_(before[SICK, o], lacks(before, o, Keyword.HASTE))
            barred = or_(has(before, o, Keyword.DEFENDER), has_said(before, o, "cant_attack"))
            yield Clause(f"{o}: attacks, and may", TRUE, and_(_able(before, o, declared[0]), not_(waits), not_(barred)))


def _face_down_attacks(view: View) -> Iterable[Clause]:
    setup = view.setup
    if TurnStep.ATTACK not in setup.steps or any(Keyword.DEFENDER in c.grant for c in changes_of(setup)):
        return
    for p in setup.players:
        ready = and_(_goes_on(view), _before_attack(view), view[ACTIVE,].is_(p))
        for o in setup.objects:
            able = and_(on_battlefield(view, o), down(view, o), is_creature(view, o), controls(view, o, p))
            free = and_(not_(view[TAPPED, o]), not_(view[SICK, o]), unchanged(view, o))
            for d in setup.others(p):
                yield Clause(
                    f"{o}: face down, and may attack {d} whatever its card says",
                    and_(ready, able, free, not_(view[LEFT, d])),
                    view.offered("attack", p.name, attackers=o.name, of=d.name),
                )


def _attacked(step: StepView) -> Iterable[Clause]:
    declared = _attack(step)
    if declared is None:
        return
    _, defender, attackers = declared
    for o in attackers:
        tapped = or_(step.after[TAPPED, o], not_(lacks(step.before, o, Keyword.VIGILANCE)))
        untapped = or_(not_(step.after[TAPPED, o]), not_(has(step.before, o, Keyword.VIGILANCE)))
        yield Clause(f"{o}: attacks {defender}", TRUE, and_(step.after[ATTACKING, o].is_(defender), tapped, untapped))
    for o in step.setup.objects:
        kept = [ZONE, CONTROLLER, CAUSE, DAMAGE, ATTACHED, *([] if o in attackers else [TAPPED, ATTACKING])]
        same = [not_(step.changed(family, o)) for family in kept]
        yield Clause(
            f"{o}: there as attackers are declared, and as it was", on_battlefield(step.before, o), and_(*same)
        )


def _able_block(step: StepView) -> Iterable[Clause]:
    declared = _block(step)
    if declared is not None:
        for b, a in _by_blocker(declared[2]):
            yield Clause(
                f"{b}: blocks {a}, and may",
                TRUE,
                and_(_able(step.before, b, declared[0]), step.before[ATTACKING, a].is_(declared[0])),
            )


def _by_blocker(pairs: Iterable[tuple[Obj, Obj]]) -> Iterator[tuple[Obj, Obj]]:
    return ((b, a) for a, b in pairs)


def _restrictions(step: StepView) -> Iterable[Clause]:
    declared = _block(step)
    if declared is None:
        return
    view = step.before
    for b, a in _by_blocker(declared[2]):
        barred = [has_said(view, b, "cant_block"), has_said(view, a, "cant_be_blocked")]
        for ability in a.card.front.abilities:
            wanted = getattr(ability, "cant_be_blocked_by", None)
            if wanted is not None and is_plain(wanted) and not sets_types(step.setup):
                barred.append(and_(stands(view, a), meets(view, a, wanted, b)))
        for ability in b.card.front.abilities:
            wanted = getattr(ability, "can_block_only", None)
            if wanted is not None and wanted == Filter(
                all_types=frozenset({Type.CREATURE}), keyword=wanted.keyword, phrase=wanted.phrase
            ):
                barred.append(and_(stands(view, b), lacks(view, a, wanted.keyword)))
        yield Clause(f"{b}: blocks {a}, and nothing says that it cannot", TRUE, not_(or_(*barred)))


def _evasion(step: StepView) -> Iterable[Clause]:
    declared = _block(step)
    if declared is None:
        return
    view, (defender, _, pairs) = step.before, declared
    for b, a in _by_blocker(pairs):
        alone = sum(1 for _, other in _by_blocker(pairs) if other is a) < 2
        timid = not_(shows(view, b, lambda face: Type.ARTIFACT in face.types or Colour.BLACK in face.colours))
        barred = [
            and_(has(view, a, Keyword.FLYING), lacks(view, b, Keyword.FLYING, Keyword.REACH)),
            and_(has(view, a, Keyword.SHADOW), lacks(view, b, Keyword.SHADOW)),
            and_(lacks(view, a, Keyword.SHADOW), has(view, b, Keyword.SHADOW)),
            and_(has(view, a, Keyword.FEAR), timid, unchanged(view, b)),
            has(view, a, Keyword.MENACE) if alone else FALSE,
            *(and_(has(view, a, walk), _has_land(view, defender, land)) for walk, land in _WALKS),
        ]
        for ability in a.card.front.abilities:
            if isinstance(ability, ProtectionAbility) and ability.protection.colours:
                coloured = partial(_has_colour, ability.protection.colours)
                barred.append(and_(stands(view, a), shows(view, b, coloured), unchanged(view, b)))
        yield Clause(f"{b}: blocks {a}, which has nothing that keeps it from it", TRUE, not_(or_(*barred)))


def _has_colour(colours: frozenset[Colour], face: Face) -> bool:
    return bool(colours & face.colours)


def _has_land(view: View, p: Player, subtype: str) -> Term:
    return or_(
        *(
            and_(
                on_battlefield(view, o),
                controls(view, o, p),
                shows(view, o, lambda face: subtype in face.subtypes),
                unchanged(view, o),
            )
            for o in view.setup.objects
        )
    )


def _may_be_blocked(view: View) -> Iterable[Clause]:
    setup = view.setup
    if TurnStep.ATTACK not in setup.steps:
        return
    for p in setup.players:
        now = and_(_goes_on(view), view[STEP,].is_(TurnStep.ATTACK), view[ACTIVE,].is_(p))
        for d, a, b in itertools.product(setup.others(p), setup.objects, setup.objects):
            if a is b:
                continue
            attacks = and_(on_battlefield(view, a), view[ATTACKING, a].is_(d), unchanged(view, a))
            plain = and_(lacks(view, a, *_EVASION), not_(shows(view, a, _is_protected)))
            able = and_(on_battlefield(view, b), is_creature(view, b), controls(view, b, d), not_(view[TAPPED, b]))
            free = and_(unchanged(view, b), lacks(view, b, Keyword.SHADOW))
            yield Clause(
                f"{b}: may block {a}, which nothing keeps it from",
                and_(now, attacks, plain, able, free),
                view.offered("block", d.name, blocks=f"{a} with {b}", of=p.name),
            )


def _is_protected(face: Face) -> bool:
    return any(isinstance(ability, ProtectionAbility) for ability in face.abilities)


def _order(step: StepView) -> Iterable[Clause]:
    attack, block, before = _attack(step), _block(step), step.before
    if attack is not None:
        p, d, attackers = attack
        there = not_(before[LEFT, d]) if attackers else TRUE
        then = step.after[STEP,].is_(TurnStep.ATTACK) if attackers else step.after[STEP,].isnt(TurnStep.ATTACK)
        yield Clause(
            f"{p}: attacks as combat begins",
            TRUE,
            and_(_goes_on(before), before[ACTIVE,].is_(p), _before_attack(before), there, then),
        )
    if block is not None:
        d, p, _ = block
        attacked = or_(*(before[ATTACKING, o].is_(d) for o in step.setup.objects))
        nobody = and_(*(before[ATTACKING, o].is_(Marker.NONE) for o in step.setup.objects))
        yield Clause(
            f"{d}: blocks what attacks {d}, after attackers have been declared",
            TRUE,
            and_(
                _goes_on(before),
                before[ACTIVE,].is_(p),
                before[STEP,].is_(TurnStep.ATTACK),
                or_(attacked, nobody),
                step.after[STEP,].is_(TurnStep.BLOCK),
            ),
        )


# -- damage --------------------------------------------------------------------------------------------------------


def _quiet(view: View) -> Term:
    """Whether no effect prevents or redirects damage."""
    setup = view.setup
    return and_(
        *(not_(view[PREVENTED, i]) for i in range(len(setup.shields))),
        *(view[REDIRECTED, o].is_(Marker.NONE) for o in setup.objects),
    )


def _damage(step: StepView) -> Iterable[Clause]:
    setup = step.setup
    if step.argument("step") != str(TurnStep.DAMAGE) or TurnStep.FIRST_DAMAGE in setup.steps:
        return
    view = step.before
    for a in setup.objects:
        fights = and_(on_battlefield(view, a), down(view, a), is_creature(view, a), unchanged(view, a), _quiet(view))
        alone = and_(*(view[ATTACKING, o].is_(Marker.NONE) for o in setup.objects if o is not a))
        power = size(view, a, "power")
        for p in setup.players:
            lost = step.before[LIFE, p] - step.after[LIFE, p]
            yield Clause(
                f"{a}: attacks {p} alone, face down and unblocked, and deals its damage",
                and_(fights, alone, view[ATTACKING, a].is_(p), not_(view[BLOCKED, a]), power > 0, _no_lifelink(view)),
                and_(lost.is_(power), step.happens(EventKind.COMBAT_DAMAGE, a, p)),
            )
        for b in setup.objects:
            if b is a:
                continue
            meets_it = and_(on_battlefield(view, b), view[BLOCKING, b].is_(a), is_creature(view, b))
            only = and_(*(view[BLOCKING, o].isnt(a) for o in setup.objects if o is not b))
            exact = and_(fights, view[ATTACKING, a].isnt(Marker.NONE), meets_it, only)
            unhurt = step.after[DAMAGE, b].is_(step.before[DAMAGE, b] + power)
            shielded = any(isinstance(x, ProtectionAbility) for x in b.card.front.abilities)
            if not shielded:
                yield Clause(f"{b}: blocks {a} alone, and is dealt its damage", exact, unhurt)


def _no_lifelink(view: View) -> Term:
    return and_(*(lacks(view, o, Keyword.LIFELINK) for o in view.setup.objects if _may_link(o)))


def _may_link(o: Obj) -> bool:
    return any(Keyword.LIFELINK in face.keywords for face in o.card.faces)


def _combat_ends(step: StepView) -> Iterable[Clause]:
    rule = step.action.label.rule
    if rule == "next turn" or step.argument("step") in (str(TurnStep.SECOND_MAIN), str(TurnStep.END)):
        for o in step.setup.objects:
            out = [step.after[family, o].is_(Marker.NONE) for family in (ATTACKING, BLOCKING)]
            fought = or_(step.before[ATTACKING, o].isnt(Marker.NONE), step.before[BLOCKING, o].isnt(Marker.NONE))
            yield Clause(f"{o}: fought, and is out of combat", fought, and_(*out, not_(step.after[BLOCKED, o])))


PROPERTIES: tuple[Property, ...] = (
    StepRule(
        "only-able-creatures-attack",
        "What attacks is an untapped creature of the active player's that has been there since the turn began or has "
        "haste, and that nothing keeps from attacking.",
        ("508.1a", "508.1c", "302.6"),
        formula=_able_attack,
    ),
    Invariant(
        "face-down-creatures-may-attack",
        "A face-down creature that its controller has had since the turn began may attack, whatever its card says.",
        ("508.1a", "708.2"),
        formula=_face_down_attacks,
    ),
    StepRule(
        "attacking-taps-and-changes-no-more",
        "Attacking taps a creature without vigilance, and changes nothing else.",
        ("508.1", "110.5"),
        formula=_attacked,
    ),
    StepRule(
        "only-able-creatures-block",
        "What blocks is an untapped creature of the defending player's, and what it blocks attacks that player.",
        ("509.1a",),
        formula=_able_block,
    ),
    StepRule(
        "blocks-heed-what-is-said",
        "No creature blocks that an effect keeps from blocking, or blocks what an effect says that it cannot.",
        ("509.1b",),
        formula=_restrictions,
    ),
    StepRule(
        "blocks-heed-keywords",
        "What has flying, shadow, fear, menace, landwalk or protection is blocked only by what those let block it; a "
        "face-down creature has no keyword and no colour of its card.",
        ("509.1b", "702.9b", "702.28b", "702.36b", "702.111b", "702.14c", "702.16f", "708.2a"),
        formula=_evasion,
    ),
    Invariant(
        "untapped-creatures-may-block",
        "An untapped creature may block whatever attacks its controller and has nothing that keeps it from that.",
        ("509.1a", "509.1b", "708.2"),
        formula=_may_be_blocked,
    ),
    StepRule(
        "combat-is-declared-in-order",
        "The active player attacks a player in the game as combat begins, with the stack empty and nobody to act; then "
        "the player who is attacked blocks.",
        ("508.1", "509.1", "500.1", "500.2", "508.8", "117.4"),
        formula=_order,
    ),
    StepRule(
        "face-down-attackers-deal-damage",
        "A face-down attacker deals damage equal to its power to the one creature that blocks it, or unblocked to the "
        "player whom it attacks.",
        ("510.2", "120.3", "708.2a"),
        formula=_damage,
    ),
    StepRule(
        "combat-ends",
        "After combat nothing attacks or blocks any more.",
        ("511.3", "506.4"),
        formula=_combat_ends,
    ),
)
