"""The machine-readable result of a run, ``facedown.result/1``: one document, whole for success too.

Whatever can be derived from the list of results is derived: a document whose summary or exit code contradicts its list
is refused, by us and by whoever validates it with :class:`ResultDocument`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal, Self, assert_never

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from counterexamples.run import Failed, Row
from counterexamples.verdict import (
    ExitCode,
    HoldsTo,
    Proved,
    Undecided,
    Unreachable,
    Vacuous,
    Verdict,
    VerdictWord,
    Violated,
    Witnessed,
    word,
    worst,
)
from model.errors import InputError, Span

__all__ = ["ContradictionError", "Coverage", "FailOn", "Problem", "Result", "ResultDocument", "Settings", "Summary",
           "code_of_run", "document", "load_result", "problem_of", "result_of", "why"]

FailOn = Literal["violated", "vacuous", "undecided"]
"""What can be told not to matter for the exit code; everything else always does."""

_CODES: Mapping[VerdictWord, ExitCode] = {
    "proved": ExitCode.OK, "holds_to_bound": ExitCode.OK, "witnessed": ExitCode.OK, "violated": ExitCode.VIOLATED,
    "unreachable": ExitCode.VACUOUS, "vacuous": ExitCode.VACUOUS, "undecided": ExitCode.UNDECIDED,
}
_ASKED: Mapping[ExitCode, FailOn] = {
    ExitCode.VIOLATED: "violated", ExitCode.VACUOUS: "vacuous", ExitCode.UNDECIDED: "undecided",
}
_Count = Annotated[int, Field(ge=0)]


class ContradictionError(ValueError):
    """A result document says two things of which only one can be so."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Result(_Part):
    """What came of one property on one scenario."""

    property: str
    scenario: str
    file: str
    kind: str
    says: str
    verdict: VerdictWord
    detail: str = Field(description="how it was established, or why it could not be")
    engine: str
    states: _Count
    transitions: _Count
    depth: _Count
    overflows: _Count
    seconds: Annotated[float, Field(ge=0)]
    cites: tuple[str, ...]
    rulings: tuple[str, ...]
    trace: str | None = Field(description="where the play was saved")


class Problem(_Part):
    """Something that kept a scenario from being checked, or a fault of the model."""

    file: str
    code: Literal[2, 13, 15, 70]
    message: str
    trace: str | None = Field(None, description="where the play was saved, if there is one")


class Coverage(_Part):
    """What the plays of one scenario did."""

    scenario: str
    file: str
    actions: _Count
    never_fired: tuple[str, ...] | None = Field(description="null where that was not found out")


class Summary(_Part):
    """How many results there are of each kind."""

    proved: _Count = 0
    holds_to_bound: _Count = 0
    violated: _Count = 0
    witnessed: _Count = 0
    unreachable: _Count = 0
    vacuous: _Count = 0
    undecided: _Count = 0


class Settings(_Part):
    """How the run was asked to check."""

    engine: str
    depth: _Count
    max_states: _Count
    max_seconds: Annotated[float, Field(gt=0)]
    audit: _Count
    fail_on: tuple[FailOn, ...]


class ResultDocument(_Part):
    """A whole run."""

    schema_: Literal["facedown.result/1"] = Field("facedown.result/1", alias="schema")
    version: str
    edition: str
    command: str
    settings: Settings
    interrupted: bool
    exit_code: int
    summary: Summary
    results: tuple[Result, ...]
    problems: tuple[Problem, ...]
    coverage: tuple[Coverage, ...]

    @model_validator(mode="after")
    def _agrees_with_itself(self) -> Self:
        counted = _summary(self.results)
        if counted != self.summary:
            raise ValueError(f"the summary does not count the results, which give {counted}")
        due = code_of_run(self.results, self.problems, self.settings.fail_on, interrupted=self.interrupted)
        if due != self.exit_code:
            raise ValueError(f"the exit code is {self.exit_code}, the results give {int(due)}")
        return self


def load_result(path: str) -> ResultDocument:
    """Read a result document.

    Raises
    ------
    InputError
        If it cannot be read, or is no result document.
    ContradictionError
        If its summary or its exit code is not the one that its results give.
    """
    try:
        return ResultDocument.model_validate_json(Path(path).read_bytes())
    except OSError as problem:
        raise InputError(f"cannot be read: {problem.strerror}", Span(path)) from None
    except ValidationError as problem:
        first = problem.errors()[0]
        says = first["msg"].removeprefix("Value error, ")
        if first["type"] == "value_error":
            raise ContradictionError(f"{path}: {says}") from None
        where = ".".join(map(str, first["loc"]))
        raise InputError(f"{where}: {says}" if where else f"is no result document: {says}", Span(path)) from None


def _summary(results: Iterable[Result]) -> Summary:
    counts = dict.fromkeys(Summary.model_fields, 0)
    for result in results:
        counts[result.verdict] += 1
    return Summary(**counts)


def code_of_run(results: Iterable[Result], problems: Iterable[Problem], fail_on: Sequence[FailOn], *,
                interrupted: bool) -> ExitCode:
    """What the process returns: the worst that is present, of what it was asked to fail on.

    A fault of the program, a disagreement and bad input always count, and so does that not everything was checked.
    A run without any result says nothing, whatever it was asked.
    """
    codes = {_CODES[result.verdict] for result in results}
    empty = not codes
    kept = {code for code in codes if code not in _ASKED or _ASKED[code] in fail_on}
    kept |= {ExitCode(problem.code) for problem in problems}
    if interrupted:
        kept.add(ExitCode.UNDECIDED)
    return ExitCode.VACUOUS if empty and not kept else worst(kept)


def document(*, version: str, edition: str, command: str, settings: Settings, interrupted: bool,
             results: Sequence[Result], problems: Sequence[Problem], coverage: Sequence[Coverage]) -> ResultDocument:
    """The document of a run, with everything derived that can be."""
    code = code_of_run(results, problems, settings.fail_on, interrupted=interrupted)
    return ResultDocument(schema="facedown.result/1", version=version, edition=edition, command=command,
                          settings=settings, interrupted=interrupted, exit_code=int(code), summary=_summary(results),
                          results=tuple(results), problems=tuple(problems), coverage=tuple(coverage))


def why(verdict: Verdict) -> str:
    """How a verdict was established, or why it could not be."""
    match verdict:
        case Proved(how=how):
            return how
        case HoldsTo(bound=bound):
            return bound
        case Violated(trace=trace) | Witnessed(trace=trace):
            return "in the initial state" if not trace.steps else f"shortest play: {_steps(len(trace.steps))}"
        case Unreachable():
            return "no play reaches it"
        case Vacuous(why=reason) | Undecided(why=reason):
            return reason
        case _:
            assert_never(verdict)


def _steps(number: int) -> str:
    return f"{number} step{'' if number == 1 else 's'}"


def result_of(row: Row, file: str, trace: str | None) -> Result:
    """A row as it stands in the document."""
    return Result(property=row.property, scenario=row.scenario, file=file, kind=row.kind, says=row.says,
                  verdict=word(row.verdict), detail=why(row.verdict), engine=row.engine, states=row.states,
                  transitions=row.transitions, depth=row.depth, overflows=row.overflows,
                  seconds=round(row.seconds, 3), cites=row.cites, rulings=row.rulings, trace=trace)


def problem_of(failed: Failed, file: str) -> Problem:
    """A failure as it stands in the document."""
    return Problem(file=file, code=int(failed.code), message=failed.message)  # type: ignore[arg-type]
