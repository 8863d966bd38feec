"""The writing room: the pen, the record of the process, repairs by the coordinator, outages."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0002_integrity"),
    ]

    operations = [
        migrations.CreateModel(
            name="OutageCredit",
            fields=[
                (
                    "id",
                    models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                ),
                ("began_at", models.DateTimeField()),
                ("ended_at", models.DateTimeField()),
                ("seconds", models.PositiveIntegerField()),
                ("decided_at", models.DateTimeField()),
            ],
            options={
                "ordering": ("assignment", "began_at"),
            },
        ),
        migrations.CreateModel(
            name="SideText",
            fields=[
                (
                    "id",
                    models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                ),
                ("pen_epoch", models.PositiveIntegerField()),
                ("seq", models.PositiveIntegerField()),
                ("text", models.TextField()),
                ("received_at", models.DateTimeField()),
            ],
            options={
                "ordering": ("assignment", "received_at", "id"),
            },
        ),
        migrations.CreateModel(
            name="UpPeriod",
            fields=[
                (
                    "id",
                    models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                ),
                ("began_at", models.DateTimeField()),
                ("seen_at", models.DateTimeField(help_text="The last time the site was seen to answer.")),
            ],
            options={
                "ordering": ("began_at", "id"),
            },
        ),
        migrations.RemoveField(
            model_name="draft",
            name="word_count",
        ),
        migrations.AddField(
            model_name="draft",
            name="closed_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="draft",
            name="closes_at",
            field=models.DateTimeField(
                blank=True,
                help_text="Last moment a save counts: deadline and grace. Empty without a limit.",
                null=True,
            ),
        ),
        migrations.AddField(
            model_name="draft",
            name="pen_holder",
            field=models.CharField(blank=True, help_text="The browser that holds the pen.", max_length=64),
        ),
        migrations.AddField(
            model_name="draftrevision",
            name="activity",
            field=models.JSONField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="latetext",
            name="decided_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="latetext",
            name="decided_by",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="latetext",
            name="reason",
            field=models.TextField(blank=True, help_text="Why the coordinator decided so."),
        ),
        migrations.AddField(
            model_name="participation",
            name="feedback",
            field=models.TextField(blank=True, help_text="What the person says when their work is done."),
        ),
        migrations.AddField(
            model_name="participation",
            name="feedback_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="study",
            name="writing_aids",
            field=models.BooleanField(
                default=False,
                help_text="The browser's spelling check, its suggestions and writing extensions are left on.",
            ),
        ),
        migrations.AddField(
            model_name="writingassignment",
            name="allowed_seconds",
            field=models.PositiveIntegerField(
                blank=True, help_text="Time allowed after reopening; empty for the study's own limit.", null=True
            ),
        ),
        migrations.AddField(
            model_name="writingassignment",
            name="paused_at",
            field=models.DateTimeField(blank=True, help_text="While set, the clock stands still.", null=True),
        ),
        migrations.AddField(
            model_name="writingassignment",
            name="process_comment",
            field=models.TextField(blank=True, help_text="The writer's word on the record of their process."),
        ),
        migrations.AlterField(
            model_name="draft",
            name="pen_epoch",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AlterField(
            model_name="draftrevision",
            name="assignment",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="revisions",
                to="annotation.writingassignment",
            ),
        ),
        migrations.AlterField(
            model_name="study",
            name="paste_policy",
            field=models.CharField(
                choices=[
                    ("allow", "Allow"),
                    ("flag", "Allow, and point it out to the coordinator"),
                    ("block", "Block text from outside"),
                ],
                default="flag",
                help_text="What happens to text pasted from outside the room.",
                max_length=6,
            ),
        ),
        migrations.AddConstraint(
            model_name="participation",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("feedback", ""), ("feedback_at__isnull", True)),
                    models.Q(
                        models.Q(("feedback", ""), _negated=True),
                        ("feedback_at__isnull", False),
                    ),
                    _connector="OR",
                ),
                name="participation_feedback_has_time",
            ),
        ),
        migrations.AddConstraint(
            model_name="latetext",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("decided_at__isnull", True), ("decided_by__isnull", True)),
                    models.Q(("decided_at__isnull", False), ("decided_by__isnull", False)),
                    _connector="OR",
                ),
                name="late_text_decision_has_person",
            ),
        ),
        migrations.AddConstraint(
            model_name="latetext",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("decided_at__isnull", True), ("decision", "open")),
                    models.Q(models.Q(("decision", "open"), _negated=True), ("decided_at__isnull", False)),
                    _connector="OR",
                ),
                name="late_text_decided_or_open",
            ),
        ),
        migrations.AddConstraint(
            model_name="writingassignment",
            constraint=models.CheckConstraint(
                condition=models.Q(("paused_at__isnull", True), ("state", "writing"), _connector="OR"),
                name="writing_paused_while_written",
            ),
        ),
        migrations.AddField(
            model_name="outagecredit",
            name="assignment",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="outage_credits",
                to="annotation.writingassignment",
            ),
        ),
        migrations.AddField(
            model_name="outagecredit",
            name="decided_by",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="sidetext",
            name="assignment",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="side_texts",
                to="annotation.writingassignment",
            ),
        ),
        migrations.AddConstraint(
            model_name="upperiod",
            constraint=models.CheckConstraint(
                condition=models.Q(("seen_at__gte", models.F("began_at"))), name="up_period_forwards"
            ),
        ),
        migrations.AddConstraint(
            model_name="outagecredit",
            constraint=models.UniqueConstraint(fields=("assignment", "began_at"), name="outage_decided_once"),
        ),
        migrations.AddConstraint(
            model_name="outagecredit",
            constraint=models.CheckConstraint(
                condition=models.Q(("ended_at__gt", models.F("began_at"))), name="outage_forwards"
            ),
        ),
    ]
