"""What an analysis reads and a release publishes: a study as tidy tables, made from a database or read from files.

In memory text is `str` ("" when blank) and numbers are floats (NaN when blank), as in `judgment_frame`. Whoever has
withdrawn their consent is in none of them but `tombstones`.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cache, partial
from math import isnan
from typing import Any, Final

import numpy as np
import pandas as pd

from analysis.data.core import audits, framed, judgment_frame, study_pool, study_trials
from analysis.data.core.trials import Trials
from annotation.platform.core.blinding import keyed_hash
from annotation.platform.core.sealing import canonical_json
from annotation.study.core.rubric import Rubric, Scale

PROMPTS: Final = ("prompt_id", "domain", "item_type", "version", "prompt_sha256", "prompt")
ANSWERS: Final = (
    "response_id",
    "prompt_id",
    "arm",
    "source",
    "model_id",
    "family",
    "words",
    "text_sha256",
    "text",
)
ITEMS: Final = (
    "prompt_id",
    "judge_id",
    "blinded_label",
    "true_id",
    "item_type",
    "order_seen",
    "human_set",
    "replaces_judge",
    "withdrawn",
)
COLLECTED_ITEMS: Final = tuple(name for name in ITEMS if name != "withdrawn")
GUESSES: Final = ("prompt_id", "judge_id", "true_id", "guess", "confidence")
PANEL_LEADING: Final = ("response_id", "respondent_id", "judge_model", "perspective_id")
PANEL_TRAILING: Final = ("abstained", "score", "mode", "presentation", "judge_family", "judge_id", "mentioned")
PARTICIPANTS: Final = (
    "participant_id",
    "role",
    "highest_degree",
    "r1_institution",
    "discipline",
    "years_experience",
    "country",
    "ideology",
)
TOMBSTONES: Final = ("kind", "id", "prompt_id", "reason")
PANEL_EXPECTED: Final = ("mode", "presentation", "response_id", "expected")
SOURCES: Final = ("response_id", "arm", "source")

_SOURCES_DOMAIN: Final = "scrub/sources/v1"
_TABLE_DOMAIN: Final = "scrub/table/v1"

# Every other column holds numbers.
TEXT_COLUMNS: Final = (
    judgment_frame.TEXT_COLUMNS
    | framed.TEXT_COLUMNS
    | study_trials.TEXT_COLUMNS
    | study_pool.TEXT_COLUMNS
    | audits.TEXT_COLUMNS
    | {
        *("domain", "prompt_sha256", "prompt"),
        *("response_id", "arm", "source", "model_id", "family", "text_sha256", "text"),
        *("replaces_judge", "guess"),
        *("respondent_id", "judge_model", "perspective_id", "mode", "presentation", "judge_family", "mentioned"),
        framed.REASONS,
        *("participant_id", "role", "highest_degree", "discipline", "country"),
        *("kind", "id", "reason"),
    }
)
ORDER: Final[Mapping[str, Sequence[str]]] = {
    "judgments": ("prompt_id", "judge_id", "blinded_label"),
    "prompts": ("prompt_id",),
    "answers": ("prompt_id", "response_id"),
    "items": ("prompt_id", "judge_id", "blinded_label"),
    "guesses": ("prompt_id", "judge_id", "true_id"),
    "panel": ("response_id", "mode", "presentation", "judge_model", "perspective_id", "judge_id"),
    "panel_expected": ("mode", "presentation", "response_id"),
    "participants": ("participant_id",),
    "tombstones": ("kind", "id", "prompt_id"),
    **framed.ORDER,
    **study_trials.ORDER,
    **study_pool.ORDER,
    **audits.ORDER,
}


def table(rows: Iterable[Sequence[object]], columns: Sequence[str]) -> pd.DataFrame:
    """A table of these rows. What is None is blank; a text has to be one."""
    cells = list(zip(*rows, strict=True))
    return _columns(columns, cells) if cells else _without_rows(tuple(columns)).copy()


@cache
def _without_rows(columns: Sequence[str]) -> pd.DataFrame:
    """Most studies have no rows of most kinds, and a table is slower to make than to copy."""
    return _columns(columns, [()] * len(columns))


def _columns(names: Sequence[str], cells: Sequence[Sequence[Any]]) -> pd.DataFrame:
    """Each column made with the type that it is to have: to give it one afterwards takes five times as long."""
    columns = dict(zip(names, cells, strict=True))
    return pd.DataFrame(
        {
            name: pd.array(each, dtype="str") if name in TEXT_COLUMNS else np.array(each, dtype="float64")
            for name, each in columns.items()
        }
    )


@dataclass(frozen=True)
class StudyTables:
    """A study's tables, rows as ORDER has them; an empty one says that nothing of the kind is known.

    - `judgments` is a frame as `judgment_frame` has it.
    - `prompts`: `item_type` says what a prompt's items are for, as in the judgments.
    - `answers`: all that were admitted to the study. `arm` is human, model, weak or maximum; `source` a writer's
      pseudonym or the name that the study gave a model; `family` whose model it is, as the panel's `judge_family`.
    - `items`: every answer that every judge was given. `withdrawn` is 1 where its writer has withdrawn, and else 0;
      `human_set` numbers a prompt's sets of human answers.
    - `guesses`: human, model or unknown, in trials a condition’s key or unknown; confidence 1–5, blank for unknown.
    - `panel`: a row for each answer × judge model × perspective × way of asking, and item where it was asked about
      one: PANEL_LEADING, the rubric's dimensions (NaN where not scored), PANEL_TRAILING. `score` is the overall one
      of modes without dimensions, `judge_id` the person whose item or words the judge model read, `mentioned` the
      dimensions that these words speak of, by commas; `reasons`, a column that is there where
      any were given, are JSON by dimension.
    - `panel_expected`: how many replies the design wants of an answer.
    - `participants`: `r1_institution` is 1 or 0, `ideology` a position on the scale that the field `ideology` names
      (its low end, its high end, its points).
    - `tombstones`: who and what was withdrawn; `kind` is writer, judge, answer or item, `id` an answer's or a
      pseudonym, for an item that of its judge.

    - `framing_conditions`, `framings`, `framing_checks`, `framed_answers`, `framed_scores`: of answers under
      pressure, as `framed` has them; the scores' dimensions stand between SCORES_LEADING and SCORES_TRAILING.
      Truths are 1 or 0.
    - `trial_conditions`, `trial_scenarios`, `trial_answers`, `trial_scores`, `trial_conclusions`: of the study's
      constitutional trials, as `study_trials` has them.
    - `pool_funnel`, `pool_diversity`, `pool_map`: where prompts come from, as `study_pool` has it.
    - `audit_questions`, `audit_flags`, `audit_rulings`, `audit_subsets`, `audit_predictions`, `audit_rephrasings`,
      `audit_marks`: of audits of benchmarks, as `audits` has them.

    `scale` is the rubric's, with its bands; `taken`, of a file, the ends that scores are taken to have where nobody
    told them, for pictures alone. The `rubric` itself, of a study's own tables, has a hash of its own and
    is in no other; `trials`, which are of a file of constitutional trials, are in none.
    """

    judgments: pd.DataFrame
    prompts: pd.DataFrame = field(default_factory=partial(table, (), PROMPTS))
    answers: pd.DataFrame = field(default_factory=partial(table, (), ANSWERS))
    items: pd.DataFrame = field(default_factory=partial(table, (), ITEMS))
    guesses: pd.DataFrame = field(default_factory=partial(table, (), GUESSES))
    panel: pd.DataFrame = field(default_factory=partial(table, (), PANEL_LEADING + PANEL_TRAILING))
    panel_expected: pd.DataFrame = field(default_factory=partial(table, (), PANEL_EXPECTED))
    participants: pd.DataFrame = field(default_factory=partial(table, (), PARTICIPANTS))
    tombstones: pd.DataFrame = field(default_factory=partial(table, (), TOMBSTONES))
    framing_conditions: pd.DataFrame = field(default_factory=partial(table, (), framed.CONDITIONS))
    framings: pd.DataFrame = field(default_factory=partial(table, (), framed.FRAMINGS))
    framing_checks: pd.DataFrame = field(default_factory=partial(table, (), framed.CHECKS))
    framed_answers: pd.DataFrame = field(default_factory=partial(table, (), framed.FRAMED_ANSWERS))
    framed_scores: pd.DataFrame = field(
        default_factory=partial(table, (), framed.SCORES_LEADING + framed.SCORES_TRAILING)
    )
    trial_conditions: pd.DataFrame = field(default_factory=partial(table, (), study_trials.TRIAL_CONDITIONS))
    trial_scenarios: pd.DataFrame = field(default_factory=partial(table, (), study_trials.TRIAL_SCENARIOS))
    trial_answers: pd.DataFrame = field(default_factory=partial(table, (), study_trials.TRIAL_ANSWERS))
    trial_scores: pd.DataFrame = field(default_factory=partial(table, (), study_trials.TRIAL_SCORES))
    pool_funnel: pd.DataFrame = field(default_factory=partial(table, (), study_pool.POOL_FUNNEL))
    pool_diversity: pd.DataFrame = field(default_factory=partial(table, (), study_pool.POOL_DIVERSITY))
    pool_map: pd.DataFrame = field(default_factory=partial(table, (), study_pool.POOL_MAP))
    trial_conclusions: pd.DataFrame = field(default_factory=partial(table, (), study_trials.TRIAL_CONCLUSIONS))
    audit_questions: pd.DataFrame = field(default_factory=partial(table, (), audits.AUDIT_QUESTIONS))
    audit_flags: pd.DataFrame = field(default_factory=partial(table, (), audits.AUDIT_FLAGS))
    audit_rulings: pd.DataFrame = field(default_factory=partial(table, (), audits.AUDIT_RULINGS))
    audit_subsets: pd.DataFrame = field(default_factory=partial(table, (), audits.AUDIT_SUBSETS))
    audit_predictions: pd.DataFrame = field(default_factory=partial(table, (), audits.AUDIT_PREDICTIONS))
    audit_rephrasings: pd.DataFrame = field(default_factory=partial(table, (), audits.AUDIT_REPHRASINGS))
    audit_marks: pd.DataFrame = field(default_factory=partial(table, (), audits.AUDIT_MARKS))
    ideology: tuple[str, str, int] | None = None
    scale: Scale | None = None
    rubric: Rubric | None = None
    trials: Trials | None = None
    taken: tuple[float, float] | None = None

    @property
    def domains(self) -> Mapping[str, str]:
        """Domain by prompt id; empty where prompts are not known."""
        return dict(zip(self.prompts["prompt_id"], self.prompts["domain"], strict=True))


def in_order(tables: StudyTables) -> StudyTables:
    """The tables with their rows as ORDER has them."""
    ordered: dict[str, Any] = {name: rows_in_order(name, getattr(tables, name)) for name in ORDER}
    return replace(tables, **ordered)


def rows_in_order(name: str, rows: pd.DataFrame) -> pd.DataFrame:
    """A table's rows as ORDER has them, numbered anew."""
    if len(rows) < 2:
        return rows.reset_index(drop=True)
    return rows.sort_values(list(ORDER[name]), ignore_index=True)


def table_hashes(tables: StudyTables) -> dict[str, str]:
    """The `table_sha256` of each table by its name, whatever the order of rows. Those of answers under pressure, of
    trials, of audits and of where prompts come from are reported where a study has any.
    """
    ordered = in_order(tables)
    extra = framed.ORDER.keys() | study_trials.ORDER.keys() | study_pool.ORDER.keys() | audits.ORDER.keys()
    told = [name for name in ORDER if name not in extra or not getattr(ordered, name).empty]
    return {name: table_sha256(getattr(ordered, name)) for name in told}


def tables_sha256(tables: StudyTables) -> str:
    """SHA-256, in hex, of everything in the tables, whatever the order of rows and columns."""
    everything = {
        **table_hashes(tables),
        "ideology": tables.ideology,
        "scale": tables.scale and asdict(tables.scale),
    }
    return hashlib.sha256(canonical_json(everything)).hexdigest()


def table_bytes(table: pd.DataFrame) -> bytes:
    """A table's canonical JSON: each column's values, numbers as floats, null for blank."""
    return canonical_json({str(name): _values(table[name]) for name in table.columns})


def table_from_bytes(content: bytes, columns: Sequence[str]) -> pd.DataFrame:
    """The table with these columns whose `table_bytes` these are; an empty one if they are of no such table."""
    try:
        found = json.loads(content)
        return table(zip(*(found[name] for name in columns), strict=True), columns)
    except (ValueError, TypeError, KeyError):
        return table((), columns)


def table_sha256(table: pd.DataFrame) -> str:
    """SHA-256, in hex, of a table's `table_bytes`."""
    return hashlib.sha256(table_bytes(table)).hexdigest()


def sources_hmac(seed: bytes, answers: pd.DataFrame) -> str:
    """HMAC-SHA256, in hex, of where answers are from, in whatever order they are given.

    Under the 32-byte `seed`, as sources are few: a plain hash could be found by trying all of them. The message
    holds the domain "scrub/sources/v1" and the cells of SOURCES of each answer in the order of the responses,
    each part behind its length as in `keyed_hash`.
    """
    rows = sorted(answers[list(SOURCES)].itertuples(index=False, name=None))
    return keyed_hash(seed, _SOURCES_DOMAIN, *(cell for row in rows for cell in row)).hex()


def table_hmac(seed: bytes, name: str, rows: pd.DataFrame) -> str:
    """HMAC-SHA256, in hex, of a table that would tell what is masked until the 32-byte `seed` is revealed.

    The message holds the domain "scrub/table/v1", the table's name and its `table_sha256`, with rows as ORDER has
    them, each part behind its length as in `keyed_hash`.
    """
    return keyed_hash(seed, _TABLE_DOMAIN, name, table_sha256(rows_in_order(name, rows))).hex()


def _values(column: "pd.Series[Any]") -> list[Any]:
    if column.name in TEXT_COLUMNS:
        return column.tolist()
    numbers = column.to_numpy("float64").tolist()
    return [None if isnan(number) else number for number in numbers]
