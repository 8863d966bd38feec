"""A study's folder in the published layout, as far as its files are there; no manifest is needed."""

import io
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import reduce
from pathlib import PurePosixPath
from typing import Final
from zipfile import ZipFile

import pandas as pd

from analysis.data.core.archive import UNREADABLE
from analysis.data.core.judgment_frame import (
    HUMAN,
    MODEL,
    STANDARD,
    JudgmentFileError,
    check_any_judgment,
    domain_of_prompt,
    read_csv,
)
from analysis.data.core.rating_file import NO_PROMPTS, ColumnMap
from analysis.data.core.rating_frame import NOBODY, PEOPLE, Doubt, Ratings, check_any
from analysis.data.core.study_tables import ANSWERS, PROMPTS, StudyTables, table
from analysis.data.core.table_file import read_table
from analysis.rating_files.core.panel_file import panel_tables, read_panel, with_other_ways
from annotation.platform.core.phrases import counted

JUDGMENTS: Final = "task2_human_judgments.csv"
PANEL: Final = "panel_scores.csv"
OTHER_WAYS: Final = "panel_scores_other_ways.csv"  # of our releases: replies asked for otherwise than published
SAMPLE: Final = "study_prompts.csv"
HUMAN_ANSWERS: Final = "task1_human_responses.csv"
MODEL_ANSWERS: Final = (
    "model_responses_standard.csv",
    "model_responses_calibration.csv",
    "model_responses_maximum.csv",
)
ITEMS: Final = "task2_annotation_items.csv"
POOL: Final = "evaluation_dataset.csv"
HOLDS: Final[Mapping[str, str]] = {
    JUDGMENTS: "what people said of answers",
    PANEL: "what judge models said of answers",
    OTHER_WAYS: "what they said when asked otherwise",
    SAMPLE: "the study’s prompts",
    HUMAN_ANSWERS: "people’s answers",
    **dict.fromkeys(MODEL_ANSWERS, "models’ answers"),
}
NOT_READ: Final[Mapping[str, str]] = {
    ITEMS: "who was given what; no figure of the report needs it",
    POOL: "prompts to draw from; a study’s pool takes them in, and no report is of them",
}
MAX_BYTES: Final = 200_000_000  # of a ZIP's files, unpacked
# What the columns of tables of answers go by that were published in no fixed form.
ANSWER_ID: Final = ("response_id", "true_id", "answer_id", "id")
TEXT: Final = ("text", "response_text", "response", "answer", "answer_text")
SOURCE: Final = ("model", "model_family", "family", "respondent_id", "source")
ARMS: Final = frozenset((MODEL, "weak", "maximum"))


def unzipped(content: bytes) -> dict[str, bytes]:
    """Files of a ZIP by their paths. Raises JudgmentFileError for what is not one, or unpacks to too much."""
    try:
        with ZipFile(io.BytesIO(content)) as archive:
            entries = [each for each in archive.infolist() if not each.is_dir()]
            if sum(each.file_size for each in entries) > MAX_BYTES:
                raise JudgmentFileError(f"it unpacks to more than {MAX_BYTES // 1_000_000} MB")
            known = [each for each in entries if PurePosixPath(each.filename).name in (*HOLDS, *NOT_READ)]
            return {each.filename: archive.read(each) for each in known}
    except UNREADABLE as error:
        raise JudgmentFileError(f"the file is no ZIP that can be read: {error}") from error


def by_name(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The known files by their names, whatever folder they are in. Raises JudgmentFileError where one is there
    twice, or none is that can be analysed.
    """
    found: dict[str, bytes] = {}
    for path, content in files.items():
        name = PurePosixPath(path).name
        if name not in HOLDS and name not in NOT_READ:
            continue
        if name in found:
            raise JudgmentFileError(f"{name} is there twice: give the folder of one study")
        found[name] = content
    if JUDGMENTS not in found and PANEL not in found:
        raise JudgmentFileError(f"there is neither {JUDGMENTS} nor {PANEL} in it")
    return found


def read_folder(
    files: Mapping[str, bytes],
    asked: ColumnMap,
    *,
    people: frozenset[str] = PEOPLE,
) -> tuple[StudyTables, tuple[Doubt, ...]]:
    """The tables of a folder's files by their paths. `asked` is of the panel's scores, its dimensions of the
    judgments too.

    Raises JudgmentFileError, naming file, row and column.
    """
    found, doubts = _with_rows(by_name(files)), list[Doubt]()
    judgments = None
    if JUDGMENTS in found:
        with _named(JUDGMENTS):
            judgments = read_csv(io.BytesIO(found[JUDGMENTS]), dimensions=asked.dimensions or None)
            check_any_judgment(judgments)
    scored: dict[str, bytes] = {name: found[name] for name in (PANEL, OTHER_WAYS) if name in found}
    if scored:
        ratings = _panel(scored, asked, doubts)
        with _named(next(iter(scored))):
            check_any(ratings)
            tables, more = panel_tables(ratings, judgments, people=people)
        doubts += [Doubt(f"{next(iter(scored))}: {each}") for each in more]
    elif judgments is not None:
        tables = StudyTables(judgments)
    else:
        raise JudgmentFileError(f"there is no row in {JUDGMENTS} nor in {PANEL}")
    answers = _answers(found, tables, doubts)
    prompts = _prompts(found, tables, answers, doubts)
    doubts += [Doubt(f"{name} is not read: {why}") for name, why in NOT_READ.items() if name in found]
    return replace(tables, prompts=prompts, answers=answers), tuple(doubts)


@contextmanager
def _named(name: str) -> Iterator[None]:
    """What cannot be read tells in which file."""
    try:
        yield
    except JudgmentFileError as error:
        raise JudgmentFileError(f"{name}: {error}") from error


def _with_rows(found: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files that have more than the names of columns, as our releases' have where a study has nothing of the
    kind.
    """
    return {name: content for name, content in found.items() if b"\n" in content.strip() or not content.strip()}


def _panel(scored: Mapping[str, bytes], asked: ColumnMap, doubts: list[Doubt]) -> Ratings:
    """What judge models said, in whatever way they were asked; of doubts that of prompts, which others may tell."""
    parts = []
    for name, content in scored.items():
        with _named(name):
            read = read_panel(content, asked)
            doubts += [Doubt(f"{name}: {each}") for each in read.doubts if each != NO_PROMPTS]
            parts.append(replace(read, doubts=tuple(each for each in read.doubts if each == NO_PROMPTS)))
    with _named(OTHER_WAYS):
        return reduce(with_other_ways, parts)


def _answers(found: Mapping[str, bytes], tables: StudyTables, doubts: list[Doubt]) -> pd.DataFrame:
    """Answers that the panel or people know, with their lengths; the tables of answers tell which are weak."""
    known = tables.answers[list(ANSWERS)].itertuples(index=False, name=None)
    rows: dict[str, dict[str, object]] = {each[0]: dict(zip(ANSWERS, each, strict=True)) for each in known}
    judged = tables.judgments.drop_duplicates("true_id")[["true_id", "prompt_id", "true_source", "model"]]
    for answer, prompt, kind, model in judged.itertuples(index=False, name=None):
        rows.setdefault(answer, _row(answer, prompt, HUMAN if kind == HUMAN else model or NOBODY))
    told = False
    for name in (HUMAN_ANSWERS, *MODEL_ANSWERS):
        if name not in found:
            continue
        with _named(name):
            cells = read_table(found[name])
        columns = {ours: next((each for each in also if each in cells.columns), "") for ours, also in _ALSO.items()}
        if not columns["response_id"]:
            doubts.append(Doubt(f"{name} is not read: no column names the answer"))
            continue
        told |= "arm" in cells.columns
        for cells_of_row in cells.itertuples(index=False, name=None):
            row = dict(zip(cells.columns, cells_of_row, strict=True))
            _complete(rows, row, columns, is_human=name == HUMAN_ANSWERS)
    calibrates = (tables.judgments["item_type"] == "cal_quality_floor").any()
    if calibrates and not told:
        doubts.append(
            Doubt("no file says which answers are weak on purpose: whether judges put them last is not known")
        )
    return table([tuple(row[name] for name in ANSWERS) for row in rows.values()], ANSWERS)


def _row(answer: str, prompt: str, source: str) -> dict[str, object]:
    """One of ANSWERS whose text is not known."""
    blank = {"model_id": "", "words": None, "text_sha256": "", "text": ""}
    arm = HUMAN if source == HUMAN else MODEL
    return {"response_id": answer, "prompt_id": prompt, "arm": arm, "source": source, "family": source, **blank}


_ALSO: Final = {"response_id": ANSWER_ID, "text": TEXT, "source": SOURCE, "prompt_id": ("prompt_id",)}


def _complete(
    rows: dict[str, dict[str, object]], row: Mapping[str, str], columns: Mapping[str, str], *, is_human: bool
) -> None:
    """Add what a table of answers says of one; one that nobody judged or scored comes in if its prompt is named."""
    told = {ours: row[theirs] if theirs else "" for ours, theirs in columns.items()}
    known = rows.get(told["response_id"])
    if known is None:
        if not told["prompt_id"]:
            return
        source = HUMAN if is_human else told["source"] or NOBODY
        known = rows[told["response_id"]] = _row(told["response_id"], told["prompt_id"], source)
    if row.get("arm") in ARMS and known["arm"] != HUMAN:
        known["arm"] = row["arm"]
    known["text"] = told["text"]
    given = row.get("words", "")
    known["words"] = float(given) if given.isdecimal() else float(len(told["text"].split())) or None


def _prompts(
    found: Mapping[str, bytes], tables: StudyTables, answers: pd.DataFrame, doubts: list[Doubt]
) -> pd.DataFrame:
    types = dict(zip(tables.prompts["prompt_id"], tables.prompts["item_type"], strict=True))
    types |= dict(zip(tables.judgments["prompt_id"], tables.judgments["item_type"], strict=True))
    domains: dict[str, str] = {}
    if SAMPLE in found:
        with _named(SAMPLE):
            cells = read_table(found[SAMPLE])
        if "prompt_id" in cells.columns and "domain" in cells.columns:
            domains = dict(zip(cells["prompt_id"], cells["domain"], strict=True))
        else:
            doubts.append(Doubt(f"{SAMPLE} is not read: it has no columns prompt_id and domain"))
    ids = dict.fromkeys((*answers["prompt_id"], *tables.judgments["prompt_id"]))
    if unknown := [each for each in ids if domains and each not in domains]:
        doubts.append(Doubt(f"{SAMPLE} has no domain for {counted(len(unknown), 'prompt')}: {unknown[0]} is one"))
    rows = [
        (each, domains.get(each) or domain_of_prompt(each), types.get(each, STANDARD), None, "", "") for each in ids
    ]
    return table(rows, PROMPTS)
