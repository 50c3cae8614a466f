"""Walking through card data: the effects, changes, references and amounts that stand in an ability."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel

from model.cards.abilities import (
    Ability,
    ActivatedAbility,
    Attach,
    Changes,
    TriggeredAbility,
    WardAbility,
)
from model.cards.fields import Amount
from model.cards.phrases import Selector, Who

__all__ = ["amounts", "depends_on_order", "mentions", "parts_of", "uses_stack"]


def mentions(part: BaseModel) -> Iterator[Who]:
    """The kinds of reference in the selectors of an effect, without those of effects nested in it."""
    for name in type(part).model_fields:
        value = getattr(part, name)
        while isinstance(value, Selector):
            yield value.who
            value = value.of


def amounts(part: BaseModel) -> Iterator[Amount]:
    """The amounts in the fields of an effect or of changes."""
    return (value for name in type(part).model_fields if isinstance(value := getattr(part, name), Amount))


def uses_stack(ability: Ability) -> bool:
    """Whether an ability goes on the stack (113.3)."""
    match ability:
        case TriggeredAbility() | WardAbility():
            return True
        case ActivatedAbility():
            return not ability.mana_ability
        case Attach():
            return ability.equip is not None
    return False


def depends_on_order(changes: Changes) -> bool:
    """Whether the order of these changes among others can matter: all but added power and toughness (7c) and rules."""
    return changes.first_layer < 7 or changes.power is not None or changes.toughness is not None


def parts_of(value: Any) -> Iterator[BaseModel]:
    """The value and every model nested in it: effects, changes, granted abilities."""
    if isinstance(value, BaseModel):
        yield value
        for name in type(value).model_fields:
            yield from parts_of(getattr(value, name))
    elif isinstance(value, tuple):
        for inner in value:
            yield from parts_of(inner)
