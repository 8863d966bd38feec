"""Two researchers, or two workers, at the same moment: each step of the ceremony is taken once, in some order."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any
from unittest import mock

import pytest
from django.db import transaction

from analysis.ceremony.models import UnblindingRequest
from analysis.ceremony.services import ceremony
from analysis.data.core.parameters import DEFAULTS
from analysis.frozen.models import Freeze
from analysis.release.core.building import BuiltRelease, build_release
from analysis.release.models import Release, ReleaseArchive
from analysis.release.services import releases
from analysis.report.models import AnalysisRun
from analysis.report.services import runs
from annotation.people.services.members import withdraw_consent
from annotation.platform.core.errors import Refused
from annotation.platform.models.audit import AuditEvent
from annotation.platform.models.users import User
from annotation.study.models.participation import Consent, Role
from annotation.study.models.studies import Study
from tests.annotation.judging.app.test_races import elsewhere, still_waits
from tests.ceremony import a_prepared_release, asked, prepared
from tests.factories import a_closed_study, a_judged_study, an_unblinded_study, members_of, researchers_of

pytestmark = pytest.mark.django_db(transaction=True)


def again(study: Study) -> Study:
    return Study.objects.get(pk=study.pk)


def in_turn(one: Callable[[], Any], other: Callable[[], Any]) -> Any:
    """What `other` comes to, which begins while `one` is under way and waits for it."""
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            one()
            late = elsewhere(pool, other)
            assert still_waits(late)
        return late.result(timeout=20)


def test_two_who_close_at_once_freeze_once() -> None:
    study = a_judged_study(1, 1, 2)
    first, second = researchers_of(study)
    with pytest.raises(Refused, match="applies only when"):
        in_turn(
            lambda: ceremony.close_study(study=again(study), by=first, despite_missing=True),
            lambda: ceremony.close_study(study=again(study), by=second, despite_missing=True),
        )
    assert Freeze.objects.get().frozen_by == first
    assert AuditEvent.objects.filter(verb="study.frozen").count() == 1


def test_two_who_ask_at_once_leave_one_request() -> None:
    study = a_closed_study(1, 1, 1)

    def ask(by: User) -> UnblindingRequest:
        return ceremony.request_unblinding(study=again(study), reason="All is in.", by=by)

    first, second = researchers_of(study)
    with pytest.raises(Refused, match="asked for already"):
        in_turn(lambda: ask(first), lambda: ask(second))
    assert UnblindingRequest.objects.get().requested_by == first


@pytest.mark.parametrize("second_approves", [True, False])
def test_a_request_that_is_being_approved_is_decided_once(second_approves: bool) -> None:
    study = a_closed_study(1, 1, 1)
    request = asked(study)
    decider = researchers_of(study)[1]

    def decide(approve: bool) -> UnblindingRequest:
        mine = UnblindingRequest.objects.get(pk=request.pk)
        return ceremony.decide_unblinding(request=mine, approve=approve, by=decider, reason="Too early.")

    with pytest.raises(Refused, match="has been decided"):
        in_turn(lambda: decide(True), lambda: decide(second_approves))
    assert UnblindingRequest.objects.get().decision == "approved"
    assert AuditEvent.objects.filter(verb="study.unblind").count() == 1


def test_asking_and_deciding_at_once_do_not_wait_for_each_other_in_a_circle() -> None:
    """Whoever asks holds the study and looks for requests; so whoever decides holds the study first, too."""
    study = a_closed_study(1, 1, 1)
    request = asked(study)
    first, second = researchers_of(study)
    with pytest.raises(Refused, match="asked for already"):
        in_turn(
            lambda: ceremony.decide_unblinding(request=request, approve=True, by=second),
            lambda: ceremony.request_unblinding(study=again(study), reason="Now.", by=first),
        )
    assert again(study).state == "unblinded"


def test_of_two_releases_that_are_published_at_once_one_gets_the_number() -> None:
    one = a_prepared_release(2, 2, 2)
    other = prepared(one.study)
    first, second = researchers_of(one.study)
    with pytest.raises(Refused, match="Another release was published"):
        in_turn(
            lambda: releases.publish_release(release=Release.objects.get(pk=one.pk), by=first),
            lambda: releases.publish_release(release=Release.objects.get(pk=other.pk), by=second),
        )
    assert list(Release.objects.exclude(number=None).values_list("pk", "number")) == [(one.pk, 1)]


def test_whoever_withdraws_while_a_release_is_kept_waits_and_then_its_files_are_deleted() -> None:
    study = an_unblinded_study(2, 2, 2)
    judge = members_of(study, Role.JUDGE)[0]
    Consent.objects.get_or_create(participation=judge, defaults={"version": study.consent_version})
    in_turn(lambda: prepared(study), lambda: withdraw_consent(participation=judge, by=judge.user))
    assert ReleaseArchive.objects.exists()
    releases.drop_archives(study.pk)
    assert not ReleaseArchive.objects.exists()


def test_a_release_that_was_built_while_somebody_withdrew_is_built_again_without_their_data() -> None:
    study = an_unblinded_study(2, 2, 2)
    judge = members_of(study, Role.JUDGE)[0]
    Consent.objects.get_or_create(participation=judge, defaults={"version": study.consent_version})
    release = releases.prepare_release(study=study, k=2, by=researchers_of(study)[0])
    written = Event()

    def build_and_say(*args: Any, **options: Any) -> BuiltRelease:
        built = build_release(*args, **options)
        written.set()
        return built

    with (
        mock.patch.object(releases, "build_release", side_effect=build_and_say) as builder,
        ThreadPoolExecutor(1) as pool,
    ):
        with transaction.atomic():
            withdraw_consent(participation=judge, by=judge.user)
            work = elsewhere(pool, lambda: releases.build(release.pk))
            assert written.wait(timeout=60)
            assert still_waits(work)
        work.result(timeout=60)
    assert builder.call_count == 2
    assert Release.objects.get().report["withdrawn"]["judge"] == 1


def test_two_who_want_the_same_analysis_at_once_get_one_run() -> None:
    study = an_unblinded_study(1, 1, 2)

    def ask(by: User) -> AnalysisRun:
        return runs.ask_for_run(study=again(study), parameters=DEFAULTS, by=by)

    first, second = researchers_of(study)
    in_turn(lambda: ask(first), lambda: ask(second))
    assert AnalysisRun.objects.count() == 1


@pytest.mark.parametrize("ends", [OSError("The disk is full."), Refused("A label differs.")])
def test_a_release_that_another_worker_has_prepared_meanwhile_stays_as_it_is(ends: Exception) -> None:
    """The first worker lost its lease: a second one prepares the release, and then the first one fails."""
    study = an_unblinded_study(1, 1, 2)
    release = releases.prepare_release(study=study, k=2, by=researchers_of(study)[0])

    def overtaken(*args: Any, **options: Any) -> BuiltRelease:
        with mock.patch.object(releases, "build_release", side_effect=build_release):
            releases.build(release.pk)
        raise ends

    with mock.patch.object(releases, "build_release", side_effect=overtaken):
        if isinstance(ends, Refused):
            releases.build(release.pk)
        else:
            with pytest.raises(OSError, match="disk"):
                releases.build(release.pk)
    release.refresh_from_db()
    assert not release.problem
    assert not AuditEvent.objects.filter(verb="release.not_prepared").exists()
    assert releases.publish_release(release=release, by=researchers_of(study)[0]).number == 1
