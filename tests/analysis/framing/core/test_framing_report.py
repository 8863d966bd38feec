"""The whole of what answers under pressure tell, from replies to exhibits and sentences."""

from dataclasses import replace
from time import process_time

import pandas as pd
import pytest

from analysis.data.core.framed import AGAIN, BASELINE, REFUSED, Experiment
from analysis.data.core.parameters import Parameters
from analysis.framing.core.framing_report import FramingReport, framing_report
from analysis.framing.exhibits import framing_exhibits
from analysis.framing.prose import framing_passages, headlines
from analysis.framing.wording import short_names
from analysis.sections.core.report import ScaleEnds
from tests.analysis.framing.planted import CONDITIONS, DIMENSIONS, an_experiment

PLANTED = {
    "claude": {"empirical_i": 1.5, "empirical_friend": 0.2, "emotion_agree": 0.5, "emotion_disagree": 0.5},
    "gemini": {},
    "gpt": {"emotion_agree": 1.5},
}


@pytest.fixture(scope="module")
def planted() -> FramingReport:
    return framing_report(an_experiment(PLANTED), Parameters())


def paragraphs(found: FramingReport) -> list[str]:
    return [text for passage in framing_passages([found]) for text in passage.paragraphs]


def test_what_is_planted_is_marked_and_said_and_nothing_of_the_model_without_any(planted: FramingReport) -> None:
    marked = {
        (model.respondent, cell.condition) for model in planted.models for cell in model.cells if cell.is_marked
    }
    assert marked == {("claude", "empirical_i"), ("gpt", "emotion_agree")}
    said = {text.partition(".")[0]: text for text in paragraphs(planted)}
    assert "the speaker’s own than to a friend’s" in said["claude"]
    assert "strong agreement with the claim than to strong disagreement" in said["gpt"]
    assert "gemini" not in said
    assert planted.marks[-1].found == 10 > planted.marks[-1].most


def test_every_figure_that_was_asked_for_is_shown(planted: FramingReport) -> None:
    shown = {each.name: each for each in framing_exhibits([planted], ScaleEnds(1.0, 10.0))}
    assert {name for name in shown if "-card-" in name} == {
        "framing-card-1-claude",
        "framing-card-2-gemini",
        "framing-card-3-gpt",
    }
    assert len(shown["framing-delta-1-claude"].table.rows) == len(CONDITIONS) * (len(DIMENSIONS) + 1)
    assert [row[:2] for row in shown["framing-sensitivity"].table.rows if row[0] == "claude"] == [
        ("claude", "All judge models, all rewriters"),
        *(("claude", f"Without {family}-judge") for family in ("claude", "gemini", "gpt")),
        *(("claude", f"Rewritten by {name}") for name in ("one", "three", "two")),
        ("claude", "Own family’s judges beyond others’"),
    ]
    assert all(each.table.rows for each in shown.values())


def test_several_experiments_have_exhibits_of_their_own(planted: FramingReport) -> None:
    names = [
        each.name
        for each in framing_exhibits([planted, replace(planted, experiment="set 2")], ScaleEnds(1.0, 10.0))
    ]
    assert len(set(names)) == len(names) == 2 * len(list(framing_exhibits([planted], ScaleEnds(1.0, 10.0))))


def with_second_answers(experiment: Experiment, again: float) -> Experiment:
    """Each answer to a prompt itself has a second one, scored `again` lower."""
    replies = experiment.replies
    second = replies[replies["condition"] == BASELINE].assign(condition=AGAIN)
    second[list(DIMENSIONS)] -= again
    return replace(experiment, replies=pd.concat([replies, second], ignore_index=True))


def test_a_second_answer_to_the_prompts_shows_the_noise_and_enters_nothing_else(planted: FramingReport) -> None:
    found = framing_report(with_second_answers(an_experiment(PLANTED), 0.25), Parameters())
    assert [cell.delta.mean.value for cell in found.models[1].noise] == pytest.approx([0.25] * 6)
    assert [each.cells for each in found.models] == [each.cells for each in planted.models]
    assert "two answers to the same prompts" in paragraphs(found)[-1]
    assert planted.models[1].noise == ()


def test_abstentions_refusals_and_lengths_are_told_by_condition() -> None:
    made = an_experiment({"claude": {}}, prompts=10)
    replies, answers = made.replies.copy(), made.answers.copy()
    replies.loc[(replies["condition"] == "emotion_agree") & (replies["prompt"] == "P00"), "abstained"] = True
    refused = (answers["condition"] == "emotion_agree") & (answers["prompt"] == "P01")
    answers.loc[refused, "state"] = REFUSED
    answers.loc[refused, "words"] = float("nan")
    found = framing_report(replace(made, replies=replies, answers=answers), Parameters())
    given = {each.condition: each for each in found.models[0].given}
    assert (given["emotion_agree"].abstained.value, given[BASELINE].abstained.value) == (0.1, 0)
    assert (given["emotion_agree"].refused.value, given["emotion_agree"].refused.n) == (0.1, 10)
    longer = given["emotion_agree"].longer
    assert longer
    assert (longer.mean.value, longer.mean.n) == (10, 9)
    assert given[BASELINE].longer is None
    assert found.abstentions == 30


def test_36000_scores_are_analysed_in_less_than_20_seconds() -> None:
    many = an_experiment({f"model-{number}": {} for number in range(8)})
    assert len(many.replies) == 36_000
    started = process_time()
    framing_report(many, Parameters())
    assert process_time() - started < 20


def test_with_one_prompt_nothing_is_said_and_every_error_has_its_reason() -> None:
    found = framing_report(an_experiment({"claude": {"emotion_agree": 3.0}}, prompts=1), Parameters())
    assert found.models[0].level.se.reason == "needs values of at least 2 prompts, has 1"
    assert not any(each.direction for each in found.models[0].contrasts)


def test_short_names_of_dimensions_are_told_apart() -> None:
    keys = ("conceptual_clarity", "contextual_care", "soundness", "mean")
    assert list(short_names(keys).values()) == ["Conceptual clarity", "Contextual care", "Sound", "Mean"]


def test_headlines_tell_losses_and_marks_and_whom_something_may_be_said_of(planted: FramingReport) -> None:
    losses, marks, *models = headlines([planted])
    assert losses.startswith("Answers under pressure. Mean Δ over all framings and dimensions")
    assert "are marked" in marks
    assert [sentence.partition(".")[0] for sentence in models] == ["claude", "gpt"]
    both = list(headlines([replace(planted, experiment="one"), replace(planted, experiment="other")]))
    assert both[0].startswith("Answers under pressure (one). Mean Δ")
    assert any(sentence.startswith("Answers under pressure (other). Mean Δ") for sentence in both)
