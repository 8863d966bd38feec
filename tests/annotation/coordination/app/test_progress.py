"""How far a study is: counted on small studies whose numbers are known, and shown to their coordinators."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from annotation.coordination.core.outlook import Outlook
from annotation.coordination.selectors.heat_map import heat_map
from annotation.coordination.selectors.pace import Course, course, paces
from annotation.coordination.selectors.progress import Phase, Stage, Work, work_of
from annotation.judging.models.judging import JudgingItem
from annotation.people.services import members, people
from annotation.study.models.participation import Consent, Participation, Profile, Role
from annotation.study.models.studies import Study
from annotation.texts.models.provenance import Stimulus
from annotation.writing.models import WritingAssignment
from tests.annotation.assignment.repairs import repaired
from tests.annotation.writing.desk import an_outage
from tests.answers import begin, pass_time, put
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
from tests.judging import submitted
from tests.pages import main_of

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


def writing_of(study: Study) -> Work:
    return work_of(study)[Phase.WRITING]


def judging_of(study: Study) -> Work:
    return work_of(study)[Phase.JUDGING]


def course_of(study: Study) -> Course:
    study.refresh_from_db()
    return course(work_of(study)[Phase(study.state)], study, now=timezone.now())


def page_of(study: Study, **headers: str) -> str:
    client = signed_in(coordinator_of(study))
    address = reverse("progress", args=[study.slug])
    return client.get(address, {"state": study.state}, headers=headers).content.decode()


def part(page: str, name: str) -> str:
    """What stands in the section of this id, in words."""
    return main_of(re.search(rf'id="{name}".*?</section>', page, re.DOTALL).group())  # type: ignore[union-attr]


def days_ago(study: Study, days: float) -> None:
    """Let the whole study have begun that much earlier."""
    gone = days * DAY
    Participation.objects.filter(study=study).update(joined_at=F("joined_at") - gone)
    Consent.objects.filter(participation__study=study).update(given_at=F("given_at") - gone)
    Profile.objects.filter(participation__study=study).update(completed_at=F("completed_at") - gone)
    with connection.cursor() as cursor:  # what was given out stays as it was, but time may not be waited for
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(
            "UPDATE annotation_workgivenout SET at = at - %s * interval '1 day' WHERE study_id = %s",
            [days, study.pk],
        )
        cursor.execute("SET LOCAL session_replication_role = DEFAULT")


def replaced(item: JudgingItem, by: Participation) -> JudgingItem:
    """The item that takes this one's place, with another judge."""
    return JudgingItem.objects.create(
        study=item.study,
        participation=by,
        prompt=item.prompt,
        prompt_version=item.prompt_version,
        position=JudgingItem.objects.filter(participation=by).count() + 1,
        replaces=item,
    )


class TestCounting:
    def test_progress_knows_every_stage_of_an_answer(self) -> None:
        """Of six answers two are in, one is being written, one lapsed, one was taken back and one waits."""
        study = a_writing_study(writers=2, prompts=3)
        first, second, third = assignments_of(study)
        fourth, fifth, _ = assignments_of(study, writer=1)
        written(first)
        written(fourth)
        put(second, "lapsed")
        put(fifth, "writing")
        WritingAssignment.objects.filter(pk=third.pk).update(state="cancelled")
        work = writing_of(study)
        assert (len(work.done), len(work.wanted), work.begun) == (2, 5, 1)
        assert [piece.id for piece in work.blocked] == [second.pk]
        stages = {piece.id: piece.stage for piece in work.pieces()}
        assert stages[third.pk] == Stage.WITHDRAWN
        assert sorted(stages.values()) == ["assigned", "begun", "lapsed", "submitted", "submitted", "withdrawn"]
        own, other = heat_map(work).rows
        assert (own.done, own.total) == (1, 2)
        assert (other.done, other.total) == (1, 3)

    def test_progress_counts_an_item_and_its_replacement_once(self) -> None:
        """Two judges and two prompts make four places, also where a third judge takes over two of them."""
        study = a_judging_study(1, 1, 2, prompts=2)
        late, taken_back = judging_items_of(study)
        helper = a_member(study, Role.JUDGE)
        opened(late)
        JudgingItem.objects.filter(pk=taken_back.pk).update(state="cancelled")
        replaced(late, helper)
        instead = replaced(taken_back, helper)
        work = judging_of(study)
        assert (len(work.done), len(work.wanted)) == (0, 4)
        assert len(work.left_by[helper.pseudonym]) == 2
        assert members_of(study, Role.JUDGE)[0].pseudonym not in work.left_by

        # The judge who was late submits all the same: the place is done, and stays one.
        submitted(late)
        work = judging_of(study)
        assert (len(work.done), len(work.wanted)) == (1, 4)
        assert [piece.id for piece in work.left_by[helper.pseudonym]] == [instead.pk]
        found = heat_map(work)
        assert sum(found.total.values()) == 4
        assert found.rows[0].pieces[late.prompt.code].stage == Stage.SUBMITTED
        assert found.rows[0].pieces[taken_back.prompt.code].stage == Stage.WITHDRAWN

    def test_progress_shows_an_item_that_was_given_to_somebody_else_as_taken_back(self) -> None:
        study = a_judging_study(1, 1, 1, prompts=1)
        [item] = judging_items_of(study)
        replaced(opened(item), a_member(study, Role.JUDGE))
        first, second = heat_map(judging_of(study)).rows
        assert (first.done, first.total) == (0, 0)
        assert (second.done, second.total) == (0, 1)

    def test_progress_prefers_what_was_assigned_anew_to_what_was_taken_back(self) -> None:
        study = a_writing_study(prompts=1)
        [answer] = assignments_of(study)
        WritingAssignment.objects.filter(pk=answer.pk).update(state="cancelled")
        answer.pk, answer.position = None, 2
        answer.save(force_insert=True)
        [row] = heat_map(writing_of(study)).rows
        assert row.pieces[answer.prompt.code].stage == Stage.ASSIGNED

    @pytest.mark.parametrize("goes", ["leaves", "withdraws"])
    def test_progress_calls_blocked_what_is_stuck_with_those_who_are_gone(self, goes: str) -> None:
        study = a_writing_study(writers=2, prompts=2)
        writer = members_of(study, Role.WRITER)[0]
        written(assignments_of(study)[0])
        if goes == "leaves":
            people.leave(participation=writer, reason="Moved abroad.", by=coordinator_of(study))
        else:
            members.withdraw_consent(participation=writer, by=writer.user)
        work = writing_of(study)
        # What somebody handed in stays when they leave, and goes with their consent.
        stuck = 1 if goes == "leaves" else 2
        assert [piece.person for piece in work.blocked] == [writer.pseudonym] * stuck
        assert (len(work.done), len(work.left), len(work.wanted)) == (2 - stuck, 2 + stuck, 4)

    def test_progress_wants_anew_what_goes_with_a_consent_until_somebody_else_is_given_it(self) -> None:
        """Of four answers one text is withdrawn and one that is being written ends: both places need somebody."""
        study = a_writing_study(writers=2, prompts=2)
        gone, _ = members_of(study, Role.WRITER)
        written(assignments_of(study)[0])
        begin(assignments_of(study)[1])
        members.withdraw_consent(participation=gone, by=gone.user)
        found = course_of(study)
        assert (found.done, found.blocked, found.total) == (0, 2, 4)
        assert f"{gone.pseudonym} {gone.user.name} : 2 answers undone" in part(page_of(study), "blocked")

        for assignment in assignments_of(study, writer=1):
            written(assignment)
        found = course_of(study)
        assert (found.done, found.blocked, found.total) == (2, 2, 4)
        assert sorted(heat_map(writing_of(study)).done.values()) == [1, 1]

        helper = a_member(study, Role.WRITER)
        repaired(study, leaves=[gone], joins=[helper])
        work = writing_of(study)
        assert (len(work.done), len(work.blocked), len(work.wanted)) == (2, 0, 4)
        assert {person: len(pieces) for person, pieces in work.left_by.items()} == {helper.pseudonym: 2}

    def test_progress_wants_nobody_else_for_what_goes_where_all_write_about_everything(self) -> None:
        study = a_writing_study(writers=2, prompts=2, every_writer_answers_every_prompt=True)
        gone = members_of(study, Role.WRITER)[0]
        written(assignments_of(study)[0])
        begin(assignments_of(study)[1])
        members.withdraw_consent(participation=gone, by=gone.user)
        work = writing_of(study)
        assert (len(work.done), len(work.blocked), len(work.wanted)) == (0, 0, 2)

    def test_progress_wants_anew_a_text_that_was_rejected(self) -> None:
        study = a_writing_study(writers=2, prompts=1)
        answer = written(assignments_of(study)[0])
        Stimulus.objects.filter(response=answer.response_id).update(state="rejected")
        work = writing_of(study)
        assert (len(work.done), [piece.id for piece in work.blocked], len(work.wanted)) == (0, [answer.pk], 2)


class TestTheCourse:
    def test_the_course_of_work_tells_the_pace_of_the_last_two_weeks(self) -> None:
        """Given out 20 days ago; 7 of 8 answers are in, 2 of them since more than 14 days: 5 in 14 days."""
        study = a_writing_study(writers=4, prompts=2)
        pieces = [assignment for number in range(4) for assignment in assignments_of(study, writer=number)]
        for assignment, ago in zip(pieces, (18, 15, 9, 8, 2, 1, 0), strict=False):
            pass_time(written(assignment), ago * DAY)
        days_ago(study, 20)
        found = course_of(study)
        assert (found.done, found.total) == (7, 8)
        assert found.per_day == pytest.approx(5 / 14)
        assert [day.number for day in found.days] == [0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1, 1, 1]

    def test_the_course_of_work_tells_the_pace_since_the_work_was_given_out_where_that_is_shorter(self) -> None:
        """Given out 4 days ago, 2 answers are in: one every two days."""
        study = a_writing_study(writers=1, prompts=3)
        for assignment in assignments_of(study)[:2]:
            written(assignment)
        days_ago(study, 4)
        assert course_of(study).per_day == pytest.approx(0.5, abs=0.001)

    def test_the_course_of_work_counts_for_each_person_the_days_on_which_they_could_work(self) -> None:
        """Of 10 days: all; 6 up to the last answer; 3 between first and last day with time; none before consent."""
        study = a_writing_study(writers=4, prompts=1)
        first, second, third, fourth = members_of(study, Role.WRITER)
        pass_time(written(assignments_of(study, writer=1)[0]), 4 * DAY)
        days_ago(study, 10)
        now, today = timezone.now(), timezone.localdate()
        Participation.objects.filter(pk=third.pk).update(
            available_from=today - 5 * DAY, available_until=today - 3 * DAY
        )
        Consent.objects.filter(participation=fourth).delete()
        days = {pace.person: round(pace.days, 2) for pace in paces(writing_of(study), now)}
        members_in_order = [member.pseudonym for member in (first, second, third, fourth)]
        assert [days[name] for name in members_in_order] == [10, 6, 3, 0]

    def test_the_course_of_work_is_on_time_late_or_not_by_the_due_day(self) -> None:
        study = a_writing_study(writers=2, prompts=4)
        for number in range(2):
            for ago, assignment in enumerate(assignments_of(study, writer=number)[:3], start=1):
                pass_time(written(assignment), ago * DAY)
        days_ago(study, 6)
        assert course_of(study).outlook == Outlook.OPEN
        today = timezone.localdate()
        Study.objects.update(writing_due_on=today + 300 * DAY)
        found = course_of(study)
        assert found.outlook == Outlook.ON_TIME
        assert found.expected
        assert timezone.now() < found.expected.earliest <= found.expected.at <= found.expected.latest
        assert "On time" in main_of(page_of(study))
        Study.objects.update(writing_due_on=today - DAY)
        assert course_of(study).outlook == Outlook.LATE

    def test_the_course_of_work_is_not_late_on_the_due_day_itself(self) -> None:
        study = a_writing_study(writing_due_on=timezone.localdate())
        assert course_of(study).outlook == Outlook.UNKNOWN

    def test_the_course_of_work_says_why_nothing_can_be_expected_yet(self) -> None:
        study = a_writing_study(writing_due_on=timezone.localdate() + 30 * DAY)
        found = course_of(study)
        assert found.expected is None
        assert found.undefined
        page = main_of(page_of(study))
        assert "Not known yet" in page
        assert found.undefined in page

    def test_the_course_of_finished_work_says_since_when(self) -> None:
        study = a_writing_study(prompts=1)
        written(assignments_of(study)[0])
        assert course_of(study).outlook == Outlook.DONE
        assert "all since" in main_of(page_of(study))


class TestThePage:
    def test_the_progress_page_of_a_new_study_says_what_comes(self) -> None:
        words = main_of(page_of(a_study()))
        assert "Nothing is assigned yet" in words
        assert "Nothing waits for your decision" in words

    def test_the_progress_page_has_a_row_for_each_person_and_a_column_for_each_prompt(self) -> None:
        study = a_writing_study(writers=2, prompts=2)
        mine = written(assignments_of(study)[0])
        writer = mine.participation
        page = page_of(study)
        table = re.search(r'<table id="map-writing".*?</table>', page, re.DOTALL)
        assert table
        head, *rows = re.findall(r"<tr>.*?</tr>", table.group())
        assert main_of(head) == "Person Done BBQ_01 HLE_02"
        row = next(row for row in rows if writer.pseudonym in row)
        assert reverse("person", args=[study.slug, writer.pseudonym]) in row
        record = reverse("writing_answer", args=[mine.pk])
        assert re.search(rf'<a [^>]*href="{record}" aria-label="submitted">S</a>', row)
        assert 'aria-label="assigned, not begun">A</a>' in row
        done, total = (main_of(row).split() for row in rows[-2:])
        assert (done[:2], sorted(done[2:]), total) == (["Done", "1"], ["0", "1"], ["of", "4", "2", "2"])

    def test_the_progress_page_shows_names_and_codes_as_text(self) -> None:
        study = a_writing_study()
        writer = members_of(study, Role.WRITER)[0].user
        writer.name = "<script>alert(1)</script>"
        writer.save()
        assert "<script>alert" not in page_of(study)

    def test_the_progress_page_refreshes_its_parts_and_asks_for_a_new_page_in_another_state(self) -> None:
        study = a_writing_study()
        refreshed = page_of(study, **{"HX-Request": "true"})
        assert "<html" not in refreshed
        ids = re.search(r'hx-select-oob="([^"]+)"', refreshed)
        assert ids
        there = [name for name in ids[1].split(",") if f'id="{name[1:]}"' in refreshed]
        assert there == ["#as-of", "#courses", "#models", "#blocked", "#at-risk", "#map-writing"]
        client = signed_in(coordinator_of(study))
        address = reverse("progress", args=[study.slug])
        stale = client.get(address, {"state": "design"}, headers={"HX-Request": "true"})
        assert stale["HX-Refresh"] == "true"

    def test_the_progress_page_tells_no_score_no_source_and_no_kind_of_item(self) -> None:
        """Neither it nor a person's page so much as asks for them."""
        study = a_judging_study(2, 2, 2, prompts=3, quality_floor_prompts=1, source_attribution_prompts=1)
        submitted(judging_items_of(study)[0])
        judge = members_of(study, Role.JUDGE)[0].pseudonym
        client = signed_in(coordinator_of(study))
        for address in (reverse("progress", args=[study.slug]), reverse("person", args=[study.slug, judge])):
            with CaptureQueriesContext(connection) as queries:
                page = client.get(address).content.decode()
            asked = " ".join(query["sql"] for query in queries)
            assert judge in page
            assert not re.findall(r"annotation_(score|rankedslot|guess|blindedslot|itemplan|promptplan)", asked)
            assert "source_code" not in asked
            assert "family-" not in page


class TestTheNumberOfQueries:
    def queries(self, study: Study) -> int:
        client = signed_in(coordinator_of(study))
        with CaptureQueriesContext(connection) as queries:
            client.get(reverse("progress", args=[study.slug]))
        return len(queries)

    def busy(self, slug: str, **size: Any) -> Study:
        study = a_writing_study(slug, **size)
        for number in range(size["writers"]):
            begin(assignments_of(study, writer=number)[0])
        return study

    def test_the_number_of_queries_does_not_grow_with_the_study(self) -> None:
        few, many = self.busy("few", writers=1, prompts=1), self.busy("many", writers=5, prompts=4)
        an_outage(minutes_ago=3)
        assert self.queries(few) == self.queries(many) <= 26

    def test_the_number_of_queries_is_as_small_while_judging(self) -> None:
        study = a_judging_study(1, 1, 3, prompts=3)
        item = opened(judging_items_of(study)[0])
        JudgingItem.objects.filter(pk=item.pk).update(state="lapsed")
        assert self.queries(study) <= 20
