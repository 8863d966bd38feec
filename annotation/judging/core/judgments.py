"""A judgment as bytes: how its parts are called on the way to the server, and its hash once it is submitted."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from annotation.platform.core.sealing import canonical_json

JUSTIFICATION = "justification"
VIEW = "view"  # how the room was left: no judgment


def score_field(slot: UUID, dimension: str) -> str:
    """The name of the field that holds one score."""
    return f"score:{slot}:{dimension}"


def place_field(slot: UUID) -> str:
    """The name of the field that holds an answer's place in a direct ranking."""
    return f"place:{slot}"


def mark_field(mark: UUID) -> str:
    """The name of the field that holds one of the judge's marks."""
    return f"mark:{mark}"


@dataclass(frozen=True)
class JudgedAnswer:
    """What was submitted on one answer: `scores` by dimension, none where the judge ranked directly."""

    label: str
    response: UUID
    scores: Mapping[str, int]
    rank: int


def judgment_sha256(
    *, judge: str, prompt: str, rubric: str, answers: Sequence[JudgedAnswer], justification: str
) -> str:
    """SHA-256, in hex, of a judgment's canonical JSON, answers in the order of their labels.

    `judge` and `prompt` are the published pseudonym and code, `rubric` the hash of the rubric. Every part is in
    the released data, so anybody can compute the hash again.
    """
    judgment = {
        "judge": judge,
        "prompt": prompt,
        "rubric": rubric,
        "answers": [
            {
                "label": answer.label,
                "response": str(answer.response),
                "scores": dict(answer.scores),
                "rank": answer.rank,
            }
            for answer in sorted(answers, key=lambda answer: answer.label)
        ],
        "justification": justification,
    }
    return hashlib.sha256(canonical_json(judgment)).hexdigest()
