"""What a judge first sees of an item. Studies that exist keep what their judges know: all answers at once."""

from django.db import migrations, models

CHOICES = [("reading", "One answer, to be read"), ("overview", "All answers and the rubric at once")]
HELP = "What a judge first sees of an item; each view is a key away from the other."


def field(default: str) -> models.CharField:
    return models.CharField(choices=CHOICES, default=default, help_text=HELP, max_length=8)


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0023_public_pages"),
    ]

    operations = [
        migrations.AddField(model_name="study", name="item_opens_with", field=field("overview")),
        migrations.AlterField(model_name="study", name="item_opens_with", field=field("reading")),
    ]
