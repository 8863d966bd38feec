"""Are we on time, who is stuck, what is at risk? A study's progress for its coordinator, joined from all apps."""

from collections.abc import Callable
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRefresh

from analysis.release.core.work_kinds import PREPARE_RELEASE
from analysis.release.models import Release
from analysis.report.core.work_kinds import COMPUTE_FULL, COMPUTE_MASKED
from analysis.report.models import AnalysisRun
from annotation.coordination.core.reminders import MAIL_REMINDER
from annotation.coordination.models.reminders import Reminder
from annotation.coordination.selectors.at_risk import at_risk
from annotation.coordination.selectors.blocked import ChoreOf, blocked, given_up
from annotation.coordination.selectors.concerns import Concern
from annotation.coordination.selectors.heat_map import heat_map
from annotation.coordination.selectors.pace import course
from annotation.coordination.selectors.progress import texts_of, work_of
from annotation.judging.models.judging import JudgingItem
from annotation.judging.services import judging
from annotation.people.selectors.recruiting import MAIL_INVITATION
from annotation.people.services import members
from annotation.platform.core.lifecycle import STUDY
from annotation.platform.services.clock import database_now
from annotation.platform.views import PersonRequest
from annotation.study.models.participation import Invitation
from annotation.study.models.studies import Study
from annotation.study.views.membership import coordinated
from annotation.writing.models import WritingAssignment
from annotation.writing.services import receipts, writing
from generation.calls.core.work_kinds import LOOK_AT_BATCH, PLAN_RUN, SEND_BATCH, WORK_RUN, run_of
from generation.calls.models import GenerationRun, ProviderBatch
from generation.calls.selectors.run_concerns import run_concerns
from generation.prompts.core.work_kinds import DRAW_MAP
from generation.prompts.models import PromptMap


def _answer(says: str) -> ChoreOf:
    def tell(answer: WritingAssignment) -> Concern:
        where = f"{answer.prompt.code} by {answer.participation.pseudonym}"
        return Concern(where, says, reverse("writing_answer", args=[answer.pk]))

    return ChoreOf(WritingAssignment, tell, related=("prompt", "participation"))


def _item(item: JudgingItem) -> Concern:
    judge = item.participation.pseudonym
    page = reverse("person", args=[item.study.slug, judge])
    return Concern(f"Item {item.position} of {judge}", "its lease was not looked at", f"{page}#item-{item.pk}")


def _invitation(invitation: Invitation) -> Concern:
    people = reverse("study_people", args=[invitation.study.slug])
    return Concern(invitation.email, "the invitation was not mailed", people)


def _reminder(reminder: Reminder) -> Concern:
    member = reminder.participation
    return Concern(
        member.pseudonym, "a reminder was not mailed", reverse("person", args=[member.study.slug, member.pseudonym])
    )


def _run(says: str) -> Callable[[GenerationRun], Concern]:
    def tell(run: GenerationRun) -> Concern:
        return Concern(f"Run {run.pk}", says, reverse("run", args=[run.pk]))

    return tell


def _batch(batch: ProviderBatch) -> Concern:
    return _run("the replies of a batch were not taken in")(batch.run)


def _map(asked: PromptMap) -> Concern:
    where = reverse("prompt_map", args=[asked.study.slug])
    return Concern(f"The map of {asked.source}", "was not drawn", f"{where}?map={asked.pk}")


def _release(asked: Release) -> Concern:
    return Concern("A release", "was not prepared", reverse("study", args=[asked.study.slug]))


def _withdrawal(study: Study) -> Concern:
    return Concern("Somebody who withdrew", "is still in files of releases", reverse("study", args=[study.slug]))


def _analysis(run: AnalysisRun) -> Concern:
    return Concern(f"Analysis {run.number}", "was not computed", reverse("study", args=[run.study.slug]))


# Every kind of background work, as scrub_site.jobs hands it out.
CHORES = {
    writing.FINALISE: _answer("was not handed in when its time was up"),
    receipts.MAIL: _answer("its receipt was not mailed"),
    judging.LAPSE: ChoreOf(JudgingItem, _item, related=("study", "participation")),
    MAIL_INVITATION: ChoreOf(Invitation, _invitation, related=("study",)),
    MAIL_REMINDER: ChoreOf(Reminder, _reminder, related=("participation__study",), study="participation__study"),
    members.AFTER_WITHDRAWAL: ChoreOf(Study, _withdrawal, study="pk"),
    PLAN_RUN: ChoreOf(GenerationRun, _run("was not planned to its end")),
    WORK_RUN: ChoreOf(GenerationRun, _run("models were not asked any further"), row=run_of),
    SEND_BATCH: ChoreOf(GenerationRun, _run("its batches were not sent")),
    LOOK_AT_BATCH: ChoreOf(ProviderBatch, _batch, related=("run",), study="run__study"),
    DRAW_MAP: ChoreOf(PromptMap, _map, related=("study", "source")),
    COMPUTE_MASKED: ChoreOf(AnalysisRun, _analysis, related=("study",)),
    COMPUTE_FULL: ChoreOf(AnalysisRun, _analysis, related=("study",)),
    PREPARE_RELEASE: ChoreOf(Release, _release, related=("study",)),
}


@require_safe
@login_required
@never_cache
def progress(request: PersonRequest, slug: str) -> HttpResponse:
    """The whole page; htmx asks for what changes, and for a new page once the study is in another state."""
    study = coordinated(request, slug)
    if not request.htmx:
        return render(request, "coordination/progress.html", _context(study))
    if request.GET.get("state") != study.state:
        return HttpResponseClientRefresh()
    return render(request, "coordination/progress.html#now", _context(study))


def _context(study: Study) -> dict[str, Any]:
    now, works, texts = database_now(), work_of(study), texts_of(study)
    given_out = sorted((work for work in works.values() if work.places), key=lambda work: work.task != study.state)
    return {
        "study": study,
        "is_open": STUDY.states.index(study.state) <= STUDY.states.index("judging"),
        "now": now,
        "courses": [course(work, study, now=now) for work in given_out],
        "maps": [heat_map(work) for work in given_out],
        "blocked": [*blocked(study, works, texts), *run_concerns(study), *given_up(study, CHORES)],
        "at_risk": at_risk(study, works, texts, now=now),
    }
