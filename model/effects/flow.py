"""Instructions about instructions: choices, options and conditions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from model.cards.abilities import Condition, Costs, Declared
from model.conditions import holds
from model.effects.base import Effect
from model.effects.context import Context, Option
from model.peek import Peek
from model.rules.mana import Way, pay, ways_to_pay
from model.terms import FALSE, and_, const

__all__ = ["Choose", "If", "May", "Pay"]


class May(Effect):
    """What the controller of the effect may do (608.2d)."""

    verb: ClassVar[str] = "may"
    may: tuple[Declared, ...]

    def options(self, peek: Peek, context: Context) -> Sequence[Sequence[Option]]:
        """Whether it is done; then what its effects ask for."""
        inner = [options for effect in self.may for options in effect.options(peek, context)]
        return [[Option("", True), Option("declining", False)], *inner]

    def apply(self, context: Context) -> None:
        """Do it if the player chose to."""
        wanted = context.pick().value
        with context.game.when(and_() if wanted else FALSE):
            for effect in self.may:
                effect.apply(context)


class If(Effect):
    """What is done if a condition holds."""

    verb: ClassVar[str] = "condition"
    condition: Condition
    then: tuple[Declared, ...]

    def options(self, peek: Peek, context: Context) -> Sequence[Sequence[Option]]:
        """What its effects ask for."""
        return [options for effect in self.then for options in effect.options(peek, context)]

    def apply(self, context: Context) -> None:
        """Do it if the condition holds now."""
        game = context.game
        you = const(game.setup.player_sort, context.controller)
        with game.when(
            holds(
                game,
                self.condition,
                you,
                context.source,
                context.that,
                context.results,
                context.targets[0] if context.targets else None,
            )
        ):
            for effect in self.then:
                effect.apply(context)


class Choose(Effect):
    """One of several lists of instructions, chosen while they are carried out."""

    verb: ClassVar[str] = "choose"
    choose: tuple[tuple[Declared, ...], ...]

    def options(self, peek: Peek, context: Context) -> Sequence[Sequence[Option]]:
        """Which list; then what the effects of every list ask for."""
        which = [Option(f"choosing option {i + 1}", i) for i in range(len(self.choose))]
        inner = [options for effects in self.choose for effect in effects for options in effect.options(peek, context)]
        return [which, *inner]

    def apply(self, context: Context) -> None:
        """Carry out the chosen list."""
        chosen = context.pick().value
        for i, effects in enumerate(self.choose):
            with context.game.when(and_() if i == chosen else FALSE):
                for effect in effects:
                    effect.apply(context)


class Pay(Effect):
    """What is done if the controller of the effect pays a cost while it is carried out (118.12)."""

    verb: ClassVar[str] = "pay"
    pay: Costs
    then: tuple[Declared, ...]

    def options(self, peek: Peek, context: Context) -> Sequence[Sequence[Option]]:
        """How it is paid, if it is; then what its effects ask for."""
        possible = ways_to_pay(peek, context.controller, self.pay, context.source)
        ways = [Option(f"paying {self.pay}", way) for way in possible]
        inner = [options for effect in self.then for options in effect.options(peek, context)]
        return [[*ways, Option("declining", None)], *inner]

    def apply(self, context: Context) -> None:
        """Pay, and do it."""
        way = context.pick().value
        if isinstance(way, Way):
            pay(context.game, context.controller, self.pay, way, context.source, "118.12")
        with context.game.when(and_() if isinstance(way, Way) else FALSE):
            for effect in self.then:
                effect.apply(context)
