"""Answers to cases that are there and count."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

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
    """All of the study, or those with one of `ids`, in a fixed order. Rejected texts are none."""
    questions = {version.prompt_id: version.text for version in latest_versions(study)}
    answers = CaseAnswer.objects.filter(case__prompt__study=study, call__isnull=False)
    if ids is not None:
        answers = answers.filter(pk__in=ids)
    rejected = Stimulus.objects.filter(study=study, state="rejected").values("pk")
    found = answers.exclude(response__in=rejected).select_related("response").order_by("pk")
    for answer in found.iterator(chunk_size=500):
        shown = answer.response.text if answer.response else answer.text
        yield Answered(answer.pk, questions[answer.case_id], shown)
