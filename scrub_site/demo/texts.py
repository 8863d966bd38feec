"""Getting texts into a demonstration study the way they always get in: writers write, models answer."""

from collections.abc import Callable

from annotation.models.writing import WritingAssignment
from annotation.services import drafts, receipts, work, writing
from generation.models.runs import Attempt, GenerationRun
from generation.providers.base import Outcome, Reply, Usage
from generation.services import answers


def write(assignment: WritingAssignment, text: str) -> str:
    """Write and hand in one answer as its writer; returns the response's id."""
    by = assignment.participation.user
    writing.start(assignment=assignment, attested=True, by=by)
    drafts.keep(assignment=assignment, text=text, by=by)
    submitted = writing.submit(assignment=assignment, confirmed=True, by=by)
    work.settle(kind=receipts.MAIL, subject=assignment.pk)  # nobody waits for it: this was long ago
    return str(submitted.response_id)


def collect(run: GenerationRun, text_of: Callable[[Attempt], str]) -> None:
    """Work a run off with texts at hand in place of a provider; each reply says that it is synthetic."""
    answers.start_run(run=run, by=run.planned_by)
    while batch := answers.begin_batch(run_id=run.pk, limit=500):
        attempts = Attempt.objects.select_related("call__target", "call__prompt_version__prompt").in_bulk(
            [outgoing.attempt_id for outgoing in batch]
        )
        for outgoing in batch:
            text = text_of(attempts[outgoing.attempt_id])
            usage = Usage(len(outgoing.request.prompt.split()), len(text.split()))
            reply = Reply(Outcome.OK, text, usage, {"synthetic": True}, "", outgoing.request.model)
            answers.record_reply(attempt_id=outgoing.attempt_id, reply=reply)
    answers.go_on(run_id=run.pk)
