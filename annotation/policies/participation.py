"""Who may enter a study, and when a person may begin to work."""

from django.core.exceptions import PermissionDenied
from django.utils import timezone

from annotation.core.errors import Refused
from annotation.models.participation import Consent, Invitation, Participation, Profile, Role
from annotation.models.protocol import Degree, ProfileQuestion
from annotation.models.studies import Study

# Whose texts and scores are the study's data. Nobody else is asked for consent and a profile.
STUDIED = (Role.WRITER, Role.JUDGE)
# Who sees other people's work, and signs in with a second factor therefore, as administrators do.
SUPERVISING = (Role.COORDINATOR, Role.RESEARCHER)
DEGREES = list(Degree.values)


def check_invitation_open(invitation: Invitation) -> None:
    """Raise `Refused` where the invitation was used or withdrawn, or has expired."""
    if invitation.accepted_at:
        raise Refused("This invitation has been used already. If you used it yourself, sign in.")
    if invitation.withdrawn_at:
        raise Refused("This invitation has been withdrawn or replaced by a newer one.")
    if invitation.expires_at <= timezone.now():
        expired = timezone.localtime(invitation.expires_at)
        raise Refused(f"This invitation expired on {expired:%-d %B %Y}.")


def is_studied(participation: Participation) -> bool:
    return participation.role in STUDIED


def check_studied(participation: Participation) -> None:
    if not is_studied(participation):
        raise PermissionDenied("Consent and profile are asked of writers and judges only.")


def has_consented(participation: Participation) -> bool:
    consent: Consent | None = getattr(participation, "consent", None)
    return consent is not None and consent.withdrawn_at is None


def check_ready(participation: Participation) -> None:
    """Consent is given, the intake form is filled in, and the study's eligibility rule is met.

    Callers that check often load consent and profile along with the participation.
    """
    if not has_consented(participation):
        raise Refused("Please read and accept the consent form first.")
    if not participation.study.profile_questions:
        return
    profile: Profile | None = getattr(participation, "profile", None)
    if profile is None:
        raise Refused("Please fill in your profile first.")
    check_eligible(participation.study, profile)


def why_not_ready(participation: Participation) -> str:
    """What is still missing before this person may begin, in words for them; empty when nothing is."""
    try:
        check_ready(participation)
    except Refused as refusal:
        return str(refusal)
    return ""


def is_ready(participation: Participation) -> bool:
    return not why_not_ready(participation)


def check_eligible(study: Study, profile: Profile) -> None:
    """Raise `Refused` where answers fall short of the study's rule. A question not asked cannot fail."""
    asked, shortfalls = study.profile_questions, []
    if ProfileQuestion.DEGREE in asked and _rank(profile.highest_degree) < _rank(study.minimum_degree):
        shortfalls.append(f"This study asks for at least a {study.get_minimum_degree_display().lower()}.")
    if ProfileQuestion.YEARS in asked and (profile.years_experience or 0) < study.minimum_years_experience:
        shortfalls.append(
            f"This study asks for at least {study.minimum_years_experience} years of research experience."
        )
    if shortfalls:
        raise Refused(" ".join(shortfalls))


def _rank(degree: str) -> int:
    return DEGREES.index(degree) if degree in DEGREES else -1
