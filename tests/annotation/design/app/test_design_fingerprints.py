"""The hash of a study's design: what it depends on, and its history from the lock on."""

from decimal import Decimal
from functools import partial
from types import SimpleNamespace
from unittest import mock

import pytest
from django.apps import apps
from django.core.management.sql import emit_post_migrate_signal
from django.db.migrations import AddField
from django.db.models import IntegerField
from django.db.models.signals import post_migrate
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.timezone import localtime

from annotation.design.selectors.design import design_bytes, design_sha256, fingerprints
from annotation.design.services import protocol
from annotation.platform.models.audit import AuditEvent
from annotation.study.models.participation import Role
from annotation.study.models.studies import Study
from tests.annotation.design.app.test_design import change
from tests.clients import signed_in
from tests.factories import a_member, a_study, coordinator_of, locked
from tests.pages import in_words

pytestmark = pytest.mark.django_db

ADDED = "target_words"
AN_UPDATE = [(SimpleNamespace(operations=[AddField("Study", ADDED, IntegerField())]), False)]


def locked_before(added: str, *, slug: str) -> Study:
    """A study that a version of the site locked which did not have this parameter yet."""
    study = a_study(slug=slug)
    with mock.patch.object(protocol, "design_sha256", partial(design_sha256, without=[added])):
        locked(study)
    return study


class TestFingerprint:
    def test_the_fingerprint_is_the_same_for_a_clone_with_its_prompts_and_not_without(self) -> None:
        study = a_study(prompts=3)
        change(study, ratings_per_prompt=4, consent_text="Own words.")
        by = coordinator_of(study)
        whole = protocol.clone_study(study=study, slug="whole", title="Whole", with_prompts=True, by=by)
        bare = protocol.clone_study(study=study, slug="bare", title="Bare", with_prompts=False, by=by)
        assert design_bytes(whole) == design_bytes(study)
        assert design_sha256(bare) != design_sha256(study)

    def test_the_fingerprint_does_not_depend_on_people_names_and_states(self) -> None:
        study = a_study()
        before = design_bytes(study)
        change(study, title="Another name", description="And a purpose.")
        a_member(study, Role.WRITER)
        locked(study)
        assert design_bytes(Study.objects.get(pk=study.pk)) == before

    def test_the_fingerprint_has_a_history_from_the_lock_on(self) -> None:
        study = a_study()
        change(study, target_words=410)
        locked(study)
        study.refresh_from_db()
        change(study, fee_per_item=Decimal(5), ratings_per_prompt=2)
        history = fingerprints(study)
        assert [moment.what for moment in history] == ["Design locked", "Fee for an item, Ratings of each prompt"]
        assert history[-1].sha256 == design_sha256(study) != history[0].sha256
        page = in_words(signed_in(coordinator_of(study)).get(reverse("study_protocol", args=[study.slug])))
        for moment in history:
            when = date_format(localtime(moment.at), "j F Y, H:i T")
            assert f"{when} {moment.what} {moment.by} {moment.sha256}" in page

    def test_the_history_goes_on_where_an_update_has_added_parameters_and_nothing_else_differs(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(post_migrate, "receivers", [])
        apps.get_app_config("scrub_site").ready()
        studies = [locked_before(ADDED, slug=slug) for slug in ("updated", "altered")]
        updated, altered = (Study.objects.get(pk=study.pk) for study in studies)
        Study.objects.filter(pk=altered.pk).update(ratings_per_prompt=2)  # by nobody, and not on the site
        designing = a_study(slug="designing")
        for plan in ([], AN_UPDATE, AN_UPDATE):
            emit_post_migrate_signal(verbosity=0, interactive=False, db="default", plan=plan)

        history = fingerprints(updated)
        assert [moment.what for moment in history] == ["Design locked", "Site updated, parameters added"]
        assert history[-1].sha256 == design_sha256(updated) != history[0].sha256
        assert (len(fingerprints(altered)), len(fingerprints(designing))) == (1, 0)
        [event] = AuditEvent.objects.filter(verb="study.design_rewritten")
        assert (event.study, event.detail["design_sha256"]) == (updated, history[-1].sha256)
