"""Texts on a plane by the words that they share."""

import numpy as np
import pytest

from generation.prompts.core.prompt_map import Vectors
from generation.prompts.providers.embeddings import LEXICAL, LEXICAL_DIMENSIONS, PCA, methods, projections

lexical = methods()[LEXICAL].vectors
plane = projections()[PCA].places
ALL = slice(None)


def distance(rows: Vectors, one: int, other: int) -> float:
    return float(np.linalg.norm(rows[one] - rows[other]))


def test_texts_that_share_a_rare_word_are_closer_than_those_that_share_a_common_one() -> None:
    rows = lexical(["oath of kin and law", "oath before law", "rent and law", "rent paid by law"])
    assert distance(rows, 0, 1) < distance(rows, 0, 2)
    assert distance(rows, 2, 3) < distance(rows, 1, 3)


def test_words_of_one_letter_and_numbers_say_nothing() -> None:
    assert distance(lexical(["a vote 12", "a tax 12", "vote b", "tax c"]), 0, 2) == pytest.approx(0)


def test_many_dimensions_are_cut_to_the_main_ones() -> None:
    rng = np.random.default_rng(7)
    words = [f"{chr(97 + one)}{chr(97 + two)}" for one in range(26) for two in range(10)]
    texts = [" ".join(rng.choice(words, 30)) for _ in range(300)]

    rows = lexical(texts)

    assert rows.shape == (300, LEXICAL_DIMENSIONS)
    assert np.array_equal(rows, lexical(texts))


def test_the_plane_lies_where_the_leaders_differ_most() -> None:
    # The leaders spread 8 along x and 2 along y about (4, 1); what follows is far away on a third axis.
    rows = np.array([[0, 0, 0], [8, 0, 0], [8, 2, 0], [0, 2, 0], [4, 1, 99]], dtype=float)

    places = plane(rows, slice(4))

    assert np.abs(places) == pytest.approx(np.array([[4, 1], [4, 1], [4, 1], [4, 1], [0, 0]]), abs=1e-9)


def test_the_plane_is_exact_however_many_texts_there_are() -> None:
    # No direction stands out, which is where approximations go astray.
    rows = np.random.default_rng(3).normal(size=(600, 150))

    centred = rows - rows.mean(axis=0)
    _, _, directions = np.linalg.svd(centred, full_matrices=False)

    assert np.abs(plane(rows, ALL)) == pytest.approx(np.abs(centred @ directions[:2].T), abs=1e-9)


def test_a_fault_of_the_library_is_no_empty_map(monkeypatch: pytest.MonkeyPatch) -> None:
    def fault(*_: object) -> None:
        raise ValueError("numbers went astray")

    monkeypatch.setattr("sklearn.feature_extraction.text.TfidfVectorizer.fit_transform", fault)
    with pytest.raises(ValueError, match="astray"):
        lexical(["a vote on rent", "a vote on debt"])


@pytest.mark.parametrize("texts", [["debt"], ["debt", "rent"], ["debt debt", "debt"], ["", ""]])
def test_texts_without_anything_to_tell_them_apart_lie_in_one_place(texts: list[str]) -> None:
    assert plane(lexical(texts), ALL) == pytest.approx(np.zeros((len(texts), 2)))
