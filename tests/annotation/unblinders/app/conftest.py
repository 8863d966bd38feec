"""Fixtures of tests that sign in by the pages."""

from tests.annotation.people.app.conftest import fresh_counters, patient_codes

__all__ = ["fresh_counters", "patient_codes"]
