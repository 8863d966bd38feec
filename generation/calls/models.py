"""Calls to models: what is asked of whom, each attempt to get it, and what was accepted."""

from django.conf import settings
from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from annotation.platform.models.fields import dollars, state_constraint, state_field, together
from annotation.study.models.protocol import PanelRules
from annotation.texts.models.provenance import Arm
from generation.calls.core.lifecycles import BATCH, CALL, RUN


class GenerationRun(models.Model):
    """Calls planned, approved and worked off together. Without a study: the scoring of a file.

    Those about prompts (concepts, writing, quality, pairs) say nothing of who wrote an answer, so nothing of them
    is blinded.
    `reserved` is the worst case of what is on its way, `spent` what the rest cost, a lost reply at its worst case.
    """

    class Purpose(models.TextChoices):
        ANSWERS = "answers", "Answers of models"
        PANEL = "panel", "Scores of the panel"
        CONCEPTS = "concepts", "Concepts proposed from documents"
        PROMPTS = "prompts", "Prompts written from sources"
        QUALITY = "quality", "Votes on the quality of prompts"
        PAIRS = "pairs", "Comparisons of prompts, two by two"
        READING = "reading", "Readings of texts for what gives their source away"
        FRAMING = "framing", "Prompts rewritten by people’s views"
        FRAMING_CHECK = "framing_check", "Checks of rewritten prompts"
        FRAMED_ANSWER = "framed_answer", "Answers to rewritten prompts"
        FRAMED_SCORE = "framed_score", "Scores of answers to rewritten prompts"
        TRIAL_ANSWER = "trial_answer", "Answers to cases of trials"
        TRIAL_SCORE = "trial_score", "Evaluations of answers to cases of trials"
        TRIAL_CODE = "trial_code", "Conclusions of answers to cases of trials"
        PREDICTION = "prediction", "Answers to questions of benchmarks"
        REPHRASING = "rephrasing", "Questions of benchmarks rephrased"
        ANSWER_MARK = "answer_mark", "Marks of answers to questions of benchmarks"

    ABOUT_ANSWERS = (
        Purpose.ANSWERS,
        Purpose.PANEL,
        Purpose.READING,
        Purpose.FRAMED_ANSWER,
        Purpose.FRAMED_SCORE,
        Purpose.TRIAL_ANSWER,
        Purpose.TRIAL_SCORE,
        Purpose.TRIAL_CODE,
    )

    class Track(models.TextChoices):
        MATCHED = "matched", "Matched effort, shown to judges"
        MAXIMUM = "maximum", "Maximum capability, automated evaluation only"

    class Presentation(models.TextChoices):
        ALONE = "alone", "One answer at a time"
        AS_JUDGED = "as_judged", "All answers of an item, labelled and ordered as its judge saw them"

    study = models.ForeignKey("annotation.Study", null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    number = models.PositiveIntegerField(null=True, editable=False, help_text="Counts a study's runs, from 1.")
    purpose = models.CharField(max_length=20, choices=Purpose.choices, default=Purpose.ANSWERS)
    track = models.CharField(max_length=7, choices=Track.choices, blank=True, help_text="Of answers.")
    mode = models.CharField(
        max_length=13, choices=PanelRules.PanelMode.choices, blank=True, help_text="Of a panel."
    )
    presentation = models.CharField(
        max_length=9, choices=Presentation.choices, blank=True, help_text="What the panel sees at once."
    )
    state = state_field(RUN)
    uses_batches = models.BooleanField(default=False, help_text="Sent as providers' batches, at half price.")
    materials = models.JSONField(
        default=dict, help_text="Frozen when planned: templates, perspectives, rubric and prices, by name."
    )
    template_version = models.CharField(max_length=200, help_text="Names and hashes of the templates used.")
    price_version = models.CharField(max_length=80, blank=True)
    spend_cap = dollars(
        null=True, blank=True, validators=[MinValueValidator(0)], help_text="Approved with the run; never exceeded."
    )
    reserved = dollars(default=0)
    spent = dollars(default=0)
    assumed = dollars(default=0, help_text="Of what is spent: worst cases, where nothing tells what was billed.")
    planned_at = models.DateTimeField(db_default=Now(), editable=False)
    planned_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    approved_at = models.DateTimeField(null=True, blank=True)
    approved_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    stopped_because = models.TextField(blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-planned_at", "-id")
        constraints = [
            models.UniqueConstraint(fields=["study", "number"], name="run_number_unique"),
            together("study", "number", name="run_of_a_study_has_a_number"),
            state_constraint(RUN, name="run_state_known"),
            models.CheckConstraint(
                name="run_is_of_one_purpose",
                condition=Q(purpose="answers", track__in=["matched", "maximum"], mode="", presentation="")
                | Q(
                    purpose="panel",
                    track="",
                    mode__in=PanelRules.PanelMode.values,
                    presentation__in=["alone", "as_judged"],
                )
                | Q(
                    purpose__in=["framed_score", "trial_score"],
                    track="",
                    mode="per_dimension",
                    presentation="alone",
                )
                | (
                    ~Q(purpose__in=["answers", "panel", "framed_score", "trial_score"])
                    & Q(track="", mode="", presentation="")
                ),
            ),
            models.CheckConstraint(
                name="run_with_a_study_is_somebodys", condition=Q(study__isnull=True) | Q(planned_by__isnull=False)
            ),
            models.CheckConstraint(
                name="run_approved_at_by",
                condition=Q(approved_at__isnull=True, approved_by__isnull=True)
                | Q(approved_at__isnull=False, approved_by__isnull=False)
                | Q(approved_at__isnull=False, study__isnull=True),
            ),
            models.CheckConstraint(
                name="run_approved_has_a_cap", condition=Q(approved_at__isnull=True) | Q(spend_cap__isnull=False)
            ),
            models.CheckConstraint(name="run_reserved_not_negative", condition=Q(reserved__gte=0)),
        ]

    def __str__(self) -> str:
        return f"run {self.known_as} ({self.purpose})"

    @property
    def known_as(self) -> int:
        """The run's number in its study. A run without a study is known by its key."""
        return self.number or self.pk


class RunShare(models.Model):
    """What one target has to do in a run, how far it is, and what that was estimated to take.

    The counts are kept in the transactions that change them, so that watching a long run costs nothing.
    """

    run = models.ForeignKey(GenerationRun, on_delete=models.CASCADE, related_name="shares")
    target = models.ForeignKey("generation.Target", on_delete=models.PROTECT, related_name="+")
    planned = models.PositiveIntegerField(default=0)
    known = models.PositiveIntegerField(default=0, help_text="Wanted as well, but called for by an earlier run.")
    accepted = models.PositiveIntegerField(default=0)
    failed = models.PositiveIntegerField(default=0)
    not_asked = models.PositiveIntegerField(default=0, help_text="The call they follow brought no reply.")
    input_tokens = models.PositiveBigIntegerField(default=0, help_text="Estimated.")
    output_tokens = models.PositiveBigIntegerField(default=0, help_text="Estimated.")
    cost = dollars(null=True, help_text="Estimated; none where no price is known.")
    worst_cost = dollars(null=True, help_text="If every call took all it may.")
    worst_call = dollars(null=True, help_text="The dearest of these calls, if it took all it may.")
    stopped_because = models.TextField(blank=True, default="", help_text="Why the model is asked nothing more.")
    tried_since = models.DateTimeField(
        db_default=Now(), editable=False, help_text="What the model refused before stops it no more."
    )

    class Meta:
        ordering = ("run", "target")
        constraints = [
            models.UniqueConstraint(fields=["run", "target"], name="run_share_unique"),
            models.CheckConstraint(
                name="run_share_settles_what_is_planned",
                condition=Q(planned__gte=F("accepted") + F("failed") + F("not_asked")),
            ),
        ]

    def __str__(self) -> str:
        return f"share of {self.target} in {self.run}"


class OutcomeCount(models.Model):
    """Attempts of a run by how they ended, with their tokens and cost."""

    run = models.ForeignKey(GenerationRun, on_delete=models.CASCADE, related_name="outcomes")
    target = models.ForeignKey("generation.Target", on_delete=models.PROTECT, related_name="+")
    outcome = models.CharField(max_length=16)
    attempts = models.PositiveIntegerField(default=0)
    input_tokens = models.PositiveBigIntegerField(default=0)
    output_tokens = models.PositiveBigIntegerField(default=0)
    cost = dollars(default=0)
    assumed = dollars(default=0, help_text="Of the cost: worst cases, where nothing tells what was billed.")

    class Meta:
        ordering = ("run", "target", "outcome")
        constraints = [models.UniqueConstraint(fields=["run", "target", "outcome"], name="outcome_count_unique")]

    def __str__(self) -> str:
        return f"{self.attempts} {self.outcome}"


class Subject(models.Model):
    """Something that calls may be about. A kind of work whose calls are about things of its own has a table of them
    with this as their primary key, a `OneToOneField`: so a call refers to a row that is there, whatever its kind.
    """

    kind = models.CharField(max_length=30, help_text="What it is, such as “framing”: the table that has the rest.")

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"


# What a call may be about, a field each; whatever is new is a `Subject`.
SUBJECTS = ("prompt_version", "response", "item", "given", "scenario", "candidate", "subject")


def _about_one_thing() -> Q:
    """Exactly one subject, and nothing beside it unless that is a candidate."""
    about = Q()
    for subject in SUBJECTS:
        one = Q(**{f"{other}__isnull": other != subject for other in SUBJECTS})
        about |= one if subject == "candidate" else one & Q(beside__isnull=True)
    return about


class Call(models.Model):
    """One reply wanted. The key makes it impossible to want, and pay for, the same one twice.

    It is about a prompt (an answer to it), a response, an item with all its answers, a text of a file, a scenario
    (prompts written from it), a candidate (its quality), two candidates (whether they ask for the same), or a
    subject of another kind.
    `leased_until` is set while a worker has it; `due_at` where it may only be tried again later.

    One that goes on a conversation comes `after` the call before it: it is waiting until that has its reply, which
    it carries. What is asked once more, `instead_of` a call that is superseded then, is a call of its own.
    """

    run = models.ForeignKey(GenerationRun, on_delete=models.PROTECT, related_name="calls", db_index=False)
    key = models.CharField(max_length=64, unique=True)
    target = models.ForeignKey("generation.Target", on_delete=models.PROTECT, related_name="+", db_index=False)
    prompt_version = models.ForeignKey(
        "annotation.PromptVersion", null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    response = models.ForeignKey(
        "annotation.Response", null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    item = models.ForeignKey(
        "annotation.JudgingItem", null=True, blank=True, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    given = models.ForeignKey(
        "generation.GivenText", null=True, blank=True, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    scenario = models.ForeignKey(
        "generation.Scenario", null=True, blank=True, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    candidate = models.ForeignKey(
        "generation.Candidate", null=True, blank=True, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    beside = models.ForeignKey(
        "generation.Candidate", null=True, blank=True, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    subject = models.ForeignKey(
        Subject, null=True, blank=True, on_delete=models.PROTECT, related_name="calls", db_index=False
    )
    after = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="followers", db_index=False
    )
    instead_of = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="asked_again"
    )
    arm = models.CharField(max_length=7, choices=Arm.choices, blank=True, help_text="Of an answer.")
    perspective = models.CharField(max_length=60, blank=True, help_text="Of a panel's score.")
    dimension = models.CharField(
        max_length=40, blank=True, default="", help_text="The one asked about, where each has a prompt of its own."
    )
    replicate = models.PositiveSmallIntegerField(default=1)
    state = state_field(CALL)
    due_at = models.DateTimeField(null=True, blank=True)
    leased_until = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("run", "id")
        constraints = [
            state_constraint(CALL, name="call_state_known"),
            models.CheckConstraint(name="call_is_about_one_thing", condition=_about_one_thing()),
            models.CheckConstraint(
                name="call_beside_is_another", condition=Q(beside__isnull=True) | ~Q(candidate=F("beside"))
            ),
            models.CheckConstraint(
                name="call_for_an_answer_has_an_arm",
                condition=Q(prompt_version__isnull=False, arm__in=[Arm.MODEL, Arm.WEAK, Arm.MAXIMUM])
                | Q(prompt_version__isnull=True, arm=""),
            ),
            models.CheckConstraint(
                name="call_waits_for_another",
                condition=~Q(state__in=["waiting", "not_asked"]) | Q(after__isnull=False),
            ),
            models.CheckConstraint(
                name="call_settled_is_nobodys", condition=Q(state="pending") | Q(leased_until__isnull=True)
            ),
        ]
        indexes = [
            models.Index(fields=["run", "state", "id"], name="call_by_run_and_state"),
            models.Index(
                fields=["run", "target", "id"], condition=Q(state="pending"), name="call_pending_by_target"
            ),
            models.Index(fields=["after"], condition=Q(after__isnull=False), name="call_by_the_one_before"),
            models.Index(fields=["subject"], condition=Q(subject__isnull=False), name="call_by_subject"),
        ]

    def __str__(self) -> str:
        return f"call {self.key[:12]}"


class ProviderBatch(models.Model):
    """Calls handed to a provider together, to be answered within a day at half price."""

    run = models.ForeignKey(GenerationRun, on_delete=models.PROTECT, related_name="batches")
    target = models.ForeignKey("generation.Target", on_delete=models.PROTECT, related_name="+")
    state = state_field(BATCH)
    remote_id = models.CharField(max_length=200, blank=True, help_text="The provider's; empty until it answered.")
    made_at = models.DateTimeField(db_default=Now(), editable=False)
    looked_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    detail = models.TextField(blank=True, help_text="What the provider last said of it.")

    class Meta:
        ordering = ("run", "id")
        verbose_name_plural = "provider batches"
        constraints = [
            state_constraint(BATCH, name="batch_state_known"),
            models.CheckConstraint(
                name="batch_sent_has_an_id", condition=Q(state__in=["sending", "lost"]) | ~Q(remote_id="")
            ),
        ]

    def __str__(self) -> str:
        return f"batch {self.pk}"


class Attempt(models.Model):
    """One request, written before it leaves, so that a lost reply is known to have been paid for.

    `request` is the body as it was sent, `reply` the body as it came, neither with a key in it.
    """

    call = models.ForeignKey(Call, on_delete=models.PROTECT, related_name="attempts")
    number = models.PositiveSmallIntegerField()
    batch = models.ForeignKey(
        ProviderBatch, null=True, blank=True, on_delete=models.PROTECT, related_name="attempts"
    )
    sent_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)
    outcome = models.CharField(max_length=16, blank=True)
    detail = models.CharField(max_length=500, blank=True, help_text="Why, in a sentence.")
    request = models.TextField()
    reply = models.TextField(blank=True)
    status = models.PositiveSmallIntegerField(null=True, blank=True, help_text="Of HTTP.")
    request_id = models.CharField(max_length=200, blank=True)
    model = models.CharField(max_length=120, blank=True, help_text="The model that answered, as its provider says.")
    milliseconds = models.PositiveIntegerField(null=True, blank=True)
    input_tokens = models.PositiveIntegerField(default=0)
    cached_tokens = models.PositiveIntegerField(default=0)
    cache_write_tokens = models.PositiveIntegerField(default=0)
    output_tokens = models.PositiveIntegerField(default=0)
    reasoning_tokens = models.PositiveIntegerField(default=0)
    reserved = dollars(default=0, help_text="Worst case, set aside before it left.")
    cost = dollars(null=True, blank=True)
    is_assumed = models.BooleanField(
        default=False, help_text="The cost is the worst case: nothing tells what was billed."
    )

    class Meta:
        ordering = ("call", "number")
        constraints = [
            models.UniqueConstraint(fields=["call", "number"], name="attempt_number_unique"),
            models.CheckConstraint(
                name="attempt_ended_has_outcome",
                condition=Q(ended_at__isnull=True, outcome="", cost__isnull=True)
                | (Q(ended_at__isnull=False, cost__isnull=False) & ~Q(outcome="")),
            ),
        ]
        indexes = [
            models.Index(fields=["ended_at"], name="attempt_by_end"),
            models.Index(fields=["call"], condition=Q(ended_at__isnull=True), name="attempt_on_its_way"),
        ]

    def __str__(self) -> str:
        return f"attempt {self.number} of {self.call}"
