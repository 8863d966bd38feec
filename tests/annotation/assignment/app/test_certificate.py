"""The certificate of an assignment: from the paper's full study, from tampered rows, and as its readers get it."""

import hashlib
import json
from collections.abc import Callable

import pytest
from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from annotation.assignment.core.repair_plan import Change
from annotation.assignment.selectors.certificate import Certificate, certificate, document
from annotation.assignment.selectors.design_preview import preview_writing
from annotation.assignment.services import designing, repairing
from annotation.judging.models.judging import BlindedSlot, JudgingItem
from annotation.people.core.limits import Limits
from annotation.people.services.members import change_limits
from annotation.platform.core.sealing import canonical_json
from annotation.study.models.participation import Participation, Role
from annotation.study.models.studies import Study
from annotation.writing.models import WritingAssignment
from tests.annotation.assignment.repairs import a_shared_study, repaired
from tests.clients import signed_in
from tests.factories import (
    SEED,
    a_judging_study,
    a_member,
    a_study,
    a_writing_study,
    an_unblinded_study,
    assignments_of,
    coordinator_of,
    judging_items_of,
    locked,
    members_of,
    written,
)
from tests.judging import submitted

pytestmark = pytest.mark.django_db
LATER = "Prompts given before a limit was changed (a repair heeds it for what is not begun)"


def proved(study: Study) -> Certificate:
    study.refresh_from_db()
    found = certificate(study)
    assert found
    return found


def broken(study: Study) -> dict[str, tuple[str, ...]]:
    """Claims that do not hold, with what is named."""
    found = proved(study)
    parts = [part for part in (found.writing, found.judging) if part]
    return {one.claim: one.problems for part in parts for one in part.properties if one.holds is False}


def counted(study: Study) -> dict[str, str]:
    found = proved(study)
    parts = [part for part in (found.writing, found.judging) if part]
    return {one.claim: one.counted for part in parts for one in part.properties}


def page(study: Study, role: Role = Role.COORDINATOR, name: str = "certificate") -> str:
    client = signed_in(members_of(study, role)[0].user)
    return client.get(reverse(name, args=[study.slug])).content.decode()


class TestTheFullStudyOfThePaper:
    @pytest.mark.parametrize(("ratings", "judges"), [(10, 15), (5, 15)])
    def test_the_full_study_of_the_paper_is_certified_in_every_respect(self, ratings: int, judges: int) -> None:
        study = a_judging_study(
            3,
            3,
            judges,
            prompts=30,
            answers_per_prompt=10,
            ratings_per_prompt=ratings,
            quality_floor_prompts=1,
            source_attribution_prompts=1,
            guess_items=3,
        )
        assert broken(study) == {}
        found = counted(study)
        assert found[f"Every prompt has exactly {ratings} ratings"] == (
            f"30 prompts, {30 * ratings} ratings; 30 × {ratings} = {30 * ratings}"  # calibration included
        )
        # 29 prompts show human answers; the items of source attribution are all by models
        assert found["No two judges of a prompt see the same human answers"] == (
            f"{29 * ratings} different sets on 29 prompts with human answers"
        )
        assert found["Nobody judges a text of their own"] == f"{29 * 3 * ratings} human answers shown to judges"

    def test_positions_in_the_full_study_add_up_to_every_answer_that_is_shown(self) -> None:
        positions = proved(a_judging_study(3, 3, 4, prompts=5, source_attribution_prompts=1)).positions
        assert positions
        assert [source.source for source in positions.sources] == ["People", "Source 1", "Source 2", "Source 3"]
        # 4 items on each of 5 prompts; source attribution shows two of each model, the others one and three human
        assert [sum(source.found) for source in positions.sources] == [48, 24, 24, 24]
        assert positions.together.degrees == 15


def test_writing_is_certified_as_soon_as_it_is_assigned() -> None:
    study = a_writing_study(writers=3, prompts=4, every_writer_answers_every_prompt=True, answers_per_prompt=3)
    assert broken(study) == {}
    assert counted(study)["Every prompt has exactly 3 answers"] == "4 prompts, 12 answers; 4 × 3 = 12"
    assert proved(study).judging is None


def test_another_number_of_writers_than_the_design_foresaw_is_told() -> None:
    study = a_writing_study(writers=3, prompts=4, every_writer_answers_every_prompt=True, answers_per_prompt=5)
    assert broken(study) == {}
    told = counted(study)["Every prompt has exactly 3 answers"]
    assert told == "4 prompts, 12 answers; 4 × 3 = 12. 3 writers take part; the design foresaw 5"


class TestTamperedRows:
    @pytest.fixture
    def study(self) -> Study:
        return a_judging_study(2, 1, 4, prompts=5, ratings_per_prompt=3)

    @staticmethod
    def first(study: Study) -> JudgingItem:
        return JudgingItem.objects.filter(study=study).select_related("participation", "prompt").order_by("pk")[0]

    def test_a_cancelled_item_leaves_its_prompt_short(self, study: Study) -> None:
        item = self.first(study)
        JudgingItem.objects.filter(pk=item.pk).update(state="cancelled")
        assert broken(study)["Every prompt has exactly 3 ratings"] == (f"{item.prompt.code} has 2",)

    def test_a_limit_that_is_set_too_low_later_is_a_figure(self, study: Study) -> None:
        judge = self.first(study).participation
        Participation.objects.filter(pk=judge.pk).update(capacity=1)
        number = JudgingItem.objects.filter(participation=judge).count()
        assert number > 1
        assert broken(study) == {}, "what was given under other limits stays"
        assert counted(study)[LATER].startswith("1 judge with more than they take now")

    def test_a_topic_that_is_excluded_later_is_a_figure(self, study: Study) -> None:
        item = self.first(study)
        Participation.objects.filter(pk=item.participation_id).update(excludes=[item.prompt.code.lower()])
        assert broken(study) == {}
        assert counted(study)[LATER].endswith("1 prompt that their judge must not get any more")

    def test_what_was_excluded_when_work_was_given_out_cannot_be_got_by_lifting_it(self) -> None:
        study = a_study(prompts=2, answers_per_prompt=1)
        spared, other = (a_member(study, Role.WRITER) for _ in range(2))
        change_limits(participation=spared, limits=Limits(excludes=("BBQ_01",)), by=coordinator_of(study))
        locked(study)
        designing.assign_writing(study=study, by=coordinator_of(study))
        assert broken(study) == {}
        moved = WritingAssignment.objects.filter(participation=other, prompt__code="BBQ_01")
        assert moved.update(participation=spared, position=9) == 1
        Participation.objects.filter(pk=spared.pk).update(excludes=[])
        assert broken(study)["No writer has a prompt they must not get"] == (f"{spared.pseudonym} has BBQ_01",)

    def test_an_order_that_was_turned_round_is_told(self, study: Study) -> None:
        judge = self.first(study).participation
        own = JudgingItem.objects.filter(participation=judge)
        own.update(position=F("position") + 100)
        for place, item in enumerate(own.order_by("-position"), start=1):
            JudgingItem.objects.filter(pk=item.pk).update(position=place)
        assert broken(study) == {
            "Every judge has their prompts in the order drawn from the seed": (f"{judge.pseudonym}’s order",)
        }

    def test_an_answer_that_is_gone_is_told(self, study: Study) -> None:
        item = self.first(study)
        BlindedSlot.objects.filter(item=item, label="B").delete()
        assert broken(study)["Every item shows 3 different answers to its prompt, labelled A to C"] == (
            f"{item.participation.pseudonym} on {item.prompt.code}",
        )

    def test_somebody_who_has_left_with_work_to_do_is_told(self, study: Study) -> None:
        judge = self.first(study).participation
        Participation.objects.filter(pk=judge.pk).update(left_at=F("joined_at"))
        number = JudgingItem.objects.filter(participation=judge).count()
        assert broken(study)["Whoever has ratings to give takes part in the study"] == (
            f"{judge.pseudonym} has left, {number} ratings to be given",
        )

    def test_an_assignment_of_writing_that_was_taken_back_is_told(self) -> None:
        study = a_writing_study(writers=2, prompts=3)
        gone = WritingAssignment.objects.filter(study=study).select_related("prompt")[0]
        WritingAssignment.objects.filter(pk=gone.pk).update(state="cancelled")
        assert broken(study)["Every prompt has exactly 2 answers"] == (f"{gone.prompt.code} has 1",)

    @pytest.mark.parametrize(
        "tamper",
        [
            lambda study: JudgingItem.objects.filter(study=study).update(position=F("position") + 50),
            lambda study: BlindedSlot.objects.filter(item__study=study, label="A").update(label="H"),
        ],
    )
    def test_every_change_changes_the_hash_of_the_assignment(
        self, study: Study, tamper: Callable[[Study], object]
    ) -> None:
        before = proved(study).assignment_sha256
        assert proved(study).assignment_sha256 == before
        tamper(study)
        assert proved(study).assignment_sha256 != before


class TestAfterARepairWhereEveryWriterAnswersEveryPrompt:
    """Three writers, 4 prompts; the first has handed in one answer."""

    @pytest.fixture
    def study(self) -> Study:
        study = a_study(prompts=4, every_writer_answers_every_prompt=True, answers_per_prompt=3)
        for _ in range(3):
            a_member(study, Role.WRITER)
        locked(study)
        designing.assign_writing(study=study, by=coordinator_of(study))
        study.refresh_from_db()
        written(assignments_of(study)[0])
        return study

    @pytest.mark.parametrize("named", ["leaves", "late"])
    def test_after_a_repair_a_writer_who_has_gone_counts_for_what_they_wrote(
        self, study: Study, named: str
    ) -> None:
        repaired(study, **{named: members_of(study, Role.WRITER)[:1]})
        assert broken(study) == {}
        told = counted(study)["Every prompt has exactly the answers it asks for"]
        assert told.startswith("4 prompts, 9 answers; 1 × 3 + 3 × 2 = 9")
        assert ("2 writers take part; the design foresaw 3" in told) == (named == "leaves")

    def test_a_writer_who_was_late_gets_nothing_back_with_the_next_repair(self, study: Study) -> None:
        first, second, _ = members_of(study, Role.WRITER)
        repaired(study, late=[first])
        plan = repaired(study, leaves=[second])
        assert {(move.taken_from, move.given_to) for move in plan.moves} == {(second.pseudonym, "")}
        assert broken(study) == {}

    def test_a_writer_who_was_late_takes_answers_up_again_by_joining(self, study: Study) -> None:
        first = members_of(study, Role.WRITER)[:1]
        repaired(study, late=first)
        assert len(repaired(study, joins=first).moves) == 3
        assert counted(study)["Every prompt has exactly 3 answers"] == "4 prompts, 12 answers; 4 × 3 = 12"
        assert broken(study) == {}

    def test_an_answer_that_is_missing_is_still_told_after_a_repair(self, study: Study) -> None:
        repaired(study, leaves=members_of(study, Role.WRITER)[:1])
        gone = WritingAssignment.objects.filter(study=study, state="assigned").select_related("prompt")[0]
        WritingAssignment.objects.filter(pk=gone.pk).update(state="cancelled")
        assert broken(study)["Every prompt has exactly the answers it asks for"] == (
            f"{gone.prompt.code} has {2 if gone.prompt_id == assignments_of(study)[0].prompt_id else 1}",
        )


class TestAfterARepair:
    @pytest.fixture
    def study(self) -> Study:
        study = a_judging_study(2, 1, 5, prompts=6, ratings_per_prompt=3)
        change = Change("judging", leaves=frozenset({members_of(study, Role.JUDGE)[0].pseudonym}))
        plan = repairing.plan(study=study, change=change)
        by = coordinator_of(study)
        repairing.apply(study=study, change=change, digest=plan.digest, reason="Fell ill.", by=by)
        return study

    def test_after_a_repair_every_rule_still_holds(self, study: Study) -> None:
        assert broken(study) == {}
        assert counted(study)["Every prompt has exactly 3 ratings"] == "6 prompts, 18 ratings; 6 × 3 = 18"

    def test_what_was_done_before_a_limit_breaks_no_rule_though_a_repair_knew_the_limit(self) -> None:
        study = a_shared_study(slug="limits")
        done, _ = judging_items_of(study)
        submitted(done)
        judges = members_of(study, Role.JUDGE)
        limits = Limits(excludes=(done.prompt.code,))
        change_limits(participation=judges[0], limits=limits, by=coordinator_of(study))
        plan = repaired(study, leaves=judges[1:2])
        assert judges[0].pseudonym in {move.given_to for move in plan.moves}
        assert broken(study) == {}

    def test_a_repair_is_told_with_its_reason_and_its_moves(self, study: Study) -> None:
        [repair] = proved(study).repairs
        assert (repair.task, repair.reason) == ("judging", "Fell ill.")
        assert {move["taken_from"] for move in repair.moves} == {members_of(study, Role.JUDGE)[0].pseudonym}
        shown = page(study)
        assert "“Fell ill.”" in shown
        assert f"{repair.moves[0]['prompt']} from {repair.moves[0]['taken_from']}" in shown


class TestThePage:
    def test_the_certificates_page_has_the_hash_of_the_json_which_anybody_can_recompute(self) -> None:
        study = a_judging_study(1, 1, 2)
        a_member(study, Role.RESEARCHER)
        found = json.loads(page(study, name="certificate_json"))
        assert hashlib.sha256(canonical_json(found["certificate"])).hexdigest() == found["sha256"]
        assert found["sha256"] in page(study)
        assert json.loads(page(study, Role.RESEARCHER, "certificate_json")) == found

    def test_the_certificates_page_names_what_does_not_hold(self) -> None:
        study = a_judging_study(1, 1, 2)
        item = JudgingItem.objects.filter(study=study).select_related("prompt")[0]
        JudgingItem.objects.filter(pk=item.pk).update(state="cancelled")
        shown = page(study)
        assert "1 rule does not hold" in shown
        assert f"{item.prompt.code} has 1" in shown

    def test_the_certificate_shows_seed_sources_and_calibration_once_the_study_is_unblinded(self) -> None:
        study = an_unblinded_study(1, 2, 2, quality_floor_prompts=1, levels={"human": 5, "model": 7, "weak": 2})
        found = document(proved(study))["certificate"]
        assert found["seed"] == SEED.hex()
        assert {source["source"] for source in found["positions"]["sources"]} == {"People", "family-1", "family-2"}
        assert (
            "degrees of freedom"
            in counted(study)[
                "Calibration items are spread over the thirds of judges’ lists as chance alone would spread them"
            ]
        )

    def test_certifying_asks_the_database_no_more_often_for_more_items(self) -> None:
        def queries(study: Study) -> int:
            with CaptureQueriesContext(connection) as captured:
                proved(study)
            return len(captured)

        small = queries(a_judging_study(1, 1, 2, slug="small"))
        large = a_judging_study(1, 1, 6, slug="large", prompts=8, ratings_per_prompt=3)
        assert queries(large) == small <= 20


class TestBeforeAnythingIsDrawn:
    def test_before_anything_is_drawn_the_page_says_that_it_can_be_done_and_how_much_each_would_have(self) -> None:
        study = a_study(prompts=5, answers_per_prompt=2)
        for _ in range(3):
            a_member(study, Role.WRITER)
        # 5 prompts × 2 answers = 10, among three writers: 4, 3 and 3
        shown = " ".join(page(study).split())
        assert "5 prompts with 2 answers each: 1 writer would have 4, 2 writers would have 3." in shown

    def test_before_anything_is_drawn_the_page_says_what_stands_in_the_way_and_what_would_be_enough(self) -> None:
        study = a_study(prompts=2, answers_per_prompt=3)
        a_member(study, Role.WRITER)
        shown = " ".join(page(study).split())
        assert "it cannot be done" in shown
        assert "2 more writers" in shown

    def test_before_anything_is_drawn_the_page_says_that_sets_of_human_answers_would_not_go_round(self) -> None:
        study = a_study(answers_per_prompt=3, human_answers_per_item=2, ratings_per_prompt=4)
        for _ in range(4):
            a_member(study, Role.JUDGE)
        shown = " ".join(page(study).split())
        # C(3, 2) = 3 sets for 4 ratings; C(4, 2) = 6 would be enough
        assert "3 human answers to a prompt give 3 different sets of 2; 4 ratings are asked for" in shown
        assert "Enough would be 3 ratings or 4 answers for each prompt" in shown

    def test_before_anything_is_drawn_nothing_looks_at_the_seed(self) -> None:
        study = a_study(prompts=3)
        a_member(study, Role.WRITER)
        locked(study)
        with CaptureQueriesContext(connection) as captured:
            assert preview_writing(study, today=timezone.localdate()).loads == {3: 1}
        assert not [query for query in captured if "studyseed" in query["sql"]]

    def test_before_anything_is_drawn_there_is_no_json(self) -> None:
        study = a_study()
        client = signed_in(coordinator_of(study))
        assert client.get(reverse("certificate_json", args=[study.slug])).status_code == 404
