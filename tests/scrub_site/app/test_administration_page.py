"""The administrators' page: studies, people and invitations of the whole site."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from annotation.platform.models.users import User
from annotation.platform.models.work import Task
from annotation.platform.services import work
from annotation.study.models.participation import Invitation, Participation, Role
from annotation.study.models.studies import Study
from scrub_site.watching.selectors import site_health
from tests.clients import signed_in
from tests.factories import a_person, a_study
from tests.scrub_site.app.test_homes import NEW_STUDY, page
from tests.work import begun

pytestmark = pytest.mark.django_db


class TestAdministration:
    @pytest.fixture
    def administrator(self) -> User:
        return a_person("Ada Administrator", is_staff=True)

    def test_administration_sets_up_a_study_and_invites_its_coordinator(self, administrator: User) -> None:
        answer = signed_in(administrator).post(reverse("administration"), NEW_STUDY)
        assert answer["Location"] == reverse("administration")
        study = Study.objects.get(slug="new")
        assert (study.state, study.preset, study.judging_mode) == ("design", "pilot", "ranking")
        invitation = Invitation.objects.get(study=study)
        assert (invitation.email, invitation.role) == ("nora@example.org", Role.COORDINATOR)
        assert not Participation.objects.filter(study=study).exists()

    @pytest.mark.parametrize(
        "wrong", [{"slug": "trial"}, {"slug": "not a slug"}, {"title": ""}, {"coordinator_email": "nora"}]
    )
    def test_administration_sets_up_nothing_where_something_is_wrong_and_keeps_what_was_typed(
        self, administrator: User, wrong: dict[str, str]
    ) -> None:
        a_study("trial")
        answer = signed_in(administrator).post(reverse("administration"), {**NEW_STUDY, **wrong})
        assert answer.status_code == 200
        assert 'value="Nora New"' in answer.content.decode()
        assert Study.objects.count() == 1
        assert not Invitation.objects.exists()

    def test_administration_says_at_the_field_that_a_short_name_is_taken_with_the_form_open(
        self, administrator: User
    ) -> None:
        a_study("trial")
        answer = signed_in(administrator).post(reverse("administration"), {**NEW_STUDY, "slug": "trial"})
        assert answer.context["form"].errors == {"slug": ["This short name is taken."]}
        assert '<details class="disclosure" open>' in answer.content.decode()

    def test_administration_shows_every_study_and_who_coordinates_it(self, administrator: User) -> None:
        a_study("trial")
        signed_in(administrator).post(reverse("administration"), NEW_STUDY)
        found = page(administrator, "administration")
        assert "The trial study" in found
        assert "Cora Coordinator" in found
        assert "A new study" in found
        assert "Invited" in found

    def test_administration_shows_work_that_is_late(self, administrator: User) -> None:
        work.ask(kind="work_run", subject=1, due=timezone.now() - timedelta(minutes=3))
        work.ask(kind="work_run", subject=2, due=timezone.now() + timedelta(minutes=3))
        health = site_health()
        assert (health.open_tasks, health.late_tasks) == (2, 1)
        assert "are the loop and a worker running?" in page(administrator, "administration")

    def test_administration_shows_the_last_line_of_what_went_wrong(self, administrator: User) -> None:
        work.ask(kind="work_run", subject=7)
        work.fail(
            begun(Task.objects.get()),
            error="Traceback (most recent call last):\n  File …\nValueError: no such model\n",
        )
        [task] = site_health().failing_tasks
        assert (task.kind, task.attempts, task.error) == ("work run", 1, "ValueError: no such model")
        found = page(administrator, "administration")
        assert "ValueError: no such model" in found
        assert "Traceback" not in found

    def test_administration_shows_work_that_was_given_up(self, administrator: User) -> None:
        work.ask(kind="work_run", subject=7)
        Task.objects.update(gave_up_at=timezone.now(), last_error="ValueError: never")
        assert site_health().failing_tasks[0].next_attempt_at is None
        assert "Given up" in page(administrator, "administration")
