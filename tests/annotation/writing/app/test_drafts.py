"""An answer while it is written: the pen, saves in order, and what is kept beside the answer."""

from dataclasses import replace
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation.platform.core.text import clean, sha256_hex
from annotation.platform.services.clock import database_now
from annotation.writing.core import deltas
from annotation.writing.core.activity import Event
from annotation.writing.core.deltas import Delta
from annotation.writing.models import Draft, DraftRevision, LateText, SideText, WritingAssignment
from annotation.writing.services import drafts, writing_desk
from annotation.writing.services.drafts import MAX_CHARACTERS, MAX_LATE_TEXTS, Save, Status
from tests.answers import OTHER_WINDOW, WINDOW, change_of, save, send, start, submit, take_pen, text_of
from tests.factories import coordinator_of

pytestmark = pytest.mark.django_db

FAMILY = "👩‍👧"  # three code points, five UTF-16 units
DOT_BELOW, ACUTE = "\u0323", "\u0301"  # combining marks: q has no composed form with either, e has with both


def ask_for_pen(answer: WritingAssignment, window: str, *, take_over: bool = False) -> tuple[int, str, bool]:
    """The epoch and the text after `window` asked, and whether it may write."""
    by = answer.participation.user
    held, text, granted = drafts.take_pen(assignment=answer, holder=window, take_over=take_over, by=by)
    return held.pen_epoch, text, granted


def revisions_of(answer: WritingAssignment) -> list[tuple[int, int]]:
    return list(DraftRevision.objects.filter(assignment=answer).values_list("pen_epoch", "seq"))


def cancel(answer: WritingAssignment) -> None:
    writing_desk.cancel(assignment=answer, reason="It was left lying.", by=coordinator_of(answer.study))


def kept(table: type[LateText | SideText]) -> list[str]:
    return list(table._default_manager.values_list("text", flat=True))


# -- the pen -------------------------------------------------------------------------------------------------


def test_the_first_window_gets_the_pen_and_another_one_only_by_taking_over(assignment: WritingAssignment) -> None:
    start(assignment)
    assert ask_for_pen(assignment, WINDOW) == (1, "", True)
    save(assignment, 1, "Once")
    assert ask_for_pen(assignment, OTHER_WINDOW) == (1, "Once", False)
    assert ask_for_pen(assignment, OTHER_WINDOW, take_over=True) == (2, "Once", True)
    assert ask_for_pen(assignment, WINDOW) == (2, "Once", False)


def test_a_window_that_comes_back_begins_a_new_epoch_and_counts_from_the_start(answer: WritingAssignment) -> None:
    save(answer, 7, "Once")
    assert ask_for_pen(answer, WINDOW) == (2, "Once", True)
    assert send(answer, change_of(answer, 4, 0, " more"))[0] == Status.SAVED
    assert revisions_of(answer) == [(1, 7), (2, 1)]


def test_nobody_takes_the_pen_of_an_answer_that_is_handed_in(answer: WritingAssignment) -> None:
    save(answer, 1, "Once")
    submit(answer)
    assert ask_for_pen(answer, WINDOW, take_over=True) == (1, "Once", False)


def test_a_page_without_scripts_takes_the_pen_with_the_text_it_posts(answer: WritingAssignment) -> None:
    save(answer, 5, "from a window")
    assert drafts.keep(assignment=answer, text="from a form", by=answer.participation.user) == Status.SAVED
    assert text_of(answer) == "from a form"
    assert save(answer, 6, "from the window again")[0] == Status.ELSEWHERE
    assert ask_for_pen(answer, WINDOW) == (3, "from a form", True), "such a page is no window"


def test_what_a_page_sent_before_its_form_is_not_the_newest(answer: WritingAssignment) -> None:
    save(answer, 1, "One")
    by = answer.participation.user
    assert drafts.keep(assignment=answer, text="One, three", pen_epoch=1, by=by) == Status.SAVED
    assert save(answer, 2, "One, two")[0] == Status.ELSEWHERE
    assert (text_of(answer), kept(SideText)) == ("One, three", ["One, two"])
    assert ask_for_pen(answer, OTHER_WINDOW)[2] is True, "the page with the pen is gone"


# -- saving --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("by", ["whole text", "change"])
def test_a_save_is_acknowledged_with_the_hash_of_the_text_and_the_servers_time(
    answer: WritingAssignment, by: str
) -> None:
    whole = Save(epoch=1, seq=1, text="one 😀 three")
    before = database_now()
    status, held = send(answer, whole if by == "whole text" else change_of(answer, 0, 0, "one 😀 three"))
    assert (status, held.pen_epoch, held.seq) == (Status.SAVED, 1, 1)
    assert (held.sha256, held.length) == (sha256_hex("one 😀 three"), 11)
    assert before <= held.saved_at <= held.now <= database_now()
    assert (held.deadline_at, held.paused_at) == (answer.deadline_at, None)
    assert Draft.objects.get(text="one 😀 three").saved_at == held.saved_at


@pytest.mark.parametrize(
    ("text", "change"),
    [
        ("", Delta(0, 0, "Once")),
        ("Once", Delta(0, 4, "")),
        ("😀 fair", Delta(2, 0, "un")),
        (f"by {FAMILY} twice", Delta(6, 0, ",")),
        (f"by {FAMILY} twice", Delta(4, 2, "")),  # the woman alone is left of the family
        (f"q{DOT_BELOW} and 😀", Delta(2, 0, "!")),
        (f"q{DOT_BELOW} and 😀", Delta(2, 0, ACUTE)),  # a second mark on the same letter
        ("a\n\nb", Delta(1, 2, "\n")),
        ("Geschichte", Delta(2, 3, 'it\'s "x" \\ %s %(at)s; --')),
    ],
)
def test_a_change_counts_code_points(answer: WritingAssignment, text: str, change: Delta) -> None:
    save(answer, 1, text)
    status, held = send(answer, change_of(answer, change.at, change.delete, change.insert))
    expected = deltas.apply(text, change)
    assert (status, held.length, held.sha256) == (Status.SAVED, len(expected), sha256_hex(expected))
    assert text_of(answer) == expected


# Letters that compose with the mark, one beyond the basic plane, and what a shell or a pattern would mind.
texts = st.text(f"aeq{ACUTE}{DOT_BELOW}😀 \n'\\%", max_size=12).map(clean)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(old=texts, new=texts)
def test_the_database_changes_and_hashes_a_text_as_python_does(
    answer: WritingAssignment, old: str, new: str
) -> None:
    epoch = take_pen(answer).pen_epoch
    save(answer, 1, old, epoch=epoch)
    change = deltas.between(old, new)
    status, held = send(answer, change_of(answer, change.at, change.delete, change.insert))
    if clean(change.insert) == change.insert:
        assert (status, held.sha256, held.length) == (Status.SAVED, sha256_hex(new), len(new))
    else:
        assert (status, held.sha256) == (Status.FULL, sha256_hex(old))


TEXT = f"A fair {FAMILY} rule-{ACUTE}"  # 17 code points


@pytest.mark.parametrize(
    ("change", "differently"),
    [
        (Delta(0, 0, "x"), {"base_seq": 3}),
        (Delta(0, 0, "x"), {"base_seq": 5}),
        (Delta(0, 0, "x"), {"base_sha": sha256_hex("another text")}),
        (Delta(0, 0, "x"), {"base_sha": ""}),
        (Delta(0, 0, "x"), {"base_seq": 9}),  # not below the save's own number
        (Delta(18, 0, "x"), {}),
        (Delta(17, 1, ""), {}),
        (Delta(0, 18, "x"), {}),
        (Delta(2**30 - 1, 2**30 - 1, "x"), {}),
        (Delta(1, 0, "\r\n"), {}),
        (Delta(1, 0, "\x00"), {}),
        (Delta(1, 0, "\ud83d"), {}),
        (Delta(1, 0, "\u200b"), {}),
        (Delta(1, 0, "\ufeffx"), {}),
        (Delta(1, 0, f"e{ACUTE}"), {}),
        (Delta(1, 0, ACUTE), {}),  # would compose with the A before it
        (Delta(15, 1, ""), {}),  # would bring the e and its mark together
        (Delta(17, 0, "x" * (MAX_CHARACTERS - 16)), {}),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_a_change_that_does_not_fit_asks_for_the_whole_text_which_is_kept_cleaned(
    answer: WritingAssignment, change: Delta, differently: dict[str, Any]
) -> None:
    save(answer, 4, TEXT)
    unfit = replace(change_of(answer, change.at, change.delete, change.insert), seq=9, **differently)
    status, held = send(answer, unfit)
    assert (status, held.pen_epoch, held.seq, held.sha256) == (Status.FULL, 1, 4, sha256_hex(TEXT))
    assert (text_of(answer), revisions_of(answer)) == (TEXT, [(1, 4)])
    if change.at + change.delete > len(TEXT):
        return
    whole = deltas.apply(TEXT, change)
    status, held = save(answer, 9, whole)
    assert (status, held.seq, held.sha256) == (Status.SAVED, 9, sha256_hex(clean(whole)))
    assert text_of(answer) == clean(whole)


def test_a_stale_save_changes_nothing_and_is_told_what_is_held(answer: WritingAssignment) -> None:
    save(answer, 3, "newer")
    for stale in (1, 2, 3):
        status, held = save(answer, stale, f"older {stale}")
        assert (status, held.seq, held.sha256) == (Status.SAVED, 3, sha256_hex("newer"))
    assert text_of(answer) == "newer"


@pytest.mark.parametrize("by", ["whole text", "change"])
def test_a_save_whose_acknowledgement_was_lost_is_acknowledged_again_and_kept_once(
    answer: WritingAssignment, by: str
) -> None:
    save(answer, 1, "One")
    sent = Save(epoch=1, seq=2, text="One two") if by == "whole text" else change_of(answer, 3, 0, " two")
    (_, first), (status, again) = send(answer, sent), send(answer, sent)
    assert status == Status.SAVED
    assert (first.seq, first.sha256, first.saved_at) == (again.seq, again.sha256, again.saved_at)
    assert revisions_of(answer) == [(1, 1), (1, 2)]
    assert text_of(answer) == "One two"


def test_revisions_replay_to_every_text_that_was_acknowledged(answer: WritingAssignment) -> None:
    typed = ["", "Ein", "Ein Haus", "Kein Haus", f"Kein Haus {FAMILY} am See", "Kein\n\nSee", "See", ""]
    for seq, text in enumerate(typed, start=1):
        change = deltas.between(text_of(answer), text)
        changed = change_of(answer, change.at, change.delete, change.insert)
        send(answer, changed if seq % 2 else Save(epoch=1, seq=seq, text=text))
    replayed, held = [], ""
    for revision in DraftRevision.objects.filter(assignment=answer).order_by("pen_epoch", "seq"):
        held = deltas.apply(held, Delta(revision.at, revision.removed, revision.inserted))
        replayed.append(held)
    assert replayed == typed


def test_what_the_browser_noted_is_kept_with_the_revision(answer: WritingAssignment) -> None:
    events: tuple[Event, ...] = (["burst", 1200, 800, 14, 2], ["away", 5000, 300])
    send(answer, replace(change_of(answer, 0, 0, "One"), activity=events[:1]))
    send(answer, Save(epoch=1, seq=2, text="One two", activity=events[1:]))
    send(answer, Save(epoch=1, seq=3, text="One two three"))
    noted = DraftRevision.objects.filter(assignment=answer).order_by("seq").values_list("activity", flat=True)
    assert list(noted) == [[events[0]], [events[1]], None]


def test_an_answer_that_has_not_been_started_takes_no_text(assignment: WritingAssignment) -> None:
    by = assignment.participation.user
    for sent in (Save(epoch=0, seq=1, text="early"), Save(epoch=0, seq=1, change=Delta(0, 0, "early"))):
        assert drafts.save(assignment_id=assignment.pk, sent=sent, by=by) == (Status.CLOSED, None)
    assert drafts.keep(assignment=assignment, text="early", by=by) == Status.CLOSED
    assert not Draft.objects.exists()
    assert not LateText.objects.exists()


@pytest.mark.parametrize("by", ["whole text", "change"])
def test_nobody_saves_who_has_left(answer: WritingAssignment, by: str) -> None:
    answer.participation.left_at = database_now()
    answer.participation.save()
    with pytest.raises(PermissionDenied):
        send(answer, Save(epoch=1, seq=1, text="One") if by == "whole text" else change_of(answer, 0, 0, "One"))
    assert text_of(answer) == ""


# -- beside the answer ---------------------------------------------------------------------------------------


def test_what_a_window_sends_after_it_lost_the_pen_is_kept_beside_the_answer_once(
    answer: WritingAssignment,
) -> None:
    save(answer, 900, "first window")
    take_pen(answer, OTHER_WINDOW)
    save(answer, 1, "second window", epoch=2)
    for _ in range(3):
        status, held = save(answer, 901, "first window goes on")
        assert (status, held.pen_epoch, held.sha256) == (Status.ELSEWHERE, 2, sha256_hex("second window"))
    kept = SideText.objects.get()
    assert (kept.text, kept.pen_epoch, kept.seq) == ("first window goes on", 1, 901)
    assert (text_of(answer), revisions_of(answer)) == ("second window", [(1, 900), (2, 1)])


def test_a_change_by_a_window_that_lost_the_pen_is_kept_where_its_text_can_be_told(
    answer: WritingAssignment,
) -> None:
    save(answer, 1, "first")
    telling = change_of(answer, 5, 0, " window")
    take_pen(answer, OTHER_WINDOW)
    assert send(answer, telling)[0] == Status.ELSEWHERE
    save(answer, 1, "second", epoch=2)
    assert send(answer, telling)[0] == Status.FULL
    assert kept(SideText) == ["first window"]


@pytest.mark.parametrize("text", ["", " \n", "held"])
def test_nothing_is_kept_beside_that_is_empty_or_held(answer: WritingAssignment, text: str) -> None:
    save(answer, 1, "held")
    take_pen(answer, OTHER_WINDOW)
    assert save(answer, 2, text)[0] == Status.ELSEWHERE
    assert kept(SideText) == []


def test_so_many_texts_are_kept_beside_and_no_more(answer: WritingAssignment) -> None:
    take_pen(answer, OTHER_WINDOW)
    for number in range(MAX_LATE_TEXTS + 1):
        assert save(answer, number, f"text {number}")[0] == Status.ELSEWHERE
    assert kept(SideText) == [f"text {number}" for number in range(MAX_LATE_TEXTS)]
