"""Who may have files of ratings analysed: researchers, whatever their study, and administrators."""

from django.core.exceptions import PermissionDenied

from analysis.rating_files.models import RatingFile
from annotation.platform.core.errors import Refused
from annotation.platform.models.users import User
from annotation.study.models.participation import Participation, Role

MAX_KEPT = 20  # files of one person


def can_analyse_files(user: User) -> bool:
    researchers = Participation.objects.filter(user=user, role=Role.RESEARCHER, left_at__isnull=True)
    return user.is_staff or researchers.exists()


def check_analyse_files(user: User) -> None:
    if not can_analyse_files(user):
        raise PermissionDenied("Files are analysed for researchers of a study, and for administrators.")


def check_room_for_another(user: User) -> None:
    if RatingFile.objects.filter(owner=user).count() >= MAX_KEPT:
        raise Refused(f"You keep {MAX_KEPT} files already. Remove one that you need no more, then bring this one.")
