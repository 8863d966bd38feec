"""How surely a text leaks, so that the list in quarantine begins with what surely does; and what readers said of it."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0016_normalisation_has_a_version"),
    ]

    operations = [
        migrations.CreateModel(
            name="TextReading",
            fields=[
                (
                    "id",
                    models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                ),
                ("text_sha256", models.CharField(max_length=64)),
                (
                    "reader",
                    models.CharField(
                        help_text="The name of the model that read it, as the study calls it.", max_length=40
                    ),
                ),
                (
                    "verdict",
                    models.PositiveSmallIntegerField(
                        choices=[
                            (0, "finds nothing that leaks"),
                            (1, "perhaps leaks"),
                            (2, "probably leaks"),
                            (3, "surely leaks"),
                        ]
                    ),
                ),
                ("quote", models.TextField(blank=True)),
                ("reason", models.TextField()),
                (
                    "read_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
            ],
            options={
                "ordering": ("response", "id"),
            },
        ),
        migrations.AddField(
            model_name="stimulus",
            name="leak_severity",
            field=models.PositiveSmallIntegerField(
                default=0,
                help_text="Of the gravest finding: 3 surely leaks, 2 probably, 1 perhaps; 0 for none, or where none says.",
            ),
        ),
        migrations.AddConstraint(
            model_name="stimulus",
            constraint=models.CheckConstraint(
                condition=models.Q(("leak_severity__lte", 3)), name="stimulus_leak_severity_known"
            ),
        ),
        migrations.AddField(
            model_name="textreading",
            name="response",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="+", to="annotation.response"
            ),
        ),
        migrations.AddConstraint(
            model_name="textreading",
            constraint=models.UniqueConstraint(
                fields=("response", "text_sha256", "reader"), name="text_reading_unique"
            ),
        ),
        migrations.AddConstraint(
            model_name="textreading",
            constraint=models.CheckConstraint(
                condition=models.Q(("verdict__lte", 3)), name="text_reading_verdict_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="textreading",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("quote", ""), ("verdict", 0)),
                    models.Q(("verdict__gt", 0), models.Q(("quote", ""), _negated=True)),
                    _connector="OR",
                ),
                name="text_reading_quotes_what_leaks",
            ),
        ),
    ]
