"""The tables of closing, unblinding, analyses and releases."""

from django.conf import settings
from django.db import migrations, models
from django.db.models import PROTECT, CheckConstraint, F, Q, UniqueConstraint

PERSON = settings.AUTH_USER_MODEL
ID = ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"))

# Two columns of releases once had other names, which live on in those of an index and two constraints. All databases
# are to be alike in names too, so the index is made here. Before PostgreSQL 18, what only forbids NULL has no name.
FIRST_NAMES = """
CREATE INDEX analysis_release_released_by_id_92507ade ON analysis_release (asked_by_id);
DO $$
BEGIN
    IF current_setting('server_version_num')::integer >= 180000 THEN
        ALTER TABLE analysis_release
            RENAME CONSTRAINT analysis_release_asked_at_not_null TO analysis_release_released_at_not_null;
        ALTER TABLE analysis_release
            RENAME CONSTRAINT analysis_release_asked_by_id_not_null TO analysis_release_released_by_id_not_null;
    END IF;
END $$;
"""
FIRST_NAMES_UNDONE = """
DROP INDEX analysis_release_released_by_id_92507ade;
DO $$
BEGIN
    IF current_setting('server_version_num')::integer >= 180000 THEN
        ALTER TABLE analysis_release
            RENAME CONSTRAINT analysis_release_released_at_not_null TO analysis_release_asked_at_not_null;
        ALTER TABLE analysis_release
            RENAME CONSTRAINT analysis_release_released_by_id_not_null TO analysis_release_asked_by_id_not_null;
    END IF;
END $$;
"""


class Migration(migrations.Migration):
    initial = True
    # A database with all of these has everything below; one with some of them is refused by `scrub_site.database.migration_check`.
    replaces = [
        ("analysis", "0001_initial"),
        ("analysis", "0002_runs_and_releases"),
    ]
    dependencies = [
        ("annotation", "0001_squashed_0009_texts_are_edited"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        # -- closing and unblinding ----------------------------------------------------------------------------
        migrations.CreateModel(
            name="Freeze",
            fields=[
                (
                    "study",
                    models.OneToOneField(
                        "annotation.study", PROTECT, primary_key=True, related_name="+", serialize=False
                    ),
                ),
                ("sha256", models.CharField(max_length=64)),
                ("rows", models.PositiveIntegerField()),
                ("tables", models.JSONField(blank=True, default=dict, help_text="SHA-256 by table.")),
                ("frozen_at", models.DateTimeField(auto_now_add=True)),
                ("frozen_by", models.ForeignKey(PERSON, PROTECT, related_name="+")),
            ],
        ),
        migrations.CreateModel(
            name="UnblindingRequest",
            fields=[
                ID,
                ("study", models.ForeignKey("annotation.study", PROTECT, related_name="+")),
                ("reason", models.TextField()),
                ("requested_at", models.DateTimeField(auto_now_add=True)),
                ("requested_by", models.ForeignKey(PERSON, PROTECT, related_name="+")),
                (
                    "decision",
                    models.CharField(
                        choices=[
                            ("open", "Waiting for a second researcher"),
                            ("approved", "Approved"),
                            ("declined", "Declined"),
                        ],
                        default="open",
                        max_length=8,
                    ),
                ),
                ("decided_at", models.DateTimeField(blank=True, null=True)),
                ("decided_by", models.ForeignKey(PERSON, PROTECT, blank=True, null=True, related_name="+")),
            ],
            options={
                "ordering": ("-requested_at", "-id"),
                "constraints": [
                    CheckConstraint(
                        condition=Q(decided_at__isnull=True, decided_by__isnull=True)
                        | Q(decided_at__isnull=False, decided_by__isnull=False),
                        name="unblinding_decided_at_by",
                    ),
                    CheckConstraint(
                        condition=Q(decision__in=["open", "approved", "declined"]), name="unblinding_decision_known"
                    ),
                    CheckConstraint(
                        condition=Q(decided_by__isnull=True) | ~Q(decided_by=F("requested_by")),
                        name="unblinding_needs_a_second_person",
                    ),
                    CheckConstraint(
                        condition=Q(decided_by__isnull=True, decision="open")
                        | ~Q(decision="open") & Q(decided_by__isnull=False),
                        name="unblinding_decision_has_a_person",
                    ),
                    UniqueConstraint(
                        condition=~Q(decision="declined"), fields=("study",), name="unblinding_one_live_request"
                    ),
                ],
            },
        ),
        # -- analyses ------------------------------------------------------------------------------------------
        migrations.CreateModel(
            name="AnalysisRun",
            fields=[
                ID,
                ("study", models.ForeignKey("annotation.study", PROTECT, related_name="+")),
                (
                    "kind",
                    models.CharField(
                        choices=[("masked", "Agreement, sources masked"), ("full", "Everything, sources known")],
                        max_length=6,
                    ),
                ),
                ("number", models.PositiveSmallIntegerField(help_text="Counts a study's runs, from 1.")),
                ("parameters", models.JSONField()),
                (
                    "repeats",
                    models.ForeignKey(
                        "analysis.analysisrun",
                        PROTECT,
                        blank=True,
                        help_text="The run that this one was to compute again.",
                        null=True,
                        related_name="repetitions",
                    ),
                ),
                ("asked_at", models.DateTimeField(auto_now_add=True)),
                ("asked_by", models.ForeignKey(PERSON, PROTECT, related_name="+")),
                ("progress", models.JSONField(blank=True, default=dict)),
                ("problem", models.TextField(blank=True, help_text="Why it could not be finished.")),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                ("data_sha256", models.CharField(blank=True, help_text="Of the tables it read.", max_length=64)),
                (
                    "code_version",
                    models.CharField(
                        blank=True, help_text="With the hash of the analysis' own code.", max_length=80
                    ),
                ),
                (
                    "environment",
                    models.JSONField(blank=True, default=dict, help_text="Versions of Python and its libraries."),
                ),
                ("results_sha256", models.CharField(blank=True, help_text="Of results.json.", max_length=64)),
            ],
            options={
                "ordering": ("study", "-number"),
                "constraints": [
                    UniqueConstraint(fields=("study", "number"), name="analysis_run_number_unique"),
                    CheckConstraint(condition=Q(kind__in=["masked", "full"]), name="analysis_run_kind_known"),
                    CheckConstraint(
                        condition=Q(data_sha256="", finished_at__isnull=True, results_sha256="")
                        | Q(finished_at__isnull=False, problem="")
                        & ~Q(data_sha256="")
                        & ~Q(code_version="")
                        & ~Q(results_sha256=""),
                        name="analysis_run_finished_is_hashed",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="RunFile",
            fields=[
                ID,
                ("run", models.ForeignKey("analysis.analysisrun", PROTECT, related_name="files")),
                ("name", models.CharField(max_length=120)),
                ("content", models.BinaryField()),
            ],
            options={
                "ordering": ("run", "name"),
                "constraints": [UniqueConstraint(fields=("run", "name"), name="run_file_name_unique")],
            },
        ),
        # -- releases ------------------------------------------------------------------------------------------
        migrations.CreateModel(
            name="Release",
            fields=[
                ID,
                ("study", models.ForeignKey("annotation.study", PROTECT, related_name="+")),
                ("k", models.PositiveSmallIntegerField(default=5)),
                ("asked_at", models.DateTimeField(auto_now_add=True)),
                ("asked_by", models.ForeignKey(PERSON, PROTECT, db_index=False, related_name="+")),
                ("progress", models.JSONField(blank=True, default=dict)),
                ("problem", models.TextField(blank=True, help_text="Why it could not be prepared.")),
                ("prepared_at", models.DateTimeField(blank=True, null=True)),
                ("manifest", models.JSONField(blank=True, default=dict, help_text="SHA-256 by file name.")),
                ("report", models.JSONField(blank=True, default=dict)),
                (
                    "number",
                    models.PositiveSmallIntegerField(
                        blank=True, help_text="Counts those published, from 1.", null=True
                    ),
                ),
                ("published_at", models.DateTimeField(blank=True, null=True)),
                ("published_by", models.ForeignKey(PERSON, PROTECT, blank=True, null=True, related_name="+")),
            ],
            options={
                "ordering": ("study", "-asked_at", "-id"),
                "constraints": [
                    UniqueConstraint(fields=("study", "number"), name="release_number_unique"),
                    CheckConstraint(
                        condition=Q(number__isnull=True, published_at__isnull=True, published_by__isnull=True)
                        | Q(number__isnull=False, published_at__isnull=False, published_by__isnull=False),
                        name="release_published_at_by",
                    ),
                    CheckConstraint(
                        condition=Q(published_at__isnull=True) | Q(prepared_at__isnull=False, problem=""),
                        name="release_published_is_prepared",
                    ),
                    CheckConstraint(condition=Q(k__gte=1), name="release_k_at_least_1"),
                ],
            },
        ),
        migrations.CreateModel(
            name="ReleaseArchive",
            fields=[
                (
                    "release",
                    models.OneToOneField(
                        "analysis.release", PROTECT, primary_key=True, related_name="archive", serialize=False
                    ),
                ),
                ("content", models.BinaryField()),
            ],
        ),
        migrations.RunSQL(
            FIRST_NAMES,
            FIRST_NAMES_UNDONE,
            state_operations=[
                migrations.AlterField("release", "asked_by", models.ForeignKey(PERSON, PROTECT, related_name="+"))
            ],
        ),
    ]
