"""All models, for Django's registry; everyone else imports from the subject's module."""

from annotation.assignment.models import AssignmentRepair, WorkGivenOut
from annotation.benchmarks.models.benchmarks import (
    Benchmark,
    DrawnQuestion,
    MechanicalFinding,
    Question,
    Story,
)
from annotation.benchmarks.models.marks import AnswerMark
from annotation.benchmarks.models.reviews import QuestionFlag, Review
from annotation.benchmarks.models.rulings import Correction, Ruling, Subset
from annotation.coordination.models.honoraria import Payment
from annotation.coordination.models.reminders import Reminder
from annotation.design.models import DesignFingerprint
from annotation.judging.models.judging import BlindedSlot, Guess, GuessOption, JudgingItem, RankedSlot, Score
from annotation.judging.models.traces import Dwell, Mark
from annotation.notifications.models import Notification, NotificationWording
from annotation.people.models import AccountMail
from annotation.platform.models.audit import AuditEvent, AuditSeal, UnsealedEvent
from annotation.platform.models.uptime import SitePause, UpPeriod, WriteCheck
from annotation.platform.models.users import User
from annotation.platform.models.work import Task
from annotation.study.models.flags import Flag
from annotation.study.models.participation import Consent, Invitation, Participation, Profile
from annotation.study.models.prompts import Prompt, PromptVersion
from annotation.study.models.responses import Response
from annotation.study.models.studies import Rubric, Study, StudyStep
from annotation.texts.models.model_readings import TextReading
from annotation.texts.models.provenance import HumanSet, ItemPlan, PromptPlan, Stimulus, TextClearance, TextEdit
from annotation.texts.models.seeds import StudySeed
from annotation.unblinders.models import OfficeChange, OfficeCommitment, OfficeNotice, RecoveryPerson, Unblinder
from annotation.writing.models import (
    Draft,
    DraftRevision,
    LateText,
    OutageCredit,
    RewordingDecision,
    SideText,
    WaivedAnswer,
    WritingAssignment,
    WritingPause,
    WritingReceipt,
)

__all__ = [
    "AccountMail",
    "AnswerMark",
    "AssignmentRepair",
    "AuditEvent",
    "AuditSeal",
    "Benchmark",
    "BlindedSlot",
    "Consent",
    "Correction",
    "DesignFingerprint",
    "Draft",
    "DraftRevision",
    "DrawnQuestion",
    "Dwell",
    "Flag",
    "Guess",
    "GuessOption",
    "HumanSet",
    "Invitation",
    "ItemPlan",
    "JudgingItem",
    "LateText",
    "Mark",
    "MechanicalFinding",
    "Notification",
    "NotificationWording",
    "OfficeChange",
    "OfficeCommitment",
    "OfficeNotice",
    "OutageCredit",
    "Participation",
    "Payment",
    "Profile",
    "Prompt",
    "PromptPlan",
    "PromptVersion",
    "Question",
    "QuestionFlag",
    "RankedSlot",
    "RecoveryPerson",
    "Reminder",
    "Response",
    "Review",
    "RewordingDecision",
    "Rubric",
    "Ruling",
    "Score",
    "SideText",
    "SitePause",
    "Stimulus",
    "Story",
    "Study",
    "StudySeed",
    "StudyStep",
    "Subset",
    "Task",
    "TextClearance",
    "TextEdit",
    "TextReading",
    "Unblinder",
    "UnsealedEvent",
    "UpPeriod",
    "User",
    "WaivedAnswer",
    "WorkGivenOut",
    "WriteCheck",
    "WritingAssignment",
    "WritingPause",
    "WritingReceipt",
]
