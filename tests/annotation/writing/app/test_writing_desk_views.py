"""The writing desk as its coordinator meets it: by the pages alone."""

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from annotation.assignment.services import designing
from annotation.coordination.selectors.coordination import overview
from annotation.coordination.selectors.next_action import next_action
from annotation.platform.core.text import sha256_hex
from annotation.study.models.participation import Participation
from annotation.study.models.studies import Study
from annotation.texts.models.provenance import Arm
from annotation.writing.models import OutageCredit, SideText, WritingAssignment
from annotation.writing.services import writing_desk
from tests.annotation.writing.desk import WHY, a_late_text, an_outage
from tests.answers import MINUTE, begin, pass_time, put, save
from tests.clients import signed_in
from tests.factories import a_writing_study, admit_all, assignments_of, coordinator_of, written
from tests.pages import without_markup

pytestmark = pytest.mark.django_db


@pytest.fixture
def study() -> Study:
    """Two writers with 30 minutes for each of two answers."""
    return a_writing_study(writers=2, writing_minutes=30)


@pytest.fixture
def assignment(study: Study) -> WritingAssignment:
    return assignments_of(study)[0]


def client_of(study: Study) -> Client:
    return signed_in(coordinator_of(study))


def desk(study: Study, **query: str) -> str:
    return client_of(study).get(reverse("writing_desk", args=[study.slug]), query).content.decode()


def page_of(assignment: WritingAssignment, name: str = "writing_answer", **query: Any) -> str:
    return client_of(assignment.study).get(reverse(name, args=[assignment.pk]), query).content.decode()


def post(study: Study, name: str, key: object, /, **fields: Any) -> Any:
    return client_of(study).post(reverse(name, args=[key]), fields, follow=True)


def close_writing(study: Study) -> None:
    designing.close_writing(study=study, by=coordinator_of(study))


class TestTheDesk:
    def test_the_desk_tells_who_is_writing_how_long_they_have_and_when_they_saved_last(
        self, study: Study, assignment: WritingAssignment
    ) -> None:
        begin(assignment)
        save(assignment, 1, "Six words stand here so far.")
        pass_time(assignment, 2 * MINUTE)
        words = without_markup(desk(study))
        writer = assignment.participation
        line = f"{writer.pseudonym} {writer.user.name} {assignment.prompt.code} by {writer.pseudonym}"
        assert re.search(rf"{line} 27 min 2 min( \d s)? ago Writing 6 ", words)

    def test_the_desk_points_out_who_has_not_saved_for_three_minutes_and_who_is_paused(self, study: Study) -> None:
        idle, paused = (begin(assignments_of(study, writer=number)[0]) for number in (0, 1))
        pass_time(idle, 3 * MINUTE)
        writing_desk.pause(assignment=paused, reason=WHY, by=coordinator_of(study))
        words = without_markup(desk(study))
        assert "ago Idle" in words
        assert "ago Paused" in words

    def test_the_desk_puts_what_needs_a_decision_before_everything_else(self, study: Study) -> None:
        a_late_text(assignments_of(study)[0], "Late, and longer.", in_time="In time.")
        begin(assignments_of(study, writer=1)[0])
        an_outage(minutes_ago=3)
        pass_time(assignments_of(study, writer=1)[0], 10 * MINUTE)
        page = desk(study)
        headings = re.findall(r"<h2>([^<{(]+)", page)
        assert [heading.strip() for heading in headings] == [
            "Time lost while the server was away: to be decided",
            "Arrived late: to be decided",
            "Being written now",
            "All answers",
            "Extra time per person",
            "What writers said",
        ]

    def test_the_desk_refreshes_what_changes_and_nothing_that_is_being_filled_in(
        self, study: Study, assignment: WritingAssignment
    ) -> None:
        begin(assignment)
        page = client_of(study).get(reverse("writing_desk", args=[study.slug]), headers={"HX-Request": "true"})
        part = page.content.decode()
        assert "Being written now" in part
        assert 'hx-trigger="every 10s"' in part
        assert "<html" not in part
        assert "<form" not in part

    def test_the_desk_asks_for_a_new_page_once_writing_is_closed(self, study: Study) -> None:
        close_writing(study)
        client = client_of(study)
        answer = client.get(reverse("writing_desk", args=[study.slug]), headers={"HX-Request": "true"})
        assert answer["HX-Refresh"] == "true"
        page = desk(study)
        assert "hx-get" not in page
        assert "Grant extra minutes" not in page

    def test_the_desk_lists_the_answers_in_one_state(self, study: Study) -> None:
        written(assignments_of(study)[0])
        page = desk(study, state="submitted")
        table = page[page.index('aria-label="All answers"') : page.index("Extra time per person")]
        assert table.count('scope="row"') == 1
        assert desk(study, state="nonsense").count('scope="row"') == 4

    def test_the_desk_asks_as_often_for_many_answers_as_for_few(self) -> None:
        counts = []
        for slug, writers in (("few", 1), ("many", 4)):
            study = a_writing_study(slug, writers=writers, prompts=2)
            for number in range(writers):
                begin(assignments_of(study, writer=number)[0])
            client = client_of(study)
            with CaptureQueriesContext(connection) as queries:
                client.get(reverse("writing_desk", args=[study.slug]))
            counts.append(len(queries))
        assert counts[0] == counts[1]

    def test_the_desk_shows_nothing_of_models_texts(self, study: Study) -> None:
        prompt = assignments_of(study)[0].prompt
        [text] = admit_all(prompt, Arm.MODEL, ["family-1"])
        page = desk(study)
        assert "family-1" not in page
        assert text.text[:40] not in page

    def test_the_desk_is_linked_from_the_studys_page_with_what_waits_there(self, study: Study) -> None:
        a_late_text(assignments_of(study)[0], "Late, and longer.", in_time="In time.")
        begin(assignments_of(study, writer=1)[0])
        pass_time(assignments_of(study, writer=1)[0], 10 * MINUTE)
        an_outage(minutes_ago=9)
        page = without_markup(client_of(study).get(reverse("study", args=[study.slug])).content.decode())
        assert "Go to the writing desk" in page
        assert "1 text arrived after time was up and was kept." in page
        assert "2 answers lost time while the server was away." in page
        action = next_action(study, overview(study))
        assert action
        assert action.obstacles == [
            "1 answer being written at this moment.",
            "1 late text to be decided about on the writing desk.",
        ]


class TestExtraMinutes:
    def test_extra_minutes_are_granted_to_a_person(self, study: Study, assignment: WritingAssignment) -> None:
        writer = assignment.participation
        answer = post(study, "writing_grant_minutes", study.slug, writer=writer.pk, minutes=15, reason=WHY)
        page = without_markup(answer.content.decode())
        assert f"{writer.pseudonym} has 15 extra minutes for each answer not yet started." in page
        assert f"{writer.pseudonym} {writer.user.name} 15" in page
        assert Participation.objects.get(pk=writer.pk).extra_minutes == 15

    def test_extra_minutes_that_cannot_be_granted_come_back_as_they_were_filled_in(
        self, study: Study, assignment: WritingAssignment
    ) -> None:
        fields = {"writer": assignment.participation_id, "minutes": 900, "reason": WHY}
        answer = post(study, "writing_grant_minutes", study.slug, **fields)
        assert answer.status_code == 400
        assert WHY in answer.content.decode()
        assert "has to be 600 or less" in answer.content.decode()

    def test_extra_minutes_are_not_granted_to_somebody_of_another_study(self, study: Study) -> None:
        stranger = assignments_of(a_writing_study("other"))[0].participation
        answer = post(study, "writing_grant_minutes", study.slug, writer=stranger.pk, minutes=5, reason=WHY)
        assert answer.status_code == 400
        assert Participation.objects.get(pk=stranger.pk).extra_minutes == 0


class TestOutages:
    def test_outages_are_decided_about_for_the_answers_that_are_ticked(self, study: Study) -> None:
        ticked, other = (begin(assignments_of(study, writer=number)[0]) for number in (0, 1))
        for assignment in (ticked, other):
            pass_time(assignment, 10 * MINUTE)
        an_outage(minutes_ago=5)
        page = desk(study)
        assert len(re.findall(r'name="answers"\s+value="\d+"', page)) == 2
        began_at = re.search(r'name="began_at" value="([^"]+)"', page)
        assert began_at
        answer = post(
            study,
            "writing_decide_outage",
            study.slug,
            began_at=began_at[1],
            answers=[ticked.pk],
            decision="approve",
            reason=WHY,
        )
        assert "1 answer credited for the outage." in answer.content.decode()
        assert OutageCredit.objects.get().assignment == ticked
        assert len(re.findall(r'name="answers"\s+value="\d+"', answer.content.decode())) == 1

    def test_decisions_about_outages_need_a_reason_and_an_answer(self, study: Study) -> None:
        began_at = timezone.now().isoformat()
        answer = post(study, "writing_decide_outage", study.slug, began_at=began_at, decision="approve")
        assert answer.status_code == 400
        assert not OutageCredit.objects.exists()


class TestAnAnswer:
    @pytest.mark.parametrize(
        ("state", "offers"),
        [
            ("assigned", ["cancel"]),
            ("writing", ["pause", "grant-time", "cancel"]),
            ("submitted", ["reopen"]),
            ("lapsed", ["reopen", "cancel"]),
        ],
    )
    def test_the_page_of_an_answer_offers_what_can_be_done_in_its_state(
        self, assignment: WritingAssignment, state: str, offers: list[str]
    ) -> None:
        put(assignment, state)
        page = page_of(assignment)
        assert re.findall(rf'action="/writing/{assignment.pk}/([a-z-]+)/"', page) == offers

    def test_the_page_of_an_answer_offers_no_time_where_there_is_no_limit(self) -> None:
        assignment = begin(assignments_of(a_writing_study(writing_minutes=None))[0])
        assert f"/writing/{assignment.pk}/grant-time/" not in page_of(assignment)

    def test_the_page_of_an_answer_tells_what_happened_with_every_reason(
        self, assignment: WritingAssignment
    ) -> None:
        begin(assignment)
        post(assignment.study, "writing_pause", assignment.pk, reason=WHY)
        post(assignment.study, "writing_resume", assignment.pk, reason="All clear.")
        page = without_markup(page_of(assignment))
        coordinator = coordinator_of(assignment.study).name
        assert page.index(f"Paused, {coordinator} “{WHY}”") < page.index("“All clear.”")

    @pytest.mark.parametrize(
        ("state", "name", "fields", "done"),
        [
            ("writing", "writing_pause", {}, "The clock stands still."),
            ("writing", "writing_grant_time", {"minutes": 5}, "The deadline was moved."),
            ("submitted", "writing_reopen", {"minutes": 5}, "The answer is back with its writer."),
            ("lapsed", "writing_cancel", {}, "The assignment was withdrawn."),
        ],
    )
    def test_the_page_of_an_answer_does_what_it_offers(
        self, assignment: WritingAssignment, state: str, name: str, fields: dict[str, object], done: str
    ) -> None:
        put(assignment, state)
        answer = post(assignment.study, name, assignment.pk, reason=WHY, **fields)
        assert answer.redirect_chain == [(reverse("writing_answer", args=[assignment.pk]), 302)]
        assert done in answer.content.decode()

    def test_giving_an_answer_back_proposes_the_minutes_of_the_study_and_takes_some_where_there_is_a_limit(
        self, assignment: WritingAssignment
    ) -> None:
        put(assignment, "submitted")
        minutes = re.search(r'<input[^>]*name="minutes"[^>]*>', page_of(assignment))
        assert minutes
        assert f'value="{assignment.study.writing_minutes}"' in minutes[0]
        assert " required" in minutes[0]
        answer = post(assignment.study, "writing_reopen", assignment.pk, reason=WHY)
        assert answer.status_code == 400
        assert "Say how many minutes the writer has." in answer.content.decode()

    def test_the_page_of_an_answer_asks_again_for_a_reason_that_is_missing(
        self, assignment: WritingAssignment
    ) -> None:
        begin(assignment)
        answer = post(assignment.study, "writing_grant_time", assignment.pk, minutes=25)
        assert answer.status_code == 400
        assert 'value="25"' in answer.content.decode()
        assert "Say why, so that the decision can be understood later." in answer.content.decode()
        assignment.refresh_from_db()
        assert assignment.extra_seconds == 0

    def test_the_page_of_an_answer_says_why_something_is_refused(self, assignment: WritingAssignment) -> None:
        written(assignment)
        answer = post(assignment.study, "writing_pause", assignment.pk, reason=WHY)
        assert answer.status_code == 400
        assert "This answer is not being written." in answer.content.decode()

    def test_the_page_of_an_answer_in_a_closed_study_shows_facts_and_no_text(
        self, study: Study, assignment: WritingAssignment
    ) -> None:
        written(assignment, "A text of its own kind.")
        SideText.objects.create(
            assignment=assignment, pen_epoch=1, seq=1, text="Beside it.", received_at=timezone.now()
        )
        close_writing(study)
        page = page_of(assignment)
        # Quarantined texts are decided about now: nothing may tell that one of them is this writer's.
        assert sha256_hex("A text of its own kind.") not in page
        assert "6 words" not in without_markup(page)
        assert "Beside it." not in page
        assert "<form" not in page.split("</header>", 2)[2]
        history = client_of(study).get(reverse("writing_history", args=[assignment.pk]))
        assert history.status_code == 404


class TestLateTexts:
    def test_late_texts_stand_beside_the_held_text_with_their_differences_marked(
        self, assignment: WritingAssignment
    ) -> None:
        a_late_text(assignment, "One small step and the rest.", in_time="One big step")
        page = page_of(assignment)
        assert "<del>big </del>" in page
        assert "<ins>small </ins>" in page
        assert "<ins>and the rest.</ins>" in page
        assert "Held, 3 words" in without_markup(page)
        assert "Late text, 6 words" in without_markup(page)

    def test_late_texts_show_markup_as_text(self, assignment: WritingAssignment) -> None:
        a_late_text(
            assignment, "<script>alert(1)</script> is what I typed.", in_time="<b>Bold</b> is what I typed."
        )
        page = page_of(assignment)
        assert "<script>alert" not in page
        assert "<b>Bold" not in page
        assert "<ins>&lt;script&gt;alert(1)&lt;/script&gt; </ins>" in page

    @pytest.mark.parametrize(
        ("decision", "said", "tag"),
        [
            ("use", "The late text is the answer now.", "Used"),
            ("leave", "The late text is left aside.", "Left aside"),
        ],
    )
    def test_late_texts_are_decided_about_on_the_page(
        self, assignment: WritingAssignment, decision: str, said: str, tag: str
    ) -> None:
        late = a_late_text(assignment, "Late, and longer.", in_time="In time.")
        answer = post(assignment.study, "writing_decide_late", late.pk, decision=decision, reason=WHY)
        page = answer.content.decode()
        assert said in page
        assert f">{tag}<" in page
        assert f"/late-texts/{late.pk}/decide/" not in page

    def test_late_texts_of_an_answer_that_was_given_back_can_only_be_left(
        self, assignment: WritingAssignment
    ) -> None:
        a_late_text(assignment, "Late, and longer.", in_time="In time.")
        by = coordinator_of(assignment.study)
        assignment.refresh_from_db()
        writing_desk.reopen(assignment=assignment, minutes=5, reason=WHY, by=by)
        page = page_of(assignment)
        assert 'value="leave"' in page
        assert 'value="use"' not in page
