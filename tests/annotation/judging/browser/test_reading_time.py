"""How long an answer was in view, and how far down: with a clock that only moves when a test moves it.

Two answers stand side by side on a page of their own, each in a pane of 300 pixels that scrolls by itself. The
first is 1,200 pixels long, the second 200.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from annotation.judging.models.traces import Dwell
from tests.annotation.judging.browser.room import an_item, enter_room, rail
from tests.browsing import SignIn
from tests.factories import opened
from tests.judging import opened_an_hour_ago
from tests.waiting import eventually

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PANE = """<section class="answer-text" data-slot="{slot}">
<div class="prose" style="height: {height}px">Text</div></section>"""
PAGE = f"""<!doctype html><title>Two answers</title>
<style>
  body {{ margin: 0; display: flex; align-items: start }}
  section {{ inline-size: 20rem; block-size: 300px; overflow-y: auto }}
  footer {{ position: fixed; inset: auto 0 0; block-size: 0; background: Canvas }}
</style>
{PANE.format(slot="one", height=1200)}{PANE.format(slot="two", height=200)}
<footer></footer><dialog>Help</dialog>"""

Open = Callable[..., Page]


@pytest.fixture
def open_room(page: Page, base_url: str) -> Iterator[Open]:
    """`open_room(shown, depths)`: the page, with these answers open, in front, and its clock standing still."""
    address = f"{base_url}/two-answers/"

    def open_room(*shown: str, **depths: int) -> Page:
        page.clock.install(time=0)
        page.route(address, lambda route: route.fulfill(body=PAGE, content_type="text/html"))
        page.goto(address)
        page.clock.pause_at(60_000)
        page.evaluate(
            """async ([shown, depths]) => {
              const { ReadingTime } = await import("/static/judging/reading-time.js");
              const texts = [...document.querySelectorAll("section")];
              const answers = texts.map((text) => ({ slot: text.dataset.slot, text }));
              Object.assign(window, { shown, told: [], read: [] });
              window.reading = new ReadingTime(answers, {
                put: (field, value) => told.push([field, value.milliseconds, value.depth]),
                shown: () => answers.filter(({ slot }) => window.shown.includes(slot)),
                depths,
                onRead: ({ slot }) => read.push(slot),
              });
              window.hasRead = (slot) => reading.hasRead(answers.find((answer) => answer.slot === slot));
            }""",
            [list(shown), depths],
        )
        return page

    yield open_room
    page.unroute(address)


def pass_time(page: Page, seconds: float, *, there: bool = True) -> None:
    """Let time pass, with the judge there: a key goes down every half minute."""
    while seconds > 0:
        if there:
            page.keyboard.press("Shift")
        page.clock.run_for(int(min(seconds, 30) * 1000))
        seconds -= 30


def told(page: Page) -> list[list[Any]]:
    """What has been told since the last time."""
    found: list[list[Any]] = page.evaluate("() => told.splice(0)")
    return found


def totals(page: Page) -> dict[str, tuple[int, int]]:
    """What has been told last of each answer once the page is hidden: milliseconds and percent."""
    hide(page, True)
    return {field: (milliseconds, depth) for field, milliseconds, depth in page.evaluate("() => told")}


def hide(page: Page, hidden: bool) -> None:
    page.evaluate(
        """(hidden) => {
          Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
          document.dispatchEvent(new Event("visibilitychange"));
        }""",
        hidden,
    )


def bring_to_front(page: Page, is_in_front: bool) -> None:
    """Playwright's pages are always in front: another window is played."""
    page.evaluate(
        """(inFront) => {
          document.hasFocus = () => inFront;
          dispatchEvent(new Event(inFront ? "focus" : "blur"));
        }""",
        is_in_front,
    )


def scroll(page: Page, slot: str, pixels: int) -> None:
    page.locator(f"[data-slot={slot}]").evaluate("(text, pixels) => (text.scrollTop = pixels)", pixels)


def show(page: Page, *slots: str) -> None:
    page.keyboard.press("a")  # as a judge does it
    page.evaluate("(slots) => (window.shown = slots)", list(slots))


# -- what is told ------------------------------------------------------------------------------------------------


def test_totals_are_told_every_fifteen_seconds_while_they_grow_and_when_the_page_is_hidden(open_room: Open) -> None:
    room = open_room("one")
    pass_time(room, 14.5)
    assert told(room) == []
    pass_time(room, 0.5)
    assert told(room) == [["reading:one", 15_000, 25]]  # 300 of 1,200 pixels were in view
    pass_time(room, 15)
    assert told(room) == [["reading:one", 30_000, 25]]
    pass_time(room, 2.5)
    hide(room, True)
    assert told(room) == [["reading:one", 32_500, 25]]
    pass_time(room, 60)
    hide(room, True)
    assert told(room) == []


def test_totals_are_told_before_the_item_is_submitted(open_room: Open) -> None:
    room = open_room("one")
    pass_time(room, 3)
    room.evaluate("() => document.body.dispatchEvent(new Event('submit', { bubbles: true }))")
    assert told(room) == [["reading:one", 3_000, 25]]


def test_nothing_is_told_of_an_answer_that_was_not_in_view(open_room: Open) -> None:
    room = open_room("two")
    pass_time(room, 3)
    assert list(totals(room)) == ["reading:two"]


# -- time --------------------------------------------------------------------------------------------------------


def test_two_answers_that_are_compared_share_the_time(open_room: Open) -> None:
    room = open_room("one")
    pass_time(room, 4)
    show(room, "one", "two")
    pass_time(room, 6)
    found = totals(room)
    assert (found["reading:one"][0], found["reading:two"][0]) == (4_000 + 6_000 / 2, 6_000 / 2)


def test_a_turn_of_the_page_between_two_looks_counts_for_the_right_answer(open_room: Open) -> None:
    room = open_room("one")
    room.clock.run_for(1_400)
    show(room, "two")
    room.clock.run_for(2_300)
    found = totals(room)
    assert (found["reading:one"][0], found["reading:two"][0]) == (1_400, 2_300)


def test_time_stops_a_minute_after_the_last_sign_of_somebody_and_goes_on_with_the_next(open_room: Open) -> None:
    room = open_room("one")
    pass_time(room, 10, there=False)
    room.mouse.move(50, 50)
    for _ in range(10):
        pass_time(room, 30, there=False)
    room.mouse.wheel(0, 10)
    room.wait_for_function("() => document.querySelector('section').scrollTop > 0", polling=50)
    pass_time(room, 5, there=False)
    assert totals(room)["reading:one"][0] == 10_000 + 60_000 + 5_000


def test_a_computer_that_sleeps_does_not_read(open_room: Open) -> None:
    room = open_room("one")
    pass_time(room, 5)
    room.clock.fast_forward("08:00:00")  # timers rest meanwhile
    room.keyboard.press("Shift")
    pass_time(room, 2)
    # At most the minute after the last sign, which came at 0 s, counts of the night.
    assert totals(room)["reading:one"][0] == 60_000 + 2_000


@pytest.mark.parametrize(
    ("leave", "come_back"),
    [
        (lambda room: hide(room, True), lambda room: hide(room, False)),
        (lambda room: bring_to_front(room, False), lambda room: bring_to_front(room, True)),
        (
            lambda room: room.evaluate("() => document.querySelector('dialog').showModal()"),
            lambda room: room.evaluate("() => document.querySelector('dialog').close()"),
        ),
    ],
    ids=["hidden", "another window", "dialog"],
)
def test_time_does_not_count_while_the_texts_are_not_in_front(
    open_room: Open, leave: Callable[[Page], None], come_back: Callable[[Page], None]
) -> None:
    room = open_room("one")
    pass_time(room, 3)
    leave(room)
    pass_time(room, 40)
    come_back(room)
    pass_time(room, 4)
    assert totals(room)["reading:one"][0] == 3_000 + 4_000


@pytest.mark.parametrize(("seen", "counts"), [(151, True), (149, False)])
def test_time_counts_where_half_of_the_panel_is_seen(open_room: Open, seen: int, counts: bool) -> None:
    room = open_room("one")
    room.set_viewport_size({"width": 800, "height": 900})
    room.evaluate("(seen) => (document.body.style.marginTop = `${innerHeight - seen}px`)", seen)
    pass_time(room, 3)
    assert ("reading:one" in totals(room)) is counts


def test_a_panel_longer_than_the_window_counts_where_it_fills_half_of_it(open_room: Open) -> None:
    room = open_room("one")
    room.set_viewport_size({"width": 800, "height": 600})
    room.add_style_tag(content="section { block-size: auto; overflow: visible }")
    room.evaluate("() => (document.body.style.marginTop = '310px')")
    pass_time(room, 3)
    assert totals(room) == {}  # 290 of 600 pixels
    hide(room, False)
    room.evaluate("() => scrollTo(0, 20)")
    pass_time(room, 3)
    assert totals(room)["reading:one"] == (3_000, 25)  # 310 pixels of 1,200


# -- how far down ------------------------------------------------------------------------------------------------


def test_an_answer_is_read_when_its_end_was_seen(open_room: Open) -> None:
    room = open_room("one")
    scroll(room, "one", 300)
    pass_time(room, 3)
    scroll(room, "one", 0)
    pass_time(room, 3)
    assert totals(room)["reading:one"][1] == 50  # 300 above and 300 in view, of 1,200
    hide(room, False)
    assert room.evaluate("() => [read, hasRead('one')]") == [[], False]
    scroll(room, "one", 900)
    pass_time(room, 3)
    assert room.evaluate("() => [read, hasRead('one')]") == [["one"], True]
    assert totals(room)["reading:one"][1] == 100


def test_a_text_that_fits_is_read_after_two_seconds_not_at_a_glance(open_room: Open) -> None:
    room = open_room("two")
    for slots in (("one",), ("two",), ("one",)):
        room.clock.run_for(1_500)
        show(room, *slots)
    assert not room.evaluate("() => hasRead('two')")
    show(room, "two")
    room.clock.run_for(2_000)
    assert room.evaluate("() => [read, hasRead('two')]") == [["two"], True]


def test_the_end_is_not_seen_while_something_covers_it(open_room: Open) -> None:
    room = open_room("two")
    room.set_viewport_size({"width": 800, "height": 300})
    room.add_style_tag(content="footer { block-size: 140px }")  # leaves 160 of the text's 200 pixels
    pass_time(room, 3)
    assert totals(room)["reading:two"][1] == 80


def test_what_was_seen_before_is_known_but_told_by_its_own_window(open_room: Open) -> None:
    room = open_room("one", one=100, two=40)
    assert room.evaluate("() => ['one', 'two'].map(hasRead)") == [True, False]
    pass_time(room, 3)
    assert room.evaluate("() => read") == []
    assert totals(room)["reading:one"][1] == 25


# -- in the judging room -----------------------------------------------------------------------------------------


def test_the_room_saves_the_reading_of_each_window_and_the_rail_says_what_is_read(
    page: Page, sign_in: SignIn
) -> None:
    # The page's clock runs ahead of the server's, which takes no more than the time since the item was opened.
    item = opened_an_hour_ago(opened(an_item(1, 1)))
    page.clock.install()
    for _ in range(2):
        enter_room(page, sign_in, item)
        page.keyboard.press("r")
        page.locator("#answer-A .answer-text").evaluate("(text) => (text.scrollTop = text.scrollHeight)")
        with page.expect_response("**/save/"):
            page.clock.run_for(17_000)
        expect(rail(page, "A")).to_have_text(re.compile(r"\bread$"))
        expect(rail(page, "B")).to_have_text(re.compile("unread$"))
        expect(page.locator("[data-save-state]")).to_have_text("No scores yet")
        page.goto(reverse("study", args=[item.study.slug]))
    # Leaving a page saves as well, and its answer may have been taken for that of the next page's save.
    eventually(lambda: Dwell.objects.filter(slot__item=item, milliseconds__gte=15_000).count() == 2)
    dwells = list(Dwell.objects.filter(slot__item=item))
    assert [dwell.slot.label for dwell in dwells] == ["A", "A"]
    assert {dwell.depth for dwell in dwells} == {100}
    assert len({dwell.window for dwell in dwells}) == 2
    assert all(15_000 <= dwell.milliseconds <= 60_000 for dwell in dwells)
