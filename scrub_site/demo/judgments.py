"""Synthetic judgments: what a synthetic judge scores and guesses about an answer of a given quality."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from annotation.judging.models.judging import BlindedSlot, JudgingItem
from annotation.judging.services import guessing, judging, scoring
from annotation.judging.services.guessing import Guessed

# What a synthetic judge says of an answer that is good or bad on a dimension.
PRAISE_AND_BLAME: Final = {
    "conceptual_clarity": ("says what it means by its terms", "leaves its terms unclear"),
    "evidential_grounding": ("rests its claims on what one could check", "asserts more than it shows"),
    "contextual_relevance": ("stays with the case in question", "speaks of matters in general"),
    "pluralistic_engagement": ("gives the other side its due", "hears one side only"),
    "argumentative_soundness": ("goes from step to step", "jumps to its conclusion"),
}
MODEL_LIKE = 0.66  # the quality from which a synthetic judge takes an answer for a model's


def noise(*context: object) -> float:
    """A number between -1 and 1 that is always the same for the same context."""
    digest = hashlib.sha256("|".join(map(str, context)).encode()).digest()
    return int.from_bytes(digest[:4], "big") / 2**31 - 1


def scores(quality: float, dimensions: Sequence[str], *, judge: str, answer: str) -> dict[str, int]:
    """Scores from 1 to 10 around ten times the quality: judges differ in severity and see answers differently."""
    severity = 0.8 * noise("severity", judge)
    taste = 1.6 * noise("taste", judge, answer)
    values = {}
    for dimension in dimensions:
        wobble = 1.0 * noise(judge, answer, dimension)
        values[dimension] = min(10, max(1, round(10 * quality - severity + taste + wobble)))
    return values


def judge_item(
    item: JudgingItem,
    qualities: dict[str, float],
    dimensions: Sequence[str],
    *,
    submit: bool = True,
    justifies: bool = False,
) -> None:
    """Open an item and score it as its judge would; without `submit` the last answer stays unscored.

    Who `justifies` says in three sentences why, which takes the dimensions of `PRAISE_AND_BLAME`.
    """
    by = item.participation.user
    pseudonym = item.participation.pseudonym
    judging.open_item(item=item, by=by)
    slots = list(BlindedSlot.objects.filter(item=item).order_by("label"))
    given = {
        slot.pk: scores(qualities[str(slot.response_id)], dimensions, judge=pseudonym, answer=str(slot.response_id))
        for slot in (slots if submit else slots[:-1])
    }
    saved = scoring.Given.of_scores(item.study.rubric_id, given)
    if justifies:
        by_letter = {slot.label: given[slot.pk] for slot in slots}
        saved = replace(saved, justification=scoring.JustificationGiven(_justification(by_letter)))
    scoring.save(item_id=item.pk, given=saved, by=by)
    if submit:
        judging.submit_item(item_id=item.pk, by=by)


def decided_by(given: Mapping[str, Mapping[str, int]]) -> tuple[tuple[str, str], tuple[str, str]]:
    """The letters of the best and of the last answer, each with the dimension on which it is best or worst.

    `given` are the scores by letter and dimension.
    """
    totals = sorted(given, key=lambda letter: (sum(given[letter].values()), letter))
    last, best = totals[0], totals[-1]
    return (best, max(given[best], key=given[best].__getitem__)), (
        last,
        min(given[last], key=given[last].__getitem__),
    )


def _justification(given: Mapping[str, Mapping[str, int]]) -> str:
    (best, praised), (last, blamed) = decided_by(given)
    praise, blame = PRAISE_AND_BLAME[praised][0], PRAISE_AND_BLAME[blamed][1]
    return f"I put {best} first: it {praise}. {last} comes last: it {blame}. The others are closer to each other."


def guess_on(item: JudgingItem, qualities: dict[str, float]) -> None:
    """Say who wrote the answers of a submitted item, as its judge would after the last one."""
    judge = item.participation.pseudonym
    guesses = {
        slot.pk: _guess(qualities[str(slot.response_id)], judge=judge, answer=str(slot.response_id))
        for slot in BlindedSlot.objects.filter(item=item)
    }
    guessing.guess(item_id=item.pk, guesses=guesses, by=item.participation.user)


def _guess(quality: float, *, judge: str, answer: str) -> Guessed:
    lean = quality - MODEL_LIKE + 0.25 * noise("guess", judge, answer)
    if abs(lean) < 0.03:
        return Guessed("unknown")
    return Guessed("model" if lean > 0 else "human", min(5, 1 + round(10 * abs(lean))))
