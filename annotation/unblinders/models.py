"""Offices of unblinder: their changes, what was published of them, and the way back when too few are left."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from annotation.platform.models.fields import one_of, together
from annotation.unblinders.core.offices import APPOINT, KINDS, LEAVE, RESTORE

PERSON = settings.AUTH_USER_MODEL


class Ending(models.TextChoices):
    """How an office is over that has not stood."""

    DECLINED = "declined", "declined"
    WITHDRAWN = "withdrawn", "withdrawn"
    ACCOUNT_CHANGED = "account_changed", "void, as the account was changed before the office stood"
    NOT_ACCEPTED = "not_accepted", "not accepted before the design was locked"
    REPLACED = "replaced", "over, and proposed anew"


class Unblinder(models.Model):
    """Somebody's office in a study. Its state follows from this row and its changes: see `core.offices`.

    `name` and `affiliation` are as they are published, stated by the person themselves on accepting; `email` and
    `account_sha256` are the account as it was then. `is_found`: held since before there were offices, and part of
    no commitment. Without `proposed_by` it was the system.
    """

    study = models.ForeignKey("annotation.Study", on_delete=models.PROTECT, related_name="unblinders")
    user = models.ForeignKey(PERSON, on_delete=models.PROTECT, related_name="+")
    name = models.CharField(max_length=120)
    affiliation = models.CharField(max_length=160, blank=True)
    email = models.EmailField()
    account_sha256 = models.CharField(max_length=64, blank=True)
    proposed_at = models.DateTimeField(db_default=Now(), editable=False)
    proposed_by = models.ForeignKey(PERSON, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    is_found = models.BooleanField(default=False)
    accepted_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    ending = models.CharField(max_length=16, choices=Ending.choices, blank=True)

    class Meta:
        ordering = ("id",)
        constraints = [
            models.UniqueConstraint(
                fields=["study", "user"], condition=Q(ended_at__isnull=True), name="unblinder_once_per_person"
            ),
            models.CheckConstraint(
                name="unblinder_accepted_with_affiliation_and_account",
                condition=Q(accepted_at__isnull=True) | ~Q(affiliation="") & ~Q(account_sha256=""),
            ),
            models.CheckConstraint(
                name="unblinder_ended_somehow",
                condition=Q(ended_at__isnull=True, ending="") | Q(ended_at__isnull=False) & ~Q(ending=""),
            ),
            one_of("ending", ["", *Ending.values], name="unblinder_ending_known"),
        ]

    def __str__(self) -> str:
        return self.name


class OfficeChange(models.Model):
    """Somebody comes into office after the lock, leaves it, or gets it back: with another's consent.

    `consented_by` is the unblinder who consented, or nobody where `by_recovery` the third person did. Of a
    restoration, which the system proposes, `email` and `account_sha256` are the account as it was found.
    """

    unblinder = models.ForeignKey(Unblinder, on_delete=models.PROTECT, related_name="changes")
    kind = models.CharField(max_length=8)
    reason = models.TextField(blank=True)
    email = models.EmailField(blank=True)
    account_sha256 = models.CharField(max_length=64, blank=True)
    proposed_at = models.DateTimeField(db_default=Now(), editable=False)
    proposed_by = models.ForeignKey(PERSON, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    consented_at = models.DateTimeField(null=True, blank=True)
    consented_by = models.ForeignKey(PERSON, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    by_recovery = models.BooleanField(default=False)
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    withdrawn_by = models.ForeignKey(PERSON, null=True, blank=True, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ("id",)
        constraints = [
            one_of("kind", KINDS, name="office_change_known"),
            models.UniqueConstraint(
                fields=["unblinder", "kind"],
                condition=Q(kind__in=[APPOINT, LEAVE], withdrawn_at__isnull=True),
                name="office_change_one_of_a_kind",
            ),
            models.CheckConstraint(
                name="office_change_needs_a_second_person",
                condition=Q(consented_by__isnull=True)
                | Q(proposed_by__isnull=True)
                | ~Q(consented_by=F("proposed_by")),
            ),
            models.CheckConstraint(
                name="office_change_consented_by_one",
                condition=Q(consented_at__isnull=True, consented_by__isnull=True, by_recovery=False)
                | Q(consented_at__isnull=False, consented_by__isnull=False, by_recovery=False)
                | Q(consented_at__isnull=False, consented_by__isnull=True, by_recovery=True),
            ),
            models.CheckConstraint(
                name="office_change_restores_an_account", condition=~Q(kind=RESTORE) | ~Q(account_sha256="")
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.unblinder_id}"


class RecoveryPerson(models.Model):
    """The third person, outside the team, whom the protocol names for when fewer than two unblinders are left.

    Of the link that is mailed to them only the hash is kept.
    """

    study = models.OneToOneField("annotation.Study", on_delete=models.PROTECT, primary_key=True, related_name="+")
    name = models.CharField(max_length=120)
    affiliation = models.CharField(max_length=160)
    email = models.EmailField()
    named_at = models.DateTimeField()
    named_by = models.ForeignKey(PERSON, on_delete=models.PROTECT, related_name="+")
    token_sha256 = models.CharField(max_length=64, null=True, blank=True, unique=True)
    asked_at = models.DateTimeField(null=True, blank=True)
    asked_by = models.ForeignKey(PERSON, null=True, blank=True, on_delete=models.PROTECT, related_name="+")

    class Meta:
        constraints = [together("token_sha256", "asked_at", name="recovery_asked_by_link")]

    def __str__(self) -> str:
        return self.name


class OfficeCommitment(models.Model):
    """The statement that was published with the commitment to the seed, and its hash. It never changes."""

    study = models.OneToOneField("annotation.Study", on_delete=models.PROTECT, primary_key=True, related_name="+")
    statement = models.TextField()
    sha256 = models.CharField(max_length=64)
    made_at = models.DateTimeField(db_default=Now(), editable=False)

    def __str__(self) -> str:
        return self.sha256


class OfficeNotice(models.Model):
    """A mail about offices to one address; a worker sends it."""

    study = models.ForeignKey("annotation.Study", on_delete=models.PROTECT, related_name="+")
    email = models.EmailField()
    subject = models.CharField(max_length=250)
    body = models.TextField()
    asked_at = models.DateTimeField(db_default=Now(), editable=False)
    sent_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("id",)

    def __str__(self) -> str:
        return f"{self.subject} to {self.email}"
