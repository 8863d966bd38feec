"""The judging room's pages and its JSON: who gets in, from the introduction to the receipt, and what is kept."""

import json
import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils.html import escape

from annotation.judging.models.judging import BlindedSlot, JudgingItem, Score
from annotation.judging.models.traces import Dwell
from annotation.study.models.participation import Role
from annotation.study.selectors.rubrics import RUBRICS
from tests.clients import signed_in
from tests.factories import a_judging_study, judging_items_of, members_of, opened, scored, slots_of
from tests.judging import (
    CLARITY,
    EVIDENCE,
    an_item,
    client_of,
    opened_an_hour_ago,
    page_of,
    submit,
    submitted,
    url,
    values_of,
)

pytestmark = pytest.mark.django_db

GET_ROUTES = ("judging_item", "judging_state", "judging_receipt")
POST_ROUTES = ("judging_open", "judging_save", "judging_submit", "judging_reopen")


def post_json(client: Client, item: JudgingItem, body: Any) -> Any:
    return client.post(url("judging_save", item), body, content_type="application/json")


def send(item: JudgingItem, **fields: Any) -> Any:
    """What the server answers the room's script that sends these fields, each as value or as (value, over)."""
    sent = {
        name: dict(zip(("value", "over"), given if isinstance(given, tuple) else (given,), strict=False))
        for name, given in fields.items()
    }
    return post_json(client_of(item), item, {"rubric": item.study.rubric_id, "window": "one", "fields": sent})


def score_field(item: JudgingItem, label: str, dimension: str = CLARITY) -> str:
    return f"score:{slots_of(item)[label]}:{dimension}"


def room_of(item: JudgingItem) -> str:
    return client_of(item).get(url("judging_item", item)).content.decode()


# -- who gets in ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("route", GET_ROUTES + POST_ROUTES)
def test_another_person_s_item_does_not_exist(route: str) -> None:
    study = a_judging_study(1, 1, judges=2, prompts=2)
    item = opened(judging_items_of(study)[0])
    others = (*members_of(study, Role.JUDGE)[1:], *members_of(study, Role.COORDINATOR))
    for other in others:
        client = signed_in(other.user)
        response = client.get(url(route, item)) if route in GET_ROUTES else client.post(url(route, item))
        assert response.status_code == 404


def test_scores_for_another_person_s_item_are_not_taken() -> None:
    study = a_judging_study(1, 1, judges=2, prompts=2)
    item = opened(judging_items_of(study)[0])
    body = {"rubric": study.rubric_id, "fields": {score_field(item, "A"): {"value": 7}}}
    assert post_json(signed_in(members_of(study, Role.JUDGE)[1].user), item, body).status_code == 404
    assert not Score.objects.exists()


@pytest.mark.parametrize("route", POST_ROUTES)
def test_nothing_is_written_on_get(route: str) -> None:
    item = an_item(1, 1)
    assert client_of(item).get(url(route, item)).status_code == 405


def test_a_score_without_the_csrf_token_is_refused() -> None:
    item = opened(an_item(1, 1))
    client = signed_in(item.participation.user, Client(enforce_csrf_checks=True))
    assert post_json(client, item, {"fields": {}}).status_code == 403


# -- from introduction to receipt ----------------------------------------------------------------------------------


def test_before_an_item_is_begun_only_the_introduction_is_shown() -> None:
    item = an_item()
    page = room_of(item)
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
    assert len(re.findall(r'type="radio" name="score:', page)) == 6 * 5 * 10


def test_without_consent_the_introduction_says_so_and_offers_no_way_in() -> None:
    item = an_item(1, 1)
    item.participation.consent.delete()
    page = room_of(item)
    assert "consent form first" in page
    assert "Begin" not in page


def test_an_open_item_is_out_of_reach_once_judging_has_ended() -> None:
    item = opened(an_item(1, 1))
    item.study.state = "closed"
    item.study.save()
    page = room_of(item)
    assert "Judging is closed" in page
    assert 'name="score:' not in page


def test_a_submitted_item_leads_to_its_receipt_and_an_open_one_back_to_the_room() -> None:
    item = scored(an_item(1, 1), A=4, B=8)
    client = client_of(item)
    assert client.get(url("judging_receipt", item))["Location"] == url("judging_item", item)
    submit(item)
    assert client.get(url("judging_item", item))["Location"] == url("judging_receipt", item)


def test_the_receipt_shows_ranking_scores_time_and_fingerprint() -> None:
    item = submit(scored(an_item(), A=7, B=9, C=5, D=7), justification="B <b>weighs</b> more.")
    page = client_of(item).get(url("judging_receipt", item)).content.decode()
    ranks = re.findall(r"data-rank>\s*([^\s<]+)\s*<", page)
    labels = re.findall(r"data-label>\s*(\w)\s*<", page)
    assert list(zip(ranks, labels, strict=True)) == [("1", "B"), ("2=", "A"), ("2=", "D"), ("4", "C")]
    assert re.findall(r'data-cell="sum">([^<]+)<', page) == ["35", "45", "25", "35"]
    assert "B &lt;b&gt;weighs&lt;/b&gt; more." in page
    assert item.submitted_at is not None
    assert f"{item.submitted_at:%H:%M}</time> (UTC)" in page
    assert item.sha256 in page


@pytest.mark.parametrize(
    ("minutes", "words"),
    [
        (0, "Afterwards the item is closed and nothing in it can be changed."),
        (1, "You can take the item back for 1 minute, as long as it is the last you submitted."),
        (25, "You can take the item back for 25 minutes, as long as it is the last you submitted."),
    ],
)
def test_the_last_step_says_for_how_long_the_item_can_be_taken_back(minutes: int, words: str) -> None:
    item = opened(an_item(reopen_minutes=minutes))
    assert words in " ".join(room_of(item).split())


@pytest.mark.parametrize(("mode", "stays"), [("scores", "Your scores"), ("ranking", "Your places")])
@pytest.mark.parametrize("rationale", ["off", "optional"])
def test_the_receipt_says_until_when_an_item_can_be_taken_back_and_what_stays(
    mode: str, stays: str, rationale: str
) -> None:
    study = a_judging_study(1, 1, judges=1, prompts=1, judging_mode=mode, rationale=rationale, reopen_minutes=10)
    item = opened(judging_items_of(study)[0])
    a, b = slots_of(item).values()
    item = submitted(item) if mode == "scores" else submit(item, places={a: 1, b: 2})
    page = " ".join(client_of(item).get(url("judging_receipt", item)).content.decode().split())
    [summary] = re.findall("<summary> (Take this item back.*?)</summary>", page)
    assert item.submitted_at is not None
    until = item.submitted_at + timedelta(minutes=10)
    assert f"{until:%H:%M}</time> (UTC)" in summary
    also = "" if rationale == "off" else "and your justification "
    assert f"{stays} {also}stay as they are" in page


def test_the_receipt_names_how_many_answers_were_judged_and_by_which_rubric() -> None:
    item = submitted(an_item())
    rubric = page_of(item).rubric
    page = client_of(item).get(url("judging_receipt", item)).content.decode()
    assert f"Four answers, judged by the rubric “{rubric.title}”, version {rubric.version}" in page


# -- what the script sends -----------------------------------------------------------------------------------------


def test_everything_a_judge_gives_is_saved_in_one_request_and_told_again() -> None:
    item = opened_an_hour_ago(opened(an_item(1, 1, rationale="optional")))
    slot = slots_of(item)["A"]
    mark, note = (
        "5f0c8a52-3c0b-4d52-8f0f-0d9f3a4c1e77",
        {"start": 0, "end": 8, "dimension": EVIDENCE, "note": "Who?"},
    )
    fields = {
        score_field(item, "A"): 7,
        score_field(item, "B"): 9,
        "justification": "B names its limits.",
        f"mark:{mark}": {"slot": str(slot), **note},
        f"reading:{slot}": {"milliseconds": 5000, "depth": 80},
    }
    response = send(item, **fields)
    assert (response.status_code, response.json()) == (200, {"conflicts": {}})
    held = client_of(item).get(url("judging_state", item)).json()
    reading = fields.pop(f"reading:{slot}")
    assert held == {"state": "open", "fields": fields}
    dwell = Dwell.objects.get()
    assert {"milliseconds": dwell.milliseconds, "depth": dwell.depth} == reading
    assert dwell.window == "one"
    room = room_of(item)
    [shown] = re.findall(r'id="held"[^>]*>(.*?)</script>', room, re.DOTALL)
    assert json.loads(shown) == fields


def test_what_another_window_gave_meanwhile_is_told_and_stays() -> None:
    item = opened(an_item(1, 1))
    field = score_field(item, "A")
    send(item, **{field: (4, [None])})
    response = send(item, **{field: (9, [None]), score_field(item, "B"): (5, [None])})
    assert (response.status_code, response.json()) == (200, {"conflicts": {field: 4}})
    assert values_of(item) == {("A", CLARITY): 4, ("B", CLARITY): 5}
    assert send(item, **{field: (9, [4])}).json() == {"conflicts": {}}


def test_a_mark_is_removed_by_sending_nothing_for_it() -> None:
    item = opened(an_item(1, 1))
    name = "mark:5f0c8a52-3c0b-4d52-8f0f-0d9f3a4c1e77"
    whole = {"slot": str(slots_of(item)["A"]), "start": None, "end": None, "dimension": "", "note": "Lucid."}
    send(item, **{name: whole})
    assert page_of(item).fields == {name: whole}
    send(item, **{name: None})
    assert page_of(item).fields == {}


FIELD = '{"fields": {"score:SLOT:conceptual_clarity": %s}}'


@pytest.mark.parametrize(
    "body",
    [
        " ",
        "{",
        "[]",
        "null",
        "{}",
        '{"fields": []}',
        '{"fields": {"A": {"value": 7}}}',
        '{"fields": {"score:SLOT": {"value": 7}}}',
        '{"fields": {"score:nobody:conceptual_clarity": {"value": 7}}}',
        '{"rubric": 7, "fields": {}}',
        '{"window": "' + "w" * 37 + '", "fields": {}}',
        FIELD % "7",
        FIELD % "{}",
        FIELD % '{"value": "7"}',
        FIELD % '{"value": 7.0}',
        FIELD % '{"value": true}',
        FIELD % '{"value": NaN}',
        FIELD % '{"value": 7, "over": 6}',
        FIELD % '{"value": 7, "over": ["6"]}',
        '{"fields": {"justification": {"value": null}}}',
        '{"fields": {"justification:SLOT": {"value": "Why?"}}}',
        '{"fields": {"place:SLOT": {"value": "1"}}}',
        '{"fields": {"reading:SLOT": {"value": {"milliseconds": -1, "depth": 10}}}}',
        '{"fields": {"reading:SLOT": {"value": {"milliseconds": 1, "depth": 101}}}}',
        '{"fields": {"mark:SLOT": {"value": {"slot": "SLOT", "start": 5, "end": 5, "dimension": "", "note": ""}}}}',
        "[" * 50_000,
    ],
)
def test_json_of_another_shape_is_a_bad_request(body: str) -> None:
    item = opened(an_item(1, 1))
    response = post_json(client_of(item), item, body.replace("SLOT", str(slots_of(item)["A"])))
    assert response.status_code == 400
    assert response.json()["error"]
    assert page_of(item).fields == {}


def test_a_refused_score_is_a_conflict_and_keeps_nothing() -> None:
    item = opened(an_item(1, 1))
    response = send(item, **{score_field(item, "A"): 7, score_field(item, "B"): 11})
    assert response.status_code == 409
    assert "from 1 to 10" in response.json()["error"]
    assert not Score.objects.exists()


def test_a_score_after_submission_is_a_conflict() -> None:
    item = submitted(an_item(1, 1))
    response = send(item, **{score_field(item, "A"): 1})
    assert response.status_code == 409
    assert "has been submitted" in response.json()["error"]
    assert values_of(item)["A", CLARITY] == 9
    assert client_of(item).get(url("judging_state", item)).json()["state"] == "submitted"


# -- other studies -------------------------------------------------------------------------------------------------


def test_a_rubric_with_a_long_scale_takes_number_fields() -> None:
    toml = (RUBRICS / "constitutional_reasoning-2.toml").read_text()
    page = room_of(opened(an_item(1, 1, rubric_toml=toml)))
    assert page.count('min="0" max="100"') == 2 * 2
    assert 'name="score:' in page
    assert 'type="radio" name="score:' not in page


def test_a_direct_ranking_asks_for_places_and_no_scores() -> None:
    item = opened(an_item(judging_mode="ranking"))
    page = room_of(item)
    assert all(f'name="place:{slot}"' in page for slot in slots_of(item).values())
    assert 'name="score:' not in page


@pytest.mark.parametrize("rationale", ["off", "optional", "required"])
def test_a_justification_is_asked_for_where_the_study_wants_one(rationale: str) -> None:
    page = room_of(opened(an_item(1, 1, rationale=rationale)))
    assert ('name="justification"' in page) == (rationale != "off")


def test_what_a_judge_writes_is_text_and_no_markup() -> None:
    evil = "</script><script>alert(1)</script>"
    item = opened(an_item(1, 1, rationale="optional"))
    send(item, justification=evil)
    page = room_of(item)
    assert evil not in page
    assert escape(evil) in page
