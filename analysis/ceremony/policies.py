"""Who may close, unblind and publish, and when: too early is as forbidden as by one person alone."""

from django.core.exceptions import PermissionDenied

from analysis.ceremony.models import UnblindingRequest
from analysis.release.models import Release
from analysis.release.selectors.releases import why_stale
from annotation.platform.core.errors import Refused
from annotation.platform.models.users import User
from annotation.study.models.participation import Role
from annotation.study.models.studies import Study
from annotation.study.policies.roles import check_role, has_role
from annotation.study.policies.unblinding import check_unblinded, is_unblinded


def can_research(user: User, study: Study) -> bool:
    return has_role(user, study, Role.RESEARCHER)


def check_researcher(user: User, study: Study) -> None:
    check_role(user, study, Role.RESEARCHER)


def check_may_ask(user: User, study: Study) -> None:
    """A researcher asks for unblinding, once collection has ended, and once."""
    check_researcher(user, study)
    if study.state in ("design", "writing", "assembling", "judging"):
        raise PermissionDenied("Unblinding can be asked for once the study is closed.")
    if UnblindingRequest.objects.filter(study=study).exclude(decision="declined").exists():
        raise Refused("Unblinding has been asked for already.")


def check_may_decide(user: User, request: UnblindingRequest) -> None:
    """A second researcher decides: never the one who asked."""
    check_researcher(user, request.study)
    if request.decision != UnblindingRequest.Decision.OPEN:
        raise Refused("This request has been decided.")
    if request.requested_by_id == user.pk:
        raise PermissionDenied("You asked for this yourself; another researcher must decide.")


def can_decide(user: User, request: UnblindingRequest) -> bool:
    return (
        can_research(user, request.study)
        and request.decision == UnblindingRequest.Decision.OPEN
        and request.requested_by_id != user.pk
    )


def check_may_release(user: User, study: Study) -> None:
    """A researcher prepares and publishes what two of them have unblinded."""
    check_researcher(user, study)
    check_unblinded(study)


def check_may_publish(user: User, release: Release) -> None:
    """A release that is prepared and, unless it is published already, still what would be prepared now."""
    check_may_release(user, release.study)
    if release.prepared_at is None:
        raise Refused("This release is not prepared yet, so there is nothing to publish.")
    if release.number is None and (reason := why_stale(release)):
        raise Refused(f"{reason} Prepare the release again. Nothing was published.")


def can_publish(user: User, release: Release) -> bool:
    return (
        can_research(user, release.study)
        and is_unblinded(release.study)
        and release.prepared_at is not None
        and release.number is None
        and not why_stale(release)
    )
