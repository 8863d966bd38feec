"""What the writing room and the server say to each other: the pen, the state and saves, as a browser sends them."""

import json
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.platform.core.text import sha256_hex
from annotation.platform.services.clock import database_now
from annotation.study.models.participation import Role
from annotation.writing.models import Draft, DraftRevision, LateText, SideText, WritingAssignment
from annotation.writing.services.drafts import MAX_CHARACTERS
from tests.answers import OTHER_WINDOW, WINDOW, begin, put, run_out, save, span_of, submit, take_pen, text_of
from tests.factories import a_member, a_person, a_writing_study, assignments_of, coordinator_of, members_of

pytestmark = pytest.mark.django_db

HELD = {"epoch", "seq", "sha256", "length", "saved_at", "now", "deadline", "paused_at"}


@pytest.fixture
def assignment() -> WritingAssignment:
    return assignments_of(a_writing_study(writers=2))[0]


@pytest.fixture
def writer(client: Client, assignment: WritingAssignment) -> Client:
    """The assignment's writer, signed in."""
    client.force_login(assignment.participation.user)
    return client


def post(client: Client, name: str, answer: WritingAssignment, body: Any) -> Any:
    return client.post(reverse(name, args=[answer.pk]), body, content_type="application/json")


def get_state(client: Client, answer: WritingAssignment) -> Any:
    return client.get(reverse("writing_state", args=[answer.pk]))


def post_save(client: Client, answer: WritingAssignment, body: Any) -> Any:
    return post(client, "writing_save", answer, body)


def send(client: Client, answer: WritingAssignment, **sent: object) -> Any:
    """Send a whole text, unless `sent` says otherwise."""
    return post_save(client, answer, {"epoch": 1, "seq": 1, "text": "One two three.", **sent})


def a_change(answer: WritingAssignment, at: int, delete: int, insert: str) -> dict[str, Any]:
    """A change to the text as it is held."""
    held = Draft.objects.get(assignment=answer)
    base = {"epoch": 1, "seq": held.seq + 1, "base_seq": held.seq, "base_sha": held.sha256}
    return {**base, "at": at, "delete": delete, "insert": insert}


# -- the pen and the state -----------------------------------------------------------------------------------


def test_a_window_that_takes_the_pen_learns_what_is_held_and_the_text(
    writer: Client, assignment: WritingAssignment
) -> None:
    put(assignment, "writing")
    for epoch, text in ((1, ""), (2, "Once\nmore")):
        response = post(writer, "writing_pen", assignment, {"window": WINDOW, "take_over": False})
        reply = response.json()
        assert (response.status_code, set(reply)) == (200, HELD | {"text", "pen"})
        assert (reply["epoch"], reply["seq"], reply["text"], reply["pen"]) == (epoch, 0, text, True)
        assert (reply["sha256"], reply["length"]) == (sha256_hex(text), len(text))
        save(assignment, 1, "Once\nmore")


def test_a_second_window_is_told_and_may_take_over(writer: Client, answer: WritingAssignment) -> None:
    save(answer, 1, "Once")
    asked = post(writer, "writing_pen", answer, {"window": OTHER_WINDOW}).json()
    assert (asked["pen"], asked["epoch"], asked["seq"], asked["text"]) == (False, 1, 1, "Once")
    taken = post(writer, "writing_pen", answer, {"window": OTHER_WINDOW, "take_over": True}).json()
    assert (taken["pen"], taken["epoch"], taken["seq"]) == (True, 2, 0)
    assert get_state(writer, answer).json()["epoch"] == 2, "by which the first window knows"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"{}",
        b"\xff",
        b"[" * 100_000,
        b'{"window": null}',
        b'{"window": 12345678}',
        b'{"window": "seven77"}',
        b'{"window": "a window"}',
        b'{"window": "window-\\u0000"}',
        b'{"window": "window-\\u00e9"}',
        b'{"window": "%s"}' % (b"a" * 65),
    ],
)
def test_a_malformed_request_for_the_pen_is_400_and_changes_nothing(
    writer: Client, answer: WritingAssignment, body: bytes
) -> None:
    assert post(writer, "writing_pen", answer, body).status_code == 400
    assert Draft.objects.get(assignment=answer).pen_epoch == 1


def test_the_state_is_what_is_held_now(writer: Client, answer: WritingAssignment) -> None:
    save(answer, 3, "Once")
    before = database_now()
    response = get_state(writer, answer)
    reply = response.json()
    assert (response.status_code, set(reply)) == (200, HELD)
    assert (reply["epoch"], reply["seq"], reply["sha256"], reply["paused_at"]) == (1, 3, sha256_hex("Once"), None)
    assert before.isoformat()[:19] <= reply["now"][:19] <= database_now().isoformat()[:19]
    answer.refresh_from_db()
    assert reply["deadline"][:19] == span_of(answer)[1].isoformat()[:19]
    assert "no-store" in response["Cache-Control"]


@pytest.mark.parametrize(
    ("state", "status"),
    [("assigned", 410), ("writing", 200), ("submitted", 410), ("lapsed", 410), ("cancelled", 410)],
)
def test_the_state_tells_whether_the_answer_is_being_written(
    writer: Client, assignment: WritingAssignment, state: str, status: int
) -> None:
    put(assignment, state)
    assert get_state(writer, assignment).status_code == status


@pytest.mark.parametrize("state", ["assigned", "submitted", "cancelled"])
def test_the_pen_of_an_answer_that_is_not_being_written_goes_to_nobody(
    writer: Client, assignment: WritingAssignment, state: str
) -> None:
    put(assignment, state)
    response = post(writer, "writing_pen", assignment, {"window": WINDOW, "take_over": True})
    assert (response.status_code, response.json()) == (410, {})


# -- saves ---------------------------------------------------------------------------------------------------


def test_a_save_is_answered_with_what_the_server_holds(writer: Client, answer: WritingAssignment) -> None:
    response = send(writer, answer, seq=4, text="One\r\ntwo three.")
    reply = response.json()
    assert (response.status_code, set(reply)) == (200, HELD | {"status"})
    assert (reply["status"], reply["epoch"], reply["seq"], reply["length"]) == ("saved", 1, 4, 14)
    assert reply["sha256"] == sha256_hex("One\ntwo three.")
    stale = send(writer, answer, seq=2, text="older").json()
    assert (stale["seq"], stale["sha256"]) == (4, reply["sha256"])


def test_a_change_is_answered_with_what_the_server_holds(writer: Client, answer: WritingAssignment) -> None:
    send(writer, answer, text="One 😀 three.")
    reply = post_save(writer, answer, a_change(answer, 4, 1, "two")).json()
    assert (reply["status"], reply["seq"], reply["sha256"]) == ("saved", 2, sha256_hex("One two three."))


def test_what_became_of_a_save_is_told_by_its_status(writer: Client, answer: WritingAssignment) -> None:
    def told(response: Any) -> tuple[int, str]:
        assert set(response.json()) == HELD | {"status"}
        return response.status_code, response.json()["status"]

    assert told(send(writer, answer)) == (200, "saved")
    assert told(post_save(writer, answer, a_change(answer, 99, 0, "x"))) == (409, "full")
    take_pen(answer, OTHER_WINDOW)
    assert told(send(writer, answer, seq=2, text="Written here.")) == (409, "elsewhere")
    run_out(answer)
    assert told(send(writer, answer, seq=3, text="Written offline.")) == (409, "late")
    submit(answer)
    assert told(send(writer, answer, seq=4, text="One two three.")) == (409, "closed")
    assert (SideText.objects.get().text, LateText.objects.get().text) == ("Written here.", "Written offline.")
    assert text_of(answer) == "One two three."


def test_a_save_before_the_start_is_closed_and_holds_nothing(writer: Client, assignment: WritingAssignment) -> None:
    response = send(writer, assignment)
    assert (response.status_code, response.json()) == (409, {"status": "closed"})


def test_untimed_writing_has_no_deadline_in_its_replies(client: Client) -> None:
    answer = begin(assignments_of(a_writing_study(writing_minutes=None))[0])
    client.force_login(answer.participation.user)
    assert send(client, answer).json()["deadline"] is None
    assert "No time limit" in client.get(reverse("writing_room", args=[answer.pk])).content.decode()


def test_a_save_takes_three_statements_and_is_as_long_as_the_change_however_long_the_answer(
    writer: Client, answer: WritingAssignment
) -> None:
    sizes = []
    for words in (40, 4000):
        send(writer, answer, seq=10 + words, text="word " * words)
        change = {**a_change(answer, 5, 0, "new "), "activity": [["burst", 61_000, 1800, 4, 0]]}
        with CaptureQueriesContext(connection) as queries:
            response = post_save(writer, answer, change)
        assert response.json()["status"] == "saved"
        assert len(queries) == 3, "the session, the person, and the save with its revision"
        sizes.append((len(response.wsgi_request.body), len(response.content)))
    (request, reply), (longer_request, longer_reply) = sizes
    assert request < 250
    assert longer_request - request <= 4, "more digits in two numbers"
    assert longer_reply - reply <= 4


def test_times_that_a_browser_sends_are_ignored(writer: Client, answer: WritingAssignment) -> None:
    forged = dict.fromkeys(("now", "saved_at", "deadline", "started_at", "submitted_at"), "2031-01-01T00:00:00Z")
    reply = send(writer, answer, **forged).json()
    assert "2031" not in json.dumps(reply)
    assert reply["deadline"][:19] == span_of(answer)[1].isoformat()[:19]
    run_out(answer)
    reply = send(writer, answer, seq=2, text="One two three. Four.", **forged).json()
    assert (reply["status"], text_of(answer)) == ("late", "One two three.")


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"null",
        b"\xff",
        b"[" * 100_000,
        b'{"epoch": 1, "seq": 1}',
        b'{"epoch": 1, "seq": 1, "text": null}',
        b'{"epoch": 1, "seq": "1", "text": ""}',
        b'{"epoch": 1, "seq": 1.5, "text": ""}',
        b'{"epoch": true, "seq": 1, "text": ""}',
        b'{"epoch": 1, "seq": -1, "text": ""}',
        b'{"epoch": 1, "seq": 1073741824, "text": ""}',
        b'{"epoch": 1, "seq": 1e999, "text": ""}',
        b'{"epoch": 1, "seq": 1, "at": 0, "delete": 0}',
        b'{"epoch": 1, "seq": 1, "at": -1, "delete": 0, "insert": "x"}',
        b'{"epoch": 1, "seq": 1, "at": 0, "delete": null, "insert": "x"}',
        b'{"epoch": 1, "seq": 1, "base_sha": "\\u0000", "at": 0, "delete": 0, "insert": "x"}',
        b'{"epoch": 1, "seq": 1, "base_sha": "\\ud83d", "at": 0, "delete": 0, "insert": "x"}',
        b'{"epoch": 1, "seq": 1, "base_seq": "0", "at": 0, "delete": 0, "insert": "x"}',
    ],
)
def test_a_malformed_save_is_400_and_changes_nothing(
    writer: Client, answer: WritingAssignment, body: bytes
) -> None:
    assert post_save(writer, answer, body).status_code == 400
    assert not DraftRevision.objects.exists()


def test_numbers_at_the_end_of_their_range_are_no_error(writer: Client, answer: WritingAssignment) -> None:
    largest = 2**30 - 1
    change = a_change(answer, largest, largest, "x")
    response = post_save(writer, answer, {**change, "seq": largest, "base_seq": largest - 1})
    assert (response.status_code, response.json()["status"]) == (409, "full")
    assert send(writer, answer, seq=largest).json()["status"] == "saved"


@pytest.mark.parametrize("activity", ["burst", [["burst"]], [["content", "One"]], [["away", -1, 2]], {}])
def test_a_note_on_the_process_that_is_none_is_left_out_and_the_text_is_kept(
    writer: Client, answer: WritingAssignment, activity: object
) -> None:
    assert send(writer, answer, activity=activity).json()["status"] == "saved"
    assert DraftRevision.objects.get().activity is None


def test_a_text_that_is_too_long_is_413_and_a_change_that_makes_it_so_asks_for_the_whole(
    writer: Client, answer: WritingAssignment
) -> None:
    assert send(writer, answer, text="a" * MAX_CHARACTERS).status_code == 200
    assert post_save(writer, answer, a_change(answer, 0, 0, "a")).json()["status"] == "full"
    assert send(writer, answer, seq=2, text="a" * (MAX_CHARACTERS + 1)).status_code == 413
    assert send(writer, answer, seq=2, text="a" * 900_000).status_code == 413
    assert DraftRevision.objects.count() == 1


def test_a_text_with_characters_nobody_can_type_is_cleaned_and_kept(
    writer: Client, answer: WritingAssignment
) -> None:
    body = rb'{"epoch": 1, "seq": 1, "text": "nul\u0000 and \ud83d alone"}'
    assert post_save(writer, answer, body).status_code == 200
    assert text_of(answer) == "nul and � alone"


# -- who may -------------------------------------------------------------------------------------------------

EXCHANGES = {
    "writing_pen": {"window": OTHER_WINDOW, "take_over": True},
    "writing_save": {"epoch": 1, "seq": 1, "text": "One"},
    "writing_state": None,
}


def exchange(client: Client, name: str, answer: WritingAssignment) -> Any:
    return post(client, name, answer, EXCHANGES[name]) if EXCHANGES[name] else get_state(client, answer)


@pytest.mark.parametrize("name", EXCHANGES)
@pytest.mark.parametrize("state", ["assigned", "writing", "submitted"])
def test_answers_of_others_do_not_exist_for_anybody_else(
    client: Client, assignment: WritingAssignment, name: str, state: str
) -> None:
    put(assignment, state)
    study = assignment.study
    held = Draft.objects.values_list("pen_epoch", "seq", "text")
    before = list(held)
    others = [members_of(study, Role.WRITER)[1].user, a_member(study, Role.JUDGE).user, a_person("Stella Stranger")]
    for person in others:
        client.force_login(person)
        assert exchange(client, name, assignment).status_code == 404
    client.force_login(coordinator_of(study))  # who is asked for a second factor before anything else
    assert exchange(client, name, assignment).status_code == 302
    assert list(held) == before
    assert not SideText.objects.exists()


@pytest.mark.parametrize("name", EXCHANGES)
def test_an_answer_nobody_has_does_not_exist_either(
    writer: Client, assignment: WritingAssignment, name: str
) -> None:
    assignment.pk = 0
    assert exchange(writer, name, assignment).status_code == 404


@pytest.mark.parametrize("name", ["writing_pen", "writing_save"])
def test_nothing_is_taken_without_the_csrf_token_or_by_looking(answer: WritingAssignment, name: str) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(answer.participation.user)
    assert exchange(client, name, answer).status_code == 403
    assert client.get(reverse(name, args=[answer.pk])).status_code == 405
    assert list(Draft.objects.values_list("pen_epoch", "seq")) == [(1, 0)]


def test_whoever_was_signed_out_signs_in_again_and_the_same_save_is_taken(
    client: Client, answer: WritingAssignment
) -> None:
    refused = send(client, answer)
    assert refused.url.startswith(reverse("account_login"))
    assert not DraftRevision.objects.exists()
    client.force_login(answer.participation.user)
    assert send(client, answer).json()["sha256"] == sha256_hex("One two three.")
