"""What a judge may see: labels, texts and their own scores. Nothing here can tell a source."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from annotation.core.rubric import Rubric
from annotation.models.judging import BlindedSlot, JudgingItem, Score
from annotation.models.participation import Participation
from annotation.models.people import User
from annotation.selectors.rubrics import rubric_by_hash


@dataclass(frozen=True)
class Answer:
    """One labelled text with the judge's scores so far, by dimension key; rank once the item is submitted."""

    slot: UUID
    label: str
    text: str
    scores: Mapping[str, int]
    rank: int | None = None
    composite: float | None = None

    @property
    def paragraphs(self) -> list[str]:
        return self.text.split("\n\n")


@dataclass(frozen=True)
class ItemPage:
    """An item as its judge sees it."""

    id: int
    position: int
    of: int
    state: str
    study_slug: str
    study_title: str
    mode: str
    rationale: str
    is_synthetic: bool
    prompt: str
    answers: tuple[Answer, ...]
    rubric: Rubric
    justification: str
    submitted_at: datetime | None

    @property
    def complete(self) -> bool:
        return all(not self.rubric.missing(answer.scores) for answer in self.answers)


@dataclass(frozen=True)
class ItemLine:
    """An item in a judge's list. `scored` of `scores_wanted` values are given."""

    id: int
    position: int
    state: str
    scored: int
    scores_wanted: int
    submitted_at: datetime | None


def item_of(user: User, item_id: int) -> JudgingItem | None:
    """The item if it is this person's, else `None`: others' items do not exist for them."""
    return (
        JudgingItem.objects.filter(pk=item_id, participation__user=user, participation__left_at__isnull=True)
        .exclude(state="cancelled")
        .select_related("participation", "study", "prompt_version")
        .first()
    )


def item_page(item: JudgingItem) -> ItemPage:
    """Everything the item's page shows, in four queries."""
    slots = list(
        BlindedSlot.objects.filter(item=item).select_related("response", "ranking").order_by("label")
    )
    scores: dict[UUID, dict[str, int]] = {}
    for score in Score.objects.filter(slot__item=item):
        scores.setdefault(score.slot_id, {})[score.dimension] = score.value
    study = item.study
    return ItemPage(
        id=item.pk,
        position=item.position,
        of=JudgingItem.objects.filter(participation=item.participation).exclude(state="cancelled").count(),
        state=item.state,
        study_slug=study.slug,
        study_title=study.title,
        mode=study.judging_mode,
        rationale=study.rationale,
        is_synthetic=study.is_synthetic,
        prompt=item.prompt_version.text,
        answers=tuple(_answer(slot, scores.get(slot.pk, {})) for slot in slots),
        rubric=rubric_by_hash(study.rubric_id),
        justification=item.justification,
        submitted_at=item.submitted_at,
    )


def _answer(slot: BlindedSlot, scores: Mapping[str, int]) -> Answer:
    ranking = getattr(slot, "ranking", None)
    return Answer(
        slot=slot.pk,
        label=slot.label,
        text=slot.response.text,
        scores=scores,
        rank=ranking.rank if ranking else None,
        composite=ranking.composite if ranking else None,
    )


def items_of(participation: Participation) -> list[ItemLine]:
    """A judge's items in their order, with how far each is."""
    study = participation.study
    wanted = study.answers_per_item * len(rubric_by_hash(study.rubric_id).dimensions)
    given: dict[int, int] = {}
    for item_id in Score.objects.filter(slot__item__participation=participation).values_list(
        "slot__item_id", flat=True
    ):
        given[item_id] = given.get(item_id, 0) + 1
    items = JudgingItem.objects.filter(participation=participation).exclude(state="cancelled")
    return [
        ItemLine(item.pk, item.position, item.state, given.get(item.pk, 0), wanted, item.submitted_at)
        for item in items
    ]
