"""What the panel is asked about an answer, or about all answers of an item, and how its scores are combined."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any, Final, Literal

from annotation.study.core.rubric import Rubric, Scale
from generation.catalogue.core.fences import fenced_materials
from generation.catalogue.core.prompt_templates import PromptTemplate
from generation.catalogue.core.worked_examples import WorkedExample, before
from generation.panel.core.perspectives import Perspective
from generation.panel.core.rubric_texts import USUAL_PARTS, rubric_text, scale_in_words
from generation.providers.core.json_schemas import object_of

Mode = Literal["holistic", "per_dimension", "no_rubric", "inferred"]

OVERALL: Final = "holistic"
"""Under this name stands a score that is not of one dimension."""

# Before the scores, so that a model that writes from left to right comes to a score by its reason.
_ABOUT_REASONS: Final = (
    "A reason is one sentence of at most 30 words. It says what in the answer the score rests on, and no number."
)
_WORDS: Final[Mapping[str, Any]] = {"type": "string"}


@dataclass(frozen=True)
class Shape:
    """What a reply must be like. `labels` are those of answers judged together; there are none for one alone.

    `dimension` is the one asked about where each has a prompt of its own, "" where all are asked about together.
    With `reasons` a few words stand beside each score, but where scores are read out of a judge's own words.
    """

    mode: Mode
    rubric: Rubric
    labels: tuple[str, ...] = ()
    dimension: str = ""
    reasons: bool = False

    @property
    def gives_reasons(self) -> bool:
        return self.reasons and self.mode != "inferred"

    @property
    def dimensions(self) -> tuple[str, ...]:
        return (self.dimension,) if self.dimension else tuple(each.key for each in self.rubric.dimensions)

    @property
    def scale(self) -> Scale:
        return self.rubric.scale


@dataclass(frozen=True)
class Materials:
    """The prompt with what is judged: answers by label (one alone under ""), or a judge's words about them."""

    question: str
    answers: Mapping[str, str]
    explanation: str = ""

    @property
    def length(self) -> int:
        """The length in characters."""
        return sum(map(len, (self.question, *self.answers.values(), self.explanation)))


@dataclass(frozen=True)
class Scores:
    """What a reply says of one answer: `values` by dimension, or one under `OVERALL`.

    `abstained`: the answer does not take the question up. `mentioned` are the dimensions a justification speaks of.
    `reasons` are by the same names as `values`, where they were asked for.
    """

    values: Mapping[str, int]
    abstained: bool = False
    mentioned: tuple[str, ...] = ()
    reasons: Mapping[str, str] = field(default_factory=dict)

    def counts(self, *, counts_abstentions: bool) -> bool:
        """Whether it enters a composite."""
        return bool(self.values) and (counts_abstentions or not self.abstained)

    @property
    def mean(self) -> float:
        """The mean of the values, of which there must be one."""
        return fmean(self.values.values())


def panel_prompt(
    template: PromptTemplate,
    shape: Shape,
    materials: Materials,
    *,
    perspective: Perspective | None,
    parts: Collection[str] = USUAL_PARTS,
    examples: Sequence[WorkedExample] = (),
) -> str:
    """The request's text. `perspective` is None where the panel takes none; `parts` are those of `PARTS` told."""
    return template.fill(
        perspective=perspective.name if perspective else "",
        description=perspective.description if perspective else "",
        seat=_seat(perspective),
        scale=scale_in_words(shape.scale),
        score=_score_in_words(shape.scale),
        rubric=rubric_text(shape.rubric, shape.dimensions, parts),
        materials=before(_fenced_materials(materials), examples),
        reply_format=_reply_format(shape),
    )


def _seat(perspective: Perspective | None) -> str:
    """Two paragraphs about the perspective taken, or nothing."""
    if perspective is None:
        return ""
    return f"Assess from the seat of the {perspective.name}.\n\n{perspective.description}\n\n"


def _score_in_words(scale: Scale) -> str:
    if scale.words:
        return f"one of the words {scale_in_words(scale)}"
    return f"a whole number on the scale from {scale_in_words(scale)}"


def _fenced_materials(materials: Materials) -> str:
    texts = {"question": materials.question}
    texts |= {f"answer-{label}" if label else "answer": text for label, text in materials.answers.items()}
    if materials.explanation:
        texts["explanation"] = materials.explanation
    return fenced_materials(texts, asking_for="a score")


def _reply_format(shape: Shape) -> str:
    """The form in words, with an example of it that holds no score."""
    example = _example(shape)
    if shape.labels:
        example = "{" + ", ".join(f'"{label}": {example}' for label in shape.labels) + "}"
    said = f"Reply with this JSON object and nothing else, each … replaced:\n\n{example}"
    return f"{said}\n\n{_ABOUT_REASONS}" if shape.gives_reasons else said


def _example(shape: Shape) -> str:
    if shape.mode in ("holistic", "no_rubric"):
        return '{"reason": "…", "score": …}' if shape.gives_reasons else '{"score": …}'
    fields = [f'"{dimension}": …' for dimension in shape.dimensions]
    if shape.gives_reasons:
        reasons = ", ".join(f'"{dimension}": "…"' for dimension in shape.dimensions)
        fields.insert(0, f'"reasons": {{{reasons}}}')
    fields.append('"mentioned": […]' if shape.mode == "inferred" else '"abstained": true or false')
    return "{" + ", ".join(fields) + "}"


def reply_schema(shape: Shape) -> dict[str, Any]:
    """The reply as a JSON Schema: an object in which every property is required."""
    each = object_of(_properties(shape))
    return object_of(dict.fromkeys(shape.labels, each)) if shape.labels else each


def _properties(shape: Shape) -> dict[str, Any]:
    score = _score(shape.scale)
    if shape.mode in ("holistic", "no_rubric"):
        return {**({"reason": _WORDS} if shape.gives_reasons else {}), "score": score}
    if shape.mode == "per_dimension":
        reasons = {"reasons": object_of(dict.fromkeys(shape.dimensions, _WORDS))} if shape.gives_reasons else {}
        return {**reasons, **dict.fromkeys(shape.dimensions, score), "abstained": {"type": "boolean"}}
    mentioned = {"type": "array", "items": {"type": "string", "enum": list(shape.dimensions)}}
    unsaid = {"anyOf": [score, {"type": "null"}]}
    return {**dict.fromkeys(shape.dimensions, unsaid), "mentioned": mentioned}


def _score(scale: Scale) -> dict[str, Any]:
    if scale.words:
        return {"type": "string", "enum": list(scale.words)}
    score: dict[str, Any] = {"type": "integer", "minimum": scale.minimum, "maximum": scale.maximum}
    return score if scale.step == 1 else {**score, "enum": [*range(scale.minimum, scale.maximum + 1, scale.step)]}


@dataclass(frozen=True)
class Composite:
    """The panel's view of one answer.

    `value` is the unweighted mean, on the rubric's scale, of what `scores` replies said, None without any.
    `abstentions` counts replies that found the answer to abstain, `expected` all that were asked for.
    """

    value: float | None
    scores: int
    abstentions: int
    expected: int


def composite(replies: Sequence[Scores], *, expected: int, counts_abstentions: bool) -> Composite:
    """The mean over replies of each reply's mean. Abstentions are counted, and enter it only if they are to."""
    means = [reply.mean for reply in replies if reply.counts(counts_abstentions=counts_abstentions)]
    return Composite(
        value=fmean(means) if means else None,
        scores=len(means),
        abstentions=sum(reply.abstained for reply in replies),
        expected=expected,
    )
