"""Who unblinds holds an office by name. Studies that were locked before keep those who could unblind until now."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

# Of studies that are locked and still blinded: active researchers who do not administer the site.
FOUND = """
INSERT INTO annotation_unblinder (study_id, user_id, name, affiliation, email, account_sha256, is_found, ending)
SELECT study.id, person.id, person.name, '', person.email, '', true, ''
FROM annotation_participation member
JOIN annotation_study study ON study.id = member.study_id
JOIN annotation_user person ON person.id = member.user_id
WHERE study.state IN ('writing', 'assembling', 'judging', 'closed') AND member.role = 'researcher'
  AND member.left_at IS NULL AND person.is_active AND NOT person.is_staff AND NOT person.is_superuser
ORDER BY study.id, person.id;
"""
# The loop looks at their accounts, writes them into the record at its first look, and goes on looking.
WATCHED = """
INSERT INTO annotation_task (kind, subject, due_at, attempts, last_error, asked_at)
SELECT 'watch_unblinders', id::text, clock_timestamp(), 0, '', clock_timestamp()
FROM annotation_study WHERE state IN ('writing', 'assembling', 'judging', 'closed')
ON CONFLICT DO NOTHING;
"""
APPEND_ONLY = """
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON annotation_officecommitment
    FOR EACH ROW EXECUTE FUNCTION annotation_refuse_change();
"""
APPEND_ONLY_UNDONE = "DROP TRIGGER append_only ON annotation_officecommitment;"


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0013_leases"),
    ]

    operations = [
        migrations.CreateModel(
            name="OfficeCommitment",
            fields=[
                (
                    "study",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="annotation.study",
                    ),
                ),
                ("statement", models.TextField()),
                ("sha256", models.CharField(max_length=64)),
                (
                    "made_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
            ],
        ),
        migrations.CreateModel(
            name="OfficeNotice",
            fields=[
                (
                    "id",
                    models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                ),
                ("email", models.EmailField(max_length=254)),
                ("subject", models.CharField(max_length=250)),
                ("body", models.TextField()),
                (
                    "asked_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                ("sent_at", models.DateTimeField(blank=True, null=True)),
                (
                    "study",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="annotation.study"
                    ),
                ),
            ],
            options={
                "ordering": ("id",),
            },
        ),
        migrations.CreateModel(
            name="Unblinder",
            fields=[
                (
                    "id",
                    models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                ),
                ("name", models.CharField(max_length=120)),
                ("affiliation", models.CharField(blank=True, max_length=160)),
                ("email", models.EmailField(max_length=254)),
                ("account_sha256", models.CharField(blank=True, max_length=64)),
                (
                    "proposed_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                ("is_found", models.BooleanField(default=False)),
                ("accepted_at", models.DateTimeField(blank=True, null=True)),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                (
                    "ending",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("declined", "declined"),
                            ("withdrawn", "withdrawn"),
                            ("account_changed", "void, as the account was changed before the office stood"),
                            ("not_accepted", "not accepted before the design was locked"),
                            ("replaced", "over, and proposed anew"),
                        ],
                        max_length=16,
                    ),
                ),
                (
                    "proposed_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "study",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="unblinders",
                        to="annotation.study",
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
            },
        ),
        migrations.CreateModel(
            name="OfficeChange",
            fields=[
                (
                    "id",
                    models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                ),
                ("kind", models.CharField(max_length=8)),
                ("reason", models.TextField(blank=True)),
                ("email", models.EmailField(blank=True, max_length=254)),
                ("account_sha256", models.CharField(blank=True, max_length=64)),
                (
                    "proposed_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                ("consented_at", models.DateTimeField(blank=True, null=True)),
                ("by_recovery", models.BooleanField(default=False)),
                ("withdrawn_at", models.DateTimeField(blank=True, null=True)),
                (
                    "consented_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "proposed_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
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
                (
                    "unblinder",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="changes",
                        to="annotation.unblinder",
                    ),
                ),
            ],
            options={
                "ordering": ("id",),
            },
        ),
        migrations.CreateModel(
            name="RecoveryPerson",
            fields=[
                (
                    "study",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="annotation.study",
                    ),
                ),
                ("name", models.CharField(max_length=120)),
                ("affiliation", models.CharField(max_length=160)),
                ("email", models.EmailField(max_length=254)),
                ("named_at", models.DateTimeField()),
                ("token_sha256", models.CharField(blank=True, max_length=64, null=True, unique=True)),
                ("asked_at", models.DateTimeField(blank=True, null=True)),
                (
                    "named_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("asked_at__isnull", True), ("token_sha256__isnull", True)),
                            models.Q(("asked_at__isnull", False), ("token_sha256__isnull", False)),
                            _connector="OR",
                        ),
                        name="recovery_asked_by_link",
                    )
                ],
            },
        ),
        migrations.AddConstraint(
            model_name="unblinder",
            constraint=models.UniqueConstraint(
                condition=models.Q(("ended_at__isnull", True)),
                fields=("study", "user"),
                name="unblinder_once_per_person",
            ),
        ),
        migrations.AddConstraint(
            model_name="unblinder",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("accepted_at__isnull", True),
                    models.Q(
                        models.Q(("affiliation", ""), _negated=True),
                        models.Q(("account_sha256", ""), _negated=True),
                    ),
                    _connector="OR",
                ),
                name="unblinder_accepted_with_affiliation_and_account",
            ),
        ),
        migrations.AddConstraint(
            model_name="unblinder",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("ended_at__isnull", True), ("ending", "")),
                    models.Q(("ended_at__isnull", False), models.Q(("ending", ""), _negated=True)),
                    _connector="OR",
                ),
                name="unblinder_ended_somehow",
            ),
        ),
        migrations.AddConstraint(
            model_name="unblinder",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("ending__in", ["", "declined", "withdrawn", "account_changed", "not_accepted", "replaced"])
                ),
                name="unblinder_ending_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="officechange",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["appoint", "leave", "restore"])), name="office_change_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="officechange",
            constraint=models.UniqueConstraint(
                condition=models.Q(("kind__in", ["appoint", "leave"]), ("withdrawn_at__isnull", True)),
                fields=("unblinder", "kind"),
                name="office_change_one_of_a_kind",
            ),
        ),
        migrations.AddConstraint(
            model_name="officechange",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("consented_by__isnull", True),
                    ("proposed_by__isnull", True),
                    models.Q(("consented_by", models.F("proposed_by")), _negated=True),
                    _connector="OR",
                ),
                name="office_change_needs_a_second_person",
            ),
        ),
        migrations.AddConstraint(
            model_name="officechange",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("by_recovery", False), ("consented_at__isnull", True), ("consented_by__isnull", True)
                    ),
                    models.Q(
                        ("by_recovery", False), ("consented_at__isnull", False), ("consented_by__isnull", False)
                    ),
                    models.Q(
                        ("by_recovery", True), ("consented_at__isnull", False), ("consented_by__isnull", True)
                    ),
                    _connector="OR",
                ),
                name="office_change_consented_by_one",
            ),
        ),
        migrations.AddConstraint(
            model_name="officechange",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("kind", "restore"), _negated=True),
                    models.Q(("account_sha256", ""), _negated=True),
                    _connector="OR",
                ),
                name="office_change_restores_an_account",
            ),
        ),
        migrations.RunSQL(APPEND_ONLY, APPEND_ONLY_UNDONE),
        migrations.RunSQL(FOUND, migrations.RunSQL.noop),
        migrations.RunSQL(WATCHED, migrations.RunSQL.noop),
    ]
