"""Words are found in all answers at once; compared texts scroll together where that is wanted."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from annotation.judging.models.judging import BlindedSlot
from annotation.study.models.responses import Response
from tests.annotation.judging.browser.room import Enter, an_item, announced, show, shown, text
from tests.browsing import box, check_accessible, resize
from tests.factories import opened

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LONG = "\n\n".join(
    f"Paragraph {number} on what neighbours owe each other, and what they do not." for number in range(60)
)


def test_words_are_found_in_every_answer_whatever_is_in_view(enter: Enter) -> None:
    item = opened(an_item(2, 1, item_opens_with="reading"))
    for label, words in (
        ("A", "Nothing of it here, but كَتَبَ."),
        ("B", "A Café closes.\n\nThe cafe opens again."),
        ("C", f"{LONG} CAFÉ"),
    ):
        Response.objects.filter(pk=BlindedSlot.objects.get(item=item, label=label).response_id).update(text=words)
    page = enter(item)
    page.keyboard.press("/")
    page.keyboard.type("café")
    expect(page.get_by_role("region", name="Find")).to_contain_text("A 0 · B 2 · C 1")
    page.keyboard.press("Enter")
    announced(page, "B, 1 of 3")
    assert shown(page) == ["B"]
    page.keyboard.press("Shift+Enter")
    announced(page, "C, 3 of 3")
    assert shown(page) == ["C"]
    page.wait_for_function("document.querySelector('#answer-C .answer-text').scrollTop > 0")
    check_accessible(page)
    page.get_by_role("searchbox").fill("كتب")  # without the marks of vowels
    expect(page.get_by_role("region", name="Find")).to_contain_text("A 1 · B 0 · C 0")
    page.get_by_role("searchbox").fill("café")
    page.keyboard.press("Shift+Enter")
    page.keyboard.press("Escape")
    expect(text(page, "C")).to_be_focused()
    assert page.url.endswith(reverse("judging_item", args=[item.pk])), "Enter submitted nothing"
    # Beside each other
    page.keyboard.press("Shift+B")
    assert sorted(shown(page)) == ["B", "C"]


def test_compared_texts_scroll_together_only_where_that_is_wanted(enter: Enter) -> None:
    item = opened(an_item(1, 1))
    Response.objects.update(text=LONG)
    page = enter(item)
    show(page, "Compare")
    tops = "() => [...document.querySelectorAll('.answer-text')].map(({ scrollTop }) => Math.round(scrollTop))"

    def wheel() -> list[int]:
        page.mouse.move(box(text(page, "A"))["x"] + 50, box(text(page, "A"))["y"] + 100)
        page.mouse.wheel(0, 200)
        page.wait_for_timeout(400)
        found: list[int] = page.evaluate(tops)
        return found

    apart = wheel()
    assert apart[0] > 0 == apart[1]
    page.get_by_role("checkbox", name="scroll together").check()
    together = wheel()
    assert together[0] - apart[0] == pytest.approx(together[1], abs=3) != 0
    page.keyboard.press("t")
    announced(page, "Scrolling together is off.")
    assert wheel()[1] == together[1]
    for size in ((1024, 768), (640, 400)):
        resize(page, size)
        check_accessible(page)
