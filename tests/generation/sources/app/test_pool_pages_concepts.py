"""Concepts and documents written down on their pages, each quotation looked up at once."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from annotation.study.models.participation import Role
from annotation.study.models.studies import Study
from annotation.study.services import studies
from generation.calls.models import Call, GenerationRun
from generation.sources.models import Document, Scenario, Source
from generation.sources.services.sources import use_source
from tests.clients import signed_in
from tests.factories import a_member, a_person, a_study, coordinator_of
from tests.generation.prompts.candidates import prompt_models
from tests.generation.sources.concept_sources import a_concept_source
from tests.pages import in_words

pytestmark = pytest.mark.django_db

CONCEPT = {
    "theme": "Deciding",
    "name": "A say for everybody",
    "interpretation": "Nobody is decided for unheard.",
    "rows": "2",
    "quote_0_text": "Whoever decides […] listens first",
    "quote_0_document": "Charter",
    "quote_0_citation": "Section 2",
}


@pytest.fixture
def study() -> Study:
    return a_study()


@pytest.fixture
def client(study: Study) -> Client:
    return signed_in(coordinator_of(study))


@pytest.fixture
def source(study: Study) -> Source:
    return a_concept_source(study)


def add(study: Study, client: Client, **fields: Any) -> Any:
    return client.post(reverse("concept_add", args=[study.slug, "ours"]), CONCEPT | fields, follow=True)


@pytest.mark.usefixtures("source")
class TestDocuments:
    def test_documents_are_pasted_or_sent_as_files(self, study: Study, client: Client) -> None:
        address = reverse("concept_documents", args=[study.slug, "ours"])
        described = {"title": "Rules", "citation": "Rules, 2025"}
        client.post(address, {**described, "text": "Nobody is above them."})
        sent = SimpleUploadedFile("more.txt", "\ufeffMore rules.".encode())
        page = in_words(
            client.post(address, {"title": "More", "citation": "More, 2025", "file": sent}, follow=True)
        )
        assert "“More” was added." in page
        assert dict(Document.objects.values_list("title", "text"))["More"] == "More rules."
        assert "Its text, 4 words" in page

    @pytest.mark.parametrize(
        ("fields", "why"),
        [
            ({}, "Paste the text, or choose a file."),
            (
                {"file": SimpleUploadedFile("a.txt", "Nobody is\nabove the café.".encode("latin-1"))},
                "Line 2 is not UTF-8 text. Read as Windows-1252 (Latin-1) it says “above the café.”.",
            ),
            ({"file": SimpleUploadedFile("a.txt", b"PK\x03\x04")}, "This is an Excel workbook, a Word document"),
        ],
    )
    def test_documents_need_a_text(self, study: Study, client: Client, fields: dict[str, Any], why: str) -> None:
        address = reverse("concept_documents", args=[study.slug, "ours"])
        answer = client.post(address, {"title": "Rules", "citation": "Rules, 2025", **fields})
        assert answer.status_code == 400
        assert why in in_words(answer)

    def test_documents_are_removed_unless_they_are_quoted(self, study: Study, client: Client) -> None:
        address = reverse("concept_documents", args=[study.slug, "ours"])
        remove = reverse("document_remove", args=[study.slug, "ours", Document.objects.get().pk])
        assert remove in client.get(address).content.decode()
        add(study, client)
        assert remove not in client.get(address).content.decode()
        assert "A concept quotes “Charter”" in in_words(client.post(remove, follow=True))
        Scenario.objects.all().delete()
        assert "“Charter” was removed." in in_words(client.post(remove, follow=True))
        assert not Document.objects.exists()


@pytest.mark.usefixtures("source")
class TestAConcept:
    def test_a_concept_is_kept_with_its_quotations(self, study: Study, client: Client) -> None:
        page = in_words(add(study, client))
        assert "Deciding A say for everybody Nobody is decided for unheard." in page
        assert "“Whoever decides […] listens first” Charter, Section 2" in page
        [quote] = Scenario.objects.get().payload["quotes"]
        assert quote == {
            "text": "Whoever decides […] listens first",
            "document": "Charter",
            "citation": "Section 2",
        }

    def test_a_concept_is_not_kept_with_a_quotation_that_is_not_there(self, study: Study, client: Client) -> None:
        answer = add(study, client, quote_1_text="Everybody must speak", quote_1_document="Charter")
        assert answer.status_code == 400
        page = in_words(answer)
        assert "Quotation 2 is not in its document word for word." in page
        assert "What comes nearest there: “Everybody may speak”" in page
        assert page.count("Found in the document") == 1
        assert not Scenario.objects.exists()

    @pytest.mark.parametrize(
        ("fields", "why"),
        [
            ({"quote_0_document": ""}, "Choose the document that it is taken from."),
            ({"quote_0_text": ""}, "needs at least one quotation"),
            ({"name": ""}, "cannot be left empty."),
        ],
    )
    def test_a_concept_needs_a_name_and_a_quotation_of_a_document(
        self, study: Study, client: Client, fields: dict[str, str], why: str
    ) -> None:
        answer = add(study, client, **fields)
        assert answer.status_code == 400
        assert why in in_words(answer)

    def test_a_concept_gets_another_place_for_a_quotation_and_loses_nothing(
        self, study: Study, client: Client
    ) -> None:
        page = add(study, client, more="yes").content.decode()
        assert 'name="quote_2_text"' in page
        assert 'name="rows" value="3"' in page
        assert "Whoever decides […] listens first</textarea>" in page
        assert "cannot be left empty" not in page
        assert not Scenario.objects.exists()

    def test_a_concept_is_changed_and_removed(self, study: Study, client: Client) -> None:
        add(study, client)
        concept = Scenario.objects.get()
        address = reverse("concept_change", args=[study.slug, "ours", concept.pk])
        form = client.get(address).content.decode()
        assert 'value="A say for everybody"' in form
        assert "Found in the document" in form
        client.post(address, CONCEPT | {"name": "A hearing for everybody"})
        assert Scenario.objects.get().stratum == "A hearing for everybody"
        gone = client.post(reverse("concept_remove", args=[study.slug, "ours", concept.pk]), follow=True)
        assert "“A hearing for everybody” was removed." in in_words(gone)
        assert not Scenario.objects.exists()

    def test_a_concept_stays_as_it_is_once_a_run_has_prompts_written_from_it(
        self, study: Study, client: Client
    ) -> None:
        add(study, client)
        concept = Scenario.objects.get()
        run = GenerationRun.objects.create(
            study=study, number=1, purpose="prompts", template_version="one", planned_by=coordinator_of(study)
        )
        Call.objects.create(run=run, key="0" * 64, target=prompt_models(study)[0], scenario=concept)
        address = reverse("concept_change", args=[study.slug, "ours", concept.pk])
        page = client.get(reverse("source", args=[study.slug, "ours"]))
        assert "stay as they are" in in_words(page)
        assert address not in page.content.decode()
        assert reverse("concept_add", args=[study.slug, "ours"]) not in page.content.decode()
        assert "stay as they are" in in_words(client.get(address, follow=True))  # before anything is written
        assert "stay as they are" in in_words(client.post(address, CONCEPT | {"name": "Otherwise"}))
        assert Scenario.objects.get().stratum == "A say for everybody"

    def test_a_concept_is_somebody_elses_where_another_study_draws_on_it(
        self, study: Study, client: Client
    ) -> None:
        add(study, client)
        Source.objects.update(imported_by=None)
        other = a_person("Ottilie Other")
        elsewhere = studies.create_study(slug="elsewhere", title="Elsewhere", by=other)
        a_member(elsewhere, Role.COORDINATOR, other)
        use_source(study=elsewhere, source=Source.objects.get(), by=other)
        for name in ("source", "concept_documents"):
            page = client.get(reverse(name, args=[study.slug, "ours"]))
            assert "Import a copy of your own" in in_words(page)
            assert "Add a" not in in_words(page)
        form = client.get(reverse("concept_add", args=[study.slug, "ours"]))
        assert form.status_code == 403
        assert "Import a copy of your own" in in_words(form)

    def test_a_concept_has_a_few_places_whatever_number_of_them_is_asked_for(
        self, study: Study, client: Client
    ) -> None:
        assert 'name="rows" value="2"' in add(study, client, more="yes", rows="9" * 5000).content.decode()


@pytest.mark.usefixtures("source")
class TestLookingUp:
    """What htmx asks while somebody types: one quotation, nothing of which is kept."""

    def look_up(self, study: Study, client: Client, place: str, **fields: str) -> Any:
        address = reverse("concept_add", args=[study.slug, "ours"])
        return client.post(address, CONCEPT | {"look_up": place, **fields}, headers={"HX-Request": "true"})

    def test_looking_up_a_quotation_finds_or_tells_what_comes_nearest(self, study: Study, client: Client) -> None:
        assert in_words(self.look_up(study, client, "0")) == "Found in the document"
        missed = self.look_up(study, client, "0", quote_0_text="whoever decides for others tells why")
        assert "Whoever decides for others says why" in in_words(missed)
        assert in_words(self.look_up(study, client, "1")) == ""
        assert not Scenario.objects.exists()

    @pytest.mark.parametrize("place", ["", "2", "-1", "x", "9" * 5000])
    def test_only_a_quotation_of_the_form_is_looked_up(self, study: Study, client: Client, place: str) -> None:
        assert self.look_up(study, client, place).status_code == 404


def test_a_source_of_another_kind_has_no_concepts(study: Study, client: Client) -> None:
    Source.objects.create(
        slug="ours", kind="table", shape="concept", code="OUR", name="Ours", funnel=[], content_sha256="0" * 64
    )
    for name in ("concept_add", "concept_documents"):
        assert client.get(reverse(name, args=[study.slug, "ours"])).status_code == 404
