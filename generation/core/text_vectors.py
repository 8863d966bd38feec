"""Texts as numbers by the words they share, and many numbers as two."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

Vectors = npt.NDArray[np.float64]  # a row for each text

DIMENSIONS: Final = 100
SPARE_DIMENSIONS: Final = 10
ROUNDS: Final = 4
_WORD: Final = re.compile(r"[^\W\d_]{2,}")


def lexical_vectors(texts: Sequence[str]) -> Vectors:
    """TF-IDF over the words that two texts or more have, in at most `DIMENSIONS` dimensions (truncated SVD).

    Texts that share rare words are close to each other; a word that every text has says nothing.
    """
    weights = tf_idf(texts)
    basis = _main_directions(weights)
    inner = weights.T @ basis
    squares, directions = np.linalg.eigh(inner.T @ inner)
    vectors = (basis @ directions * np.sqrt(np.maximum(squares, 0)))[:, ::-1]
    return np.asarray(vectors[:, :DIMENSIONS], dtype=np.float64)


def _main_directions(weights: csr_array) -> Vectors:
    """An orthonormal basis of what the columns of `weights` span in the main, of a few directions more than wanted.

    Found by repeated multiplication from directions that are drawn, always the same ones.
    """
    width = min(DIMENSIONS + SPARE_DIMENSIONS, *weights.shape)
    basis = weights @ np.random.default_rng(0).standard_normal((weights.shape[1], width))
    for _ in range(ROUNDS):
        basis = _orthonormal(weights @ (weights.T @ _orthonormal(basis)))
    return np.asarray(basis, dtype=np.float64)


def _orthonormal(rows: Vectors) -> Vectors:
    """A basis of what the columns span. Several times as fast as a QR decomposition of so many rows."""
    squares, directions = np.linalg.eigh(rows.T @ rows)
    spanned = squares > 1e-10 * squares.max(initial=0)
    return np.asarray(rows @ (directions[:, spanned] / np.sqrt(squares[spanned])), dtype=np.float64)


def tf_idf(texts: Sequence[str]) -> csr_array:
    """(1 + ln count) · ln(texts / texts with the word), in rows of length 1; columns are words by alphabet."""
    counts = [Counter(_WORD.findall(text.casefold())) for text in texts]
    spread = Counter(word for own in counts for word in own)
    columns = {word: place for place, word in enumerate(sorted(word for word, n in spread.items() if n > 1))}
    rarity = np.log(len(texts) / np.array([spread[word] for word in columns], dtype=np.float64))
    cells = [
        (row, columns[word], count)
        for row, own in enumerate(counts)
        for word, count in own.items()
        if word in columns
    ]
    rows, places, numbers = np.array(cells, dtype=np.int64).reshape(-1, 3).T
    weights = (1 + np.log(numbers)) * rarity[places]
    lengths = np.sqrt(np.bincount(rows, weights**2, minlength=len(texts)))
    weights /= np.where(lengths > 0, lengths, 1)[rows]
    return csr_array((weights, (rows, places)), shape=(len(texts), len(columns)))


def principal_plane(vectors: Vectors, *, led_by: slice) -> Vectors:
    """The two directions in which those of `led_by` differ most (PCA), and where all lie in them: (texts, 2).

    In each direction the text that is farthest out is on the positive side: the same texts give the same plane.
    """
    leaders = vectors[led_by]
    centre = leaders.mean(axis=0)
    _, directions = np.linalg.eigh((leaders - centre).T @ (leaders - centre))
    places = (vectors - centre) @ directions[:, ::-1][:, :2]
    places = np.pad(places, ((0, 0), (0, 2 - places.shape[1])))
    farthest = np.abs(places).argmax(axis=0)
    return np.asarray(np.where(places[farthest, [0, 1]] < 0, -places, places), dtype=np.float64)
