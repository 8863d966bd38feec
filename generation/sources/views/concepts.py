"""Concepts of a source, and the documents they quote."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotation.platform.views import PersonRequest, attempt_and_tell, person_posts, taken
from annotation.study.models.studies import Study
from annotation.study.views.membership import coordinated
from generation.sources.forms.concepts import ConceptForm, DocumentForm, of_concept
from generation.sources.models import Scenario, Source
from generation.sources.policies import check_may_change_concepts, why_concepts_stay, why_not_change_concepts
from generation.sources.selectors.sources import asked_about, concepts_of, documents_of, quoted_titles
from generation.sources.services import concepts as services
from generation.sources.views.sources import source_named


def concept_source(slug: str) -> Source:
    found = source_named(slug)
    if found.kind != Source.Kind.CONCEPTS:
        raise Http404
    return found


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def documents(request: PersonRequest, slug: str, source: str) -> HttpResponse:
    """The documents that concepts of the source quote, and a form for one more."""
    study, found = coordinated(request, slug), concept_source(source)
    form = DocumentForm(request.POST, request.FILES) if request.method == "POST" else DocumentForm()

    def verb() -> None:
        services.add_document(source=found, by=request.user, **form.cleaned_data)
        messages.success(request, f"“{form.cleaned_data['title']}” was added.")

    if form.is_bound and taken(form, verb):
        return redirect("concept_documents", slug, source)
    context = {
        "study": study,
        "source": found,
        "documents": documents_of(found),
        "kept": quoted_titles(found) | asked_about(found),
        "stays_because": why_not_change_concepts(request.user, found),
        "form": form,
    }
    return render(request, "sources/documents.html", context, status=400 if form.is_bound else 200)


@person_posts
def document_remove(request: PersonRequest, slug: str, source: str, pk: int) -> HttpResponse:
    coordinated(request, slug)
    document = get_object_or_404(documents_of(concept_source(source)).select_related("source"), pk=pk)

    def verb() -> str:
        services.remove_document(document=document, by=request.user)
        return f"“{document.title}” was removed."

    attempt_and_tell(request, verb)
    return redirect("concept_documents", slug, source)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def concept_add(request: PersonRequest, slug: str, source: str) -> HttpResponse:
    study, found = coordinated(request, slug), concept_source(source)
    return _concept_page(request, study, found, None)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def concept_change(request: PersonRequest, slug: str, source: str, pk: int) -> HttpResponse:
    study, found = coordinated(request, slug), concept_source(source)
    return _concept_page(request, study, found, _concept(found, pk))


def _concept_page(request: PersonRequest, study: Study, source: Source, concept: Scenario | None) -> HttpResponse:
    """A concept's form, for whoever may change it.

    htmx asks what became of one quotation; “more” asks for another place; the rest saves.
    """
    check_may_change_concepts(request.user, source)
    if request.method != "POST" and (why := why_concepts_stay(source)):
        messages.error(request, why)
        return redirect("source", study.slug, source.slug)
    form = _form(request, source, concept)
    if request.htmx:
        return render(request, "sources/_found.html", {"quote": form.quote(place_in(request, form))})

    def verb() -> None:
        if concept is None:
            services.add_concept(source=source, by=request.user, **form.cleaned_data)
        else:
            services.change_concept(concept=concept, by=request.user, **form.cleaned_data)
        messages.success(request, f"“{form.cleaned_data['name']}” is saved.")

    if form.is_bound and taken(form, verb):
        return redirect("source", study.slug, source.slug)
    context = {"study": study, "source": source, "concept": concept, "form": form}
    return render(request, "sources/concept.html", context, status=400 if form.is_bound else 200)


def place_in(request: PersonRequest, form: ConceptForm) -> int:
    """Which of the form's quotations is to be looked up."""
    place = number_in(request, "look_up")
    if place is None or place >= form.rows:
        raise Http404
    return place


def number_in(request: PersonRequest, name: str) -> int | None:
    """What was sent under the name, where that is a number of at most three digits."""
    digits = request.POST.get(name, "")
    return int(digits) if digits.isdecimal() and len(digits) <= 3 else None


def _form(request: PersonRequest, source: Source, concept: Scenario | None) -> ConceptForm:
    documents = list(documents_of(source))
    if request.method != "POST":
        initial, rows = of_concept(concept.payload) if concept else ({}, 0)
        return ConceptForm(documents, initial=initial, rows=rows)
    rows = number_in(request, "rows") or 0
    if "more" in request.POST:
        return ConceptForm(documents, initial=request.POST.dict(), rows=rows + 1)
    return ConceptForm(documents, request.POST, rows=rows)


@person_posts
def concept_remove(request: PersonRequest, slug: str, source: str, pk: int) -> HttpResponse:
    coordinated(request, slug)
    concept = _concept(concept_source(source), pk)

    def verb() -> str:
        services.remove_concept(concept=concept, by=request.user)
        return f"“{concept.stratum}” was removed."

    attempt_and_tell(request, verb)
    return redirect("source", slug, source)


def _concept(source: Source, pk: int) -> Scenario:
    return get_object_or_404(concepts_of(source).select_related("source"), pk=pk)
