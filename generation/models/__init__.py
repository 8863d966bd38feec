"""For Django's registry; everyone else imports from the subject's module."""

from generation.models.candidates import (
    Bundle,
    Candidate,
    PairVote,
    PromptMap,
    PromptSample,
    QualityVote,
    SampledPrompt,
    TextEmbedding,
)
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
from generation.models.sources import Document, RemovedItem, Scenario, Source, StudySource
from generation.models.targets import StudyTemplate, Target

__all__ = [
    "Attempt",
    "Bundle",
    "Call",
    "Candidate",
    "Document",
    "GenerationRun",
    "GivenText",
    "ModelAnswer",
    "OutcomeCount",
    "PairVote",
    "PanelScore",
    "PromptMap",
    "PromptSample",
    "ProviderBatch",
    "QualityVote",
    "RemovedItem",
    "RunShare",
    "SampledPrompt",
    "Scenario",
    "Source",
    "StudySource",
    "StudyTemplate",
    "Target",
    "TextEmbedding",
]
