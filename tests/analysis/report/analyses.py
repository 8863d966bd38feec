"""Analyses of a study without the computing: what they find is given, and they leave few files."""

from collections.abc import Iterator
from functools import cache
from typing import Any
from unittest import mock

from django.test import Client
from django.urls import reverse

from analysis.data.core.parameters import Parameters
from analysis.report.core.results_file import to_json
from analysis.report.models import AnalysisRun
from analysis.report.prose.text import plain
from analysis.report.prose.title_block import Basis
from analysis.report.selectors.runs import WORK
from analysis.report.services import runs
from analysis.sections.core.report import Progress, Report
from annotation.platform.models.work import Task
from annotation.study.models.studies import Study
from tests.analysis.report.core.made_reports import made_report, masked
from tests.clients import signed_in
from tests.factories import researchers_of
from tests.work import perform

LEVELS = {"family-1": 8, "model": 7, "human": 5, "weak": 2}
PICTURE = "figures/places.svg"
SVG = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 360 200.4"/>'


def asked_for(study: Study, **parameters: object) -> AnalysisRun:
    parameters = {"draws": 100, **parameters}
    return runs.ask_for_run(study=study, parameters=Parameters(**parameters), by=researchers_of(study)[0])  # type: ignore[arg-type]


@cache
def full_report() -> Report:
    """The same for all tests: nothing about a report can be changed."""
    return made_report()


def masked_report() -> Report:
    return masked(full_report())


def computed(run: AnalysisRun, report: Report | None = None, *, data: str = "d" * 64) -> AnalysisRun:
    """The run after this was found, or else what a made-up report has."""
    if report is None:
        report = masked_report() if run.kind == AnalysisRun.Kind.MASKED else full_report()
    with mock.patch.object(runs, "files", few_files):
        runs.compute(run.pk, lambda *_: (data, report))
    run.refresh_from_db()
    return run


def analysed(run: AnalysisRun) -> AnalysisRun:
    """The run after the worker did it, but for drawing."""
    with mock.patch.object(runs, "files", few_files):
        perform(Task.objects.get(kind=WORK[run.kind], subject=str(run.pk)))
    run.refresh_from_db()
    return run


def a_finished_run(study: Study, report: Report | None = None, **parameters: object) -> AnalysisRun:
    return computed(asked_for(study, **parameters), report)


def get(study: Study, name: str = "results", *args: object, **query: str | int) -> Any:
    """A page of the study's, as one of its researchers gets it."""
    return researcher(study).get(reverse(name, args=[study.slug, *args]), query)


def post(study: Study, name: str, *args: object, **sent: object) -> Any:
    return researcher(study).post(reverse(name, args=[study.slug, *args]), sent)


def researcher(study: Study) -> Client:
    return signed_in(researchers_of(study)[0])


def files_of(run: AnalysisRun) -> dict[str, bytes]:
    """All files of a run by name, also such as may not be given out any more."""
    return {name: bytes(content) for name, content in run.files.values_list("name", "content")}


def few_files(report: Report, basis: Basis, progress: Progress) -> Iterator[tuple[str, bytes]]:
    """Without drawing anything."""
    progress.tell("files", 0, 1)
    yield "results.json", to_json(report)
    yield "report.txt", plain(report, basis).encode()
    yield "report.tex", b"\\section{Methods}"
    yield "figures.csv", b"figure,value\n"
    yield PICTURE, SVG
    yield "tables/places.csv", b"Source,Place\n"
