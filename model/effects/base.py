"""What an effect is: one small class whose one method writes the state.

An effect is told apart in card data by its verb, the name of its first field.  Whatever a player chooses while it is
carried out is enumerated by :meth:`Effect.options` beforehand, so that a whole resolution is one deterministic action.
"""

from __future__ import annotations

import difflib
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from model.cards.fields import Amount, Data
from model.terms import TRUE, Term, add, const, ite, number

if TYPE_CHECKING:
    from model.peek import Peek
    from model.setup import Obj, Player
    from model.state import State

__all__ = ["Context", "Effect", "Option", "parse_effect"]


@dataclass(frozen=True, slots=True)
class Option:
    """One way to make a choice: how it is described, and the value that the effect understands."""

    words: str
    value: Hashable = None


@dataclass(slots=True)
class Context:
    """What an effect needs to know while it is carried out.

    Attributes
    ----------
    game
        The recorder.
    source
        The object that the effect comes from.
    controller
        The player who follows the instructions.
    targets, legal
        What was targeted, and whether each target is still legal (608.2b).
    that
        The object or player that the trigger event was about.
    x
        The value of X.
    picks
        The choices still to be used, in the order in which the effects ask for them.
    results, binned
        Objects that earlier instructions of the same resolution made, with the condition under which each did.
    controllers
        Who controlled the targets and ``that`` as the resolution began (608.2h).
    values
        The copiable values that the targets had then, each face with its condition.
    """

    game: State
    source: Obj
    controller: Player
    targets: Sequence[Hashable] = ()
    legal: Sequence[Term] = ()
    that: Hashable = None
    x: int = 0
    picks: Iterator[Option] = field(default_factory=lambda: iter(()))
    results: list[tuple[Obj, Term]] = field(default_factory=list)
    binned: list[tuple[Obj, Term]] = field(default_factory=list)
    controllers: dict[Obj, Term] = field(default_factory=dict)
    values: dict[Obj, list[tuple[Term, Any]]] = field(default_factory=dict)

    def pick(self) -> Option:
        """The next choice.

        Raises
        ------
        LookupError
            If the action did not enumerate it: the vocabulary does not support a choice at this place.
        """
        found = next(self.picks, None)
        if found is None:
            raise LookupError(f"{self.source}: a choice is asked for where the model offers none")
        return found

    def amount(self, value: Amount) -> Term:
        """The number that an amount in the effect stands for in the present state."""
        from model.characteristics import look

        you = const(self.game.setup.player_sort, self.controller)
        total = look(self.game).amount(value, you, self.source, self.x, self.that)
        if value.of is None:
            return total
        from model.effects.selecting import objects

        return add(
            total,
            *(ite(condition, self._measure(value.measure, o), number(0)) for o, condition in objects(self, value.of)),
        )

    def _measure(self, what: str | None, o: Obj) -> Term:
        from model.characteristics import look
        from model.families import COUNTERS
        from model.vocabulary import CounterKind

        derived = look(self.game)
        match what:
            case "number":
                return number(1)
            case "power":
                return derived.power(o)
            case "toughness":
                return derived.toughness(o)
            case "mana value":
                return derived.mana_value(o)
        return self.game[COUNTERS, o, CounterKind.PLUS]

    def legality(self, slot: int) -> Term:
        """Whether the target in the slot is still legal."""
        return self.legal[slot] if slot < len(self.legal) else TRUE


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
