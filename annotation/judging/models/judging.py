"""Judging: items, blinded answers, scores and the ranking. Nothing here tells a source."""

import uuid

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q

from annotation.platform.core.lifecycle import JUDGING
from annotation.platform.models.fields import one_of, state_constraint, state_field
from annotation.study.models.participation import Role


class JudgingItem(models.Model):
    """One prompt with its answers for one judge."""

    study = models.ForeignKey("annotation.Study", on_delete=models.PROTECT, related_name="+")
    participation = models.ForeignKey(
        "annotation.Participation", on_delete=models.PROTECT, related_name="judging_items"
    )
    role = models.CharField(max_length=12, default=Role.JUDGE, editable=False)
    prompt = models.ForeignKey("annotation.Prompt", on_delete=models.PROTECT, related_name="+")
    prompt_version = models.ForeignKey("annotation.PromptVersion", on_delete=models.PROTECT, related_name="+")
    position = models.PositiveSmallIntegerField()
    state = state_field(JUDGING)
    opened_at = models.DateTimeField(null=True, blank=True)
    touched_at = models.DateTimeField(
        null=True, blank=True, help_text="Once opened: when its judge last did something with it."
    )
    leased_until = models.DateTimeField(
        null=True, blank=True, help_text="While open: when it counts as stalled, unless something is saved."
    )
    submitted_at = models.DateTimeField(null=True, blank=True)
    justification = models.TextField(blank=True, help_text="A draft until the item is submitted.")
    sha256 = models.CharField(
        max_length=64, blank=True, help_text="Of the judgment as submitted; sealed with the audit trail."
    )
    replaces = models.OneToOneField(
        "self",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="replacement",
        help_text="The item of another judge whose place this one takes, with its set of human answers.",
    )
    view = models.JSONField(
        null=True,
        blank=True,
        help_text="How its judge left the room: the view, the answers in it, places in texts.",
    )
    asks_guess = models.BooleanField(default=False, help_text="Finally the judge guesses who wrote its answers.")
    guessed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("participation", "position")
        constraints = [
            models.UniqueConstraint(
                fields=["participation", "prompt"],
                condition=~Q(state="cancelled"),
                name="judging_one_item_per_prompt",
            ),
            models.UniqueConstraint(fields=["participation", "position"], name="judging_position_unique"),
            one_of("role", [Role.JUDGE], name="judging_is_for_judges"),
            state_constraint(JUDGING, name="judging_state_known"),
            models.CheckConstraint(
                name="judging_submitted_is_complete",
                condition=Q(state="submitted", submitted_at__isnull=False, opened_at__isnull=False)
                | (~Q(state="submitted") & Q(submitted_at__isnull=True)),
            ),
            models.CheckConstraint(
                name="judging_open_is_leased", condition=~Q(state="open") | Q(leased_until__isnull=False)
            ),
            models.CheckConstraint(
                name="judging_touched_since_opened",
                condition=Q(opened_at__isnull=True, touched_at__isnull=True)
                | Q(opened_at__isnull=False, touched_at__isnull=False, touched_at__gte=F("opened_at")),
            ),
            models.CheckConstraint(
                name="judging_hash_is_of_a_submission", condition=Q(sha256="") | Q(state="submitted")
            ),
            models.CheckConstraint(
                name="judging_guess_is_asked_and_last",
                condition=Q(guessed_at__isnull=True) | Q(asks_guess=True, state="submitted"),
            ),
        ]

    def __str__(self) -> str:
        return f"item {self.position} of {self.participation}"


class BlindedSlot(models.Model):
    """A label on a text in one item: the map from what a judge sees to the response."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    item = models.ForeignKey(JudgingItem, on_delete=models.PROTECT, related_name="slots")
    label = models.CharField(max_length=1)
    response = models.ForeignKey("annotation.Response", on_delete=models.PROTECT, related_name="+")
    place = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="Where the judge ranks directly: the place so far, 1 for the best."
    )

    class Meta:
        ordering = ("item", "label")
        constraints = [
            models.UniqueConstraint(fields=["item", "label"], name="slot_label_unique"),
            models.UniqueConstraint(fields=["item", "response"], name="slot_response_unique"),
            one_of("label", list("ABCDEFGH"), name="slot_label_known"),
            models.CheckConstraint(
                name="slot_place_between_1_and_8", condition=Q(place__isnull=True) | Q(place__gte=1, place__lte=8)
            ),
        ]

    def __str__(self) -> str:
        return f"answer {self.label}"


class Score(models.Model):
    """One judge's value for one answer on one dimension; the rubric's scale is checked by the service."""

    slot = models.ForeignKey(BlindedSlot, on_delete=models.PROTECT, related_name="scores")
    dimension = models.CharField(max_length=40)
    value = models.PositiveSmallIntegerField()
    scored_at = models.DateTimeField()

    class Meta:
        ordering = ("slot", "dimension")
        constraints = [
            models.UniqueConstraint(fields=["slot", "dimension"], name="score_one_per_dimension"),
            models.CheckConstraint(name="score_at_most_100", condition=Q(value__lte=100)),
        ]

    def __str__(self) -> str:
        return f"{self.dimension} {self.value}"


class RankedSlot(models.Model):
    """An answer's place in the submitted ranking."""

    slot = models.OneToOneField(BlindedSlot, on_delete=models.PROTECT, primary_key=True, related_name="ranking")
    composite = models.FloatField(null=True, blank=True, help_text="Empty where the judge ranked directly.")
    rank = models.PositiveSmallIntegerField(help_text="Competition rank, 1 is best.")
    mid_rank = models.FloatField(help_text="Mean of the places tied answers share.")

    class Meta:
        constraints = [
            models.CheckConstraint(name="rank_between_1_and_8", condition=Q(rank__gte=1, rank__lte=8)),
            models.CheckConstraint(name="mid_rank_between_1_and_8", condition=Q(mid_rank__gte=1, mid_rank__lte=8)),
        ]

    def __str__(self) -> str:
        return f"rank {self.rank}"


class GuessOption(models.Model):
    """What judges of a study finally guess among, where that is not whether a person or a model wrote: such as the
    frameworks that its answers were asked for under. `name` is shown, `key` is published.
    """

    study = models.ForeignKey("annotation.Study", on_delete=models.PROTECT, related_name="+")
    position = models.PositiveSmallIntegerField()
    key = models.CharField(max_length=40)
    name = models.CharField(max_length=200)

    class Meta:
        ordering = ("study", "position", "pk")
        constraints = [models.UniqueConstraint(fields=["study", "key"], name="guess_option_unique")]

    def __str__(self) -> str:
        return self.name


class Guess(models.Model):
    """Who the judge thinks, after the last item, wrote an answer, or the key of an option of the study’s own."""

    class Source(models.TextChoices):
        HUMAN = "human", "A person"
        MODEL = "model", "A model"
        UNKNOWN = "unknown", "Don't know"

    slot = models.OneToOneField(BlindedSlot, on_delete=models.PROTECT, primary_key=True, related_name="guess")
    source = models.CharField(max_length=40)
    confidence = models.PositiveSmallIntegerField(
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(5)],
        help_text="1 to 5; nobody is sure of not knowing.",
    )
    guessed_at = models.DateTimeField()

    class Meta:
        constraints = [
            # Which options a study has, services check.
            models.CheckConstraint(name="guess_source_known", condition=Q(source__regex=r"^[a-z][a-z0-9_]*$")),
            models.CheckConstraint(
                name="guess_confidence_1_to_5",
                condition=Q(source="unknown", confidence__isnull=True)
                | ~Q(source="unknown") & Q(confidence__isnull=False, confidence__gte=1, confidence__lte=5),
            ),
        ]

    def __str__(self) -> str:
        return self.source
