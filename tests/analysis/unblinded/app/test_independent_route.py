"""The exported file, read by another route than ours: plain csv, scipy and the krippendorff package."""

import csv
import io
import itertools
import statistics
from collections import defaultdict

import krippendorff
import numpy as np
import pytest
from scipy.stats import friedmanchisquare, kendalltau, rankdata

from analysis.agreement.sections import AGREEMENT
from analysis.ceremony.services import ceremony
from analysis.data.core.parameters import WHOLE, Parameters
from analysis.masked.core.masked_report import analyse_masked
from analysis.unblinded.selectors.unblinding import unblinded_judgments
from annotation.judging.models.judging import JudgingItem
from annotation.study.models.participation import Role
from annotation.study.models.studies import Study
from scrub_site.demo.judgments import judge_item
from tests.clients import signed_in
from tests.factories import a_judging_study, members_of, researchers_of
from tests.remembered import remembered

PUBLISHED = (
    "prompt_id,true_id,blinded_label,item_type,true_source,model,rank,score,judge_id,conceptual_clarity,"
    "evidential_grounding,contextual_relevance,pluralistic_engagement,argumentative_soundness"
).split(",")
DIMENSIONS = PUBLISHED[9:]


@pytest.fixture
@remembered
def study() -> Study:
    """Four judges, five prompts of which one is for calibration, one set of three humans and three models."""
    study = a_judging_study(judges=4, prompts=5, human_sets="fixed", quality_floor_prompts=1)
    first, second = researchers_of(study)
    for item in JudgingItem.objects.filter(study=study).select_related("participation__user"):
        qualities: dict[str, float] = defaultdict(lambda: 0.6)
        judge_item(item, qualities, DIMENSIONS)
    ceremony.close_study(study=study, by=first, despite_missing=True)
    request = ceremony.request_unblinding(study=study, reason="Collection is complete.", by=first)
    ceremony.decide_unblinding(request=request, approve=True, by=second)
    study.refresh_from_db()
    return study


@pytest.fixture
def exported(study: Study) -> list[dict[str, str]]:
    answer = signed_in(members_of(study, Role.RESEARCHER)[0].user).get(f"/studies/{study.slug}/judgments.csv")
    assert answer.status_code == 200
    return list(csv.DictReader(io.StringIO(answer.content.decode("utf-8"))))


@pytest.mark.django_db
def test_the_published_columns_come_first_and_in_order(exported: list[dict[str, str]]) -> None:
    assert list(exported[0])[: len(PUBLISHED)] == PUBLISHED


@pytest.mark.django_db
def test_every_exported_rating_is_complete_and_consistent(exported: list[dict[str, str]]) -> None:
    assert len(exported) == 4 * 5 * 6
    for row in exported:
        assert int(row["score"]) == sum(int(row[dimension]) for dimension in DIMENSIONS)
        assert (row["model"] == "") == (row["true_source"] == "human")
        assert row["blinded_label"] in {f"Response {label}" for label in "ABCDEF"}
    by_judgment = defaultdict(list)
    for row in exported:
        by_judgment[row["prompt_id"], row["judge_id"]].append(row)
    for rows in by_judgment.values():
        scores = [int(row["score"]) for row in rows]
        assert [int(row["rank"]) for row in rows] == [1 + sum(s > score for s in scores) for score in scores]
        assert sorted(row["true_source"] for row in rows) == ["human"] * 3 + ["model"] * 3
    assert {row["item_type"] for row in exported} == {"standard", "cal_quality_floor"}


def rankings(exported: list[dict[str, str]]) -> dict[str, np.ndarray]:
    """Judges × answers of each standard prompt, the published ranks as they stand."""
    cells: dict[str, dict[tuple[str, str], int]] = defaultdict(dict)
    for row in exported:
        if row["item_type"] == "standard":
            cells[row["prompt_id"]][row["judge_id"], row["true_id"]] = int(row["rank"])
    found = {}
    for prompt, ranks in cells.items():
        judges, answers = sorted({judge for judge, _ in ranks}), sorted({answer for _, answer in ranks})
        found[prompt] = np.array([[ranks[judge, answer] for answer in answers] for judge in judges], dtype=float)
    return found


@pytest.mark.django_db
def test_w_tau_and_alpha_agree_with_scipy_and_krippendorff(study: Study, exported: list[dict[str, str]]) -> None:
    by_prompt = rankings(exported)
    # Tie-corrected W = χ² of Friedman / (m (n − 1)); scipy corrects Friedman's χ² for ties.
    w = [
        friedmanchisquare(*ranks.T).statistic / (ranks.shape[0] * (ranks.shape[1] - 1))
        for ranks in by_prompt.values()
    ]
    tau = [
        statistics.fmean(kendalltau(a, b).statistic for a, b in itertools.combinations(ranks, 2))
        for ranks in by_prompt.values()
    ]
    judges = len(next(iter(by_prompt.values())))
    alpha = krippendorff.alpha(
        reliability_data=np.concatenate([rankdata(ranks, axis=1) for ranks in by_prompt.values()], axis=1),
        level_of_measurement="ordinal",
    )
    # Plain W, from its definition on mid-ranks.
    plain = []
    for published in by_prompt.values():
        ranks = rankdata(published, axis=1)
        m, n = ranks.shape
        sums = ranks.sum(axis=0)
        plain.append(12 * ((sums - sums.mean()) ** 2).sum() / (m**2 * (n**3 - n)))

    ours = analyse_masked(unblinded_judgments(study), parameters=Parameters(draws=100))[AGREEMENT][WHOLE].summary

    assert judges == 4
    assert len(by_prompt) == 4
    assert ours.w_tie_corrected.mean.value == pytest.approx(statistics.fmean(w), abs=1e-12)
    assert ours.w.mean.value == pytest.approx(statistics.fmean(plain), abs=1e-12)
    assert ours.tau_b.mean.value == pytest.approx(statistics.fmean(tau), abs=1e-12)
    assert ours.alpha_ordinal.value == pytest.approx(alpha, abs=1e-12)


@pytest.mark.django_db
def test_mid_ranks_are_those_of_scipy(exported: list[dict[str, str]]) -> None:
    by_judgment = defaultdict(list)
    for row in exported:
        by_judgment[row["prompt_id"], row["judge_id"]].append(row)
    for rows in by_judgment.values():
        expected = rankdata([-int(row["score"]) for row in rows])
        assert [float(row["mid_rank"]) for row in rows] == list(expected)
