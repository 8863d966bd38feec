"""Who takes part in a study, as what, and how they came in."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from annotation.platform.models.fields import one_of, together, topics
from annotation.study.models.protocol import Degree, ProfileQuestion


class Role(models.TextChoices):
    WRITER = "writer", "Writer"
    JUDGE = "judge", "Judge"
    COORDINATOR = "coordinator", "Coordinator"
    RESEARCHER = "researcher", "Researcher"
    ANNOTATOR = "annotator", "Annotator"
    ADJUDICATOR = "adjudicator", "Adjudicator"


AVAILABLE_IN_ORDER = (
    Q(available_from__isnull=True) | Q(available_until__isnull=True) | Q(available_until__gte=F("available_from"))
)


class LimitedWork(models.Model):
    """How much a writer or judge takes, when, and of what; somebody invited brings it along."""

    institution = models.CharField(
        max_length=160, blank=True, help_text="For assignment alone: colleagues should not judge each other."
    )
    capacity = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="Most prompts this person takes; empty for no limit."
    )
    available_from = models.DateField(null=True, blank=True, help_text="First day on which the person has time.")
    available_until = models.DateField(null=True, blank=True, help_text="Last day on which the person has time.")
    prefers = topics("Prompts this person should rather get: by code, domain or discipline.")
    excludes = topics("Prompts this person must not get: by code, domain or discipline.")

    class Meta:
        abstract = True


class Participation(LimitedWork):
    """One person's one role in one study; the pseudonym is the only name that is ever published."""

    study = models.ForeignKey("annotation.Study", on_delete=models.PROTECT, related_name="participations")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="participations")
    role = models.CharField(max_length=12, choices=Role.choices)
    pseudonym = models.CharField(max_length=12)
    extra_minutes = models.PositiveSmallIntegerField(
        default=0, help_text="Extra writing time for each prompt, granted beforehand."
    )
    joined_at = models.DateTimeField(db_default=Now(), editable=False)
    left_at = models.DateTimeField(null=True, blank=True)
    reminders_off_at = models.DateTimeField(null=True, blank=True, help_text="Since when no reminder is wanted.")
    feedback = models.TextField(blank=True, help_text="What the person says when their work is done.")
    feedback_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("study", "role", "pseudonym")
        constraints = [
            models.CheckConstraint(
                name="participation_feedback_has_time",
                condition=Q(feedback="", feedback_at__isnull=True) | ~Q(feedback="") & Q(feedback_at__isnull=False),
            ),
            models.CheckConstraint(name="participation_available_in_order", condition=AVAILABLE_IN_ORDER),
            # One role a person: nobody in a study is both writer and judge, so nobody judges their own text.
            models.UniqueConstraint(fields=["study", "user"], name="participation_one_role_per_person"),
            models.UniqueConstraint(fields=["study", "pseudonym"], name="participation_pseudonym_unique"),
            # What writing and judging rows refer to, so that the database knows the role and study they claim.
            models.UniqueConstraint(fields=["id", "study", "role"], name="participation_identity"),
            one_of("role", Role.values, name="participation_role_known"),
        ]

    def __str__(self) -> str:
        return f"{self.pseudonym} ({self.role})"


class Invitation(LimitedWork):
    """A personal link. Its token is made from `link_nonce` and the site's key; otherwise its hash alone is kept."""

    study = models.ForeignKey("annotation.Study", on_delete=models.PROTECT, related_name="invitations")
    role = models.CharField(max_length=12, choices=Role.choices)
    email = models.EmailField()
    name = models.CharField(max_length=120)
    message = models.TextField(
        blank=True, help_text="What whoever invites says in the mail, beside what it always says."
    )
    link_nonce = models.CharField(max_length=32, blank=True, help_text="Empty in links of earlier versions.")
    token_sha256 = models.CharField(max_length=64, unique=True)
    invited_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    invited_at = models.DateTimeField(db_default=Now(), editable=False)
    expires_at = models.DateTimeField()
    sent_at = models.DateTimeField(null=True, blank=True, help_text="When the present link was mailed.")
    accepted_at = models.DateTimeField(null=True, blank=True)
    accepted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-invited_at", "id")
        constraints = [
            together("accepted_at", "accepted_by", name="invitation_accepted_at_by"),
            one_of("role", Role.values, name="invitation_role_known"),
            models.CheckConstraint(name="invitation_available_in_order", condition=AVAILABLE_IN_ORDER),
            models.UniqueConstraint(
                fields=["study", "email"],
                condition=Q(accepted_at__isnull=True, withdrawn_at__isnull=True),
                name="invitation_one_open_per_address",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.email} as {self.role}"


class Consent(models.Model):
    """What a person agreed to, by version and hash, and whether they still do."""

    participation = models.OneToOneField(Participation, on_delete=models.PROTECT, related_name="consent")
    version = models.CharField(max_length=40)
    text_sha256 = models.CharField(max_length=64)
    given_at = models.DateTimeField(db_default=Now(), editable=False)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.participation} agreed to version {self.version}"


class Profile(models.Model):
    """The intake form's answers. A question the study does not ask stays empty."""

    participation = models.OneToOneField(Participation, on_delete=models.PROTECT, related_name="profile")
    highest_degree = models.CharField(max_length=12, choices=Degree.choices, blank=True)
    r1_institution = models.BooleanField(null=True, blank=True)
    discipline = models.CharField(max_length=80, blank=True)
    years_experience = models.PositiveSmallIntegerField(null=True, blank=True)
    country = models.CharField(max_length=80, blank=True)
    ideology = models.JSONField(default=dict, blank=True, help_text="Answers by item of the frozen instrument.")
    completed_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="profile_years_plausible",
                condition=Q(years_experience__isnull=True) | Q(years_experience__lte=80),
            )
        ]

    def __str__(self) -> str:
        return f"profile of {self.participation}"


class EligibilityChange(models.Model):
    """Another answer to a question that decides whether somebody may take part, in the words of the form."""

    participation = models.ForeignKey(Participation, on_delete=models.PROTECT, related_name="eligibility_changes")
    question = models.CharField(max_length=20, choices=ProfileQuestion.choices)
    before = models.CharField(max_length=40)
    after = models.CharField(max_length=40)
    changed_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ("participation", "changed_at", "id")

    def __str__(self) -> str:
        return f"{self.get_question_display()}: {self.before}, then {self.after}"
