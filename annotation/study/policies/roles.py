"""Who a person is in a study."""

from collections.abc import Collection

from django.conf import settings
from django.core.exceptions import PermissionDenied

from annotation.platform.models.users import User
from annotation.study.models.participation import Participation, Role
from annotation.study.models.studies import Study


def has_role(user: User, study: Study, *roles: Role) -> bool:
    return Participation.objects.filter(study=study, user=user, role__in=roles, left_at__isnull=True).exists()


def check_role(user: User, study: Study, *roles: Role) -> None:
    """Raise `PermissionDenied` unless `user` takes part in `study` as one of `roles`."""
    if not has_role(user, study, *roles):
        raise _only(roles)


def check_own_role(own: Participation, *roles: Role) -> None:
    """The check for what somebody is in their study, which has been looked up already."""
    if own.role not in roles:
        raise _only(roles)


def _only(roles: Collection[Role]) -> PermissionDenied:
    names = " or ".join(role.label.lower() for role in roles)
    return PermissionDenied(f"Only a {names} of this study may do this.")


def can_coordinate(user: User, study: Study) -> bool:
    return has_role(user, study, Role.COORDINATOR)


def check_coordinator(user: User, study: Study) -> None:
    check_role(user, study, Role.COORDINATOR)


def can_administer(user: User) -> bool:
    return user.is_staff


def check_administrator(user: User) -> None:
    if not can_administer(user):
        raise PermissionDenied("Only an administrator may do this.")


def can_create_studies(user: User) -> bool:
    """Whether somebody may set studies up: whoever coordinates one, where the site lets coordinators do so."""
    coordinates = Participation.objects.filter(user=user, role=Role.COORDINATOR, left_at__isnull=True)
    return settings.COORDINATORS_CREATE_STUDIES and coordinates.exists()


def check_may_create_studies(user: User) -> None:
    if not can_create_studies(user):
        raise PermissionDenied("Only an administrator may set up a study, unless the site lets coordinators do so.")


def can_research(user: User, study: Study) -> bool:
    return has_role(user, study, Role.RESEARCHER)


def check_researcher(user: User, study: Study) -> None:
    check_role(user, study, Role.RESEARCHER)
