"""What people find of a study that they have left, or that is over: consent, withdrawal, receipts, their data."""

import json

import pytest
from django.urls import reverse

from annotation.people.services import people
from annotation.study.models.participation import Consent, Participation, Role
from annotation.study.models.studies import Study
from annotation.writing.services import writing_desk
from tests.clients import signed_in
from tests.factories import (
    a_closed_study,
    a_judging_study,
    a_member,
    a_study,
    a_writing_study,
    assignments_of,
    coordinator_of,
    members_of,
    written,
)
from tests.pages import in_words

pytestmark = pytest.mark.django_db


@pytest.fixture
def study() -> Study:
    return a_writing_study()


def left(member: Participation) -> Participation:
    people.leave(participation=member, reason="Moved abroad.", by=coordinator_of(member.study))
    return member


def test_somebody_who_left_finds_consent_withdrawal_receipts_and_answers(study: Study) -> None:
    answer = written(assignments_of(study)[0], "Towns differ from villages in how strangers greet each other.")
    writer = left(members_of(study, Role.WRITER)[0])
    client = signed_in(writer.user)
    found = client.get(reverse("study", args=[study.slug]), follow=True)
    assert found.redirect_chain == [(reverse("own_data", args=[study.slug]), 302)]
    words = in_words(found)
    assert "Towns differ from villages" in words
    assert answer.draft.sha256 in words
    assert "You can withdraw at any time" in words
    client.post(reverse("consent_withdraw", args=[study.slug]), {"confirmed": "on", "sure": "on"})
    assert client.get(reverse("consent", args=[study.slug])).status_code == 200


def test_nobody_who_took_part_reads_that_they_take_part_in_no_study_yet(study: Study) -> None:
    client = signed_in(left(members_of(study, Role.WRITER)[0]).user)
    words = in_words(client.get(reverse("home")))
    assert "You take part in no study yet" not in words
    assert "Your consent, receipts and data" in words


def test_somebody_who_left_another_study_finds_both(study: Study) -> None:
    other = a_study("other")
    writer = members_of(study, Role.WRITER)[0]
    a_member(other, Role.WRITER, left(writer).user)
    words = in_words(signed_in(writer.user).get(reverse("home")))
    assert "Studies you took part in" in words
    assert reverse("study", args=[other.slug]) in signed_in(writer.user).get(reverse("home")).content.decode()


def test_a_judge_finds_their_judgments_once_the_study_is_over() -> None:
    study = a_closed_study(2, 2, 2)
    judge = members_of(study, Role.JUDGE)[0]
    client = signed_in(judge.user)
    assert (
        reverse("own_data", args=[study.slug]) in client.get(reverse("study", args=[study.slug])).content.decode()
    )
    assert "Your judgments Item 1" in in_words(client.get(reverse("own_data", args=[study.slug])))


def test_people_keep_their_data_as_a_file_that_holds_nobody_else_s() -> None:
    study = a_writing_study(writers=2)
    own, other = (written(assignments_of(study, writer=number)[0]) for number in range(2))
    writer = members_of(study, Role.WRITER)[0]
    file = signed_in(writer.user).get(reverse("own_data_file", args=[study.slug]))
    held = json.loads(file.content)
    assert [answer["sha256"] for answer in held["answers"]] == [own.draft.sha256]
    assert other.draft.text not in file.content.decode()
    assert held["consented_at"] == json.loads(json.dumps(held["consented_at"]))
    assert Consent.objects.filter(participation=writer).exists()


def test_why_an_answer_was_given_back_is_in_the_data_of_who_wrote_it_also_before_it_is_handed_in_anew() -> None:
    study = a_writing_study(writers=2)
    answer = written(assignments_of(study)[0])
    writing_desk.reopen(assignment=answer, minutes=5, reason="It names your school.", by=coordinator_of(study))
    own, other = (signed_in(member.user) for member in members_of(study, Role.WRITER))
    assert "Prompt 1 It names your school." in in_words(own.get(reverse("own_data", args=[study.slug])))
    held = [json.loads(who.get(reverse("own_data_file", args=[study.slug])).content) for who in (own, other)]
    assert [file["given_back"] for file in held] == [[{"position": 1, "reason": "It names your school."}], []]


def test_a_judge_who_has_submitted_nothing_reads_of_justifications_and_of_no_writing() -> None:
    study = a_judging_study(1, 1, 1)
    [judge] = members_of(study, Role.JUDGE)
    words = in_words(signed_in(judge.user).get(reverse("own_data", args=[study.slug])))
    assert "The file has the justifications of your judgments too" in words
    assert "how you wrote" not in words


def test_who_neither_wrote_nor_judged_has_no_such_page(study: Study) -> None:
    client = signed_in(coordinator_of(study))
    assert client.get(reverse("own_data", args=[study.slug])).status_code == 403
