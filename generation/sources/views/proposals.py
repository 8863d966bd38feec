"""Concepts that models propose for a source: a list of them, and a page on which somebody decides about one."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from annotation.platform.views import PersonRequest, person_posts, taken
from annotation.study.models.studies import Study
from annotation.study.views.membership import coordinated
from generation.sources.forms.concepts import DeclineForm, ProposalForm, of_proposal
from generation.sources.models import ProposedConcept, Source
from generation.sources.policies import check_may_change_concepts, why_not_change_concepts
from generation.sources.selectors.proposals import counted_proposals, found_nothing, proposals_of
from generation.sources.selectors.sources import documents_of
from generation.sources.services import proposals as services
from generation.sources.views.concepts import concept_source, number_in, place_in


@require_safe
@never_cache
@login_required
def proposals(request: PersonRequest, slug: str, source: str) -> HttpResponse:
    """All that models propose for the source, and what became of it."""
    study, found = coordinated(request, slug), concept_source(source)
    lines = proposals_of(found)
    context = {
        "study": study,
        "source": found,
        "proposals": lines,
        "counts": counted_proposals(lines),
        "found_nothing": found_nothing(found),
        "stays_because": why_not_change_concepts(request.user, found),
    }
    return render(request, "sources/proposals.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def proposal(request: PersonRequest, slug: str, source: str, pk: int) -> HttpResponse:
    """A proposal as a form to take it up by, in whatever words.

    htmx asks what became of one quotation; “more” asks for another place; the rest takes it up.
    """
    study, found = coordinated(request, slug), _proposal(concept_source(source), pk)
    of_source = found.document.source
    check_may_change_concepts(request.user, of_source)
    if request.method != "POST" and (found.verdict or why_not_change_concepts(request.user, of_source)):
        return redirect("concept_proposals", slug, source)
    form = _form(request, of_source, found)
    if request.htmx:
        context = {"quote": form.quote(place_in(request, form)), "is_open": True}
        return render(request, "sources/_found.html", context)

    def verb() -> None:
        concept = services.take_up(proposal=found, by=request.user, **form.cleaned_data)
        messages.success(request, f"“{concept.stratum}” is a concept of the source, with every quotation verified.")

    if form.is_bound and taken(form, verb):
        return redirect("concept_proposals", slug, source)
    return _page(request, study, found, form, DeclineForm())


@person_posts
def proposal_decline(request: PersonRequest, slug: str, source: str, pk: int) -> HttpResponse:
    study, found = coordinated(request, slug), _proposal(concept_source(source), pk)
    check_may_change_concepts(request.user, found.document.source)
    form = DeclineForm(request.POST)

    def verb() -> None:
        services.decline(proposal=found, by=request.user, **form.cleaned_data)
        messages.success(request, f"“{found.name}” is declined. The proposal stays on record.")

    if taken(form, verb):
        return redirect("concept_proposals", slug, source)
    initial, rows = of_proposal(found)
    concept = ProposalForm(list(documents_of(found.document.source)), initial=initial, rows=rows)
    return _page(request, study, found, concept, form)


def _page(
    request: PersonRequest, study: Study, proposal: ProposedConcept, form: ProposalForm, decline: DeclineForm
) -> HttpResponse:
    context = {
        "study": study,
        "source": proposal.document.source,
        "proposal": proposal,
        "form": form,
        "decline_form": decline,
    }
    is_refused = form.is_bound or decline.is_bound
    return render(request, "sources/proposal.html", context, status=400 if is_refused else 200)


def _form(request: PersonRequest, source: Source, proposal: ProposedConcept) -> ProposalForm:
    documents = list(documents_of(source))
    if request.method != "POST":
        initial, rows = of_proposal(proposal)
        return ProposalForm(documents, initial=initial, rows=rows)
    rows = number_in(request, "rows") or 0
    if "more" in request.POST:
        return ProposalForm(documents, initial=request.POST.dict(), rows=rows + 1)
    return ProposalForm(documents, request.POST, rows=rows)


def _proposal(source: Source, pk: int) -> ProposedConcept:
    found = ProposedConcept.objects.filter(document__source=source)
    return get_object_or_404(found.select_related("document__source", "call__target", "call__run"), pk=pk)
