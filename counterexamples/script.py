"""The steps of a scripted play: what ``play:`` in a scenario file says, parsed.

A step is one of

* ``alice: cast Exalted Angel face down``, or ``alice: {cast: Clone, copying: Exalted Angel}``: a player acts, at the
  earliest moment at which that is possible without a new step or turn;
* ``illegal: {alice: turn up Clone}``: the same action is not possible now;
* ``trigger: Skinthinner`` with ``targeting``: a waiting trigger goes on the stack;
* ``resolve``: what is on top of the stack resolves, with ``choosing`` for what is chosen then;
* ``until: declare attackers``, ``turn: bob``: everybody passes until then;
* ``game: legend rule``: the game does what its words begin with;
* ``expect: ...``: an expression holds at this point.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from model.errors import InputError, nearest
from model.scenario import Scenario, slug
from model.system import Label
from model.vocabulary import TurnStep

__all__ = ["Act", "Advance", "Expect", "GameAct", "Resolve", "ScriptStep", "parse_script"]

_Path = tuple[str | int, ...]

_RULES = {
    "cast": ("cast",),
    "cast face down": ("cast face down",),
    "play": ("play a land",),
    "turn up": ("turn face up for mana cost", "turn face up for keyword cost"),
    "activate": ("activate",),
    "equip": ("equip",),
    "attack": ("attack",),
    "block": ("block",),
    "pass": ("pass",),
    "concede": ("concede",),
    "look": ("look",),
    "trigger": ("put trigger on the stack",),
}
_SUBJECT = ("card", "permanent", "ability", "object")
_KEYS = ("cast", "play", "turn_up", "activate", "equip", "attack", "block", "pass", "concede", "look")
_DETAILS = (
    "face_down",
    "targeting",
    "x",
    "choosing",
    "copying",
    "as",
    "mode",
    "for",
    "ability",
    "paying",
    "with",
    "of",
)


@dataclass(frozen=True, slots=True)
class Act:
    """A player's action, or a trigger that is put on the stack.

    Parameters
    ----------
    actor
        The player; None for a trigger, whose controller is not named.
    rules
        The names of the rules that the action can be by.
    subject
        The name of the object it is about.
    targets, x, words
        What must be among the arguments of its label; the words must occur in what it says.
    choices
        What is chosen when it resolves.
    illegal
        Whether it must not be possible.
    """

    path: _Path
    text: str
    actor: str | None
    rules: tuple[str, ...]
    subject: str | None = None
    targets: tuple[str, ...] = ()
    x: int | None = None
    words: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    illegal: bool = False

    def wants(self, label: Label) -> bool:
        """Whether an action of this label is what the step asks for."""
        if label.rule not in self.rules or (self.actor is not None and label.actor != self.actor):
            return False
        arguments = label.arguments
        if self.subject is not None and not any(
            key in _SUBJECT and _names(value, self.subject) for key, value in arguments
        ):
            return False
        if self.targets and tuple(value for key, value in arguments if key == "target") != self.targets:
            return False
        if self.x is not None and ("x", str(self.x)) not in arguments:
            return False
        said = slug(" ".join([label.words, *(value for _, value in arguments)]))
        return all(slug(word) in said for word in self.words)


def _names(value: str, subject: str) -> bool:
    """Whether an argument is the object, or an ability or mode of it."""
    return (
        value == subject
        or value.endswith(f" of {subject}")
        or value.startswith((f"{subject}, mode ", f"{subject} as "))
    )


@dataclass(frozen=True, slots=True)
class Resolve:
    """What is on top of the stack resolves."""

    path: _Path
    text: str
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Advance:
    """Everybody passes until a step, or a player's turn."""

    path: _Path
    text: str
    step: TurnStep | None = None
    player: str | None = None


@dataclass(frozen=True, slots=True)
class GameAct:
    """The game does something that its words begin with."""

    path: _Path
    text: str
    begins: str


@dataclass(frozen=True, slots=True)
class Expect:
    """An expression holds at this point."""

    path: _Path
    text: str


ScriptStep = Act | Resolve | Advance | GameAct | Expect


def parse_script(scenario: Scenario) -> list[ScriptStep]:
    """Parse the play of a scenario.

    Raises
    ------
    InputError
        For a step that is not understood, with its place.
    """
    return [_Parser(scenario, ("play", i)).step(step) for i, step in enumerate(scenario.data.play)]


class _Parser:
    """Parses one step."""

    def __init__(self, scenario: Scenario, path: _Path) -> None:
        self._scenario = scenario
        self._path = path
        self._players = [p.name for p in scenario.setup.players]

    def _error(self, message: str) -> InputError:
        return self._scenario.document.error(message, self._path)

    def step(self, value: Any) -> ScriptStep:
        """The step that one entry of ``play:`` means."""
        if value == "resolve":
            return Resolve(self._path, "resolve")
        if not isinstance(value, Mapping) or not value:
            raise self._error(
                f"{value!r} is no step; accepted are player: action, illegal, trigger, resolve, until, "
                "turn, game and expect"
            )
        text = ", ".join(f"{key}: {item}" for key, item in value.items())
        key = next(iter(value))
        match key:
            case "illegal":
                inner = value[key]
                if not isinstance(inner, Mapping) or len(inner) != 1:
                    raise self._error("illegal is followed by one player and an action")
                return replace(self._act(*next(iter(inner.items())), text), illegal=True)
            case "trigger":
                act = self._mapping(None, {"trigger": value[key], **{k: v for k, v in value.items() if k != key}}, text)
                return act
            case "resolve":
                details = value[key] if isinstance(value[key], Mapping) else {"choosing": value[key]}
                return Resolve(self._path, text, self._choices(details))
            case "until":
                return Advance(self._path, text, step=self._turn_step(value[key]), player=value.get("of"))
            case "turn":
                return Advance(self._path, text, player=self._player(value[key]))
            case "game":
                return GameAct(self._path, text, str(value[key]))
            case "expect":
                return Expect(self._path, str(value[key]))
        return self._act(key, value[key], text)

    def _turn_step(self, word: Any) -> TurnStep:
        known = {s.value: s for s in TurnStep}
        if word not in known:
            raise self._error(
                f"{word!r} is no step of a turn{nearest(str(word), known)}; accepted are {', '.join(known)}"
            )
        if known[word] not in self._scenario.setup.steps:
            raise self._error(f"the scenario does not model the {word} step; list it in steps")
        return known[word]

    def _player(self, name: Any) -> str:
        if name not in self._players:
            raise self._error(
                f"{name!r} is no player{nearest(str(name), self._players)}; the players are {', '.join(self._players)}"
            )
        return str(name)

    def _act(self, actor: Any, action: Any, text: str) -> Act:
        player = self._player(actor)
        if isinstance(action, Mapping):
            return self._mapping(player, action, text)
        return self._mapping(player, self._spoken(str(action)), text)

    def _spoken(self, words: str) -> dict[str, Any]:
        """An action in words, as the mapping that says the same."""
        rest, details = words.strip(), {}
        for pattern, key in (
            (r",? targeting (.+?)(?=,|$| with X)", "targeting"),
            (r",? with X = (\d+)", "x"),
            (r",? choosing (.+)$", "choosing"),
            (r",? copying (.+)$", "copying"),
            (r",? (declining)\b", "choosing"),
        ):
            if (match := re.search(pattern, rest)) is not None:
                details[key] = match[1].split(" and ") if key == "targeting" else match[1]
                rest = rest[: match.start()] + rest[match.end() :]
        for pattern, build in (
            (r"cast (.+) face down", lambda m: {"cast": m[1], "face_down": True}),
            (r"cast (.+?)(?: as (.+))?", lambda m: {"cast": m[1], **({"as": m[2]} if m[2] else {})}),
            (r"play (.+)", lambda m: {"play": m[1]}),
            (
                r"turn up (.+?)(?: for (?:its )?(.+?)(?: cost)?)?",
                lambda m: {"turn_up": m[1], **({"for": m[2]} if m[2] else {})},
            ),
            (r"activate ability (\d+) of (.+)", lambda m: {"activate": m[2], "ability": int(m[1])}),
            (r"activate (.+)", lambda m: {"activate": m[1]}),
            (r"equip (.+)", lambda m: {"equip": m[1]}),
            (r"attack with (.+)", lambda m: {"attack": m[1].split(", ")}),
            (r"block nothing", lambda m: {"block": {}}),
            (r"block (.+) with (.+)", lambda m: {"block": {m[1]: m[2]}}),
            (r"pass(?: priority)?", lambda m: {"pass": True}),
            (r"concede", lambda m: {"concede": True}),
            (r"look at (.+)", lambda m: {"look": m[1]}),
        ):
            if (match := re.fullmatch(pattern, rest)) is not None:
                return {**build(match), **details}
        raise self._error(
            f"{words!r} is no action; accepted are cast ... [face down], play ..., turn up ... [for ...], "
            "activate ..., equip ..., attack with ..., block ... with ..., pass, look at ..., concede, each "
            "with targeting ..., with X = ..., choosing ..., copying ..."
        )

    def _mapping(self, actor: str | None, action: Mapping[str, Any], text: str) -> Act:
        verb = next((key for key in action if key in (*_KEYS, "trigger")), None)
        wrong = next((key for key in action if key not in (*_KEYS, *_DETAILS, "trigger")), None)
        if verb is None or wrong is not None:
            word = str(wrong or next(iter(action), ""))
            raise self._error(
                f"unknown key {word!r}{nearest(word, [*_KEYS, *_DETAILS])}; an action has one of "
                f"{', '.join(_KEYS)}, and may have {', '.join(_DETAILS)}"
            )
        rule = "cast face down" if verb == "cast" and action.get("face_down") else verb.replace("_", " ")
        words: list[str] = []
        subject: str | None = None
        if verb == "attack":
            names = action[verb] if isinstance(action[verb], list) else [action[verb]]
            words.append("with " + ", ".join("nothing" if n == "nothing" else self._object(n) for n in names))
        elif verb == "block":
            pairs = [f"{self._object(a)} with {self._object(b)}" for a, b in self._pairs(action[verb])]
            words.append(", ".join(pairs) if pairs else "block nothing")
        elif verb not in ("pass", "concede"):
            subject = self._object(str(action[verb]))
        if "as" in action:
            words.append(f"as {action['as']}")
        if "mode" in action:
            words.append(f"mode {action['mode']}")
        if "ability" in action and int(action["ability"]) > 1:
            words.append(f"ability {action['ability']} of")
        if "for" in action:
            words.append(str(action["for"]))
        for key in ("paying", "with"):
            value = action.get(key, ())
            words += [self._meant(v) for v in ([value] if isinstance(value, str) else value)]
        x = action.get("x")
        return Act(
            self._path,
            text,
            actor,
            _RULES[rule],
            subject,
            self._targets(action),
            None if x is None else int(x),
            tuple(words),
            self._choices(action),
        )

    def _pairs(self, value: Any) -> list[tuple[str, str]]:
        if not isinstance(value, Mapping):
            raise self._error("block is followed by a mapping from the attacker to its blockers")
        return [(str(a), str(b)) for a, bs in value.items() for b in (bs if isinstance(bs, list) else [bs])]

    def _targets(self, action: Mapping[str, Any]) -> tuple[str, ...]:
        value = action.get("targeting", ())
        return tuple(self._meant(v) for v in ([value] if isinstance(value, str) else value))

    def _choices(self, action: Mapping[str, Any]) -> tuple[str, ...]:
        found: list[str] = []
        for key in ("choosing", "copying"):
            value = action.get(key, ())
            found.extend(self._meant(str(word)) for word in ([value] if isinstance(value, str) else value))
        return tuple(found)

    def _meant(self, word: str) -> str:
        """The name of the object or player that a word names, or the word itself."""
        o = self._scenario.object_named(word)
        if o is not None:
            return o.name
        match = re.fullmatch(r"(ability(?: \d+)? of )(.+)", word)
        return match[1] + self._meant(match[2]) if match else word

    def _object(self, word: str) -> str:
        o = self._scenario.object_named(word)
        if o is None:
            raise self._error(f"no object is called {word!r}{nearest(slug(word), self._scenario.aliases)}")
        return o.name


def words_of(steps: Sequence[ScriptStep]) -> list[str]:
    """The text of each step."""
    return [step.text for step in steps]
