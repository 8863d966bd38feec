"""What models do in a study as a step of its checklist."""

from typing import Final

from django.db.models import Count, Q

from annotation.coordination.core.checklist import Amount, Duty
from annotation.study.models.studies import Study
from generation.calls.models import Call, GenerationRun

BY_MODELS: Final = "Coordinator, with models"


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
