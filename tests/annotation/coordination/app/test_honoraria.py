"""The ledger of honoraria: work done is earned, payments are recorded once, and nothing is ever deleted."""

import csv
import io
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal

import pytest
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone

from annotation.coordination.models.honoraria import Payment
from annotation.coordination.selectors.honoraria import as_csv, ledger
from annotation.coordination.services import honoraria
from annotation.design.services import protocol
from annotation.judging.models.judging import JudgingItem
from annotation.platform.core.errors import Refused
from annotation.platform.models.audit import AuditEvent
from annotation.study.models.participation import Participation, Role
from annotation.study.models.studies import Study
from tests.annotation.coordination.payments import DAY, line_of, pay, pay_open, reverse
from tests.annotation.judging.app.test_races import Crowd, crowd, elsewhere, still_waits  # noqa: F401 - a fixture
from tests.annotation.writing.desk import cancel, reopen
from tests.factories import (
    a_judging_study,
    a_member,
    a_person,
    a_writing_study,
    assignments_of,
    coordinator_of,
    judging_items_of,
    members_of,
    written,
)
from tests.judging import submitted
from tests.remembered import remembered

pytestmark = pytest.mark.django_db


@pytest.fixture
@remembered
def study() -> Study:
    """Two writers with two answers each, at 30 an answer. The first has handed in both, the second one."""
    study = a_writing_study(writers=2, fee_per_answer=Decimal(30))
    for assignment in (*assignments_of(study), assignments_of(study, writer=1)[0]):
        written(assignment)
    return study


def amounts(study: Study) -> dict[str, tuple[Decimal, Decimal, Decimal]]:
    """Earned, paid and open by pseudonym."""
    return {
        line.pseudonym: (line.account.earned, line.account.paid, line.account.open) for line in ledger(study).lines
    }


# -- what is earned ------------------------------------------------------------------------------------------


def test_answers_that_were_handed_in_are_earned(study: Study) -> None:
    assert amounts(study) == {
        "W-0001": (Decimal(60), Decimal(0), Decimal(60)),  # 2 × 30
        "W-0002": (Decimal(30), Decimal(0), Decimal(30)),  # 1 × 30
    }
    whole = ledger(study)
    assert (whole.earned, whole.paid, whole.all_owed, whole.all_ahead) == (
        Decimal(90),
        Decimal(0),
        Decimal(90),
        Decimal(0),
    )


def test_an_answer_given_back_is_earned_when_it_is_handed_in_again_and_one_taken_back_never(study: Study) -> None:
    first = reopen(assignments_of(study)[0])
    assert amounts(study)["W-0001"][0] == 30
    cancel(first)
    assert amounts(study)["W-0001"][0] == 30


def test_every_submitted_item_is_earned_also_one_that_another_judge_has_replaced() -> None:
    """Two judges and three items each at 12.50; the second has begun one and submits it after it was replaced."""
    study = a_judging_study(1, 1, judges=2, fee_per_item=Decimal("12.50"))
    kept, late = judging_items_of(study)[0], judging_items_of(study, judge=1)[0]
    submitted(kept)
    submitted(late)
    spare = a_member(study, Role.JUDGE)
    JudgingItem.objects.create(
        study=study,
        participation=spare,
        prompt=late.prompt,
        prompt_version=late.prompt_version,
        position=1,
        replaces=late,
    )
    earned = {line.pseudonym: line.account.earned for line in ledger(study).lines if line.role == "Judge"}
    assert earned == {"J-0001": Decimal("12.50"), "J-0002": Decimal("12.50"), "J-0003": 0}


def test_a_fee_can_only_rise_once_a_piece_is_handed_in_and_counts_for_all_of_them(study: Study) -> None:
    def change(**fees: Decimal) -> None:
        protocol.change_parameters(study=study, changes=fees, by=coordinator_of(study))

    with pytest.raises(Refused, match=r"“Fee for an answer” can only rise by now: .* was done for 30\.00"):
        change(fee_per_answer=Decimal("29.99"), fee_per_item=Decimal(5))
    study.refresh_from_db()
    assert (study.fee_per_answer, study.fee_per_item) == (Decimal(30), Decimal(0))
    change(fee_per_answer=Decimal(40), fee_per_item=Decimal(5))
    assert amounts(study)["W-0001"] == (Decimal(80), Decimal(0), Decimal(80))  # 2 × 40
    change(fee_per_item=Decimal(4))  # nobody has judged an item yet
    assert study.fee_per_item == 4


def test_people_who_left_stay_and_researchers_and_coordinators_are_not_in_it(study: Study) -> None:
    a_member(study, Role.RESEARCHER)
    Participation.objects.filter(study=study, pseudonym="W-0001").update(left_at=timezone.now())
    assert list(amounts(study)) == ["W-0001", "W-0002"]
    assert amounts(study)["W-0001"][2] == 60
    assert line_of(study, "W-0001").left_at


def test_another_studys_work_and_payments_do_not_count(study: Study) -> None:
    other = a_writing_study("other", writers=1, fee_per_answer=Decimal(99))
    written(assignments_of(other)[0])
    pay(other, "W-0001", "99")
    assert amounts(study)["W-0001"] == (Decimal(60), Decimal(0), Decimal(60))


# -- one payment ---------------------------------------------------------------------------------------------


def test_a_payment_lowers_what_is_open_and_may_be_more_than_that(study: Study) -> None:
    pay(study, "W-0001", "45.50", note="Transfer 7")
    assert amounts(study)["W-0001"] == (Decimal(60), Decimal("45.50"), Decimal("14.50"))
    pay(study, "W-0001", "20")
    assert amounts(study)["W-0001"] == (Decimal(60), Decimal("65.50"), Decimal("-5.50"))
    whole = ledger(study)
    # 30 are to be paid to the second; 65.50 − 60 were paid ahead to the first.
    assert (whole.all_owed, whole.all_ahead) == (Decimal(30), Decimal("5.50"))


def test_every_payment_leaves_a_trace_by_pseudonym(study: Study) -> None:
    payment = pay(study, "W-0001", "45.50", note="Transfer 7")
    reverse(payment)
    made, taken_back = AuditEvent.objects.filter(verb__startswith="payment.").order_by("pk")
    assert (made.verb, made.subject, made.actor) == ("payment.recorded", "W-0001", coordinator_of(study))
    assert made.detail == {"payment": payment.pk, "amount": "45.50", "day": "2026-03-01"}
    assert taken_back.verb == "payment.reversed"
    assert taken_back.detail == {"payment": payment.pk, "amount": "-45.50", "reason": "Wrong person."}


def test_the_same_form_sent_twice_pays_once(study: Study) -> None:
    mark = line_of(study, "W-0001").account.mark
    pay(study, "W-0001", "20", mark=mark)
    with pytest.raises(Refused, match="What is open for W-0001 has changed"):
        pay(study, "W-0001", "20", mark=mark)
    assert Payment.objects.count() == 1


@pytest.mark.parametrize("amount", ["0", "-5"])
def test_an_amount_is_above_0(study: Study, amount: str) -> None:
    with pytest.raises(Refused, match="above 0"):
        pay(study, "W-0001", amount)


def test_only_the_studys_coordinators_record_and_reverse(study: Study) -> None:
    payment = pay(study, "W-0001", "20")
    writer = members_of(study, Role.WRITER)[0].user
    for somebody in (writer, a_person("Some Stranger"), a_member(study, Role.RESEARCHER).user):
        with pytest.raises(PermissionDenied):
            pay(study, "W-0001", "20", by=somebody)
        with pytest.raises(PermissionDenied):
            honoraria.pay_open(study=study, marks={}, day=DAY, note="", by=somebody)
        with pytest.raises(PermissionDenied):
            honoraria.reverse(payment=payment, reason="Mine.", day=DAY, by=somebody)
    assert Payment.objects.count() == 1


def test_nobody_outside_the_ledger_is_paid(study: Study) -> None:
    coordinator = members_of(study, Role.COORDINATOR)[0]
    marks = {coordinator.pseudonym: "0/0.00"}
    with pytest.raises(Refused, match="Choose writers or judges"):
        honoraria.pay_open(study=study, marks=marks, day=DAY, note="", by=coordinator.user)


# -- several payments ----------------------------------------------------------------------------------------


def test_all_that_is_open_is_paid_in_one_go(study: Study) -> None:
    pay(study, "W-0001", "45.50")
    made = pay_open(study)
    assert {payment.participation.pseudonym: payment.amount for payment in made} == {
        "W-0001": Decimal("14.50"),
        "W-0002": Decimal(30),
    }
    assert ledger(study).all_owed == 0
    assert AuditEvent.objects.filter(verb="payment.recorded").count() == 3


def test_where_one_account_has_changed_nobody_is_paid(study: Study) -> None:
    marks = {pseudonym: line_of(study, pseudonym).account.mark for pseudonym in ("W-0001", "W-0002")}
    written(assignments_of(study, writer=1)[1])
    with pytest.raises(Refused, match="What is open for W-0002 has changed"):
        honoraria.pay_open(study=study, marks=marks, day=DAY, note="", by=coordinator_of(study))
    assert not Payment.objects.exists()


def test_where_nothing_is_open_nothing_is_recorded(study: Study) -> None:
    pay(study, "W-0001", "60")
    with pytest.raises(Refused, match="Nothing is open for W-0001"):
        pay_open(study)
    assert Payment.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_eight_times_the_same_click_pay_once(study: Study, crowd: Crowd) -> None:  # noqa: F811
    marks = {pseudonym: line_of(study, pseudonym).account.mark for pseudonym in ("W-0001", "W-0002")}
    coordinator = coordinator_of(study)

    def click() -> bool:
        try:
            honoraria.pay_open(study=study, marks=marks, day=DAY, note="", by=coordinator)
        except Refused:
            return False
        return True

    assert crowd([click] * 8).count(True) == 1
    assert Payment.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_a_payment_waits_for_another_one_to_the_same_person_and_is_then_refused(study: Study) -> None:
    mark = line_of(study, "W-0001").account.mark
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            pay(study, "W-0001", "60", mark=mark)
            second = elsewhere(pool, lambda: pay(study, "W-0001", "60", mark=mark))
            assert still_waits(second)
        with pytest.raises(Refused, match="has changed"):
            second.result(timeout=10)


# -- reversing -----------------------------------------------------------------------------------------------


def test_a_wrong_payment_is_reversed_by_another_line_and_both_stay(study: Study) -> None:
    payment = pay(study, "W-0001", "45.50")
    reversal = reverse(payment)
    assert (reversal.amount, reversal.note, reversal.reverses) == (Decimal("-45.50"), "Wrong person.", payment)
    assert amounts(study)["W-0001"] == (Decimal(60), Decimal(0), Decimal(60))
    assert Payment.objects.count() == 2


def test_reversing_twice_adds_one_line(study: Study) -> None:
    payment = pay(study, "W-0001", "45.50")
    assert reverse(payment) == reverse(payment)
    assert AuditEvent.objects.filter(verb="payment.reversed").count() == 1


def test_a_reversal_is_not_reversed_and_wants_a_reason(study: Study) -> None:
    payment = pay(study, "W-0001", "45.50")
    with pytest.raises(Refused, match="Say why"):
        honoraria.reverse(payment=payment, reason=" ", day=DAY, by=coordinator_of(study))
    with pytest.raises(Refused, match="reverses another one"):
        reverse(reverse(payment))


def test_after_a_reversal_the_form_from_before_the_payment_is_still_refused(study: Study) -> None:
    """The same amount is open again, but entries were made meanwhile."""
    mark = line_of(study, "W-0001").account.mark
    reverse(pay(study, "W-0001", "60"))
    with pytest.raises(Refused, match="has changed"):
        pay(study, "W-0001", "60", mark=mark)


# -- the file ------------------------------------------------------------------------------------------------


def test_in_the_file_texts_are_inert_and_amounts_stay_numbers(study: Study) -> None:
    writer = members_of(study, Role.WRITER)[0]
    writer.user.name = '=HYPERLINK("https://evil.example")'
    writer.user.save()
    pay(study, "W-0001", "65.50")
    header, first, second = csv.reader(io.StringIO(as_csv(ledger(study)), newline=""))
    assert header[0] == "pseudonym"
    row = dict(zip(header, first, strict=True))
    assert row["name"] == '\'=HYPERLINK("https://evil.example")'
    assert (row["finished"], row["fee"], row["earned"], row["paid"]) == ("2", "30.00", "60.00", "65.50")
    assert row["open"] == "-5.50", "a number, though it begins with a minus"
    assert second[0] == "W-0002"
