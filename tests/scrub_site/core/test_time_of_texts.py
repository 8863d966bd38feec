"""At every door through which somebody's text comes in, no text takes long, whatever it is made of."""

import json
import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Final

import pytest

from annotation.benchmarks.core.contents import read_contents
from annotation.benchmarks.core.layouts import Files, LayoutName
from annotation.judging.forms.judging import given_from_json
from annotation.platform.core import limits
from annotation.platform.core.errors import Refused
from annotation.platform.core.table_import import read
from annotation.platform.core.text import clean, count_words
from annotation.platform.core.toml_files import read_toml
from annotation.study.core.instrument import parse as parse_instrument
from annotation.study.core.rubric import parse as parse_rubric
from annotation.texts.core.comparison import compare
from annotation.texts.core.leaks.scan import scan
from annotation.texts.core.normalisation import normalise
from annotation.writing.forms.writing import MAX_BYTES, Malformed, TooLong, save_from_json
from generation.calls.core.json_replies import Unreadable, read_json
from generation.framing.core.conditions import read_conditions
from generation.prompts.core.prompt_replies import (
    MAX_QUESTION_LENGTH,
    BadBundle,
    WrittenBundle,
    WrittenPrompt,
    read_bundle,
    tagged,
)
from generation.prompts.core.sentences import count_sentences
from generation.sources.core.concept_files import read_concepts
from generation.sources.core.concept_proposals import read_proposals
from generation.sources.core.concepts import MAX_QUOTE_LENGTH, check_quote
from generation.trials.core.conclusion_requests import read_conclusion
from generation.trials.core.conditions import read_trial_conditions
from generation.trials.core.requests import PARTS, read_answer
from generation.trials.core.scenarios import read_scenarios
from tests.adversaries import ALPHABETS, least_ordinary_seconds, least_seconds, text_of
from tests.thorough import IS_THOROUGH

MAX_SECONDS: Final = 0.2 if IS_THOROUGH else 0.5  # a long run has the machine for itself
SHORT, LONG, TIMES_AS_LONG = 10_000, 100_000, 12.0
OF_A_BENCHMARK: Final = 50_000  # bytes of a file, which a child may read for ten seconds
AGAIN: Final = 9  # times that what seems to take long is measured again
# Of all alphabets, or of some: long texts take long to measure.
AT_THE_CAP: Final = list(ALPHABETS.items())[:: 1 if IS_THOROUGH else 2]
BEHIND_ANOTHER_DOOR: Final = 4  # one in so many, where the text has to pass one that all of them are tried at
AT_LENGTH: Final = dict(list(ALPHABETS.items())[:: 1 if IS_THOROUGH else 12])
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


def _wrapped(names: Iterable[str], text: str) -> str:
    """A reply in which every name has the text for its value."""
    return json.dumps(dict.fromkeys(names, text), ensure_ascii=False)


def _scenarios_in_toml(text: str) -> object:
    return read_scenarios(_bytes(f'[[scenarios]]\nkey = "a"\nfacts = ["{text}'))


def _benchmark(layout: LayoutName, before: str = "") -> Callable[[str], object]:
    def take(text: str) -> object:
        given: Files = {"questions": ("a.csv", BytesIO(_bytes(before + text))), "labels": ("a.lst", BytesIO(b"1"))}
        return read_contents(layout, given)

    return take


def _proposals(text: str) -> object:
    concept = dict.fromkeys(("theme", "name", "interpretation"), text) | {
        "quotes": [{"text": text, "citation": text}]
    }
    return read_proposals(json.dumps({"concepts": [concept]}, ensure_ascii=False), number=1)


_OFFERED: Final = ("a", "b")
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
    "a rubric": Door(parse_rubric, limits.TOML_BYTES),
    "an instrument": Door(parse_instrument, limits.TOML_BYTES),
    "concepts": Door(lambda text: read_concepts({"a.toml": _bytes(text)}), limits.TOML_BYTES),
    "framings' conditions": Door(read_conditions, limits.TOML_BYTES),
    "trials' conditions": Door(read_trial_conditions, limits.TOML_BYTES),
    "trials' scenarios": Door(lambda text: read_scenarios(b"key,facts\na," + _bytes(text)), limits.TABLE_BYTES),
    "trials' scenarios in TOML": Door(_scenarios_in_toml, limits.TOML_BYTES - 100),
    "a trial's answer": Door(lambda text: read_answer(_wrapped(PARTS, text)), limits.REPLY_CHARACTERS // 4),
    "proposals of concepts": Door(_proposals, limits.REPLY_CHARACTERS // 5),
    "a benchmark of statements": Door(_benchmark("tomi"), OF_A_BENCHMARK),
    "a trial's conclusion": Door(
        lambda text: read_conclusion(_wrapped(["category"], text), _OFFERED), limits.REPLY_CHARACTERS // 2
    ),
}
if IS_THOROUGH:  # what is slow in a table is slow in any, and these are tried
    DOORS["a benchmark's table"] = Door(_benchmark("table", "question,answer,options\na,b,"), OF_A_BENCHMARK)
IN_TOML: Final = ("a rubric", "an instrument", "concepts", "framings' conditions", "trials' conditions")
READERS: Final = {
    "annotation/study/core/rubric.py": "a rubric",
    "annotation/study/core/instrument.py": "an instrument",
    "generation/sources/core/concept_files.py": "concepts",
    "generation/sources/core/concept_proposals.py": "proposals of concepts",
    "generation/framing/core/conditions.py": "framings' conditions",
    "generation/trials/core/conditions.py": "trials' conditions",
    "generation/trials/core/scenarios.py": "trials' scenarios",
    "generation/trials/core/requests.py": "a trial's answer",
    "generation/trials/core/conclusion_requests.py": "a trial's conclusion",
    # What these do with what they read is done for each of few names once.
    "generation/framing/core/requests.py": "a model's JSON",
    "generation/readings/core/readings.py": "a model's JSON",
    "generation/prompts/core/vote_replies.py": "a model's JSON",
    "generation/benchmarks/core/rephrasing.py": "a model's JSON",
    "generation/panel/core/panel_replies.py": "a model's JSON",
}
"""The door that each module which reads TOML or JSON by the parts for all is tried through. Files of ratings,
benchmarks and sources are read in a child that can be killed."""

ROOT: Final = Path(__file__).resolve().parents[3]
_READS: Final = re.compile(r"(?<!def )\b(?:read_toml|read_json)\(")


def test_no_module_reads_what_somebody_sends_through_no_door() -> None:
    found = {
        str(path.relative_to(ROOT))
        for part in ("annotation", "analysis", "generation", "scrub_site")
        for path in (ROOT / part).rglob("*.py")
        if _READS.search(path.read_text("utf-8"))
    }
    assert found == READERS.keys()
    assert DOORS.keys() >= set(READERS.values())


def taking(door: Door, text: str) -> Callable[[], None]:
    def take() -> None:
        with suppress(*FAULTS):
            door.take(text)

    return take


def seconds(door: Door, text: str, *, times: int = 1) -> float:
    """The least time of so many that the door takes with a text."""
    return least_seconds(taking(door, text), times=times)


@pytest.mark.parametrize("name", DOORS)
def test_no_text_as_long_as_a_door_takes_needs_long(name: str) -> None:
    door, too_long = DOORS[name], {}
    number, step = [*DOORS].index(name), BEHIND_ANOTHER_DOOR if name in IN_TOML and not IS_THOROUGH else 1
    for alphabet, made_of in AT_THE_CAP[number % step :: step]:
        text = text_of(made_of, door.most)
        if seconds(door, text) <= MAX_SECONDS:
            continue
        least = least_ordinary_seconds(taking(door, text), times=AGAIN)
        if least > MAX_SECONDS:
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
