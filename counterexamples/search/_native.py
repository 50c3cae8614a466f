"""The native back end of the explicit search: compiled successors, packed states, a loop without Python."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from counterexamples.search import _kernel as kernel
from counterexamples.search._edges import Edges
from counterexamples.search._results import Build, Cut, Exploration, Pace, Task
from model.readings.evaluate import DomainError
from model.readings.native import Effort, Native, compile_conditions, compile_system
from model.readings.packing import Packing
from model.system import Path
from model.terms import FALSE, Term

__all__ = ["NativeSearch"]

_T = TypeVar("_T", bound=np.generic)

MAX_LOAD = 0.7
MAX_STATES = (1 << 32) - 1
"""States are numbered in 32 bits, and nobody has number 0."""

_PATIENCE = 20
"""Better code is asked for when a search has taken so many times what the quick code took: four times its own cost."""

_BATCH_STATES = 64
_BATCH_SUCCESSORS = 1024
_SMALLEST_TABLE = 14
_QUICK_GROWTH = 22
_SLICE_SECONDS = 0.05
_INITIAL_CHUNK = 1 << 14


@dataclass(slots=True)
class NativeSearch:
    """A breadth-first search over packed states."""

    task: Task
    packing: Packing = field(init=False)
    native: Native = field(init=False)
    store: kernel.Store = field(init=False)
    batch: kernel.Batch = field(init=False)
    watch: kernel.Watch = field(init=False)
    width: tuple[int, ...] = field(init=False)
    cursor: NDArray[np.int64] = field(init=False)
    fired: NDArray[np.int64] = field(init=False)
    initial: int = 0

    def __post_init__(self) -> None:
        self.packing = Packing.of(self.task.system)
        words = self.packing.words
        successors = max(len(self.task.system.actions), 1)
        room = _BATCH_SUCCESSORS + successors
        self.width = (0,) * words
        self.batch = kernel.Batch(
            words=np.empty(room * words, np.uint64), actions=np.empty(room, np.uint16),
            ends=np.empty(_BATCH_STATES, np.int64), overflows=np.empty(_BATCH_STATES, np.int64),
            hashes=np.empty(room, np.uint32), guesses=np.empty(room, np.uint32), rest=np.empty(room, np.uint32),
        )
        self.fired = np.zeros(successors, np.int64)
        self.cursor = np.zeros(kernel.CURSOR_SIZE, np.int64)
        self.cursor[kernel.SUCCESSORS] = successors
        self.cursor[kernel.HEAD] = self.cursor[kernel.NEXT] = 1
        limit = self.task.limits.max_states
        self.cursor[kernel.LIMIT] = MAX_STATES if limit is None else min(limit, MAX_STATES)
        self.store = kernel.Store(
            np.zeros(words, np.uint64), np.zeros(1, np.uint32), np.zeros(1, np.uint16), np.empty(0, np.uint32)
        )
        self._grow(max(room, _INITIAL_CHUNK))

    def _use(self, native: Native, hits: NDArray[np.int64]) -> None:
        """Go on with this code; states do not depend on it."""
        self.native = native
        self.cursor[kernel.EXPAND] = native.expand
        self._arm(hits)

    def _arm(self, hits: NDArray[np.int64]) -> None:
        """Watch for the monitors that have not hit, and only for them."""
        open_monitors = [(i, m) for i, m in enumerate(self.task.monitors) if hits[i, 0] == 0]
        address = self.native.conditions.addresses
        states = [(address[m.on_state], i) for i, m in open_monitors if m.on_state is not FALSE]
        steps: list[tuple[int, int]] = []
        ranges = np.zeros((len(self.fired), 2), np.int64)
        for action in range(len(self.task.system.actions)):
            first = len(steps)
            for i, monitor in open_monitors:
                condition = monitor.on_step.get(action, FALSE)
                if condition is not FALSE:
                    steps.append((address[condition], i))
            ranges[action] = first, len(steps)
        self.watch = kernel.Watch(_rows(states), _rows(steps), ranges, hits)
        self.cursor[kernel.WATCHED] = len(states)

    def run(self, native: Native, pool: Executor | None = None) -> Exploration:
        """Search to the end.

        Parameters
        ----------
        native
            The compiled system, with all conditions of the task.
        pool
            Where to compile it better, if the search takes long enough for that to pay.

        Raises
        ------
        DomainError
            If an action writes a value that the system said it never would.
        """
        self._use(native, np.tile(np.array([0, -1], np.int64), (len(self.task.monitors), 1)))
        better: Future[Native] | None = None
        pace = Pace(self.task.limits, self.task.start)
        start = time.perf_counter()
        cut, budget = self._insert_initial(pace), 1024
        while cut is None and self._waiting():
            cut = self._reason_to_end()
            if cut is not None:
                break
            budget = self._advance(budget)
            if better is not None and better.done() and better.result() is not self.native:
                self._use(better.result(), self.watch.hits)
            elif better is None and pool is not None and time.perf_counter() - start > _PATIENCE * native.seconds:
                better = pool.submit(compile_system, self.task.system, list(self.task.conditions()), Effort.THOROUGH)
            cut = pace.cut(*self._counts())
        return self._result(cut if self._waiting() else None)

    def _advance(self, budget: int) -> int:
        """Expand so many states, if nothing comes between.  Returns how many to expand next time."""
        if self.cursor[kernel.NEXT] + len(self.batch.actions) > self.cursor[kernel.CAPACITY]:
            self._grow(len(self.batch.actions))
        self.cursor[kernel.BUDGET] = budget
        before, head = time.perf_counter(), self.cursor[kernel.HEAD]
        if kernel.advance(self.width, self.cursor, self.fired, self.store, self.batch, self.watch):
            self._arm(self.watch.hits)
        if self.cursor[kernel.FAULT]:
            action = self.task.system.actions[~int(self.cursor[kernel.FAULT])]
            raise DomainError(f"{action.label} writes a value outside the domain of its variable")
        if self.cursor[kernel.HEAD] - head < budget:
            return budget
        spent = time.perf_counter() - before
        return int(budget * min(max(_SLICE_SECONDS / max(spent, 1e-9), 0.5), 4)) + 1

    def _waiting(self) -> bool:
        return bool(self.cursor[kernel.HEAD] < self.cursor[kernel.NEXT])

    def _counts(self) -> tuple[int, int, int, int]:
        places = (kernel.NEXT, kernel.TRANSITIONS, kernel.DEPTH, kernel.HEAD)
        count, transitions, depth, head = (int(self.cursor[place]) for place in places)
        return count - 1, transitions, depth, head - 1

    def _reason_to_end(self) -> Cut | None:
        hits = self.watch.hits[:, 0]
        if self.task.limits.stop_when_all_hit and len(hits) and hits.all():
            return Cut.ALL_HIT
        return Cut.STATES if self.cursor[kernel.NEXT] > self.cursor[kernel.LIMIT] else None

    def _insert_initial(self, pace: Pace) -> Cut | None:
        """Add the initial states.  Returns why not all of them, if so."""
        cut = None
        for words in self._initial_words():
            while self.cursor[kernel.NEXT] + len(words) > self.cursor[kernel.CAPACITY]:
                self._grow(len(words))
            done = kernel.insert(self.width, self.cursor, self.store, self.watch, words.ravel(), len(words))
            self._arm(self.watch.hits)
            self.initial += done
            cut = Cut.STATES if done < len(words) else pace.cut(*self._counts())
            if cut is not None:
                break
        self.cursor[kernel.LEVEL_END] = self.cursor[kernel.NEXT]
        return cut

    def _initial_words(self) -> Iterator[NDArray[np.uint64]]:
        """The packed initial states, in chunks: the codes of the free variables are digits of a running number."""
        system, packing = self.task.system, self.packing
        choices = [system.initial[v] for v in packing.variables]
        total = int(np.prod([len(codes) for codes in choices], dtype=object)) if choices else 1
        for start in range(0, total, _INITIAL_CHUNK):
            rest = np.arange(start, min(start + _INITIAL_CHUNK, total), dtype=np.int64)
            words = np.zeros((len(rest), packing.words), np.uint64)
            for place, codes in reversed(list(zip(packing.fields, choices, strict=True))):
                bits = np.array([place.stored(code) for code in codes], np.uint64)
                words[:, place.word] |= bits[rest % len(codes)]
                rest //= len(codes)
            yield words

    def _grow(self, room: int) -> None:
        """Make room for more states, one array after another so that no two are held twice at once."""
        count = int(self.cursor[kernel.NEXT])
        bits = int(self.cursor[kernel.SLOT_BITS])
        wanted = max(bits + (2 if bits < _QUICK_GROWTH else 1), _SMALLEST_TABLE)
        while MAX_LOAD * (1 << wanted) < count + room:
            wanted += 1
        bits = min(wanted, 32)
        capacity = min(int(MAX_LOAD * (1 << bits)), MAX_STATES)
        width = self.packing.words
        self.store = self.store._replace(table=np.empty(0, np.uint32))
        self.store = self.store._replace(states=_longer(self.store.states, count * width, capacity * width))
        self.store = self.store._replace(parents=_longer(self.store.parents, count, capacity))
        self.store = self.store._replace(actions=_longer(self.store.actions, count, capacity))
        self.store = self.store._replace(table=np.zeros(1 << bits, np.uint32))
        self.cursor[kernel.SLOT_BITS], self.cursor[kernel.CAPACITY] = bits, capacity
        kernel.rebuild(self.width, self.cursor, self.store)

    def path(self, index: int) -> Path:
        """A shortest play to the state that was found as the one with this index, from 0."""
        return self._path(index + 1)

    def codes(self, index: int) -> tuple[int, ...]:
        """The state that was found as the one with this index, from 0."""
        return self._codes(index + 1)

    def missing(self, states: Iterable[tuple[int, ...]]) -> list[tuple[int, ...]]:
        """Which of these states were not found; they are compared whole, and not looked up in the table."""
        wanted = {self.packing.pack(state): state for state in states}
        words = np.array(list(wanted), np.uint64).reshape(len(wanted), self.packing.words)
        count = int(self.cursor[kernel.NEXT])
        found = self.store.states[:count * self.packing.words].reshape(count, self.packing.words)[1:]
        alike = np.full(len(found), bool(wanted))
        for w in range(self.packing.words if wanted else 0):
            known = np.unique(words[:, w])
            alike &= known[np.minimum(np.searchsorted(known, found[:, w]), len(known) - 1)] == found[:, w]
        there = set(map(tuple, found[alike].tolist()))
        return [state for packed, state in wanted.items() if packed not in there]

    def holding(self, condition: Term) -> NDArray[np.bool_]:
        """Of which states a condition holds, in the order in which they were found."""
        compiled = compile_conditions(self.task.system, [condition])
        out = np.zeros(int(self.cursor[kernel.NEXT]), np.bool_)
        kernel.mark(self.width, self.cursor, self.store, compiled.addresses[condition], out)
        return out[1:]

    def edges(self) -> Edges:
        """The steps that were followed, after a search that was complete."""
        count, transitions, _, _ = self._counts()
        offsets = np.zeros(count + 1, np.int64)
        targets = np.empty(transitions, np.uint32)
        actions = np.empty(transitions, np.uint16)
        self.cursor[kernel.HEAD], end = 1, 0
        while self._waiting():
            first = int(self.cursor[kernel.HEAD]) - 1
            start, end = end, kernel.edges(self.width, self.cursor, self.store, self.batch, end, targets, actions)
            last = int(self.cursor[kernel.HEAD]) - 1
            offsets[first + 1:last + 1] = start + self.batch.ends[:last - first]
        return Edges(offsets, targets - np.uint32(1), actions)

    def _path(self, number: int) -> Path:
        actions = []
        while self.store.parents[number]:
            actions.append(int(self.store.actions[number]))
            number = int(self.store.parents[number])
        return Path(self._codes(number), tuple(reversed(actions)))

    def _codes(self, number: int) -> tuple[int, ...]:
        width = self.packing.words
        return self.packing.unpack(self.store.states[number * width:(number + 1) * width].tolist())

    def _result(self, cut: Cut | None) -> Exploration:
        count, transitions, depth, _ = self._counts()
        hits = {}
        for monitor, (number, action) in zip(self.task.monitors, self.watch.hits.tolist(), strict=True):
            if number:
                path = self._path(number)
                hits[monitor.name] = path if action < 0 else Path(path.initial, (*path.actions, action))
        slots = 1 << int(self.cursor[kernel.SLOT_BITS])
        width = self.packing.words
        build = Build(
            self.task.system.bits, width, self.native.seconds, 8 * width + 6 + 4 * slots / max(count, 1), count / slots
        )
        deadlock = int(self.cursor[kernel.DEADLOCK])
        return Exploration(
            reading="native", states=count, initial=self.initial, transitions=transitions, depth=depth,
            complete=cut is None, cut=cut, overflows=int(self.cursor[kernel.OVERFLOWS]), hits=hits,
            fired=tuple(self.fired[:len(self.task.system.actions)].tolist()),
            deadlock=self._path(deadlock) if deadlock else None,
            seconds=time.perf_counter() - self.task.start, build=build,
        )


def _rows(pairs: list[tuple[int, int]]) -> NDArray[np.int64]:
    return np.array(pairs, np.int64).reshape(len(pairs), 2)


def _longer(array: NDArray[_T], used: int, length: int) -> NDArray[_T]:
    longer = np.empty(length, array.dtype)
    longer[:used] = array[:used]
    return longer
