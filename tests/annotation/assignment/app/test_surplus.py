"""Two judges submit in the same place: the first judgment counts, the other is kept and enters nothing."""

from datetime import timedelta

import pytest
from django.db.models import F
from django.urls import reverse

from analysis.blinding.services.verification import check_blinding
from analysis.ceremony.services import ceremony
from analysis.data.core.judgment_frame import frame_sha256
from analysis.frozen.models import Freeze
from analysis.frozen.selectors.judgments import masked_judgments
from annotation.coordination.selectors.coordination import Progress, judging_progress
from annotation.judging.models.judging import JudgingItem, RankedSlot
from annotation.judging.selectors.requested_ratings import surplus
from annotation.judging.services import judging
from annotation.platform.core.errors import Refused
from annotation.platform.models.audit import AuditEvent
from annotation.platform.services import audit
from annotation.study.models.studies import Study
from tests.analysis.blinding.tampering import verified
from tests.annotation.assignment.repairs import a_shared_study, live, planned, repaired
from tests.clients import signed_in
from tests.factories import judging_items_of, opened, researchers_of
from tests.judging import submitted

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module", autouse=True)
def world(passing_database: None) -> None:
    """Three judges share 3 prompts × 2 ratings, and the first was late with an item. Gone after the last test."""
    study = a_shared_study(3, prompts=3, slug="late")
    begun, _ = judging_items_of(study)
    opened(begun)
    repaired(study, late=[begun.participation])
    audit.seal()


@pytest.fixture
def study() -> Study:
    return Study.objects.get(slug="late")


@pytest.fixture
def late(study: Study) -> JudgingItem:
    return next(item for item in live(study) if hasattr(item, "replacement"))


@pytest.fixture
def replacement(late: JudgingItem) -> JudgingItem:
    return JudgingItem.objects.select_related("participation__user", "study").get(replaces=late)


def others(study: Study, *pair: JudgingItem) -> list[JudgingItem]:
    return [item for item in live(study) if item not in pair]


def judged(study: Study) -> set[tuple[str, str]]:
    """Prompt and judge of every judgment that enters the figures."""
    frame = masked_judgments(study)
    return set(zip(frame["prompt_id"], frame["judge_id"], strict=True))


def of(item: JudgingItem) -> tuple[str, str]:
    return item.prompt.code, item.participation.pseudonym


def test_a_late_judge_can_still_submit_what_others_have_taken_over(late: JudgingItem) -> None:
    assert submitted(late).state == "submitted"


def test_the_next_repair_takes_back_what_replaced_a_judgment_once_that_is_for_good(
    study: Study, late: JudgingItem, replacement: JudgingItem
) -> None:
    submitted(late)
    assert planned(study).moves == (), "what was submitted may yet be taken back"
    Study.objects.filter(pk=study.pk).update(reopen_minutes=0)
    study.refresh_from_db()
    plan = repaired(study)
    assert [(move.of, move.taken_from, move.given_to) for move in plan.moves] == [
        (replacement.pk, replacement.participation.pseudonym, "")
    ]
    replacement.refresh_from_db()
    assert replacement.state == "cancelled"
    assert all(load.before == load.after for load in plan.loads.values())
    assert planned(study).moves == ()
    assert verified(study) == []


@pytest.mark.parametrize("order", ["late first", "replacement first"])
def test_whichever_judgment_for_a_place_was_submitted_first_counts(
    order: str, study: Study, late: JudgingItem, replacement: JudgingItem
) -> None:
    first, second = (late, replacement) if order == "late first" else (replacement, late)
    submitted(first)
    submitted(second)
    assert surplus(study) == {second.pk}
    assert judged(study) == {of(first)}
    assert RankedSlot.objects.filter(slot__item=second).count() == 4, "it is kept"
    assert verified(study) == []


def test_a_judgment_taken_back_and_submitted_again_counts_from_then(
    study: Study, late: JudgingItem, replacement: JudgingItem
) -> None:
    submitted(late)
    submitted(replacement)
    judging.reopen(item_id=late.pk, by=late.participation.user)
    assert surplus(study) == frozenset()
    assert judged(study) == {of(replacement)}
    judging.submit_item(item_id=late.pk, by=late.participation.user)
    assert surplus(study) == {late.pk}
    assert verified(study) == []


def test_progress_counts_a_place_once(study: Study, late: JudgingItem, replacement: JudgingItem) -> None:
    assert judging_progress(study) == Progress(done=0, running=1, total=6)
    submitted(replacement)
    assert judging_progress(study) == Progress(done=1, running=0, total=6)
    submitted(late)
    assert judging_progress(study) == Progress(done=1, running=0, total=6)


def test_a_later_judgment_said_to_be_earlier_is_named_before_closing(
    study: Study, late: JudgingItem, replacement: JudgingItem
) -> None:
    submitted(replacement)
    submitted(late)
    long_ago = F("submitted_at") - timedelta(hours=5)
    JudgingItem.objects.filter(pk=late.pk).update(submitted_at=long_ago, opened_at=long_ago)
    assert verified(study) == [
        f"Judge {replacement.participation.pseudonym}, prompt {late.prompt.code}: it was submitted first in its "
        f"place, and the judgment of {late.participation.pseudonym} counts instead."
    ]


class TestClosing:
    def test_closing_waits_for_one_of_two_judgments_for_a_place(
        self, study: Study, late: JudgingItem, replacement: JudgingItem
    ) -> None:
        researcher = researchers_of(study)[0]
        for item in others(study, late, replacement):
            submitted(item)
        with pytest.raises(Refused, match="1 item not submitted"):
            ceremony.close_study(study=study, by=researcher)
        study.refresh_from_db()
        submitted(late)
        ceremony.close_study(study=study, by=researcher, despite_missing=True)
        # 3 prompts × 2 ratings × 4 answers.
        assert Freeze.objects.get(study=study).rows == 24

    def test_closing_freezes_what_counts_and_says_what_does_not(
        self, study: Study, late: JudgingItem, replacement: JudgingItem
    ) -> None:
        for item in (replacement, late, *others(study, late, replacement)):
            submitted(item)
        frozen = ceremony.close_study(study=study, by=researchers_of(study)[0], despite_missing=True)
        assert frozen.rows == 24
        assert frozen.sha256 == frame_sha256(masked_judgments(study))
        assert AuditEvent.objects.get(study=study, verb="study.frozen").detail["surplus_items"] == 1
        check = check_blinding(study)
        assert (check.differences, check.judgments) == ((), 7)

    def test_a_surplus_judgment_said_to_be_earlier_is_noticed(
        self, study: Study, late: JudgingItem, replacement: JudgingItem
    ) -> None:
        for item in (replacement, late, *others(study, late, replacement)):
            submitted(item)
        ceremony.close_study(study=study, by=researchers_of(study)[0], despite_missing=True)
        earlier = JudgingItem.objects.get(pk=replacement.pk).opened_at
        JudgingItem.objects.filter(pk=late.pk).update(submitted_at=earlier)
        assert "The judgments are no longer those that were frozen, by the hash kept." in verified(study)


def test_researchers_are_told_of_surplus(study: Study, late: JudgingItem, replacement: JudgingItem) -> None:
    client = signed_in(researchers_of(study)[0])
    url = reverse("study", args=[study.slug])
    assert "surplus" not in client.get(url).content.decode()
    submitted(replacement)
    submitted(late)
    assert "1 judgment is surplus" in client.get(url).content.decode()
