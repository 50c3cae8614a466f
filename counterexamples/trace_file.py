"""Traces as files: ``facedown.trace/1``.

A trace holds the scenario's text, so that it can be replayed by itself, and a checksum of everything else that it
holds.  It is written in one canonical way; a file that is not exactly what we would write has been changed, and is
refused rather than trusted.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import re
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from counterexamples.trace import Beside, Change, Trace, TraceStep
from model.errors import InputError, Span

__all__ = ["SCHEMA", "Archive", "TraceFile", "load_trace", "save_trace", "serialised"]

SCHEMA: Final = "facedown.trace/1"


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class ChangeData(_Part):
    """A variable that a step changed."""

    variable: str
    before: str
    after: str


class ArgumentData(_Part):
    """A choice by name."""

    name: str
    value: str


class StepData(_Part):
    """One step; its number is that of the state to which it leads."""

    number: Annotated[int, Field(ge=1)]
    actor: str | None
    action: str = Field(description="the name of the action, unique in the system")
    words: str
    arguments: tuple[ArgumentData, ...]
    choices: tuple[str, ...] = Field(description="what was chosen while it was done, in order")
    cites: tuple[str, ...]
    events: tuple[str, ...]
    changes: tuple[ChangeData, ...]
    shown: tuple[str, ...] = Field(description="the changes in the game's words, without bookkeeping")
    state: dict[str, str]


class PropertyData(_Part):
    """What the play is about."""

    id: str
    kind: str
    says: str
    cites: tuple[str, ...]


class BesideData(_Part):
    """The other of two games that a player may not be able to tell apart."""

    player: str
    first: str = Field(description="what the hidden cards are in the game above")
    second: str = Field(description="what they are in this one")
    initial: dict[str, str]
    steps: tuple[StepData, ...]


class TraceFile(_Part):
    """A play, with the property and the verdict inside."""

    schema_: Literal["facedown.trace/1"] = Field("facedown.trace/1", alias="schema")
    sha256: Annotated[str, Field(pattern="^[0-9a-f]{64}$", description="of the file without this key")]
    version: str
    edition: str
    scenario: str
    source: str = Field(description="the scenario's text")
    property: PropertyData
    verdict: Literal["violated", "witnessed", "deadlock"]
    clause: str
    cause: str
    initial: dict[str, str]
    steps: tuple[StepData, ...]
    beside: BesideData | None = Field(None, description="for a leak, the same actions in the other game")

    def trace(self) -> Trace:
        """The trace that was saved."""
        prop, other = self.property, self.beside
        beside = None if other is None else Beside(other.player, other.first, other.second, other.initial,
                                                   tuple(map(_step, other.steps)))
        return Trace(self.scenario, self.source, prop.id, prop.kind, prop.says, prop.cites, self.verdict, self.clause,
                     self.cause, self.initial, tuple(map(_step, self.steps)), beside)


def _step(data: StepData) -> TraceStep:
    return TraceStep(data.number, data.actor, data.action, data.words,
                     tuple((a.name, a.value) for a in data.arguments), data.cites, data.events,
                     tuple(Change(c.variable, c.before, c.after) for c in data.changes), data.shown, data.state)


def _step_data(step: TraceStep) -> StepData:
    return StepData(
        number=step.number, actor=step.actor, action=step.action, words=step.words,
        arguments=tuple(ArgumentData(name=n, value=v) for n, v in step.arguments),
        choices=tuple(v for n, v in step.arguments if n == "choice"), cites=step.cites, events=step.events,
        changes=tuple(ChangeData(variable=c.variable, before=c.before, after=c.after) for c in step.changes),
        shown=step.shown, state=dict(step.state),
    )


def serialised(trace: Trace, *, version: str, edition: str) -> str:
    """The text of a trace's file."""
    other = trace.beside
    beside = None if other is None else BesideData(
        player=other.player, first=other.first, second=other.second, initial=dict(other.initial),
        steps=tuple(map(_step_data, other.steps)),
    )
    prop = PropertyData(id=trace.property, kind=trace.kind, says=trace.says, cites=trace.cites)
    data = TraceFile(
        schema=SCHEMA, sha256="0" * 64, version=version, edition=edition, scenario=trace.scenario, source=trace.source,
        property=prop, verdict=trace.verdict, clause=trace.clause, cause=trace.cause,  # type: ignore[arg-type]
        initial=dict(trace.initial), steps=tuple(map(_step_data, trace.steps)), beside=beside,
    )
    left_out = {"beside"} if beside is None else set()
    return _canonical(data.model_dump(mode="json", by_alias=True, exclude=left_out))


def _canonical(data: dict[str, Any]) -> str:
    """The one way in which a trace is written, with its checksum."""
    rest = {key: value for key, value in data.items() if key not in ("schema", "sha256")}
    body = json.dumps(rest, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    digest = hashlib.sha256(f"{data['schema']}\n{body}".encode()).hexdigest()
    return json.dumps({"schema": data["schema"], "sha256": digest, **rest}, ensure_ascii=False, indent=1) + "\n"


def save_trace(trace: Trace, path: Path, *, version: str, edition: str) -> None:
    """Write a trace.

    Raises
    ------
    FileExistsError
        If there is such a file already.
    """
    with path.open("x", encoding="utf-8", newline="\n") as file:
        file.write(serialised(trace, version=version, edition=edition))


def load_trace(path: str) -> TraceFile:
    """Read a trace.

    Raises
    ------
    InputError
        If it cannot be read, is of another version, or was changed after it was written.
    """
    text = _read(path)
    try:
        data = json.loads(text)
    except json.JSONDecodeError as problem:
        raise InputError(f"is no trace: {problem.msg} (a trace is a JSON document that facedown has written)",
                         Span(path, problem.lineno, problem.colno)) from None
    found = data.get("schema") if isinstance(data, dict) else None
    if found != SCHEMA:
        shown = f"is of version {found!r}" if isinstance(found, str) else "is no trace: it names no schema"
        raise InputError(f"{shown}; this facedown reads {SCHEMA!r}", Span(path))
    if _canonical(data) != text:
        raise InputError("was changed after it was written: its content does not match its checksum; write it again "
                         "with facedown check --out", Span(path))
    try:
        # The same text as JSON: in strict mode a list of Python would be no tuple.
        return TraceFile.model_validate_json(text)
    except ValidationError as problem:
        first = problem.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise InputError(f"{where}: {first['msg']}", Span(path)) from None


def _read(path: str) -> str:
    try:
        return Path(path).read_bytes().decode("utf-8")
    except OSError as problem:
        raise InputError(f"cannot be read: {problem.strerror}", Span(path)) from None
    except UnicodeDecodeError as problem:
        raise InputError(f"is no trace: byte {problem.start} is not UTF-8 text", Span(path)) from None


class Archive:
    """Where the traces of a run are saved: a folder of its own, made with the first, and nothing is overwritten.

    Parameters
    ----------
    folder
        The folder that holds a folder for each run.
    """

    def __init__(self, folder: Path, *, version: str, edition: str) -> None:
        self._folder = folder
        self._version = version
        self._edition = edition
        self._names: set[str] = set()
        self.run: Path | None = None

    def save(self, trace: Trace) -> str:
        """Write a trace.  Returns its path."""
        if self.run is None:
            self.run = self._fresh()
        name = unique(f"{_slug(trace.property)}--{_slug(trace.scenario)}", self._names)
        path = self.run / f"{name}.trace.json"
        save_trace(trace, path, version=self._version, edition=self._edition)
        return str(path)

    def _fresh(self) -> Path:
        for number in itertools.count(1):
            path = self._folder / f"run-{number:03}"
            try:
                path.mkdir(parents=True)
            except FileExistsError:
                if self._folder.is_dir():
                    continue
                raise InputError("is no folder, so no trace can be saved in it", Span(str(self._folder))) from None
            except OSError as problem:
                raise InputError(f"cannot be made: {problem.strerror}", Span(str(path))) from None
            return path
        raise AssertionError("counting never ends")


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:60]


def unique(name: str, taken: set[str]) -> str:
    """The name, or with a number if it is taken; from then on it is taken."""
    found = next(n for n in itertools.chain([name], (f"{name}-{i}" for i in itertools.count(2))) if n not in taken)
    taken.add(found)
    return found
