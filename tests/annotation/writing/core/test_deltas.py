from itertools import accumulate, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.writing.core.deltas import Delta, Mismatch, apply, between

# Few letters, so that texts overlap; one beyond the basic plane, which is one code point in Python.
texts = st.text("ab \n😀", max_size=30)


@pytest.mark.parametrize(
    ("old", "new", "delta"),
    [
        ("", "", Delta(0, 0, "")),
        ("", "Once", Delta(0, 0, "Once")),
        ("Once", "", Delta(0, 4, "")),
        ("same", "same", Delta(4, 0, "")),
        ("one three", "one two three", Delta(5, 0, "wo t")),  # "one t|wo t|hree"
        ("a fair rule", "an unfair rule", Delta(1, 1, "n un")),
        ("towns", "town", Delta(4, 1, "")),
        ("aaa", "aa", Delta(2, 1, "")),
        ("cold", "bold", Delta(0, 1, "b")),
        ("😀 fair", "😀 unfair", Delta(2, 0, "un")),
    ],
)
def test_a_delta_replaces_only_what_lies_between_the_common_ends(old: str, new: str, delta: Delta) -> None:
    assert between(old, new) == delta


@given(texts, texts)
def test_a_delta_leads_from_the_old_text_to_the_new_one(old: str, new: str) -> None:
    assert apply(old, between(old, new)) == new


@given(texts, texts)
def test_a_delta_inserts_and_deletes_no_more_than_it_must(old: str, new: str) -> None:
    delta = between(old, new)
    assert len(new) - len(old) == len(delta.insert) - delta.delete
    removed = old[delta.at : delta.at + delta.delete]
    if removed and delta.insert:
        assert removed[0] != delta.insert[0]
        assert removed[-1] != delta.insert[-1]


@given(st.lists(texts, min_size=1, max_size=8))
def test_every_saved_text_can_be_had_back_from_the_deltas(saves: list[str]) -> None:
    deltas = [between(old, new) for old, new in pairwise(["", *saves])]
    assert list(accumulate(deltas, apply, initial="")) == ["", *saves]


@pytest.mark.parametrize(
    ("text", "delta"), [("town", Delta(4, 1, "")), ("", Delta(1, 0, "a")), ("a", Delta(0, 2, ""))]
)
def test_a_delta_for_a_longer_text_is_refused(text: str, delta: Delta) -> None:
    with pytest.raises(Mismatch, match=f"in {len(text)} characters"):
        apply(text, delta)
