"""What the panel said of answers under pressure."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.db.models import QuerySet

from generation.calls.models import GenerationRun
from generation.catalogue.models import Target
from generation.framing.models import FramedAnswer, FramingSet
from generation.panel.models import PanelScore


@dataclass(frozen=True)
class FramedScore:
    """One reply: of the `answer` by its id, by a judge model from a perspective, `shows` being what stood above it
    (a key of `SHOWN`); `values` are by dimension.
    """

    answer: int
    judge: Target
    perspective: str
    shows: str
    values: Mapping[str, float]
    abstained: bool
    reasons: Mapping[str, str]


def framed_scores(framing_set: FramingSet) -> Iterator[FramedScore]:
    """Scores that were asked for, and those that the panel had given to the study's own answers where these serve
    as answers to the prompts themselves.

    Above an answer to the prompt itself stands the prompt, whatever stood above the others: it counts with both.
    """
    runs = list(_runs(framing_set))
    judges = Target.objects.in_bulk({share.target_id for run in runs for share in run.shares.all()})
    answers = FramedAnswer.objects.filter(prompt__set=framing_set).in_bulk()
    given: set[tuple[int, int, str, str]] = set()
    for run in runs:
        only = run.materials["only"]
        alike = [each.materials["only"] for each in runs]
        every = [each["shows"] for each in alike if each["instructed"] == only["instructed"]]
        for score, answer in (*_asked(run), *_served(framing_set, run)):
            shown = dict.fromkeys(every if answers[answer].framing_id is None else [only["shows"]])
            judge, perspective = judges.get(score.call.target_id), score.call.perspective
            for shows in shown:
                seat = answer, score.call.target_id, perspective, shows
                if judge and seat not in given:
                    given.add(seat)
                    said = score.scores, score.abstained, score.reasons
                    yield FramedScore(answer, judge, perspective, shows, *said)


def _runs(framing_set: FramingSet) -> QuerySet[GenerationRun]:
    """Runs that somebody approved: a plan, also a withdrawn one, says what scores would cost and no more."""
    runs = GenerationRun.objects.exclude(state__in=("planning", "planned", "withdrawn")).filter(
        study=framing_set.study,
        purpose=GenerationRun.Purpose.FRAMED_SCORE,
        materials__only__set=framing_set.pk,
    )
    return runs.prefetch_related("shares").order_by("pk")


def _asked(run: GenerationRun) -> Iterator[tuple[PanelScore, int]]:
    for score in PanelScore.objects.filter(call__run=run).select_related("call").order_by("pk").iterator():
        if score.call.subject_id is not None:
            yield score, score.call.subject_id


def _served(framing_set: FramingSet, run: GenerationRun) -> Iterator[tuple[PanelScore, int]]:
    """Scores of the study's own answers, as far as they were asked about per dimension in just this way."""
    taken = FramedAnswer.objects.filter(prompt__set=framing_set, call__prompt_version__isnull=False)
    if not run.materials["only"]["instructed"]:
        return
    by_response = dict(taken.values_list("call__answer__response", "pk"))
    scores = PanelScore.objects.filter(
        response__in=by_response,
        call__run__study=framing_set.study,
        call__run__mode=run.mode,
        call__run__presentation=run.presentation,
        call__run__template_version=run.template_version,
    )
    for score in scores.select_related("call").order_by("pk"):
        if score.response_id is not None:
            yield score, by_response[score.response_id]
