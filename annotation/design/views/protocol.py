"""The protocol of a study on paper, and its design as the bytes whose hash is published."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotation.design.selectors.design import design_bytes
from annotation.design.selectors.protocol import protocol_of
from annotation.platform.views import PersonRequest
from annotation.study.policies.roles import can_coordinate
from annotation.study.views.membership import supervised


@require_safe
@login_required
def protocol(request: PersonRequest, slug: str) -> HttpResponse:
    """The whole protocol, to be printed; with `prompts` in the address, the prompts are its appendix."""
    study = supervised(request, slug)
    context = {
        "study": study,
        "page": protocol_of(study),
        "with_prompts": "prompts" in request.GET,
        "is_coordinator": can_coordinate(request.user, study),
    }
    return render(request, "design/protocol.html", context)


@require_safe
@login_required
def design_json(request: PersonRequest, slug: str) -> HttpResponse:
    """The very bytes whose SHA-256 is the hash of the design."""
    study = supervised(request, slug)
    name = f'attachment; filename="{study.slug}-design.json"'
    return HttpResponse(design_bytes(study), content_type="application/json", headers={"Content-Disposition": name})
