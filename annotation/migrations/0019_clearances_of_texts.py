"""What a coordinator has cleared is a row with its reason; of existing studies it comes from the trail."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

CLEARED_SO_FAR = """
INSERT INTO annotation_textclearance
    (response_id, reason, cleared_at, cleared_by_id, withdrawn_because, is_withheld)
SELECT DISTINCT ON (stimulus.response_id)
    stimulus.response_id, left(event.detail ->> 'reason', 400), event.at, event.actor_id, '', false
FROM annotation_stimulus stimulus
JOIN annotation_auditevent event
    ON event.verb = 'text.clear' AND event.subject = stimulus.response_id::text
    AND event.study_id = stimulus.study_id
WHERE stimulus.state = 'admitted' AND event.actor_id IS NOT NULL AND event.detail ->> 'reason' <> ''
ORDER BY stimulus.response_id, event.id DESC
"""


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0018_answers_done_without"),
    ]

    operations = [
        migrations.CreateModel(
            name="TextClearance",
            fields=[
                (
                    "id",
                    models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                ),
                ("reason", models.CharField(max_length=400)),
                (
                    "cleared_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                ("withdrawn_at", models.DateTimeField(blank=True, null=True)),
                ("withdrawn_because", models.CharField(blank=True, max_length=400)),
                (
                    "is_withheld",
                    models.BooleanField(
                        default=False,
                        help_text="Withdrawn once the study was unblinded: releases leave the text out.",
                    ),
                ),
                (
                    "cleared_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "response",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="annotation.response"
                    ),
                ),
                (
                    "withdrawn_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ("response", "id"),
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("is_withheld", False), ("withdrawn_at__isnull", False), _connector="OR"
                        ),
                        name="text_withheld_once_withdrawn",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("withdrawn_at__isnull", True)),
                        fields=("response",),
                        name="text_clearance_stands_once",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("reason", ""), _negated=True), name="text_clearance_has_a_reason"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("withdrawn_at__isnull", True),
                                ("withdrawn_because", ""),
                                ("withdrawn_by__isnull", True),
                            ),
                            models.Q(
                                ("withdrawn_at__isnull", False),
                                ("withdrawn_by__isnull", False),
                                models.Q(("withdrawn_because", ""), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="text_clearance_withdrawn_by_for_a_reason",
                    ),
                ],
            },
        ),
        migrations.RunSQL(CLEARED_SO_FAR, migrations.RunSQL.noop),
    ]
