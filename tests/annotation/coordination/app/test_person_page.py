"""A member's page: what a coordinator sees of one person, and what they settle there."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from annotation.coordination.models.reminders import Reminder
from annotation.judging.models.judging import JudgingItem
from annotation.people.services import members, people
from annotation.study.models.participation import Consent, Participation, Profile, Role
from annotation.study.models.studies import Study
from annotation.writing.services import receipts
from tests.annotation.assignment.repairs import a_shared_study, repaired
from tests.answers import MINUTE, pass_time, put
from tests.clients import signed_in
from tests.factories import (
    a_judging_study,
    a_member,
    a_study,
    a_writing_study,
    assignments_of,
    coordinator_of,
    judging_items_of,
    members_of,
    opened,
    written,
)
from tests.judging import opened_an_hour_ago, submitted
from tests.pages import main_of

pytestmark = pytest.mark.django_db

WHY = "Has moved abroad."


@pytest.fixture
def study() -> Study:
    """Two prompts, BBQ_01 and HLE_02; two writers with both of them."""
    return a_writing_study(writers=2)


@pytest.fixture
def writer(study: Study) -> Participation:
    return members_of(study, Role.WRITER)[0]


def page_of(member: Participation) -> str:
    client = signed_in(coordinator_of(member.study))
    return client.get(reverse("person", args=[member.study.slug, member.pseudonym])).content.decode()


def words_of(member: Participation) -> str:
    return main_of(page_of(member))


def post(member: Participation, name: str, **fields: Any) -> Any:
    client = signed_in(coordinator_of(member.study))
    return client.post(reverse(name, args=[member.study.slug, member.pseudonym]), fields)


class TestThePage:
    def test_the_page_of_a_person_tells_who_they_are_and_not_what_they_think(self, writer: Participation) -> None:
        Profile.objects.filter(participation=writer).update(ideology={"taxes": 4}, country="Iceland")
        words = words_of(writer)
        assert f"{writer.pseudonym}, {writer.user.name}" in words
        assert writer.user.email in words
        assert "Consent Given version 5" in words
        assert "Profile Complete Doctorate in Sociology" in words
        assert "taxes" not in words
        assert "Iceland" not in words

    @pytest.mark.parametrize(
        ("lacks", "says"),
        [("consent", "Consent Missing"), ("profile", "Profile Missing"), ("years", "Profile Not eligible")],
    )
    def test_the_page_of_a_person_tells_what_is_missing(self, writer: Participation, lacks: str, says: str) -> None:
        if lacks == "consent":
            Consent.objects.filter(participation=writer).delete()
        elif lacks == "profile":
            Profile.objects.filter(participation=writer).delete()
        else:
            Profile.objects.filter(participation=writer).update(years_experience=1)
        assert says in words_of(writer)

    def test_the_page_of_a_person_lists_a_writers_answers_with_their_times_and_records(
        self, study: Study, writer: Participation
    ) -> None:
        """The first took 12 minutes; the second lapsed and is over, so that nothing is left."""
        first, second = assignments_of(study)
        written(first)
        pass_time(first, 12 * MINUTE)
        first.refresh_from_db()
        first.submitted_at = first.started_at + 12 * MINUTE if first.started_at else None
        first.save()
        put(second, "lapsed")
        page = page_of(writer)
        words = main_of(page)
        assert "1 submitted, 0 left" in words
        assert re.search(rf"1\. {first.prompt.code} , record of the answer Handed in .* 12 min", words)
        assert re.search(rf"2\. {second.prompt.code} , record of the answer Lapsed", words)
        assert reverse("writing_answer", args=[first.pk]) in page

    def test_the_page_of_a_person_lists_a_judges_items_with_their_times_and_no_scores(self) -> None:
        study = a_judging_study(1, 1, 2, prompts=2)
        first, second = judging_items_of(study)
        submitted(opened_an_hour_ago(opened(first)))
        judge, other = members_of(study, Role.JUDGE)
        JudgingItem.objects.filter(participation=other, prompt=second.prompt).update(replaces=second)
        words = words_of(judge)
        assert "1 submitted, 0 left" in words  # the other judge has taken the second one over
        assert re.search(rf"1\. {first.prompt.code} Submitted .* 1 h", words)
        assert f"2. {second.prompt.code} Not begun given to {other.pseudonym}" in words
        assert f"from {judge.pseudonym}" in words_of(other)
        assert "score" not in words.lower()

    def test_the_page_of_a_person_lists_what_was_mailed_and_what_became_of_it(
        self, study: Study, writer: Participation
    ) -> None:
        receipts.mail(assignment_id=written(assignments_of(study)[0]).pk)
        now, by = timezone.now(), coordinator_of(study)
        for subject, ending in (
            ("Your answers", {"sent_at": now}),
            ("Once more", {"skipped_at": now, "skipped_because": "A reminder went out a day before."}),
            ("Never mind", {"withdrawn_at": now, "withdrawn_by": by}),
            ("Soon", {}),
        ):
            Reminder.objects.create(
                participation=writer,
                subject=subject,
                body="…",
                due_at=now + timedelta(days=1),
                asked_by=by,
                **ending,
            )
        words = words_of(writer)
        assert f"Receipt for {assignments_of(study)[0].prompt.code}" in words
        assert "Reminder “Your answers”" in words
        assert "Reminder “Once more” Not sent A reminder went out a day before." in words
        assert f"Reminder “Never mind” Withdrawn By {by.name}" in words
        assert "Reminder “Soon” To be sent" in words

    def test_the_page_of_a_coordinator_has_no_work_and_no_limits(self) -> None:
        study = a_study()
        coordinator = members_of(study, Role.COORDINATOR)[0]
        page = page_of(coordinator)
        assert "Limits and preferences" not in page
        assert "submitted" not in main_of(page).lower()

    def test_the_page_of_a_person_shows_names_as_text(self, writer: Participation) -> None:
        writer.user.name = "<script>alert(1)</script>"
        writer.user.save()
        assert "<script>alert" not in page_of(writer)

    def test_the_page_of_a_person_is_none_of_another_study(self, study: Study) -> None:
        other = a_writing_study("other")
        stranger = a_member(other, Role.WRITER, pseudonym="W-ELSE")
        client = signed_in(coordinator_of(study))
        assert client.get(reverse("person", args=[study.slug, stranger.pseudonym])).status_code == 404


class TestLimits:
    def test_limits_of_a_person_are_saved_and_shown(self, writer: Participation) -> None:
        last = timezone.localdate() + timedelta(days=30)
        fields = {
            "institution": "University of Graz",
            "capacity": "2",
            "available_from": "2026-03-01",
            "available_until": str(last),
            "prefers": "BBQ; bbq_01",
            "excludes": "HLE",
        }
        assert post(writer, "person_limits", **fields).status_code == 302
        writer.refresh_from_db()
        assert (writer.capacity, writer.available_until) == (2, last)
        assert (writer.prefers, writer.excludes) == (["BBQ", "bbq_01"], ["HLE"])
        page = page_of(writer)
        assert 'value="BBQ; bbq_01"' in page
        assert f'value="{last}"' in page
        assert re.search(r"<details class=\"disclosure\"\s+open>\s*<summary>Limits and preferences", page)

    def test_limits_of_a_person_that_cannot_be_taken_come_back_as_they_were_filled_in(
        self, writer: Participation
    ) -> None:
        answer = post(writer, "person_limits", institution="Graz", prefers="Zoology")
        page = answer.content.decode()
        assert answer.status_code == 400
        assert "discipline “Zoology”" in page
        assert 'value="Graz"' in page
        assert 'value="Zoology"' in page

    def test_limits_of_a_person_name_the_field_that_is_wrong(self, writer: Participation) -> None:
        answer = post(writer, "person_limits", capacity="-1", prefers="x" * 81)
        assert "has to be 0 or more" in answer.content.decode()
        assert "These must be separated by semicolons" in answer.content.decode()

    def test_limits_below_what_somebody_has_lead_to_where_it_goes_to_others(self) -> None:
        """Three writers, 4 prompts × 2 answers; who takes one prompt has two or three, none begun."""
        study = a_writing_study(writers=3, prompts=4, answers_per_prompt=2)
        writer = members_of(study, Role.WRITER)[0]
        held = writer.writing_assignments.count()
        assert "not fit the limits" not in words_of(writer)
        assert post(writer, "person_limits", capacity="1").status_code == 302
        page = page_of(writer)
        assert f"{held - 1} of the prompts not begun" in main_of(page)
        assert f'href="{reverse("repair", args=[study.slug])}?task=writing"' in page

    def test_limits_that_exclude_what_somebody_has_begun_change_nothing(
        self, study: Study, writer: Participation
    ) -> None:
        first, second = assignments_of(study)
        written(first)
        post(writer, "person_limits", excludes=first.prompt.code)
        assert "not fit the limits" not in words_of(writer)
        post(writer, "person_limits", excludes=second.prompt.code)
        assert "1 of the prompts not begun does not fit the limits" in words_of(writer)


class TestLeaving:
    def test_leaving_leads_to_where_what_is_left_undone_is_given_to_others(
        self, study: Study, writer: Participation
    ) -> None:
        answer = post(writer, "person_leave", reason=WHY)
        repair = reverse("repair", args=[study.slug])
        assert answer["Location"] == f"{repair}?task=writing&leaves={writer.pseudonym}"
        words = words_of(writer)
        assert f"{writer.pseudonym} left the study on" in words
        assert f"“{WHY}”" in words
        assert "Give what they left undone to others" in words

    def test_leaving_leads_back_where_nothing_is_left_undone(self, study: Study, writer: Participation) -> None:
        for assignment in assignments_of(study):
            written(assignment)
        page = reverse("person", args=[study.slug, writer.pseudonym])
        assert post(writer, "person_leave", reason=WHY)["Location"] == page
        assert "left undone to others" not in words_of(writer)

    def test_leaving_needs_a_reason(self, writer: Participation) -> None:
        answer = post(writer, "person_leave")
        assert answer.status_code == 400
        assert "Say why, so that the decision can be understood later." in answer.content.decode()
        writer.refresh_from_db()
        assert writer.left_at is None

    def test_leaving_leaves_nothing_undone_once_others_have_taken_it_over(self) -> None:
        """Of four judges with two items each one submits one, begins the other, and leaves."""
        study = a_shared_study()
        first, second = judging_items_of(study)[:2]
        submitted(opened(first))
        opened(second)
        judge = members_of(study, Role.JUDGE)[0]
        assert "1 submitted, 1 left" in words_of(judge)
        assert f"Remind {judge.pseudonym}" in words_of(judge)
        repaired(study, leaves=[judge])
        judge.refresh_from_db()
        words = words_of(judge)
        assert "1 submitted, 0 left" in words
        assert "left undone to others" not in words
        assert f"Remind {judge.pseudonym}" not in words

    def test_leaving_is_refused_to_the_last_coordinator(self) -> None:
        coordinator = members_of(a_study(), Role.COORDINATOR)[0]
        answer = post(coordinator, "person_leave", reason=WHY)
        assert answer.status_code == 400
        assert "last coordinator" in answer.content.decode()

    def test_leaving_leads_a_coordinator_away(self) -> None:
        study = a_study()
        second = a_member(study, Role.COORDINATOR, pseudonym="C-TWO")
        client = signed_in(second.user)
        answer = client.post(reverse("person_leave", args=[study.slug, "C-TWO"]), {"reason": WHY})
        assert answer["Location"] == reverse("home")

    def test_leaving_can_be_undone(self, study: Study, writer: Participation) -> None:
        people.leave(participation=writer, reason=WHY, by=coordinator_of(study))
        assert post(writer, "person_come_back", reason="Back again.").status_code == 302
        writer.refresh_from_db()
        assert writer.left_at is None
        assert "Came back" in words_of(writer)


def test_a_withdrawal_is_pointed_out(writer: Participation) -> None:
    members.withdraw_consent(participation=writer, by=writer.user)
    words = words_of(writer)
    assert f"{writer.pseudonym} withdrew their consent on" in words
    assert "Consent Withdrawn" in words
    assert "Consent withdrawn" in words
