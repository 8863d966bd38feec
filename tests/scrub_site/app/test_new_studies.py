"""Where the site lets them, coordinators set studies up without an administrator."""

import pytest
from django.test.utils import override_settings
from django.urls import reverse
from django.utils import timezone

from annotation.study.models.participation import Participation, Role
from annotation.study.models.studies import Study
from tests.clients import signed_in
from tests.factories import a_member, a_person, a_study, coordinator_of

pytestmark = pytest.mark.django_db

NEW = {"title": "A new study", "slug": "new", "preset": "pilot"}


def test_a_coordinator_sets_a_study_up_and_coordinates_it_where_the_site_lets_them() -> None:
    coordinator = coordinator_of(a_study())
    client, address = signed_in(coordinator), reverse("new_study")
    with override_settings(COORDINATORS_CREATE_STUDIES=True):
        assert address in client.get(reverse("home")).content.decode(), "also with one study"
        assert client.post(address, {**NEW, "slug": "trial"}).status_code == 400, "the name is taken"
        assert client.post(address, NEW)["Location"] == reverse("study", args=["new"])
    made = Study.objects.get(slug="new")
    assert (made.preset, coordinator_of(made)) == ("pilot", coordinator)


@pytest.mark.parametrize("lets", [False, True])
def test_nobody_else_sets_a_study_up_by_themselves(lets: bool) -> None:
    study = a_study()
    former = a_member(study, Role.COORDINATOR)
    Participation.objects.filter(pk=former.pk).update(left_at=timezone.now())
    people = [a_member(study, Role.RESEARCHER).user, a_person("No Member"), former.user]
    with override_settings(COORDINATORS_CREATE_STUDIES=lets):
        for person in [*people, *([] if lets else [coordinator_of(study)])]:
            assert signed_in(person).post(reverse("new_study"), NEW).status_code == 403
            assert reverse("new_study") not in signed_in(person).get(reverse("home"), follow=True).content.decode()
    assert Study.objects.count() == 1
