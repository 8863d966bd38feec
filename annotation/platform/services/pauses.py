"""A pause of whatever leaves the site: mails, and calls to models. What is asked for meanwhile waits.

A site that was restored is as it was when the backup was taken. What went out since then it would send again.
"""

from typing import Final

from django.db import transaction

from annotation.platform.core.errors import Refused
from annotation.platform.core.work_kinds import MAIL
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.models.uptime import SitePause
from annotation.platform.models.users import User
from annotation.platform.services import audit

# The queues whose work leaves the site.
LEAVING: Final = frozenset({MAIL, "calls"})


def current() -> SitePause | None:
    """The pause that lasts, or `None`."""
    return SitePause.objects.first()


@transaction.atomic
def pause(*, reason: str, by: User | None) -> None:
    """Let no mail and no call go out from now on. While a pause lasts nothing changes."""
    reason = audit.stated(reason)
    _, is_new = SitePause.objects.get_or_create(id=1, defaults={"reason": reason})
    if is_new:
        audit.record(verb=AuditVerb.SITE_PAUSED, by=by, reason=reason)


@transaction.atomic
def resume(*, reason: str, by: User | None) -> None:
    """Let everything go out again. Raises `Refused` where nothing is paused, or no reason is given."""
    reason = audit.stated(reason)
    if not SitePause.objects.all().delete()[0]:
        raise Refused("Nothing is paused.")
    audit.record(verb=AuditVerb.SITE_RESUMED, by=by, reason=reason)
