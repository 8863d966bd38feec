"""Prompts that were asked for and did not come: counted by source and model, not hidden."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Final, get_args

from django.db.models import Count, Exists, Max, OuterRef, Q, QuerySet, Subquery

from annotation.study.models.studies import Study
from generation.calls.core.retries import FaultOfBundle
from generation.calls.models import Attempt, Call, GenerationRun
from generation.prompts.models import Bundle

# By the model, or by its provider.
DECLINED: Final = ("refused", "filtered")

# Their ids.
SourceAndTarget = tuple[int, int]


def refusals(study: Study) -> Mapping[SourceAndTarget, int]:
    """Scenarios that a model at work wrote nothing from, since it or its provider declined to."""
    return _given_up(study, Q(last__in=DECLINED))


def unwritten(study: Study) -> Mapping[SourceAndTarget, int]:
    """Scenarios that a model at work was given up over for any other reason."""
    return _given_up(study, ~Q(last__in=DECLINED) | Q(last__isnull=True))


def violations(study: Study) -> Mapping[SourceAndTarget, Mapping[str, int]]:
    """Replies that were not of the form asked for, by outcome; those made good by a later reply as well."""
    attempts = Attempt.objects.filter(call__in=_calls(study), outcome__in=get_args(FaultOfBundle)).order_by()
    rows = attempts.values_list("call__scenario__source", "call__target", "outcome").annotate(Count("pk"))
    found: defaultdict[SourceAndTarget, dict[str, int]] = defaultdict(dict)
    for source, target, outcome, number in rows:
        found[source, target][outcome] = number
    return dict(found)


def _calls(study: Study) -> QuerySet[Call]:
    return Call.objects.filter(
        run__study=study, run__purpose=GenerationRun.Purpose.PROMPTS, target__retired_at__isnull=True
    )


def _given_up(study: Study, condition: Q) -> dict[SourceAndTarget, int]:
    """Scenarios without a bundle of the model whose newest call failed, under a condition on its `last` outcome,
    which is `None` where nothing was sent.
    """
    newest = _calls(study).order_by().values("scenario", "target").annotate(newest=Max("pk"))
    there = Bundle.objects.filter(scenario=OuterRef("scenario"), target=OuterRef("target"))
    last = Attempt.objects.filter(call=OuterRef("pk")).order_by("-number").values("outcome")[:1]
    failed = Call.objects.filter(~Exists(there), pk__in=newest.values("newest"), state="failed")
    calls = failed.annotate(last=Subquery(last)).filter(condition).order_by()
    rows = calls.values_list("scenario__source", "target").annotate(Count("pk"))
    return {(source, target): number for source, target, number in rows}
