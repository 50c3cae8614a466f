"""A card in words, worked out from its data: what the model takes it to do, not what is printed on it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from pydantic import BaseModel

from model.cards.abilities import (
    Ability,
    ActivatedAbility,
    Attach,
    Changes,
    Condition,
    Costs,
    FaceDownCost,
    KeywordAbility,
    LookPermission,
    Replacement,
    SpellAbility,
    StaticAbility,
    Trigger,
    TriggeredAbility,
    WardAbility,
)
from model.cards.card import Card, Face
from model.cards.fields import Amount
from model.cards.phrases import Filter, Selector
from model.effects.base import Effect
from model.vocabulary import EventKind

__all__ = ["ability_text", "card_lines"]


def card_lines(card: Card) -> Iterator[str]:
    """The card, a line for each of its faces' parts, as cards are laid out."""
    yield from _face_lines(card.front, card.name)
    others = (("back face", card.back), *((f"also castable as ({card.layout})", half) for half in card.halves))
    for title, face in others:
        if face is not None:
            yield f"-- {title} --"
            yield from _face_lines(face, face.name or "")


def _face_lines(face: Face, name: str) -> Iterator[str]:
    yield f"{name}  {face.cost}" if face.cost is not None else name
    yield _type_line(face)
    if face.colours and (face.cost is None or face.colours != face.cost.colours):
        yield f"colours: {', '.join(sorted(c.value for c in face.colours))}"
    yield from (ability_text(ability) for ability in face.abilities)
    if face.power is not None and face.toughness is not None:
        yield f"{_text(face.power)}/{_text(face.toughness)}"
    for label, number in (("loyalty", face.loyalty), ("defence", face.defence)):
        if number is not None:
            yield f"{label} {number}"


def _type_line(face: Face) -> str:
    words = [*sorted(s.value.title() for s in face.supertypes), *sorted(t.value.title() for t in face.types)]
    return " ".join(words) + (f" - {' '.join(sorted(face.subtypes))}" if face.subtypes else "")


def ability_text(ability: Ability) -> str:
    """An ability in one sentence; for a shape without words of its own, its data."""
    match ability:
        case KeywordAbility(keyword=keyword):
            return str(keyword).capitalize()
        case FaceDownCost(kind=kind, cost=cost):
            return f"{kind.capitalize()} {cost}"
        case WardAbility(ward=cost):
            return f"Ward {cost}"
        case Attach(enchant=enchant, equip=equip):
            return f"Enchant {enchant.phrase}" if enchant is not None else f"Equip {equip}"
        case TriggeredAbility(when=when, condition=condition):
            clause = f", if {_condition(condition)}" if condition is not None else ""
            may = "you may " if ability.may else ""
            return f"{_trigger(when)}{clause}, {may}{_targets(ability.targets, ability.up_to)}{_effects(ability.do)}."
        case ActivatedAbility(activate=cost):
            speed = " Only as a sorcery." if ability.sorcery_speed else ""
            return f"{cost}: {_targets(ability.targets, ability.up_to)}{_effects(ability.do)}.{speed}"
        case StaticAbility(static=who, condition=condition):
            clause = f" as long as {_condition(condition)}" if condition is not None else ""
            return _sentence(f"{who}{clause}: {_changes(ability)}")
        case Replacement(as_=moment, what=what):
            words = {"enters": "enters", "turned_up": "is turned face up",
                     "enters_or_turned_up": "enters or is turned face up"}[moment]
            return f"As {'this' if what is None else what.phrase} {words}, {_effects(ability.do)}."
        case SpellAbility(targets=targets):
            extra = f"As an additional cost, {ability.additional}. " if ability.additional is not None else ""
            return extra + _sentence(f"{_targets(targets, ability.up_to)}{_effects(ability.spell)}")
        case LookPermission(look_at=what):
            return f"You may look at {_text(what)} any time."
    return _plain(ability)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def _trigger(when: Trigger) -> str:
    whose = {"you": "you", "opponent": "an opponent", "any": "a player"}[when.player]
    if when.event is EventKind.STEP_BEGINS:
        return f"At the beginning of {'your' if when.player == 'you' else 'each'} {when.step}"
    if when.event in (EventKind.MANIFEST_DREAD, EventKind.DRAWN, EventKind.LIFE_GAINED):
        return f"Whenever {whose} {'manifest dread' if when.event is EventKind.MANIFEST_DREAD else when.event}"
    what = "this" if when.subject is None else when.subject.phrase
    number = "one or more " if when.batch else ""
    verb = {EventKind.TURNED_UP: "is turned face up", EventKind.TURNED_DOWN: "is turned face down",
            EventKind.CAST: "is cast", EventKind.LEAVES: "leaves the battlefield"}.get(when.event, str(when.event))
    once = " for the first time in a turn" if when.once_each_turn else ""
    return f"{'When' if when.subject is None else 'Whenever'} {number}{what} {verb}{once}"


def _condition(condition: Condition) -> str:
    parts = []
    if condition.count is not None:
        least = f"at least {condition.at_least}" if condition.at_least is not None else ""
        most = f"at most {condition.at_most}" if condition.at_most is not None else ""
        parts.append(f"there are {' and '.join(filter(None, (least, most)))} {condition.count.phrase}")
    if condition.your_turn is not None:
        parts.append(f"it is {'' if condition.your_turn else 'not '}your turn")
    return " and ".join(parts) or _plain(condition)


def _targets(targets: Iterable[Filter | str], up_to: bool) -> str:
    named = [f"target {t.phrase if isinstance(t, Filter) else t}" for t in targets]
    return f"{'up to ' if up_to else ''}{' and '.join(named)}: " if named else ""


def _effects(effects: Iterable[Effect]) -> str:
    return ", then ".join(_plain(effect) for effect in effects)


def _changes(changes: Changes) -> str:
    skipped = {"static", "condition"}
    return ", ".join(_field(name, value) for name, value in _given(changes) if name not in skipped)


def _plain(data: BaseModel) -> str:
    """The data themselves, the verb first."""
    given = list(_given(data))
    verb = getattr(data, "verb", "")
    given.sort(key=lambda pair: pair[0] != verb)
    return " ".join(_field(name, value) for name, value in given)


def _given(data: BaseModel) -> Iterator[tuple[str, Any]]:
    for name, field in type(data).model_fields.items():
        value = getattr(data, name)
        if value != field.default and value is not None and value != ():
            yield name, value


def _field(name: str, value: Any) -> str:
    words = name.strip("_").replace("_", " ")
    return words if value is True else f"{words} {_text(value)}"


def _text(value: Any) -> str:
    match value:
        case Filter(phrase=phrase):
            return phrase
        case Selector():
            return str(value)
        case Amount(event=True):
            return "that many"
        case Amount(measure=str(measure), of=of) if of is not None:
            return f"the {measure} of {of}"
        case Amount(fixed=fixed, per_x=per_x, per=per, times=times):
            if per is not None:
                return f"{times} for each {per.phrase}" if times != 1 else f"the number of {per.phrase}"
            return f"{'' if per_x == 1 else per_x}X" if per_x else str(fixed)
        case Costs():
            return str(value)
        case Ability():
            return f'"{ability_text(value)}"'
        case Changes():
            return f"({_changes(value)})"
        case BaseModel():
            return f"({_plain(value)})"
        case tuple() | list() | frozenset():
            return ", ".join(_text(item) for item in value)
    return str(value)
