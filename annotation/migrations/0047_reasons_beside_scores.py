"""Judge models may be asked for a sentence beside each score."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0046_side_texts_go_after_a_release"),
    ]

    operations = [
        migrations.AddField(
            model_name="study",
            name="panel_gives_reasons",
            field=models.BooleanField(
                default=False,
                help_text="Judge models write a sentence beside each score. It is kept and shown, and costs output.",
            ),
        ),
    ]
