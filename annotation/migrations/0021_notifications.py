"""Mails at changes of phase, and a study's own words for them."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0020_stalled_items"),
    ]

    operations = [
        migrations.CreateModel(
            name="Notification",
            fields=[
                (
                    "id",
                    models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                ),
                ("occasion", models.CharField(max_length=30)),
                ("subject", models.CharField(max_length=200)),
                ("body", models.TextField()),
                (
                    "asked_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                ("sent_at", models.DateTimeField(blank=True, null=True)),
                (
                    "reply_to",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "study",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="annotation.study"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "ordering": ("id",),
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "occasion__in",
                                [
                                    "writing_begun",
                                    "judging_begun",
                                    "answer_given_back",
                                    "unblinding_asked",
                                    "unblinding_declined",
                                    "study_published",
                                ],
                            )
                        ),
                        name="notification_occasion_known",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="NotificationWording",
            fields=[
                (
                    "id",
                    models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                ),
                ("occasion", models.CharField(max_length=30)),
                ("is_on", models.BooleanField()),
                ("subject", models.CharField(max_length=200)),
                ("text", models.TextField()),
                (
                    "study",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="annotation.study"
                    ),
                ),
            ],
            options={
                "ordering": ("study", "occasion"),
                "constraints": [
                    models.UniqueConstraint(fields=("study", "occasion"), name="notification_wording_one_each"),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "occasion__in",
                                [
                                    "writing_begun",
                                    "judging_begun",
                                    "answer_given_back",
                                    "unblinding_asked",
                                    "unblinding_declined",
                                    "study_published",
                                ],
                            )
                        ),
                        name="notification_wording_occasion_known",
                    ),
                ],
            },
        ),
    ]
