import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.core.ranking import competition_ranks, mid_ranks, tie_groups

VECTORS = json.loads((Path(__file__).parents[1] / "vectors" / "ranking.json").read_text("utf-8"))

score_lists = st.lists(st.integers(5, 12), max_size=8)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: str(vector["scores"]))
def test_ranks_are_those_of_the_vectors_shared_with_the_browser(vector: dict[str, list[float]]) -> None:
    scores = vector["scores"]
    assert list(competition_ranks(scores)) == vector["competition"]
    assert list(mid_ranks(scores)) == vector["mid"]
    assert [list(group) for group in tie_groups(scores)] == vector["ties"]


@pytest.mark.parametrize("missing", [None, float("nan")])
@pytest.mark.parametrize("rank", [competition_ranks, mid_ranks, tie_groups])
def test_a_missing_score_is_named_and_not_ranked(rank, missing) -> None:
    with pytest.raises(ValueError, match="Score 2 of 3 is missing"):
        rank([7, missing, 5])


@settings(max_examples=100, deadline=None)
@given(score_lists)
def test_a_competition_rank_is_one_more_than_the_number_of_better_scores(scores: list[int]) -> None:
    better = [sum(other > score for other in scores) for score in scores]
    assert list(competition_ranks(scores)) == [count + 1 for count in better]


@settings(max_examples=100, deadline=None)
@given(score_lists)
def test_mid_ranks_share_out_the_same_sum_whatever_the_ties(scores: list[int]) -> None:
    # 1 + 2 + … + n = n(n + 1) / 2
    assert sum(mid_ranks(scores)) == len(scores) * (len(scores) + 1) / 2


@settings(max_examples=100, deadline=None)
@given(score_lists, st.randoms(use_true_random=False))
def test_shuffled_scores_take_their_ranks_along(scores: list[int], random) -> None:
    order = random.sample(range(len(scores)), len(scores))
    shuffled = [scores[position] for position in order]
    for rank in (competition_ranks, mid_ranks):
        ranks = rank(scores)
        assert list(rank(shuffled)) == [ranks[position] for position in order]


@settings(max_examples=100, deadline=None)
@given(score_lists)
def test_a_better_score_has_a_better_rank_and_only_equal_scores_tie(scores: list[int]) -> None:
    for rank in (competition_ranks, mid_ranks):
        ranks = rank(scores)
        for score, own in zip(scores, ranks, strict=True):
            for other_score, other in zip(scores, ranks, strict=True):
                assert (score > other_score) == (own < other)
                assert (score == other_score) == (own == other)


@settings(max_examples=100, deadline=None)
@given(score_lists)
def test_tie_groups_hold_every_position_once_best_group_first(scores: list[int]) -> None:
    groups = tie_groups(scores)
    assert sorted(position for group in groups for position in group) == list(range(len(scores)))
    values = [{scores[position] for position in group} for group in groups]
    assert all(len(value) == 1 for value in values)
    assert [value.pop() for value in values] == sorted(set(scores), reverse=True)
