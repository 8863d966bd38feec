"""Maps of prompts: asked for, drawn in the background, and their pages."""

import re
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.urls import reverse

from annotation.platform.core.errors import Refused
from annotation.platform.models.audit import AuditEvent
from annotation.platform.models.work import Task
from annotation.platform.services import work
from annotation.study.models.studies import Study
from generation.prompts.core.prompt_map import Drawing
from generation.prompts.core.work_kinds import DRAW_MAP
from generation.prompts.models import Bundle, Candidate, PromptMap, TextEmbedding
from generation.prompts.services.prompt_maps import ask_for_map, draw_map
from generation.providers.batch_exchange import BatchFault
from generation.sources.models import Scenario, Source
from tests.clients import signed_in
from tests.factories import a_person, a_study, coordinator_of
from tests.fake_providers.embeddings import vector_of
from tests.fake_providers.script import Behaviour
from tests.fake_providers.server import FakeProviders
from tests.fake_providers.site import VARIABLE, site_with_fakes
from tests.generation.prompts.candidates import a_pool, a_source
from tests.pages import in_words
from tests.remembered import remembered
from tests.work import perform

pytestmark = pytest.mark.django_db

ENDPOINT = "fake-chat fake-embedding"


@pytest.fixture
@remembered
def study() -> Study:
    """With five prompts by each of two generators from each of three scenarios, of two strata."""
    study = a_study()
    a_pool(study, scenarios=3, generators=("claude", "gpt"))
    return study


@pytest.fixture
def fake(tmp_path: Path) -> Iterator[FakeProviders]:
    with site_with_fakes(tmp_path) as fake:
        yield fake


def asked(study: Study, **choices: str) -> PromptMap:
    return ask_for_map(study=study, source=Source.objects.get(), by=coordinator_of(study), **choices)


def drawn(study: Study, **choices: str) -> PromptMap:
    made = asked(study, **choices)
    draw_map(made.pk)
    made.refresh_from_db()
    return made


def verbs() -> list[str]:
    return list(AuditEvent.objects.filter(verb__startswith="map.").order_by("pk").values_list("verb", flat=True))


class TestAsking:
    def test_asking_for_a_map_makes_a_map_and_the_work_of_drawing_it(self, study: Study) -> None:
        made = asked(study)
        task = Task.objects.get(kind=DRAW_MAP)

        assert task.subject == str(made.pk)
        perform(task)
        made.refresh_from_db()
        assert made.drawn_at
        assert verbs() == ["map.asked", "map.drawn"]

    def test_asking_for_a_map_again_while_it_waits_is_the_same_one_and_afterwards_another(
        self, study: Study
    ) -> None:
        made = asked(study)
        assert asked(study) == made
        assert verbs() == ["map.asked"]
        draw_map(made.pk)
        assert asked(study) != made

    def test_asking_for_a_map_is_refused_where_there_is_nothing_to_draw(self, study: Study) -> None:
        other = a_source("HLE")
        with pytest.raises(Refused, match="No prompts have been written from The HLE source"):
            ask_for_map(study=study, source=other, by=coordinator_of(study))
        assert not PromptMap.objects.exists()

    @pytest.mark.parametrize(
        ("choices", "why"),
        [
            ({"method": "astrology"}, "no way to draw called “astrology”"),
            ({"projection": "mercator"}, "no way to draw called “mercator”"),
            ({"projection": "umap"}, "Not installed"),
            ({"method": "openai text-embedding-3-small"}, "No key is set for OpenAI"),
        ],
    )
    def test_asking_for_a_map_is_refused_for_what_this_site_cannot_do(
        self, study: Study, choices: dict[str, str], why: str
    ) -> None:
        with pytest.raises(Refused, match=why):
            asked(study, **choices)

    def test_asking_for_a_map_is_for_the_coordinator(self, study: Study) -> None:
        with pytest.raises(PermissionDenied):
            ask_for_map(study=study, source=Source.objects.get(), by=a_person("Paula Passer"))


class TestDrawing:
    def test_drawing_a_map_puts_every_scenario_and_prompt_on_the_map(self, study: Study) -> None:
        made = drawn(study)
        drawing = Drawing.of(made.drawing)

        assert [spread.family for spread in drawing.generators] == ["claude", "gpt"]
        assert {point.id for point in drawing.scenarios} == set(Scenario.objects.values_list("pk", flat=True))
        assert {point.id for point in drawing.prompts} == set(Candidate.objects.values_list("pk", flat=True))
        for point in drawing.prompts:
            candidate = Candidate.objects.select_related("bundle__target").get(pk=point.id)
            assert drawing.scenarios[point.scenario].id == candidate.bundle.scenario_id
            assert drawing.generators[point.generator].target == candidate.bundle.target_id
            assert point.position == candidate.position
        places = [(point.x, point.y) for point in drawing.scenarios] + [
            (point.x, point.y) for point in drawing.prompts
        ]
        assert max(max(abs(x), abs(y)) for x, y in places) == 1

    def test_drawing_a_map_leaves_out_other_studies_and_other_sources(self, study: Study) -> None:
        a_pool(a_study("other"), scenarios=3)
        made = asked(study)
        a_pool(study, sources=("HLE",))
        draw_map(made.pk)
        made.refresh_from_db()
        assert len(Drawing.of(made.drawing).prompts) == 3 * 2 * 5

    def test_drawing_a_map_twice_changes_nothing(self, study: Study) -> None:
        made = drawn(study)
        draw_map(made.pk)
        before, when = made.drawing, made.drawn_at
        made.refresh_from_db()
        assert (made.drawing, made.drawn_at) == (before, when)
        assert verbs() == ["map.asked", "map.drawn"]

    def test_the_same_prompts_give_the_same_places_on_a_map(self, study: Study) -> None:
        assert drawn(study).drawing == drawn(study).drawing


class TestAnEndpoint:
    def test_an_endpoint_is_asked_for_every_text_once_whatever_is_drawn_later(
        self, study: Study, fake: FakeProviders
    ) -> None:
        drawn(study, method=ENDPOINT)
        texts = [text for request in fake.log.requests for text in request.body["input"]]
        assert len(texts) == len(set(texts)) == 3 + 3 * 2 * 5
        before = len(fake.log.requests)

        first = Candidate.objects.order_by("pk")[0]
        kept = TextEmbedding.objects.get(method=ENDPOINT, sha256=first.sha256)
        assert len(bytes(kept.vector)) == 4 * len(vector_of(first.text))

        a_pool(study, sources=("HLE",), scenarios=1, generators=("claude",))
        more = ask_for_map(
            study=study, source=Source.objects.get(slug="hle"), method=ENDPOINT, by=coordinator_of(study)
        )
        draw_map(more.pk)
        # Its scenario says the same as one of the first source.
        assert [len(request.body["input"]) for request in fake.log.requests[before:]] == [5]

    @pytest.mark.usefixtures("fake")
    def test_an_endpoint_is_told_and_recorded_with_what_it_will_cost(self, study: Study) -> None:
        where, client = reverse("prompt_map", args=[study.slug]), signed_in(coordinator_of(study))
        line = "The BBQ source, fake-chat fake-embedding: about "
        characters = 0
        for bundle in Bundle.objects.filter(study=study):
            characters += sum(len(candidate.text) for candidate in bundle.candidates.all())
        characters += sum(len("\n".join(scenario.payload.values())) for scenario in Scenario.objects.all())
        assert line + "$0.01" in in_words(client.get(where))

        drawn(study, method=ENDPOINT)
        event = AuditEvent.objects.get(verb="map.asked")
        # A token for four characters, $0.02 for a million of them, to the millionth above.
        assert Decimal(event.detail["estimate"]) == Decimal(-(-characters * 2 // 400)) / 1_000_000
        assert line + "$0.00" in in_words(client.get(where))
        drawn(study)
        assert AuditEvent.objects.filter(verb="map.asked").latest("pk").detail["estimate"] == "0"

    def test_an_endpoint_that_fails_half_way_is_asked_for_the_rest_alone(
        self, study: Study, fake: FakeProviders, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("generation.prompts.providers.embeddings.TEXTS_IN_A_REQUEST", 20)
        fake.script.then(Behaviour(), Behaviour("rate limit"))
        made = asked(study, method=ENDPOINT)

        with pytest.raises(BatchFault):
            draw_map(made.pk)
        made.refresh_from_db()
        assert "Rate limit exceeded" in made.problem
        assert TextEmbedding.objects.count() == 20

        draw_map(made.pk)
        made.refresh_from_db()
        assert made.drawn_at
        assert made.problem == ""
        assert [len(request.body["input"]) for request in fake.log.requests] == [20, 13, 13]

    def test_an_endpoint_that_can_never_answer_is_told_and_not_tried_again(
        self, study: Study, fake: FakeProviders
    ) -> None:
        fake.script.then(Behaviour("no such model"))
        made = asked(study, method=ENDPOINT)
        perform(Task.objects.get(kind=DRAW_MAP))
        made.refresh_from_db()
        assert "model not found" in made.problem
        assert Task.objects.get(kind=DRAW_MAP).done_at

    @pytest.mark.usefixtures("fake")
    def test_an_endpoint_that_went_away_meanwhile_is_told(
        self, study: Study, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        made = asked(study, method=ENDPOINT)
        monkeypatch.delenv(VARIABLE)
        draw_map(made.pk)
        made.refresh_from_db()
        assert VARIABLE in made.problem

    @pytest.mark.usefixtures("fake")
    def test_a_map_keeps_its_lease_while_an_endpoint_is_asked(
        self, study: Study, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        renewed: list[bool] = []
        monkeypatch.setattr("generation.prompts.providers.embeddings.TEXTS_IN_A_REQUEST", 10)
        monkeypatch.setattr(work, "renew", lambda: renewed.append(True))
        drawn(study, method=ENDPOINT)
        assert len(renewed) == 5  # four requests, and before the plane


class TestThePage:
    def page(self, study: Study, address: str = "", **headers: str) -> Any:
        where = reverse("prompt_map", args=[study.slug]) + address
        return signed_in(coordinator_of(study)).get(where, headers=headers)

    def test_the_page_of_maps_says_what_comes_first_where_there_are_no_prompts(self) -> None:
        page = self.page(a_study()).content.decode()
        assert "nothing to draw yet" in page
        assert "plan=prompts" in page

    def test_the_page_of_maps_asks_for_one_and_waits_for_it(self, study: Study) -> None:
        client = signed_in(coordinator_of(study))
        posted = {"source": Source.objects.get().pk, "method": "lexical", "projection": "pca"}
        answer = client.post(reverse("draw_map", args=[study.slug]), posted)
        where = answer.headers["Location"]
        made = PromptMap.objects.get()
        assert where == f"{reverse('prompt_map', args=[study.slug])}?map={made.pk}"

        assert "being drawn" in client.get(where).content.decode()
        waiting = f"{where}&waiting=1"
        assert client.get(waiting, headers={"HX-Request": "true"}).status_code == 204
        draw_map(made.pk)
        assert client.get(waiting, headers={"HX-Request": "true"}).headers["HX-Refresh"] == "true"

    @pytest.mark.parametrize("address", ["?waiting=1", "?map=1&waiting=1", "", "?shown=1&page=x", "?map=x"])
    def test_the_page_of_maps_has_nothing_to_exchange_before_there_is_one(self, study: Study, address: str) -> None:
        assert self.page(study, address, **{"HX-Request": "true"}).status_code == 404

    def test_the_page_of_maps_has_no_table_before_one_is_drawn(self, study: Study) -> None:
        asked(study)
        assert self.page(study, "?shown=1", **{"HX-Request": "true"}).status_code == 204

    def test_the_page_of_maps_shows_again_what_cannot_be_taken(self, study: Study) -> None:
        posted = {"source": Source.objects.get().pk, "method": "lexical", "projection": "umap"}
        answer = signed_in(coordinator_of(study)).post(reverse("draw_map", args=[study.slug]), posted)
        assert answer.status_code == 400
        assert not PromptMap.objects.exists()
        assert "pip install" in answer.content.decode()

    def test_the_page_of_maps_tells_why_one_is_not_drawn(self, study: Study) -> None:
        made = asked(study)
        PromptMap.objects.filter(pk=made.pk).update(problem="The provider could not be reached.")
        assert "The provider could not be reached." in self.page(study).content.decode()

    def test_the_page_of_maps_has_spreads_and_prompts_as_tables(self, study: Study) -> None:
        made = drawn(study)
        page = self.page(study)
        content = page.content.decode()
        claude = Drawing.of(made.drawing).generators[0]
        assert f'<td class="num">{claude.arm:.3f}</td>' in content
        assert "30 prompts shown" in content
        assert content.count(reverse("candidate", args=[study.slug, Candidate.objects.order_by("pk")[0].pk])) == 1

    @pytest.mark.parametrize(
        ("said", "number"),
        [
            ("shown=1&generator=0&generator=1", 30),
            ("shown=1&generator=1", 15),
            ("shown=1&generator=1&stratum=0", 10),  # scenarios one and three
            ("shown=1", 0),
            ("shown=1&generator=7", 30),  # there is none, so nothing of it counts
        ],
    )
    def test_the_page_of_maps_exchanges_the_table_for_what_is_shown(
        self, study: Study, said: str, number: int
    ) -> None:
        drawn(study)
        part = self.page(study, f"?{said}", **{"HX-Request": "true"}).content.decode()
        assert f"{number} prompts shown" in part
        assert "<html" not in part

    def test_the_page_of_maps_counts_what_was_written_since(self, study: Study) -> None:
        drawn(study)
        assert "written since" not in self.page(study).content.decode()
        a_pool(study, scenarios=3, generators=("gemini",))
        assert "15 prompts were written since" in self.page(study).content.decode()

    def test_the_page_of_maps_shows_any_of_several_maps(self, study: Study) -> None:
        first, second = drawn(study), drawn(study)
        newest = self.page(study).content.decode()
        assert f"?map={first.pk}" in newest
        assert reverse("map_points", args=[study.slug, second.pk]) in newest
        older = self.page(study, f"?map={first.pk}").content.decode()
        assert reverse("map_points", args=[study.slug, first.pk]) in older
        assert self.page(study, "?map=0").status_code == 404


class TestWhatTheScriptFetches:
    def get(self, study: Study, name: str, *where: int, query: str = "") -> Any:
        return signed_in(coordinator_of(study)).get(reverse(name, args=[study.slug, *where]) + query)

    def test_the_points_that_the_script_fetches_are_the_drawing(self, study: Study) -> None:
        made = drawn(study)
        assert self.get(study, "map_points", made.pk).json() == made.drawing

    def test_a_star_has_the_texts_of_a_scenario_and_of_the_studys_own_prompts(self, study: Study) -> None:
        a_pool(a_study("other"), scenarios=3)
        made = drawn(study)
        scenario = Scenario.objects.order_by("pk")[0]
        star = self.get(study, "map_scenario", made.pk, scenario.pk).json()
        assert star["texts"][0] == ["Context", "Context of scenario 1."]
        own = Candidate.objects.filter(bundle__study=study, bundle__scenario=scenario)
        assert {int(pk): prompt["text"] for pk, prompt in star["prompts"].items()} == {
            candidate.pk: candidate.text for candidate in own
        }

    def test_the_picture_stands_alone_and_has_what_is_shown(self, study: Study) -> None:
        Source.objects.update(name="Rules & <rights>")
        made = drawn(study)
        answer = self.get(study, "map_svg", made.pk, query="?shown=1&generator=1&arms=on")
        svg = answer.content.decode()
        assert answer.headers["Content-Type"] == "image/svg+xml"
        assert "Prompts from Rules &amp; &lt;rights&gt;" in svg
        assert ">gpt<" in svg
        assert ">claude<" not in svg
        assert svg.count('<path d="" ') == 1, "hulls are not shown"
        assert not re.search("href|<style|style=", svg), "it needs no other file and no leave of the policy"

    @pytest.mark.parametrize("name", ["map_points", "map_svg"])
    def test_the_script_fetches_nothing_of_another_study_or_before_a_map_is_drawn(
        self, study: Study, name: str
    ) -> None:
        undrawn, other = asked(study), a_study("other")
        assert self.get(study, name, undrawn.pk).status_code == 404
        draw_map(undrawn.pk)
        assert self.get(study, name, undrawn.pk).status_code == 200
        assert self.get(other, name, undrawn.pk).status_code == 404
