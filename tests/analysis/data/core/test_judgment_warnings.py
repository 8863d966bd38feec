"""What is rarely meant in a file of judgments is said with its first row."""

import pandas as pd

from analysis.data.core.judgment_warnings import judgment_warnings


def rated(scores: list[float], ranks: list[float], **dimensions: list[float]) -> pd.DataFrame:
    answers = [f"a{place}" for place in range(len(scores))]
    return pd.DataFrame(
        {"prompt_id": "P_1", "judge_id": "J1", "true_id": answers, "rank": ranks, "score": scores, **dimensions}
    )


def test_nothing_is_said_of_sums_means_blanks_and_places_that_there_are() -> None:
    nan = float("nan")
    assert not list(judgment_warnings(rated([9, 5], [1, 2], clarity=[4, 2], evidence=[5, 3])))
    assert not list(
        judgment_warnings(rated([4.67, nan], [1, nan], clarity=[4, 2], evidence=[5, nan], scope=[5, 1]))
    )
    assert not list(judgment_warnings(rated([nan, nan], [1.5, 1.5])))


def test_a_score_of_other_dimensions_is_named() -> None:
    [said] = judgment_warnings(rated([9, 99, 7], [2, 1, 3], clarity=[4, 2, 3], evidence=[5, 3, 4]))
    assert said.startswith(
        "In 1 of 3 ratings the score is neither the sum nor the mean of the dimensions, first in row 3: 99, where "
        "they come to 5."
    )


def test_a_rank_behind_the_last_answer_is_named() -> None:
    [said] = judgment_warnings(rated([9, 5], [1, 17], clarity=[4, 2], evidence=[5, 3]))
    assert said.startswith("1 of 2 ranks are beyond the number of answers, first in row 3: 17 of 2.")
