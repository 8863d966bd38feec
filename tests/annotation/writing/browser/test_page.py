"""The writing room as a page: handing in, by keyboard, without scripts, readable for everybody."""

from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import reverse
from playwright.sync_api import Browser, Page, Route, expect

from annotation.study.models.responses import Response
from annotation.study.models.studies import Study
from annotation.writing.models import WritingAssignment
from annotation.writing.services import drafts, writing
from benchmarks.support.room_figures import reach_by_tab
from tests.annotation.writing.browser.actions import (
    SAVED,
    come_back,
    editor,
    hand_in,
    held,
    open_room,
    status,
    write,
    write_and_save,
)
from tests.browsing import SignIn, box, without_scripts
from tests.factories import an_essay

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

ARABIC = "بأي معنى تكون المدينة عادلة؟"
# Between a paragraph's words and its edges, left and right, in px.
GAPS = """(paragraph) => {
    const words = document.createRange();
    words.selectNodeContents(paragraph);
    const [inner, outer] = [words.getBoundingClientRect(), paragraph.getBoundingClientRect()];
    return [inner.left - outer.left, outer.right - inner.right];
}"""
WRITING_AIDS = ("spellcheck", "writingsuggestions", "data-gramm", "data-lt-active", "data-ms-editor")


# -- from the start page to the receipt ----------------------------------------------------------------------


def test_an_answer_can_be_written_and_handed_in_with_the_keyboard_alone(
    page: Page, sign_in: SignIn, waiting: WritingAssignment
) -> None:
    sign_in(page, waiting.participation.user)
    page.goto(reverse("writing_start", args=[waiting.pk]))
    tab_to(page, "attested")
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{reverse('writing_room', args=[waiting.pk])}")
    expect(editor(page)).to_be_focused()
    expect(editor(page)).to_be_editable()
    page.keyboard.type("All by hand.")
    tab_to(page, "open-submit")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_contain_text("3 words")
    tab_to(page, "confirmed")
    page.keyboard.press("Space")
    expect(page.locator("#hand-in")).to_be_disabled()
    tab_to(page, "short-meant")
    page.keyboard.press("Space")
    assert box(page.locator("#short-meant"))["y"] - box(page.locator("#confirmed"))["y"] >= 24
    tab_to(page, "hand-in")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Your answer has been handed in")).to_be_visible()
    waiting.refresh_from_db()
    assert (Response.objects.get().text, waiting.submitted_by_clock) == ("All by hand.", False)
    assert waiting.confirmed_at is not None
    page.get_by_role("link", name="To prompt 2 of 2").press("Enter")
    expect(page.get_by_role("button", name="Start the clock")).to_be_visible()


def tab_to(page: Page, element_id: str) -> None:
    for _ in range(30):
        if page.evaluate("() => document.activeElement.id") == element_id:
            return
        page.keyboard.press("Tab")
    pytest.fail(f"#{element_id} cannot be reached with the Tab key")


def test_handing_in_saves_the_last_words_first(room: Page) -> None:
    write(room, "Handed in at once.")
    hand_in(room)
    expect(room.get_by_role("heading", name="Your answer has been handed in")).to_be_visible()
    assert Response.objects.get().text == "Handed in at once."


def test_without_scripts_the_room_is_a_form(
    browser: Browser, base_url: str, sign_in: SignIn, waiting: WritingAssignment
) -> None:
    context = browser.new_context(java_script_enabled=False, base_url=base_url)
    page = context.new_page()
    sign_in(page, waiting.participation.user)
    page.goto(reverse("writing_start", args=[waiting.pk]))
    page.get_by_label("I will write without AI tools.").check()
    page.get_by_role("button", name="Start the clock").click()
    page.get_by_label("Your answer", exact=True).fill("First part.")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Your text is saved: 2 words.")).to_be_visible()
    expect(page.locator(".desk-plain")).to_contain_text("The text is saved only when you press Save.")
    expect(page.get_by_label("Your answer", exact=True)).to_have_value("First part.")
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.get_by_label("Your answer", exact=True).scroll_into_view_if_needed()
        text, below = box(page.get_by_label("Your answer", exact=True)), box(page.locator(".desk-footer"))
        assert min(below["y"], height) - text["y"] >= 60, (width, height)
        boxes = [box(each)["y"] for each in page.get_by_role("checkbox").all()]
        assert boxes[1] - boxes[0] >= 24
        page.get_by_role("button", name="Save").scroll_into_view_if_needed()
    page.get_by_label("Your answer", exact=True).fill("First part. Second part.")
    for box_to_tick in page.get_by_role("checkbox").all():
        box_to_tick.check()
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_role("heading", name="Your answer has been handed in")).to_be_visible()
    expect(page.get_by_text("First part. Second part.")).to_be_visible()
    context.close()


# -- the editor ----------------------------------------------------------------------------------------------


def test_the_room_opens_with_the_caret_after_the_text(room: Page) -> None:
    write_and_save(room, "One")
    room.reload()
    expect(editor(room)).to_be_editable()
    expect(editor(room)).to_be_focused()
    room.keyboard.type(" two")
    expect(editor(room)).to_have_value("One two")


def test_undo_and_redo_work_across_saves(room: Page) -> None:
    write_and_save(room, "Kept.")
    write_and_save(room, " Regretted.")
    room.get_by_role("button", name="Undo").click()
    expect(editor(room)).not_to_have_value("Kept. Regretted.")
    expect(editor(room)).to_be_focused()
    come_back(room)
    expect(status(room)).to_have_text(SAVED)
    room.get_by_role("button", name="Redo").click()
    expect(editor(room)).to_have_value("Kept. Regretted.")


def test_the_usual_key_for_saving_saves_at_once(room: Page) -> None:
    write(room, "Saved by a key.")
    room.keyboard.press("Control+s")
    expect(status(room)).to_have_text(SAVED, timeout=1500)  # sooner than by itself
    expect(room.locator("#announcer")).to_have_text(SAVED)


@pytest.mark.parametrize(
    ("key", "code", "is_taken"),
    [("s", "KeyS", True), ("S", "KeyS", True), ("ы", "KeyS", True), ("s", "KeyD", True), ("r", "KeyS", False)],
)
def test_the_key_for_saving_is_the_one_that_writes_an_s_or_is_at_its_place_in_another_script(
    room: Page, key: str, code: str, is_taken: bool
) -> None:
    """With Colemak, where an S is elsewhere, Ctrl+R at its place goes on loading the page anew."""
    expect(status(room)).not_to_have_text("Opening…")
    pressed = {"key": key, "code": code, "ctrlKey": True, "bubbles": True, "cancelable": True}
    event = "(options) => document.body.dispatchEvent(new KeyboardEvent('keydown', options))"
    assert room.evaluate(event, pressed) is not is_taken


def test_each_paragraph_begins_where_its_script_does(
    page: Page, sign_in: SignIn, waiting: WritingAssignment
) -> None:
    writer = waiting.participation.user
    sign_in(page, writer)
    assignment = writing.start(assignment=waiting, attested=True, by=writer)
    drafts.keep(assignment=assignment, text=f"{ARABIC}\n\nIn English.", by=writer)
    writing.submit(assignment=assignment, confirmed=True, by=writer)
    page.goto(reverse("writing_receipt", args=[assignment.pk]))
    gaps = [each.evaluate(GAPS) for each in page.locator(".prose", has_text="In English.").locator("p").all()]
    (arabic_left, arabic_right), (english_left, english_right) = gaps
    assert arabic_right < 1 < arabic_left
    assert english_left < 1 < english_right


def test_writing_aids_are_told_to_stay_away_unless_the_study_allows_them(
    room: Page, assignment: WritingAssignment
) -> None:
    for attribute in WRITING_AIDS:
        expect(editor(room)).to_have_attribute(attribute, "false")
    Study.objects.filter(pk=assignment.study_id).update(writing_aids=True)
    room.reload()
    for attribute in WRITING_AIDS:
        assert editor(room).get_attribute(attribute) is None


def test_the_text_size_is_remembered(room: Page) -> None:
    size = "() => getComputedStyle(document.getElementById('answer')).fontSize"
    before = room.evaluate(size)
    room.get_by_role("button", name="Larger text").click()
    larger = room.evaluate(size)
    assert float(larger.removesuffix("px")) > float(before.removesuffix("px"))
    room.reload()
    expect(room.get_by_role("button", name="Larger text")).to_be_disabled()
    assert room.evaluate(size) == larger


def test_no_key_is_swallowed_while_the_room_opens(
    page: Page, sign_in: SignIn, assignment: WritingAssignment
) -> None:
    sign_in(page, assignment.participation.user)
    held_up: list[Route] = []

    def hold_up(route: Route) -> None:
        held_up.append(route)

    page.route("**/pen/", hold_up, times=1)
    page.goto(reverse("writing_room", args=[assignment.pk]))
    expect(status(page)).to_have_text("Opening…")
    write(page, "Typed at oncce")
    for _ in range(2):
        page.keyboard.press("Backspace")
    write(page, "e.")
    held_up[0].continue_()
    expect(status(page)).to_have_text(SAVED)
    expect(editor(page)).to_have_value("Typed at once.")
    assert held(assignment) == "Typed at once."


def test_no_key_is_lost_where_every_answer_takes_400_milliseconds(
    page: Page, sign_in: SignIn, assignment: WritingAssignment
) -> None:
    sign_in(page, assignment.participation.user)
    slow = {"offline": False, "latency": 400, "downloadThroughput": -1, "uploadThroughput": -1}
    page.context.new_cdp_session(page).send("Network.emulateNetworkConditions", slow)
    page.goto(reverse("writing_room", args=[assignment.pk]), wait_until="commit")
    editor(page).press_sequentially("Typed from the first moment on, with no pause at all.", delay=15)
    expect(status(page)).to_have_text(SAVED)
    expect(editor(page)).to_have_value("Typed from the first moment on, with no pause at all.")
    assert held(assignment) == "Typed from the first moment on, with no pause at all."


SIZES = ((1440, 900), (853, 533), (820, 1180), (640, 400), (390, 844), (320, 256))


def test_the_question_stays_in_view_while_one_writes_at_every_size(room: Page) -> None:
    editor(room).fill("A line.\n" * 200)
    for width, height in SIZES:
        room.set_viewport_size({"width": width, "height": height})
        editor(room).press("End")
        write(room, "!")
        question = room.get_by_role("region", name="Question")
        for part in (question.get_by_role("paragraph").first, editor(room), room.locator("#open-submit")):
            expect(part).to_be_in_viewport()
        assert box(editor(room))["height"] >= 64
        assert room.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    clock = box(room.locator(".room-clock summary"))
    assert min(clock["width"], clock["height"]) >= 24
    assert reach_by_tab(room).unreached == []


def test_nothing_of_the_room_scrolls_sideways_and_its_clock_stays_named_at_any_size(room: Page) -> None:
    overflows = "() => [...document.querySelectorAll('*')].filter((e) => getComputedStyle(e).overflowX !== 'hidden'"
    overflows += " && e.clientWidth > 1 && e.scrollWidth > e.clientWidth + 1).map((e) => e.className || e.tagName)"
    for width, height in (*SIZES, (1280, 400), (844, 390), (720, 450), (600, 320), (390, 700), (320, 568)):
        room.set_viewport_size({"width": width, "height": height})
        assert room.evaluate(overflows) == [], (width, height)
        expect(room.get_by_role("timer", name="Time left")).to_be_in_viewport()
        expect(room.get_by_role("button", name="Undo")).to_be_in_viewport()


def test_everything_begins_at_one_edge_where_the_question_is_above_the_text(room: Page) -> None:
    room.set_viewport_size({"width": 820, "height": 1180})
    begins = "(part) => part.getBoundingClientRect().left + parseFloat(getComputedStyle(part).paddingLeft)"
    parts = (
        ".room-place a",
        ".room-tools button",
        ".desk-prompt h2",
        ".desk-prompt .prose",
        "#answer",
        "#word-count",
    )
    assert len({round(room.locator(part).first.evaluate(begins)) for part in parts}) == 1


# -- for everybody -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("width", "scheme"), [(320, "dark"), (768, "light"), (1440, "dark")])
def test_pages_are_accessible_and_fit_the_screen(
    page: Page, sign_in: SignIn, waiting: WritingAssignment, width: int, scheme: Literal["dark", "light"]
) -> None:
    writer = waiting.participation.user
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 800})
    sign_in(page, writer)
    page.goto(reverse("writing_start", args=[waiting.pk]))
    check_page(page, width)
    assignment = writing.start(assignment=waiting, attested=True, by=writer)
    drafts.keep(assignment=assignment, text=an_essay(), by=writer)
    if width == 320:
        with without_scripts(page):
            page.goto(reverse("writing_room", args=[assignment.pk]))
            expect(page.get_by_role("button", name="Save", exact=True)).to_be_visible()
            check_page(page, width)
    open_room(page, assignment)
    check_page(page, width)
    page.evaluate(
        "document.querySelectorAll('[data-notice], [data-notice] [hidden]').forEach((e) => e.hidden = false)"
    )
    check_page(page, width)
    page.get_by_role("button", name="Submit…").click()
    check_page(page, width)
    writing.submit(assignment=assignment, confirmed=True, by=writer)
    page.goto(reverse("writing_receipt", args=[assignment.pk]))
    check_page(page, width)


def check_page(page: Page, width: int) -> None:
    violations = Axe().run(page).response["violations"]
    assert not violations, [(found["id"], [node["html"] for node in found["nodes"]]) for found in violations]
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width
