"""For Django's registry; everyone else imports from the subject's module."""

from generation.models.panel import PanelScore
from generation.models.runs import (
    Attempt,
    Call,
    GenerationRun,
    GivenText,
    ModelAnswer,
    OutcomeCount,
    ProviderBatch,
    RunShare,
)
from generation.models.sources import Scenario, Source
from generation.models.targets import StudyTemplate, Target

__all__ = [
    "Attempt",
    "Call",
    "GenerationRun",
    "GivenText",
    "ModelAnswer",
    "OutcomeCount",
    "PanelScore",
    "ProviderBatch",
    "RunShare",
    "Scenario",
    "Source",
    "StudyTemplate",
    "Target",
]
