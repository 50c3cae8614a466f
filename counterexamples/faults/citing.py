"""Faults of naming rules: a step that is right, and names the wrong rule or none."""

from __future__ import annotations

from typing import Any

from counterexamples.faults.fault import Rule, fault
from model.rules import special_actions, state_based_actions, turning
from model.setup import Obj
from model.state import State


class _Mute:
    """A recorder that passes everything on but what rules are named."""

    def __init__(self, game: State) -> None:
        self._game = game

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def __getitem__(self, key: tuple[Any, ...]) -> Any:
        return self._game[key]

    def __setitem__(self, key: tuple[Any, ...], value: object) -> None:
        self._game[key] = value

    def cite(self, *rules: str) -> None:
        """Say nothing."""


@fault(
    "F-turning-up-names-nothing",
    "CITE",
    "own",
    "Turning face up names no rule.",
    breaks=turning.turn_up,
    rules=("708.8", "708.11"),
    caught_by=("what-decides-is-named",),
    on=("turned_up_watchers",),
)
def turning_up_names_nothing(right: Rule, game: State, o: Obj, *args: Any) -> None:
    right(_Mute(game), o, *args)


@fault(
    "F-routes-name-each-other",
    "CITE",
    "own",
    "Turning up for a morph cost names the rule of disguise, and the reverse.",
    breaks=special_actions._turn_up_for_keyword,
    rules=("702.37e", "702.168d"),
    caught_by=("what-decides-is-named",),
    on=("morph_with_x",),
)
def routes_name_each_other(right: Rule, game: State, **kwargs: Any) -> None:
    right(_Mute(game), **kwargs)
    game.cite("116.2b", "702.37e" if kwargs["ability"].kind == "disguise" else "702.168d")


@fault(
    "F-checks-are-not-named",
    "CITE",
    "own",
    "State-based actions do not name the condition that they check.",
    breaks=state_based_actions._perform,
    rules=("704.5",),
    caught_by=("state-based-actions-are-named",),
    on=("combat_damage",),
)
def checks_are_not_named(right: Rule, game: State) -> None:
    right(_Mute(game))
