"""The tables of people, studies, writing and judging, and the rules across tables that the database keeps itself."""

import uuid
from decimal import Decimal

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import migrations, models
from django.db.models import PROTECT, CheckConstraint, F, Q, UniqueConstraint
from django.db.models.functions import Lower
from django.utils import timezone

from annotation.study.models.protocol import standard_profile_questions

PERSON = settings.AUTH_USER_MODEL
ID = ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"))


# A number of the protocol that coordinators set, with its limits.
def count(default, lowest, highest, help_text, **options):
    within = [MinValueValidator(lowest), MaxValueValidator(highest)]
    return models.PositiveSmallIntegerField(default=default, help_text=help_text, validators=within, **options)


# A writing or judging row names its participation together with the study and the role it claims, so a judge
# cannot be given writing, nor a person of one study work of another.
ROLE_AND_STUDY = """
ALTER TABLE annotation_writingassignment ADD CONSTRAINT writing_is_by_a_writer_of_the_study
    FOREIGN KEY (participation_id, study_id, role) REFERENCES annotation_participation (id, study_id, role);
ALTER TABLE annotation_judgingitem ADD CONSTRAINT judging_is_by_a_judge_of_the_study
    FOREIGN KEY (participation_id, study_id, role) REFERENCES annotation_participation (id, study_id, role);
"""
ROLE_AND_STUDY_UNDONE = """
ALTER TABLE annotation_writingassignment DROP CONSTRAINT writing_is_by_a_writer_of_the_study;
ALTER TABLE annotation_judgingitem DROP CONSTRAINT judging_is_by_a_judge_of_the_study;
"""

# What a row shows must be of the study, and of the prompt, that the row is about.
SAME_PROMPT = """
ALTER TABLE annotation_prompt ADD CONSTRAINT prompt_identity UNIQUE (id, study_id);
ALTER TABLE annotation_promptversion ADD CONSTRAINT prompt_version_identity UNIQUE (id, prompt_id);
ALTER TABLE annotation_response ADD CONSTRAINT response_identity UNIQUE (id, study_id, prompt_id);
ALTER TABLE annotation_response ADD CONSTRAINT response_prompt_of_the_study
    FOREIGN KEY (prompt_id, study_id) REFERENCES annotation_prompt (id, study_id);
ALTER TABLE annotation_stimulus ADD CONSTRAINT stimulus_is_its_response
    FOREIGN KEY (response_id, study_id, prompt_id) REFERENCES annotation_response (id, study_id, prompt_id);
ALTER TABLE annotation_writingassignment ADD CONSTRAINT writing_prompt_of_the_study
    FOREIGN KEY (prompt_id, study_id) REFERENCES annotation_prompt (id, study_id);
ALTER TABLE annotation_writingassignment ADD CONSTRAINT writing_version_of_the_prompt
    FOREIGN KEY (prompt_version_id, prompt_id) REFERENCES annotation_promptversion (id, prompt_id);
ALTER TABLE annotation_judgingitem ADD CONSTRAINT judging_prompt_of_the_study
    FOREIGN KEY (prompt_id, study_id) REFERENCES annotation_prompt (id, study_id);
ALTER TABLE annotation_judgingitem ADD CONSTRAINT judging_version_of_the_prompt
    FOREIGN KEY (prompt_version_id, prompt_id) REFERENCES annotation_promptversion (id, prompt_id);
"""
SAME_PROMPT_UNDONE = """
ALTER TABLE annotation_judgingitem DROP CONSTRAINT judging_version_of_the_prompt;
ALTER TABLE annotation_judgingitem DROP CONSTRAINT judging_prompt_of_the_study;
ALTER TABLE annotation_writingassignment DROP CONSTRAINT writing_version_of_the_prompt;
ALTER TABLE annotation_writingassignment DROP CONSTRAINT writing_prompt_of_the_study;
ALTER TABLE annotation_stimulus DROP CONSTRAINT stimulus_is_its_response;
ALTER TABLE annotation_response DROP CONSTRAINT response_prompt_of_the_study;
ALTER TABLE annotation_response DROP CONSTRAINT response_identity;
ALTER TABLE annotation_promptversion DROP CONSTRAINT prompt_version_identity;
ALTER TABLE annotation_prompt DROP CONSTRAINT prompt_identity;
"""

# A judge sees answers to the item's own prompt. Slots carry no prompt of their own, so a trigger looks it up.
SAME_PROMPT_IN_SLOT = """
CREATE FUNCTION annotation_check_slot_prompt() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM annotation_judgingitem item JOIN annotation_response response USING (study_id, prompt_id)
        WHERE item.id = NEW.item_id AND response.id = NEW.response_id
    ) THEN
        RAISE EXCEPTION 'the response answers another prompt than the item''s'
            USING ERRCODE = 'foreign_key_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER slot_response_of_the_prompt BEFORE INSERT OR UPDATE ON annotation_blindedslot
    FOR EACH ROW EXECUTE FUNCTION annotation_check_slot_prompt();
"""
SAME_PROMPT_IN_SLOT_UNDONE = """
DROP TRIGGER slot_response_of_the_prompt ON annotation_blindedslot;
DROP FUNCTION annotation_check_slot_prompt();
"""

# What is on record is added to and never rewritten: the trail and its seals, every step of a draft, what was typed
# beside it, and the rubrics that judgments were made by.
APPEND_ONLY = """
CREATE FUNCTION annotation_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON annotation_auditevent
    FOR EACH ROW EXECUTE FUNCTION annotation_refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON annotation_auditseal
    FOR EACH ROW EXECUTE FUNCTION annotation_refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON annotation_draftrevision
    FOR EACH ROW EXECUTE FUNCTION annotation_refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON annotation_rubric
    FOR EACH ROW EXECUTE FUNCTION annotation_refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON annotation_sidetext
    FOR EACH ROW EXECUTE FUNCTION annotation_refuse_change();
"""
APPEND_ONLY_UNDONE = """
DROP TRIGGER append_only ON annotation_sidetext;
DROP TRIGGER append_only ON annotation_rubric;
DROP TRIGGER append_only ON annotation_draftrevision;
DROP TRIGGER append_only ON annotation_auditseal;
DROP TRIGGER append_only ON annotation_auditevent;
DROP FUNCTION annotation_refuse_change();
"""


class Migration(migrations.Migration):
    initial = True
    # A database with all of these has everything below; one with some of them is refused by `scrub_site.database.migration_check`.
    replaces = [
        ("annotation", "0001_initial"),
        ("annotation", "0002_integrity"),
        ("annotation", "0003_writing_room"),
        ("annotation", "0004_drafts_know_when_they_close"),
        ("annotation", "0005_judging_room"),
        ("annotation", "0006_begun_items_are_leased"),
        ("annotation", "0007_leases_and_guesses_are_checked"),
        ("annotation", "0008_coordination"),
        ("annotation", "0009_texts_are_edited"),
    ]
    dependencies = [("auth", "0012_alter_user_first_name_max_length")]

    operations = [
        # -- people --------------------------------------------------------------------------------------------
        migrations.CreateModel(
            name="User",
            fields=[
                ID,
                ("password", models.CharField(max_length=128, verbose_name="password")),
                ("last_login", models.DateTimeField(blank=True, null=True, verbose_name="last login")),
                (
                    "is_superuser",
                    models.BooleanField(
                        default=False,
                        help_text="Designates that this user has all permissions without explicitly assigning them.",
                        verbose_name="superuser status",
                    ),
                ),
                ("email", models.EmailField(max_length=254)),
                ("name", models.CharField(max_length=120)),
                ("time_zone", models.CharField(default="UTC", max_length=64)),
                ("is_active", models.BooleanField(default=True)),
                ("is_staff", models.BooleanField(default=False, verbose_name="administrator")),
                ("is_demo", models.BooleanField(default=False, verbose_name="demonstration person")),
                ("joined_at", models.DateTimeField(default=timezone.now)),
                (
                    "groups",
                    models.ManyToManyField(
                        "auth.group",
                        blank=True,
                        help_text="The groups this user belongs to. A user will get all permissions granted to each of their groups.",
                        related_name="user_set",
                        related_query_name="user",
                        verbose_name="groups",
                    ),
                ),
                (
                    "user_permissions",
                    models.ManyToManyField(
                        "auth.permission",
                        blank=True,
                        help_text="Specific permissions for this user.",
                        related_name="user_set",
                        related_query_name="user",
                        verbose_name="user permissions",
                    ),
                ),
            ],
            options={
                "ordering": ("email",),
                "constraints": [
                    UniqueConstraint(fields=("email",), name="user_email_unique"),
                    UniqueConstraint(Lower("email"), name="user_email_unique_ignoring_case"),
                ],
            },
        ),
        # -- studies -------------------------------------------------------------------------------------------
        migrations.CreateModel(
            name="Rubric",
            fields=[
                ("sha256", models.CharField(max_length=64, primary_key=True, serialize=False)),
                ("slug", models.CharField(max_length=80)),
                ("version", models.CharField(max_length=20)),
                ("toml", models.TextField()),
            ],
            options={"ordering": ("slug", "version", "sha256")},
        ),
        migrations.CreateModel(
            name="Study",
            fields=[
                ID,
                (
                    "profile_questions",
                    ArrayField(
                        base_field=models.CharField(
                            choices=[
                                ("highest_degree", "Highest degree"),
                                (
                                    "r1_institution",
                                    "Doctorate from a research-intensive (R1-equivalent) institution",
                                ),
                                ("discipline", "Discipline group"),
                                ("years_experience", "Years of research experience"),
                                ("country", "Country"),
                                ("ideology", "Political orientation"),
                            ],
                            max_length=30,
                        ),
                        blank=True,
                        default=standard_profile_questions,
                        help_text="What the intake form asks. Gender and age are never among it.",
                        size=None,
                    ),
                ),
                (
                    "minimum_degree",
                    models.CharField(
                        choices=[
                            ("none", "No postgraduate degree"),
                            ("master", "Master's degree"),
                            ("doctorate", "Doctorate"),
                        ],
                        default="master",
                        help_text="Lowest degree admitted.",
                        max_length=12,
                    ),
                ),
                ("minimum_years_experience", count(3, 0, 60, "Years of research experience needed.")),
                (
                    "ideology_instrument",
                    models.TextField(
                        blank=True, help_text="TOML with items, labels and polarity; frozen with the design."
                    ),
                ),
                (
                    "currency",
                    models.CharField(
                        default="EUR", help_text="Of every fee, as three letters: EUR, GBP, USD.", max_length=3
                    ),
                ),
                (
                    "consent_version",
                    models.CharField(default="1", help_text="Recorded with every agreement.", max_length=40),
                ),
                (
                    "consent_text",
                    models.TextField(blank=True, help_text="What participants agree to, in plain words."),
                ),
                (
                    "prompts_per_scenario",
                    count(5, 1, 20, "Prompts one generator writes for one scenario, in one call."),
                ),
                (
                    "quality_voting",
                    models.CharField(
                        choices=[
                            ("all", "All generator models vote"),
                            ("others", "Only the models that did not write the prompt vote"),
                        ],
                        default="all",
                        help_text="Who votes on a candidate prompt.",
                        max_length=6,
                    ),
                ),
                ("quality_passes_needed", count(2, 1, 10, "Votes a candidate prompt needs.")),
                (
                    "equivalence",
                    models.CharField(
                        choices=[
                            ("both", "Both evaluators must call a pair equivalent"),
                            ("either", "One evaluator is enough"),
                        ],
                        default="both",
                        help_text="When a pair of prompts counts as functionally equivalent.",
                        max_length=6,
                    ),
                ),
                (
                    "mixed_pair_evaluators",
                    models.CharField(
                        choices=[("third", "The model that wrote neither prompt"), ("all", "All models")],
                        default="third",
                        help_text="Who compares prompts of two different generators.",
                        max_length=5,
                    ),
                ),
                (
                    "diversity_after_filter",
                    models.BooleanField(
                        default=True,
                        help_text="Functional diversity is computed on the prompts that passed the filter.",
                    ),
                ),
                ("prompts_per_source", count(10, 1, 500, "Prompts sampled from each source.")),
                (
                    "sampling_seed",
                    models.PositiveIntegerField(
                        default=42,
                        help_text="Of the prompts' sample; the secret seed of the labels is another one.",
                    ),
                ),
                (
                    "writing_minutes",
                    count(30, 1, 600, "Minutes for one answer; empty for untimed writing.", blank=True, null=True),
                ),
                (
                    "transport_grace_seconds",
                    count(10, 0, 120, "How long after the deadline a save still on its way is taken."),
                ),
                ("target_words", count(400, 50, 5000, "Length aimed at; never a cut.")),
                ("target_words_low", count(380, 1, 5000, "Lower end of the calm band around the target.")),
                ("target_words_high", count(420, 1, 5000, "Upper end of the calm band around the target.")),
                ("prompts_per_session", count(5, 1, 50, "Prompts after which a break is required.")),
                ("break_minutes", count(15, 0, 1440, "Shortest break between two sessions.")),
                ("answers_per_prompt", count(10, 1, 100, "Independent human answers each prompt collects.")),
                (
                    "every_writer_answers_every_prompt",
                    models.BooleanField(
                        default=False,
                        help_text="Otherwise writers share the prompts, a set number of answers to each.",
                    ),
                ),
                (
                    "feedback",
                    models.CharField(
                        choices=[("end", "Once, at the end"), ("each_prompt", "After each prompt")],
                        default="end",
                        help_text="When writers are asked for feedback.",
                        max_length=12,
                    ),
                ),
                (
                    "allow_prompt_rewrites",
                    models.BooleanField(default=False, help_text="Writers may propose a rewrite of a prompt."),
                ),
                (
                    "paste_policy",
                    models.CharField(
                        choices=[
                            ("allow", "Allow"),
                            ("flag", "Allow, and point it out to the coordinator"),
                            ("block", "Block text from outside"),
                        ],
                        default="flag",
                        help_text="What happens to text pasted from outside the room.",
                        max_length=6,
                    ),
                ),
                (
                    "writing_aids",
                    models.BooleanField(
                        default=False,
                        help_text="The browser's spelling check, its suggestions and writing extensions are left on.",
                    ),
                ),
                (
                    "writing_due_on",
                    models.DateField(blank=True, help_text="Day by which all answers should be in.", null=True),
                ),
                (
                    "fee_per_answer",
                    models.DecimalField(
                        decimal_places=2,
                        default=Decimal("0"),
                        help_text="What a writer is paid for an answer.",
                        max_digits=8,
                        validators=[MinValueValidator(0)],
                    ),
                ),
                (
                    "matched_effort",
                    models.CharField(
                        choices=[("low", "Low"), ("medium", "Medium"), ("high", "High")],
                        default="medium",
                        help_text="For the answers that judges see.",
                        max_length=6,
                    ),
                ),
                (
                    "maximum_effort",
                    models.CharField(
                        choices=[("low", "Low"), ("medium", "Medium"), ("high", "High")],
                        default="high",
                        help_text="For automated evaluation only; never shown to a judge.",
                        max_length=6,
                    ),
                ),
                ("model_word_limit", count(440, 50, 5000, "Words a model is told to stay under.")),
                (
                    "over_limit",
                    models.CharField(
                        choices=[
                            ("keep", "Keep the text and report it"),
                            ("retry", "Ask again, keep every attempt"),
                        ],
                        default="keep",
                        help_text="What to do with a model's text over the word limit.",
                        max_length=5,
                    ),
                ),
                (
                    "over_limit_attempts",
                    count(3, 1, 10, "Attempts in all where a text over the limit is asked for again."),
                ),
                (
                    "output_token_cap",
                    models.PositiveIntegerField(
                        default=16000,
                        help_text="Tokens a model may spend, reasoning included, so that nothing is cut.",
                        validators=[MinValueValidator(4000), MaxValueValidator(128000)],
                    ),
                ),
                ("model_targets_expected", count(3, 1, 20, "Different models whose answers judges see.")),
                ("human_answers_per_item", count(3, 0, 8, "Human answers among those a judge sees.")),
                ("model_answers_per_item", count(3, 0, 8, "Model answers among those a judge sees.")),
                (
                    "human_sets",
                    models.CharField(
                        choices=[
                            ("rotating", "A different set for each judge of a prompt"),
                            ("fixed", "One set for all judges of a prompt"),
                        ],
                        default="rotating",
                        help_text="Whether the judges of a prompt see the same human answers.",
                        max_length=8,
                    ),
                ),
                ("ratings_per_prompt", count(10, 1, 200, "Judges who rate each prompt.")),
                (
                    "judging_mode",
                    models.CharField(
                        choices=[("scores", "Scores on every dimension"), ("ranking", "A direct ranking")],
                        default="scores",
                        help_text="What judges give.",
                        max_length=7,
                    ),
                ),
                (
                    "rationale",
                    models.CharField(
                        choices=[("off", "Not asked"), ("optional", "Optional"), ("required", "Required")],
                        default="off",
                        help_text="Whether judges justify an item in words.",
                        max_length=8,
                    ),
                ),
                (
                    "quality_floor_prompts",
                    count(1, 0, 50, "Prompts on which one model answer is deliberately weak."),
                ),
                ("source_attribution_prompts", count(1, 0, 50, "Prompts on which every answer is a model's.")),
                (
                    "answers_per_target_in_attribution",
                    count(2, 1, 4, "Answers of one model in a source-attribution item."),
                ),
                ("guess_items", count(3, 0, 50, "Items on which a judge finally guesses who wrote what.")),
                ("reopen_minutes", count(10, 0, 120, "How long a judge may take back the last submitted item.")),
                (
                    "lease_hours",
                    count(72, 1, 720, "How long a begun item may rest before it counts as left lying."),
                ),
                ("minutes_per_item", count(20, 1, 240, "Minutes a judge is told to plan for one item.")),
                (
                    "judging_due_on",
                    models.DateField(blank=True, help_text="Day by which all items should be judged.", null=True),
                ),
                (
                    "fee_per_item",
                    models.DecimalField(
                        decimal_places=2,
                        default=Decimal("0"),
                        help_text="What a judge is paid for an item.",
                        max_digits=8,
                        validators=[MinValueValidator(0)],
                    ),
                ),
                (
                    "asks_about_equal_scores",
                    models.BooleanField(
                        default=False,
                        help_text="Ask before submitting whether all answers really are equal. Off: such a question anchors.",
                    ),
                ),
                (
                    "panel_mode",
                    models.CharField(
                        choices=[
                            ("holistic", "One score, the rubric as framework"),
                            ("per_dimension", "One score for each dimension"),
                            ("no_rubric", "One score, without the rubric"),
                            ("inferred", "Read out of judges' justifications"),
                        ],
                        default="holistic",
                        help_text="What the panel gives when it is validated against people.",
                        max_length=13,
                    ),
                ),
                ("panel_judge_models", count(3, 1, 10, "Models that judge from every perspective.")),
                (
                    "panel_retries",
                    count(2, 0, 5, "Times an unreadable reply is asked for again before it counts as failed."),
                ),
                (
                    "panel_sees_abstentions",
                    models.BooleanField(
                        default=False,
                        help_text="Abstentions enter the composite; otherwise they are left out and counted.",
                    ),
                ),
                ("slug", models.SlugField(unique=True)),
                ("title", models.CharField(max_length=160)),
                ("description", models.TextField(blank=True)),
                (
                    "preset",
                    models.CharField(
                        choices=[("full", "Full study"), ("pilot", "Pilot")], default="full", max_length=5
                    ),
                ),
                ("is_demo", models.BooleanField(default=False)),
                (
                    "is_synthetic",
                    models.BooleanField(
                        default=False,
                        help_text="Texts and judgments were made up; said on every page and in every export.",
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("design", "design"),
                            ("writing", "writing"),
                            ("assembling", "assembling"),
                            ("judging", "judging"),
                            ("closed", "closed"),
                            ("unblinded", "unblinded"),
                            ("released", "released"),
                        ],
                        default="design",
                        max_length=12,
                    ),
                ),
                ("state_changed_at", models.DateTimeField(auto_now_add=True)),
                ("rubric", models.ForeignKey("annotation.rubric", PROTECT, related_name="studies")),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("created_by", models.ForeignKey(PERSON, PROTECT, related_name="+")),
                (
                    "cloned_from",
                    models.ForeignKey("annotation.study", PROTECT, blank=True, null=True, related_name="+"),
                ),
                (
                    "archived_at",
                    models.DateTimeField(blank=True, help_text="Put away: in no list but its own.", null=True),
                ),
                ("archived_by", models.ForeignKey(PERSON, PROTECT, blank=True, null=True, related_name="+")),
            ],
            options={
                "verbose_name_plural": "studies",
                "ordering": ("-created_at", "id"),
                "abstract": False,
                "constraints": [
                    CheckConstraint(
                        condition=Q(target_words_low__lte=F("target_words"))
                        & Q(target_words_high__gte=F("target_words")),
                        name="study_word_band_around_target",
                        violation_error_message="The word band must contain the target.",
                    ),
                    CheckConstraint(
                        condition=Q(
                            human_answers_per_item__gte=2 - F("model_answers_per_item"),
                            human_answers_per_item__lte=8 - F("model_answers_per_item"),
                        ),
                        name="study_two_to_eight_answers_per_item",
                        violation_error_message="An item shows between two and eight answers.",
                    ),
                    CheckConstraint(
                        condition=Q(answers_per_prompt__gte=F("human_answers_per_item")),
                        name="study_enough_answers_for_a_set",
                        violation_error_message="Each prompt must collect at least as many human answers as an item shows.",
                    ),
                    CheckConstraint(
                        condition=Q(
                            state__in=(
                                "design",
                                "writing",
                                "assembling",
                                "judging",
                                "closed",
                                "unblinded",
                                "released",
                            )
                        ),
                        name="study_state_known",
                    ),
                    CheckConstraint(
                        condition=Q(archived_at__isnull=True, archived_by__isnull=True)
                        | Q(archived_at__isnull=False, archived_by__isnull=False),
                        name="study_archived_at_by",
                    ),
                    CheckConstraint(
                        condition=Q(writing_minutes__isnull=True) | Q(writing_minutes__gte=1),
                        name="study_every_writer_prompt_is_timed_or_untimed",
                    ),
                ],
            },
        ),
        # -- prompts -------------------------------------------------------------------------------------------
        migrations.CreateModel(
            name="Prompt",
            fields=[
                ID,
                ("study", models.ForeignKey("annotation.study", PROTECT, related_name="prompts")),
                ("code", models.CharField(max_length=24)),
                ("domain", models.CharField(max_length=24)),
                ("title", models.CharField(blank=True, max_length=160)),
                ("position", models.PositiveSmallIntegerField()),
                (
                    "disciplines",
                    ArrayField(
                        base_field=models.CharField(max_length=80),
                        blank=True,
                        default=list,
                        help_text="What writers' preferences and exclusions may speak of, besides code and domain.",
                        size=None,
                    ),
                ),
            ],
            options={
                "ordering": ("study", "position", "id"),
                "constraints": [
                    UniqueConstraint(fields=("study", "code"), name="prompt_code_unique"),
                    UniqueConstraint(fields=("study", "position"), name="prompt_position_unique"),
                ],
            },
        ),
        migrations.CreateModel(
            name="PromptVersion",
            fields=[
                ID,
                ("prompt", models.ForeignKey("annotation.prompt", PROTECT, related_name="versions")),
                ("number", models.PositiveSmallIntegerField(default=1)),
                ("text", models.TextField()),
                ("sha256", models.CharField(max_length=64)),
                ("reason", models.CharField(blank=True, max_length=400)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("created_by", models.ForeignKey(PERSON, PROTECT, related_name="+")),
            ],
            options={
                "ordering": ("prompt", "number"),
                "constraints": [UniqueConstraint(fields=("prompt", "number"), name="prompt_version_unique")],
            },
        ),
        # -- who takes part ------------------------------------------------------------------------------------
        migrations.CreateModel(
            name="Participation",
            fields=[
                ID,
                ("study", models.ForeignKey("annotation.study", PROTECT, related_name="participations")),
                ("user", models.ForeignKey(PERSON, PROTECT, related_name="participations")),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("writer", "Writer"),
                            ("judge", "Judge"),
                            ("coordinator", "Coordinator"),
                            ("researcher", "Researcher"),
                        ],
                        max_length=12,
                    ),
                ),
                ("pseudonym", models.CharField(max_length=12)),
                (
                    "extra_minutes",
                    models.PositiveSmallIntegerField(
                        default=0, help_text="Extra writing time for each prompt, granted beforehand."
                    ),
                ),
                ("joined_at", models.DateTimeField(auto_now_add=True)),
                ("left_at", models.DateTimeField(blank=True, null=True)),
                (
                    "institution",
                    models.CharField(
                        blank=True,
                        help_text="For assignment alone: colleagues should not judge each other.",
                        max_length=160,
                    ),
                ),
                (
                    "capacity",
                    models.PositiveSmallIntegerField(
                        blank=True, help_text="Most prompts this person takes; empty for no limit.", null=True
                    ),
                ),
                (
                    "available_from",
                    models.DateField(blank=True, help_text="First day on which the person has time.", null=True),
                ),
                (
                    "available_until",
                    models.DateField(blank=True, help_text="Last day on which the person has time.", null=True),
                ),
                (
                    "prefers",
                    ArrayField(
                        base_field=models.CharField(max_length=80),
                        blank=True,
                        default=list,
                        help_text="Prompts this person should rather get: by code, domain or discipline.",
                        size=None,
                    ),
                ),
                (
                    "excludes",
                    ArrayField(
                        base_field=models.CharField(max_length=80),
                        blank=True,
                        default=list,
                        help_text="Prompts this person must not get: by code, domain or discipline.",
                        size=None,
                    ),
                ),
                (
                    "reminders_off_at",
                    models.DateTimeField(blank=True, help_text="Since when no reminder is wanted.", null=True),
                ),
                (
                    "feedback",
                    models.TextField(blank=True, help_text="What the person says when their work is done."),
                ),
                ("feedback_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "ordering": ("study", "role", "pseudonym"),
                "constraints": [
                    CheckConstraint(
                        condition=Q(feedback="", feedback_at__isnull=True)
                        | ~Q(feedback="") & Q(feedback_at__isnull=False),
                        name="participation_feedback_has_time",
                    ),
                    CheckConstraint(
                        condition=Q(available_from__isnull=True)
                        | Q(available_until__isnull=True)
                        | Q(available_until__gte=F("available_from")),
                        name="participation_available_in_order",
                    ),
                    UniqueConstraint(fields=("study", "user"), name="participation_one_role_per_person"),
                    UniqueConstraint(fields=("study", "pseudonym"), name="participation_pseudonym_unique"),
                    UniqueConstraint(fields=("id", "study", "role"), name="participation_identity"),
                    CheckConstraint(
                        condition=Q(role__in=["writer", "judge", "coordinator", "researcher"]),
                        name="participation_role_known",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Invitation",
            fields=[
                ID,
                ("study", models.ForeignKey("annotation.study", PROTECT, related_name="invitations")),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("writer", "Writer"),
                            ("judge", "Judge"),
                            ("coordinator", "Coordinator"),
                            ("researcher", "Researcher"),
                        ],
                        max_length=12,
                    ),
                ),
                ("email", models.EmailField(max_length=254)),
                ("name", models.CharField(max_length=120)),
                ("token_sha256", models.CharField(max_length=64, unique=True)),
                ("invited_by", models.ForeignKey(PERSON, PROTECT, related_name="+")),
                ("invited_at", models.DateTimeField(auto_now_add=True)),
                ("expires_at", models.DateTimeField()),
                ("accepted_at", models.DateTimeField(blank=True, null=True)),
                ("accepted_by", models.ForeignKey(PERSON, PROTECT, blank=True, null=True, related_name="+")),
                ("withdrawn_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "ordering": ("-invited_at", "id"),
                "constraints": [
                    CheckConstraint(
                        condition=Q(accepted_at__isnull=True, accepted_by__isnull=True)
                        | Q(accepted_at__isnull=False, accepted_by__isnull=False),
                        name="invitation_accepted_at_by",
                    ),
                    CheckConstraint(
                        condition=Q(role__in=["writer", "judge", "coordinator", "researcher"]),
                        name="invitation_role_known",
                    ),
                    UniqueConstraint(
                        condition=Q(accepted_at__isnull=True, withdrawn_at__isnull=True),
                        fields=("study", "email"),
                        name="invitation_one_open_per_address",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Consent",
            fields=[
                ID,
                (
                    "participation",
                    models.OneToOneField("annotation.participation", PROTECT, related_name="consent"),
                ),
                ("version", models.CharField(max_length=40)),
                ("text_sha256", models.CharField(max_length=64)),
                ("given_at", models.DateTimeField(auto_now_add=True)),
                ("withdrawn_at", models.DateTimeField(blank=True, null=True)),
            ],
        ),
        migrations.CreateModel(
            name="Profile",
            fields=[
                ID,
                (
                    "participation",
                    models.OneToOneField("annotation.participation", PROTECT, related_name="profile"),
                ),
                (
                    "highest_degree",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("none", "No postgraduate degree"),
                            ("master", "Master's degree"),
                            ("doctorate", "Doctorate"),
                        ],
                        max_length=12,
                    ),
                ),
                ("r1_institution", models.BooleanField(blank=True, null=True)),
                ("discipline", models.CharField(blank=True, max_length=80)),
                ("years_experience", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("country", models.CharField(blank=True, max_length=80)),
                (
                    "ideology",
                    models.JSONField(
                        blank=True, default=dict, help_text="Answers by item of the frozen instrument."
                    ),
                ),
                ("completed_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "constraints": [
                    CheckConstraint(
                        condition=Q(years_experience__isnull=True) | Q(years_experience__lte=80),
                        name="profile_years_plausible",
                    )
                ]
            },
        ),
        # -- texts ---------------------------------------------------------------------------------------------
        migrations.CreateModel(
            name="Response",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("study", models.ForeignKey("annotation.study", PROTECT, related_name="+")),
                ("prompt", models.ForeignKey("annotation.prompt", PROTECT, related_name="+")),
                ("text", models.TextField()),
                ("word_count", models.PositiveIntegerField()),
            ],
            options={"ordering": ("id",)},
        ),
        # -- writing -------------------------------------------------------------------------------------------
        migrations.CreateModel(
            name="WritingAssignment",
            fields=[
                ID,
                ("study", models.ForeignKey("annotation.study", PROTECT, related_name="+")),
                (
                    "participation",
                    models.ForeignKey("annotation.participation", PROTECT, related_name="writing_assignments"),
                ),
                ("role", models.CharField(default="writer", editable=False, max_length=12)),
                ("prompt", models.ForeignKey("annotation.prompt", PROTECT, related_name="+")),
                ("prompt_version", models.ForeignKey("annotation.promptversion", PROTECT, related_name="+")),
                ("position", models.PositiveSmallIntegerField()),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("assigned", "assigned"),
                            ("writing", "writing"),
                            ("submitted", "submitted"),
                            ("lapsed", "lapsed"),
                            ("cancelled", "cancelled"),
                        ],
                        default="assigned",
                        max_length=12,
                    ),
                ),
                (
                    "allowed_seconds",
                    models.PositiveIntegerField(
                        blank=True,
                        help_text="Time allowed after reopening; empty for the study's own limit.",
                        null=True,
                    ),
                ),
                (
                    "extra_seconds",
                    models.PositiveIntegerField(default=0, help_text="Outage credit and extra time granted."),
                ),
                (
                    "attested_at",
                    models.DateTimeField(blank=True, help_text="“I will not use AI tools.”", null=True),
                ),
                ("started_at", models.DateTimeField(blank=True, null=True)),
                ("deadline_at", models.DateTimeField(blank=True, null=True)),
                (
                    "paused_at",
                    models.DateTimeField(blank=True, help_text="While set, the clock stands still.", null=True),
                ),
                ("submitted_at", models.DateTimeField(blank=True, null=True)),
                ("submitted_by_clock", models.BooleanField(default=False)),
                ("confirmed_at", models.DateTimeField(blank=True, help_text="“I used no AI tools.”", null=True)),
                ("feedback", models.TextField(blank=True)),
                ("proposed_rewrite", models.TextField(blank=True)),
                (
                    "process_comment",
                    models.TextField(blank=True, help_text="The writer's word on the record of their process."),
                ),
                (
                    "response",
                    models.OneToOneField("annotation.response", PROTECT, blank=True, null=True, related_name="+"),
                ),
            ],
            options={
                "ordering": ("participation", "position"),
                "constraints": [
                    UniqueConstraint(
                        condition=~Q(state="cancelled"),
                        fields=("participation", "prompt"),
                        name="writing_one_answer_per_prompt",
                    ),
                    UniqueConstraint(fields=("participation", "position"), name="writing_position_unique"),
                    CheckConstraint(condition=Q(role__in=["writer"]), name="writing_is_for_writers"),
                    CheckConstraint(
                        condition=Q(state__in=("assigned", "writing", "submitted", "lapsed", "cancelled")),
                        name="writing_state_known",
                    ),
                    CheckConstraint(
                        condition=Q(response__isnull=True, submitted_at__isnull=True)
                        | Q(response__isnull=False, submitted_at__isnull=False),
                        name="writing_submission_has_response",
                    ),
                    CheckConstraint(
                        condition=~Q(state="submitted") | Q(started_at__isnull=False, submitted_at__isnull=False),
                        name="writing_submitted_is_complete",
                    ),
                    CheckConstraint(
                        condition=Q(deadline_at__isnull=True) | Q(deadline_at__gt=F("started_at")),
                        name="writing_deadline_after_start",
                    ),
                    CheckConstraint(
                        condition=Q(paused_at__isnull=True) | Q(state="writing"),
                        name="writing_paused_while_written",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Draft",
            fields=[
                (
                    "assignment",
                    models.OneToOneField(
                        "annotation.writingassignment",
                        PROTECT,
                        primary_key=True,
                        related_name="draft",
                        serialize=False,
                    ),
                ),
                ("pen_epoch", models.PositiveIntegerField(default=0)),
                (
                    "pen_holder",
                    models.CharField(blank=True, help_text="The browser that holds the pen.", max_length=64),
                ),
                ("seq", models.PositiveIntegerField(default=0)),
                ("text", models.TextField(blank=True)),
                ("sha256", models.CharField(max_length=64)),
                ("saved_at", models.DateTimeField()),
                (
                    "closes_at",
                    models.DateTimeField(
                        blank=True,
                        help_text="Last moment a save counts: deadline and grace. Empty without a limit.",
                        null=True,
                    ),
                ),
                ("closed_at", models.DateTimeField(blank=True, null=True)),
            ],
        ),
        migrations.CreateModel(
            name="DraftRevision",
            fields=[
                ID,
                (
                    "assignment",
                    models.ForeignKey(
                        "annotation.writingassignment", PROTECT, db_index=False, related_name="revisions"
                    ),
                ),
                ("pen_epoch", models.PositiveIntegerField()),
                ("seq", models.PositiveIntegerField()),
                ("at", models.PositiveIntegerField(help_text="Offset in code points.")),
                ("removed", models.PositiveIntegerField(help_text="Code points removed.")),
                ("inserted", models.TextField(blank=True)),
                ("activity", models.JSONField(blank=True, null=True)),
                ("saved_at", models.DateTimeField()),
            ],
            options={
                "ordering": ("assignment", "pen_epoch", "seq"),
                "constraints": [
                    UniqueConstraint(fields=("assignment", "pen_epoch", "seq"), name="revision_order_unique")
                ],
            },
        ),
        migrations.CreateModel(
            name="SideText",
            fields=[
                ID,
                (
                    "assignment",
                    models.ForeignKey("annotation.writingassignment", PROTECT, related_name="side_texts"),
                ),
                ("pen_epoch", models.PositiveIntegerField()),
                ("seq", models.PositiveIntegerField()),
                ("text", models.TextField()),
                ("received_at", models.DateTimeField()),
            ],
            options={"ordering": ("assignment", "received_at", "id")},
        ),
        migrations.CreateModel(
            name="LateText",
            fields=[
                ID,
                (
                    "assignment",
                    models.ForeignKey("annotation.writingassignment", PROTECT, related_name="late_texts"),
                ),
                ("text", models.TextField()),
                ("received_at", models.DateTimeField()),
                (
                    "decision",
                    models.CharField(
                        choices=[("open", "Not decided"), ("use", "Use it"), ("leave", "Leave it")],
                        default="open",
                        max_length=5,
                    ),
                ),
                ("decided_at", models.DateTimeField(blank=True, null=True)),
                ("decided_by", models.ForeignKey(PERSON, PROTECT, blank=True, null=True, related_name="+")),
                ("reason", models.TextField(blank=True, help_text="Why the coordinator decided so.")),
            ],
            options={
                "ordering": ("assignment", "received_at", "id"),
                "constraints": [
                    CheckConstraint(
                        condition=Q(decided_at__isnull=True, decided_by__isnull=True)
                        | Q(decided_at__isnull=False, decided_by__isnull=False),
                        name="late_text_decision_has_person",
                    ),
                    CheckConstraint(
                        condition=Q(decided_at__isnull=True, decision="open")
                        | ~Q(decision="open") & Q(decided_at__isnull=False),
                        name="late_text_decided_or_open",
                    ),
                ],
            },
        ),
        # -- outages -------------------------------------------------------------------------------------------
        migrations.CreateModel(
            name="UpPeriod",
            fields=[
                ID,
                ("began_at", models.DateTimeField()),
                ("seen_at", models.DateTimeField(help_text="The last time the site was seen to answer.")),
            ],
            options={
                "ordering": ("began_at", "id"),
                "constraints": [
                    CheckConstraint(condition=Q(seen_at__gte=F("began_at")), name="up_period_forwards")
                ],
            },
        ),
        migrations.CreateModel(
            name="OutageCredit",
            fields=[
                ID,
                (
                    "assignment",
                    models.ForeignKey("annotation.writingassignment", PROTECT, related_name="outage_credits"),
                ),
                ("began_at", models.DateTimeField()),
                ("ended_at", models.DateTimeField()),
                ("seconds", models.PositiveIntegerField()),
                ("decided_at", models.DateTimeField()),
                ("decided_by", models.ForeignKey(PERSON, PROTECT, related_name="+")),
            ],
            options={
                "ordering": ("assignment", "began_at"),
                "constraints": [
                    UniqueConstraint(fields=("assignment", "began_at"), name="outage_decided_once"),
                    CheckConstraint(condition=Q(ended_at__gt=F("began_at")), name="outage_forwards"),
                ],
            },
        ),
        # -- whose texts are judged, and by whom: secret until unblinding --------------------------------------
        migrations.CreateModel(
            name="Stimulus",
            fields=[
                (
                    "response",
                    models.OneToOneField(
                        "annotation.response", PROTECT, primary_key=True, related_name="+", serialize=False
                    ),
                ),
                ("study", models.ForeignKey("annotation.study", PROTECT, related_name="+")),
                ("prompt", models.ForeignKey("annotation.prompt", PROTECT, related_name="+")),
                (
                    "arm",
                    models.CharField(
                        choices=[
                            ("human", "Human"),
                            ("model", "Model"),
                            ("weak", "Deliberately weak"),
                            ("maximum", "Maximum capability, shown to no judge"),
                        ],
                        max_length=7,
                    ),
                ),
                (
                    "source_code",
                    models.CharField(help_text="A writer's pseudonym or a model's family.", max_length=40),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("admitted", "admitted"),
                            ("quarantined", "quarantined"),
                            ("rejected", "rejected"),
                            ("withdrawn", "withdrawn"),
                        ],
                        default="admitted",
                        max_length=12,
                    ),
                ),
                ("flags", models.JSONField(blank=True, default=list, help_text="What the leak scan found.")),
            ],
            options={
                "verbose_name_plural": "stimuli",
                "ordering": ("prompt", "response"),
                "indexes": [
                    models.Index(fields=["study", "prompt", "arm", "state"], name="stimulus_by_prompt_and_arm")
                ],
                "constraints": [
                    CheckConstraint(
                        condition=Q(arm__in=["human", "model", "weak", "maximum"]), name="stimulus_arm_known"
                    ),
                    CheckConstraint(
                        condition=Q(state__in=("admitted", "quarantined", "rejected", "withdrawn")),
                        name="stimulus_state_known",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="TextEdit",
            fields=[
                ID,
                ("response", models.ForeignKey("annotation.response", PROTECT, related_name="+")),
                ("number", models.PositiveSmallIntegerField()),
                ("before", models.TextField()),
                ("after", models.TextField()),
                ("reason", models.CharField(max_length=400)),
                ("edited_at", models.DateTimeField(auto_now_add=True)),
                ("edited_by", models.ForeignKey(PERSON, PROTECT, related_name="+")),
            ],
            options={
                "ordering": ("response", "number"),
                "constraints": [
                    UniqueConstraint(fields=("response", "number"), name="text_edit_number_unique"),
                    CheckConstraint(condition=~Q(reason=""), name="text_edit_has_a_reason"),
                ],
            },
        ),
        migrations.CreateModel(
            name="PromptPlan",
            fields=[
                (
                    "prompt",
                    models.OneToOneField(
                        "annotation.prompt", PROTECT, primary_key=True, related_name="+", serialize=False
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("standard", "Standard"),
                            ("quality_floor", "Quality floor"),
                            ("source_attribution", "Source attribution"),
                        ],
                        default="standard",
                        max_length=18,
                    ),
                ),
            ],
            options={
                "constraints": [
                    CheckConstraint(
                        condition=Q(kind__in=["standard", "quality_floor", "source_attribution"]),
                        name="prompt_plan_kind_known",
                    )
                ]
            },
        ),
        migrations.CreateModel(
            name="HumanSet",
            fields=[
                ID,
                ("prompt", models.ForeignKey("annotation.prompt", PROTECT, related_name="+")),
                ("number", models.PositiveSmallIntegerField()),
                ("members", models.ManyToManyField("annotation.stimulus", related_name="+")),
            ],
            options={
                "ordering": ("prompt", "number"),
                "constraints": [UniqueConstraint(fields=("prompt", "number"), name="human_set_unique")],
            },
        ),
        # -- judging -------------------------------------------------------------------------------------------
        migrations.CreateModel(
            name="JudgingItem",
            fields=[
                ID,
                ("study", models.ForeignKey("annotation.study", PROTECT, related_name="+")),
                (
                    "participation",
                    models.ForeignKey("annotation.participation", PROTECT, related_name="judging_items"),
                ),
                ("role", models.CharField(default="judge", editable=False, max_length=12)),
                ("prompt", models.ForeignKey("annotation.prompt", PROTECT, related_name="+")),
                ("prompt_version", models.ForeignKey("annotation.promptversion", PROTECT, related_name="+")),
                ("position", models.PositiveSmallIntegerField()),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("assigned", "assigned"),
                            ("open", "open"),
                            ("lapsed", "lapsed"),
                            ("submitted", "submitted"),
                            ("cancelled", "cancelled"),
                        ],
                        default="assigned",
                        max_length=12,
                    ),
                ),
                ("opened_at", models.DateTimeField(blank=True, null=True)),
                (
                    "leased_until",
                    models.DateTimeField(
                        blank=True,
                        help_text="While open: when it counts as left lying, unless something is saved.",
                        null=True,
                    ),
                ),
                ("submitted_at", models.DateTimeField(blank=True, null=True)),
                ("justification", models.TextField(blank=True, help_text="A draft until the item is submitted.")),
                (
                    "sha256",
                    models.CharField(
                        blank=True,
                        help_text="Of the judgment as submitted; sealed with the audit trail.",
                        max_length=64,
                    ),
                ),
                (
                    "replaces",
                    models.OneToOneField(
                        "annotation.judgingitem",
                        PROTECT,
                        blank=True,
                        help_text="The item of another judge whose place this one takes, with its set of human answers.",
                        null=True,
                        related_name="replacement",
                    ),
                ),
                (
                    "asks_guess",
                    models.BooleanField(
                        default=False, help_text="Finally the judge guesses who wrote its answers."
                    ),
                ),
                ("guessed_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "ordering": ("participation", "position"),
                "constraints": [
                    UniqueConstraint(
                        condition=~Q(state="cancelled"),
                        fields=("participation", "prompt"),
                        name="judging_one_item_per_prompt",
                    ),
                    UniqueConstraint(fields=("participation", "position"), name="judging_position_unique"),
                    CheckConstraint(condition=Q(role__in=["judge"]), name="judging_is_for_judges"),
                    CheckConstraint(
                        condition=Q(state__in=("assigned", "open", "lapsed", "submitted", "cancelled")),
                        name="judging_state_known",
                    ),
                    CheckConstraint(
                        condition=Q(opened_at__isnull=False, state="submitted", submitted_at__isnull=False)
                        | ~Q(state="submitted") & Q(submitted_at__isnull=True),
                        name="judging_submitted_is_complete",
                    ),
                    CheckConstraint(
                        condition=~Q(state="open") | Q(leased_until__isnull=False), name="judging_open_is_leased"
                    ),
                    CheckConstraint(
                        condition=Q(sha256="") | Q(state="submitted"), name="judging_hash_is_of_a_submission"
                    ),
                    CheckConstraint(
                        condition=Q(guessed_at__isnull=True) | Q(asks_guess=True, state="submitted"),
                        name="judging_guess_is_asked_and_last",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ItemPlan",
            fields=[
                (
                    "item",
                    models.OneToOneField(
                        "annotation.judgingitem", PROTECT, primary_key=True, related_name="+", serialize=False
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("standard", "Standard"),
                            ("quality_floor", "Quality floor"),
                            ("source_attribution", "Source attribution"),
                        ],
                        max_length=18,
                    ),
                ),
                (
                    "human_set",
                    models.ForeignKey("annotation.humanset", PROTECT, blank=True, null=True, related_name="+"),
                ),
            ],
            options={
                "constraints": [
                    CheckConstraint(
                        condition=Q(kind__in=["standard", "quality_floor", "source_attribution"]),
                        name="item_plan_kind_known",
                    ),
                    CheckConstraint(
                        condition=~Q(kind="source_attribution") | Q(human_set__isnull=True),
                        name="item_plan_attribution_has_no_human_set",
                    ),
                ]
            },
        ),
        migrations.CreateModel(
            name="BlindedSlot",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("item", models.ForeignKey("annotation.judgingitem", PROTECT, related_name="slots")),
                ("label", models.CharField(max_length=1)),
                ("response", models.ForeignKey("annotation.response", PROTECT, related_name="+")),
                (
                    "place",
                    models.PositiveSmallIntegerField(
                        blank=True,
                        help_text="Where the judge ranks directly: the place so far, 1 for the best.",
                        null=True,
                    ),
                ),
            ],
            options={
                "ordering": ("item", "label"),
                "constraints": [
                    UniqueConstraint(fields=("item", "label"), name="slot_label_unique"),
                    UniqueConstraint(fields=("item", "response"), name="slot_response_unique"),
                    CheckConstraint(
                        condition=Q(label__in=["A", "B", "C", "D", "E", "F", "G", "H"]), name="slot_label_known"
                    ),
                    CheckConstraint(
                        condition=Q(place__isnull=True) | Q(place__gte=1, place__lte=8),
                        name="slot_place_between_1_and_8",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Score",
            fields=[
                ID,
                ("slot", models.ForeignKey("annotation.blindedslot", PROTECT, related_name="scores")),
                ("dimension", models.CharField(max_length=40)),
                ("value", models.PositiveSmallIntegerField()),
                ("scored_at", models.DateTimeField()),
            ],
            options={
                "ordering": ("slot", "dimension"),
                "constraints": [
                    UniqueConstraint(fields=("slot", "dimension"), name="score_one_per_dimension"),
                    CheckConstraint(condition=Q(value__lte=100), name="score_at_most_100"),
                ],
            },
        ),
        migrations.CreateModel(
            name="RankedSlot",
            fields=[
                (
                    "slot",
                    models.OneToOneField(
                        "annotation.blindedslot", PROTECT, primary_key=True, related_name="ranking", serialize=False
                    ),
                ),
                (
                    "composite",
                    models.FloatField(blank=True, help_text="Empty where the judge ranked directly.", null=True),
                ),
                ("rank", models.PositiveSmallIntegerField(help_text="Competition rank, 1 is best.")),
                ("mid_rank", models.FloatField(help_text="Mean of the places tied answers share.")),
            ],
            options={
                "constraints": [
                    CheckConstraint(condition=Q(rank__gte=1, rank__lte=8), name="rank_between_1_and_8"),
                    CheckConstraint(condition=Q(mid_rank__gte=1, mid_rank__lte=8), name="mid_rank_between_1_and_8"),
                ]
            },
        ),
        migrations.CreateModel(
            name="Guess",
            fields=[
                (
                    "slot",
                    models.OneToOneField(
                        "annotation.blindedslot", PROTECT, primary_key=True, related_name="guess", serialize=False
                    ),
                ),
                (
                    "source",
                    models.CharField(
                        choices=[("human", "A person"), ("model", "A model"), ("unknown", "Don't know")],
                        max_length=7,
                    ),
                ),
                (
                    "confidence",
                    models.PositiveSmallIntegerField(
                        blank=True,
                        help_text="1 to 5; nobody is sure of not knowing.",
                        null=True,
                        validators=[MinValueValidator(1), MaxValueValidator(5)],
                    ),
                ),
                ("guessed_at", models.DateTimeField()),
            ],
            options={
                "constraints": [
                    CheckConstraint(
                        condition=Q(source__in=["human", "model", "unknown"]), name="guess_source_known"
                    ),
                    CheckConstraint(
                        condition=Q(confidence__isnull=True, source="unknown")
                        | ~Q(source="unknown") & Q(confidence__gte=1, confidence__isnull=False, confidence__lte=5),
                        name="guess_confidence_1_to_5",
                    ),
                ]
            },
        ),
        # -- reading -------------------------------------------------------------------------------------------
        migrations.CreateModel(
            name="Mark",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("slot", models.ForeignKey("annotation.blindedslot", PROTECT, related_name="marks")),
                ("start", models.PositiveIntegerField(blank=True, null=True)),
                ("end", models.PositiveIntegerField(blank=True, null=True)),
                ("dimension", models.CharField(blank=True, max_length=40)),
                ("note", models.TextField(blank=True)),
                ("made_at", models.DateTimeField()),
            ],
            options={
                "ordering": ("slot", "start", "made_at", "id"),
                "constraints": [
                    CheckConstraint(
                        condition=Q(end__isnull=True, start__isnull=True)
                        | Q(end__isnull=False, start__isnull=False),
                        name="mark_passage_has_both_ends",
                    ),
                    CheckConstraint(
                        condition=Q(start__isnull=True) | Q(end__gt=F("start")), name="mark_passage_is_not_empty"
                    ),
                    CheckConstraint(condition=Q(start__isnull=False) | ~Q(note=""), name="mark_says_something"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Dwell",
            fields=[
                ID,
                ("slot", models.ForeignKey("annotation.blindedslot", PROTECT, related_name="dwells")),
                ("window", models.CharField(max_length=36)),
                (
                    "milliseconds",
                    models.PositiveBigIntegerField(default=0, help_text="In view while the judge was there."),
                ),
                (
                    "depth",
                    models.PositiveSmallIntegerField(
                        default=0, help_text="How much of the text has been in view, percent."
                    ),
                ),
            ],
            options={
                "ordering": ("slot", "window"),
                "constraints": [
                    UniqueConstraint(fields=("slot", "window"), name="dwell_one_per_window"),
                    CheckConstraint(condition=Q(depth__lte=100), name="dwell_depth_is_a_percentage"),
                ],
            },
        ),
        # -- the seed of the labels ----------------------------------------------------------------------------
        migrations.CreateModel(
            name="StudySeed",
            fields=[
                (
                    "study",
                    models.OneToOneField(
                        "annotation.study", PROTECT, primary_key=True, related_name="+", serialize=False
                    ),
                ),
                ("seed", models.BinaryField(max_length=32)),
                ("commitment", models.CharField(max_length=64)),
                ("committed_at", models.DateTimeField(auto_now_add=True)),
                ("revealed_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "constraints": [
                    CheckConstraint(
                        condition=Q(revealed_at__isnull=True) | Q(revealed_at__gte=F("committed_at")),
                        name="seed_revealed_after_commitment",
                    )
                ]
            },
        ),
        # -- reminders -----------------------------------------------------------------------------------------
        migrations.CreateModel(
            name="Reminder",
            fields=[
                ID,
                ("participation", models.ForeignKey("annotation.participation", PROTECT, related_name="reminders")),
                ("subject", models.CharField(max_length=200)),
                (
                    "body",
                    models.TextField(
                        help_text="As it was previewed; the link out of reminders is added when it is sent."
                    ),
                ),
                ("due_at", models.DateTimeField()),
                ("asked_at", models.DateTimeField(auto_now_add=True)),
                ("asked_by", models.ForeignKey(PERSON, PROTECT, related_name="+")),
                ("sent_at", models.DateTimeField(blank=True, null=True)),
                ("skipped_at", models.DateTimeField(blank=True, null=True)),
                ("skipped_because", models.CharField(blank=True, max_length=200)),
                ("withdrawn_at", models.DateTimeField(blank=True, null=True)),
                ("withdrawn_by", models.ForeignKey(PERSON, PROTECT, blank=True, null=True, related_name="+")),
            ],
            options={
                "ordering": ("-due_at", "-id"),
                "constraints": [
                    CheckConstraint(
                        condition=Q(withdrawn_at__isnull=True, withdrawn_by__isnull=True)
                        | Q(withdrawn_at__isnull=False, withdrawn_by__isnull=False),
                        name="reminder_withdrawn_at_by",
                    ),
                    CheckConstraint(
                        condition=Q(sent_at__isnull=True, skipped_at__isnull=True)
                        | Q(sent_at__isnull=True, withdrawn_at__isnull=True)
                        | Q(skipped_at__isnull=True, withdrawn_at__isnull=True),
                        name="reminder_ends_in_one_way",
                    ),
                    CheckConstraint(
                        condition=Q(skipped_at__isnull=True, skipped_because="")
                        | Q(skipped_at__isnull=False) & ~Q(skipped_because=""),
                        name="reminder_skipped_for_a_reason",
                    ),
                    UniqueConstraint(
                        condition=Q(sent_at__isnull=True, skipped_at__isnull=True, withdrawn_at__isnull=True),
                        fields=("participation",),
                        name="reminder_one_waiting_per_person",
                    ),
                ],
            },
        ),
        # -- honoraria -----------------------------------------------------------------------------------------
        migrations.CreateModel(
            name="Payment",
            fields=[
                ID,
                ("participation", models.ForeignKey("annotation.participation", PROTECT, related_name="payments")),
                (
                    "amount",
                    models.DecimalField(
                        decimal_places=2, help_text="In the study's currency; below 0 back.", max_digits=9
                    ),
                ),
                ("paid_on", models.DateField()),
                ("note", models.CharField(blank=True, max_length=200)),
                (
                    "reverses",
                    models.OneToOneField(
                        "annotation.payment", PROTECT, blank=True, null=True, related_name="reversal"
                    ),
                ),
                ("recorded_at", models.DateTimeField(auto_now_add=True)),
                ("recorded_by", models.ForeignKey(PERSON, PROTECT, related_name="+")),
            ],
            options={
                "ordering": ("paid_on", "id"),
                "constraints": [
                    CheckConstraint(condition=~Q(amount=0), name="payment_is_of_something"),
                    CheckConstraint(
                        condition=Q(amount__gt=0, reverses__isnull=True) | Q(amount__lt=0, reverses__isnull=False),
                        name="payment_back_reverses_one",
                    ),
                ],
            },
        ),
        # -- work in the background ----------------------------------------------------------------------------
        migrations.CreateModel(
            name="Task",
            fields=[
                ID,
                ("kind", models.CharField(max_length=40)),
                ("subject", models.CharField(max_length=64)),
                ("due_at", models.DateTimeField()),
                ("leased_until", models.DateTimeField(blank=True, null=True)),
                ("attempts", models.PositiveIntegerField(default=0)),
                ("last_error", models.TextField(blank=True)),
                ("asked_at", models.DateTimeField(auto_now_add=True)),
                ("done_at", models.DateTimeField(blank=True, null=True)),
                ("gave_up_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "ordering": ("due_at", "id"),
                "indexes": [
                    models.Index(
                        condition=Q(done_at__isnull=True, gave_up_at__isnull=True),
                        fields=["due_at", "id"],
                        name="task_open_by_due",
                    )
                ],
                "constraints": [
                    UniqueConstraint(
                        condition=Q(done_at__isnull=True, gave_up_at__isnull=True),
                        fields=("kind", "subject"),
                        name="task_one_open_per_subject",
                    )
                ],
            },
        ),
        # -- the audit trail -----------------------------------------------------------------------------------
        migrations.CreateModel(
            name="AuditEvent",
            fields=[
                ID,
                ("at", models.DateTimeField()),
                ("study", models.ForeignKey("annotation.study", PROTECT, null=True, related_name="+")),
                ("actor", models.ForeignKey(PERSON, PROTECT, null=True, related_name="+")),
                ("verb", models.CharField(max_length=60)),
                ("subject", models.CharField(blank=True, max_length=120)),
                ("detail", models.JSONField(blank=True, default=dict)),
            ],
            options={"ordering": ("id",), "indexes": [models.Index(fields=["study", "id"], name="audit_by_study")]},
        ),
        migrations.CreateModel(
            name="AuditSeal",
            fields=[
                ("number", models.PositiveBigIntegerField(primary_key=True, serialize=False)),
                ("event", models.OneToOneField("annotation.auditevent", PROTECT, related_name="seal")),
                ("digest", models.CharField(max_length=64)),
                ("sealed_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={"ordering": ("number",)},
        ),
        # -- rules across tables, kept by the database itself ------------------------------------------------
        migrations.RunSQL(ROLE_AND_STUDY, ROLE_AND_STUDY_UNDONE),
        migrations.RunSQL(SAME_PROMPT, SAME_PROMPT_UNDONE),
        migrations.RunSQL(SAME_PROMPT_IN_SLOT, SAME_PROMPT_IN_SLOT_UNDONE),
        migrations.RunSQL(APPEND_ONLY, APPEND_ONLY_UNDONE),
    ]
