"""Every mail is sent by a worker, which makes its codes and links; and the database is seen to take writes."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0021_notifications"),
    ]

    operations = [
        migrations.AddField(
            model_name="invitation",
            name="link_nonce",
            field=models.CharField(blank=True, help_text="Empty in links of earlier versions.", max_length=32),
        ),
        migrations.AddField(
            model_name="recoveryperson",
            name="asked_by",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.CreateModel(
            name="AccountMail",
            fields=[
                (
                    "id",
                    models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                ),
                ("email", models.EmailField(max_length=254)),
                ("subject", models.CharField(max_length=250)),
                ("body", models.TextField()),
                (
                    "secret",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("", "nothing"),
                            ("code", "a code to sign in by"),
                            ("password", "a link to a new password"),
                            ("address", "a link that confirms an address"),
                        ],
                        max_length=8,
                    ),
                ),
                ("made_from", models.CharField(blank=True, max_length=40)),
                (
                    "asked_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
            ],
            options={
                "ordering": ("id",),
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("secret__in", ["", "code", "password", "address"])),
                        name="account_mail_secret_known",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="WriteCheck",
            fields=[
                (
                    "id",
                    models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                ),
                ("written_at", models.DateTimeField()),
            ],
            options={
                "constraints": [models.CheckConstraint(condition=models.Q(("id", 1)), name="write_check_one_row")],
            },
        ),
    ]
