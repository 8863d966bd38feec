"""The panel: what it is asked, what becomes of its replies, and what they come to."""

import json
import re
from collections import Counter
from typing import Any

import pytest
from django.urls import reverse

from analysis.selectors.panel import panel_results
from annotation.core.errors import Refused
from annotation.models.allocation import Stimulus
from annotation.models.judging import BlindedSlot, JudgingItem
from annotation.models.participation import Role
from annotation.models.responses import Response
from annotation.models.studies import Study
from annotation.selectors.rubrics import rubric_by_hash
from annotation.services import members
from generation.core.panel import OVERALL
from generation.core.perspectives import PERSPECTIVES
from generation.models.panel import PanelScore
from generation.models.runs import Attempt, Call, GenerationRun, RunShare
from generation.providers.base import Reply
from generation.selectors.panel import panel_settings
from generation.services import templates
from generation.services.claiming import Outgoing
from tests.clients import signed_in
from tests.factories import (
    a_judged_study,
    a_judging_study,
    an_assembling_study,
    an_unblinded_study,
    coordinator_of,
    members_of,
    researchers_of,
)
from tests.model_runs import a_target, claimed, good, planned, started, worked_off

pytestmark = pytest.mark.django_db

JUDGES = ("family-1", "gpt", "gemini")
SEATS = len(PERSPECTIVES)
HOLISTIC: dict[str, Any] = {"purpose": "panel", "track": "", "mode": "holistic", "presentation": "alone"}
ONE_JUDGE: dict[str, Any] = {"prompts": 1, "panel_judge_models": 1}


def with_judges(study: Study, *families: str) -> Study:
    for family in families or JUDGES:
        a_target(study, family, role="panel", model_id="demo-large", weak_temperature=None)
    return study


def asked(study: Study, mode: str = "holistic", presentation: str = "alone") -> GenerationRun:
    return started(study, **{**HOLISTIC, "mode": mode, "presentation": presentation})


def seven(_outgoing: Outgoing) -> Reply:
    return good('{"score": 7}')


def texts_of(outgoing: Outgoing) -> dict[str, str]:
    """What stands behind fences in a request, by name."""
    found = re.findall(r"<([\w-]+?)-([0-9a-f]{16})>\n(.*?)\n</\1-\2>", outgoing.request.prompt, re.DOTALL)
    return {name: text for name, _, text in found}


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

    def test_asking_again_wants_nothing_that_was_asked_for(self) -> None:
        study = with_judges(a_judging_study(1, 1, 1, prompts=1))
        first = planned(study, **HOLISTIC)
        again = planned(study, **HOLISTIC)
        assert again.state == "withdrawn"
        assert RunShare.objects.get(run=again, target__family="gpt").known == first.calls.count() / 3

    def test_another_wording_or_mode_is_another_question(self) -> None:
        study = with_judges(a_judging_study(1, 1, 1, prompts=1))
        number = planned(study, **HOLISTIC).calls.count()
        assert planned(study, **{**HOLISTIC, "mode": "no_rubric"}).calls.count() == number
        templates.save_template(
            study=study,
            name="panel_holistic",
            text="Judge as the {perspective}.\n\n{materials}\n\n{reply_format}",
            origin="A paper",
            by=coordinator_of(study),
        )
        assert planned(study, **HOLISTIC).calls.count() == number

    def test_is_refused_while_texts_can_still_change(self) -> None:
        study = with_judges(an_assembling_study(prompts=1))
        with pytest.raises(Refused, match="once judging is open"):
            planned(study, **HOLISTIC)

    def test_is_refused_without_as_many_judges_as_the_design_says(self) -> None:
        study = with_judges(a_judging_study(1, 1, 1, prompts=1), "gpt", "gemini")
        with pytest.raises(Refused, match="has 3 models, 2 are configured"):
            planned(study, **HOLISTIC)

    @pytest.mark.parametrize(("mode", "presentation"), [("holistic", "as_judged"), ("inferred", "alone")])
    def test_about_items_is_refused_before_there_are_any(self, mode: str, presentation: str) -> None:
        study = with_judges(a_judging_study(1, 1, 1, prompts=1))
        with pytest.raises(Refused, match="nothing for the panel to read"):
            planned(study, **{**HOLISTIC, "mode": mode, "presentation": presentation})

    def test_asks_nothing_about_somebody_who_has_withdrawn(self) -> None:
        study = with_judges(a_judged_study(1, 1, 1, prompts=1))
        writer = members_of(study, Role.WRITER)[0]
        members.withdraw_consent(participation=writer, by=writer.user)
        theirs = Stimulus.objects.get(study=study, source_code=writer.pseudonym)
        run = planned(study, **HOLISTIC)
        assert not run.calls.filter(response=theirs.pk).exists()
        assert run.calls.exists()


class TestARequest:
    def test_holds_the_prompt_and_the_answer_behind_fences(self) -> None:
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

    def test_as_judged_shows_what_the_judge_saw_in_the_judges_order(self) -> None:
        study = with_judges(a_judged_study(1, 1, 2, **ONE_JUDGE), "gpt")
        run = asked(study, presentation="as_judged")
        assert run.calls.count() == 2 * SEATS
        for outgoing in claimed(run, most=60):
            item = Call.objects.get(pk=outgoing.call_id).item
            assert item
            slots = BlindedSlot.objects.filter(item=item).select_related("response")
            shown = {f"answer-{slot.label}": slot.response.text for slot in slots}
            assert texts_of(outgoing) == {"question": item.prompt_version.text, **shown}

    def test_costs_as_many_queries_for_sixty_calls_as_for_six(self, django_assert_max_num_queries: Any) -> None:
        run = asked(with_judges(a_judging_study(1, 1, 1, prompts=2)))
        with django_assert_max_num_queries(40):
            assert len(claimed(run, most=6)) == 6
        with django_assert_max_num_queries(40):
            assert len(claimed(run, most=60)) == 60

    def test_is_not_made_where_the_writer_has_withdrawn_since(self) -> None:
        study = with_judges(a_judged_study(1, 1, 1, **ONE_JUDGE), "gpt")
        run = asked(study)
        writer = members_of(study, Role.WRITER)[0]
        members.withdraw_consent(participation=writer, by=writer.user)
        run = worked_off(run, seven)
        theirs = Stimulus.objects.get(study=study, source_code=writer.pseudonym)
        assert set(run.calls.filter(response=theirs.pk).values_list("state", flat=True)) == {"failed"}
        assert not Attempt.objects.filter(call__response=theirs.pk).exists()


class TestAReply:
    def test_is_kept_as_the_score_of_its_answer(self) -> None:
        run = worked_off(asked(with_judges(a_judging_study(1, 1, 1, **ONE_JUDGE), "gpt")), seven)
        assert run.state == "finished"
        scores = PanelScore.objects.filter(call__run=run)
        assert scores.count() == run.calls.count()
        assert all(score.scores == {OVERALL: 7} and score.response == score.call.response for score in scores)

    def test_about_an_item_is_kept_for_each_of_its_answers(self) -> None:
        run = asked(with_judges(a_judged_study(1, 1, 1, **ONE_JUDGE), "gpt"), presentation="as_judged")
        worked_off(run, lambda _: good('{"A": {"score": 3}, "B": {"score": 8}}'))
        labels = dict(BlindedSlot.objects.values_list("response_id", "label"))
        kept = {
            (labels[response], scores[OVERALL])
            for response, scores in PanelScore.objects.values_list("response", "scores")
        }
        assert kept == {("A", 3), ("B", 8)}

    def test_that_cannot_be_read_is_asked_for_twice_more_and_then_fails(self) -> None:
        study = with_judges(a_judging_study(1, 1, 1, **ONE_JUDGE), "gpt")
        run = worked_off(asked(study), lambda _: good("Score: 7 out of 10"))
        assert run.state == "finished"
        assert set(run.calls.values_list("state", flat=True)) == {"failed"}
        attempts = Attempt.objects.filter(call__run=run)
        assert set(attempts.values_list("outcome", "detail")) == {("unreadable", "The reply is not JSON.")}
        assert attempts.count() == 3 * run.calls.count()
        assert not PanelScore.objects.exists()

    def test_that_can_be_read_at_the_third_attempt_counts(self) -> None:
        replies: Counter[int] = Counter()

        def at_the_third(outgoing: Outgoing) -> Reply:
            replies[outgoing.call_id] += 1
            return good('{"score": 4}' if replies[outgoing.call_id] == 3 else "four")

        run = worked_off(asked(with_judges(a_judging_study(1, 1, 1, **ONE_JUDGE), "gpt")), at_the_third)
        assert set(run.calls.values_list("state", flat=True)) == {"accepted"}

    @pytest.mark.parametrize("mode", ["holistic", "per_dimension", "no_rubric"])
    def test_of_the_demonstration_models_can_be_read_in_every_mode(self, mode: str) -> None:
        run = worked_off(asked(with_judges(a_judging_study(1, 1, 1, **ONE_JUDGE), "gpt"), mode))
        assert set(run.calls.values_list("state", flat=True)) == {"accepted"}

    def test_read_out_of_a_justification_keeps_what_was_said(self) -> None:
        study = with_judges(a_judged_study(1, 1, 1, **ONE_JUDGE), "gpt")
        JudgingItem.objects.filter(study=study).update(justification="A is clear. B rests on nothing.")
        dimensions = [dimension.key for dimension in rubric_by_hash(study.rubric_id).dimensions]
        silent: dict[str, Any] = {**dict.fromkeys(dimensions), "mentioned": []}
        said = {
            "A": {**silent, "conceptual_clarity": 8, "mentioned": ["conceptual_clarity"]},
            "B": silent,
        }
        run = asked(study, mode="inferred")
        assert run.calls.count() == 1  # no perspective: what was written is read, not judged

        def answering(outgoing: Outgoing) -> Reply:
            assert texts_of(outgoing).keys() == {"question", "explanation"}
            return good(json.dumps(said))

        worked_off(run, answering)
        kept = PanelScore.objects.filter(call__run=run, call__state="accepted")
        assert sorted({tuple(score.mentioned) for score in kept}) == [(), ("conceptual_clarity",)]


class TestResults:
    def scored(self) -> Study:
        """An unblinded study with a score of 8 by family-1 of its own answers, and 6 of all others by everybody."""
        study = with_judges(an_unblinded_study(1, 2, 1, prompts=2))
        own = set(
            Stimulus.objects.filter(study=study, source_code="family-1").values_list("response_id", flat=True)
        )
        calls = Call.objects.select_related("target")

        def answering(outgoing: Outgoing) -> Reply:
            call = calls.get(pk=outgoing.call_id)
            is_own = call.target.family == "family-1" and call.response_id in own
            return good(f'{{"score": {8 if is_own else 6}}}')

        worked_off(asked(study), answering)
        return study

    def test_tell_composites_by_source_with_their_coverage(self) -> None:
        (found,) = panel_results(self.scored())
        by_label = {source.label: source for source in found.sources}
        # family-1: ten replies of 8 and twenty of 6 on each of two answers, (80 + 120) / 30.
        assert by_label["family-1"].score.mean.value == pytest.approx(20 / 3)
        assert (by_label["family-1"].given, by_label["family-1"].expected) == (60, 60)
        assert by_label["family-2"].score.mean.value == 6
        assert by_label["humans"].is_human

    def test_tell_by_how_much_a_judge_favours_its_own_family(self) -> None:
        (found,) = panel_results(self.scored())
        favour = {judge.name: judge.self_family.mean.value for judge in found.judges if judge.self_family}
        # On its own family's answers 8 − 6, on the other model's 6 − 6: 2 on each of two prompts.
        assert favour["family-1"] == 2
        assert favour["gpt"] is None

    def test_stand_on_the_results_page_once_unblinded(self) -> None:
        study = self.scored()
        page = signed_in(researchers_of(study)[0]).get(reverse("results", args=[study.slug])).content.decode()
        assert "Panel of disciplinary perspectives" in page
        assert "the whole panel" in page

    def test_the_studys_own_mode_comes_first(self) -> None:
        study = with_judges(a_judging_study(1, 1, 1, prompts=1, panel_mode="no_rubric"))
        for mode in ("holistic", "no_rubric"):
            planned(study, **{**HOLISTIC, "mode": mode})
        assert [setting.mode for setting in panel_settings(study)] == ["no_rubric", "holistic"]
