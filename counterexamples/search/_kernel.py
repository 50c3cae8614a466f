"""The inner loop of the native search.

States are numbered from 1 in the order in which they are found, and their packed words stand one after the other, so
the array of states is also the queue.  The hash table holds numbers of states, and 0 where it is empty; bits that a
number does not need hold a part of the hash, so that most of the states that collide need not be fetched to be told
apart.  Nothing is decided by a hash: a state is known only if all its words are there.

Memory is what a search waits for.  So states are expanded in batches, and passes go over the successors: the first
asks for their slots in the table, the second for the states to which these point, the third tells without a branch
which of them are known at first sight, and only the rest is looked up one by one.

The words of a state are counted by a tuple with so many members, ``width``, because the compiler then knows their
number.  Functions compile when they are first called with some width, and the result is kept on disk.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.core.cgutils import get_or_insert_function
from numba.extending import intrinsic
from numpy.typing import NDArray

__all__ = [
    "BUDGET", "CAPACITY", "CURSOR_SIZE", "DEADLOCK", "DEPTH", "EXPAND", "FAULT", "HEAD", "LEVEL_END", "LIMIT", "NEXT",
    "OVERFLOWS", "SLOT_BITS", "SUCCESSORS", "TRANSITIONS", "WATCHED", "Batch", "Store", "Watch", "advance", "edges",
    "insert", "mark", "rebuild",
]

EXPAND: Final = 0  # address of the compiled expansion
SUCCESSORS: Final = 1  # how many a state can have
SLOT_BITS: Final = 2  # the table has 2 to the power of this slots
CAPACITY: Final = 3  # how many states may be stored before something must grow
LIMIT: Final = 4  # stop expanding when there are so many states
BUDGET: Final = 5  # how many states to expand in one call
HEAD: Final = 6  # the next state to expand
NEXT: Final = 7  # the number that the next new state gets
LEVEL_END: Final = 8  # the first state of the level after that of HEAD
DEPTH: Final = 9  # the level of the last state found
TRANSITIONS: Final = 10
OVERFLOWS: Final = 11
DEADLOCK: Final = 12  # the first deadlocked state, or 0
WATCHED: Final = 13  # state conditions that are still looked for
FAULT: Final = 14  # the complement of an action that wrote a value outside a domain, or 0
CURSOR_SIZE: Final = 15

_GUESSES: Final = 4  # slots in which a successor is sought before the states in them are fetched
_STRIDE: Final = 512  # states whose slots are asked for together while a table is rebuilt


class Store(NamedTuple):
    """What is kept of every state.  Row 0 is nobody; the parent of an initial state is 0."""

    states: NDArray[np.uint64]
    parents: NDArray[np.uint32]
    actions: NDArray[np.uint16]
    table: NDArray[np.uint32]


class Batch(NamedTuple):
    """The successors of the states that are expanded together, and which of them are not yet known to be known."""

    words: NDArray[np.uint64]
    actions: NDArray[np.uint16]
    ends: NDArray[np.int64]
    overflows: NDArray[np.int64]
    hashes: NDArray[np.uint32]
    guesses: NDArray[np.uint32]
    rest: NDArray[np.uint32]


class Watch(NamedTuple):
    """What is looked for.

    ``states`` has rows (address, monitor), of which the first WATCHED are in force; ``steps`` the same for steps,
    where ``ranges`` has a row (first, end) for each action.  ``hits`` has for each monitor the state where it hit, or
    0, and the action of the step, or -1 if it was the state.
    """

    states: NDArray[np.int64]
    steps: NDArray[np.int64]
    ranges: NDArray[np.int64]
    hits: NDArray[np.int64]


def _compiled(function: Any) -> Any:
    compile_lazily: Any = njit
    try:
        return compile_lazily(nogil=True, cache=True)(function)
    except RuntimeError:  # there is no directory to keep the result in
        return compile_lazily(nogil=True)(function)


def _inlined(function: Any) -> Any:
    compile_lazily: Any = njit
    return compile_lazily(inline="always")(function)


def _call(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
    word = ir.IntType(64)
    kind = ir.FunctionType(word, [word] * (len(args) - 1))
    return builder.call(builder.inttoptr(args[0], kind.as_pointer()), args[1:])


def _call_condition(_context, address, state):  # type: ignore[no-untyped-def]
    """Call the compiled condition at an address."""
    return types.int64(types.int64, types.int64), _call


def _call_expansion(_context, address, states, count, room, out, actions, ends, overflows):  # type: ignore[no-untyped-def]
    """Call the compiled expansion at an address."""
    return types.int64(*[types.int64] * 8), _call


def _ask_for(_context, address):  # type: ignore[no-untyped-def]
    """Ask for a cache line."""
    def generate(_c: Any, builder: Any, _s: Any, args: Any) -> Any:
        pointer, flag = ir.IntType(8).as_pointer(), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [pointer, flag, flag, flag])
        declare: Any = get_or_insert_function
        function = declare(builder.module, kind, "llvm.prefetch.p0")
        builder.call(function, [builder.inttoptr(args[0], pointer), flag(0), flag(3), flag(1)])
        return ir.Constant(ir.IntType(64), 0)
    return types.int64(types.int64), generate


_holds: Any = intrinsic(_call_condition)
_expand: Any = intrinsic(_call_expansion)
_prefetch: Any = intrinsic(_ask_for)


@_inlined
def _hash(width, words, at):  # type: ignore[no-untyped-def]
    mixed = np.uint64(0)
    for w in range(len(width)):
        mixed = (mixed ^ words[at + w]) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(32)
    return np.int64((mixed * np.uint64(0xD6E8FEB86659FD93)) >> np.uint64(32))


@_inlined
def _find(width, bits, states, table, words, at, mixed):  # type: ignore[no-untyped-def]
    """The number of the state with these words; else the complement of the slot where it belongs."""
    low = (np.int64(1) << bits) - 1
    tag = (mixed << bits) & 0xFFFFFFFF
    slot = mixed >> (32 - bits)
    found = np.int64(0)
    searching = True
    while searching:
        entry = np.int64(table[slot])
        if entry == 0:
            found = ~slot
            searching = False
        elif entry & ~low == tag:
            found = entry & low
            unlike = np.uint64(0)
            for w in range(len(width)):
                unlike |= states[found * len(width) + w] ^ words[at + w]
            searching = unlike != 0
        slot = (slot + 1) & low
    return found


@_inlined
def _add(width, cursor, store, slot, words, at, mixed, parent, action):  # type: ignore[no-untyped-def]
    number = cursor[NEXT]
    for w in range(len(width)):
        store.states[number * len(width) + w] = words[at + w]
    store.parents[number] = parent
    store.actions[number] = action
    store.table[slot] = ((mixed << cursor[SLOT_BITS]) & 0xFFFFFFFF) | number
    cursor[NEXT] = number + 1


@_inlined
def _address(width, states, number):  # type: ignore[no-untyped-def]
    return np.int64(states.ctypes.data) + 8 * len(width) * number


@_compiled
def _look(width, cursor, states, watched, hits, number):  # type: ignore[no-untyped-def]
    """Record which monitors look for a new state."""
    hit = False
    for i in range(cursor[WATCHED]):
        monitor = watched[i, 1]
        if hits[monitor, 0] == 0 and _holds(watched[i, 0], _address(width, states, number)):
            hits[monitor, 0] = number
            hit = True
    return hit


@_compiled
def _look_at_step(width, states, watch, parent, action):  # type: ignore[no-untyped-def]
    """Record which monitors look for a step."""
    hit = False
    for i in range(watch.ranges[action, 0], watch.ranges[action, 1]):
        monitor = watch.steps[i, 1]
        if watch.hits[monitor, 0] == 0 and _holds(watch.steps[i, 0], _address(width, states, parent)):
            watch.hits[monitor, 0] = parent
            watch.hits[monitor, 1] = action
            hit = True
    return hit


@_compiled
def insert(width, cursor, store, watch, words, count):  # type: ignore[no-untyped-def]
    """Add initial states, up to the limit.  Returns how many were looked at."""
    for i in range(count):
        if cursor[NEXT] > cursor[LIMIT]:
            return i
        at = i * len(width)
        mixed = _hash(width, words, at)
        found = _find(width, cursor[SLOT_BITS], store.states, store.table, words, at, mixed)
        if found < 0:
            _add(width, cursor, store, ~found, words, at, mixed, 0, 0)
            _look(width, cursor, store.states, watch.states, watch.hits, cursor[NEXT] - 1)
    return count


@_compiled
def _expand_next(width, cursor, store, batch):  # type: ignore[no-untyped-def]
    """Expand states from the head of the queue.  Returns how many."""
    return _expand(
        cursor[EXPAND], _address(width, store.states, cursor[HEAD]),
        min(cursor[NEXT] - cursor[HEAD], batch.ends.shape[0]), batch.actions.shape[0] - cursor[SUCCESSORS],
        batch.words.ctypes.data, batch.actions.ctypes.data, batch.ends.ctypes.data, batch.overflows.ctypes.data,
    )


@_compiled
def _fetch(width, bits, store, batch, count):  # type: ignore[no-untyped-def]
    """Hash the successors, and ask for all that will be needed to look them up."""
    low = (np.int64(1) << bits) - 1
    words, hashes, guesses, table = batch.words, batch.hashes, batch.guesses, store.table
    slots, states = np.int64(store.table.ctypes.data), np.int64(store.states.ctypes.data)
    for i in range(count):
        mixed = _hash(width, words, i * len(width))
        hashes[i] = mixed
        _prefetch(slots + 4 * (mixed >> (32 - bits)))
    for i in range(count):
        mixed = np.int64(hashes[i])
        slot, tag = mixed >> (32 - bits), (mixed << bits) & 0xFFFFFFFF
        guess = np.int64(0)
        for ahead in range(_GUESSES - 1, -1, -1):
            entry = np.int64(table[(slot + ahead) & low])
            guess = entry & low if entry & ~low == tag else guess
        guesses[i] = guess
        _prefetch(states + 8 * len(width) * guess)


@_compiled
def _sift(width, store, batch, ranges, count):  # type: ignore[no-untyped-def]
    """List the successors that need a closer look.  Returns how many.

    Most successors are known states that were guessed rightly, and are watched by nobody.  They are told without a
    branch, because the processor would guess it wrong time and again.
    """
    states, words, actions, guesses, rest = store.states, batch.words, batch.actions, batch.guesses, batch.rest
    found = 0
    for i in range(count):
        number, action = np.int64(guesses[i]), np.int64(actions[i])
        unlike = np.uint64(ranges[action, 1] - ranges[action, 0])
        for w in range(len(width)):
            unlike |= words[i * len(width) + w] ^ states[number * len(width) + w]
        rest[found] = i
        found += (unlike != 0) | (number == 0)
    return found


@_inlined
def _finish(cursor, overflows):  # type: ignore[no-untyped-def]
    """Count what is known when the state at the head of the queue has been expanded."""
    if overflows > 0:
        cursor[OVERFLOWS] += overflows
    elif overflows < 0 and cursor[DEADLOCK] == 0:
        cursor[DEADLOCK] = cursor[HEAD]
    cursor[HEAD] += 1
    if cursor[HEAD] == cursor[LEVEL_END] and cursor[NEXT] > cursor[HEAD]:
        cursor[LEVEL_END] = cursor[NEXT]
        cursor[DEPTH] += 1


@_compiled
def _settle(width, cursor, store, batch, watch, expanded, rest):  # type: ignore[no-untyped-def]
    """Look up what was not known at first sight, add what is new, and count the states as expanded.

    Returns whether a monitor hit, and the last state of the batch that counts.
    """
    states, table, words, left, bits = store.states, store.table, batch.words, batch.rest, cursor[SLOT_BITS]
    at, hit = 0, False
    for k in range(expanded):
        parent = cursor[HEAD]
        while at < rest and left[at] < batch.ends[k]:
            i = np.int64(left[at])
            action, mixed = np.int64(batch.actions[i]), np.int64(batch.hashes[i])
            if watch.ranges[action, 0] < watch.ranges[action, 1]:
                hit |= _look_at_step(width, states, watch, parent, action)
            found = _find(width, bits, states, table, words, i * len(width), mixed)
            if found < 0:
                _add(width, cursor, store, ~found, words, i * len(width), mixed, parent, action)
                if cursor[WATCHED] > 0:
                    hit |= _look(width, cursor, states, watch.states, watch.hits, cursor[NEXT] - 1)
            at += 1
        _finish(cursor, batch.overflows[k])
        if hit or cursor[NEXT] > cursor[LIMIT]:
            return hit, k
    return hit, expanded - 1


@_compiled
def advance(width, cursor, fired, store, batch, watch):  # type: ignore[no-untyped-def]
    """Expand until the budget is spent, a monitor has hit, or nothing is left or allowed.

    What was hit takes effect between two expanded states: the rest of the batch is thrown away, and expanded again
    by the next call.  Returns whether a monitor hit.
    """
    hit = False
    budget = cursor[HEAD] + cursor[BUDGET]
    while cursor[HEAD] < min(budget, cursor[NEXT]) and cursor[NEXT] + batch.actions.shape[0] <= cursor[CAPACITY]:
        expanded = _expand_next(width, cursor, store, batch)
        if expanded < 0:
            cursor[FAULT] = expanded
            break
        total = batch.ends[expanded - 1]
        _fetch(width, cursor[SLOT_BITS], store, batch, total)
        rest = _sift(width, store, batch, watch.ranges, total)
        hit, last = _settle(width, cursor, store, batch, watch, expanded, rest)
        for i in range(batch.ends[last]):
            fired[batch.actions[i]] += 1
        cursor[TRANSITIONS] += batch.ends[last]
        if hit or cursor[NEXT] > cursor[LIMIT]:
            break
    return hit


@_compiled
def rebuild(width, cursor, store):  # type: ignore[no-untyped-def]
    """Enter every state into an empty table."""
    bits = cursor[SLOT_BITS]
    hashes = np.empty(_STRIDE, np.int64)
    last = (np.int64(1) << bits) - 1
    for start in range(1, cursor[NEXT], _STRIDE):
        end = min(start + _STRIDE, cursor[NEXT])
        for number in range(start, end):
            hashes[number - start] = _hash(width, store.states, number * len(width))
            _prefetch(np.int64(store.table.ctypes.data) + 4 * (hashes[number - start] >> (32 - bits)))
        for number in range(start, end):
            mixed = hashes[number - start]
            slot = mixed >> (32 - bits)
            while store.table[slot] != 0:
                slot = (slot + 1) & last
            store.table[slot] = ((mixed << bits) & 0xFFFFFFFF) | number


@_compiled
def edges(width, cursor, store, batch, start, targets, actions):  # type: ignore[no-untyped-def]
    """The transitions of the states from the head of the queue, written from ``start`` on.  Returns their end.

    Expands one batch, and leaves in it how many there are of each state.  Every state must have been expanded before.
    """
    expanded = _expand_next(width, cursor, store, batch)
    count, bits = batch.ends[expanded - 1], cursor[SLOT_BITS]
    _fetch(width, bits, store, batch, count)
    for i in range(count):
        mixed = np.int64(batch.hashes[i])
        targets[start + i] = _find(width, bits, store.states, store.table, batch.words, i * len(width), mixed)
        actions[start + i] = batch.actions[i]
    cursor[HEAD] += expanded
    return start + count


@_compiled
def mark(width, cursor, store, condition, out):  # type: ignore[no-untyped-def]
    """Of which states the compiled condition at an address holds."""
    for number in range(1, cursor[NEXT]):
        out[number] = _holds(condition, _address(width, store.states, number)) != 0
