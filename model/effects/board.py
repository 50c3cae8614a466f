"""Effects on the board: counters, damage, life, attaching, continuous effects, tokens, control, copies."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import cached_property
from typing import ClassVar, Literal

from model.cards.card import Card, CardData, Face
from model.cards.fields import Amount, AmountField, FilterField, SelectorField
from model.cards.phrases import Who
from model.characteristics import look
from model.effects.base import Effect
from model.effects.context import Context, Option
from model.effects.selecting import OBJECTS, amount_of, choices, objects, players
from model.families import (
    COUNTERS,
    LIFE,
    MANA,
    PREVENTED,
    REDIRECTED,
    SKIPS_UNTAP,
    TAPPED,
    ZONE,
)
from model.peek import Peek
from model.rules.attaching import attach
from model.rules.damage import damage_object, damage_player
from model.rules.zones import enter, touch
from model.setup import CounterStamp, Obj, Player
from model.terms import FALSE, Term, and_, not_, number, or_
from model.vocabulary import CounterKind, ManaKind, Marker, Type, Zone

__all__ = [
    "AddMana",
    "Attach",
    "Counters",
    "Damage",
    "Fight",
    "GainLife",
    "LoseLife",
    "PreventCombatDamage",
    "Tap",
    "Token",
    "Untap",
]


class Counters(Effect):
    """Put counters on objects (122.6)."""

    verb: ClassVar[str] = "counters"
    counters: AmountField
    on: SelectorField
    kind: CounterKind = CounterKind.PLUS

    def options(self, peek: Peek, context: Context) -> Sequence[Sequence[Option]]:
        """Which object, if one is chosen."""
        return choices(peek, self.on, context)

    def apply(self, context: Context) -> None:
        """Put them on each that is on the battlefield."""
        game = context.game
        value = amount_of(context, self.counters)
        for o, condition in objects(context, self.on):
            with game.when(and_(condition, game[ZONE, o].is_(Zone.BATTLEFIELD))) as live:
                if live:
                    game[COUNTERS, o, self.kind] = game[COUNTERS, o, self.kind] + value
                    touch(game, CounterStamp(o))


class Damage(Effect):
    """Deal damage to objects or players (120)."""

    verb: ClassVar[str] = "damage"
    damage: AmountField
    to: SelectorField
    by: SelectorField | None = None
    divided: bool = False

    def options(self, peek: Peek, context: Context) -> Sequence[Sequence[Option]]:
        """How it is divided among the targets, at least 1 to each (601.2d)."""
        real = [t for t in context.targets if not isinstance(t, Marker)]
        if not self.divided or not real:
            return ()
        cuts = itertools.combinations(range(1, self.damage.fixed), len(real) - 1)
        splits = [[b - a for a, b in itertools.pairwise((0, *cut, self.damage.fixed))] for cut in cuts]
        return [
            [
                Option(", ".join(f"{n} to {t}" for n, t in zip(split, real, strict=True)), tuple(split))
                for split in splits
            ]
        ]

    def apply(self, context: Context) -> None:
        """Deal it."""
        if self.divided:
            self._divide(context)
            return
        dealers = [(context.source, and_())] if self.by is None else objects(context, self.by)
        for source, deals in dealers:
            with context.game.when(deals) as live:
                if live:
                    self._deal(context, source)

    def _divide(self, context: Context) -> None:
        real = [(k, t) for k, t in enumerate(context.targets) if not isinstance(t, Marker)]
        if not real:
            return
        parts: tuple[int, ...] = context.pick().value  # type: ignore[assignment]
        for (k, target), n in zip(real, parts, strict=True):
            with context.game.when(context.legality(k)) as live:
                if live and isinstance(target, Obj):
                    damage_object(context.game, context.source, target, number(n))
                elif live and isinstance(target, Player):
                    damage_player(context.game, context.source, target, number(n))

    def _deal(self, context: Context, source: Obj) -> None:
        game = context.game
        value = amount_of(context, self.damage)
        if self.to.who in OBJECTS and not self._aims_at_player(context):
            for o, condition in objects(context, self.to):
                with game.when(condition) as live:
                    if live:
                        damage_object(game, source, o, value)
        else:
            for player, condition in players(context, self.to):
                with game.when(condition) as live:
                    if live:
                        damage_player(game, source, player, value)

    def _aims_at_player(self, context: Context) -> bool:
        slot = self.to.slot
        return self.to.who is Who.TARGET and slot < len(context.targets) and not isinstance(context.targets[slot], Obj)


class _Life(Effect):
    player: SelectorField | None = None

    def _who(self, context: Context) -> list[tuple[object, Term]]:
        if self.player is None:
            return [(context.controller, and_())]
        return list(players(context, self.player))

    def _change(self, context: Context, amount: AmountField, sign: int) -> None:
        game = context.game
        value = amount_of(context, amount)
        for player, condition in self._who(context):
            with game.when(condition) as live:
                if live:
                    game[LIFE, player] = game[LIFE, player] + value if sign > 0 else game[LIFE, player] - value


class GainLife(_Life):
    """A player gains life (119.3)."""

    verb: ClassVar[str] = "gain_life"
    gain_life: AmountField

    def apply(self, context: Context) -> None:
        """Gain it."""
        self._change(context, self.gain_life, 1)


class LoseLife(_Life):
    """A player loses life (119.3)."""

    verb: ClassVar[str] = "lose_life"
    lose_life: AmountField

    def apply(self, context: Context) -> None:
        """Lose it."""
        self._change(context, self.lose_life, -1)


class _OnEach(Effect):
    """An effect that does the same to each object on the battlefield that it names."""

    def _set_tapped(self, context: Context, selector: SelectorField, value: bool) -> None:
        for o, condition in objects(context, selector):
            with context.game.when(and_(condition, context.game[ZONE, o].is_(Zone.BATTLEFIELD))) as live:
                if live:
                    context.game[TAPPED, o] = value


class Tap(_OnEach):
    """Tap permanents (701.26a)."""

    verb: ClassVar[str] = "tap"
    tap: SelectorField

    def apply(self, context: Context) -> None:
        """Tap each."""
        self._set_tapped(context, self.tap, True)


class Untap(_OnEach):
    """Untap permanents (701.26b)."""

    verb: ClassVar[str] = "untap"
    untap: SelectorField

    def apply(self, context: Context) -> None:
        """Untap each."""
        self._set_tapped(context, self.untap, False)


class Attach(Effect):
    """Attach an Aura or Equipment to an object (701.3)."""

    verb: ClassVar[str] = "attach"
    attach: SelectorField
    to: SelectorField

    def options(self, peek: Peek, context: Context) -> Sequence[Sequence[Option]]:
        """To which object, if one is chosen."""
        return choices(peek, self.to, context)

    def apply(self, context: Context) -> None:
        """Attach it where that is possible."""
        hosts = objects(context, self.to)
        for what, condition in objects(context, self.attach):
            for host, is_host in hosts:
                with context.game.when(and_(condition, is_host)) as live:
                    if live:
                        attach(context.game, what, host)


class Token(Effect):
    """Create tokens (111)."""

    verb: ClassVar[str] = "token"
    token: CardData
    count: AmountField | None = None
    name: str = "token"
    tapped: bool = False
    player: SelectorField | None = None
    copy_of: SelectorField | None = None

    @property
    def copies(self) -> bool:
        """Whether the tokens are copies of something."""
        return self.copy_of is not None

    @cached_property
    def card(self) -> Card:
        """What the tokens are made as."""
        return self.token.card(self.token.name or self.name)

    @property
    def most(self) -> int:
        """The number of slots that one use needs; for X 3, for what is counted 5."""
        if self.count is None:
            return 1
        return max(1, self.count.fixed + 3 * self.count.per_x + 5 * int(self._is_counted(self.count)))

    def _is_counted(self, count: Amount) -> bool:
        return count.of is not None or count.per is not None or count.event

    def apply(self, context: Context) -> None:
        """Create them in the slots that are free."""
        game = context.game
        game.cite("111.1")
        who = players(context, self.player) if self.player is not None else [(context.controller, and_())]
        for player, condition in who:
            with game.when(condition):
                if self.count is not None and self._is_counted(self.count):
                    wanted = amount_of(context, self.count)
                    for n in range(self.most):
                        with game.when(wanted > n):
                            self._create(context, player)
                    game.exceed(wanted > self.most)
                    continue
                for _ in range(1 if self.count is None else self.count.fixed + self.count.per_x * context.x):
                    self._create(context, player)

    def _copied(self, context: Context) -> list[tuple[Term, Face]] | None:
        """The copiable values that the token takes, each with its condition (707.2, 608.2h)."""
        if self.copy_of is None:
            return None
        return [case for o, _ in objects(context, self.copy_of) for case in context.values.get(o, [])] or [
            case for target in context.targets if isinstance(target, Obj) for case in context.values.get(target, [])
        ]

    def _create(self, context: Context, player: Player) -> None:
        game = context.game
        taken: Term = FALSE
        for o in game.setup.tokens_of(self):
            free = game[ZONE, o].is_(Zone.OUTSIDE)
            here = and_(free, not_(taken))
            taken = or_(taken, free)
            with game.when(here) as live:
                if live:
                    enter(game, o, player, tapped=self.tapped, copied=self._copied(context))
                    context.results.append((o, here))
        game.exceed(not_(taken))


class AddMana(Effect):
    """Add mana (106.4)."""

    verb: ClassVar[str] = "add_mana"
    add_mana: Literal["W", "U", "B", "R", "G", "C", "generic", "face-down"]
    amount: AmountField | None = None

    def apply(self, context: Context) -> None:
        """Add it to the controller's mana."""
        game, kind = context.game, ManaKind(self.add_mana)
        added = self.amount.fixed if self.amount is not None else 1
        game[MANA, context.controller, kind] = game[MANA, context.controller, kind] + added


class Fight(Effect):
    """Two creatures fight (701.14)."""

    verb: ClassVar[str] = "fight"
    fight: SelectorField
    other: SelectorField

    def apply(self, context: Context) -> None:
        """Each deals damage equal to its power to the other."""
        game, derived = context.game, look(context.game)
        pairs = [
            (a, b, and_(x, y))
            for a, x in objects(context, self.fight)
            for b, y in objects(context, self.other)
            if a is not b
        ]
        powers = {o: derived.power(o) for a, b, _ in pairs for o in (a, b)}
        for a, b, both in pairs:
            on = and_(
                both, *(and_(game[ZONE, o].is_(Zone.BATTLEFIELD), derived.is_type(o, Type.CREATURE)) for o in (a, b))
            )
            with game.when(on) as live:
                if live:
                    damage_object(game, a, b, powers[a])
                    damage_object(game, b, a, powers[b])


class PreventCombatDamage(Effect):
    """Prevent the combat damage that creatures of a kind would deal this turn (615.1)."""

    verb: ClassVar[str] = "prevent_combat_damage"
    prevent_combat_damage: FilterField

    def apply(self, context: Context) -> None:
        """Prevent it until the turn ends."""
        context.game.cite("615.1")
        shields = context.game.setup.shields
        context.game[PREVENTED, next(i for i, shield in enumerate(shields) if shield is self)] = True


class Redirect(Effect):
    """Damage that would be dealt to an object this turn is dealt to another instead (614.9)."""

    verb: ClassVar[str] = "redirect_damage"
    redirect_damage: SelectorField
    to: SelectorField

    def apply(self, context: Context) -> None:
        """Note where it goes until the turn ends."""
        game = context.game
        for o, condition in objects(context, self.redirect_damage):
            for other, is_other in objects(context, self.to):
                with game.when(and_(condition, is_other)) as live:
                    if live:
                        game.cite("614.9")
                        game[REDIRECTED, o] = other


class SkipUntap(Effect):
    """Players skip their next untap step (614.10)."""

    verb: ClassVar[str] = "skip_untap"
    skip_untap: SelectorField

    def apply(self, context: Context) -> None:
        """Note it for each."""
        for player, condition in players(context, self.skip_untap):
            with context.game.when(condition):
                context.game[SKIPS_UNTAP, player] = True
