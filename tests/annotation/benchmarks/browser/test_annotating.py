"""Annotating in the browser: by keyboard, taken back, offline, in two windows; nothing that was said is lost."""

import pytest
from django.urls import reverse
from playwright.sync_api import BrowserContext, Page, expect

from annotation.benchmarks.models.marks import AnswerMark
from annotation.benchmarks.models.reviews import QuestionFlag, Review
from annotation.benchmarks.models.rulings import Ruling
from annotation.study.models.participation import Role
from generation.benchmarks.services.people_marks import give_answers_to_mark
from tests.annotation.benchmarks.audits import SOUND, an_adjudication, an_audit, audit_in_design, said
from tests.annotation.benchmarks.browser.questions import at_question, at_ruling
from tests.annotation.benchmarks.tomi_stories import a_benchmark
from tests.annotation.judging.browser.room import ready
from tests.browsing import SignIn, check_every_look
from tests.factories import coordinator_of, members_of
from tests.generation.benchmarks.asked import a_frozen_audit, planned, started
from tests.generation.calls.model_runs import good, worked_off
from tests.waiting import eventually

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def first_review(page: Page, sign_in: SignIn) -> Review:
    """Of an audit whose questions have one flaw at most, with its annotator at the page."""
    study = an_audit()
    study.benchmarks.update(several_flaws=False)
    review = Review.objects.filter(annotator__study=study, position=1).select_related("annotator__user")[0]
    sign_in(page, review.annotator.user)
    page.goto(reverse("review", args=[review.pk]))
    ready(page)
    return review


def test_questions_are_annotated_by_keyboard_and_steps_are_taken_back(page: Page, sign_in: SignIn) -> None:
    review = first_review(page, sign_in)
    check_every_look(page)
    page.keyboard.press("1")
    page.keyboard.press("d")
    page.keyboard.type("Nora is in the attic.")  # the note has the focus at once
    page.keyboard.press("Escape")
    page.keyboard.press("n")
    page.keyboard.press("u")
    expect(page.get_by_role("radio", name="Wrong label")).to_be_checked()
    page.keyboard.press("8")
    page.keyboard.press("Enter")
    at_question(page, 2)
    page.keyboard.press("n")
    page.keyboard.press("Enter")
    at_question(page, 3)

    flags = (
        QuestionFlag.objects.filter(review=review).order_by("axis").values_list("axis", "category", "flaw", "note")
    )
    assert list(flags) == [
        ("data", "structural", "wrong_label", "Nora is in the attic."),
        ("evaluation", "granularity_mismatch", "", ""),
    ]
    done = Review.objects.filter(annotator=review.annotator, done_at__isnull=False).values_list(
        "position", "verdict"
    )
    assert dict(done) == {1: "flawed", 2: "sound"}


def test_a_question_that_is_not_complete_says_what_is_missing_and_is_not_left(page: Page, sign_in: SignIn) -> None:
    first_review(page, sign_in)
    page.keyboard.press("Enter")
    expect(page.get_by_text("Say whether the question is flawed.")).to_be_visible()
    page.keyboard.press("2")
    page.keyboard.press("a")
    page.keyboard.type("No.")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Say in 3 words at least what is wrong.")).to_be_visible()
    at_question(page, 1)


def test_what_is_said_offline_outlives_the_page_and_reaches_the_server(
    page: Page, sign_in: SignIn, context: BrowserContext
) -> None:
    review = first_review(page, sign_in)
    context.set_offline(True)
    page.keyboard.press("3")
    page.keyboard.press("b")
    page.keyboard.type("Nobody would do this.")
    expect(page.get_by_text("You are offline.")).to_be_visible()
    page.close()  # as if the browser had been ended
    assert not Review.objects.filter(revision__gt=0).exists()
    context.set_offline(False)
    again = context.new_page()
    again.goto(reverse("review", args=[review.pk + 1]))  # another question sends it too
    eventually(lambda: QuestionFlag.objects.filter(review=review, note="Nobody would do this."))


def test_signing_out_asks_about_what_only_this_browser_holds(page: Page, sign_in: SignIn) -> None:
    review = first_review(page, sign_in)
    page.route("**/save/", lambda route: route.fulfill(status=503))
    page.keyboard.press("n")
    expect(page.get_by_text("The server cannot be reached.")).to_be_visible()
    page.goto(reverse("home"))
    page.locator("form[data-sign-out]").first.evaluate("form => form.requestSubmit()")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text(": question 1 · what you said of it")
    dialog.get_by_role("link").click()
    page.wait_for_url(f"**{reverse('review', args=[review.pk])}")
    page.keyboard.press("m")
    page.goto(reverse("home"))
    page.locator("form[data-sign-out]").first.evaluate("form => form.requestSubmit()")
    dialog.get_by_role("button", name="remove it").click()
    expect(page.locator("form[data-sign-out]")).to_have_count(0)
    assert page.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('reviews:'))") == []


def test_another_windows_word_is_not_replaced_before_the_annotator_chooses(page: Page, sign_in: SignIn) -> None:
    review = first_review(page, sign_in)
    said(review, SOUND)
    page.keyboard.press("m")
    expect(page.get_by_text("in another window")).to_be_visible()
    assert Review.objects.get(pk=review.pk).verdict == "sound"
    page.get_by_role("button", name="Take the other").click()
    expect(page.get_by_role("radio", name="No flaw")).to_be_checked()
    page.keyboard.press("m")
    expect(page.get_by_text("Saved", exact=True)).to_be_visible()
    assert Review.objects.get(pk=review.pk).verdict == "model"


def test_an_adjudicator_rules_by_keyboard(page: Page, sign_in: SignIn) -> None:
    study = an_adjudication()
    [adjudicator] = members_of(study, Role.ADJUDICATOR)
    sign_in(page, adjudicator.user)
    page.goto(reverse("study", args=[study.slug]))
    page.get_by_role("link", name="Begin", exact=True).press("Enter")
    at_ruling(page, 1, 2)
    check_every_look(page)
    page.keyboard.press("1")
    page.keyboard.press("x")
    page.keyboard.type("It contradicts itself.")  # the reason has the focus at once
    page.keyboard.press("Control+Enter")
    at_ruling(page, 2, 2)
    ruling = Ruling.objects.get(position=1)
    assert (ruling.category, ruling.fate, ruling.reason) == ("structural", "excluded", "It contradicts itself.")
    page.keyboard.press("2")
    page.keyboard.press("c")
    expect(page.locator("[name=gold]")).to_be_focused()  # what is corrected comes before why


def test_pages_of_benchmarks_models_and_marking_are_accessible(page: Page, sign_in: SignIn) -> None:
    benchmark = a_frozen_audit()
    study, by = benchmark.study, coordinator_of(benchmark.study)
    worked_off(started(planned(benchmark)), lambda _out: good("in the basket"))
    give_answers_to_mark(benchmark=benchmark, by=by)
    designed = a_benchmark(audit_in_design("designed"))

    sign_in(page, by)
    page.goto(reverse("benchmark", args=[study.slug, benchmark.pk]))
    expect(page.get_by_role("heading", name="Subsets")).to_be_visible()
    check_every_look(page)
    page.goto(reverse("benchmark_models", args=[study.slug, benchmark.pk]))
    expect(page.get_by_role("heading", name="Rephrasings")).to_be_visible()
    check_every_look(page)
    page.goto(reverse("benchmark", args=[designed.study.slug, designed.pk]))
    expect(page.get_by_role("group", name="Which questions are reviewed")).to_be_visible()
    check_every_look(page)

    mark = AnswerMark.objects.select_related("marker__user")[0]
    sign_in(page, mark.marker.user)
    page.goto(reverse("mark", args=[mark.pk]))
    expect(page.get_by_text("in the basket")).to_be_visible()
    check_every_look(page)
