"""Faults of the checker itself: what is planted, which gate notices, and what the process then returns.

A checker that cannot fail proves nothing.  So each of these spoils one part of it, or one file that it reads, for as
long as a context manager is open; the program knows nothing of it.  Then commands are run as a user runs them, and the
last one must return the code of the gate, where it returns 0 without the fault.  To add one, write a decorated function
that spoils something; the tests find it, and ``python -m counterexamples.faults.checker`` enters it in the README.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from counterexamples.faults.checker_fault import CheckerFault, Site, checker_fault, written_into
from counterexamples.verdict import ExitCode
from model.system import Path as Play

__all__ = ["checker_faults"]

_TRACE = "out/run-001/possible-bear-face-up--a-bear-manifested.trace.json"


def checker_faults() -> tuple[CheckerFault, ...]:
    """Every fault, in the order in which they stand here."""
    return tuple(value for value in globals().values() if isinstance(value, CheckerFault))


# What searches

_AUDIT = "the audit: the plain reading takes every step again from a sample of the states found"


@checker_fault("the compiled successor function loses an action", _AUDIT, ExitCode.DISAGREEMENT,
               "the explorer never followed what can be done", "check medium.yaml")
def action_dropped(site: Site) -> None:
    """The one that the system lists first."""
    from model.readings import native
    from model.readings._guards import Take

    def emit(right: Any, body: Any, node: Any) -> None:
        if node != Take(0):
            right(body, node)

    site.wrap(native, "_emit", emit)


@checker_fault("the compiled successor function loses an update", _AUDIT, ExitCode.DISAGREEMENT,
               "the explorer missed a state", "check medium.yaml")
def update_lost(site: Site) -> None:
    """The first one of the first action."""
    from model.readings import native

    def successor(right: Any, system: Any, body: Any, action: Any) -> Any:
        kept = list(action.updates.items())[1 if action is system.actions[0] else 0:]
        return right(system, body, replace(action, updates=dict(kept)))

    site.wrap(native, "_successor", successor)


@checker_fault("the explorer compares states by an 8-bit hash", _AUDIT, ExitCode.DISAGREEMENT,
               "the explorer missed a state", "check --ruling S20")
def eight_bits(site: Site) -> None:
    """Two states of one hash count as one."""
    from counterexamples.search._plain import PlainSearch

    class Hashed(dict[Any, int]):
        def __contains__(self, state: object) -> bool:
            return super().__contains__(hash(state) & 0xFF)

        def __setitem__(self, state: Any, number: int) -> None:
            super().__setitem__(hash(state) & 0xFF, number)

    def prepare(right: Any, search: PlainSearch) -> None:
        right(search)
        search.states = Hashed()

    site.wrap(PlainSearch, "__post_init__", prepare)


@checker_fault("the explorer loses the plays that it has found", _AUDIT, ExitCode.DISAGREEMENT,
               "but found a state that shows it", "check bear.yaml")
def hits_lost(site: Site) -> None:
    from counterexamples.search._plain import PlainSearch

    site.wrap(PlainSearch, "_result", lambda right, search, cut: replace(right(search, cut), hits={}))


_REPLAY = "every play is taken again by the plain reading before it is shown"


def _with_plays(site: Site, change: Callable[[Play], Play]) -> None:
    import counterexamples.check

    def explore(right: Any, *args: Any, **kwargs: Any) -> Any:
        found = right(*args, **kwargs)
        return replace(found, hits={name: change(play) for name, play in found.hits.items()})

    site.wrap(counterexamples.check, "explore", explore)


@checker_fault("the explorer reports a play without its end", _REPLAY, ExitCode.DISAGREEMENT,
               "does not end with what it is said to show", "check bear.yaml --out out")
def play_cut_short(site: Site) -> None:
    _with_plays(site, lambda play: replace(play, actions=()))


@checker_fault("the explorer reports a play that takes a step twice", _REPLAY, ExitCode.DISAGREEMENT,
               "two readings of the rules disagree: step 2", "check bear.yaml --out out")
def play_not_legal(site: Site) -> None:
    _with_plays(site, lambda play: replace(play, actions=(*play.actions, *play.actions)))


@checker_fault("the explorer reports a play of other actions", _REPLAY, ExitCode.DISAGREEMENT,
               "two readings of the rules disagree", "check bear.yaml --out out")
def play_of_others(site: Site) -> None:
    _with_plays(site, lambda play: replace(play, actions=tuple(action + 1 for action in play.actions)))


@checker_fault("the symbolic reading forgets how a game starts", _REPLAY, ExitCode.DISAGREEMENT,
               "the plain reading refuses a play of the symbolic one", "check bear.yaml --engine bounded --depth 1")
def start_forgotten(site: Site) -> None:
    from model.readings.smt import Lowering

    site.put(Lowering, "init", lambda lowering, time=0: lowering.all_of([]))


def _starve(site: Site, read: Callable[[Any], Any]) -> None:
    """Let the solver give up at once, and its wrapper read that in some way."""
    from counterexamples.search._smt_solver import Questioner

    def ask(right: Any, asker: Any, *assumptions: Any) -> Any:
        asker._solver.set("rlimit", 1)
        return read(right(asker, *assumptions))

    site.wrap(Questioner, "ask", ask)


def _as_unsat(answer: Any) -> Any:
    from counterexamples.search._smt_solver import Unknown, Unsat

    return Unsat(frozenset()) if isinstance(answer, Unknown) else answer


@checker_fault("`unknown` is read as `unsat` in bounded search",
               "the audit: the plain reading explores the first states for what the solver says is not there",
               ExitCode.DISAGREEMENT, "the solver found no", "check bear.yaml --engine bounded --depth 1")
def unknown_as_unsat(site: Site) -> None:
    _starve(site, _as_unsat)


@checker_fault("`unknown` is read as `unsat` in induction", "the certificate: each query is asked anew from its text",
               ExitCode.DISAGREEMENT, "the certificate is refused: the answer to",
               "check concession.yaml --engine induction")
def unknown_as_proof(site: Site) -> None:
    _starve(site, _as_unsat)


@checker_fault("the solver gives up, and says so", "`unknown` is a value, and no proof rests on one",
               ExitCode.UNDECIDED, "the solver says: ", "check concession.yaml --engine induction")
def unknown(site: Site) -> None:
    _starve(site, lambda answer: answer)


# What is written

_WITH_TRACE = ("check bear.yaml --out out", f"replay {_TRACE}")


@checker_fault("a trace is corrupted on disk", "its checksum, when it is read", ExitCode.BAD_INPUT,
               "was changed after it was written", *_WITH_TRACE)
def trace_corrupted(site: Site) -> None:
    import counterexamples.trace_file

    def save(right: Any, trace: Any, path: Path, **kwargs: Any) -> None:
        right(trace, path, **kwargs)
        site.edit(str(path), '"number": 1', '"number": 2')

    site.wrap(counterexamples.trace_file, "save_trace", save)


@checker_fault("a trace is saved without its last step, checksum and all", "`facedown replay` takes the play again",
               ExitCode.DISAGREEMENT, "does not end with what it is said to show", *_WITH_TRACE)
def trace_cut_short(site: Site) -> None:
    import counterexamples.trace_file

    site.wrap(counterexamples.trace_file, "serialised",
              lambda right, trace, **kwargs: right(replace(trace, steps=trace.steps[:-1]), **kwargs))


@checker_fault("a result document counts a proof that it does not list",
               "`facedown schema result --validate` counts again", ExitCode.DISAGREEMENT,
               "the summary does not count the results", "check bear.yaml --json result.json",
               "schema result --validate result.json")
def result_contradicts_itself(site: Site) -> None:
    from counterexamples.commands import check

    def write(right: Any, text: str, path: str) -> None:
        right(text, path)
        site.edit(path, '"proved": 1', '"proved": 2')

    site.wrap(check, "write_document", write)


# What is asked

@checker_fault("a file's list of properties is empty", "the reader of scenario files", ExitCode.BAD_INPUT,
               "has nothing to check", "check bear.yaml")
def no_properties(site: Site) -> None:
    site.edit("bear.yaml", "check:.*", "check: []\n")


@checker_fault("every list of properties is lost on the way to the engines", "a run without a result is not a success",
               ExitCode.VACUOUS, "nothing was checked", "check bear.yaml")
def properties_lost(site: Site) -> None:
    import counterexamples.expression_checks

    site.put(counterexamples.expression_checks, "chosen_checks", lambda *args, **kwargs: [])


@checker_fault("a property speaks of constants only", "a verdict of its own, VACUOUS", ExitCode.VACUOUS,
               "it speaks of constants only", "check bear.yaml")
def constants_only(site: Site) -> None:
    site.edit("bear.yaml", "bear.power == 2", "2 == 2")


@checker_fault("a property is asked where its premise never occurs", "a verdict of its own, VACUOUS", ExitCode.VACUOUS,
               "its premise never occurs here", "check bear.yaml")
def premise_never_occurs(site: Site) -> None:
    site.edit("bear.yaml", "turned-up-for-mana-cost", "instant-or-sorcery-is-revealed-and-stays-down")


@checker_fault("a scenario places a card where the rules let it never be", "the reader of scenario files",
               ExitCode.BAD_INPUT, "cannot be on the battlefield face up", "check bear.yaml")
def impossible_placement(site: Site) -> None:
    site.edit("bear.yaml", "Runeclaw Bear, as: bear, face_down: manifest", "Shock, as: bear")


@checker_fault("a scenario has no initial state", "a start is asked for before any engine is", ExitCode.VACUOUS,
               "the scenario has no initial state", "check bear.yaml")
def no_initial_state(site: Site) -> None:
    _with_system(site, lambda system: replace(system, initial={**system.initial, system.variables[0]: ()}))


@checker_fault("a scripted play expects what is not so", "each expectation is evaluated", ExitCode.UNEXPECTED,
               "bear.face_down", "play line.yaml")
def wrong_expectation(site: Site) -> None:
    site.edit("line.yaml", "bear.face_up", "bear.face_down")


# What runs

def _with_system(site: Site, change: Callable[[Any], Any]) -> None:
    import model.game

    site.wrap(model.game, "ground", lambda right, *args, **kwargs: change(right(*args, **kwargs)))


@checker_fault("the model lets nobody pass", "a state in which nobody may act is a fault of the model",
               ExitCode.INTERNAL, "no player has a legal action", "check bear.yaml")
def deadlock(site: Site) -> None:
    _with_system(site, lambda system: replace(system, actions=system.actions[:1]))


@checker_fault("the model promises too little of a variable",
               "each value is compared with its domain when it is written", ExitCode.INTERNAL,
               "DomainError", "check bear.yaml")
def domain_too_small(site: Site) -> None:
    from model.state import Domain
    from model.terms import INT

    def narrow(system: Any) -> Any:
        mana = next(v for v in system.variables if v.family.name == "mana")
        return replace(system, domains={**system.domains, mana: Domain(INT, 1, 2)})

    _with_system(site, narrow)


def _die(connection: Connection, *_: object) -> None:
    connection.recv()
    os._exit(3)


@checker_fault("the processes that check die", "their end is noticed, and what they had is not counted as held",
               ExitCode.INTERNAL, "ended with exit code 3", "check bear.yaml concession.yaml --jobs 2")
def workers_die(site: Site) -> None:
    import counterexamples.run

    site.put(counterexamples.run, "_work", _die)


if __name__ == "__main__":
    readme = Path(__file__).parents[2] / "README.md"
    readme.write_text(written_into(readme.read_text(encoding="utf-8"), checker_faults()), encoding="utf-8")
