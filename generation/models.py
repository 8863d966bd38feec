"""All models, for Django's registry; everyone else imports from the subject's module."""

from generation.answers.models import ModelAnswer
from generation.benchmarks.models import AskingRules, ModelMark, Prediction, Wording
from generation.calls.models import Attempt, Call, GenerationRun, OutcomeCount, ProviderBatch, RunShare, Subject
from generation.catalogue.models import StudyTemplate, Target
from generation.framing.models import FramedAnswer, FramedPrompt, Framing, FramingCheck, FramingSet
from generation.panel.models import GivenText, PanelScore
from generation.prompts.models import (
    Bundle,
    Candidate,
    PairVote,
    PromptMap,
    PromptSample,
    QualityVote,
    SampledPrompt,
    TextEmbedding,
)
from generation.sources.models import Document, ProposedConcept, RemovedItem, Scenario, Source, StudySource
from generation.trials.models import (
    CaseAnswer,
    ConclusionCode,
    ModelConclusion,
    TrialCase,
    TrialDesign,
    TrialScenario,
)

__all__ = [
    "AskingRules",
    "Attempt",
    "Bundle",
    "Call",
    "Candidate",
    "CaseAnswer",
    "ConclusionCode",
    "Document",
    "FramedAnswer",
    "FramedPrompt",
    "Framing",
    "FramingCheck",
    "FramingSet",
    "GenerationRun",
    "GivenText",
    "ModelAnswer",
    "ModelConclusion",
    "ModelMark",
    "OutcomeCount",
    "PairVote",
    "PanelScore",
    "Prediction",
    "PromptMap",
    "PromptSample",
    "ProposedConcept",
    "ProviderBatch",
    "QualityVote",
    "RemovedItem",
    "RunShare",
    "SampledPrompt",
    "Scenario",
    "Source",
    "StudySource",
    "StudyTemplate",
    "Subject",
    "Target",
    "TextEmbedding",
    "TrialCase",
    "TrialDesign",
    "TrialScenario",
    "Wording",
]
