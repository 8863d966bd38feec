"""Files of three kinds of study, of our own making, through the whole analysis and by independent routes."""

from itertools import combinations
from typing import Any

import krippendorff
import numpy as np
import pandas as pd
import pytest
from scipy.stats import kendalltau, rankdata

from analysis.agreement.sections import AGREEMENT, CATEGORIES, CONSENSUS, OVERALL_INTRACLASS
from analysis.data.core.pair_file import read_pairs
from analysis.data.core.parameters import WHOLE, Parameters
from analysis.data.core.rating_file import ColumnMap, read_ratings
from analysis.data.core.rating_frame import Ratings, judgments_of
from analysis.data.core.study_tables import StudyTables
from analysis.outcomes.sections import OUTCOMES
from analysis.report.prose.headlines import headlines
from analysis.sections.core.report import Report
from analysis.unblinded.core.full_report import analyse
from tests.analysis.agreement.core.rankings import value
from tests.libraries import library


def fleiss_kappa(table: Any) -> float:
    """By statsmodels, of things × raters."""
    rating = library("statsmodels.stats.inter_rater")
    kappa: float = rating.fleiss_kappa(rating.aggregate_raters(table)[0])
    return kappa


def reported(ratings: Ratings, scale: tuple[float, float] | None = None) -> Report:
    return analyse(StudyTables(judgments_of(ratings)), parameters=Parameters(draws=100, scale=scale))


def content(frame: pd.DataFrame) -> bytes:
    return frame.to_csv(index=False).encode()


def summaries() -> pd.DataFrame:
    """Three workers score four systems' answers to each question about a story from 0 to 100."""
    rng, rows = np.random.default_rng(1), []
    for story in range(6):
        workers = rng.choice(6, 3, replace=False)
        for question in range(2):
            level = rng.normal((85, 60, 63, 83), 8)
            for worker in workers:
                for system, at in zip(("ref", "bart", "dpr", "human"), level, strict=True):
                    marks = np.clip(at + rng.normal(0, 9, 2), 0, 100).round()
                    rows.append((f"w{worker}", story, question, system, *marks))
    return pd.DataFrame(rows, columns=["worker", "story", "question", "system", "correctness", "coverage"])


class TestScoresOfSummaries:
    """As SQuALITY has them."""

    @pytest.fixture(scope="class")
    @classmethod
    def file(cls) -> pd.DataFrame:
        return summaries()

    @pytest.fixture(scope="class")
    @classmethod
    def report(cls, file: pd.DataFrame) -> Report:
        columns = {
            "evaluator": ("worker",),
            "prompt": ("story", "question"),
            "unit": ("story", "question", "system"),
            "respondent": ("system",),
        }
        return reported(read_ratings(content(file), ColumnMap(columns=columns, scale=(0, 100))), (0, 100))

    @pytest.fixture(scope="class")
    @classmethod
    def by_prompt(cls, file: pd.DataFrame) -> list[np.ndarray[Any, Any]]:
        total = file.assign(total=file["correctness"] + file["coverage"])
        tables = total.groupby(["story", "question"])
        return [part.pivot(index="worker", columns="system", values="total").to_numpy() for _, part in tables]

    def test_concordance_is_that_of_ranks_by_scipy(
        self, report: Report, by_prompt: list[np.ndarray[Any, Any]]
    ) -> None:
        found = report[AGREEMENT][WHOLE].summary
        w, taus = [], []
        for scores in by_prompt:
            ranks = rankdata(-scores, axis=1)
            m, n = ranks.shape
            ties = sum((np.unique(row, return_counts=True)[1] ** 3).sum() - n for row in ranks)
            s = ((ranks.sum(axis=0) - ranks.sum(axis=0).mean()) ** 2).sum()
            w.append(12 * s / (m**2 * (n**3 - n) - m * ties))
            taus += [kendalltau(ranks[i], ranks[j]).statistic for i in range(m) for j in range(i)]
        assert value(found.w_common.mean) == pytest.approx(np.mean(w))
        assert value(found.tau_b_pooled) == pytest.approx(np.mean(taus))

    def test_alpha_is_that_of_the_krippendorff_package(self, file: pd.DataFrame, report: Report) -> None:
        total = file.assign(total=file["correctness"] + file["coverage"])
        table = total.pivot(index="worker", columns=["story", "question", "system"], values="total").to_numpy()
        found = report[AGREEMENT][WHOLE].summary.alpha_interval
        assert value(found) == pytest.approx(krippendorff.alpha(table, level_of_measurement="interval"))

    def test_means_and_pairs_are_those_of_pandas(self, file: pd.DataFrame, report: Report) -> None:
        outcomes = report[OUTCOMES].outcomes[WHOLE]
        means = file.assign(mean=(file["correctness"] + file["coverage"]) / 2).groupby("system")["mean"].mean()
        assert {each.source: value(each.score.mean) for each in outcomes.sources} == pytest.approx(means.to_dict())
        both = file.merge(file[file["system"] == "human"], on=["worker", "story", "question"], suffixes=("", "_of"))
        both = both[both["system"] != "human"]
        gap = both["correctness"] + both["coverage"] - both["correctness_of"] - both["coverage_of"]
        assert (outcomes.pairs.wins, outcomes.pairs.ties) == (int((gap > 0).sum()), int((gap == 0).sum()))

    def test_consensus_scores_correlate_as_in_pandas(self, file: pd.DataFrame, report: Report) -> None:
        means = file.groupby(["story", "question", "system"])[["correctness", "coverage"]].mean()
        [pair] = report[CONSENSUS].consensus_correlations
        assert value(pair.r) == pytest.approx(float(np.corrcoef(means.to_numpy(), rowvar=False)[0, 1]))


class TestMarksOfTexts:
    """As Sottana and others have them: everybody marks every text from 1 to 5, and nobody ranks."""

    @pytest.fixture(scope="class")
    @classmethod
    def file(cls) -> pd.DataFrame:
        rng = np.random.default_rng(2)
        level = rng.integers(1, 6, size=60)
        rows = [
            (f"r{rater}", f"t{text:02d}", int(np.clip(at + rng.integers(-1, 2) * (rng.random() < 0.5), 1, 5)))
            for text, at in enumerate(level)
            for rater in range(3)
        ]
        return pd.DataFrame(rows, columns=["rater", "text", "fluency"])

    @pytest.fixture(scope="class")
    @classmethod
    def report(cls, file: pd.DataFrame) -> Report:
        return reported(read_ratings(content(file), ColumnMap(columns={"unit": ("text",)}, scale=(1, 5))), (1, 5))

    def test_kappas_and_alphas_of_marks_are_those_of_other_packages(
        self, file: pd.DataFrame, report: Report
    ) -> None:
        table = file.pivot(index="text", columns="rater", values="fluency").to_numpy()
        [found] = report[CATEGORIES]
        assert value(found.fleiss) == pytest.approx(fleiss_kappa(table))
        for level in ("nominal", "ordinal"):
            oracle = krippendorff.alpha(table.T, level_of_measurement=level)
            assert value(getattr(found, f"alpha_{level}")) == pytest.approx(oracle)

    def test_ac1_counts_marks_of_the_scale_that_nobody_gave(self, file: pd.DataFrame) -> None:
        some = file.assign(fluency=file["fluency"].clip(2, 4))
        table = some.pivot(index="text", columns="rater", values="fluency").to_numpy()
        share = np.mean([len(set(pair)) == 1 for row in table for pair in combinations(row, 2)])
        used = np.array([(table == mark).mean() for mark in (2, 3, 4)])
        for scale, categories in ((None, 3), ((1.0, 5.0), 5)):
            columns = ColumnMap(columns={"unit": ("text",)}, scale=scale)
            [found] = reported(read_ratings(content(some), columns), scale)[CATEGORIES]
            chance = (used * (1 - used)).sum() / (categories - 1)
            assert found.categories == categories
            assert value(found.ac1) == pytest.approx((share - chance) / (1 - chance))

    @pytest.mark.filterwarnings("ignore:The inplace keyword")  # of pingouin
    def test_intraclass_correlations_of_marks_are_those_of_pingouin(
        self, file: pd.DataFrame, report: Report
    ) -> None:
        table = library("pingouin").intraclass_corr(file, targets="text", raters="rater", ratings="fluency")
        found = report[OVERALL_INTRACLASS][WHOLE].icc
        assert value(found["random"]) == pytest.approx(table["ICC"].iloc[1])
        assert value(found["random_mean"]) == pytest.approx(table["ICC"].iloc[4])

    def test_agreement_without_ranks_says_why(self, report: Report) -> None:
        assert report[AGREEMENT][WHOLE].summary.w.mean.reason == "fewer than two objects"


class TestPreferences:
    """As PandaLM has them: three annotators say 1, 2 or 0 for a tie."""

    @pytest.fixture(scope="class")
    @classmethod
    def file(cls) -> pd.DataFrame:
        rng, rows = np.random.default_rng(3), []
        for number in range(120):
            first, second = rng.choice(["bloom", "llama", "opt"], 2, replace=False)
            true = rng.choice(3, p=(0.2, 0.5, 0.3))
            said = [int(true if rng.random() < 0.8 else rng.integers(3)) for _ in range(3)]
            rows.append((number, first, second, *said))
        return pd.DataFrame(rows, columns=["idx", "model_a", "model_b", "one", "two", "three"])

    @pytest.fixture(scope="class")
    @classmethod
    def report(cls, file: pd.DataFrame) -> Report:
        return reported(read_pairs(content(file), ColumnMap(columns={"verdict": ("one", "two", "three")})))

    def test_kappas_of_verdicts_are_those_of_other_packages(self, file: pd.DataFrame, report: Report) -> None:
        # Named by the order of names, as agreement is whichever answer stood first.
        swapped = file["model_a"] > file["model_b"]
        said = file[["one", "two", "three"]]
        table = said.where(~swapped, said.replace({1: 2, 2: 1})).to_numpy()
        [found] = report[CATEGORIES]
        assert value(found.fleiss) == pytest.approx(fleiss_kappa(table))
        kappa = library("sklearn.metrics").cohen_kappa_score
        pairs = [kappa(table[:, one], table[:, other]) for one in range(3) for other in range(one)]
        assert value(found.cohen) == pytest.approx(np.mean(pairs))

    def test_the_page_begins_with_strengths_and_with_agreement_on_the_two(self, report: Report) -> None:
        strongest, agreed = headlines(report)
        assert strongest.startswith("The strongest was ")
        assert agreed.startswith("Of which of two answers is better, judges said the same in ")

    def test_wins_and_ties_are_those_of_pandas(self, file: pd.DataFrame, report: Report) -> None:
        long = file.melt(id_vars=["idx", "model_a", "model_b"], value_vars=["one", "two", "three"])
        first, second = long["model_a"], long["model_b"]
        winner = first.where(long["value"] == 1, second.where(long["value"] == 2, "nobody"))
        both = ((first == "bloom") & (second == "llama")) | ((first == "llama") & (second == "bloom"))
        [head] = [
            each for each in report[OUTCOMES].outcomes[WHOLE].heads if {each.one, each.other} == {"bloom", "llama"}
        ]
        counts = winner[both].value_counts().to_dict()
        assert (head.wins, head.ties, head.losses) == (counts[head.one], counts["nobody"], counts[head.other])
        strengths = {
            each.item: value(each.log_strength) for each in report[OUTCOMES].outcomes[WHOLE].strengths.items
        }
        assert sum(strengths.values()) == pytest.approx(0)
