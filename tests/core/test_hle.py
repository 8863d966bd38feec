"""The rules for Humanity's Last Exam, each on two questions made up for it: what it applies to, and nearly does."""

import io
import json
from collections import Counter

import pytest

from annotation.core.errors import Refused
from annotation.core.table_import import Problem
from generation.core.funnel import Reduction
from generation.core.hle import RULES, Exclusion, KeywordGroup, Question, read_questions, read_rules, reduce
from generation.core.source_lines import BrokenFile


def question(text: str, *, key: str = "q1", category: str = RULES.category, subject: str = "Ethics") -> Question:
    return Question(key, text, category, subject)


def row(**fields: object) -> dict[str, object]:
    given: dict[str, object] = {
        "id": "q1",
        "question": "Is a promise to a stranger binding?",
        "answer": "Yes",
        "category": "Humanities/Social Science",
        "raw_subject": "Ethics",
    }
    return {name: value for name, value in (given | fields).items() if value is not None}


def read(*rows: dict[str, object], name: str = "hle.jsonl") -> list[Question]:
    return [*read_questions(name, io.BytesIO("".join(json.dumps(one) + "\n" for one in rows).encode()))]


class TestRules:
    def test_are_61_exclusions_of_five_kinds_and_six_groups_of_keywords(self) -> None:
        assert Counter(one.kind for one in RULES.exclusions) == {
            "direct recall": 13,
            "linguistic reconstruction": 12,
            "literary or historical trivia": 13,
            "statute look-up": 11,
            "formal computation": 12,
        }  # 13 + 12 + 13 + 11 + 12 = 61
        assert len({one.rule for one in RULES.exclusions}) == 61
        assert [group.name for group in RULES.groups] == [
            "ethics and moral reasoning",
            "social and political concepts",
            "decision-making and judgment",
            "interpersonal and cooperative dynamics",
            "legal and governance concepts",
            "canonical social theorists",
        ]

    @pytest.mark.parametrize("group", RULES.groups, ids=lambda group: group.name)
    def test_a_group_lets_in_its_example_and_not_its_near_miss(self, group: KeywordGroup) -> None:
        assert RULES.admitting(question(group.example)) == [group.name]
        assert RULES.admitting(question(group.near_miss)) == []

    @pytest.mark.parametrize("exclusion", RULES.exclusions, ids=lambda exclusion: exclusion.rule)
    def test_an_exclusion_takes_out_its_example_and_not_its_near_miss(self, exclusion: Exclusion) -> None:
        for text in (exclusion.example, exclusion.near_miss):
            assert RULES.admitting(question(text)), "or the step before would have taken it out"
        assert RULES.excluding(question(exclusion.example)) == exclusion.rule
        assert RULES.excluding(question(exclusion.near_miss)) is None

    def test_read_past_case_curly_quotes_dashes_and_line_ends(self) -> None:
        assert RULES.admitting(question("WHAT IS JUSTICE?")) == ["social and political concepts"]
        assert RULES.admitting(question("Is Adam\nSmith right?")) == ["canonical social theorists"]
        assert RULES.excluding(question("Is the D’Hondt method fair?")) == "formal computation: counting of votes"
        assert RULES.excluding(question("Which Proto–Uralic word means law?")) is not None

    def test_match_whole_words_and_those_that_begin_as_an_asterisk_says(self) -> None:
        rules = read_rules(
            'category = "X"\nexclusions = []\n'
            '[[groups]]\nname = "g"\nwords = ["law", "moral*"]\nexample = "law"\nnear_miss = "lawn"'
        )
        found = [bool(rules.admitting(question(text))) for text in ("the law.", "a lawn", "morality", "amoral")]
        assert found == [True, False, True, False]


# Of six questions one is of physics. Of the other five one has no keyword; of the four left, two ask for a year or
# for who, and two stay.
SIX = [
    question("Is a promise to a stranger binding?", key="q6"),
    question("What is the mass of the sample?", key="q1", category="Physics"),
    question("How tall is the tower?", key="q2"),
    question("In which year was the law on guilds made?", key="q3"),
    question("Who coined the phrase moral luck?", key="q4"),
    question("When is civil disobedience a duty?", key="q5", subject="Law"),
]


def keys(reduction: Reduction) -> list[list[str]]:
    return [[one.key for one in removed] for removed in reduction.removed]


class TestReduction:
    def test_counts_every_step_and_rule(self) -> None:
        reduction = reduce(SIX)
        assert [(step.kept, step.removed) for step in reduction.steps] == [(6, 0), (5, 1), (4, 1), (2, 2)]
        assert [dict(step.rules) for step in reduction.steps] == [
            {},
            {"Physics": 1},
            {},
            {"direct recall: asks for a year or a date": 1, "direct recall: asks who did something": 1},
        ]
        assert keys(reduction) == [[], ["q1"], ["q2"], ["q3", "q4"]]

    def test_counts_a_question_in_every_group_that_lets_it_in(self) -> None:
        # promise · law · moral · civil disobedience and duty
        assert reduce(SIX).steps[2].admitted == {
            "interpersonal and cooperative dynamics": 1,
            "legal and governance concepts": 2,
            "ethics and moral reasoning": 2,
        }

    def test_leaves_scenarios_by_subject_in_the_order_of_their_ids_and_without_answers(self) -> None:
        five, six = reduce(SIX).scenarios
        assert (five.key, five.stratum, six.key, six.stratum) == ("q5", "Law", "q6", "Ethics")
        assert six.payload == {
            "question": "Is a promise to a stranger binding?",
            "subject": "Ethics",
            "groups": ["interpersonal and cooperative dynamics"],
        }

    def test_does_not_depend_on_the_order_of_questions(self) -> None:
        backwards, forwards = reduce(reversed(SIX)), reduce(SIX)
        assert (backwards.steps, backwards.scenarios) == (forwards.steps, forwards.scenarios)

    def test_refuses_a_question_that_occurs_twice(self) -> None:
        with pytest.raises(Refused, match="q6 occurs twice"):
            reduce([SIX[0], SIX[0]])


class TestFiles:
    def test_are_json_lines_with_more_fields_than_are_needed(self) -> None:
        assert read(row(image="", image_preview={"bytes": "…"}, answer_type="exactMatch")) == [
            Question("q1", "Is a promise to a stranger binding?", "Humanities/Social Science", "Ethics")
        ]

    def test_or_csv(self) -> None:
        data = b"id,question,answer,category,raw_subject\nq1,Is it fair?,Yes,Math,Logic\n"
        assert [*read_questions("hle.csv", io.BytesIO(data))] == [Question("q1", "Is it fair?", "Math", "Logic")]

    @pytest.mark.parametrize(
        ("fields", "why"),
        [
            ({"question": None}, "question is missing"),
            ({"question": "  "}, "question is not a text that says something"),
            ({"raw_subject": 3}, "raw_subject is not a text that says something"),
            ({"id": "q" * 81}, "id has more than 80 characters"),
        ],
    )
    def test_name_the_line_that_is_no_question(self, fields: dict[str, object], why: str) -> None:
        with pytest.raises(BrokenFile) as caught:
            read(row(id="q0"), row(**fields))
        assert caught.value.problems == (Problem(why, 2),)

    def test_name_the_line_of_a_csv_that_is_no_question(self) -> None:
        data = b"id,question,answer,category,raw_subject\nq1,Is it fair?,Yes,Math,\n"
        with pytest.raises(BrokenFile, match=r"hle\.csv, line 2: raw_subject is not a text that says something"):
            [*read_questions("hle.csv", io.BytesIO(data))]
