"""What a coordinator does about writing while it goes on: every verb with a reason, and nothing of a text lost."""

import pytest
from django.utils import timezone

from annotation.assignment.services import designing
from annotation.platform.core.errors import Refused
from annotation.platform.models.audit import AuditEvent
from annotation.platform.models.work import Task
from annotation.study.models.participation import Consent, Role
from annotation.study.models.responses import Response
from annotation.texts.models.provenance import Stimulus
from annotation.texts.services import intake
from annotation.writing.core.work_kinds import FINALISE_WRITING
from annotation.writing.models import WritingAssignment
from annotation.writing.services import writing_desk
from annotation.writing.services.drafts import Status
from tests.annotation.writing.desk import (
    WHY,
    a_late_text,
    act,
    cancel,
    deadline_of,
    decide,
    draft_of,
    pause,
    reopen,
    response_of,
    resume,
    state_of_text,
    time_for,
)
from tests.answers import (
    MINUTE,
    SECOND,
    begin,
    finalise,
    pass_time,
    put,
    run_out,
    save,
    start,
    submit,
    take_pen,
    text_of,
    verbs_of,
)
from tests.factories import a_member, a_writing_study, an_essay, assignments_of, coordinator_of, written

pytestmark = pytest.mark.django_db


class TestPausing:
    def test_pausing_lets_the_clock_stand_still_and_still_takes_what_is_on_its_way(
        self, assignment: WritingAssignment
    ) -> None:
        begin(assignment)
        pause(assignment)
        assert draft_of(assignment).closes_at is None
        assert save(assignment, 1, "on its way")[0] == Status.SAVED

    def test_pausing_is_outlasted_by_the_deadline(self, assignment: WritingAssignment) -> None:
        """Paused for two hours after 10 of 30 minutes, the answer has 20 left."""
        begin(assignment)
        pass_time(assignment, 10 * MINUTE)
        pause(assignment)
        pass_time(assignment, 120 * MINUTE)
        assert finalise(assignment).state == "writing"
        assert resume(assignment).paused_at is None
        left = deadline_of(assignment) - timezone.now()
        assert 20 * MINUTE - 5 * SECOND < left < 20 * MINUTE + 5 * SECOND
        assert draft_of(assignment).closes_at == deadline_of(assignment) + 10 * SECOND

    def test_pausing_lets_the_clock_hand_in_afterwards(self, assignment: WritingAssignment) -> None:
        begin(assignment)
        save(assignment, 1, an_essay())
        pause(assignment)
        finalise(assignment)
        resume(assignment)
        task = Task.objects.get(kind=FINALISE_WRITING, subject=str(assignment.pk), done_at=None)
        assert task.due_at <= deadline_of(assignment) + 10 * SECOND
        run_out(assignment)
        assert finalise(assignment).submitted_by_clock

    def test_pausing_twice_is_pausing_once(self, assignment: WritingAssignment) -> None:
        begin(assignment)
        first = pause(assignment).paused_at
        assert pause(assignment).paused_at == first
        resume(assignment)
        resume(assignment)
        assert verbs_of(assignment) == ["writing.started", "writing.paused", "writing.resumed"]

    def test_pausing_of_untimed_writing_moves_no_deadline(self) -> None:
        assignment = begin(assignments_of(a_writing_study(writing_minutes=None))[0])
        pause(assignment)
        assert resume(assignment).deadline_at is None

    def test_pausing_comes_too_late_when_time_is_up(self, assignment: WritingAssignment) -> None:
        begin(assignment)
        run_out(assignment)
        with pytest.raises(Refused, match="Time is up"):
            pause(assignment)

    def test_pausing_does_not_keep_a_writer_from_handing_in(self, assignment: WritingAssignment) -> None:
        begin(assignment)
        save(assignment, 1, an_essay())
        pause(assignment)
        assert submit(assignment).state == "submitted"


class TestExtraTime:
    def test_extra_time_moves_the_deadline_of_a_running_answer_and_its_last_moment_with_it(
        self, assignment: WritingAssignment
    ) -> None:
        before = deadline_of(begin(assignment))
        act(writing_desk.grant_time, assignment, seconds=300)
        assert deadline_of(assignment) == before + 5 * MINUTE
        assert assignment.extra_seconds == 300
        assert draft_of(assignment).closes_at == before + 5 * MINUTE + 10 * SECOND

    def test_extra_time_outlasts_a_pause(self, assignment: WritingAssignment) -> None:
        before = deadline_of(begin(assignment))
        pause(assignment)
        act(writing_desk.grant_time, assignment, seconds=60)
        assert (deadline_of(assignment), draft_of(assignment).closes_at) == (before + MINUTE, None)

    @pytest.mark.parametrize("seconds", [0, -60, 36_001])
    def test_extra_time_is_between_a_second_and_ten_hours(
        self, assignment: WritingAssignment, seconds: int
    ) -> None:
        begin(assignment)
        with pytest.raises(Refused, match="1 to 600 minutes"):
            act(writing_desk.grant_time, assignment, seconds=seconds)

    def test_extra_time_means_nothing_without_a_limit(self) -> None:
        assignment = begin(assignments_of(a_writing_study(writing_minutes=None))[0])
        with pytest.raises(Refused, match="no time limit"):
            act(writing_desk.grant_time, assignment, seconds=60)

    def test_extra_time_granted_to_a_person_counts_for_answers_not_yet_started(
        self, assignment: WritingAssignment
    ) -> None:
        first, second = assignments_of(assignment.study)
        before = deadline_of(begin(first))
        writer = first.participation
        by = coordinator_of(assignment.study)
        writing_desk.grant_minutes(participation=writer, minutes=15, reason=WHY, by=by)
        assert deadline_of(first) == before
        save(first, 1, an_essay())
        submit(first)
        assert time_for(start(second)) == 45 * MINUTE
        event = AuditEvent.objects.get(verb="writing.minutes_granted")
        assert (event.subject, event.detail) == (
            writer.pseudonym,
            {"reason": WHY, "minutes": 15, "before": 0},
        )

    @pytest.mark.parametrize("minutes", [-1, 601])
    def test_extra_time_granted_to_a_person_has_bounds(self, assignment: WritingAssignment, minutes: int) -> None:
        by = coordinator_of(assignment.study)
        with pytest.raises(Refused, match="0 to 600"):
            writing_desk.grant_minutes(participation=assignment.participation, minutes=minutes, reason=WHY, by=by)

    def test_extra_time_is_for_writers_of_timed_studies(self, assignment: WritingAssignment) -> None:
        judge = a_member(assignment.study, Role.JUDGE)
        untimed = assignments_of(a_writing_study("untimed", writing_minutes=None))[0].participation
        by = coordinator_of(assignment.study)
        for participation, complaint in ((judge, "does not write"), (untimed, "no time limit")):
            with pytest.raises(Refused, match=complaint):
                writing_desk.grant_minutes(participation=participation, minutes=5, reason=WHY, by=by)


class TestReopening:
    def test_reopening_gives_the_text_back_with_the_time_allowed_from_the_new_start(
        self, assignment: WritingAssignment
    ) -> None:
        begin(assignment)
        save(assignment, 1, "So far and")
        submit(assignment)
        reopen(assignment, minutes=7)
        assert (assignment.state, assignment.response, assignment.deadline_at) == ("assigned", None, None)
        assert text_of(assignment) == "So far and"
        assert time_for(start(assignment)) == 7 * MINUTE
        epoch = take_pen(assignment).pen_epoch
        assert save(assignment, 1, "So far and no further.", epoch=epoch)[0] == Status.SAVED
        assert response_of(submit(assignment)).text == "So far and no further."

    @pytest.mark.parametrize(
        ("text", "before", "after"),
        [
            (an_essay(), "admitted", "rejected"),
            ("By Writer 1 trial myself.", "quarantined", "rejected"),  # the writer's own name
        ],
    )
    def test_reopening_takes_the_text_that_was_handed_in_out_of_the_study(
        self, assignment: WritingAssignment, text: str, before: str, after: str
    ) -> None:
        response = response_of(written(assignment, text))
        assert state_of_text(response) == before
        reopen(assignment)
        assert state_of_text(response) == after

    def test_reopening_leaves_a_text_that_was_rejected_or_withdrawn_as_it_is(
        self, assignment: WritingAssignment
    ) -> None:
        first, second = assignments_of(assignment.study)
        rejected, withdrawn = response_of(written(first)), response_of(written(second))
        by = coordinator_of(assignment.study)
        stimulus = Stimulus.objects.get(pk=rejected.pk)
        intake.decide(stimulus=stimulus, verb="reject", reason="Not an answer.", by=by)
        Stimulus.objects.filter(pk=withdrawn.pk).update(state="withdrawn")
        reopen(first)
        reopen(second)
        assert (state_of_text(rejected), state_of_text(withdrawn)) == ("rejected", "withdrawn")

    def test_reopening_gives_a_lapsed_answer_another_chance(self, assignment: WritingAssignment) -> None:
        put(assignment, "lapsed")
        assert reopen(assignment).state == "assigned"
        assert start(assignment).state == "writing"

    def test_reopening_clears_what_belonged_to_the_submission_and_keeps_what_the_writer_said(
        self, assignment: WritingAssignment
    ) -> None:
        written(assignment)
        WritingAssignment.objects.filter(pk=assignment.pk).update(
            feedback="Hard.", process_comment="I dictated.", proposed_rewrite="Why?"
        )
        reopen(assignment)
        assert (assignment.submitted_at, assignment.confirmed_at, assignment.started_at) == (None, None, None)
        assert not assignment.submitted_by_clock
        assert (assignment.feedback, assignment.process_comment) == ("Hard.", "I dictated.")
        assert assignment.proposed_rewrite == "Why?"

    def test_reopening_lets_the_next_window_write_without_taking_over(self, assignment: WritingAssignment) -> None:
        written(assignment)
        reopen(assignment)
        assert draft_of(assignment).pen_holder == ""

    def test_reopening_keeps_late_texts_to_be_decided(self, assignment: WritingAssignment) -> None:
        late = a_late_text(assignment, in_time="In time.")
        reopen(assignment)
        with pytest.raises(Refused, match="This one is neither"):
            decide(late, use=True)
        assert decide(late, use=False).state == "assigned"

    def test_reopening_needs_minutes_where_the_study_has_a_limit(self, assignment: WritingAssignment) -> None:
        written(assignment)
        with pytest.raises(Refused, match="how many minutes"):
            reopen(assignment, minutes=None)
        with pytest.raises(Refused, match="1 to 600 minutes"):
            reopen(assignment, minutes=0)

    def test_reopening_of_untimed_writing_sets_no_limit(self) -> None:
        assignment = written(assignments_of(a_writing_study(writing_minutes=None))[0])
        reopen(assignment, minutes=None)
        assert start(assignment).deadline_at is None

    def test_reopening_is_not_for_somebody_who_left_or_withdrew(self, assignment: WritingAssignment) -> None:
        written(assignment)
        Consent.objects.update(withdrawn_at=timezone.now())
        with pytest.raises(Refused, match="withdrawn their consent"):
            reopen(assignment)

    @pytest.mark.parametrize("state", ["assigned", "writing"])
    def test_reopening_is_for_answers_that_are_over(self, assignment: WritingAssignment, state: str) -> None:
        put(assignment, state)
        with pytest.raises(Refused, match="applies only"):
            reopen(assignment)


class TestTakingBack:
    @pytest.mark.parametrize("state", ["assigned", "writing", "lapsed"])
    def test_taking_an_answer_back_ends_an_answer_that_is_not_handed_in(
        self, assignment: WritingAssignment, state: str
    ) -> None:
        put(assignment, state)
        assert cancel(assignment).state == "cancelled"
        assert not Task.objects.filter(kind=FINALISE_WRITING, done_at=None).exists()

    def test_taking_an_answer_back_keeps_what_was_written_and_takes_no_more(
        self, assignment: WritingAssignment
    ) -> None:
        begin(assignment)
        save(assignment, 1, "Half a thought")
        cancel(assignment)
        assert save(assignment, 2, "Half a thought, and the rest")[0] == Status.CLOSED
        assert text_of(assignment) == "Half a thought"
        assert not Response.objects.exists()

    def test_taking_an_answer_back_ends_a_pause(self, assignment: WritingAssignment) -> None:
        begin(assignment)
        pause(assignment)
        assert cancel(assignment).paused_at is None

    def test_taking_an_answer_back_lets_writing_be_closed_when_an_untimed_answer_was_left_lying(self) -> None:
        assignment = begin(assignments_of(a_writing_study(writing_minutes=None))[0])
        study, by = assignment.study, coordinator_of(assignment.study)
        with pytest.raises(Refused, match="1 answer is being written at this moment"):
            designing.close_writing(study=study, by=by)
        cancel(assignment)
        designing.close_writing(study=study, by=by)
        assert study.state == "assembling"

    def test_taking_an_answer_back_is_not_for_answers_that_are_handed_in(
        self, assignment: WritingAssignment
    ) -> None:
        written(assignment)
        with pytest.raises(Refused, match="applies only"):
            cancel(assignment)
