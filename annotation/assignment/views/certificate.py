"""The certificate of an assignment, for a study's coordinators and researchers; before that, what will be drawn."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotation.assignment.selectors.certificate import Certificate, certificate, document
from annotation.assignment.selectors.design_preview import DesignPreview, preview_judging, preview_writing
from annotation.platform.core.sealing import canonical_json
from annotation.platform.services.clock import database_today
from annotation.platform.views import PersonRequest
from annotation.study.models.studies import Study
from annotation.study.policies.roles import can_coordinate
from annotation.study.views.membership import supervised


@require_safe
@login_required
@never_cache
def show(request: PersonRequest, slug: str) -> HttpResponse:
    study = supervised(request, slug)
    proved = certificate(study)
    context = {
        "study": study,
        "certificate": proved,
        "sha256": document(proved)["sha256"] if proved else "",
        "is_coordinator": can_coordinate(request.user, study),
    }
    return render(request, "assignment/certificate.html", context | _ahead(study, proved))


def _ahead(study: Study, proved: Certificate | None) -> dict[str, DesignPreview | None]:
    """What is still to be drawn, and whether it could be with the people who are there."""
    today = database_today()
    is_written = study.state not in ("design", "writing") or (proved is not None and proved.writing is not None)
    is_written = is_written or not study.has_writing
    is_judged = not study.has_judging or (proved is not None and proved.judging is not None)
    return {
        "writing_ahead": None if is_written else preview_writing(study, today=today),
        "judging_ahead": None if is_judged else preview_judging(study, today=today),
    }


@require_safe
@login_required
@never_cache
def as_json(request: PersonRequest, slug: str) -> HttpResponse:
    """The certificate as canonical JSON with its SHA-256; 404 before the design is locked."""
    proved = certificate(supervised(request, slug))
    if proved is None:
        raise Http404
    return HttpResponse(canonical_json(document(proved)), content_type="application/json")
