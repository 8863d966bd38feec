"""Releases: asked for, looked at, published, downloaded."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRefresh

from analysis.release.core.work_kinds import PREPARE_RELEASE
from analysis.release.forms import ReleaseForm
from analysis.release.models import Release
from analysis.release.policies import can_publish
from analysis.release.selectors.public import has_closed, public_archive, public_page, public_study
from analysis.release.selectors.releases import archive_of, last_licence, release_page, releases_of
from analysis.release.services.releases import prepare_release, publish_release
from analysis.report.selectors.attempts import Trouble, trouble_with
from analysis.report.views.researcher_access import auditing_refusals, step_taken, study_for_researcher
from annotation.design.selectors.design import design_bytes
from annotation.design.selectors.protocol import protocol_of
from annotation.platform.views import PersonRequest, person_posts, taken
from annotation.study.models.studies import Study
from annotation.study.policies.unblinding import is_unblinded
from annotation.texts.selectors.clearances import cleared_texts


@require_safe
@login_required
@never_cache
def releases(request: PersonRequest, slug: str) -> HttpResponse:
    """Everything that was published or prepared, and asking for another."""
    study = study_for_researcher(request, slug)
    form = ReleaseForm(initial={"licence": last_licence(study)})
    return render(request, "release/releases.html", _context(study, form))


@person_posts
def prepare(request: PersonRequest, slug: str) -> HttpResponse:
    """Have a release prepared; what cannot be taken is shown again."""
    study = study_for_researcher(request, slug)
    form = ReleaseForm(request.POST)
    asked: list[Release] = []

    def ask() -> None:
        with auditing_refusals(request, study):
            asked.append(prepare_release(study=study, by=request.user, **form.cleaned_data))

    if taken(form, ask):
        return redirect("release", asked[0].pk)
    return render(request, "release/releases.html", _context(study, form), status=400)


def _context(study: Study, form: ReleaseForm) -> dict[str, Any]:
    return {
        "study": study,
        "releases": releases_of(study),
        "form": form,
        "is_unblinded": is_unblinded(study),
        "cleared_texts": cleared_texts(study) if is_unblinded(study) else (),
    }


@require_safe
@login_required
@never_cache
def release(request: PersonRequest, pk: int) -> HttpResponse:
    """A release with its files. htmx asks how far it is: it gets nothing while that is what the page shows."""
    found = _found(request, pk)
    trouble = trouble_with(kind=PREPARE_RELEASE, subject=pk)
    context = {"release": found, "trouble": trouble, "step": f"{found.progress.get('what', '')} {trouble}".strip()}
    if request.htmx:
        if found.prepared_at or found.problem or trouble == Trouble.GIVEN_UP:
            return HttpResponseClientRefresh()
        if request.GET.get("shown") == context["step"]:
            return HttpResponse(status=204)
        return render(request, "release/release.html#progress", context)
    context |= {
        "study": found.study,
        "page": release_page(found),
        "can_publish": can_publish(request.user, found),
    }
    return render(request, "release/release.html", context)


@person_posts
def publish(request: PersonRequest, pk: int) -> HttpResponse:
    found = _found(request, pk)
    step_taken(request, found.study, lambda: publish_release(release=found, by=request.user))
    return redirect("release", pk)


@require_safe
@login_required
@never_cache
def archive(request: PersonRequest, pk: int) -> HttpResponse:
    """All files of a release in one; gone once somebody whose data are in them has withdrawn."""
    found = _found(request, pk)
    content = archive_of(found)
    if content is None:
        raise Http404
    return _file(content, f"{found.study.slug}-release-{found.number or 'draft'}.zip", "application/zip")


def _found(request: PersonRequest, pk: int) -> Release:
    found = get_object_or_404(Release.objects.select_related("study", "asked_by", "published_by"), pk=pk)
    study_for_researcher(request, found.study.slug)
    return found


# -- for everybody ---------------------------------------------------------------------------------------------


@require_safe
@never_cache
def public(request: HttpRequest, slug: str) -> HttpResponse:
    """What everybody may know of the study by now."""
    study = _public_study(slug)
    context = {
        "study": study,
        "page": public_page(study),
        "protocol": protocol_of(study) if has_closed(study) else None,
    }
    return render(request, "release/public.html", context)


@require_safe
@never_cache
def public_design(_request: HttpRequest, slug: str) -> HttpResponse:
    """The very bytes whose SHA-256 is the hash of the design, once judging has closed."""
    study = _public_study(slug)
    if not has_closed(study):
        raise Http404
    return _file(design_bytes(study), f"{study.slug}-design.json", "application/json")


@require_safe
@never_cache
def public_release(_request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """All files of a published release in one."""
    study = _public_study(slug)
    content = public_archive(study, number)
    if content is None:
        raise Http404
    return _file(content, f"{study.slug}-release-{number}.zip", "application/zip")


def _public_study(slug: str) -> Study:
    study = public_study(slug)
    if study is None:
        raise Http404
    return study


def _file(content: bytes, name: str, kind: str) -> HttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(content, content_type=kind, headers=headers)
