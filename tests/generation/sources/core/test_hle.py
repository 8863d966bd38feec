"""The rules for Humanity's Last Exam, each on two questions made up for it: what it applies to, and nearly does."""

import io
import json
from collections import Counter

import pytest

from annotation.platform.core.errors import Refused
from annotation.platform.core.line_files import BrokenFile
from annotation.platform.core.table_import import Problem
from generation.sources.core.funnel import Reduction
from generation.sources.core.hle import RULES, Exclusion, KeywordGroup, Question, read_questions, read_rules, reduce


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


# What the method's publication says that its groups and exclusions hold.
PUBLISHED_WORDS = {
    "ethics and moral reasoning": "justice moral utilitarian",
    "social and political concepts": "inequality discrimination democracy",
    "decision-making and judgment": "dilemma normative rational",
    "interpersonal and cooperative dynamics": "trust empathy consent",
    "legal and governance concepts": "policy regulation",
    "canonical social theorists": "Rawls Kant Arendt",
}
PUBLISHED_CASES = {
    "Which statute governs the sale of a right of way?": "direct recall",
    "What year did the court for tenants first sit?": "direct recall",
    "Name the virtue that the school put first.": "direct recall",
    "What do Proto-Indo-European roots say of the word for trust?": "linguistic reconstruction",
    "Which crime does the cuneiform tablet mention?": "linguistic reconstruction",
    "Does the word for justice have a pitch accent there?": "linguistic reconstruction",
    "In a society of two, derive the equilibrium of their bargaining.": "formal computation",
    "Find the policy that maximizes welfare where each cares for the other's share.": "formal computation",
    "Which contract is best by a social welfare function that is a sum of logarithms?": "formal computation",
}
# Each holds words that patterns look for, in another sense.
OPEN_QUESTIONS = [
    "Was the US Constitution unjust to the poor in its treatment of rights?",
    "Mark 3 people with a risk; is it fair?",
    "Which act is the graver injustice, to lie or to stay silent?",
    "Can a society find the equilibrium between liberty and order?",
    "Ought a government to maximise welfare where that costs a few their rights?",
]


class TestRules:
    def test_the_rules_are_61_exclusions_of_five_kinds_and_six_groups_of_keywords(self) -> None:
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
    def test_a_group_of_keywords_lets_in_its_example_and_not_its_near_miss(self, group: KeywordGroup) -> None:
        assert RULES.admitting(question(group.example)) == [group.name]
        assert RULES.admitting(question(group.near_miss)) == []

    @pytest.mark.parametrize("exclusion", RULES.exclusions, ids=lambda exclusion: exclusion.rule)
    def test_an_exclusion_takes_out_its_example_and_not_its_near_miss(self, exclusion: Exclusion) -> None:
        for text in (exclusion.example, exclusion.near_miss):
            assert RULES.admitting(question(text)), "or the step before would have taken it out"
        assert RULES.excluding(question(exclusion.example)) == exclusion.rule
        assert RULES.excluding(question(exclusion.near_miss)) is None

    @pytest.mark.parametrize(("group", "words"), PUBLISHED_WORDS.items())
    def test_a_group_of_keywords_has_every_word_that_is_published_of_it(self, group: str, words: str) -> None:
        assert [word for word in words.split() if group not in RULES.admitting(question(word))] == []

    @pytest.mark.parametrize(("text", "kind"), PUBLISHED_CASES.items())
    def test_the_published_cases_are_taken_out_by_the_rules(self, text: str, kind: str) -> None:
        assert str(RULES.excluding(question(text))).startswith(f"{kind}: ")

    @pytest.mark.parametrize("text", OPEN_QUESTIONS)
    def test_a_question_with_more_than_one_answer_stays(self, text: str) -> None:
        assert RULES.admitting(question(text))
        assert RULES.excluding(question(text)) is None

    def test_the_rules_read_past_case_curly_quotes_dashes_and_line_ends(self) -> None:
        assert RULES.admitting(question("WHAT IS FREEDOM?")) == ["social and political concepts"]
        assert RULES.admitting(question("Is Adam\nSmith right?")) == ["canonical social theorists"]
        assert RULES.excluding(question("Is the D’Hondt method fair?")) == "formal computation: counting of votes"
        assert RULES.excluding(question("Which Proto–Uralic word means law?")) is not None

    def test_the_rules_match_whole_words_and_those_that_begin_as_an_asterisk_says(self) -> None:
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
    def test_the_reduction_counts_every_step_and_rule(self) -> None:
        reduction = reduce(SIX)
        assert [(step.kept, step.removed) for step in reduction.steps] == [(6, 0), (5, 1), (4, 1), (2, 2)]
        assert [dict(step.rules) for step in reduction.steps] == [
            {},
            {"Physics": 1},
            {},
            {"direct recall: asks for a year or a date": 1, "direct recall: asks who did something": 1},
        ]
        assert keys(reduction) == [[], ["q1"], ["q2"], ["q3", "q4"]]

    def test_the_reduction_counts_a_question_in_every_group_that_lets_it_in(self) -> None:
        # promise · law · moral · civil disobedience and duty
        assert reduce(SIX).steps[2].admitted == {
            "interpersonal and cooperative dynamics": 1,
            "legal and governance concepts": 2,
            "ethics and moral reasoning": 2,
        }

    def test_the_reduction_leaves_scenarios_by_subject_in_the_order_of_their_ids_and_without_answers(self) -> None:
        five, six = reduce(SIX).scenarios
        assert (five.key, five.stratum, six.key, six.stratum) == ("q5", "Law", "q6", "Ethics")
        assert six.payload == {
            "question": "Is a promise to a stranger binding?",
            "subject": "Ethics",
            "groups": ["interpersonal and cooperative dynamics"],
        }

    def test_the_reduction_does_not_depend_on_the_order_of_questions(self) -> None:
        backwards, forwards = reduce(reversed(SIX)), reduce(SIX)
        assert (backwards.steps, backwards.scenarios) == (forwards.steps, forwards.scenarios)

    def test_the_reduction_refuses_a_question_that_occurs_twice(self) -> None:
        with pytest.raises(Refused, match="q6 occurs twice"):
            reduce([SIX[0], SIX[0]])


class TestFiles:
    def test_files_of_questions_are_json_lines_with_more_fields_than_are_needed(self) -> None:
        assert read(row(image="", image_preview={"bytes": "…"}, answer_type="exactMatch")) == [
            Question("q1", "Is a promise to a stranger binding?", "Humanities/Social Science", "Ethics")
        ]

    def test_files_of_questions_may_be_csv(self) -> None:
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
    def test_files_of_questions_name_the_line_that_is_none(self, fields: dict[str, object], why: str) -> None:
        with pytest.raises(BrokenFile) as caught:
            read(row(id="q0"), row(**fields))
        assert caught.value.problems == (Problem(why, 2),)

    def test_files_of_questions_in_csv_name_the_line_that_is_none(self) -> None:
        data = b"id,question,answer,category,raw_subject\nq1,Is it fair?,Yes,Math,\n"
        with pytest.raises(BrokenFile, match=r"hle\.csv, line 2: raw_subject is not a text that says something"):
            [*read_questions("hle.csv", io.BytesIO(data))]
