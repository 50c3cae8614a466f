"""Faults of triggered abilities around face-down objects (603)."""

from __future__ import annotations

from typing import Any

from counterexamples.faults.fault import Rule, fault
from counterexamples.faults.shared import is_down
from model.cards.abilities import TriggeredAbility
from model.families import ZONE
from model.rules import resolving, targeting, triggers, zones
from model.rules.triggers import notice_all
from model.setup import Obj
from model.state import State
from model.terms import FALSE, Term, and_, not_, or_
from model.vocabulary import EventKind, Zone

# -- public reports ----------------------------------------


@fault(
    "BR-13",
    "MASK",
    "wingedsheep/argentum-engine pull 1963",
    "What watches for creatures that deal combat damage passes by face-down ones.",
    breaks=triggers._concerns,
    rules=("708.2", "708.2a", "510.3a"),
    caught_by=("watchers-see-face-down-creatures",),
    on=("combat",),
)
def face_down_creatures_do_not_count(
    right: Rule, game: State, watcher: Obj, ability: Any, subject: Any, *args: Any
) -> Term:
    passed = is_down(game, subject) if isinstance(subject, Obj) else FALSE
    return and_(right(game, watcher, ability, subject, *args), not_(passed))


@fault(
    "BR-24",
    "ENTRY",
    "cyngerian/scutemob, finding 1",
    "What a card does as it enters triggers though the card was manifested "
    "or cloaked: the raw card is asked, not the masked object.",
    breaks=triggers._present,
    rules=("708.3", "603.6a"),
    caught_by=("enters-face-down-does-not-trigger",),
    on=("S15/2",),
)
def raw_card_is_asked(right: Rule, game: State, watcher: Obj, ability: Any, subjects: Any) -> Term:
    printed = ability in watcher.card.front.abilities and ability.when.event is EventKind.ENTERS
    itself = ability.when.subject is None and any(s is watcher for s, _ in subjects)
    return or_(right(game, watcher, ability, subjects), is_down(game, watcher) if printed and itself else FALSE)


@fault(
    "BR-70",
    "AFTERUP",
    "cyngerian/scutemob, finding 2",
    "A turned-face-up ability on the stack does not remember which one it is, and resolves as the first of its card.",
    breaks=resolving._effects,
    rules=("603.3", "608.2"),
    caught_by=("triggered-ability-does-what-it-says",),
    on=("two_turned_up_abilities",),
)
def first_ability_for_all(right: Rule, item: Any) -> Any:
    same = [i for i in _abilities_of(item.source) if getattr(i, "when", None) == getattr(item.ability, "when", None)]
    return same[0].do if item.ability is not None and same else right(item)


def _abilities_of(o: Obj) -> list[TriggeredAbility]:
    return [ability for ability in o.card.front.abilities if isinstance(ability, TriggeredAbility)]


@fault(
    "F-first-ability-triggers-twice",
    "AFTERUP",
    "own",
    "Of two abilities that trigger on the same turning up, the first triggers twice and the second not at all.",
    breaks=triggers._trigger,
    rules=("603.2",),
    caught_by=("turned-up-ability-triggers",),
    on=("two_turned_up_abilities",),
)
def first_ability_triggers_twice(right: Rule, game: State, watcher: Obj, ability: Any, about: Any) -> None:
    same = [a for a in _abilities_of(watcher) if a.when == ability.when]
    right(game, watcher, same[0] if same else ability, about)


@fault(
    "BR-84",
    "LKI",
    "magefree/mage issue 6214",
    "When a face-down creature dies together with others, a register that "
    "masking does not touch still has its printed dies ability.",
    breaks=triggers._present,
    rules=("603.10a", "603.6c", "708.2a"),
    caught_by=("dies-face-down-does-not-trigger",),
    on=("dies_together",),
)
def register_keeps_abilities(right: Rule, game: State, watcher: Obj, ability: Any, subjects: Any) -> Term:
    registered = ability in watcher.card.front.abilities and ability.when.event is EventKind.DIES and len(subjects) > 1
    itself = registered and any(s is watcher for s, _ in subjects)
    return or_(right(game, watcher, ability, subjects), is_down(game, watcher) if itself else FALSE)


@fault(
    "BR-85",
    "LKI",
    "magefree/mage issue 4571",
    "A dies ability that something else gives to every creature does not trigger for a face-down one.",
    breaks=triggers._present,
    rules=("603.10a", "708.2", "613.1f"),
    caught_by=("granted-dies-ability-triggers-face-down",),
    on=("granted_dies",),
)
def granted_abilities_are_masked(right: Rule, game: State, watcher: Obj, ability: Any, subjects: Any) -> Term:
    return and_(right(game, watcher, ability, subjects), not_(is_down(game, watcher)))


@fault(
    "BR-86",
    "LKI",
    "phase-rs/phase issue 8130",
    "Whether what died was face down is asked of the card in the graveyard, which never is.",
    breaks=(zones.move_all, triggers.notice_all),
    rules=("603.10a", "608.2h", "400.7"),
    caught_by=("deaths-are-seen-as-they-were",),
    on=("face_down_deaths",),
)
def deaths_are_seen_afterwards(right: Rule, game: State, first: Any, second: Any, **kwargs: Any) -> None:
    if first is EventKind.DIES:
        return
    if isinstance(first, EventKind):
        right(game, first, second, **kwargs)
        return
    died = [(o, and_(condition, game[ZONE, o].is_(Zone.BATTLEFIELD))) for o, condition in first]
    right(game, first, second, **kwargs)
    if second is Zone.GRAVEYARD:
        notice_all(game, EventKind.DIES, died)


@fault(
    "F-no-dies-trigger",
    "LKI",
    "own",
    "Dies abilities are looked for after the creature has left, when it has none.",
    breaks=triggers.notice_all,
    rules=("603.6c", "603.10a"),
    caught_by=("dies-face-up-triggers", "dies-ability-manifests-dread"),
    on=("S31",),
)
def no_dies_trigger(right: Rule, game: State, kind: EventKind, *args: Any, **kwargs: Any) -> None:
    if kind is not EventKind.DIES:
        right(game, kind, *args, **kwargs)


@fault(
    "F-dies-face-down-triggers",
    "LKI",
    "own",
    "The printed dies ability of a creature that dies face down triggers.",
    breaks=triggers._present,
    rules=("603.10a", "708.2"),
    caught_by=("dies-face-down-does-not-trigger",),
    on=("S31",),
)
def dies_face_down_triggers(right: Rule, game: State, watcher: Obj, ability: Any, subjects: Any) -> Term:
    printed = ability in watcher.card.front.abilities and ability.when.event is EventKind.DIES
    itself = printed and any(s is watcher for s, _ in subjects)
    return or_(right(game, watcher, ability, subjects), is_down(game, watcher) if itself else FALSE)


@fault(
    "F-face-down-is-no-target",
    "MASK",
    "own",
    "A face-down creature is no legal target, and so never dies in this scenario.",
    breaks=targeting.is_legal,
    rules=("708.2", "603.10a"),
    caught_by=("dies-face-down-with-printed-ability",),
    on=("S31",),
)
def face_down_is_no_target(right: Rule, game: State, spec: Any, target: Any, *args: Any) -> Term:
    down = is_down(game, target) if isinstance(target, Obj) else FALSE
    return and_(right(game, spec, target, *args), not_(down))


@fault(
    "F-nothing-is-seen-to-enter",
    "ENTRY",
    "own",
    "What enters is not seen by its own enters ability.",
    breaks=triggers.notice_all,
    rules=("603.6a",),
    caught_by=("enters-ability-triggers-face-up",),
    on=("S15/1",),
)
def nothing_is_seen_to_enter(right: Rule, game: State, kind: EventKind, *args: Any, **kwargs: Any) -> None:
    if kind is not EventKind.ENTERS:
        right(game, kind, *args, **kwargs)


@fault(
    "F-no-turned-up-trigger",
    "AFTERUP",
    "own",
    "What is turned face up is not seen to turn up.",
    breaks=triggers.notice,
    rules=("603.2", "708.8"),
    caught_by=("turned-up-ability-triggers",),
    on=("two_turned_up_abilities",),
)
def no_turned_up_trigger(right: Rule, game: State, kind: EventKind, *args: Any, **kwargs: Any) -> None:
    if kind is not EventKind.TURNED_UP:
        right(game, kind, *args, **kwargs)
