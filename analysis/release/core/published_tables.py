"""A study's tables as a release publishes them, and back."""

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

import pandas as pd

from analysis.data.core.judgment_frame import HUMAN, STANDARD
from analysis.data.core.study_tables import ANSWERS, PROMPTS, StudyTables, in_order
from analysis.release.core import layout
from analysis.release.core.anonymity import WITHHELD
from analysis.release.core.audit_layouts import AUDIT_TABLES, AUDITS
from analysis.release.core.columns import Layout
from analysis.release.core.facts import ReleaseFacts
from analysis.release.core.framing_layouts import ADVERSARIAL, TABLES
from analysis.release.core.panel_layouts import (
    EXPECTED,
    other_ways_layout,
    panel_layout,
    parted,
    together,
)
from analysis.release.core.pool_layouts import POOL_TABLES, POOLED
from analysis.release.core.trial_layouts import TRIAL_TABLES, TRIALS
from annotation.study.core.rubric import Rubric
from generation.prompts.core.prompt_files import PublishedPrompt

WEAK: Final = "weak"
MAXIMUM: Final = "maximum"
_NUMBERS_OF_PEOPLE: Final = ("r1_institution", "years_experience", "ideology")

_EXTRA: Final = TABLES | TRIAL_TABLES | POOL_TABLES | AUDIT_TABLES

Frames = Mapping[str, pd.DataFrame]  # by the stem of their layout


def published_tables(
    tables: StudyTables, facts: ReleaseFacts, rubric: Rubric
) -> Iterator[tuple[Layout, pd.DataFrame]]:
    """Every table of a release with its rows in their order; `participants` is to be generalised already. Those of
    answers under pressure, of trials, of audits and of where prompts come from only where there are any.

    Raises ValueError where a row stands twice in a table.
    """
    frames = {
        layout.PROMPTS.stem: _prompts(tables.prompts, facts.sample),
        **_answers(tables),
        layout.ITEMS.stem: tables.items,
        layout.judgments_layout(rubric).stem: tables.judgments,
        layout.GUESSES.stem: tables.guesses,
        **_panel(tables, rubric),
        EXPECTED.stem: tables.panel_expected,
        layout.PARTICIPANTS.stem: tables.participants,
        layout.TOMBSTONES.stem: tables.tombstones,
        layout.POOL.stem: pd.DataFrame([_pool_row(prompt) for prompt in facts.passing], columns=layout.POOL.names),
        **{stem: getattr(tables, name) for name, stem in _EXTRA.items()},
    }
    left_out = {
        ADVERSARIAL: tables.framing_conditions.empty,
        TRIALS: tables.trial_conditions.empty,
        POOLED: tables.pool_funnel.empty,
        AUDITS: tables.audit_questions.empty,
    }
    for each in layout.layouts(rubric):
        if left_out.get(each.config):
            continue
        frame = frames[each.stem]
        written = each.having(frame.columns)
        yield written, _in_order(written, frame)


def _in_order(each: Layout, frame: pd.DataFrame) -> pd.DataFrame:
    order = list(each.order)
    if frame.duplicated(order).any():
        raise ValueError(f"{each.stem}: two rows have the same {', '.join(order)}.")
    return frame[each.names].sort_values(order, ignore_index=True)


def _prompts(prompts: pd.DataFrame, sample: Mapping[str, PublishedPrompt]) -> pd.DataFrame:
    """Prompts, with what is known of those that came out of the study's pool."""
    known = {code: {**_origin(prompt), "candidate_sha256": prompt.sha256} for code, prompt in sample.items()}
    blank = {column.name: "" if column.kind == "text" else math.nan for column in layout.PROMPTS.columns}
    origins = pd.DataFrame([{**blank, **known.get(code, {})} for code in prompts["prompt_id"]], columns=[*blank])
    return origins.assign(**{name: prompts[name].array for name in PROMPTS})


def _pool_row(prompt: PublishedPrompt) -> dict[str, object]:
    return {**_origin(prompt), "prompt": prompt.text, "prompt_sha256": prompt.sha256}


def _origin(prompt: PublishedPrompt) -> dict[str, object]:
    return {
        "source": prompt.source,
        "scenario_key": prompt.scenario,
        "stratum": prompt.stratum,
        "generator": prompt.generator,
        "model_id": prompt.model_id,
        "position": prompt.position,
        "underlying_issue": prompt.label,
        "diversity_dimensions": prompt.dimensions,
        "pass_count": sum(prompt.votes.values()),
        "votes": json.dumps(prompt.votes, sort_keys=True, ensure_ascii=False),
        "review": prompt.review,
    }


def _answers(tables: StudyTables) -> dict[str, pd.DataFrame]:
    """People's, and models' by what they are for."""
    answers, prompts = tables.answers, tables.prompts
    human, maximum = answers["arm"] == HUMAN, answers["arm"] == MAXIMUM
    calibrates = answers["prompt_id"].isin(prompts.loc[prompts["item_type"] != STANDARD, "prompt_id"])
    models = answers.rename(columns={"source": "model"})
    return {
        layout.HUMAN_ANSWERS.stem: answers[human].rename(columns={"source": "participant_id"}),
        layout.STANDARD_ANSWERS.stem: models[~human & ~maximum & ~calibrates],
        layout.CALIBRATION_ANSWERS.stem: models[~human & ~maximum & calibrates],
        layout.MAXIMUM_ANSWERS.stem: models[maximum],
    }


def _panel(tables: StudyTables, rubric: Rubric) -> dict[str, pd.DataFrame]:
    """The panel's scores, with a model's answers that are weak on purpose, or at maximum capability, under
    respondents of their own.
    """
    panel, answers = tables.panel, tables.answers.set_index("response_id")
    arms = answers["arm"].reindex(panel["response_id"]).array
    names = [_respondent(name, arm) for name, arm in zip(panel["respondent_id"], arms, strict=True)]
    published = panel.assign(respondent_id=pd.Series(names, panel.index, dtype="str"))
    layouts = panel_layout(rubric), other_ways_layout(rubric)
    return {each.stem: frame for each, frame in zip(layouts, parted(published), strict=True)}


def _panel_back(frames: Frames, rubric: Rubric, answers: pd.DataFrame) -> pd.DataFrame:
    """Earlier versions published a model's name for answers of every arm, and no table of other ways."""
    published = together(frames[panel_layout(rubric).stem], frames.get(other_ways_layout(rubric).stem))
    known = zip(answers["response_id"], answers["source"], answers["arm"], strict=True)
    sources = {(response, _respondent(source, arm)): source for response, source, arm in known}
    found = zip(published["response_id"], published["respondent_id"], strict=True)
    names = [sources.get((response, name), name) for response, name in found]
    return published.assign(respondent_id=pd.Series(names, published.index, dtype="str"))


def _respondent(source: str, arm: str) -> str:
    return f"{source} ({arm})" if arm in (WEAK, MAXIMUM) else source


def tables_of(frames: Frames, rubric: Rubric, *, ideology: tuple[str, str, int] | None) -> StudyTables:
    """The tables that were published. What was withheld of people, or told in bands of numbers, is blank."""
    answers = _all_answers(frames)
    tables = StudyTables(
        judgments=frames[layout.judgments_layout(rubric).stem],
        prompts=frames[layout.PROMPTS.stem][list(PROMPTS)],
        answers=answers,
        items=frames[layout.ITEMS.stem],
        guesses=frames[layout.GUESSES.stem],
        panel=_panel_back(frames, rubric, answers),
        panel_expected=frames[EXPECTED.stem],
        participants=_people(frames[layout.PARTICIPANTS.stem]),
        tombstones=frames[layout.TOMBSTONES.stem],
        ideology=ideology,
        scale=rubric.scale,
        rubric=rubric,
    )
    extra: dict[str, Any] = {name: frames[stem] for name, stem in _EXTRA.items() if stem in frames}
    return in_order(replace(tables, **extra))


def _all_answers(frames: Frames) -> pd.DataFrame:
    humans = frames[layout.HUMAN_ANSWERS.stem].rename(columns={"participant_id": "source"})
    models = [frames[each.stem].rename(columns={"model": "source"}) for each in layout.MODEL_ANSWERS]
    every = pd.concat([humans.assign(arm=HUMAN, model_id="", family=""), *models])
    return every[list(ANSWERS)].astype(dict.fromkeys(("arm", "model_id", "family"), "str"))


def _people(published: pd.DataFrame) -> pd.DataFrame:
    told = published.replace(WITHHELD, "")
    numbers: dict[str, Any] = {
        name: pd.to_numeric(told[name], errors="coerce").astype("float64") for name in _NUMBERS_OF_PEOPLE
    }
    return told.assign(**numbers)
