"""Rewriting prompts and having models check what came of it: plans, replies, and what is kept."""

import json
from collections import Counter

import pytest

from annotation.platform.core.errors import Refused
from annotation.study.models.studies import Study
from generation.calls.models import Attempt, Call
from generation.calls.services import recording
from generation.calls.services.recording import Arrival
from generation.catalogue.models import Target
from generation.catalogue.services import templates
from generation.framing.models import FramedPrompt, Framing, FramingCheck, FramingSet
from generation.framing.selectors.framings import framed_prompts
from generation.framing.services.runs import plan
from generation.framing.services.sets import make_set
from generation.framing.services.versions import add_versions
from tests.factories import a_study, coordinator_of
from tests.generation.calls.model_runs import claimed, good, worked_off
from tests.generation.framing.framed import (
    a_framing_set,
    check,
    framings,
    rewriting,
    rewritten,
    started_run,
)

pytestmark = pytest.mark.django_db


def states(framing_set: FramingSet) -> list[str]:
    return [framed.standing.state for framed in framed_prompts(framing_set)]


def other_wording(study: Study, name: str) -> None:
    text = templates.current(study, name).text + "\nTake your time."
    templates.save_template(study=study, name=name, text=text, origin="Ours.", by=coordinator_of(study))


class TestASet:
    def test_thirty_prompts_are_thirty_rewriting_calls_ten_for_each_model(self) -> None:
        run = started_run(a_framing_set(prompts=30), "framing")
        assert sorted(share.planned for share in run.shares.all()) == [10, 10, 10]
        assert all(share.cost is not None for share in run.shares.all())

    def test_the_same_draw_gives_the_set_that_is_there(self) -> None:
        first = a_framing_set(prompts=3)
        by = coordinator_of(first.study)
        assert make_set(study=first.study, by=by) == first
        assert make_set(study=first.study, by=by, seed=7) != first
        assert make_set(study=first.study, by=by, needs=["person"]) != first

    def test_fewer_prompts_are_drawn_than_there_are(self) -> None:
        assert a_framing_set(prompts=5, number=3).prompts.count() == 3

    def test_who_checks_is_never_who_wrote(self) -> None:
        found = a_framing_set(prompts=9)
        assert not any(prompt.checker_id == prompt.rewriter_id for prompt in found.prompts.all())

    def test_without_models_nothing_is_drawn(self) -> None:
        study = a_study()
        with pytest.raises(Refused, match="No model is there"):
            make_set(study=study, by=coordinator_of(study))

    def test_a_study_without_prompts_has_nothing_to_draw_from(self) -> None:
        with pytest.raises(Refused, match="no prompts yet"):
            a_framing_set(prompts=0)

    def test_a_retired_rewriter_is_asked_nothing(self) -> None:
        found = a_framing_set()
        coordinator = coordinator_of(found.study)
        Target.objects.filter(pk=found.prompts.all()[0].rewriter_id).update(
            retired_at=found.made_at, retired_by=coordinator
        )
        with pytest.raises(Refused, match="is retired"):
            plan(framing_set=found, purpose="framing", by=coordinator)


class TestRewriting:
    def test_a_good_reply_becomes_the_first_version_of_every_framing(self) -> None:
        found = a_framing_set(prompts=2)
        run = rewritten(found)
        assert run.state == "finished"
        versions = Counter(Framing.objects.values_list("condition", "version"))
        assert versions == {(condition, 1): 2 for condition in framings()}

    def test_what_was_asked_for_is_not_paid_for_again(self) -> None:
        found = a_framing_set()
        rewritten(found)
        again = started_run(found, "framing")
        assert (again.state, again.stopped_because) == (
            "withdrawn",
            "Nothing is missing: all of it was asked for before.",
        )

    def test_a_fenced_reply_is_asked_for_three_times_and_then_failed_and_counted(self) -> None:
        found = a_framing_set(prompts=1)
        run = rewritten(found, lambda _outgoing: good(f"```json\n{json.dumps(framings())}\n```"))
        assert list(Attempt.objects.values_list("outcome", flat=True)) == ["unreadable"] * 3
        assert sum(share.failed for share in run.shares.all()) == 1
        assert [framed.standing.reason for framed in framed_prompts(found)] == [
            "The rewriter gave no reply that could be used."
        ]
        assert not Framing.objects.exists()

    def test_the_demonstration_models_give_what_is_asked_for(self) -> None:
        found = a_framing_set(prompts=1, needs=["mechanical", "model"])
        worked_off(started_run(found, "framing"))
        worked_off(started_run(found, "framing_check"))
        assert states(found) == ["passed"]

    def test_a_template_that_changed_has_nothing_rewritten_that_is_written(self) -> None:
        found = a_framing_set(prompts=2)
        rewritten(found)
        other_wording(found.study, "framing")
        assert started_run(found, "framing").state == "withdrawn"
        assert Framing.objects.count() == 8


class TestChecks:
    def test_every_prompt_is_checked_once_by_its_checker(self) -> None:
        found = a_framing_set(prompts=3)
        rewritten(found)
        run = started_run(found, "framing_check")
        about = set(Call.objects.filter(run=run).values_list("subject", "target"))
        assert about == set(FramedPrompt.objects.values_list("subject", "checker"))

    def test_a_template_that_changed_has_nothing_checked_twice(self) -> None:
        found = a_framing_set(prompts=1, needs=["mechanical", "model"])
        rewritten(found)
        worked_off(started_run(found, "framing_check"), lambda _outgoing: good(json.dumps(check(found))))
        other_wording(found.study, "framing_check")
        assert started_run(found, "framing_check").state == "withdrawn"
        assert states(found) == ["passed"]

    def test_framings_that_their_model_cannot_check_fail_and_wait_anew_once_they_have_other_words(self) -> None:
        found = a_framing_set(prompts=1, needs=["mechanical", "model"])
        rewritten(found)
        run = worked_off(started_run(found, "framing_check"), lambda _outgoing: good("I would rather not."))
        assert run.shares.get().failed == 1
        assert states(found) == ["failed"]
        assert "gave no reply that could be used" in framed_prompts(found)[0].standing.reason
        add_versions(
            found.prompts.get().pk,
            {"empirical_i": framings(2)["empirical_i"]},
            by=coordinator_of(found.study),
            reason="Else.",
        )
        assert framed_prompts(found)[0].standing.reason == "A model has not checked them yet."

    def test_before_anything_is_written_there_is_nothing_to_check(self) -> None:
        run = started_run(a_framing_set(), "framing_check")
        assert run.state == "withdrawn"
        assert "No prompt of the set has been rewritten yet." in run.stopped_because

    def test_framings_fail_as_a_whole_where_the_model_finds_one_wrong(self) -> None:
        found = a_framing_set(prompts=1, needs=["mechanical", "model"])
        rewritten(found)
        reply = good(json.dumps(check(found, against="emotion_agree_against_emotion_disagree")))
        worked_off(started_run(found, "framing_check"), lambda _outgoing: reply)
        assert states(found) == ["failed"]
        assert "really take opposite sides" in framed_prompts(found)[0].standing.reason

    def test_a_check_that_comes_after_the_words_have_changed_is_superseded(self) -> None:
        found = a_framing_set(prompts=1)
        rewritten(found)
        run = started_run(found, "framing_check")
        [outgoing] = claimed(run)
        newest = Framing.objects.filter(condition="empirical_i").get()
        Framing.objects.filter(pk=newest.pk).update(text=newest.text + " Tell me.")
        recording.record(run.pk, [Arrival(outgoing.attempt_id, good(json.dumps(check(found))), 20)])
        assert not FramingCheck.objects.exists()

    def test_a_set_passes_once_all_that_it_needs_was_done(self) -> None:
        found = a_framing_set(prompts=2, needs=["mechanical", "model"])
        assert states(found) == ["waiting", "waiting"]
        rewritten(found, rewriting)
        assert states(found) == ["waiting", "waiting"]
        worked_off(started_run(found, "framing_check"), lambda _outgoing: good(json.dumps(check(found))))
        assert states(found) == ["passed", "passed"]


def test_framings_are_nothing_that_a_released_study_asks_for(released: Study) -> None:
    found = FramingSet.objects.get(study=released)
    with pytest.raises(Refused, match="released"):
        plan(framing_set=found, purpose="framing", by=coordinator_of(released))


@pytest.fixture
def released() -> Study:
    study = a_framing_set().study
    Study.objects.filter(pk=study.pk).update(state="released")
    study.refresh_from_db()
    return study
