"""Private notes and highlights in the judging room: made by mouse and by keyboard, kept, changed and taken back."""

import re

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Locator, Page, expect

from annotation.judging.models.judging import BlindedSlot, JudgingItem
from annotation.judging.models.traces import Mark
from tests.annotation.judging.browser.room import Enter, an_item, announced, enter_room, ready, text
from tests.browsing import SIZES, WIDE, SignIn, box, check_accessible, fits
from tests.factories import opened, slots_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def item() -> JudgingItem:
    return opened(an_item(1, 1))


@pytest.fixture
def enter(page: Page, item: JudgingItem, sign_in: SignIn) -> Enter:
    """Open the item as its judge, in a window of this size."""
    return lambda size=WIDE: enter_room(page, sign_in, item, size)


def text_of(item: JudgingItem, label: str = "A") -> str:
    return BlindedSlot.objects.get(item=item, label=label).response.text


def passage(mark: Mark) -> str:
    return mark.slot.response.text[mark.start : mark.end]


def select(page: Page, words: str, label: str = "A") -> None:
    """Select the first occurrence of `words`, which stand in one paragraph of an answer."""
    page.locator(f"#answer-{label} .prose").evaluate(
        """(prose, words) => {
          const paragraph = [...prose.children].find((element) => element.textContent.includes(words));
          const node = paragraph.firstChild;
          const start = node.data.indexOf(words);
          getSelection().setBaseAndExtent(node, start, node, start + words.length);
        }""",
        words,
    )


def selected(page: Page) -> str:
    return str(page.evaluate("() => String(getSelection())"))


def painted(page: Page, name: str = "mark") -> list[str]:
    found: list[str] = page.evaluate("(name) => [...CSS.highlights.get(name)].map(String)", name)
    return found


def place_of_highlight(page: Page) -> dict[str, float]:
    found: dict[str, float] = page.evaluate("() => [...CSS.highlights.get('mark')][0].getBoundingClientRect()")
    return found


def tools(page: Page) -> Locator:
    return page.locator("[data-mark-tools]")


def tool(page: Page, name: str) -> Locator:
    return tools(page).get_by_role("button", name=name, exact=True)


def note_field(page: Page) -> Locator:
    return tools(page).get_by_role("textbox", name="Note")


def notes(page: Page) -> Locator:
    """The list, after it was opened."""
    page.locator("[data-marks]").evaluate("(details) => (details.open = true)")
    return page.get_by_role("region", name="Notes and highlights")


def quotes(page: Page) -> list[str]:
    return notes(page).locator("[data-quote]").all_inner_texts()


def saved(page: Page) -> None:
    """Nothing is on its way; the room may hold nothing again."""
    expect(page.locator("[data-save-state]")).to_have_text(re.compile("^(Saved|No scores yet)"))


# -- making marks ------------------------------------------------------------------------------------------------


def test_words_are_selected_with_the_mouse_and_highlighted(enter: Enter, item: JudgingItem) -> None:
    page = enter()
    prose = page.locator("#answer-A .prose")
    markup = prose.inner_html()
    place = box(prose.locator("p").first)
    page.mouse.move(place["x"] + 40, place["y"] + 10)
    page.mouse.down()
    page.mouse.move(place["x"] + 200, place["y"] + 40, steps=5)
    expect(tools(page)).to_be_hidden()  # not while the mouse is still selecting
    page.mouse.up()
    words = selected(page).strip()
    tool(page, "Highlight").click()
    expect(tools(page)).to_be_hidden()
    saved(page)
    assert [passage(mark) for mark in Mark.objects.all()] == [words]
    assert painted(page) == [words]
    assert prose.inner_html() == markup


def test_a_highlight_takes_a_dimension_and_a_note_and_all_of_it_is_there_again(
    enter: Enter, item: JudgingItem
) -> None:
    page = enter()
    words = text_of(item).split(". ")[1]
    select(page, words)
    tools(page).get_by_role("combobox", name="Dimension").select_option("Evidence")
    tool(page, "Note").click()
    note_field(page).fill("Which study says so? 👩‍🔬")
    tool(page, "Done").click()
    saved(page)
    kept = Mark.objects.get()
    assert (passage(kept), kept.note) == (words, "Which study says so? 👩‍🔬")
    page.reload()
    row = notes(page).get_by_role("listitem")
    expect(row).to_contain_text("Which study says so?")
    expect(row).to_contain_text("Evidence")
    assert painted(page, "mark-noted") == [words]


def test_marks_stand_in_the_order_of_the_text_and_may_overlap(enter: Enter, item: JudgingItem) -> None:
    page = enter()
    first, second, third = text_of(item).split("\n\n")[0].split(". ")[:3]
    for words in (third, f"{first}. {second}", second):
        select(page, words)
        tool(page, "Highlight").click()
        expect(tools(page)).to_be_hidden()
    page.keyboard.press("n")
    note_field(page).fill("Sound all in all.")
    page.keyboard.press("Escape")
    heads = [quote.removesuffix(" …") for quote in quotes(page)]
    assert heads[0] == "Answer A as a whole"
    for words, head in zip((f"{first}. {second}", second, third), heads[1:], strict=True):
        assert words.startswith(head)


def test_marks_are_made_with_the_keyboard_alone(enter: Enter, item: JudgingItem) -> None:
    page = enter()
    sentences = re.findall(r"[^.]+\.", text_of(item).split("\n\n")[0])
    page.keyboard.press(".")
    assert selected(page) == sentences[0]
    announced(page, sentences[0])
    expect(tools(page)).to_be_visible()
    page.keyboard.press("Tab")
    expect(tool(page, "Highlight")).to_be_focused()
    page.keyboard.press("Enter")
    expect(tools(page)).to_be_hidden()
    for key, number in ((".", 1), (".", 2), (",", 1)):
        page.keyboard.press(key)
        assert selected(page) == sentences[number].strip()
    page.keyboard.press("Shift+ArrowRight")  # a space, which is trimmed
    page.keyboard.press("m")
    announced(page, "Highlighted")
    page.keyboard.press(".")
    page.keyboard.press("n")
    page.keyboard.type("abc: letters are text here, not keys")
    page.keyboard.press("Escape")
    expect(text(page, "A")).to_be_focused()
    saved(page)
    kept = [(passage(mark), mark.note) for mark in Mark.objects.order_by("start")]
    first, second, third = (sentence.strip() for sentence in sentences[:3])
    assert kept == [(first, ""), (second, ""), (third, "abc: letters are text here, not keys")]


def test_a_note_on_the_whole_answer_begins_with_n_and_goes_when_it_is_emptied(
    enter: Enter, item: JudgingItem
) -> None:
    page = enter()
    page.keyboard.press("b")
    page.keyboard.press("n")
    page.keyboard.type("Reads well.")
    page.keyboard.press("Escape")
    saved(page)
    kept = Mark.objects.get()
    assert (kept.slot_id, kept.start, kept.note) == (slots_of(item)["B"], None, "Reads well.")
    page.keyboard.press("n")
    expect(note_field(page)).to_have_value("Reads well.")
    note_field(page).fill("  ")
    page.keyboard.press("Escape")
    expect(notes(page)).to_contain_text("None yet")
    saved(page)
    assert not Mark.objects.exists()


# -- what is not in the way --------------------------------------------------------------------------------------


def test_the_tools_appear_for_words_of_one_answer_only_and_go_when_reading_goes_on(
    enter: Enter, item: JudgingItem
) -> None:
    page = enter()
    page.evaluate(
        """() => {
          const beginning = (label) => document.querySelector(`#answer-${label} .prose p`).firstChild;
          getSelection().setBaseAndExtent(beginning("A"), 3, beginning("B"), 5);
        }"""
    )
    page.wait_for_timeout(300)
    expect(tools(page)).to_be_hidden()
    words = text_of(item).split(". ")[0]
    select(page, words)
    expect(tools(page)).to_be_visible()
    page.keyboard.press("Escape")
    expect(tools(page)).to_be_hidden()
    assert selected(page) == words
    select(page, text_of(item).split(". ")[1])
    expect(tools(page)).to_be_visible()
    last = page.locator("#answer-A .prose p").last
    last.click()
    expect(tools(page)).to_be_hidden()
    assert painted(page) == []
    # Three clicks select a paragraph, and their selection ends in the next answer.
    last.click(click_count=3)
    tool(page, "Highlight").click()
    assert painted(page) == [text_of(item).split("\n\n")[-1]]


# -- changing and removing ---------------------------------------------------------------------------------------


def test_a_mark_is_opened_from_its_highlight_and_changed(enter: Enter, item: JudgingItem) -> None:
    page = enter()
    words = text_of(item).split(". ")[0]
    select(page, words)
    tool(page, "Highlight").click()
    place = place_of_highlight(page)
    page.mouse.click(place["x"] + 20, place["y"] + 8)
    expect(tool(page, "Highlight")).to_be_hidden()
    tool(page, "Note").click()
    note_field(page).fill("A bold start.")
    saved(page)
    assert [mark.note for mark in Mark.objects.all()] == ["A bold start."]
    assert painted(page, "mark-current") == [words]


def test_a_removed_mark_can_be_taken_back_for_a_while(enter: Enter, item: JudgingItem) -> None:
    page = enter()
    words = text_of(item).split(". ")[0]
    select(page, words)
    tool(page, "Highlight").click()
    saved(page)
    notes(page).get_by_role("button", name="Remove").click()
    assert painted(page) == []
    undo = page.get_by_role("button", name="Undo", exact=True)
    expect(undo).to_be_focused()
    page.keyboard.press("Enter")
    assert painted(page) == [words]
    expect(undo).to_be_hidden()
    expect(text(page, "A")).to_be_focused()
    saved(page)
    assert [passage(mark) for mark in Mark.objects.all()] == [words]


def test_the_offer_to_undo_goes_by_itself_unless_somebody_is_at_it(enter: Enter, item: JudgingItem) -> None:
    page = enter()
    page.clock.install()
    select(page, text_of(item).split(". ")[0])
    page.clock.run_for(200)
    tool(page, "Highlight").click()
    notes(page).get_by_role("button", name="Remove").click()
    undo = page.get_by_role("button", name="Undo", exact=True)
    page.clock.run_for(30_000)
    expect(undo).to_be_visible()
    text(page, "A").focus()
    page.clock.run_for(1_100)
    expect(undo).to_be_hidden()
    page.clock.run_for(1_000)
    saved(page)
    assert not Mark.objects.exists()


def test_a_mark_in_the_list_leads_to_its_passage(enter: Enter, item: JudgingItem) -> None:
    page = enter((1440, 700))
    page.emulate_media(reduced_motion="reduce")
    last = text_of(item).split("\n\n")[-1].split(". ")[-1]
    select(page, last)
    page.keyboard.press("m")
    panel = notes(page)
    region = text(page, "A")
    region.evaluate("(text) => (text.scrollTop = 0)")
    panel.locator("[data-quote]").click()
    expect(region).to_be_focused()
    assert painted(page, "mark-current") == [last]
    seen = box(region)
    assert seen["y"] <= place_of_highlight(page)["y"] < seen["y"] + seen["height"]


def test_a_mark_made_or_removed_in_one_tab_is_so_in_the_other(enter: Enter, item: JudgingItem) -> None:
    page = enter()
    other = page.context.new_page()
    other.goto(reverse("judging_item", args=[item.pk]))
    ready(other)
    words = text_of(item).split(". ")[0]
    select(page, words)
    tool(page, "Highlight").click()
    expect(notes(other).get_by_role("listitem")).to_have_count(1)
    assert painted(other) == [words]
    notes(page).get_by_role("button", name="Remove").click()
    expect(notes(other).get_by_role("listitem")).to_have_count(0)
    assert painted(other) == []


# -- limits ------------------------------------------------------------------------------------------------------


def test_when_an_item_is_full_of_marks_the_judge_is_told_and_nothing_breaks(
    enter: Enter, item: JudgingItem
) -> None:
    slot = slots_of(item)["A"]
    now = timezone.now()
    Mark.objects.bulk_create(Mark(slot_id=slot, start=n, end=n + 1, made_at=now) for n in range(500))
    page = enter()
    select(page, text_of(item).split(". ")[-2])
    tool(page, "Highlight").click()
    expect(tools(page).get_by_role("status")).to_contain_text("An item holds 500 notes and highlights")
    assert len(painted(page)) == 500


def test_a_browser_that_cannot_paint_highlights_still_has_the_list(
    enter: Enter, page: Page, item: JudgingItem
) -> None:
    page.add_init_script("delete CSS.highlights")
    page = enter()
    assert page.evaluate("() => !('highlights' in CSS)")
    words = text_of(item).split(". ")[0]
    select(page, words)
    tool(page, "Highlight").click()
    saved(page)
    assert len(quotes(page)) == 1


# -- everybody ---------------------------------------------------------------------------------------------------


def test_notes_and_their_tools_are_in_view_and_accessible(enter: Enter, item: JudgingItem) -> None:
    page = enter()
    page.emulate_media(color_scheme="dark")
    page.keyboard.press("n")
    page.keyboard.type("All in all sound.")
    page.keyboard.press("Escape")
    saved(page)
    for number, size in enumerate(reversed(SIZES), start=1):
        enter(size)
        select(page, text_of(item).split(". ")[number])
        tool(page, "Note").click()
        note_field(page).fill("Which study?")
        expect(notes(page).get_by_role("listitem")).to_have_count(1 + number)
        place = box(tools(page))
        assert 0 <= place["x"] <= size[0] - place["width"]
        assert 0 <= place["y"] <= size[1] - place["height"]
        assert fits(page)
        saved(page)
    check_accessible(page)
