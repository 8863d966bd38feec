"""The parameters of the protocol, by phase. Defaults are the paper's full study; presets change some.

Abstract parts of `Study`: each phase keeps its parameters, their ranges and its constraints together.
"""

from decimal import Decimal

from django.contrib.postgres.fields import ArrayField
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.db.models.expressions import Combinable

from annotation.study.core.rubric_parts import PARTS, all_parts


def count(
    default: int, low: int, high: int, help_text: str
) -> "models.PositiveSmallIntegerField[float | str | Combinable, int]":
    """A whole number between `low` and `high`."""
    return models.PositiveSmallIntegerField(
        default=default, validators=[MinValueValidator(low), MaxValueValidator(high)], help_text=help_text
    )


def fee(help_text: str) -> "models.DecimalField[str | float | Decimal | Combinable, Decimal]":
    """An amount of the study's currency, to the cent."""
    return models.DecimalField(
        max_digits=8, decimal_places=2, default=Decimal(0), validators=[MinValueValidator(0)], help_text=help_text
    )


class ProfileQuestion(models.TextChoices):
    DEGREE = "highest_degree", "Highest degree"
    R1 = "r1_institution", "Doctorate from a research-intensive (R1-equivalent) institution"
    DISCIPLINE = "discipline", "Discipline group"
    YEARS = "years_experience", "Years of research experience"
    COUNTRY = "country", "Country"
    IDEOLOGY = "ideology", "Political orientation"


class Degree(models.TextChoices):
    NONE = "none", "No postgraduate degree"
    MASTER = "master", "Master's degree"
    DOCTORATE = "doctorate", "Doctorate"


def standard_profile_questions() -> list[str]:
    return ["highest_degree", "r1_institution", "discipline", "years_experience", "country"]


class ParticipantRules(models.Model):
    """Who may take part and what they are asked and told."""

    profile_questions = ArrayField(
        models.CharField(max_length=30, choices=ProfileQuestion.choices),
        default=standard_profile_questions,
        blank=True,
        help_text="What the intake form asks. Gender and age are never among it.",
    )
    minimum_degree = models.CharField(
        max_length=12, choices=Degree.choices, default=Degree.MASTER, help_text="Lowest degree admitted."
    )
    minimum_years_experience = count(3, 0, 60, "Years of research experience needed.")
    ideology_instrument = models.TextField(
        blank=True, help_text="TOML with items, labels and polarity; frozen with the design."
    )
    currency = models.CharField(
        max_length=3, default="EUR", help_text="Of every fee, as three letters: EUR, GBP, USD."
    )
    consent_version = models.CharField(max_length=40, default="1", help_text="Recorded with every agreement.")
    consent_text = models.TextField(blank=True, help_text="What participants agree to, in plain words.")

    class Meta:
        abstract = True


class PromptRules(models.Model):
    """How candidate prompts are filtered, compared and sampled."""

    class Voting(models.TextChoices):
        ALL = "all", "All generator models vote"
        OTHERS = "others", "Only the models that did not write the prompt vote"

    class Equivalence(models.TextChoices):
        BOTH = "both", "Both evaluators must call a pair equivalent"
        EITHER = "either", "One evaluator is enough"

    class PairEvaluators(models.TextChoices):
        THIRD = "third", "The model that wrote neither prompt"
        ALL = "all", "All models"

    class PairOrder(models.TextChoices):
        DRAWN = "drawn", "Drawn for each pair and model, so that about half have each"
        BOTH = "both", "Both: a model compares each pair twice"
        WRITTEN = "written", "Always the one that was written first"

    prompts_per_scenario = count(5, 1, 20, "Prompts one generator writes for one scenario, in one call.")
    quality_voting = models.CharField(
        max_length=6, choices=Voting.choices, default=Voting.ALL, help_text="Who votes on a candidate prompt."
    )
    quality_passes_needed = count(2, 1, 10, "Votes a candidate prompt needs.")
    equivalence = models.CharField(
        max_length=6,
        choices=Equivalence.choices,
        default=Equivalence.BOTH,
        help_text="When a pair of prompts counts as functionally equivalent.",
    )
    mixed_pair_evaluators = models.CharField(
        max_length=5,
        choices=PairEvaluators.choices,
        default=PairEvaluators.THIRD,
        help_text="Who compares prompts of two different generators.",
    )
    pair_order = models.CharField(
        max_length=7,
        choices=PairOrder.choices,
        default=PairOrder.DRAWN,
        help_text="Which of two prompts a model is shown first. In both orders a comparison costs twice as much.",
    )
    diversity_after_filter = models.BooleanField(
        default=True, help_text="Functional diversity is computed on the prompts that passed the filter."
    )
    prompts_per_source = count(10, 1, 500, "Prompts sampled from each source.")
    sampling_seed = models.PositiveIntegerField(
        default=42, help_text="Of the prompts' sample; the secret seed of the labels is another one."
    )

    class Meta:
        abstract = True


class WritingRules(models.Model):
    """How answers are written."""

    class Feedback(models.TextChoices):
        END = "end", "Once, at the end"
        EACH = "each_prompt", "After each prompt"

    class Paste(models.TextChoices):
        ALLOW = "allow", "Allow"
        FLAG = "flag", "Allow, and point it out to the coordinator"
        BLOCK = "block", "Block text from outside"

    writing_minutes = models.PositiveSmallIntegerField(
        default=30,
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(600)],
        help_text="Minutes for one answer; empty for untimed writing.",
    )
    transport_grace_seconds = count(10, 0, 120, "How long after the deadline a save still on its way is taken.")
    target_words = count(400, 50, 5000, "Length aimed at; never a cut.")
    target_words_low = count(380, 1, 5000, "Lower end of the calm band around the target.")
    target_words_high = count(420, 1, 5000, "Upper end of the calm band around the target.")
    prompts_per_session = count(5, 1, 50, "Prompts after which a break is required.")
    break_minutes = count(15, 0, 1440, "Shortest break between two sessions.")
    answers_per_prompt = count(
        10, 0, 100, "Independent human answers each prompt collects; 0 for a study in which nobody writes."
    )
    every_writer_answers_every_prompt = models.BooleanField(
        default=False, help_text="Otherwise writers share the prompts, a set number of answers to each."
    )
    feedback = models.CharField(
        max_length=12,
        choices=Feedback.choices,
        default=Feedback.END,
        help_text="When writers are asked for feedback.",
    )
    allow_prompt_rewrites = models.BooleanField(
        default=False, help_text="Writers may propose a rewrite of a prompt."
    )
    paste_policy = models.CharField(
        max_length=6,
        choices=Paste.choices,
        default=Paste.FLAG,
        help_text="What happens to text pasted from outside the room.",
    )
    writing_aids = models.BooleanField(
        default=False, help_text="The browser's spelling check, its suggestions and writing extensions are left on."
    )
    writing_due_on = models.DateField(null=True, blank=True, help_text="Day by which all answers should be in.")
    fee_per_answer = fee("What a writer is paid for an answer.")

    class Meta:
        abstract = True
        constraints = [
            models.CheckConstraint(
                name="%(class)s_word_band_around_target",
                condition=Q(target_words_low__lte=F("target_words")) & Q(target_words_high__gte=F("target_words")),
                violation_error_message="The word band must contain the target.",
            )
        ]


class ModelAnswerRules(models.Model):
    """Answers by models."""

    class Effort(models.TextChoices):
        LOW = "low", "Low"
        MEDIUM = "medium", "Medium"
        HIGH = "high", "High"

    class OverLimit(models.TextChoices):
        KEEP = "keep", "Keep the text and report it"
        RETRY = "retry", "Ask again, keep every attempt"

    matched_effort = models.CharField(
        max_length=6,
        choices=Effort.choices,
        default=Effort.MEDIUM,
        help_text="For the answers that judges see.",
    )
    maximum_effort = models.CharField(
        max_length=6,
        choices=Effort.choices,
        default=Effort.HIGH,
        help_text="For automated evaluation only; never shown to a judge.",
    )
    model_word_limit = count(440, 50, 5000, "Words a model is told to stay under.")
    over_limit = models.CharField(
        max_length=5,
        choices=OverLimit.choices,
        default=OverLimit.KEEP,
        help_text="What to do with a model's text over the word limit.",
    )
    over_limit_attempts = count(3, 1, 10, "Attempts in all where a text over the limit is asked for again.")
    output_token_cap = models.PositiveIntegerField(
        default=16_000,
        validators=[MinValueValidator(4_000), MaxValueValidator(128_000)],
        help_text="Tokens a model may spend, reasoning included, so that nothing is cut.",
    )
    model_targets_expected = count(3, 1, 20, "Different models whose answers judges see.")

    class Meta:
        abstract = True


class JudgingRules(models.Model):
    """How answers are judged."""

    class HumanSets(models.TextChoices):
        ROTATING = "rotating", "A different set for each judge of a prompt"
        FIXED = "fixed", "One set for all judges of a prompt"

    class Mode(models.TextChoices):
        SCORES = "scores", "Scores on every dimension"
        RANKING = "ranking", "A direct ranking"

    class Rationale(models.TextChoices):
        OFF = "off", "Not asked"
        OPTIONAL = "optional", "Optional"
        REQUIRED = "required", "Required"

    class OpensWith(models.TextChoices):
        READING = "reading", "One answer, to be read"
        OVERVIEW = "overview", "All answers and the rubric at once"

    human_answers_per_item = count(3, 0, 8, "Human answers among those a judge sees.")
    model_answers_per_item = count(3, 0, 8, "Model answers among those a judge sees.")
    human_sets = models.CharField(
        max_length=8,
        choices=HumanSets.choices,
        default=HumanSets.ROTATING,
        help_text="Whether the judges of a prompt see the same human answers.",
    )
    ratings_per_prompt = count(
        10, 0, 200, "Judges who rate each prompt; 0 for a study in which models alone score the answers."
    )
    judging_mode = models.CharField(
        max_length=7, choices=Mode.choices, default=Mode.SCORES, help_text="What judges give."
    )
    item_opens_with = models.CharField(
        max_length=8,
        choices=OpensWith.choices,
        default=OpensWith.READING,
        help_text="What a judge first sees of an item; each view is a key away from the other.",
    )
    rationale = models.CharField(
        max_length=8,
        choices=Rationale.choices,
        default=Rationale.OFF,
        help_text="Whether judges justify an item in words.",
    )
    quality_floor_prompts = count(1, 0, 50, "Prompts on which one model answer is deliberately weak.")
    source_attribution_prompts = count(1, 0, 50, "Prompts on which every answer is a model's.")
    answers_per_target_in_attribution = count(2, 1, 4, "Answers of one model in a source-attribution item.")
    guess_items = count(3, 0, 50, "Items on which a judge finally guesses who wrote what.")
    reopen_minutes = count(10, 0, 120, "How long a judge may take back the last submitted item.")
    lease_hours = count(72, 1, 720, "How long a begun item may rest before it counts as stalled.")
    minutes_per_item = count(20, 1, 240, "Minutes a judge is told to plan for one item.")
    judging_due_on = models.DateField(null=True, blank=True, help_text="Day by which all items should be judged.")
    fee_per_item = fee("What a judge is paid for an item.")
    asks_about_equal_scores = models.BooleanField(
        default=False,
        help_text="Ask before submitting whether all answers really are equal. Off: such a question anchors.",
    )

    class Meta:
        abstract = True
        constraints = [
            models.CheckConstraint(
                name="%(class)s_one_to_eight_answers_per_item",
                condition=Q(human_answers_per_item__gte=1 - F("model_answers_per_item"))
                & Q(human_answers_per_item__lte=8 - F("model_answers_per_item")),
                violation_error_message="An item shows between one and eight answers.",
            ),
            models.CheckConstraint(
                name="%(class)s_enough_answers_for_a_set",
                condition=Q(answers_per_prompt__gte=F("human_answers_per_item")),
                violation_error_message="Each prompt must collect at least as many human answers as an item shows.",
            ),
        ]


class PanelRules(models.Model):
    """The automated panel of disciplinary perspectives."""

    class PanelMode(models.TextChoices):
        HOLISTIC = "holistic", "One score, the rubric as framework"
        PER_DIMENSION = "per_dimension", "One score for each dimension"
        NO_RUBRIC = "no_rubric", "One score, without the rubric"
        INFERRED = "inferred", "Read out of judges' justifications"

    panel_mode = models.CharField(
        max_length=13,
        choices=PanelMode.choices,
        default=PanelMode.HOLISTIC,
        help_text="What the panel gives when it is validated against people.",
    )
    panel_judge_models = count(3, 1, 10, "Models that judge from every perspective.")
    panel_rubric_parts = ArrayField(
        models.CharField(max_length=20, choices=list(PARTS.items())),
        default=all_parts,
        blank=True,
        help_text="What judge models are told of the rubric. People see all of it.",
    )
    panel_gives_reasons = models.BooleanField(
        default=False,
        help_text="Judge models write a sentence beside each score. It is kept and shown, and costs output.",
    )
    panel_retries = count(2, 0, 5, "Times an unreadable reply is asked for again before it counts as failed.")
    panel_sees_abstentions = models.BooleanField(
        default=False, help_text="Abstentions enter the composite; otherwise they are left out and counted."
    )

    class Meta:
        abstract = True
