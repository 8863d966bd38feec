"""The judging room: leases, drafts of a direct ranking, marks, reading times, guesses, sealed judgments."""

import uuid

import django.core.validators
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0004_drafts_know_when_they_close"),
    ]

    operations = [
        migrations.CreateModel(
            name="Dwell",
            fields=[
                (
                    "id",
                    models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                ),
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
            },
        ),
        migrations.CreateModel(
            name="Mark",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("start", models.PositiveIntegerField(blank=True, null=True)),
                ("end", models.PositiveIntegerField(blank=True, null=True)),
                ("dimension", models.CharField(blank=True, max_length=40)),
                ("note", models.TextField(blank=True)),
                ("made_at", models.DateTimeField()),
            ],
            options={
                "ordering": ("slot", "start", "made_at", "id"),
            },
        ),
        migrations.RemoveConstraint(
            model_name="guess",
            name="guess_confidence_1_to_5",
        ),
        migrations.AlterField(
            model_name="guess",
            name="confidence",
            field=models.PositiveSmallIntegerField(
                blank=True,
                help_text="1 to 5; nobody is sure of not knowing.",
                null=True,
                validators=[
                    django.core.validators.MinValueValidator(1),
                    django.core.validators.MaxValueValidator(5),
                ],
            ),
        ),
        migrations.RemoveConstraint(
            model_name="judgingitem",
            name="judging_state_known",
        ),
        migrations.AddField(
            model_name="blindedslot",
            name="place",
            field=models.PositiveSmallIntegerField(
                blank=True, help_text="Where the judge ranks directly: the place so far, 1 for the best.", null=True
            ),
        ),
        migrations.AddField(
            model_name="judgingitem",
            name="asks_guess",
            field=models.BooleanField(default=False, help_text="Finally the judge guesses who wrote its answers."),
        ),
        migrations.AddField(
            model_name="judgingitem",
            name="guessed_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="judgingitem",
            name="leased_until",
            field=models.DateTimeField(
                blank=True,
                help_text="While open: when it counts as left lying, unless something is saved.",
                null=True,
            ),
        ),
        migrations.AddField(
            model_name="judgingitem",
            name="sha256",
            field=models.CharField(
                blank=True, help_text="Of the judgment as submitted; sealed with the audit trail.", max_length=64
            ),
        ),
        migrations.AddField(
            model_name="study",
            name="asks_about_equal_scores",
            field=models.BooleanField(
                default=False,
                help_text="Ask before submitting whether all answers really are equal. Off: such a question anchors.",
            ),
        ),
        migrations.AddField(
            model_name="study",
            name="lease_hours",
            field=models.PositiveSmallIntegerField(
                default=72,
                help_text="How long a begun item may rest before it counts as left lying.",
                validators=[
                    django.core.validators.MinValueValidator(1),
                    django.core.validators.MaxValueValidator(720),
                ],
            ),
        ),
        migrations.AlterField(
            model_name="judgingitem",
            name="justification",
            field=models.TextField(blank=True, help_text="A draft until the item is submitted."),
        ),
        migrations.AlterField(
            model_name="judgingitem",
            name="state",
            field=models.CharField(
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
        migrations.AddConstraint(
            model_name="blindedslot",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("place__isnull", True), models.Q(("place__gte", 1), ("place__lte", 8)), _connector="OR"
                ),
                name="slot_place_between_1_and_8",
            ),
        ),
        migrations.AddConstraint(
            model_name="judgingitem",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ("assigned", "open", "lapsed", "submitted", "cancelled"))),
                name="judging_state_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="judgingitem",
            constraint=models.CheckConstraint(
                condition=models.Q(("sha256", ""), ("state", "submitted"), _connector="OR"),
                name="judging_hash_is_of_a_submission",
            ),
        ),
        migrations.AddConstraint(
            model_name="judgingitem",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("guessed_at__isnull", True),
                    models.Q(("asks_guess", True), ("state", "submitted")),
                    _connector="OR",
                ),
                name="judging_guess_is_asked_and_last",
            ),
        ),
        migrations.AddField(
            model_name="dwell",
            name="slot",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="dwells", to="annotation.blindedslot"
            ),
        ),
        migrations.AddField(
            model_name="mark",
            name="slot",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="marks", to="annotation.blindedslot"
            ),
        ),
        migrations.AddConstraint(
            model_name="dwell",
            constraint=models.UniqueConstraint(fields=("slot", "window"), name="dwell_one_per_window"),
        ),
        migrations.AddConstraint(
            model_name="dwell",
            constraint=models.CheckConstraint(
                condition=models.Q(("depth__lte", 100)), name="dwell_depth_is_a_percentage"
            ),
        ),
        migrations.AddConstraint(
            model_name="mark",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("end__isnull", True), ("start__isnull", True)),
                    models.Q(("end__isnull", False), ("start__isnull", False)),
                    _connector="OR",
                ),
                name="mark_passage_has_both_ends",
            ),
        ),
        migrations.AddConstraint(
            model_name="mark",
            constraint=models.CheckConstraint(
                condition=models.Q(("start__isnull", True), ("end__gt", models.F("start")), _connector="OR"),
                name="mark_passage_is_not_empty",
            ),
        ),
        migrations.AddConstraint(
            model_name="mark",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("start__isnull", False), models.Q(("note", ""), _negated=True), _connector="OR"
                ),
                name="mark_says_something",
            ),
        ),
    ]
