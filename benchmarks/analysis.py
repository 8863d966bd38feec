"""How long a whole analysis takes, and how much memory: of a full study, and of ever more judgments.

`python -m benchmarks.analysis [--largest 100000] [--crowded]`.

A full study's report with all of its files, from 2,000
resamples and with a panel's 30 replies to every answer, is to be made within 20 s; the report of 100,000 judgments
(600,000 rows) within 60 s and 2 GB, and twice as many judgments may take 2.5 times as long at most. Seconds of the
processor count, since others may be at work on the machine; those by the clock stand beside them. Exits with 1
where one of these fails.
"""

import argparse
import resource
import sys
from time import perf_counter, process_time
from typing import Any

import numpy as np
import pandas as pd

from analysis.agreement.sections import EVALUATORS
from analysis.data.core.judgment_frame import HUMAN, JUDGMENT, MODEL, SCRUB_DIMENSIONS, STANDARD, columns
from analysis.data.core.study_tables import (
    ANSWERS,
    GUESSES,
    PANEL_EXPECTED,
    PANEL_LEADING,
    PANEL_TRAILING,
    PARTICIPANTS,
    PROMPTS,
    StudyTables,
    table,
)
from analysis.outcomes.core.calibration import QUALITY_FLOOR, SOURCE_ATTRIBUTION
from analysis.panel.sections import PANEL
from analysis.report.core.report_files import files
from analysis.report.prose.title_block import Basis
from analysis.unblinded.core.full_report import analyse
from annotation.study.core.rubric import Band, Scale

FULL_STUDY, JUDGES_OF_A_PROMPT, PROMPTS_OF_A_JUDGE = 300, 10, 20
# Of the many judgments, so that pairs of judges stay few enough to be resampled: the work grows with all of it.
PROMPTS_OF_A_BUSY_JUDGE = 40
CROWD, CROWDED = 500, 50  # judges, and judges of a prompt, where these are many
MODELS = ("claude", "gemini", "gpt")
SHOWN, AMONG_MODELS = (*MODELS, "", "", ""), (*MODELS, *MODELS)
CALIBRATION = (QUALITY_FLOOR, QUALITY_FLOOR, SOURCE_ATTRIBUTION, SOURCE_ATTRIBUTION)  # the last prompts' items
WEAK = 0  # the place of the weak answer among those of a prompt for the quality floor
MODE, PERSPECTIVES = "per_dimension", 10  # of each judge model, which are the models that write
WRITERS = 15
MAX_SECONDS, MAX_STUDY_SECONDS = 60.0, 20.0  # seconds
MAX_MEMORY = 2.0  # GB
MAX_GROWTH = 2.5  # for twice as many judgments


def judgments(
    number: int, prompts_of_a_judge: int = PROMPTS_OF_A_JUDGE, judges_of_a_prompt: int = JUDGES_OF_A_PROMPT
) -> pd.DataFrame:
    """As published: so many judges to a prompt, to each the same answers of three models and three people."""
    rng = np.random.default_rng(1)
    prompts = np.repeat(np.arange(number // judges_of_a_prompt), judges_of_a_prompt)
    judges = np.arange(number) % (number // prompts_of_a_judge)
    by_model = np.array(SHOWN) != ""
    better = rng.normal(0, 1, (prompts.max() + 1, len(SHOWN)))[prompts] + by_model
    marks = better[..., None] + rng.normal(0, 1.2, (number, len(SHOWN), len(SCRUB_DIMENSIONS)))
    marks = np.clip(np.round(5.5 + 1.5 * marks), 1, 10)
    scores = marks.sum(axis=2)
    places = np.arange(len(SHOWN))
    frame = pd.DataFrame(
        {
            "prompt_id": np.repeat([f"{'ABC'[prompt % 3]}_{prompt:05}" for prompt in prompts], len(SHOWN)),
            "true_id": [f"{prompt}-{place}" for prompt in prompts for place in places],
            "blinded_label": np.tile([f"Response {label}" for label in "ABCDEF"], number),
            "item_type": STANDARD,
            "true_source": np.tile(np.where(by_model, MODEL, HUMAN), number),
            "model": np.tile(SHOWN, number),
            "rank": 1.0 + (scores[:, None, :] > scores[:, :, None]).sum(axis=2).ravel(),
            "score": scores.ravel(),
            "judge_id": np.repeat([f"j{judge:05}" for judge in judges], len(SHOWN)),
            **dict(zip(SCRUB_DIMENSIONS, marks.reshape(-1, len(SCRUB_DIMENSIONS)).T, strict=True)),
        }
    )
    return frame[columns(SCRUB_DIMENSIONS)]


def study(number: int) -> StudyTables:
    """With so many judgments, the last four prompts' for calibration, and all that is known beside them: the
    answers' texts, the judges' guesses, who took part, and a panel's scores of every answer on every dimension.
    """
    rng, frame = np.random.default_rng(2), _with_calibration(judgments(number))
    shown = frame.drop_duplicates("true_id")
    kinds = shown.drop_duplicates("prompt_id")[["prompt_id", "item_type"]]
    prompts = kinds.itertuples(index=False, name=None)
    scores = [
        (
            *(answer, "", judge_model, f"P-{perspective}"),
            *rng.integers(1, 11, len(SCRUB_DIMENSIONS)).astype(float),
            *(0.0, None, MODE, "alone", judge_model, "", ""),
        )
        for answer in shown["true_id"]
        for judge_model in MODELS
        for perspective in range(PERSPECTIVES)
    ]
    wanted = float(len(MODELS) * PERSPECTIVES)
    return StudyTables(
        judgments=frame,
        prompts=table([(prompt, prompt[0], kind, 1.0, "", "") for prompt, kind in prompts], PROMPTS),
        answers=table([_answer(rng, row) for row in shown.itertuples(index=False)], ANSWERS),
        guesses=table(
            [
                (*judged, str(rng.choice([HUMAN, MODEL])), float(rng.integers(1, 6)))
                for judged in frame[[*JUDGMENT, "true_id"]].itertuples(index=False, name=None)
            ],
            GUESSES,
        ),
        panel=table(scores, (*PANEL_LEADING, *SCRUB_DIMENSIONS, *PANEL_TRAILING)),
        panel_expected=table([(MODE, "alone", answer, wanted) for answer in shown["true_id"]], PANEL_EXPECTED),
        participants=table(
            [
                *((f"W-{person}", "writer", *_profile(rng)) for person in range(WRITERS)),
                *((judge, "judge", *_profile(rng)) for judge in frame["judge_id"].unique()),
            ],
            PARTICIPANTS,
        ),
        ideology=("progressive", "conservative", 5),
        scale=Scale(
            1, 10, 1, (Band("low", "Low", 1, 3), Band("middle", "Middle", 4, 7), Band("high", "High", 8, 10))
        ),
    )


def _with_calibration(frame: pd.DataFrame) -> pd.DataFrame:
    """The last prompts' items for calibration: people's answers in those of models alone are models' then."""
    kind = frame["prompt_id"].map(
        dict(zip(frame["prompt_id"].unique()[-len(CALIBRATION) :], CALIBRATION, strict=True))
    )
    alone = kind == SOURCE_ATTRIBUTION
    label = frame["blinded_label"].str[-1].map(dict(zip("ABCDEF", AMONG_MODELS, strict=True)))
    return frame.assign(
        item_type=kind.fillna(STANDARD),
        true_source=frame["true_source"].mask(alone, MODEL),
        model=frame["model"].mask(alone, label),
    )


def _answer(rng: np.random.Generator, row: Any) -> tuple[object, ...]:
    """Models write longer."""
    is_weak = row.item_type == QUALITY_FLOOR and row.true_id.endswith(f"-{WEAK}")
    arm = "weak" if is_weak else row.true_source
    text = ". ".join("word" * length for length in rng.integers(1, 4, 60 if row.model else 40))
    source = row.model or f"W-{rng.integers(WRITERS)}"
    return row.true_id, row.prompt_id, arm, source, row.model, row.model, 60.0, "", text


def _profile(rng: np.random.Generator) -> tuple[object, ...]:
    return "doctorate", 1.0, "sociology", float(rng.integers(3, 30)), "Chile", float(rng.integers(1, 6))


def seconds_of(
    number: int,
    prompts_of_a_judge: int = PROMPTS_OF_A_BUSY_JUDGE,
    judges_of_a_prompt: int = JUDGES_OF_A_PROMPT,
) -> float:
    """Of the report of so many judgments, printed beside the most memory used so far."""
    tables = StudyTables(judgments(number, prompts_of_a_judge, judges_of_a_prompt))
    began, clock = process_time(), perf_counter()
    report = analyse(tables)
    interval = report[EVALUATORS].evaluators[0].r.interval
    assert interval
    assert not interval.reason
    seconds, by_clock = process_time() - began, perf_counter() - clock
    print(
        f"{number:>7,} judgments  {report.data.draws:>5,} resamples  {seconds:6.1f} s "
        f"({by_clock:.1f} s by the clock)  {memory():.2f} GB"
    )
    return seconds


def a_study() -> float:
    """Seconds of a full study's report and of all of its files."""
    tables = study(FULL_STUDY)
    began, clock = process_time(), perf_counter()
    report = analyse(tables)
    assert report[PANEL].panel
    computed = process_time() - began
    size = sum(len(content) for _, content in files(report, Basis("A full study", "", "")))
    seconds, by_clock = process_time() - began, perf_counter() - clock
    print(
        f"a full study: report {computed:.1f} s, with its files ({size / 1e6:.1f} MB) {seconds:.1f} s "
        f"({by_clock:.1f} s by the clock)"
    )
    return seconds


def memory() -> float:
    """The most that this process has used, in GB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--largest", type=int, default=100_000)
    parser.add_argument(
        "--crowded",
        action="store_true",
        help="only the largest, by 500 judges, with 50 judgments to a prompt",
    )
    asked = parser.parse_args()
    largest = asked.largest
    if asked.crowded:
        seconds_of(largest, largest // CROWD, CROWDED)
        return
    good = [a_study() <= MAX_STUDY_SECONDS]
    half, whole = (seconds_of(number) for number in (largest // 2, largest))
    good += [whole <= MAX_SECONDS, memory() <= MAX_MEMORY, whole <= MAX_GROWTH * half]
    sys.exit(0 if all(good) else 1)


if __name__ == "__main__":
    main()
