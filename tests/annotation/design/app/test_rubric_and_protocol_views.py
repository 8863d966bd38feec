"""The pages of a study's rubric and protocol, and of what becomes of a design: a copy, or the archive."""

import hashlib
import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from annotation.design.selectors.design import design_sha256
from annotation.study.models.participation import Role
from annotation.study.models.studies import Study
from tests.annotation.design.app.test_design_views import CONSTITUTIONAL, now, page, post, save
from tests.clients import signed_in
from tests.factories import a_judging_study, a_member, a_person, a_study

pytestmark = pytest.mark.django_db


class TestTheRubric:
    def test_the_rubric_is_seen_in_full_before_it_is_chosen(self) -> None:
        study = a_study()
        html = page(study, "rubric_preview", standard="constitutional_reasoning-2")
        assert "Low 0–59" in html
        assert "Are all established facts that bear on the matter acknowledged" in html
        assert "Use this rubric" in html
        said = post(study, "rubric_choose", standard="constitutional_reasoning-2").content.decode()
        assert "The study’s rubric is “Constitutional reasoning”." in said
        assert now(study).rubric.slug == "constitutional_reasoning"

    def test_the_rubric_can_be_a_file_of_one_s_own(self) -> None:
        study = a_study()
        own = CONSTITUTIONAL.replace('title = "Constitutional', 'title = "Municipal').encode()
        post(study, "rubric_choose", file=SimpleUploadedFile("own.toml", own))
        assert "Municipal" in page(study, "rubric_preview")
        assert now(study).rubric.toml == own.decode()

    @pytest.mark.parametrize(
        ("file", "complaint"),
        [
            (CONSTITUTIONAL.replace("maximum = 100", "maximum = -1").encode(), "scale.maximum must be 1 or more."),
            (b"title = ", "This is not TOML"),
            (
                b'version = 1\ntitle = "\xc9thique"',
                "Line 2 is not UTF-8 text. Read as Windows-1252 (Latin-1) it says “title = &quot;Éthique&quot;”.",
            ),
            (b"\xff\xfet\0", "Line 1 is not UTF-8 text. It begins as text in UTF-16 does."),
            (b"#" * 200_001, "at most 200 kB"),
            (b"a." * 20_000 + b"a = 1", "Line 1: a key has more than 8 names"),
            (b"a = " + b"[" * 5_000, "Line 1: brackets stand in brackets"),
            (b"\nversion = " + b"9" * 199_000, "Line 2: a number has more than 15 digits"),
        ],
    )
    def test_the_rubric_is_refused_by_the_key_that_is_wrong(self, file: bytes, complaint: str) -> None:
        study = a_study()
        answer = post(study, "rubric_choose", file=SimpleUploadedFile("own.toml", file))
        assert answer.status_code == 400
        assert complaint in answer.content.decode()
        assert now(study).rubric_id == study.rubric_id

    @pytest.mark.parametrize(
        ("instrument", "complaint"),
        [
            ("a." * 20_000 + "a = 1", "Line 1: a key has more than 8 names"),
            ("low = " + "[" * 5_000, "Line 1: brackets stand in brackets"),
            ("low = " + "9" * 100_000, "Line 1: a number has more than 15 digits"),
        ],
    )
    def test_an_instrument_of_which_more_is_to_be_read_than_can_be_is_refused(
        self, instrument: str, complaint: str
    ) -> None:
        study = a_study()
        answer = save(study, "people", ideology_instrument=instrument)
        assert answer.status_code == 400
        assert complaint in answer.content.decode()
        assert now(study).ideology_instrument == study.ideology_instrument

    def test_the_rubric_stays_once_judging_is_open(self) -> None:
        study = a_judging_study(1, 1, 1)
        assert "Upload and use" not in page(study, "rubric_preview")
        answer = post(study, "rubric_choose", standard="constitutional_reasoning-2")
        assert answer.status_code == 400
        assert now(study).rubric_id == study.rubric_id


class TestTheProtocol:
    def test_the_protocol_holds_what_an_ethics_board_asks_for(self) -> None:
        study = a_study(prompts=1, writing_minutes=45, description="Why towns differ.")
        html = page(study, "study_protocol")
        for part in (
            "Why towns differ.",
            "What is recorded",
            study.consent_text.splitlines()[0],
            "within 45 minutes",
            "Could an educated reader from another field",
            "every needed text is admitted, items are blinded",
            "Minutes for an answer",
            design_sha256(study),
        ):
            assert part in " ".join(html.split()), part
        assert "is it fair that 2 towns" not in html
        assert "is it fair that 2 towns" in page(study, "study_protocol", prompts="1")

    def test_the_protocols_hash_is_that_of_the_file(self) -> None:
        study = a_study()
        client = signed_in(a_member(study, Role.RESEARCHER).user)
        answer = client.get(reverse("design_json", args=[study.slug]))
        assert hashlib.sha256(answer.content).hexdigest() == design_sha256(study)
        assert json.loads(answer.content)["parameters"]["target_words"] == 400
        assert answer["Content-Disposition"] == 'attachment; filename="trial-design.json"'
        assert design_sha256(study) in client.get(reverse("study_protocol", args=[study.slug])).content.decode()


class TestCloningAndArchiving:
    def test_a_clone_leads_to_its_own_design(self) -> None:
        study = a_study()
        answer = post(study, "study_clone", title="Once more", slug="again", with_prompts="on")
        assert answer.redirect_chain[-1][0] == reverse("study_design", args=["again"])
        assert Study.objects.get(slug="again").prompts.count() == 2

    def test_a_name_under_which_a_study_cannot_be_cloned_is_asked_for_again(self) -> None:
        answer = post(a_study(), "study_clone", title="Kept title", slug="trial")
        assert answer.status_code == 400
        assert "“trial” is taken" in answer.content.decode()
        assert "Kept title" in answer.content.decode()

    def test_an_archived_study_is_folded_away_in_everybody_s_list_and_stays_readable(self) -> None:
        study, other = a_study(), a_study(slug="other")
        writer = a_member(study, Role.WRITER).user
        a_member(other, Role.WRITER, writer)
        home = reverse("home")
        assert "Archived" not in signed_in(writer).get(home).content.decode()
        answer = post(study, "study_archive")
        assert "Bring it back into the lists" in answer.content.decode()
        listed, folded = signed_in(writer).get(home).content.decode().split("Archived: 1")
        assert "The other study" in listed
        assert "The trial study" not in listed
        assert "The trial study" in folded
        study_page = signed_in(writer).get(reverse("study", args=[study.slug]))
        assert (study_page.status_code, "Archived" in study_page.content.decode()) == (200, True)
        post(study, "study_bring_back")
        assert "Archived" not in signed_in(writer).get(home).content.decode()

    def test_administrators_put_away_studies_they_take_no_part_in(self) -> None:
        study = a_study()
        client = signed_in(a_person("Ada Administrator", is_staff=True))
        listed = client.get(reverse("administration")).content.decode()
        assert reverse("study_archive", args=[study.slug]) in listed
        answer = client.post(reverse("study_archive", args=[study.slug]), follow=True)
        assert answer.redirect_chain[-1][0] == reverse("administration")
        assert "Archived: 1" in answer.content.decode()
        client.post(reverse("study_bring_back", args=[study.slug]))
        assert now(study).archived_at is None
