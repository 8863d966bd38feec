"""What a judge may see: labels, texts and their own scores. Nothing here can tell a source."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection

from annotation.judging.core.judgments import JUSTIFICATION, mark_field, place_field, score_field
from annotation.judging.core.ranking import competition_ranks, tie_groups
from annotation.judging.models.judging import JudgingItem
from annotation.judging.policies import reopens_until
from annotation.platform.models.users import User
from annotation.platform.services.rows import first_named
from annotation.study.core.rubric import Rubric
from annotation.study.models.studies import Study
from annotation.study.selectors.rubrics import rubric_by_hash


@dataclass(frozen=True)
class Answer:
    """One labelled text with what its judge has given: scores by dimension key, or a place in a direct ranking.

    `rank` is there once the item is submitted. `depth` is how much of the text has been in view, in percent.
    """

    slot: UUID
    label: str
    text: str
    scores: Mapping[str, int]
    place: int | None = None
    rank: int | None = None
    depth: int = 0

    @property
    def paragraphs(self) -> list[str]:
        return self.text.split("\n\n")


@dataclass(frozen=True)
class Passage:
    """A private mark: on code points `start` to `end` of the answer's text, or on the answer as a whole."""

    id: UUID
    slot: UUID
    start: int | None
    end: int | None
    dimension: str
    note: str

    @property
    def value(self) -> dict[str, Any]:
        """The mark as the page sends and gets it."""
        return {
            "slot": str(self.slot),
            "start": self.start,
            "end": self.end,
            "dimension": self.dimension,
            "note": self.note,
        }


@dataclass(frozen=True)
class RankRow:
    """A row of a ranking: the answers that share `rank`, and the composite and mean they share where scored."""

    rank: int
    labels: tuple[str, ...]
    composite: float | None
    mean: float | None


@dataclass(frozen=True)
class OwnNote:
    """A judge's note; `quote` are the words that are marked, empty for the answer as a whole."""

    quote: str
    dimension: str
    note: str


@dataclass(frozen=True)
class ReadAnswer:
    answer: Answer
    notes: tuple[OwnNote, ...]


def _quoted(text: str, mark: Passage) -> str:
    return "" if mark.start is None else " ".join(text[mark.start : mark.end].split())


@dataclass(frozen=True)
class ItemPage:
    """An item as its judge sees it. `left_as` is how the room was left, in any browser, as JSON for its script."""

    id: int
    position: int
    of: int
    state: str
    study_slug: str
    study_title: str
    study_state: str
    mode: str
    opens_with: str
    rationale: str
    asks_about_equal_scores: bool
    is_synthetic: bool
    prompt: str
    answers: tuple[Answer, ...]
    marks: tuple[Passage, ...]
    rubric: Rubric
    justification: str
    submitted_at: datetime | None
    sha256: str
    reopens_until: datetime | None
    reopen_minutes: int
    minutes_per_item: int
    asks_guess: bool
    guessed_at: datetime | None
    consented: bool
    left_as: str | None

    @property
    def read_again(self) -> tuple["ReadAnswer", ...]:
        """The answers, each with the judge's notes on it: those on the whole first, then in the text's order."""
        names = {dimension.key: dimension.short_name for dimension in self.rubric.dimensions}
        return tuple(
            ReadAnswer(
                answer,
                tuple(
                    OwnNote(_quoted(answer.text, mark), names.get(mark.dimension, ""), mark.note)
                    for mark in sorted(self.marks, key=lambda mark: -1 if mark.start is None else mark.start)
                    if mark.slot == answer.slot
                ),
            )
            for answer in self.answers
        )

    @property
    def scored(self) -> bool:
        """Whether answers are scored, not ranked directly."""
        return self.mode == Study.Mode.SCORES

    @property
    def given(self) -> int:
        return sum(len(answer.scores) for answer in self.answers)

    @property
    def placed(self) -> int:
        return sum(answer.place is not None for answer in self.answers)

    @property
    def wanted(self) -> int:
        return len(self.answers) * len(self.rubric.dimensions)

    @property
    def complete(self) -> bool:
        return self.given == self.wanted

    @property
    def fields(self) -> dict[str, Any]:
        """What is held, by the names of the fields it is sent in. What is not given yet is left out."""
        fields: dict[str, Any] = {JUSTIFICATION: self.justification} if self.justification else {}
        for answer in self.answers:
            for dimension, value in answer.scores.items():
                fields[score_field(answer.slot, dimension)] = value
            if answer.place is not None:
                fields[place_field(answer.slot)] = answer.place
        return fields | {mark_field(mark.id): mark.value for mark in self.marks}

    @property
    def ranking(self) -> list[RankRow]:
        """Best first: as submitted, or as the scores have it once all are given; empty before."""
        if self.state == "submitted":
            strengths = [-float(answer.rank or 0) for answer in self.answers]
        elif self.scored and self.complete:
            strengths = [self.rubric.composite(answer.scores) for answer in self.answers]
        elif not self.scored and self.placed == len(self.answers):
            strengths = [-float(answer.place or 0) for answer in self.answers]
        else:
            return []
        ranks = competition_ranks(strengths)
        return [
            self._rank_row(ranks[group[0]], [self.answers[n] for n in group]) for group in tie_groups(strengths)
        ]

    def _rank_row(self, rank: int, answers: Sequence[Answer]) -> RankRow:
        labels = tuple(answer.label for answer in answers)
        if not self.scored:
            return RankRow(rank, labels, None, None)
        scores = answers[0].scores
        return RankRow(rank, labels, self.rubric.composite(scores), self.rubric.mean(scores))


# Everything that the item's page shows, at once: a page of six answers asks the database a single question.
ITEM = """
SELECT item.id, item.position, item.state, item.justification, item.submitted_at, item.sha256, item.asks_guess,
    item.guessed_at, version.text AS prompt, study.slug AS study_slug, study.title AS study_title,
    study.state AS study_state, study.judging_mode AS mode, study.item_opens_with AS opens_with,
    study.rationale, study.asks_about_equal_scores, study.is_synthetic, study.rubric_id, study.reopen_minutes,
    study.minutes_per_item, item.view::text AS left_as,
    EXISTS (
        SELECT FROM annotation_consent consent
        WHERE consent.participation_id = judge.id AND consent.withdrawn_at IS NULL
    ) AS consented,
    (
        SELECT max(other.position) FROM annotation_judgingitem other
        WHERE other.participation_id = judge.id AND other.state <> 'cancelled'
    ) AS "of",
    (
        SELECT json_agg(json_build_object(
            'slot', slot.id, 'label', slot.label, 'text', response.text, 'place', slot.place, 'rank', ranked.rank,
            'scores', (
                SELECT json_object_agg(score.dimension, score.value ORDER BY score.dimension)
                FROM annotation_score score WHERE score.slot_id = slot.id
            ),
            'depth', (SELECT max(dwell.depth) FROM annotation_dwell dwell WHERE dwell.slot_id = slot.id)
        ) ORDER BY slot.label)
        FROM annotation_blindedslot slot
        JOIN annotation_response response ON response.id = slot.response_id
        LEFT JOIN annotation_rankedslot ranked ON ranked.slot_id = slot.id
        WHERE slot.item_id = item.id
    ) AS answers,
    (
        SELECT json_agg(json_build_object(
            'id', mark.id, 'slot', mark.slot_id, 'start', mark.start, 'end', mark."end",
            'dimension', mark.dimension, 'note', mark.note
        ) ORDER BY slot.label, mark.start, mark.made_at, mark.id)
        FROM annotation_mark mark JOIN annotation_blindedslot slot ON slot.id = mark.slot_id
        WHERE slot.item_id = item.id
    ) AS marks
FROM annotation_judgingitem item
JOIN annotation_participation judge ON judge.id = item.participation_id
JOIN annotation_promptversion version ON version.id = item.prompt_version_id
JOIN annotation_study study ON study.id = item.study_id
WHERE item.id = %s AND judge.user_id = %s AND judge.left_at IS NULL AND item.state <> 'cancelled'
"""


def item_page(user: User, item_id: int) -> ItemPage | None:
    """The item as this person may see it; `None` where it is not theirs: others' items do not exist for them."""
    with connection.cursor() as cursor:
        cursor.execute(ITEM, [item_id, user.pk])
        found = first_named(cursor)
    if found is None:
        return None
    submitted_at, minutes = found["submitted_at"], found["reopen_minutes"]
    return ItemPage(
        **found
        | {
            "rubric": rubric_by_hash(found.pop("rubric_id")),
            "answers": tuple(map(_answer, found["answers"] or ())),
            "marks": tuple(map(_passage, found["marks"] or ())),
            "reopens_until": submitted_at and reopens_until(submitted_at=submitted_at, reopen_minutes=minutes),
        }
    )


def _answer(found: dict[str, Any]) -> Answer:
    scores, depth = found["scores"] or {}, found["depth"] or 0
    return Answer(**found | {"slot": UUID(found["slot"]), "scores": scores, "depth": depth})


def _passage(found: dict[str, Any]) -> Passage:
    return Passage(**found | {"id": UUID(found["id"]), "slot": UUID(found["slot"])})


def item_of(user: User, item_id: int) -> JudgingItem | None:
    """The item with what decides whether its judge may begin it; `None` where it is not this person's."""
    item = (
        JudgingItem.objects.filter(pk=item_id, participation__user=user, participation__left_at__isnull=True)
        .exclude(state="cancelled")
        .select_related("participation__consent", "participation__profile", "participation__study")
        .first()
    )
    if item is not None:
        item.study = item.participation.study  # one study by constraint, so its wide row is read once
    return item
