"""When a person may begin to work."""

from annotation.core.errors import Refused
from annotation.models.participation import Consent, Participation, Profile
from annotation.models.protocol import Degree

DEGREES = list(Degree.values)


def check_ready(participation: Participation) -> None:
    """Consent is given, the intake form is filled in, and the study's eligibility rule is met."""
    if not Consent.objects.filter(participation=participation, withdrawn_at__isnull=True).exists():
        raise Refused("Please read and accept the consent form first.")
    profile = Profile.objects.filter(participation=participation).first()
    if profile is None:
        raise Refused("Please fill in your profile first.")
    study = participation.study
    questions = study.profile_questions
    if "highest_degree" in questions and _degree(profile.highest_degree) < _degree(study.minimum_degree):
        raise Refused("This study asks for a higher degree than you named. Write to the coordinator if that is wrong.")
    if "years_experience" in questions and (profile.years_experience or 0) < study.minimum_years_experience:
        raise Refused(
            f"This study asks for at least {study.minimum_years_experience} years of research experience."
        )


def is_ready(participation: Participation) -> bool:
    try:
        check_ready(participation)
    except Refused:
        return False
    return True


def _degree(value: str) -> int:
    return DEGREES.index(value) if value in DEGREES else -1
