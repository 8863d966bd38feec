"""Every answer says by which version of the rules it was brought into the one style.

Those that are there came in by the first. None of them is touched.
"""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotation", "0015_received_texts")]

    operations = [
        migrations.AddField(
            model_name="response",
            name="normalisation",
            field=models.PositiveSmallIntegerField(
                default=1, help_text="Version of the rules by which the text was brought into the one style."
            ),
        ),
    ]
