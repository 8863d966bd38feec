import numpy as np

from analysis.data.core.rank_tables import rank_tables
from tests.analysis.data.core.judgments import judgments

FRAME = judgments(
    {
        ("P2", "j2"): {"b": 1, "a": 2},
        ("P2", "j1"): {"a": 1, "c": 2},
        ("P1", "j3"): {"d": 2, "e": 1},
        ("P3", "j3"): {"g": 1, "f": 2, "h": 3},
        ("P3", "j1"): {"f": 1, "g": 2, "h": 3},
    }
)


def test_prompts_of_one_shape_are_one_table() -> None:
    one_judge, two_judges = rank_tables(FRAME, judges=["j1", "j2", "j3"])
    assert (one_judge.prompts, two_judges.prompts) == (("P1",), ("P2", "P3"))
    assert one_judge.values.tolist() == [[[2, 1]]]
    # P2 has the answers a, b, c; j1 did not see b, j2 did not see c.
    np.testing.assert_array_equal(two_judges.values, [[[1, np.nan, 2], [2, 1, np.nan]], [[1, 2, 3], [2, 1, 3]]])
    assert two_judges.judges.tolist() == [[0, 1], [0, 2]]


def test_weights_of_judges_go_where_they_judged() -> None:
    _, table = rank_tables(FRAME, judges=["j1", "j2", "j3"])
    assert table.weights(np.array([[5, 6, 7]])).tolist() == [[[5, 6], [5, 7]]]


def test_the_order_of_rows_changes_nothing() -> None:
    for one, other in zip(
        rank_tables(FRAME, judges=["j1", "j2", "j3"]),
        rank_tables(FRAME[::-1], judges=["j1", "j2", "j3"]),
        strict=True,
    ):
        np.testing.assert_array_equal(one.values, other.values)


def test_of_nothing_there_are_no_rank_tables() -> None:
    assert rank_tables(FRAME.iloc[:0], judges=[]) == []
