"""The occasions on which a study mails people, whom, and what its text may name in braces."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from annotation.platform.core.mail_templates import Template, fill

SUBJECT_CHARACTERS: Final = 200

WRITING_BEGUN: Final = "writing_begun"
JUDGING_BEGUN: Final = "judging_begun"
ANNOTATING_BEGUN: Final = "annotating_begun"
ADJUDICATION_BEGUN: Final = "adjudication_begun"
ANSWER_GIVEN_BACK: Final = "answer_given_back"
UNBLINDING_ASKED: Final = "unblinding_asked"
UNBLINDING_DECLINED: Final = "unblinding_declined"
STUDY_PUBLISHED: Final = "study_published"

ALWAYS: Final = {
    "name": "the person’s name",
    "study": "the study’s title",
    "link": "the address of the study’s page",
}


@dataclass(frozen=True)
class Occasion:
    """`when` follows the word "when"; `who` gets the mail. `placeholders` are those beside `ALWAYS`, explained.

    `examples` stand for them in a preview.
    """

    label: str
    when: str
    who: str
    placeholders: Mapping[str, str]
    examples: Mapping[str, str]

    @property
    def explained(self) -> dict[str, str]:
        return {**ALWAYS, **self.placeholders}


def where_data_are(address: str) -> str:
    """What {data} stands for where the public page is on; the address has a line of its own."""
    return f"Everybody finds the data here:\n\n{address}"


_BY_AND_WHY: Final = {
    "placeholders": {"by": "who did it", "reason": "the reason they gave"},
    "examples": {"by": "Noor Haddad", "reason": "The last judge has handed in, and all counts agree."},
}

OCCASIONS: Final[Mapping[str, Occasion]] = {
    WRITING_BEGUN: Occasion(
        label="Writing has begun",
        when="writing is assigned",
        who="writers who were given prompts",
        placeholders={"work": "what they are asked for, such as “3 answers to write, by 1 March 2031”"},
        examples={"work": "3 answers to write, by 1 March 2031"},
    ),
    JUDGING_BEGUN: Occasion(
        label="Judging has begun",
        when="judging is opened",
        who="judges who were given items",
        placeholders={"work": "what they are asked for, such as “3 items to judge, by 1 March 2031”"},
        examples={"work": "3 items to judge, by 1 March 2031"},
    ),
    ANNOTATING_BEGUN: Occasion(
        label="Annotating has begun",
        when="an audit of benchmarks is opened",
        who="annotators who were given questions",
        placeholders={"work": "what they are asked for, such as “300 questions to annotate, by 1 March 2031”"},
        examples={"work": "300 questions to annotate, by 1 March 2031"},
    ),
    ADJUDICATION_BEGUN: Occasion(
        label="Adjudication has begun",
        when="adjudication of a benchmark is opened",
        who="adjudicators",
        placeholders={"work": "what they are asked for, such as “4 questions of ToMi to rule on, by 1 March 2031”"},
        examples={"work": "40 questions of ToMi to rule on, by 1 March 2031"},
    ),
    ANSWER_GIVEN_BACK: Occasion(
        label="An answer is given back",
        when="an answer is given back to its writer",
        who="the writer",
        placeholders={
            "prompt": "the prompt by its number on the writer’s page, such as “prompt 2”; writers see no code",
            "reason": "the reason that was given",
        },
        examples={"prompt": "prompt 2", "reason": "The answer names your university."},
    ),
    UNBLINDING_ASKED: Occasion(
        label="Unblinding is asked for",
        when="an unblinder asks for unblinding",
        who="the other unblinders",
        **_BY_AND_WHY,
    ),
    UNBLINDING_DECLINED: Occasion(
        label="Unblinding is declined",
        when="a request for unblinding is declined",
        who="the unblinder who asked",
        **_BY_AND_WHY,
    ),
    STUDY_PUBLISHED: Occasion(
        label="The study is published",
        when="the first release is published",
        who="everybody who takes part and has not left",
        placeholders={"data": "where everybody finds the data, or who can tell where the public page is off"},
        examples={"data": where_data_are("https://studio.example.org/public/values/")},
    ),
}


_OF_TEXTS: Final = frozenset((WRITING_BEGUN, JUDGING_BEGUN, ANSWER_GIVEN_BACK))
_OF_AUDITS: Final = frozenset((ANNOTATING_BEGUN, ADJUDICATION_BEGUN))


def occasions_of(*, audits_benchmarks: bool) -> Mapping[str, Occasion]:
    """Occasions that such a study can come to, in their order."""
    never = _OF_TEXTS if audits_benchmarks else _OF_AUDITS
    return {key: occasion for key, occasion in OCCASIONS.items() if key not in never}


@dataclass(frozen=True)
class Wording:
    """What a study mails on an occasion, and whether it does."""

    is_on: bool
    subject: str
    text: str


def standard(template: Template) -> Wording:
    return Wording(is_on=True, subject=template.subject, text=template.text)


def filled_in(occasion: Occasion, wording: Wording, values: Mapping[str, str]) -> tuple[str, str]:
    """Subject, on one line and cut to `SUBJECT_CHARACTERS`, and text; raises `Refused` as `fill` does."""
    subject, text = (
        fill(words, values, placeholders=occasion.explained) for words in (wording.subject, wording.text)
    )
    return " ".join(subject.split())[:SUBJECT_CHARACTERS], text
