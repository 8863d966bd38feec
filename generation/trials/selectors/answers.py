"""Answers to cases that are there and count."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from annotation.study.models.studies import Study
from annotation.study.selectors.prompts import latest_versions
from annotation.texts.models.provenance import Stimulus
from generation.trials.models import CaseAnswer


@dataclass(frozen=True)
class Answered:
    """An answer as it is evaluated: in the text that judges see, where they see it, below its `question`."""

    id: int
    question: str
    text: str


def answered(study: Study, ids: Collection[Any] | None = None) -> Iterator[Answered]:
    """All of the study, or those with one of `ids`, in a fixed order. Rejected texts do not count."""
    questions = {version.prompt_id: version.text for version in latest_versions(study)}
    answers = standing(study).filter(call__isnull=False)
    if ids is not None:
        answers = answers.filter(pk__in=ids)
    for answer in answers.select_related("response").order_by("pk").iterator(chunk_size=500):
        yield Answered(answer.pk, questions[answer.case_id], shown_text(answer))


def answers_asked_for(study: Study) -> list[CaseAnswer]:
    """Answers asked for, including those that never came, in a fixed order. Those whose text was rejected do not
    count.
    """
    told = ("case__prompt", "case__scenario", "case__target", "response")
    return list(standing(study).select_related(*told).order_by("pk"))


def shown_text(answer: CaseAnswer) -> str:
    """The text as judges see it, where they see it; "" where there is none yet."""
    return answer.response.text if answer.response else answer.text


def standing(study: Study) -> QuerySet[CaseAnswer]:
    """All that are wanted, whether they are there or not, but those whose text a coordinator rejected."""
    rejected = Stimulus.objects.filter(study=study, state="rejected").values("pk")
    return CaseAnswer.objects.filter(case__prompt__study=study).exclude(response__in=rejected)
