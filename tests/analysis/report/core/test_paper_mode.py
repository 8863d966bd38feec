"""The published figures against NumPy and SciPy alone, and how the default's ranks differ from those given."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from matplotlib.collections import LineCollection
from matplotlib.colors import to_hex
from scipy import stats

from analysis.agreement.core.agreement import agreement_summary
from analysis.agreement.prose import agreement as prose
from analysis.agreement.sections import AGREEMENT
from analysis.data.core.parameters import WHOLE, Parameters
from analysis.data.core.ranks import ranked
from analysis.data.core.results import FloatArray
from analysis.masked.core.masked_report import analyse_masked
from analysis.outcomes.core.outcomes import outcomes_by_source
from analysis.report.core.exhibits import exhibits
from analysis.sections.core.report import Report
from analysis.sections.exhibits.exhibit import Exhibit
from analysis.sections.exhibits.theme import ORANGE
from analysis.sections.prose.passage import said
from analysis.uncertainty.core.judgment_arrays import JudgmentArrays
from tests.analysis.agreement.core.rankings import ends, value
from tests.analysis.data.core.judgments import judgments

PAPER = Parameters(mode="paper", draws=20)
ANSWERS = ("claude-1", "gpt-1", "gemini-1", "human-1")


@pytest.fixture(scope="module", params=range(5))
def frame(request: pytest.FixtureRequest) -> pd.DataFrame:
    """Eight prompts by six judges, with ties; some answers were shown and not ranked, some not shown at all. Ranks
    are among those that a judge ranked.
    """
    rng = np.random.default_rng(request.param)
    ranks = {
        (f"P_{prompt}", f"j{judge}"): dict(
            zip(ANSWERS, map(int, stats.rankdata(rng.integers(1, 5, 4), method="min")), strict=True)
        )
        for prompt in range(8)
        for judge in range(6)
    }
    found = judgments(ranks).astype({"rank": float})
    found.loc[rng.random(len(found)) < 0.05, "rank"] = np.nan
    found = found[rng.random(len(found)) >= 0.05]
    return found.assign(rank=found.groupby(["prompt_id", "judge_id"])["rank"].rank(method="min"))


def by_prompt(frame: pd.DataFrame) -> dict[str, FloatArray]:
    """Judges × answers."""
    return {
        str(prompt): part.pivot(index="judge_id", columns="true_id", values="rank").to_numpy(dtype=float)
        for prompt, part in frame.groupby("prompt_id")
    }


def complete(ranks: FloatArray) -> FloatArray:
    return ranks[~np.isnan(ranks).any(axis=1)]


def plain_w(ranks: FloatArray) -> float:
    judges, answers = ranks.shape
    sums = ranks.sum(axis=0)
    return float(12 * ((sums - sums.mean()) ** 2).sum() / (judges**2 * (answers**3 - answers)))


def ordinal_alpha(tables: list[FloatArray]) -> float:
    """From Krippendorff's matrix of coincidences."""
    units = [column[~np.isnan(column)] for table in tables for column in table.T]
    units = [unit for unit in units if unit.size > 1]
    values = np.unique(np.concatenate(units))
    together = np.zeros((values.size, values.size))
    for unit in units:
        counts = np.array([(unit == each).sum() for each in values], dtype=float)
        together += (np.outer(counts, counts) - np.diag(counts)) / (unit.size - 1)
    totals = together.sum(axis=0)
    distance = np.zeros_like(together)
    for one, other in combinations(range(values.size), 2):
        between = totals[one : other + 1].sum() - (totals[one] + totals[other]) / 2
        distance[one, other] = distance[other, one] = between**2
    expected = (np.outer(totals, totals) * distance).sum() / (totals.sum() - 1)
    return float(1 - (together * distance).sum() / expected)


def test_published_figures_are_those_of_numpy_and_scipy(frame: pd.DataFrame) -> None:
    found = analyse_masked(frame, parameters=PAPER)[AGREEMENT][WHOLE].summary
    tables = by_prompt(frame)
    kept = [ranks for table in tables.values() if len(ranks := complete(table)) > 1]
    assert value(found.w.mean) == pytest.approx(np.mean([plain_w(ranks) for ranks in kept]), abs=1e-12)
    same_first = [len({tuple(row == row.min()) for row in ranks}) == 1 for ranks in kept]
    assert value(found.top_1) == pytest.approx(np.mean(same_first), abs=1e-12)
    same_order = [len({tuple(stats.rankdata(row)) for row in ranks}) == 1 for ranks in kept]
    assert value(found.full) == pytest.approx(np.mean(same_order), abs=1e-12)
    taus = [
        stats.kendalltau(one[both], other[both]).statistic
        for table in tables.values()
        for one, other in combinations(table, 2)
        if (both := ~np.isnan(one + other)).sum() > 1
    ]
    assert value(found.tau_b_pooled) == pytest.approx(np.nanmean(taus), abs=1e-12)
    assert value(found.alpha_ordinal) == pytest.approx(ordinal_alpha(list(tables.values())), abs=1e-12)


def test_judges_who_left_out_an_answer_are_counted(frame: pd.DataFrame) -> None:
    prompts = {each.prompt_id: each for each in analyse_masked(frame, parameters=PAPER)[AGREEMENT][WHOLE].prompts}
    tables = by_prompt(frame)
    assert {name: (prompt.w.n, prompt.w.left_out) for name, prompt in prompts.items()} == {
        name: (len(complete(ranks)), len(ranks) - len(complete(ranks))) for name, ranks in tables.items()
    }


class TestTies:
    """Two judges score two answers alike; the ranks given follow from the scores, as competition ranks."""

    @pytest.fixture
    def tied(self) -> pd.DataFrame:
        ranks = {
            ("P_1", "j1"): {"gpt-1": 1, "claude-1": 2, "human-1": 2, "human-2": 4},
            ("P_1", "j2"): {"gpt-1": 1, "claude-1": 1, "human-1": 3, "human-2": 4},
            ("P_1", "j3"): {"gpt-1": 1, "claude-1": 2, "human-1": 3, "human-2": 4},
        }
        found = judgments(ranks, dimensions=("clarity",), scores=dict.fromkeys(ranks["P_1", "j1"], (5.0,)))
        return found.assign(score=-found["rank"])

    def test_ties_share_the_mean_of_their_places_by_default(self, tied: pd.DataFrame) -> None:
        counted, changed = ranked(tied, Parameters())
        assert list(counted["rank"]) == [1, 2.5, 2.5, 4, 1.5, 1.5, 3, 4, 1, 2, 3, 4]
        assert changed == 0

    def test_ties_enter_w_and_alpha_in_another_way_than_published(self, tied: pd.DataFrame) -> None:
        default, paper = (
            agreement_summary(ranked(tied, replace(PAPER, mode=mode))[0]) for mode in ("default", "paper")
        )
        # Sums 3.5, 6, 8.5, 12, mean 7.5: S = 16 + 2.25 + 1 + 20.25 = 39.5; W = 12·39.5 / (9·60) = 474/540.
        assert value(default.w.mean) == pytest.approx(474 / 540, abs=1e-12)
        # Sums 3, 5, 8, 12, mean 7: S = 16 + 4 + 1 + 25 = 46; W = 552/540.
        assert value(paper.w.mean) == pytest.approx(552 / 540, abs=1e-12)
        # On mid-ranks 2.5 lies between 2 and 3; on competition ranks it is one of the 2s.
        assert value(default.alpha_ordinal) == pytest.approx(
            ordinal_alpha([np.array([[1, 2.5, 2.5, 4], [1.5, 1.5, 3, 4], [1, 2, 3, 4]])]), abs=1e-12
        )
        assert value(default.alpha_ordinal) != pytest.approx(value(paper.alpha_ordinal), abs=1e-3)

    def test_ties_leave_competition_ranks_what_they_were(self, tied: pd.DataFrame) -> None:
        counted, _ = ranked(tied, Parameters())
        by_default = outcomes_by_source(JudgmentArrays.of(counted, as_given=False))
        as_given = outcomes_by_source(JudgmentArrays.of(tied))
        assert by_default == as_given


class TestWithdrawal:
    """Of six answers that four judges rank alike, by prompt two that are not the last are withdrawn."""

    @pytest.fixture
    def left(self) -> pd.DataFrame:
        answers = ("gpt-1", "gpt-2", "claude-1", "claude-2", "human-1", "human-2")
        ranks = {
            (f"P_{prompt}", f"j{judge}"): dict(zip(answers, range(1, 7), strict=True))
            for prompt in range(3)
            for judge in range(4)
        }
        found = judgments(ranks)
        return found[~found["true_id"].isin(["gpt-2", "human-1"])].astype({"rank": float})

    def test_a_withdrawn_answer_leaves_the_others_ranked_among_themselves(self, left: pd.DataFrame) -> None:
        counted, changed = ranked(left.assign(score=-left["rank"]), PAPER)
        assert list(counted["rank"]) == [1, 2, 3, 4] * 12
        assert changed == 0
        assert value(agreement_summary(counted).w.mean) == 1

    @pytest.mark.parametrize(
        ("given", "counted"),
        [
            ([1, 2, 2, 4], [1, 2, 2, 4]),
            ([1, 2.5, 2.5, 4], [1, 2.5, 2.5, 4]),
            ([1, 2, 2, 3], [1, 2, 2, 3]),
            ([1, 1, 4, 4], [1, 1, 3, 3]),
            ([2, 2, 4, 5], [1, 1, 3, 4]),
            ([1, 3, np.nan, 4], [1, 2, np.nan, 3]),
        ],
    )
    def test_a_withdrawn_answer_is_told_from_ties_by_places_that_nobody_shares(
        self, left: pd.DataFrame, given: list[float], counted: list[float]
    ) -> None:
        found, _ = ranked(left.assign(rank=given * 12), PAPER)
        assert list(found["rank"][:4]) == pytest.approx(counted, nan_ok=True)

    def test_a_withdrawn_answer_leaves_intervals_with_the_lower_end_first(self, left: pd.DataFrame) -> None:
        # Ranks 1, 3, 4, 6 of four answers, and once 6 for the first of them.
        rank = left["rank"].where((left["prompt_id"] != "P_0") | (left["judge_id"] != "j0"), 7 - left["rank"])
        outcomes = {each.source: each for each in outcomes_by_source(JudgmentArrays.of(left.assign(rank=rank)))}
        for outcome in (outcomes["gpt"], outcomes["human"]):
            low, high = ends(outcome.competition_rank.mean)
            assert low <= value(outcome.competition_rank.mean) <= high <= 6


class TestOrder:
    FRAME = judgments({("P_1", "j1"): {"gpt-1": 1, "claude-1": 2, "human-1": 3, "human-2": 4}})

    def test_the_order_is_the_same_where_an_answer_was_withdrawn(self) -> None:
        scored = self.FRAME.assign(score=[9.0, 8.0, 7.0, 6.0])
        assert ranked(scored[scored["true_id"] != "claude-1"], Parameters())[1] == 0

    def test_the_order_is_another_where_an_answer_was_scored_and_not_ranked(self) -> None:
        scored = self.FRAME.assign(score=[9.0, 8.0, 7.0, 6.0], rank=[1.0, 2.0, 3.0, np.nan])
        counted, changed = ranked(scored, Parameters())
        assert (list(counted["rank"]), changed) == ([1, 2, 3, 4], 1)

    def test_a_given_order_is_kept_where_a_score_is_missing(self) -> None:
        scored = self.FRAME.assign(score=[1.0, 2.0, np.nan, 4.0], rank=[1, 1, 1, 4])
        counted, changed = ranked(scored, Parameters())
        assert (list(counted["rank"]), changed) == ([2, 2, 2, 4], 0)


class TestPublishedFiguresAreShown:
    """Of two domains, competition ranks with ties."""

    @pytest.fixture(scope="class")
    @classmethod
    def reports(cls) -> dict[str, Report]:
        rng = np.random.default_rng(5)
        ranks = {
            (f"{domain}_{prompt}", f"j{judge}"): dict(
                zip(ANSWERS, map(int, stats.rankdata(rng.integers(1, 5, 4), method="min")), strict=True)
            )
            for domain in ("BBQ", "HLE")
            for prompt in range(3)
            for judge in range(4)
        }
        frame = judgments(ranks).astype({"rank": float})
        # Of one prompt all judges tie everything.
        frame["rank"] = frame["rank"].where(frame["prompt_id"] != "BBQ_1", 1.0)
        frame["score"] = -frame["rank"]
        return {mode: analyse_masked(frame, parameters=replace(PAPER, mode=mode)) for mode in ("default", "paper")}

    def exhibit(self, report: Report, name: str) -> Exhibit:
        [found] = [each for each in exhibits(report) if each.name == name and each.scope == WHOLE]
        return found

    def marks(self, exhibit: Exhibit) -> dict[str, float]:
        """Places of the marks of the first panel, by the labels of their lanes."""
        assert exhibit.draw
        axes = exhibit.draw().axes[0]
        labels = dict(zip(axes.get_yticks(), (text.get_text() for text in axes.get_yticklabels()), strict=True))
        marks = [line for line in axes.lines if line.get_marker() not in ("None", "", None)]
        points = [np.asarray(line.get_xydata()).tolist() for line in marks]
        return {labels[y]: x for of_line in points for x, y in of_line if y in labels}

    def test_by_domain_they_are_the_ones_in_table_picture_and_words(self, reports: dict[str, Report]) -> None:
        agreement = reports["paper"][AGREEMENT]
        exhibit = self.exhibit(reports["paper"], "agreement-by-domain")
        for name in ("BBQ", "HLE"):
            published = agreement[name].published
            assert published
            [row] = [row for row in exhibit.table.rows if row[0] == name]
            assert (row[2], row[3]) == (published.w.mean, published.tau_b)
            assert self.marks(exhibit)[name] == value(published.w.mean)
        words = " ".join(prose.agreement(agreement).paragraphs)
        assert "By domain, W as published: BBQ" in words
        assert "τ-b as published: BBQ" in words
        assert "By domain, W over the answers" in " ".join(
            prose.agreement(reports["default"][AGREEMENT]).paragraphs
        )

    def test_by_prompt_the_picture_has_plain_w_which_is_0_where_all_tie(self, reports: dict[str, Report]) -> None:
        exhibit = self.exhibit(reports["paper"], "agreement-by-prompt")
        marks = self.marks(exhibit)
        assert marks["BBQ_1"] == 0
        for prompt in reports["paper"][AGREEMENT][WHOLE].prompts:
            assert marks[prompt.prompt_id] == (prompt.w.value or 0)
        assert "as published" in exhibit.describes
        assert "1/m" not in exhibit.describes

    def test_the_headline_has_published_w(self, reports: dict[str, Report]) -> None:
        published = reports["paper"][AGREEMENT][WHOLE].published
        assert published
        [headline, *_] = prose.headlines(reports["paper"][AGREEMENT][WHOLE])
        assert headline.startswith(f"Kendall’s W as published was {said(published.w.mean)}")
        assert "as published" not in prose.headlines(reports["default"][AGREEMENT][WHOLE])[0]

    @pytest.mark.parametrize("mode", ["default", "paper"])
    def test_chance_of_w_stands_on_rows_that_are_corrected_for_ties_alone(
        self, reports: dict[str, Report], mode: str
    ) -> None:
        exhibit = self.exhibit(reports[mode], "agreement")
        assert exhibit.draw
        axes = exhibit.draw().axes[0]
        labels = dict(zip(axes.get_yticks(), (text.get_text() for text in axes.get_yticklabels()), strict=True))
        strokes = [
            segment
            for each in axes.collections
            if isinstance(each, LineCollection) and to_hex(np.asarray(each.get_colors())[0]) == ORANGE.lower()
            for segment in each.get_segments()
        ]
        found = {label: x for (x, low), (_, high) in strokes for y, label in labels.items() if low < y < high}
        assert found == pytest.approx({"W, answers all judges ranked": 1 / 4, "W, tie-corrected": 1 / 4})
        assert "corrected for ties is 1/m" in exhibit.describes
