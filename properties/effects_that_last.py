"""Properties of instructions that last (608.2c): copies, sizes, choices, delayed abilities, shields; and of life."""

from __future__ import annotations

from collections.abc import Iterable

from model.cards.abilities import TriggeredAbility
from model.cards.fields import Amount
from model.cards.phrases import Who
from model.effects.board import Damage, GainLife, LoseLife, Redirect
from model.effects.continuous import (
    BecomeCopy,
    BecomeSize,
    ChooseName,
    ChooseType,
    Delayed,
)
from model.families import (
    ATTACHED,
    ATTACKING,
    BLOCKING,
    CHOSEN_NAME,
    CHOSEN_TYPE,
    COPIED,
    DAMAGE,
    DELAYED,
    LIFE,
    PREVENTED,
    PROFILE,
    REDIRECTED,
    STEP,
    TRANSFORMED,
)
from model.terms import FALSE, TRUE, and_, eq, not_, or_
from model.vocabulary import EventKind, Marker, TurnStep
from properties.kinds import Clause, Property, StepRule, StepView
from properties.support import (
    controls,
    down,
    item_of,
    lost_abilities,
    on_battlefield,
    shown_face,
    unmodified,
    waiting_for,
)
from properties.told import carried_out, does_only, meant_objects, surely_meets

__all__ = ["PROPERTIES"]


def _sized(step: StepView) -> Iterable[Clause]:
    effect = does_only(step, BecomeSize)
    if effect is None or effect.size is None:
        return
    power, toughness = (Amount(n) for n in effect.size)
    for o in meant_objects(step, effect.become_size):
        front = o.card.front
        sized = [
            face
            for face in step.setup.every_face
            if face.name == front.name and face.power == power and face.toughness == toughness
        ]
        shows = and_(carried_out(step), shown_face(step.before, o))
        taken = or_(*(step.after[COPIED, o].is_(face) for face in sized))
        yield Clause(f"{o}: {power.fixed}/{toughness.fixed} in its copiable values, and otherwise itself", shows, taken)


def _copied(step: StepView) -> Iterable[Clause]:
    effect = does_only(step, BecomeCopy)
    if effect is None or effect.changes_faces:
        return
    for model in meant_objects(step, effect.become_copy_of):
        for o in meant_objects(step, effect.on):
            both = and_(carried_out(step), on_battlefield(step.before, model), on_battlefield(step.before, o))
            for face in step.setup.profiles:
                seen = and_(down(step.before, model), step.before[PROFILE, model].is_(face))
                taken = step.after[COPIED, o].is_(face)
                yield Clause(f"{o}: a copy of {model}, which is {face}", and_(both, seen), taken)
            printed = Marker.NONE if model.card.front is o.card.front else model.card.front
            shows = and_(shown_face(step.before, model), TRUE if model.card.back is None else FALSE)
            yield Clause(f"{o}: a copy of {model}, as printed", and_(both, shows), step.after[COPIED, o].is_(printed))


def _chosen(step: StepView) -> Iterable[Clause]:
    name, kind = does_only(step, ChooseName), does_only(step, ChooseType)
    choice = (step.argument("choice") or "").removeprefix("choosing ")
    if name is not None and choice in step.setup.name_sort.members:
        for o in meant_objects(step, name.choose_name):
            yield Clause(
                f"{o}: {choice} is the name chosen for it", carried_out(step), step.after[CHOSEN_NAME, o].is_(choice)
            )
    if kind is not None and choice in step.setup.subtypes:
        for o in meant_objects(step, kind.choose_type):
            yield Clause(
                f"{o}: {choice} is the type chosen for it", carried_out(step), step.after[CHOSEN_TYPE, o].is_(choice)
            )


def _delayed(step: StepView) -> Iterable[Clause]:
    item, effect = item_of(step.setup, step.action), does_only(step, Delayed)
    if item is not None and effect is not None:
        watching = step.setup.item(item.source, effect.delayed)
        for o in meant_objects(step, effect.on):
            yield Clause(f"{o}: watched from now on", carried_out(step), step.after[DELAYED, watching, o])
    for source, ability in step.setup.delayed:
        if ability.when.event is not EventKind.TURNED_UP:
            continue
        watching = step.setup.item(source, ability)
        for o in step.setup.objects:
            happened = and_(step.before[DELAYED, watching, o], step.happens(EventKind.TURNED_UP, o))
            more = waiting_for(step.after, source, ability) - waiting_for(step.before, source, ability)
            yield Clause(
                f"{o}: turned face up, which is seen once and not watched for any more",
                happened,
                and_(more.is_(1), not_(step.after[DELAYED, watching, o])),
            )


def _prevented(step: StepView) -> Iterable[Clause]:
    dealing = and_(not_(step.before[STEP,].is_(TurnStep.DAMAGE)), step.after[STEP,].is_(TurnStep.DAMAGE))
    you = step.setup.players[0]
    for i, shield in enumerate(step.setup.shields):
        wanted = shield.prevent_combat_damage
        if wanted.controller is not None or wanted.owner is not None:
            continue
        for o in step.setup.objects:
            fights = or_(*(step.before[family, o].isnt(Marker.NONE) for family in (ATTACKING, BLOCKING)))
            shielded = and_(step.before[PREVENTED, i], surely_meets(step.before, o, wanted, you, o))
            yield Clause(
                f"{o}: deals no combat damage, for it is prevented",
                and_(dealing, shielded, fights),
                not_(step.happens(EventKind.COMBAT_DAMAGE, o)),
            )


def _redirected(step: StepView) -> Iterable[Clause]:
    noted, dealt = does_only(step, Redirect), does_only(step, Damage)
    if noted is not None:
        for o in meant_objects(step, noted.redirect_damage):
            for other in meant_objects(step, noted.to):
                yield Clause(
                    f"{o}: damage will be dealt to {other} instead",
                    and_(carried_out(step), on_battlefield(step.before, o)),
                    step.after[REDIRECTED, o].is_(other),
                )
    if dealt is not None and dealt.damage == Amount(dealt.damage.fixed):
        for o in meant_objects(step, dealt.to):
            for other in step.setup.objects:
                if other is o:
                    continue
                elsewhere = and_(step.before[REDIRECTED, o].is_(other), on_battlefield(step.before, o))
                creature = and_(on_battlefield(step.before, other), down(step.before, other))
                yield Clause(
                    f"{o}: {other} is dealt the damage instead",
                    and_(carried_out(step), elsewhere, creature),
                    and_(
                        not_(step.changed(DAMAGE, o)),
                        eq(step.after[DAMAGE, other], step.before[DAMAGE, other] + dealt.damage.fixed),
                    ),
                )


def _life_of_controller(step: StepView) -> Iterable[Clause]:
    gains, loses = does_only(step, GainLife), does_only(step, LoseLife)
    effect, item = gains or loses, item_of(step.setup, step.action)
    if effect is None or item is None or effect.player is None or effect.player.of is None:
        return
    amount = gains.gain_life if gains is not None else loses.lose_life if loses is not None else Amount()
    of_host = effect.player.who is Who.CONTROLLER and effect.player.of.who is Who.HOST
    if not of_host or amount != Amount(amount.fixed):
        return
    change = amount.fixed if gains is not None else -amount.fixed
    for o in step.setup.objects:
        hosts = and_(carried_out(step), step.before[ATTACHED, item.source].is_(o), on_battlefield(step.before, o))
        for p in step.setup.players:
            theirs = controls(step.before, o, p)
            changed = eq(step.after[LIFE, p], step.before[LIFE, p] + change)
            yield Clause(f"{p}: controls {o}, so the life is {p}'s", and_(hosts, theirs), changed)
            yield Clause(f"{p}: does not control {o}", and_(hosts, not_(theirs)), not_(step.changed(LIFE, p)))


def _seen_transformed(step: StepView) -> Iterable[Clause]:
    for o in step.setup.objects:
        for ability in o.card.back.abilities if o.card.back is not None else ():
            if not isinstance(ability, TriggeredAbility) or ability.when.event is not EventKind.TRANSFORMED:
                continue
            if ability.when.subject is not None or ability.condition is not None:
                continue
            turns = and_(
                step.happens(EventKind.TRANSFORMED, o),
                not_(step.before[TRANSFORMED, o]),
                step.after[TRANSFORMED, o],
                unmodified(step.after, o),
                not_(lost_abilities(step.after, o)),
            )
            more = waiting_for(step.after, o, ability) - waiting_for(step.before, o, ability)
            yield Clause(f"{o}: transformed, and what its back face says triggers", turns, more.is_(1))


PROPERTIES: tuple[Property, ...] = (
    StepRule(
        "size-is-part-of-the-copiable-values",
        "A creature that takes a size has it among its copiable values, and is otherwise itself.",
        ("613.2a", "707.9"),
        formula=_sized,
    ),
    StepRule(
        "becoming-a-copy-takes-what-shows",
        "What becomes a copy takes the values that the other shows: those listed if it is face down, else the card's.",
        ("707.2", "708.2", "708.10"),
        formula=_copied,
    ),
    StepRule(
        "what-is-chosen-is-kept",
        "A name or a creature type that is chosen for an object is the one by which it goes from then on.",
        ("201.4", "608.2d"),
        formula=_chosen,
    ),
    StepRule(
        "delayed-ability-triggers-once",
        "A delayed triggered ability watches what it is made for, and triggers once when that happens.",
        ("603.7", "603.7b"),
        formula=_delayed,
    ),
    StepRule(
        "prevented-combat-damage-is-not-dealt",
        "A creature whose combat damage is prevented deals none.",
        ("615.1",),
        formula=_prevented,
    ),
    StepRule(
        "redirected-damage-is-dealt-to-the-other",
        "Damage that would be dealt to a permanent, and is dealt to another instead, hurts that other only.",
        ("614.9",),
        formula=_redirected,
    ),
    StepRule(
        "its-controller-is-who-controls-it",
        "What happens to the controller of a permanent happens to who controls it, whoever owns it.",
        ("109.5", "608.2h"),
        formula=_life_of_controller,
    ),
    StepRule(
        "transforming-shows-the-other-face-first",
        "An ability of the back face that triggers on transforming into it does so.",
        ("701.27a", "603.2"),
        formula=_seen_transformed,
    ),
)
