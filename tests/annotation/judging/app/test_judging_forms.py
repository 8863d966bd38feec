"""The judging room without a script: one form that saves and submits, and comes back with everything in it."""

import re

import pytest
from django.test import Client

from annotation.judging.models.judging import JudgingItem, RankedSlot, Score
from annotation.study.selectors.rubrics import RUBRICS
from tests.factories import opened, scored, slots_of
from tests.judging import (
    CLARITY,
    an_item,
    client_of,
    form_of,
    page_of,
    score,
    state_of,
    submitted,
    url,
    values_of,
)

pytestmark = pytest.mark.django_db

LONG = (RUBRICS / "constitutional_reasoning-2.toml").read_text()
EPISTEMIC = "epistemic_integrity"


@pytest.fixture
def item() -> JudgingItem:
    return opened(an_item(1, 1, rationale="optional"))


@pytest.fixture
def ranked() -> JudgingItem:
    return opened(an_item(judging_mode="ranking", rationale="required"))


def places(item: JudgingItem, given: str) -> dict[str, str]:
    return {f"place:{slot}": place for slot, place in zip(slots_of(item).values(), given, strict=True)}


def typed_places(page: str) -> list[str]:
    """The places that the page's fields hold."""
    fields = re.findall(r"<input[^>]*name=\"place:[^>]*>", page)
    return [found[1] if (found := re.search(r'value="(\d*)"', field)) else "" for field in fields]


# -- saving --------------------------------------------------------------------------------------------------------


def test_the_whole_form_can_be_saved(item: JudgingItem) -> None:
    form = form_of(item, A=6) | {"justification": "A is lucid."}
    response = client_of(item).post(url("judging_save", item), form, follow=True)
    assert response.redirect_chain == [(url("judging_item", item), 302)]
    page = response.content.decode()
    assert page.count('value="6" checked') == 5
    assert "A is lucid." in page
    assert Score.objects.filter(slot=slots_of(item)["A"], value=6).count() == 5
    assert state_of(item) == "open"


def test_places_can_be_saved(ranked: JudgingItem) -> None:
    response = client_of(ranked).post(url("judging_save", ranked), places(ranked, "2 14"), follow=True)
    assert [answer.place for answer in page_of(ranked).answers] == [2, None, 1, 4]
    assert typed_places(response.content.decode()) == ["2", "", "1", "4"]


@pytest.mark.parametrize("wrong", ["101", "-1", "sixty", "7.5", "9" * 5000])
def test_of_a_form_with_a_number_off_the_scale_the_rest_is_saved_and_the_number_named(wrong: str) -> None:
    item = opened(an_item(1, 1, rubric_toml=LONG))
    form = form_of(item, A=60, B=90) | {f"score:{slots_of(item)['B']}:{EPISTEMIC}": wrong}
    response = client_of(item).post(url("judging_save", item), form)
    assert response.status_code == 409
    assert f"“{wrong}” is not kept. Scores are whole numbers from 0 to 100" in response.content.decode()
    assert "Answer B, " in response.content.decode()
    assert sorted(values_of(item).values()) == [60, 60, 90]


def test_a_place_that_is_none_is_named_and_the_others_are_saved(ranked: JudgingItem) -> None:
    response = client_of(ranked).post(url("judging_save", ranked), places(ranked, "1239"))
    assert response.status_code == 409
    assert "Answer D: “9” is not kept. Places go from 1 to 4." in response.content.decode()
    assert [answer.place for answer in page_of(ranked).answers] == [1, 2, 3, None]


def test_a_justification_that_is_too_long_stays_in_the_form_and_the_scores_are_saved(item: JudgingItem) -> None:
    form = form_of(item, A=6) | {"justification": "far too long " * 1000}
    response = client_of(item).post(url("judging_save", item), form)
    assert response.status_code == 409
    assert "at most 10,000 characters" in response.content.decode()
    assert response.content.decode().count("far too long ") >= 999
    assert len(values_of(item)) == 5


def test_saving_a_submitted_item_leads_to_its_receipt_and_says_why() -> None:
    item = submitted(an_item(1, 1))
    response = client_of(item).post(url("judging_save", item), form_of(item, A=1), follow=True)
    assert response.redirect_chain[-1] == (url("judging_receipt", item), 302)
    assert "has been submitted" in response.content.decode()
    assert values_of(item)["A", CLARITY] == 9


def test_saving_an_item_that_was_not_begun_leads_to_its_introduction() -> None:
    item = an_item(1, 1)
    response = client_of(item).post(url("judging_save", item), form_of(item, A=1), follow=True)
    assert "Open it first" in response.content.decode()
    assert not Score.objects.exists()


# -- submitting ----------------------------------------------------------------------------------------------------


def test_scores_and_submission_travel_in_one_form(item: JudgingItem) -> None:
    client, form = client_of(item), form_of(item, A=6, B=9)
    for _ in range(2):  # the second time nothing is left to do
        response = client.post(url("judging_submit", item), form)
        assert response["Location"] == url("judging_receipt", item)
    assert dict(RankedSlot.objects.values_list("slot__label", "rank")) == {"A": 2, "B": 1}


def test_an_incomplete_form_comes_back_with_what_is_missing_named_and_everything_kept(item: JudgingItem) -> None:
    form = form_of(item, A=6) | {"justification": "A is lucid."}
    response = client_of(item).post(url("judging_submit", item), form)
    page = response.content.decode()
    assert response.status_code == 409
    assert "Scores are missing: B 5." in page
    assert page.count('value="6" checked') == 5
    assert "A is lucid." in page
    assert len(values_of(item)) == 5
    assert page_of(item).justification == "A is lucid."


def test_a_form_with_a_number_off_the_scale_is_not_submitted_and_the_rest_is_kept() -> None:
    item = opened(an_item(1, 1, rubric_toml=LONG))
    client, form = client_of(item), form_of(item, A=60, B=90)
    field = f"score:{slots_of(item)['B']}:{EPISTEMIC}"
    for wrong in ("sixty", "101", ""):
        assert client.post(url("judging_submit", item), form | {field: wrong}).status_code == 409
        assert sorted(values_of(item).values()) == [60, 60, 90]
    assert state_of(item) == "open"
    assert client.post(url("judging_submit", item), form).status_code == 302


def test_a_direct_ranking_is_submitted_by_its_places(ranked: JudgingItem) -> None:
    client, form = client_of(ranked), places(ranked, "2124")
    refused = client.post(url("judging_submit", ranked), form)
    assert refused.status_code == 409
    assert "Please justify" in refused.content.decode()
    assert typed_places(refused.content.decode()) == ["2", "1", "2", "4"]
    client.post(url("judging_submit", ranked), form | {"justification": "B names its limits."})
    assert dict(RankedSlot.objects.values_list("slot__label", "rank")) == {"A": 2, "B": 1, "C": 2, "D": 4}


def test_a_page_that_knew_all_saved_is_told_what_has_changed_elsewhere(item: JudgingItem) -> None:
    scored(item, A=6, B=9)
    form = form_of(item, A=6, B=9) | {"is_saved": "on"}
    score(item, {slots_of(item)["A"]: {CLARITY: 10}})
    response = client_of(item).post(url("judging_submit", item), form)
    page = response.content.decode()
    assert response.status_code == 409
    assert "changed in another window" in page
    assert page.count('value="10" checked') == 1  # what is held now, not what the page had shown
    assert values_of(item)["A", CLARITY] == 10
    assert state_of(item) == "open"


def test_fields_of_another_item_are_refused(item: JudgingItem) -> None:
    foreign = form_of(item, A=6) | {f"score:{'0' * 8}-0000-4000-8000-{'0' * 12}:{CLARITY}": "5"}
    response = client_of(item).post(url("judging_submit", item), foreign)
    assert response.status_code == 409
    assert "not part of the item" in response.content.decode()


@pytest.mark.parametrize("name", ["score:", "score:x:y", "score:1", "place:x", "place:", "score:a:b:c"])
def test_a_field_with_a_name_that_is_none_is_refused(item: JudgingItem, name: str) -> None:
    form = form_of(item, A=6, B=9) | {name: "5"}
    assert client_of(item).post(url("judging_submit", item), form).status_code == 409
    assert state_of(item) == "open"


def test_whose_session_has_ended_signs_in_and_comes_back_to_the_room(item: JudgingItem) -> None:
    response = Client().post(
        url("judging_submit", item),
        form_of(item, A=6),
        headers={"referer": f"http://testserver{url('judging_item', item)}"},
    )
    assert response["Location"].endswith(f"next={url('judging_item', item)}")
