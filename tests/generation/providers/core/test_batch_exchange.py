"""Batches where providers' answers are not what they should be."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from generation.providers.anthropic_batches import AnthropicBatches
from generation.providers.batch_exchange import BatchFault, Exchange
from generation.providers.core.catalogue import Endpoint
from generation.providers.http import HttpProvider
from generation.providers.openai_responses import OpenAIResponses

ENDPOINT = Endpoint("fake", "Fake", "openai_responses", base_url="https://provider.example/v1")
NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


class Pages(Exchange):
    """Answers with these pages, the last of them again and again."""

    def __init__(self, *pages: Sequence[dict[str, Any]]) -> None:
        super().__init__(HttpProvider(ENDPOINT, OpenAIResponses()))
        self._pages = list(pages)
        self.asked = 0

    def ask(self, *_: str, **__: Any) -> dict[str, Any]:
        self.asked += 1
        page = self._pages.pop(0) if len(self._pages) > 1 else self._pages[0]
        return {"data": page, "has_more": True}


def found(exchange: Exchange) -> str | None:
    return AnthropicBatches(exchange).find(
        "", keys=["ours"], since=NOW, until=NOW + timedelta(minutes=30), known=frozenset()
    )


@pytest.mark.parametrize("page", [[{}], [{"id": ""}], [{"id": "same"}]])
def test_a_list_without_an_end_is_not_read_for_ever(page: Sequence[dict[str, Any]]) -> None:
    exchange = Pages(page)
    with pytest.raises(BatchFault, match="cannot be read to its end"):
        list(exchange.listed("/batches", cursor="after"))
    assert exchange.asked <= 2


@pytest.mark.parametrize("made_at", ["", "yesterday", "2026-11-21T12:00:00"])
def test_a_batch_without_a_time_is_passed_over(made_at: str) -> None:
    older = {"id": "older", "created_at": (NOW - timedelta(hours=1)).isoformat()}
    assert found(Pages([{"id": "odd", "created_at": made_at}, older])) is None


def test_a_batch_of_another_time_is_nobody_we_wait_for() -> None:
    counts = {"processing": 1}
    times = {"newer": NOW + timedelta(hours=1), "older": NOW - timedelta(hours=1)}
    page = [{"id": name, "created_at": at.isoformat(), "request_counts": counts} for name, at in times.items()]
    assert found(Pages(page)) is None


def test_what_a_provider_says_of_a_request_it_left_out_can_be_kept() -> None:
    detail = Pages([]).left_out("x" * 600 + "\0").detail
    assert len(detail) == 500
    assert "\0" not in Pages([]).left_out("\0").detail
