"""What somebody with the database's password does to the offices shows, in the study and in its releases."""

import pytest

from analysis.ceremony.services import ceremony
from annotation.study.models.participation import Role
from annotation.study.models.studies import Study
from annotation.unblinders.models import RecoveryPerson, Unblinder
from tests.analysis.blinding.tampering import verified
from tests.ceremony import asked
from tests.factories import a_closed_study, a_judged_study, a_member, a_person, coordinator_of, researchers_of
from tests.scrub_site.app.audit_trail import somebody_with_the_databases_password
from tests.unblinders import come_into_office, office, somebody_new

pytestmark = pytest.mark.django_db


@pytest.fixture
def study() -> Study:
    return a_closed_study(1, 1, 1)


def test_offices_as_they_came_about_are_verified(study: Study) -> None:
    assert verified(study) == []


def test_somebody_who_came_into_office_by_consent_is_verified_before_and_after_unblinding() -> None:
    study = a_judged_study(1, 1, 1)
    late = somebody_new(study)
    come_into_office(study, late)
    ceremony.close_study(study=study, by=late, despite_missing=True)
    assert verified(study) == []
    ceremony.decide_unblinding(request=asked(study), approve=True, by=late)
    assert verified(study) == []


def test_an_office_that_is_written_into_the_database_is_named_and_unblinds_nothing(study: Study) -> None:
    puppet = a_person("Tomas Lindqvist")
    a_member(study, Role.RESEARCHER, puppet)
    real = office(study, researchers_of(study)[0]).row
    row = Unblinder(study=study, user=puppet, name=puppet.name, affiliation="Here", email=puppet.email)
    row.accepted_at, row.account_sha256 = real.accepted_at, ""
    row.account_sha256 = "0" * 64
    row.save()
    row.account_sha256 = office(study, puppet).account_now
    row.save()
    assert office(study, puppet).stands
    assert any("not those whom the statement names" in said for said in verified(study))
    assert any("does not say that Tomas Lindqvist accepted" in said for said in verified(study))
    with pytest.raises(Exception, match="not as it was closed"):
        ceremony.decide_unblinding(request=asked(study), approve=True, by=puppet)


def test_a_statement_that_is_written_anew_is_named(study: Study) -> None:
    with somebody_with_the_databases_password() as cursor:
        cursor.execute("UPDATE annotation_officecommitment SET statement = replace(statement, 'Remo', 'Tomas')")
    assert any("not the one that was published" in said for said in verified(study))


def test_a_name_that_is_changed_afterwards_is_named(study: Study) -> None:
    Unblinder.objects.filter(user=researchers_of(study)[0]).update(name="Tomas Lindqvist")
    assert any("not those whom the statement names" in said for said in verified(study))


def test_another_third_person_is_named(study: Study) -> None:
    RecoveryPerson.objects.filter(study=study).update(email=coordinator_of(study).email)
    assert verified(study) == ["The third person is not the one whom the statement names."]
