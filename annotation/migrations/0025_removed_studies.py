"""A study that nobody has entered can be removed."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotation", "0024_what_an_item_opens_with")]

    operations = [
        migrations.AddField(
            model_name="study",
            name="removed_at",
            field=models.DateTimeField(
                blank=True, help_text="Nobody ever entered it: in no list, and its short name is free.", null=True
            ),
        ),
    ]
