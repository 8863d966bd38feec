"""What limits somebody invited brings along, and what whoever invites says in the mail."""

import django.contrib.postgres.fields
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0036_rounds_of_prompts"),
    ]

    operations = [
        migrations.AddField(
            model_name="invitation",
            name="available_from",
            field=models.DateField(blank=True, help_text="First day on which the person has time.", null=True),
        ),
        migrations.AddField(
            model_name="invitation",
            name="available_until",
            field=models.DateField(blank=True, help_text="Last day on which the person has time.", null=True),
        ),
        migrations.AddField(
            model_name="invitation",
            name="capacity",
            field=models.PositiveSmallIntegerField(
                blank=True, help_text="Most prompts this person takes; empty for no limit.", null=True
            ),
        ),
        migrations.AddField(
            model_name="invitation",
            name="excludes",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.CharField(max_length=80),
                blank=True,
                default=list,
                help_text="Prompts this person must not get: by code, domain or discipline.",
                size=None,
            ),
        ),
        migrations.AddField(
            model_name="invitation",
            name="institution",
            field=models.CharField(
                blank=True,
                help_text="For assignment alone: colleagues should not judge each other.",
                max_length=160,
            ),
        ),
        migrations.AddField(
            model_name="invitation",
            name="message",
            field=models.TextField(
                blank=True, help_text="What whoever invites says in the mail, beside what it always says."
            ),
        ),
        migrations.AddField(
            model_name="invitation",
            name="prefers",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.CharField(max_length=80),
                blank=True,
                default=list,
                help_text="Prompts this person should rather get: by code, domain or discipline.",
                size=None,
            ),
        ),
        migrations.AddConstraint(
            model_name="invitation",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("available_from__isnull", True),
                    ("available_until__isnull", True),
                    ("available_until__gte", models.F("available_from")),
                    _connector="OR",
                ),
                name="invitation_available_in_order",
            ),
        ),
    ]
