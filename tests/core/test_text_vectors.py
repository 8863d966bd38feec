"""Texts as numbers: weights by hand, and what holds for any texts."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.core.text_vectors import DIMENSIONS, Vectors, lexical_vectors, principal_plane, tf_idf

WORDS = st.sampled_from("debt rent rule vote fair kin oath tax".split())
TEXTS = st.lists(st.lists(WORDS, max_size=8).map(" ".join), min_size=1, max_size=12)
ALL = slice(None)


def distances(rows: Vectors) -> Vectors:
    return np.linalg.norm(rows[:, None] - rows[None], axis=2)


def test_weights_by_hand() -> None:
    # Words that two of the four texts or more have: fair (all four), rule (2), vote (2); "a" is too short for one.
    # ln(4/4) = 0 and ln(4/2) = ln 2; rule stands twice in the first: (1 + ln 2)·ln 2, vote once: ln 2.
    # Length 1: rule (1 + ln 2)/√((1 + ln 2)² + 1), vote 1/√((1 + ln 2)² + 1). "Fair" alone weighs nothing.
    texts = ["Fair rule, a rule: vote!", "fair RULE once", "fair vote only", "fair"]
    length = math.hypot(1 + math.log(2), 1)
    expected = [
        [0, (1 + math.log(2)) / length, 1 / length],
        [0, 1, 0],
        [0, 0, 1],
        [0, 0, 0],
    ]
    assert tf_idf(texts).toarray() == pytest.approx(np.array(expected))


@given(TEXTS)
def test_few_dimensions_lose_nothing(texts: list[str]) -> None:
    """With fewer words than dimensions the decomposition only turns the weights: all distances stay."""
    assert distances(lexical_vectors(texts)) == pytest.approx(distances(tf_idf(texts).toarray()), abs=1e-6)


def test_many_dimensions_are_cut_to_the_main_ones() -> None:
    rng = np.random.default_rng(7)
    words = [f"{chr(97 + one)}{chr(97 + two)}" for one in range(26) for two in range(10)]
    texts = [" ".join(rng.choice(words, 30)) for _ in range(300)]

    vectors = lexical_vectors(texts)

    # What the best decomposition keeps is the sum of its largest squared singular values: here a hair less.
    best = np.linalg.svd(tf_idf(texts).toarray(), compute_uv=False)[:DIMENSIONS]
    assert vectors.shape == (300, DIMENSIONS)
    assert 0.98 * (best**2).sum() < (vectors**2).sum() <= (best**2).sum() + 1e-9
    assert np.array_equal(vectors, lexical_vectors(texts))


def test_the_plane_lies_where_the_leaders_differ_most() -> None:
    # The leaders spread 8 along x and 2 along y about (4, 1); what follows is far away on a third axis.
    rows = np.array([[0, 0, 0], [8, 0, 0], [8, 2, 0], [0, 2, 0], [4, 1, 99]], dtype=float)

    places = principal_plane(rows, led_by=slice(4))

    assert np.abs(places) == pytest.approx(np.array([[4, 1], [4, 1], [4, 1], [4, 1], [0, 0]]), abs=1e-9)


def test_what_is_farthest_out_is_on_the_positive_side() -> None:
    rows = np.array([[-9.0, 1.0], [1.0, 0.0], [2.0, 0.5]])
    assert principal_plane(rows, led_by=ALL)[0, 0] > 0
    assert principal_plane(-rows, led_by=ALL) == pytest.approx(principal_plane(rows, led_by=ALL))


@pytest.mark.parametrize("texts", [["debt"], ["debt", "rent"], ["debt debt", "debt"], ["", ""]])
def test_texts_without_anything_to_tell_them_apart_lie_in_one_place(texts: list[str]) -> None:
    assert principal_plane(lexical_vectors(texts), led_by=ALL).tolist() == [[0, 0]] * len(texts)
