"""The record of a ceremony: every step with its hashes, and what was refused; nothing secret before its time."""

import pytest
from django.urls import reverse

from analysis.ceremony.selectors.record import STEPS, record_of
from analysis.data.core.parameters import DEFAULTS
from analysis.frozen.models import Freeze
from analysis.report.services.runs import ask_for_run
from annotation.people.services.members import withdraw_consent
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.services import audit
from annotation.study.models.participation import Consent, Role
from annotation.study.models.studies import Study
from annotation.texts.models.seeds import StudySeed
from tests.ceremony import a_published_release, asked, prepared, published
from tests.clients import signed_in
from tests.factories import a_closed_study, a_study, an_unblinded_study, members_of, researchers_of
from tests.scrub_site.crawl.routes_analysis import ANALYSIS

pytestmark = pytest.mark.django_db


def page_of(study: Study) -> str:
    answer = signed_in(researchers_of(study)[0]).get(reverse("study_record", args=[study.slug]))
    assert answer.status_code == 200
    return answer.content.decode()


def test_the_record_has_every_step_in_its_order_with_who_took_it() -> None:
    study = a_published_release(1, 1, 1).study
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


def test_the_record_says_which_run_or_release_a_step_is_about() -> None:
    study = an_unblinded_study(1, 1, 1)
    ask_for_run(study=study, parameters=DEFAULTS, by=researchers_of(study)[0])
    published(study)
    published(study)
    draft = prepared(study)
    about = [line.about for line in record_of(study) if line.about]
    asked_for_and_published = [*["Release 1"] * 3, *["Release 2"] * 3]
    assert about == ["Run 1", *asked_for_and_published, *[f"Not published, prepared as {draft.pk}"] * 2]


def test_the_record_names_writers_and_judges_by_their_pseudonyms() -> None:
    study = a_closed_study(1, 1, 1)
    judge = members_of(study, Role.JUDGE)[0]
    Consent.objects.get_or_create(participation=judge, defaults={"version": study.consent_version})
    signed_in(judge.user).post(reverse("request_unblinding", args=[study.slug]), {"reason": "I am curious."})
    withdraw_consent(participation=judge, by=judge.user)
    assert [(line.what, line.who) for line in record_of(study)][-2:] == [
        ("Refused: asking for unblinding", judge.pseudonym),
        ("Consent withdrawn", judge.pseudonym),
    ]
    assert judge.user.name not in page_of(study)


def verbs_written_down() -> set[str]:
    """All verbs of the analysis, and the refusals of everything that can be tried there."""
    verbs = {verb for verb in AuditVerb.values if verb.startswith(("unblinding.", "release.", "analysis."))}
    tried = {line.name for line in ANALYSIS if line.method == "POST"} | {"judgments_csv"}
    return verbs | {f"{name}.refused" for name in tried}


def test_the_record_leaves_out_nothing_that_is_written_down() -> None:
    assert len(verbs_written_down()) > len(["asked", "finished", "requested"])
    assert verbs_written_down() <= set(STEPS)


def test_the_record_shows_commitment_and_frozen_hash_and_no_seed_before_unblinding() -> None:
    study = a_closed_study(1, 1, 1)
    asked(study)
    kept, page = StudySeed.objects.get(study=study), page_of(study)
    assert kept.commitment in page
    assert Freeze.objects.get(study=study).sha256 in page
    assert "All is in." in page
    assert bytes(kept.seed).hex() not in page


def test_the_record_shows_the_seed_once_it_is_revealed() -> None:
    study = an_unblinded_study(1, 1, 1)
    assert bytes(StudySeed.objects.get(study=study).seed).hex() in page_of(study)


def test_the_record_has_the_refusals_too_with_their_reason() -> None:
    study = a_closed_study(1, 1, 1)
    request = asked(study)
    signed_in(researchers_of(study)[0]).post(
        reverse("decide_unblinding", args=[request.pk]), {"decision": "approve"}
    )
    line = record_of(study)[-1]
    assert (line.what, line.was_refused) == ("Refused: deciding on unblinding", True)
    assert line.told == (("Why", "You asked for this yourself; another researcher must decide."),)


def test_the_record_says_where_a_row_stands_in_the_chain() -> None:
    study = a_closed_study(1, 1, 1)
    assert {line.seal for line in record_of(study)} == {None}
    audit.seal()
    seals = [line.seal for line in record_of(study)]
    assert None not in seals
    assert seals == sorted(seals, key=lambda number: number or 0)


def test_the_record_of_a_study_in_design_has_nothing_yet() -> None:
    assert record_of(a_study()) == ()
