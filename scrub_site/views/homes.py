"""Where people arrive: the list of their studies, and each study as their role sees it."""

from collections.abc import Sequence
from typing import Final

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from analysis.ceremony.policies import can_approve, can_ask, can_decide
from analysis.ceremony.selectors.ceremony import ceremony_page
from analysis.release.selectors.releases import stale_since_published
from annotation.benchmarks.selectors.marks import marks_of
from annotation.benchmarks.selectors.own_reviews import reviews_of
from annotation.benchmarks.selectors.progress import left_to_audit
from annotation.benchmarks.selectors.rulings import rulings_of
from annotation.coordination.core.checklist import Standing
from annotation.coordination.selectors.checklist import COORDINATOR, RESEARCHER, UNBLINDERS, checklist_of
from annotation.coordination.selectors.coordination import overview
from annotation.coordination.selectors.next_action import next_action
from annotation.judging.selectors.own_items import items_of
from annotation.people.selectors.own_studies import StudyLine, former_studies_of, studies_of
from annotation.people.selectors.people import about
from annotation.people.selectors.unentered import unentered_studies
from annotation.people.services import people
from annotation.platform.views import PersonRequest, taken
from annotation.study.forms.coordination import StudyForm
from annotation.study.models.participation import Participation, Role
from annotation.study.policies.participation import has_consented, has_withdrawn, is_studied, why_not_ready
from annotation.study.policies.roles import can_create_studies, check_administrator
from annotation.study.selectors.studies import SiteStudy, all_studies, membership
from annotation.study.services import studies
from annotation.unblinders.selectors.page import decision_for
from annotation.writing.forms.remarks import form_of_home
from annotation.writing.selectors.writing import assignments_of, missing_step, withdrawn_of
from generation.calls.selectors.runs import runs_of
from generation.catalogue.selectors.lengths import lengths_told_apart
from generation.model_steps import model_steps
from scrub_site.watching.selectors import site_health

# Of the pages that a checklist leads to, those that each role may open.
RESEARCHERS_PAGES: Final = frozenset({"unblinders", "close_study", "releases"})
COORDINATORS_PAGES: Final = frozenset(
    {
        *("unblinders", "study_prompts", "study_people", "study_design", "writing_desk", "study_runs"),
        *("texts", "preflight", "progress", "participants_preview", "study_models", "framing_sets"),
        "benchmarks",
        *("trial_scenarios", "trial_conditions", "trial_approaches", "trial_conclusions"),
    }
)


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The visitor's way in, or the signed-in person's studies."""
    if not request.user.is_authenticated:
        return redirect("demo_people") if settings.DEMO_MODE else render(request, "home/welcome.html")
    mine, former = studies_of(request.user), former_studies_of(request.user)
    may_create = can_create_studies(request.user)
    if len(mine) == 1 and not former and not request.user.is_staff and not may_create:
        return redirect("study", mine[0].slug)
    if not mine and not former and request.user.is_staff:
        return redirect("administration")
    context = {**_folded(mine), "former": former, "may_create": may_create}
    return render(request, "home/studies.html", context)


def _folded(studies: Sequence[StudyLine | SiteStudy]) -> dict[str, object]:
    """The studies of a list, and apart from them those that were put away."""
    return {
        "studies": [line for line in studies if not line.is_archived],
        "archived": [line for line in studies if line.is_archived],
    }


@require_safe
@login_required
def study(request: PersonRequest, slug: str) -> HttpResponse:
    """A study as this person's role sees it; it does not exist for people who take no part in it.

    Writers and judges who have left find what it holds of them.
    """
    participation = membership(request.user, slug)
    if participation and participation.left_at and is_studied(participation):
        return redirect("own_data", slug)
    if participation is None or participation.left_at:
        raise Http404
    page = {
        Role.WRITER: _writer,
        Role.JUDGE: _judge,
        Role.ANNOTATOR: _annotator,
        Role.ADJUDICATOR: _adjudicator,
        Role.COORDINATOR: _coordinator,
        Role.RESEARCHER: _researcher,
    }[Role(participation.role)]
    return page(request, participation)


def _writer(request: PersonRequest, participation: Participation) -> HttpResponse:
    assignments = assignments_of(participation)
    begun = [line for line in assignments if line.state == "writing"]
    waiting = [line for line in assignments if line.state == "assigned"]
    context = {
        **_standing(participation),
        "assignments": assignments,
        "done": sum(line.state == "submitted" for line in assignments),
        "next": next(iter([*begun, *waiting]), None),
        "withdrawn": withdrawn_of(participation),
        "feedback_form": form_of_home(participation),
        "feedback": participation.feedback,
    }
    return render(request, "home/writer.html", context)


def _judge(request: PersonRequest, participation: Participation) -> HttpResponse:
    context = {**_standing(participation), "own": items_of(participation)}
    return render(request, "home/judge.html", context)


def _annotator(request: PersonRequest, participation: Participation) -> HttpResponse:
    context = {**_standing(participation), "own": reviews_of(participation), "marks": marks_of(participation)}
    return render(request, "home/annotator.html", context)


def _adjudicator(request: PersonRequest, participation: Participation) -> HttpResponse:
    own = rulings_of(participation.study)
    context = {**_standing(participation), "own": own, "marks": marks_of(participation)}
    return render(request, "home/adjudicator.html", context)


def _standing(participation: Participation) -> dict[str, object]:
    """What the pages of those whose work is studied begin and end with."""
    return {
        "study": participation.study,
        "not_ready": why_not_ready(participation),
        "has_consented": has_consented(participation),
        "has_withdrawn": has_withdrawn(participation),
        "missing": missing_step(participation),
        "about": about(participation),
    }


def _coordinator(request: PersonRequest, participation: Participation) -> HttpResponse:
    study = participation.study
    page, of_models = overview(study), model_steps(study)
    further = lengths_told_apart(study) if study.state == "design" else ()  # what may still be changed
    points, step = checklist_of(study, page, of_models), next_action(study, page, further)
    left_for_me = [
        point.duty for point in points if point.standing == Standing.NEXT and point.duty.who.startswith(COORDINATOR)
    ]
    context = {
        "study": study,
        "page": page,
        "next": step,
        "beside": [duty for duty in left_for_me if step and duty.page not in ("", step.looked_at_on)],
        "checklist": points,
        "acts_as": (COORDINATOR,),
        "left_for_me": left_for_me,
        "of_models": [step for step in of_models if step.amount and step.amount.total],
        "reachable": COORDINATORS_PAGES,
        "runs": runs_of(study),
    }
    return render(request, "home/coordinator.html", context)


def _researcher(request: PersonRequest, participation: Participation) -> HttpResponse:
    study = participation.study
    page = ceremony_page(study)
    context = {
        "study": study,
        "page": page,
        "checklist": checklist_of(study, overview(study), model_steps(study)),
        "acts_as": (RESEARCHER, UNBLINDERS),
        "left_to_audit": [*left_to_audit(study)] if study.audits_benchmarks else [],
        "reachable": RESEARCHERS_PAGES,
        "can_ask": can_ask(request.user, study),
        "can_decide": page.request is not None and can_decide(request.user, page.request),
        "can_approve": page.request is not None and can_approve(request.user, page.request),
        "waits_for_me": decision_for(request.user, study),
        "stale_release": stale_since_published(study) if study.state == "released" else None,
    }
    return render(request, "home/researcher.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def administration(request: PersonRequest) -> HttpResponse:
    """Studies, people and the state of the site; a new study and the invitation of its coordinator."""
    check_administrator(request.user)
    form = StudyForm(request.POST or None)
    if request.method == "POST" and taken(form, lambda: _new_study(request, form)):
        messages.success(request, "The study is set up. Its coordinator’s invitation is being mailed: see below.")
        return redirect("administration")
    context = {"form": form, "health": site_health(), "unentered": unentered_studies(), **_folded(all_studies())}
    return render(request, "administration/administration.html", context)


@transaction.atomic
def _new_study(request: PersonRequest, form: StudyForm) -> None:
    made = studies.create_study(
        slug=form.cleaned_data["slug"],
        title=form.cleaned_data["title"],
        preset=form.cleaned_data["preset"],
        by=request.user,
    )
    people.invite(
        study=made,
        email=form.cleaned_data["coordinator_email"],
        name=form.cleaned_data["coordinator_name"],
        role=Role.COORDINATOR,
        by=request.user,
    )
