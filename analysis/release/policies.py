"""Who may prepare and publish a release, and when."""

from analysis.release.models import Release
from analysis.release.selectors.releases import why_stale
from annotation.platform.core.errors import Refused
from annotation.platform.models.users import User
from annotation.study.models.studies import Study
from annotation.study.policies.roles import can_research, check_researcher
from annotation.study.policies.unblinding import check_unblinded, is_unblinded


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
