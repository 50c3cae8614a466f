"""The recorder: guards, conditional writes, overflow, and what a guard lets it assume."""

from __future__ import annotations

import pytest

from model.state import Disabled, Domain, Family, Schema, State
from model.terms import BOOL, FALSE, INT, TRUE, Sort, ite

SIDE = Sort("side", ("up", "down"))
STATUS = Family("status", lambda setup, o: (Domain.full(SIDE), 0))
TAPPED = Family("tapped", lambda setup, o: (Domain.full(BOOL), 0))
MANA = Family("mana", lambda setup: (Domain(INT, 0, 3), 2))


@pytest.fixture
def state() -> State:
    return State(Schema(None), lambda v: v.domain.term(v))


def test_reads_see_writes(state: State):
    state[TAPPED, "a"] = True
    assert state[TAPPED, "a"] is TRUE
    assert state.before(TAPPED, "a") is not TRUE


def test_conditional_writes_merge(state: State):
    up = state[STATUS, "a"].is_("up")
    with state.when(up):
        state[STATUS, "a"] = "down"
    after = state[STATUS, "a"]
    assert after.is_("down") is TRUE


def test_a_write_under_a_false_condition_is_none(state: State):
    with state.when(FALSE) as live:
        state[TAPPED, "a"] = True
    assert not live
    assert not state.writes


def test_a_guard_that_is_false_stops_the_rule(state: State):
    with pytest.raises(Disabled) as caught:
        state.require(FALSE, "the moon is full", "999.9")
    assert caught.value.requirement.rule == "999.9"


def test_a_guard_pins_what_is_read_afterwards(state: State):
    state.require(state[STATUS, "a"].is_("down"), "it is face down", "708.2")
    assert state[STATUS, "a"].is_constant
    state.require(state[MANA,] >= 2, "there is mana", "118.3")
    assert (state[MANA,] - 2).low == 0


def test_leaving_a_range_is_an_overflow(state: State):
    state[MANA,] = state[MANA,] + 1
    assert state.overflow is not FALSE
    state.require(state[MANA,] <= 3, "it fits", "118.3")


def test_what_stays_within_its_range_is_no_overflow(state: State):
    state.require(state[MANA,] <= 2, "there is room", "106.4")
    state[MANA,] = state[MANA,] + 1
    assert state.overflow is FALSE


def test_guards_under_a_condition_are_implications(state: State):
    up = state[STATUS, "a"].is_("up")
    with state.when(up):
        state.require(state[TAPPED, "a"], "it is tapped", "1.1")
    assert state.requirements[0].condition is (~up | state[TAPPED, "a"])


def test_derived_values_are_dropped_by_a_write_that_may_change_them(state: State):
    state.derived["look"] = "stale"
    state[TAPPED, "a"] = ite(state[STATUS, "a"].is_("up"), TRUE, state[TAPPED, "a"])
    assert not state.derived


def test_domains_clip_and_join():
    low, high = Domain(INT, 0, 1), Domain(INT, 3, 4)
    assert low.union(high) == Domain(INT, 0, 4)
    assert Domain(INT, 7, 9).clip(high) == Domain(INT, 4, 4)
    assert 2 not in high
