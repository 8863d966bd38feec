"""The models a study works with: named by coordinators, understood by their provider, left as they were asked."""

from decimal import Decimal
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection, connections, transaction

from annotation.platform.core.errors import Refused
from annotation.platform.models.audit import AuditEvent
from annotation.platform.models.work import Task
from annotation.study.models.participation import Role
from annotation.study.models.studies import Study
from generation.calls.core.work_kinds import WORK_RUN
from generation.calls.models import Call, RunShare
from generation.calls.services import recording, runs, targets_in_use
from generation.calls.services.recording import Arrival
from generation.catalogue.models import Target
from generation.catalogue.services import targets
from generation.providers.core.prices import Price
from tests.factories import a_member, a_study, coordinator_of
from tests.generation.calls.model_runs import (
    a_locked_study,
    a_target,
    claimed,
    good,
    planned,
    started,
    study_of,
    worked_off,
)

pytestmark = pytest.mark.django_db


def changed(target: Target, **fields: Any) -> Target:
    given = {"family": target.family, "provider": target.provider, "model_id": target.model_id, **fields}
    targets_in_use.change_target(target=target, by=coordinator_of(study_of(target)), **given)
    target.refresh_from_db()
    return target


class TestAdding:
    def test_adding_a_model_keeps_what_the_coordinator_said_and_that_they_did(self) -> None:
        study = a_study()
        target = a_target(study, "claude", effort="low", options={"quality": 0.7}, price={"input": 2, "output": 10})
        target.refresh_from_db()
        assert (target.effort, target.weak_temperature, target.options) == ("low", 1.5, {"quality": 0.7})
        assert targets.price_of(target) == Price(input=Decimal(2), output=Decimal(10))
        event = AuditEvent.objects.get(verb="target.added")
        assert (event.actor, event.subject) == (coordinator_of(study), "claude")

    def test_adding_a_model_is_for_coordinators_alone(self) -> None:
        study = a_study()
        researcher = a_member(study, Role.RESEARCHER).user
        with pytest.raises(PermissionDenied):
            targets.add_target(
                study=study, role="answers", family="gpt", provider="demo", model_id="demo-gpt", by=researcher
            )
        assert not Target.objects.exists()

    @pytest.mark.parametrize(
        ("fields", "says"),
        [
            ({"provider": "nobody"}, "No provider is called “nobody”"),
            ({"options": {"quality": 7}}, "quality"),
            ({"options": {"loudness": 7}}, "loudness"),
            ({"price": {"input": -1, "output": 1}}, "input"),
            ({"provider": "openai", "model_id": "from-next-year"}, "What “claude” costs is not known"),
            ({"weak_temperature": 3.0}, "less than or equal to 2"),
            ({"model_id": ""}, "cannot be blank"),
            ({"role": "poet"}, "not a valid choice"),
        ],
    )
    def test_adding_a_model_refuses_what_no_provider_understands(self, fields: dict[str, Any], says: str) -> None:
        with pytest.raises(Refused, match=says):
            a_target(a_study(), **fields)
        assert not Target.objects.exists()

    def test_adding_a_model_refuses_a_second_model_of_a_family_in_the_same_role(self) -> None:
        study = a_study()
        a_target(study, "gpt")
        a_target(study, "gpt", role="panel")
        with pytest.raises(Refused, match="is called “gpt” already"):
            a_target(study, "gpt", model_id="another")
        assert Target.objects.count() == 2

    def test_a_model_for_texts_of_a_file_is_of_no_study(self) -> None:
        target = targets.add_target(
            study=None, role="panel", family="gpt", provider="demo", model_id="demo-small", by=None
        )
        assert target.study is None


class TestPrices:
    def test_prices_are_the_target_s_own_before_the_catalogue_s(self) -> None:
        study = a_study()
        known = a_target(study, "claude", model_id="demo-large")
        assert targets.price_of(known) == Price(input=Decimal(4), output=Decimal(20))
        own = changed(known, price={"input": "0.5", "output": 1})
        assert targets.price_of(own) == Price(input=Decimal("0.5"), output=Decimal(1))

    def test_prices_of_a_provider_that_needs_no_key_are_nothing_where_nobody_named_one(self) -> None:
        assert targets.price_of(a_target(a_study(), model_id="mine")) == targets.FREE

    def test_prices_of_an_unknown_model_that_is_paid_for_are_not_known(self) -> None:
        assert targets.listed_price("openai", "from-next-year") is None


class TestChanging:
    def test_changing_a_model_is_possible_until_a_plan_contains_it(self) -> None:
        study = a_locked_study()
        target = Target.objects.get(study=study, family="gpt")
        assert changed(target, model_id="demo-small").model_id == "demo-small"
        run = planned(study)
        with pytest.raises(Refused, match="Retire it"):
            changed(target, model_id="demo-large")
        runs.withdraw_plan(run=run, by=coordinator_of(study))
        assert changed(target, model_id="demo-large").model_id == "demo-large"

    def test_changing_a_model_leaves_it_as_it_was_where_it_is_refused(self) -> None:
        target = a_target(a_study())
        with pytest.raises(Refused):
            changed(target, options={"quality": 7})
        target.refresh_from_db()
        assert target.options == {}


class TestRetiring:
    @staticmethod
    def retire(study: Study, family: str) -> Target:
        target = Target.objects.get(study=study, family=family, retired_at__isnull=True)
        targets_in_use.retire_target(target=target, by=coordinator_of(study))
        return target

    def test_retiring_a_model_frees_the_family_for_another_model(self) -> None:
        study = a_study()
        a_target(study, "gpt")
        self.retire(study, "gpt")
        a_target(study, "gpt", model_id="another")
        assert Target.objects.filter(study=study, family="gpt").count() == 2

    def test_retiring_a_model_gives_up_what_was_still_to_be_asked(self) -> None:
        study = a_locked_study(prompts=2)
        run = started(study)
        gpt = self.retire(study, "gpt")
        assert set(Call.objects.filter(run=run, target=gpt).values_list("state", flat=True)) == {"failed"}
        share = RunShare.objects.get(run=run, target=gpt)
        assert (share.planned, share.failed, share.accepted) == (2, 2, 0)
        assert worked_off(run).state == "finished"
        assert RunShare.objects.get(run=run, target__family="claude").accepted == 2

    def test_retiring_a_model_keeps_a_reply_that_was_on_its_way_as_one_that_came_too_late(self) -> None:
        study = a_locked_study(prompts=1, families=("gpt",))
        run = started(study)
        [outgoing] = claimed(run)
        self.retire(study, "gpt")
        recording.record(run.pk, [Arrival(outgoing.attempt_id, good(), 20)])
        call = Call.objects.get(run=run)
        assert (call.state, call.attempts.get().outcome) == ("failed", "superseded")

    def test_retiring_a_model_lets_the_run_find_out_that_nothing_else_is_left(self) -> None:
        study = a_locked_study(prompts=1, families=("gpt",))
        run = started(study)
        Task.objects.filter(kind=WORK_RUN).delete()
        self.retire(study, "gpt")
        assert Task.objects.get(kind=WORK_RUN).subject == f"{run.pk}/0"

    def test_retiring_a_model_twice_is_refused(self) -> None:
        study = a_study()
        target = a_target(study)
        self.retire(study, "claude")
        with pytest.raises(Refused, match="retired already"):
            targets_in_use.retire_target(target=target, by=coordinator_of(study))


@pytest.mark.django_db(transaction=True)
def test_retiring_does_not_wait_for_a_batch_that_is_being_made() -> None:
    study = a_locked_study(prompts=1, families=("gpt",))
    run = started(study)
    target = Target.objects.get(study=study)
    other = connections.create_connection("default")
    try:
        with other.cursor() as cursor:
            other.set_autocommit(False)
            cursor.execute("SELECT 1 FROM generation_generationrun WHERE id = %s FOR KEY SHARE", [run.pk])
        with transaction.atomic(), connection.cursor() as mine:
            mine.execute("SET LOCAL lock_timeout = '1s'")
            targets_in_use.retire_target(target=target, by=coordinator_of(study))
    finally:
        other.rollback()
        other.close()
    assert Call.objects.get(run=run).state == "failed"
