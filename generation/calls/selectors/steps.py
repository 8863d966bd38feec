"""What models do in a study as a step of its checklist."""

from collections.abc import Iterator
from typing import Final

from django.db.models import Count, Q

from annotation.coordination.core.checklist import Amount, Duty
from annotation.platform.core.phrases import counted
from annotation.study.models.studies import Study
from generation.calls.models import Call, GenerationRun
from generation.catalogue.models import Target

BY_MODELS: Final = "Coordinator, with models"


def step_of_naming(study: Study) -> Iterator[Duty]:
    """The step of naming the models that answer, by the coordinator; nothing where none does, or other steps ask
    for them.
    """
    wanted = study.model_targets_expected
    if not wanted or study.is_trial or study.audits_benchmarks:
        return
    named = Target.objects.filter(study=study, role=Target.Role.ANSWERS, retired_at__isnull=True).count()
    yield Duty(
        title="Name the models that answer",
        who="Coordinator",
        begins="design",
        ends="judging",
        page="study_models",
        is_settled=named >= wanted,
        note=f"{named} of {counted(wanted, 'model')}",
    )


def step_of_runs(study: Study, purpose: str, *, title: str, begins: str, ends: str, page: str, noun: str) -> Duty:
    """The step that runs for `purpose` take: settled once one has ended and none is under way; `noun` is a call's.

    What is merely planned counts for nothing, nor do superseded calls.
    """
    runs = GenerationRun.objects.filter(study=study, purpose=purpose, state__in=["running", "stopped", "finished"])
    states = set(runs.order_by().values_list("state", flat=True).distinct())
    calls = Call.objects.filter(run__in=runs.order_by().values("pk")).exclude(state="superseded")
    found = calls.aggregate(total=Count("pk"), done=Count("pk", filter=Q(state="accepted")))
    return Duty(
        title=title,
        who=BY_MODELS,
        begins=begins,
        ends=ends,
        page=page,
        is_settled=states == {"finished"},
        amount=Amount(found["done"], found["total"], noun),
    )
