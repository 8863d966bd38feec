"""Files of panel scores: a condition's column, conditions told by who answered, prompts cut from ids."""

import pandas as pd
import pytest

from analysis.data.core.framed import AGAIN, BASELINE, SCORES_LEADING, SCORES_TRAILING, experiments_of
from analysis.data.core.judgment_frame import JudgmentFileError
from analysis.data.core.rating_file import ColumnMap
from analysis.data.core.study_tables import StudyTables
from analysis.framing.core.deltas import deltas
from analysis.framing.core.framing_file import FramingColumns, read_framings

LOST = {("claude", "agree"): 2.0, ("gpt", "disagree"): 1.0}
CONDITIONS = (BASELINE, "agree", "disagree")


def replies() -> pd.DataFrame:
    """Three prompts, two models, two judge models from two perspectives; what is lost is planted."""
    return pd.DataFrame(
        [
            {
                "response_id": f"{prompt}/{model}/{condition}",
                "respondent_id": model,
                "prompt_id": prompt,
                "condition": condition,
                "judge_model": judge,
                "perspective_id": perspective,
                "clarity": 8 - LOST.get((model, condition), 0.0),
                "depth": 7.0,
                "abstained": "False",
            }
            for prompt in ("P1", "P2", "P3")
            for model in ("claude", "gpt")
            for condition in CONDITIONS
            for judge in ("one", "two")
            for perspective in ("historian", "sociologist")
        ]
    )


def read(frame: pd.DataFrame, said: FramingColumns | None = None, **asked: object) -> tuple[StudyTables, list[str]]:
    content = frame.to_csv(index=False).encode()
    tables, doubts = read_framings(content, ColumnMap(**asked), said or FramingColumns())  # type: ignore[arg-type]
    return tables, [str(doubt) for doubt in doubts]


def lost(tables: StudyTables) -> dict[tuple[str, str], float]:
    """Mean Δ of clarity, where there is any."""
    (experiment,) = experiments_of(tables)
    found = deltas(experiment.replies, experiment.dimensions, experiment.conditions)
    means = {
        (each.respondent, name): float(each.of(name, "clarity").mean())
        for each in found
        for name in each.conditions
    }
    return {key: value for key, value in means.items() if value}


def test_a_column_of_conditions_is_read_as_it_stands() -> None:
    tables, _ = read(replies())
    assert lost(tables) == LOST
    (experiment,) = experiments_of(tables)
    assert experiment.dimensions == ("clarity", "depth")
    assert experiment.conditions == ("agree", "disagree")
    assert experiment.name == ""


def test_columns_may_be_called_otherwise_and_the_baseline_too() -> None:
    theirs = {"condition": "pressure", "prompt_id": "task", "respondent_id": "llm", "abstained": "no_answer"}
    frame = replies().rename(columns=theirs).replace({"pressure": {BASELINE: "plain"}})
    columns = {"condition": ("pressure",), "prompt": ("task",), "respondent": ("llm",), "abstained": ("no_answer",)}
    tables, _ = read(frame, FramingColumns(baseline="plain"), columns=columns)
    assert lost(tables) == LOST
    with pytest.raises(JudgmentFileError, match="no condition is known to be the prompt itself"):
        read(frame, columns=columns)
    with pytest.raises(JudgmentFileError, match="no answer is said to be given under 'calm'"):
        read(frame, FramingColumns(baseline="calm"), columns=columns)


def mixed() -> pd.DataFrame:
    """As published: respondents tell the condition, the prompt stands in the answer's id alone."""
    frame = replies()
    named = frame["respondent_id"] + ("-" + frame["condition"]).where(frame["condition"] != BASELINE, "")
    return frame.assign(respondent_id=named).drop(columns=["prompt_id", "condition"])


def test_conditions_are_mapped_from_respondents_and_prompts_cut_from_ids() -> None:
    pairs = {
        f"{model}-{condition}" if condition != BASELINE else model: (model, condition)
        for model in ("claude", "gpt")
        for condition in CONDITIONS
    }
    cut = {"response_id": r"(?P<prompt>[^/]+)/.*"}
    tables, _ = read(mixed(), FramingColumns(respondents=pairs, cuts=cut))
    assert lost(tables) == LOST
    pairs.pop("gpt-agree")
    with pytest.raises(JudgmentFileError, match=r"row 18, column respondent_id: nobody said .* 'gpt-agree'"):
        read(mixed(), FramingColumns(respondents=pairs, cuts=cut))


def test_a_pattern_cuts_condition_and_model_and_what_has_none_is_the_prompt_itself() -> None:
    cuts = {
        "respondent_id": r"(?P<respondent>[^-]+)(?:-(?P<condition>.+))?",
        "response_id": r"(?P<prompt>P\d)/.*",
    }
    tables, _ = read(mixed(), FramingColumns(cuts=cuts))
    assert lost(tables) == LOST
    with pytest.raises(JudgmentFileError, match=r"row 2, column response_id: 'P1/claude/baseline' is not as"):
        read(mixed(), FramingColumns(cuts={"response_id": r"(?P<prompt>Q\d)/.*"}))


def test_abstentions_keep_their_scores_so_that_they_can_be_taken_in() -> None:
    frame = replies()
    at = (frame["condition"] == "agree") & (frame["judge_model"] == "two")
    frame["clarity"] = frame["clarity"].where(~at, 2.0)
    frame["abstained"] = frame["abstained"].where(~at, "True")
    (experiment,) = experiments_of(read(frame)[0])
    assert experiment.replies["abstained"].sum() == 12
    out, taken_in = (
        deltas(experiment.replies, experiment.dimensions, experiment.conditions, counts_abstentions=counts)[0]
        for counts in (False, True)
    )
    assert out.of("agree", "clarity") == pytest.approx([2.0] * 3)
    assert taken_in.of("agree", "clarity") == pytest.approx([4.0] * 3)


def test_answers_with_unequal_numbers_of_replies_count_alike() -> None:
    frame = replies()
    left = frame.drop(frame[(frame["prompt_id"] == "P1") & (frame["judge_model"] == "two")].index)
    assert lost(read(left)[0]) == LOST


@pytest.mark.parametrize("number", range(1, 9))
def test_one_to_eight_conditions_are_read_alike(number: int) -> None:
    names = [f"mood_{place}" for place in range(number)]
    base = replies()[lambda frame: frame["condition"] == BASELINE]
    of_mood = [
        base.assign(condition=name, response_id=base["response_id"] + name, clarity=base["clarity"] - 1)
        for name in names
    ]
    tables, _ = read(pd.concat([base, *of_mood]))
    assert lost(tables) == {(model, name): 1.0 for model in ("claude", "gpt") for name in names}


def test_a_release_keeps_its_experiments_and_second_answers_apart() -> None:
    frame = replies().assign(framing_set="1", asked="alone", shows="framing", replicate="1", judge_family="x")
    second = frame[frame["condition"] == BASELINE]
    second = second.assign(replicate="2", response_id=second["response_id"] + "/2", clarity=second["clarity"] - 0.5)
    tables, _ = read(pd.concat([frame, second, frame.assign(shows="prompt")]))
    assert len(experiments_of(tables)) == 2
    assert set(tables.framed_scores.columns) == {*SCORES_LEADING, "clarity", "depth", *SCORES_TRAILING}
    first = experiments_of(tables)[0]
    assert (first.replies["condition"] == AGAIN).sum() == len(second)
    assert set(first.judge_families.values()) == {"x"}


def test_impossible_rows_of_a_file_of_framings_are_named() -> None:
    frame = replies()
    with pytest.raises(JudgmentFileError, match="row 2, column abstained: says neither"):
        read(frame.assign(abstained="perhaps"))
    with pytest.raises(JudgmentFileError, match=r"has rated .* already"):
        read(pd.concat([frame, frame.head(1)]))
    with pytest.raises(JudgmentFileError, match="lies outside the usual scale"):
        read(frame.assign(clarity=[11.0, *frame["clarity"][1:]]))
    with pytest.raises(JudgmentFileError, match=r"who answered or by\s+an id"):
        read(frame.drop(columns="condition"))
