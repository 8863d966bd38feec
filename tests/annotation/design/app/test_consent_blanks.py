"""Blanks of the consent text that only the study can fill stand in the way of agreeing to it, and of the lock."""

import pytest
from django.urls import reverse

from annotation.assignment.services.designing import lock_design
from annotation.coordination.core.checklist import Standing
from annotation.coordination.selectors.checklist import checklist_of
from annotation.coordination.selectors.coordination import overview
from annotation.coordination.selectors.next_action import next_action
from annotation.platform.core.errors import Refused
from annotation.platform.models.audit import AuditEvent
from annotation.study.core.consent import blanks
from annotation.study.models.participation import Consent, Role
from annotation.study.models.studies import Study
from annotation.study.selectors.consents import STANDARD_CONSENT
from tests.clients import signed_in
from tests.factories import a_member, a_study, agree, coordinator_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def study() -> Study:
    return a_study(consent_text=STANDARD_CONSENT)


def answers_to(study: Study, *, unneeded: str = "") -> dict[str, str]:
    """The form as it is posted, every blank filled but the `unneeded` one."""
    page = signed_in(coordinator_of(study)).get(reverse("participants_preview", args=[study.slug]))
    form = page.context["filling"]
    typed = {"loaded": form.loaded}
    for number, name in enumerate(form.blanks):
        typed |= {f"unneeded-{number}": "on"} if name == unneeded else {f"said-{number}": f"about\n{name}"}
    return typed


def test_a_design_whose_consent_text_has_open_blanks_is_not_locked_and_the_checklist_says_so(study: Study) -> None:
    with pytest.raises(Refused, match=r"institution, contact, ethics approval, risks, data, withdrawal"):
        lock_design(study=study, by=coordinator_of(study))
    page = overview(study)
    step = next_action(study, page)
    assert step
    assert any("ethics approval" in obstacle for obstacle in step.obstacles)
    [point] = [each for each in checklist_of(study, page, []) if each.duty.title == "Fill in the consent text"]
    assert point.standing == Standing.NEXT


def test_nobody_agrees_to_a_text_with_open_blanks(study: Study) -> None:
    member = a_member(study, Role.WRITER, ready=False)
    with pytest.raises(Refused, match="has not filled in"):
        agree(member)
    page = signed_in(member.user).get(reverse("consent", args=[study.slug])).content.decode()
    assert "You can agree to it once it is complete" in page
    assert not Consent.objects.exists()


def test_a_coordinator_fills_blanks_in_or_says_that_one_is_not_needed(study: Study) -> None:
    path, client = reverse("participants_preview", args=[study.slug]), signed_in(coordinator_of(study))
    assert client.post(path, answers_to(study, unneeded="ethics approval"))["Location"] == path
    study.refresh_from_db()
    assert blanks(study.consent_text) == []
    assert "This study is conducted by about institution." in study.consent_text
    assert "approved by" not in study.consent_text
    [said] = AuditEvent.objects.filter(verb="study.consent_filled")
    assert said.detail["unneeded"] == ["ethics approval"]
    agree(a_member(study, Role.WRITER, ready=False))
    step = next_action(study, overview(study))
    assert step
    assert not any("consent" in obstacle for obstacle in step.obstacles)


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ({}, "Fill in at least one blank"),
        ({"said-0": "An institute", "unneeded-0": "on"}, "Either fill this in"),
        ({"said-0": "[to fill in: who]"}, "without the brackets"),
        ({"said-0": "An institute", "loaded": "another text"}, "was changed after you opened it"),
    ],
)
def test_what_cannot_be_put_into_the_text_is_said_and_nothing_is_changed(
    study: Study, typed: dict[str, str], says: str
) -> None:
    loaded = {"loaded": answers_to(study)["loaded"]}
    path = reverse("participants_preview", args=[study.slug])
    page = signed_in(coordinator_of(study)).post(path, loaded | typed)
    assert page.status_code == 400
    assert says in page.content.decode()
    study.refresh_from_db()
    assert study.consent_text == STANDARD_CONSENT


@pytest.mark.parametrize("name", ["rubric_preview", "participants_preview"])
def test_rubric_and_consent_stand_in_the_sub_navigation_of_the_design(study: Study, name: str) -> None:
    address = reverse(name, args=[study.slug])
    client = signed_in(coordinator_of(study))
    for page in (address, reverse("design_section", args=[study.slug, "writing"])):
        shown = client.get(page).content.decode()
        navigation = shown.partition('class="design-sections"')[2].partition("</nav>")[0]
        assert (f'href="{address}"\n             aria-current="page"' in navigation) == (page == address)
        assert f'href="{address}"' in navigation
