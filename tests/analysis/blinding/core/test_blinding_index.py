import numpy as np
import pandas as pd
import pytest

from analysis.blinding.core.blinding_index import Guesses, blinding_indices, guesses_by_judge
from analysis.data.core.results import FloatArray
from tests.analysis.agreement.core.rankings import ends, ranking, value, why_no_interval

# Guesses of patients in a trial of cholesterol, by treatment: right, wrong and don't know (Bang et al. 2004).
TRIAL = ranking([82, 25, 170], [27, 29, 83])


def each_once(counts: FloatArray) -> Guesses:
    """Everybody who guesses does so once: one table for each of them. All are quite sure."""
    cells = np.eye(counts.size).reshape(-1, *counts.shape)
    return by_judge(cells.repeat(counts.ravel().astype(int), axis=0))


def by_judge(counts: FloatArray) -> Guesses:
    return Guesses(counts, counts * [1, 1, 0])


def test_bangs_index_of_the_trial_is_as_printed() -> None:
    # (82 − 25)/277 = 0.21 and (29 − 27)/139 = 0.01.
    one, other = blinding_indices(each_once(TRIAL)).bang
    assert (round(value(one), 2), one.n) == (0.21, 277)
    assert (round(value(other), 2), other.n) == (0.01, 139)
    # Var = (0.296·0.704 + 0.090·0.910 + 2·0.296·0.090)/277: the interval 0.14 to 0.27.
    assert ends(one) == pytest.approx((0.14, 0.27), abs=0.006)


def test_james_index_of_the_trial_is_that_worked_out_by_hand() -> None:
    # P_DK = 253/416; A = ½(25 + 27)/416 = 0.0625; B = ½(107·54 + 56·109)/416² = 0.034335:
    # 0.608173 + 0.0625·0.391827²/(2·0.034335) = 0.748.
    james = blinding_indices(each_once(TRIAL)).james
    assert value(james) == pytest.approx(0.748, abs=5e-4)
    rng, n = np.random.default_rng(1), int(TRIAL.sum())
    drawn = [rng.multinomial(n, TRIAL.ravel() / n).reshape(2, 3).astype(float) for _ in range(2000)]
    spread = np.std([value(blinding_indices(by_judge(counts[None])).james) for counts in drawn])
    low, high = ends(james)
    assert (high - low) / 2 == pytest.approx(1.96 * spread, rel=0.06)


def test_where_all_guess_right_nothing_is_blinded() -> None:
    found = blinding_indices(each_once(ranking([10, 0, 0], [0, 10, 0])))
    assert [value(index) for index in found.bang] == [1, 1]
    assert value(found.james) == 0
    assert why_no_interval(found.bang[0]) == "all observations are alike"


def test_guesses_as_good_as_chance_are_0_by_bangs_index_and_one_half_by_james() -> None:
    # Of 20 guesses about either, ten are right: Bang 0, James P_DK + (1 − P_DK)/2 = ½.
    found = blinding_indices(each_once(ranking([10, 10, 0], [10, 10, 0])))
    assert [value(index) for index in found.bang] == [0, 0]
    assert value(found.james) == 0.5


def test_where_nobody_knows_james_is_one() -> None:
    found = blinding_indices(each_once(ranking([0, 0, 10], [0, 0, 10])))
    assert (value(found.james), why_no_interval(found.james)) == (1, "all observations are alike")
    assert value(found.bang[0]) == 0


@pytest.mark.parametrize(
    ("counts", "reason"),
    [
        (ranking([0, 0, 0], [0, 0, 0]), "nobody guessed"),
        (ranking([3, 4, 1], [0, 0, 0]), "only one kind of source was guessed about"),
        (ranking([3, 0, 1], [0, 0, 2]), "all guesses are the same, about one kind of source"),
    ],
)
def test_an_undefined_james_index_says_why(counts: FloatArray, reason: str) -> None:
    assert blinding_indices(each_once(counts)).james.reason == reason


def test_an_undefined_bangs_index_says_why() -> None:
    assert (
        blinding_indices(each_once(ranking([3, 4, 1], [0, 0, 0]))).bang[1].reason
        == "nobody guessed about such answers"
    )


def test_a_judges_guesses_are_not_taken_as_independent() -> None:
    # Four judges guess all right or all wrong about ten people's answers each: Bang 0, as of one guess each with
    # error √(3·Var(⅓, ⅓, −⅓, −⅓)) = √(1/3), however many answers they guess about.
    right, wrong = ranking([10, 0, 0], [0, 0, 0]), ranking([0, 10, 0], [0, 0, 0])
    people, _ = blinding_indices(by_judge(np.stack([right, right, wrong, wrong]))).bang
    low, high = ends(people)
    assert (value(people), people.n) == (0, 40)
    # 0 ± 3.182·0.577 on Fisher's z.
    assert (low, high) == pytest.approx((-np.tanh(3.1824 / 3**0.5), np.tanh(3.1824 / 3**0.5)), abs=1e-4)
    assert why_no_interval(blinding_indices(by_judge(right[None])).bang[0]) == "fewer than two judges guessed"


def test_guesses_are_counted_by_what_the_answers_are() -> None:
    answers = pd.DataFrame({"response_id": ["a", "b", "c"], "arm": ["human", "model", "weak"]})
    guesses = pd.DataFrame(
        [
            ("j1", "a", "human", 5),
            ("j1", "b", "human", 2),
            ("j2", "c", "unknown", np.nan),
            ("j2", "gone", "model", 3),
        ],
        columns=["judge_id", "true_id", "guess", "confidence"],
    )
    # Of j1 one of a person's answer and one of a model's, both “human”; of j2 one of a weak model's.
    found = guesses_by_judge(guesses, answers)
    assert found.counts.tolist() == [[[1, 0, 0], [1, 0, 0]], [[0, 0, 0], [0, 0, 1]]]
    # Quite sure is 1, and one step above a pure guess a quarter.
    assert found.sureness.tolist() == [[[1, 0, 0], [0.25, 0, 0]], [[0, 0, 0], [0, 0, 0]]]


def test_bang_by_confidence_lets_pure_guesses_count_as_not_knowing() -> None:
    # About ten people's answers: four right and quite sure, four wrong and pure guesses, two not known.
    counts, sureness = ranking([4, 4, 2], [0, 0, 0]), ranking([4, 0, 0], [0, 0, 0])
    found = blinding_indices(Guesses(counts[None], sureness[None]))
    assert (value(found.bang[0]), value(found.bang_by_confidence[0])) == (0, 0.4)
    assert found.bang_by_confidence[0].n == 10


def test_where_all_are_quite_sure_confidence_changes_nothing() -> None:
    found = blinding_indices(each_once(TRIAL))
    assert [value(index) for index in found.bang_by_confidence] == [value(index) for index in found.bang]
    assert ends(found.bang_by_confidence[0]) == ends(found.bang[0])
