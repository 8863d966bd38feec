"""Getting texts into a demonstration study the way they always get in: writers write, models answer."""

from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from itertools import count
from typing import Any, cast
from uuid import UUID

from django.conf import settings

from annotation.platform.services import work
from annotation.study.models.prompts import PromptVersion
from annotation.study.models.studies import Study
from annotation.texts.core.work_kinds import READ_TEXT
from annotation.texts.models.provenance import Stimulus
from annotation.texts.services import intake
from annotation.writing.core.work_kinds import MAIL_RECEIPT
from annotation.writing.models import WritingAssignment
from annotation.writing.services import drafts, writing
from generation.calls.core.work_kinds import PLAN_RUN, WORK_RUN, subject_of_lane
from generation.calls.models import Call, GenerationRun
from generation.calls.services import claiming, planning, recording, runs
from generation.calls.services.claiming import Outgoing
from generation.calls.services.recording import Arrival
from generation.catalogue.services import targets
from generation.providers.base import Outcome, Reply, Request
from generation.providers.core.prices import Usage

MODELS = {"claude": "demo-large", "gpt": "demo-medium", "gemini": "demo-small"}
SYNTHETIC = '{"synthetic": true}'
GENEROUS = Decimal(1000)  # US dollars; what demonstration models cost is as invented as they are


def write(assignment: WritingAssignment, text: str) -> str:
    """Write and hand in one answer as its writer; returns the response's id."""
    by = assignment.participation.user
    writing.start(assignment=assignment, attested=True, by=by)
    drafts.keep(assignment=assignment, text=text, by=by)
    submitted = writing.submit(assignment=assignment, confirmed=True, by=by)
    work.cancel_open_tasks(kind=MAIL_RECEIPT, subject=assignment.pk)  # nobody waits for it: this was long ago
    intake.read(response_id=cast(UUID, submitted.response_id))
    work.cancel_open_tasks(kind=READ_TEXT, subject=submitted.response_id)
    return str(submitted.response_id)


def name_models(study: Study, families: Iterable[str], **options: object) -> None:
    """The models that answer, of these families, and the panel: demonstration models under real names."""
    for role, names in (("answers", families), ("panel", MODELS)):
        for family in names:
            targets.add_target(
                study=study,
                role=role,
                family=family,
                provider="demo",
                model_id=MODELS[family],
                weak_temperature=1.5,
                options=options,
                by=study.created_by,
            )


def plan(study: Study, *, purpose: str = "answers", **parameters: Any) -> GenerationRun:
    """A run of all the study wants for this purpose, with its calls listed."""
    if purpose == "answers":
        parameters.setdefault("track", "matched")
    run = planning.plan_run(study=study, purpose=purpose, by=study.created_by, **parameters)
    planning.fill_plan(run.pk)
    work.cancel_open_tasks(kind=PLAN_RUN, subject=run.pk)
    run.refresh_from_db()
    return run


def collect(run: GenerationRun, text_of: Callable[[Call, PromptVersion], str]) -> None:
    """Work a run off with texts at hand in place of a provider; each reply says that it is synthetic."""

    def replies(batch: Sequence[Outgoing]) -> list[Reply]:
        calls = Call.objects.select_related("target").in_bulk([outgoing.call_id for outgoing in batch])
        versions = PromptVersion.objects.select_related("prompt").in_bulk(
            {call.prompt_version_id for call in calls.values()}
        )
        found = []
        for outgoing in batch:
            call = calls[outgoing.call_id]
            found.append(synthetic_reply(outgoing.request, text_of(call, versions[call.prompt_version_id])))
        return found

    work_off(run, replies)


def work_off(
    run: GenerationRun, replies: Callable[[Sequence[Outgoing]], Iterable[Reply]], *, batches: int | None = None
) -> None:
    """Work a run off with these replies, in the order of the requests; after so many batches it is stopped."""
    runs.start_run(run=run, spend_cap=GENEROUS, by=run.planned_by)
    for _ in count() if batches is None else range(batches):
        batch = claiming.claim(run.pk, room={"demo": 500})
        if not batch:
            break
        arrivals = [
            Arrival(outgoing.attempt_id, reply) for outgoing, reply in zip(batch, replies(batch), strict=True)
        ]
        recording.record(run.pk, arrivals)
    if batches is not None:
        runs.stop_run(run=run, reason="A part is enough for a demonstration.", by=run.planned_by)
    runs.finish_when_settled(run.pk)
    for lane in range(settings.LANES):
        work.cancel_open_tasks(kind=WORK_RUN, subject=subject_of_lane(run.pk, lane))


def clear_quarantine(study: Study) -> None:
    """Clear what the leak scan holds back, as a coordinator does who has read it: nobody wrote these texts."""
    for stimulus in Stimulus.objects.filter(study=study, state="quarantined").select_related("study", "response"):
        reason = "Read, and nobody is recognised: the text is synthetic."
        intake.decide(stimulus=stimulus, verb="clear", reason=reason, by=study.created_by)


def synthetic_reply(request: Request, text: str) -> Reply:
    usage = Usage(input_tokens=len(request.prompt.split()), output_tokens=len(text.split()))
    return Reply(Outcome.OK, text, usage, raw=SYNTHETIC, model=request.model)
