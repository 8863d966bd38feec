"""The database itself refuses what a study must never hold, whatever program writes.

Every named constraint has a line in `RULES`: one that is added without a line fails the last test of them.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.apps import apps
from django.db import IntegrityError, connection, transaction
from django.db.models import F, Model
from django.utils import timezone

from annotation.assignment.models import AssignmentRepair, WorkGivenOut
from annotation.coordination.models.reminders import Reminder
from annotation.design.models import DesignFingerprint
from annotation.judging.models.judging import BlindedSlot, JudgingItem
from annotation.platform.models.audit import AuditEvent, AuditSeal
from annotation.platform.models.work import Task
from annotation.platform.services import audit
from annotation.study.models.participation import Participation, Role
from annotation.study.models.responses import Response
from annotation.study.models.studies import Rubric, Study, StudyStep
from annotation.writing.models import DraftRevision, SideText, WritingAssignment, WritingReceipt
from generation.prompts.models import PairVote, QualityVote
from tests.every_table import a_study_in_judging, a_study_in_writing
from tests.factories import a_person
from tests.scrub_site.app.integrity_rules import (
    ASSIGNED,
    BY_PERSON,
    GOOD,
    RULES,
    TRUE_BY_ANOTHER,
    TRUE_BY_THE_KEY,
    Rule,
    change,
    member_as,
)

pytestmark = pytest.mark.django_db

PACKAGES = ("annotation", "generation", "analysis")


@pytest.fixture(scope="module", autouse=True)
def world(passing_database: None) -> None:
    """Two studies, one in writing and one in judging, with a row in every table; gone after the last test."""
    a_study_in_writing()
    a_study_in_judging()
    assert audit.seal()


@contextmanager
def refused_by(rule: str) -> Iterator[None]:
    with pytest.raises(IntegrityError, match=rf"\b{rule}\b"), transaction.atomic():
        yield


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.constraint)
def test_the_database_keeps_every_rule(rule: Rule) -> None:
    with refused_by(rule.constraint):
        rule.break_it()


def test_every_constraint_of_the_database_is_among_the_rules() -> None:
    ours = [model for model in apps.get_models() if model.__module__.startswith(PACKAGES)]
    named = {constraint.name for model in ours for constraint in model._meta.constraints}
    with connection.cursor() as cursor:
        cursor.execute("SELECT conname FROM pg_constraint WHERE contype = 'f' AND cardinality(conkey) > 1")
        across_tables = {name for (name,) in cursor.fetchall()}
    assert across_tables
    assert (
        named | across_tables == {rule.constraint for rule in RULES} | TRUE_BY_THE_KEY | TRUE_BY_ANOTHER | BY_PERSON
    )


# -- what takes more than one line ---------------------------------------------------------------------------


def test_a_person_votes_once_on_a_prompt_and_once_on_a_pair() -> None:
    pair, person = PairVote.objects.all()[:1].get(), a_person("A Reviewer")
    QualityVote.objects.create(candidate=pair.first, reviewer=person, **GOOD)
    PairVote.objects.create(first=pair.first, second=pair.second, reviewer=person, is_equivalent=True)
    with refused_by("quality_vote_of_reviewer_unique"):
        QualityVote.objects.create(candidate=pair.first, reviewer=person, **GOOD)
    with refused_by("pair_vote_of_reviewer_unique"):
        PairVote.objects.create(first=pair.first, second=pair.second, reviewer=person, is_equivalent=False)


@pytest.mark.parametrize(("human", "model"), [(0, 0), (8, 1), (5, 4), (0, 9)])
def test_an_item_shows_neither_no_answer_nor_more_than_eight(human: int, model: int) -> None:
    with refused_by("study_one_to_eight_answers_per_item"):
        Study.objects.update(answers_per_prompt=10, human_answers_per_item=human, model_answers_per_item=model)


@pytest.mark.parametrize(("human", "model"), [(1, 0), (0, 1), (2, 0), (1, 1), (3, 3), (8, 0), (4, 4)])
def test_an_item_may_show_one_to_eight_answers(human: int, model: int) -> None:
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
    "table",
    [
        AssignmentRepair,
        AuditEvent,
        AuditSeal,
        DesignFingerprint,
        DraftRevision,
        Rubric,
        SideText,
        StudyStep,
        WorkGivenOut,
        WritingReceipt,
    ],
    ids=lambda table: table.__name__,
)
@pytest.mark.parametrize("statement", ["UPDATE {table} SET {key} = {key}", "DELETE FROM {table}"])
def test_the_record_takes_additions_only(table: type[Model], statement: str) -> None:
    meta = table._meta
    assert table._default_manager.exists()
    with refused_by(f"{meta.db_table} is append-only"), connection.cursor() as cursor:
        cursor.execute(statement.format(table=meta.db_table, key=meta.pk.column))
