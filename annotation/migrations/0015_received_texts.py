"""Texts are recorded as they were sent and read afterwards. Those that are there have all been read."""

from django.db import migrations, models
from django.db.models import Q

STATES = ("received", "admitted", "quarantined", "rejected", "withdrawn")


class Migration(migrations.Migration):
    dependencies = [("annotation", "0014_unblinders")]

    operations = [
        migrations.RemoveConstraint(model_name="stimulus", name="stimulus_state_known"),
        migrations.AlterField(
            model_name="stimulus",
            name="state",
            field=models.CharField(choices=[(state, state) for state in STATES], default="received", max_length=12),
        ),
        migrations.AddConstraint(
            model_name="stimulus",
            constraint=models.CheckConstraint(name="stimulus_state_known", condition=Q(state__in=STATES)),
        ),
        migrations.AddField(
            model_name="stimulus",
            name="is_read",
            field=models.BooleanField(
                default=True, help_text="Normalised and scanned; until then it is as it was sent."
            ),
        ),
        migrations.AlterField(
            model_name="stimulus",
            name="is_read",
            field=models.BooleanField(
                default=False, help_text="Normalised and scanned; until then it is as it was sent."
            ),
        ),
        migrations.AddField(
            model_name="stimulus",
            name="tries",
            field=models.PositiveSmallIntegerField(
                default=0, help_text="To read it, those that broke off included."
            ),
        ),
        migrations.AddField(
            model_name="stimulus",
            name="fault",
            field=models.CharField(
                blank=True, default="", help_text="Why it could not be read, in words.", max_length=200
            ),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="stimulus",
            name="names",
            field=models.JSONField(
                blank=True, default=list, help_text="Would identify the author; kept for reading it."
            ),
        ),
        migrations.AddConstraint(
            model_name="stimulus",
            constraint=models.CheckConstraint(
                name="stimulus_admitted_once_read", condition=~Q(state="admitted") | Q(is_read=True)
            ),
        ),
        migrations.AddConstraint(
            model_name="stimulus",
            constraint=models.CheckConstraint(
                name="stimulus_received_unread", condition=~Q(state="received") | Q(is_read=False)
            ),
        ),
        migrations.AddConstraint(
            model_name="stimulus",
            constraint=models.CheckConstraint(
                name="stimulus_held_unread_for_a_fault",
                condition=~Q(state="quarantined") | Q(is_read=True) | ~Q(fault=""),
            ),
        ),
    ]
