"""Analyses a file of judgments: `manage.py analyse --judgments FILE.csv --out DIR`."""

from argparse import ArgumentTypeError
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.console import Console
from rich.progress import Progress as ProgressBar

from analysis.core.judgment_frame import JudgmentFileError, read_csv
from analysis.core.report import WHOLE, Parameters, Progress, Report, analyse
from analysis.core.report_files import figures_csv, to_json
from analysis.core.results import Estimate
from annotation.core.phrases import counted

HEADLINES = (
    ("Kendall’s W, mean over prompts", lambda agreement: agreement.summary.w.mean),
    ("W, corrected for ties", lambda agreement: agreement.summary.w_tie_corrected.mean),
    ("W over the answers all judges ranked", lambda agreement: agreement.summary.w_common.mean),
    ("Kendall’s τ-b, all pairs of judges", lambda agreement: agreement.summary.tau_b_pooled),
    ("Krippendorff’s α, ordinal, of ranks", lambda agreement: agreement.summary.alpha_ordinal),
)


class Command(BaseCommand):
    help = (
        "Analyse judgments in the layout of the published file, no study needed: agreement, outcomes, calibration, "
        "with intervals. Writes results.json (every figure at full precision) and figures.csv."
    )
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--judgments", type=Path, required=True, metavar="FILE", help="CSV, one row a rating")
        parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="where the results go")
        parser.add_argument(
            "--paper-compatible", action="store_true", help="take the file's ranks as they stand, ties and all"
        )
        parser.add_argument(
            "--dimensions", metavar="NAMES", help="the rubric's columns, by commas; else all that hold numbers"
        )
        parser.add_argument("--draws", type=_number, default=2000, help="resamples for intervals (2,000)")
        parser.add_argument("--seed", type=_number, default=42, help="of the resamples (42)")

    def handle(
        self,
        *,
        judgments: Path,
        out: Path,
        paper_compatible: bool,
        dimensions: str | None,
        draws: int,
        seed: int,
        **_options: object,
    ) -> None:
        named = [name.strip() for name in dimensions.split(",")] if dimensions else None
        try:
            frame = read_csv(judgments, dimensions=named)
        except (OSError, JudgmentFileError) as error:
            raise CommandError(f"{judgments}: {error}") from error
        parameters = Parameters(mode="paper" if paper_compatible else "default", draws=draws, seed=seed)
        with ProgressBar(console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task("Reading")
            tell = Progress(lambda what, done, of: bar.update(task, description=what, completed=done, total=of))
            report = analyse(frame, parameters=parameters, progress=tell)
        out.mkdir(parents=True, exist_ok=True)
        (out / "results.json").write_bytes(to_json(report))
        (out / "figures.csv").write_bytes(figures_csv(report))
        self._tell(report)
        self.stdout.write(self.style.SUCCESS(f"Wrote results.json and figures.csv to {out}."))

    def _tell(self, report: Report) -> None:
        data = report.data
        self.stdout.write(
            f"{counted(data.judgments, 'judgment')} of {counted(data.prompts, 'prompt')} by "
            f"{counted(data.judges, 'judge')}; {counted(data.draws, 'resample')}."
        )
        if data.reranked:
            done = "taken as they stand" if report.parameters.mode == "paper" else "ranked anew from their scores"
            self.stdout.write(f"In {counted(data.reranked, 'judgment')} ranks and scores differ: {done}.")
        for label, figure in HEADLINES:
            self.stdout.write(f"{label:<40}{_in_words(figure(report.agreement[WHOLE]))}")
        if report.sources:
            pairs = report.sources.outcomes[WHOLE].pairs
            self.stdout.write(f"{'A model preferred to a person':<40}{_in_words(pairs.preference)}")


def _number(text: str) -> int:
    if not text.isdecimal():
        raise ArgumentTypeError(f"“{text}” is not a whole number")
    return int(text)


def _in_words(figure: Estimate) -> str:
    if figure.value is None:
        return f"undefined: {figure.reason}"
    interval = figure.interval
    if interval is None or interval.low is None:
        return f"{figure.value:.3f}"
    return f"{figure.value:.3f}  [{interval.low:.3f}, {interval.high:.3f}]"
