"""Writing concepts down one by one, each quotation looked up in its document.

Concepts and documents stay as they are once a model is to write prompts from any concept of their source, or wrote
some: every verb then raises `Refused`.
"""

from collections.abc import Iterable, Sequence

from django.db import transaction

from annotation.platform.core.errors import Refused
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.models.users import User
from annotation.platform.services import audit
from generation.sources.core import concepts, funnel
from generation.sources.core.concepts import Concept, Quote, checked_concept, checked_document, scenario_of
from generation.sources.models import Document, Scenario, Source
from generation.sources.policies import check_may_change_concepts, why_concepts_stay
from generation.sources.selectors.sources import is_asked_about, quoted_titles
from generation.sources.services.sources import document_row, funnel_row


@transaction.atomic
def add_document(*, source: Source, title: str, citation: str, text: str, by: User) -> Document:
    """Keep a text that concepts of the source may quote. Given again, it is the same document.

    Raises `Refused` where it lacks something, and where another text has the title.
    """
    _lock(source, by)
    document = document_row(source, checked_document(concepts.Document(title, citation, text)))
    if present := Document.objects.filter(source=source, title=document.title).first():
        if present.sha256 != document.sha256:
            raise Refused(f"There is another document called “{document.title}” already.", field="title")
        return present
    document.save()
    audit.record(
        verb=AuditVerb.DOCUMENT_ADDED, by=by, subject=source.slug, title=document.title, sha256=document.sha256
    )
    return document


@transaction.atomic
def remove_document(*, document: Document, by: User) -> None:
    """Take a text out of its source. Idempotent. Raises `Refused` while a concept quotes it, and once a model is to
    propose concepts from it.
    """
    source = document.source
    _lock(source, by)
    if document.title in quoted_titles(source):
        raise Refused(f"A concept quotes “{document.title}”. Change or remove the concept first.")
    if is_asked_about(document):
        raise Refused(
            f"A run has concepts proposed from “{document.title}”, so it stays. Where nothing was sent yet, "
            "withdraw the plan first."
        )
    removed, _ = Document.objects.filter(pk=document.pk).delete()
    if removed:
        audit.record(
            verb=AuditVerb.DOCUMENT_REMOVED,
            by=by,
            subject=source.slug,
            title=document.title,
            sha256=document.sha256,
        )


@transaction.atomic
def add_concept(
    *, source: Source, theme: str, name: str, interpretation: str, quotes: Sequence[Quote], by: User
) -> Scenario:
    """Add a concept. Given again, it is the same one.

    Raises `Refused` where it lacks something or another one is called so, and `QuotesNotFound`, which is one, where
    a quotation is not in its document.
    """
    _lock(source, by)
    wanted = _scenario(source, theme, name, interpretation, quotes)
    if present := Scenario.objects.filter(source=source, key=wanted.key).first():
        if present.payload != wanted.payload:
            raise _called_alike(present)
        return present
    concept = Scenario.objects.create(source=source, key=wanted.key, stratum=wanted.stratum, payload=wanted.payload)
    _count_anew(source)
    audit.record(verb=AuditVerb.CONCEPT_ADDED, by=by, subject=source.slug, concept=concept.key)
    return concept


@transaction.atomic
def change_concept(
    *, concept: Scenario, theme: str, name: str, interpretation: str, quotes: Sequence[Quote], by: User
) -> None:
    """Say a concept in other words. Idempotent. Raises `Refused` as `add_concept` does."""
    source = concept.source
    _lock(source, by)
    concept.refresh_from_db()
    wanted = _scenario(source, theme, name, interpretation, quotes)
    if concept.payload == wanted.payload:
        return
    if other := Scenario.objects.filter(source=source, key=wanted.key).exclude(pk=concept.pk).first():
        raise _called_alike(other)
    before = concept.key
    concept.key, concept.stratum, concept.payload = wanted.key, wanted.stratum, wanted.payload
    concept.save(update_fields=["key", "stratum", "payload"])
    _count_anew(source)
    audit.record(verb=AuditVerb.CONCEPT_CHANGED, by=by, subject=source.slug, concept=concept.key, before=before)


@transaction.atomic
def remove_concept(*, concept: Scenario, by: User) -> None:
    """Take a concept out of its source."""
    source = concept.source
    _lock(source, by)
    concept.refresh_from_db()
    audit.record(
        verb=AuditVerb.CONCEPT_REMOVED, by=by, subject=source.slug, concept=concept.key, payload=concept.payload
    )
    concept.delete()
    _count_anew(source)


def _lock(source: Source, by: User) -> None:
    """The right to change the source's concepts, while nobody else changes them or plans to ask about them."""
    check_may_change_concepts(by, source)
    source.refresh_from_db(from_queryset=Source.objects.select_for_update(no_key=True))
    if source.kind != Source.Kind.CONCEPTS:
        raise Refused(f"“{source.name}” is not a source of concepts, and stays as it was imported.")
    if why := why_concepts_stay(source):
        raise Refused(why)


def _scenario(
    source: Source, theme: str, name: str, interpretation: str, quotes: Iterable[Quote]
) -> funnel.Scenario:
    texts = dict(Document.objects.filter(source=source).values_list("title", "text"))
    return scenario_of(checked_concept(Concept(name, interpretation, tuple(quotes), theme), texts))


def _called_alike(other: Scenario) -> Refused:
    return Refused(f"Another concept is called “{other.stratum}” already.", field="name")


def _count_anew(source: Source) -> None:
    scenarios = [
        funnel.Scenario(concept.key, concept.stratum, concept.payload)
        for concept in Scenario.objects.filter(source=source)
    ]
    source.funnel = [funnel_row(funnel.Step("all concepts", len(scenarios), 0))]
    source.content_sha256 = funnel.fingerprint(scenarios)
    source.save(update_fields=["funnel", "content_sha256"])
