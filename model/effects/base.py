"""What an effect is: one small class whose one method writes the state.

An effect is told apart in card data by its verb, the name of its first field.  Whatever a player chooses while it is
carried out is enumerated by :meth:`Effect.options` beforehand, so that a whole resolution is one deterministic action.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from model.cards.fields import Data

if TYPE_CHECKING:
    from model.effects.context import Context, Option
    from model.peek import Peek

__all__ = ["Effect", "parse_effect"]


class Effect(Data):
    """Base of all effects.  ``verb`` is the name of the field by which data tell it apart."""

    verb: ClassVar[str] = ""

    def apply(self, context: Context) -> None:
        """Carry the instruction out."""
        raise NotImplementedError

    def options(self, peek: Peek, context: Context) -> Sequence[Sequence[Option]]:
        """The choices made while it is carried out, in order: for each, the options.

        ``context.game`` is not there yet; ``peek`` says what there may be to choose from.
        """
        return ()


def _vocabulary(base: type[Effect] = Effect) -> dict[str, type[Effect]]:
    found: dict[str, type[Effect]] = {}
    for kind in base.__subclasses__():
        if kind.verb:
            found[kind.verb] = kind
        found.update(_vocabulary(kind))
    return found


def parse_effect(value: Any) -> Effect:
    """Validate one entry of a ``do`` list.

    Raises
    ------
    ValueError
        If its verb is not in the vocabulary; names the nearest.
    """
    if isinstance(value, Effect):
        return value
    known = _vocabulary()
    if not isinstance(value, dict):
        raise ValueError(f"an effect is a mapping such as {{destroy: target}}, found {value!r}")
    verbs = [key for key in value if key in known]
    verb = next((key for key in verbs if set(value) <= set(known[key].model_fields)), next(iter(verbs), None))
    if verb is None:
        first = str(next(iter(value), ""))
        near = difflib.get_close_matches(first, list(known), 1)
        raise ValueError(
            f"the vocabulary has no effect {first!r}"
            + (f"; did you mean {near[0]!r}?" if near else f"; it has {', '.join(sorted(known))}")
        )
    return known[verb].model_validate(value)
