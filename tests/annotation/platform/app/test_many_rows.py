"""Many rows are written in one statement as they were given, and know their keys."""

from datetime import UTC, datetime
from decimal import Decimal

import pytest
from django.db import DataError

from annotation.platform.services import many_rows
from generation.calls.models import Attempt
from generation.panel.models import PanelScore
from tests.generation.calls.engine import a_run

pytestmark = pytest.mark.django_db

AWKWARD = '\\ "quoted\\" {NULL,\',} \t\n%s %b – 日本'


def test_rows_come_back_as_they_were_written_each_with_its_own_key() -> None:
    calls = list(a_run().calls.all()[:3])
    rows = [
        Attempt(
            call=call,
            number=number,
            sent_at=datetime(2026, 11, 27, 10, number, tzinfo=UTC),
            request=f"{AWKWARD}{number}",
            reserved=Decimal("0.000001") * 10**number,
            milliseconds=None if number == 2 else 70_000 * number,
        )
        for number, call in enumerate(calls, start=1)
    ]
    many_rows.insert(rows)
    many_rows.insert([])
    for row in rows:
        kept = Attempt.objects.get(pk=row.pk)
        for field in Attempt._meta.concrete_fields:
            assert getattr(kept, field.attname) == getattr(row, field.attname), field.name
    scores = [
        PanelScore(call=call, scores={AWKWARD: place}, mentioned=[AWKWARD] * place, abstained=bool(place))
        for place, call in enumerate(calls)
    ]
    many_rows.insert(scores)
    for score in scores:
        kept_score = PanelScore.objects.get(pk=score.pk)
        said = kept_score.scores, kept_score.mentioned, kept_score.reasons, kept_score.abstained
        assert said == (score.scores, score.mentioned, {}, score.abstained)


def test_a_text_longer_than_its_column_is_refused_not_cut() -> None:
    [call] = a_run().calls.all()[:1]
    sent_at = datetime(2026, 11, 27, tzinfo=UTC)
    with pytest.raises(DataError, match="too long"):
        many_rows.insert([Attempt(call=call, number=1, sent_at=sent_at, request="…", detail="x" * 501)])
