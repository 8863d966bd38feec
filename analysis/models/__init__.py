"""For Django's registry; everyone else imports from the subject's module."""

from analysis.models.ceremony import AnalysisRun, Freeze, Release, UnblindingRequest

__all__ = ["AnalysisRun", "Freeze", "Release", "UnblindingRequest"]
