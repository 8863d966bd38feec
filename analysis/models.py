"""All models, for Django's registry; everyone else imports from the subject's module."""

from analysis.blinding.models import SealedTable
from analysis.ceremony.models import UnblindingRequest
from analysis.frozen.models import Freeze, FrozenTable
from analysis.rating_files.models import RatingFile, RatingFileResult
from analysis.release.models import Release, ReleaseArchive
from analysis.report.models import AnalysisRun, RunFile

__all__ = [
    "AnalysisRun",
    "Freeze",
    "FrozenTable",
    "RatingFile",
    "RatingFileResult",
    "Release",
    "ReleaseArchive",
    "RunFile",
    "SealedTable",
    "UnblindingRequest",
]
