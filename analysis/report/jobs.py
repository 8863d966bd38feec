"""What work on analyses has in common; each kind is declared beside its analysis."""

from django.urls import reverse

from analysis.report.models import AnalysisRun
from annotation.platform.core.work_kinds import WorkRows


def _found(run: AnalysisRun) -> tuple[str, str]:
    return f"Analysis {run.number}", reverse("study", args=[run.study.slug])


ANALYSES = WorkRows(AnalysisRun, _found, related=("study",))
