"""All figures of three kinds of other people's files, by routes that have nothing in common with ours: pandas,
SciPy, scikit-learn, pingouin, statsmodels, krippendorff and choix, or the definition written down once more.

Where a program's definition is another one, that is said where it is compared.
"""

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any, Final

import krippendorff
import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray
from scipy import optimize, stats

from analysis.agreement.core.categories import VERDICT
from analysis.agreement.sections import (
    AGREEMENT,
    CATEGORIES,
    CONSENSUS,
    EVALUATORS,
    JUDGES,
    OVERALL_INTRACLASS,
    RUBRIC,
)
from analysis.data.core.pair_file import read_pairs
from analysis.data.core.parameters import WHOLE, Parameters
from analysis.data.core.rating_file import ColumnMap, read_ratings
from analysis.data.core.rating_frame import Ratings, judgments_of
from analysis.data.core.study_tables import StudyTables
from analysis.outcomes.sections import OUTCOMES
from analysis.sections.core.report import Report
from analysis.unblinded.core.full_report import analyse
from tests.analysis.agreement.core.rankings import value
from tests.libraries import library

Floats = NDArray[np.float64]
MARKS: Final = ["correctness", "coverage", "style"]


def same(expected: Any) -> Any:
    return pytest.approx(expected, rel=1e-9, abs=1e-9)


def reported(ratings: Ratings, scale: tuple[float, float] | None = None) -> Report:
    return analyse(StudyTables(judgments_of(ratings)), parameters=Parameters(draws=100, scale=scale))


def content(frame: pd.DataFrame) -> bytes:
    return frame.to_csv(index=False).encode()


def kendalls_w(ranks: Floats, *, corrected: bool) -> float:
    """Of judges × answers, mid-ranks."""
    m, n = ranks.shape
    ties = sum((np.unique(row, return_counts=True)[1] ** 3).sum() - n for row in ranks) if corrected else 0.0
    return float(12 * ((ranks.sum(axis=0) - m * (n + 1) / 2) ** 2).sum() / (m**2 * (n**3 - n) - m * ties))


def pairwise(table: pd.DataFrame, figure: Callable[[pd.Series, pd.Series], float]) -> list[float]:
    """A figure of every two raters, over what both rated."""
    both = (table[[one, other]].dropna() for one, other in combinations(table.columns, 2))
    return [figure(pair.iloc[:, 0], pair.iloc[:, 1]) for pair in both if len(pair) > 2]


def by_definition(table: Floats, categories: list[float]) -> Iterator[tuple[str, float]]:
    """Share of equal ratings, AC1 and AC2 (Gwet 2008; 2014) of things × raters without gaps, and Cohen's κ in the
    mean over pairs.
    """
    raters, q = table.shape[1], len(categories)
    counts = np.array([[(row == mark).sum() for mark in categories] for row in table], dtype=float)
    used = (counts / raters).mean(axis=0)
    places = np.arange(q)
    quadratic = 1 - (places[:, None] - places) ** 2 / (q - 1) ** 2
    for name, weights in (("ac1", np.eye(q)), ("ac2", quadratic)):
        alike = (counts * (counts @ weights - 1)).sum(axis=1) / (raters * (raters - 1))
        by_chance = weights.sum() / (q * (q - 1)) * (used * (1 - used)).sum()
        yield name, float((alike.mean() - by_chance) / (1 - by_chance))
    yield "share", float(((counts * (counts - 1)).sum(axis=1) / (raters * (raters - 1))).mean())
    cohen = library("sklearn.metrics").cohen_kappa_score
    found = [cohen(table[:, one], table[:, other]) for one, other in combinations(range(raters), 2)]
    yield "cohen", float(np.mean(found))


class TestScoresOfSummaries:
    """As SQuALITY has them: three of six workers score four systems' answers to each question from 0 to 100."""

    @pytest.fixture(scope="class")
    @classmethod
    def file(cls) -> pd.DataFrame:
        rng, rows = np.random.default_rng(11), []
        for story in range(6):
            workers = rng.choice(6, 3, replace=False)
            for question in range(2):
                level = rng.normal((85, 60, 63, 83), 8)
                for worker in workers:
                    for system, at in zip(("ref", "bart", "dpr", "human"), level, strict=True):
                        marks = np.clip(at + 3 * (worker - 2) + rng.normal(0, 9, 3), 0, 100).round(-1)
                        rows.append((f"w{worker}", story, question, system, *marks))
        found = pd.DataFrame(rows, columns=["worker", "story", "question", "system", *MARKS])
        return found.assign(prompt=found["story"].astype(str) + "/" + found["question"].astype(str))

    @pytest.fixture(scope="class")
    @classmethod
    def report(cls, file: pd.DataFrame) -> Report:
        columns = {
            "evaluator": ("worker",),
            "prompt": ("story", "question"),
            "unit": ("story", "question", "system"),
            "respondent": ("system",),
        }
        plain = file.drop(columns="prompt")
        return reported(read_ratings(content(plain), ColumnMap(columns=columns, scale=(0, 100))), (0, 100))

    @pytest.fixture(scope="class")
    @classmethod
    def scored(cls, file: pd.DataFrame) -> pd.DataFrame:
        """With the mean of the marks, and mid-ranks of it within each judgment."""
        found = file.assign(mean=file[MARKS].mean(axis=1).round(9))
        ranks = found.groupby(["prompt", "worker"])["mean"]
        return found.assign(rank=ranks.rank(ascending=False), best=ranks.rank(ascending=False, method="min"))

    @pytest.fixture(scope="class")
    @classmethod
    def by_prompt(cls, scored: pd.DataFrame) -> list[pd.DataFrame]:
        return [part.pivot(index="worker", columns="system", values="rank") for _, part in scored.groupby("prompt")]

    def test_concordance(self, report: Report, by_prompt: list[pd.DataFrame]) -> None:
        found = report[AGREEMENT][WHOLE].summary
        for summary, corrected in ((found.w, False), (found.w_tie_corrected, True), (found.w_common, True)):
            w = [kendalls_w(ranks.to_numpy(), corrected=corrected) for ranks in by_prompt]
            assert value(summary.mean) == same(np.mean(w))
            assert value(summary.median) == same(np.median(w))
            assert value(summary.sd) == same(np.std(w, ddof=1))

    def test_rank_correlations(self, report: Report, by_prompt: list[pd.DataFrame]) -> None:
        found = report[AGREEMENT][WHOLE].summary
        taus = [
            pairwise(ranks.T, lambda one, other: float(stats.kendalltau(one, other).statistic))
            for ranks in by_prompt
        ]
        assert value(found.tau_b.mean) == same(np.mean([np.mean(each) for each in taus]))
        assert value(found.tau_b_pooled) == same(np.mean([tau for each in taus for tau in each]))

    def test_friedmans_test(self, report: Report, by_prompt: list[pd.DataFrame]) -> None:
        prompts = sorted(report[AGREEMENT][WHOLE].prompts, key=lambda each: each.prompt_id)
        for prompt, ranks in zip(prompts, by_prompt, strict=True):
            oracle = stats.friedmanchisquare(*ranks.to_numpy().T)
            assert (value(prompt.chi_squared), value(prompt.p)) == (same(oracle.statistic), same(oracle.pvalue))

    def test_alpha(self, report: Report, scored: pd.DataFrame) -> None:
        found = report[AGREEMENT][WHOLE].summary
        ranks, means = (
            scored.pivot(index="worker", columns=["prompt", "system"], values=column).to_numpy()
            for column in ("rank", "mean")
        )
        assert value(found.alpha_ordinal) == same(krippendorff.alpha(ranks, level_of_measurement="ordinal"))
        assert value(found.alpha_interval) == same(krippendorff.alpha(means, level_of_measurement="interval"))

    @pytest.mark.filterwarnings("ignore:The inplace keyword")  # of pingouin
    def test_intraclass_correlations_within_prompts(self, report: Report, scored: pd.DataFrame) -> None:
        """From pingouin's mean squares of every prompt: it knows no prompts, and has no pooled coefficient."""
        squares = []
        for _, part in scored.groupby("prompt"):
            icc = library("pingouin").intraclass_corr(part, targets="system", raters="worker", ratings="mean")
            by_kind = icc.set_index("Type")["ICC"]
            squares.append(self.mean_squares(part))
            # That the squares are the ones that pingouin's coefficients are of.
            ms_target, ms_rater, ms_error = squares[-1]
            assert by_kind.iloc[1] == same(
                (ms_target - ms_error) / (ms_target + 2 * ms_error + 3 * (ms_rater - ms_error) / 4)
            )
        target, rater, error = np.mean(squares, axis=0)
        covariance = (target - error) / 3
        found = report[AGREEMENT][WHOLE].icc
        assert value(found["fixed"]) == same(covariance / (covariance + error))
        assert value(found["random"]) == same(covariance / (covariance + error + (rater - error) / 4))
        assert value(found["fixed_mean"]) == same(covariance / (covariance + error / 3))

    @staticmethod
    def mean_squares(part: pd.DataFrame) -> tuple[float, float, float]:
        """Of targets, raters and the rest, by hand: three raters of four targets."""
        table = part.pivot(index="system", columns="worker", values="mean").to_numpy()
        grand = table.mean()
        targets = 3 * ((table.mean(axis=1) - grand) ** 2).sum()
        raters = 4 * ((table.mean(axis=0) - grand) ** 2).sum()
        rest = ((table - grand) ** 2).sum() - targets - raters
        return targets / 3, raters / 2, rest / 6

    def test_outcomes_by_source(self, report: Report, scored: pd.DataFrame) -> None:
        means = scored.groupby("system")[["rank", "best", "mean", *MARKS]].mean()
        outcomes = report[OUTCOMES].outcomes[WHOLE]
        for each in outcomes.sources:
            expected = means.loc[each.source]
            assert value(each.mid_rank.mean) == same(expected["rank"])
            assert value(each.competition_rank.mean) == same(expected["best"])
            assert value(each.score.mean) == same(expected["mean"])
        assert {(each.source, each.dimension): value(each.score.mean) for each in outcomes.card} == same(
            {(source, mark): means.loc[source, mark] for source in means.index for mark in MARKS}
        )
        firsts = scored[scored["best"] == 1]
        shared = 1 / firsts.groupby(["prompt", "worker"])["system"].transform("size")
        judgments = scored.groupby(["prompt", "worker"]).ngroups
        won = shared.groupby(firsts["system"]).sum() / judgments
        assert {each.source: value(each.first) for each in outcomes.sources} == same(
            {source: won.get(source, 0.0) for source in means.index}
        )

    def test_models_against_people(self, report: Report, scored: pd.DataFrame) -> None:
        people = scored[scored["system"] == "human"]
        both = scored[scored["system"] != "human"].merge(people, on=["prompt", "worker"], suffixes=("", "_of"))
        gap = (both["mean"] - both["mean_of"]).round(9)
        outcomes = report[OUTCOMES].outcomes[WHOLE]
        assert (outcomes.pairs.wins, outcomes.pairs.ties) == (int((gap > 0).sum()), int((gap == 0).sum()))
        assert value(outcomes.pairs.preference) == same(((gap > 0) + (gap == 0) / 2).mean())
        assert value(outcomes.lead) == same(gap.groupby([both["prompt"], both["worker"]]).mean().mean())

    def test_correlations_of_raters(self, report: Report, scored: pd.DataFrame) -> None:
        for each in report[EVALUATORS].evaluators:
            column = "mean" if each.dimension == "mean" else each.dimension
            table = scored.pivot(index=["prompt", "system"], columns="worker", values=column)
            assert value(each.r) == same(np.mean(pairwise(table, lambda one, other: float(one.corr(other)))))

            def within(one: pd.Series, other: pd.Series) -> float:
                around = [row - row.groupby(level="prompt").transform("mean") for row in (one, other)]
                return float(around[0].corr(around[1]))

            assert value(each.r_within) == same(np.mean(pairwise(table, within)))

    def test_how_strict_raters_are(self, report: Report, scored: pd.DataFrame) -> None:
        table = scored.pivot(index=["prompt", "system"], columns="worker", values="mean")
        for line in report[JUDGES].judges:
            others = table.drop(columns=line.severity.judge).mean(axis=1)
            assert value(line.severity.lead.mean) == same((table[line.severity.judge] - others).mean())

    def test_dimensions_over_ratings_and_over_consensus_scores(self, report: Report, file: pd.DataFrame) -> None:
        consensus = file.groupby(["prompt", "system"])[MARKS].mean()
        rubric, of_answers = report[RUBRIC], report[CONSENSUS]
        for values, correlations, components in (
            (file[MARKS], rubric.correlations, rubric.components),
            (consensus, of_answers.consensus_correlations, of_answers.consensus_components),
        ):
            matrix = values.corr()
            assert {(each.one, each.other): value(each.r) for each in correlations} == same(
                {pair: matrix.loc[pair] for pair in combinations(MARKS, 2)}
            )
            standardised = library("sklearn.preprocessing").StandardScaler().fit_transform(values)
            oracle = library("sklearn.decomposition").PCA().fit(standardised)
            assert [value(each.share) for each in components] == same(oracle.explained_variance_ratio_)
            first = oracle.components_[0] * np.sqrt(matrix.to_numpy().trace() * oracle.explained_variance_ratio_[0])
            assert components[0].loadings == same(tuple(first * np.sign(first[np.abs(first).argmax()])))


class TestMarksOfTexts:
    """As Sottana and others have them: all raters mark every model's texts from 1 to 5 on several dimensions."""

    DIMENSIONS = ("fluency", "relevance", "coherence")

    @pytest.fixture(scope="class")
    @classmethod
    def file(cls) -> pd.DataFrame:
        rng, rows = np.random.default_rng(12), []
        for text in range(20):
            for model in ("gpt", "t5", "human"):
                level = rng.integers(2, 6, size=3)
                for rater in range(4):
                    slips = rng.integers(-1, 2, size=3) * (rng.random(3) < 0.5)
                    rows.append((f"r{rater}", f"t{text:02d}", model, *np.clip(level + slips, 1, 5)))
        return pd.DataFrame(rows, columns=["rater", "text", "model", *cls.DIMENSIONS])

    @pytest.fixture(scope="class")
    @classmethod
    def report(cls, file: pd.DataFrame) -> Report:
        columns = ColumnMap(columns={"prompt": ("text",)}, scale=(1, 5))
        return reported(read_ratings(content(file), columns), (1, 5))

    @pytest.mark.parametrize("dimension", DIMENSIONS)
    def test_agreement_on_categories(self, file: pd.DataFrame, report: Report, dimension: str) -> None:
        [found] = [each for each in report[CATEGORIES] if each.dimension == dimension]
        table = file.pivot(index=["text", "model"], columns="rater", values=dimension).to_numpy(dtype=float)
        for name, expected in by_definition(table, [1, 2, 3, 4, 5]):
            assert value(getattr(found, name)) == same(expected), name
        rating = library("statsmodels.stats.inter_rater")
        assert value(found.fleiss) == same(rating.fleiss_kappa(rating.aggregate_raters(table)[0]))
        for level in ("nominal", "ordinal"):
            oracle = krippendorff.alpha(table.T, level_of_measurement=level)
            assert value(getattr(found, f"alpha_{level}")) == same(oracle)

    @pytest.mark.filterwarnings("ignore:The inplace keyword")  # of pingouin
    def test_intraclass_correlations_over_all_answers(self, file: pd.DataFrame, report: Report) -> None:
        scored = file.assign(mean=file[[*self.DIMENSIONS]].mean(axis=1), answer=file["text"] + file["model"])
        icc = library("pingouin").intraclass_corr(scored, targets="answer", raters="rater", ratings="mean")["ICC"]
        found = report[OVERALL_INTRACLASS][WHOLE].icc
        names = ("one_way", "random", "fixed", "one_way_mean", "random_mean", "fixed_mean")
        oracle = dict(zip(names, icc, strict=True))
        assert {name: value(each) for name, each in found.items()} == same({name: oracle[name] for name in found})

    def test_scores_by_model_and_dimension(self, file: pd.DataFrame, report: Report) -> None:
        means = file.groupby("model")[[*self.DIMENSIONS]].mean()
        card = report[OUTCOMES].outcomes[WHOLE].card
        assert {(each.source, each.dimension): value(each.score.mean) for each in card} == same(
            {(model, mark): means.loc[model, mark] for model in means.index for mark in self.DIMENSIONS}
        )


class TestPreferences:
    """As PandaLM has them: three annotators say 1, 2 or 0 for a tie of the answers of two models."""

    MODELS = ("bloom", "llama", "opt", "pythia")

    @staticmethod
    def made(seed: int, *, ties: bool) -> pd.DataFrame:
        rng, rows = np.random.default_rng(seed), []
        for number in range(150):
            first, second = rng.choice(TestPreferences.MODELS, 2, replace=False)
            ahead = (first > second) * 0.3 + 0.35
            tied = 0.2 if ties else 0.0
            shares = (tied, (1 - tied) * ahead, (1 - tied) * (1 - ahead))
            true = rng.choice(3, p=shares)
            said = [int(true if rng.random() < 0.8 else rng.choice(3, p=shares)) for _ in range(3)]
            rows.append((number, first, second, *said))
        return pd.DataFrame(rows, columns=["idx", "model_a", "model_b", "one", "two", "three"])

    @staticmethod
    def read(file: pd.DataFrame) -> Report:
        return reported(read_pairs(content(file), ColumnMap(columns={"verdict": ("one", "two", "three")})))

    @pytest.fixture(scope="class")
    @classmethod
    def file(cls) -> pd.DataFrame:
        return cls.made(13, ties=True)

    @pytest.fixture(scope="class")
    @classmethod
    def report(cls, file: pd.DataFrame) -> Report:
        return cls.read(file)

    @staticmethod
    def verdicts(file: pd.DataFrame) -> Floats:
        """−1 where the answer whose name comes first was preferred, 1 for the other, 0 for a tie."""
        signs = file[["one", "two", "three"]].replace({1: -1, 2: 1, 0: 0}).to_numpy(dtype=float)
        return np.where((file["model_a"] > file["model_b"]).to_numpy()[:, None], -signs, signs)

    def test_agreement_on_verdicts(self, file: pd.DataFrame, report: Report) -> None:
        [found] = report[CATEGORIES]
        assert found.dimension == VERDICT
        table = self.verdicts(file)
        for name, expected in by_definition(table, [-1, 0, 1]):
            assert value(getattr(found, name)) == same(expected), name
        rating = library("statsmodels.stats.inter_rater")
        assert value(found.fleiss) == same(rating.fleiss_kappa(rating.aggregate_raters(table)[0]))
        for level in ("nominal", "ordinal"):
            oracle = krippendorff.alpha(table.T, level_of_measurement=level)
            assert value(getattr(found, f"alpha_{level}")) == same(oracle)

    @staticmethod
    def long(file: pd.DataFrame) -> Iterator[tuple[str, str, int]]:
        """Both answers, and which of them was preferred: 1, 2, or 0."""
        for _, first, second, *said in file.itertuples(index=False, name=None):
            yield from ((first, second, each) for each in said)

    def test_wins_and_preferences(self, file: pd.DataFrame, report: Report) -> None:
        for head in report[OUTCOMES].outcomes[WHOLE].heads:
            said = [
                ("", first, second)[each]
                for first, second, each in self.long(file)
                if {first, second} == {head.one, head.other}
            ]
            assert (head.wins, head.ties, head.losses) == tuple(map(said.count, (head.one, "", head.other)))
            assert value(head.preference) == same((head.wins + head.ties / 2) / len(said))

    def test_strengths_with_ties_are_where_davidsons_likelihood_is_greatest(
        self, file: pd.DataFrame, report: Report
    ) -> None:
        """No package has his model: the likelihood is written down and maximised by SciPy, which stops some digits
        earlier; there our strengths are no less likely, and the slope is nothing.
        """
        found = report[OUTCOMES].outcomes[WHOLE].strengths
        places = {each.item: place for place, each in enumerate(found.items)}
        rows = [(places[first], places[second], said) for first, second, said in self.long(file)]

        def unlikely(parameters: Floats) -> float:
            total = 0.0
            for one, other, said in rows:
                a, b = parameters[one], parameters[other]
                of = np.array([parameters[-1] + (a + b) / 2, a, b])
                total += float(np.logaddexp.reduce(of) - of[said])
            return total

        assert found.ties is not None
        ours = np.array([*(value(each.log_strength) for each in found.items), np.log(value(found.ties))])
        theirs = optimize.minimize(unlikely, np.zeros(len(ours)), method="BFGS").x
        theirs[:-1] -= theirs[:-1].mean()
        assert ours == pytest.approx(theirs, abs=1e-4)
        assert unlikely(ours) <= unlikely(theirs) + 1e-9
        assert optimize.approx_fprime(ours, unlikely, 1e-6) == pytest.approx(np.zeros(len(ours)), abs=1e-3)

    def test_strengths_without_ties_are_those_of_choix(self) -> None:
        file = self.made(14, ties=False)
        found = self.read(file).get(OUTCOMES)
        assert found
        items = found.outcomes[WHOLE].strengths.items
        places = {each.item: place for place, each in enumerate(items)}
        won = [(first, second) if said == 1 else (second, first) for first, second, said in self.long(file)]
        pairs = [(places[winner], places[loser]) for winner, loser in won]
        oracle = library("choix").ilsr_pairwise(len(items), pairs, tol=1e-13, max_iter=10_000)
        assert [value(each.log_strength) for each in items] == same(oracle - oracle.mean())

    def test_plackett_and_luce_of_pairs_without_ties_is_bradley_and_terry(self) -> None:
        outcomes = self.read(self.made(14, ties=False))[OUTCOMES].outcomes[WHOLE]
        of_rankings, of_pairs = (
            [value(each.log_strength) for each in strengths.items]
            for strengths in (outcomes.plackett_luce, outcomes.strengths)
        )
        assert of_rankings == same(of_pairs)
