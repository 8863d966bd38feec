"""The database itself refuses what a study must never hold, whatever program writes.

Every named constraint has a line in `RULES`: one that is added without a line fails the last test of them.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.apps import apps
from django.db import IntegrityError, connection, transaction
from django.db.models import F, Model
from django.utils import timezone

from analysis.models.ceremony import Release, UnblindingRequest
from annotation.models.allocation import HumanSet, ItemPlan, PromptPlan, Stimulus, TextEdit
from annotation.models.audit import AuditEvent, AuditSeal
from annotation.models.honoraria import Payment
from annotation.models.judging import BlindedSlot, Guess, JudgingItem, RankedSlot, Score
from annotation.models.participation import Invitation, Participation, Profile, Role
from annotation.models.people import User
from annotation.models.prompts import Prompt, PromptVersion
from annotation.models.reading import Dwell, Mark
from annotation.models.reminders import Reminder
from annotation.models.responses import Response
from annotation.models.seeds import StudySeed
from annotation.models.studies import Rubric, Study
from annotation.models.uptime import OutageCredit, UpPeriod
from annotation.models.work import Task
from annotation.models.writing import DraftRevision, LateText, SideText, WritingAssignment
from annotation.services import audit
from generation.models.panel import PanelScore
from generation.models.runs import (
    Attempt,
    Call,
    GenerationRun,
    GivenText,
    OutcomeCount,
    ProviderBatch,
    RunShare,
)
from generation.models.sources import Scenario
from generation.models.targets import StudyTemplate, Target
from tests.every_table import a_study_in_judging, a_study_in_writing
from tests.factories import a_person

pytestmark = pytest.mark.django_db

PACKAGES = ("annotation", "generation", "analysis")
# What other constraints refer to; a row's own id makes it true by itself.
TRUE_BY_THE_KEY = {"participation_identity"}
# What another constraint refuses before it is looked at: here that an amount of 0 neither pays nor reverses.
TRUE_BY_ANOTHER = {"payment_is_of_something"}


@pytest.fixture(scope="module", autouse=True)
def world(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """Two studies, one in writing and one in judging, with a row in every table; gone after the last test."""
    with django_db_blocker.unblock(), transaction.atomic():
        a_study_in_writing()
        a_study_in_judging()
        assert audit.seal()
        yield
        transaction.set_rollback(True)


@contextmanager
def refused_by(rule: str) -> Iterator[None]:
    with pytest.raises(IntegrityError, match=rf"\b{rule}\b"), transaction.atomic():
        yield


# -- one line for each constraint ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Rule:
    """A constraint, and a change of the first row that `where` finds (or of a copy of it) that breaks it.

    A value that is a function is given the row.
    """

    constraint: str
    model: type[Model]
    changes: dict[str, Any]
    where: dict[str, Any]
    copy: bool

    def break_it(self) -> None:
        row = self.model._default_manager.filter(**self.where)[:1].get()
        values = {name: value(row) if callable(value) else value for name, value in self.changes.items()}
        if self.copy:
            row.pk = uuid4() if self.model is BlindedSlot else None
            row._state.adding = True
            for name, value in values.items():
                setattr(row, name, value)
            row.save(force_insert=True)
        else:
            self.model._default_manager.filter(pk=row.pk).update(**values)


def change(constraint: str, model: type[Model], where: dict[str, Any] | None = None, **changes: Any) -> Rule:
    return Rule(constraint, model, changes, where or {}, copy=False)


def copy(constraint: str, model: type[Model], where: dict[str, Any] | None = None, **changes: Any) -> Rule:
    return Rule(constraint, model, changes, where or {}, copy=True)


def elsewhere(row: Any) -> int:
    """A prompt of the other study."""
    return Prompt.objects.exclude(study=row.study_id)[:1].get().pk


def other_version(row: Any) -> int:
    """A version of another prompt."""
    return PromptVersion.objects.exclude(prompt=row.prompt_id)[:1].get().pk


def another_response(slot: BlindedSlot) -> UUID:
    """An answer to the item's prompt that the item does not show."""
    shown = slot.item.slots.values("response")
    return Response.objects.filter(prompt=slot.item.prompt_id).exclude(pk__in=shown)[:1].get().pk


def member_as(role: Role, *, abroad: bool = False) -> Callable[[Any], int]:
    """Somebody else with this role, in the row's study or `abroad` in the other one."""

    def find(row: Any) -> int:
        others = Participation.objects.filter(role=role).exclude(pk=row.participation_id)
        others = others.exclude(study=row.study_id) if abroad else others.filter(study=row.study_id)
        return others[:1].get().pk

    return find


def now(_row: Any) -> Any:
    return timezone.now()


ASSIGNED = {"state": "assigned"}
WRITTEN = {"state": "submitted"}
SUBMITTED: dict[str, Any] = {"state": "submitted", "opened_at": now, "submitted_at": now}
WRITER, JUDGE = {"role": "writer"}, {"role": "judge"}
OPEN = {"decision": "open"}
ANSWERS = {"purpose": "answers"}

RULES = [
    # people
    copy("user_email_unique", User),
    copy("user_email_unique_ignoring_case", User, email=lambda row: row.email.upper()),
    copy("participation_one_role_per_person", Participation, WRITER, role="judge", pseudonym="J-NEW"),
    copy("participation_pseudonym_unique", Participation, user_id=lambda _: a_person("Nobody Yet").pk),
    change("participation_role_known", Participation, role="observer"),
    change("invitation_accepted_at_by", Invitation, accepted_at=now),
    change("invitation_role_known", Invitation, role="observer"),
    copy("invitation_one_open_per_address", Invitation, token_sha256="b" * 64),
    change("profile_years_plausible", Profile, years_experience=81),
    change(
        "participation_available_in_order",
        Participation,
        available_from=date(2026, 3, 2),
        available_until=date(2026, 3, 1),
    ),
    # studies
    change("study_state_known", Study, state="paused"),
    change("study_word_band_around_target", Study, target_words_low=401),
    change("study_two_to_eight_answers_per_item", Study, human_answers_per_item=0, model_answers_per_item=1),
    change("study_enough_answers_for_a_set", Study, answers_per_prompt=1, human_answers_per_item=2),
    change("study_every_writer_prompt_is_timed_or_untimed", Study, writing_minutes=0),
    change("study_archived_at_by", Study, archived_at=now),
    copy("prompt_code_unique", Prompt, position=99),
    copy("prompt_position_unique", Prompt, code="NEW_01"),
    copy("prompt_version_unique", PromptVersion),
    change("seed_revealed_after_commitment", StudySeed, revealed_at=F("committed_at") - timedelta(seconds=1)),
    # writing
    copy("writing_one_answer_per_prompt", WritingAssignment, ASSIGNED, position=99),
    copy("writing_position_unique", WritingAssignment, ASSIGNED, prompt_id=elsewhere),
    change("writing_is_for_writers", WritingAssignment, role="judge"),
    change("writing_state_known", WritingAssignment, ASSIGNED, state="lost"),
    change("writing_submission_has_response", WritingAssignment, ASSIGNED, submitted_at=now),
    change("writing_submitted_is_complete", WritingAssignment, ASSIGNED, state="submitted"),
    change("writing_deadline_after_start", WritingAssignment, WRITTEN, deadline_at=F("started_at")),
    change("writing_is_by_a_writer_of_the_study", WritingAssignment, participation_id=member_as(Role.JUDGE)),
    change("writing_prompt_of_the_study", WritingAssignment, ASSIGNED, prompt_id=elsewhere),
    change("writing_version_of_the_prompt", WritingAssignment, prompt_version_id=other_version),
    change("writing_paused_while_written", WritingAssignment, WRITTEN, paused_at=now),
    copy("revision_order_unique", DraftRevision),
    change("late_text_decision_has_person", LateText, decision="leave", decided_at=now),
    change("late_text_decided_or_open", LateText, decided_at=now, decided_by=lambda _: a_person("Cora").pk),
    change("late_text_decided_or_open", LateText, decision="use"),
    change("up_period_forwards", UpPeriod, seen_at=F("began_at") - timedelta(seconds=1)),
    copy("outage_decided_once", OutageCredit),
    change("outage_forwards", OutageCredit, ended_at=F("began_at")),
    change("participation_feedback_has_time", Participation, feedback="It went well."),
    # texts
    copy("response_prompt_of_the_study", Response, prompt_id=elsewhere),
    change("stimulus_is_its_response", Stimulus, prompt_id=elsewhere),
    change("stimulus_arm_known", Stimulus, arm="robot"),
    change("stimulus_state_known", Stimulus, state="lost"),
    copy("text_edit_number_unique", TextEdit),
    change("text_edit_has_a_reason", TextEdit, reason=""),
    # judging
    copy("judging_one_item_per_prompt", JudgingItem, position=99),
    copy("judging_position_unique", JudgingItem, prompt_id=elsewhere),
    change("judging_is_for_judges", JudgingItem, role="writer"),
    change("judging_state_known", JudgingItem, state="lost"),
    change("judging_submitted_is_complete", JudgingItem, ASSIGNED, state="submitted"),
    change("judging_submitted_is_complete", JudgingItem, ASSIGNED, submitted_at=now),
    change("judging_open_is_leased", JudgingItem, {"state": "open"}, leased_until=None),
    change("judging_hash_is_of_a_submission", JudgingItem, ASSIGNED, sha256="0" * 64),
    change("judging_guess_is_asked_and_last", JudgingItem, ASSIGNED, guessed_at=now),
    change("judging_guess_is_asked_and_last", JudgingItem, **SUBMITTED, asks_guess=False, guessed_at=now),
    change("judging_is_by_a_judge_of_the_study", JudgingItem, participation_id=member_as(Role.WRITER)),
    change("judging_prompt_of_the_study", JudgingItem, prompt_id=elsewhere),
    change("judging_version_of_the_prompt", JudgingItem, prompt_version_id=other_version),
    copy("slot_label_unique", BlindedSlot, response_id=another_response),
    copy("slot_response_unique", BlindedSlot, label="H"),
    change("slot_label_known", BlindedSlot, label="I"),
    change("slot_place_between_1_and_8", BlindedSlot, place=0),
    change("slot_place_between_1_and_8", BlindedSlot, place=9),
    copy("score_one_per_dimension", Score),
    change("score_at_most_100", Score, value=101),
    change("rank_between_1_and_8", RankedSlot, rank=0),
    change("rank_between_1_and_8", RankedSlot, rank=9),
    change("mid_rank_between_1_and_8", RankedSlot, mid_rank=8.5),
    change("guess_source_known", Guess, source="robot"),
    change("guess_confidence_1_to_5", Guess, confidence=0),
    change("guess_confidence_1_to_5", Guess, confidence=6),
    change("guess_confidence_1_to_5", Guess, confidence=None),
    change("guess_confidence_1_to_5", Guess, source="unknown"),
    change("mark_passage_has_both_ends", Mark, end=None),
    change("mark_passage_is_not_empty", Mark, end=F("start")),
    change("mark_says_something", Mark, start=None, end=None, note=""),
    copy("dwell_one_per_window", Dwell),
    change("dwell_depth_is_a_percentage", Dwell, depth=101),
    # allocation
    change("prompt_plan_kind_known", PromptPlan, kind="surprise"),
    copy("human_set_unique", HumanSet),
    change("item_plan_kind_known", ItemPlan, kind="surprise"),
    change("item_plan_attribution_has_no_human_set", ItemPlan, kind="source_attribution"),
    # reminders and honoraria
    copy("reminder_one_waiting_per_person", Reminder),
    change("reminder_withdrawn_at_by", Reminder, withdrawn_at=now),
    change("reminder_ends_in_one_way", Reminder, sent_at=now, skipped_at=now, skipped_because="All is done."),
    change("reminder_ends_in_one_way", Reminder, sent_at=now, withdrawn_at=now, withdrawn_by=F("asked_by")),
    change("reminder_skipped_for_a_reason", Reminder, skipped_at=now),
    change("reminder_skipped_for_a_reason", Reminder, skipped_because="All is done."),
    change("payment_back_reverses_one", Payment, amount=-20),
    change("payment_back_reverses_one", Payment, amount=0),
    change("payment_back_reverses_one", Payment, reverses=F("pk")),
    # work
    copy("task_one_open_per_subject", Task, {"done_at": None}),
    # generation
    copy("target_family_unique", Target),
    change("target_role_known", Target, role="poet"),
    change("target_retired_at_by", Target, retired_at=now),
    copy("study_template_number_unique", StudyTemplate),
    change("run_state_known", GenerationRun, state="lost"),
    change("run_is_of_one_purpose", GenerationRun, ANSWERS, mode="holistic"),
    change("run_is_of_one_purpose", GenerationRun, ANSWERS, purpose="panel"),
    change("run_with_a_study_is_somebodys", GenerationRun, planned_by=None),
    change("run_approved_at_by", GenerationRun, ANSWERS, approved_by=None),
    change("run_approved_has_a_cap", GenerationRun, ANSWERS, spend_cap=None),
    change("run_reserved_not_negative", GenerationRun, reserved=-1),
    copy("run_share_unique", RunShare),
    change("run_share_settles_what_is_planned", RunShare, failed=F("planned") + 1),
    copy("outcome_count_unique", OutcomeCount),
    change("batch_state_known", ProviderBatch, state="lent"),
    change("batch_sent_has_an_id", ProviderBatch, remote_id=""),
    change("call_state_known", Call, state="gone"),
    change("call_is_about_one_thing", Call, {"arm": "model"}, prompt_version=None, arm=""),
    change("call_is_about_one_thing", Call, {"arm": "model"}, given=lambda _: GivenText.objects.get().pk),
    change("call_for_an_answer_has_an_arm", Call, {"arm": "model"}, arm="human"),
    change("call_settled_is_nobodys", Call, {"leased_until__isnull": False}, state="accepted"),
    copy("attempt_number_unique", Attempt),
    change("attempt_ended_has_outcome", Attempt, ended_at=now),
    copy("panel_score_unique", PanelScore, {"response__isnull": False}),
    copy("panel_score_of_a_given_text_unique", PanelScore, {"response": None}),
    copy("scenario_key_unique", Scenario),
    # analysis
    change("unblinding_decided_at_by", UnblindingRequest, OPEN, decided_at=now),
    change(
        "unblinding_decision_known",
        UnblindingRequest,
        decision="maybe",
        decided_at=now,
        decided_by=lambda _: a_person("Second Researcher"),
    ),
    change(
        "unblinding_needs_a_second_person",
        UnblindingRequest,
        decision="approved",
        decided_at=now,
        decided_by=F("requested_by"),
    ),
    change("unblinding_decision_has_a_person", UnblindingRequest, decision="approved"),
    copy("unblinding_one_live_request", UnblindingRequest),
    copy("release_number_unique", Release),
]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.constraint)
def test_the_database_keeps(rule: Rule) -> None:
    with refused_by(rule.constraint):
        rule.break_it()


def test_every_constraint_of_the_database_is_among_the_rules() -> None:
    ours = [model for model in apps.get_models() if model.__module__.startswith(PACKAGES)]
    named = {constraint.name for model in ours for constraint in model._meta.constraints}
    with connection.cursor() as cursor:
        cursor.execute("SELECT conname FROM pg_constraint WHERE contype = 'f' AND cardinality(conkey) > 1")
        across_tables = {name for (name,) in cursor.fetchall()}
    assert across_tables
    assert named | across_tables == {rule.constraint for rule in RULES} | TRUE_BY_THE_KEY | TRUE_BY_ANOTHER


# -- what takes more than one line ---------------------------------------------------------------------------


@pytest.mark.parametrize(("human", "model"), [(0, 0), (1, 0), (0, 1), (8, 1), (5, 4), (0, 9)])
def test_an_item_shows_neither_fewer_than_two_answers_nor_more_than_eight(human: int, model: int) -> None:
    with refused_by("study_two_to_eight_answers_per_item"):
        Study.objects.update(answers_per_prompt=10, human_answers_per_item=human, model_answers_per_item=model)


@pytest.mark.parametrize(("human", "model"), [(2, 0), (0, 2), (1, 1), (3, 3), (8, 0), (4, 4)])
def test_an_item_may_show_two_to_eight_answers(human: int, model: int) -> None:
    Study.objects.update(answers_per_prompt=10, human_answers_per_item=human, model_answers_per_item=model)


@pytest.mark.parametrize(
    ("table", "role", "member", "abroad"),
    [
        (WritingAssignment, "writing_is_by_a_writer_of_the_study", Role.JUDGE, False),
        (WritingAssignment, "writing_is_by_a_writer_of_the_study", Role.WRITER, True),
        (JudgingItem, "judging_is_by_a_judge_of_the_study", Role.WRITER, False),
        (JudgingItem, "judging_is_by_a_judge_of_the_study", Role.JUDGE, True),
    ],
)
def test_work_goes_only_to_people_of_its_own_study_with_its_own_role(
    table: type[Model], role: str, member: Role, abroad: bool
) -> None:
    with refused_by(role):
        change(role, table, participation_id=member_as(member, abroad=abroad)).break_it()


def test_a_judge_is_shown_answers_to_the_prompt_of_the_item_only() -> None:
    slot = BlindedSlot.objects.select_related("item")[:1].get()
    stranger = Response.objects.exclude(prompt_id=slot.item.prompt_id)[:1].get()
    with refused_by("answers another prompt"):
        BlindedSlot.objects.filter(pk=slot.pk).update(response=stranger)


@pytest.mark.parametrize("work", ["writing_assignments", "judging_items"])
def test_whoever_has_been_given_work_keeps_the_role(work: str) -> None:
    worker = Participation.objects.filter(**{f"{work}__isnull": False})[:1].get()
    with refused_by("(writing_is_by_a_writer|judging_is_by_a_judge)_of_the_study"):
        Participation.objects.filter(pk=worker.pk).update(role=Role.RESEARCHER)


@pytest.mark.parametrize("table", [WritingAssignment, JudgingItem])
def test_a_prompt_that_was_taken_back_may_be_given_to_the_same_person_again(table: Any) -> None:
    taken_back = table.objects.filter(**ASSIGNED)[:1].get()
    table.objects.filter(pk=taken_back.pk).update(state="cancelled")
    taken_back.pk, taken_back.position = None, 99
    taken_back.save(force_insert=True)
    assert table.objects.filter(participation=taken_back.participation, prompt=taken_back.prompt).count() == 2


def test_an_item_is_replaced_by_one_other_at_most() -> None:
    first, second, third = JudgingItem.objects.values_list("pk", flat=True)[:3]
    JudgingItem.objects.filter(pk=second).update(replaces=first)
    with refused_by("annotation_judgingitem_replaces_id_key"):
        JudgingItem.objects.filter(pk=third).update(replaces=first)


@pytest.mark.parametrize(
    "ending",
    [
        {"sent_at": timezone.now},
        {"skipped_at": timezone.now, "skipped_because": "All is done."},
        {"withdrawn_at": timezone.now, "withdrawn_by": F("asked_by")},
    ],
    ids=lambda ending: next(iter(ending)),
)
def test_another_reminder_may_wait_once_the_first_is_done_with(ending: dict[str, Any]) -> None:
    reminder = Reminder.objects.get()
    Reminder.objects.update(**{name: value() if callable(value) else value for name, value in ending.items()})
    reminder.pk = None
    reminder.save(force_insert=True)
    assert Reminder.objects.count() == 2


@pytest.mark.parametrize("ending", ["done_at", "gave_up_at"])
def test_finished_work_may_be_asked_for_again(ending: str) -> None:
    with transaction.atomic():
        task = Task.objects.filter(done_at=None)[:1].get()
        Task.objects.filter(pk=task.pk).update(**{ending: timezone.now()})
        Task.objects.create(kind=task.kind, subject=task.subject, due_at=task.due_at)
        transaction.set_rollback(True)


@pytest.mark.parametrize(
    "table", [AuditEvent, AuditSeal, DraftRevision, Rubric, SideText], ids=lambda table: table.__name__
)
@pytest.mark.parametrize("statement", ["UPDATE {table} SET {key} = {key}", "DELETE FROM {table}"])
def test_the_record_takes_additions_only(table: type[Model], statement: str) -> None:
    meta = table._meta
    assert table._default_manager.exists()
    with refused_by(f"{meta.db_table} is append-only"), connection.cursor() as cursor:
        cursor.execute(statement.format(table=meta.db_table, key=meta.pk.column))
