"""The validated building blocks of card and scenario data: costs, filters, selectors, amounts.

Each is written as one string and validated into a frozen value; the published JSON Schema shows the string.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, WithJsonSchema

from model.cards.cost import ManaCost
from model.cards.phrases import Filter, Selector

__all__ = ["Amount", "AmountField", "Data", "FilterField", "Mana", "SelectorField"]

_Parsed = TypeVar("_Parsed")


class Data(BaseModel):
    """Base of everything that is read from YAML: frozen, and no key beyond those declared."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)


def _string(parse: Callable[[str], _Parsed], kind: type[_Parsed]) -> Callable[[Any], _Parsed]:
    def validate(value: Any) -> _Parsed:
        if isinstance(value, kind):
            return value
        if not isinstance(value, str):
            raise ValueError(f"expected a phrase, found {value!r}")
        return parse(value)

    return validate


@dataclass(frozen=True, slots=True)
class Amount:
    """A number in an effect.

    Parameters
    ----------
    fixed
        The constant part.
    per_x
        How often the X that was chosen is added.
    per
        What is counted, if anything; ``times`` is added for each.
    event
        Whether the number is the one that the trigger event was about.
    measure, of
        ``power``, ``toughness``, ``mana value``, ``counters`` or ``number`` of what a selector means, if any.
    """

    fixed: int = 0
    per_x: int = 0
    per: Filter | None = None
    times: int = 1
    event: bool = False
    measure: str | None = None
    of: Selector | None = None

    @staticmethod
    def parse(value: object) -> Amount:
        """Parse ``2``, ``-1``, ``X``, ``-X``, ``2X``, ``that many``, ``count of <filter>`` or ``2 per <filter>``."""
        if isinstance(value, Amount):
            return value
        if isinstance(value, int) and not isinstance(value, bool):
            return Amount(value)
        text = str(value).strip()
        if re.fullmatch(r"[+-]?\d+", text):
            return Amount(int(text))
        if text == "that many":
            return Amount(event=True)
        if match := re.fullmatch(r"(power|toughness|mana value|counters|number) of (.+)", text):
            return Amount(measure=match[1], of=Selector.parse(match[2]))
        if match := re.fullmatch(r"(-?)(\d*)X", text):
            return Amount(per_x=int(f"{match[1]}{match[2] or 1}"))
        if match := re.fullmatch(r"count of (.+)", text):
            return Amount(per=Filter.parse(match[1]))
        if match := re.fullmatch(r"(-?\d+) per (.+)", text):
            return Amount(per=Filter.parse(match[2]), times=int(match[1]))
        raise ValueError(
            f"{value!r} is no amount; accepted are a number, X, 2X, -X, 'that many', "
            "'power of ...', 'toughness of ...', 'mana value of ...', 'counters of ...', 'count of ...' and '2 per ...'"
        )


Mana = Annotated[
    ManaCost,
    BeforeValidator(_string(ManaCost.parse, ManaCost)),
    WithJsonSchema({"type": "string", "description": "a mana cost such as {2}{R/W}"}),
]
FilterField = Annotated[
    Filter,
    BeforeValidator(_string(Filter.parse, Filter)),
    WithJsonSchema({"type": "string", "description": "a filter such as: face-down creature"}),
]
SelectorField = Annotated[
    Selector,
    BeforeValidator(_string(Selector.parse, Selector)),
    WithJsonSchema({"type": "string", "description": "this, target, you, each ..., a ..."}),
]
AmountField = Annotated[
    Amount, BeforeValidator(Amount.parse), WithJsonSchema({"anyOf": [{"type": "integer"}, {"type": "string"}]})
]
