"""Who may ask for unblinding and decide on it, and when: too early is as forbidden as by one person alone."""

from django.core.exceptions import PermissionDenied

from analysis.ceremony.models import UnblindingRequest
from annotation.platform.core.errors import Refused
from annotation.platform.models.users import User
from annotation.study.models.studies import Study
from annotation.study.policies.roles import can_research, check_researcher


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


def check_may_approve(user: User, request: UnblindingRequest) -> None:
    """As `check_may_decide`; and whoever asked is a researcher of the study still, and may sign in."""
    check_may_decide(user, request)
    asking = request.requested_by
    if not (asking.is_active and can_research(asking, request.study)):
        raise Refused(
            f"{asking.name} asked for this and is no researcher of the study any more. Decline it; then either of "
            "two researchers can ask anew."
        )


def can_decide(user: User, request: UnblindingRequest) -> bool:
    return (
        can_research(user, request.study)
        and request.decision == UnblindingRequest.Decision.OPEN
        and request.requested_by_id != user.pk
    )
