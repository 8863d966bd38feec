"""Half hours in which everything goes wrong that can: no text that was acknowledged is ever missing.

Two windows of one writer type, and save by changes or whole texts. What they send arrives late, twice or in another
order, acknowledgements get lost, the pen changes hands, people are signed out, hand in too early or in the wrong
window, and time runs out. There are 75 of them, and a thousand where the environment has THOROUGH=1.
"""

import logging
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client
from django.urls import reverse
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from annotation.platform.core.errors import Refused
from annotation.platform.core.text import clean, count_words, sha256_hex
from annotation.platform.models.audit import AuditEvent
from annotation.study.models.responses import Response
from annotation.writing.core.deltas import Delta, apply, between
from annotation.writing.models import Draft, DraftRevision, LateText, SideText, WritingAssignment
from annotation.writing.services import drafts, writing
from annotation.writing.services.drafts import Save, Status
from tests.answers import MINUTE, pass_time, span_of, start
from tests.clients import signed_in
from tests.factories import a_writing_study, assignments_of
from tests.thorough import IS_THOROUGH

RUNS = 1000 if IS_THOROUGH else 75
STEPS, MAX_EPOCHS = 10, 4
LIMIT, GRACE = 30, 2  # minutes: no run takes so long that time runs out in it by itself
# What a time is: before the deadline, within its grace, while late texts are taken, after that; and when it begins.
IN_TIME, IN_GRACE, LATE, TOO_LATE = range(4)
MINUTES_PASSED = (0, LIMIT + 1, LIMIT + GRACE + 1, LIMIT + 15 + 1)

SaveNumber = tuple[int, int]  # epoch and number: the order of saves

# Letters that compose with the mark among them, and one beyond the basic plane.
edits = st.builds(
    Delta, at=st.integers(0, 12), delete=st.integers(0, 3), insert=st.text("ae \n\u0301😀", max_size=6)
)
choices = st.integers(0, 11)  # of a window or a message: the remainder counts, so that they shrink to the first


class Window:
    """What a page in a browser knows."""

    def __init__(self) -> None:
        self.epoch = self.seq = 0
        self.text = ""
        self.base: tuple[int, str] | None = None  # what was acknowledged last; None: the whole text is asked for

    def take_pen(self, epoch: int, text: str) -> None:
        self.epoch, self.seq, self.text, self.base = epoch, 0, text, (0, text)

    def type(self, edit: Delta) -> None:
        at = min(edit.at, len(self.text))
        self.text = clean(self.text[:at] + edit.insert + self.text[at + edit.delete :])

    def next_save(self, *, whole: bool) -> Save:
        self.seq += 1
        if whole or self.base is None:
            return Save(self.epoch, self.seq, text=self.text)
        base_seq, base = self.base
        change = between(base, self.text)
        return Save(self.epoch, self.seq, change=change, base_seq=base_seq, base_sha=sha256_hex(base))


@dataclass
class Message:
    """A save on its way, and the text that its window showed then."""

    window: Window
    sent: Save
    text: str

    @property
    def number(self) -> SaveNumber:
        return self.sent.epoch, self.sent.seq

    def is_heard(self, status: Status, number: SaveNumber) -> None:
        """The window learns what became of it."""
        if status == Status.FULL:
            self.window.base = None
        elif status == Status.SAVED and number == self.number and self.window.epoch == self.sent.epoch:
            self.window.base = (self.sent.seq, self.text)


class HalfHour(RuleBasedStateMachine):
    """One answer from its start to its end.

    All runs share a study and its one answer, committed before it is started. Each run is a transaction of its own
    that is rolled back, so the next one finds the answer as it was; the services' transactions are savepoints in
    it. To make a study for each run would take ten times as long.
    """

    def __init__(self, answer: WritingAssignment, browser: Client) -> None:
        super().__init__()
        self.transaction = transaction.atomic()
        self.transaction.__enter__()
        self.answer, self.by = answer, answer.participation.user
        self.windows: dict[str, Window] = {}
        self.on_their_way: list[Message] = []
        self.now, self.ended_by = IN_TIME, ""
        self.acknowledged: dict[SaveNumber, str] = {(0, 0): ""}
        self.refused: set[str] = set()  # and to be kept beside the answer
        self.browser = browser  # in which the writer has signed in again
        self.sessions = 1

    @property
    def last(self) -> SaveNumber:
        return max(self.acknowledged)

    @property
    def last_text(self) -> str:
        return self.acknowledged[self.last]

    @property
    def is_open(self) -> bool:
        return not self.ended_by and self.now <= IN_GRACE

    def has_pen(self, epoch: int) -> bool:
        return self.is_open and epoch == self.last[0]

    # -- what may happen -------------------------------------------------------------------------------------

    @initialize()
    def begin(self) -> None:
        self.open_room("window-one", take_over=False)

    @precondition(lambda self: self.last[0] < MAX_EPOCHS)
    @rule(name=st.sampled_from(["window-one", "window-two"]), take_over=st.booleans())
    def open_room(self, name: str, take_over: bool) -> None:
        """A window starts the answer, which may have been started, and asks for the pen; later it asks again."""
        if name not in self.windows:
            started_at, deadline_at = span_of(start(self.answer))
            assert deadline_at - started_at == LIMIT * MINUTE
        held, text, granted = drafts.take_pen(assignment=self.answer, holder=name, take_over=take_over, by=self.by)
        assert text == self.last_text
        assert granted or self.ended_by or not take_over
        if granted:
            assert held.pen_epoch == self.last[0] + 1
            self.acknowledged[held.pen_epoch, 0] = text
            self.windows.setdefault(name, Window()).take_pen(held.pen_epoch, text)

    @rule(window=choices, edit=edits, arrives=st.booleans())
    def save_a_change(self, window: int, edit: Delta, arrives: bool) -> None:
        self._send(self._typed(window, edit, whole=False), arrives)

    @rule(window=choices, edit=edits, arrives=st.booleans())
    def save_the_whole_text(self, window: int, edit: Delta, arrives: bool) -> None:
        self._send(self._typed(window, edit, whole=True), arrives)

    def _send(self, message: Message, arrives: bool) -> None:
        self.on_their_way.append(message)
        if arrives:
            self.deliver(-1, again=False, heard=True)

    @precondition(lambda self: self.on_their_way)
    @rule(message=choices, again=st.booleans(), heard=st.booleans())
    def deliver(self, message: int, again: bool, heard: bool) -> None:
        """One of them arrives; `again`: it will arrive once more; `heard`: its acknowledgement is not lost."""
        chosen = self.on_their_way[message % len(self.on_their_way)]
        if not again:
            self.on_their_way.remove(chosen)
        status, held = drafts.save(assignment_id=self.answer.pk, sent=chosen.sent, by=self.by)
        assert held
        number = (held.pen_epoch, held.seq)
        self._answered(chosen, status, number, held.sha256)
        if heard:
            chosen.is_heard(status, number)

    @precondition(lambda self: self.sessions == 1)
    @rule(window=choices, edit=edits)
    def sign_in_again(self, window: int, edit: Delta) -> None:
        """A save after the session has ended, once, and the same one after signing in."""
        self.sessions += 1
        message = self._typed(window, edit, whole=True)
        body = {"epoch": message.sent.epoch, "seq": message.sent.seq, "text": message.text}
        address = reverse("writing_save", args=[self.answer.pk])
        assert Client().post(address, body, content_type="application/json").status_code == 302
        self.the_text_acknowledged_last_is_held_and_handed_in_once()
        reply = self.browser.post(address, body, content_type="application/json").json()
        status, number = Status(reply["status"]), (reply["epoch"], reply["seq"])
        self._answered(message, status, number, reply["sha256"])
        message.is_heard(status, number)

    @rule(window=choices, confirmed=st.booleans())
    def submit(self, window: int, confirmed: bool) -> None:
        """The form of a window is posted. Its text is the answer, or kept beside it."""
        chosen = self._window(window)
        posted: Any = {"assignment": self.answer, "text": chosen.text, "pen_epoch": chosen.epoch, "by": self.by}
        handed_in = None
        with suppress(Refused):
            handed_in = writing.submit(confirmed=confirmed, **posted)
        by_writer = handed_in is not None and handed_in.state == "submitted" and not handed_in.submitted_by_clock
        if not by_writer:
            drafts.keep(**posted)
        if self.has_pen(chosen.epoch):
            number = Draft.objects.values_list("pen_epoch", "seq").get(assignment=self.answer)
            self.acknowledged[number] = chosen.text
        elif self.ended_by != "writer" and self.now <= LATE:
            self._must_be_kept(chosen.text)
        if handed_in and not self.ended_by:
            assert confirmed or not by_writer
            self.ended_by = "writer" if by_writer else "clock"

    @precondition(lambda self: len(self.acknowledged) > 3 and self.now < TOO_LATE)  # there is something to lose
    @rule(until=st.integers(IN_GRACE, TOO_LATE), finalise=st.booleans())
    def time_passes(self, until: int, finalise: bool) -> None:
        self._move_on(max(until, self.now + 1))
        if finalise:
            self._finalise()

    def _move_on(self, until: int) -> None:
        pass_time(self.answer, (MINUTES_PASSED[until] - MINUTES_PASSED[self.now]) * MINUTE)
        self.now = until

    def _finalise(self) -> None:
        writing.finalise(assignment_id=self.answer.pk)
        if self.now >= LATE and not self.ended_by:
            self.ended_by = "clock"

    # -- what must be true -----------------------------------------------------------------------------------

    @invariant()
    def the_text_acknowledged_last_is_held_and_handed_in_once(self) -> None:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT text, sha256, state, (SELECT count(*) FROM annotation_response) FROM annotation_draft"
                " JOIN annotation_writingassignment answer ON answer.id = assignment_id"
            )
            [(text, sha256, state, responses)] = cursor.fetchall()
        assert (text, sha256) == (self.last_text, sha256_hex(self.last_text))
        assert (state == "writing") == (not self.ended_by)
        assert responses == (state == "submitted")

    def _window(self, choice: int) -> Window:
        return list(self.windows.values())[choice % len(self.windows)]

    def _typed(self, window: int, edit: Delta, *, whole: bool) -> Message:
        chosen = self._window(window)
        chosen.type(edit)
        return Message(chosen, chosen.next_save(whole=whole), chosen.text)

    def _answered(self, message: Message, status: Status, number: SaveNumber, sha256: str) -> None:
        """Note what was acknowledged or refused, where it had to be."""
        sent, text, last = message.sent, message.text, self.last
        fits = sent.text is not None or (sent.epoch, sent.base_seq) == last
        assert (status == Status.SAVED) == (self.has_pen(sent.epoch) and (fits or message.number <= last))
        match status:
            case Status.SAVED:
                assert number == max(message.number, last)
                if number == message.number:
                    assert self.acknowledged.setdefault(number, text) == text
                assert sha256 == sha256_hex(self.last_text)
            case Status.FULL:
                assert sent.text is None
            case Status.ELSEWHERE | Status.LATE:
                assert (status == Status.ELSEWHERE) == self.is_open
                self._must_be_kept(text)
            case Status.CLOSED:
                nothing_to_keep = not text.strip() or text == self.last_text
                assert nothing_to_keep or self.ended_by == "writer" or self.now == TOO_LATE

    def _must_be_kept(self, text: str) -> None:
        if text.strip() and text != self.last_text:
            self.refused.add(text)

    def teardown(self) -> None:
        try:
            self._check_the_end()
        finally:
            transaction.set_rollback(True)
            self.transaction.__exit__(None, None, None)

    def _check_the_end(self) -> None:
        if self.now < LATE:
            self._move_on(LATE)
        self._finalise()
        self.the_text_acknowledged_last_is_held_and_handed_in_once()
        responses = list(Response.objects.values_list("text", flat=True))
        assert responses == ([self.last_text] if count_words(self.last_text) else [])
        submissions = AuditEvent.objects.filter(verb="writing.submitted").values_list("detail__sha256", flat=True)
        assert list(submissions) == [sha256_hex(self.last_text) for _ in responses]
        self._check_revisions()
        late, aside = (table.objects.values_list("text", flat=True) for table in (LateText, SideText))
        assert not self.refused or self.refused <= {*late, *aside}
        connection.check_constraints()

    def _check_revisions(self) -> None:
        text, texts = "", {}
        for revision in DraftRevision.objects.order_by("pen_epoch", "seq"):
            text = apply(text, Delta(revision.at, revision.removed, revision.inserted))
            texts[revision.pen_epoch, revision.seq] = text
        assert texts == {number: text for number, text in self.acknowledged.items() if number[1]}


@pytest.mark.django_db(transaction=True)
def test_no_saved_text_is_lost(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.ERROR, "django.request")  # saves that are refused are warned of there, by the thousand
    study = a_writing_study(prompts=1, writing_minutes=LIMIT, transport_grace_seconds=60 * GRACE)
    [answer] = assignments_of(study)
    browser = signed_in(answer.participation.user)
    run_state_machine_as_test(
        lambda: HalfHour(answer, browser),  # type: ignore[arg-type]  # whatever makes one will do
        settings=settings(max_examples=RUNS, stateful_step_count=STEPS),
    )
