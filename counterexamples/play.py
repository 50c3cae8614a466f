"""Following a scripted play on concrete states.

The rules offer actions; the script picks among them.  Between two steps the game does what needs no decision: it
settles, players pass, and what is on the stack resolves, but no step or turn ends unless the script says so.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field

from counterexamples.script import Act, Advance, Expect, GameAct, Resolve, ScriptStep, parse_script
from model.concrete import Enabled, Position, Taken
from model.expressions import describe_value, parse_expression
from model.families import ACTIVE, ITEM, OVER, PRIORITY, SETTLED, STEP
from model.scenario import Scenario, slug
from model.system import Label
from model.vocabulary import Marker, TurnStep

__all__ = ["Failed", "Passed", "Played", "SetAside", "play_scenario"]

_PATIENCE = 200
"""How many forced actions may follow one another before something is wrong."""

_SETTLING = frozenset({"state-based actions", "put trigger on the stack", "drop trigger", "legend rule"})
_RESOLVING = frozenset({"resolve", "resolve face down", "resolve ward"})
_ADVANCING = frozenset({"next step", "next turn"})


@dataclass(frozen=True, slots=True)
class Passed:
    """The play followed the script, and every expectation holds."""

    taken: tuple[Taken, ...]


@dataclass(frozen=True, slots=True)
class Failed:
    """The play and the script part.

    Parameters
    ----------
    step
        The number of the step, from 1; 0 for an expectation at the end.
    said
        What the script says there.
    why
        What was found instead; for an action, the false conjunct of its guard with its rule.
    enabled
        What was enabled there.
    """

    step: int
    said: str
    why: str
    enabled: tuple[str, ...]
    taken: tuple[Taken, ...]


@dataclass(frozen=True, slots=True)
class SetAside:
    """The scenario is marked as unsupported or disputed, with the reason."""

    kind: str
    reason: str


Played = Passed | Failed | SetAside


class _Parted(Exception):  # noqa: N818  an outcome, no error
    def __init__(self, why: str, enabled: tuple[str, ...] = ()) -> None:
        super().__init__(why)
        self.enabled = enabled


def play_scenario(scenario: Scenario) -> Played:
    """Follow the play of a scenario, then look at what it expects.

    Raises
    ------
    model.errors.InputError
        If a step or an expression is not understood.
    """
    for kind in ("unsupported", "disputed"):
        if (reason := getattr(scenario.data, kind)) is not None:
            return SetAside(kind, reason)
    run = _Run(scenario)
    at, said = 0, ""
    try:
        for number, step in enumerate(parse_script(scenario), 1):
            at, said = number, step.text
            run.follow(step)
        at = 0
        run.finish()
        for i, text in enumerate(scenario.data.expect):
            said = text
            run.expect(text, ("expect", i))
    except _Parted as parted:
        return Failed(at, said, str(parted), parted.enabled, tuple(run.taken))
    except OverflowError as problem:
        return Failed(at, said, str(problem), (), tuple(run.taken))
    return Passed(tuple(run.taken))


@dataclass(slots=True)
class _Run:
    """One play."""

    scenario: Scenario
    position: Position = field(init=False)
    taken: list[Taken] = field(default_factory=list)
    choices: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.position = Position(self.scenario.setup)

    # -- steps of the script --------------------------------------------------------------------------------------

    def follow(self, step: ScriptStep) -> None:
        """Follow one step."""
        match step:
            case Act(illegal=True):
                self._illegal(step)
            case Act():
                self._act(step)
            case Resolve(choices=choices):
                self._resolve(choices)
            case Advance():
                self._advance(step)
            case GameAct(begins=begins):
                self._take_one(lambda label: label.actor is None and label.words.startswith(begins), begins)
            case Expect(path=path, text=text):
                self._settle()
                self.expect(text, (*path, "expect"))

    def expect(self, text: str, path: tuple[str | int, ...]) -> None:
        """Hold an expression against the present state."""
        condition = parse_expression(text, self.scenario, self.position.view(), path)
        if not bool(condition):
            raise _Parted(f"it is not so: {self._values(text)}", self._offers())

    def _values(self, text: str) -> str:
        """The values of what an expression speaks of, for the message."""
        found = []
        for node in ast.walk(ast.parse(text.strip(), mode="eval")):
            if isinstance(node, ast.Attribute | ast.Call):
                part = ast.unparse(node)
                found.append(f"{part} is {self._value(part)}")
        return ", ".join(dict.fromkeys(found)) or text

    def _value(self, part: str) -> str:
        return describe_value(part, self.scenario, self.position.view())

    def finish(self) -> None:
        """Let everything on the stack resolve."""
        for _ in range(_PATIENCE):
            self._settle()
            if self._is_over() or self.position.view()[ITEM, 0].value is Marker.NONE:
                return
            self._pass_or_resolve()
        raise _Parted("the stack does not empty")

    def _act(self, act: Act) -> None:
        start = self.position.snapshot(), len(self.taken)
        for _ in range(_PATIENCE):
            chosen = next(self.position.enabled(act.wants), None)
            if chosen is not None:
                if act.choices and act.subject is not None:
                    self.choices[act.subject] = act.choices
                self._take(chosen)
                return
            if self._is_over() or not self._go_on(act):
                break
        self.position.restore(start[0])
        del self.taken[start[1] :]
        raise _Parted(self._why(act), self._offers())

    def _go_on(self, act: Act) -> bool:
        """Do one forced thing on the way to an action.  Returns whether there was one."""
        if act.rules == ("put trigger on the stack",) and self._unsettled():
            return self._settle_once(lambda label: label.rule != "put trigger on the stack")
        if self._unsettled():
            return self._settle_once()
        view = self.position.view()
        if view[PRIORITY,].value is Marker.NONE and view[ITEM, 0].value is Marker.NONE:
            return self._towards_combat(act)
        self._pass_or_resolve()
        return True

    def _towards_combat(self, act: Act) -> bool:
        """Go on to the step before attackers or blockers are declared; no other step ends by itself."""
        if act.rules not in (("attack",), ("block",)):
            return False
        chosen = next(self.position.enabled(lambda label: label.rule == "next step"), None)
        if chosen is None or self.position.view()[STEP,].value in (TurnStep.SECOND_MAIN, TurnStep.END):
            return False
        self._take(chosen)
        return True

    def _illegal(self, act: Act) -> None:
        """Look for the action now, and where priority, or the turn to attack or block, comes without a decision."""
        start = self.position.snapshot(), len(self.taken)
        self._settle()
        for _ in range(_PATIENCE):
            chosen = next(self.position.enabled(act.wants), None)
            if chosen is not None:
                raise _Parted(f"the rules allow it: {chosen.candidate.label}", self._offers())
            if not self._come_closer(act):
                break
        self.position.restore(start[0])
        del self.taken[start[1] :]

    def _come_closer(self, act: Act) -> bool:
        """Hand priority on towards the player, or towards combat.  Returns whether there was anything to do."""
        view = self.position.view()
        holder = view[PRIORITY,].value
        fights = act.rules in (("attack",), ("block",))
        if act.actor is None or self._is_over() or (not fights and str(holder) == act.actor):
            return False
        if holder is not Marker.NONE:
            self._take_one(lambda label: label.rule == "pass", "pass priority")
            return True
        return fights and view[ITEM, 0].value is Marker.NONE and self._towards_combat(act)

    def _resolve(self, choices: tuple[str, ...]) -> None:
        for _ in range(_PATIENCE):
            self._settle()
            view = self.position.view()
            if view[ITEM, 0].value is Marker.NONE:
                raise _Parted("nothing is on the stack", self._offers())
            if view[PRIORITY,].value is Marker.NONE:
                self._resolve_top(choices)
                return
            self._take_one(lambda label: label.rule == "pass", "pass priority")

    def _advance(self, step: Advance) -> None:
        first = True
        for _ in range(_PATIENCE):
            self._settle()
            view = self.position.view()
            there = (step.step is None or view[STEP,].value is step.step) and (
                step.player is None or str(view[ACTIVE,].value) == step.player
            )
            if there and not (first and step.step is None) and view[ITEM, 0].value is Marker.NONE:
                return
            if self._is_over():
                raise _Parted("the game is over")
            if view[PRIORITY,].value is not Marker.NONE or view[ITEM, 0].value is not Marker.NONE:
                self._pass_or_resolve()
                continue
            first = False
            before = [
                e
                for e in self.position.enabled(lambda label: label.rule in (*_ADVANCING, "attack", "block"))
                if label_is_plain(e.candidate.label)
            ]
            if not before:
                raise _Parted(f"{step.text} is not reached", self._offers())
            self._take(before[0])
        raise _Parted(f"{step.text} is not reached", self._offers())

    # -- what needs no decision -----------------------------------------------------------------------------------

    def _unsettled(self) -> bool:
        return self.position.view()[SETTLED,].value is False

    def _is_over(self) -> bool:
        return self.position.view()[OVER,].value is True

    def _settle(self) -> None:
        for _ in range(_PATIENCE):
            if not self._unsettled() or not self._settle_once():
                return
        raise _Parted("the game does not settle")

    def _settle_once(self, allowed: Callable[[Label], bool] = lambda label: True) -> bool:
        found = list(self.position.enabled(lambda label: label.rule in _SETTLING and allowed(label)))
        if not found:
            return False
        first = found[0].candidate.label
        rivals = [
            e.candidate.label
            for e in found
            if e.candidate.label.rule == first.rule == "put trigger on the stack"
            and _argument(e.candidate.label, "ability") == _argument(first, "ability")
        ]
        wanted = self.choices.get(str(_argument(first, "ability")).split(" of ", 1)[-1], ())
        if len(rivals) > 1 and not wanted:
            raise _Parted(
                f"{first.words}: the trigger needs a target; say trigger: with targeting:", tuple(map(str, rivals))
            )
        self._take(next((e for e in found if _speaks_of(e.candidate.label, wanted)), found[0]))
        return True

    def _pass_or_resolve(self) -> None:
        if self.position.view()[PRIORITY,].value is Marker.NONE:
            self._resolve_top(())
        else:
            self._take_one(lambda label: label.rule == "pass", "pass priority")

    def _resolve_top(self, choices: tuple[str, ...]) -> None:
        found = list(self.position.enabled(lambda label: label.rule in _RESOLVING))
        if not found:
            raise _Parted("nothing can resolve", self._offers())
        source = str(_argument(found[0].candidate.label, "item")).split(" of ", 1)[-1]
        wanted = choices or self.choices.pop(source, ())
        chosen = next((e for e in found if _speaks_of(e.candidate.label, wanted)), None)
        if chosen is None:
            raise _Parted(
                f"no way to resolve it chooses {', '.join(wanted)}", tuple(str(e.candidate.label) for e in found)
            )
        self._take(chosen)

    def _take_one(self, wanted: Callable[[Label], bool], said: str) -> None:
        chosen = next(self.position.enabled(wanted), None)
        if chosen is None:
            raise _Parted(f"{said} is not possible", self._offers())
        self._take(chosen)

    def _take(self, chosen: Enabled) -> None:
        self.taken.append(self.position.take(chosen))

    # -- messages -------------------------------------------------------------------------------------------------

    def _offers(self) -> tuple[str, ...]:
        return tuple(str(e.candidate.label) for e in self.position.enabled())

    def _why(self, act: Act) -> str:
        refused = list(self.position.refusals(act.wants))
        if not refused:
            return "no rule offers such an action here"
        last = max(refused, key=lambda r: r.requirement.rule)
        return f"{last.label}: it is not so that {last.requirement.says} ({last.requirement.rule})"


def label_is_plain(label: Label) -> bool:
    """Whether an action moves the turn on without a decision: the next step, no attack, no block."""
    return label.rule in _ADVANCING or label.words in ("attack with nothing", "block nothing")


def _argument(label: Label, name: str) -> str | None:
    return next((value for key, value in label.arguments if key == name), None)


def _speaks_of(label: Label, wanted: tuple[str, ...]) -> bool:
    said = slug(label.words)
    return all(slug(word) in said for word in wanted)
