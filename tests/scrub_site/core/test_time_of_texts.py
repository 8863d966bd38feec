"""At every door through which somebody's text comes in, no text takes long, whatever it is made of."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

import pytest

from annotation.judging.forms.judging import given_from_json
from annotation.platform.core import limits
from annotation.platform.core.errors import Refused
from annotation.platform.core.table_import import read
from annotation.platform.core.text import clean, count_words
from annotation.platform.core.toml_files import read_toml
from annotation.texts.core.comparison import compare
from annotation.texts.core.leaks.scan import scan
from annotation.texts.core.normalisation import normalise
from annotation.writing.forms.writing import MAX_BYTES, Malformed, TooLong, save_from_json
from generation.calls.core.json_replies import Unreadable, read_json
from generation.prompts.core.prompt_replies import (
    MAX_QUESTION_LENGTH,
    BadBundle,
    WrittenBundle,
    WrittenPrompt,
    read_bundle,
    tagged,
)
from generation.prompts.core.sentences import count_sentences
from generation.sources.core.concepts import MAX_QUOTE_LENGTH, check_quote
from tests.adversaries import ALPHABETS, least_seconds, slowness, text_of
from tests.thorough import IS_THOROUGH

SECONDS: Final = 0.2
SHORT, LONG, TIMES_AS_LONG = 10_000, 100_000, 12.0
AGAIN: Final = 9  # times that what seems to take long is measured again
# Of all alphabets, or of some: long texts take long to measure.
AT_THE_CAP: Final = dict(list(ALPHABETS.items())[:: 1 if IS_THOROUGH else 2])
AT_LENGTH: Final = dict(list(ALPHABETS.items())[:: 1 if IS_THOROUGH else 6])
COMPARISONS: Final = 3
MEASURABLE: Final = 0.05  # seconds; what takes less for `LONG` characters is quick enough in any case

FAULTS: Final = (Refused, Malformed, TooLong, Unreadable, BadBundle)


@dataclass(frozen=True)
class Door:
    """What takes a text in, with the most characters, or bytes where it takes those, that it reads."""

    take: Callable[[str], object]
    most: int


def _bytes(text: str) -> bytes:
    return text.encode(errors="replace")


def _question(text: str) -> object:
    return read_bundle(tagged(WrittenBundle("a", (WrittenPrompt(text, text, text),))), number=1)


DOORS: Final = {
    "cleaning": Door(clean, limits.ANSWER_CHARACTERS),
    "words": Door(count_words, limits.ANSWER_CHARACTERS),
    "normalisation": Door(normalise, limits.ANSWER_CHARACTERS),
    "leak scan": Door(lambda text: scan(text, names=["Ada Aa"]), limits.ANSWER_CHARACTERS),
    "comparison": Door(lambda text: compare(text, text[::-1]), limits.ANSWER_CHARACTERS),
    "TOML": Door(read_toml, limits.TOML_BYTES),
    "TOML in a list": Door(lambda text: read_toml(f"a = [{text}"), limits.TOML_BYTES),
    "CSV": Door(lambda text: read(_bytes(text)), limits.TABLE_BYTES),
    "CSV below names": Door(lambda text: read(b"a,b\n" + _bytes(text)), limits.TABLE_BYTES),
    "JSON Lines": Door(lambda text: read(b'{"a": "b"}\n' + _bytes(text)), limits.TABLE_BYTES),
    "a model's JSON": Door(read_json, limits.REPLY_CHARACTERS),
    "a model's prompts": Door(lambda text: read_bundle(text, number=5), limits.REPLY_CHARACTERS),
    "a model's question": Door(_question, limits.REPLY_CHARACTERS // 4),
    "sentences": Door(count_sentences, MAX_QUESTION_LENGTH),
    "a quotation": Door(lambda text: check_quote(text[:MAX_QUOTE_LENGTH], text), limits.DOCUMENT_BYTES),
    "a save": Door(lambda text: save_from_json(_bytes(text)), MAX_BYTES),
    "scores": Door(lambda text: given_from_json(_bytes(text)), limits.REPLY_CHARACTERS),
}


def seconds(door: Door, text: str, *, times: int = 1) -> float:
    """The least time of so many that the door takes with a text."""

    def work() -> None:
        with suppress(*FAULTS):
            door.take(text)

    return least_seconds(work, times=times)


@pytest.mark.parametrize("name", DOORS)
def test_no_text_as_long_as_a_door_takes_needs_200_ms(name: str) -> None:
    door, too_long = DOORS[name], {}
    for alphabet, made_of in AT_THE_CAP.items():
        text = text_of(made_of, door.most)
        if seconds(door, text) <= SECONDS:
            continue
        least = seconds(door, text, times=AGAIN) / slowness()
        if least > SECONDS:
            too_long[alphabet] = round(least, 2)
    assert too_long == {}


def _is_in_proportion(door: Door, short: str, long: str) -> bool:
    """A busy machine lengthens either of the two: the least of several times is the text's own."""
    if seconds(door, long) <= MEASURABLE:
        return True
    most = TIMES_AS_LONG * seconds(door, short, times=COMPARISONS)
    return any(seconds(door, long) <= most for _ in range(COMPARISONS))


@pytest.mark.parametrize("name", DOORS)
def test_ten_times_the_text_takes_at_most_twelve_times_as_long(name: str) -> None:
    door = DOORS[name]
    texts = {alphabet: (text_of(made_of, SHORT), text_of(made_of, LONG)) for alphabet, made_of in AT_LENGTH.items()}
    too_long = [
        alphabet
        for alphabet, (short, long) in texts.items()
        if not any(_is_in_proportion(door, short, long) for _ in range(AGAIN))
    ]
    assert too_long == []
