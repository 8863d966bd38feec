"""The server's own record of when it could take saves."""

from datetime import datetime, timedelta

from django.db import transaction

from annotation.platform.models.uptime import UpPeriod

MAX_SILENCE = timedelta(seconds=15)  # three beats: one that is lost makes no outage yet


@transaction.atomic
def beat(*, now: datetime) -> None:
    """The site answers at `now`: the newest period goes on, or, after a longer silence, another one begins.

    Two loops may beat side by side. Periods that overlap for it are no harm.
    """
    newest = UpPeriod.objects.select_for_update().order_by("-seen_at", "-id").first()
    if newest is None or now - newest.seen_at >= MAX_SILENCE:
        UpPeriod.objects.create(began_at=now, seen_at=now)
    elif newest.seen_at < now:
        newest.seen_at = now
        newest.save(update_fields=["seen_at"])
