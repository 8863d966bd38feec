"""What people make of prompts: whether one is fit for experts, and whether two ask for the same."""

from typing import Any

import pytest
from django.core.exceptions import PermissionDenied

from annotation.platform.core.errors import Refused
from annotation.platform.models.audit import AuditEvent
from annotation.study.models.participation import Role
from annotation.study.models.studies import Study
from generation.prompts.models import Candidate, PairVote, QualityVote
from generation.prompts.services.reviews import MAX_REASON_LENGTH, compare_pair, review_quality
from tests.factories import a_member, a_study, coordinator_of
from tests.generation.prompts.candidates import a_pool

pytestmark = pytest.mark.django_db

FINE: dict[str, Any] = {"depth": True, "open_endedness": True, "generalisation": True}


@pytest.fixture
def study() -> Study:
    return a_study()


@pytest.fixture
def pool(study: Study) -> list[Candidate]:
    return a_pool(study, generators=["claude"])


def events(verb: str) -> list[dict[str, Any]]:
    return list(AuditEvent.objects.filter(verb=verb).order_by("pk").values_list("detail", flat=True))


class TestAReview:
    def test_a_review_says_of_a_prompt_what_its_form_says(self, study: Study, pool: list[Candidate]) -> None:
        said = {**FINE, "rejections": {"meta_reference", "embedded_answer"}, "reason": " It names\r\nthe passage. "}
        vote = review_quality(candidate=pool[0], by=coordinator_of(study), **said)
        vote.refresh_from_db()
        assert (vote.reviewer, vote.target_id, vote.call_id) == (coordinator_of(study), None, None)
        assert (vote.depth, vote.open_endedness, vote.generalisation, vote.passes) == (True, True, True, False)
        assert vote.rejections == ["embedded_answer", "meta_reference"]
        assert vote.reason == "It names\nthe passage."

    def test_a_review_is_changed_by_whoever_gave_it(self, study: Study, pool: list[Candidate]) -> None:
        by = coordinator_of(study)
        first = review_quality(candidate=pool[0], by=by, **FINE)
        changed = review_quality(candidate=pool[0], by=by, **{**FINE, "depth": False})
        assert changed == first
        assert not QualityVote.objects.get().passes
        assert events("candidate.reviewed") == [{"passes": True}, {"passes": False}]

    def test_a_review_given_again_changes_nothing(self, study: Study, pool: list[Candidate]) -> None:
        said = {**FINE, "rejections": ["judgmental_framing"], "reason": "It scolds."}
        votes = [review_quality(candidate=pool[0], by=coordinator_of(study), **said) for _ in range(2)]
        assert votes[0].voted_at == QualityVote.objects.get().voted_at
        assert events("candidate.reviewed") == [{"passes": False}]

    def test_a_review_stands_beside_that_of_another_person(self, study: Study, pool: list[Candidate]) -> None:
        second = a_member(study, Role.COORDINATOR).user
        for person in (coordinator_of(study), second):
            review_quality(candidate=pool[0], by=person, **FINE)
        assert QualityVote.objects.filter(candidate=pool[0]).count() == 2

    @pytest.mark.parametrize(
        ("fault", "words"),
        [({"rejections": ["dull"]}, "“dull”"), ({"reason": "x" * (MAX_REASON_LENGTH + 1)}, "2,001 characters")],
    )
    def test_a_review_is_refused_where_nothing_can_be_made_of_it(
        self, study: Study, pool: list[Candidate], fault: dict[str, Any], words: str
    ) -> None:
        with pytest.raises(Refused, match=words):
            review_quality(candidate=pool[0], by=coordinator_of(study), **{**FINE, **fault})
        assert not QualityVote.objects.exists()

    def test_a_review_is_for_coordinators_of_the_study(self, study: Study, pool: list[Candidate]) -> None:
        elsewhere = a_member(a_study("other"), Role.COORDINATOR).user
        for person in (a_member(study, Role.RESEARCHER).user, elsewhere):
            with pytest.raises(PermissionDenied):
                review_quality(candidate=pool[0], by=person, **FINE)

    def test_a_review_comes_too_late_once_the_study_is_released(self, study: Study, pool: list[Candidate]) -> None:
        Study.objects.update(state="released")
        with pytest.raises(Refused, match="released"):
            review_quality(candidate=pool[0], by=coordinator_of(study), **FINE)


class TestAComparison:
    def test_a_comparison_is_of_two_prompts_in_whatever_order(self, study: Study, pool: list[Candidate]) -> None:
        by = coordinator_of(study)
        vote = compare_pair(first=pool[1], second=pool[0], is_equivalent=True, reason="Twins.", by=by)
        assert (vote.first, vote.second) == (pool[0], pool[1])
        again = compare_pair(first=pool[0], second=pool[1], is_equivalent=True, reason="Twins.", by=by)
        assert again == vote
        assert events("pair.compared") == [{"is_equivalent": True}]

    def test_a_comparison_is_changed_by_whoever_gave_it(self, study: Study, pool: list[Candidate]) -> None:
        by = coordinator_of(study)
        for is_equivalent in (True, False):
            compare_pair(first=pool[0], second=pool[1], is_equivalent=is_equivalent, by=by)
        assert PairVote.objects.get().is_equivalent is False

    def test_a_comparison_is_refused_of_prompts_that_have_no_scenario_in_common(
        self, study: Study, pool: list[Candidate]
    ) -> None:
        for other in (pool[0], pool[5]):
            with pytest.raises(Refused, match="Two prompts of one scenario"):
                compare_pair(first=pool[0], second=other, is_equivalent=True, by=coordinator_of(study))

    def test_a_comparison_is_refused_of_prompts_of_two_studies(self, study: Study, pool: list[Candidate]) -> None:
        elsewhere = a_pool(a_study("other"), generators=["claude"])
        assert elsewhere[0].bundle.scenario_id == pool[0].bundle.scenario_id
        with pytest.raises(Refused, match="Two prompts of one scenario"):
            compare_pair(first=pool[0], second=elsewhere[0], is_equivalent=True, by=coordinator_of(study))
