"""Concepts written down one by one: quotations are looked up, and what prompts were written from stays."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied

from annotation.platform.core.errors import Refused
from annotation.platform.models.audit import AuditEvent
from annotation.platform.models.users import User
from annotation.study.models.participation import Role
from annotation.study.models.studies import Study
from annotation.study.services import studies
from generation.sources.core import funnel
from generation.sources.core.concepts import Quote, QuotesNotFound
from generation.sources.core.source_files import read_source
from generation.sources.core.source_kinds import SOURCE_KINDS
from generation.sources.models import Document, Scenario, Source
from generation.sources.services.concepts import (
    add_concept,
    add_document,
    change_concept,
    remove_concept,
    remove_document,
)
from generation.sources.services.sources import import_source, use_source
from tests.factories import a_member, a_person, a_study, coordinator_of
from tests.generation.prompts.candidates import a_pool

pytestmark = pytest.mark.django_db

CHARTER = "Whoever keeps the well keeps the peace. A refusal is told to the council."
QUOTES = (Quote("keeps the well", "Charter", "1"), Quote("told to the council", "Charter", "2"))


@pytest.fixture
def study() -> Study:
    return a_study()


@pytest.fixture
def source(study: Study) -> Source:
    """An empty source of concepts, with the charter, that the study draws on."""
    by, usual = coordinator_of(study), SOURCE_KINDS["concepts"]
    source = import_source(
        slug=usual.slug,
        kind="concepts",
        shape=usual.shape,
        code=usual.code,
        name=usual.name,
        licence="",
        reduction=read_source("concepts", []).reduction,
        by=by,
    ).source
    use_source(study=study, source=source, by=by)
    add_document(source=source, title="Charter", citation="Well charter", text=CHARTER, by=by)
    return source


def keeper(source: Source) -> User:
    """Whoever imported it."""
    assert source.imported_by
    return source.imported_by


def added(source: Source, name: str = "Stewardship", *, by: User | None = None, **fields: Any) -> Scenario:
    return add_concept(source=source, by=by or keeper(source), **said(name, **fields))


def said(name: str = "Stewardship", **fields: Any) -> dict[str, Any]:
    given = {"theme": "Shared goods", "name": name, "interpretation": "Care for what is shared.", "quotes": QUOTES}
    return given | fields


def assert_counted(source: Source) -> None:
    """The funnel and the hash are those of the concepts as they are."""
    source.refresh_from_db()
    concepts = [*Scenario.objects.filter(source=source)]
    assert [(step["kept"], step["removed"]) for step in source.funnel] == [(len(concepts), 0)]
    rows = [funnel.Scenario(one.key, one.stratum, one.payload) for one in concepts]
    assert source.content_sha256 == funnel.fingerprint(rows)


def test_a_concept_is_a_scenario_and_the_source_counts_it(source: Source) -> None:
    empty = source.content_sha256
    concept = added(source)
    assert (concept.key, concept.stratum) == ("stewardship", "Stewardship")
    assert concept.payload["quotes"][0] == {"text": "keeps the well", "document": "Charter", "citation": "1"}
    assert_counted(source)
    assert source.content_sha256 != empty


def test_a_concept_added_again_is_the_same_one_and_another_of_its_name_is_refused(source: Source) -> None:
    assert added(source) == added(source)
    assert AuditEvent.objects.filter(verb="concept.added").count() == 1
    with pytest.raises(Refused, match="Another concept is called “Stewardship” already"):
        added(source, "STEWARDSHIP", interpretation="Something else.")
    assert_counted(source)


def test_a_quotation_that_is_not_in_its_document_adds_nothing(source: Source) -> None:
    with pytest.raises(QuotesNotFound, match="what comes nearest there is “keeps the well”"):
        added(source, quotes=[Quote("keeps the wells", "Charter")])
    assert not Scenario.objects.exists()
    assert_counted(source)


def test_a_changed_concept_has_its_quotations_looked_up_again(source: Source) -> None:
    concept = added(source)
    change_concept(concept=concept, by=keeper(source), **said("Care", quotes=QUOTES[:1]))
    concept.refresh_from_db()
    assert (concept.key, concept.stratum, len(concept.payload["quotes"])) == ("care", "Care", 1)
    assert_counted(source)
    with pytest.raises(QuotesNotFound):
        change_concept(concept=concept, by=keeper(source), **said(quotes=[Quote("zebra", "Charter")]))
    event = AuditEvent.objects.get(verb="concept.changed")
    assert event.detail == {"concept": "care", "before": "stewardship"}


def test_a_concept_cannot_take_the_name_of_another(source: Source) -> None:
    added(source)
    other = added(source, "Candour")
    with pytest.raises(Refused, match="Another concept is called “Stewardship” already"):
        change_concept(concept=other, by=keeper(source), **said("stewardship"))


def test_a_removed_concept_leaves_the_count(source: Source) -> None:
    concept = added(source)
    added(source, "Candour")
    remove_concept(concept=concept, by=keeper(source))
    assert [one.stratum for one in Scenario.objects.all()] == ["Candour"]
    assert_counted(source)
    assert AuditEvent.objects.get(verb="concept.removed").detail["concept"] == "stewardship"


def test_a_source_that_prompts_were_written_from_stays_as_it_is(study: Study, source: Source) -> None:
    used = added(source)
    a_pool(study, sources=("MSC",))  # the source of this code
    verbs: list[Callable[..., object]] = [
        partial(added, source, "Candour"),
        partial(change_concept, concept=used, **said("Care")),
        partial(remove_concept, concept=used),
        partial(add_document, source=source, title="More", citation="c", text="More."),
        partial(remove_document, document=Document.objects.get()),
    ]
    for verb in verbs:
        with pytest.raises(Refused, match="A run has prompts written from “Social concepts”"):
            verb(by=keeper(source))
    assert [one.stratum for one in Scenario.objects.all()] == ["Stewardship"]
    assert [one.title for one in Document.objects.all()] == ["Charter"]


def test_a_document_has_one_text(source: Source) -> None:
    again = add_document(
        source=source, title=" Charter", citation="Another", text=CHARTER + "\n", by=keeper(source)
    )
    assert [again] == [*Document.objects.all()]
    with pytest.raises(Refused, match="There is another document called “Charter” already"):
        add_document(source=source, title="Charter", citation="c", text="Another.", by=keeper(source))
    with pytest.raises(Refused, match="holds no text"):
        add_document(source=source, title="Bylaws", citation="c", text=" ", by=keeper(source))


def test_a_document_is_removed_unless_a_concept_quotes_it(source: Source) -> None:
    concept, charter = added(source), Document.objects.get()
    with pytest.raises(Refused, match="A concept quotes “Charter”"):
        remove_document(document=charter, by=keeper(source))
    remove_concept(concept=concept, by=keeper(source))
    for _ in range(2):
        remove_document(document=charter, by=keeper(source))
    assert not Document.objects.exists()
    assert AuditEvent.objects.get(verb="document.removed").detail["title"] == "Charter"


def test_concepts_are_changed_by_whoever_imported_them_and_by_who_coordinates_every_study_on_them(
    study: Study, source: Source
) -> None:
    mine, theirs = coordinator_of(study), a_person("Ottilie Other")
    other = studies.create_study(slug="other", title="Other", by=theirs)
    a_member(other, Role.COORDINATOR, theirs)
    with pytest.raises(PermissionDenied):
        added(source, by=theirs)
    Source.objects.update(imported_by=None)
    added(source, by=mine)
    use_source(study=other, source=source, by=theirs)
    for person in (mine, theirs):
        with pytest.raises(PermissionDenied, match="Import a copy of your own"):
            added(source, "Candour", by=person)
    a_member(other, Role.COORDINATOR, mine)
    added(source, "Candour", by=mine)
    Source.objects.update(imported_by=a_person("Ines Importer"))
    source.refresh_from_db()
    added(source, "Care", by=keeper(source))


def test_other_sources_take_no_concepts(study: Study) -> None:
    a_pool(study)
    source = Source.objects.get()
    with pytest.raises(Refused, match="is not a source of concepts"):
        added(source, by=coordinator_of(study))
