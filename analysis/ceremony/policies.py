"""Who may ask for unblinding and decide on it, and when: too early is as forbidden as by one person alone.

Whoever calls these to take a step has locked the study, so that nobody comes into office meanwhile.
"""

from django.core.exceptions import PermissionDenied

from analysis.ceremony.models import UnblindingRequest
from annotation.platform.core.errors import Refused
from annotation.platform.models.users import User
from annotation.study.models.studies import Study
from annotation.study.policies.roles import can_research, check_researcher
from annotation.unblinders.policies import check_enough, check_standing, is_standing
from annotation.unblinders.selectors.offices import Office


def check_may_ask(user: User, study: Study) -> Office:
    """A standing unblinder asks for unblinding, once collection has ended, and once; returns their office."""
    check_researcher(user, study)
    if study.state in ("design", "writing", "assembling", "judging"):
        raise PermissionDenied("Unblinding can be asked for once the study is closed.")
    if UnblindingRequest.objects.filter(study=study).exclude(decision="declined").exists():
        raise Refused("Unblinding has been asked for already.")
    own = check_standing(user, study)
    check_enough(study)
    return own


def check_may_decide(user: User, request: UnblindingRequest) -> None:
    """A second researcher decides: never the one who asked. Declining takes no office."""
    check_researcher(user, request.study)
    if request.decision != UnblindingRequest.Decision.OPEN:
        raise Refused("This request has been decided.")
    if request.requested_by_id == user.pk:
        raise PermissionDenied("You asked for this yourself; another researcher must decide.")


def check_may_approve(user: User, request: UnblindingRequest) -> Office:
    """Like `check_may_decide`, for a standing unblinder, whose office is returned; and whoever asked is one
    still.
    """
    check_may_decide(user, request)
    own = check_standing(user, request.study)
    asking = request.requested_by
    if not (asking.is_active and can_research(asking, request.study)):
        raise Refused(
            f"{asking.name} asked for this and is no researcher of the study any more. Decline it; then either of "
            "two unblinders can ask anew."
        )
    if not is_standing(asking, request.study):
        raise Refused(
            f"{asking.name} asked for this, and their office of unblinder does not stand at present. Wait until it "
            "does, or decline; then either of two unblinders can ask anew."
        )
    return own


def can_ask(user: User, study: Study) -> bool:
    try:
        check_may_ask(user, study)
    except (PermissionDenied, Refused):
        return False
    return True


def can_decide(user: User, request: UnblindingRequest) -> bool:
    return (
        can_research(user, request.study)
        and request.decision == UnblindingRequest.Decision.OPEN
        and request.requested_by_id != user.pk
    )


def can_approve(user: User, request: UnblindingRequest) -> bool:
    return can_decide(user, request) and is_standing(user, request.study)
