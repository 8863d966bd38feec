"""The published estimators against their definitions, written down once more with pandas and SciPy."""

from collections.abc import Callable
from itertools import combinations

import krippendorff
import numpy as np
import pandas as pd
import pytest
from scipy import stats

from analysis.agreement.core.agreement_by_scope import Agreement
from analysis.agreement.core.agreement_resampler import AgreementResampler
from analysis.agreement.core.published import AT_A_TIME, JudgePairs, PublishedAgreement
from analysis.agreement.sections import AGREEMENT
from analysis.data.core.parameters import WHOLE, Mode, Parameters
from analysis.data.core.study_tables import StudyTables
from analysis.masked.core.masked_report import analyse_masked
from analysis.outcomes.sections import OUTCOMES
from analysis.report.prose.methods import methods
from analysis.unblinded.core.full_report import analyse
from analysis.uncertainty.core.intervals import AT_THE_END
from analysis.uncertainty.core.judgment_arrays import JudgmentArrays
from analysis.uncertainty.core.resampling import Weights
from tests.analysis.agreement.core.rankings import ends, value, why_no_interval
from tests.analysis.data.core.judgments import judgments

ANSWERS = ("gpt-1", "claude-1", "human-2", "human-10")
PROMPTS, JUDGES = 7, 5


def ranked_by(ranks: Callable[[np.random.Generator, int, int], list[float]]) -> pd.DataFrame:
    rng = np.random.default_rng(4)
    given = [ranks(rng, prompt, judge) for prompt in range(PROMPTS) for judge in range(JUDGES)]
    judged = {
        (f"P_{prompt}", f"j{judge}"): dict.fromkeys(ANSWERS, 1)
        for prompt in range(PROMPTS)
        for judge in range(JUDGES)
    }
    return judgments(judged).assign(rank=np.concatenate(given))


def places(rng: np.random.Generator, method: str) -> list[float]:
    return [float(rank) for rank in stats.rankdata(rng.integers(1, 5, 4), method=method)]


def all_tied(rng: np.random.Generator, prompt: int, _judge: int) -> list[float]:
    return [1.0] * 4 if prompt in (2, 5) else places(rng, "min")


def alike(_rng: np.random.Generator, prompt: int, _judge: int) -> list[float]:
    return [1.0, 2.0, 3.0, 4.0] if prompt % 2 else [1.0, 1.0, 3.0, 4.0]


def without_judges() -> pd.DataFrame:
    """Some judges did not judge some prompts, and some left out an answer."""
    frame, rng = ranked_by(lambda rng, _prompt, _judge: places(rng, "min")), np.random.default_rng(8)
    is_there = {key: rng.random() < 0.7 for key in frame.groupby(["prompt_id", "judge_id"]).groups}
    frame = frame[[is_there[key] for key in zip(frame["prompt_id"], frame["judge_id"], strict=True)]]
    return frame.assign(rank=frame["rank"].where(rng.random(len(frame)) > 0.04))


FILES: dict[str, Callable[[], pd.DataFrame]] = {
    "no ties": lambda: ranked_by(lambda rng, _prompt, _judge: [float(rank) for rank in 1 + rng.permutation(4)]),
    "ties": lambda: ranked_by(lambda rng, _prompt, _judge: places(rng, "min")),
    "all tied": lambda: ranked_by(all_tied),
    "missing judges": without_judges,
    "dense ranks": lambda: ranked_by(lambda rng, _prompt, _judge: places(rng, "dense")),
    "all alike": lambda: ranked_by(alike),
}


@pytest.fixture(params=sorted(FILES))
def frame(request: pytest.FixtureRequest) -> pd.DataFrame:
    return FILES[request.param]()


def as_taken(frame: pd.DataFrame) -> pd.DataFrame:
    """The ranks that the published scripts take: those given, but of a judgment with a gap, where somebody left out
    an answer, the places among the others (1, 1, 3 of 1, 1, 4).
    """
    found = frame.copy()
    for _, part in frame.groupby(["prompt_id", "judge_id"]):
        given = part["rank"].dropna()
        places = stats.rankdata(given, method="min")
        if (given.to_numpy() > places).any():
            found.loc[given.index, "rank"] = places
    return found


def agreement(frame: pd.DataFrame, draws: int) -> Agreement:
    return analyse_masked(frame, parameters=Parameters(mode="paper", draws=draws))[AGREEMENT][WHOLE]


def published(frame: pd.DataFrame, draws: int = 30) -> PublishedAgreement:
    found = agreement(frame, draws).published
    assert found is not None
    return found


def tables(frame: pd.DataFrame) -> list[pd.DataFrame]:
    """Of every prompt, judges × answers, of those who ranked all; where there are two at least."""
    wide = [
        part.pivot(index="judge_id", columns="true_id", values="rank").dropna()
        for _, part in as_taken(frame).groupby("prompt_id")
    ]
    return [table for table in wide if len(table) > 1]


def test_w_is_plain_and_0_where_all_judges_tie_everything(frame: pd.DataFrame) -> None:
    def w(table: pd.DataFrame) -> float:
        judges, answers = table.shape
        if (table.nunique(axis=1) == 1).all():
            return 0.0
        sums = table.sum(axis=0)
        return float(12 * ((sums - sums.mean()) ** 2).sum() / (judges**2 * (answers**3 - answers)))

    found = published(frame).w
    values = [w(table) for table in tables(frame)]
    assert value(found.mean) == pytest.approx(np.mean(values), abs=1e-9)
    assert value(found.median) == pytest.approx(np.median(values), abs=1e-9)
    assert value(found.sd) == pytest.approx(np.std(values, ddof=1), abs=1e-9)


def test_tau_b_is_one_of_each_pair_of_judges_over_all_prompts_one_behind_another(frame: pd.DataFrame) -> None:
    wide = as_taken(frame).pivot(index=["prompt_id", "true_id"], columns="judge_id", values="rank")
    taus = []
    for one, other in combinations(wide.columns, 2):
        both = wide[[one, other]].dropna()
        taus.append(stats.kendalltau(both[one], both[other]).statistic if len(both) > 1 else np.nan)
    found = published(frame).tau_b
    assert value(found) == pytest.approx(np.nanmean(taus), abs=1e-9)
    assert (found.n, found.left_out) == (np.isfinite(taus).sum(), np.isnan(taus).sum())


def test_ties_are_broken_by_the_answers_ids_as_strings(frame: pd.DataFrame) -> None:
    same_first, same_order, broken = [], [], []
    for table in tables(frame):
        orders = [sorted(row.index, key=lambda answer: (row[answer], answer)) for _, row in table.iterrows()]
        same_first.append(len({order[0] for order in orders}) == 1)
        same_order.append(len({tuple(order) for order in orders}) == 1)
        broken.append(any((row == row.min()).sum() > 1 for _, row in table.iterrows()))
    found = published(frame)
    assert value(found.top_1) == pytest.approx(np.mean(same_first), abs=1e-9)
    assert value(found.full) == pytest.approx(np.mean(same_order), abs=1e-9)
    assert found.broken == sum(broken)


def test_alpha_is_ordinal_over_all_ranks_every_answer_of_every_prompt_being_a_unit(frame: pd.DataFrame) -> None:
    wide = as_taken(frame).pivot(index="judge_id", columns=["prompt_id", "true_id"], values="rank")
    oracle = krippendorff.alpha(wide.to_numpy(dtype=float), level_of_measurement="ordinal")
    assert value(agreement(frame, 0).summary.alpha_ordinal) == pytest.approx(oracle, abs=1e-9)


def test_mean_ranks_of_sources_are_of_competition_ranks_over_ratings(frame: pd.DataFrame) -> None:
    """Which dense ranks are not: they have no gap behind tied answers, and are ranked anew."""
    report = analyse(StudyTables(frame), parameters=Parameters(mode="paper", draws=0))
    ranks = frame.groupby(["prompt_id", "judge_id"])["rank"].rank(method="min")
    source = frame["true_id"].str.split("-").str[0]
    expected = ranks.groupby(source).mean().to_dict()
    found = {each.source: value(each.competition_rank.mean) for each in report[OUTCOMES].outcomes[WHOLE].sources}
    assert found == pytest.approx(expected, abs=1e-9)


def test_the_files_hold_what_they_are_called() -> None:
    given = {name: file() for name, file in FILES.items()}
    changed = {name for name, frame in given.items() if not as_taken(frame)["rank"].equals(frame["rank"])}
    assert changed == {"missing judges"}
    assert given["missing judges"].groupby("prompt_id")["judge_id"].nunique().min() < JUDGES
    assert given["missing judges"]["rank"].isna().any()


def test_published_figures_have_intervals_that_hold_them() -> None:
    found = published(FILES["ties"](), draws=200)
    for figure in (found.w.mean, found.tau_b, found.top_1, found.full):
        low, high = ends(figure)
        assert low <= value(figure) <= high


def test_a_draw_of_prompts_counts_each_as_often_as_it_was_drawn() -> None:
    frame = FILES["ties"]()
    drawn = np.array([[2.0, 0, 1, 3, 0, 1, 0]])
    found = JudgePairs.of(frame)(Weights(drawn, np.ones((1, JUDGES))))["tau_b"]
    copies = [
        part.assign(prompt_id=f"{prompt}-{copy}")
        for times, (prompt, part) in zip(drawn[0], frame.groupby("prompt_id"), strict=True)
        for copy in range(int(times))
    ]
    assert found[0] == pytest.approx(value(published(pd.concat(copies, ignore_index=True)).tau_b), abs=1e-12)


def test_draws_made_together_are_those_made_one_by_one() -> None:
    pairs, rng = JudgePairs.of(FILES["ties"]()), np.random.default_rng(5)
    prompts = rng.multinomial(PROMPTS, [1 / PROMPTS] * PROMPTS, size=2 * AT_A_TIME + 3).astype(float)
    judges = rng.multinomial(JUDGES, [1 / JUDGES] * JUDGES, size=len(prompts)).astype(float)
    together = pairs(Weights(prompts, judges))["tau_b"]
    alone = [pairs(Weights(prompts[[at]], judges[[at]]))["tau_b"][0] for at in range(len(prompts))]
    assert together == pytest.approx(alone, abs=1e-12)


def test_a_draw_of_judges_who_all_tie_everything_has_published_w_0_as_a_study_of_theirs_has() -> None:
    # Two of five judges tie everything, the others do not: those two alone have W 0, and one judge alone none.
    frame = ranked_by(lambda _rng, _prompt, judge: [1.0] * 4 if judge < 2 else [1.0, 2.0, 3.0, 4.0])
    drawn = np.array([[3.0, 2, 0, 0, 0], [5, 0, 0, 0, 0], [0, 0, 5, 0, 0]])
    found = AgreementResampler.of(frame).of_judges(drawn)(np.ones((3, PROMPTS)))["published_w"]
    assert found == pytest.approx([0, np.nan, np.nan], nan_ok=True)
    both_alone = published(frame[frame["judge_id"].isin(["j0", "j1"])])
    assert value(both_alone.w.mean) == found[0]


def test_the_default_has_no_published_figures() -> None:
    report = analyse_masked(FILES["ties"](), parameters=Parameters(draws=0))
    assert report[AGREEMENT][WHOLE].published is None


class TestHowLargeWCanBe:
    def test_w_of_rankings_without_ties_has_no_interval_beyond_1(self) -> None:
        def nearly_alike(rng: np.random.Generator, _prompt: int, _judge: int) -> list[float]:
            return [1.0, 2.0, 3.0, 4.0] if rng.random() < 0.8 else [2.0, 1.0, 3.0, 4.0]

        found = agreement(ranked_by(nearly_alike), draws=200)
        assert found.published
        figures = [found.published.w.mean, found.summary.w.mean, *(prompt.w for prompt in found.prompts)]
        sure = [figure for figure in figures if why_no_interval(figure) is None]
        assert len(sure) > 3
        assert all(figure.interval and figure.interval.most == 1 and ends(figure)[1] <= 1 for figure in sure)

    def test_w_of_tied_competition_ranks_may_be_what_their_judges_spread_allows(self) -> None:
        def three_of_them_tie(_rng: np.random.Generator, prompt: int, judge: int) -> list[float]:
            # Σ(r − r̄)² is 6.75 of 1, 1, 3, 4 and 5 of 4, 3, 2, 1: divided by (4³ − 4)/12, 1.35 and 1.
            if judge < 3:
                return [1.0, 1.0, 3.0, 4.0]
            return [4.0, 3.0, 2.0, 1.0] if prompt % 2 else [1.0, 2.0, 3.0, 4.0]

        found = agreement(ranked_by(three_of_them_tie), draws=200)
        assert found.published
        for figure in (found.published.w.mean, found.summary.w.mean, found.prompts[1].w):
            assert figure.interval
            assert figure.interval.most == pytest.approx((3 * 1.35 + 2) / 5)

    def test_w_of_judges_who_tie_and_are_of_one_mind_is_the_most_that_it_can_be(self) -> None:
        found = agreement(FILES["all alike"](), draws=200)
        assert found.published
        for figure in (found.published.w.mean, found.summary.w.mean):
            assert why_no_interval(figure) == AT_THE_END


class TestDenseRanks:
    def test_dense_ranks_are_counted_and_told_from_competition_ranks(self) -> None:
        dense, competition, either, mid_ranks = [1, 2, 2, 3], [1, 2, 2, 4], [1, 2, 3, 3], [1, 2.5, 2.5, 4]
        judged = {("P_1", f"j{judge}"): dict.fromkeys(ANSWERS, 1) for judge in range(4)}
        frame = judgments(judged).assign(rank=[*dense, *competition, *either, *mid_ranks])
        assert analyse_masked(frame, parameters=Parameters(mode="paper", draws=0)).data.dense == 1

    @pytest.mark.parametrize(
        ("mode", "done"),
        [("paper", "take them as they stand"), ("default", "answers are ranked anew from their order")],
    )
    def test_dense_ranks_are_said_in_either_mode(self, mode: Mode, done: str) -> None:
        judged = {("P_1", f"j{judge}"): dict.fromkeys(ANSWERS, 1) for judge in range(2)}
        frame = judgments(judged).assign(rank=[1, 2, 2, 3, 1, 2, 3, 4])
        report = analyse_masked(frame, parameters=Parameters(mode=mode, draws=0))
        [ranks] = [passage for passage in methods(report).passages if passage.heading == "Ranks"]
        words = " ".join(ranks.paragraphs)
        assert "In 1 judgment the ranks given are dense (1, 2, 2, 3: no gap behind tied answers)." in words
        assert done in words

    def test_mean_competition_ranks_are_made_anew_from_dense_ones(self) -> None:
        judged = {("P_1", "j0"): dict.fromkeys(ANSWERS, 1)}
        frame = judgments(judged).assign(rank=[1.0, 2.0, 2.0, 3.0])
        ranks = dict(zip(frame["true_id"], JudgmentArrays.of(frame).values["competition_rank"], strict=True))
        assert ranks == dict(zip(ANSWERS, (1, 2, 2, 4), strict=True))
