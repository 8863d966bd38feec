"""Fixtures of tests that sign in by the pages."""

from tests.annotation.people.app.conftest import fresh_counters

__all__ = ["fresh_counters"]
