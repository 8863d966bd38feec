"""What is noted about writing: sizes and times, never content. With the real clipboard, keyboard, IME and mouse.

The record stands on a page of its own, with a clock that only moves when a test moves it.
"""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import CDPSession, Page, expect

from tests.browsing import box

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

QUESTION = "When is it fair that two towns share one rule? Weigh the reasons."
PAGE = f"""<!doctype html><title>A room</title>
<p id="question">{QUESTION}</p>
<textarea id="answer" rows="6" cols="60" aria-label="Your answer"></textarea>"""
FROM_OUTSIDE = "Words that somebody else has written."

Open = Callable[..., Page]
Noted = list[Any]  # a kind, when it began, and its sizes


@pytest.fixture
def open_room(page: Page, base_url: str) -> Iterator[Open]:
    """`open_room(policy)`: the page, with the caret in an empty editor, at 0 ms after the start."""
    address = f"{base_url}/a-room/"

    def open_room(policy: str = "allow", *, text: str = "") -> Page:
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        page.route(address, lambda route: route.fulfill(body=PAGE, content_type="text/html"))
        page.goto(address)
        page.evaluate(
            """async ([policy, text]) => {
              const { ActivityRecord } = await import("/static/writing/activity.js");
              const editor = document.getElementById("answer");
              Object.assign(window, { time: 0, blocked: [] });
              window.activity = new ActivityRecord(editor, {
                sinceStart: () => window.time,
                policy,
                onBlocked: (size) => window.blocked.push(size),
              });
              editor.value = text; // as the room does once it has the pen
              editor.focus();
            }""",
            [policy, text],
        )
        return page

    yield open_room
    page.unroute(address)


def at(page: Page, milliseconds: int | None) -> None:
    page.evaluate("(time) => (window.time = time)", milliseconds)


def noted(page: Page) -> list[Noted]:
    """What is told now, by the time it began."""
    events: list[Noted] = page.evaluate("() => activity.take()")
    return sorted(events, key=lambda event: event[1])


def type_in(page: Page, text: str) -> None:
    page.locator("#answer").press_sequentially(text)


def answer(page: Page) -> str:
    return page.locator("#answer").input_value()


def copied_elsewhere(page: Page, text: str) -> None:
    """Puts `text` on the clipboard as another program does: the page is not told."""
    page.evaluate("(text) => navigator.clipboard.writeText(text)", text)


# -- typing --------------------------------------------------------------------------------------------------


def test_typing_without_a_gap_of_two_seconds_is_one_burst(open_room: Open) -> None:
    room = open_room()
    for time, letters in ((1_000, "On"), (2_500, "e t"), (4_499, "wo"), (6_499, "!")):  # gaps of 1.5, 1.999 and 2 s
        at(room, time)
        type_in(room, letters)
    at(room, 9_000)
    assert noted(room) == [["burst", 1_000, 3_499, 7, 0], ["burst", 6_499, 0, 1, 0]]
    assert noted(room) == []


def test_a_burst_that_goes_on_is_told_when_it_is_over(open_room: Open) -> None:
    room = open_room()
    type_in(room, "One")
    at(room, 1_999)
    assert noted(room) == []
    type_in(room, " two")
    at(room, 3_998)
    assert noted(room) == []
    at(room, 3_999)
    assert noted(room) == [["burst", 0, 1_999, 7, 0]]


@pytest.mark.parametrize("leave", ["blur()", "readOnly = true"])
def test_a_burst_is_over_when_the_editor_is_left_or_closed(open_room: Open, leave: str) -> None:
    room = open_room()
    type_in(room, "Done")
    room.locator("#answer").evaluate(f"(editor) => editor.{leave}")
    assert noted(room) == [["burst", 0, 0, 4, 0]]


def test_what_is_deleted_replaced_or_undone_counts_as_deleted(open_room: Open) -> None:
    room = open_room()
    type_in(room, "abcdef")
    room.keyboard.press("Backspace")
    room.keyboard.press("Shift+ArrowLeft")
    room.keyboard.press("Shift+ArrowLeft")
    room.keyboard.type("x")  # in place of "de"
    assert answer(room) == "abcx"
    at(room, 2_000)
    assert noted(room) == [["burst", 0, 0, 6 + 1, 1 + 2]]


def test_sizes_are_counted_in_code_points(open_room: Open) -> None:
    room = open_room()
    for text in ("👩‍🔬", "é", "𝔘"):
        room.keyboard.insert_text(text)
    at(room, 2_000)
    assert noted(room) == [["burst", 0, 0, 3 + 1 + 1, 0]]  # the first is a person, a joiner and a microscope


def test_text_that_the_room_puts_into_the_editor_is_not_typed(open_room: Open) -> None:
    room = open_room(text="As it was saved.")
    type_in(room, " More")
    room.evaluate("() => (document.getElementById('answer').value = 'From another window, and much longer.')")
    type_in(room, "!")
    at(room, 2_000)
    assert noted(room) == [["burst", 0, 0, 5 + 1, 0]]


# -- pasting and dropping ------------------------------------------------------------------------------------


def test_what_was_cut_or_copied_here_can_be_pasted_even_where_text_from_outside_is_blocked(open_room: Open) -> None:
    room = open_room("block", text="One two three.")
    room.keyboard.press("ControlOrMeta+A")
    room.keyboard.press("ControlOrMeta+X")
    assert answer(room) == ""
    at(room, 60_000)
    room.keyboard.press("ControlOrMeta+V")
    assert answer(room) == "One two three."
    at(room, 70_000)
    assert noted(room) == [["burst", 0, 0, 0, 14], ["paste_inside", 60_000, 14]]


@pytest.mark.parametrize("text", ["two towns share one rule?", "Weigh  the\r\nreasons.", "I wrote this.", "  \n"])
def test_what_stands_in_the_question_or_the_editor_is_from_inside(open_room: Open, text: str) -> None:
    room = open_room("block", text="I wrote this.")
    copied_elsewhere(room, text)
    room.keyboard.press("ControlOrMeta+V")
    assert noted(room) == [["paste_inside", 0, len(text.replace("\r\n", "\n"))]]


@pytest.mark.parametrize("policy", ["allow", "flag"])
def test_text_from_outside_is_let_in_and_noted_by_its_size(open_room: Open, policy: str) -> None:
    room = open_room(policy, text="Mine.")
    copied_elsewhere(room, f"{FROM_OUTSIDE} 👩‍🔬")
    room.keyboard.press("ControlOrMeta+V")
    assert answer(room) == f"Mine.{FROM_OUTSIDE} 👩‍🔬"
    assert noted(room) == [["paste_outside", 0, len(FROM_OUTSIDE) + 1 + 3]]


def test_blocked_text_from_outside_stays_outside_and_the_room_is_told(open_room: Open) -> None:
    room = open_room("block", text="Mine.")
    copied_elsewhere(room, FROM_OUTSIDE)
    at(room, 5_000)
    room.keyboard.press("ControlOrMeta+V")
    assert answer(room) == "Mine."
    assert noted(room) == [["paste_blocked", 5_000, len(FROM_OUTSIDE)]]
    assert room.evaluate("() => blocked") == [len(FROM_OUTSIDE)]
    type_in(room, " More.")
    assert answer(room) == "Mine. More."


def test_what_a_paste_takes_the_place_of_is_deleted(open_room: Open) -> None:
    room = open_room(text="Old words here.")
    copied_elsewhere(room, "New words here, and more.")
    room.keyboard.press("ControlOrMeta+A")
    room.keyboard.press("ControlOrMeta+V")
    at(room, 2_000)
    assert noted(room) == [["paste_outside", 0, 25], ["burst", 0, 0, 0, 15]]


def test_text_is_moved_within_the_editor_by_drag_even_where_text_from_outside_is_blocked(open_room: Open) -> None:
    room = open_room("block", text="word and then a much longer rest of the line")
    editor = box(room.locator("#answer"))
    room.mouse.dblclick(editor["x"] + 15, editor["y"] + 10)  # selects the first word
    room.mouse.down()
    for x in (40, 120, 300):
        room.mouse.move(editor["x"] + x, editor["y"] + 10)
    room.mouse.up()
    moved = answer(room)
    assert not moved.startswith("word")
    assert "word" in moved
    at(room, 2_000)
    size = sum(event[2] for event in noted(room) if event[0] == "paste_inside")
    assert size >= len("word")
    assert room.evaluate("() => blocked") == []


@pytest.mark.parametrize("policy", ["allow", "flag", "block"])
def test_a_drop_from_outside_is_treated_as_a_paste_is(open_room: Open, policy: str) -> None:
    room = open_room(policy)
    editor = box(room.locator("#answer"))
    devtools = room.context.new_cdp_session(room)
    for step in ("dragEnter", "dragOver", "drop"):
        data = {"items": [{"mimeType": "text/plain", "data": FROM_OUTSIDE}], "dragOperationsMask": 1}
        place = {"x": editor["x"] + 20, "y": editor["y"] + 10}
        devtools.send("Input.dispatchDragEvent", {"type": step, "data": data, **place})
    let_in = policy != "block"
    expect(room.locator("#answer")).to_have_value(FROM_OUTSIDE if let_in else "")
    assert noted(room) == [["paste_outside" if let_in else "paste_blocked", 0, len(FROM_OUTSIDE)]]
    assert room.evaluate("() => blocked") == ([] if let_in else [len(FROM_OUTSIDE)])


# -- other ways of writing -----------------------------------------------------------------------------------


@pytest.fixture
def devtools(page: Page) -> CDPSession:
    return page.context.new_cdp_session(page)


def test_an_input_method_works_and_counts_what_it_puts_down(open_room: Open, devtools: CDPSession) -> None:
    room = open_room("block")
    for composed in ("n", "ni", "nih", "niha", "nihao"):
        devtools.send("Input.imeSetComposition", {"text": composed, "selectionStart": 5, "selectionEnd": 5})
    devtools.send("Input.insertText", {"text": "你好"})
    assert answer(room) == "你好"
    at(room, 2_000)
    assert noted(room) == [["burst", 0, 0, 2, 0]]


def test_a_composition_that_takes_longer_than_two_seconds_is_one_burst(
    open_room: Open, devtools: CDPSession
) -> None:
    room = open_room()
    for time, composed in ((0, "k"), (1_500, "ky"), (3_000, "kyo")):
        at(room, time)
        devtools.send("Input.imeSetComposition", {"text": composed, "selectionStart": 3, "selectionEnd": 3})
    devtools.send("Input.insertText", {"text": "京"})
    at(room, 5_000)
    assert noted(room) == [["burst", 0, 3_000, 1, 0]]


def test_dictation_and_corrections_are_never_held_back(open_room: Open, devtools: CDPSession) -> None:
    """Both come as text that no key was pressed for; a correction replaces what it corrects."""
    room = open_room("block")
    devtools.send("Input.insertText", {"text": "Teh whole sentence, spoken at once."})
    room.evaluate(
        """() => {
          document.getElementById("answer").setSelectionRange(0, 3);
          document.execCommand("insertText", false, "The");
        }"""
    )
    assert answer(room) == "The whole sentence, spoken at once."
    at(room, 2_000)
    assert noted(room) == [["burst", 0, 0, 35 + 2, 2]]  # "eh" gave way to "he"
    assert room.evaluate("() => blocked") == []


def test_typed_and_pasted_without_the_deleted_is_what_stands_there(open_room: Open) -> None:
    room = open_room()
    copied_elsewhere(room, FROM_OUTSIDE)
    type_in(room, "A first line. ")
    room.keyboard.press("ControlOrMeta+V")
    room.keyboard.press("ControlOrMeta+Z")
    room.keyboard.press("ControlOrMeta+V")
    room.keyboard.press("Home")
    room.keyboard.press("Shift+ArrowRight")
    room.keyboard.press("ControlOrMeta+C")
    room.keyboard.press("End")
    room.keyboard.press("ControlOrMeta+V")
    at(room, 2_000)
    events = noted(room)
    typed, deleted = (sum(event[place] for event in events if event[0] == "burst") for place in (3, 4))
    pasted = sum(event[2] for event in events if event[0].startswith("paste"))
    assert len(answer(room)) == typed + pasted - deleted


# -- being away ----------------------------------------------------------------------------------------------


def bring_to_front(page: Page, is_in_front: bool) -> None:
    """Playwright's pages are always in front: another window is played."""
    page.evaluate(
        """(inFront) => {
          document.hasFocus = () => inFront;
          dispatchEvent(new Event(inFront ? "focus" : "blur"));
          return new Promise((done) => setTimeout(done));
        }""",
        is_in_front,
    )


def test_time_with_another_window_in_front_is_noted_once_it_is_over(open_room: Open) -> None:
    room = open_room()
    type_in(room, "Before")
    at(room, 1_000)
    bring_to_front(room, False)
    at(room, 31_000)
    assert noted(room) == [["burst", 0, 0, 6, 0]]
    bring_to_front(room, True)
    assert noted(room) == [["away", 1_000, 30_000]]


def test_a_hidden_page_is_away_until_it_is_shown(open_room: Open) -> None:
    room = open_room()
    hide = """(hidden) => {
      Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }"""
    room.evaluate(hide, True)
    at(room, 4_000)
    assert noted(room) == []
    room.evaluate(hide, False)
    assert noted(room) == [["away", 0, 4_000]]


def test_after_sleep_the_time_away_is_told_when_the_clock_is_known_again(open_room: Open) -> None:
    room = open_room()
    bring_to_front(room, False)
    at(room, None)
    bring_to_front(room, True)
    assert noted(room) == []
    at(room, 1_200_000)
    assert noted(room) == [["away", 0, 1_200_000]]


# -- handing over --------------------------------------------------------------------------------------------


def test_events_that_could_not_be_sent_come_first_the_next_time(open_room: Open) -> None:
    room = open_room()
    type_in(room, "One")
    at(room, 2_000)
    unsent = noted(room)
    type_in(room, "Two")
    at(room, 4_000)
    room.evaluate("(events) => activity.putBack(events)", unsent)
    assert room.evaluate("() => activity.take()") == [["burst", 0, 0, 3, 0], ["burst", 2_000, 0, 3, 0]]


def test_no_more_is_told_at_once_than_the_server_takes(open_room: Open) -> None:
    room = open_room()
    room.evaluate("() => activity.putBack(Array.from({ length: 201 }, (_, at) => ['away', at, 1]))")
    assert [len(noted(room)) for _ in range(3)] == [200, 1, 0]


def test_what_was_written_and_pasted_appears_nowhere_in_the_record(open_room: Open) -> None:
    room = open_room()
    copied_elsewhere(room, FROM_OUTSIDE)
    type_in(room, "Secret thoughts")
    room.keyboard.press("ControlOrMeta+V")
    at(room, 3_000)
    kinds = {"burst", "away", "paste_inside", "paste_outside", "paste_blocked"}
    for kind, *numbers in noted(room):
        assert kind in kinds
        assert all(type(number) is int for number in numbers)
