"""Benchmarks read from files of their own layouts: all of a file, or its bad lines and nothing else."""

import gzip
import io
import json
from typing import Any

import pytest

from annotation.benchmarks.core.items import Reading, Story
from annotation.benchmarks.core.layouts import LAYOUTS, LayoutName, read
from annotation.platform.core.errors import Refused
from tests.annotation.benchmarks.tomi_stories import ANSWERS, BEGINNING, FALSE_BELIEF, RETURN, as_generated

ITEM = {
    "context": "Ruth lent Omar her bicycle.",
    "question": "What will Omar do next?",
    "answerA": "thank her",
    "answerB": "sell it",
    "answerC": "wait",
}
FAUX_PAS = "Source,created by,Type,Story ID,Question ID,Story,Question,Answer\n"


def reading(layout: LayoutName, mapping: dict[str, str] | None = None, /, **files: tuple[str, bytes]) -> Reading:
    streams = {slot: (name, io.BytesIO(data)) for slot, (name, data) in files.items()}
    return read(LAYOUTS[layout], streams, mapping)  # type: ignore[arg-type]  # slots by name


def lines(*objects: dict[str, Any]) -> bytes:
    return "".join(json.dumps(each) + "\n" for each in objects).encode()


def socialiqa(questions: bytes, labels: bytes) -> Reading:
    return reading("socialiqa", questions=("dev.jsonl", questions), labels=("dev.lst", labels))


def tomi(questions: bytes, trace: bytes | None = None) -> Reading:
    more = {"trace": ("test.trace", trace)} if trace is not None else {}
    return reading("tomi", questions=("test.txt", questions), **more)


def fauxpas(rows: str) -> Reading:
    return reading("fauxpas", questions=("fauxpas.csv", (FAUX_PAS + rows).encode()))


def table(text: str, **mapping: str) -> Reading:
    return reading("table", mapping, questions=("mine.csv", text.encode()))


def told(found: Reading) -> list[str]:
    assert not found.stories
    return [str(problem) for problem in found.problems]


def only(found: Reading) -> Story:
    assert not found.problems
    [story] = found.stories
    return story


class TestSocialIQA:
    def test_questions_about_one_context_are_one_story(self) -> None:
        story = only(socialiqa(lines(ITEM, {**ITEM, "question": "How does Ruth feel?"}), b"1\n3\n"))
        assert [(q.line, q.gold_option, q.answer) for q in story.questions] == [(1, 1, "thank her"), (2, 3, "wait")]

    def test_other_numbers_of_questions_and_labels_are_refused(self) -> None:
        assert told(socialiqa(lines(ITEM, ITEM), b"1\n")) == ["dev.jsonl has 2 questions, dev.lst has 1 label"]

    def test_every_bad_line_is_named(self) -> None:
        broken = lines(ITEM) + b"{]\n" + lines({**ITEM, "answerB": 3}, {"context": ""})
        found = told(socialiqa(broken, b"1\n2\nB\n4\n"))
        assert [each.split(":")[0] for each in found] == [
            "line 2",
            "line 3",
            "line 4",
            "dev.lst, line 3",
            "dev.lst, line 4",
        ]

    def test_a_label_that_is_missing_is_named_where_its_line_is_left_empty(self) -> None:
        assert told(socialiqa(lines(ITEM, ITEM, ITEM), b"1\n\n2\n")) == [
            "dev.jsonl has 3 questions, dev.lst has 2 labels",
            "dev.lst, line 2: this line is empty",
        ]

    def test_blank_lines_in_different_places_of_both_files_are_named(self) -> None:
        item = lines(ITEM)
        assert told(socialiqa(item + item + b"\n" + item, b"1\n\n2\n3\n")) == [
            "dev.lst, line 3: dev.jsonl has no question in this line"
        ]
        assert only(socialiqa(item + b"\n" + item, b"1\n2\n\n")).questions[1].answer == "sell it"

    def test_questions_without_a_context_are_each_their_own_story(self) -> None:
        bare = {**ITEM, "context": " "}
        found = socialiqa(lines(bare, {**bare, "question": "Why?"}), b"1\n2\n").stories
        assert [(story.text, story.cluster) for story in found] == [("", "1"), ("", "2")]

    def test_a_compressed_file_is_read(self) -> None:
        packed = gzip.compress(lines(ITEM))
        found = reading("socialiqa", questions=("dev.jsonl.gz", packed), labels=("dev.lst", b"2"))
        assert only(found).questions[0].answer == "sell it"


class TestToMi:
    def test_questions_of_one_text_are_one_story_wherever_they_stand(self) -> None:
        mixed = as_generated(FALSE_BELIEF, ANSWERS) + as_generated(RETURN, ANSWERS)
        again = as_generated(FALSE_BELIEF, {BEGINNING: "trunk"})
        found = tomi(mixed + again)
        assert [len(story.questions) for story in found.stories] == [7, 6]
        assert found.lacking

    def test_kinds_of_questions_are_known_by_their_words(self) -> None:
        kinds = [question.kind for question in only(tomi(as_generated(FALSE_BELIEF, ANSWERS))).questions]
        assert kinds == ["memory", "reality", *["first-order belief"] * 2, *["second-order belief"] * 2]

    def test_the_published_lines_say_the_same_as_the_generated_ones(self) -> None:
        number = len(FALSE_BELIEF.splitlines()) + 1
        published = lines(
            *(
                {"context": FALSE_BELIEF.strip(), "question": f"{number} {question}", "label": f"{gold} 1"}
                for question, gold in ANSWERS.items()
            )
        )
        found = only(reading("tomi", questions=("test.jsonl", published)))
        generated = only(tomi(as_generated(FALSE_BELIEF, ANSWERS)))
        assert found.text == generated.text
        assert [(q.text, q.gold) for q in found.questions] == [(q.text, q.gold) for q in generated.questions]

    def test_a_trace_tells_types_of_stories_and_nothing_is_lacking_then(self) -> None:
        trace = b"enter_agent_0,agent_0_moves_obj,memory,false_belief\n" * len(ANSWERS)
        found = tomi(as_generated(FALSE_BELIEF, ANSWERS), trace)
        assert only(found).kind == "false_belief"
        assert not found.lacking

    @pytest.mark.parametrize(
        ("text", "fault"),
        [
            ("1 Nora entered the attic.\n1 Paul entered the attic.\n2 Where?\tattic\t1\n", "no question"),
            ("1 Nora entered the attic.\n3 Where is the kite really?\tattic\t1\n", "where 2 or 1 is due"),
            ("Nora entered the attic.\n", "does not begin with a number"),
            ("1 Nora entered the attic.\n", "no question"),
            ("1 Nora entered the attic.\n2 Where is the kite really? attic 1\n", "line 2: this asks something"),
            ("2 Nora entered the attic.\n", "line 1: this is number 2, where 1 is due"),
            (
                "1 Nora left.\n2 Where is the kite really?\n1 Nora left.\n2 Where?\tattic\n",
                "line 2: this asks something",
            ),
            ("1 Nora left.\n2 Where?\tattic\n3 Paul left.\n4 Where?\thall\n", "line 3: this goes on with a story"),
        ],
    )
    def test_a_line_out_of_its_order_is_named(self, text: str, fault: str) -> None:
        assert any(fault in each for each in told(tomi(text.encode())))

    def test_a_trace_of_another_length_is_refused(self) -> None:
        assert "6 questions, test.trace has 1 line" in told(tomi(as_generated(FALSE_BELIEF, ANSWERS), b"memory"))[0]

    def test_a_trace_with_an_empty_line_is_refused_with_its_place(self) -> None:
        trace = b"memory\n\n" + b"memory\n" * 4
        assert told(tomi(as_generated(FALSE_BELIEF, ANSWERS), trace))[1] == "test.trace, line 2: this line is empty"


class TestFauxPas:
    @pytest.mark.parametrize("written", ["2", "2.0", "Q2", "q 2", "Question 2"])
    def test_what_is_asked_is_known_by_the_questions_number_however_it_is_written(self, written: str) -> None:
        [question] = only(fauxpas(f"A,Experts,Control,7c,{written},Ann left.,Who left?,Ann\n")).questions
        assert question.kind == "identification"

    def test_stories_are_known_by_their_id_and_pairs_by_its_number(self) -> None:
        found = fauxpas(
            "A,Experts,FauxPas,7f,1,Ann came.,Who came?,Ann\n"
            "A,Experts,FauxPas,7f,2,Ann  came.,Why?,Nothing\n"
            "A,Experts,Control,7c,1,Ann left.,Who left?,Ann\n"
        )
        assert [(story.key, story.cluster, story.kind, len(story.questions)) for story in found.stories] == [
            ("7f", "7", "FauxPas", 2),
            ("7c", "7", "Control", 1),
        ]
        assert [question.kind for question in found.stories[0].questions] == ["detection", "identification"]

    def test_a_question_given_twice_is_refused_with_both_lines(self) -> None:
        row = "A,Experts,Control,7c,1,Ann left.,Who left?,Ann\n"
        assert told(fauxpas(row + row)) == ["line 3: question 1 of story 7c is in line 2 already"]

    def test_a_missing_column_is_named(self) -> None:
        found = reading("fauxpas", questions=("fauxpas.csv", b"Story,Question,Answer\nA,B,C\n"))
        assert told(found) == ["there is no column “Story ID”", "there is no column “Question ID”"]


class TestTables:
    @pytest.mark.parametrize(
        ("gold", "option"), [("two", 2), ("B", 2), ("(b)", 2), ("2", 2), ("four", None), ("4", None)]
    )
    def test_the_right_option_is_known_by_words_letter_or_number(self, gold: str, option: int | None) -> None:
        [question] = only(table(f"question,options,gold\nWhich?,one; two; three,{gold}\n")).questions
        assert question.gold_option == option

    @pytest.mark.parametrize(
        "file",
        [
            'question,options,gold\nWhich?,"[""one; or so"", ""two"", ""three""]",two\n',
            "question,options,gold\nWhich?,\"['one; or so', 'two', 'three']\",B\n",
            "question,option_1,option_2,option_3,gold\nWhich?,one; or so,two,three,2\n",
            'question;A;B;C;D;gold\nWhich?;"one; or so";two;three;;Option B\n',
            '\ufeffquestion;ending0;ending1;ending2;label\r\nWhich?;"one; or so";"two";three;2\r\n',
            '{"question": "Which?", "meta": {"n": 1}, "choices": ["one; or so", "two", "three"], "answer": "b"}\n',
            '{"question": "Which?", "choices": {"text": ["one; or so", "two", "three"], "label": ["A", "B", "C"]}, '
            '"answerKey": "B"}\n',
            '{"question": "Which?", "options": {"A": "one; or so", "B": "two", "C": "three"}, "gold_index": 1}\n',
            '{"question": "Which?", "choices": [{"label": "A", "text": "one; or so"}, {"text": "two"}, '
            '{"text": "three"}], "target": 2}\n',
        ],
    )
    def test_options_stand_in_one_cell_in_many_ways_or_in_a_column_each(self, file: str) -> None:
        name = "table.jsonl" if file.startswith("{") else "table.csv"
        [question] = only(reading("table", questions=(name, file.encode()))).questions
        assert question.options == ("one; or so", "two", "three")
        assert question.answer == "two"

    def test_options_are_parted_by_upright_strokes_where_there_are_no_semicolons(self) -> None:
        [question] = only(table("question,options,gold\nWhich?,one | two | three,2.0\n")).questions
        assert (question.options, question.answer) == (("one", "two", "three"), "two")

    def test_right_answers_count_from_0_where_one_is_the_0th(self) -> None:
        found = table("question,options,label\nWhich?,one; two,0.0\nWhich?,one; two,1.0\nWho?,Ann; Ben,1.0\n")
        assert [story.questions[0].answer for story in found.stories] == ["one", "two", "Ben"]
        counted_from_1 = table("question,options,label\nWhich?,one; two,2\nWho?,Ann; Ben,1\n")
        assert [story.questions[0].answer for story in counted_from_1.stories] == ["two", "Ann"]
        are_words = table("question,options,label\nHow many?,0; 1; 2,0\n")
        assert only(are_words).questions[0].answer == "0"

    def test_a_wrong_right_answer_turns_no_other_into_another_one(self) -> None:
        rows = "question,options,label\n" + "Who?,Ann; Ben; Cid,{}\n" * 4
        found = table(rows.format(1, 2, 0, 0))
        assert [story.questions[0].answer for story in found.stories] == ["Ben", "Cid", "Ann", "Ann"]
        assert told(table(rows.format(1, 3, 0, 0))) == [
            "line 3: the right answer is number 3, counted from 0, of 3",
        ]
        assert told(table(rows.format(1, "nobody", 0, 0))) == [
            "line 3: the right answer is “nobody”, where others are numbers counted from 0",
        ]
        assert [story.questions[0].answer for story in table(rows.format(1, "Ben", 0, 0)).stories][1] == "Ben"
        from_1 = table(rows.format(1, 3, 3, 0))
        assert [story.questions[0].gold_option for story in from_1.stories] == [1, 3, 3, None]

    def test_a_row_that_names_no_story_is_not_taken_for_one_that_others_name(self) -> None:
        found = table("story id,story,question,gold\n2,Ann came.,Who?,Ann\n,Ben left.,Who?,Ben\n")
        assert [story.key for story in found.stories] == ["2", "line 3"]

    def test_a_right_answer_may_stand_in_a_list(self) -> None:
        file = b'{"question": "Who?", "answer": ["Ann"]}\n{"question": "Where?", "answer": ["here", "there"]}\n'
        found = reading("table", questions=("table.jsonl", file))
        assert [story.questions[0].gold for story in found.stories] == ["Ann", "here; there"]
        spans = b'{"question": "Who {of them}?", "answers": {"text": ["Ann"], "answer_start": [3]}}\n'
        [asked] = only(reading("table", {"gold": "answers"}, questions=("table.jsonl", spans))).questions
        assert (asked.gold, asked.text, asked.options) == ("Ann", "Who {of them}?", ())

    def test_an_object_in_place_of_a_text_is_refused_with_the_names_of_its_parts(self) -> None:
        stem = b'{"question": {"stem": "Who?", "choices": [{"label": "A", "text": "Ann"}]}, "answerKey": "A"}\n'
        [said] = told(reading("table", questions=("table.jsonl", stem)))
        assert said.startswith("line 1: ")
        assert "holds an object with “stem” and “choices”: give each a column of its own" in said

    def test_a_right_answer_counted_from_0_beyond_the_options_is_named(self) -> None:
        found = table("question,options,n\nWhich?,one; two,2\n", gold_index="n")
        assert told(found) == ["line 2: the right answer is number 2, counted from 0, of 2"]

    def test_columns_of_options_are_mapped_by_several_names(self) -> None:
        found = table("question,first,last,gold\nWhich?,one,two,B\n", options="first, last")
        assert only(found).questions[0].answer == "two"

    def test_an_option_in_words_goes_before_its_number(self) -> None:
        [question] = only(table("question,options,gold\nHow many?,3; 1; 2,2\n")).questions
        assert question.answer == "2"

    def test_columns_of_any_name_are_mapped(self) -> None:
        story = only(
            table("Frage,Antwort,Text\nWho?,Ann,Ann came.\n", question="Frage", gold="Antwort", story="Text")
        )
        assert (story.text, story.questions[0].gold) == ("Ann came.", "Ann")

    def test_rows_without_a_story_are_stories_of_their_own(self) -> None:
        assert len(table("question,gold\nWho?,Ann\nWhen?,Now\n").stories) == 2

    def test_a_row_without_its_answer_is_named(self) -> None:
        assert told(table("question,gold\nWho?,Ann\nWhen?,\n")) == ["line 3: nothing is given for the right answer"]


def test_a_file_of_another_kind_is_refused_by_its_name() -> None:
    with pytest.raises(Refused, match=r"ends in \.csv"):
        reading("fauxpas", questions=("fauxpas.xlsx", b"PK"))


def test_the_name_of_a_file_may_be_in_capitals() -> None:
    row = b"7c,1,Ann left.,Who left?,Ann\n"
    data = b"Story ID,Question ID,Story,Question,Answer\n" + row
    assert only(reading("fauxpas", questions=("FAUXPAS.CSV", data))).key == "7c"


def test_a_layout_without_its_second_file_is_refused() -> None:
    with pytest.raises(Refused, match="labels"):
        reading("socialiqa", questions=("dev.jsonl", lines(ITEM)))


def test_an_empty_file_is_refused() -> None:
    with pytest.raises(Refused, match="no question"):
        socialiqa(b"", b"")
