"""Faults of what instructions do to permanents, and leave alone (608.2c): control, copies, what lasts."""

from __future__ import annotations

from typing import Any

from counterexamples.faults.fault import Rule, fault
from model.characteristics import Look
from model.effects.continuous import (
    BecomeCopy,
    BecomeSize,
    ChooseName,
    ChooseType,
    Delayed,
    ExchangeControl,
    GainControl,
    Transform,
)
from model.effects.selecting import objects
from model.families import (
    CAUSE,
    CHOSEN_NAME,
    CHOSEN_TYPE,
    CONTROLLER,
    DELAYED,
    SICK,
    TAPPED,
    TRANSFORMED,
    ZONE,
)
from model.rules import damage, triggers
from model.setup import Obj
from model.state import State
from model.terms import Term, and_, const, not_
from model.vocabulary import Cause, EventKind, Marker, Zone

# -- control ----------------------------------------


@fault(
    "F-theft-untaps",
    "EFFECT",
    "own",
    "Who gains control of a permanent untaps it.",
    breaks=GainControl.apply,
    rules=("110.5", "613.1b"),
    caught_by=("instructions-change-what-they-speak-of",),
    on=("effect_control/1",),
)
def theft_untaps(right: Rule, effect: GainControl, context: Any) -> None:
    right(effect, context)
    for o, condition in objects(context, effect.gain_control):
        with context.game.when(condition):
            context.game[TAPPED, o] = False


@fault(
    "F-theft-of-ones-own",
    "EFFECT",
    "own",
    "A player gains control of a permanent only if another player owns it.",
    breaks=GainControl.apply,
    rules=("613.1b",),
    caught_by=("gained-control-is-the-named-players",),
    on=("effect_control/1",),
)
def theft_of_ones_own(right: Rule, effect: GainControl, context: Any) -> None:
    game = context.game
    for o, condition in objects(context, effect.gain_control):
        if o.owner is not context.controller:
            with game.when(condition):
                game[CONTROLLER, o] = context.controller
                game[SICK, o] = True


@fault(
    "F-exchange-goes-to-owners",
    "EFFECT",
    "own",
    "In an exchange of control each permanent goes to the owner of the other.",
    breaks=ExchangeControl.apply,
    rules=("701.12b",),
    caught_by=("exchange-of-control-is-mutual",),
    on=("effect_control/3",),
)
def exchange_goes_to_owners(right: Rule, effect: ExchangeControl, context: Any) -> None:
    game = context.game
    right(effect, context)
    for a, x in objects(context, effect.exchange_control):
        for b, y in objects(context, effect.other):
            with game.when(and_(x, y)):
                game[CONTROLLER, a], game[CONTROLLER, b] = b.owner, a.owner


@fault(
    "F-owner-loses-life",
    "EFFECT",
    "own",
    "What happens to the controller of a permanent happens to its owner.",
    breaks=Look.controller,
    rules=("109.5",),
    caught_by=("its-controller-is-who-controls-it",),
    on=("effect_life",),
)
def owner_loses_life(right: Rule, derived: Look, o: Obj) -> Term:
    return const(derived.game.setup.player_sort, o.owner)


# -- what lasts ----------------------------------------


@fault(
    "F-size-is-lost",
    "EFFECT",
    "own",
    "A creature that takes a size keeps the one on its card.",
    breaks=BecomeSize.apply,
    rules=("613.2a",),
    caught_by=("size-is-part-of-the-copiable-values",),
    on=("effect_sizes/1",),
)
def size_is_lost(right: Rule, effect: BecomeSize, context: Any) -> None:
    return


@fault(
    "F-copies-only-what-is-face-up",
    "EFFECT",
    "own",
    "What becomes a copy of a face-down creature stays what it is.",
    breaks=BecomeCopy.apply,
    rules=("707.2", "708.2"),
    caught_by=("becoming-a-copy-takes-what-shows",),
    on=("effect_sizes/2",),
)
def copies_only_what_is_face_up(right: Rule, effect: BecomeCopy, context: Any) -> None:
    game = context.game
    up = [game[CAUSE, model].is_(Cause.NONE) for model, _ in objects(context, effect.become_copy_of)]
    with game.when(and_(*up)):
        right(effect, context)


@fault(
    "F-choices-are-forgotten",
    "EFFECT",
    "own",
    "A name or type that is chosen for a face-down creature is forgotten at once.",
    breaks=(ChooseName.apply, ChooseType.apply),
    rules=("201.4", "608.2d"),
    caught_by=("what-is-chosen-is-kept",),
    on=("effect_choices",),
)
def choices_are_forgotten(right: Rule, effect: Any, context: Any) -> None:
    game = context.game
    right(effect, context)
    selector, family = (
        (effect.choose_name, CHOSEN_NAME) if isinstance(effect, ChooseName) else (effect.choose_type, CHOSEN_TYPE)
    )
    for o, condition in objects(context, selector):
        with game.when(and_(condition, game[CAUSE, o].isnt(Cause.NONE))):
            game[family, o] = Marker.NONE


@fault(
    "F-delayed-keeps-watching",
    "EFFECT",
    "own",
    "A delayed triggered ability goes on watching after it has triggered.",
    breaks=triggers._notice_delayed,
    rules=("603.7b",),
    caught_by=("delayed-ability-triggers-once",),
    on=("effect_delayed",),
)
def delayed_keeps_watching(right: Rule, game: State, *args: Any) -> None:
    setup = game.setup
    watching = [(DELAYED, setup.item(source, ability), o) for source, ability in setup.delayed for o in setup.objects]
    before = {key: game[key] for key in watching}
    right(game, *args)
    for key, was in before.items():
        game[key] = was


@fault(
    "F-delayed-watches-nothing",
    "EFFECT",
    "own",
    "A delayed triggered ability does not watch a face-down creature.",
    breaks=Delayed.apply,
    rules=("603.7",),
    caught_by=("delayed-ability-triggers-once",),
    on=("effect_delayed",),
)
def delayed_watches_nothing(right: Rule, effect: Delayed, context: Any) -> None:
    return


@fault(
    "F-face-down-hits-through",
    "EFFECT",
    "own",
    "Combat damage that is prevented is dealt all the same by face-down creatures.",
    breaks=damage._prevented,
    rules=("615.1",),
    caught_by=("prevented-combat-damage-is-not-dealt",),
    on=("effect_damage/2",),
)
def face_down_hits_through(right: Rule, game: State, blow: damage.Blow) -> Term:
    return and_(right(game, blow), game[CAUSE, blow.source].is_(Cause.NONE))


@fault(
    "F-damage-hits-both",
    "EFFECT",
    "own",
    "Damage that is dealt to another creature instead is dealt to the first one, too.",
    breaks=damage._redirected,
    rules=("614.9",),
    caught_by=("redirected-damage-is-dealt-to-the-other",),
    on=("effect_damage/1",),
)
def damage_hits_both(right: Rule, game: State, blow: damage.Blow) -> list[damage.Blow]:
    return [blow, *right(game, blow)[1:]]


@fault(
    "F-transforming-looks-too-early",
    "EFFECT",
    "own",
    "What triggers on transforming is looked for on the face that was up before.",
    breaks=Transform.apply,
    rules=("701.27a", "603.2"),
    caught_by=("transforming-shows-the-other-face-first",),
    on=("effect_transforming",),
)
def transforming_looks_too_early(right: Rule, effect: Transform, context: Any) -> None:
    game = context.game
    for o, condition in objects(context, effect.transform):
        if o.card.back is not None:
            up = and_(condition, game[ZONE, o].is_(Zone.BATTLEFIELD), game[CAUSE, o].is_(Cause.NONE))
            with game.when(up) as live:
                if live:
                    triggers.notice(game, EventKind.TRANSFORMED, o)
                    game[TRANSFORMED, o] = not_(game[TRANSFORMED, o])
