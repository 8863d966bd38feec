"""Work that meets a step of the study: one of the two waits, and neither is half done."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

import pytest
from django.db import connection, transaction

from analysis.models.ceremony import Freeze
from analysis.services import ceremony
from analysis.services.verification import check_blinding
from annotation.core.errors import Refused
from annotation.models.judging import RankedSlot
from annotation.models.participation import Role
from annotation.models.prompts import Prompt
from annotation.models.writing import WritingAssignment
from annotation.services import designing, judging, studies, writing
from tests.factories import (
    a_judging_study,
    a_member,
    a_study,
    a_writing_study,
    assignments_of,
    coordinator_of,
    judging_items_of,
    scored,
)

pytestmark = pytest.mark.django_db(transaction=True)
Result = TypeVar("Result")


def elsewhere(pool: ThreadPoolExecutor, verb: Callable[[], Result]) -> Future[Result]:
    """`verb` on a connection of its own, while this one goes on."""

    def run() -> Result:
        try:
            return verb()
        finally:
            connection.close()

    return pool.submit(run)


def still_waits(work: Future[Result]) -> bool:
    try:
        work.result(timeout=0.5)
    except TimeoutError:
        return True
    return False


def test_a_submission_waits_for_the_closing_and_is_then_refused() -> None:
    study = a_judging_study(judges=2, prompts=1)
    researcher = a_member(study, Role.RESEARCHER).user
    done, late = (judging_items_of(study, judge=number)[0] for number in (0, 1))
    levels = {"A": 9, "B": 8, "C": 7, "D": 6, "E": 5, "F": 4}
    judging.submit_item(item=scored(done, **levels), by=done.participation.user)
    scored(late, **levels)
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            ceremony.close_study(study=study, by=researcher, despite_missing=True)
            submission = elsewhere(pool, lambda: judging.submit_item(item=late, by=late.participation.user))
            assert still_waits(submission)
        with pytest.raises(Refused, match="Judging is not open"):
            submission.result(timeout=10)
    assert Freeze.objects.get(study=study).rows == RankedSlot.objects.filter(slot__item__study=study).count()
    assert check_blinding(study).passed


def test_an_answer_is_not_begun_while_writing_is_being_closed() -> None:
    study = a_writing_study()
    assignment = assignments_of(study)[0]
    writer = assignment.participation.user
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            designing.close_writing(study=study, by=coordinator_of(study))
            begun = elsewhere(pool, lambda: writing.start(assignment=assignment, attested=True, by=writer))
            assert still_waits(begun)
        with pytest.raises(Refused, match="Writing is closed"):
            begun.result(timeout=10)
    assert not WritingAssignment.objects.filter(study=study, state="writing").exists()


def test_no_prompt_slips_in_while_the_design_is_being_locked() -> None:
    study = a_study()
    by = coordinator_of(study)
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            designing.lock_design(study=study, by=by)
            added = elsewhere(
                pool, lambda: studies.add_prompt_in_domain(study=study, domain="BBQ", text="Late?", by=by)
            )
            assert still_waits(added)
        with pytest.raises(Refused, match="while the study is being designed"):
            added.result(timeout=10)
    assert Prompt.objects.filter(study=study).count() == 2
