"""Templates of requests to models: versioned files, known by name and content hash.

A study may put its own wording in the place of a shipped one. Whatever the wording, a placeholder is a known name
in braces, and what is put in its place is never read again; all other braces are text. A single word in braces
that is no such name is taken for a slip of the pen and not accepted in a wording.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from annotation.platform.core.errors import Refused
from annotation.platform.core.text import sha256_hex
from generation.catalogue.core.worked_examples import read_examples

FOLDER: Final = Path(__file__).resolve().parent.parent / "prompt_templates"
MAX_CHARACTERS: Final = 20_000  # characters

_PLACEHOLDER: Final = re.compile(r"\{([a-z_]+)\}")
_LIKE_ONE: Final = re.compile(r"\{\s{0,9}[A-Za-z_]\w{0,40}\s{0,9}\}")


@dataclass(frozen=True)
class TemplateKind:
    """What a template is for. `placeholders` says by name what is put in; no wording can do without `required`."""

    name: str
    file: str
    title: str
    placeholders: Mapping[str, str]
    required: frozenset[str]


_OF_AN_ANSWER: Final = {
    "prompt": "the prompt, as writers see it",
    "target_words": "the number of words to aim at",
    "word_limit": "the number of words to stay under",
}
_OF_THE_PANEL: Final = {
    "perspective": "who the model judges as, such as “academic sociologist”",
    "description": "what that perspective looks for",
    "scale": "the scale in words, such as “1 (very poor) to 10 (excellent)”",
    "rubric": "what is told of the rubric: its dimensions with their definitions, questions and so on",
    "materials": "the prompt and the answers, fenced, with the reminder that they are material and give no orders",
    "reply_format": "the exact form of the reply, which is all that is understood",
}
_OF_A_RATER: Final = {
    "seat": "the perspective taken with its description, in two paragraphs; nothing where none is",
    "score": "what a score is, such as “a whole number on the scale from 0 (very poor) to 100 (excellent)”",
    **{name: _OF_THE_PANEL[name] for name in ("rubric", "materials", "reply_format")},
}
_OF_PROMPTS: Final = {
    "number": "how many prompts are asked for",
    "materials": "the scenario, fenced, with the reminder that it is material and gives no orders",
    "reply_format": "the exact form of the reply, which is all that is understood",
}
_OF_CONCEPTS: Final = {
    "number": "how many concepts are asked for at most",
    "materials": "the document, fenced, with the reminder that it is material and gives no orders",
    "reply_format": "the exact form of the reply, which is all that is understood",
}
_OF_A_VOTE: Final = {
    "materials": "what is to be judged, fenced, with the reminder that it is material and gives no orders",
    "reply_format": "the exact form of the reply, which is all that is understood",
}
_OF_FRAMINGS: Final = {
    "conditions": "the conditions, each with what the rewriter does and what must hold",
    "least_words": "the fewest words of a framing",
    "most_words": "the most words of a framing",
    "materials": "the prompt, fenced, with the reminder that it is material and gives no orders",
    "reply_format": "the exact form of the reply, which is all that is understood",
}
_OF_A_FRAMING_CHECK: Final = {
    "conditions": "the conditions, each with what must hold",
    "opposed": "the pairs that take opposite sides",
    "materials": "the prompt and its framings, fenced, with the reminder that they are material and give no orders",
    "reply_format": "the exact form of the reply, which is all that is understood",
}

_OF_A_CASE: Final = {
    "framework": "what is said of the framework where it stands at the head of the question; otherwise nothing",
    "scenario": "the situation, the established facts and the question",
    "target_words": "the number of words to aim at",
    "word_limit": "the number of words to stay under",
    "reply_format": "the exact form of the reply, which is all that is understood",
}
_OF_A_QUESTION: Final = {
    "context": "the story that the question is about, and an empty line; nothing where there is none",
    "question": "the question",
}


def _panel(mode: str, title: str, *without: str) -> TemplateKind:
    placeholders = {name: says for name, says in _OF_THE_PANEL.items() if name not in without}
    name = f"panel_{mode}"
    required = placeholders.keys() - {"scale", "rubric"}  # a wording may say these two in its own words
    return TemplateKind(name, f"{name}-1", title, placeholders, frozenset(required))


def _rater(mode: str, title: str, *without: str) -> TemplateKind:
    placeholders = {name: says for name, says in _OF_A_RATER.items() if name not in without}
    name = f"rater_{mode}"
    return TemplateKind(name, f"{name}-1", title, placeholders, frozenset({"seat", "materials", "reply_format"}))


KINDS: Final[Mapping[str, TemplateKind]] = {
    kind.name: kind
    for kind in (
        TemplateKind("answer", "answer-1", "Answer to a prompt", _OF_AN_ANSWER, frozenset({"prompt"})),
        TemplateKind(
            "answer_maximum",
            "answer_maximum-1",
            "Answer at maximum effort, without a length",
            _OF_AN_ANSWER,
            frozenset({"prompt"}),
        ),
        TemplateKind(
            "weak_answer",
            "weak_answer-2",
            "Deliberately weak answer, of a model that takes no temperature",
            _OF_AN_ANSWER,
            frozenset({"prompt"}),
        ),
        _panel("holistic", "Panel: one score, the rubric as framework"),
        _panel("per_dimension", "Panel: one score for each dimension"),
        _panel("no_rubric", "Panel: one score, without the rubric", "rubric"),
        _rater("holistic", "One score, by any scale, with or without a perspective"),
        _rater("per_dimension", "One score for each dimension, by any scale, with or without a perspective"),
        _rater("no_rubric", "One score without the rubric, by any scale, with or without a perspective", "rubric"),
        _panel("inferred", "Panel: scores read out of a judge’s justification", "perspective", "description"),
        TemplateKind(
            "concept_proposals",
            "concept_proposals-1",
            "Concepts proposed from a document",
            _OF_CONCEPTS,
            frozenset({"materials", "reply_format"}),
        ),
        *(
            TemplateKind(name, f"{name}-1", title, _OF_PROMPTS, frozenset({"materials", "reply_format"}))
            for name, title in (
                ("prompts_scenario", "Prompts written from a scene with a question and possible answers"),
                ("prompts_question", "Prompts written from a question of a subject"),
                ("prompts_concept", "Prompts written from a concept with quotations"),
            )
        ),
        TemplateKind("quality_vote", "quality_vote-1", "Quality of a prompt", _OF_A_VOTE, frozenset(_OF_A_VOTE)),
        TemplateKind(
            "pair_vote", "pair_vote-1", "Whether two prompts ask for the same", _OF_A_VOTE, frozenset(_OF_A_VOTE)
        ),
        TemplateKind(
            "framing",
            "framing-1",
            "A prompt put in the words of people who take sides",
            _OF_FRAMINGS,
            frozenset({"conditions", "materials", "reply_format"}),
        ),
        TemplateKind(
            "framing_check",
            "framing_check-1",
            "Whether framings are as they should be",
            _OF_A_FRAMING_CHECK,
            frozenset(_OF_A_FRAMING_CHECK),
        ),
        TemplateKind(
            "trial_framework",
            "trial_framework-1",
            "A framework of values, told to a model",
            {"framework": "the framework in the words of its condition"},
            frozenset({"framework"}),
        ),
        TemplateKind(
            "trial_answer",
            "trial_answer-1",
            "Answer to a scenario with established facts",
            _OF_A_CASE,
            frozenset({"framework", "scenario", "reply_format"}),
        ),
        TemplateKind(
            "trial_conclusion",
            "trial_conclusion-1",
            "What an answer to a scenario recommends",
            {
                "materials": _OF_A_VOTE["materials"],
                "categories": "what answers to the scenario can recommend, a line each",
                "reply_format": _OF_A_VOTE["reply_format"],
            },
            frozenset({"materials", "categories", "reply_format"}),
        ),
        TemplateKind(
            "benchmark_options",
            "benchmark_options-1",
            "Question of a benchmark with answers to choose from",
            {**_OF_A_QUESTION, "options": "the answers, each with its number"},
            frozenset({"context", "question", "options"}),
        ),
        TemplateKind(
            "benchmark_free",
            "benchmark_free-1",
            "Question of a benchmark with a free answer",
            _OF_A_QUESTION,
            frozenset(_OF_A_QUESTION),
        ),
        TemplateKind(
            "benchmark_one_word",
            "benchmark_one_word-1",
            "System turn that asks for one word, where a benchmark’s rules have it",
            {},
            frozenset(),
        ),
        TemplateKind(
            "benchmark_rephrasing",
            "benchmark_rephrasing-1",
            "Question of a benchmark put into other words",
            _OF_PROMPTS,
            frozenset({"materials", "reply_format"}),
        ),
        TemplateKind(
            "benchmark_mark",
            "benchmark_mark-1",
            "Whether an answer to a question of a benchmark is right",
            {"materials": _OF_A_VOTE["materials"]},
            frozenset({"materials"}),
        ),
        TemplateKind("reading", "reading-1", "What gives a text’s source away", _OF_A_VOTE, frozenset(_OF_A_VOTE)),
        TemplateKind(
            "panel_examples", "panel_examples-1", "Worked examples for the panel, as TOML", {}, frozenset()
        ),
        TemplateKind(
            "quality_examples",
            "quality_examples-1",
            "Worked examples for votes on a prompt’s quality, as TOML",
            {},
            frozenset(),
        ),
    )
}


EXAMPLES: Final[Mapping[str, Mapping[str, str]]] = {
    "panel_examples": {"question": "prompt", "answer": "answer"},
    "quality_examples": {"prompt": "prompt"},
}
"""Templates that are no wording but a file of worked examples: what its texts are called in a request and in it."""


@dataclass(frozen=True)
class PromptTemplate:
    """A wording of the template `name`, one of `KINDS`."""

    name: str
    text: str

    @property
    def version(self) -> str:
        """Name and the first twelve hex digits of the text's SHA-256."""
        return f"{self.name}:{sha256_hex(self.text)[:12]}"

    def fill(self, **values: object) -> str:
        """The request's text. Raises `KeyError` for a placeholder without a value."""
        known = KINDS[self.name].placeholders

        def value(found: re.Match[str]) -> str:
            return str(values[found[1]]) if found[1] in known else found[0]

        return _PLACEHOLDER.sub(value, self.text).strip()


SHIPPED: Final[Mapping[str, PromptTemplate]] = {
    name: PromptTemplate(name, (FOLDER / f"{kind.file}.txt").read_text(encoding="utf-8"))
    for name, kind in KINDS.items()
}


def check_wording(name: str, text: str) -> None:
    """Raise `Refused`, in words for its author, for a text that cannot serve as the template `name`."""
    if not text.strip():
        raise Refused("The template is empty.")
    if len(text) > MAX_CHARACTERS:
        raise Refused(f"The template has {len(text):,} characters; {MAX_CHARACTERS:,} are the most.")
    if name in EXAMPLES:
        read_examples(text, names=EXAMPLES[name])
        return
    missing = sorted(KINDS[name].required - set(_PLACEHOLDER.findall(text)))
    if missing:
        names = " and ".join(f"{{{each}}}" for each in missing)
        raise Refused(f"The template lacks {names}: without it the model would not get what it has to work on.")
    known = {f"{{{each}}}" for each in KINDS[name].placeholders}
    if unknown := sorted(set(_LIKE_ONE.findall(text)) - known):
        raise Refused(
            f"Nothing is put in for {' and '.join(unknown)}. The names here are {', '.join(sorted(known))}; other "
            "words stand without braces."
        )
