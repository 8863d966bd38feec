"""By which offices a study is unblinded."""

from django.db import migrations, models
from django.db.models import PROTECT, CheckConstraint, F, Q

# Of requests that wait: the office of who asked, as it was found.
ASKED_AS = """
UPDATE analysis_unblindingrequest request SET requested_as_id = unblinder.id
FROM annotation_unblinder unblinder
WHERE request.decision = 'open' AND unblinder.study_id = request.study_id
  AND unblinder.user_id = request.requested_by_id;
"""


def office() -> models.ForeignKey:
    return models.ForeignKey("annotation.Unblinder", PROTECT, null=True, blank=True, related_name="+")


class Migration(migrations.Migration):
    dependencies = [("analysis", "0003_one_clock"), ("annotation", "0014_unblinders")]

    operations = [
        migrations.AddField("unblindingrequest", "requested_as", office()),
        migrations.AddField("unblindingrequest", "decided_as", office()),
        migrations.AddConstraint(
            "unblindingrequest",
            CheckConstraint(
                name="unblinding_needs_a_second_office",
                condition=Q(decided_as__isnull=True) | ~Q(decided_as=F("requested_as")),
            ),
        ),
        migrations.RunSQL(ASKED_AS, migrations.RunSQL.noop),
    ]
