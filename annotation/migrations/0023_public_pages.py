"""A study has a public page, unless that is switched off, as it stays in studies from before there were any."""

from django.db import migrations, models

ABOUT = "Whether everybody finds its commitment, and later its protocol and releases."


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0022_mail_by_workers"),
    ]

    operations = [
        migrations.AddField(
            model_name="study",
            name="is_public",
            field=models.BooleanField(default=False, help_text=ABOUT),
        ),
        migrations.AlterField(
            model_name="study",
            name="is_public",
            field=models.BooleanField(default=True, help_text=ABOUT),
        ),
    ]
