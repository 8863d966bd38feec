"""The judging room's pages and its JSON: who gets in, what is kept, and that nothing tells a source."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from django.db.models import F, Value
from django.db.models.functions import Concat
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.models.allocation import ItemPlan, Kind, Stimulus
from annotation.models.judging import BlindedSlot, JudgingItem, RankedSlot, Score
from annotation.models.participation import Participation, Role
from annotation.models.prompts import Prompt
from annotation.selectors.rubrics import rubric_by_hash
from annotation.services import judging
from annotation.services.studies import RUBRICS
from tests.clients import signed_in
from tests.factories import a_judging_study, judging_items_of, members_of, opened, scored, slots_of

pytestmark = pytest.mark.django_db

CLARITY = "conceptual_clarity"
GET_ROUTES = ("judging_item", "judging_receipt")
POST_ROUTES = ("judging_open", "judging_score", "judging_submit")


def an_item(human: int = 2, model: int = 2, **parameters: Any) -> JudgingItem:
    return judging_items_of(a_judging_study(human, model, judges=2, prompts=2, **parameters))[0]


def client_of(item: JudgingItem) -> Client:
    return signed_in(item.participation.user)


def url(route: str, item: JudgingItem) -> str:
    return reverse(route, args=[item.pk])


def post_json(client: Client, item: JudgingItem, body: Any) -> Any:
    return client.post(url("judging_score", item), body, content_type="application/json")


def form_of(item: JudgingItem, **levels: int) -> dict[str, str]:
    """The room's fields where every dimension of the answers in `levels` has that value."""
    slots, dimensions = slots_of(item), rubric_by_hash(item.study.rubric_id).dimensions
    return {
        f"score:{slots[label]}:{dimension.key}": str(value)
        for label, value in levels.items()
        for dimension in dimensions
    }


def page_of(item: JudgingItem) -> str:
    return client_of(item).get(url("judging_item", item)).content.decode()


# -- who gets in ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("route", GET_ROUTES + POST_ROUTES)
def test_every_page_asks_a_visitor_to_sign_in(route: str, client: Client) -> None:
    item = an_item(1, 1)
    response = client.get(url(route, item)) if route in GET_ROUTES else client.post(url(route, item))
    assert response.status_code == 302
    assert response["Location"].startswith("/accounts/login/")


@pytest.mark.parametrize("route", GET_ROUTES + POST_ROUTES)
def test_another_person_s_item_does_not_exist(route: str) -> None:
    study = a_judging_study(1, 1, judges=2, prompts=2)
    item = opened(judging_items_of(study)[0])
    for other in (
        members_of(study, Role.JUDGE)[1],
        *members_of(study, Role.WRITER),
        *members_of(study, Role.COORDINATOR),
    ):
        client = signed_in(other.user)
        response = client.get(url(route, item)) if route in GET_ROUTES else client.post(url(route, item))
        assert response.status_code == 404
    assert JudgingItem.objects.get(pk=item.pk).state == "open"


def test_an_item_of_a_study_one_has_left_does_not_exist() -> None:
    item = an_item(1, 1)
    Participation.objects.filter(pk=item.participation_id).update(left_at=item.participation.joined_at)
    assert client_of(item).get(url("judging_item", item)).status_code == 404


@pytest.mark.parametrize("route", POST_ROUTES)
def test_nothing_is_written_on_get(route: str) -> None:
    item = an_item(1, 1)
    assert client_of(item).get(url(route, item)).status_code == 405


def test_a_score_without_the_csrf_token_is_refused() -> None:
    item = opened(an_item(1, 1))
    client = signed_in(item.participation.user, Client(enforce_csrf_checks=True))
    assert post_json(client, item, {"scores": {}}).status_code == 403


# -- from introduction to receipt ----------------------------------------------------------------------------------


def test_before_an_item_is_begun_only_the_introduction_is_shown() -> None:
    item = an_item()
    page = page_of(item)
    assert "Begin" in page
    for slot in BlindedSlot.objects.filter(item=item).select_related("response"):
        assert slot.response.text[:60] not in page
    assert JudgingItem.objects.get(pk=item.pk).state == "assigned"


def test_beginning_leads_to_the_room_with_every_text() -> None:
    item = an_item(3, 3)
    response = client_of(item).post(url("judging_open", item), follow=True)
    page = response.content.decode()
    assert "Begin" not in page
    for slot in BlindedSlot.objects.filter(item=item).select_related("response"):
        for paragraph in slot.response.text.split("\n\n"):
            assert paragraph in page
    assert page.count('type="radio"') == 6 * 5 * 10


def test_without_consent_the_introduction_says_so_and_offers_no_way_in() -> None:
    item = an_item(1, 1)
    item.participation.consent.delete()
    page = page_of(item)
    assert "consent form first" in page
    assert "Begin" not in page


def test_an_open_item_is_out_of_reach_once_judging_has_ended() -> None:
    item = opened(an_item(1, 1))
    item.study.state = "closed"
    item.study.save()
    page = page_of(item)
    assert "Judging is not open" in page
    assert 'type="radio"' not in page


def test_a_submitted_item_leads_to_its_receipt_and_an_open_one_back_to_the_room() -> None:
    item = scored(an_item(1, 1), A=4, B=8)
    client = client_of(item)
    assert client.get(url("judging_receipt", item))["Location"] == url("judging_item", item)
    judging.submit_item(item=item, by=item.participation.user)
    assert client.get(url("judging_item", item))["Location"] == url("judging_receipt", item)


def test_the_receipt_shows_ranking_scores_and_time() -> None:
    item = scored(an_item(), A=7, B=9, C=5, D=7)
    judging.submit_item(item=item, by=item.participation.user, justification="B <b>weighs</b> more.")
    response = client_of(item).get(url("judging_receipt", item))
    rows = re.findall(r"data-labels>([^<]+)<", response.content.decode())
    assert rows == ["B", "A, D", "C"]
    sums = re.findall(r'data-cell="sum">([^<]+)<', response.content.decode())
    assert sums == ["35", "45", "25", "35"]
    assert "B &lt;b&gt;weighs&lt;/b&gt; more." in response.content.decode()
    submitted = JudgingItem.objects.get(pk=item.pk).submitted_at
    assert submitted is not None
    assert f"{submitted:%H:%M}" in response.content.decode()


def test_no_page_of_an_item_is_kept_by_any_cache() -> None:
    item = an_item(1, 1)
    client = client_of(item)
    responses = [client.get(url("judging_item", item)), client.post(url("judging_open", item))]
    responses += [client.get(url("judging_item", item)), post_json(client, item, {"scores": {}})]
    responses += [client.post(url("judging_submit", item), form_of(item, A=4, B=8))]
    responses += [client.get(url("judging_receipt", item))]
    for response in responses:
        assert response["Cache-Control"] == "private, no-store"


# -- scores by script ----------------------------------------------------------------------------------------------


def test_scores_sent_as_json_are_saved_and_counted() -> None:
    item = opened(an_item(3, 3))
    slots = slots_of(item)
    client = client_of(item)
    first = post_json(client, item, {"scores": {str(slots["A"]): {CLARITY: 7, "evidential_grounding": 9}}})
    assert (first.status_code, first.json()) == (200, {"saved": 2, "given": 2, "wanted": 30})
    second = post_json(client, item, {"scores": {str(slots["A"]): {CLARITY: 8}, str(slots["F"]): {CLARITY: 1}}})
    assert second.json() == {"saved": 2, "given": 3, "wanted": 30}
    assert Score.objects.get(slot=slots["A"], dimension=CLARITY).value == 8


@pytest.mark.parametrize(
    "body",
    [
        " ",
        "{",
        "[]",
        "null",
        '{"scores": []}',
        '{"scores": {"A": {}}}',
        '{"scores": {"SLOT": 7}}',
        '{"scores": {"SLOT": {"conceptual_clarity": "7"}}}',
        '{"scores": {"SLOT": {"conceptual_clarity": 7.0}}}',
        '{"scores": {"SLOT": {"conceptual_clarity": true}}}',
        '{"scores": {"SLOT": {"conceptual_clarity": NaN}}}',
        "[" * 50_000,
    ],
)
def test_json_of_another_shape_is_a_bad_request(body: str) -> None:
    item = opened(an_item(1, 1))
    response = post_json(client_of(item), item, body.replace("SLOT", str(slots_of(item)["A"])))
    assert response.status_code == 400
    assert response.json()["error"]
    assert not Score.objects.exists()


def test_a_refused_score_is_a_conflict_and_keeps_nothing() -> None:
    item = opened(an_item(1, 1))
    a, b = (str(slot) for slot in slots_of(item).values())
    response = post_json(client_of(item), item, {"scores": {a: {CLARITY: 7}, b: {CLARITY: 11}}})
    assert response.status_code == 409
    assert "from 1 to 10" in response.json()["error"]
    assert not Score.objects.exists()


def test_a_score_after_submission_is_a_conflict() -> None:
    item = scored(an_item(1, 1), A=4, B=8)
    judging.submit_item(item=item, by=item.participation.user)
    response = post_json(client_of(item), item, {"scores": {str(slots_of(item)["A"]): {CLARITY: 10}}})
    assert response.status_code == 409
    assert Score.objects.get(slot=slots_of(item)["A"], dimension=CLARITY).value == 4


# -- without a script ----------------------------------------------------------------------------------------------


def test_the_whole_form_can_be_saved_without_a_script() -> None:
    item = opened(an_item(1, 1))
    response = client_of(item).post(url("judging_score", item), form_of(item, A=6), follow=True)
    assert response.redirect_chain == [(url("judging_item", item), 302)]
    assert response.content.decode().count('value="6" checked') == 5
    assert Score.objects.filter(slot=slots_of(item)["A"], value=6).count() == 5


def test_an_incomplete_form_comes_back_with_the_answer_named_and_its_scores_kept() -> None:
    item = opened(an_item(1, 1, rationale="optional"))
    response = client_of(item).post(
        url("judging_submit", item), form_of(item, A=6) | {"justification": "A is lucid."}
    )
    assert response.status_code == 409
    assert "Answer B still needs 5 of its 5 scores" in response.content.decode()
    assert "A is lucid." in response.content.decode()
    assert Score.objects.filter(slot=slots_of(item)["A"]).count() == 5


def test_scores_and_submission_travel_in_one_form() -> None:
    item = opened(an_item(1, 1))
    client, form = client_of(item), form_of(item, A=6, B=9)
    for _ in range(2):  # the second time nothing is left to do
        response = client.post(url("judging_submit", item), form)
        assert response["Location"] == url("judging_receipt", item)
    assert dict(RankedSlot.objects.values_list("slot__label", "rank")) == {"A": 2, "B": 1}


def test_a_rubric_with_a_long_scale_takes_number_fields() -> None:
    toml = (RUBRICS / "constitutional_reasoning-2.toml").read_text()
    item = opened(an_item(1, 1, rubric_toml=toml))
    page = page_of(item)
    assert page.count('min="0" max="100"') == 2 * 2
    assert 'type="radio"' not in page
    form = form_of(item, A=60, B=90)
    field = next(iter(form))
    client = client_of(item)
    assert client.post(url("judging_submit", item), form | {field: "sixty"}).status_code == 409
    assert client.post(url("judging_submit", item), form | {field: ""}).status_code == 409
    assert client.post(url("judging_submit", item), form).status_code == 302


def test_a_direct_ranking_is_submitted_by_its_places() -> None:
    item = opened(an_item(judging_mode="ranking", rationale="required"))
    client = client_of(item)
    form = {f"place:{slot}": place for slot, place in zip(slots_of(item).values(), "2124", strict=True)}
    refused = client.post(url("judging_submit", item), form)
    assert refused.status_code == 409
    assert "Please justify" in refused.content.decode()
    assert re.findall(r'value="(\d)"\s+min="1"', refused.content.decode()) == ["2", "1", "2", "4"]
    client.post(url("judging_submit", item), form | {"justification": "B names its limits."})
    assert dict(RankedSlot.objects.values_list("slot__label", "rank")) == {"A": 2, "B": 1, "C": 2, "D": 4}


# -- nothing tells a source ----------------------------------------------------------------------------------------


def a_whole_item(item: JudgingItem) -> Iterator[Any]:
    """Every answer a judge gets from the first look at an item to its receipt."""
    client = client_of(item)
    yield client.get(url("judging_item", item))
    yield client.post(url("judging_open", item))
    yield client.get(url("judging_item", item))
    slot = slots_of(item)["A"]
    yield post_json(client, item, {"scores": {str(slot): {CLARITY: 7}}})
    yield post_json(client, item, {"scores": {str(slot): {CLARITY: 70}}})
    yield post_json(client, item, "[]")
    yield client.post(url("judging_score", item), form_of(item, A=6))
    yield client.post(url("judging_submit", item), form_of(item, A=6))
    levels = {label: number + 3 for number, label in enumerate(slots_of(item))}
    yield client.post(url("judging_submit", item), form_of(item, **levels))
    yield client.get(url("judging_receipt", item))


def test_no_answer_of_the_server_contains_a_canary_from_provenance() -> None:
    item = an_item(3, 3)
    Stimulus.objects.update(source_code="CanarySource")
    Prompt.objects.update(
        title="CanaryTitle", domain="CanaryDomain", code=Concat(Value("CanaryCode"), F("position"))
    )
    Participation.objects.filter(role=Role.WRITER).update(pseudonym=Concat(Value("CanaryW"), F("id")))
    responses = {str(slot.response_id) for slot in BlindedSlot.objects.all()}
    for answer in a_whole_item(item):
        sent = f"{answer.headers} {answer.cookies} {answer.content.decode()}"
        assert "canary" not in sent.lower()
        assert not [response for response in responses if response in sent]
        assert not re.search("quality.floor|source.attribution|stimul", sent, re.IGNORECASE)


def test_a_judge_s_requests_touch_no_table_that_knows_a_source() -> None:
    item = an_item(3, 3)
    knows = {"annotation.models.allocation", "annotation.models.writing", "annotation.models.seeds"}
    tables = [
        model._meta.db_table
        for model in apps.get_models(include_auto_created=True)
        if model.__module__ in knows or model._meta.app_label == "generation" or "_humanset" in model._meta.db_table
    ]
    assert {"annotation_stimulus", "annotation_humanset_members", "annotation_draft"} <= set(tables)
    with CaptureQueriesContext(
        connection,
    ) as captured:
        responses = list(a_whole_item(item))
    assert responses[-1].status_code == 200
    for query in captured:
        assert not [table for table in tables if table in query["sql"]], query["sql"]


def test_every_kind_of_item_has_the_same_page() -> None:
    study = a_judging_study(2, 2, judges=2, prompts=3, quality_floor_prompts=1, source_attribution_prompts=1)
    items = judging_items_of(study)
    assert {ItemPlan.objects.get(item=item).kind for item in items} == set(Kind)
    introductions = {without_particulars(item, page_of(item)) for item in items}
    rooms = {without_particulars(opened(item), page_of(item)) for item in items}
    assert len(introductions) == len(rooms) == 1


def without_particulars(item: JudgingItem, page: str) -> str:
    """The page without what differs between any two items: its texts, slots, prompt, number and token."""
    for slot in BlindedSlot.objects.filter(item=item).select_related("response"):
        page = page.replace(str(slot.pk), f"slot-{slot.label}")
        for paragraph in slot.response.text.split("\n\n"):
            page = page.replace(f'<p class="prose-plain">{paragraph}</p>', "")
    page = page.replace(item.prompt_version.text, "prompt")
    page = re.sub(r'csrfmiddlewaretoken" value="\w+"', "token", page)
    page = re.sub(rf'/judging/{item.pk}/|data-item="{item.pk}"', "item", page)
    return re.sub(rf"[Ii]tem {item.position}\b", "item", page)


# -- cost ----------------------------------------------------------------------------------------------------------


def test_the_room_takes_few_queries() -> None:
    item = scored(an_item(3, 3), A=4, B=8)
    client = client_of(item)
    client.get(url("judging_item", item))
    with CaptureQueriesContext(connection) as captured:
        client.get(url("judging_item", item))
    assert len(captured) <= 12, json.dumps([query["sql"] for query in captured], indent=1)
