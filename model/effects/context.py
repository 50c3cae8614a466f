"""What an effect knows while it is carried out, and the choices made for it."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field

from model.cards.card import Face
from model.setup import Obj, Player
from model.state import State
from model.terms import TRUE, Term

__all__ = ["Context", "Option"]


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
    values: dict[Obj, list[tuple[Term, Face]]] = field(default_factory=dict)

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

    def legality(self, slot: int) -> Term:
        """Whether the target in the slot is still legal."""
        return self.legal[slot] if slot < len(self.legal) else TRUE
