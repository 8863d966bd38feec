"""What is blocked or at risk in a study, as its progress tells it."""

import re
from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils import timezone

from annotation.judging.models.judging import JudgingItem
from annotation.people.services import members, people
from annotation.platform.models.work import Task
from annotation.study.models.participation import Consent, Participation, Profile, Role
from annotation.study.models.studies import Study
from annotation.texts.models.provenance import Arm, Stimulus
from annotation.texts.services import intake
from annotation.writing.core.work_kinds import FINALISE_WRITING
from annotation.writing.models import WritingAssignment
from generation.calls.services import runs
from scrub_site.jobs import KINDS
from tests.annotation.coordination.app.test_progress import DAY, days_ago, page_of, part
from tests.annotation.writing.desk import a_late_text, an_outage
from tests.answers import MINUTE, begin, pass_time, put
from tests.factories import (
    a_judging_study,
    a_member,
    a_writing_study,
    assignments_of,
    coordinator_of,
    judging_items_of,
    members_of,
    opened,
    written,
)
from tests.generation.calls.model_runs import CAP, a_target, planned

pytestmark = pytest.mark.django_db


class TestWhatIsBlocked:
    def test_nothing_is_blocked_where_all_is_well(self) -> None:
        page = page_of(a_writing_study())
        assert part(page, "blocked").endswith("Nothing waits for your decision")
        assert part(page, "at-risk").endswith("Nothing is falling behind")

    def test_decisions_about_late_texts_quarantine_and_outages_are_told_as_blocked(self) -> None:
        study = a_writing_study(writers=2)
        late = a_late_text(assignments_of(study)[0], "Late, and longer.", in_time="In time.")
        begin(assignments_of(study, writer=1)[0])
        pass_time(assignments_of(study, writer=1)[0], 10 * MINUTE)
        an_outage(minutes_ago=9)
        for family in ("family-1", "family-2"):
            intake.admit(
                study=study,
                prompt=late.assignment.prompt,
                text="As an AI language model, I cannot have an opinion on towns.",
                arm=Arm.MODEL,
                source_code=family,
                by=None,
            )
        page = page_of(study)
        words = part(page, "blocked")
        writer = late.assignment.participation.pseudonym
        assert re.search(rf"Texts that came late 1 {late.assignment.prompt.code} by {writer} : arrived", words)
        assert "Texts in quarantine 2 2 texts : may tell who, or what, wrote them" in words
        assert "2 answers lost time, undecided" in words
        assert reverse("writing_answer", args=[late.assignment_id]) + "#late" in page

    def test_people_who_withdrew_or_left_with_work_undone_are_told_as_blocked(self) -> None:
        study = a_writing_study(writers=2, prompts=2)
        gone, withdrawn = members_of(study, Role.WRITER)
        written(assignments_of(study)[0])
        people.leave(participation=gone, reason="Moved abroad.", by=coordinator_of(study))
        members.withdraw_consent(participation=withdrawn, by=withdrawn.user)
        page = page_of(study)
        words = part(page, "blocked")
        assert f"Consent withdrawn 1 {withdrawn.pseudonym} {withdrawn.user.name} : 2 answers undone" in words
        assert f"Left with work undone 1 {gone.pseudonym} {gone.user.name} : has left, 1 answer undone" in words
        assert reverse("repair", args=[study.slug]) in page
        assert "Blocked" in part(page, "courses")

    def test_runs_that_wait_or_failed_are_told_as_blocked(self) -> None:
        study = a_writing_study()
        a_target(study)
        run = planned(study)
        assert f"Run {run.number} : is planned and not started, 2 answers missing" in part(
            page_of(study), "blocked"
        )
        runs.start_run(run=run, spend_cap=CAP, by=coordinator_of(study))
        assert part(page_of(study), "blocked").endswith("Nothing waits for your decision")
        runs.stop_run(run=run, reason="Wrong key.", by=coordinator_of(study))
        assert f"Run {run.known_as} : is stopped, 2 answers missing" in part(page_of(study), "blocked")

    def test_work_of_the_site_that_gave_up_on_this_study_is_told_as_blocked(self) -> None:
        study, other = a_writing_study(), a_writing_study("other")
        mine, others = assignments_of(study)[0], assignments_of(other)[0]
        now = timezone.now()
        for assignment in (mine, others):
            Task.objects.create(kind=FINALISE_WRITING, subject=str(assignment.pk), due_at=now, gave_up_at=now)
        says = f"{mine.prompt.code} by {mine.participation.pseudonym} : was not handed in when its time was up"
        assert says in part(page_of(study), "blocked")
        Task.objects.create(kind=FINALISE_WRITING, subject=str(mine.pk), due_at=now, done_at=now)
        assert "gave up" not in part(page_of(study), "blocked")

    def test_what_is_blocked_covers_every_kind_of_work_that_there_is(self) -> None:
        study = a_writing_study()
        for kind in KINDS.values():
            model = kind.rows.model if kind.rows else Task
            subject = {Study: str(study.pk), Stimulus: str(uuid4())}.get(model, "0")
            Task.objects.create(kind=kind.name, subject=subject, due_at=timezone.now(), gave_up_at=timezone.now())
        words = part(page_of(study), "blocked")
        assert "The site gave up: ask its administrator 2" in words, "the rows of all others are of no study"
        assert "The trial study : the accounts of its unblinders were not looked at" in words
        assert "Somebody who withdrew : is still in files of releases" in words


class TestWhatIsAtRisk:
    def test_people_who_cannot_begin_are_told_as_at_risk(self) -> None:
        study = a_writing_study(writers=3)
        first, second, third = members_of(study, Role.WRITER)
        Consent.objects.filter(participation=first).delete()
        Profile.objects.filter(participation=second).delete()
        Profile.objects.filter(participation=third).update(years_experience=1)
        judge = a_member(study, Role.JUDGE, ready=False)
        words = part(page_of(study), "at-risk")
        assert (
            f"Cannot begin yet 4 {first.pseudonym} {first.user.name} : has not agreed to the consent form" in words
        )
        assert f"{second.pseudonym} {second.user.name} : has not filled in the profile" in words
        assert f"{third.pseudonym} {third.user.name} : does not meet the study’s rule" in words
        assert f"{judge.pseudonym} {judge.user.name} : has not agreed" in words

    def test_people_who_submitted_nothing_for_a_week_are_told_as_at_risk(self) -> None:
        """One rests for 8 days since their last answer, one for 6; a third has nothing left to do."""
        study = a_writing_study(writers=3, prompts=2)
        for number, ago in ((0, 8), (1, 6)):
            pass_time(written(assignments_of(study, writer=number)[0]), ago * DAY)
        for assignment in assignments_of(study, writer=2):
            pass_time(written(assignment), 9 * DAY)
        days_ago(study, 10)
        idle = members_of(study, Role.WRITER)[0]
        words = part(page_of(study), "at-risk")
        says = f"{idle.pseudonym} {idle.user.name} : nothing submitted for 8 days, 1 left"
        assert f"Idle 1 {says} Remind them" in words

    def test_nobody_is_idle_outside_the_time_they_have(self) -> None:
        study = a_writing_study(writers=2)
        days_ago(study, 10)
        early, over = members_of(study, Role.WRITER)
        today = timezone.localdate()
        Participation.objects.filter(pk=early.pk).update(available_from=today - 3 * DAY)
        Participation.objects.filter(pk=over.pk).update(available_until=today - DAY)
        words = part(page_of(study), "at-risk")
        assert "Idle" not in words
        assert f"No longer available 1 {over.pseudonym} {over.user.name} : had time until" in words
        Participation.objects.update(available_from=None, available_until=None)
        assert "Idle 2" in part(page_of(study), "at-risk")

    def test_answers_that_lapsed_and_items_left_lying_are_told_as_at_risk(self) -> None:
        study = a_writing_study()
        lapsed = put(assignments_of(study)[0], "lapsed")
        page = page_of(study)
        assert f"{lapsed.prompt.code} by {lapsed.participation.pseudonym} : time ran out" in part(page, "at-risk")
        assert reverse("writing_answer", args=[lapsed.pk]) in page

        judged = a_judging_study(1, 1, 1, slug="judged", prompts=2)
        item = opened(judging_items_of(judged)[0])
        JudgingItem.objects.filter(pk=item.pk).update(state="lapsed")
        judge = item.participation
        words = part(page_of(judged), "at-risk")
        assert f"Stalled items 1 {judge.pseudonym} {judge.user.name} : item 1, not touched since" in words

    def test_prompts_that_will_lack_answers_are_told_as_at_risk(self) -> None:
        """Two answers to each of two prompts: one of the first was taken back, one text of the second rejected."""
        study = a_writing_study(writers=2, prompts=2)
        first, second = assignments_of(study)
        WritingAssignment.objects.filter(pk=first.pk).update(state="cancelled")
        text = written(second).response
        Stimulus.objects.filter(pk=text.pk if text else None).update(state="quarantined")
        words = part(page_of(study), "at-risk")
        assert f"Prompts short of answers 1 {first.prompt.code} : 1 of 2 answers there or under way" in words
        Stimulus.objects.update(state="rejected")
        page = page_of(study)
        assert f"{second.prompt.code} : 1 of 2 answers" not in part(page, "at-risk")
        told = f"Rejected answers 1 {second.prompt.code} by {second.participation.pseudonym}"
        assert told in part(page, "blocked")

    def test_prompts_that_will_lack_ratings_are_told_as_at_risk(self) -> None:
        study = a_judging_study(1, 1, 2, prompts=2)
        item = judging_items_of(study)[0]
        JudgingItem.objects.filter(pk=item.pk).update(state="cancelled")
        words = part(page_of(study), "at-risk")
        assert f"Prompts short of ratings 1 {item.prompt.code} : 1 of 2 ratings given or under way" in words
