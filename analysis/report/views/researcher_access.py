"""The study a request is about, for its researchers, and the trail of what they were refused."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext

from django.core.exceptions import PermissionDenied

from annotation.platform.core.errors import Refused
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.services import audit
from annotation.platform.views import PersonRequest, attempt
from annotation.study.models.participation import Role
from annotation.study.models.studies import Study
from annotation.study.policies.roles import check_own_role
from annotation.study.views.membership import own_participation


@contextmanager
def auditing_refusals(request: PersonRequest, study: Study) -> Iterator[None]:
    """Leave an audit row of a step that was tried too early, by the wrong person or by one person alone."""
    try:
        yield
    except (PermissionDenied, Refused) as refusal:
        if request.resolver_match:
            verb = AuditVerb(f"{request.resolver_match.url_name}.refused")
            audit.record(verb=verb, by=request.user, study=study, subject=study.slug, reason=str(refusal))
        raise


def study_for_researcher(request: PersonRequest, slug: str) -> Study:
    """The study, for its researchers: 404 for people outside it, 403 for its other members.

    Looking at a page leaves no trace; trying to do something does.
    """
    own = own_participation(request, slug)
    with auditing_refusals(request, own.study) if request.method == "POST" else nullcontext():
        check_own_role(own, Role.RESEARCHER)
    return own.study


def step_taken(request: PersonRequest, study: Study, verb: Callable[[], object]) -> bool:
    """Whether a step of the ceremony was taken; a refusal leaves an audit row and becomes a message."""

    def audited_verb() -> bool:
        with auditing_refusals(request, study):
            verb()
        return True

    return bool(attempt(request, audited_verb))
