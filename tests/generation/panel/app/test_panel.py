"""The panel: what it is asked, and what becomes of its replies."""

import json
from collections import Counter
from typing import Any

import pytest

from annotation.judging.models.judging import BlindedSlot, JudgingItem
from annotation.people.services import members
from annotation.platform.core.errors import Refused
from annotation.study.models.participation import Role
from annotation.study.models.responses import Response
from annotation.study.models.studies import Study
from annotation.study.selectors.rubrics import rubric_by_hash
from annotation.texts.models.provenance import Stimulus
from generation.calls.models import Attempt, Call, RunShare
from generation.calls.services.claiming import Outgoing
from generation.catalogue.services import templates
from generation.panel.core.panel import OVERALL
from generation.panel.core.perspectives import PERSPECTIVES
from generation.panel.models import PanelScore
from generation.providers.base import Reply
from tests.factories import (
    a_closed_study,
    a_judged_study,
    a_judging_study,
    an_assembling_study,
    an_unblinded_study,
    coordinator_of,
    members_of,
)
from tests.generation.calls.model_runs import claimed, good, planned, worked_off
from tests.generation.panel.panels import (
    HOLISTIC,
    INFERRED,
    JUDGES,
    ONE_JUDGE,
    SEATS,
    asked,
    item_of,
    justified,
    seven,
    texts_of,
    with_judges,
)

pytestmark = pytest.mark.django_db


class TestAPlan:
    def test_every_perspective_of_every_judge_is_asked_about_every_text_once(self) -> None:
        study = with_judges(a_judging_study(1, 1, 1, prompts=2))
        run = planned(study, **HOLISTIC)
        texts = Response.objects.filter(study=study).count()
        asked_about = Counter(Call.objects.filter(run=run).values_list("response", flat=True))
        assert set(asked_about.values()) == {len(JUDGES) * SEATS}
        assert len(asked_about) == texts == 8  # 2 prompts with 3 human answers and one model's each
        assert Counter(Call.objects.filter(run=run).values_list("perspective", flat=True)).keys() == {
            perspective.key for perspective in PERSPECTIVES
        }

    def test_asking_a_panel_again_wants_nothing_that_was_asked_for(self) -> None:
        study = with_judges(a_judging_study(1, 1, 1, prompts=1))
        first = planned(study, **HOLISTIC)
        again = planned(study, **HOLISTIC)
        assert again.state == "withdrawn"
        assert RunShare.objects.get(run=again, target__family="gpt").known == first.calls.count() / 3

    def test_another_wording_or_mode_is_another_question_to_the_panel(self) -> None:
        study = with_judges(a_judging_study(1, 1, 1, prompts=1))
        number = planned(study, **HOLISTIC).calls.count()
        assert planned(study, **{**HOLISTIC, "mode": "no_rubric"}).calls.count() == number
        templates.save_template(
            study=study,
            name="panel_holistic",
            text="Judge as the {perspective}. {description}\n\n{materials}\n\n{reply_format}",
            origin="A paper",
            by=coordinator_of(study),
        )
        assert planned(study, **HOLISTIC).calls.count() == number

    def test_a_panels_plan_is_refused_while_texts_can_still_change(self) -> None:
        study = with_judges(an_assembling_study(prompts=1))
        with pytest.raises(Refused, match="once judging is open"):
            planned(study, **HOLISTIC)

    def test_a_panels_plan_is_refused_once_the_study_is_released(self) -> None:
        study = with_judges(an_unblinded_study(1, 1, 1, prompts=1))
        Study.objects.filter(pk=study.pk).update(state="released")
        study.refresh_from_db()
        with pytest.raises(Refused, match="is released"):
            planned(study, **HOLISTIC)

    def test_a_panels_plan_is_refused_unless_there_are_as_many_judges_as_the_design_says(self) -> None:
        study = with_judges(a_judging_study(1, 1, 1, prompts=1), "gpt", "gemini")
        with pytest.raises(Refused, match="has 3 models, 2 are configured"):
            planned(study, **HOLISTIC)
        with_judges(study, "claude", "kimi")
        with pytest.raises(Refused, match=r"4 are configured\. Retire"):
            planned(study, **HOLISTIC)

    @pytest.mark.parametrize("mode", ["holistic", "inferred"])
    def test_a_panels_plan_about_items_is_refused_while_judges_can_still_take_one_back(self, mode: str) -> None:
        study = with_judges(justified(a_judged_study(1, 1, 1, **ONE_JUDGE)), "gpt")
        with pytest.raises(Refused, match="once the study is closed"):
            planned(study, **{**INFERRED, "mode": mode})

    def test_a_panels_plan_is_refused_where_there_is_nothing_to_read(self) -> None:
        study = with_judges(a_closed_study(1, 1, 1, **ONE_JUDGE), "gpt")
        with pytest.raises(Refused, match="nothing for the panel to read"):
            planned(study, **INFERRED)

    def test_a_panels_plan_reads_a_justification_as_one_of_a_whole_item_only(self) -> None:
        study = with_judges(justified(a_closed_study(1, 1, 1, **ONE_JUDGE)), "gpt")
        with pytest.raises(Refused, match="about a whole item"):
            planned(study, **{**INFERRED, "presentation": "alone"})

    def test_a_panels_plan_asks_nothing_about_somebody_who_has_withdrawn(self) -> None:
        study = with_judges(a_judged_study(1, 1, 1, prompts=1))
        writer = members_of(study, Role.WRITER)[0]
        members.withdraw_consent(participation=writer, by=writer.user)
        theirs = Stimulus.objects.get(study=study, source_code=writer.pseudonym)
        run = planned(study, **HOLISTIC)
        assert not run.calls.filter(response=theirs.pk).exists()
        assert run.calls.exists()


class TestARequest:
    def test_a_panels_request_holds_the_prompt_and_the_answer_behind_fences(self) -> None:
        study = with_judges(a_judging_study(1, 1, 1, **ONE_JUDGE), "gpt")
        outgoing = claimed(asked(study), most=5)[0]
        call = Call.objects.get(pk=outgoing.call_id)
        assert call.response
        prompt = call.response.prompt.versions.get()
        assert texts_of(outgoing) == {"question": prompt.text, "answer": call.response.text}
        seat = next(seat for seat in PERSPECTIVES if seat.key == call.perspective)
        assert seat.description in outgoing.request.prompt
        assert outgoing.request.schema
        assert outgoing.request.schema["required"] == ["score"]

    def test_a_panels_request_as_judged_shows_what_the_judge_saw_in_the_judges_order(self) -> None:
        study = with_judges(a_closed_study(1, 1, 2, **ONE_JUDGE), "gpt")
        run = asked(study, presentation="as_judged")
        assert run.calls.count() == 2 * SEATS
        for outgoing in claimed(run, most=60):
            item = item_of(outgoing)
            slots = BlindedSlot.objects.filter(item=item).select_related("response")
            shown = {f"answer-{slot.label}": slot.response.text for slot in slots}
            assert texts_of(outgoing) == {"question": item.prompt_version.text, **shown}

    def test_a_panels_request_costs_as_many_queries_for_fifty_calls_as_for_six(
        self, django_assert_max_num_queries: Any
    ) -> None:
        run = asked(with_judges(a_judging_study(1, 1, 1, prompts=2)))
        with django_assert_max_num_queries(40):
            assert len(claimed(run, most=6)) == 6
        with django_assert_max_num_queries(40):
            assert len(claimed(run, most=50)) == 50

    def test_a_panels_request_is_not_made_where_the_writer_has_withdrawn_since(self) -> None:
        study = with_judges(a_judged_study(1, 1, 1, **ONE_JUDGE), "gpt")
        run = asked(study)
        writer = members_of(study, Role.WRITER)[0]
        members.withdraw_consent(participation=writer, by=writer.user)
        run = worked_off(run, seven)
        theirs = Stimulus.objects.get(study=study, source_code=writer.pseudonym)
        assert set(run.calls.filter(response=theirs.pk).values_list("state", flat=True)) == {"failed"}
        assert not Attempt.objects.filter(call__response=theirs.pk).exists()


BY_LABEL = {"A": 3, "B": 8, "C": 5}


def two_orders() -> Study:
    """A closed study whose second judge had the answers of the first one under letters in reverse."""
    study = a_closed_study(0, 3, 2, **ONE_JUDGE)
    first, second = JudgingItem.objects.filter(study=study)
    of_first = dict(BlindedSlot.objects.filter(item=first).values_list("response", "label"))
    for letters in ("DEF", "CBA"):  # first out of the way of one another
        for response, label in of_first.items():
            slot = BlindedSlot.objects.filter(item=second, response=response)
            assert slot.update(label=letters["ABC".index(label)]) == 1
    return study


def kept_by_label(dimension: str) -> dict[str, int]:
    """The score of every answer by the letter it had in the item that the call was about."""
    labels = {
        (item, response): label
        for item, response, label in BlindedSlot.objects.values_list("item", "response", "label")
    }
    scores = PanelScore.objects.values_list("call__item", "response", "scores")
    kept = {(labels[item, response], given[dimension]) for item, response, given in scores}
    assert len(kept) == len(BY_LABEL)
    return dict(sorted(kept))


class TestAReply:
    def test_a_panels_reply_is_kept_as_the_score_of_its_answer(self) -> None:
        run = worked_off(asked(with_judges(a_judging_study(1, 1, 1, **ONE_JUDGE), "gpt")), seven)
        assert run.state == "finished"
        scores = PanelScore.objects.filter(call__run=run)
        assert scores.count() == run.calls.count()
        assert all(score.scores == {OVERALL: 7} and score.response == score.call.response for score in scores)

    def test_a_panels_reply_about_an_item_is_kept_for_each_of_its_answers(self) -> None:
        run = asked(with_judges(two_orders(), "gpt"), presentation="as_judged")
        worked_off(run, lambda _: good(json.dumps({label: {"score": by} for label, by in BY_LABEL.items()})))
        assert kept_by_label(OVERALL) == BY_LABEL

    def test_a_panels_reply_read_out_of_a_justification_is_kept_for_the_answer_its_own_judge_meant(self) -> None:
        study = with_judges(justified(two_orders()), "gpt")
        dimensions = [dimension.key for dimension in rubric_by_hash(study.rubric_id).dimensions]
        said = {label: {**dict.fromkeys(dimensions, by), "mentioned": []} for label, by in BY_LABEL.items()}
        worked_off(asked(study, **INFERRED), lambda _: good(json.dumps(said)))
        assert kept_by_label(dimensions[0]) == BY_LABEL

    def test_a_panels_reply_that_cannot_be_read_is_asked_for_twice_more_and_then_fails(self) -> None:
        study = with_judges(a_judging_study(1, 1, 1, **ONE_JUDGE), "gpt")
        run = worked_off(asked(study), lambda _: good("Score: 7 out of 10"))
        assert run.state == "finished"
        assert set(run.calls.values_list("state", flat=True)) == {"failed"}
        attempts = Attempt.objects.filter(call__run=run)
        assert set(attempts.values_list("outcome", "detail")) == {("unreadable", "The reply is not JSON.")}
        assert attempts.count() == 3 * run.calls.count()
        assert not PanelScore.objects.exists()

    def test_a_panels_reply_that_can_be_read_at_the_third_attempt_counts(self) -> None:
        replies: Counter[int] = Counter()

        def at_the_third(outgoing: Outgoing) -> Reply:
            replies[outgoing.call_id] += 1
            return good('{"score": 4}' if replies[outgoing.call_id] == 3 else "four")

        run = worked_off(asked(with_judges(a_judging_study(1, 1, 1, **ONE_JUDGE), "gpt")), at_the_third)
        assert set(run.calls.values_list("state", flat=True)) == {"accepted"}

    @pytest.mark.parametrize("mode", ["holistic", "per_dimension", "no_rubric"])
    def test_a_reply_of_the_demonstration_models_can_be_read_in_every_mode(self, mode: str) -> None:
        run = worked_off(asked(with_judges(a_judging_study(1, 1, 1, **ONE_JUDGE), "gpt"), mode=mode))
        assert set(run.calls.values_list("state", flat=True)) == {"accepted"}

    def test_a_panels_reply_read_out_of_a_justification_keeps_what_was_said(self) -> None:
        study = with_judges(justified(a_closed_study(1, 1, 1, **ONE_JUDGE)), "gpt")
        dimensions = [dimension.key for dimension in rubric_by_hash(study.rubric_id).dimensions]
        silent: dict[str, Any] = {**dict.fromkeys(dimensions), "mentioned": []}
        said = {
            "A": {**silent, "conceptual_clarity": 8, "mentioned": ["conceptual_clarity"]},
            "B": silent,
        }
        run = asked(study, **INFERRED)
        assert run.calls.count() == 1  # no perspective: what was written is read, not judged

        def answering(outgoing: Outgoing) -> Reply:
            assert texts_of(outgoing).keys() == {"question", "explanation"}
            return good(json.dumps(said))

        worked_off(run, answering)
        kept = PanelScore.objects.filter(call__run=run, call__state="accepted")
        assert sorted({tuple(score.mentioned) for score in kept}) == [(), ("conceptual_clarity",)]
