"""How long a whole analysis takes, and how much memory: of a full study, and of ever more judgments.

`python -m benchmarks.analysis [--largest 100000]`. A full study's report with all of its files, from 2,000
resamples, is to be made within 20 s; the report of 100,000 judgments (600,000 rows) within 60 s and 2 GB, and twice
as many judgments may take 2.5 times as long at most. Exits with 1 where one of these fails.
"""

import argparse
import resource
import sys
from time import perf_counter

import numpy as np
import pandas as pd

from analysis.core.full_report import analyse
from analysis.core.judgment_frame import HUMAN, MODEL, SCRUB_DIMENSIONS, STANDARD, columns
from analysis.core.report_files import files
from analysis.core.study_tables import StudyTables

FULL_STUDY, JUDGES_OF_A_PROMPT, PROMPTS_OF_A_JUDGE = 300, 10, 20
SHOWN = ("claude", "gemini", "gpt", "", "", "")
LONGEST, LONGEST_OF_A_STUDY = 60.0, 20.0  # seconds
MOST_MEMORY = 2.0  # GB
MOST_GROWTH = 2.5  # for twice as many judgments


def judgments(number: int) -> pd.DataFrame:
    """As published: ten judges to a prompt, to each of them the same answers of three models and three people."""
    rng = np.random.default_rng(1)
    prompts = np.repeat(np.arange(number // JUDGES_OF_A_PROMPT), JUDGES_OF_A_PROMPT)
    everybody = number // PROMPTS_OF_A_JUDGE
    judges = (np.arange(number) * (1 + everybody // JUDGES_OF_A_PROMPT) + prompts) % everybody
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
            "rank": 1 + (scores[:, None, :] > scores[:, :, None]).sum(axis=2).ravel(),
            "score": scores.ravel(),
            "judge_id": np.repeat([f"j{judge:05}" for judge in judges], len(SHOWN)),
            **dict(zip(SCRUB_DIMENSIONS, marks.reshape(-1, len(SCRUB_DIMENSIONS)).T, strict=True)),
        }
    )
    return frame[columns(SCRUB_DIMENSIONS)]


def seconds_of(number: int) -> float:
    """Of the report of so many judgments, printed beside the most memory used so far."""
    tables = StudyTables(judgments(number))
    began = perf_counter()
    report = analyse(tables)
    seconds = perf_counter() - began
    print(f"{number:>7,} judgments  {report.data.draws:>5,} resamples  {seconds:6.1f} s  {memory():.2f} GB")
    return seconds


def a_study() -> float:
    """Seconds of a full study's report and of all of its files."""
    tables = StudyTables(judgments(FULL_STUDY))
    began = perf_counter()
    report = analyse(tables)
    computed = perf_counter() - began
    size = sum(len(content) for _, content in files(report))
    seconds = perf_counter() - began
    print(f"a full study: report {computed:.1f} s, with its files ({size / 1e6:.1f} MB) {seconds:.1f} s")
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
