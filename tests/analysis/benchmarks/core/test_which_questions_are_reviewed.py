"""Dropping flaws that have nothing to do with a model's errors: its score rises or not by what was reviewed."""

from typing import Final

import numpy as np
import pytest

from analysis.benchmarks.core import audit
from analysis.benchmarks.core.audit import CLEANED, ORIGINAL, WEIGHTED, Score
from analysis.benchmarks.core.audit_files import Prediction, Ruling
from analysis.benchmarks.core.audit_report import audit_report
from analysis.benchmarks.core.cluster_shares import Resamples
from analysis.benchmarks.core.items import Items, answers_of
from analysis.benchmarks.core.study_audits import StudyAudit
from analysis.benchmarks.exhibits import audit_exhibits
from analysis.benchmarks.prose import audit_passages
from analysis.data.core.number_format import estimate_text
from analysis.data.core.parameters import Parameters
from annotation.benchmarks.core.items import Question, Story

QUESTIONS: Final = 600
RIGHT, FLAWED, SAMPLED = 0.7, 0.25, 0.1
SEEDS: Final = range(20)
STORIES: Final = tuple(
    Story(key=str(number), text="", questions=(Question("?", "yes", number),), cluster=str(number))
    for number in range(1, QUESTIONS + 1)
)


def reviewed(seed: int, *, missed_alone: bool) -> tuple[list[Ruling], list[Prediction]]:
    """Of a model that is right by chance, whatever the flaws, which are always found."""
    drawn = np.random.default_rng(seed)
    right = {number: drawn.random() < RIGHT for number in range(1, QUESTIONS + 1)}
    flawed = {number: drawn.random() < FLAWED for number in right}
    weights = {
        number: 1.0 if not is_right or not missed_alone else 1 / SAMPLED
        for number, is_right in right.items()
        if not missed_alone or not is_right or drawn.random() < SAMPLED
    }
    rulings = [
        Ruling(number, "semantic" if flawed[number] else "none", weight=weight)
        for number, weight in weights.items()
    ]
    return rulings, [Prediction("model", number, "yes" if is_right else "no") for number, is_right in right.items()]


def scored(seed: int, *, missed_alone: bool) -> dict[str, Score]:
    """By subset."""
    rulings, said = reviewed(seed, missed_alone=missed_alone)
    items = Items.of(STORIES, rulings)
    resamples = Resamples.drawn(QUESTIONS, draws=200, seed=seed, level=0.95)
    answers = answers_of(items, said, "exact")
    found = (*audit.scores(items, answers, resamples), *audit.differences(items, answers, resamples))
    return {score.subset: score for score in found if score.of == "questions" and not score.part}


def value(score: Score) -> float:
    assert score.estimate.value is not None
    return score.estimate.value


def test_where_all_questions_are_reviewed_the_cleaned_score_does_not_rise() -> None:
    rises = [scored(seed, missed_alone=False)[f"{CLEANED} − {ORIGINAL}"] for seed in SEEDS]
    assert sum(map(value, rises)) / len(rises) == pytest.approx(0, abs=0.6)
    holding = [each for each in rises if each.estimate.interval and each.estimate.interval.holds(0)]
    assert len(holding) >= len(rises) - 3


def test_where_missed_ones_are_it_rises_always_and_the_weighted_score_undoes_it() -> None:
    found = [scored(seed, missed_alone=True) for seed in SEEDS]
    assert all(value(each[CLEANED]) - value(each[ORIGINAL]) > 0.03 for each in found)
    within = [
        each
        for each in found
        if (interval := each[WEIGHTED].estimate.interval) and interval.holds(value(each[ORIGINAL]))
    ]
    assert len(within) >= len(found) - 2


@pytest.mark.parametrize("missed_alone", [False, True])
def test_the_report_words_the_weighted_change_where_missed_ones_were_reviewed(missed_alone: bool) -> None:
    rulings, said = reviewed(1, missed_alone=missed_alone)
    one = StudyAudit("Set", "mapped", STORIES, (), (), tuple(rulings), tuple(said), {}, (), (), {})
    report = audit_report([one], Parameters(draws=50))
    [found] = report.benchmarks
    subset = f"{WEIGHTED if missed_alone else CLEANED} − {ORIGINAL}"
    [change] = [score.estimate for score in found.differences if score.subset == subset]
    [passage] = audit_passages(report)
    text = " ".join(passage.paragraphs)
    assert f"scores change by, in percentage points: model, singly: {estimate_text(change, 1)}." in text
    methods = " ".join(exhibit.method for exhibit in audit_exhibits(report))
    for words in (text, methods):
        assert ("weighted" in words) == missed_alone
    assert ("not weighted" in methods) == missed_alone
