"""Properties of instructions about spells (608.2c): cast for nothing, permitted, aimed elsewhere, and copied."""

from __future__ import annotations

from collections.abc import Iterable

from model.cards.abilities import Attach
from model.cards.phrases import Filter
from model.effects.spells import AllowCast, AllowFree, CastFree, CopySpell, Retarget
from model.families import BY, CAUSE, CONTROLLER, COPIED, FREE, ITEM, MANA, PERMITTED, PROFILE, TARGET, ZONE
from model.setup import Obj, Player
from model.terms import FALSE, TRUE, Term, and_, count, eq, not_, or_
from model.vocabulary import Cause, EventKind, ManaKind, Type, Zone
from properties.kinds import Clause, Property, StepRule, StepView
from properties.support import (
    controller_of,
    controls,
    down,
    everybody_knows,
    lost_abilities,
    printed_triggers,
    shown_face,
    unmodified,
    waiting_for,
)
from properties.told import carried_out, does_only, may_meet, meant_objects, surely_meets, target_specs

__all__ = ["PROPERTIES"]


_DAMAGEABLE = (Type.CREATURE, Type.PLANESWALKER, Type.BATTLE)
"""What an object has to be for any target to include it (115.4)."""


def _cast_for_nothing(step: StepView) -> Iterable[Clause]:
    effect = does_only(step, CastFree)
    if effect is None:
        return
    you = controller_of(step.setup, step.action)
    for o in meant_objects(step, effect.cast_free):
        front = o.card.front
        if Type.LAND in front.types:
            yield Clause(f"{o}: a land, which cannot be cast", carried_out(step), not_(step.changed(ZONE, o)))
            continue
        if not front.is_permanent_card or any(isinstance(a, Attach) and a.enchant is not None for a in front.abilities):
            continue
        spell = step.setup.spells(o)[0]
        yield Clause(
            f"{o}: cast face up by {you}",
            carried_out(step),
            and_(
                step.after[ZONE, o].is_(Zone.STACK),
                step.after[ITEM, 0].is_(spell),
                step.after[BY, 0].is_(you),
                not_(down(step.after, o)),
                everybody_knows(step.after, o),
                step.happens(EventKind.CAST, o, you),
                *(not_(step.changed(MANA, p, kind)) for p in step.setup.players for kind in ManaKind),
            ),
        )


def _seen_cast(step: StepView) -> Iterable[Clause]:
    for w, ability in printed_triggers(step.setup, EventKind.CAST):
        wanted = ability.when.subject
        if wanted is None or ability.when.batch or ability.condition is not None or ability.when.player != "any":
            continue
        for p in step.setup.players:
            stands = and_(shown_face(step.before, w), not_(lost_abilities(step.before, w)), controls(step.before, w, p))
            seen = count(
                and_(step.happens(EventKind.CAST, o), surely_meets(step.after, o, wanted, p, w))
                for o in step.setup.cards()
            )
            more = waiting_for(step.after, w, ability) - waiting_for(step.before, w, ability)
            yield Clause(f"{w}: sees a spell as it is on the stack", and_(stands, seen >= 1), eq(more, seen))


def _permitted(step: StepView) -> Iterable[Clause]:
    free, cast = does_only(step, AllowFree), does_only(step, AllowCast)
    meant = free.allow_free if free is not None else cast.allow_cast if cast is not None else None
    if meant is None:
        return
    you = controller_of(step.setup, step.action)
    for o in meant_objects(step, meant):
        may = step.after[FREE, you, o] if free is not None else step.after[PERMITTED, you, o] >= 1
        yield Clause(f"{o}: {you} may cast it", carried_out(step), may)


def _retargeted(step: StepView) -> Iterable[Clause]:
    if does_only(step, Retarget) is None or not step.setup.target_places:
        return
    aimed: list[Obj | Player] = [*step.setup.objects, *step.setup.players]
    for place in range(step.setup.bounds.stack - 1):
        # What resolves has left the top of the stack, so everything has moved up by one.
        was, now = step.before[TARGET, place + 1, 0], step.after[TARGET, place, 0]
        for item in step.setup.items:
            specs = target_specs(item)
            here = and_(step.after[ITEM, place].is_(item), not_(eq(was, now)))
            if len(specs) != 1 or here is FALSE:
                continue
            for you in step.setup.players:
                for target in aimed:
                    changed = and_(here, step.after[BY, place].is_(you), now.is_(target))
                    yield Clause(f"{item}: can target {target}", changed, _can_be(step, specs[0], target, you))


def _can_be(step: StepView, spec: Filter | str, target: Obj | Player, you: Player) -> Term:
    if isinstance(spec, Filter):
        return may_meet(step.before, target, spec, you) if isinstance(target, Obj) else FALSE
    if isinstance(target, Player):
        return TRUE if spec in ("player", "any target") or (spec == "opponent" and target is not you) else FALSE
    if spec != "any target":
        return FALSE
    kinds = (may_meet(step.before, target, Filter(all_types=frozenset({kind})), you) for kind in _DAMAGEABLE)
    return or_(*kinds)


def _spell_copied(step: StepView) -> Iterable[Clause]:
    effect = does_only(step, CopySpell)
    if effect is None:
        return
    you = controller_of(step.setup, step.action)
    for spell in meant_objects(step, effect.copy_spell):
        for copy in step.setup.tokens_of(effect):
            made = and_(
                carried_out(step),
                step.before[ZONE, spell].is_(Zone.STACK),
                step.before[ZONE, copy].is_(Zone.OUTSIDE),
                step.after[ZONE, copy].is_(Zone.STACK),
            )
            on_top = and_(
                step.after[ITEM, 0].is_(step.setup.spells(copy)[0]),
                step.after[BY, 0].is_(you),
                step.after[CONTROLLER, copy].is_(you),
                step.after[CAUSE, copy].is_(Cause.NONE),
            )
            for face in step.setup.profiles:
                seen = and_(made, down(step.before, spell), step.before[PROFILE, spell].is_(face))
                copied = step.after[COPIED, copy].is_(face)
                yield Clause(f"{copy}: a copy of {spell}, which is {face}", seen, and_(on_top, copied))
            shows = and_(made, not_(down(step.before, spell)), unmodified(step.before, spell))
            printed = step.after[COPIED, copy].is_(spell.card.front)
            yield Clause(f"{copy}: a copy of {spell}, as printed", shows, and_(on_top, printed))


PROPERTIES: tuple[Property, ...] = (
    StepRule(
        "cast-without-paying-is-cast",
        "A card that is cast without paying its mana cost is a face-up spell of who casts it, and costs no mana; "
        "a land is not cast.",
        ("118.9", "601.2a", "305.1"),
        formula=_cast_for_nothing,
    ),
    StepRule(
        "spells-are-seen-as-cast",
        "An ability that triggers when a spell is cast looks at it as it is on the stack.",
        ("603.2", "601.2a"),
        formula=_seen_cast,
    ),
    StepRule(
        "permission-to-cast-is-given",
        "Who is permitted to cast a card may cast it.",
        ("601.3", "118.9"),
        formula=_permitted,
    ),
    StepRule(
        "changed-targets-are-legal",
        "A target is changed only to one that the spell or ability can have.",
        ("115.7a", "115.7"),
        formula=_retargeted,
    ),
    StepRule(
        "copy-of-a-spell-shows-what-it-shows",
        "The copy of a spell is face up, under the control of who copies it, with the values that the spell shows.",
        ("707.10", "707.2", "708.2"),
        formula=_spell_copied,
    ),
)
