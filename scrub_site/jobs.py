"""Kinds of work and who does them. A message on the queue is a wake-up call that carries a task's id."""

import logging
import traceback
from collections.abc import Callable, Mapping

from analysis.masked.services import masked_runs
from analysis.release.core.work_kinds import PREPARE_RELEASE
from analysis.release.services import releases, withdrawal
from analysis.report.core.work_kinds import COMPUTE_FULL, COMPUTE_MASKED
from analysis.unblinded.services import full_runs
from annotation.coordination.core.reminders import MAIL_REMINDER
from annotation.coordination.services import reminders
from annotation.judging.services import judging
from annotation.people.selectors.recruiting import MAIL_INVITATION
from annotation.people.services import members, recruiting
from annotation.platform.services import work
from annotation.writing.services import receipts, writing
from generation.calls import jobs as generation_jobs
from generation.calls.core.work_kinds import LOOK_AT_BATCH, PLAN_RUN, SEND_BATCH, WORK_RUN
from generation.calls.services import batching, planning
from generation.prompts.core.work_kinds import DRAW_MAP
from generation.prompts.services import prompt_maps

log = logging.getLogger(__name__)

HANDLERS: Mapping[str, Callable[[str], None]] = {
    writing.FINALISE: lambda subject: writing.finalise(assignment_id=int(subject)),
    judging.LAPSE: lambda subject: judging.lapse(item_id=int(subject)),
    receipts.MAIL: lambda subject: receipts.mail(assignment_id=int(subject)),
    MAIL_INVITATION: lambda subject: recruiting.mail(invitation_id=int(subject)),
    MAIL_REMINDER: lambda subject: reminders.mail(reminder_id=int(subject)),
    members.AFTER_WITHDRAWAL: lambda subject: withdrawal.forget(int(subject)),
    PLAN_RUN: lambda subject: planning.fill_plan(int(subject)),
    WORK_RUN: generation_jobs.work_run,
    SEND_BATCH: lambda subject: batching.send_batch(int(subject)),
    LOOK_AT_BATCH: lambda subject: batching.look_at_batch(int(subject)),
    DRAW_MAP: lambda subject: prompt_maps.draw_map(int(subject)),
    COMPUTE_MASKED: lambda subject: masked_runs.compute_masked(int(subject)),
    COMPUTE_FULL: lambda subject: full_runs.compute_full(int(subject)),
    PREPARE_RELEASE: lambda subject: releases.build(int(subject)),
}
# Work of a few milliseconds that must not wait behind a batch of slow model calls, nor for Redis.
DONE_BY_THE_LOOP = frozenset({writing.FINALISE, judging.LAPSE})
# Work that waits for models.
CALLS = frozenset({WORK_RUN, SEND_BATCH, LOOK_AT_BATCH})
KINDS_BY_QUEUE: Mapping[str, frozenset[str]] = {
    "default": frozenset(HANDLERS) - DONE_BY_THE_LOOP - CALLS,
    "calls": CALLS,
}


def perform(task_id: int) -> None:
    """Do a task if it is still to be done. Doing it twice is harmless: handlers are idempotent."""
    leased = work.begin(task_id)
    if leased is None:
        return
    try:
        HANDLERS[leased.kind](leased.subject)
    except Exception as error:
        work.fail(leased, error=traceback.format_exc())
        log.exception("%s %s failed (attempt %s): %s", leased.kind, leased.subject, leased.attempts, error)
    else:
        work.finish(leased)
        log.info("%s %s done", leased.kind, leased.subject)
