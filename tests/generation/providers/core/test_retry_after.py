"""How long a server asks to wait, in every form it may be written."""

from datetime import UTC, datetime

import pytest

from generation.providers.core.retry_after import seconds_to_wait

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "30"}, 30),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after": "-3"}, 0),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": ""}, None),
        ({"retry-after-ms": "250"}, 0.25),
        ({"retry-after-ms": "250", "retry-after": "30"}, 0.25),
        ({"retry-after-ms": "soon", "retry-after": "30"}, 30),
        # 12:02:00 is 120 s after 12:00:00.
        ({"retry-after": "Sat, 21 Nov 2026 12:02:00 GMT"}, 120),
        ({"retry-after": "Sat, 21 Nov 2026 12:02:00 -0000"}, 120),
        ({"retry-after": "Sat, 21 Nov 2026 11:00:00 GMT"}, 0),
        # By a server whose clock is 90 s ahead, 12:02:00 is only 30 s away.
        ({"retry-after": "Sat, 21 Nov 2026 12:02:00 GMT", "date": "Sat, 21 Nov 2026 12:01:30 GMT"}, 30),
        ({"retry-after": "Sat, 21 Nov 2026 12:02:00 GMT", "date": "?"}, 120),
    ],
    ids=str,
)
def test_the_wait_is_read_in_every_form(headers: dict[str, str], seconds: float | None) -> None:
    assert seconds_to_wait(headers, now=NOW) == seconds
