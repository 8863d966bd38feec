"""Prompts keep their versions through rounds, and what was decided about feedback on them is kept."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0026_benchmarks"),
    ]

    operations = [
        migrations.AddField(
            model_name="promptversion",
            name="carried_from",
            field=models.ForeignKey(
                blank=True,
                help_text="The version of an earlier round that this one repeats or rewords.",
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="carried_on",
                to="annotation.promptversion",
            ),
        ),
        migrations.CreateModel(
            name="RewordingDecision",
            fields=[
                (
                    "id",
                    models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                ),
                (
                    "decision",
                    models.CharField(
                        choices=[
                            ("accepted", "Accepted as proposed"),
                            ("edited", "Accepted in other words"),
                            ("declined", "Declined"),
                        ],
                        max_length=8,
                    ),
                ),
                ("wording", models.TextField(blank=True)),
                ("reason", models.CharField(max_length=400)),
                ("decided_at", models.DateTimeField()),
                (
                    "assignment",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="rewording",
                        to="annotation.writingassignment",
                    ),
                ),
                (
                    "decided_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "prompt_version",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="rewordings",
                        to="annotation.promptversion",
                    ),
                ),
            ],
            options={
                "ordering": ("assignment",),
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("decision__in", ["accepted", "edited", "declined"])),
                        name="rewording_decision_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("reason", ""), _negated=True), name="rewording_has_a_reason"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("decision", "declined"), ("wording", "")),
                            models.Q(
                                models.Q(("decision", "declined"), _negated=True),
                                models.Q(("wording", ""), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="rewording_has_a_wording_unless_declined",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("decision", "declined"), _negated=True),
                        fields=("prompt_version",),
                        name="rewording_one_for_the_next_round",
                    ),
                ],
            },
        ),
    ]
