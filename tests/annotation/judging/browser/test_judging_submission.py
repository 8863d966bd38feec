"""The last step in the judging room: what is confirmed, what is saved first, what is refused, and only once."""

import re

import pytest
from django.urls import reverse
from playwright.sync_api import Locator, Page, expect

from annotation.judging.models.judging import JudgingItem, Score
from tests.annotation.judging.browser.room import (
    Enter,
    an_item,
    finish,
    hold_back,
    posts_to,
    ranking,
    ranks_of,
    saved,
    strip,
    submit,
)
from tests.browsing import SignIn
from tests.factories import opened, scored

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def why(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Why this ranking?")


def test_the_last_step_shows_the_ranking_and_submits_once_however_often_it_is_pressed(enter: Enter) -> None:
    item = an_item(2, 1, rationale="optional")
    scored(item, A=8, B=8, C=6)
    page = enter(item)
    posts = posts_to(page, "/submit/")
    why(page).fill("A and B weigh both sides. C does not!")
    expect(page.get_by_text("2 of 3–4 sentences")).to_be_visible()
    dialog = finish(page)
    expect(dialog.get_by_role("row")).to_have_text(
        [re.compile("Rank"), *map(re.compile, (r"1=\s*A", r"1=\s*B", r"3\s*C"))]
    )
    expect(dialog.get_by_text("A and B weigh both sides. C does not!")).to_be_visible()
    dialog.get_by_role("button", name="Submit", exact=True).dblclick(no_wait_after=True)
    page.wait_for_url("**/receipt/")
    assert ranks_of(item) == {"A": 1, "B": 1, "C": 3}
    assert len(posts) == 1
    assert "is_saved" in (posts[0].post_data or "")
    assert JudgingItem.objects.get(pk=item.pk).justification == "A and B weigh both sides. C does not!"


def test_what_is_on_its_way_is_saved_before_the_item_is_submitted(enter: Enter) -> None:
    item = an_item(1, 1)
    scored(item, A=8, B=6)
    page = enter(item)
    release = hold_back(page, "**/save/")
    page.keyboard.press("ArrowRight")  # of an answer that is scored, a dimension is chosen first
    page.keyboard.press("9")
    submit(finish(page))
    expect(page.get_by_text("Submitting …")).to_be_visible()
    release()
    page.wait_for_url("**/receipt/")
    assert sorted(Score.objects.values_list("value", flat=True)) == [6] * 5 + [8] * 4 + [9]


def test_offline_nothing_is_submitted_and_it_can_be_a_moment_later(enter: Enter) -> None:
    item = an_item(1, 1)
    scored(item, A=8, B=6)
    page = enter(item)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("9")
    page.context.set_offline(True)
    dialog = finish(page)
    submit(dialog)
    expect(dialog.get_by_text("You are offline, so the item was not submitted.")).to_be_visible()
    assert ranks_of(item) == {}
    page.context.set_offline(False)
    submit(dialog)
    page.wait_for_url("**/receipt/")
    assert ranks_of(item) == {"A": 1, "B": 2}


def test_a_refusal_says_why_and_leaves_the_room_as_it_was(enter: Enter) -> None:
    item = an_item(1, 1)
    scored(item, A=8, B=6)
    page = enter(item)
    scored(item, B=9)  # on another device
    submit(finish(page))
    expect(page.get_by_text(re.compile("answer B .* changed in another window. Check"))).to_be_visible()
    assert ranks_of(item) == {}
    assert [row[1] for row in ranking(page)] == ["B", "A"]  # what is held now
    submit(finish(page))
    page.wait_for_url("**/receipt/")
    assert ranks_of(item) == {"A": 2, "B": 1}


def test_equal_scores_are_asked_about_only_where_the_study_wants_it(enter: Enter) -> None:
    item = an_item(1, 1, asks_about_equal_scores=True)
    scored(item, A=7, B=7)
    page = enter(item)
    dialog = finish(page)
    submit(dialog)
    question = dialog.get_by_role("checkbox", name="All answers have the same sum.")
    expect(question).to_be_focused()
    assert ranks_of(item) == {}
    dialog.get_by_role("button", name="Back").click()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("8")
    expect(finish(page).get_by_role("checkbox")).to_have_count(0)
    dialog.get_by_role("button", name="Back").click()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("7")
    finish(page)
    question.check()
    submit(dialog)
    page.wait_for_url("**/receipt/")
    assert ranks_of(item) == {"A": 1, "B": 1}


def test_by_default_the_last_step_asks_neither_about_equal_scores_nor_for_a_justification(enter: Enter) -> None:
    item = an_item(1, 1)
    scored(item, A=7, B=7)
    page = enter(item)
    dialog = finish(page)
    expect(dialog.get_by_role("checkbox")).to_have_count(0)
    expect(dialog).not_to_contain_text(re.compile("justification", re.IGNORECASE))


def test_a_justification_is_written_beside_the_answers_once_there_is_a_ranking(enter: Enter) -> None:
    item = an_item(1, 1, rationale="required")
    scored(item, A=8)
    page = enter(item)
    page.keyboard.press("b")
    page.keyboard.type("7777")
    expect(why(page)).to_be_hidden()
    page.keyboard.press("7")
    why(page).fill("A is (e.g. in the second part) clearer. Is it? Yes!")
    expect(page.get_by_text("3 of 3–4 sentences")).to_be_visible()
    expect(page.get_by_role("region", name="Answer B", exact=True)).to_be_visible()
    saved(page)
    page.reload()
    expect(why(page)).to_have_value("A is (e.g. in the second part) clearer. Is it? Yes!")
    expect(page.get_by_text("3 of 3–4 sentences")).to_be_visible()


def test_a_justification_that_is_required_is_asked_for_before_the_last_step(enter: Enter) -> None:
    item = an_item(1, 1, rationale="required")
    scored(item, A=8, B=6)
    page = enter(item)
    page.get_by_role("button", name="Submit the item").click()
    expect(why(page)).to_be_focused()
    expect(page.get_by_role("dialog", name="Submit the item")).to_be_hidden()
    page.keyboard.type("A names its limits.")
    expect(finish(page).get_by_text("A names its limits.")).to_be_visible()


def test_a_justification_typed_before_the_script_ran_is_submitted(page: Page, sign_in: SignIn) -> None:
    item = opened(an_item(1, 1, rationale="optional"))
    scored(item, A=8, B=6)
    release = hold_back(page, "**/judging-room*.js")
    sign_in(page, item.participation.user)
    page.goto(reverse("judging_item", args=[item.pk]), wait_until="commit")
    page.locator("[name=justification]").evaluate("field => (field.value = 'A leads.')")
    release()
    submit(finish(page))
    page.wait_for_url("**/receipt/")
    assert JudgingItem.objects.get(pk=item.pk).justification == "A leads."


def test_the_last_step_says_what_is_left_out_and_begins_where_no_key_decides_anything(enter: Enter) -> None:
    item = an_item(1, 1, rationale="optional")
    scored(item, A=8, B=7)
    page = enter(item)
    dialog = finish(page)
    expect(dialog.get_by_role("heading", name="Submit the item")).to_be_focused()
    expect(dialog.get_by_text("No justification is given.")).to_be_visible()
    expect(dialog.get_by_role("link")).to_have_count(0)
    page.keyboard.press("Enter")
    page.keyboard.press("Space")
    expect(dialog).to_be_visible()
    assert ranks_of(item) == {}
    dialog.get_by_role("button", name="Back").click()
    expect(dialog).to_be_hidden()
    expect(strip(page, "A")).to_be_visible()
