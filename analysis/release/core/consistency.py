"""Whether the parts of a release fit one another: what is said twice, and what follows from the rest."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pandas as pd

from analysis.data.core.framed import ANSWERED, BASELINE
from analysis.data.core.judgment_frame import HUMAN, MODEL
from analysis.data.core.study_tables import StudyTables
from analysis.release.core.facts import ReleaseFacts
from annotation.judging.core.ranking import competition_ranks, mid_ranks
from annotation.platform.core.sealing import canonical_json
from annotation.platform.core.text import sha256_hex
from annotation.study.core import rubric

ITEM = ["prompt_id", "judge_id"]
GIVEN = [*ITEM, "true_id"]


def inconsistencies(tables: StudyTables, facts: ReleaseFacts) -> Iterator[str]:
    """Each thing, in words, that contradicts another one. `facts.rubric_toml` has to be a rubric."""
    yield from _design(tables, facts)
    yield from _texts(tables)
    yield from _tombstones(tables)
    yield from _items(tables)
    yield from _sources(tables)
    yield from _framed(tables)
    yield from _tried(tables)
    yield from _audited(tables)
    yield from _scores(tables, rubric.parse(facts.rubric_toml))


def _design(tables: StudyTables, facts: ReleaseFacts) -> Iterator[str]:
    if hashlib.sha256(canonical_json(facts.design)).hexdigest() != facts.design_sha256:
        yield "The design does not have the hash that is named for it."
    published = sha256_hex(facts.rubric_toml)
    used = [facts.design.get("rubric_sha256"), facts.rubric_sha256, *tables.judgments["rubric_sha256"]]
    if any(rubric_sha256 != published for rubric_sha256 in used):
        yield "The rubric is not the one of the design and the judgments, by its hash."
    wordings = dict(zip(tables.prompts["prompt_id"], tables.prompts["prompt_sha256"], strict=True))
    if wordings != facts.design.get("prompts_sha256"):
        yield "The prompts are not those of the design, by their hashes."


def _texts(tables: StudyTables) -> Iterator[str]:
    given = tables.framed_answers[tables.framed_answers["state"] == ANSWERED]
    for frame, key, text in (
        (tables.prompts, "prompt_id", "prompt"),
        (tables.answers, "response_id", "text"),
        (tables.framings, "prompt_id", "text"),
        (given, "response_id", "text"),
        (tables.trial_answers[tables.trial_answers["state"] == ANSWERED], "answer_id", "text"),
    ):
        kept = frame[f"{text}_sha256"]
        yield from _named(frame[frame[text].map(sha256_hex) != kept], [key], "the text does not have its hash.")


def _tombstones(tables: StudyTables) -> Iterator[str]:
    """What is said to be gone has to be gone, and what is missing has to be said to be gone."""
    stones, items = tables.tombstones, tables.items
    gone = {kind: set(stones.loc[stones["kind"] == kind, "id"]) for kind in ("answer", "judge", "item")}
    known = set(tables.answers["response_id"])
    for withdrawn, there in ((1, gone["answer"]), (0, known - gone["answer"])):
        wrong = items[(items["withdrawn"] == withdrawn) & ~items["true_id"].isin(there)]
        yield from _named(wrong, GIVEN, "whether the answer was withdrawn is told differently elsewhere.")
    if gone["item"] - gone["judge"] or not gone["judge"].isdisjoint(items["judge_id"]):
        yield "The items of judges who have withdrawn are not those that the table of what is gone names."


def _items(tables: StudyTables) -> Iterator[str]:
    """Everything said of an item's answer is about an answer that the judge was given, to this prompt."""
    given = tables.items[[*GIVEN, "blinded_label", "item_type"]]
    labelled = _missing(tables.judgments, given, [*GIVEN, "blinded_label"])
    yield from _named(labelled, [*ITEM, "blinded_label"], "judged as another answer than the one given.")
    yield from _named(_missing(tables.guesses, given, GIVEN), GIVEN, "a guess about an answer that was not given.")
    for frame in (tables.items, tables.judgments):
        typed = _missing(frame, tables.prompts, ["prompt_id", "item_type"])
        yield from _named(typed.drop_duplicates(ITEM), ITEM, "the item’s type is not that of its prompt.")
    shown = tables.items[tables.items["withdrawn"] == 0]
    answers = tables.answers.rename(columns={"response_id": "true_id"})
    yield from _named(_missing(shown, answers, ["prompt_id", "true_id"]), GIVEN, "an answer to another prompt.")


def _sources(tables: StudyTables) -> Iterator[str]:
    answers = tables.answers
    is_human = answers["arm"] == HUMAN
    made_by = answers.assign(
        true_id=answers["response_id"],
        true_source=is_human.map({True: HUMAN, False: MODEL}),
        model=answers["source"].where(~is_human, ""),
        respondent_id=answers["source"],
    )
    judged = _missing(tables.judgments, made_by, ["true_id", "true_source", "model"])
    yield from _named(judged, [*ITEM, "blinded_label"], "the source is not that of the answer.")
    scored = _missing(tables.panel, made_by, ["response_id", "respondent_id"]).drop_duplicates("response_id")
    yield from _named(scored, ["response_id"], "the panel’s scores name another source than the answers do.")


def _framed(tables: StudyTables) -> Iterator[str]:
    """What was answered under pressure is a framing that is there, and what was scored such an answer."""
    answers, scores = tables.framed_answers, tables.framed_scores
    to_framings = answers[answers["condition"] != BASELINE]
    framing = ["framing_set", "prompt_id", "condition", "version"]
    unknown = _missing(to_framings, tables.framings, framing)
    yield from _named(unknown, ["response_id"], "an answer to a framing that is not there.")
    same = ["response_id", "respondent_id", "prompt_id", "condition", "framing_set", "asked", "replicate"]
    wrong = _missing(scores, answers[answers["state"] == ANSWERED], same).drop_duplicates("response_id")
    yield from _named(wrong, ["response_id"], "the panel’s scores are of no such answer under pressure.")


def _tried(tables: StudyTables) -> Iterator[str]:
    """What was answered are scenarios and conditions that are there, and what was scored such an answer."""
    answers, scores = tables.trial_answers, tables.trial_scores
    for known, column in ((tables.trial_scenarios, "scenario"), (tables.trial_conditions, "condition")):
        unknown = _missing(answers, known, [column])
        yield from _named(unknown, ["answer_id"], f"an answer to a {column} that is not there.")
    wrong = _missing(scores, answers[answers["state"] == ANSWERED], ["answer_id"]).drop_duplicates("answer_id")
    yield from _named(wrong, ["answer_id"], "evaluators’ scores are of no such answer.")
    coded = tables.trial_conclusions
    wrong = _missing(coded, answers[answers["state"] == ANSWERED], ["answer_id"]).drop_duplicates("answer_id")
    yield from _named(wrong, ["answer_id"], "a conclusion is of no such answer.")


def _audited(tables: StudyTables) -> Iterator[str]:
    """Whatever was said of a question is of one that is there; marks are of answers and rephrasings that are."""
    place = ["benchmark", "item"]
    for name in ("flags", "rulings", "subsets", "predictions", "rephrasings", "marks"):
        unknown = _missing(getattr(tables, f"audit_{name}"), tables.audit_questions, place)
        yield from _named(unknown.drop_duplicates(place), place, f"the {name} are about no question that is there.")
    answers = tables.audit_marks[tables.audit_marks["respondent_id"] != ""]
    asked = [*place, "respondent_id", "mode", "wording", "number"]
    yield from _named(
        _missing(answers, tables.audit_predictions, asked), place, "a mark of an answer that is not there."
    )


def _scores(tables: StudyTables, frozen: rubric.Rubric) -> Iterator[str]:
    dimensions = [dimension.key for dimension in frozen.dimensions]
    scored = tables.judgments[tables.judgments[[*dimensions, "score"]].notna().any(axis=1)]
    totals = scored[dimensions].sum(axis=1, skipna=False)
    composites = totals if frozen.combine == "sum" else totals / len(dimensions)
    wrong = scored[composites != scored["score"]]
    yield from _named(wrong, [*ITEM, "blinded_label"], "the score is not what the dimensions come to.")
    if not wrong.empty:
        return
    whole = tables.items.groupby(ITEM)["withdrawn"].max() == 0
    for (prompt, judge), item in tables.judgments.groupby(ITEM):
        # Where answers were ranked directly there is no score: their places have to be those of one order.
        scores = item["score"].fillna(-item["rank"]).tolist()
        ranks, places = item["rank"].tolist(), item["mid_rank"].fillna(0).tolist()
        # Beside an answer that is gone, ranks keep its place free: only their order can be told.
        if not whole.get((prompt, judge), False):
            ranks, places = _anew(ranks, competition_ranks), _anew(places, mid_ranks)
        if (ranks, places) != (list(competition_ranks(scores)), list(mid_ranks(scores))):
            ranked = f"prompt_id {prompt}, judge_id {judge}"
            yield f"{ranked}: the ranks are not what the scores, or the places given, come to."


def _anew(ranks: Sequence[float], ranked: Callable[[Sequence[float]], Sequence[float]]) -> list[float]:
    """Ranks among those that are left."""
    return list(ranked([-rank for rank in ranks]))


def _missing(frame: pd.DataFrame, known: pd.DataFrame, columns: list[str]) -> pd.DataFrame:
    """Rows whose values in these columns stand together in no row of `known`."""
    if frame.empty:  # as most tables of most studies are
        return frame
    there = pd.MultiIndex.from_frame(known[columns])
    return frame[~pd.MultiIndex.from_frame(frame[columns]).isin(there)]


def _named(rows: pd.DataFrame, columns: Sequence[str], complaint: str) -> Iterator[str]:
    if rows.empty:  # as they should be
        return
    for row in rows[list(columns)].to_dict("records"):
        yield f"{_key(row)}: {complaint}"


def _key(row: dict[Any, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in row.items())
