"""Subsets of an audited benchmark, read again by the readers of its layout."""

import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import cast

import pytest

from annotation.benchmarks.core.items import Question
from annotation.benchmarks.core.layouts import LAYOUTS, Files, read
from annotation.benchmarks.core.subsets import Item, digest, members, written

EXAMPLES = Path("static/examples")


def questions_of(layout: str, files: dict[str, tuple[str, io.BytesIO]]) -> list[tuple[Question, str]]:
    reading = read(LAYOUTS[layout], cast(Files, files))
    assert not reading.problems
    found = [(question, story.text) for story in reading.stories for question in story.questions]
    return sorted(found, key=lambda pair: pair[0].line)


def example(layout: str) -> list[tuple[Question, str]]:
    required = [slot for slot in LAYOUTS[layout].slots if slot.is_required]
    return questions_of(
        layout,
        {
            slot.name: (name, io.BytesIO((EXAMPLES / name).read_bytes()))
            for slot, name in zip(required, LAYOUTS[layout].examples, strict=True)
        },
    )


def read_again(layout: str, items: Sequence[Item]) -> list[tuple[Question, str]]:
    files = {
        "trace" if name.endswith(".trace") else "labels" if name.endswith(".lst") else "questions": (
            name,
            io.BytesIO(data),
        )
        for name, data in written(layout, items).items()
    }
    return questions_of(layout, files)


def as_items(found: Sequence[tuple[Question, str]]) -> list[Item]:
    return [
        Item(number, story, question.options, question.raw)
        for number, (question, story) in enumerate(found, start=1)
    ]


def said(found: Sequence[tuple[Question, str]]) -> list[tuple[str, tuple[str, ...], str, str]]:
    return [(question.text, question.options, question.answer, story) for question, story in found]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_original_questions_are_read_again_as_they_were(layout: str) -> None:
    found = example(layout)
    again = read_again(layout, members("original", as_items(found)))
    assert said(again) == said(found)
    assert [question.kind for question, _ in again] == [question.kind for question, _ in found]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_correction_is_read_as_the_right_answer_and_nothing_else_changes(layout: str) -> None:
    found = example(layout)
    items = as_items(found)
    first = found[0][0]
    gold = next((option for option in first.options if option != first.answer), "cellar")
    items[0] = Item(1, items[0].story, items[0].options, items[0].raw, "structural", changes={"gold": gold})
    again = read_again(layout, members("corrected", items))
    assert again[0][0].answer == gold
    assert said(again)[1:] == said(found)[1:]
    if len(found) > 1:
        assert said(read_again(layout, members("cleaned", items))) == said(found)[1:]


WITH_ANOTHER_COLUMN: dict[str, dict[str, tuple[str, str]]] = {
    "socialiqa": {
        "questions": (
            "dev.jsonl",
            '{"id": 7, "share": NaN, "label": "C", "context": "Ann came.", "question": "Who?", "answerA": "Ann", '
            '"answerB": "Ben", "answerC": "Cid"}\n',
        ),
        "labels": ("dev.lst", "1\n"),
    },
    "tomi": {
        "questions": (
            "test.jsonl",
            '{"context": "1 Ann left.", "question": "2 Where?", "label": "box 1", "id": "7", "trace": ["a"]}\n',
        )
    },
    "fauxpas": {
        "questions": (
            "t.csv",
            "Story ID,id,Question ID,Story,Question,Answer,story_id\n1f,7,1,Ann left.,Who?,Ann,x\n",
        )
    },
    "table": {"questions": ("t.csv", "id,question,A,B,answer\n7,Who?,Ann,Ben,B\n")},
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_columns_that_nobody_reads_are_in_the_subsets_as_they_were(layout: str) -> None:
    files = WITH_ANOTHER_COLUMN[layout]
    found = questions_of(layout, {slot: (name, io.BytesIO(text.encode())) for slot, (name, text) in files.items()})
    again = read_again(layout, members("original", as_items(found)))
    assert [question.raw for question, _ in again] == [question.raw for question, _ in found]
    assert (found[0][0].raw.get("more") or found[0][0].raw["row"])["id"] in (7, "7")


def test_each_of_several_questions_below_a_story_is_written_as_it_would_stand_alone() -> None:
    below = "1 Nora left.\n2 Where is the kite really?\tbox\t1\n3 Where was the kite at the beginning?\tbox\t1\n"
    found = questions_of("tomi", {"questions": ("test.txt", io.BytesIO(below.encode()))})
    assert said(read_again("tomi", as_items(found))) == said(found)


def test_options_with_semicolons_and_answers_counted_from_0_are_read_again_as_they_were() -> None:
    rows = (
        {"question": "Which?", "options": ["one; or so", "two", "2"], "label": 0},
        {"question": "Who?", "options": ["Ann; Ben"], "label": 0},
        {"question": "When?", "options": ["now", "", "then"], "label": 2},
        {"question": "Why?", "options": ["as it is", "as it is"], "label": 1},
    )
    data = "".join(f"{json.dumps(row)}\n" for row in rows).encode()
    found = questions_of("table", {"questions": ("mine.jsonl", io.BytesIO(data))})
    items = as_items(found)
    again = read_again("table", items)
    assert [question for question, _ in again] == [question for question, _ in found]
    items[0] = Item(1, "", items[0].options, items[0].raw, "structural", changes={"gold": "2"})
    corrected = read_again("table", items)
    assert [question.gold_option for question, _ in corrected] == [3, 1, 3, 2]
    assert said(corrected)[1:] == said(found)[1:]


@pytest.mark.parametrize(
    ("name", "table", "corrected"),
    [
        ("t.csv", "Frage,A,B,Label\nWho?,Ann,Ben,(b)\n", "Frage,A,B,Label\nWho?,Ann,Ben,(a)\n"),
        ("t.csv", ",Frage,A,B,Label\n0,Who?,Ann,Ben,2\n", ",Frage,A,B,Label\n0,Who?,Ann,Ben,1\n"),
        ("t.csv", "Frage;Wahl;Label\nWho?;Ann|Ben;Ben\n", "Frage,Wahl,Label\nWho?,Ann|Ben,Ann\n"),
        ("t.csv", "Frage;Wahl;Label\nWho?;Ann|Ben|1;2\n", "Frage,Wahl,Label\nWho?,Ann|Ben|1,Ann\n"),
        (
            "t.jsonl",
            '{"id": 7, "Frage": "Who?", "Wahl": ["Ann", "Ben"], "Label": 2}\n',
            '{"id": 7, "Frage": "Who?", "Wahl": ["Ann", "Ben"], "Label": 1}\n',
        ),
        ("t.jsonl", '{"Frage": "Who?", "Label": ["Ben"]}\n', '{"Frage": "Who?", "Label": ["Ann"]}\n'),
    ],
)
def test_a_table_is_corrected_in_its_own_columns(name: str, table: str, corrected: str) -> None:
    mapping = {"question": "Frage", "gold": "Label", **({"options": "Wahl"} if "Wahl" in table else {})}
    reading = read(LAYOUTS["table"], {"questions": (name, io.BytesIO(table.encode()))}, mapping)
    [[question]] = [story.questions for story in reading.stories]
    item = Item(1, "", question.options, question.raw, "structural", changes={"gold": "Ann"})
    [(written_name, data)] = written("table", [item]).items()
    assert (written_name[-4:], data.decode().replace("\r\n", "\n")) == (name[-4:], corrected)


def test_the_published_layout_of_faux_pas_keeps_the_names_and_the_order_of_its_columns() -> None:
    header = "Source,created by,Type,Story ID,Question ID,Story,Question,Answer\r\n"
    data = header + 'A,Experts,Control,7c,1,"Ann left, ""fast"".",Who left?,Ann\r\n'
    [pair] = questions_of("fauxpas", {"questions": ("t.csv", io.BytesIO(data.encode()))})
    assert written("fauxpas", as_items([pair])) == {"questions.csv": data.encode()}
    changes = {"gold": "Ben", "roles": "FauxPas"}
    [corrected] = written("fauxpas", [Item(1, "", (), pair[0].raw, "semantic", changes=changes)]).values()
    assert corrected.decode() == data.replace("Control", "FauxPas").replace(",Ann\r\n", ",Ben\r\n")


def test_what_was_frozen_before_rows_were_kept_is_written_as_it_was() -> None:
    raw = {"question": "Who?", "gold": "B", "options": ["Ann", "Ben"]}
    assert written("table", [Item(1, "", ("Ann", "Ben"), raw)]) == {
        "questions.jsonl": b'{"question": "Who?", "gold": "B", "options": "Ann\\nBen"}\n'
    }
    faux_pas = {"story_id": "7c", "question_id": "1", "story": "Ann left.", "question": "Who?", "answer": "Ann"}
    assert written("fauxpas", [Item(1, "", (), faux_pas)]) == {
        "questions.csv": b"Story ID,Question ID,Story,Question,Answer\r\n7c,1,Ann left.,Who?,Ann\r\n"
    }


def test_cleaned_is_without_flaws_and_corrected_without_what_was_excluded() -> None:
    items = [
        Item(1, "", (), {}),
        Item(2, "", (), {}, "semantic", changes={"gold": "x"}),
        Item(3, "", (), {}, "semantic", is_excluded=True),
        Item(4, "", (), {}, "pragmatic"),
    ]
    numbers = {
        kind: [item.number for item in members(kind, items)] for kind in ("original", "cleaned", "corrected")
    }
    assert numbers == {"original": [1, 2, 3, 4], "cleaned": [1], "corrected": [1, 2, 4]}
    assert not any(item.changes for item in members("original", items))


def test_a_digest_knows_names_and_bytes() -> None:
    one = digest({"a": b"1", "b": b"2"})
    assert one == digest({"b": b"2", "a": b"1"})
    assert len({one, digest({"a": b"2", "b": b"1"}), digest({"a": b"1"}), digest({"a": b"1", "c": b"2"})}) == 4
