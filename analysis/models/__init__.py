"""For Django's registry; everyone else imports from the subject's module."""

from analysis.models.ceremony import Freeze, UnblindingRequest
from analysis.models.releases import Release, ReleaseArchive
from analysis.models.runs import AnalysisRun, RunFile

__all__ = ["AnalysisRun", "Freeze", "Release", "ReleaseArchive", "RunFile", "UnblindingRequest"]
