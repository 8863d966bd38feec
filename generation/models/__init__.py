"""For Django's registry; everyone else imports from the subject's module."""

from generation.models.panel import PanelScore
from generation.models.runs import Attempt, Call, GenerationRun, ModelAnswer, Target
from generation.models.sources import Scenario, Source

__all__ = ["Attempt", "Call", "GenerationRun", "ModelAnswer", "PanelScore", "Scenario", "Source", "Target"]
