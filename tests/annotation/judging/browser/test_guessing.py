"""After the last item: the receipt, taking the item back, and the guesses who wrote the answers."""

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Locator, Page, expect

from annotation.judging.models.judging import Guess, JudgingItem
from annotation.judging.services import guessing
from annotation.study.models.studies import Study
from generation.trials.core.conditions import SHIPPED_CONDITIONS
from tests.annotation.judging.browser.room import finish, ready, submit
from tests.browsing import WIDE, SignIn, check_accessible, check_every_look, resize, tab_to
from tests.factories import a_judging_study, judging_items_of
from tests.judging import state_of, submitted

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def item(page: Page, sign_in: SignIn) -> JudgingItem:
    """The only item of a judge who has just submitted it and is signed in; three answers to guess about."""
    study = a_judging_study(2, 1, judges=1, prompts=1, guess_items=1)
    item = submitted(judging_items_of(study)[0])
    sign_in(page, item.participation.user)
    return item


def guesses_of(item: JudgingItem) -> list[tuple[str, str, int | None]]:
    rows = Guess.objects.filter(slot__item=item).order_by("slot__label")
    return [(guess.slot.label, guess.source, guess.confidence) for guess in rows.select_related("slot")]


def go_to_receipt(page: Page, item: JudgingItem) -> None:
    resize(page, WIDE)
    page.goto(reverse("judging_receipt", args=[item.pk]))


def go_to_guesses(page: Page, item: JudgingItem) -> None:
    resize(page, WIDE)
    page.goto(reverse("study", args=[item.study.slug]))
    page.get_by_role("link", name="Begin guessing").click()


def source_of(page: Page, label: str) -> Locator:
    return page.get_by_role("group", name=f"Who wrote answer {label}?")


def confidence_of(page: Page, label: str) -> Locator:
    return page.get_by_role("group", name=f"How sure are you about answer {label}?")


def guess(page: Page) -> None:
    """Of three answers one is guessed about wholly, one by half."""
    source_of(page, "A").get_by_label("A person").check()
    confidence_of(page, "A").get_by_label("4").check()
    source_of(page, "B").get_by_label("A model").check()


def states(page: Page) -> list[str]:
    return page.get_by_role("navigation", name="Answers").get_by_role("link").all_inner_texts()


def chosen(page: Page) -> list[str]:
    radios = page.get_by_role("radio", checked=True)
    values: list[str] = radios.evaluate_all("radios => radios.map(({ value }) => value)")
    return values


def kept(page: Page) -> list[str]:
    """Under which keys this browser keeps what a form holds."""
    keys: list[str] = page.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('kept '))")
    return keys


def test_answers_are_guessed_about_with_keys_alone(page: Page, item: JudgingItem) -> None:
    go_to_guesses(page, item)
    for label, key in (("A", "Space"), ("B", "ArrowDown")):  # a person, a model
        tab_to(page, source_of(page, label).get_by_role("radio").first)
        page.keyboard.press(key)
        page.keyboard.press("Tab")
        page.keyboard.press("ArrowUp")  # from the first value to the last one
    tab_to(page, source_of(page, "C").get_by_role("radio").first)
    page.keyboard.press("ArrowUp")  # I don't know: there is nothing to be sure of
    tab_to(page, page.get_by_role("button", name="Send the guesses"))
    page.keyboard.press("Enter")
    expect(page.get_by_text("your guesses are kept")).to_be_visible()
    assert guesses_of(item) == [("A", "human", 5), ("B", "model", 5), ("C", "unknown", None)]


def test_missing_guesses_are_named_and_those_chosen_stay(page: Page, item: JudgingItem) -> None:
    go_to_guesses(page, item)
    source_of(page, "A").get_by_label("A person").check()
    source_of(page, "B").get_by_label("I don’t know").check()
    page.get_by_role("button", name="Send the guesses").click()
    told = page.get_by_role("alert")
    expect(told).to_contain_text("Nothing is sent yet")
    assert told.get_by_role("link").all_inner_texts() == [
        "Answer A: how sure are you?",
        "Answer C: a person, a model, or you don’t know?",
    ]
    expect(source_of(page, "A").get_by_label("A person")).to_be_checked()
    told.get_by_role("link", name="Answer C").click()
    expect(source_of(page, "C").get_by_role("radio").first).to_be_focused()
    check_accessible(page)
    assert not Guess.objects.exists()


def test_a_line_in_view_says_how_far_one_is_and_leads_to_each_answer(page: Page, item: JudgingItem) -> None:
    go_to_guesses(page, item)
    line = page.get_by_role("status")
    expect(line).to_have_text("0 of 3 answered")
    expect(line).to_be_in_viewport()
    guess(page)
    expect(line).to_have_text("1 of 3 answered")
    assert states(page) == ["A\ndone", "B\nhow sure?", "C\nopen"]
    source_of(page, "B").get_by_label("I don’t know").check()
    expect(confidence_of(page, "B")).to_be_hidden()  # it is asked only of those who guess
    expect(confidence_of(page, "C")).to_be_visible()
    expect(line).to_have_text("2 of 3 answered")
    page.get_by_role("navigation", name="Answers").get_by_role("link", name="C open").click()
    expect(page.get_by_role("heading", name="Answer C")).to_be_in_viewport()
    expect(page.get_by_role("button", name="Send the guesses")).to_be_in_viewport()


def test_the_questions_stay_beside_the_end_of_a_long_text(page: Page, item: JudgingItem) -> None:
    go_to_guesses(page, item)
    text = page.get_by_role("region", name="Answer A").locator(".prose")
    text.evaluate("text => text.style.minBlockSize = '3000px'")
    text.evaluate("text => scrollTo(0, text.getBoundingClientRect().bottom + scrollY - innerHeight)")
    expect(source_of(page, "A")).to_be_in_viewport(ratio=1)
    expect(confidence_of(page, "A")).to_be_in_viewport(ratio=1)


def test_guesses_outlast_a_reload_a_refusal_and_another_window(page: Page, item: JudgingItem) -> None:
    go_to_guesses(page, item)
    guess(page)
    page.reload()
    assert chosen(page) == ["human", "4", "model"]
    page.get_by_role("button", name="Send the guesses").click()
    expect(page.get_by_role("alert")).to_be_visible()
    confidence_of(page, "A").get_by_label("2").check()
    other = page.context.new_page()
    other.goto(reverse("judging_guesses", args=[item.pk]))
    assert chosen(other) == ["human", "2", "model"]
    expect(other.get_by_role("status")).to_have_text("1 of 3 answered")


def test_guesses_sent_after_the_session_has_ended_are_there_after_signing_in(
    page: Page, item: JudgingItem, sign_in: SignIn
) -> None:
    go_to_guesses(page, item)
    guess(page)
    page.context.clear_cookies(name="sessionid")
    page.get_by_role("button", name="Send the guesses").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    sign_in(page, item.participation.user)
    page.goto(reverse("judging_guesses", args=[item.pk]))
    assert chosen(page) == ["human", "4", "model"]
    source_of(page, "B").get_by_label("I don’t know").check()
    source_of(page, "C").get_by_label("I don’t know").check()
    assert kept(page)
    page.get_by_role("button", name="Send the guesses").click()
    expect(page.get_by_text("your guesses are kept")).to_be_visible()
    assert kept(page) == []
    assert guesses_of(item) == [("A", "human", 4), ("B", "unknown", None), ("C", "unknown", None)]


def test_receipt_and_guesses_are_for_everybody(page: Page, item: JudgingItem) -> None:
    go_to_receipt(page, item)
    expect(page.get_by_role("heading", name="Item 1 of 1 is submitted")).to_be_visible()
    page.get_by_text("Take this item back").click()
    check_every_look(page)
    page.get_by_role("link", name="To the last step").click()
    check_every_look(page)
    page.get_by_role("link", name="Begin guessing").click()
    check_every_look(page)
    page.get_by_text("The text").first.click()  # folds
    check_every_look(page)


def test_an_item_taken_back_is_changed_and_submitted_again(page: Page, item: JudgingItem) -> None:
    go_to_receipt(page, item)
    page.get_by_text("Take this item back").click()
    page.get_by_role("button", name="Take item 1 back").click()
    expect(page.get_by_role("navigation", name="Answers")).to_be_visible()
    assert state_of(item) == "open"
    page.goto(reverse("study", args=[item.study.slug]))
    expect(page.get_by_text("All 15 scores are given and saved. The item is not submitted yet.")).to_be_visible()
    page.get_by_role("link", name="Go on judging").click()
    submit(finish(ready(page)))
    page.wait_for_url("**/receipt/")
    assert state_of(item) == "submitted"


def test_guessing_works_without_scripts(
    browser: Browser, base_url: str, item: JudgingItem, sign_in: SignIn
) -> None:
    context = browser.new_context(base_url=base_url, java_script_enabled=False)
    page = context.new_page()
    sign_in(page, item.participation.user)
    go_to_receipt(page, item)
    page.get_by_role("link", name="To the last step").click()
    page.get_by_role("link", name="Begin guessing").click()
    for label in "ABC":
        source = source_of(page, label)
        source.get_by_label("I don’t know").check()
    expect(confidence_of(page, "A")).to_be_hidden()
    page.get_by_role("button", name="Send the guesses").click()
    expect(page.get_by_text("your guesses are kept")).to_be_visible()
    context.close()
    assert [source for _, source, _ in guesses_of(item)] == ["unknown"] * 3


def test_where_answers_were_asked_for_under_frameworks_these_are_guessed_with_keys_and_readable_in_every_look(
    page: Page, item: JudgingItem
) -> None:
    study = item.study
    Study.objects.filter(pk=study.pk).update(preset="trial")
    frameworks = {each.key: each.name for each in SHIPPED_CONDITIONS.conditions}
    guessing.set_options(study=study, options=frameworks)
    go_to_guesses(page, item)
    expect(page.get_by_role("heading", name="Which framework was behind these answers?")).to_be_visible()
    check_every_look(page)
    for label, key in (("A", "Space"), ("B", "ArrowDown"), ("C", "ArrowUp")):  # the first, the second, the last
        which = page.get_by_role("group", name=f"Which framework was answer {label} asked for under?")
        tab_to(page, which.get_by_role("radio").first)
        page.keyboard.press(key)
        page.keyboard.press("Tab")
        page.keyboard.press("ArrowUp")
    tab_to(page, page.get_by_role("button", name="Send the guesses"))
    page.keyboard.press("Enter")
    expect(page.get_by_text("your guesses are kept")).to_be_visible()
    first, second, *_ = frameworks
    assert guesses_of(item) == [("A", first, 5), ("B", second, 5), ("C", "unknown", None)]
