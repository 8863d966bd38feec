"""The record of a ceremony: every step with its hashes, and what was refused; nothing secret before its time."""

import pytest
from django.urls import reverse

from analysis.models.ceremony import Freeze
from analysis.selectors.record import record_of
from annotation.models.seeds import StudySeed
from annotation.models.studies import Study
from annotation.services import audit
from tests.ceremony import asked, published
from tests.clients import signed_in
from tests.factories import a_closed_study, a_study, an_unblinded_study, researchers_of

pytestmark = pytest.mark.django_db


def page_of(study: Study) -> str:
    answer = signed_in(researchers_of(study)[0]).get(reverse("study_record", args=[study.slug]))
    assert answer.status_code == 200
    return answer.content.decode()


def test_has_every_step_in_its_order_with_who_took_it() -> None:
    study = an_unblinded_study(1, 1, 1)
    published(study)
    steps = [(line.what, line.who) for line in record_of(study)][-9:]
    assert steps == [
        ("Collection closed", "Rosa Researcher"),
        ("Data frozen", "Rosa Researcher"),
        ("Unblinding asked for", "Rosa Researcher"),
        ("Seed and sources revealed", "Remo Researcher"),
        ("Unblinding approved", "Remo Researcher"),
        ("Release asked for", "Rosa Researcher"),
        ("Release prepared", ""),
        ("Study released", "Rosa Researcher"),
        ("Release published", "Rosa Researcher"),
    ]


def test_shows_commitment_and_frozen_hash_and_no_seed_before_unblinding() -> None:
    study = a_closed_study(1, 1, 1)
    asked(study)
    kept, page = StudySeed.objects.get(study=study), page_of(study)
    assert kept.commitment in page
    assert Freeze.objects.get(study=study).sha256 in page
    assert "All is in." in page
    assert bytes(kept.seed).hex() not in page


def test_shows_the_seed_once_it_is_revealed() -> None:
    study = an_unblinded_study(1, 1, 1)
    assert bytes(StudySeed.objects.get(study=study).seed).hex() in page_of(study)


def test_has_the_refusals_too_with_their_reason() -> None:
    study = a_closed_study(1, 1, 1)
    request = asked(study)
    signed_in(researchers_of(study)[0]).post(
        reverse("decide_unblinding", args=[request.pk]), {"decision": "approve"}
    )
    line = record_of(study)[-1]
    assert (line.what, line.was_refused) == ("Refused: deciding on unblinding", True)
    assert line.told == (("Why", "You asked for this yourself; another researcher must decide."),)


def test_says_where_a_row_stands_in_the_chain() -> None:
    study = a_closed_study(1, 1, 1)
    assert {line.seal for line in record_of(study)} == {None}
    audit.seal()
    seals = [line.seal for line in record_of(study)]
    assert None not in seals
    assert seals == sorted(seals, key=lambda number: number or 0)


def test_of_a_study_in_design_has_nothing_yet() -> None:
    assert record_of(a_study()) == ()
