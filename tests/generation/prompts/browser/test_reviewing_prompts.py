"""A coordinator reviews prompts and compares pairs of them, with the keyboard alone."""

import re
from itertools import combinations

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from annotation.study.models.studies import Study
from generation.prompts.models import Candidate, PairVote, QualityVote
from tests.browsing import SignIn, check_accessible, check_every_look, tab_to
from tests.factories import a_study, coordinator_of
from tests.generation.prompts.candidates import a_pool, compared, voted

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def study() -> Study:
    return a_study()


@pytest.fixture
def pool(study: Study) -> list[Candidate]:
    """Two scenarios, three generators, five prompts each; those of the first bundle are compared by a model too."""
    prompts = a_pool(study)
    voted(prompts)
    for first, second in combinations(prompts[:5], 2):
        for family in ("gemini", "gpt"):
            compared(first, second, by=family, is_equivalent=True)
    return prompts


def test_prompts_are_reviewed_one_after_the_other(
    page: Page, sign_in: SignIn, study: Study, pool: list[Candidate]
) -> None:
    sign_in(page, coordinator_of(study))
    page.goto(reverse("candidates", args=[study.slug]))
    check_every_look(page)
    page.get_by_label("Generator").select_option("gpt (10)")
    page.get_by_role("button", name="Show").press("Enter")
    expect(page.get_by_role("heading", name="10 prompts")).to_be_visible()

    by_gpt = [prompt for prompt in pool if prompt.bundle.target.family == "gpt"]
    page.get_by_role("link", name="Review the next unreviewed one").press("Enter")
    expect(page.get_by_role("group", name="Depth").get_by_label("Met", exact=True)).to_be_focused()
    for key in "yny":
        page.keyboard.press(key)
    expect(page.get_by_label("Answer embedded in the question")).to_be_focused()
    page.keyboard.press("Space")
    check_every_look(page)
    page.get_by_label("In your words").fill("It says what it asks.")
    page.keyboard.press("Control+Enter")

    expect(page.get_by_text(re.compile("Kept: you fail"))).to_be_visible()
    expect(page.get_by_text("2 of 10")).to_be_visible()
    vote = QualityVote.objects.get(reviewer=coordinator_of(study))
    assert vote.candidate == by_gpt[0]
    assert (vote.depth, vote.open_endedness, vote.generalisation) == (True, False, True)
    assert vote.rejections == ["embedded_answer"]


def test_a_pair_is_compared_and_then_told(page: Page, sign_in: SignIn, study: Study, pool: list[Candidate]) -> None:
    sign_in(page, coordinator_of(study))
    page.goto(reverse("pool_quality", args=[study.slug]))
    check_every_look(page)
    page.goto(reverse("pool_diversity", args=[study.slug]))
    check_every_look(page)
    tab_to(page, page.get_by_role("link", name="Compare pairs yourself"))
    page.keyboard.press("Enter")
    expect(page.get_by_text("Pair 1 of 10")).to_be_visible()
    check_accessible(page)

    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(error.message))
    for key in ("Alt+n", "x"):
        page.keyboard.press(key)
        expect(page.locator("[data-answer]:checked")).to_have_count(0)
    assert not errors
    page.keyboard.press("n")
    expect(page.get_by_role("button", name="Keep it")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    page.keyboard.type("Another level.")
    page.keyboard.press("Control+Enter")

    expect(page.get_by_role("heading", name="What is said of them")).to_be_visible()
    expect(page.get_by_text("So it seems.")).to_have_count(2)
    check_accessible(page)
    vote = PairVote.objects.get(reviewer=coordinator_of(study))
    assert (vote.is_equivalent, vote.reason) == (False, "Another level.")
    tab_to(page, page.get_by_role("link", name="Next pair"))
    page.keyboard.press("Enter")
    expect(page.get_by_text("Pair 2 of 10")).to_be_visible()

    page.goto(reverse("compare_pairs", args=[study.slug]))
    # As on a Russian keyboard: the letter at the place of Y.
    pressed = {"key": "н", "code": "KeyY", "bubbles": True, "cancelable": True}
    page.evaluate("(key) => document.activeElement.dispatchEvent(new KeyboardEvent('keydown', key))", pressed)
    page.keyboard.press("Enter")
    expect(page.get_by_text("2 of 10 pairs compared.")).to_be_visible()
    assert PairVote.objects.filter(reviewer=coordinator_of(study), is_equivalent=True).count() == 1
