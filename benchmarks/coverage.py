"""Whether intervals hold what they promise: studies drawn with a known truth, analysed as any other.

`python -m benchmarks.coverage [--runs 500]`. Of a figure's intervals at 95 %, 92 to 98 % should hold its true
value, which follows from how the studies are drawn, or else is the mean over all of them. W of judges who rank at
random is 1/m in the mean, and the p-value of its permutation test is uniform. Exits with 1 where one of these
fails.
"""

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import repeat
from statistics import fmean
from time import perf_counter

import numpy as np
import pandas as pd
from scipy import stats

from analysis.agreement.core.concordance import kendall_w, permutation_p
from analysis.agreement.core.judges import severities
from analysis.agreement.sections import AGREEMENT
from analysis.agreement.sections import JUDGES as SINGLE_JUDGES
from analysis.blinding.sections import BLINDING
from analysis.data.core.judgment_frame import HUMAN, MODEL, STANDARD, columns
from analysis.data.core.parameters import WHOLE, Parameters
from analysis.data.core.results import Estimate, FloatArray
from analysis.data.core.study_tables import ANSWERS, StudyTables, table
from analysis.outcomes.sections import OUTCOMES
from analysis.sections.core.report import Report
from analysis.unblinded.core.full_report import analyse

PROMPTS, JUDGES, JUDGMENTS_EACH, SHOWN, WRITTEN = 30, 15, 10, 3, 10
MODELS = ("claude", "gemini", "gpt")
LEVEL, MARGIN = 0.95, 0.03
SEED = 1
KNOWN, RIGHT = 0.8, 0.7  # of a judge's guesses those that are not “don't know”; of these the right ones, on average
ANY_JUDGE = 0


@dataclass(frozen=True)
class Truth:
    """Scores are 5 + what the source is better by + the prompt's part, one for each source + the answer's (of
    people) + the judge's severity + the rest, with these standard deviations.
    """

    lead: float = 1.0
    prompt: float = 0.6
    answer: float = 0.5
    judge: float = 0.6
    rest: float = 1.0


@dataclass(frozen=True)
class Drawn:
    """A study, and how severe its judges are."""

    tables: StudyTables
    judges: FloatArray


def a_study(rng: np.random.Generator, truth: Truth) -> Drawn:
    """The published design: three models' answers and three of ten people's, other ones for every judge."""
    prompts = np.repeat(np.arange(PROMPTS), JUDGMENTS_EACH)
    judges = np.concatenate([rng.choice(JUDGES, JUDGMENTS_EACH, replace=False) for _ in range(PROMPTS)])
    people = np.stack([rng.choice(WRITTEN, SHOWN, replace=False) for _ in prompts])
    answers = np.hstack([np.tile(WRITTEN + np.arange(len(MODELS)), (prompts.size, 1)), people])
    sources = np.where(answers < WRITTEN, len(MODELS), answers - WRITTEN)
    of_prompt = rng.normal(0, truth.prompt, (PROMPTS, len(MODELS) + 1))
    of_answer = rng.normal(0, truth.answer, (PROMPTS, WRITTEN + len(MODELS)))
    of_answer[:, WRITTEN:] = 0
    of_judge = rng.normal(0, truth.judge, JUDGES)
    scores = (
        5
        + truth.lead * (sources < len(MODELS))
        + of_prompt[prompts[:, None], sources]
        + of_answer[prompts[:, None], answers]
        + of_judge[judges][:, None]
        + rng.normal(0, truth.rest, answers.shape)
    )
    ranks = 1 + (scores[:, None, :] > scores[:, :, None]).sum(axis=2)
    seen = answers.shape[1]
    frame = pd.DataFrame(
        {
            "prompt_id": [f"P{prompt:02}" for prompt in np.repeat(prompts, seen)],
            "true_id": [
                f"{prompt}-{answer}"
                for prompt, answer in zip(np.repeat(prompts, seen), answers.ravel(), strict=True)
            ],
            "blinded_label": np.tile([f"Response {label}" for label in "ABCDEF"], prompts.size),
            "item_type": STANDARD,
            "true_source": np.where(sources.ravel() < len(MODELS), MODEL, HUMAN),
            "model": np.array([*MODELS, ""])[sources.ravel()],
            "rank": ranks.ravel(),
            "score": scores.ravel(),
            "judge_id": [f"j{judge:02}" for judge in np.repeat(judges, seen)],
            "quality": scores.ravel(),
        }
    )
    seen_by_any = frame[["true_id", "prompt_id", "true_source"]].drop_duplicates()
    given = table([(*answer, "", "", "", 0, "", "") for answer in seen_by_any.itertuples(index=False)], ANSWERS)
    return Drawn(StudyTables(frame[columns(["quality"])], answers=given, guesses=_guesses(rng, frame)), of_judge)


def _guesses(rng: np.random.Generator, frame: pd.DataFrame) -> pd.DataFrame:
    """Of every judge about the answers of one prompt; some judges tell better than others."""
    own = frame[frame["prompt_id"] == frame.groupby("judge_id")["prompt_id"].transform("first")]
    skill = {judge: rng.uniform(2 * RIGHT - 1, 1) for judge in own["judge_id"].unique()}
    is_right = rng.random(len(own)) < own["judge_id"].map(skill)
    other = own["true_source"].map({HUMAN: MODEL, MODEL: HUMAN})
    guess = own["true_source"].where(is_right, other).where(rng.random(len(own)) < KNOWN, "unknown")
    return own[["prompt_id", "judge_id", "true_id"]].assign(guess=guess, confidence=3.0)


def figures(report: Report) -> dict[str, Estimate]:
    """Those whose intervals are tried."""
    summary = report[AGREEMENT][WHOLE].summary
    outcomes = report[OUTCOMES].outcomes[WHOLE]
    claude = next(source for source in outcomes.sources if source.source == "claude")
    return {
        "W, common answers": summary.w_common.mean,
        "τ-b, mean of prompts": summary.tau_b.mean,
        "τ-b, pooled": summary.tau_b_pooled,
        "α, ordinal": summary.alpha_ordinal,
        "α, interval": summary.alpha_interval,
        "model preferred": outcomes.pairs.preference,
        "model first": outcomes.first.fractional,
        "mean score": claude.score.mean,
        "mean rank": claude.mid_rank.mean,
        "lead of models": outcomes.lead,
        "prompts led by models": outcomes.led_by_models,
        "strength": next(item for item in outcomes.strengths.items if item.item == "claude").log_strength,
        "ICC(2,1)": report[AGREEMENT][WHOLE].icc["random"],
        "Bang, people": report[BLINDING].blinding.bang[0],
        "Bang, models": report[BLINDING].blinding.bang[1],
        "severity of a judge": report[SINGLE_JUDGES].judges[ANY_JUDGE].severity.lead.mean,
    }


def known(study: Drawn, truth: Truth) -> dict[str, float]:
    """The true values that follow from how studies are drawn; severity is of this one's judges."""
    frame = study.tables.judgments
    own = pd.Series(study.judges[frame["judge_id"].str[1:].astype(int)], frame.index)
    bang = KNOWN * (2 * RIGHT - 1)
    return {
        "mean score": 5 + truth.lead,
        "lead of models": truth.lead,
        "Bang, people": bang,
        "Bang, models": bang,
        "severity of a judge": _value(severities(frame, own)[ANY_JUDGE].lead.mean),
    }


@dataclass(frozen=True)
class Tried:
    """What the analysis of one study found of a figure, its true value where that is known, and both ends."""

    value: float
    true: float | None
    low: float
    high: float


def a_trial(number: int, draws: int) -> dict[str, Tried]:
    rng, truth = np.random.default_rng((SEED, number)), Truth()
    study = a_study(rng, truth)
    report = analyse(study.tables, parameters=Parameters(draws=draws, level=LEVEL, seed=number))
    true = known(study, truth)
    return {name: Tried(_value(figure), true.get(name), *_ends(figure)) for name, figure in figures(report).items()}


def coverage(runs: int, draws: int) -> bool:
    with ProcessPoolExecutor() as processes:
        trials = list(processes.map(a_trial, range(runs), repeat(draws), chunksize=5))
    is_good = True
    for name in trials[0]:
        of_figure = [trial[name] for trial in trials]
        mean = fmean(each.value for each in of_figure)
        held = fmean(each.low <= (mean if each.true is None else each.true) <= each.high for each in of_figure)
        is_good &= abs(held - LEVEL) <= MARGIN
        print(f"{name:<24}mean {mean:7.3f}   held by {held:.1%}")
    return is_good


def at_random(runs: int, seed: int = 2) -> bool:
    """W of judges who rank at random, and its p-value, 0 to 1."""
    rng = np.random.default_rng(seed)
    judges, objects = 10, 6
    studies = [rng.permuted(np.tile(np.arange(1.0, objects + 1), (judges, 1)), axis=1) for _ in range(runs)]
    ws = np.array([_value(kendall_w(ranks, tie_corrected=True)) for ranks in studies])
    found = [_value(permutation_p(ranks, draws=199, rng=rng)) for ranks in studies]
    uniform = float(stats.kstest(found, stats.uniform(0, 1).cdf).pvalue)
    print(f"W of {judges} judges at random: mean {ws.mean():.4f}, to be expected 1/{judges}")
    print(f"p-values of the permutation test: uniform, Kolmogorov–Smirnov p = {uniform:.2f}")
    return bool(abs(ws.mean() - 1 / judges) < 3 * ws.std() / runs**0.5 and uniform > 0.01)


def _value(figure: Estimate) -> float:
    assert figure.value is not None
    return figure.value


def _ends(figure: Estimate) -> tuple[float, float]:
    interval = figure.interval
    assert interval is not None
    assert interval.low is not None
    assert interval.high is not None
    return interval.low, interval.high


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=500)
    parser.add_argument("--draws", type=int, default=400)
    asked = parser.parse_args()
    began = perf_counter()
    good = [coverage(asked.runs, asked.draws), at_random(asked.runs)]
    print(f"{perf_counter() - began:.0f} s")
    sys.exit(0 if all(good) else 1)


if __name__ == "__main__":
    main()
