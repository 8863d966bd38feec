"""What everybody may know of a study: until judging has closed only that its seed and design are fixed."""

import hashlib

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse

from annotation.design.services.protocol import clone_study, show_publicly
from annotation.people.services import members
from annotation.platform.models.audit import AuditEvent
from annotation.study.models.participation import Role
from annotation.study.models.studies import Study
from annotation.texts.models.seeds import StudySeed
from tests.ceremony import a_published_release
from tests.factories import (
    a_closed_study,
    a_judging_study,
    a_study,
    coordinator_of,
    members_of,
)

pytestmark = pytest.mark.django_db


def visited(name: str, study: Study, *more: object) -> tuple[int, bytes]:
    answer = Client().get(reverse(name, args=[study.slug, *more]))
    return answer.status_code, answer.content


def test_before_the_lock_there_is_no_public_page() -> None:
    assert visited("public_study", a_study())[0] == 404


def test_until_judging_has_closed_only_title_commitment_and_design_hash_are_public() -> None:
    """The protocol would tell judges which calibration exists, and prompts what others are asked."""
    study = a_judging_study(human=1, model=1, judges=2, prompts=2, description="About two towns.")
    status, page = visited("public_study", study)
    text = page.decode()
    assert status == 200
    assert StudySeed.objects.get().commitment in text
    assert study.fingerprints.get().sha256 in text
    assert study.title in text
    assert all(word not in text for word in ("About two towns", "Quality", "alibration", "Rubric", "Consent text"))
    assert all(member.user.name not in text for member in study.participations.select_related("user"))
    assert bytes(StudySeed.objects.get().seed).hex() not in text
    assert visited("public_design", study)[0] == 404


def test_once_judging_has_closed_the_protocol_is_public_and_the_design_behind_its_hash() -> None:
    study = a_closed_study(1, 1, 1)
    _, page = visited("public_study", study)
    text = page.decode()
    assert "Rubric:" in text
    assert coordinator_of(study).name not in text
    assert bytes(StudySeed.objects.get().seed).hex() not in text
    _, design = visited("public_design", study)
    assert hashlib.sha256(design).hexdigest() in text


def test_a_published_release_is_everybody_s_until_somebody_in_it_withdraws() -> None:
    release = a_published_release(2, 2, 2)
    study = release.study
    status, archive = visited("public_release", study, release.number)
    assert status == 200
    assert archive.startswith(b"PK")
    text = visited("public_study", study)[1].decode()
    assert all(sha256 in text for sha256 in release.manifest.values())
    assert bytes(StudySeed.objects.get().seed).hex() in text
    gone = members_of(study, Role.JUDGE)[0]
    members.withdraw_consent(participation=gone, by=gone.user)
    assert visited("public_release", study, release.number)[0] == 404
    assert "given out no more" in visited("public_study", study)[1].decode()


def test_a_public_page_can_be_switched_off_by_the_coordinator_and_stays_so_in_a_clone() -> None:
    study = a_closed_study(1, 1, 1)
    with pytest.raises(PermissionDenied):
        show_publicly(study=study, is_public=False, by=members_of(study, Role.JUDGE)[0].user)
    for _ in range(2):
        show_publicly(study=study, is_public=False, by=coordinator_of(study))
    assert AuditEvent.objects.filter(verb="study.made_private").count() == 1
    assert visited("public_study", study)[0] == visited("public_design", study)[0] == 404
    assert not clone_study(
        study=study, slug="copy", title="Copy", with_prompts=False, by=coordinator_of(study)
    ).is_public
