"""Asking a model anew for a text that cannot be used."""

from decimal import Decimal

from django.db import transaction

from annotation.platform.core.errors import Refused
from annotation.platform.models.users import User
from annotation.texts.models.provenance import Stimulus
from annotation.texts.services import intake
from generation.calls.models import Call, GenerationRun
from generation.calls.services import planning, runs
from generation.catalogue.models import Target


@transaction.atomic
def regenerate(*, stimulus: Stimulus, reason: str, by: User) -> GenerationRun | None:
    """Reject a text and, where a model wrote it, have that model asked again at once, in a run of this one call.

    The run may spend what the call takes at worst. None where no model is to be asked: a person wrote the text, or
    none is missing without it. Raises `Refused`, and leaves the text as it is, where it cannot be decided about or
    where its model is retired.
    """
    intake.decide(stimulus=stimulus, verb="reject", reason=reason, by=by)
    call = Call.objects.filter(answer__response=stimulus.pk).select_related("run", "target").first()
    if call is None:
        return None
    run = planning.plan_run(
        study=stimulus.study,
        by=by,
        purpose=GenerationRun.Purpose.ANSWERS,
        track=call.run.track,
        targets=[_present(call.target)],
        only={"prompt": stimulus.prompt_id, "family": call.target.family, "arm": call.arm},
    )
    planning.fill_plan(run.pk)
    run.refresh_from_db()
    if run.state != "planned":
        return None
    runs.start_run(run=run, spend_cap=run.shares.get().worst_cost or Decimal(0), by=by)
    return run


def _present(target: Target) -> Target:
    """The model of this name that the study works with now."""
    named = Target.objects.filter(study=target.study_id, role=target.role, family=target.family)
    present = named.filter(retired_at__isnull=True).select_related("study").first()
    if present is None:
        raise Refused("The model that wrote this text is retired, so it cannot be asked again. Reject the text.")
    return present
