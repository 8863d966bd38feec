"""For Django's registry; everyone else imports from the subject's module."""

from annotation.models.allocation import HumanSet, ItemPlan, PromptPlan, Stimulus, TextEdit
from annotation.models.audit import AuditEvent, AuditSeal
from annotation.models.honoraria import Payment
from annotation.models.judging import BlindedSlot, Guess, JudgingItem, RankedSlot, Score
from annotation.models.participation import Consent, Invitation, Participation, Profile
from annotation.models.people import User
from annotation.models.prompts import Prompt, PromptVersion
from annotation.models.reading import Dwell, Mark
from annotation.models.reminders import Reminder
from annotation.models.responses import Response
from annotation.models.seeds import StudySeed
from annotation.models.studies import Rubric, Study
from annotation.models.uptime import OutageCredit, UpPeriod
from annotation.models.work import Task
from annotation.models.writing import Draft, DraftRevision, LateText, SideText, WritingAssignment

__all__ = [
    "AuditEvent",
    "AuditSeal",
    "BlindedSlot",
    "Consent",
    "Draft",
    "DraftRevision",
    "Dwell",
    "Guess",
    "HumanSet",
    "Invitation",
    "ItemPlan",
    "JudgingItem",
    "LateText",
    "Mark",
    "OutageCredit",
    "Participation",
    "Payment",
    "Profile",
    "Prompt",
    "PromptPlan",
    "PromptVersion",
    "RankedSlot",
    "Reminder",
    "Response",
    "Rubric",
    "Score",
    "SideText",
    "Stimulus",
    "Study",
    "StudySeed",
    "Task",
    "TextEdit",
    "UpPeriod",
    "User",
    "WritingAssignment",
]
