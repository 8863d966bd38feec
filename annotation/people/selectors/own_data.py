"""What a study holds about one writer or judge, for that person: consent, profile, answers, receipts.

Also once they have left, or the study is over.
"""

from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from annotation.judging.models.judging import JudgingItem
from annotation.platform.core.text import count_words
from annotation.study.models.participation import Consent, Participation, Profile
from annotation.study.models.protocol import ProfileQuestion
from annotation.study.models.studies import Study
from annotation.texts.models.provenance import Stimulus
from annotation.writing.models import WritingAssignment


@dataclass(frozen=True)
class OwnAnswer:
    """An answer that was handed in, with its receipt. `is_used`: its text was neither rejected nor withdrawn."""

    position: int
    prompt: str
    text: str
    words: int
    sha256: str
    submitted_at: datetime
    is_used: bool


@dataclass(frozen=True)
class OwnGivenBack:
    """An answer that the coordinator gave back, for `reason`; handed in anew or not."""

    position: int
    reason: str


@dataclass(frozen=True)
class OwnItem:
    """An item that was submitted; `sha256` is the receipt's, as far as one was given."""

    position: int
    sha256: str
    submitted_at: datetime
    justification: str


@dataclass(frozen=True)
class OwnData:
    """Questions of the profile are in words, with their answers."""

    pseudonym: str
    role: str
    joined_at: datetime
    left_at: datetime | None
    consent_version: str
    consented_at: datetime | None
    withdrew_at: datetime | None
    profile: tuple[tuple[str, str], ...]
    answers: tuple[OwnAnswer, ...]
    given_back: tuple[OwnGivenBack, ...]
    items: tuple[OwnItem, ...]

    @property
    def as_json(self) -> dict[str, Any]:
        """All of it, as a file has it."""
        return asdict(self)


def own_data(participation: Participation) -> OwnData:
    consent: Consent | None = getattr(participation, "consent", None)
    return OwnData(
        pseudonym=participation.pseudonym,
        role=participation.get_role_display(),
        joined_at=participation.joined_at,
        left_at=participation.left_at,
        consent_version=consent.version if consent else "",
        consented_at=consent.given_at if consent else None,
        withdrew_at=consent.withdrawn_at if consent else None,
        profile=_profile(participation.study, getattr(participation, "profile", None)) + _earlier(participation),
        answers=_answers(participation),
        given_back=_given_back(participation),
        items=_items(participation),
    )


def _profile(study: Study, profile: Profile | None) -> tuple[tuple[str, str], ...]:
    if profile is None:
        return ()
    said = {
        ProfileQuestion.DEGREE: profile.get_highest_degree_display(),
        ProfileQuestion.R1: None if profile.r1_institution is None else "yes" if profile.r1_institution else "no",
        ProfileQuestion.DISCIPLINE: profile.discipline,
        ProfileQuestion.YEARS: profile.years_experience,
        ProfileQuestion.COUNTRY: profile.country,
        ProfileQuestion.IDEOLOGY: ", ".join(f"{key}: {value}" for key, value in profile.ideology.items()),
    }
    asked = [ProfileQuestion(name) for name in study.profile_questions]
    return tuple((question.label, str(said[question])) for question in asked if said[question] not in (None, ""))


def _earlier(participation: Participation) -> tuple[tuple[str, str], ...]:
    """What was said before, of the questions for which that is kept."""
    return tuple(
        (f"{change.get_question_display()}, before {change.changed_at:%-d %B %Y}", change.before)
        for change in participation.eligibility_changes.all()
    )


def _answers(participation: Participation) -> tuple[OwnAnswer, ...]:
    """The text as submitted, which the receipt covers, not as shown to judges."""
    submitted = WritingAssignment.objects.filter(participation=participation, submitted_at__isnull=False)
    out = Stimulus.objects.filter(response__in=submitted.values("response"), state__in=("rejected", "withdrawn"))
    unused = set(out.values_list("response", flat=True))
    return tuple(
        OwnAnswer(
            position=answer.position,
            prompt=answer.prompt_version.text,
            text=answer.draft.text,
            words=count_words(answer.draft.text),
            sha256=answer.draft.sha256,
            submitted_at=answer.submitted_at,
            is_used=answer.response_id not in unused,
        )
        for answer in submitted.select_related("prompt_version", "draft").order_by("position")
        if answer.submitted_at
    )


def _given_back(participation: Participation) -> tuple[OwnGivenBack, ...]:
    """Answers given back, by position."""
    own = WritingAssignment.objects.filter(participation=participation).exclude(given_back_for="")
    reasons = own.order_by("position").values_list("position", "given_back_for")
    return tuple(OwnGivenBack(position, reason) for position, reason in reasons)


def _items(participation: Participation) -> tuple[OwnItem, ...]:
    items = JudgingItem.objects.filter(participation=participation, state="submitted").order_by("position")
    return tuple(
        OwnItem(item.position, item.sha256, item.submitted_at, item.justification)
        for item in items
        if item.submitted_at
    )
