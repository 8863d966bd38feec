import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.platform.core.text import MAX_STACKED, clean, count_words, sha256_hex
from tests.folders import VECTORS
from tests.thorough import examples

WORDS = json.loads((VECTORS / "words.json").read_text("utf-8"))

any_text = st.text(st.one_of(st.characters(), st.sampled_from("\x00\r\n\x0b\u200b\u00ad\ufeff\u2028e\u0301\ud800")))


@pytest.mark.parametrize(
    ("entered", "stored"),
    [
        ("a\x00b\x07c\x7fd\x9be", "abcde"),
        ("tab\tand\nline stay", "tab\tand\nline stay"),
        ("dos\r\nmac\runix\n", "dos\nmac\nunix\n"),
        ("form\x0cvertical\x0bnel\x85line\u2028paragraph\u2029", "form\nvertical\nnel\nline\nparagraph\n"),
        ("\r\x00\n", "\n"),
        ("\ufeffze\u200bro\u2060wi\u00addth", "zerowidth"),
        ("\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"),
        ("👩\u200d🔬", "👩\u200d🔬"),
        ("lone \ud83d surrogate", "lone \ufffd surrogate"),
        ("e\u0301tat", "état"),
    ],
)
def test_cleaning_keeps_what_can_be_read_and_drops_the_rest(entered: str, stored: str) -> None:
    assert clean(entered) == stored


@examples(300)
@given(any_text)
def test_cleaning_twice_changes_nothing_more(text: str) -> None:
    assert clean(clean(text)) == clean(text)


@examples(300)
@given(any_text)
def test_a_cleaned_text_can_always_be_stored_and_hashed(text: str) -> None:
    cleaned = clean(text)
    assert "\x00" not in cleaned
    assert "\r" not in cleaned
    assert len(sha256_hex(cleaned)) == 64


@pytest.mark.parametrize("vector", WORDS, ids=lambda vector: repr(vector["text"])[:40])
def test_words_are_counted_as_in_the_vectors_shared_with_the_browser(vector: dict[str, object]) -> None:
    assert count_words(str(vector["text"])) == vector["words"]


@examples(100)
@given(st.lists(st.text("abc'-é9", min_size=1).filter(lambda word: word.strip("'-") and "--" not in word)))
def test_words_joined_by_any_white_space_are_all_counted(words: list[str]) -> None:
    assert count_words("\u00a0\n ".join(words)) == len(words)


def test_a_long_run_of_punctuation_is_counted_in_linear_time() -> None:
    assert count_words("-." * 200_000 + "!" * 200_000) == 0


def test_the_fingerprint_is_that_of_the_utf8_bytes() -> None:
    # printf 'é' | sha256sum, the bytes C3 A9
    assert sha256_hex("é") == "4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c"


def test_a_stack_of_more_marks_than_any_script_has_is_parted_and_keeps_every_mark() -> None:
    stack = "\u0301\u0323" * MAX_STACKED
    cleaned = clean(f"a{stack}b")
    assert cleaned.count("\u034f") == 1
    assert sorted(unicodedata.normalize("NFD", cleaned.replace("\u034f", ""))) == sorted(f"a{stack}b")
    assert clean(cleaned) == cleaned


def test_as_many_marks_as_may_be_stacked_stay_together() -> None:
    assert "\u034f" not in clean("a" + "\u0323" * MAX_STACKED)
