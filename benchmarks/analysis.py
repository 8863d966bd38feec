"""How long a whole analysis takes, and how much memory: of a full study, and of ever more judgments.

`python -m benchmarks.analysis [--largest 100000]`. A full study's report with all of its files, from 2,000
resamples, is to be made within 20 s; the report of 100,000 judgments (600,000 rows) within 60 s and 2 GB, and twice
as many judgments may take 2.5 times as long at most. Seconds of the processor count, since others may be at work on
the machine; those by the clock stand beside them. Exits with 1 where one of these fails.
"""

import argparse
import resource
import sys
from time import perf_counter, process_time

import numpy as np
import pandas as pd

from analysis.core.full_report import analyse
from analysis.core.judgment_frame import HUMAN, JUDGMENT, MODEL, SCRUB_DIMENSIONS, STANDARD, columns
from analysis.core.report_files import files
from analysis.core.study_tables import (
    ANSWERS,
    GUESSES,
    PANEL_EXPECTED,
    PANEL_LEADING,
    PANEL_TRAILING,
    PROMPTS,
    StudyTables,
    table,
)

FULL_STUDY, JUDGES_OF_A_PROMPT, PROMPTS_OF_A_JUDGE = 300, 10, 20
SHOWN = ("claude", "gemini", "gpt", "", "", "")
PERSPECTIVES, JUDGE_MODEL = 12, "claude"
LONGEST, LONGEST_OF_A_STUDY = 60.0, 20.0  # seconds
MOST_MEMORY = 2.0  # GB
MOST_GROWTH = 2.5  # for twice as many judgments


def judgments(number: int) -> pd.DataFrame:
    """As published: ten judges to a prompt, to each of them the same answers of three models and three people."""
    rng = np.random.default_rng(1)
    prompts = np.repeat(np.arange(number // JUDGES_OF_A_PROMPT), JUDGES_OF_A_PROMPT)
    judges = np.arange(number) % (number // PROMPTS_OF_A_JUDGE)
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
    """With so many judgments, the answers' texts, the judges' guesses, and a panel's scores of every answer."""
    rng, frame = np.random.default_rng(2), judgments(number)
    shown = frame.drop_duplicates("true_id")
    prompts = shown["prompt_id"].unique()
    answers = []
    for prompt, answer, model in shown[["prompt_id", "true_id", "model"]].itertuples(index=False):
        arm, source = (MODEL, model) if model else (HUMAN, f"W-{answer}")
        text = ". ".join("word" * length for length in rng.integers(1, 4, 60 if model else 40))
        answers.append((answer, prompt, arm, source, model, model, 60.0, "", text))
    guesses = [
        (*judged, str(rng.choice([HUMAN, MODEL])), float(rng.integers(1, 6)))
        for judged in frame[[*JUDGMENT, "true_id"]].itertuples(index=False, name=None)
    ]
    scores = [
        (
            *(answer, "", JUDGE_MODEL, f"P-{perspective}"),
            *rng.integers(1, 11, len(SCRUB_DIMENSIONS)).astype(float),
            *(0.0, None, "rubric", "alone", JUDGE_MODEL, "", ""),
        )
        for answer in shown["true_id"]
        for perspective in range(PERSPECTIVES)
    ]
    return StudyTables(
        judgments=frame,
        prompts=table([(prompt, prompt[0], STANDARD, 1.0, "", "") for prompt in prompts], PROMPTS),
        answers=table(answers, ANSWERS),
        guesses=table(guesses, GUESSES),
        panel=table(scores, (*PANEL_LEADING, *SCRUB_DIMENSIONS, *PANEL_TRAILING)),
        panel_expected=table(
            [("rubric", "alone", answer, float(PERSPECTIVES)) for answer in shown["true_id"]], PANEL_EXPECTED
        ),
    )


def seconds_of(number: int) -> float:
    """Of the report of so many judgments, printed beside the most memory used so far."""
    tables = StudyTables(judgments(number))
    began, clock = process_time(), perf_counter()
    report = analyse(tables)
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
    computed = process_time() - began
    size = sum(len(content) for _, content in files(report))
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
    largest = parser.parse_args().largest
    good = [a_study() <= LONGEST_OF_A_STUDY]
    half, whole = (seconds_of(number) for number in (largest // 2, largest))
    good += [whole <= LONGEST, memory() <= MOST_MEMORY, whole <= MOST_GROWTH * half]
    sys.exit(0 if all(good) else 1)


if __name__ == "__main__":
    main()
