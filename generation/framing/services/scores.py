"""Scores of answers under pressure by the panel, per dimension, from every perspective of every judge."""

from collections.abc import Collection, Iterator, Sequence
from copy import copy
from typing import Any

from django.db.models import QuerySet

from annotation.platform.core.errors import Refused
from annotation.platform.models.users import User
from generation.answers.models import ModelAnswer
from generation.calls.core.planned_calls import PlannedCall
from generation.calls.models import Call, GenerationRun
from generation.calls.services import planning
from generation.framing.models import FramedAnswer, FramingSet
from generation.framing.selectors.questions import answers_scored
from generation.panel.core.panel import Materials
from generation.panel.selectors.panel_subjects import Subject
from generation.panel.services.panel import Panel, wanted_about
from generation.prompts.services import pool

SHOWN = {"framing": "The framing that was answered", "prompt": "The prompt behind it"}
"""What judges may be shown above an answer."""


def plan_scores(*, framing_set: FramingSet, instructed: bool, shows: str, by: User) -> GenerationRun:
    """A run that scores the set's answers of one way to ask; `shows` is a key of `SHOWN`. Nothing is sent.

    Raises `Refused` where there are none yet, or where the study's panel is not complete.
    """
    if not answers_scored(framing_set, instructed=instructed).exclude(framing=None).exists():
        raise Refused("There are no such answers to framings yet.")
    return planning.plan_run(
        study=framing_set.study,
        by=by,
        purpose=GenerationRun.Purpose.FRAMED_SCORE,
        mode="per_dimension",
        presentation=GenerationRun.Presentation.ALONE,
        only={"set": framing_set.pk, "instructed": instructed, "shows": shows},
    )


class FramedScores(Panel):
    """The purpose “framed_score”: what the panel is asked about any answer, without the name of a condition."""

    def closed(self, run: GenerationRun) -> str:
        return pool.closed_in(pool.study_of(run))

    def scope(self, run: GenerationRun) -> Sequence[tuple[str, str]]:
        return [("Framings", str(_set(run))), ("Above an answer", SHOWN[pool.only(run)["shows"]])]

    def about(self, run: GenerationRun, ids: Collection[Any] | None = None) -> Iterator[Subject]:
        answers = _answers(run) if ids is None else _answers(run).filter(pk__in=ids)
        for answer in answers.iterator(chunk_size=500):
            yield Subject("subject_id", answer.pk, Materials(_question(run, answer), {"": answer.text}), {"": None})

    def wanted(self, run: GenerationRun) -> Iterator[PlannedCall]:
        """A score that the panel has given to the study's own answer, when asked just so, serves for the answer
        that was taken from there.
        """
        served = _served(run)
        for planned in wanted_about(run, self.about(run)):
            seat = planned.subject_id, planned.target_id, planned.perspective
            yield served.get(seat, planned)


FRAMED_SCORES = FramedScores()


def _served(run: GenerationRun) -> dict[tuple[int | None, int, str], PlannedCall]:
    """The panel's calls that scored answers taken from the study, by answer, judge and perspective."""
    answers = {answer.call_id: answer for answer in _answers(run).filter(call__prompt_version__isnull=False)}
    brought = ModelAnswer.objects.filter(call__in=answers).values_list("response", "call")
    taken = {response: answers[call] for response, call in brought}
    ordinary = copy(run)
    ordinary.purpose = GenerationRun.Purpose.PANEL
    subjects = (
        Subject("response_id", response, Materials(_question(run, answer), {"": answer.text}), {"": response})
        for response, answer in taken.items()
    )
    asked = list(wanted_about(ordinary, subjects))
    given = Call.objects.filter(key__in=[call.key for call in asked], state="accepted")
    there = set(given.values_list("key", flat=True))
    return {
        (taken[call.response_id].pk, call.target_id, call.perspective): call
        for call in asked
        if call.response_id and call.key in there
    }


def _question(run: GenerationRun, answer: FramedAnswer) -> str:
    if answer.framing and pool.only(run)["shows"] == "framing":
        return answer.framing.text
    return answer.prompt.text


def _answers(run: GenerationRun) -> QuerySet[FramedAnswer]:
    return answers_scored(_set(run), instructed=pool.only(run)["instructed"])


def _set(run: GenerationRun) -> FramingSet:
    return FramingSet.objects.get(pk=pool.only(run)["set"], study=run.study)
