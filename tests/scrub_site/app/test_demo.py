"""The demonstration: its people, being one of them with a click, and the mail it would have sent."""

from pathlib import Path

import pytest
from django.core.mail import EmailMessage, get_connection
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from annotation.people.selectors.people import demo_people
from annotation.people.services import people
from annotation.platform.models.users import User
from annotation.platform.models.work import Task
from annotation.study.models.participation import Role
from annotation.study.models.studies import Study
from generation.calls.core.work_kinds import PLAN_RUN, WORK_RUN
from generation.calls.models import GenerationRun
from generation.prompts.core.work_kinds import DRAW_MAP
from generation.prompts.models import PairVote, PromptMap
from generation.prompts.selectors.pool import pool_of
from generation.sources.models import ProposedConcept
from scrub_site.demo.designed import load_designed
from tests.clients import signed_in
from tests.factories import a_judging_study, a_member, a_person, a_study, a_writing_study, coordinator_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def demo(settings: Settings, tmp_path: Path) -> None:
    settings.DEMO_MODE = True
    settings.MAIL_OUTBOX_DIR = tmp_path / "mail"


class TestDemonstration:
    @pytest.mark.usefixtures("demo")
    def test_a_demonstration_lists_its_people_by_study_and_role_with_what_awaits_them(self) -> None:
        writing = a_writing_study("first", writers=1, prompts=2)
        judging = a_judging_study(1, 1, 1, slug="second", prompts=1)
        a_person("Ada Admin", is_staff=True)
        User.objects.update(is_demo=True)
        a_member(writing, Role.JUDGE, a_person("Real Person"))

        shown = {
            (group.title, person.role, person.name, person.pending_work)
            for group in demo_people()
            for person in (*group.people, *group.folded)
        }

        coordinator = "Cora Coordinator"
        follow = "Follow the writers and collect the models’ answers"
        assert shown >= {
            ("The first study", "Writer", "Writer 1 first", "2 of 2 answers left to write"),
            ("The first study", "Coordinator", coordinator, follow),
            ("The second study", "Judge", "Judge 1 second", "1 of 1 item left to judge"),
            ("The whole site", "Administrator", "Ada Admin", "Set up studies and look after accounts"),
        }
        assert "Real Person" not in {name for _, _, name, _ in shown}
        page = Client().get(reverse("demo_people")).content.decode()
        assert all(name in page for _, _, name, _ in shown)
        assert judging.title in page

    @pytest.mark.usefixtures("demo")
    def test_whoever_is_invited_in_a_demonstration_stands_among_its_people(self) -> None:
        study = a_study()
        coordinator = coordinator_of(study)
        User.objects.update(is_demo=True)
        invited = people.invite(study=study, email="n@example.org", name="Noor", role=Role.JUDGE, by=coordinator)
        [group] = demo_people()
        assert group.invited == (("Noor", "Judge"),)
        assert "Noor (judge)" in " ".join(Client().get(reverse("demo_people")).content.decode().split())

        people.open_account(invitation=invited.invitation, name="Noor Haddad", password="quiet harbour 1847")
        [group] = demo_people()
        assert group.invited == ()
        assert ("Noor Haddad", "Judge") in {(person.name, person.role) for person in group.people}

    def test_an_account_opened_outside_of_a_demonstration_is_nobody_s_to_be(self) -> None:
        study = a_study()
        invited = people.invite(
            study=study, email="n@example.org", name="Noor", role=Role.JUDGE, by=coordinator_of(study)
        )
        joined = people.open_account(invitation=invited.invitation, name="Noor", password="quiet harbour 1847")
        assert not joined.user.is_demo

    def test_a_demonstration_begins_with_the_administrator_and_folds_those_with_nothing_left_to_do(self) -> None:
        a_writing_study("first", writers=1)
        over = a_writing_study("over", writers=2)
        Study.objects.filter(pk=over.pk).update(state="released")
        a_person("Ada Admin", is_staff=True)
        User.objects.update(is_demo=True)

        groups = demo_people()

        assert [group.title for group in groups] == ["The whole site", "The first study", "The over study"]
        assert [len(group.folded) for group in groups] == [0, 0, 2]
        assert [person.role for person in groups[2].people] == ["Coordinator", "Researcher", "Researcher"]

    @pytest.mark.usefixtures("demo")
    def test_a_demonstration_lets_a_visitor_be_one_of_its_people_and_then_another(self) -> None:
        first, second = a_person("First Demo", is_demo=True), a_person("Second Demo", is_demo=True)
        client = Client()

        for person in (first, second):
            response = client.post(reverse("demo_sign_in", args=[person.pk]))
            assert response["Location"] == reverse("home")
            assert client.session["_auth_user_id"] == str(person.pk)

    @pytest.mark.usefixtures("demo")
    def test_a_demonstration_lets_nobody_be_a_real_person(self) -> None:
        client, real = Client(), a_person("Real Person")

        assert client.post(reverse("demo_sign_in", args=[real.pk])).status_code == 404
        assert "_auth_user_id" not in client.session

    @pytest.mark.usefixtures("demo")
    def test_a_demonstration_signs_in_by_post_with_a_token_only(self) -> None:
        path = reverse("demo_sign_in", args=[a_person("First Demo", is_demo=True).pk])

        assert Client().get(path).status_code == 405
        assert Client(enforce_csrf_checks=True).post(path).status_code == 403

    def test_a_demonstration_does_not_exist_outside_demo_mode(self, settings: Settings) -> None:
        settings.DEMO_MODE = False
        person = a_person("First Demo", is_demo=True)
        client = signed_in(person)

        assert client.get(reverse("demo_people")).status_code == 404
        assert client.get(reverse("demo_mail")).status_code == 404
        assert client.get(reverse("demo_sign_in", args=[person.pk])).status_code == 404
        assert client.post(reverse("demo_sign_in", args=[person.pk])).status_code == 404

    @pytest.mark.usefixtures("demo")
    def test_a_demonstration_shows_its_mail_newest_first_with_links_and_without_markup(
        self, settings: Settings
    ) -> None:
        assert "No mail yet" in Client().get(reverse("demo_mail")).content.decode()
        backend = "django.core.mail.backends.filebased.EmailBackend"
        with get_connection(backend, file_path=settings.MAIL_OUTBOX_DIR) as outbox:
            for subject, body in (
                ("First “one”", "See http://127.0.0.1:8000/invitations/abc/."),
                ("Second", "<script>alert(1)</script>\njavascript:alert(1) " + "long " * 40),
            ):
                EmailMessage(subject, body, to=["wilma@example.org"], connection=outbox).send()

        page = Client().get(reverse("demo_mail")).content.decode()

        assert page.index("Second") < page.index("First “one”")
        assert '<a href="http://127.0.0.1:8000/invitations/abc/" rel="nofollow">' in page
        assert "&lt;script&gt;alert(1)" in page
        assert "<script>alert" not in page
        assert 'href="javascript' not in page


def test_the_study_in_design_has_prompts_to_choose_from_and_something_to_approve() -> None:
    study = load_designed()

    pool = pool_of(study)
    # Twelve concepts with five prompts of each of three models; of twenty questions seven are left.
    assert {source.code: (source.amounts.scenarios, source.amounts.asked) for source in pool.sources} == {
        "MSC": (12, 180),
        "HLE": (7, 105),
        "RUL": (0, 0),  # whose concepts are only proposed so far
    }
    assert ProposedConcept.objects.filter(verdict="").exists()
    for source in (each for each in pool.sources if each.amounts.asked):
        amounts = source.amounts
        assert amounts.written + amounts.declined == amounts.asked
        assert amounts.written > amounts.passed > amounts.sampled == 10
    assert pool.amounts.declined > 0
    assert PairVote.objects.exists()
    assert PromptMap.objects.filter(study=study, drawn_at__isnull=False).count() == 2
    assert GenerationRun.objects.get(study=study, state="planned").purpose == "pairs"
    kinds = Task.objects.filter(done_at__isnull=True).values_list("kind", flat=True)
    assert not set(kinds) & {PLAN_RUN, WORK_RUN, DRAW_MAP}, "nothing of it is left to workers"
