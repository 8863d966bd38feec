"""Whether submitted judgments are those that were submitted, and follow from their scores."""

from collections.abc import Iterator
from operator import itemgetter
from uuid import UUID

from analysis.blinding.core.blinding_record import Item, Record
from annotation.judging.core.judgments import JudgedAnswer, judgment_sha256
from annotation.judging.core.ranking import competition_ranks, mid_ranks
from annotation.study.core.rubric import Rubric


def of_shared_ratings(record: Record) -> Iterator[str]:
    """Every place, in words, where the judgment that counts is not the one that the audit trail has first in its
    place.
    """
    items = {item.id: item for item in record.items}
    for rating in record.shared:
        submitted = [(items[str(own.id)].submissions.number, own) for own in rating.items]
        order = [(number, own) for number, own in submitted if number is not None]
        first = min(order, key=itemgetter(0))[1] if order else None
        if first and rating.counted and first != rating.counted:
            instead = f"the judgment of {rating.counted.judge} counts instead"
            yield f"{items[str(first.id)]}: it was submitted first in its place, and {instead}."


def of_judgment(item: Item, record: Record) -> Iterator[str]:
    """Every fault, in words, of one item as a judgment."""
    yield from (f"{item}: {step}" for step in item.submissions.illegitimate)
    if item.state != "submitted":
        if item.submissions.is_submitted or any(answer.ranked for answer in item.answers):
            yield f"{item}: it was submitted and does not count as submitted any more."
        return
    if unranked := [answer.label for answer in item.answers if answer.ranked is None]:
        yield f"{item}: answer {', '.join(unranked)} has no rank."
    yield from _composites(item, record.design.rubric)
    yield from _ranking(item)
    yield from _hashes(item, record)


def _hashes(item: Item, record: Record) -> Iterator[str]:
    """The judgment against the hashes of its submission, one kept with it and one in the audit trail."""
    if not item.submissions.is_submitted:
        yield f"{item}: it counts as submitted, and the audit trail does not say that it was."
        return
    if item.is_unhashed:
        if record.is_hashed:
            yield f"{item}: the audit trail has its submission without the hash."
        return
    recomputed = judgment_sha256(
        judge=item.judge,
        prompt=item.prompt,
        rubric=record.design.rubric.sha256,
        answers=[
            JudgedAnswer(answer.label, UUID(answer.response), answer.scores, answer.ranked.rank)
            for answer in item.answers
            if answer.ranked is not None
        ],
        justification=item.justification,
    )
    if recomputed != item.submissions.sha256:
        yield f"{item}: the judgment is not the one that was submitted, by its hash in the audit trail."
    if recomputed != item.sha256:
        yield f"{item}: the judgment does not match the hash kept with it."


def _composites(item: Item, rubric: Rubric) -> Iterator[str]:
    """A composite is what the scores come to; where answers are ranked directly there is neither."""
    for answer in item.answers:
        if answer.ranked is None or (answer.ranked.composite is None and not answer.scores):
            continue
        try:
            composite = rubric.composite(answer.scores)
        except ValueError as error:
            yield f"{item}: answer {answer.label}: {error}"
        else:
            if composite != answer.ranked.composite:
                yield f"{item}: answer {answer.label}: its composite is not what its scores come to."


def _ranking(item: Item) -> Iterator[str]:
    ranked = [answer.ranked for answer in item.answers if answer.ranked is not None]
    strengths = [-row.rank if row.composite is None else row.composite for row in ranked]
    expected = zip(competition_ranks(strengths), mid_ranks(strengths), strict=True)
    if [(row.rank, row.mid_rank) for row in ranked] != list(expected):
        yield f"{item}: the ranks are not what the composites come to."
