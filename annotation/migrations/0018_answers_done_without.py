"""A coordinator may do without an answer whose text was rejected, for a reason that is kept."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0017_what_gives_texts_away"),
    ]

    operations = [
        migrations.CreateModel(
            name="WaivedAnswer",
            fields=[
                (
                    "id",
                    models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                ),
                (
                    "waived_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                ("reason", models.CharField(max_length=400)),
                (
                    "assignment",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="waiver",
                        to="annotation.writingassignment",
                    ),
                ),
                (
                    "waived_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "ordering": ("assignment",),
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("reason", ""), _negated=True), name="waived_answer_has_a_reason"
                    )
                ],
            },
        ),
    ]
