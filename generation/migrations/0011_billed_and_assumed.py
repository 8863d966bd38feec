"""What was billed and what is assumed at worst stand apart. Of attempts made before it is told by their tokens."""

from django.db import migrations, models

_ATTEMPTS = """
UPDATE generation_attempt SET is_assumed = true
WHERE cost = reserved AND cost > 0 AND input_tokens = 0 AND output_tokens = 0
"""
_COUNTS = """
UPDATE generation_outcomecount AS row SET assumed = found.cost FROM (
    SELECT run_id, target_id, outcome, sum(cost) AS cost
    FROM generation_attempt AS attempt JOIN generation_call AS call ON call.id = attempt.call_id
    WHERE is_assumed GROUP BY run_id, target_id, outcome
) AS found
WHERE row.run_id = found.run_id AND row.target_id = found.target_id AND row.outcome = found.outcome
"""
_RUNS = """
UPDATE generation_generationrun AS run SET assumed = found.assumed FROM (
    SELECT run_id, sum(assumed) AS assumed FROM generation_outcomecount GROUP BY run_id
) AS found
WHERE run.id = found.run_id
"""


def _assumed(of: str) -> models.DecimalField:
    return models.DecimalField(
        decimal_places=6,
        default=0,
        help_text=f"Of {of}: worst cases, where nothing tells what was billed.",
        max_digits=14,
    )


class Migration(migrations.Migration):
    dependencies = [
        ("generation", "0010_dearest_calls"),
    ]

    operations = [
        migrations.AddField(
            model_name="attempt",
            name="is_assumed",
            field=models.BooleanField(
                default=False, help_text="The cost is the worst case: nothing tells what was billed."
            ),
        ),
        migrations.AddField(model_name="generationrun", name="assumed", field=_assumed("what is spent")),
        migrations.AddField(model_name="outcomecount", name="assumed", field=_assumed("the cost")),
        *(migrations.RunSQL(statement, migrations.RunSQL.noop) for statement in (_ATTEMPTS, _COUNTS, _RUNS)),
    ]
