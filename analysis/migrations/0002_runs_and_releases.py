"""Analyses run in the background and keep their files; a release is prepared before it is published."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

PERSON = settings.AUTH_USER_MODEL

# Constraints follow in this transaction: they cannot while what the update has set off still waits for its end.
PUBLISHED_BEFORE = """
UPDATE analysis_release
SET prepared_at = asked_at, published_at = asked_at, published_by_id = asked_by_id;
SET CONSTRAINTS ALL IMMEDIATE;
"""


def person(**options):
    return models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="+", to=PERSON, **options)


class Migration(migrations.Migration):
    dependencies = [
        ("analysis", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            "freeze",
            "tables",
            models.JSONField(blank=True, default=dict, help_text="SHA-256 by table."),
        ),
        migrations.DeleteModel("AnalysisRun"),
        migrations.CreateModel(
            name="AnalysisRun",
            fields=[
                (
                    "id",
                    models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[("masked", "Agreement, sources masked"), ("full", "Everything, sources known")],
                        max_length=6,
                    ),
                ),
                ("number", models.PositiveSmallIntegerField(help_text="Counts a study's runs, from 1.")),
                ("parameters", models.JSONField()),
                ("asked_at", models.DateTimeField(auto_now_add=True)),
                ("progress", models.JSONField(blank=True, default=dict)),
                ("problem", models.TextField(blank=True, help_text="Why it could not be finished.")),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                (
                    "data_sha256",
                    models.CharField(blank=True, help_text="Of the tables it read.", max_length=64),
                ),
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
                ("asked_by", person()),
                (
                    "repeats",
                    models.ForeignKey(
                        blank=True,
                        help_text="The run that this one was to compute again.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="repetitions",
                        to="analysis.analysisrun",
                    ),
                ),
                (
                    "study",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="annotation.study"
                    ),
                ),
            ],
            options={
                "ordering": ("study", "-number"),
                "constraints": [
                    models.UniqueConstraint(fields=("study", "number"), name="analysis_run_number_unique"),
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["masked", "full"])), name="analysis_run_kind_known"
                    ),
                    models.CheckConstraint(
                        name="analysis_run_finished_is_hashed",
                        condition=models.Q(finished_at__isnull=True, data_sha256="", results_sha256="")
                        | models.Q(finished_at__isnull=False, problem="")
                        & ~models.Q(data_sha256="")
                        & ~models.Q(code_version="")
                        & ~models.Q(results_sha256=""),
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="RunFile",
            fields=[
                (
                    "id",
                    models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                ),
                ("name", models.CharField(max_length=120)),
                ("content", models.BinaryField()),
                (
                    "run",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="files", to="analysis.analysisrun"
                    ),
                ),
            ],
            options={
                "ordering": ("run", "name"),
                "constraints": [models.UniqueConstraint(fields=("run", "name"), name="run_file_name_unique")],
            },
        ),
        migrations.RenameField("release", "released_at", "asked_at"),
        migrations.RenameField("release", "released_by", "asked_by"),
        migrations.AlterModelOptions("release", {"ordering": ("study", "-asked_at", "-id")}),
        migrations.AddField("release", "k", models.PositiveSmallIntegerField(default=5)),
        migrations.AddField("release", "progress", models.JSONField(blank=True, default=dict)),
        migrations.AddField(
            "release", "problem", models.TextField(blank=True, help_text="Why it could not be prepared.")
        ),
        migrations.AddField("release", "prepared_at", models.DateTimeField(blank=True, null=True)),
        migrations.AddField("release", "report", models.JSONField(blank=True, default=dict)),
        migrations.AddField("release", "published_at", models.DateTimeField(blank=True, null=True)),
        migrations.AddField("release", "published_by", person(blank=True, null=True)),
        migrations.AlterField(
            "release",
            "manifest",
            models.JSONField(blank=True, default=dict, help_text="SHA-256 by file name."),
        ),
        migrations.AlterField(
            "release",
            "number",
            models.PositiveSmallIntegerField(blank=True, help_text="Counts those published, from 1.", null=True),
        ),
        migrations.RunSQL(PUBLISHED_BEFORE, migrations.RunSQL.noop),
        migrations.AddConstraint(
            "release",
            models.CheckConstraint(
                name="release_published_at_by",
                condition=models.Q(number__isnull=True, published_at__isnull=True, published_by__isnull=True)
                | models.Q(number__isnull=False, published_at__isnull=False, published_by__isnull=False),
            ),
        ),
        migrations.AddConstraint(
            "release",
            models.CheckConstraint(
                name="release_published_is_prepared",
                condition=models.Q(published_at__isnull=True) | models.Q(prepared_at__isnull=False, problem=""),
            ),
        ),
        migrations.AddConstraint(
            "release", models.CheckConstraint(name="release_k_at_least_1", condition=models.Q(k__gte=1))
        ),
        migrations.CreateModel(
            name="ReleaseArchive",
            fields=[
                (
                    "release",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="archive",
                        serialize=False,
                        to="analysis.release",
                    ),
                ),
                ("content", models.BinaryField()),
            ],
        ),
    ]
