"""Releases: prepared in the background, looked at, published for good, and taken back where somebody withdraws."""

import csv
import hashlib
import io
from datetime import timedelta
from typing import Any
from unittest import mock
from zipfile import ZipFile

import pytest
from django.urls import reverse
from django.utils import timezone

from analysis.release.core.building import BuiltRelease, build_release
from analysis.release.models import Release, ReleaseArchive
from analysis.release.selectors.releases import why_stale
from analysis.release.services import releases
from annotation.people.services.members import withdraw_consent
from annotation.platform.core.errors import Refused
from annotation.platform.core.work_kinds import MAX_ATTEMPTS
from annotation.platform.models.audit import AuditEvent
from annotation.platform.models.work import Task
from annotation.platform.services import work
from annotation.study.models.participation import Consent, Participation, Role
from annotation.study.models.studies import Study
from annotation.texts.core.work_kinds import AFTER_WITHDRAWAL
from tests.ceremony import a_prepared_release, a_published_release, labels_swapped, prepared, published
from tests.clients import signed_in
from tests.factories import an_unblinded_study, members_of, researchers_of
from tests.pages import in_words
from tests.work import perform

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


@pytest.fixture
def study() -> Study:
    return an_unblinded_study(2, 2, 2)


@pytest.fixture
def release() -> Release:
    """One that is prepared."""
    return a_prepared_release(2, 2, 2)


@pytest.fixture
def public() -> Release:
    """One that is published."""
    return a_published_release(2, 2, 2)


def withdrawn(study: Study, role: Role = Role.JUDGE) -> Participation:
    member = members_of(study, role)[0]
    Consent.objects.get_or_create(participation=member, defaults={"version": study.consent_version})
    withdraw_consent(participation=member, by=member.user)
    return member


def broken_off(release: Release, *, for_the_last_time: bool = False) -> None:
    """A worker begins the release, and the disk is full."""
    task = Task.objects.get(kind="prepare_release", subject=str(release.pk))
    if for_the_last_time:
        Task.objects.filter(pk=task.pk).update(attempts=MAX_ATTEMPTS - 1)
    with mock.patch.object(releases, "build_release", side_effect=OSError("The disk is full.")):
        perform(task)


def files_of(release: Release) -> dict[str, bytes]:
    archive = ReleaseArchive.objects.get(release=release)
    with ZipFile(io.BytesIO(bytes(archive.content))) as packed:
        return {name: packed.read(name) for name in packed.namelist()}


class TestPreparing:
    def test_a_release_is_prepared_in_the_background_and_keeps_every_file_under_its_hash(
        self, study: Study
    ) -> None:
        release = releases.prepare_release(study=study, k=2, by=researchers_of(study)[0])
        assert release.prepared_at is None
        perform(Task.objects.get(kind="prepare_release"))
        release.refresh_from_db()
        found = {name: hashlib.sha256(content).hexdigest() for name, content in files_of(release).items()}
        assert found == release.manifest
        assert {"SCRuBAnnotations/task2_human_judgments.csv", "README.md", "SHA256SUMS"} <= found.keys()
        assert release.number is None
        study.refresh_from_db()
        assert study.state == "unblinded"

    def test_preparing_a_release_of_the_same_data_gives_the_same_bytes(self, release: Release) -> None:
        again = prepared(release.study)
        assert release.pk != again.pk
        assert release.manifest == again.manifest
        contents = ReleaseArchive.objects.values_list("content", flat=True)
        assert len({bytes(content) for content in contents}) == 1

    def test_a_release_asked_for_again_while_it_waits_is_the_same_one(self, study: Study) -> None:
        first, second = researchers_of(study)
        one = releases.prepare_release(study=study, k=5, by=first)
        assert releases.prepare_release(study=study, k=5, by=second) == one
        assert releases.prepare_release(study=study, k=3, by=second) != one

    @pytest.mark.parametrize("k", [1, 0, -1, releases.MAX_K + 1])
    def test_preparing_a_release_takes_only_groups_of_2_to_1000_people(self, study: Study, k: int) -> None:
        """People agreed to be told of in groups: nobody is one by themselves."""
        with pytest.raises(Refused, match="from 2 to 1,000"):
            releases.prepare_release(study=study, k=k, by=researchers_of(study)[0])

    def test_preparing_a_release_takes_only_licences_that_it_can_name(self, study: Study) -> None:
        with pytest.raises(Refused, match="Choose one of the licences CC0"):
            releases.prepare_release(study=study, k=5, by=researchers_of(study)[0], licence="cc-by")

    def test_preparing_a_release_notes_what_differs_where_the_study_is_not_as_it_was_closed(
        self, study: Study
    ) -> None:
        labels_swapped(study)
        release = prepared(study)
        assert release.prepared_at is None
        assert "no longer those that were frozen" in release.problem
        assert not ReleaseArchive.objects.exists()
        with pytest.raises(Refused, match="not prepared yet"):
            releases.publish_release(release=release, by=researchers_of(study)[0])

    def test_a_release_that_breaks_off_is_the_same_when_tried_again_or_asked_for_again(self, study: Study) -> None:
        researcher = researchers_of(study)[0]
        release = releases.prepare_release(study=study, k=2, by=researcher)
        broken_off(release)
        release.refresh_from_db()
        assert not release.problem
        assert releases.prepare_release(study=study, k=2, by=researcher) == release
        releases.build(release.pk)
        release.refresh_from_db()
        assert release.prepared_at
        assert AuditEvent.objects.filter(verb="release.asked").count() == 1

    def test_a_release_that_was_given_up_is_begun_anew_when_it_is_asked_for_again(self, study: Study) -> None:
        researcher = researchers_of(study)[0]
        release = releases.prepare_release(study=study, k=2, by=researcher)
        broken_off(release, for_the_last_time=True)
        assert releases.prepare_release(study=study, k=2, by=researcher) == release
        perform(Task.objects.get(kind="prepare_release", gave_up_at=None))
        release.refresh_from_db()
        assert release.prepared_at

    def test_a_release_that_is_refused_twice_for_the_same_reason_is_written_down_once(self, study: Study) -> None:
        labels_swapped(study)
        release = prepared(study)
        releases.build(release.pk)
        assert AuditEvent.objects.filter(verb="release.not_prepared").count() == 1

    def test_preparing_a_release_keeps_its_lease_while_files_are_written(self, study: Study) -> None:
        with mock.patch.object(work, "renew") as renewed:
            prepared(study)
        assert len(renewed.call_args_list) > len(["checking", "reading", "packing"])

    def test_preparing_a_release_twice_builds_it_once(self, release: Release) -> None:
        with mock.patch.object(releases, "build_release") as builder:
            releases.build(release.pk)
        builder.assert_not_called()

    def test_preparing_a_release_begins_again_where_somebody_withdraws_meanwhile(self, study: Study) -> None:
        """A judge withdraws while the files are written for the first time: what is kept was written after that."""
        gone: list[str] = []

        def build_slowly(*args: Any, **options: Any) -> BuiltRelease:
            built = build_release(*args, **options)
            if not gone:
                gone.append(withdrawn(study).pseudonym)
            return built

        with mock.patch.object(releases, "build_release", side_effect=build_slowly) as builder:
            release = prepared(study)
        assert builder.call_count == 2
        judgments = files_of(release)["SCRuBAnnotations/task2_human_judgments.csv"].decode()
        assert gone[0] not in judgments
        assert not why_stale(release)


class TestPublishing:
    def test_publishing_gives_the_next_number_and_releases_the_study(self, release: Release) -> None:
        one = releases.publish_release(release=release, by=researchers_of(release.study)[0])
        study = Study.objects.get()
        assert (one.number, study.state) == (1, "released")
        assert published(study).number == 2
        event = AuditEvent.objects.filter(verb="release.published").order_by("id")[0]
        assert event.detail["manifest"] == one.manifest
        assert (event.subject, event.detail["number"]) == (str(one.pk), 1)

    def test_publishing_twice_is_publishing_once(self, public: Release) -> None:
        first, second = researchers_of(public.study)
        again = releases.publish_release(release=public, by=second)
        assert (again.number, again.published_by) == (1, first)
        assert AuditEvent.objects.filter(verb="release.published").count() == 1

    def test_publishing_is_refused_where_another_release_took_the_number(self, release: Release) -> None:
        study, other = release.study, prepared(release.study)
        releases.publish_release(release=release, by=researchers_of(study)[0])
        with pytest.raises(Refused, match="Another release was published"):
            releases.publish_release(release=other, by=researchers_of(study)[0])
        client = signed_in(researchers_of(study)[0])
        page = client.get(reverse("release", args=[other.pk])).content.decode()
        assert "Another release was published" in page
        assert "leaves those data out" not in page
        listed = client.get(reverse("releases", args=[study.slug])).content.decode()
        assert listed.count("Files no longer given out") == 1

    def test_publishing_is_refused_once_somebody_has_withdrawn(self, release: Release) -> None:
        withdrawn(release.study)
        with pytest.raises(Refused, match="has withdrawn their consent"):
            releases.publish_release(release=release, by=researchers_of(release.study)[0])


class TestAfterAWithdrawal:
    def test_after_a_withdrawal_the_files_are_not_given_out_and_the_page_says_so(self, public: Release) -> None:
        study = public.study
        client = signed_in(researchers_of(study)[0])
        archive = reverse("release_archive", args=[public.pk])
        assert client.get(archive).status_code == 200
        withdrawn(study)
        assert client.get(archive).status_code == 404
        page = client.get(reverse("release", args=[public.pk])).content.decode()
        assert "These files are not given out any more." in page
        assert "A new release leaves those data out" in page
        assert archive not in page
        assert "Files no longer given out" in client.get(reverse("releases", args=[study.slug])).content.decode()
        home = in_words(client.get(reverse("study", args=[study.slug])))
        assert "Its files are given to nobody any more: prepare another one" in home
        assert "Nothing waits for you" not in home

    def test_after_a_withdrawal_the_page_tells_what_the_next_release_still_has(self, study: Study) -> None:
        withdrawn(study, Role.WRITER)
        release = prepared(study)
        told = in_words(signed_in(researchers_of(study)[0]).get(reverse("release", args=[release.pk])))
        assert "answers by their random ids, in the table of items" in told
        ids = files_of(release)["SCRuBStudy/withdrawn.csv"].decode().splitlines()
        [gone, *_] = [row[1] for row in csv.reader(ids) if row[0] == "answer"]
        assert gone in files_of(release)["SCRuBAnnotations/task2_annotation_items.csv"].decode()

    def test_after_a_withdrawal_the_files_are_deleted_and_the_hashes_stay(self, public: Release) -> None:
        withdrawn(public.study)
        perform(Task.objects.get(kind=AFTER_WITHDRAWAL, subject=str(public.study_id)))
        assert not ReleaseArchive.objects.exists()
        public.refresh_from_db()
        assert public.manifest
        assert AuditEvent.objects.get(verb="release.files_deleted").subject == str(public.pk)

    def test_what_is_prepared_after_a_withdrawal_is_given_out_and_stays(self, study: Study) -> None:
        withdrawn(study)
        release = published(study)
        releases.drop_archives(study.pk)
        assert ReleaseArchive.objects.filter(release=release).exists()
        assert not why_stale(release)

    def test_a_withdrawal_from_another_study_changes_nothing_about_a_release(self, public: Release) -> None:
        withdrawn(an_unblinded_study(1, 1, 1, slug="elsewhere"))
        releases.drop_archives(public.study_id)
        assert not why_stale(public)
        assert ReleaseArchive.objects.filter(release=public).exists()


class TestPages:
    def test_a_releases_pages_lead_from_asking_to_the_published_archive(self, study: Study) -> None:
        client = signed_in(researchers_of(study)[0])
        chosen = {"k": "2", "licence": "CC-BY-4.0"}
        asked = client.post(reverse("prepare_release", args=[study.slug]), chosen, follow=True)
        release = Release.objects.get()
        address = reverse("release", args=[release.pk])
        assert asked.redirect_chain[-1][0] == address
        assert "waits for its turn" in asked.content.decode()
        releases.build(release.pk)
        page = client.get(address).content.decode()
        assert "Publish this release" in page
        assert "They name the licence CC-BY-4.0." in page
        assert b"license: cc-by-4.0\n" in files_of(release)["README.md"]
        again = client.get(reverse("releases", args=[study.slug])).content.decode()
        assert '<option value="CC-BY-4.0" selected>' in again
        assert all(sha256 in page for sha256 in Release.objects.get().manifest.values())
        client.post(reverse("publish_release", args=[release.pk]))
        assert "Publish this release" not in client.get(address).content.decode()
        archive = client.get(reverse("release_archive", args=[release.pk]))
        assert archive["Content-Type"] == "application/zip"
        assert 'filename="trial-release-1.zip"' in archive["Content-Disposition"]
        assert "Release 1" in client.get(reverse("releases", args=[study.slug])).content.decode()

    @pytest.mark.parametrize("k", ["", "1", "many"])
    def test_a_releases_pages_show_again_what_cannot_be_taken(self, study: Study, k: str) -> None:
        client = signed_in(researchers_of(study)[0])
        answer = client.post(reverse("prepare_release", args=[study.slug]), {"k": k})
        assert answer.status_code == 400
        assert 'id="id_k_error"' in answer.content.decode()
        assert not Release.objects.exists()

    def test_a_releases_pages_are_told_how_far_it_is_and_nothing_while_that_does_not_change(
        self, study: Study
    ) -> None:
        client = signed_in(researchers_of(study)[0])
        release = releases.prepare_release(study=study, k=5, by=researchers_of(study)[0])
        address = reverse("release", args=[release.pk])
        assert client.get(address, {"shown": ""}, headers=HTMX).status_code == 204
        Release.objects.update(progress={"what": "Writing the files", "done": 2, "of": 4})
        now = client.get(address, {"shown": ""}, headers=HTMX)
        assert "Writing the files" in now.content.decode()
        assert "<html" not in now.content.decode()
        shown = {"shown": "Writing the files"}
        assert client.get(address, shown, headers=HTMX).status_code == 204
        releases.build(release.pk)
        assert client.get(address, shown, headers=HTMX)["HX-Refresh"] == "true"

    def test_a_releases_pages_say_that_it_broke_off_and_go_on_asking(self, study: Study) -> None:
        client = signed_in(researchers_of(study)[0])
        release = releases.prepare_release(study=study, k=5, by=researchers_of(study)[0])
        broken_off(release)
        answer = client.get(reverse("release", args=[release.pk]), {"shown": ""}, headers=HTMX).content.decode()
        assert "tried again by itself" in answer
        assert "hx-get" in answer

    def test_a_releases_pages_say_that_it_was_given_up_and_ask_no_more(self, study: Study) -> None:
        client = signed_in(researchers_of(study)[0])
        release = releases.prepare_release(study=study, k=5, by=researchers_of(study)[0])
        broken_off(release, for_the_last_time=True)
        address = reverse("release", args=[release.pk])
        assert client.get(address, {"shown": ""}, headers=HTMX)["HX-Refresh"] == "true"
        page = client.get(address).content.decode()
        assert "The release was given up." in page
        assert f'hx-get="{address}' not in page

    def test_a_releases_pages_say_of_how_many_people_nothing_is_told(self, release: Release) -> None:
        [judges, writers] = release.report["generalised"]
        Release.objects.update(report={**release.report, "generalised": [{**judges, "withheld": 17}, writers]})
        page = signed_in(researchers_of(release.study)[0]).get(reverse("release", args=[release.pk]))
        assert "Details withheld: 17" in in_words(page)

    def test_a_releases_pages_claim_no_group_of_more_people_than_there_are(self, study: Study) -> None:
        client, release = signed_in(researchers_of(study)[0]), prepared(study, k=1000)
        page = in_words(client.get(reverse("release", args=[release.pk])))
        assert "given only where each combination applies to at least 1,000 people" in page
        assert page.count("Withheld: too few people") == 2
        form = in_words(client.get(reverse("releases", args=[study.slug])))
        assert "Where fewer have a role, nothing that they say is published." in form
        assert "Preparing publishes nothing" in form

    def test_a_releases_pages_name_questions_as_people_were_asked_them(self, release: Release) -> None:
        page = signed_in(researchers_of(release.study)[0]).get(reverse("release", args=[release.pk]))
        assert "Years of research experience" in page.content.decode()
        assert "years_experience" not in page.content.decode()

    def test_a_releases_pages_say_nothing_of_people_where_nothing_was_noted(self, release: Release) -> None:
        """Releases of the first kind were made before that was done."""
        Release.objects.update(report={})
        page = (
            signed_in(researchers_of(release.study)[0]).get(reverse("release", args=[release.pk])).content.decode()
        )
        assert "What it says of people" not in page

    def test_a_releases_pages_say_why_a_release_was_not_prepared(self, study: Study) -> None:
        labels_swapped(study)
        release = prepared(study)
        page = signed_in(researchers_of(study)[0]).get(reverse("release", args=[release.pk])).content.decode()
        assert "This release was not prepared." in page
        assert "no longer those that were frozen" in page


def test_a_withdrawal_before_preparing_makes_nothing_stale(release: Release) -> None:
    member = members_of(release.study, Role.JUDGE)[0]
    assert release.prepared_at
    early = release.prepared_at - timedelta(minutes=1)
    Consent.objects.update_or_create(
        participation=member, defaults={"version": release.study.consent_version, "withdrawn_at": early}
    )
    assert not why_stale(release)
    Consent.objects.filter(participation=member).update(withdrawn_at=timezone.now())
    assert why_stale(release)
