"""Mails about accounts that wait to be sent."""

from django.db import models
from django.db.models.functions import Now

from annotation.platform.models.fields import one_of


class Secret(models.TextChoices):
    """What the worker makes at the moment it sends a mail."""

    NOTHING = "", "nothing"
    SIGN_IN_CODE = "code", "a code to sign in by"
    NEW_PASSWORD = "password", "a link to a new password"
    CONFIRMATION = "address", "a link that confirms an address"


class AccountMail(models.Model):
    """A mail to one address, until it is sent: then the row is deleted.

    `body` has a placeholder where the secret belongs. `made_from` is what that is made from: the nonce of a code,
    the id of an account or of an address.
    """

    email = models.EmailField()
    subject = models.CharField(max_length=250)
    body = models.TextField()
    secret = models.CharField(max_length=8, choices=Secret.choices, blank=True)
    made_from = models.CharField(max_length=40, blank=True)
    asked_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ("id",)
        constraints = [one_of("secret", Secret.values, name="account_mail_secret_known")]

    def __str__(self) -> str:
        return f"{self.subject} to {self.email}"
