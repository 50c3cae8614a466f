"""Properties of what a step names: whoever reads a play must find the rule that decided it.

The table says from the rulebook's side which rule decides what happens, found in raw state, events and labels; the
model has to name it in that step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from model.cards.abilities import Ability, Attach, FaceDownCost, Replacement, WardAbility
from model.effects.base import Effect
from model.effects.board import Token
from model.effects.continuous import BecomeCopy, BecomeSize, GainControl, Until
from model.effects.face_down import PutFaceDown
from model.effects.libraries import Draw, Hideaway, Search
from model.effects.spells import CastFree, CopySpell, Retarget
from model.effects.zones import Destroy, Exile
from model.families import (
    ATTACHED,
    CAUSE,
    CONTROLLER,
    COPIED,
    COUNTERS,
    DELAYED,
    EFFECT,
    FREE,
    LEFT,
    LIFE,
    PENDING,
    PERMITTED,
    PREVENTED,
    REDIRECTED,
    ZONE,
)
from model.setup import Item, Obj, Player
from model.terms import FALSE, TRUE, Term, and_, not_, or_
from model.vocabulary import Cause, CounterKind, EventKind, Marker, Zone
from properties.kinds import Clause, Property, StepRule, StepView
from properties.support import (
    PERMANENT_OR_SPELL,
    down,
    in_library,
    is_instant_or_sorcery,
    item_of,
    lost_abilities,
    resolves,
    shown_face,
)

__all__ = ["PROPERTIES"]


@dataclass(frozen=True, slots=True)
class _Decides:
    """A rule, what it decides, and whether that happens in a step.

    Parameters
    ----------
    only
        Whether no other step may name it.
    """

    rule: str
    what: str
    happens: Callable[[StepView], Term]
    only: bool = False


def _event(*kinds: EventKind) -> Callable[[StepView], Term]:
    return lambda step: or_(*(step.happens(kind) for kind in kinds))


def _rule(*names: str, **arguments: str) -> Callable[[StepView], Term]:
    wanted = set(arguments.items())

    def happens(step: StepView) -> Term:
        label = step.action.label
        return TRUE if label.rule in names and wanted <= set(label.arguments) else FALSE

    return happens


def _all_of(*tests: Callable[[StepView], Term]) -> Callable[[StepView], Term]:
    return lambda step: and_(*(test(step) for test in tests))


def _some(step: StepView, test: Callable[[Obj], Term]) -> Term:
    return or_(*(test(o) for o in step.setup.objects))


def _reveals_what_leaves(step: StepView) -> Term:
    return _some(step, lambda o: and_(
        down(step.before, o), step.before[ZONE, o].among(PERMANENT_OR_SPELL), step.changed(ZONE, o),
        not_(step.after[ZONE, o].among(PERMANENT_OR_SPELL)),
    ))


def _stays_down(step: StepView) -> Term:
    tried = (step.happens(EventKind.TURN_UP_ATTEMPT, o) for o in step.setup.objects if is_instant_or_sorcery(o))
    return or_(*tried)


def _turned(cause: Cause) -> Callable[[StepView], Term]:
    """A permanent with this cause is turned face up for its mana cost."""
    def happens(step: StepView) -> Term:
        if step.action.label.rule != "turn face up for mana cost":
            return FALSE
        o = next(o for o in step.setup.objects if o.name == step.argument("permanent"))
        return step.before[CAUSE, o].is_(cause)

    return happens


def _turned_for(kinds: tuple[str, ...]) -> Callable[[StepView], Term]:
    """A permanent is turned face up for a cost that one of these keywords gives."""
    def happens(step: StepView) -> Term:
        cost = step.argument("cost") or ""
        named = any(cost.startswith(f"{kind} cost") for kind in kinds)
        return TRUE if step.action.label.rule == "turn face up for keyword cost" and named else FALSE

    return happens


def _megamorph(step: StepView) -> Term:
    """A counter is put on what is turned face up for a printed megamorph cost."""
    return _some(step, lambda o: and_(
        _turned_for(("megamorph",))(step), step.changed(COUNTERS, o, CounterKind.PLUS),
        TRUE if any(isinstance(a, FaceDownCost) and a.kind == "megamorph" for a in o.card.front.abilities) else FALSE,
    ))


def _triggers(step: StepView) -> Term:
    """One more instance of a triggered ability waits."""
    return or_(*(step.after[PENDING, item, that, p] > step.before[PENDING, item, that, p]
                 for item, that, p in step.setup.waiting))


def _ward_triggers(step: StepView) -> Term:
    return or_(*(step.after[PENDING, item, that, p] > step.before[PENDING, item, that, p]
                 for item, that, p in step.setup.waiting if isinstance(item.ability, WardAbility)))


def _resolves(permanent: bool) -> Callable[[StepView], Term]:
    """A permanent spell, or anything else that has instructions, resolves and some of its targets are legal."""
    def happens(step: StepView) -> Term:
        item = item_of(step.setup, step.action)
        if item is None or isinstance(item.ability, Attach) or _is_permanent(item) is not permanent:
            return FALSE
        # What enters is seen to resolve; of other spells and abilities, those without targets always do.
        return step.happens(EventKind.ENTERS, item.source) if permanent else _untargeted(item)

    return happens


def _is_permanent(item: Item) -> bool:
    return item.face is not None and item.face.is_permanent_card


def _untargeted(item: Item) -> Term:
    spoken = item.spell if item.ability is None else item.ability
    asks = ("targets", "condition", "may", "from_graveyard")
    return FALSE if any(getattr(spoken, name, None) for name in asks) else TRUE


def _instructed(kind: type[Effect], happens: Callable[[StepView, Obj], Term]) -> Callable[[StepView], Term]:
    """An instruction of a kind is followed, and this happens to an object."""
    def test(step: StepView) -> Term:
        return _some(step, lambda o: happens(step, o)) if resolves(step, kind) is not None else FALSE

    return test


def _goes(zone: Zone) -> Callable[[StepView, Obj], Term]:
    return lambda step, o: and_(step.before[ZONE, o].is_(Zone.BATTLEFIELD), step.after[ZONE, o].is_(zone))


def _effect_starts(step: StepView, o: Obj) -> Term:
    return or_(*(step.after[EFFECT, shot, o] > step.before[EFFECT, shot, o] for shot in step.setup.shots))


def _dies_of(step: StepView) -> Term:
    return _some(step, lambda o: step.happens(EventKind.DIES, o))


def _damaged(step: StepView) -> Term:
    lost = or_(*(step.after[LIFE, p] < step.before[LIFE, p] for p in step.setup.players))
    return and_(lost, step.happens(EventKind.DAMAGE))


def _with_replacement(when: str, event: EventKind) -> Callable[[StepView], Term]:
    """An object that shows its own printed front face, abilities and all, is replaced in how it does something."""
    def happens(step: StepView) -> Term:
        able = (o for o in step.setup.objects if any(_replaces(a, when) for a in o.card.front.abilities))
        return or_(*(and_(step.happens(event, o), shown_face(step.after, o), not_(lost_abilities(step.before, o)),
                          not_(lost_abilities(step.after, o))) for o in able))

    return happens


def _with_others_replacement(step: StepView) -> Term:
    """A face-up permanent that shows its own printed front face has counters put on what enters."""
    return or_(*(
        and_(step.happens(EventKind.ENTERS, o), shown_face(step.before, source), shown_face(step.after, source),
             not_(lost_abilities(step.before, source)), step.changed(COUNTERS, o, CounterKind.PLUS))
        for source in step.setup.objects for a in source.card.front.abilities
        if isinstance(a, Replacement) and a.what is not None and "enters" in a.as_
        for o in step.setup.objects if o is not source
    ))


def _replaces(ability: Ability, when: str) -> bool:
    return isinstance(ability, Replacement) and ability.what is None and when in ability.as_


def _lost_its_targets(step: StepView) -> Term:
    """Every target of what resolves is gone."""
    targets = [value for name, value in step.action.label.arguments if name == "target"]
    gone = bool(targets) and all(target == str(Marker.GONE) for target in targets)
    return TRUE if step.action.label.rule == "resolve" and gone else FALSE


def _does_not_enter(step: StepView) -> Term:
    """A permanent spell without targets resolves, and its card is put into the graveyard."""
    item = item_of(step.setup, step.action)
    if item is None or item.ability is not None or not _is_permanent(item) or step.argument("target") is not None:
        return FALSE
    return and_(step.before[ZONE, item.source].is_(Zone.STACK), step.after[ZONE, item.source].is_(Zone.GRAVEYARD),
                not_(step.happens(EventKind.ENTERS, item.source)))


def _equips(step: StepView) -> Term:
    item = item_of(step.setup, step.action)
    if item is None or not isinstance(item.ability, Attach):
        return FALSE
    return and_(step.changed(ATTACHED, item.source), step.after[ATTACHED, item.source].isnt(Marker.NONE))


def _draws_from_nothing(step: StepView) -> Term:
    """A player with an empty library is told to draw, and has left the game."""
    told = resolves(step, Draw) is not None or step.action.label.rule in ("next step", "next turn")
    return or_(*(and_(in_library(step.before, p).is_(0), not_(step.before[LEFT, p]), step.after[LEFT, p])
                 for p in step.setup.players)) if told else FALSE


def _lifelink(step: StepView) -> Term:
    """Combat damage is dealt, and somebody has more life."""
    if step.action.label.rule != "next step":
        return FALSE
    more = or_(*(step.after[LIFE, p] > step.before[LIFE, p] for p in step.setup.players))
    return and_(more, step.happens(EventKind.COMBAT_DAMAGE))


def _delays(step: StepView) -> Term:
    items = (step.setup.item(source, ability) for source, ability in step.setup.delayed)
    return or_(*(and_(not_(step.before[DELAYED, item, o]), step.after[DELAYED, item, o])
                 for item in items for o in step.setup.objects))


def _retargets(step: StepView) -> Term:
    chosen = [value for name, value in step.action.label.arguments if name == "choice"]
    return TRUE if resolves(step, Retarget) is not None and "choosing nothing" not in chosen else FALSE


def _permits(step: StepView) -> Term:
    return or_(*(or_(step.after[PERMITTED, p, o] > step.before[PERMITTED, p, o], _freed(step, p, o))
                 for p in step.setup.players for o in step.setup.objects))


def _for_nothing(step: StepView) -> Term:
    cast = step.happens(EventKind.CAST) if resolves(step, CastFree) is not None else FALSE
    return or_(cast, *(_freed(step, p, o) for p in step.setup.players for o in step.setup.objects))


def _freed(step: StepView, p: Player, o: Obj) -> Term:
    return and_(not_(step.before[FREE, p, o]), step.after[FREE, p, o])


_TABLE: tuple[_Decides, ...] = (
    _Decides("117.3d", "passing priority", _rule("pass"), only=True),
    _Decides("104.3a", "conceding", _rule("concede")),
    _Decides("800.4a", "a player's leaving", _event(EventKind.LEFT_GAME)),
    _Decides("601.2", "casting a spell", _rule("cast"), only=True),
    _Decides("708.4", "casting a spell face down", _rule("cast face down")),
    _Decides("702.37c", "casting it with morph", _rule("cast face down", **{"as": "morph"}), only=True),
    _Decides("702.168a", "casting it with disguise", _rule("cast face down", **{"as": "disguise"}), only=True),
    _Decides("305.1", "playing a land", _rule("play a land")),
    _Decides("602.2", "activating an ability", _rule("activate", "equip")),
    _Decides("603.3", "putting a triggered ability on the stack", _rule("put trigger on the stack", "drop trigger")),
    _Decides("603.2", "an ability's triggering", _triggers),
    _Decides("702.21a", "ward's triggering", _ward_triggers),
    _Decides("702.21a", "ward's resolving", _rule("resolve ward")),
    _Decides("608.1", "the top of the stack's resolving", _rule("resolve")),
    _Decides("608.2c", "following a spell's or ability's instructions", _resolves(permanent=False)),
    _Decides("608.3", "a permanent spell's resolving", _resolves(permanent=True)),
    _Decides("608.2b", "doing nothing for want of a target", _lost_its_targets),
    _Decides("608.3e", "a permanent spell's not entering", _does_not_enter),
    _Decides("702.6a", "equipping", _equips),
    _Decides("608.3a", "a face-down spell's resolving", _rule("resolve face down")),
    _Decides("708.4", "a face-down spell's entering face down", _rule("resolve face down")),
    _Decides("116.2b", "turning face up for a cost",
             _rule("turn face up for mana cost", "turn face up for keyword cost"), only=True),
    _Decides("701.40b", "turning a manifested permanent face up for its mana cost", _turned(Cause.MANIFEST),
             only=True),
    _Decides("701.58b", "turning a cloaked permanent face up for its mana cost", _turned(Cause.CLOAK), only=True),
    _Decides("702.37e", "turning up for a morph cost", _turned_for(("morph", "megamorph")), only=True),
    _Decides("702.168d", "turning up for a disguise cost", _turned_for(("disguise",)), only=True),
    _Decides("702.37b", "megamorph's counter", _megamorph),
    _Decides("708.8", "turning face up", _event(EventKind.TURNED_UP)),
    _Decides("708.11", "what is done as it turns up", _with_replacement("turned_up", EventKind.TURNED_UP)),
    _Decides("614.12", "what is done as it enters", _with_replacement("enters", EventKind.ENTERS)),
    _Decides("614.12", "what others do as it enters", _with_others_replacement),
    _Decides("708.2a", "turning face down", _event(EventKind.TURNED_DOWN)),
    _Decides("701.40g", "an instant or sorcery card's staying face down", _stays_down),
    _Decides("708.9", "revealing what leaves", _reveals_what_leaves),
    _Decides("708.5", "looking at a face-down object", _rule("look")),
    _Decides("701.40a", "manifesting", _event(EventKind.MANIFESTED)),
    _Decides("701.58a", "cloaking", _event(EventKind.CLOAKED)),
    _Decides("701.62a", "manifesting dread", _event(EventKind.MANIFEST_DREAD)),
    _Decides("701.62b", "triggering on manifesting dread", _event(EventKind.MANIFEST_DREAD)),
    _Decides("708.3", "putting a card onto the battlefield face down", _instructed(
        PutFaceDown, lambda step, o: and_(step.happens(EventKind.ENTERS, o), down(step.after, o)))),
    _Decides("121.1", "drawing a card", _event(EventKind.DRAWN)),
    _Decides("504.1", "drawing for the turn", _all_of(_rule("next step", "next turn"), _event(EventKind.DRAWN))),
    _Decides("704.5b", "losing for want of a card to draw", _draws_from_nothing),
    _Decides("702.15b", "gaining life by lifelink", _lifelink),
    _Decides("120.3", "dealing damage", _event(EventKind.DAMAGE, EventKind.COMBAT_DAMAGE)),
    _Decides("120.3a", "damage to a player", _damaged),
    _Decides("603.6c", "dying", _dies_of),
    _Decides("701.6a", "countering a spell", _event(EventKind.COUNTERED)),
    _Decides("701.8a", "destroying", _instructed(Destroy, _goes(Zone.GRAVEYARD))),
    _Decides("701.13a", "exiling", _instructed(Exile, _goes(Zone.EXILE))),
    _Decides("701.9a", "discarding", lambda step: step.happens(EventKind.DISCARDED)
             if step.action.label.rule == "resolve" else FALSE),
    _Decides("701.21a", "sacrificing", lambda step: step.happens(EventKind.SACRIFICED)
             if step.action.label.rule == "resolve" else FALSE),
    _Decides("701.23a", "searching a library", lambda step: TRUE if resolves(step, Search) else FALSE),
    _Decides("701.27a", "transforming", _event(EventKind.TRANSFORMED), only=True),
    _Decides("701.3a", "attaching", lambda step: _some(step, lambda o: and_(
        step.changed(ATTACHED, o), step.after[ATTACHED, o].isnt(Marker.NONE),
        not_(step.happens(EventKind.ENTERS, o))))),
    _Decides("111.1", "creating a token", _instructed(Token, lambda step, o: step.happens(EventKind.ENTERS, o)
                                                      if o.token else FALSE)),
    _Decides("613.1b", "gaining control", _instructed(GainControl, lambda step, o: step.changed(CONTROLLER, o))),
    _Decides("613.2a", "changing a copiable size", _instructed(BecomeSize, lambda step, o: step.changed(COPIED, o))),
    _Decides("603.7", "setting up a delayed triggered ability", _delays),
    _Decides("614.9", "having damage dealt to something else", lambda step: _some(step, lambda o: and_(
        step.changed(REDIRECTED, o), step.after[REDIRECTED, o].isnt(Marker.NONE)))),
    _Decides("615.1", "preventing combat damage", lambda step: or_(*(
        and_(not_(step.before[PREVENTED, n]), step.after[PREVENTED, n]) for n in range(len(step.setup.shields))))),
    _Decides("702.75a", "hiding a card away", _instructed(Hideaway, lambda step, o: and_(
        step.before[ZONE, o].is_(Zone.LIBRARY), step.after[ZONE, o].is_(Zone.EXILE)))),
    _Decides("707.10", "copying a spell", _instructed(CopySpell, lambda step, o: and_(
        step.before[ZONE, o].is_(Zone.OUTSIDE), step.after[ZONE, o].is_(Zone.STACK)))),
    _Decides("115.7a", "changing a target", _retargets),
    _Decides("601.3", "permitting a card to be cast", _permits),
    _Decides("118.9", "casting, or permitting to cast, without paying the mana cost", _for_nothing),
    _Decides("611.2c", "starting a continuous effect", _instructed(Until, _effect_starts)),
    _Decides("707.2", "becoming a copy", _instructed(BecomeCopy, lambda step, o: step.changed(COPIED, o))),
    _Decides("704.5j", "the legend rule", _rule("legend rule")),
    _Decides("508.1", "attacking", _event(EventKind.ATTACKS)),
    _Decides("508.8", "skipping what follows when nobody attacks", _rule("attack", attackers="nothing")),
    _Decides("509.1", "blocking", _event(EventKind.BLOCKS)),
    _Decides("510.2", "combat damage", _event(EventKind.COMBAT_DAMAGE)),
    _Decides("500.2", "a step's beginning", _rule("next step")),
    _Decides("514.2", "a turn's end", _rule("next turn")),
    _Decides("502.3", "untapping as a turn begins", _rule("next turn")),
)


def _named(step: StepView) -> Iterable[Clause]:
    for entry in _TABLE:
        happens = entry.happens(step)
        if happens is not FALSE:
            yield Clause(f"{entry.what} is decided by {entry.rule}, which the step names", happens,
                         _cited(step, entry.rule))
        if entry.only:
            yield Clause(f"{entry.rule} is named, which decides {entry.what} alone", _cited(step, entry.rule), happens)


def _cited(step: StepView, rule: str) -> Term:
    return or_(*(c.condition for c in step.action.citations if c.rule == rule))


def _state_based(step: StepView) -> Iterator[Clause]:
    """Whatever a state-based action does, a rule of 704.5 is named."""
    if step.action.label.rule == "state-based actions":
        found = or_(*(c.condition for c in step.action.citations if c.rule.startswith("704.5")))
        yield Clause("state-based actions name what they check", TRUE, found)


PROPERTIES: tuple[Property, ...] = (
    StepRule(
        "what-decides-is-named",
        "A step names the rule that decides what happens in it.",
        tuple(dict.fromkeys(entry.rule for entry in _TABLE)),
        formula=_named,
    ),
    StepRule(
        "state-based-actions-are-named",
        "A state-based action names the condition that it checks.",
        ("704.5",),
        formula=_state_based,
    ),
)
