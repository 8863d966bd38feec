from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from django.template.defaultfilters import floatformat
from hypothesis import given
from hypothesis import strategies as st

from annotation.judging.core.ranking import competition_ranks, mid_ranks, tie_groups
from annotation.study.core.rubric import Dimension, Rubric, Scale
from tests.annotation.judging import ranking_rules
from tests.annotation.judging.ranking_rules import LABELS, RANKINGS, SHEETS, Rank, score_lists

both = pytest.mark.parametrize("rank", [competition_ranks, mid_ranks])


@pytest.mark.parametrize("vector", RANKINGS, ids=lambda vector: str(vector["scores"]))
def test_ranks_are_those_of_the_vectors_shared_with_the_browser(vector: dict[str, Any]) -> None:
    scores = vector["scores"]
    assert list(competition_ranks(scores)) == vector["competition"]
    assert list(mid_ranks(scores)) == vector["mid"]
    assert [list(group) for group in tie_groups(scores)] == vector["ties"]


@pytest.mark.parametrize("missing", [None, float("nan")])
@pytest.mark.parametrize("rank", [competition_ranks, mid_ranks, tie_groups])
def test_a_missing_score_is_named_and_not_ranked(rank: Any, missing: Any) -> None:
    with pytest.raises(ValueError, match="Score 2 of 3 is missing"):
        rank([7, missing, 5])


@given(score_lists)
def test_a_competition_rank_is_one_more_than_the_number_of_better_scores(scores: list[int]) -> None:
    better = [sum(other > score for other in scores) for score in scores]
    assert list(competition_ranks(scores)) == [count + 1 for count in better]


@given(score_lists)
def test_mid_ranks_share_out_the_same_sum_whatever_the_ties(scores: list[int]) -> None:
    # 1 + 2 + … + n = n(n + 1) / 2
    assert sum(mid_ranks(scores)) == len(scores) * (len(scores) + 1) / 2


@both
@given(scores=score_lists, random=st.randoms(use_true_random=False))
def test_shuffled_scores_take_their_ranks_along(rank: Rank, scores: list[int], random: Any) -> None:
    order = random.sample(range(len(scores)), len(scores))
    ranking_rules.check_order_does_not_matter(rank, scores, order)


@both
@given(scores=score_lists)
def test_a_better_score_has_a_better_rank_and_only_equal_scores_tie(rank: Rank, scores: list[int]) -> None:
    ranking_rules.check_ties_are_exactly_equal_scores(rank, scores)


@both
@given(raised=ranking_rules.raises())
def test_raising_a_score_never_hurts_it(rank: Rank, raised: tuple[list[int], int, int]) -> None:
    ranking_rules.check_raising_never_hurts(rank, *raised)


@given(score_lists)
def test_tie_groups_hold_every_position_once_best_group_first(scores: list[int]) -> None:
    groups = tie_groups(scores)
    assert sorted(position for group in groups for position in group) == list(range(len(scores)))
    values = [{scores[position] for position in group} for group in groups]
    assert all(len(value) == 1 for value in values)
    assert [value.pop() for value in values] == sorted(set(scores), reverse=True)


# -- from scores to a ranking --------------------------------------------------------------------------------------


def a_rubric(dimensions: int, **changes: Any) -> Rubric:
    """A rubric of so many dimensions, scored 1 to 10 and summed."""
    kinds = tuple(Dimension(f"d{number}", "", "", "", (), "", "", "") for number in range(dimensions))
    scale = Scale(1, 10, 1, ())
    return replace(Rubric("any", 1, "Any", "", (), kinds, scale, "sum", (), ""), **changes)


def ranked(rubric: Rubric, sheet: Sequence[Sequence[int]]) -> list[list[object]]:
    """A row for each answer, best first: rank, label, sum and mean to one decimal."""
    keys = [dimension.key for dimension in rubric.dimensions]
    answers = [dict(zip(keys, scores, strict=True)) for scores in sheet]
    composites = [rubric.composite(scores) for scores in answers]
    ranks = competition_ranks(composites)
    return [
        [ranks[at], LABELS[at], sum(answers[at].values()), floatformat(rubric.mean(answers[at]), 1)]
        for group in tie_groups(composites)
        for at in group
    ]


@pytest.mark.parametrize("combine", ["sum", "mean"])
@pytest.mark.parametrize("vector", SHEETS, ids=lambda vector: vector["why"])
def test_score_sheets_rank_as_in_the_vectors_shared_with_the_browser(vector: dict[str, Any], combine: str) -> None:
    rubric = a_rubric(len(vector["scores"][0]), combine=combine)
    assert ranked(rubric, vector["scores"]) == vector["ranking"]


@given(ranking_rules.sheets())
def test_means_rank_exactly_as_sums_do(sheet: list[list[int]]) -> None:
    summed = a_rubric(len(sheet[0]))
    assert ranked(summed, sheet) == ranked(replace(summed, combine="mean"), sheet)
