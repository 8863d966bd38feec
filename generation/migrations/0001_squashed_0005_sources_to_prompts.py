"""The tables of prompts' sources, of calls to models, and of what those answered."""

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import migrations, models
from django.db.models import CASCADE, PROTECT, SET_NULL, CheckConstraint, F, Q, UniqueConstraint

PERSON = settings.AUTH_USER_MODEL
ID = ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"))

# What a call may be about. `beside` is a second candidate, which is compared with the first.
THINGS = ("candidate", "given", "item", "prompt_version", "response", "scenario")
ALONE = Q(beside__isnull=True)


def about(thing):
    return Q(**{f"{other}__isnull": other != thing for other in THINGS})


class Migration(migrations.Migration):
    initial = True
    # A database with all of these has everything below; one with some of them is refused by `scrub_site.database.migration_check`.
    replaces = [
        ("generation", "0001_initial"),
        ("generation", "0002_calls_of_every_kind"),
        ("generation", "0003_panel"),
        ("generation", "0004_counts_of_earlier_runs"),
        ("generation", "0005_sources_to_prompts"),
    ]
    dependencies = [
        ("annotation", "0001_squashed_0009_texts_are_edited"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        # -- models that are asked -----------------------------------------------------------------------------
        migrations.CreateModel(
            name="Target",
            fields=[
                ID,
                ("study", models.ForeignKey("annotation.study", PROTECT, blank=True, null=True, related_name="+")),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("answers", "Answers prompts"),
                            ("panel", "Judges on the panel"),
                            ("prompts", "Writes prompts from sources, and judges those of others"),
                        ],
                        default="answers",
                        max_length=7,
                    ),
                ),
                (
                    "family",
                    models.CharField(help_text="Published in the `model` column, such as “claude”.", max_length=40),
                ),
                ("provider", models.CharField(help_text="A provider of the catalogue.", max_length=40)),
                ("model_id", models.CharField(help_text="The provider's own name of the model.", max_length=120)),
                (
                    "effort",
                    models.CharField(
                        blank=True,
                        help_text="Instead of the study's, as the provider calls it; empty for the study's.",
                        max_length=10,
                    ),
                ),
                (
                    "weak_temperature",
                    models.FloatField(
                        blank=True,
                        help_text="For deliberately weak answers; where it is empty the model is told to write a weak one.",
                        null=True,
                        validators=[MinValueValidator(0), MaxValueValidator(2)],
                    ),
                ),
                (
                    "options",
                    models.JSONField(blank=True, default=dict, help_text="What only its provider understands."),
                ),
                (
                    "price",
                    models.JSONField(
                        blank=True,
                        help_text="US dollars for a million tokens, instead of the price table's.",
                        null=True,
                    ),
                ),
                ("retired_at", models.DateTimeField(blank=True, null=True)),
                ("retired_by", models.ForeignKey(PERSON, PROTECT, blank=True, null=True, related_name="+")),
            ],
            options={
                "ordering": ("study", "role", "family", "id"),
                "constraints": [
                    UniqueConstraint(
                        condition=Q(retired_at__isnull=True, study__isnull=False),
                        fields=("study", "role", "family"),
                        name="target_family_unique",
                    ),
                    CheckConstraint(
                        condition=Q(role__in=["answers", "panel", "prompts"]), name="target_role_known"
                    ),
                    CheckConstraint(
                        condition=Q(retired_at__isnull=True, retired_by__isnull=True)
                        | Q(retired_at__isnull=False, retired_by__isnull=False),
                        name="target_retired_at_by",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="StudyTemplate",
            fields=[
                ID,
                ("study", models.ForeignKey("annotation.study", PROTECT, related_name="+")),
                (
                    "name",
                    models.CharField(
                        help_text="Of the shipped template it stands for, such as “answer”.", max_length=40
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                ("text", models.TextField()),
                ("sha256", models.CharField(max_length=64)),
                (
                    "origin",
                    models.CharField(help_text="Where the wording comes from, such as a paper.", max_length=300),
                ),
                ("written_at", models.DateTimeField(auto_now_add=True)),
                ("written_by", models.ForeignKey(PERSON, PROTECT, related_name="+")),
            ],
            options={
                "ordering": ("study", "name", "-number"),
                "constraints": [
                    UniqueConstraint(fields=("study", "name", "number"), name="study_template_number_unique")
                ],
            },
        ),
        # -- sources of prompts --------------------------------------------------------------------------------
        migrations.CreateModel(
            name="Source",
            fields=[
                ID,
                ("slug", models.SlugField(unique=True)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("bbq", "BBQ, the bias benchmark for question answering"),
                            ("hle", "Humanity’s Last Exam"),
                            ("concepts", "Social concepts with quotations from documents"),
                            ("table", "A table of your own, CSV or JSON Lines"),
                        ],
                        max_length=8,
                    ),
                ),
                (
                    "shape",
                    models.CharField(
                        choices=[
                            ("scenario", "A scene with a question and possible answers"),
                            ("question", "A question of a subject"),
                            ("concept", "A concept with an interpretation and quotations"),
                        ],
                        help_text="Of scenarios.",
                        max_length=8,
                    ),
                ),
                (
                    "code",
                    models.CharField(
                        help_text="Stands in prompts' codes, such as BBQ in BBQ_07.",
                        max_length=12,
                        validators=[RegexValidator("\\A[A-Z]{2,12}\\Z", "Use 2 to 12 capital letters.")],
                    ),
                ),
                ("name", models.CharField(max_length=120)),
                ("licence", models.CharField(blank=True, max_length=200)),
                ("files", models.JSONField(default=list, help_text="Those read, in order: name, sha256.")),
                (
                    "mapping",
                    models.JSONField(
                        blank=True, default=dict, help_text="Of a table: field of the shape → column."
                    ),
                ),
                (
                    "funnel",
                    models.JSONField(help_text="Steps in order: name, kept, removed, rules (name → count)."),
                ),
                ("content_sha256", models.CharField(help_text="Of the scenarios, in order.", max_length=64)),
                ("imported_at", models.DateTimeField(auto_now_add=True)),
                ("imported_by", models.ForeignKey(PERSON, PROTECT, blank=True, null=True, related_name="+")),
            ],
            options={
                "ordering": ("name", "id"),
                "constraints": [
                    CheckConstraint(
                        condition=Q(kind__in=["bbq", "hle", "concepts", "table"]), name="source_kind_known"
                    ),
                    CheckConstraint(
                        condition=Q(shape__in=["scenario", "question", "concept"]), name="source_shape_known"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Scenario",
            fields=[
                ID,
                ("source", models.ForeignKey("generation.source", PROTECT, related_name="scenarios")),
                ("key", models.CharField(max_length=80)),
                (
                    "stratum",
                    models.CharField(help_text="What samples are spread over, such as a category.", max_length=80),
                ),
                ("payload", models.JSONField()),
            ],
            options={
                "ordering": ("source", "stratum", "key"),
                "constraints": [UniqueConstraint(fields=("source", "key"), name="scenario_key_unique")],
            },
        ),
        migrations.CreateModel(
            name="RemovedItem",
            fields=[
                ID,
                ("source", models.ForeignKey("generation.source", CASCADE, db_index=False, related_name="removed")),
                ("step", models.PositiveSmallIntegerField(help_text="Its place in the funnel.")),
                ("rule", models.CharField(blank=True, max_length=120)),
                ("key", models.CharField(max_length=80)),
                ("text", models.TextField()),
            ],
            options={
                "ordering": ("source", "step", "id"),
                "indexes": [
                    models.Index(fields=["source", "step", "id"], name="removed_by_step"),
                    models.Index(fields=["source", "step", "rule", "id"], name="removed_by_rule"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Document",
            fields=[
                ID,
                ("source", models.ForeignKey("generation.source", CASCADE, related_name="documents")),
                ("title", models.CharField(max_length=120)),
                ("citation", models.CharField(max_length=300)),
                ("text", models.TextField()),
                ("sha256", models.CharField(max_length=64)),
            ],
            options={
                "ordering": ("source", "id"),
                "constraints": [UniqueConstraint(fields=("source", "title"), name="document_title_unique")],
            },
        ),
        migrations.CreateModel(
            name="StudySource",
            fields=[
                ID,
                ("study", models.ForeignKey("annotation.study", PROTECT, related_name="+")),
                ("source", models.ForeignKey("generation.source", PROTECT, related_name="uses")),
                ("added_at", models.DateTimeField(auto_now_add=True)),
                ("added_by", models.ForeignKey(PERSON, PROTECT, related_name="+")),
            ],
            options={
                "ordering": ("study", "id"),
                "constraints": [UniqueConstraint(fields=("study", "source"), name="study_source_unique")],
            },
        ),
        # -- runs ----------------------------------------------------------------------------------------------
        migrations.CreateModel(
            name="GenerationRun",
            fields=[
                ID,
                ("study", models.ForeignKey("annotation.study", PROTECT, blank=True, null=True, related_name="+")),
                (
                    "purpose",
                    models.CharField(
                        choices=[
                            ("answers", "Answers of models"),
                            ("panel", "Scores of the panel"),
                            ("prompts", "Prompts written from sources"),
                            ("quality", "Votes on the quality of prompts"),
                            ("pairs", "Comparisons of prompts, two by two"),
                        ],
                        default="answers",
                        max_length=7,
                    ),
                ),
                (
                    "track",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("matched", "Matched effort, shown to judges"),
                            ("maximum", "Maximum capability, automated evaluation only"),
                        ],
                        help_text="Of answers.",
                        max_length=7,
                    ),
                ),
                (
                    "mode",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("holistic", "One score, the rubric as framework"),
                            ("per_dimension", "One score for each dimension"),
                            ("no_rubric", "One score, without the rubric"),
                            ("inferred", "Read out of judges' justifications"),
                        ],
                        help_text="Of a panel.",
                        max_length=13,
                    ),
                ),
                (
                    "presentation",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("alone", "One answer at a time"),
                            ("as_judged", "All answers of an item, labelled and ordered as its judge saw them"),
                        ],
                        help_text="What the panel sees at once.",
                        max_length=9,
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("planning", "planning"),
                            ("planned", "planned"),
                            ("running", "running"),
                            ("stopped", "stopped"),
                            ("finished", "finished"),
                            ("withdrawn", "withdrawn"),
                        ],
                        default="planning",
                        max_length=12,
                    ),
                ),
                (
                    "uses_batches",
                    models.BooleanField(default=False, help_text="Sent as providers' batches, at half price."),
                ),
                (
                    "materials",
                    models.JSONField(
                        default=dict,
                        help_text="Frozen when planned: templates, perspectives, rubric and prices, by name.",
                    ),
                ),
                (
                    "template_version",
                    models.CharField(help_text="Names and hashes of the templates used.", max_length=200),
                ),
                ("price_version", models.CharField(blank=True, max_length=80)),
                (
                    "spend_cap",
                    models.DecimalField(
                        blank=True,
                        decimal_places=6,
                        help_text="Approved with the run; never exceeded.",
                        max_digits=14,
                        null=True,
                        validators=[MinValueValidator(0)],
                    ),
                ),
                ("reserved", models.DecimalField(decimal_places=6, default=0, max_digits=14)),
                ("spent", models.DecimalField(decimal_places=6, default=0, max_digits=14)),
                ("planned_at", models.DateTimeField(auto_now_add=True)),
                ("planned_by", models.ForeignKey(PERSON, PROTECT, blank=True, null=True, related_name="+")),
                ("approved_at", models.DateTimeField(blank=True, null=True)),
                ("approved_by", models.ForeignKey(PERSON, PROTECT, blank=True, null=True, related_name="+")),
                ("stopped_because", models.TextField(blank=True)),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "ordering": ("-planned_at", "-id"),
                "constraints": [
                    CheckConstraint(
                        condition=Q(
                            state__in=("planning", "planned", "running", "stopped", "finished", "withdrawn")
                        ),
                        name="run_state_known",
                    ),
                    CheckConstraint(
                        condition=Q(mode="", presentation="", purpose="answers", track__in=["matched", "maximum"])
                        | Q(
                            mode__in=["holistic", "per_dimension", "no_rubric", "inferred"],
                            presentation__in=["alone", "as_judged"],
                            purpose="panel",
                            track="",
                        )
                        | Q(mode="", presentation="", purpose__in=["prompts", "quality", "pairs"], track=""),
                        name="run_is_of_one_purpose",
                    ),
                    CheckConstraint(
                        condition=Q(study__isnull=True) | Q(planned_by__isnull=False),
                        name="run_with_a_study_is_somebodys",
                    ),
                    CheckConstraint(
                        condition=Q(approved_at__isnull=True, approved_by__isnull=True)
                        | Q(approved_at__isnull=False, approved_by__isnull=False)
                        | Q(approved_at__isnull=False, study__isnull=True),
                        name="run_approved_at_by",
                    ),
                    CheckConstraint(
                        condition=Q(approved_at__isnull=True) | Q(spend_cap__isnull=False),
                        name="run_approved_has_a_cap",
                    ),
                    CheckConstraint(condition=Q(reserved__gte=0), name="run_reserved_not_negative"),
                ],
            },
        ),
        migrations.CreateModel(
            name="RunShare",
            fields=[
                ID,
                ("run", models.ForeignKey("generation.generationrun", CASCADE, related_name="shares")),
                ("target", models.ForeignKey("generation.target", PROTECT, related_name="+")),
                ("planned", models.PositiveIntegerField(default=0)),
                (
                    "known",
                    models.PositiveIntegerField(
                        default=0, help_text="Wanted as well, but called for by an earlier run."
                    ),
                ),
                ("accepted", models.PositiveIntegerField(default=0)),
                ("failed", models.PositiveIntegerField(default=0)),
                ("input_tokens", models.PositiveBigIntegerField(default=0, help_text="Estimated.")),
                ("output_tokens", models.PositiveBigIntegerField(default=0, help_text="Estimated.")),
                (
                    "cost",
                    models.DecimalField(
                        decimal_places=6,
                        help_text="Estimated; none where no price is known.",
                        max_digits=14,
                        null=True,
                    ),
                ),
                (
                    "worst_cost",
                    models.DecimalField(
                        decimal_places=6, help_text="If every call took all it may.", max_digits=14, null=True
                    ),
                ),
            ],
            options={
                "ordering": ("run", "target"),
                "constraints": [
                    UniqueConstraint(fields=("run", "target"), name="run_share_unique"),
                    CheckConstraint(
                        condition=Q(planned__gte=models.F("accepted") + F("failed")),
                        name="run_share_settles_what_is_planned",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="OutcomeCount",
            fields=[
                ID,
                ("run", models.ForeignKey("generation.generationrun", CASCADE, related_name="outcomes")),
                ("target", models.ForeignKey("generation.target", PROTECT, related_name="+")),
                ("outcome", models.CharField(max_length=16)),
                ("attempts", models.PositiveIntegerField(default=0)),
                ("input_tokens", models.PositiveBigIntegerField(default=0)),
                ("output_tokens", models.PositiveBigIntegerField(default=0)),
                ("cost", models.DecimalField(decimal_places=6, default=0, max_digits=14)),
            ],
            options={
                "ordering": ("run", "target", "outcome"),
                "constraints": [UniqueConstraint(fields=("run", "target", "outcome"), name="outcome_count_unique")],
            },
        ),
        migrations.CreateModel(
            name="GivenText",
            fields=[
                ID,
                ("sha256", models.CharField(max_length=64, unique=True)),
                ("prompt_text", models.TextField()),
                ("response_text", models.TextField()),
            ],
        ),
        # -- candidates for prompts ----------------------------------------------------------------------------
        migrations.CreateModel(
            name="Bundle",
            fields=[
                ID,
                ("study", models.ForeignKey("annotation.study", PROTECT, related_name="+")),
                ("scenario", models.ForeignKey("generation.scenario", PROTECT, related_name="bundles")),
                ("target", models.ForeignKey("generation.target", PROTECT, db_index=False, related_name="+")),
                (
                    "scratchpad",
                    models.TextField(help_text="What the generator thought aloud; no part of any prompt."),
                ),
                ("made_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "ordering": ("study", "scenario", "target"),
                "constraints": [
                    UniqueConstraint(fields=("target", "scenario"), name="bundle_of_generator_and_scenario_unique")
                ],
            },
        ),
        migrations.CreateModel(
            name="Candidate",
            fields=[
                ID,
                (
                    "bundle",
                    models.ForeignKey("generation.bundle", PROTECT, db_index=False, related_name="candidates"),
                ),
                ("position", models.PositiveSmallIntegerField(help_text="In its bundle, from 1 on.")),
                ("label", models.CharField(help_text="The underlying issue, in 5 to 15 words.", max_length=300)),
                ("dimensions", models.TextField(help_text="What sets it apart from the others of its bundle.")),
                ("text", models.TextField()),
                ("sha256", models.CharField(max_length=64)),
            ],
            options={
                "ordering": ("bundle", "position"),
                "constraints": [UniqueConstraint(fields=("bundle", "position"), name="candidate_position_unique")],
            },
        ),
        # -- calls to models -----------------------------------------------------------------------------------
        migrations.CreateModel(
            name="Call",
            fields=[
                ID,
                (
                    "run",
                    models.ForeignKey("generation.generationrun", PROTECT, db_index=False, related_name="calls"),
                ),
                ("key", models.CharField(max_length=64, unique=True)),
                ("target", models.ForeignKey("generation.target", PROTECT, db_index=False, related_name="+")),
                (
                    "prompt_version",
                    models.ForeignKey("annotation.promptversion", PROTECT, blank=True, null=True, related_name="+"),
                ),
                (
                    "response",
                    models.ForeignKey("annotation.response", PROTECT, blank=True, null=True, related_name="+"),
                ),
                (
                    "item",
                    models.ForeignKey(
                        "annotation.judgingitem", PROTECT, blank=True, db_index=False, null=True, related_name="+"
                    ),
                ),
                (
                    "given",
                    models.ForeignKey(
                        "generation.giventext", PROTECT, blank=True, db_index=False, null=True, related_name="+"
                    ),
                ),
                (
                    "scenario",
                    models.ForeignKey(
                        "generation.scenario", PROTECT, blank=True, db_index=False, null=True, related_name="+"
                    ),
                ),
                (
                    "candidate",
                    models.ForeignKey(
                        "generation.candidate", PROTECT, blank=True, db_index=False, null=True, related_name="+"
                    ),
                ),
                (
                    "beside",
                    models.ForeignKey(
                        "generation.candidate", PROTECT, blank=True, db_index=False, null=True, related_name="+"
                    ),
                ),
                (
                    "arm",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("human", "Human"),
                            ("model", "Model"),
                            ("weak", "Deliberately weak"),
                            ("maximum", "Maximum capability, shown to no judge"),
                        ],
                        help_text="Of an answer.",
                        max_length=7,
                    ),
                ),
                ("perspective", models.CharField(blank=True, help_text="Of a panel's score.", max_length=60)),
                ("replicate", models.PositiveSmallIntegerField(default=1)),
                (
                    "state",
                    models.CharField(
                        choices=[("pending", "pending"), ("accepted", "accepted"), ("failed", "failed")],
                        default="pending",
                        max_length=12,
                    ),
                ),
                ("due_at", models.DateTimeField(blank=True, null=True)),
                ("leased_until", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "ordering": ("run", "id"),
                "indexes": [
                    models.Index(fields=["run", "state", "id"], name="call_by_run_and_state"),
                    models.Index(
                        condition=Q(state="pending"), fields=["run", "target", "id"], name="call_pending_by_target"
                    ),
                ],
                "constraints": [
                    CheckConstraint(
                        condition=Q(state__in=("pending", "accepted", "failed")), name="call_state_known"
                    ),
                    CheckConstraint(
                        condition=about("prompt_version") & ALONE
                        | about("response") & ALONE
                        | about("item") & ALONE
                        | about("given") & ALONE
                        | about("scenario") & ALONE
                        | about("candidate"),
                        name="call_is_about_one_thing",
                    ),
                    CheckConstraint(
                        condition=Q(beside__isnull=True) | Q(candidate__lt=F("beside")), name="call_beside_in_order"
                    ),
                    CheckConstraint(
                        condition=Q(arm__in=["model", "weak", "maximum"], prompt_version__isnull=False)
                        | Q(arm="", prompt_version__isnull=True),
                        name="call_for_an_answer_has_an_arm",
                    ),
                    CheckConstraint(
                        condition=Q(state="pending") | Q(leased_until__isnull=True), name="call_settled_is_nobodys"
                    ),
                ],
            },
        ),
        # Calls are about candidates of a bundle, which a call has made: one of the three comes without its reference.
        migrations.AddField(
            model_name="bundle",
            name="call",
            field=models.OneToOneField("generation.call", PROTECT, related_name="bundle"),
        ),
        migrations.CreateModel(
            name="ProviderBatch",
            fields=[
                ID,
                ("run", models.ForeignKey("generation.generationrun", PROTECT, related_name="batches")),
                ("target", models.ForeignKey("generation.target", PROTECT, related_name="+")),
                (
                    "state",
                    models.CharField(
                        choices=[("sending", "sending"), ("sent", "sent"), ("ended", "ended"), ("lost", "lost")],
                        default="sending",
                        max_length=12,
                    ),
                ),
                (
                    "remote_id",
                    models.CharField(
                        blank=True, help_text="The provider's; empty until it answered.", max_length=200
                    ),
                ),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                ("looked_at", models.DateTimeField(blank=True, null=True)),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                ("detail", models.TextField(blank=True, help_text="What the provider last said of it.")),
            ],
            options={
                "verbose_name_plural": "provider batches",
                "ordering": ("run", "id"),
                "constraints": [
                    CheckConstraint(
                        condition=Q(state__in=("sending", "sent", "ended", "lost")), name="batch_state_known"
                    ),
                    CheckConstraint(
                        condition=Q(state__in=["sending", "lost"]) | ~Q(remote_id=""), name="batch_sent_has_an_id"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Attempt",
            fields=[
                ID,
                ("call", models.ForeignKey("generation.call", PROTECT, related_name="attempts")),
                ("number", models.PositiveSmallIntegerField()),
                (
                    "batch",
                    models.ForeignKey(
                        "generation.providerbatch", PROTECT, blank=True, null=True, related_name="attempts"
                    ),
                ),
                ("sent_at", models.DateTimeField()),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                ("outcome", models.CharField(blank=True, max_length=16)),
                ("detail", models.CharField(blank=True, help_text="Why, in a sentence.", max_length=500)),
                ("request", models.TextField()),
                ("reply", models.TextField(blank=True)),
                ("status", models.PositiveSmallIntegerField(blank=True, help_text="Of HTTP.", null=True)),
                ("request_id", models.CharField(blank=True, max_length=200)),
                (
                    "model",
                    models.CharField(
                        blank=True, help_text="The model that answered, as its provider says.", max_length=120
                    ),
                ),
                ("milliseconds", models.PositiveIntegerField(blank=True, null=True)),
                ("input_tokens", models.PositiveIntegerField(default=0)),
                ("cached_tokens", models.PositiveIntegerField(default=0)),
                ("cache_write_tokens", models.PositiveIntegerField(default=0)),
                ("output_tokens", models.PositiveIntegerField(default=0)),
                ("reasoning_tokens", models.PositiveIntegerField(default=0)),
                (
                    "reserved",
                    models.DecimalField(
                        decimal_places=6,
                        default=0,
                        help_text="Worst case, set aside before it left.",
                        max_digits=14,
                    ),
                ),
                ("cost", models.DecimalField(blank=True, decimal_places=6, max_digits=14, null=True)),
            ],
            options={
                "ordering": ("call", "number"),
                "indexes": [
                    models.Index(fields=["ended_at"], name="attempt_by_end"),
                    models.Index(condition=Q(ended_at__isnull=True), fields=["call"], name="attempt_on_its_way"),
                ],
                "constraints": [
                    UniqueConstraint(fields=("call", "number"), name="attempt_number_unique"),
                    CheckConstraint(
                        condition=Q(cost__isnull=True, ended_at__isnull=True, outcome="")
                        | Q(cost__isnull=False, ended_at__isnull=False) & ~Q(outcome=""),
                        name="attempt_ended_has_outcome",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ModelAnswer",
            fields=[
                (
                    "call",
                    models.OneToOneField(
                        "generation.call", PROTECT, primary_key=True, related_name="answer", serialize=False
                    ),
                ),
                ("attempt", models.OneToOneField("generation.attempt", PROTECT, related_name="+")),
                ("raw_text", models.TextField()),
                ("response", models.OneToOneField("annotation.response", PROTECT, related_name="+")),
                ("accepted_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={"ordering": ("call",)},
        ),
        # -- votes on candidates -------------------------------------------------------------------------------
        migrations.CreateModel(
            name="QualityVote",
            fields=[
                ID,
                (
                    "candidate",
                    models.ForeignKey("generation.candidate", PROTECT, db_index=False, related_name="votes"),
                ),
                ("target", models.ForeignKey("generation.target", PROTECT, null=True, related_name="+")),
                ("call", models.OneToOneField("generation.call", PROTECT, null=True, related_name="quality_vote")),
                ("reviewer", models.ForeignKey(PERSON, PROTECT, null=True, related_name="+")),
                ("depth", models.BooleanField()),
                ("open_endedness", models.BooleanField()),
                ("generalisation", models.BooleanField()),
                ("rejections", models.JSONField(default=list, help_text="Codes of what is wrong with it.")),
                ("reason", models.TextField(blank=True)),
                ("passes", models.BooleanField()),
                ("voted_at", models.DateTimeField(auto_now=True)),
            ],
            options={
                "ordering": ("candidate", "id"),
                "constraints": [
                    CheckConstraint(
                        condition=Q(call__isnull=False, reviewer=None, target__isnull=False)
                        | Q(call=None, reviewer__isnull=False, target=None),
                        name="quality_vote_is_somebodys",
                    ),
                    UniqueConstraint(fields=("candidate", "target"), name="quality_vote_of_target_unique"),
                    UniqueConstraint(fields=("candidate", "reviewer"), name="quality_vote_of_reviewer_unique"),
                    CheckConstraint(
                        condition=Q(passes=False)
                        | Q(depth=True, generalisation=True, open_endedness=True, rejections=[]),
                        name="quality_vote_passes_what_meets_every_criterion",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="PairVote",
            fields=[
                ID,
                ("first", models.ForeignKey("generation.candidate", PROTECT, db_index=False, related_name="+")),
                ("second", models.ForeignKey("generation.candidate", PROTECT, related_name="+")),
                ("target", models.ForeignKey("generation.target", PROTECT, null=True, related_name="+")),
                ("call", models.OneToOneField("generation.call", PROTECT, null=True, related_name="pair_vote")),
                ("reviewer", models.ForeignKey(PERSON, PROTECT, null=True, related_name="+")),
                ("is_equivalent", models.BooleanField()),
                ("reason", models.TextField(blank=True)),
                ("voted_at", models.DateTimeField(auto_now=True)),
            ],
            options={
                "ordering": ("first", "second", "id"),
                "constraints": [
                    CheckConstraint(condition=Q(first__lt=F("second")), name="pair_vote_in_order"),
                    CheckConstraint(
                        condition=Q(call__isnull=False, reviewer=None, target__isnull=False)
                        | Q(call=None, reviewer__isnull=False, target=None),
                        name="pair_vote_is_somebodys",
                    ),
                    UniqueConstraint(fields=("first", "second", "target"), name="pair_vote_of_target_unique"),
                    UniqueConstraint(fields=("first", "second", "reviewer"), name="pair_vote_of_reviewer_unique"),
                ],
            },
        ),
        # -- samples and maps of prompts -----------------------------------------------------------------------
        migrations.CreateModel(
            name="PromptSample",
            fields=[
                ID,
                ("study", models.ForeignKey("annotation.study", PROTECT, related_name="+")),
                ("seed", models.PositiveIntegerField(default=42)),
                ("per_source", models.PositiveSmallIntegerField(default=10)),
                ("scheme", models.CharField(default="all", help_text="Whose votes count.", max_length=6)),
                ("least_passes", models.PositiveSmallIntegerField(default=2)),
                (
                    "report",
                    models.JSONField(help_text="By source: eligible, strata, generators, and what fell short."),
                ),
                ("content_sha256", models.CharField(help_text="Of codes and texts, in order.", max_length=64)),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                ("made_by", models.ForeignKey(PERSON, PROTECT, blank=True, null=True, related_name="+")),
                (
                    "taken_at",
                    models.DateTimeField(blank=True, help_text="When it became the study's prompts.", null=True),
                ),
                ("taken_by", models.ForeignKey(PERSON, PROTECT, blank=True, null=True, related_name="+")),
            ],
            options={
                "ordering": ("study", "-id"),
                "constraints": [
                    CheckConstraint(condition=Q(scheme__in=["all", "others"]), name="prompt_sample_scheme_known"),
                    CheckConstraint(
                        condition=Q(taken_at__isnull=True, taken_by__isnull=True)
                        | Q(taken_at__isnull=False, taken_by__isnull=False),
                        name="prompt_sample_taken_at_by",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="SampledPrompt",
            fields=[
                ID,
                (
                    "sample",
                    models.ForeignKey("generation.promptsample", CASCADE, db_index=False, related_name="prompts"),
                ),
                ("candidate", models.ForeignKey("generation.candidate", PROTECT, related_name="+")),
                ("position", models.PositiveSmallIntegerField()),
                ("code", models.CharField(max_length=24)),
                (
                    "prompt",
                    models.ForeignKey("annotation.prompt", SET_NULL, blank=True, null=True, related_name="+"),
                ),
            ],
            options={
                "ordering": ("sample", "position"),
                "constraints": [
                    UniqueConstraint(fields=("sample", "position"), name="sampled_prompt_position_unique"),
                    UniqueConstraint(fields=("sample", "code"), name="sampled_prompt_code_unique"),
                    UniqueConstraint(fields=("sample", "candidate"), name="sampled_prompt_candidate_unique"),
                ],
            },
        ),
        migrations.CreateModel(
            name="TextEmbedding",
            fields=[
                ID,
                ("method", models.CharField(help_text="Provider and model.", max_length=200)),
                ("sha256", models.CharField(help_text="Of the text.", max_length=64)),
                ("vector", models.BinaryField()),
            ],
            options={"constraints": [UniqueConstraint(fields=("method", "sha256"), name="text_embedding_unique")]},
        ),
        migrations.CreateModel(
            name="PromptMap",
            fields=[
                ID,
                ("study", models.ForeignKey("annotation.study", PROTECT, related_name="+")),
                ("source", models.ForeignKey("generation.source", PROTECT, related_name="+")),
                ("method", models.CharField(help_text="How texts became numbers.", max_length=200)),
                ("projection", models.CharField(help_text="How these became two.", max_length=8)),
                ("drawing", models.JSONField(default=dict)),
                ("problem", models.TextField(blank=True, help_text="Why it could not be drawn.")),
                ("asked_at", models.DateTimeField(auto_now_add=True)),
                ("asked_by", models.ForeignKey(PERSON, PROTECT, blank=True, null=True, related_name="+")),
                ("drawn_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "ordering": ("study", "-id"),
                "constraints": [
                    CheckConstraint(condition=Q(projection__in=["pca", "umap"]), name="prompt_map_projection_known")
                ],
            },
        ),
        # -- the panel -----------------------------------------------------------------------------------------
        migrations.CreateModel(
            name="PanelScore",
            fields=[
                ID,
                ("call", models.ForeignKey("generation.call", PROTECT, db_index=False, related_name="scores")),
                (
                    "response",
                    models.ForeignKey(
                        "annotation.response",
                        PROTECT,
                        blank=True,
                        help_text="None for a text of a file.",
                        null=True,
                        related_name="+",
                    ),
                ),
                ("scores", models.JSONField()),
                (
                    "abstained",
                    models.BooleanField(
                        default=False, help_text="The judge holds that the answer declines to engage."
                    ),
                ),
                (
                    "mentioned",
                    models.JSONField(blank=True, default=list, help_text="Dimensions a justification speaks of."),
                ),
            ],
            options={
                "ordering": ("call", "id"),
                "constraints": [
                    UniqueConstraint(
                        condition=Q(response__isnull=False), fields=("call", "response"), name="panel_score_unique"
                    ),
                    UniqueConstraint(
                        condition=Q(response__isnull=True),
                        fields=("call",),
                        name="panel_score_of_a_given_text_unique",
                    ),
                ],
            },
        ),
    ]
