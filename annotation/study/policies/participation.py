"""Who may enter a study, and when a person may begin to work."""

from django.core.exceptions import PermissionDenied
from django.utils import timezone

from annotation.platform.core.errors import Refused
from annotation.platform.services.clock import database_now
from annotation.study.core import instrument
from annotation.study.models.participation import Consent, Invitation, Participation, Profile, Role
from annotation.study.models.protocol import Degree, ProfileQuestion
from annotation.study.models.studies import Study

# Whose texts, scores and flags are the study's data. Nobody else is asked for consent and a profile.
STUDIED = (Role.WRITER, Role.JUDGE, Role.ANNOTATOR, Role.ADJUDICATOR)
# Who sees other people's work, and signs in with a second factor therefore, as administrators do.
SUPERVISING = (Role.COORDINATOR, Role.RESEARCHER)
DEGREES = list(Degree.values)


def check_invitation_open(invitation: Invitation) -> None:
    """Raise `Refused` where the invitation was used or withdrawn, or has expired."""
    if invitation.accepted_at:
        raise Refused("This invitation has been used already. If you used it yourself, sign in.")
    if invitation.withdrawn_at:
        raise Refused("This invitation has been withdrawn or replaced by a newer one.")
    if invitation.expires_at <= database_now():
        expired = timezone.localtime(invitation.expires_at)
        raise Refused(f"This invitation expired on {expired:%-d %B %Y}.")


def is_studied(participation: Participation) -> bool:
    return participation.role in STUDIED


def check_studied(participation: Participation) -> None:
    if not is_studied(participation):
        raise PermissionDenied("Consent and profile are asked of those whose work is the study’s data only.")


def has_consented(participation: Participation) -> bool:
    consent: Consent | None = getattr(participation, "consent", None)
    return consent is not None and consent.withdrawn_at is None


def has_withdrawn(participation: Participation) -> bool:
    consent: Consent | None = getattr(participation, "consent", None)
    return consent is not None and consent.withdrawn_at is not None


def check_ready(participation: Participation) -> None:
    """Consent is given, the intake form is filled in, and the study's eligibility rule is met.

    Callers that check often load consent and profile along with the participation.
    """
    if has_withdrawn(participation):
        withdrawn = timezone.localtime(participation.consent.withdrawn_at)
        raise Refused(f"You withdrew your consent on {withdrawn:%-d %B %Y}. Nothing more is asked of you.")
    if not has_consented(participation):
        raise Refused("Please read and accept the consent form first.")
    study = participation.study
    if not study.profile_questions:
        return
    profile: Profile | None = getattr(participation, "profile", None)
    if profile is None:
        raise Refused("Please fill in your profile first.")
    if not is_complete(study, profile):
        raise Refused("Please answer the questions that were added to your profile first.")
    check_eligible(study, profile)


def is_profile_fixed(study: Study) -> bool:
    """Whether profiles stay as they are, since they were frozen with everything else that was collected."""
    return study.state in ("closed", "unblinded", "released")


def is_complete(study: Study, profile: Profile | None) -> bool:
    """Whether a profile has an answer to every question that the study asks by now."""
    return not study.profile_questions or (
        profile is not None and all(_is_answered(question, study, profile) for question in study.profile_questions)
    )


def _is_answered(question: str, study: Study, profile: Profile) -> bool:
    if question == ProfileQuestion.R1:
        # It is about a doctorate, and empty where somebody holds none; so the degree is asked for along with it.
        return profile.r1_institution is not None or profile.highest_degree != Degree.DOCTORATE
    if question == ProfileQuestion.IDEOLOGY:
        items = instrument.parse(study.ideology_instrument).items if study.ideology_instrument else ()
        return all(item.key in profile.ideology for item in items)  # kept, be it as left out
    return getattr(profile, question) not in ("", None)


def why_not_ready(participation: Participation) -> str:
    """What is still missing before this person may begin, in words for them; empty when nothing is."""
    try:
        check_ready(participation)
    except Refused as refusal:
        return str(refusal)
    return ""


def is_ready(participation: Participation) -> bool:
    return not why_not_ready(participation)


def eligibility_answers(profile: Profile) -> dict[ProfileQuestion, str]:
    """What `check_eligible` goes by, in words, of the questions that are answered."""
    years = "" if profile.years_experience is None else str(profile.years_experience)
    said = {ProfileQuestion.DEGREE: profile.get_highest_degree_display(), ProfileQuestion.YEARS: years}
    return {question: answer for question, answer in said.items() if answer}


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
