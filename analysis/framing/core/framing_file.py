"""A CSV of panel scores of answers under pressure, whatever its columns are called, read into a study's tables.

A row is a reply: what a judge model gave an answer from a perspective. Under what the answer was given stands in a
column of its own, or follows from who answered (`gpt-agree`), and prompts may have to be cut from ids
(`P07/gpt/agree`).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import pandas as pd

from analysis.data.core.framed import (
    ANEW,
    BASELINE,
    BASELINES,
    CONDITIONS,
    FIRST,
    SCORES_LEADING,
    SCORES_TRAILING,
)
from analysis.data.core.judgment_frame import (
    FIRST_ROW,
    LEADING_COLUMNS,
    JudgmentFileError,
)
from analysis.data.core.rating_file import FALSE, NO_PROMPTS, TRUE, ColumnMap, ratings_of
from analysis.data.core.rating_frame import Doubt, Ratings, check_any, side_by_side
from analysis.data.core.scales import check_scale, scores_in, taken_scale
from analysis.data.core.study_tables import StudyTables, table
from analysis.data.core.table_file import header_row, read_table, unnamed, where
from analysis.framing.core.cut_identifiers import CUT, cut_pattern
from analysis.framing.core.roles import Roles

# Columns of our own releases that tell experiments apart, and one that says whose model judged.
OWN: Final = ("framing_set", "asked", "shows")
REPEAT, JUDGE_FAMILY, ABSTAINED = "replicate", "judge_family", "abstained"
REPLY: Final = ["unit", "prompt", "respondent", "condition", "evaluator", "perspective", "replicate"]


@dataclass(frozen=True)
class FramingColumns:
    """What is said of the file beside its columns.

    `baseline` is the condition that is the prompt itself; "" where it is one of BASELINES. `respondents` has the
    model and the condition by respondent; `cuts` by column what its cells are cut by, as `cut_pattern` has it. A
    condition that takes no part stands for the prompt itself.
    """

    baseline: str = ""
    respondents: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    cuts: Mapping[str, str] = field(default_factory=dict)


def read_framings(content: bytes, asked: ColumnMap, said: FramingColumns) -> tuple[StudyTables, tuple[Doubt, ...]]:
    """Raises JudgmentFileError, naming row and column, for what cannot be meant, and where no reply is left."""
    of_table: list[Doubt] = []
    cells = _placed(read_table(content, ignored=asked.ignored, doubts=of_table), asked, said)
    named = next(iter(asked.columns.get(ABSTAINED, (ABSTAINED,))))
    abstained = _abstained(cells, named)
    kept = {name: cells[name] for name in (*OWN, JUDGE_FAMILY) if name in cells}
    is_release = OWN[0] in cells
    cells = cells.drop(columns=[named, *kept], errors="ignore")
    columns = {ours: theirs for ours, theirs in asked.columns.items() if ours != ABSTAINED}
    columns |= {name: (name,) for name in CUT if name in cells}
    asked = replace(asked, columns=columns)
    # The same answer may stand in several experiments: each is read by itself.
    by_experiment = list(_by_experiment(kept, len(cells)))
    found = [(key, rows, _ratings(cells.iloc[rows], asked)) for key, rows in by_experiment]
    _check_any([ratings for _, _, ratings in found], abstained)
    doubts = list(dict.fromkeys((*of_table, *(doubt for _, _, ratings in found for doubt in ratings.doubts))))
    conditions = list(dict.fromkeys(name for _, _, each in found for name in each.frame["condition"]))
    baseline = _baseline(conditions, said)
    wide = pd.concat(
        [
            _scores(ratings, key, baseline=baseline, repeats=is_release).assign(
                abstained=abstained.iloc[rows].to_numpy(),
                judge_family=kept[JUDGE_FAMILY].iloc[rows].to_numpy() if JUDGE_FAMILY in kept else "",
            )
            for key, rows, ratings in found
        ],
        ignore_index=True,
    )
    dimensions = [name for name in wide.columns if name not in (*SCORES_LEADING, *SCORES_TRAILING)]
    taken, of_scale = (None, ()) if asked.scale else taken_scale(scores_in(wide[dimensions]))
    if ends := asked.scale or taken:
        check_scale(wide[dimensions], ends, is_inferred=asked.scale is None)
    _check_comparable(wide, dimensions, baseline)
    columns_of_scores = [*SCORES_LEADING, *dimensions, *SCORES_TRAILING]
    tables = StudyTables(
        judgments=table((), LEADING_COLUMNS),
        framing_conditions=table(
            _conditions([name for name in conditions if name != baseline], [key[0] for key, _, _ in found]),
            CONDITIONS,
        ),
        framed_scores=table(wide[columns_of_scores].itertuples(index=False, name=None), columns_of_scores),
        taken=taken,
    )
    if ABSTAINED not in asked.columns and abstained.eq(0).all():
        doubts.append(Doubt("no reply is said to be an abstention"))
    return tables, (*doubts, *of_scale)


def _placed(cells: pd.DataFrame, asked: ColumnMap, said: FramingColumns) -> pd.DataFrame:
    """The table with columns `prompt`, `respondent` and `condition` as they are cut and mapped."""
    for column, how in said.cuts.items():
        if column not in cells:
            raise JudgmentFileError(f"row {header_row(cells)}: no column is called {column}")
        pattern = cut_pattern(how)
        matched = cells[column].str.strip().map(pattern.fullmatch)
        if (strange := matched.isna()).any():
            cell = cells[column].iloc[int(strange.to_numpy().argmax())]
            raise JudgmentFileError(f"{where(strange, column)}: {cell!r} is not as {how!r} has it")
        for name in pattern.groupindex:
            cells = cells.assign(**{name: [match[name] or "" for match in matched]})
    if not said.respondents:
        return cells
    place = "respondent" if "respondent" in cells else asked.columns.get("respondent", ("respondent_id",))[0]
    if place not in cells:
        raise JudgmentFileError(
            f"row {header_row(cells)}: no column is called {place}; say which names respondents"
        )
    names = cells[place].str.strip()
    if (strange := ~names.isin([*said.respondents])).any():
        raise JudgmentFileError(
            f"{where(strange, place)}: nobody said under what condition "
            f"{names.iloc[int(strange.to_numpy().argmax())]!r} answered"
        )
    models = {theirs: model for theirs, (model, _) in said.respondents.items()}
    conditions = {theirs: condition for theirs, (_, condition) in said.respondents.items()}
    return cells.assign(respondent=names.map(models), condition=names.map(conditions))


def _abstained(cells: pd.DataFrame, name: str) -> "pd.Series[float]":
    if name not in cells:
        return pd.Series(0.0, index=cells.index)
    words = cells[name].str.strip().str.casefold()
    if not (known := words.isin(TRUE | FALSE)).all():
        raise JudgmentFileError(f"{where(~known, name)}: says neither True nor False")
    return words.isin(TRUE).astype(float)


def _by_experiment(
    kept: Mapping[str, "pd.Series[str]"], rows: int
) -> Iterator[tuple[tuple[str, str, str], list[int]]]:
    told = {name: kept[name].tolist() if name in kept else [""] * rows for name in OWN}
    places: dict[tuple[str, str, str], list[int]] = {}
    for row, key in enumerate(zip(*(told[name] for name in OWN), strict=True)):
        places.setdefault(key, []).append(row)
    yield from places.items()


def _ratings(cells: pd.DataFrame, asked: ColumnMap) -> Ratings:
    ratings = ratings_of(cells, asked)
    for name, words in (("prompt", "the prompt"), ("respondent", "the model that answered")):
        if (ratings.frame[name] == "").any() or (name == "prompt" and NO_PROMPTS in ratings.doubts):
            raise unnamed(name, words, cells)
    return ratings


def _check_any(found: Sequence[Ratings], abstained: "pd.Series[float]") -> None:
    """Whatever the experiment: a reply that abstains has no score."""
    frame, places = (
        pd.concat(parts, ignore_index=True)
        for parts in ([each.frame for each in found], [each.places for each in found if each.places is not None])
    )
    counts = abstained.reindex(places["row"] - FIRST_ROW).eq(0).to_numpy()
    kept = frame.assign(value=frame["value"].where(counts), status=frame["status"].where(counts, ABSTAINED))
    check_any(Ratings(kept, {}, places=places))


def _check_comparable(wide: pd.DataFrame, dimensions: Sequence[str], baseline: str) -> None:
    """What is lost is the difference of two conditions: without both there is nothing to tell."""
    scored = wide[wide[list(dimensions)].notna().any(axis=1) & wide["abstained"].eq(0)]
    is_plain = scored["condition"] == BASELINE
    one, other = (scored.loc[rows, [*OWN, "respondent_id", "prompt_id"]] for rows in (is_plain, ~is_plain))
    if one.merge(other).empty:
        raise JudgmentFileError(
            f"no prompt has scores of one model’s answers both under {baseline!r}, the prompt itself, and under "
            "another condition: nothing is left to compare"
        )


def _baseline(conditions: list[str], said: FramingColumns) -> str:
    if said.baseline:
        if said.baseline not in conditions:
            raise JudgmentFileError(f"no answer is said to be given under {said.baseline!r}")
        return said.baseline
    found = next((name for name in BASELINES if name in conditions), None)
    if found is None or len(conditions) < 2:
        raise JudgmentFileError(
            "no condition is known to be the prompt itself; a condition is told by a column, by who answered or by "
            "an id, and the baseline may be named"
        )
    return found


def _scores(ratings: Ratings, key: tuple[str, str, str], *, baseline: str, repeats: bool) -> pd.DataFrame:
    """A row for each of the file's, with the columns of scores but abstentions and families."""
    wide = side_by_side(ratings.frame, REPLY)
    first = ratings.frame["dimension"].iloc[0]
    if len(wide) != int((ratings.frame["dimension"] == first).sum()):
        raise JudgmentFileError("a row is a reply, with a column for each dimension")
    is_second = repeats & (wide["condition"] == baseline) & (wide["replicate"] == str(ANEW))
    dimensions = list(dict.fromkeys(ratings.frame["dimension"]))
    of_set, asked, shows = key
    return pd.DataFrame(
        {
            "response_id": wide["unit"],
            "respondent_id": wide["respondent"],
            "prompt_id": wide["prompt"],
            "condition": wide["condition"].where(wide["condition"] != baseline, BASELINE),
            "judge_model": wide["evaluator"],
            "perspective_id": wide["perspective"],
            **{name: wide[name] for name in dimensions},
            "framing_set": of_set,
            "asked": asked,
            "shows": shows,
            "replicate": is_second.map({True: ANEW, False: FIRST}),
        }
    )


def _conditions(conditions: list[str], sets: list[str]) -> Iterator[tuple[object, ...]]:
    """Conditions in the order of the file; the usual pair takes sides."""
    usual = Roles()
    for of_set in dict.fromkeys(sets):
        for number, name in enumerate(conditions, start=1):
            opposes = usual.disagree if name == usual.agree and usual.disagree in conditions else ""
            yield of_set, number, name, "", "", "", opposes, None, "", ""
