"""When the server could take saves."""

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now


class UpPeriod(models.Model):
    """A time without a gap in which the site answered. What lies between two periods is an outage."""

    began_at = models.DateTimeField()
    seen_at = models.DateTimeField(help_text="The last time the site was seen to answer.")

    class Meta:
        ordering = ("began_at", "id")
        constraints = [models.CheckConstraint(name="up_period_forwards", condition=Q(seen_at__gte=F("began_at")))]

    def __str__(self) -> str:
        return f"up from {self.began_at:%Y-%m-%d %H:%M:%S}"


class WriteCheck(models.Model):
    """One row: when the database was last seen to take a write."""

    written_at = models.DateTimeField()

    class Meta:
        constraints = [models.CheckConstraint(name="write_check_one_row", condition=Q(id=1))]

    def __str__(self) -> str:
        return f"written at {self.written_at:%Y-%m-%d %H:%M:%S}"


class SitePause(models.Model):
    """One row while nothing leaves the site: after a restore no mail and no call goes out by itself."""

    began_at = models.DateTimeField(db_default=Now(), editable=False)
    reason = models.TextField()
    # When a restore was last noted in the audit trail; of a pause within a pause this may be of the one before.
    restore_noted_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        constraints = [models.CheckConstraint(name="site_pause_one_row", condition=Q(id=1))]

    def __str__(self) -> str:
        return f"paused since {self.began_at:%Y-%m-%d %H:%M:%S}"

    @property
    def has_noted_restore(self) -> bool:
        """Whether a restore was noted in the audit trail since it began."""
        return self.restore_noted_at is not None and self.restore_noted_at >= self.began_at
