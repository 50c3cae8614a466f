"""Properties of when something may be done: spells and lands in their time, and the activation of abilities (602)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from model.cards.abilities import ActivatedAbility, Attach, CastFrom, Costs, FlashPermission
from model.families import COUNTERS, LAND_PLAYED, ONCE, SICK, TAPPED, ZONE
from model.setup import Obj, Player
from model.terms import FALSE, TRUE, Term, and_, not_, or_
from model.vocabulary import CounterKind, Keyword, Type, Zone
from properties.kinds import Clause, Invariant, Property, StepRule, StepView, View
from properties.printed import (
    activated,
    actor_of,
    at_leisure,
    called,
    can_have,
    cast_face,
    cast_object,
    condition_holds,
    costs_of,
    fits,
    printed,
    shows,
    spell_meets,
    split_second_waits,
    stands,
)
from properties.support import (
    can_surely_pay,
    controls,
    down,
    holder_acts,
    lost_abilities,
    on_battlefield,
    place_of,
    sets_types,
    unmodified,
)

__all__ = ["PROPERTIES"]

_Activation = tuple[Player, Obj, ActivatedAbility | Attach]


# -- spells and lands -----------------------------------------------------------------------------------------------


def _is_slow(step: StepView) -> bool:
    """Whether what a step does needs a main phase of the own turn and an empty stack, if no effect says otherwise."""
    item, found = cast_face(step), activated(step)
    if item is not None and item.face is not None:
        return Type.INSTANT not in item.face.types and Keyword.FLASH not in item.face.keywords
    if found is not None:
        ability = found[1]
        return isinstance(ability, Attach) or ability.sorcery_speed or ability.activate.loyalty is not None
    return step.action.label.rule in ("play a land", "cast face down")


def _flash(step: StepView, p: Player) -> Term:
    """Whether a permission to cast spells of a kind as though they had flash reaches what a step casts."""
    o, item, reached = cast_object(step), cast_face(step), []
    if o is None:
        return FALSE
    for source, ability in printed(step.setup, FlashPermission):
        face = item.face if item is not None else None
        meets = spell_meets(step.before, o, face, ability.as_though_flash, source)
        here = and_(stands(step.before, source), controls(step.before, source, p))
        reached.append(here if meets is None else and_(here, meets))
    return or_(*reached)


def _sorcery_speed(step: StepView) -> Iterable[Clause]:
    p = actor_of(step)
    if p is not None and _is_slow(step):
        yield Clause(
            f"{p}: does so in a main phase of the own turn with an empty stack, or an effect gives flash",
            TRUE,
            or_(at_leisure(step.before, p), _flash(step, p)),
        )


def _one_land(step: StepView) -> Iterable[Clause]:
    p = actor_of(step)
    if p is not None and step.action.label.rule == "play a land":
        played = and_(not_(step.before[LAND_PLAYED, p]), step.after[LAND_PLAYED, p])
        yield Clause(f"{p}: plays the one land of the turn", TRUE, played)


def _land(view: View) -> Iterable[Clause]:
    for o in view.setup.cards():
        p = o.owner
        if Type.LAND not in o.card.front.types:
            continue
        free = and_(holder_acts(view, p), at_leisure(view, p), not_(view[LAND_PLAYED, p]))
        there = [view[ZONE, o].is_(Zone.HAND)]
        for source, ability in printed(view.setup, CastFrom):
            if ability.lands and not ability.once_each_turn:
                in_library = and_(view[ZONE, o].is_(Zone.LIBRARY), place_of(view, o).is_(0))
                place = in_library if ability.cast_from == "library" else view[ZONE, o].is_(Zone.GRAVEYARD)
                there.append(and_(place, stands(view, source), controls(view, source, p)))
        yield Clause(f"{o}: {p} may play it", and_(free, or_(*there)), view.offered("play a land", p.name, card=o.name))


def _split_second(view: View) -> Iterable[Clause]:
    items = [i for i in view.setup.items if isinstance(i.ability, ActivatedAbility | Attach)]
    acting = [view.offered(rule) for rule in ("cast", "cast face down")]
    acting += [view.offered(rule, ability=str(i)) for i in items for rule in ("activate", "equip")]
    yield Clause(
        "a spell with split second is on the stack, and no spell can be cast and no ability activated",
        split_second_waits(view),
        not_(or_(*acting)),
    )


def _turning_up(step: StepView) -> Iterable[Clause]:
    p, name = actor_of(step), step.argument("permanent")
    if p is not None and name is not None:
        o = next(o for o in step.setup.objects if o.name == name)
        here = and_(on_battlefield(step.before, o), down(step.before, o), controls(step.before, o, p))
        yield Clause(f"{o}: a face-down permanent that {p} controls", TRUE, here)


# -- activated abilities --------------------------------------------------------------------------------------------


def _activation(step: StepView) -> _Activation | None:
    """Who activates which ability of what in a step."""
    p, found = actor_of(step), activated(step)
    return (p, *found) if p is not None and found is not None else None


def _where(ability: ActivatedAbility | Attach) -> Zone:
    if isinstance(ability, ActivatedAbility) and ability.from_hand:
        return Zone.HAND
    in_graveyard = isinstance(ability, ActivatedAbility) and ability.from_graveyard
    return Zone.GRAVEYARD if in_graveyard else Zone.BATTLEFIELD


def _by_its_controller(step: StepView) -> Iterable[Clause]:
    found = _activation(step)
    if found is not None:
        p, o, ability = found
        zone = _where(ability)
        own = controls(step.before, o, p) if zone is Zone.BATTLEFIELD else TRUE if o.owner is p else FALSE
        yield Clause(
            f"{o}: {p} has it in the zone {zone}, where its ability works",
            TRUE,
            and_(step.before[ZONE, o].is_(zone), own),
        )


def _lost(step: StepView) -> Iterable[Clause]:
    found = _activation(step)
    if found is not None:
        _, o, ability = found
        if not any(ability is granted for granted in step.setup.granted):
            yield Clause(f"{o}: has not lost the ability", TRUE, not_(lost_abilities(step.before, o)))


def _no_hidden_text(view: View) -> Iterable[Clause]:
    """Abilities that are printed on a card, and neither listed for what is face down nor granted."""
    for o in view.setup.objects:
        listed = [a for face in view.setup.profiles for a in face.abilities] + list(view.setup.granted)
        own = [a for face in o.card.faces for a in face.abilities if isinstance(a, ActivatedAbility | Attach)]
        for ability in own:
            if costs_of(ability) == Costs() and isinstance(ability, Attach):
                continue
            if _where(ability) is Zone.BATTLEFIELD and not any(ability is other for other in listed):
                name = called(view.setup, o, ability)
                yield Clause(
                    f"{o}: face down, and {name} cannot be activated",
                    and_(on_battlefield(view, o), down(view, o), unmodified(view, o)),
                    not_(or_(*(view.offered(rule, ability=name) for rule in ("activate", "equip")))),
                )


def _condition(step: StepView) -> Iterable[Clause]:
    found = _activation(step)
    if found is None or not isinstance(found[2], ActivatedAbility) or found[2].condition is None:
        return
    p, o, _ = found
    holds = condition_holds(step.before, found[2].condition, p, o)
    if holds is not None:
        yield Clause(f"{o}: the condition of its ability holds", TRUE, holds)


def _marks(view: View, o: Obj, ability: ActivatedAbility | Attach) -> Term:
    """Whether the ability, or for a loyalty ability any of the permanent's, has been used up for the turn."""
    if not isinstance(ability, ActivatedAbility) or ability.mana_ability:
        return FALSE
    if ability.activate.loyalty is None:
        return view[ONCE, view.setup.item(o, ability)] if ability.once_each_turn else FALSE
    others = (a for a in view.setup.abilities_of(o) if isinstance(a, ActivatedAbility))
    return or_(*(view[ONCE, view.setup.item(o, a)] for a in others if a.activate.loyalty is not None))


def _once(step: StepView) -> Iterable[Clause]:
    found = _activation(step)
    if found is not None:
        _, o, ability = found
        if _marks(step.after, o, ability) is not FALSE:
            fresh = and_(not_(_marks(step.before, o, ability)), _marks(step.after, o, ability))
            yield Clause(f"{o}: its ability is used for the first time this turn, and so noted", TRUE, fresh)


def _simple(view: View) -> Iterator[tuple[Obj, ActivatedAbility]]:
    """Printed abilities without targets that cost nothing but mana, tapping, loyalty counters, and what is given up."""
    for o, ability in printed(view.setup, ActivatedAbility):
        costs = ability.activate
        x = costs.mana is not None and costs.mana.x_count > 0
        kept = Costs(mana=costs.mana, tap=costs.tap, loyalty=costs.loyalty, this=costs.this, sacrifice=costs.sacrifice)
        if costs == kept and not x and not ability.targets and costs.this != "turn down":
            yield o, ability


def _here(view: View, p: Player, o: Obj, ability: ActivatedAbility) -> Term:
    """Whether the player has the object, with its ability, where the ability works."""
    zone = _where(ability)
    if zone is Zone.BATTLEFIELD:
        return and_(stands(view, o), controls(view, o, p))
    return and_(view[ZONE, o].is_(zone), TRUE if o.owner is p else FALSE)


def _needs(view: View, p: Player, o: Obj, ability: ActivatedAbility) -> Term | None:
    """Whether nothing but what is sacrificed keeps a player from activating; None if that cannot be told from print."""
    costs = ability.activate
    needs = [holder_acts(view, p), _here(view, p, o, ability), not_(_marks(view, o, ability))]
    if costs.mana is not None:
        needs.append(can_surely_pay(view, p, Costs(mana=costs.mana)))
    if costs.tap:
        rested = not_(view[SICK, o])
        if not sets_types(view.setup):
            rested = or_(rested, not_(shows(view, o, lambda face: Type.CREATURE in face.types)))
        needs.append(and_(not_(view[TAPPED, o]), rested))
    if costs.loyalty is not None:
        needs.append(view[COUNTERS, o, CounterKind.LOYALTY] >= -costs.loyalty)
    if ability.sorcery_speed or costs.loyalty is not None:
        needs.append(at_leisure(view, p))
    if not ability.mana_ability:
        needs.append(not_(split_second_waits(view)))
    if ability.condition is not None:
        holds = condition_holds(view, ability.condition, p, o)
        if holds is None:
            return None
        needs.append(holds)
    return and_(*needs)


def _may_activate(view: View) -> Iterable[Clause]:
    for o, ability in _simple(view):
        name, given = called(view.setup, o, ability), ability.activate.sacrifice
        for p in view.setup.players:
            free = _needs(view, p, o, ability)
            if free is None:
                continue
            if given is None:
                yield Clause(f"{o}: {p} may use {name}", free, view.offered("activate", p.name, ability=name))
                continue
            for other in view.setup.objects:
                meets = fits(view, other, given, p, o)
                offered = view.offered("activate", p.name, ability=name, paying=f"with {other}")
                if meets is not None and ability.activate.times == 1 and ability.activate.this is None:
                    own = and_(free, meets, controls(view, other, p))
                    yield Clause(f"{o}: {p} may use {name} and give up {other}", own, offered)


def _sick(step: StepView) -> Iterable[Clause]:
    found = _activation(step)
    if found is not None:
        _, o, ability = found
        hasty = can_have(step.setup, o, Keyword.HASTE)
        if costs_of(ability).tap and not hasty and not sets_types(step.setup):
            creature = and_(unmodified(step.before, o), shows(step.before, o, lambda face: Type.CREATURE in face.types))
            yield Clause(
                f"{o}: no creature that came under its controller's control this turn",
                TRUE,
                not_(and_(creature, step.before[SICK, o])),
            )


PROPERTIES: tuple[Property, ...] = (
    StepRule(
        "sorcery-speed-is-kept",
        "Spells that are no instants, lands, equip, loyalty abilities and abilities that say so wait for a main phase "
        "of the player's own turn with an empty stack; a permission to cast as though with flash lifts that.",
        ("302.1", "307.1", "305.1", "602.5d", "606.3", "702.6a", "702.8a"),
        formula=_sorcery_speed,
    ),
    StepRule(
        "one-land-a-turn",
        "A player plays one land in a turn.",
        ("305.2",),
        formula=_one_land,
    ),
    Invariant(
        "land-may-be-played",
        "With priority in a main phase of the own turn and an empty stack, a player who has played no land this turn "
        "may play one from the hand, or from where a permission reaches.",
        ("305.1", "305.2", "601.3"),
        formula=_land,
    ),
    StepRule(
        "only-permanents-are-turned-up-for-a-cost",
        "What a player turns face up for a cost is a face-down permanent under the player's control, never a spell.",
        ("116.2b", "702.37e", "701.40b", "708.4"),
        formula=_turning_up,
    ),
    Invariant(
        "split-second-stops-spells-and-abilities",
        "While a spell with split second is on the stack, no spell is cast and no ability activated but for mana.",
        ("702.61a",),
        formula=_split_second,
    ),
    StepRule(
        "abilities-are-activated-by-their-controller",
        "An ability is activated by who controls its source, or owns it in hand or graveyard, where the ability works.",
        ("602.1", "602.2", "113.6"),
        formula=_by_its_controller,
    ),
    StepRule(
        "lost-abilities-are-not-activated",
        "An ability that an effect has taken away is not activated.",
        ("602.1", "613.1f"),
        formula=_lost,
    ),
    Invariant(
        "face-down-permanent-has-no-abilities-of-its-card",
        "No ability of the card is activated while the permanent is face down and no copy effect applies to it.",
        ("602.1", "708.2"),
        formula=_no_hidden_text,
    ),
    StepRule(
        "conditions-of-activation-hold",
        "An ability that can be activated only if something is so is activated only then.",
        ("602.5b",),
        formula=_condition,
    ),
    StepRule(
        "once-each-turn-is-once",
        "An ability that works once each turn is activated once, and so is one loyalty ability of each permanent.",
        ("602.5b", "606.3"),
        formula=_once,
    ),
    StepRule(
        "new-creatures-do-not-tap-for-abilities",
        "A creature without haste that its controller has not had since the turn began is not tapped for an ability.",
        ("302.6",),
        formula=_sick,
    ),
    Invariant(
        "ability-may-be-activated",
        "With priority, who can pay may activate an ability of a permanent in its time: a sick creature alone cannot "
        "tap for one.",
        ("602.1", "602.2", "302.6", "606.3"),
        formula=_may_activate,
    ),
)
