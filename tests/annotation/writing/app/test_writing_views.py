"""The writing room's pages and its form, as a browser meets them."""

import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.people.services import people
from annotation.platform.core.text import sha256_hex
from annotation.study.models.participation import Role
from annotation.study.models.prompts import Prompt
from annotation.writing.models import SideText, WritingAssignment
from annotation.writing.selectors.writing import assignments_of as lines_of
from tests.answers import OTHER_WINDOW, begin, finalise, put, run_out, save, take_pen, text_of
from tests.factories import (
    PROFILE,
    a_member,
    a_person,
    a_study,
    a_writing_study,
    agree,
    an_essay,
    assignments_of,
    coordinator_of,
    members_of,
    written,
)

pytestmark = pytest.mark.django_db

PAGES = {
    "assigned": "writing_start",
    "writing": "writing_room",
    "submitted": "writing_receipt",
    "lapsed": "writing_receipt",
}


@pytest.fixture
def assignment() -> WritingAssignment:
    return assignments_of(a_writing_study())[0]


@pytest.fixture
def writer(client: Client, assignment: WritingAssignment) -> Client:
    """The assignment's writer, signed in."""
    client.force_login(assignment.participation.user)
    return client


def address(name: str, assignment: WritingAssignment) -> str:
    return reverse(name, args=[assignment.pk])


def post_form(client: Client, assignment: WritingAssignment, text: str, **fields: str) -> str:
    """Where the room's form leads to that is posted with `text` and `fields`."""
    return client.post(address("writing_submit", assignment), {"text": text, "short_meant": "on", **fields})[
        "Location"
    ]


# -- which page when -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("state", PAGES)
@pytest.mark.parametrize("asked", ["writing_start", "writing_room", "writing_receipt"])
def test_every_state_has_one_page_and_the_others_lead_to_it(
    writer: Client, assignment: WritingAssignment, state: str, asked: str
) -> None:
    put(assignment, state)
    response = writer.get(address(asked, assignment))
    if asked == PAGES[state]:
        assert response.status_code == 200
        assert "no-store" in response["Cache-Control"]
    else:
        assert response["Location"] == address(PAGES[state], assignment)


@pytest.mark.parametrize("name", ["writing_start", "writing_room", "writing_receipt"])
def test_pages_cannot_be_posted_to(writer: Client, assignment: WritingAssignment, name: str) -> None:
    assert writer.post(address(name, assignment)).status_code == 405


@pytest.mark.parametrize("name", ["writing_begin", "writing_save", "writing_submit"])
def test_nothing_changes_by_being_looked_at(writer: Client, assignment: WritingAssignment, name: str) -> None:
    assert writer.get(address(name, assignment)).status_code == 405


@pytest.mark.parametrize(
    ("method", "name"),
    [
        ("get", "writing_start"),
        ("get", "writing_room"),
        ("get", "writing_receipt"),
        ("post", "writing_begin"),
        ("post", "writing_save"),
        ("post", "writing_submit"),
    ],
)
class TestOtherPeople:
    @pytest.mark.parametrize("state", ["assigned", "writing", "submitted"])
    def test_other_people_find_nothing_of_a_writers_answer(
        self, client: Client, assignment: WritingAssignment, state: str, method: str, name: str
    ) -> None:
        put(assignment, state)
        stranger = a_person("Stella Stranger")
        judge = a_member(assignment.study, Role.JUDGE).user
        for person in (stranger, judge, coordinator_of(assignment.study)):
            client.force_login(person)
            # A coordinator is asked for a second factor before anything else.
            assert getattr(client, method)(address(name, assignment)).status_code in (404, 302)
        assignment.refresh_from_db()
        assert assignment.state == state

    def test_other_people_are_asked_to_sign_in_before_a_writers_answer(
        self, client: Client, assignment: WritingAssignment, method: str, name: str
    ) -> None:
        response = getattr(client, method)(address(name, assignment))
        assert response["Location"].startswith(reverse("account_login"))


def test_a_writer_who_left_finds_nothing(writer: Client, assignment: WritingAssignment) -> None:
    assignment.participation.left_at = timezone.now()
    assignment.participation.save()
    assert writer.get(address("writing_start", assignment)).status_code == 404


@pytest.mark.parametrize("page", ["writing_start", "writing_room", "writing_receipt"])
def test_every_page_of_an_answer_that_was_taken_back_leads_to_the_study(
    writer: Client, assignment: WritingAssignment, page: str
) -> None:
    WritingAssignment.objects.filter(pk=assignment.pk).update(state="cancelled")
    response = writer.get(address(page, assignment))
    assert (response.status_code, response["Location"]) == (302, reverse("study", args=[assignment.study.slug]))


def test_an_answer_that_was_taken_back_is_not_listed_and_the_others_keep_their_numbers(
    assignment: WritingAssignment,
) -> None:
    WritingAssignment.objects.filter(pk=assignment.pk).update(state="cancelled")
    assert [(line.position, line.of) for line in lines_of(assignment.participation)] == [(2, 2)]


# -- what is asked and told --------------------------------------------------------------------------------------


def test_an_answer_under_a_tenth_of_the_target_is_handed_in_once_it_is_said_to_be_meant(
    writer: Client, assignment: WritingAssignment
) -> None:
    put(assignment, "writing")
    sent = {"text": "Three words only.", "confirmed": "on"}
    page = writer.post(address("writing_submit", assignment), sent, follow=True)
    assert "Your answer has 3 words; the aim is about" in page.content.decode()
    assert text_of(assignment) == sent["text"]
    assert writer.post(address("writing_submit", assignment), {**sent, "short_meant": "on"})["Location"] == address(
        "writing_receipt", assignment
    )


def test_each_save_without_scripts_is_acknowledged(writer: Client, assignment: WritingAssignment) -> None:
    put(assignment, "writing")
    sent = {"text": "First part.", "action": "save"}
    page = writer.post(address("writing_submit", assignment), sent, follow=True)
    assert "Your text is saved: 2 words." in page.content.decode()


@pytest.mark.parametrize("action", ["save", "submit"])
def test_a_text_too_long_to_be_kept_comes_back_without_scripts_as_it_was_typed(
    writer: Client, assignment: WritingAssignment, action: str
) -> None:
    put(assignment, "writing")
    writer.post(address("writing_submit", assignment), {"text": "Kept so far.", "action": "save"})
    typed = "long " * 6001
    sent = {"text": typed, "action": action, "confirmed": "on"}
    answer = writer.post(address("writing_submit", assignment), sent)
    page = " ".join(answer.content.decode().split())
    assert answer.status_code == 400
    assert "This text has 30,005 characters; 30,000 can be kept, so it is neither saved nor handed in." in page
    assert "is the text of 3 words that was saved last" in page
    assert typed.strip() in page
    assert text_of(assignment) == "Kept so far."
    assert writer.post(address("writing_submit", assignment), {**sent, "text": typed[:30_000]}).status_code == 302
    assert text_of(assignment) == typed[:30_000]


def test_a_text_too_long_that_comes_back_does_not_get_the_pen_which_another_window_has_taken(
    writer: Client, assignment: WritingAssignment
) -> None:
    put(assignment, "writing")
    own = take_pen(assignment).pen_epoch
    other = take_pen(assignment, OTHER_WINDOW).pen_epoch
    save(assignment, 1, "Written in the other window.", epoch=other)
    sent = {"action": "save", "epoch": str(own)}
    page = writer.post(address("writing_submit", assignment), {**sent, "text": "long " * 6001}).content.decode()
    [epoch] = re.findall(r'name="epoch" value="(\d+)"', page)
    post_form(writer, assignment, "Shortened.", action="save", epoch=epoch)
    assert text_of(assignment) == "Written in the other window."
    assert SideText.objects.get().text == "Shortened."


def test_the_receipt_leads_to_the_next_prompt(client: Client) -> None:
    first, second = assignments_of(a_writing_study(prompts=2))[:2]
    client.force_login(first.participation.user)
    put(first, "submitted")
    assert address("writing_start", second) in client.get(address("writing_receipt", first)).content.decode()
    put(second, "writing")
    assert address("writing_room", second) in client.get(address("writing_receipt", first)).content.decode()


# -- before the start ----------------------------------------------------------------------------------------


def test_consent_then_profile_come_before_the_start_page(client: Client) -> None:
    study = a_writing_study()
    assignment = assignments_of(study)[0]
    person = a_person("Nina New")
    assignment.participation = a_member(study, Role.WRITER, person, ready=False)
    assignment.save()
    client.force_login(person)
    start = address("writing_start", assignment)
    assert client.get(start)["Location"] == reverse("consent", args=[study.slug])
    agree(assignment.participation)
    assert client.get(start)["Location"] == reverse("profile", args=[study.slug])
    people.complete_profile(participation=assignment.participation, answers=PROFILE, by=person)
    assert client.get(start).status_code == 200


def test_the_start_page_tells_the_terms_but_not_the_prompt(client: Client) -> None:
    study = a_writing_study(writing_minutes=20, target_words=300, target_words_low=280, target_words_high=330)
    assignment = assignments_of(study)[0]
    assignment.participation.extra_minutes = 5
    assignment.participation.save()
    client.force_login(assignment.participation.user)
    page = " ".join(client.get(address("writing_start", assignment)).content.decode().split())
    assert "25 minutes (5 of them granted to you)" in page
    assert "About 300 words" in page
    assert "280 to 330" in page
    assert assignment.prompt_version.text not in page


def test_beginning_needs_the_attestation(writer: Client, assignment: WritingAssignment) -> None:
    response = writer.post(address("writing_begin", assignment), follow=True)
    assert "confirm that you will write without AI tools" in response.content.decode()
    assert response.request["PATH_INFO"] == address("writing_start", assignment)


def test_beginning_twenty_times_leads_to_the_same_room_and_deadline(
    writer: Client, assignment: WritingAssignment
) -> None:
    deadlines = set()
    for _ in range(20):
        response = writer.post(address("writing_begin", assignment), {"attested": "on"})
        assert response["Location"] == address("writing_room", assignment)
        deadlines.add(WritingAssignment.objects.get(pk=assignment.pk).deadline_at)
    assert len(deadlines) == 1


def test_a_start_page_that_cannot_be_used_says_why(writer: Client, assignment: WritingAssignment) -> None:
    put(assignment, "writing")
    other = assignments_of(assignment.study)[1]
    page = writer.get(address("writing_start", other)).content.decode()
    assert "Finish the answer you are writing first." in page
    assert "Start the clock" not in page


def test_the_list_of_assignments_says_which_may_be_started() -> None:
    study = a_writing_study(prompts=3)
    first, second, _ = assignments_of(study)
    writer = members_of(study, Role.WRITER)[0]
    assert [(line.position, line.of, line.may_start) for line in lines_of(writer)] == [
        (1, 3, True),
        (2, 3, True),
        (3, 3, True),
    ]
    written(first)
    put(second, "writing")
    reason = "Finish the answer you are writing first."
    assert [(line.state, line.may_start, line.reason) for line in lines_of(writer)] == [
        ("submitted", False, ""),
        ("writing", False, ""),
        ("assigned", False, reason),
    ]


# -- the room, and its form ----------------------------------------------------------------------------------


def test_the_room_shows_the_prompt_and_the_saved_text_unharmed(
    writer: Client, assignment: WritingAssignment
) -> None:
    text = "\nA line break first.\n</textarea><script>alert(1)</script> & “more”"
    save(begin(assignment), 1, text)
    page = writer.get(address("writing_room", assignment)).content.decode()
    assert assignment.prompt_version.text in page
    shown = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    assert re.search(rf"<textarea[^>]*>\n{re.escape(shown)}</textarea>", page)
    assert "<script>alert" not in page


# -- afterwards ----------------------------------------------------------------------------------------------


def test_the_receipt_shows_text_length_hash_and_the_persons_own_time(
    writer: Client, assignment: WritingAssignment
) -> None:
    assignment.participation.user.time_zone = "Asia/Tokyo"
    assignment.participation.user.save()
    text = an_essay(3)
    written(assignment, text)
    WritingAssignment.objects.filter(pk=assignment.pk).update(submitted_at="2031-03-01T15:30:00Z")
    page = writer.get(address("writing_receipt", assignment)).content.decode()
    assert "2 March 2031, 00:30:00" in page  # fifteen hours and thirty minutes UTC is half past midnight in Tokyo
    assert "Asia/Tokyo" in page
    assert "by you" in page
    assert all(paragraph in page for paragraph in text.split("\n\n"))
    groups = re.findall(r"<span>([0-9a-f]{8})</span>", page)
    assert "".join(groups) == sha256_hex(text)


def test_the_receipt_says_when_the_clock_handed_in_and_what_came_late(
    writer: Client, assignment: WritingAssignment
) -> None:
    save(begin(assignment), 1, "One two three.")
    run_out(assignment)
    save(assignment, 2, "One two three. Four.")
    finalise(assignment)
    page = writer.get(address("writing_receipt", assignment)).content.decode()
    assert "by the clock" in page
    assert "A later text of 4 words reached the server" in page


def test_a_lapse_is_explained(writer: Client, assignment: WritingAssignment) -> None:
    put(assignment, "lapsed")
    assert "Time ran out before anything was saved" in (
        writer.get(address("writing_receipt", assignment)).content.decode()
    )


# -- what a writer is not told -------------------------------------------------------------------------------


@pytest.mark.parametrize("state", PAGES)
def test_no_page_names_the_prompts_code_or_domain(
    writer: Client, assignment: WritingAssignment, state: str
) -> None:
    put(assignment, state)
    codes = Prompt.objects.filter(study=assignment.study).values_list("code", "domain")
    telling = re.compile(r"\b(" + "|".join({word for pair in codes for word in pair}) + r")\b")
    response = writer.get(address(PAGES[state], assignment))
    assert not telling.search(response.content.decode())
    assert not telling.search(str(response.headers))


def test_a_study_in_design_has_no_assignments_to_list() -> None:
    study = a_study()
    assert lines_of(a_member(study, Role.WRITER)) == []
