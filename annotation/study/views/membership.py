"""The study a request is about, for those who take part in it."""

from django.http import Http404

from annotation.platform.views import PersonRequest
from annotation.study.models.participation import Participation, Role
from annotation.study.models.studies import Study
from annotation.study.policies.participation import SUPERVISING
from annotation.study.policies.roles import check_own_role
from annotation.study.selectors.studies import participation_in


def own_participation(request: PersonRequest, slug: str) -> Participation:
    """What this person is in the study; 404 where they take no part in one of this name."""
    participation = participation_in(request.user, slug)
    if participation is None:
        raise Http404
    return participation


def coordinated(request: PersonRequest, slug: str) -> Study:
    """The study, for its coordinator: 404 for people outside it, 403 for its other members."""
    return _study_for(request, slug, Role.COORDINATOR)


def supervised(request: PersonRequest, slug: str) -> Study:
    """The study, for its coordinators and researchers: 404 for people outside it, 403 for its other members."""
    return _study_for(request, slug, *SUPERVISING)


def _study_for(request: PersonRequest, slug: str, *roles: Role) -> Study:
    own = own_participation(request, slug)
    check_own_role(own, *roles)
    return own.study
