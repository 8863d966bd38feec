"""A study's analyses, and what is shown of one: its exhibits, and the files to take away."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

from django.db.models import Case, Exists, OuterRef, QuerySet, When
from django.db.models.functions import Substr
from pydantic import ValidationError

from analysis.data.core.parameters import DEFAULTS, WHOLE, Parameters
from analysis.report.core.report import Report
from analysis.report.core.report_differences import Differences, differences
from analysis.report.core.report_files import from_json
from analysis.report.core.work_kinds import COMPUTE_FULL, COMPUTE_MASKED
from analysis.report.exhibits.every import exhibits
from analysis.report.exhibits.exhibit import Exhibit
from analysis.report.exhibits.rendering import KINDS
from analysis.report.exhibits.wording import level_name
from analysis.report.models import AnalysisRun, RunFile
from analysis.report.prose.passage import Chapter
from analysis.report.prose.text import chapters
from analysis.report.selectors.attempts import Trouble, trouble_with
from annotation.study.models.participation import Consent
from annotation.study.models.studies import Study

WORK: Final[Mapping[str, str]] = {
    AnalysisRun.Kind.MASKED: COMPUTE_MASKED,
    AnalysisRun.Kind.FULL: COMPUTE_FULL,
}
RANKS: Final[Mapping[str, str]] = {
    "default": "from the scores, ties sharing their places",
    "paper": "as they were given, as in the published study",
}
# What is asked for of a run, as it is called, and the values of it that are not told as they are.
ASKED: Final[Mapping[str, str]] = {
    "mode": "Ranks",
    "draws": "Resamples asked for",
    "level": "Level of intervals",
    "seed": "Seed",
    "scale": "Scale",
    "counts_abstentions": "Panel’s scores of abstentions count",
}
# What a run goes through, as its progress names it: in words, and about how much of the time it takes.
STAGES: Final[Mapping[str, tuple[str, int]]] = {
    "checking labels and judgments": ("checking labels and judgments", 1),
    "agreement": ("agreement between judges", 15),
    "outcomes": ("outcomes by source", 10),
    "panel": ("calibration, blinding and the panel", 10),
    "files": ("drawing figures and writing files", 64),
}
STAGES_OF_MASKED: Final = ("agreement", "files")
RESULTS: Final = "results.json"
MOST_ROWS: Final = 16
HEAD: Final = 400  # bytes of a file, in which an SVG says how large it is
_SIZE: Final = re.compile(rb'viewBox="0 0 ([0-9.]+) ([0-9.]+)"')

# Anybody whose data may be in a run has withdrawn them since it was finished.
WITHDRAWN_SINCE = Exists(
    Consent.objects.filter(participation__study=OuterRef("study"), withdrawn_at__gt=OuterRef("finished_at"))
)


@dataclass(frozen=True)
class Picture:
    """A file, with the size for which the page leaves room before it has come."""

    name: str
    width: int
    height: int


@dataclass(frozen=True)
class Shown:
    """An exhibit with its files in the run: the `picture` that is shown, and `downloads` by their format."""

    exhibit: Exhibit
    picture: Picture | None
    downloads: Mapping[str, str]

    @property
    def is_long(self) -> bool:
        """Whether its table is opened by hand."""
        return len(self.exhibit.table.rows) > MOST_ROWS


@dataclass(frozen=True)
class Section:
    title: str
    exhibits: tuple[Shown, ...]


@dataclass(frozen=True)
class Origin:
    """One of the things that two runs rest on."""

    name: str
    one: str
    other: str

    @property
    def is_same(self) -> bool:
        return self.one == self.other


@dataclass(frozen=True)
class Stage:
    """What is being done for a run, in words, and how far the whole of it is: from 0 to 100 `percent`."""

    words: str
    percent: int


@dataclass(frozen=True)
class EarlierRun:
    """What is known of how long a run may take: an earlier one was there `took` after it was asked for."""

    number: int
    draws: int
    took: str


@dataclass(frozen=True)
class Findings:
    """What a finished run found, in one scope of `scopes`. `chapters` are methods and results in words."""

    report: Report
    scopes: tuple[str, ...]
    scope: str
    sections: tuple[Section, ...]
    chapters: tuple[Chapter, ...]


def parameters_of(study: Study, **chosen: Any) -> Parameters:
    """What is chosen, with what the study's own design decides of an analysis."""
    return Parameters(counts_abstentions=study.panel_sees_abstentions, **chosen)


def runs_of(study: Study) -> QuerySet[AnalysisRun]:
    """All of them, newest first, each with `is_outdated`."""
    runs = AnalysisRun.objects.filter(study=study).select_related("study", "asked_by", "repeats")
    return runs.annotate(is_outdated=WITHDRAWN_SINCE)


def withdrawn_consents(study: Study) -> frozenset[int]:
    """Which of the study's consents have been withdrawn until now."""
    withdrawn = Consent.objects.filter(participation__study=study, withdrawn_at__isnull=False)
    return frozenset(withdrawn.values_list("pk", flat=True))


def newest_finished(study: Study) -> AnalysisRun | None:
    """The newest full run there is, or else the newest masked one."""
    finished = runs_of(study).filter(finished_at__isnull=False)
    return finished.order_by(Case(When(kind=AnalysisRun.Kind.FULL, then=0), default=1), "-number").first()


def waited_for(study: Study, *, after: AnalysisRun | None) -> AnalysisRun | None:
    """The newest run that is not finished, if it was asked for after this one."""
    unfinished = runs_of(study).filter(finished_at=None, number__gt=after.number if after else 0)
    return unfinished.first()


def trouble_of(run: AnalysisRun) -> Trouble:
    """What happened to the work on a run that is not finished."""
    return trouble_with(kind=WORK[run.kind], subject=run.pk)


def step_of(run: AnalysisRun) -> str:
    """What is being done for a run, told apart from the step before."""
    return " ".join([*(str(run.progress.get(part, "")) for part in ("what", "done")), trouble_of(run)])


def stage_of(run: AnalysisRun) -> Stage | None:
    """How far a run is that is being computed; None while it waits for a worker."""
    if not run.progress:
        return None
    what, done, of = (run.progress[part] for part in ("what", "done", "of"))
    is_masked = run.kind == AnalysisRun.Kind.MASKED
    shares = {name: share for name, (_, share) in STAGES.items() if not is_masked or name in STAGES_OF_MASKED}
    if what not in shares:
        return Stage(what, 0)
    names = list(shares)
    before = sum(shares[name] for name in names[: names.index(what)])
    passed = before + shares[what] * done / of
    return Stage(STAGES[what][0], int(100 * passed / sum(shares.values())))


def earlier_run(run: AnalysisRun) -> EarlierRun | None:
    """How long the study's last finished run of this kind took, if there is one."""
    last = runs_of(run.study).filter(kind=run.kind, finished_at__isnull=False).first()
    if last is None or last.finished_at is None:
        return None
    return EarlierRun(
        last.number, last.parameters["draws"], about((last.finished_at - last.asked_at).total_seconds())
    )


def about(seconds: float) -> str:
    """A time in round words: “40 seconds”, “3 minutes”, “2 hours”."""
    if seconds < 95:
        return f"{max(10, 10 * round(seconds / 10))} seconds"
    return f"{round(seconds / 60)} minutes" if seconds < 5400 else f"{round(seconds / 3600)} hours"


def asks_the_usual(run: AnalysisRun) -> bool:
    """Whether it was asked for with what the form proposes."""
    usual = {name: getattr(DEFAULTS, name) for name in ("mode", "draws", "level", "seed")}
    return usual.items() <= run.parameters.items()


def file_of(run: AnalysisRun, name: str) -> bytes | None:
    """None also where the file may not be given out any more, since somebody has withdrawn."""
    return _given_out(run, name=name).get(name)


def files_of(run: AnalysisRun) -> dict[str, bytes]:
    """Every file by its name: none where they may not be given out any more, since somebody has withdrawn."""
    return _given_out(run)


def _given_out(run: AnalysisRun, **which: str) -> dict[str, bytes]:
    outdated = AnalysisRun.objects.filter(WITHDRAWN_SINCE)
    kept = RunFile.objects.filter(run=run, **which).exclude(run__in=outdated)
    return {name: bytes(content) for name, content in kept.values_list("name", "content")}


def report_of(run: AnalysisRun) -> Report | None:
    """The report of a finished run, or None where it is gone, or has a shape that only earlier code knew."""
    try:
        return from_json(file_of(run, RESULTS) or b"")
    except ValidationError:
        return None


def findings(run: AnalysisRun, scope: str = WHOLE) -> Findings | None:
    """What the run found, or None where its report cannot be read any more. Raises LookupError for a scope that it
    does not have.
    """
    report = report_of(run)
    if report is None:
        return None
    heads = dict(run.files.values_list("name", Substr("content", 1, HEAD)))
    found = exhibits(report)
    scopes = tuple(dict.fromkeys([WHOLE, *(exhibit.scope for exhibit in found)]))
    if scope not in scopes:
        raise LookupError(scope)
    return Findings(
        report=report,
        scopes=scopes,
        scope=scope,
        sections=_sections((exhibit for exhibit in found if exhibit.scope == scope), heads),
        chapters=chapters(report),
    )


def differences_between(one: AnalysisRun, other: AnalysisRun) -> Differences | None:
    """What two finished runs found otherwise, or None where one of their reports cannot be read any more."""
    reports = report_of(one), report_of(other)
    return differences(reports[0], reports[1]) if reports[0] and reports[1] else None


def origins_of_both(one: AnalysisRun, other: AnalysisRun) -> list[Origin]:
    """What two runs rest on: what was asked for, the data, the code, and what it ran on."""
    first, second = _origins(one), _origins(other)
    return [Origin(name, first.get(name, "–"), second.get(name, "–")) for name in first | second]


def _origins(run: AnalysisRun) -> dict[str, str]:
    return {
        "Kind": run.get_kind_display(),
        "SHA-256 of the data": run.data_sha256,
        "Code": run.code_version,
        **{ASKED.get(name, name): _in_words(name, value) for name, value in run.parameters.items()},
        **run.environment,
        "SHA-256 of results.json": run.results_sha256,
    }


def _in_words(name: str, value: Any) -> str:
    if name == "scale":
        return " to ".join(f"{end:g}" for end in value) if value else "that of the rubric"
    if name == "mode":
        return RANKS[value]
    if name == "level":
        return level_name(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if name == "draws" else str(value)


def _sections(found: Iterable[Exhibit], heads: Mapping[str, bytes]) -> tuple[Section, ...]:
    return tuple(
        Section(title, tuple(_shown(exhibit, heads) for exhibit in part))
        for title, part in groupby(found, key=lambda exhibit: exhibit.section)
    )


def _shown(exhibit: Exhibit, heads: Mapping[str, bytes]) -> Shown:
    files = {
        **{kind.upper(): f"figures/{exhibit.name}.{kind}" for kind in KINDS},
        "CSV": f"tables/{exhibit.name}.csv",
    }
    return Shown(
        exhibit,
        picture=_picture(files["SVG"], heads),
        downloads={kind: name for kind, name in files.items() if name in heads},
    )


def _picture(name: str, heads: Mapping[str, bytes]) -> Picture | None:
    size = _SIZE.search(heads.get(name, b""))
    return Picture(name, *(round(float(side)) for side in size.groups())) if size else None
