"""Properties of owner and controller, and of what stays as it is while objects move and turn over (400, 800.4a)."""

from __future__ import annotations

from collections.abc import Iterable

from model.cards.abilities import (
    Attach,
    EntryBan,
    LookPermission,
    Replacement,
)
from model.cards.fields import Amount
from model.cards.phrases import Filter, Who
from model.effects.board import Attach as AttachEffect
from model.effects.board import Counters, GainLife, LoseLife, Untap
from model.effects.zones import PutOntoBattlefield
from model.families import (
    ATTACHED,
    CONTROLLER,
    COUNTERS,
    DAMAGE,
    ENTERED_UNDER,
    LEFT,
    LIFE,
    TAPPED,
    ZONE,
)
from model.terms import FALSE, TRUE, Term, add, and_, eq, ite, not_, number, or_
from model.vocabulary import CounterKind, Type, Zone
from properties.consequences import turned_up
from properties.kinds import Clause, Invariant, Property, StepRule, StepView, View
from properties.shown import is_plain, meets, player_called, stands, stays, tells
from properties.special_actions import KEYWORD_ROUTE, MANA_ROUTE
from properties.support import (
    controls,
    down,
    in_game,
    is_instant_or_sorcery,
    item_of,
    lost_abilities,
    on_battlefield,
    place_of,
    resolves,
    sets_types,
    shown_face,
    unmodified,
)

__all__ = ["PROPERTIES"]


# -- what stays as it is -------------------------------------------------------------------------------------------


def _damage_stays(step: StepView) -> Iterable[Clause]:
    if step.action.label.rule != "next turn":
        for o in step.setup.objects:
            damaged = and_(stays(step, o), step.before[DAMAGE, o] > 0)
            yield Clause(f"{o}: damaged, and still", damaged, step.after[DAMAGE, o] >= step.before[DAMAGE, o])


def _attached_stays(step: StepView) -> Iterable[Clause]:
    item = item_of(step.setup, step.action)
    equips = item is not None and isinstance(item.ability, Attach)
    if step.action.label.rule == "state-based actions" or equips or tells(step, AttachEffect):
        return
    for what in step.setup.objects:
        for host in step.setup.objects:
            on = and_(stays(step, what), stays(step, host), step.before[ATTACHED, what].is_(host))
            yield Clause(f"{what}: attached to {host}, and still", on, not_(step.changed(ATTACHED, what)))


def _tapped_stays(step: StepView) -> Iterable[Clause]:
    rule = step.action.label.rule
    if tells(step, Untap) or (rule != "resolve" and any(isinstance(p, Untap) for _, _, p in step.setup.parts)):
        return
    for o in step.setup.objects:
        tapped = and_(stays(step, o), step.before[TAPPED, o])
        own_turn: Term = FALSE
        if rule == "next turn":
            own_turn = controls(step.after, o, player_called(step.setup, step.argument("of")))
        yield Clause(
            f"{o}: tapped, and still but in its controller's untap step", tapped, or_(step.after[TAPPED, o], own_turn)
        )


# -- owner and controller ------------------------------------------------------------------------------------------


def _owner_elsewhere(view: View) -> Iterable[Clause]:
    for o in view.setup.objects:
        away = view[ZONE, o].among((Zone.HAND, Zone.LIBRARY, Zone.GRAVEYARD, Zone.EXILE))
        yield Clause(
            f"{o}: neither permanent nor spell, and nobody's but its owner's", away, view[CONTROLLER, o].is_(o.owner)
        )


def _goes_back(step: StepView) -> Iterable[Clause]:
    for o in step.setup.objects:
        for p in step.setup.players:
            if o.owner is p:
                continue
            leaves = and_(not_(step.before[LEFT, p]), step.after[LEFT, p], not_(step.after[LEFT, o.owner]))
            for q in step.setup.players:
                if q is not p:
                    gained = and_(step.before[CONTROLLER, o].is_(p), step.before[ENTERED_UNDER, o].is_(q))
                    still = and_(on_battlefield(step.before, o), gained, not_(step.after[LEFT, q]))
                    yield Clause(
                        f"{o}: {p} had gained control of it and left, and it is {q}'s again",
                        and_(leaves, still),
                        and_(on_battlefield(step.after, o), step.after[CONTROLLER, o].is_(q)),
                    )


def _entry_counters(step: StepView) -> Iterable[Clause]:
    setup = step.setup
    for o in setup.objects:
        texts = [(s, a) for s in setup.objects for a in s.card.front.abilities if isinstance(a, Replacement) and a.what]
        if not texts or sets_types(setup) or not all(_puts_counters(a) for _, a in texts) or tells(step, Counters):
            return
        enters = and_(not_(on_battlefield(step.before, o)), on_battlefield(step.after, o), down(step.after, o))
        standing = [and_(stands(step.before, s), stands(step.after, s)) for s, _ in texts]
        wanted = add(
            *(
                ite(and_(here, meets(step.after, s, a.what, o)), number(_puts_counters(a)), number(0))
                for here, (s, a) in zip(standing, texts, strict=True)
                if a.what is not None
            )
        )
        yield Clause(
            f"{o}: enters face down, with the counters that what its controller controls gives it",
            and_(enters, *standing),
            step.after[COUNTERS, o, CounterKind.PLUS].is_(wanted),
        )


def _puts_counters(ability: Replacement) -> int:
    """How many +1/+1 counters an ability gives what enters, if that is all it does, to what a plain filter says."""
    if ability.as_ != "enters" or not is_plain(ability.what) or len(ability.do) != 1:
        return 0
    effect = ability.do[0]
    plain = isinstance(effect, Counters) and effect.kind is CounterKind.PLUS and effect.on.who is Who.THAT
    return effect.counters.fixed if isinstance(effect, Counters) and plain and effect.counters.per_x == 0 else 0


def _serves(step: StepView) -> Iterable[Clause]:
    if step.action.label.rule not in (KEYWORD_ROUTE, MANA_ROUTE):
        return
    for o in step.setup.objects:
        texts = [a for a in o.card.front.abilities if isinstance(a, Replacement) and a.as_ != "enters"]
        changes = [_change(effect) for a in texts for effect in a.do]
        if not changes or None in changes or o.name != step.argument("permanent"):
            continue
        for p in step.setup.players:
            turned = and_(turned_up(step, o), unmodified(step.after, o), not_(lost_abilities(step.after, o)))
            gained = step.after[LIFE, p] - step.before[LIFE, p]
            yield Clause(
                f"{o}: as it is turned face up, {p} gains or loses life, who controls it",
                and_(turned, controls(step.before, o, p)),
                gained.is_(sum(change or 0 for change in changes)),
            )


def _change(effect: object) -> int | None:
    """How much life "you" gain by an instruction, or None if it says anything else."""
    if isinstance(effect, GainLife) and effect.player is None and effect.gain_life == Amount(effect.gain_life.fixed):
        return effect.gain_life.fixed
    if isinstance(effect, LoseLife) and effect.player is None and effect.lose_life == Amount(effect.lose_life.fixed):
        return -effect.lose_life.fixed
    return None


def _top_card(view: View) -> Iterable[Clause]:
    if not view.setup.looking:
        return
    permits = [
        s
        for s in view.setup.objects
        if any(isinstance(a, LookPermission) and not isinstance(a.look_at, Filter) for a in s.card.front.abilities)
    ]
    for o in view.setup.cards():
        served = or_(*(and_(stands(view, s), controls(view, s, o.owner)) for s in permits))
        top = and_(in_game(view), view[ZONE, o].is_(Zone.LIBRARY), place_of(view, o).is_(0))
        offered = view.offered("look", o.owner.name, object=o.name)
        yield Clause(f"{o}: on top of a library, and seen if a permission serves its owner", top, eq(offered, served))


def _gone(view: View) -> Iterable[Clause]:
    for p in view.setup.players:
        offered = or_(*(a.guard for a in view.system.actions if a.label.actor == p.name))
        yield Clause(f"{p}: has left the game, and can do nothing", view[LEFT, p], not_(offered))


# -- entering face up ----------------------------------------------------------------------------------------------


def _instants(view: View) -> Iterable[Clause]:
    for o in view.setup.cards():
        if is_instant_or_sorcery(o):
            yield Clause(
                f"{o}: an instant or sorcery card on the battlefield, and face down",
                on_battlefield(view, o),
                down(view, o),
            )


def _loyal(step: StepView) -> Iterable[Clause]:
    if any(isinstance(a, Replacement) and a.what for o in step.setup.objects for a in step.setup.abilities_of(o)):
        return
    for o in step.setup.cards():
        loyalty = o.card.front.loyalty
        if loyalty is not None and not tells(step, Counters):
            enters = and_(not_(on_battlefield(step.before, o)), shown_face(step.after, o))
            yield Clause(
                f"{o}: enters face up, with its loyalty",
                enters,
                step.after[COUNTERS, o, CounterKind.LOYALTY].is_(loyalty),
            )


def _put_as_it_is(step: StepView) -> Iterable[Clause]:
    effect = resolves(step, PutOntoBattlefield)
    if not isinstance(effect, PutOntoBattlefield) or effect.put_onto_battlefield.who is not Who.EACH or effect.only:
        return
    wanted, item = effect.put_onto_battlefield.filter, item_of(step.setup, step.action)
    if wanted is None or item is None or item.ability is not None or item.spell is None or len(item.spell.spell) != 1:
        return
    if wanted != Filter(zone=Zone.GRAVEYARD, owner="you", phrase=wanted.phrase):
        return
    you = player_called(step.setup, step.argument("by"))
    for o in step.setup.cards():
        if o.owner is you and o is not item.source:
            there = step.before[ZONE, o].is_(Zone.GRAVEYARD)
            kept = TRUE if is_instant_or_sorcery(o) else _barred(step, o.card.front.types)
            yield Clause(
                f"{o}: put onto the battlefield face up, if it is a permanent card and nothing says that it may not",
                there,
                or_(and_(kept, not_(step.changed(ZONE, o))), and_(not_(kept), shown_face(step.after, o))),
            )


def _barred(step: StepView, types: frozenset[Type]) -> Term:
    """Whether something keeps cards of one of some types from entering from the graveyard."""
    return or_(
        *(
            stands(step.before, s)
            for s in step.setup.objects
            for a in s.card.front.abilities
            if isinstance(a, EntryBan) and Zone.GRAVEYARD in a.zones and types.intersection(a.cant_enter)
        )
    )


PROPERTIES: tuple[Property, ...] = (
    StepRule(
        "damage-stays-until-the-turn-ends",
        "Damage on a permanent stays until the turn ends, whatever is turned over, attacks or blocks meanwhile.",
        ("514.2", "708.8"),
        formula=_damage_stays,
    ),
    StepRule(
        "attached-until-something-says-so",
        "What is attached stays attached until an instruction or a state-based action says otherwise.",
        ("701.3a", "704.5n", "708.8"),
        formula=_attached_stays,
    ),
    StepRule(
        "tapped-until-its-controller-untaps",
        "What is tapped stays tapped until an instruction untaps it or its controller's untap step comes.",
        ("502.3", "701.26b", "110.5"),
        formula=_tapped_stays,
    ),
    Invariant(
        "only-permanents-and-spells-have-controllers",
        "A card that is neither on the battlefield nor on the stack is nobody's but its owner's.",
        ("400.7",),
        formula=_owner_elsewhere,
    ),
    StepRule(
        "gained-control-ends-with-the-player",
        "When a player leaves who had gained control of a permanent, it is again controlled by whom it was before.",
        ("800.4a",),
        formula=_goes_back,
    ),
    Invariant(
        "who-has-left-does-nothing",
        "A player who has left the game can do nothing.",
        ("800.4a", "104.3a"),
        formula=_gone,
    ),
    StepRule(
        "entry-texts-serve-their-controller",
        "What gives counters to creatures that you control as they enter gives them to face-down ones of its "
        "controller.",
        ("614.12", "109.5", "708.3"),
        formula=_entry_counters,
    ),
    StepRule(
        "as-turned-up-serves-its-controller",
        "What a card does to its controller as it is turned face up it does to that player, whoever owns it.",
        ("708.11", "109.5"),
        formula=_serves,
    ),
    Invariant(
        "top-card-permission-serves-its-controller",
        "Who controls the permission to look at the top card of the own library may look at it, and nobody else.",
        ("401.2", "109.5"),
        formula=_top_card,
    ),
    Invariant(
        "instants-and-sorceries-are-no-face-up-permanents",
        "An instant or sorcery card on the battlefield is face down.",
        ("304.4", "307.4", "400.4a", "701.40g"),
        formula=_instants,
    ),
    StepRule(
        "planeswalkers-enter-with-loyalty",
        "A planeswalker that enters face up has as many loyalty counters as its card says.",
        ("306.5b",),
        formula=_loyal,
    ),
    StepRule(
        "put-onto-the-battlefield-as-it-is",
        "An effect that puts every card of a graveyard onto the battlefield puts every permanent card there face up, "
        "but for those of a type that something keeps from entering.",
        ("110.5b", "400.4a", "614.17"),
        formula=_put_as_it_is,
    ),
)
