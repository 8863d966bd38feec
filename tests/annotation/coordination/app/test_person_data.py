"""One person's data are handed over on request, and their name is taken out of the site."""

import json
import stat
from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from annotation.coordination.services.erasing import NAME, erase, erase_whose_time_is_over
from annotation.platform.core.errors import Refused
from annotation.platform.models.audit import AuditEvent
from annotation.platform.models.users import User
from annotation.platform.services.clock import database_now
from annotation.study.models.participation import Invitation, Participation, Role
from annotation.study.models.studies import Study, StudyStep
from tests.clients import signed_in
from tests.factories import (
    a_judged_study,
    a_member,
    a_person,
    a_study,
    a_writing_study,
    an_unblinded_study,
    assignments_of,
    members_of,
    researchers_of,
    written,
)

pytestmark = pytest.mark.django_db


def exported(person: User, folder: Path) -> dict[str, object]:
    out = folder / "person.json"
    call_command("export_person", person.email, out=out, stdout=StringIO())
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    found: dict[str, object] = json.loads(out.read_text(encoding="utf-8"))
    return found


def test_everything_that_is_held_of_a_writer_is_written_to_a_file_of_their_own(tmp_path: Path) -> None:
    study = a_writing_study()
    written(assignments_of(study)[0], "What I think of it, in my own words.")
    writer = members_of(study, Role.WRITER)[0].user
    found = exported(writer, tmp_path)
    assert found["account"]["email"] == writer.email  # type: ignore[index]
    assert "What I think of it, in my own words." in json.dumps(found["studies"])
    assert [*found["studies"]] == [study.slug]  # type: ignore[misc]
    with pytest.raises(CommandError, match="is there already"):
        exported(writer, tmp_path)


def test_nothing_of_others_is_in_a_judges_data(tmp_path: Path) -> None:
    study = a_judged_study(1, 1)
    judge = members_of(study, Role.JUDGE)[0].user
    said = json.dumps(exported(judge, tmp_path))
    assert not [other.email for other in User.objects.exclude(pk=judge.pk) if other.email in said]


def test_a_name_is_taken_out_and_both_proofs_stay_whole() -> None:
    study = an_unblinded_study(1, 1)
    judge = members_of(study, Role.JUDGE)[0]
    name, email = judge.user.name, judge.user.email
    Participation.objects.filter(pk=judge.pk).update(left_at=study.created_at)
    browser = signed_in(judge.user)
    call_command("erase_person", email, reason="Their request of 1 March.", stdout=StringIO())

    judge.user.refresh_from_db()
    assert (judge.user.name, judge.user.is_active) == (NAME, False)
    assert not User.objects.filter(email=email).exists()
    assert not Invitation.objects.filter(name=name).exists()
    assert browser.get("/").status_code in (200, 302)
    assert "_auth_user_id" not in browser.session
    assert not [event for event in AuditEvent.objects.all() if name in json.dumps(event.detail)]
    call_command("verify_audit", stdout=StringIO())
    call_command("verify_blinding", study.slug, stdout=StringIO())


def test_who_is_needed_is_not_erased() -> None:
    study = a_writing_study()
    writer = members_of(study, Role.WRITER)[0].user
    with pytest.raises(Refused, match=f"still takes part in {study.slug}"):
        erase(user=writer, reason="Asked for.", by=None)
    with pytest.raises(Refused, match="is an unblinder"):
        erase(user=researchers_of(study)[0], reason="Asked for.", by=None)
    with pytest.raises(Refused, match="administrator"):
        erase(user=a_person("Ada Administrator", is_staff=True), reason="Asked for.", by=None)
    with pytest.raises(Refused):
        erase(user=a_member(a_study(slug="other"), Role.JUDGE).user, reason=" ", by=None)
    assert not User.objects.filter(name=NAME).exists()


def test_an_address_that_is_nobodys_is_told() -> None:
    with pytest.raises(CommandError, match="Nobody has an account with the address nobody@"):
        call_command("erase_person", "nobody@example.org", reason="Asked for.", stdout=StringIO())


def release(study: Study, *, days_ago: int) -> None:
    """As if the study had been released so many days ago."""
    Study.objects.filter(pk=study.pk).update(state="released")
    StudyStep.objects.create(study=study, verb="release", taken_at=database_now() - timedelta(days=days_ago))


class TestStudiesThatKeepNamesForATime:
    @pytest.mark.parametrize(
        ("months", "days_ago", "erased"),
        [(12, 370, 1), (12, 360, 0), (0, 1, 1), (None, 9999, 0)],
        ids=["past its time", "within its time", "kept not at all", "kept until somebody asks"],
    )
    def test_names_are_erased_once_the_months_since_the_release_are_over(
        self, months: int | None, days_ago: int, erased: int
    ) -> None:
        study = a_study("over", names_kept_months=months)
        judge = a_member(study, Role.JUDGE)
        release(study, days_ago=days_ago)
        assert erase_whose_time_is_over() == erased
        judge.user.refresh_from_db()
        assert (judge.user.name == NAME) == bool(erased)

    @pytest.mark.parametrize("role", [Role.WRITER, Role.COORDINATOR])
    def test_a_name_stays_as_long_as_another_study_needs_it(self, role: Role) -> None:
        study = a_study("over", names_kept_months=1)
        judge = a_member(study, Role.JUDGE)
        a_member(a_study("open"), role, judge.user)
        release(study, days_ago=99)
        assert erase_whose_time_is_over() == 0

    def test_who_runs_a_study_is_not_erased_with_those_who_took_part(self) -> None:
        study = a_study("over", names_kept_months=1)
        a_member(study, Role.RESEARCHER)
        release(study, days_ago=99)
        assert erase_whose_time_is_over() == 0

    def test_nobody_is_erased_twice(self) -> None:
        study = a_study("over", names_kept_months=1)
        a_member(study, Role.JUDGE)
        release(study, days_ago=99)
        assert [erase_whose_time_is_over(), erase_whose_time_is_over()] == [1, 0]
