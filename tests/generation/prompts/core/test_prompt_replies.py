"""Bundles of prompts as models write them: read to the letter, or turned down by the first of their faults."""

import re
import time
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.calls.core.retries import FaultOfBundle
from generation.prompts.core.prompt_replies import (
    BadBundle,
    WrittenBundle,
    WrittenPrompt,
    read_bundle,
    tagged,
)

# Five words, and two sentences: the least there may be.
PROMPT = WrittenPrompt("Level of analysis.", "who may judge whose work", "Who may judge? By which standard?")
BUNDLE = WrittenBundle("The scene is about age.", (PROMPT,) * 5)
REPLY = tagged(BUNDLE)

# Anything that begins and ends with a letter, brackets included: too few letters for a tag of the form.
PROSE = st.text("ab,’é<>/ ").map(lambda text: f"a{text}b")


def fault_of(reply: str, *, number: int = 5) -> FaultOfBundle:
    with pytest.raises(BadBundle) as bad:
        read_bundle(reply, number=number)
    return bad.value.fault


def said_of(bundle: WrittenBundle) -> str:
    with pytest.raises(BadBundle) as bad:
        read_bundle(tagged(bundle), number=5)
    return str(bad.value)


def with_third(**fields: str) -> WrittenBundle:
    prompts = [PROMPT] * 5
    prompts[2] = replace(PROMPT, **fields)
    return replace(BUNDLE, prompts=tuple(prompts))


class TestReading:
    def test_reading_a_reply_takes_every_field_apart(self) -> None:
        assert read_bundle(REPLY, number=5) == BUNDLE

    def test_reading_a_reply_leaves_white_space_around_tags_aside(self) -> None:
        loose = REPLY.replace("><", "> \n <").replace(">Who", "> Who")
        assert read_bundle(f"\n {loose} \n", number=5) == BUNDLE

    def test_reading_a_reply_makes_one_line_of_a_label_and_keeps_the_paragraphs_of_a_question(self) -> None:
        bundle = with_third(label="who may\n  judge whose work", text="Who may judge?\n\nBy which standard?")
        third = read_bundle(tagged(bundle), number=5).prompts[2]
        assert (third.label, third.text) == ("who may judge whose work", "Who may judge?\n\nBy which standard?")

    def test_reading_a_reply_keeps_the_scratchpad_apart_whatever_stands_in_it(self) -> None:
        thoughts = "First <prompt_1>, then <question>an idea</question>; 3 < 4."
        assert read_bundle(tagged(replace(BUNDLE, scratchpad=thoughts)), number=5).scratchpad == thoughts

    def test_reading_a_reply_takes_brackets_that_are_no_tags_for_text(self) -> None:
        bundle = with_third(text="Is a < b fair? Is <em>that</em> so?")
        assert read_bundle(tagged(bundle), number=5) == bundle

    @given(thoughts=PROSE, dimensions=PROSE, question=PROSE)
    def test_reading_a_reply_gives_back_what_was_written_in_the_form(
        self, thoughts: str, dimensions: str, question: str
    ) -> None:
        bundle = WrittenBundle(
            thoughts, (WrittenPrompt(" ".join(dimensions.split()), PROMPT.label, f"Who? And {question}?"),)
        )
        assert read_bundle(tagged(bundle), number=1) == bundle


class TestTags:
    @pytest.mark.parametrize(
        "reply",
        [
            "",
            "I cannot help with that.",
            REPLY.split("</scratchpad>")[1],
            REPLY.replace("The scene is about age.", " "),
            f"Here they are:\n{REPLY}",
            f"{REPLY}\nI hope these help.",
            f"```xml\n{REPLY}\n```",
            REPLY.replace("</prompt_2>\n", "</prompt_2>\nAnd now\n"),
            REPLY.replace("</prompt_5>", ""),
            REPLY.replace("<prompt_1>", "<prompt_0>").replace("</prompt_1>", "</prompt_0>"),
            REPLY.replace("<underlying_issue>who may judge whose work</underlying_issue>", "", 1),
            REPLY.replace("</underlying_issue>", "</underlying_issue> so"),
            REPLY.replace("</question>", "</question><question>And? Why?</question>", 1),
            REPLY.replace("Who may judge?", "Who <question>may</question> judge?", 1),
            REPLY.replace("Who may judge?", "Who </prompt_1> may judge?", 1),
            REPLY.replace("Level of analysis.", " ", 1),
            REPLY.replace("question>", "Question>"),
        ],
    )
    def test_tags_that_are_not_as_asked_for_make_a_reply_untagged(self, reply: str) -> None:
        assert fault_of(reply) == "untagged"

    def test_tags_that_never_close_take_no_time(self) -> None:
        nearly = "</diversity_dimensions> <underlying_issue>" * 3000
        began = time.perf_counter()
        for middle in (nearly, " " * 60_000):
            fault_of(f"<scratchpad>a</scratchpad><prompt_1><diversity_dimensions>{middle}</prompt_1>{middle}x")
        assert time.perf_counter() - began < 1  # quadratic time would take minutes


class TestNumber:
    @pytest.mark.parametrize("number", [0, 1, 4, 6])
    def test_the_number_of_prompts_is_the_one_asked_for(self, number: int) -> None:
        assert fault_of(tagged(replace(BUNDLE, prompts=(PROMPT,) * number))) == "not_five"

    @pytest.mark.parametrize(
        "renumbered", [{5: 6}, {3: 2}, {2: 3, 3: 2}], ids=["a gap", "a repeat", "out of order"]
    )
    def test_the_number_of_each_prompt_is_its_place(self, renumbered: dict[int, int]) -> None:
        reply = re.sub(
            r"prompt_(\d)", lambda tag: f"prompt_{renumbered.get(int(tag[1]), int(tag[1]))}", tagged(BUNDLE)
        )
        with pytest.raises(BadBundle, match="not numbered from 1 to 5, in order") as bad:
            read_bundle(reply, number=5)
        assert bad.value.fault == "not_five"

    def test_the_number_of_prompts_is_counted_where_one_is_missing(self) -> None:
        four = REPLY.replace(REPLY[REPLY.index("<prompt_3>") : REPLY.index("<prompt_4>")], "")
        assert fault_of(four) == "not_five"

    def test_the_number_of_prompts_that_came_and_that_were_asked_for_is_said(self) -> None:
        assert said_of(replace(BUNDLE, prompts=(PROMPT,))) == "The reply has 1 prompt, asked for were 5."


class TestLengths:
    @pytest.mark.parametrize("words", [5, 15])
    def test_labels_may_have_five_to_fifteen_words(self, words: int) -> None:
        assert read_bundle(tagged(with_third(label=" ".join(["word"] * words))), number=5)

    @pytest.mark.parametrize("words", [0, 4, 16])
    def test_labels_of_other_lengths_are_a_fault(self, words: int) -> None:
        bundle = with_third(label=" ".join(["word"] * words))
        assert fault_of(tagged(bundle)) == "label_length"
        assert said_of(bundle) == f"An underlying issue has 5 to 15 words: prompt 3 has {words}."

    def test_labels_that_no_column_holds_are_a_fault(self) -> None:
        assert "prompt 3 has over 300 characters" in said_of(with_third(label=" ".join(["w" * 60] * 5)))

    @pytest.mark.parametrize("sentences", [2, 5])
    def test_questions_may_have_two_to_five_sentences(self, sentences: int) -> None:
        assert read_bundle(tagged(with_third(text=" ".join(["Why?"] * sentences))), number=5)

    @pytest.mark.parametrize("sentences", [0, 1, 6])
    def test_questions_of_other_lengths_are_a_fault(self, sentences: int) -> None:
        bundle = with_third(text=" ".join(["Why?"] * sentences))
        assert fault_of(tagged(bundle)) == "question_length"
        assert said_of(bundle) == f"A question has 2 to 5 sentences: prompt 3 has {sentences}."

    def test_faults_of_labels_are_told_before_those_of_questions(self) -> None:
        assert fault_of(tagged(with_third(label="too short", text="Why?"))) == "label_length"

    def test_faults_of_twenty_labels_are_told_in_what_an_attempt_can_keep(self) -> None:
        """As many prompts as a study can ask for, all of them with a fault."""
        prompts = (replace(PROMPT, label="word " * 100),) * 20
        with pytest.raises(BadBundle) as bad:
            read_bundle(tagged(WrittenBundle("So.", prompts)), number=20)
        assert len(str(bad.value)) <= 500
