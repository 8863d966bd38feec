"""A coordinator's pages about honoraria: the ledger, recording what was paid, and the file."""

import csv
import io
import re
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from annotation.coordination.models.honoraria import Payment
from annotation.study.models.participation import Participation
from annotation.study.models.studies import Study
from tests.annotation.coordination.payments import a_payment, line_of, pay
from tests.clients import signed_in
from tests.factories import a_writing_study, assignments_of, coordinator_of, written
from tests.remembered import remembered

pytestmark = pytest.mark.django_db


@pytest.fixture
@remembered
def study() -> Study:
    """Two writers, each with one answer handed in, at 1,200 an answer."""
    study = a_writing_study(writers=2, fee_per_answer=Decimal(1200), currency="USD")
    for number in range(2):
        written(assignments_of(study, writer=number)[0])
    return study


def client_of(study: Study) -> Client:
    return signed_in(coordinator_of(study))


def page_of(study: Study, name: str = "honoraria", *args: object) -> str:
    answer = client_of(study).get(reverse(name, args=[study.slug, *args]))
    return " ".join(answer.content.decode().split())


def today() -> str:
    return f"{timezone.localdate():%Y-%m-%d}"


def posted(page: str) -> dict[str, Any]:
    """What the page's form would send as it stands, but for what is typed in."""
    page = " ".join(page.split())
    marks = dict(re.findall(r'<input type="hidden" name="(mark[^"]*)" value="([^"]+)">', page))
    return {**marks, "people": re.findall(r'name="people" value="([^"]+)"', page), "day": today()}


def test_the_ledger_shows_what_is_earned_paid_and_open_and_its_totals(study: Study) -> None:
    pay(study, "W-0001", "500")
    Participation.objects.filter(study=study, pseudonym="W-0001").update(left_at=timezone.now())
    page = page_of(study)
    first = page[page.index("W-0001") :]
    assert re.findall(r'<td class="num">([^<]+)</td>', first)[:5] == ["1", "1,200.00", "500.00", "700.00", "0.00"]
    assert "Has left" in first[:300]
    total = page[page.index("<tfoot>") : page.index("</tfoot>")]
    assert re.findall(r'<td class="num">([^<]+)</td>', total) == ["2,400.00", "500.00", "1,900.00", "0.00"]
    assert "All amounts in USD" in page
    assert "A raise also applies to work already done." in " ".join(page.split())


def test_where_nothing_is_paid_for_the_page_says_so() -> None:
    study = a_writing_study()
    assert "This study pays no honoraria" in page_of(study)
    # A payment that was recorded before the fees went back to 0 stays in sight.
    a_payment(assignments_of(study)[0].participation)
    assert "20.00" in page_of(study)


def test_a_payment_is_recorded_with_the_open_amount_filled_in(study: Study) -> None:
    page = page_of(study, "payment_add", "W-0001")
    assert 'name="amount" value="1200.00"' in page
    address = reverse("payment_add", args=[study.slug, "W-0001"])
    fields = {**posted(page), "amount": "700.50", "note": "Transfer 7"}
    answer = client_of(study).post(address, fields, follow=True)
    assert "700.50 USD to W-0001 recorded." in answer.content.decode()
    assert "Transfer 7" in answer.content.decode()
    assert line_of(study, "W-0001").account.open == Decimal("499.50")


def test_the_same_payment_sent_twice_is_recorded_once_and_the_account_shown_as_it_is(study: Study) -> None:
    client, address = client_of(study), reverse("payment_add", args=[study.slug, "W-0001"])
    fields = {**posted(page_of(study, "payment_add", "W-0001")), "amount": "400", "note": ""}
    client.post(address, fields)
    again = client.post(address, fields)
    assert again.status_code == 400
    assert "Nothing was recorded now" in again.content.decode()
    assert "800.00" in again.content.decode()
    assert Payment.objects.count() == 1
    # Who has read this and means a second payment can make it from there.
    client.post(address, {**fields, **posted(again.content.decode())})
    assert Payment.objects.count() == 2


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"amount": "0"}, "has to be 0.01 or more"),
        ({"amount": "-5"}, "has to be 0.01 or more"),
        ({"amount": "1.005"}, "no more than 2 decimal places"),
        ({"amount": "NaN"}, "Enter a number"),
        ({"day": ""}, "cannot be left empty"),
        ({"day": f"{timezone.localdate() + timedelta(days=2):%Y-%m-%d}"}, "This day is still to come"),
    ],
)
def test_an_impossible_payment_is_not_recorded(study: Study, fields: dict[str, str], complaint: str) -> None:
    address = reverse("payment_add", args=[study.slug, "W-0001"])
    sent = {**posted(page_of(study, "payment_add", "W-0001")), "amount": "7", **fields}
    answer = client_of(study).post(address, sent)
    assert answer.status_code == 400
    assert complaint in answer.content.decode()
    assert not Payment.objects.exists()


def test_more_than_is_open_is_asked_about_before_it_is_recorded_as_paid_ahead(study: Study) -> None:
    client, address = client_of(study), reverse("payment_add", args=[study.slug, "W-0001"])
    page = page_of(study, "payment_add", "W-0001")
    assert 'type="checkbox"' not in page
    fields = {**posted(page), "amount": "1875", "note": ""}
    asked = client.post(address, fields)
    assert asked.status_code == 400
    # 1,875 − 1,200
    assert "That is 675.00 USD more than is open. Tick to pay it ahead." in asked.content.decode()
    assert '<input type="checkbox" name="ahead"' in asked.content.decode()
    assert not Payment.objects.exists()
    client.post(address, {**fields, "ahead": "on"})
    assert Payment.objects.get().amount == 1875


def test_what_is_to_be_paid_is_not_hidden_by_what_was_paid_ahead(study: Study) -> None:
    pay(study, "W-0001", "1875")
    page = page_of(study)
    total = page[page.index("<tfoot>") : page.index("</tfoot>")]
    # 2 × 1,200 earned; 1,200 to pay to the second, and 1,875 − 1,200 paid ahead to the first
    assert re.findall(r'<td class="num">([^<]+)</td>', total) == ["2,400.00", "1,875.00", "1,200.00", "675.00"]


def test_what_is_open_is_listed_to_be_confirmed_and_then_recorded_once(study: Study) -> None:
    page = page_of(study, "payments_add")
    assert posted(page)["people"] == ["W-0001", "W-0002"]
    assert "2,400.00" in page
    client, address = client_of(study), reverse("payments_add", args=[study.slug])
    answer = client.post(address, posted(page), follow=True)
    assert "2 payments recorded, 2400.00 USD in all." in answer.content.decode()
    again = client.post(address, posted(page))
    assert again.status_code == 400
    assert Payment.objects.count() == 2
    assert "Nothing is open" in again.content.decode()


def test_whoever_is_unticked_is_not_paid(study: Study) -> None:
    fields = {**posted(page_of(study, "payments_add")), "people": ["W-0002"]}
    client_of(study).post(reverse("payments_add", args=[study.slug]), fields)
    assert [payment.participation.pseudonym for payment in Payment.objects.all()] == ["W-0002"]


def test_where_work_was_finished_meanwhile_nobody_is_paid_before_the_amounts_were_seen_again(study: Study) -> None:
    before = page_of(study, "payments_add")
    written(assignments_of(study)[1])
    client, address = client_of(study), reverse("payments_add", args=[study.slug])
    refused = client.post(address, posted(before))
    assert "What is open for W-0001 has changed" in refused.content.decode()
    assert not Payment.objects.exists()
    client.post(address, posted(refused.content.decode()))
    assert sum(payment.amount for payment in Payment.objects.all()) == 3600


def test_a_payment_is_reversed_with_a_reason_and_cannot_be_again(study: Study) -> None:
    payment = pay(study, "W-0001", "500")
    client, address = client_of(study), reverse("payment_reverse", args=[payment.pk])
    assert client.post(address, {"reason": ""}).status_code == 400
    page = client.post(address, {"reason": "Wrong person"}, follow=True).content.decode()
    assert "The payment was reversed: -500.00 USD." in page
    assert "Wrong person" in page
    assert address not in page, "neither line offers to be reversed"
    client.post(address, {"reason": "Wrong person"})
    assert Payment.objects.count() == 2


def test_the_file_can_be_opened_by_a_spreadsheet(study: Study) -> None:
    answer = client_of(study).get(reverse("honoraria_csv", args=[study.slug]))
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert f'filename="honoraria-trial-{today()}.csv"' in answer["Content-Disposition"]
    rows = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"), newline="")))
    assert [(row["pseudonym"], row["open"], row["currency"]) for row in rows] == [
        ("W-0001", "1200.00", "USD"),
        ("W-0002", "1200.00", "USD"),
    ]


def test_the_ledger_takes_as_many_queries_for_many_people_as_for_few(study: Study) -> None:
    def queries(study: Study) -> int:
        client = client_of(study)
        with CaptureQueriesContext(connection) as captured:
            client.get(reverse("honoraria", args=[study.slug]))
        return len(captured)

    many = a_writing_study("many", writers=12, fee_per_answer=Decimal(1))
    pay(study, "W-0001", "1")
    for number in range(1, 7):
        pay(many, f"W-{number:04}", "1")
    assert queries(many) == queries(study) <= 20
