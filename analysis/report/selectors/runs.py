"""A study's analyses, and what is shown of one: its exhibits, and the files to take away."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, Final

from django.db.models import Case, Exists, OuterRef, QuerySet, When
from django.db.models.functions import Substr

from analysis.data.core.number_format import shortest
from analysis.data.core.parameters import DEFAULTS, WHOLE, Parameters
from analysis.report.core.page_file import Page, page, page_from_json
from analysis.report.core.report_differences import Differences, differences
from analysis.report.core.results_file import from_json, lacks
from analysis.report.core.work_kinds import COMPUTE_FULL, COMPUTE_MASKED, COMPUTE_PRESSURE
from analysis.report.models import AnalysisRun, RunFile
from analysis.report.prose.headlines import headlines
from analysis.report.sections import registered
from analysis.report.selectors.attempts import Trouble, trouble_with
from analysis.sections.core.report import Report
from analysis.sections.core.section import Stage
from analysis.sections.exhibits.exhibit import Exhibit
from analysis.sections.exhibits.rendering import KINDS
from analysis.sections.exhibits.wording import level_name
from analysis.sections.prose.passage import Chapter
from annotation.study.models.participation import Consent
from annotation.study.models.studies import Study

WORK: Final[Mapping[str, str]] = {
    AnalysisRun.Kind.MASKED: COMPUTE_MASKED,
    AnalysisRun.Kind.FULL: COMPUTE_FULL,
    AnalysisRun.Kind.PRESSURE: COMPUTE_PRESSURE,
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
# Rows with `name` and `content`.
KeptFiles = QuerySet[Any]
# What a run goes through before and after its sections.
CHECKING: Final = Stage("checking labels and judgments", "checking labels and judgments", 1)
WRITING: Final = Stage("files", "drawing figures and writing files", 64)
RESULTS: Final = "results.json"
PAGE: Final = "page.json"
MAX_ROWS: Final = 16
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
        return len(self.exhibit.table.rows) > MAX_ROWS


@dataclass(frozen=True)
class Part:
    """What stands under one title. It `is_whole` unless the code that computed the run did not know all of it."""

    title: str
    exhibits: tuple[Shown, ...]
    is_whole: bool = True


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
class StageNow:
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
    """What a finished run found, in one scope of `scopes`. `chapters` are methods and results in words,
    `headlines` the main figures in a sentence each.

    Without a `report` that can be read there is the page that was kept; without such a page it `is_redrawn`.
    """

    report: Report | None
    is_redrawn: bool
    scopes: tuple[str, ...]
    scope: str
    parts: tuple[Part, ...]
    chapters: tuple[Chapter, ...]
    headlines: tuple[str, ...]


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


def stages_of(run: AnalysisRun) -> list[Stage]:
    """What it goes through, in that order."""
    if run.kind == AnalysisRun.Kind.MASKED:
        return [*(each.stage for each in registered("file") if each.stage and each.from_masked), WRITING]
    if run.kind == AnalysisRun.Kind.PRESSURE:
        return [WRITING]
    return [CHECKING, *(each.stage for each in registered("file") if each.stage), WRITING]


def stage_of(run: AnalysisRun) -> StageNow | None:
    """How far a run is that is being computed; None while it waits for a worker."""
    return stage_now(run.progress, stages_of(run))


def stage_now(progress: Mapping[str, Any], stages: Sequence[Stage]) -> StageNow | None:
    """Which of the stages the work tells of, and how much of all of them is done; None before it begins."""
    if not progress:
        return None
    what, done, of = (progress[part] for part in ("what", "done", "of"))
    place = next((place for place, stage in enumerate(stages) if stage.name == what), None)
    if place is None:
        return StageNow(what, 0)
    passed = sum(stage.share for stage in stages[:place]) + stages[place].share * done / of
    return StageNow(stages[place].words, int(100 * passed / sum(stage.share for stage in stages)))


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
    parameters: dict[str, object] = run.parameters
    return usual.items() <= parameters.items()


def file_of(run: AnalysisRun, name: str) -> bytes | None:
    """None also where the file may not be given out any more, since somebody has withdrawn."""
    return content_of(_given_out(run), name)


def files_of(run: AnalysisRun) -> dict[str, bytes]:
    """Every file by its name: none where they may not be given out any more, since somebody has withdrawn."""
    return contents_of(_given_out(run))


def _given_out(run: AnalysisRun) -> KeptFiles:
    return RunFile.objects.filter(run=run).exclude(run__in=AnalysisRun.objects.filter(WITHDRAWN_SINCE))


def contents_of(kept: KeptFiles) -> dict[str, bytes]:
    """Every file by its name."""
    return {name: bytes(content) for name, content in kept.values_list("name", "content")}


def content_of(kept: KeptFiles, name: str) -> bytes | None:
    """The file of that name, if there is one."""
    return contents_of(kept.filter(name=name)).get(name)


def report_of(run: AnalysisRun) -> Report | None:
    """The report of a finished run, or None where it is gone, or has a shape that only earlier code knew."""
    return _report_in(_given_out(run))


def findings(run: AnalysisRun, scope: str = WHOLE) -> Findings | None:
    """What the run found, as it was kept with it, or None where neither its page nor its report can be read any
    more. Raises LookupError for a scope that it does not have.
    """
    return findings_in(_given_out(run), scope)


def findings_in(kept: KeptFiles, scope: str = WHOLE) -> Findings | None:
    """What these files say was found, or None where neither a page nor a report among them can be read. Raises
    LookupError for a scope that they do not have.
    """
    report, kept_page = _report_in(kept), _page_in(kept)
    shown = kept_page or (page(report) if report else None)
    if shown is None:
        return None
    heads = dict(kept.values_list("name", Substr("content", 1, HEAD)))
    made_now = headlines(report) if report and shown.headlines is None else ()
    scopes = tuple(dict.fromkeys([WHOLE, *(exhibit.scope for exhibit in shown.exhibits)]))
    if scope not in scopes:
        raise LookupError(scope)
    parts = _parts((exhibit for exhibit in shown.exhibits if exhibit.scope == scope), heads)
    return Findings(
        report=report,
        is_redrawn=kept_page is None,
        scopes=scopes,
        scope=scope,
        parts=tuple(_with_what_lacks(parts, report) if report and not scope else parts),
        chapters=shown.chapters,
        headlines=made_now if shown.headlines is None else shown.headlines,
    )


def _report_in(kept: KeptFiles) -> Report | None:
    try:
        return from_json(content_of(kept, RESULTS) or b"")
    except ValueError:
        return None


def _page_in(kept: KeptFiles) -> Page | None:
    try:
        return page_from_json(content_of(kept, PAGE) or b"")
    except ValueError:
        return None


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
        return " to ".join(map(shortest, value)) if value else "that of the rubric"
    if name == "mode":
        return RANKS[value]
    if name == "level":
        return level_name(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if name == "draws" else str(value)


def _parts(found: Iterable[Exhibit], heads: Mapping[str, bytes]) -> list[Part]:
    return [
        Part(title, tuple(_shown(exhibit, heads) for exhibit in part))
        for title, part in groupby(found, key=lambda exhibit: exhibit.section)
    ]


def _with_what_lacks(parts: Iterable[Part], report: Report) -> list[Part]:
    """Where the code that computed the run did not know a section, its title says so in its place."""
    lacking = {section.title for section in registered("page") if lacks(report, section)}
    found = [replace(part, is_whole=part.title not in lacking) for part in parts]
    titles = list(dict.fromkeys(section.title for section in registered("page")))
    for place, title in enumerate(titles):
        if title in lacking and title not in {part.title for part in found}:
            ahead = [number for number, part in enumerate(found, start=1) if part.title in titles[:place]]
            found.insert(max(ahead, default=0), Part(title, (), is_whole=False))
    return found


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
