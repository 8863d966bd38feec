"""One set of words says that there is no rating, in files of every kind."""

import pytest

from analysis.data.core.cell_numbers import FAILURES, NO_RATING, NOTHING
from analysis.data.core.pair_file import read_pairs
from analysis.data.core.rating_file import ColumnMap, read_ratings
from tests.folders import PROJECT

RATED = "rater,answer,depth\nr1,a1,{cell}\nr2,a1,4\nr3,a1,2\n"
COMPARED = "prompt,judge,model_a,model_b,winner\np1,j,x,y,{cell}\np2,j,x,y,first\n"


def written(word: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys((word, word.upper(), f" {word.capitalize()} ")))


@pytest.mark.parametrize("cell", [each for word in sorted(NO_RATING) for each in written(word)])
def test_every_word_for_no_rating_is_one_in_files_of_any_kind(cell: str) -> None:
    for said in (ColumnMap(), ColumnMap(dimensions=("depth",))):
        found = read_ratings(RATED.format(cell=cell).encode(), said).frame
        assert found["value"].dropna().tolist() == [4, 2]
        assert found["status"].tolist() == ["missing" if cell.strip().lower() in NOTHING else "failed", "", ""]
    pairs = read_pairs(COMPARED.format(cell=cell).encode(), ColumnMap())
    assert pairs.frame["value"].dropna().tolist() == [1, 0]
    assert [str(doubt) for doubt in pairs.doubts] == ["1 comparison without a verdict"]


@pytest.mark.parametrize("word", sorted(NO_RATING))
def test_a_word_that_was_given_a_code_is_a_rating_all_the_same(word: str) -> None:
    said = ColumnMap(dimensions=("depth",), codes={word: 0})
    assert read_ratings(RATED.format(cell=word).encode(), said).frame["value"].tolist() == [0, 4, 2]
    pairs = read_pairs(COMPARED.format(cell=word).encode(), ColumnMap(codes={word: 0}))
    assert pairs.frame[pairs.frame["respondent"] == "x"]["value"].tolist() == [0, 1]


@pytest.mark.parametrize(("word", "cell"), [("-99", "-99.0"), ("−99", "-99"), ("99.0", "99"), ("Oops", "oops")])
def test_a_word_of_ones_own_for_no_rating_is_known_however_it_is_written(word: str, cell: str) -> None:
    said = ColumnMap(failures=frozenset((word,)))
    assert read_ratings(RATED.format(cell=cell).encode(), said).frame["status"].tolist() == ["failed", "", ""]
    pairs = read_pairs(COMPARED.format(cell=cell).encode(), said)
    assert pairs.frame["value"].dropna().tolist() == [1, 0]


def test_the_how_to_names_every_word_for_no_rating() -> None:
    text = (PROJECT / "docs" / "how-to" / "analyse-judgments.md").read_text(encoding="utf-8").casefold()
    assert [word for word in sorted(NOTHING | FAILURES) if word and f"`{word}`" not in text] == []
