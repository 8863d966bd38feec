from django.db import migrations

SHARES = """
INSERT INTO generation_runshare (run_id, target_id, planned, known, accepted, failed, input_tokens, output_tokens)
SELECT run_id, target_id, count(*), 0, count(*) FILTER (WHERE state = 'accepted'),
       count(*) FILTER (WHERE state = 'failed'), 0, 0
FROM generation_call GROUP BY run_id, target_id
"""
OUTCOMES = """
INSERT INTO generation_outcomecount (run_id, target_id, outcome, attempts, input_tokens, output_tokens, cost)
SELECT c.run_id, c.target_id, a.outcome, count(*), sum(a.input_tokens), sum(a.output_tokens), 0
FROM generation_attempt a JOIN generation_call c ON c.id = a.call_id
WHERE a.ended_at IS NOT NULL GROUP BY c.run_id, c.target_id, a.outcome
"""


class Migration(migrations.Migration):
    """Runs made before counts were kept get theirs."""

    dependencies = [("generation", "0003_panel")]

    operations = [
        migrations.RunSQL(SHARES, migrations.RunSQL.noop),
        migrations.RunSQL(OUTCOMES, migrations.RunSQL.noop),
    ]
