"""Concepts that models propose: asked for once, kept as they came, made concepts by people who verified them."""

import json
import re
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse

from annotation.platform.core.errors import Refused
from annotation.platform.models.audit import AuditEvent
from annotation.study.models.participation import Role
from annotation.study.models.studies import Study
from generation.calls.models import Attempt, Call, RunShare
from generation.calls.services import runs
from generation.calls.services.claiming import Outgoing
from generation.providers.base import Reply
from generation.sources.core.concepts import Quote, QuotesNotFound
from generation.sources.models import Document, ProposedConcept, Scenario, Source
from generation.sources.services.concepts import add_document, remove_document
from generation.sources.services.proposals import decline, take_up
from tests.clients import signed_in
from tests.factories import a_member, a_study, coordinator_of
from tests.generation.calls.model_runs import claimed, collected, good, planned, started
from tests.generation.prompts.candidates import prompt_models
from tests.generation.sources.concept_sources import CHARTER, a_concept_source
from tests.pages import in_words

pytestmark = pytest.mark.django_db

CONCEPTS: dict[str, Any] = {"purpose": "concepts", "track": ""}
SAY = {
    "theme": "Deciding",
    "name": "A say",
    "interpretation": "Everybody is heard.",
    "quotes": [{"text": "Everybody may speak.", "citation": ""}],
}
ASKING = {
    "theme": "Deciding",
    "name": "Asking",
    "interpretation": "Everybody is asked.",
    "quotes": [{"text": "Everybody must speak.", "citation": "§ 1"}],
}


@pytest.fixture
def study() -> Study:
    """It draws on the source `ours`, with a document and no concept, and has a model that may propose some."""
    study = a_study()
    a_concept_source(study)
    prompt_models(study, ["claude"])
    return study


def proposes(*concepts: Any) -> Any:
    return lambda _: good(json.dumps({"concepts": concepts}))


@pytest.fixture
def proposals(study: Study) -> list[ProposedConcept]:
    """One whose quotation stands in the document, and one whose quotation does not."""
    collected(study, proposes(SAY, ASKING), **CONCEPTS)
    return list(ProposedConcept.objects.all())


def taken_up(proposal: ProposedConcept, **fields: Any) -> Scenario:
    quotes = [Quote(each["text"], proposal.document.title, each["citation"]) for each in proposal.quotes]
    given = {
        "theme": proposal.theme,
        "name": proposal.name,
        "interpretation": proposal.interpretation,
        "quotes": quotes,
        "verified": quotes,
        "by": proposal.document.source.imported_by,
        **fields,
    }
    return take_up(proposal=proposal, **given)


class TestRuns:
    def test_every_document_is_read_once_by_every_model_and_is_not_called_by_its_title(self, study: Study) -> None:
        source = Source.objects.get()
        add_document(source=source, title="Ordinance", citation="1912", text="Ask first.", by=coordinator_of(study))
        prompt_models(study, ["claude", "gpt"])
        run = started(study, **CONCEPTS)
        outgoing = claimed(run)
        assert len(outgoing) == 4
        assert {text in each.request.prompt for each in outgoing for text in (CHARTER, "Ask first.")} == {
            True,
            False,
        }
        assert not any("Charter" in each.request.prompt or "Ordinance" in each.request.prompt for each in outgoing)
        again = planned(study, **CONCEPTS)
        assert again.state == "withdrawn"
        assert sum(RunShare.objects.filter(run=again).values_list("known", flat=True)) == 4

    def test_proposals_are_kept_as_they_came_and_nothing_is_made_of_them(
        self, proposals: list[ProposedConcept]
    ) -> None:
        assert [(each.position, each.name, each.verdict) for each in proposals] == [
            (1, "A say", ""),
            (2, "Asking", ""),
        ]
        assert proposals[1].quotes == [{"text": "Everybody must speak.", "citation": "§ 1"}]
        assert not Scenario.objects.exists()

    def test_a_reply_of_another_form_brings_no_proposal(self, study: Study) -> None:
        def fails(_: Outgoing) -> Reply:
            return good(json.dumps({"concepts": None}))

        collected(study, fails, **CONCEPTS)
        assert set(Attempt.objects.values_list("outcome", "detail")) == {
            ("unreadable", "The reply gives no concepts.")
        }
        assert not ProposedConcept.objects.exists()

    def test_a_reply_that_finds_no_concept_is_good_and_said(self, study: Study) -> None:
        collected(study, lambda _: good(json.dumps({"concepts": []})), **CONCEPTS)
        assert set(Attempt.objects.values_list("outcome", flat=True)) == {"ok"}
        page = signed_in(coordinator_of(study)).get(
            reverse("concept_proposals", args=[study.slug, Source.objects.get().slug])
        )
        assert "No concept found claude, run 1, in “Charter”" in in_words(page)

    def test_as_many_concepts_are_asked_for_as_the_coordinator_says(self, study: Study) -> None:
        [outgoing] = claimed(started(study, only={"number": 3}, **CONCEPTS))
        assert "Propose at most 3 concepts." in outgoing.request.prompt
        page = in_words(signed_in(coordinator_of(study)).get(reverse("run", args=[Call.objects.get().run_id])))
        assert "3 of each document at most" in page

    def test_the_demonstrations_provider_proposes_concepts_to_the_end(self, study: Study) -> None:
        collected(study, **CONCEPTS)
        assert ProposedConcept.objects.exists()

    def test_a_study_without_documents_is_told_what_to_add_first(self) -> None:
        study = a_study()
        prompt_models(study, ["claude"])
        with pytest.raises(Refused, match="There is no document to read"):
            planned(study, **CONCEPTS)
        page = in_words(signed_in(coordinator_of(study)).get(reverse("study_runs", args=[study.slug])))
        assert (
            "Models propose concepts from documents, and no source of the study has one yet. Add one first." in page
        )

    def test_a_document_that_models_read_stays_unless_the_plan_is_withdrawn(self, study: Study) -> None:
        document, by = Document.objects.get(), coordinator_of(study)
        run = planned(study, **CONCEPTS)
        with pytest.raises(Refused, match="has concepts proposed from “Charter”, so it stays"):
            remove_document(document=document, by=by)
        runs.withdraw_plan(run=run, by=by)
        remove_document(document=document, by=by)
        assert not Document.objects.exists()


class TestDeciding:
    def test_a_proposal_becomes_a_concept_in_words_of_ones_own(self, proposals: list[ProposedConcept]) -> None:
        concept = taken_up(proposals[0], name="A voice", interpretation="Nobody is decided for unheard.")
        assert concept.payload["concept"] == "A voice"
        proposal = ProposedConcept.objects.get(pk=proposals[0].pk)
        assert (proposal.verdict, proposal.taken_as, proposal.name) == ("taken", "A voice", "A say")
        event = AuditEvent.objects.get(verb="concept_proposal.taken")
        assert event.detail | {"proposal": 0} == {
            "proposal": 0,
            "proposed": "A say",
            "concept": "a-voice",
            "quotes": 1,
        }

    def test_a_quotation_that_nobody_has_read_in_the_document_is_not_taken(
        self, proposals: list[ProposedConcept]
    ) -> None:
        with pytest.raises(Refused, match="Read every quotation in its document"):
            taken_up(proposals[0], verified=[])
        assert not Scenario.objects.exists()

    def test_a_quotation_that_is_not_in_the_document_is_not_taken_whoever_says_to_have_read_it(
        self, proposals: list[ProposedConcept]
    ) -> None:
        with pytest.raises(QuotesNotFound, match="what comes nearest there is “Everybody may speak”"):
            taken_up(proposals[1])
        assert ProposedConcept.objects.get(pk=proposals[1].pk).verdict == ""

    def test_a_proposal_is_decided_about_once(self, proposals: list[ProposedConcept]) -> None:
        first, by = proposals[0], coordinator_of(Study.objects.get())
        decline(proposal=first, reason="Another name for hearing.", by=by)
        with pytest.raises(Refused, match="It was declined: Another name"):
            taken_up(first)
        with pytest.raises(Refused, match="has decided about this proposal already"):
            decline(proposal=first, reason="Once more.", by=by)
        assert ProposedConcept.objects.get(pk=first.pk).reason == "Another name for hearing."

    def test_nobody_declines_a_proposal_without_a_reason(self, proposals: list[ProposedConcept]) -> None:
        with pytest.raises(Refused, match="Say why"):
            decline(proposal=proposals[0], reason=" ", by=coordinator_of(Study.objects.get()))

    def test_a_stranger_to_the_source_decides_nothing(self, proposals: list[ProposedConcept]) -> None:
        stranger = a_member(a_study("other"), Role.COORDINATOR).user
        with pytest.raises(PermissionDenied):
            taken_up(proposals[0], by=stranger)
        with pytest.raises(PermissionDenied):
            decline(proposal=proposals[0], reason="No.", by=stranger)


class TestPages:
    @pytest.fixture
    def client(self, study: Study) -> Client:
        return signed_in(coordinator_of(study))

    def listed(self, study: Study, client: Client) -> str:
        return in_words(client.get(reverse("concept_proposals", args=[study.slug, "ours"])))

    def address(self, study: Study, proposal: ProposedConcept, name: str = "concept_proposal") -> str:
        return reverse(name, args=[study.slug, "ours", proposal.pk])

    def posted(self, proposal: ProposedConcept, **fields: str) -> dict[str, str]:
        return {
            "theme": proposal.theme,
            "name": proposal.name,
            "interpretation": proposal.interpretation,
            "rows": "2",
            "quote_0_text": proposal.quotes[0]["text"],
            "quote_0_document": "Charter",
            **fields,
        }

    def test_a_list_without_proposals_says_how_they_come(self, study: Study, client: Client) -> None:
        page = self.listed(study, client)
        assert "No proposal yet Plan a run: it says what it would ask and cost" in page

    def test_proposals_are_listed_with_what_is_wrong_with_their_quotations(
        self, study: Study, client: Client, proposals: list[ProposedConcept]
    ) -> None:
        page = self.listed(study, client)
        assert "2 proposals, 2 to be decided about. 1 of 2 quotations is not in the document word for word." in page
        assert "1 quotation · 1 not found in the document" in page
        source = in_words(client.get(reverse("source", args=[study.slug, "ours"])))
        assert "2 proposals to decide about" in source
        assert len(proposals) == 2

    def test_a_quotation_is_shown_where_it_stands_and_is_to_be_ticked_before_the_concept_counts(
        self, study: Study, client: Client, proposals: list[ProposedConcept]
    ) -> None:
        address = self.address(study, proposals[0])
        page = client.get(address).content.decode()
        assert "<mark>Everybody may speak.</mark> Whoever decides" in page
        refused = client.post(address, self.posted(proposals[0]))
        assert refused.status_code == 400
        assert "Read the passage where it stands, and say so" in in_words(refused)
        assert not Scenario.objects.exists()
        client.post(address, self.posted(proposals[0], quote_0_verified="on"))
        assert Scenario.objects.get().stratum == "A say"
        assert "Taken up as “A say” by" in self.listed(study, client)
        assert client.get(address).status_code == 302

    def test_a_misquotation_is_mended_before_it_is_taken(
        self, study: Study, client: Client, proposals: list[ProposedConcept]
    ) -> None:
        address = self.address(study, proposals[1])
        page = in_words(client.get(address))
        assert "Not in the document What comes nearest there: “Everybody may speak”" in page
        wrong = client.post(address, self.posted(proposals[1], quote_0_verified="on"))
        assert "Quotation 1 is not in its document word for word." in in_words(wrong)
        client.post(address, self.posted(proposals[1], quote_0_text="Everybody may speak", quote_0_verified="on"))
        [quote] = Scenario.objects.get().payload["quotes"]
        assert quote["text"] == "Everybody may speak"

    def test_a_quotation_is_looked_up_while_it_is_mended(
        self, study: Study, client: Client, proposals: list[ProposedConcept]
    ) -> None:
        given = self.posted(proposals[1], quote_0_text="may speak", look_up="0")
        found = client.post(self.address(study, proposals[1]), given, headers={"HX-Request": "true"})
        assert re.search(
            r"Found in the document.*Everybody <mark>may speak</mark>", found.content.decode(), re.DOTALL
        )

    def test_a_second_tab_is_told_what_the_first_one_decided(
        self, study: Study, client: Client, proposals: list[ProposedConcept]
    ) -> None:
        address = self.address(study, proposals[0])
        client.post(address, self.posted(proposals[0], quote_0_verified="on"))
        again = client.post(address, self.posted(proposals[0], quote_0_verified="on"))
        assert "has decided about this proposal already. It was taken up as “A say”" in in_words(again)
        declined = client.post(self.address(study, proposals[0], "concept_proposal_decline"), {"reason": "No."})
        assert "has decided about this proposal already" in in_words(declined)
        assert Scenario.objects.count() == 1

    def test_a_proposal_is_declined_with_a_reason_that_the_list_tells(
        self, study: Study, client: Client, proposals: list[ProposedConcept]
    ) -> None:
        address = self.address(study, proposals[1], "concept_proposal_decline")
        assert client.post(address, {"reason": ""}).status_code == 400
        client.post(address, {"reason": "Quotes what is not there."})
        assert "“Quotes what is not there.”" in self.listed(study, client)
