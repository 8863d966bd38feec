"""Studies that nobody has entered yet, for administrators: who is invited to coordinate them."""

from dataclasses import dataclass

from annotation.people.selectors.recruiting import InvitationLine, invitation_lines
from annotation.study.models.participation import Participation
from annotation.study.models.studies import Study


@dataclass(frozen=True)
class UnenteredStudy:
    """`invitations` are those that nobody has accepted or withdrawn."""

    slug: str
    title: str
    invitations: tuple[InvitationLine, ...]


def is_unentered(study: Study) -> bool:
    """Whether nobody has ever taken part in the study."""
    return study.removed_at is None and not Participation.objects.filter(study=study).exists()


def unentered_studies() -> list[UnenteredStudy]:
    """Newest first."""
    found = Study.objects.filter(participations__isnull=True, removed_at__isnull=True)
    return [
        UnenteredStudy(study.slug, study.title, tuple(invitation_lines(study)))
        for study in found.order_by("-created_at", "-id")
    ]
