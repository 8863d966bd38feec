"""What a judge may see: labels, texts and their own scores. Nothing here can tell a source."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import ceil
from uuid import UUID

from django.db.models import Count

from annotation.core.ranking import competition_ranks, tie_groups
from annotation.core.rubric import Rubric
from annotation.models.judging import BlindedSlot, JudgingItem, Score
from annotation.models.participation import Participation
from annotation.models.people import User
from annotation.models.studies import Study
from annotation.selectors.rubrics import rubric_by_hash

WORDS_READ_A_MINUTE = 200
MINUTES_TO_WEIGH_AN_ANSWER = 2


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
class Place:
    """A row of a ranking: the answers that share `rank`, and the composite and mean they share where scored."""

    rank: int
    labels: tuple[str, ...]
    composite: float | None
    mean: float | None


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
    def scored(self) -> bool:
        """Whether answers are scored, not ranked directly."""
        return self.mode == Study.Mode.SCORES

    @property
    def given(self) -> int:
        return sum(len(answer.scores) for answer in self.answers)

    @property
    def wanted(self) -> int:
        return len(self.answers) * len(self.rubric.dimensions)

    @property
    def complete(self) -> bool:
        return self.given == self.wanted

    @property
    def minutes(self) -> int:
        """A rough guess of the time the item takes, rounded up to five minutes."""
        words = sum(len(answer.text.split()) for answer in self.answers)
        minutes = words / WORDS_READ_A_MINUTE + MINUTES_TO_WEIGH_AN_ANSWER * len(self.answers)
        return 5 * ceil(minutes / 5)

    @property
    def ranking(self) -> list[Place]:
        """Best first: as submitted, or as the scores have it once all are given; empty before."""
        if self.state == "submitted":
            strengths = [-float(answer.rank or 0) for answer in self.answers]
        elif self.scored and self.complete:
            strengths = [self.rubric.composite(answer.scores) for answer in self.answers]
        else:
            return []
        ranks = competition_ranks(strengths)
        return [self._place(ranks[group[0]], [self.answers[n] for n in group]) for group in tie_groups(strengths)]

    def _place(self, rank: int, answers: Sequence[Answer]) -> Place:
        labels = tuple(answer.label for answer in answers)
        if not self.scored:
            return Place(rank, labels, None, None)
        scores = answers[0].scores
        return Place(rank, labels, self.rubric.composite(scores), self.rubric.mean(scores))


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
    item = (
        JudgingItem.objects.filter(pk=item_id, participation__user=user, participation__left_at__isnull=True)
        .exclude(state="cancelled")
        .select_related("participation__consent", "participation__profile", "study", "prompt_version")
        .first()
    )
    if item is not None:
        item.participation.study = item.study  # one study by constraint, so its wide row is read once
    return item


def item_page(item: JudgingItem) -> ItemPage:
    """Everything the item's page shows, in four queries."""
    slots = list(BlindedSlot.objects.filter(item=item).select_related("response", "ranking").order_by("label"))
    scores: dict[UUID, dict[str, int]] = {}
    for slot, dimension, value in Score.objects.filter(slot__item=item).values_list("slot", "dimension", "value"):
        scores.setdefault(slot, {})[dimension] = value
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


def scores_given(item: JudgingItem) -> int:
    return Score.objects.filter(slot__item=item).count()


def scores_wanted(study: Study) -> int:
    """How many scores an item of the study takes; none where judges rank directly."""
    if study.judging_mode == Study.Mode.RANKING:
        return 0
    return study.answers_per_item * len(rubric_by_hash(study.rubric_id).dimensions)


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
    wanted = scores_wanted(participation.study)
    items = (
        JudgingItem.objects.filter(participation=participation)
        .exclude(state="cancelled")
        .annotate(given=Count("slots__scores"))
        .order_by("position")
    )
    return [ItemLine(item.pk, item.position, item.state, item.given, wanted, item.submitted_at) for item in items]
