"""Planning, starting, watching and stopping runs of model answers."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRefresh

from annotation.policies.roles import check_coordinator
from annotation.policies.texts import takes_texts
from annotation.selectors.studies import participation_in
from annotation.views.common import PersonRequest, attempt, person_posts
from annotation.views.membership import own_participation
from generation.models.runs import GenerationRun
from generation.selectors.runs import run_page
from generation.services import answers


def _run(request: PersonRequest, pk: int) -> GenerationRun:
    """The run, for its study's coordinator: 404 for people outside the study, 403 for its other members."""
    run = GenerationRun.objects.filter(pk=pk).select_related("study", "planned_by", "approved_by").first()
    if run is None or participation_in(request.user, run.study.slug) is None:
        raise Http404
    check_coordinator(request.user, run.study)
    return run


@person_posts
def plan_run(request: PersonRequest, slug: str) -> HttpResponse:
    participation = own_participation(request, slug)
    run = attempt(request, lambda: answers.plan_run(study=participation.study, by=request.user))
    return redirect("run", run.pk) if run else redirect("study", slug)


@require_safe
@login_required
def run(request: PersonRequest, pk: int) -> HttpResponse:
    """A run's page. While it runs, htmx asks for the part that changes; once it has ended, for a new page."""
    found = _run(request, pk)
    if request.htmx and found.state != "running":
        return HttpResponseClientRefresh()
    template = "generation/run.html#progress" if request.htmx else "generation/run.html"
    context = {"study": found.study, "page": run_page(found), "can_start": takes_texts(found.study)}
    return render(request, template, context)


@person_posts
def start_run(request: PersonRequest, pk: int) -> HttpResponse:
    run = _run(request, pk)
    attempt(request, lambda: answers.start_run(run=run, by=request.user))
    return redirect("run", pk)


@person_posts
def stop_run(request: PersonRequest, pk: int) -> HttpResponse:
    run = _run(request, pk)

    def stop() -> None:
        answers.stop_run(run=run, reason="Stopped by the coordinator.", by=request.user)
        messages.success(request, "The run is stopped. Replies on their way are still kept.")

    attempt(request, stop)
    return redirect("run", pk)
