"""Model answers: planning a run, sending its calls in batches, accepting replies once."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import timedelta

from django.db import transaction
from django.db.models import Count, Max, Q
from django.utils import timezone

from annotation.core.blinding import seeded_order
from annotation.core.errors import Refused
from annotation.models.allocation import Arm, Kind, PromptPlan, Stimulus
from annotation.models.people import User
from annotation.models.prompts import PromptVersion
from annotation.models.seeds import StudySeed
from annotation.models.studies import Study
from annotation.policies.roles import check_coordinator
from annotation.policies.texts import takes_texts
from annotation.selectors.prompts import latest_by_code
from annotation.services import audit, intake, studies, work
from generation.core.call_keys import call_key
from generation.core.lifecycles import CALL, RUN
from generation.core.prompt_templates import ANSWER, WEAK_ANSWER
from generation.models.runs import Attempt, Call, GenerationRun, ModelAnswer, Target
from generation.providers.base import Outcome, Reply, Request

COLLECT = "collect_answers"
MOST_ATTEMPTS = 4
# An attempt without an end after this time was sent by a worker that is no more.
LOST_AFTER = timedelta(seconds=180)
RETRY_AFTER = timedelta(seconds=5)


@dataclass(frozen=True)
class Wanted:
    """One answer a study still needs."""

    version: PromptVersion
    target: Target
    arm: Arm
    replicate: int


@dataclass(frozen=True)
class Outgoing:
    """A request about to leave, and the attempt that stands for it."""

    attempt_id: int
    provider: str
    request: Request


@transaction.atomic
def add_target(*, study: Study, family: str, provider: str, model_id: str, by: User, **options: object) -> Target:
    """Name a model whose answers the study collects."""
    check_coordinator(by, study)
    target = Target.objects.create(
        study=study, family=family, provider=provider, model_id=model_id, options=options
    )
    audit.record(verb="target.added", by=by, study=study, subject=family, provider=provider, model=model_id)
    return target


@transaction.atomic
def plan_run(*, study: Study, by: User) -> GenerationRun:
    """Plan every model answer the study still needs on the matched-effort track.

    Answers that exist, or are wanted by an earlier run, are not planned again; a rejected text is asked for anew.
    """
    check_coordinator(by, study)
    studies.hold(study)
    if study.state not in ("writing", "assembling"):
        raise Refused("Model answers are collected after the design is locked and before judging opens.")
    wanted = list(_wanted(study))
    if not wanted:
        raise Refused("No model answer is missing.")
    run = GenerationRun.objects.create(study=study, planned_by=by, template_version=ANSWER.version)
    Call.objects.bulk_create(
        Call(
            run=run,
            key=_key(want),
            target=want.target,
            prompt_version=want.version,
            arm=want.arm,
            replicate=want.replicate,
        )
        for want in wanted
    )
    audit.record(verb="run.planned", by=by, study=study, subject=run.pk, calls=len(wanted))
    return run


def _wanted(study: Study) -> Iterator[Wanted]:
    targets = {target.family: target for target in Target.objects.filter(study=study).select_related("study")}
    if len(targets) < study.model_targets_expected:
        raise Refused(
            f"The study shows answers of {study.model_targets_expected} models, {len(targets)} are configured."
        )
    kinds = dict(PromptPlan.objects.filter(prompt__study=study).values_list("prompt_id", "kind"))
    seed = bytes(StudySeed.objects.get(study=study).seed)
    standing = _standing(study)
    for code, version in sorted(latest_by_code(study).items()):
        kind = kinds[version.prompt_id]
        each = study.answers_per_target_in_attribution if kind == Kind.SOURCE_ATTRIBUTION else 1
        needs = [(target, Arm.MODEL, each) for target in targets.values()]
        if kind == Kind.QUALITY_FLOOR:
            needs.append((targets[seeded_order(seed, "weak", code, items=sorted(targets))[0]], Arm.WEAK, 1))
        for target, arm, number in needs:
            kept, last = standing.get((version.prompt_id, target.pk, arm), (0, 0))
            for replicate in range(last + 1, last + 1 + number - kept):
                yield Wanted(version, target, arm, replicate)


def _standing(study: Study) -> dict[tuple[int, int, str], tuple[int, int]]:
    """By prompt, target and arm: calls that stand (not failed, text not rejected), and the last replicate."""
    rejected = Stimulus.objects.filter(study=study, state="rejected").values("pk")
    calls = Call.objects.filter(run__study=study).values("prompt_version__prompt_id", "target_id", "arm")
    stands = ~Q(state="failed") & ~Q(answer__response__in=rejected)
    return {
        (row["prompt_version__prompt_id"], row["target_id"], row["arm"]): (row["kept"], row["last"])
        for row in calls.annotate(kept=Count("pk", filter=stands), last=Max("replicate")).order_by()
    }


def _key(want: Wanted) -> str:
    study = want.target.study
    return call_key(
        target={
            "family": want.target.family,
            "study": study.slug,
            "provider": want.target.provider,
            "model": want.target.model_id,
            "options": want.target.options,
            "effort": study.matched_effort,
            "output_token_cap": study.output_token_cap,
        },
        template=(WEAK_ANSWER if want.arm == Arm.WEAK else ANSWER).version,
        inputs={
            "prompt": want.version.prompt.code,
            "text": want.version.sha256,
            "arm": want.arm,
            "target_words": study.target_words,
            "word_limit": study.model_word_limit,
        },
        replicate=want.replicate,
    )


@transaction.atomic
def start_run(*, run: GenerationRun, by: User) -> None:
    """Approve a planned run, or let a stopped one go on."""
    check_coordinator(by, run.study)
    studies.hold(run.study)
    if not takes_texts(run.study):
        raise Refused("Judging has begun: no text can enter the study any more.")
    run = GenerationRun.objects.select_for_update().get(pk=run.pk)
    run.state = RUN.after("start", run.state)
    run.approved_at, run.approved_by, run.stopped_because = timezone.now(), by, ""
    run.save()
    work.ask(kind=COLLECT, subject=run.pk)
    audit.record(verb="run.started", by=by, study=run.study, subject=run.pk)


@transaction.atomic
def stop_run(*, run: GenerationRun, reason: str, by: User | None) -> None:
    """Let no further request leave; replies on their way are still kept.

    The system (`by` is `None`) may find that there is nothing to stop any more.
    """
    if by is not None:
        check_coordinator(by, run.study)
    run = GenerationRun.objects.select_for_update(no_key=True).get(pk=run.pk)
    if by is None and run.state != "running":
        return
    run.state = RUN.after("stop", run.state)
    run.stopped_because = reason
    run.save(update_fields=["state", "stopped_because"])
    audit.record(verb="run.stopped", by=by, study=run.study, subject=run.pk, reason=reason)


@transaction.atomic
def begin_batch(*, run_id: int, limit: int) -> list[Outgoing]:
    """Claim up to `limit` pending calls by writing their attempts; none unless the run is running.

    Once judging is open nothing is asked for any more: what judges see is fixed.
    """
    run = GenerationRun.objects.select_related("study").get(pk=run_id)
    if run.state != "running" or not takes_texts(run.study):
        return []
    now = timezone.now()
    Attempt.objects.filter(call__run=run, ended_at__isnull=True, sent_at__lt=now - LOST_AFTER).update(
        ended_at=now, outcome="lost"
    )
    in_flight = Attempt.objects.filter(call__run=run, ended_at__isnull=True).values("call_id")
    calls = (
        Call.objects.select_for_update(of=("self",), skip_locked=True)
        .filter(run=run, state="pending")
        .exclude(pk__in=in_flight)
        .select_related("target", "prompt_version")
        .order_by("id")[:limit]
    )
    outgoing = []
    for call in calls:
        request = _request(run.study, call)
        attempt = Attempt.objects.create(
            call=call, number=call.attempts.count() + 1, sent_at=now, request=asdict(request)
        )
        outgoing.append(Outgoing(attempt.pk, call.target.provider, request))
    return outgoing


def _request(study: Study, call: Call) -> Request:
    template = WEAK_ANSWER if call.arm == Arm.WEAK else ANSWER
    text = template.fill(
        prompt=call.prompt_version.text, target_words=study.target_words, word_limit=study.model_word_limit
    )
    options = {**call.target.options, "replicate": call.replicate}
    if call.arm == Arm.WEAK:
        options["quality"] = 0.05
    return Request(
        model=call.target.model_id,
        prompt=text,
        effort=study.matched_effort,
        max_output_tokens=study.output_token_cap,
        temperature=1.5 if call.arm == Arm.WEAK else None,
        options=options,
    )


def record_reply(*, attempt_id: int, reply: Reply) -> None:
    """Keep what came back, whatever follows from it: it has been paid for.

    The first good reply of a call is accepted; a later one stays as a paid attempt.
    """
    attempt = Attempt.objects.select_related(
        "call__run__study", "call__prompt_version__prompt", "call__target"
    ).get(pk=attempt_id)
    attempt.ended_at = timezone.now()
    attempt.outcome = reply.outcome
    attempt.reply = reply.raw
    attempt.request_id = reply.request_id
    attempt.input_tokens, attempt.output_tokens = reply.usage.input_tokens, reply.usage.output_tokens
    attempt.save()
    if reply.outcome == Outcome.OK:
        _accept(attempt, reply.text)
    elif reply.outcome == Outcome.FINAL_ACCOUNT:
        stop_run(run=attempt.call.run, reason="The provider says the account cannot pay for more.", by=None)
    elif reply.outcome == Outcome.FINAL_REQUEST:
        _give_up(attempt.call)
    else:
        _give_up_when_spent(attempt)


def _accept(attempt: Attempt, text: str) -> None:
    """Let the text into the study, once. One that cannot enter leaves the call as an empty reply does."""
    call = attempt.call
    try:
        with transaction.atomic():
            accepted = CALL.after("accept", "pending")
            if not Call.objects.filter(pk=call.pk, state="pending").update(state=accepted):
                return
            response = intake.admit(
                study=call.run.study,
                prompt=call.prompt_version.prompt,
                text=text,
                arm=Arm(call.arm),
                source_code=call.target.family,
                names=[call.target.model_id],
                by=None,
            )
            ModelAnswer.objects.create(call=call, attempt=attempt, raw_text=text, response=response)
    except Refused:
        Attempt.objects.filter(pk=attempt.pk).update(outcome=Outcome.EMPTY)
        _give_up_when_spent(attempt)


def _give_up_when_spent(attempt: Attempt) -> None:
    if attempt.number >= MOST_ATTEMPTS:
        _give_up(attempt.call)


def _give_up(call: Call) -> None:
    Call.objects.filter(pk=call.pk, state="pending").update(state=CALL.after("fail", "pending"))


@transaction.atomic
def go_on(*, run_id: int) -> None:
    """After a batch: ask for the next one, or finish the run when every call has its outcome."""
    run = GenerationRun.objects.select_for_update().get(pk=run_id)
    if run.state != "running":
        return
    if not takes_texts(run.study):
        stop_run(run=run, reason="Judging has begun: no text can enter the study any more.", by=None)
        return
    pending = Call.objects.filter(run=run, state="pending")
    if not pending.exists():
        run.state = RUN.after("finish", run.state)
        run.finished_at = timezone.now()
        run.save(update_fields=["state", "finished_at"])
        audit.record(verb="run.finished", by=None, study=run.study, subject=run.pk)
        return
    untouched = pending.filter(attempts__isnull=True).exists()
    work.ask(kind=COLLECT, subject=run.pk, due=timezone.now() + (timedelta() if untouched else RETRY_AFTER))
