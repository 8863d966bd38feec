"""What a study mails at its changes of phase, and what it has mailed."""

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from annotation.notifications.core.occasions import OCCASIONS, SUBJECT_CHARACTERS
from annotation.platform.models.fields import one_of


class NotificationWording(models.Model):
    """The study's own words for an occasion, or that it mails nothing on it; without a row it is as shipped."""

    study = models.ForeignKey("annotation.Study", on_delete=models.PROTECT, related_name="+")
    occasion = models.CharField(max_length=30)
    is_on = models.BooleanField()
    subject = models.CharField(max_length=SUBJECT_CHARACTERS)
    text = models.TextField()

    class Meta:
        ordering = ("study", "occasion")
        constraints = [
            models.UniqueConstraint(fields=["study", "occasion"], name="notification_wording_one_each"),
            one_of("occasion", list(OCCASIONS), name="notification_wording_occasion_known"),
        ]

    def __str__(self) -> str:
        return f"{self.occasion} of {self.study_id}"


class Notification(models.Model):
    """A mail to one person about a change of phase, as it was filled in then; a worker sends it."""

    study = models.ForeignKey("annotation.Study", on_delete=models.PROTECT, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    occasion = models.CharField(max_length=30)
    subject = models.CharField(max_length=SUBJECT_CHARACTERS)
    body = models.TextField()
    reply_to = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    asked_at = models.DateTimeField(db_default=Now(), editable=False)
    sent_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("id",)
        constraints = [one_of("occasion", list(OCCASIONS), name="notification_occasion_known")]

    def __str__(self) -> str:
        return f"{self.occasion} to {self.user_id}"
