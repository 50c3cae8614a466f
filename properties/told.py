"""What a resolving spell or ability tells to be done, read off the printed card, the label of the action and raw state.

Whether it is carried out is judged only where these surely say so: one instruction, nothing optional, and targets that
are legal by their zone, status and controller alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from model.cards.abilities import Ability, ActivatedAbility, ProtectionAbility, SpellAbility, TriggeredAbility
from model.cards.phrases import Filter, Selector, Who
from model.effects.base import Effect
from model.families import LEFT, ZONE
from model.setup import Item, Obj, Player, Setup
from model.terms import FALSE, TRUE, Term, and_, not_, or_
from model.vocabulary import Keyword, Type, Zone
from properties.kinds import StepView, View
from properties.support import controller_of, controls, down, instructions, item_of, sets_types, unmodified

__all__ = [
    "aims",
    "carried_out",
    "does_only",
    "may_meet",
    "meant_objects",
    "meant_players",
    "surely_meets",
    "target_specs",
]

_E = TypeVar("_E", bound=Effect)

TargetSpec = Filter | str
"""What a place of the targets asks for, as printed."""


def does_only(step: StepView, kind: type[_E]) -> _E | None:
    """The instruction that a step carries out, if what resolves has no other, asks nobody, and depends on nothing."""
    item = item_of(step.setup, step.action)
    if item is None:
        return None
    ability = item.ability
    if isinstance(ability, TriggeredAbility) and (ability.may or ability.condition or ability.from_graveyard):
        return None
    effects = instructions(item)
    return effects[0] if len(effects) == 1 and isinstance(effects[0], kind) else None


def target_specs(item: Item) -> tuple[TargetSpec, ...]:
    """What a spell or ability targets, as printed; nothing for an Aura spell."""
    text: Ability | None = item.ability or item.spell
    return text.targets if isinstance(text, SpellAbility | TriggeredAbility | ActivatedAbility) else ()


def aims(step: StepView) -> list[Obj | Player | None]:
    """What the label of an action says that it targets, in the order of the places."""
    named: dict[str, Obj | Player] = {o.name: o for o in step.setup.objects}
    named |= {p.name: p for p in step.setup.players}
    return [named.get(value) for key, value in step.action.label.arguments if key == "target"]


def carried_out(step: StepView) -> Term:
    """Whether every target is surely still legal; enough, though not necessary, for all to be done (608.2b)."""
    item = item_of(step.setup, step.action)
    if item is None:
        return FALSE
    specs, aimed = target_specs(item), aims(step)
    if len(specs) != len(aimed) or (specs and _shields(step.setup)):
        return FALSE
    you = controller_of(step.setup, step.action)
    return and_(*(_legal(step.before, spec, t, you, item.source) for spec, t in zip(specs, aimed, strict=True)))


def _shields(setup: Setup) -> bool:
    """Whether anything in the scenario can keep an object from being targeted (702.11, 702.16, 702.18)."""
    protects = any(isinstance(a, ProtectionAbility) for o in setup.objects for a in setup.abilities_of(o))
    return protects or bool(setup.keywords & {Keyword.HEXPROOF, Keyword.SHROUD})


def _legal(view: View, spec: TargetSpec, target: Obj | Player | None, you: Player, source: Obj) -> Term:
    match target:
        case Player():
            fits = spec == "player" or (spec == "opponent" and target is not you)
            return not_(view[LEFT, target]) if fits else FALSE
        case Obj() if isinstance(spec, Filter):
            return surely_meets(view, target, spec, you, source)
    return FALSE


def _is_plain(wanted: Filter) -> bool:
    """Whether a filter asks for nothing but zone, status, players, and being a creature or any type."""
    plain = Filter(
        all_types=wanted.all_types, face_down=wanted.face_down, zone=wanted.zone, controller=wanted.controller,
        owner=wanted.owner, other=wanted.other, phrase=wanted.phrase,
    )
    return wanted == plain


def surely_meets(view: View, o: Obj, wanted: Filter, you: Player, source: Obj) -> Term:
    """Whether an object surely meets a filter; enough, though not necessary.

    A face-down object is taken for a creature and no more (708.2a); one that is face up is judged by its card.
    """
    if not _is_plain(wanted) or (wanted.all_types and sets_types(view.setup)):
        return FALSE
    if wanted.owner is not None and (wanted.owner == "you") != (o.owner is you):
        return FALSE
    if wanted.other and o is source:
        return FALSE
    tests = [view[ZONE, o].is_(wanted.zone)]
    if wanted.zone in (Zone.BATTLEFIELD, Zone.STACK):
        shows = and_(not_(down(view, o)), unmodified(view, o), TRUE if o.card.back is None else FALSE)
        printed = and_(shows, TRUE if wanted.all_types <= o.card.front.types else FALSE)
        hidden = and_(down(view, o), TRUE if wanted.all_types <= {Type.CREATURE} else FALSE)
        tests.append(or_(printed, hidden) if wanted.all_types else TRUE)
    elif not wanted.all_types <= o.card.front.types:
        return FALSE
    if wanted.face_down is not None:
        tests.append(down(view, o) if wanted.face_down else not_(down(view, o)))
    if wanted.controller is not None:
        mine = controls(view, o, you)
        tests.append(mine if wanted.controller == "you" else not_(mine))
    return and_(*tests)


def may_meet(view: View, o: Obj, wanted: Filter, you: Player) -> Term:
    """Whether an object meets what a filter asks of zone, status, controller and printed type; necessary for it."""
    tests = [view[ZONE, o].is_(wanted.zone)]
    if wanted.face_down is not None:
        tests.append(down(view, o) if wanted.face_down else not_(down(view, o)))
    if wanted.controller is not None:
        mine = controls(view, o, you)
        tests.append(mine if wanted.controller == "you" else not_(mine))
    if not sets_types(view.setup):
        printed = TRUE if wanted.all_types <= o.card.front.types else FALSE
        hidden = TRUE if wanted.all_types <= {Type.CREATURE} else FALSE
        shows_card = and_(not_(down(view, o)), unmodified(view, o), TRUE if o.card.back is None else FALSE)
        tests += [or_(printed, not_(shows_card)), or_(hidden, not_(down(view, o)))]
    return and_(*tests)


def meant_objects(step: StepView, selector: Selector) -> list[Obj]:
    """The objects that an instruction names by being targeted, or as what it comes from."""
    item = item_of(step.setup, step.action)
    aimed = aims(step)
    match selector.who:
        case Who.TARGET:
            found = aimed[selector.slot : selector.slot + 1]
        case Who.TARGETS:
            found = aimed
        case Who.THIS if item is not None:
            found = [item.source]
        case _:
            found = []
    return [o for o in found if isinstance(o, Obj)]


def meant_players(step: StepView, selector: Selector | None) -> Iterator[Player]:
    """The players whom an instruction names: its controller, the opponents, everybody, or a target."""
    you = controller_of(step.setup, step.action)
    match selector.who if selector is not None else Who.YOU:
        case Who.YOU:
            yield you
        case Who.OPPONENT:
            yield from step.setup.others(you)
        case Who.EACH_PLAYER:
            yield from step.setup.players
        case Who.TARGET if selector is not None:
            yield from (p for p in aims(step)[selector.slot : selector.slot + 1] if isinstance(p, Player))
