"""Audits in any state: people who annotate, what they say, who rules."""

from collections.abc import Sequence
from typing import Any

from annotation.assignment.services import assembling
from annotation.benchmarks.models.benchmarks import Question
from annotation.benchmarks.models.reviews import Review
from annotation.benchmarks.models.rulings import Ruling
from annotation.benchmarks.services.adjudicating import open_adjudication, rule
from annotation.benchmarks.services.reviews import Saved, save_review
from annotation.study.core.presets import PRESETS
from annotation.study.models.participation import Role
from annotation.study.models.studies import Study
from tests.annotation.benchmarks.tomi_stories import SWAPPED, a_benchmark
from tests.factories import a_member, a_study, coordinator_of, locked, members_of

NOTE = "The label contradicts the story."
Fields = dict[str, str | Sequence[str]]
SOUND: Fields = {"verdict": "sound"}


def flawed(*flaws: str, note: str = NOTE) -> Fields:
    return {"verdict": "flawed", "flaw": list(flaws), **{f"note:{flaw}": note for flaw in flaws}}


def audit_in_design(slug: str = "audit") -> Study:
    parameters: dict[str, Any] = {"preset": "audit", **PRESETS["audit"]}
    return a_study(slug, prompts=0, **parameters)


def an_audit(data: bytes = SWAPPED, *, annotators: int = 2, slug: str = "audit") -> Study:
    """An audit of one benchmark whose questions were given out."""
    study = audit_in_design(slug)
    a_benchmark(study, data)
    for _ in range(annotators):
        a_member(study, Role.ANNOTATOR)
    a_member(study, Role.ADJUDICATOR)
    locked(study)
    assembling.open_judging(study=study, by=coordinator_of(study))
    study.refresh_from_db()
    return study


def posted(fields: Fields) -> dict[str, Sequence[str]]:
    return {name: [value] if isinstance(value, str) else value for name, value in fields.items()}


def said(review: Review, fields: Fields, *, over: int | None = None) -> Saved:
    return save_review(pk=review.pk, posted=posted(fields), over=over, by=review.annotator.user)


def reviews_of(question: Question) -> list[Review]:
    """By the annotators' pseudonyms."""
    return list(
        question.reviews.order_by("annotator__pseudonym").select_related("annotator__user", "annotator__study")
    )


def questions_of(study: Study) -> list[Question]:
    return list(Question.objects.filter(story__benchmark__study=study).order_by("number"))


def all_said(study: Study, *, flaws: dict[int, tuple[Fields, Fields]]) -> None:
    """Everybody says something of every question: that it is sound, unless `flaws` say otherwise, by its number."""
    for question in questions_of(study):
        for review, fields in zip(reviews_of(question), flaws.get(question.number, (SOUND, SOUND)), strict=True):
            said(review, fields)


def an_adjudication(*, slug: str = "audit", flaws: dict[int, tuple[Fields, Fields]] | None = None) -> Study:
    """An audit whose annotators are done and disagree on some questions; on the first, if no others are given."""
    study = an_audit(slug=slug)
    all_said(study, flaws=flaws or {1: (SOUND, flawed("structural.wrong_label"))})
    open_adjudication(benchmark=study.benchmarks.get(), by=coordinator_of(study))
    return study


def ruled(study: Study, number: int, category: str, fate: str, *, over: int = 0, **changes: str) -> None:
    """The adjudicator rules on the question of this number."""
    [adjudicator] = members_of(study, Role.ADJUDICATOR)
    ruling = Ruling.objects.get(question__story__benchmark__study=study, question__number=number)
    rule(
        pk=ruling.pk,
        category=category,
        fate=fate,
        reason="As the story has it." if fate != "stays" else "",
        changes=changes,
        over=over,
        by=adjudicator.user,
    )
