"""For Django's registry; everyone else imports from the subject's module."""

from analysis.blinding.models import SealedTable
from analysis.ceremony.models import UnblindingRequest
from analysis.frozen.models import Freeze, FrozenTable
from analysis.release.models import Release, ReleaseArchive
from analysis.report.models import AnalysisRun, RunFile

__all__ = [
    "AnalysisRun",
    "Freeze",
    "FrozenTable",
    "Release",
    "ReleaseArchive",
    "RunFile",
    "SealedTable",
    "UnblindingRequest",
]
