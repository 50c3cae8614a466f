"""Faults of activating abilities, of paying, and of choosing targets (602, 118, 115, 702.21)."""

from __future__ import annotations

from typing import Any

from counterexamples.faults.fault import Rule, fault
from counterexamples.faults.timing import without
from model.families import CAUSE, COUNTERS, DAMAGE, SICK, TAPPED
from model.rules import abilities, casting_zones, mana, protection, resolving, special_actions, spell_rules, targeting
from model.rules import triggers as triggers_rules
from model.setup import Obj, Player
from model.state import State
from model.terms import FALSE, TRUE, Term, not_, number
from model.vocabulary import Cause, CounterKind, EventKind

_ACTIVATE = abilities._activate


# -- activating -----------------------------------------------------------------------------------------------------


@fault(
    "F-anybodys-abilities",
    "ACTIVATE",
    "own",
    "Players activate abilities of permanents that others control.",
    breaks=_ACTIVATE,
    rules=("602.2",),
    caught_by=("abilities-are-activated-by-their-controller",),
    on=("timing_activation",),
)
def anybodys_abilities(right: Rule, *args: Any, **kwargs: Any) -> None:
    with without("602.2"):
        right(*args, **kwargs)


@fault(
    "F-text-of-the-card-works",
    "ACTIVATE",
    "own",
    "Abilities are read off the card: face-down permanents have them, and effects that take them away do nothing.",
    breaks=_ACTIVATE,
    rules=("602.1", "708.2"),
    caught_by=("face-down-permanent-has-no-abilities-of-its-card", "lost-abilities-are-not-activated"),
    on=("timing_activation",),
)
def text_of_the_card_works(right: Rule, *args: Any, **kwargs: Any) -> None:
    with without("602.1"):
        right(*args, **kwargs)


@fault(
    "F-activated-unconditionally",
    "ACTIVATE",
    "own",
    "The condition under which an ability can be activated is not looked at.",
    breaks=_ACTIVATE,
    rules=("602.5b",),
    caught_by=("conditions-of-activation-hold",),
    on=("timing_activation",),
)
def activated_unconditionally(right: Rule, *args: Any, **kwargs: Any) -> None:
    with without("602.5b"):
        right(*args, **kwargs)


@fault(
    "F-once-is-often",
    "ACTIVATE",
    "own",
    "An ability that works once each turn, and the loyalty abilities of a permanent, are activated again and again.",
    breaks=_ACTIVATE,
    rules=("606.3", "602.5b"),
    caught_by=("once-each-turn-is-once",),
    on=("timing_activation", "timing_steps"),
)
def once_is_often(right: Rule, *args: Any, **kwargs: Any) -> None:
    with without("606.3"):
        right(*args, **kwargs)


@fault(
    "F-no-summoning-sickness",
    "ACTIVATE",
    "own",
    "A creature that has just come taps for its ability.",
    breaks=_ACTIVATE,
    rules=("302.6",),
    caught_by=("new-creatures-do-not-tap-for-abilities",),
    on=("timing_activation",),
)
def no_summoning_sickness(right: Rule, *args: Any, **kwargs: Any) -> None:
    with without("302.6"):
        right(*args, **kwargs)


@fault(
    "F-artifacts-are-sick",
    "ACTIVATE",
    "own",
    "An artifact that is no creature has to wait for its controller's next turn to tap for its ability.",
    breaks=_ACTIVATE,
    rules=("302.6", "602.1"),
    caught_by=("ability-may-be-activated",),
    on=("timing_activation",),
)
def artifacts_are_sick(right: Rule, game: State, *, o: Obj, **kwargs: Any) -> None:
    if kwargs["costs"].tap:
        game.require(not_(game[SICK, o]), "it is not sick", "302.6")
    right(game, o=o, **kwargs)


# -- paying ---------------------------------------------------------------------------------------------------------


@fault(
    "F-cost-changes-are-forgotten",
    "PAY",
    "own",
    "What effects add to the cost of a spell is not charged.",
    breaks=spell_rules.cost_change,
    rules=("601.2f", "118.7"),
    caught_by=("costs-are-paid-in-full",),
    on=("timing_costs",),
)
def cost_changes_are_forgotten(right: Rule, *args: Any) -> Term:
    return number(0)


@fault(
    "F-paid-with-what-others-have",
    "PAY",
    "own",
    "A cost of sacrificing a creature is paid with any permanent, whoever controls it.",
    breaks=mana._pay_objects,
    rules=("118.3", "602.2b"),
    caught_by=("costs-are-paid-with-what-may-pay",),
    on=("timing_activation",),
)
def paid_with_what_others_have(right: Rule, *args: Any) -> None:
    with without("118.3"):
        right(*args)


@fault(
    "F-tapped-twice",
    "PAY",
    "own",
    "A tapped permanent is tapped once more to pay a cost.",
    breaks=mana.pay,
    rules=("118.3",),
    caught_by=("tap-costs-need-untapped",),
    on=("timing_activation",),
)
def tapped_twice(right: Rule, *args: Any, **kwargs: Any) -> None:
    with without("118.3"):
        right(*args, **kwargs)


@fault(
    "F-life-on-credit",
    "PAY",
    "own",
    "A player pays more life than there is.",
    breaks=mana.pay,
    rules=("119.4",),
    caught_by=("life-is-paid-by-who-has-it",),
    on=("timing_costs",),
)
def life_on_credit(right: Rule, *args: Any, **kwargs: Any) -> None:
    with without("119.4"):
        right(*args, **kwargs)


@fault(
    "F-loyalty-is-free",
    "PAY",
    "own",
    "Loyalty abilities that take counters off take none.",
    breaks=mana.pay,
    rules=("118.3", "602.2b"),
    caught_by=("loyalty-is-paid-in-counters",),
    on=("timing_steps",),
)
def loyalty_is_free(
    right: Rule, game: State, player: Player, costs: Any, way: Any, source: Obj, rule: str, **kwargs: Any
) -> None:
    if costs.loyalty is not None and costs.loyalty < 0:
        costs = costs.model_copy(update={"loyalty": 0})
    right(game, player, costs, way, source, rule, **kwargs)


@fault(
    "F-loyalty-on-credit",
    "PAY",
    "own",
    "A loyalty ability takes off more counters than there are.",
    breaks=mana.pay,
    rules=("606.6",),
    caught_by=("loyalty-abilities-need-their-counters",),
    on=("timing_steps",),
)
def loyalty_on_credit(right: Rule, *args: Any, **kwargs: Any) -> None:
    with without("606.6"):
        right(*args, **kwargs)


@fault(
    "F-tapping-heals",
    "PAY",
    "own",
    "A creature that taps for its ability loses the damage that it has been dealt.",
    breaks=mana.pay,
    rules=("118.1", "602.2b"),
    caught_by=("paying-changes-nothing-else",),
    on=("timing_activation",),
)
def tapping_heals(
    right: Rule, game: State, player: Player, costs: Any, way: Any, source: Obj, rule: str, **kwargs: Any
) -> None:
    right(game, player, costs, way, source, rule, **kwargs)
    if costs.tap:
        game[DAMAGE, source] = 0


@fault(
    "F-anybody-pays-for-ward",
    "PAY",
    "own",
    "Any opponent can pay for ward, whoever controls the spell.",
    breaks=resolving._controlled_by,
    rules=("702.21a",),
    caught_by=("ward-is-paid-by-the-spells-controller",),
    on=("timing_targets",),
)
def anybody_pays_for_ward(right: Rule, *args: Any) -> Term:
    return TRUE


@fault(
    "F-ward-is-paid-by-the-owner",
    "PAY",
    "own",
    "The owner of the card, and not who cast it, may pay for ward.",
    breaks=resolving._controlled_by,
    rules=("702.21a",),
    caught_by=("ward-may-be-paid",),
    on=("timing_targets",),
)
def ward_is_paid_by_the_owner(right: Rule, game: State, what: Any, player: Player) -> Term:
    owner = what.owner if isinstance(what, Obj) else what.source.owner
    return TRUE if owner is player else FALSE


@fault(
    "F-spells-turn-up",
    "TURNUP",
    "own",
    "A face-down spell is turned face up on the stack for its morph cost.",
    breaks=special_actions._require_face_down,
    rules=("116.2b", "708.4"),
    caught_by=("only-permanents-are-turned-up-for-a-cost",),
    on=("timing_turning_up",),
)
def spells_turn_up(right: Rule, *args: Any) -> None:
    with without("116.2b"):
        right(*args)


@fault(
    "F-megamorph-counter-on-an-instant",
    "TURNUP",
    "own",
    "An instant card with megamorph gets its counter though it is only revealed.",
    breaks=special_actions._megamorph,
    rules=("702.37b", "701.40g"),
    caught_by=("instant-or-sorcery-gains-nothing-by-the-attempt",),
    on=("timing_turning_up",),
)
def counter_on_an_instant(right: Rule, game: State, player: Player, o: Obj, picks: Any) -> None:
    right(game, player, o, picks)
    game[COUNTERS, o, CounterKind.PLUS] = 1


# -- choosing -------------------------------------------------------------------------------------------------------


@fault(
    "F-protection-does-not-protect",
    "TARGET",
    "own",
    "What has protection from a colour is targeted by spells of that colour.",
    breaks=protection.protected,
    rules=("702.16b", "601.2c"),
    caught_by=("targets-are-legal-when-chosen",),
    on=("timing_targets",),
)
def protection_does_not_protect(right: Rule, *args: Any) -> Term:
    return FALSE


@fault(
    "F-triggers-are-dropped",
    "TARGET",
    "own",
    "A triggered ability is removed from the game's attention though there is a target for it.",
    breaks=abilities._drop,
    rules=("603.3d",),
    caught_by=("trigger-is-dropped-for-want-of-targets-only",),
    on=("timing_triggers",),
)
def triggers_are_dropped(right: Rule, *args: Any, **kwargs: Any) -> None:
    with without("603.3d"):
        right(*args, **kwargs)


@fault(
    "F-ward-sleeps",
    "TARGET",
    "own",
    "Ward never triggers.",
    breaks=targeting._ward,
    rules=("702.21a",),
    caught_by=("ward-triggers-for-its-controller",),
    on=("timing_targets",),
)
def ward_sleeps(right: Rule, *args: Any) -> None:
    return


@fault(
    "F-every-kind-from-the-library",
    "CAST",
    "own",
    "A permission to cast spells of one kind from the library holds for spells of every kind.",
    breaks=casting_zones.require_permitted_spell,
    rules=("601.3",),
    caught_by=("cast-from-where-it-may-be",),
    on=("timing_elsewhere",),
)
def every_kind_from_the_library(right: Rule, *args: Any) -> None:
    return


@fault(
    "F-nothing-is-forbidden",
    "CAST",
    "own",
    "What forbids spells to be cast forbids none.",
    breaks=spell_rules._bans,
    rules=("601.3",),
    caught_by=("forbidden-spells-are-not-cast",),
    on=("timing_elsewhere",),
)
def nothing_is_forbidden(right: Rule, *args: Any) -> tuple[Term, ...]:
    return ()


@fault(
    "F-face-down-spells-are-not-seen",
    "CAST",
    "own",
    "What watches for spells that are cast does not see face-down ones.",
    breaks=triggers_rules.notice,
    rules=("603.2", "708.4"),
    caught_by=("cast-triggers-see-the-spell",),
    on=("timing_triggers",),
)
def face_down_spells_are_not_seen(
    right: Rule, game: State, kind: EventKind, subject: Obj | None = None, **kwargs: Any
) -> None:
    if kind is EventKind.CAST and subject is not None:
        with game.when(game[CAUSE, subject].is_(Cause.NONE)) as live:
            if live:
                right(game, kind, subject, **kwargs)
        return
    right(game, kind, subject, **kwargs)


@fault(
    "F-conditions-are-asked-before",
    "TRIGGER",
    "own",
    "An ability on a permanent's becoming tapped asks its condition while the permanent is still untapped.",
    breaks=triggers_rules.notice,
    rules=("603.2", "603.4"),
    caught_by=("conditions-are-asked-after-the-event",),
    on=("timing_activation",),
)
def conditions_are_asked_before(
    right: Rule, game: State, kind: EventKind, subject: Obj | None = None, **kwargs: Any
) -> None:
    if kind is not EventKind.BECOMES_TAPPED or subject is None:
        right(game, kind, subject, **kwargs)
        return
    tapped = game[TAPPED, subject]
    game[TAPPED, subject] = False
    right(game, kind, subject, **kwargs)
    game[TAPPED, subject] = tapped
