"""Runs: approved with a limit, stopped, resumed, and finished when every call has its outcome."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connections, transaction
from django.utils import timezone
from pytest_django import Settings

from annotation.platform.core.errors import Refused
from annotation.platform.models.audit import AuditEvent
from annotation.platform.models.work import Task
from annotation.study.models.participation import Role
from annotation.study.models.studies import Study
from generation.calls.core.work_kinds import SEND_BATCH, WORK_RUN, run_of
from generation.calls.models import Attempt, Call, GenerationRun, RunShare
from generation.calls.selectors.runs import run_page, runs_of
from generation.calls.services import recording, runs, targets_in_use
from generation.calls.services.recording import Arrival
from generation.catalogue.models import Target
from generation.providers.base import Outcome, Reply
from generation.providers.core.prices import Usage
from tests.factories import a_member, coordinator_of
from tests.generation.calls.model_runs import (
    CAP,
    a_locked_study,
    claimed,
    collected,
    good,
    planned,
    started,
    study_of,
    worked_off,
)

pytestmark = pytest.mark.django_db


def start(run: GenerationRun, *, spend_cap: Decimal = CAP) -> GenerationRun:
    runs.start_run(run=run, spend_cap=spend_cap, by=coordinator_of(study_of(run)))
    run.refresh_from_db()
    return run


def stop(run: GenerationRun) -> GenerationRun:
    runs.stop_run(run=run, reason="Lunch.", by=coordinator_of(study_of(run)))
    run.refresh_from_db()
    return run


def at_a_price_that_ended(run: GenerationRun) -> GenerationRun:
    """As it were some months after a price of the catalogue changed."""
    run.materials["prices"] = {
        target: {**row, "until": "2026-01-31"} for target, row in run.materials["prices"].items()
    }
    run.save(update_fields=["materials"])
    return run


def counts_of(run: GenerationRun) -> dict[str, tuple[int, int, int]]:
    """Calls planned, accepted and failed, by family: as counted along the way, and as they are."""
    shares = RunShare.objects.filter(run=run).select_related("target")
    counted = {share.target.family: (share.planned, share.accepted, share.failed) for share in shares}
    for family, (_, accepted, failed) in counted.items():
        calls = Call.objects.filter(run=run, target__family=family)
        assert calls.filter(state="accepted").count() == accepted
        assert calls.filter(state="failed").count() == failed
    return counted


class TestStarting:
    def test_starting_a_run_approves_the_plan_with_its_limit_and_asks_workers_for_every_lane(
        self, settings: Settings
    ) -> None:
        settings.LANES = 3
        run = start(planned(a_locked_study()), spend_cap=Decimal("12.50"))
        assert (run.state, run.spend_cap, run.approved_by) == (
            "running",
            Decimal("12.50"),
            coordinator_of(study_of(run)),
        )
        lanes = Task.objects.filter(kind=WORK_RUN).values_list("subject", flat=True)
        assert sorted(lanes) == [f"{run.pk}/0", f"{run.pk}/1", f"{run.pk}/2"]
        assert {run_of(lane) for lane in lanes} == {str(run.pk)}
        assert AuditEvent.objects.get(verb="run.started").detail == {"spend_cap": "12.50"}

    def test_starting_a_run_asks_for_batches_where_the_plan_uses_them(self) -> None:
        run = start(planned(a_locked_study(), uses_batches=True))
        assert Task.objects.get(kind=SEND_BATCH).subject == str(run.pk)

    def test_starting_a_run_is_for_coordinators(self) -> None:
        run = planned(a_locked_study())
        with pytest.raises(PermissionDenied):
            runs.start_run(run=run, spend_cap=CAP, by=a_member(study_of(run), Role.RESEARCHER).user)

    def test_starting_a_run_is_refused_once_judging_is_open(self) -> None:
        study = a_locked_study()
        run = planned(study)
        Study.objects.filter(pk=study.pk).update(state="judging")
        with pytest.raises(Refused, match="before judging opens"):
            start(run)

    def test_starting_a_run_is_refused_without_a_key_and_says_which_variable_holds_it(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.delenv("OPENAI_API_KEY", raising=False)
        monkeypatch.delenv("OPENAI_API_KEY_FILE", raising=False)
        price = {"input": 1, "output": 5}
        run = planned(a_locked_study(of_targets={"provider": "openai", "price": price}))
        with pytest.raises(Refused, match="OPENAI_API_KEY"):
            start(run)
        assert not Task.objects.filter(kind=WORK_RUN).exists()

    def test_starting_a_run_is_refused_below_what_a_single_call_may_cost(self) -> None:
        """A reply may take 16,000 tokens at $1,000 a million: $16."""
        run = planned(a_locked_study(of_targets={"price": {"input": 0, "output": 1000}}))
        with pytest.raises(Refused, match=r"^A single call may cost \$16\.00\. Set a limit of \$16\.00 or more\.$"):
            start(run, spend_cap=Decimal("15.99"))
        assert start(run, spend_cap=runs.least_cap(run)).state == "running"

    def test_starting_again_needs_a_call_more_than_what_was_spent_and_is_on_its_way_and_tells_neither(self) -> None:
        """$2 for a reply, $16 set aside for another, $16 for the next."""
        run = started(a_locked_study(of_targets={"price": {"input": 0, "output": 1000}}))
        outgoing, _ = claimed(run, most=2)
        reply = Reply(Outcome.OK, good().text, Usage(output_tokens=2_000))
        recording.record(run.pk, [Arrival(outgoing.attempt_id, reply, 20)])
        run = stop(run)
        with pytest.raises(
            Refused, match=r"^What this limit leaves .* which may cost \$16\.00\. Set a higher one\.$"
        ):
            start(run, spend_cap=Decimal("33.99"))
        assert start(run, spend_cap=Decimal(34)).state == "running"

    def test_starting_a_run_is_refused_where_a_provider_is_known_no_more(self) -> None:
        run = planned(a_locked_study())
        Target.objects.update(provider="elsewhere")
        with pytest.raises(Refused, match="knows the provider elsewhere no more"):
            start(run)

    def test_starting_a_plan_is_refused_once_its_price_has_ended(self) -> None:
        with pytest.raises(Refused, match="price of “claude” has changed since"):
            start(at_a_price_that_ended(planned(a_locked_study(families=("claude",)))))

    def test_starting_again_takes_todays_price_in_the_place_of_one_that_has_ended(self) -> None:
        price = {"input": 1, "output": 5}
        run = at_a_price_that_ended(started(a_locked_study(families=("claude",), of_targets={"price": price})))
        assert claimed(run) == []
        run.refresh_from_db()
        assert run.state == "stopped"
        assert "The price of “claude” that this run was approved with ended on 2026-01-31." in run.stopped_because
        run = start(run)
        assert list(run.materials["prices"].values()) == [{"input": "1", "output": "5"}]
        assert len(claimed(run)) == 2

    def test_starting_a_run_twice_is_refused(self) -> None:
        run = started(a_locked_study())
        with pytest.raises(Refused):
            start(run)


class TestStoppingAndGoingOn:
    def test_a_stopped_run_sends_nothing_more(self) -> None:
        run = started(a_locked_study(prompts=2))
        claimed(run, most=1)
        stop(run)
        assert claimed(run) == []
        assert Attempt.objects.filter(call__run=run).count() == 1

    def test_a_stopped_run_keeps_replies_that_were_on_their_way(self) -> None:
        run = started(a_locked_study(prompts=1, families=("gpt",)))
        [outgoing] = claimed(run)
        stop(run)
        recording.record(run.pk, [Arrival(outgoing.attempt_id, good(), 20)])
        assert Call.objects.get(run=run).state == "accepted"

    def test_a_stopped_run_goes_on_where_it_stopped(self) -> None:
        run = started(a_locked_study(prompts=2))
        [outgoing] = claimed(run, most=1)
        recording.record(run.pk, [Arrival(outgoing.attempt_id, good(), 20)])
        run = start(stop(run))
        assert run.stopped_because == ""
        assert worked_off(run).state == "finished"
        assert Attempt.objects.filter(call__run=run).count() == 4

    def test_the_system_finds_nothing_to_stop_in_a_run_that_is_not_running(self) -> None:
        run = stop(started(a_locked_study()))
        runs.stop_run(run=run, reason="The account is spent.", by=None)
        run.refresh_from_db()
        assert run.stopped_because == "Lunch."

    def test_accounts_that_are_spent_stop_a_run_once_however_many_replies_say_so(self) -> None:
        run = started(a_locked_study())
        spent = Reply(Outcome.FINAL_ACCOUNT, detail="No credit is left.")
        recording.record(run.pk, [Arrival(outgoing.attempt_id, spent, 20) for outgoing in claimed(run)])
        run.refresh_from_db()
        assert run.state == "stopped"
        assert "No credit is left." in run.stopped_because
        assert AuditEvent.objects.filter(verb="run.stopped").count() == 1
        assert Call.objects.filter(run=run, state="pending").count() == 4


class TestTurns:
    @staticmethod
    def due(run: GenerationRun) -> timedelta:
        """How long from now the next turn of the first lane is due, after the open one is done."""
        Task.objects.filter(kind=WORK_RUN).delete()
        runs.go_on(run.pk, 0)
        return Task.objects.get(kind=WORK_RUN, subject=f"{run.pk}/0").due_at - timezone.now()

    def test_turns_of_a_run_follow_each_other_at_once_while_calls_wait(self) -> None:
        assert self.due(started(a_locked_study())) < timedelta(seconds=1)

    def test_turns_of_a_run_wait_until_a_call_may_be_tried_again(self) -> None:
        run = started(a_locked_study(prompts=1, families=("gpt",)))
        Call.objects.filter(run=run).update(due_at=timezone.now() + timedelta(seconds=40))
        assert timedelta(seconds=35) < self.due(run) < timedelta(seconds=41)

    def test_turns_of_a_run_come_back_for_calls_of_a_worker_that_is_no_more(self) -> None:
        run = started(a_locked_study(prompts=1, families=("gpt",)))
        claimed(run)
        assert timedelta(seconds=50) < self.due(run) < timedelta(seconds=61)

    def test_turns_of_a_run_end_with_it_when_every_call_has_its_outcome(self) -> None:
        run = collected(a_locked_study())
        Task.objects.filter(kind=WORK_RUN).delete()
        runs.go_on(run.pk, 0)
        assert (run.state, run.finished_at is not None) == ("finished", True)
        assert not Task.objects.filter(kind=WORK_RUN).exists()
        assert AuditEvent.objects.filter(verb="run.finished").count() == 1

    def test_no_turn_comes_for_calls_that_wait_in_a_batch(self) -> None:
        price = {"input": 0, "output": 0}
        run = planned(
            a_locked_study(of_targets={"provider": "openai", "price": price, "weak_temperature": None}),
            uses_batches=True,
        )
        GenerationRun.objects.filter(pk=run.pk).update(state="running")
        runs.go_on(run.pk, 0)
        assert not Task.objects.filter(kind=WORK_RUN).exists()

    def test_turns_of_a_run_come_back_where_a_provider_that_takes_batches_is_known_no_more(self) -> None:
        run = started(a_locked_study())
        GenerationRun.objects.filter(pk=run.pk).update(uses_batches=True)
        Target.objects.update(provider="elsewhere")
        assert self.due(run) < timedelta(seconds=1)  # and stop the run

    def test_turns_of_a_run_stop_it_once_judging_has_begun(self) -> None:
        study = a_locked_study()
        run = started(study)
        Study.objects.filter(pk=study.pk).update(state="judging")
        assert claimed(run) == []
        runs.go_on(run.pk, 0)
        run.refresh_from_db()
        assert run.state == "stopped"
        assert "before judging opens" in run.stopped_because


class TestRetrying:
    def test_retrying_asks_again_for_what_failed_and_nothing_else(self) -> None:
        study = a_locked_study(prompts=2)
        run = worked_off(started(study), lambda _: Reply(Outcome.REFUSED))
        assert RunShare.objects.get(run=run, target__family="gpt").failed == 2
        gpt = Target.objects.get(study=study, family="gpt")
        targets_in_use.retire_target(target=gpt, by=coordinator_of(study))
        assert runs.retry_failed(run=run, by=coordinator_of(study)) == 2
        run.refresh_from_db()
        assert (run.state, run.finished_at) == ("running", None)
        run = worked_off(run, lambda _: good())
        assert counts_of(run) == {"claude": (2, 2, 0), "gpt": (2, 0, 2)}

    def test_retrying_is_refused_where_nothing_failed(self) -> None:
        run = collected(a_locked_study())
        with pytest.raises(Refused, match="Nothing has failed"):
            runs.retry_failed(run=run, by=coordinator_of(study_of(run)))
        run.refresh_from_db()
        assert run.state == "finished"

    def test_retrying_is_refused_while_the_run_goes_on(self) -> None:
        run = started(a_locked_study())
        with pytest.raises(Refused):
            runs.retry_failed(run=run, by=coordinator_of(study_of(run)))


class TestWithdrawing:
    def test_withdrawing_a_plan_is_refused_once_a_run_was_started(self) -> None:
        run = stop(started(a_locked_study()))
        with pytest.raises(Refused):
            runs.withdraw_plan(run=run, by=coordinator_of(study_of(run)))
        assert Call.objects.filter(run=run).count() == 4

    def test_withdrawing_a_plan_is_for_coordinators(self) -> None:
        run = planned(a_locked_study())
        with pytest.raises(PermissionDenied):
            runs.withdraw_plan(run=run, by=a_member(study_of(run), Role.RESEARCHER).user)


@pytest.mark.django_db(transaction=True)
def test_withdrawing_does_not_wait_for_a_plan_that_is_being_made() -> None:
    run = planned(a_locked_study())
    other = connections.create_connection("default")
    try:
        with other.cursor() as cursor:
            other.set_autocommit(False)
            cursor.execute("SELECT 1 FROM generation_generationrun WHERE id = %s FOR UPDATE", [run.pk])
        with pytest.raises(Refused, match="just being made"), transaction.atomic():
            runs.withdraw_plan(run=run, by=coordinator_of(study_of(run)))
    finally:
        other.rollback()
        other.close()


class TestWatching:
    def test_watching_a_run_tells_how_far_each_model_is_and_what_became_of_attempts(self) -> None:
        study = a_locked_study(prompts=3, of_targets={"price": {"input": 0, "output": 10}})
        run = worked_off(started(study), lambda _: good())
        page = run_page(run)
        assert [(share.family, share.accepted, share.failed, share.waiting) for share in page.shares] == [
            ("claude", 3, 0, 0),
            ("gpt", 3, 0, 0),
        ]
        [complete] = page.outcomes
        assert (complete.words, complete.attempts) == ("complete", 6)
        assert (page.line.planned, page.line.settled, page.line.waiting) == (6, 6, 0)
        assert runs_of(study) == [page.line]

    def test_watching_a_run_rounds_what_calls_took_so_that_no_prompt_is_known_by_its_length(self) -> None:
        """Ten calls of 30 tokens read and 20 written at $10 a million: 300, 200 and $0.002."""
        study = a_locked_study(prompts=5, prompts_per_source=5, of_targets={"price": {"input": 0, "output": 10}})
        page = run_page(worked_off(started(study), lambda _: good()))
        assert (page.input_tokens, page.output_tokens, page.line.spent) == (1_000, 1_000, Decimal("0.01"))

    def test_runs_are_listed_with_the_newest_first(self) -> None:
        study = a_locked_study()
        asked = [planned(study), planned(study), planned(study)]
        assert [line.id for line in runs_of(study)] == [run.pk for run in reversed(asked)]

    def test_watching_a_run_tells_the_pace_while_it_runs(self) -> None:
        run = started(a_locked_study(prompts=2))
        arrivals = [Arrival(outgoing.attempt_id, good(), 20) for outgoing in claimed(run, most=3)]
        recording.record(run.pk, arrivals)
        soon = timezone.now() + timedelta(minutes=1)  # however long this takes
        run.approved_at = soon
        Attempt.objects.filter(call__run=run).update(ended_at=soon)
        page = run_page(run)
        assert page.on_their_way == 0
        assert page.per_minute == 180  # three in the first second
        assert page.minutes_left == 1

    def test_watching_a_run_tells_until_when_it_waits(self) -> None:
        run = started(a_locked_study())
        assert run_page(run).waiting_until is None
        later = timezone.now() + timedelta(seconds=40)
        Call.objects.filter(run=run).update(due_at=later)
        assert run_page(run).waiting_until == later

    def test_watching_a_run_asks_the_database_no_more_for_a_long_run(
        self, django_assert_max_num_queries: Any
    ) -> None:
        run = started(a_locked_study(prompts=2))
        with django_assert_max_num_queries(8):
            run_page(GenerationRun.objects.select_related("study", "planned_by", "approved_by").get(pk=run.pk))
