"""The file of judgments: what it tells before and after unblinding, its columns, and its hash."""

import csv
import hashlib
import io

import pytest
from django.core.exceptions import PermissionDenied
from django.urls import reverse
from django.utils import timezone

from analysis.data.core.judgment_frame import MASKED, csv_bytes, frame_sha256
from analysis.frozen.models import Freeze
from analysis.frozen.selectors.judgments import masked_judgments
from analysis.unblinded.selectors.unblinding import unblinded_judgments
from annotation.study.models.participation import Consent, Participation, Role
from annotation.study.models.studies import Study
from annotation.texts.models.provenance import Arm, Stimulus
from tests.ceremony import published
from tests.clients import signed_in
from tests.factories import a_closed_study, a_judged_study, an_unblinded_study, members_of, researchers_of

pytestmark = pytest.mark.django_db

JUDGMENTS = "SCRuBAnnotations/task2_human_judgments.csv"
PUBLISHED_COLUMNS = (
    "prompt_id true_id blinded_label item_type true_source model rank score judge_id conceptual_clarity "
    "evidential_grounding contextual_relevance pluralistic_engagement argumentative_soundness"
).split()


def published_rows(study: Study) -> list[dict[str, str]]:
    text = csv_bytes(unblinded_judgments(study)).decode()
    return list(csv.DictReader(io.StringIO(text)))


class TestUnblindedData:
    def test_unblinded_data_are_refused_before_unblinding(self) -> None:
        study = a_closed_study(1, 1, 1)
        with pytest.raises(PermissionDenied, match="still blinded"):
            unblinded_judgments(study)

    def test_masked_data_tell_neither_source_nor_kind(self) -> None:
        study = a_judged_study(2, 2, 2, prompts=4, quality_floor_prompts=1, source_attribution_prompts=1)
        frame = masked_judgments(study)
        assert set(frame["true_source"]) == {MASKED}
        assert set(frame["model"]) == {""}
        assert set(frame["item_type"]) == {"standard"}

    def test_unblinded_data_name_the_source_of_every_answer(self) -> None:
        study = an_unblinded_study(2, 2, 2, prompts=3)
        frame = unblinded_judgments(study)
        truth = {
            str(stimulus.pk): ("human", "") if stimulus.arm == Arm.HUMAN else ("model", stimulus.source_code)
            for stimulus in Stimulus.objects.filter(study=study)
        }
        found = {str(row.true_id): (row.true_source, row.model) for row in frame.itertuples()}
        assert found == {response: truth[response] for response in found}
        assert set(frame["model"]) == {"", "family-1", "family-2"}

    def test_unblinded_data_tell_calibration_items_from_ordinary_ones(self) -> None:
        study = an_unblinded_study(2, 2, 2, prompts=4, quality_floor_prompts=1, source_attribution_prompts=1)
        frame = unblinded_judgments(study)
        by_type = frame.groupby("item_type")["prompt_id"].nunique().to_dict()
        assert by_type == {"standard": 2, "cal_quality_floor": 1, "cal_source_attribution": 1}
        attribution = frame[frame["item_type"] == "cal_source_attribution"]
        assert set(attribution["true_source"]) == {"model"}
        assert set(attribution.groupby(["judge_id", "model"]).size()) == {2}

    def test_unblinded_data_keep_what_the_judges_said(self) -> None:
        study = an_unblinded_study(2, 2, 2, levels={"human": 5, "model": 7, "family-1": 8})
        frame = unblinded_judgments(study)
        # Five dimensions of the same value: 40, 35 and 25; two humans share the third place.
        outcome = {(row.model, row.score, row.rank, row.mid_rank) for row in frame.itertuples()}
        assert outcome == {("family-1", 40, 1, 1), ("family-2", 35, 2, 2), ("", 25, 3, 3.5)}


class TestOfThoseWhoWithdrewTheirConsent:
    """Three prompts, two judges, two human and two models' answers in each item: 3 × 2 × 4 rows."""

    @pytest.fixture
    def study(self) -> Study:
        return an_unblinded_study(2, 2, 2, prompts=3)

    def withdraw(self, study: Study, role: Role) -> Participation:
        member = members_of(study, role)[0]
        Consent.objects.update_or_create(
            participation=member, defaults={"version": study.consent_version, "withdrawn_at": timezone.now()}
        )
        return member

    def test_no_judgment_by_those_who_withdrew_their_consent_is_published(self, study: Study) -> None:
        judge = self.withdraw(study, Role.JUDGE)
        rows = published_rows(study)
        assert len(rows) == 3 * 4
        assert judge.pseudonym not in {row["judge_id"] for row in rows}

    def test_no_answer_by_those_who_withdrew_is_published_and_what_was_said_of_the_others_stays(
        self, study: Study
    ) -> None:
        before = published_rows(study)
        writer = self.withdraw(study, Role.WRITER)
        theirs = {str(text.pk) for text in Stimulus.objects.filter(source_code=writer.pseudonym)}
        left = published_rows(study)
        assert left == [row for row in before if row["true_id"] not in theirs]
        # Two of four human answers make an item, so that each prompt shows the writer's to one of its two judges.
        assert len(left) == 3 * 2 * 4 - 3

    def test_the_frozen_data_stay_as_they_were_when_consent_is_withdrawn(self, study: Study) -> None:
        self.withdraw(study, Role.JUDGE)
        assert frame_sha256(masked_judgments(study)) == Freeze.objects.get(study=study).sha256

    def test_nothing_is_published_where_all_have_withdrawn(self, study: Study) -> None:
        for judge in members_of(study, Role.JUDGE):
            Consent.objects.filter(participation=judge).update(withdrawn_at=timezone.now())
        assert unblinded_judgments(study).empty


class TestPublishedFile:
    @pytest.fixture
    def study(self) -> Study:
        return an_unblinded_study(2, 2, 2, prompts=3)

    def test_the_published_file_has_the_released_columns_first_and_ours_behind(self, study: Study) -> None:
        names = list(published_rows(study)[0])
        assert names[:14] == PUBLISHED_COLUMNS
        assert names[14:] == ["mid_rank", "justification", "seconds", "order_seen", "rubric_sha256"]

    def test_the_published_file_writes_values_as_the_released_file_does(self, study: Study) -> None:
        rows = published_rows(study)
        assert {row["blinded_label"] for row in rows} == {f"Response {label}" for label in "ABCD"}
        assert {row["rank"] for row in rows} == {"1", "3"}  # 7, 7, 5, 5: two firsts, then two thirds
        assert {row["score"] for row in rows} == {"35", "25"}
        assert {row["rubric_sha256"] for row in rows} == {study.rubric_id}
        assert {row["judge_id"] for row in rows} == {judge.pseudonym for judge in members_of(study, Role.JUDGE)}

    def test_the_published_file_has_a_row_for_each_judge_prompt_and_answer_in_a_fixed_order(
        self, study: Study
    ) -> None:
        keys = [(row["prompt_id"], row["judge_id"], row["blinded_label"]) for row in published_rows(study)]
        assert len(keys) == 3 * 2 * 4
        assert keys == sorted(set(keys))

    def test_the_published_file_is_what_a_researcher_downloads(self, study: Study) -> None:
        response = signed_in(researchers_of(study)[1]).get(reverse("judgments_csv", args=[study.slug]))
        assert response.content == csv_bytes(unblinded_judgments(study))
        assert response["Content-Type"] == "text/csv; charset=utf-8"
        assert 'filename="task2_human_judgments.csv"' in response["Content-Disposition"]

    def test_the_published_file_is_the_file_that_a_release_holds(self, study: Study) -> None:
        release = published(study)
        content = signed_in(researchers_of(study)[0]).get(reverse("judgments_csv", args=[study.slug])).content
        assert release.manifest[JUDGMENTS] == hashlib.sha256(content).hexdigest()

    def test_the_published_file_leaves_the_masked_hash_as_it_was_frozen(self, study: Study) -> None:
        assert frame_sha256(masked_judgments(study)) == Freeze.objects.get(study=study).sha256
