"""Constitutional trials: scenarios, the conditions they are answered under, and the answers."""

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from annotation.platform.models.fields import one_of
from generation.calls.models import Subject
from generation.trials.core.coding import MAX_CATEGORY
from generation.trials.core.conditions import TURNS
from generation.trials.core.scenarios import MAX_TITLE, scenario_text


class TrialDesign(models.Model):
    """What a study's trials are asked and tested by, fixed with its design."""

    study = models.OneToOneField("annotation.Study", on_delete=models.PROTECT, primary_key=True, related_name="+")
    conditions_toml = models.TextField(help_text="The file of conditions.")
    conditions_sha256 = models.CharField(max_length=64)
    turn = models.CharField(max_length=6, default="system", help_text="Where a model is told the framework.")
    models_per_new = models.PositiveSmallIntegerField(
        default=2, validators=[MinValueValidator(1)], help_text="Models that answer a new scenario."
    )
    models_per_known = models.PositiveSmallIntegerField(
        default=1, validators=[MinValueValidator(1)], help_text="Models that answer any other scenario."
    )
    seed = models.PositiveIntegerField(default=42, help_text="Of who answers what, and of the cases' codes.")
    margin = models.FloatField(
        default=5.0,
        validators=[MinValueValidator(0.1), MaxValueValidator(100)],
        help_text="Points within which integrity counts as equal.",
    )
    smallest_effect = models.FloatField(
        default=5.0,
        validators=[MinValueValidator(0.1), MaxValueValidator(100)],
        help_text="Points of transparency that matter.",
    )
    changed_at = models.DateTimeField(db_default=Now(), editable=False)
    changed_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")

    class Meta:
        constraints = [
            one_of("turn", list(TURNS), name="trial_design_turn_known"),
            models.CheckConstraint(
                name="trial_design_margins_positive", condition=Q(margin__gt=0, smallest_effect__gt=0)
            ),
        ]

    def __str__(self) -> str:
        return f"trials of {self.study_id}"


class TrialScenario(models.Model):
    """A decision to be made, with facts that are true for its purpose. Tensions are sent to nobody."""

    study = models.ForeignKey("annotation.Study", on_delete=models.PROTECT, related_name="+")
    key = models.CharField(max_length=40)
    position = models.PositiveSmallIntegerField()
    title = models.CharField(max_length=MAX_TITLE)
    situation = models.TextField()
    facts: "ArrayField[list[str], list[str]]" = ArrayField(models.TextField())
    question = models.TextField()
    tensions: "ArrayField[list[str], list[str]]" = ArrayField(models.TextField(), default=list, blank=True)
    is_new = models.BooleanField(default=False, help_text="Written for this study.")
    categories: "ArrayField[list[str], list[str]]" = ArrayField(
        models.CharField(max_length=MAX_CATEGORY),
        default=list,
        blank=True,
        help_text="What answers can recommend: given before they are coded, or found by coders.",
    )

    class Meta:
        ordering = ("study", "position", "key")
        constraints = [
            models.UniqueConstraint(fields=["study", "key"], name="trial_scenario_key_unique"),
            models.CheckConstraint(name="trial_scenario_has_facts", condition=Q(facts__len__gte=1)),
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def text(self) -> str:
        """The scenario as models and evaluators read it."""
        return scenario_text(self.situation, self.facts, self.question)


class TrialCase(models.Model):
    """A scenario and the model that answers it: one prompt of the study, whose code tells neither."""

    prompt = models.OneToOneField(
        "annotation.Prompt", on_delete=models.CASCADE, primary_key=True, related_name="trial_case"
    )
    scenario = models.ForeignKey(TrialScenario, on_delete=models.PROTECT, related_name="cases")
    target = models.ForeignKey("generation.Target", on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ("prompt",)
        constraints = [models.UniqueConstraint(fields=["scenario", "target"], name="trial_case_unique")]

    def __str__(self) -> str:
        return f"case {self.prompt_id}"


class CaseAnswer(models.Model):
    """An answer that a case is to have under a condition, or as a positive control; its text, once it is there.

    Of ordinary answers the first is a response of the study, which people may judge. Where a coordinator rejects
    it, another `take` is asked for.
    """

    subject = models.OneToOneField(Subject, on_delete=models.PROTECT, primary_key=True, related_name="case_answer")
    case = models.ForeignKey(TrialCase, on_delete=models.PROTECT, related_name="answers")
    condition = models.CharField(max_length=40, help_text="Of the study's conditions, or its controls.")
    is_control = models.BooleanField(help_text="Made to fail: a positive control.")
    replicate = models.PositiveSmallIntegerField(default=1)
    take = models.PositiveSmallIntegerField(default=1)
    call = models.OneToOneField(
        "generation.Call", null=True, blank=True, on_delete=models.PROTECT, related_name="case_answer"
    )
    parts = models.JSONField(default=dict, blank=True, help_text="Reasoning, recommendation, values, trade-offs.")
    text = models.TextField(blank=True, help_text="In the one style in which answers are evaluated.")
    response = models.OneToOneField(
        "annotation.Response", null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    answered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("case", "subject")
        constraints = [
            models.UniqueConstraint(fields=["case", "condition", "replicate", "take"], name="case_answer_unique"),
            models.CheckConstraint(
                name="case_answer_is_a_calls",
                condition=Q(call=None, text="", answered_at=None)
                | (Q(call__isnull=False, answered_at__isnull=False) & ~Q(text="")),
            ),
            models.CheckConstraint(
                name="case_answer_controls_are_no_responses", condition=Q(response=None) | Q(is_control=False)
            ),
        ]

    def __str__(self) -> str:
        return f"answer {self.subject_id}"


class ModelConclusion(models.Model):
    """What a model takes an answer to recommend: one of the categories that its scenario had then, or none of them.
    Of several by one model the newest counts.
    """

    answer = models.ForeignKey(CaseAnswer, on_delete=models.PROTECT, related_name="model_codes")
    call = models.OneToOneField("generation.Call", on_delete=models.PROTECT, related_name="model_conclusion")
    category = models.CharField(max_length=MAX_CATEGORY)

    class Meta:
        ordering = ("answer", "pk")

    def __str__(self) -> str:
        return f"{self.category} for answer {self.answer_id}"


class ConclusionCode(models.Model):
    """What a coder, who knows neither condition nor model, takes an answer to recommend; one of its scenario's
    categories. Where coders differ, somebody settles it: that counts as long as they do.
    """

    answer = models.ForeignKey(CaseAnswer, on_delete=models.PROTECT, related_name="codes")
    coder = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    category = models.CharField(max_length=MAX_CATEGORY)
    is_settled = models.BooleanField(default=False, help_text="Decided between coders who differ.")
    coded_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ("answer", "is_settled", "coded_at", "pk")
        constraints = [
            models.UniqueConstraint(
                fields=["answer", "coder"], condition=Q(is_settled=False), name="conclusion_coded_once"
            ),
            models.UniqueConstraint(
                fields=["answer"], condition=Q(is_settled=True), name="conclusion_settled_once"
            ),
            models.CheckConstraint(name="conclusion_has_a_category", condition=~Q(category="")),
        ]

    def __str__(self) -> str:
        return f"{self.category} for answer {self.answer_id}"
