"""Prompts through the rounds of a pilot: what is made of feedback, and what the next round has of it."""

import pytest
from django.core.exceptions import PermissionDenied
from django.urls import reverse

from annotation.coordination.selectors.checklist import checklist_of
from annotation.coordination.selectors.coordination import overview
from annotation.design.services import protocol
from annotation.platform.core.errors import Refused
from annotation.platform.models.audit import AuditEvent
from annotation.study.models.participation import Role
from annotation.study.models.studies import Study
from annotation.study.selectors.prompts import latest_by_code
from annotation.writing.models import RewordingDecision, WritingAssignment
from annotation.writing.selectors.rewordings import history_of
from annotation.writing.services import remarks, rewordings
from tests.clients import signed_in
from tests.factories import a_member, a_writing_study, assignments_of, coordinator_of, written

pytestmark = pytest.mark.django_db

PROPOSED, EDITED, WHY = "When is a shared rule fair?", "When is a rule that all share fair?", "Towns were puzzling."


@pytest.fixture
def study() -> Study:
    return a_writing_study(writers=2, prompts=1, feedback="each_prompt", allow_prompt_rewrites=True)


def said_of(study: Study, *, writer: int = 0, feedback: str = "Which towns?") -> WritingAssignment:
    """An answer whose writer proposed another wording of its prompt."""
    answer = written(assignments_of(study, writer=writer)[0])
    by = answer.participation.user
    remarks.give_feedback(assignment=answer, feedback=feedback, proposed_rewrite=PROPOSED, by=by)
    return answer


def decide(answer: WritingAssignment, wording: str) -> RewordingDecision:
    return rewordings.decide(assignment=answer, wording=wording, reason=WHY, by=coordinator_of(answer.study))


def next_round(study: Study, slug: str) -> Study:
    return protocol.clone_study(study=study, slug=slug, title=slug, with_prompts=True, by=coordinator_of(study))


@pytest.mark.parametrize(
    ("wording", "decision"), [(PROPOSED, "accepted"), (f" {EDITED}\r\n", "edited"), ("", "declined")]
)
def test_a_proposal_is_accepted_edited_or_declined_for_a_reason(study: Study, wording: str, decision: str) -> None:
    answer = said_of(study)
    made = decide(answer, wording)
    assert (made.decision, made.wording, made.reason) == (decision, wording.strip(), WHY)
    event = AuditEvent.objects.get(verb="writing.rewording_decided")
    assert (event.detail["decision"], event.detail["reason"]) == (decision, WHY)
    assert latest_by_code(study)["BBQ_01"].number == 1  # this round asks what it asked
    with pytest.raises(Refused, match="has decided about your feedback"):
        said_of(study, feedback="Another thought.")
    page = signed_in(answer.participation.user).get(reverse("writing_receipt", args=[answer.pk])).content.decode()
    assert "What was decided for a next round" in page
    assert wording.strip() in page
    assert f"“{WHY}”" in page


def test_one_wording_at_most_is_accepted_for_a_prompt_and_none_that_it_has(study: Study) -> None:
    first, second = said_of(study), said_of(study, writer=1)
    with pytest.raises(Refused, match="Prompt BBQ_01 is worded so already"):
        decide(first, first.prompt_version.text)
    decide(first, PROPOSED)
    with pytest.raises(Refused, match="What W-0001 said led to a wording"):
        decide(second, EDITED)
    decide(second, "")
    decide(first, "")
    assert decide(second, EDITED).decision == "edited"


def test_only_a_coordinator_decides_with_a_reason_and_about_something_said(study: Study) -> None:
    answer = said_of(study)
    researcher = a_member(study, Role.RESEARCHER).user
    with pytest.raises(PermissionDenied):
        rewordings.decide(assignment=answer, wording="", reason=WHY, by=researcher)
    with pytest.raises(Refused, match="Say why"):
        rewordings.decide(assignment=answer, wording="", reason=" ", by=coordinator_of(study))
    with pytest.raises(Refused, match="said nothing"):
        decide(assignments_of(study, writer=1)[0], PROPOSED)


def test_the_next_round_asks_the_accepted_wording_and_keeps_every_version_and_what_led_to_it(study: Study) -> None:
    answer = said_of(study)
    decide(answer, EDITED)
    third = next_round(next_round(study, "second"), "third")
    first, second = history_of(third.prompts.get())
    assert (first.number, first.round, first.led_to_it) == (1, study, None)
    assert [said.feedback for said in first.feedback] == ["Which towns?"]
    assert (second.number, second.text, second.round.slug, second.reason) == (2, EDITED, "second", WHY)
    assert second.led_to_it == first.feedback[0]
    assert second.led_to_it.decision == "Accepted in other words"
    with pytest.raises(Refused, match="another wording of this prompt already"):
        decide(answer, PROPOSED)


def test_the_checklist_leads_from_what_writers_said_to_the_next_round(study: Study) -> None:
    def standing() -> list[str]:
        points = checklist_of(study, overview(study), [])
        return [point.standing for point in points if "next round" in point.duty.title]

    assert standing() == ["later", "later"]
    answer = said_of(study)
    assert standing() == ["next", "later"]
    decide(answer, PROPOSED)
    assert standing() == ["later", "later"], "another writer may still say something"
    written(assignments_of(study, writer=1)[0])
    assert standing() == ["done", "next"]
    next_round(study, "second")
    assert standing() == ["done", "done"]


def test_a_coordinator_decides_by_the_pages_and_reads_the_prompt_through_its_rounds(study: Study) -> None:
    answer, client = said_of(study), signed_in(coordinator_of(study))
    page = reverse("writing_rewording", args=[answer.pk])
    assert page in client.get(reverse("writing_desk", args=[study.slug])).content.decode()
    assert PROPOSED in (asks := client.get(page).content.decode())
    assert "The wording that was proposed, for you to change" in asks
    empty = client.post(page, {"decision": "reword", "wording": " ", "reason": WHY})
    assert (empty.status_code, "Say how the prompt is to be worded." in empty.content.decode()) == (400, True)
    accepted = {"decision": "reword", "wording": PROPOSED, "reason": WHY}
    edited = client.post(page, {**accepted, "wording": EDITED}, follow=True).content.decode()
    assert all(words in edited for words in ("Accepted in other words", "The next round’s wording", EDITED))
    told = client.post(page, accepted, follow=True).content.decode()
    assert all(words in told for words in ("Accepted as proposed", WHY))
    assert "The next round’s wording" not in told  # it stands there as proposed
    new = next_round(study, "second")
    history = client.get(reverse("prompt_history", args=[new.slug, new.prompts.get().pk])).content.decode()
    assert all(words in history for words in ("What led to it", "Which towns?", PROPOSED, WHY))
    assert page not in history  # it is decided where it was said
    assert "stays as it was decided" in client.get(page).content.decode()
