"""A coordinator's pages about reminders: whom, with which words, when, and what became of it."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from annotation.coordination.models.reminders import Reminder
from annotation.coordination.views import reminders
from annotation.people.services import people
from annotation.platform.models.users import User
from annotation.platform.services.clock import database_now
from annotation.study.models.participation import Consent, Participation, Profile, Role
from annotation.study.models.studies import Study
from annotation.writing.models import WritingAssignment
from tests.annotation.coordination.reminders import a_reminder, ask
from tests.clients import signed_in
from tests.factories import a_member, a_writing_study, coordinator_of, members_of

pytestmark = pytest.mark.django_db

MESSAGE = {"template": "what_is_left-1", "subject": "About {study}", "text": "Dear {name}: {left}."}


@pytest.fixture
def study() -> Study:
    return a_writing_study(writers=3)


def client_of(study: Study) -> Client:
    return signed_in(coordinator_of(study))


def overview(study: Study, **query: Any) -> Any:
    return client_of(study).get(reverse("reminders", args=[study.slug]), query)


def post(study: Study, name: str, /, **fields: Any) -> Any:
    return client_of(study).post(reverse(name, args=[study.slug]), fields)


def offered(answer: Any) -> dict[str, list[str]]:
    """Pseudonyms by group."""
    return {group.key: [p.pseudonym for p in group.people] for group in answer.context["offer"].groups}


def reasons(answer: Any) -> dict[str, str]:
    return {person.pseudonym: reason for person, reason in answer.context["offer"].others}


# -- whom ----------------------------------------------------------------------------------------------------


def test_people_are_offered_by_what_is_left_for_them_and_the_others_named_with_the_reason(study: Study) -> None:
    a_member(study, Role.JUDGE, ready=False)
    first, second, _ = members_of(study, Role.WRITER)
    Participation.objects.filter(pk=first.pk).update(left_at=timezone.now())
    ask(study, [second], due=datetime(2131, 5, 4, 8, 0, tzinfo=UTC))
    answer = overview(study)
    assert offered(answer) == {"entry": ["J-0001"], "writing": ["W-0003"]}
    assert reasons(answer) == {
        "W-0001": "has left the study",
        "W-0002": "has a reminder waiting already, for 4 May, 08:00",
    }
    page = answer.content.decode()
    assert "Has left the study" in page
    assert 'value="W-0003"' in page
    assert 'value="W-0001"' not in page


def test_people_reminded_lately_are_named_with_when_the_next_reminder_may_go(study: Study) -> None:
    writer = members_of(study, Role.WRITER)[0]
    reminder = a_reminder(writer)
    sent = timezone.now().replace(minute=0, second=0, microsecond=0)
    Reminder.objects.filter(pk=reminder.pk).update(sent_at=sent)
    again = sent + timedelta(hours=48)
    expected = f"was reminded less than 48 hours before; the next may go from {again:%-d %B, %H:%M}"
    assert reasons(overview(study))["W-0001"] == expected


def test_only_those_who_have_been_idle_for_so_many_days_can_be_shown(study: Study) -> None:
    """The study went into writing nine days ago, and one writer has begun an answer three days ago."""
    now = timezone.now()
    Study.objects.filter(pk=study.pk).update(state_changed_at=now - timedelta(days=9))
    Participation.objects.filter(study=study).update(joined_at=now - timedelta(days=20))
    for writer in members_of(study, Role.WRITER):
        Consent.objects.filter(participation=writer).update(given_at=now - timedelta(days=19))
        Profile.objects.filter(participation=writer).update(completed_at=now - timedelta(days=19))
    begun = WritingAssignment.objects.filter(participation__pseudonym="W-0002")[0]
    WritingAssignment.objects.filter(pk=begun.pk).update(started_at=now - timedelta(days=3))

    assert offered(overview(study, idle="3"))["writing"] == ["W-0001", "W-0002", "W-0003"]
    answer = overview(study, idle="4")
    assert offered(answer)["writing"] == ["W-0001", "W-0003"]
    assert answer.context["offer"].busy == 1
    assert offered(overview(study, idle="10")) == {}
    assert offered(overview(study, idle="no number"))["writing"] == ["W-0001", "W-0002", "W-0003"]


def test_how_long_somebody_has_done_nothing_is_told_by_the_databases_clock(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    later = database_now() + timedelta(days=5, minutes=1)
    monkeypatch.setattr(reminders, "database_now", lambda: later)
    idle = re.findall(r'<td class="nowrap">([^<]*)</td>', overview(study).content.decode())
    assert [each.replace("\xa0", " ") for each in idle] == ["5 days"] * 3  # of the three writers


def test_people_who_have_not_joined_are_counted_and_not_offered(study: Study) -> None:
    people.invite(study=study, email="new@example.org", name="New", role=Role.WRITER, by=coordinator_of(study))
    page = overview(study).content.decode()
    assert "1 invited person has not joined yet" in " ".join(page.split())
    assert "new@example.org" not in page


def test_the_page_takes_as_many_queries_for_many_people_as_for_few(study: Study) -> None:
    def queries(study: Study) -> int:
        client = client_of(study)
        with CaptureQueriesContext(connection) as captured:
            client.get(reverse("reminders", args=[study.slug]))
        return len(captured)

    many = a_writing_study("many", writers=12)
    ask(study, members_of(study, Role.WRITER)[:1])
    ask(many, members_of(many, Role.WRITER)[:6])
    assert queries(many) == queries(study) <= 20


# -- with which words ----------------------------------------------------------------------------------------


def test_a_template_is_shown_to_be_edited_and_as_each_person_would_get_it(study: Study) -> None:
    answer = post(study, "reminder_preview", people=["W-0001", "W-0003"], template="what_is_left-1")
    assert answer.status_code == 200
    form = answer.context["form"]
    assert "{name}" in form["text"].value()
    second = form.previews[1]
    assert second.person.pseudonym == "W-0003"
    assert f"Dear {second.person.name}" in second.text
    assert "2 answers to write" in second.subject
    assert second.text.endswith("[the person’s own link]"), "nobody else can use it"
    assert not Reminder.objects.exists()


def test_what_is_previewed_is_what_is_kept_and_mailed(study: Study) -> None:
    chosen = {"people": ["W-0001", "W-0003"], **MESSAGE}
    previews = post(study, "reminder_preview", **chosen).context["form"].previews
    post(study, "reminder_send", **chosen)
    for preview, reminder in zip(previews, Reminder.objects.order_by("participation__pseudonym"), strict=True):
        assert reminder.subject == preview.subject
        assert preview.text.startswith(f"{reminder.body}\n\n")


@pytest.mark.parametrize("name", ["reminder_preview", "reminder_send"])
@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"text": "Dear {nmae}"}, "“{nmae}” is not a placeholder"),
        ({"subject": "By {due}"}, "{due} stands for nothing here"),
        ({"text": ""}, "cannot be left empty"),
        ({"day": "", "hour": "0"}, "Say on which day and at which hour"),
        ({"day": "2131-05-04", "hour": ""}, "Say on which day and at which hour"),
        ({"day": "2001-05-04", "hour": "9"}, "This time has passed"),
        ({"people": ["W-0001", "W-9999"]}, ""),
    ],
)
def test_a_reminder_that_cannot_be_sent_is_shown_again_with_what_is_to_be_changed(
    study: Study, name: str, fields: dict[str, Any], complaint: str
) -> None:
    answer = post(study, name, **{"people": ["W-0001"], **MESSAGE, **fields})
    assert answer.status_code == 400
    assert complaint in answer.content.decode().replace("&quot;", '"')
    assert not Reminder.objects.exists()


def test_who_cannot_be_reminded_by_then_is_named_beside_the_previews(study: Study) -> None:
    Participation.objects.filter(pseudonym="W-0002").update(available_until=timezone.now().date())
    fields = {**MESSAGE, "day": "2131-05-04", "hour": "9"}
    answer = post(study, "reminder_preview", people=["W-0001", "W-0002"], **fields)
    assert [preview.person.pseudonym for preview in answer.context["form"].previews] == ["W-0001"]
    assert "W-0002 had time until" in answer.content.decode()


def test_choosing_nobody_leads_back_with_a_word_about_it(study: Study) -> None:
    address = reverse("reminder_preview", args=[study.slug])
    answer = client_of(study).post(address, {"template": "what_is_left-1"}, follow=True)
    assert answer.redirect_chain == [(reverse("reminders", args=[study.slug]), 302)]
    assert "Choose at least one person" in answer.content.decode()


def test_whoever_had_to_sign_in_on_the_way_comes_back_to_the_choice(study: Study) -> None:
    answer = client_of(study).get(reverse("reminder_preview", args=[study.slug]))
    assert answer["Location"] == reverse("reminders", args=[study.slug])


# -- when ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("day", "hour", "due", "shown"),
    [
        # Vienna's clocks go forward at 1:00 UTC on 25 March 2131 (2 o'clock is skipped), back on 28 October.
        ("2131-03-24", "9", datetime(2131, 3, 24, 8, 0, tzinfo=UTC), "24 March 2131, 09:00"),
        ("2131-03-25", "2", datetime(2131, 3, 25, 1, 0, tzinfo=UTC), "25 March 2131, 03:00"),
        ("2131-03-25", "9", datetime(2131, 3, 25, 7, 0, tzinfo=UTC), "25 March 2131, 09:00"),
        ("2131-10-28", "2", datetime(2131, 10, 28, 0, 0, tzinfo=UTC), "28 October 2131, 02:00"),
    ],
)
def test_a_reminder_goes_at_the_hour_of_the_coordinators_clock(
    study: Study, day: str, hour: str, due: datetime, shown: str
) -> None:
    fields = {**MESSAGE, "day": day, "hour": hour}
    User.objects.filter(pk=coordinator_of(study).pk).update(time_zone="Europe/Vienna")
    client = client_of(study)
    address = reverse("reminder_send", args=[study.slug])
    page = client.post(address, {"people": ["W-0001"], **fields}, follow=True).content.decode()
    assert Reminder.objects.get().due_at == due
    assert f"Set for {shown}: 1 reminder." in page
    assert f'<span class="nowrap">{shown}</span>' in page


def send_button(answer: Any) -> tuple[str, str]:
    """What the button says, and what it sends along as `seen`."""
    [(seen, words)] = re.findall(r'name="seen"\s+value="([^"]+)"[^>]*>([^<]+)', answer.content.decode())
    return " ".join(words.split()), seen


TIMED = {"day": "2131-05-04", "hour": "9"}


@pytest.mark.parametrize(
    ("shown", "changed_to", "first", "then"),
    [
        ({}, TIMED, "Send now to 2 people", "Set for 4 May 2131, 09:00, to 2 people"),
        (TIMED, {}, "Set for 4 May 2131, 09:00, to 2 people", "Send now to 2 people"),
    ],
    ids=["a day that is filled in", "a day that is emptied"],
)
def test_the_button_says_when_it_sends_and_sends_at_no_other_time(
    study: Study, shown: dict[str, str], changed_to: dict[str, str], first: str, then: str
) -> None:
    chosen = {"people": ["W-0001", "W-0002"], **MESSAGE}
    says, seen = send_button(post(study, "reminder_preview", **chosen, **shown))
    assert says == first
    refused = post(study, "reminder_send", **chosen, **changed_to, seen=seen)
    assert refused.status_code == 400
    assert "The time was changed. Nothing was sent" in refused.content.decode()
    assert not Reminder.objects.exists()
    says, seen = send_button(refused)
    assert says == then
    post(study, "reminder_send", **chosen, **changed_to, seen=seen)
    assert Reminder.objects.count() == 2


def test_the_same_form_posted_twice_reminds_once_and_says_so(study: Study) -> None:
    client, address = client_of(study), reverse("reminder_send", args=[study.slug])
    fields = {"people": ["W-0001", "W-0002"], **MESSAGE}
    first, second = (client.post(address, fields, follow=True).content.decode() for _ in range(2))
    assert "On the way: 2 reminders." in first
    assert "Nobody is reminded." in second
    assert Reminder.objects.count() == 2


# -- what became of it ---------------------------------------------------------------------------------------


def test_a_reminder_that_waits_can_be_withdrawn_and_is_then_listed_with_by_whom(study: Study) -> None:
    reminder = a_reminder(members_of(study, Role.WRITER)[0])
    client = client_of(study)
    page = client.post(reverse("reminder_withdraw", args=[reminder.pk]), follow=True).content.decode()
    assert "The reminder to W-0001 was withdrawn." in page
    assert "Waiting to be sent" not in page
    assert "By Cora Coordinator" in page


def test_what_was_sent_is_listed_with_why_something_was_not(study: Study) -> None:
    first, second, _ = members_of(study, Role.WRITER)
    Reminder.objects.filter(pk=a_reminder(first).pk).update(sent_at=timezone.now())
    because = "has nothing left to write"
    Reminder.objects.filter(pk=a_reminder(second).pk).update(skipped_at=timezone.now(), skipped_because=because)
    past = overview(study).context["past"]
    assert {(line.pseudonym, line.state, line.because) for line in past} == {
        ("W-0001", "sent", ""),
        ("W-0002", "skipped", because),
    }
