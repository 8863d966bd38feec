"""Assigning with what people can take, want and must not get: what holds afterwards, and what is written down."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.assignment.core.feasibility import Infeasible
from annotation.assignment.core.preferences import people_from
from annotation.assignment.services import assembling, designing
from annotation.judging.models.judging import BlindedSlot, JudgingItem
from annotation.platform.models.audit import AuditEvent
from annotation.study.models.participation import Consent, Participation, Role
from annotation.study.models.prompts import Prompt
from annotation.study.models.studies import Study
from annotation.texts.models.provenance import Stimulus
from annotation.writing.models import WritingAssignment
from tests.analysis.blinding.tampering import verified
from tests.annotation.assignment.repairs import held
from tests.factories import a_member, a_study, an_assembling_study, coordinator_of, locked, members_of

pytestmark = pytest.mark.django_db


def limit(participation: Participation, **limits: object) -> Participation:
    Participation.objects.filter(pk=participation.pk).update(**limits)
    return participation


def a_locked_study(*, writers: int = 4, prompts: int = 6, answers: int = 2) -> Study:
    """Prompts of three domains in turn, and nothing assigned yet."""
    study = a_study(prompts=prompts, answers_per_prompt=answers)
    for _ in range(writers):
        a_member(study, Role.WRITER)
    locked(study)
    study.refresh_from_db()
    return study


def assigned(study: Study) -> dict[str, list[str]]:
    designing.assign_writing(study=study, by=coordinator_of(study))
    return held(study)


class TestWriting:
    def test_nobody_gets_more_to_write_than_their_capacity(self) -> None:
        study = a_locked_study()
        little, *_ = members_of(study, Role.WRITER)
        limit(little, capacity=1)
        # 6 prompts × 2 answers = 12: one, and 11 for the other three.
        assert sorted(map(len, assigned(study).values())) == [1, 3, 4, 4]
        assert len(held(study)[little.pseudonym]) == 1

    def test_nobody_gets_to_write_what_they_must_not_by_code_domain_or_discipline(self) -> None:
        study = a_locked_study()
        one, two, three, _ = members_of(study, Role.WRITER)
        Prompt.objects.filter(code="HLE_02").update(disciplines=["Social Theory"])
        limit(one, excludes=["bbq_01"])
        limit(two, excludes=["MSC"])
        limit(three, excludes=["social theory"])
        given = assigned(study)
        assert "BBQ_01" not in given[one.pseudonym]
        assert not [code for code in given[two.pseudonym] if code.startswith("MSC")]
        assert "HLE_02" not in given[three.pseudonym]

    def test_preferences_of_writers_are_met_where_they_can_be(self) -> None:
        study = a_locked_study(writers=3, prompts=6, answers=1)
        for writer, domain in zip(members_of(study, Role.WRITER), ("BBQ", "HLE", "MSC"), strict=True):
            limit(writer, prefers=[domain])
        assert all(len({code[:3] for code in codes}) == 1 for codes in assigned(study).values())

    def test_no_writing_goes_to_who_has_no_time_any_more_or_withdrew(self) -> None:
        study = a_locked_study()
        past, gone, left, here = members_of(study, Role.WRITER)
        a_member(study, Role.WRITER)
        limit(past, available_until=timezone.localdate() - timedelta(days=1))
        Consent.objects.filter(participation=gone).update(withdrawn_at=timezone.now())
        limit(left, left_at=timezone.now())
        limit(here, available_until=timezone.localdate(), available_from=timezone.localdate())
        assert assigned(study).keys() == {here.pseudonym, "W-0005"}

    def test_a_refusal_to_assign_writing_says_who_is_too_few_for_what(self) -> None:
        study = a_locked_study()
        for writer in members_of(study, Role.WRITER)[:3]:
            limit(writer, excludes=["BBQ_01"])
        with pytest.raises(Infeasible, match="BBQ_01") as refused:
            designing.assign_writing(study=study, by=coordinator_of(study))
        assert (shortage := refused.value.shortage)
        assert (shortage.prompts, shortage.wanted, shortage.possible) == (("BBQ_01",), 2, 1)
        assert not WritingAssignment.objects.exists()

    def test_what_writing_was_drawn_from_is_written_down(self) -> None:
        study = a_locked_study()
        little, *_ = members_of(study, Role.WRITER)
        limit(little, capacity=2, excludes=["BBQ"])
        assigned(study)
        first, *others = people_from(AuditEvent.objects.get(verb="writing.assigned").detail["people"])
        assert (first.name, first.capacity, first.excluded) == (
            little.pseudonym,
            2,
            frozenset({"BBQ_01", "BBQ_04"}),
        )
        assert all(person.capacity is None and not person.excluded for person in others)


class TestJudging:
    @pytest.fixture
    def study(self) -> Study:
        """Four writers have written on three prompts, items show two of their answers. Four judges, two each."""
        study = an_assembling_study(writers=4, prompts=3, human_answers_per_item=2, ratings_per_prompt=2)
        for _ in range(4):
            a_member(study, Role.JUDGE)
        return study

    def prompts_of(self, judge: Participation) -> list[str]:
        items = JudgingItem.objects.filter(participation=judge).order_by("position")
        return list(items.values_list("prompt__code", flat=True))

    def test_limits_of_judges_hold_and_the_design_can_be_recomputed_from_them(self, study: Study) -> None:
        little, barred, *_ = members_of(study, Role.JUDGE)
        limit(little, capacity=1)
        limit(barred, excludes=["HLE"], prefers=["MSC"])
        assembling.open_judging(study=study, by=coordinator_of(study), reason="Made for a test.")
        assert len(self.prompts_of(little)) <= 1
        assert "HLE_02" not in self.prompts_of(barred)
        assert verified(study) == []
        limit(little, capacity=None, excludes=["BBQ"])  # what is set later changes nothing about it
        assert verified(study) == []

    def test_a_judge_s_colleague_is_in_a_set_of_somebody_else_s_where_that_can_be(self, study: Study) -> None:
        colleague = members_of(study, Role.WRITER)[0]
        limit(colleague, institution="University of Ash ")
        alike, *_ = [limit(judge, institution=" university of ASH") for judge in members_of(study, Role.JUDGE)[:1]]
        assembling.open_judging(study=study, by=coordinator_of(study), reason="Made for a test.")
        theirs = Stimulus.objects.filter(study=study, source_code=colleague.pseudonym).values("response")
        shown = BlindedSlot.objects.filter(item__participation=alike, response__in=theirs)
        # Two of four answers to a set, two sets, each answer in one: the other set is always there.
        assert not shown.exists()
        assert verified(study) == []

    def test_who_is_of_one_house_is_written_down_and_nothing_of_who_wrote_what(self, study: Study) -> None:
        judge, writer = members_of(study, Role.JUDGE)[0], members_of(study, Role.WRITER)[1]
        for colleague in (judge, writer):
            limit(colleague, institution="Ash")
        assembling.open_judging(study=study, by=coordinator_of(study), reason="Made for a test.")
        detail = AuditEvent.objects.get(verb="study.open_judging").detail
        assert detail["colleagues"] == {judge.pseudonym: [writer.pseudonym]}
        detail["colleagues"] = {}
        sources = set(Stimulus.objects.filter(study=study).values_list("source_code", flat=True))
        assert not [source for source in sources if source in str(detail)]
        assert "Ash" not in str(detail)

    def test_too_few_judges_do_not_open_judging(self, study: Study) -> None:
        for judge in members_of(study, Role.JUDGE):
            limit(judge, capacity=1)
        with pytest.raises(Infeasible):
            assembling.open_judging(study=study, by=coordinator_of(study), reason="Made for a test.")
        assert not JudgingItem.objects.filter(study=study).exists()
