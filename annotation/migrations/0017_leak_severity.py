"""How surely a text leaks, so that the list of texts in quarantine begins with what surely does."""

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("annotation", "0016_normalisation")]

    operations = [
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
                name="stimulus_leak_severity_known", condition=Q(leak_severity__lte=3)
            ),
        ),
    ]
