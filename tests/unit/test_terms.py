"""Terms: hash-consing, folding, and the refusal to become control flow."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.readings.evaluate import evaluate
from model.terms import (
    BOOL,
    FALSE,
    INT,
    TRUE,
    Sort,
    SymbolicConditionError,
    Term,
    add,
    and_,
    const,
    count,
    eq,
    implies,
    ite,
    le,
    leaves,
    not_,
    number,
    or_,
    substitute,
    subtract,
    variable,
)

COLOUR = Sort("colour", ("red", "green", "blue"))
X, Y = variable("x", COLOUR), variable("y", COLOUR)
N, J = variable("i", INT, low=0, high=3), variable("j", INT, low=-1, high=2)
P, Q, R = (variable(name, BOOL) for name in "pqr")


def test_equal_structure_is_one_object():
    assert and_(P, Q) is and_(Q, P)
    assert X.is_("red") is eq(variable("x", COLOUR), const(COLOUR, "red"))


def test_variables_of_one_key_and_other_domains_are_told_apart():
    assert variable("i", INT, low=0, high=3) is not variable("i", INT, low=0, high=2)


def test_a_domain_of_one_value_is_a_constant():
    assert variable("x", COLOUR, mask=0b010) is const(COLOUR, "green")
    assert variable("i", INT, low=2, high=2) is number(2)


@pytest.mark.parametrize(("term", "folded"), [
    (and_(P, not_(P)), FALSE),
    (or_(P, not_(P)), TRUE),
    (and_(X.is_("red"), X.is_("blue")), FALSE),
    (and_(X.is_("red"), X.isnt("blue")), X.is_("red")),
    (or_(X.isnt("red"), X.isnt("blue")), TRUE),
    (and_(P, or_(P, Q)), P),
    (ite(P, X, X), X),
    (ite(not_(P), X, Y), ite(P, Y, X)),
    (N <= 3, TRUE),
    (N > 3, FALSE),
    (eq(N + 1, number(9)), FALSE),
    (N - N, number(0)),
    (implies(FALSE, P), TRUE),
])
def test_folding(term: Term, folded: Term):
    assert term is folded


def test_the_truth_of_a_symbolic_term_is_refused():
    with pytest.raises(SymbolicConditionError, match="not known"):
        bool(P)
    with pytest.raises(SymbolicConditionError):
        if N <= 2:
            raise AssertionError("a condition became control flow")


def test_comparing_other_sorts_is_refused():
    with pytest.raises(TypeError, match="cannot compare"):
        eq(N, X)


def test_a_value_outside_the_sort_is_never_equal():
    assert X.is_("mauve") is FALSE
    assert X.among(["mauve", "red"]) is X.is_("red")


def test_substitution_simplifies():
    assert substitute(and_(P, X.is_("red")), {"x": const(COLOUR, "red")}) is P


def test_leaves_are_the_values_a_choice_can_yield():
    assert set(leaves(ite(P, number(1), ite(Q, N, number(2))))) == {number(1), N, number(2)}


TERMS = st.recursive(
    st.sampled_from([P, Q, R, TRUE, FALSE, X.is_("red"), Y.isnt("blue"), eq(X, Y), N <= 1, le(J, N)]),
    lambda inner: st.one_of(
        st.builds(not_, inner), st.builds(and_, inner, inner, inner), st.builds(or_, inner, inner),
        st.builds(lambda c, a, b: eq(ite(c, a, b), const(COLOUR, "red")), inner, st.sampled_from([X, Y]),
                  st.sampled_from([X, const(COLOUR, "green")])),
        st.builds(lambda a, b: le(count([a, b]), subtract(N, J)), inner, inner),
        st.builds(lambda a, b, c: ite(a, b, c), inner, inner, inner),
    ), max_leaves=12)


@given(TERMS)
def test_simplification_keeps_the_meaning(term: Term):
    """Substituting values one after another comes to the same as evaluating at once, for every assignment."""
    sample = itertools.islice(itertools.product((0, 1), (0, 1), (0, 1), (0, 2), (1, 2), (0, 3), (-1, 2)), 0, None, 7)
    for p, q, r, x, y, i, j in sample:
        codes = {"p": p, "q": q, "r": r, "x": x, "y": y, "i": i, "j": j}
        constants = {"p": TRUE if p else FALSE, "q": TRUE if q else FALSE, "r": TRUE if r else FALSE,
                     "x": const(COLOUR, COLOUR.members[x]), "y": const(COLOUR, COLOUR.members[y]),
                     "i": number(i), "j": number(j)}
        folded = substitute(term, constants)
        assert folded.is_constant
        assert int(bool(folded)) == evaluate(term, codes)


def test_sums_know_their_bounds():
    total = add(N, J, number(2))
    assert (total.low, total.high) == (1, 7)
