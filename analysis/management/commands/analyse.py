"""Analyses judgments without a study: `manage.py analyse --judgments FILE.csv --out DIR`, or `--release DIR`."""

import re
from argparse import ArgumentTypeError
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError, CommandParser

from analysis.agreement.core.agreement_by_scope import Agreement
from analysis.agreement.core.categories import VERDICT
from analysis.agreement.sections import AGREEMENT, CATEGORIES
from analysis.data.core.judgment_warnings import judgment_warnings
from analysis.data.core.number_format import estimate_text, shortest
from analysis.data.core.parameters import WHOLE, Parameters
from analysis.data.core.rating_frame import Doubt
from analysis.data.core.results import Estimate
from analysis.data.core.scales import UNTOLD
from analysis.data.core.trials import TrialDesign
from analysis.framing.prose import framing_passages
from analysis.framing.sections import FRAMING
from analysis.management.analysed_files import (
    is_without_manifest,
    read_file,
    read_judgments,
    read_published,
    text_of,
)
from analysis.management.folders import make_folder, shown_progress, write_files
from analysis.management.framing_files import add_framing_arguments
from analysis.management.rating_files import add_rating_arguments
from analysis.management.trial_files import add_trial_arguments
from analysis.rating_files.core.file_report import file_report
from analysis.rating_files.core.reading import FileKind, RatingOptions, in_words
from analysis.release.core.release_folder import manifest_faults
from analysis.report.core.report_comparison import comparable, compare
from analysis.report.core.report_files import files
from analysis.report.core.report_leaves import Leaf
from analysis.report.core.results_file import from_json
from analysis.report.prose.headlines import headlines
from analysis.report.prose.methods import AGAINST_DEFAULT, dense_ranks
from analysis.sections.core.report import Report
from analysis.trials.sections import TRIALS
from analysis.uncertainty.core.resampling import MAX_DRAWS, MIN_DRAWS
from annotation.platform.core.errors import Refused
from annotation.platform.core.file_sizes import check_size
from annotation.platform.core.limits import JUDGMENTS_BYTES
from annotation.platform.core.phrases import counted

# Of agreement more than its headline: which coefficient suits a file depends on ties and on who judged what, and
# where one is undefined, the reason is what there is to know.
COEFFICIENTS: Final[dict[str, Callable[[Agreement], Estimate]]] = {
    "Kendall’s W, mean over prompts": lambda agreement: agreement.summary.w.mean,
    "W, corrected for ties": lambda agreement: agreement.summary.w_tie_corrected.mean,
    "W over the answers all judges ranked": lambda agreement: agreement.summary.w_common.mean,
    "Kendall’s τ-b, all pairs of judges": lambda agreement: agreement.summary.tau_b_pooled,
    "Krippendorff’s α, ordinal, of ranks": lambda agreement: agreement.summary.alpha_ordinal,
}
MAX_DIFFERENCES: Final = 10  # on the screen
LEVELS: Final = (0.5, 0.999)


class Command(BaseCommand):
    help = (
        "Analyse judgments in the layout of the published file, or a release's folder, no study needed. Writes "
        "every figure at full precision, a text of methods and results, and all tables and pictures."
    )
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        source = parser.add_mutually_exclusive_group()
        source.add_argument("--judgments", type=Path, metavar="FILE", help="CSV or .xlsx, one row a rating")
        source.add_argument(
            "--ratings", type=Path, metavar="FILE", help="CSV or .xlsx of any ratings: see the documentation"
        )
        source.add_argument("--pairs", type=Path, metavar="FILE", help="CSV or .xlsx of comparisons of two answers")
        source.add_argument(
            "--trials", type=Path, metavar="FILE", help="CSV or .xlsx of scores of constitutional trials"
        )
        source.add_argument(
            "--framings", type=Path, metavar="FILE", help="CSV or .xlsx of panel scores of answers under pressure"
        )
        source.add_argument(
            "--release",
            type=Path,
            metavar="DIR",
            help="a release's folder, with all of its tables, or one in the published layout without a manifest",
        )
        parser.add_argument(
            "--panel",
            type=Path,
            metavar="FILE",
            help="CSV or .xlsx of a panel's scores in the published layout, alone or beside people's judgments or "
            "ratings",
        )
        parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="a new or empty folder")
        parser.add_argument(
            "--paper-compatible", action="store_true", help="take the ranks as they were given, ties and all"
        )
        parser.add_argument(
            "--dimensions",
            metavar="NAMES",
            help="a file's columns of the rubric, by commas; else all with numbers",
        )
        parser.add_argument(
            "--columns",
            type=_renamed,
            default={},
            metavar="THEIRS=OURS,…",
            help="a file's columns that are called otherwise, such as rater=judge_id,answer=true_id",
        )
        add_rating_arguments(parser)
        add_trial_arguments(parser)
        add_framing_arguments(parser)
        parser.add_argument(
            "--scale",
            type=_scale,
            metavar="LOW-HIGH",
            help="the rubric's ends, such as 1-10; with an equals sign if below 0: --scale=-3-3",
        )
        parser.add_argument("--draws", type=_draws, default=2000, help="resamples for intervals (2,000)")
        parser.add_argument("--seed", type=_number, default=42, help="of the resamples (42)")
        parser.add_argument("--level", type=_level, default=0.95, help="of the intervals (0.95)")
        parser.add_argument(
            "--same-as", type=Path, metavar="FILE", help="a results.json: fail if more than rounding differs"
        )

    def handle(
        self,
        *,
        judgments: Path | None,
        ratings: Path | None,
        pairs: Path | None,
        trials: Path | None,
        framings: Path | None,
        release: Path | None,
        panel: Path | None,
        out: Path,
        paper_compatible: bool,
        dimensions: str | None,
        columns: dict[str, str],
        scale: tuple[float, float] | None,
        draws: int,
        seed: int,
        level: float,
        same_as: Path | None,
        **options: Any,
    ) -> None:
        earlier = _earlier(same_as) if same_as else None
        doubts: tuple[Doubt, ...] = ()
        own = {
            name: options[name] for name in ("constants", "codes", "failures", "people", "scales", "respondents")
        }
        own["ignored"] = options["ignore"]
        own["cuts"] = dict(options["cut"])
        own["rubric"] = text_of(options["rubric"])
        named = tuple(filter(None, (name.strip() for name in (dimensions or "").split(","))))
        own["design"] = TrialDesign(**{each.name: options[each.name] for each in fields(TrialDesign)})
        asked = RatingOptions(columns=columns, dimensions=named, scale=scale, **own)
        kind: FileKind = "pairs" if pairs else "trials" if trials else "framings" if framings else "ratings"
        is_published = bool(release and is_without_manifest(release))
        if panel and (pairs or trials or framings or release):
            raise CommandError("A panel’s scores stand alone, or beside --judgments or --ratings.")
        if file := ratings or pairs or trials or framings:
            read, basis = read_file(file, asked, kind)
            tables, scale, doubts, counts_abstentions = read.tables, read.scale, read.doubts, False
        elif release and is_published:
            read, basis = read_published(release, asked)
            tables, scale, doubts, counts_abstentions = read.tables, read.scale, read.doubts, False
        elif panel and not judgments:
            read, basis = read_file(panel, asked, "panel")
            tables, scale, doubts, counts_abstentions = read.tables, read.scale, read.doubts, False
        else:
            read, counts_abstentions, basis = read_judgments(judgments, release, dimensions, columns, scale)
            tables, doubts = read.tables, read.doubts
        if panel and (judgments or ratings):
            beside = replace(asked, columns={}, dimensions=(), constants={})
            read, basis = read_file(panel, beside, "panel", people=tables.judgments, basis=basis)
            tables = replace(read.tables, scale=tables.scale)
            # What all of them are taken to be on goes before what people's scores are.
            of_people = (doubt for doubt in doubts if not doubt.text.startswith(UNTOLD))
            doubts = tuple(dict.fromkeys((*of_people, *read.doubts)))
        parameters = Parameters(
            mode="paper" if paper_compatible else "default",
            draws=draws,
            level=level,
            seed=seed,
            scale=scale,
            counts_abstentions=counts_abstentions,
        )
        has_manifest = release and not is_published
        ends = scale or tables.taken
        warnings = (
            _unlike_published(release) if release and has_manifest else judgment_warnings(tables.judgments, ends)
        )
        remarks = tuple(map(str, (*doubts, *(warnings if judgments or has_manifest else ()))))
        for remark in remarks:
            self.stdout.write(self.style.WARNING(remark))
        given = "" if release and not is_published else in_words(asked)
        basis = replace(basis, reading=(*filter(None, (given,)), *remarks))
        make_folder(out)
        with shown_progress("reading") as progress:
            report = file_report(tables, kind, parameters=parameters, progress=progress)
            written = write_files(files(report, basis, progress), out)
        self._tell(report)
        self.stdout.write(self.style.SUCCESS(f"Wrote {counted(written, 'file')} to {out}."))
        if earlier:
            self._check(report, earlier)

    def _tell(self, report: Report) -> None:
        trials, framing = report.get(TRIALS), report.get(FRAMING)
        if AGREEMENT in report and trials is None:
            self._tell_agreement(report)
        for sentence in headlines(report):
            self.stdout.write(sentence)
        for step in trials.verdict.steps if trials else ():
            self.stdout.write(step)
        if AGREEMENT not in report:
            for passage in framing_passages(framing.experiments) if framing else ():
                self.stdout.write("\n".join((f"{passage.heading}.", *passage.paragraphs)))

    def _tell_agreement(self, report: Report) -> None:
        data, is_paper = report.data, report.parameters.mode == "paper"
        self.stdout.write(
            f"{counted(data.judgments, 'judgment')} of {counted(data.prompts, 'prompt')} by "
            f"{counted(data.judges, 'judge')}; {counted(data.draws, 'resample')}."
        )
        if data.dimensions:
            low, high = map(shortest, data.scale)
            inferred = "; give --scale if it is another" * data.is_scale_inferred
            self.stdout.write(f"Dimensions, from {low} to {high}{inferred}: {', '.join(data.dimensions)}.")
        if data.reranked:
            done = "taken as they stand" if is_paper else "ranked anew by their scores"
            self.stdout.write(
                f"In {counted(data.reranked, 'judgment')} ranks and scores put answers in different orders: {done}."
            )
        if is_paper:
            self.stdout.write(AGAINST_DEFAULT)
        if dense := dense_ranks(data, report.parameters):
            self.stdout.write(dense)
        if published := report[AGREEMENT][WHOLE].published:
            self.stdout.write(f"{'As published: W, mean over prompts':<40}{_in_words(published.w.mean)}")
            self.stdout.write(f"{'As published: τ-b of pairs of judges':<40}{_in_words(published.tau_b)}")
        for label, figure in _coefficients(report).items():
            self.stdout.write(f"{label:<39} {_in_words(figure)}")

    def _check(self, report: Report, earlier: Report) -> None:
        earlier, report, lacking = comparable(earlier, report)
        if lacking:
            self.stdout.write(f"Not compared, since the earlier version did not compute it: {', '.join(lacking)}.")
        comparison = compare(earlier, report)
        if comparison.is_same:
            self.stdout.write(
                self.style.SUCCESS(f"All {comparison.compared:,} values are the same, to the last digit.")
            )
            return
        differences = comparison.differences
        if comparison.is_rounding:
            self.stdout.write(
                self.style.SUCCESS(
                    f"All {comparison.compared:,} values are the same but for rounding: "
                    f"{len(differences):,} differ by less than a billionth of themselves, or by next to nothing "
                    "near 0, as they do where another kind of processor adds in another order."
                )
            )
            return
        for each in differences[:MAX_DIFFERENCES]:
            self.stdout.write(f"{each.name}: {_in_full(each.one)} before, {_in_full(each.other)} now")
        if more := len(differences[MAX_DIFFERENCES:]):
            self.stdout.write(f"… and {more:,} more")
        only = " They are of participants alone, of whom a release tells less." * all(
            each.name.startswith("participants.") for each in differences
        )
        raise CommandError(f"{len(differences):,} of {comparison.compared:,} values differ.{only}")


def _coefficients(report: Report) -> dict[str, Estimate]:
    """Agreement by label: of ranks (in one line where there are none), of scores, and of what has few values."""
    agreement = report[AGREEMENT][WHOLE]
    found = {label: figure(agreement) for label, figure in COEFFICIENTS.items()}
    if all(figure.value is None for figure in found.values()):
        found = {"Agreement of ranks": next(iter(found.values()))}
    if report.data.dimensions:
        found["Krippendorff’s α, interval, of scores"] = agreement.summary.alpha_interval
    for each in report.get(CATEGORIES) or ():
        what = "which of two is better" if each.dimension == VERDICT else each.dimension
        found[f"Fleiss’ κ, {what}"] = each.fleiss
    return found


def _unlike_published(release: Path) -> Iterator[str]:
    """Of the files beside those that are read: a table's CSV, for one, may have been corrected in vain."""
    for fault in manifest_faults(release):
        yield f"Not used here: {fault}"


def _earlier(path: Path) -> Report:
    try:
        check_size(path, JUDGMENTS_BYTES)
        return from_json(path.read_bytes())
    except (OSError, ValueError, Refused) as error:
        raise CommandError(f"{path}: no results of an analysis, a results.json, can be read from it.") from error


def _number(text: str) -> int:
    if not text.isdecimal():
        raise ArgumentTypeError(f"“{text}” is not a whole number")
    return int(text)


def _draws(text: str) -> int:
    draws = _number(text)
    if not MIN_DRAWS <= draws <= MAX_DRAWS:
        raise ArgumentTypeError(f"“{text}” does not lie between {MIN_DRAWS:,} and {MAX_DRAWS:,}")
    return draws


def _renamed(text: str) -> dict[str, str]:
    pairs = [[name.strip() for name in pair.split("=")] for pair in text.split(",")]
    if any(len(pair) != 2 or not all(pair) for pair in pairs):
        raise ArgumentTypeError(f"“{text}” does not name columns as in rater=judge_id,answer=true_id")
    return dict(pairs)


def _level(text: str) -> float:
    try:
        level = float(text)
    except ValueError:
        level = 0.0
    if not LEVELS[0] <= level <= LEVELS[1]:
        raise ArgumentTypeError(f"“{text}” does not lie between {LEVELS[0]} and {LEVELS[1]}")
    return level


def _scale(text: str) -> tuple[float, float]:
    ends = re.fullmatch(r"(-?\d{1,9}(?:\.\d{1,9})?)[-–](-?\d{1,9}(?:\.\d{1,9})?)", text)
    if ends is None or float(ends[1]) >= float(ends[2]):
        raise ArgumentTypeError(f"“{text}” is no scale such as 1-10")
    return float(ends[1]), float(ends[2])


def _in_words(figure: Estimate) -> str:
    return estimate_text(figure, 3) if figure.reason is None else f"undefined: {figure.reason}"


def _in_full(leaf: Leaf) -> str:
    """Every digit, with the interval where there is one."""
    if not isinstance(leaf, Estimate):
        return str(leaf)
    interval = leaf.interval
    ends = "" if interval is None else f" [{interval.low}, {interval.high}]"
    return f"{leaf.reason if leaf.value is None else leaf.value}{ends} (n {leaf.n:,})"
