"""Offices that are not as they were published and recorded are named; those that are, and older ones, are not."""

from dataclasses import replace

import pytest

from analysis.blinding.core.office_check import Appointment, Holder, Offices, Unblinding, of_offices
from annotation.unblinders.core.commitment import Named, statement, statement_sha256

SEED = "5e" * 32
ADA, MEI, LATE = Named("Ada Novak", "Brno"), Named("Mei Tanaka", "Kansai"), Named("Tomas Lindqvist", "Uppsala")
TEXT = statement(study="trial", seed_sha256=SEED, unblinders=[ADA, MEI], recovery=None)
SHA256 = statement_sha256(TEXT)
FOUNDERS = (Holder(ADA, 1, False, 1, None), Holder(MEI, 2, False, 2, None))
CONSENT = Appointment(proposed_by=9, consented_by=1, by_recovery=False, recorded=frozenset({1}))
AS_IT_WAS = Offices(TEXT, SHA256, SHA256, FOUNDERS, {}, Unblinding(1, 2))


def found(offices: Offices) -> str:
    return " ".join(of_offices(offices, seed_sha256=SEED))


def with_late(**others: object) -> Offices:
    late = Holder(LATE, 3, False, 3, replace(CONSENT, **others))  # type: ignore[arg-type]
    return replace(AS_IT_WAS, holders=(*FOUNDERS, late))


def test_offices_as_published_and_recorded_pass() -> None:
    assert found(AS_IT_WAS) == ""
    assert found(with_late()) == ""
    by_third = {"consented_by": None, "by_recovery": True, "recorded": frozenset({None})}
    assert found(with_late(**by_third)) == ""


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"statement": None, "kept_sha256": None}, "is gone"),
        ({"recorded_sha256": "0" * 64}, "not the one that the audit trail has"),
        ({"statement": TEXT.replace("Mei", "May")}, "not the one that was published"),
        ({"holders": FOUNDERS[:1]}, "not those whom the statement names"),
        ({"holders": (*FOUNDERS, Holder(LATE, 3, False, 3, None))}, "not those whom the statement names"),
        ({"holders": (FOUNDERS[0], Holder(MEI, 2, False, None, None))}, "Mei Tanaka accepted the office"),
        ({"holders": (FOUNDERS[0], Holder(MEI, 2, False, 9, None))}, "Mei Tanaka accepted the office"),
        ({"third": {"name": "Puppet"}}, "third person is not the one"),
        ({"unblinding": Unblinding(1, 1)}, "same person asked for unblinding and approved"),
        ({"unblinding": Unblinding(7, 2)}, "asked for unblinding held no office"),
        ({"unblinding": Unblinding(1, None)}, "approved the unblinding held no office"),
    ],
    ids=lambda value: "" if isinstance(value, str) else ",".join(value),
)
def test_what_an_operator_changes_about_the_offices_is_named(changed: dict[str, object], words: str) -> None:
    assert words in found(replace(AS_IT_WAS, **changed))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"recorded": frozenset()}, "no such consent"),
        ({"consented_by": 2}, "no such consent"),
        ({"by_recovery": True}, "no such consent"),
        ({"proposed_by": 1}, "whoever proposed it, or of themselves"),
        ({"consented_by": 3, "recorded": frozenset({3})}, "whoever proposed it, or of themselves"),
        ({"consented_by": 8, "recorded": frozenset({8})}, "never in office"),
    ],
    ids=lambda value: "" if isinstance(value, str) else ",".join(value),
)
def test_somebody_who_came_into_office_otherwise_than_by_another_s_consent_is_named(
    changed: dict[str, object], words: str
) -> None:
    assert words in found(with_late(**changed))


def test_a_study_from_before_there_were_offices_is_let_pass() -> None:
    holders = (Holder(ADA, 1, True, None, None), Holder(MEI, 2, True, None, None))
    assert found(Offices(None, None, None, holders, {}, Unblinding(1, 2))) == ""
