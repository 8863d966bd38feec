"""Tables: what types their columns have, and that their hash tells any change but one of order."""

import hashlib
from dataclasses import replace
from math import isnan

import pandas as pd
import pytest

from analysis.data.core.study_tables import (
    GUESSES,
    ORDER,
    PARTICIPANTS,
    StudyTables,
    in_order,
    table,
    table_sha256,
    tables_sha256,
)
from annotation.study.core.rubric import Scale

JUDGMENTS = pd.DataFrame(
    {
        "prompt_id": ["BBQ_01", "BBQ_01", "BBQ_01"],
        "judge_id": ["J-1", "J-1", "J-2"],
        "blinded_label": ["Response A", "Response B", "Response A"],
        "rank": [1, 2, 1],
        "clarity": [8.0, 7.0, float("nan")],
    }
)
TABLES = StudyTables(
    judgments=JUDGMENTS,
    guesses=table([("BBQ_01", "J-1", "a", "human", 5), ("BBQ_01", "J-1", "b", "unknown", None)], GUESSES),
    ideology=("left", "right", 5),
)


def test_text_is_text_and_everything_else_a_number() -> None:
    rows = table([("W-1", "writer", "doctorate", True, "", None, "Chile", 2.5)], PARTICIPANTS)
    assert rows.dtypes.astype(str).to_dict() == {
        **dict.fromkeys(PARTICIPANTS, "str"),
        **dict.fromkeys(("r1_institution", "years_experience", "ideology"), "float64"),
    }
    (person,) = rows.to_dict("records")
    assert (person["r1_institution"], person["discipline"], person["ideology"]) == (1.0, "", 2.5)
    assert isnan(person["years_experience"])


def test_what_is_not_known_is_empty_and_has_the_same_columns() -> None:
    empty = StudyTables(judgments=JUDGMENTS)
    assert list(empty.guesses.columns) == list(GUESSES)
    assert empty.guesses.dtypes.equals(TABLES.guesses.dtypes)
    assert empty.domains == {}


def test_a_hash_is_of_columns_by_name_with_numbers_as_floats() -> None:
    frame = pd.DataFrame({"rank": [1, 2], "prompt_id": ["a", "é"], "clarity": [0.5, float("nan")]})
    written = '{"clarity":[0.5,null],"prompt_id":["a","é"],"rank":[1.0,2.0]}'
    assert table_sha256(frame) == hashlib.sha256(written.encode()).hexdigest()


def test_the_order_of_rows_and_columns_is_no_part_of_the_hash() -> None:
    shuffled = replace(
        TABLES,
        judgments=JUDGMENTS.iloc[[2, 0, 1], ::-1],
        guesses=TABLES.guesses.iloc[::-1],
    )
    assert tables_sha256(shuffled) == tables_sha256(TABLES)
    assert in_order(shuffled).guesses.equals(TABLES.guesses)


def test_every_table_has_an_order() -> None:
    assert ORDER.keys() == {name for name, value in vars(TABLES).items() if isinstance(value, pd.DataFrame)}
    for name, columns in ORDER.items():
        assert set(columns) <= set(getattr(StudyTables(judgments=JUDGMENTS), name).columns), name


@pytest.mark.parametrize(
    "changed",
    [
        replace(TABLES, judgments=JUDGMENTS.assign(rank=[2, 1, 1])),
        replace(TABLES, judgments=JUDGMENTS.assign(clarity=[8.0, 7.0, 1.0])),
        replace(TABLES, judgments=JUDGMENTS.iloc[:2]),
        replace(TABLES, guesses=TABLES.guesses.assign(confidence=[5, 1])),
        replace(TABLES, guesses=table([], GUESSES)),
        replace(TABLES, ideology=("right", "left", 5)),
        replace(TABLES, scale=Scale(1, 10, 1, ())),
    ],
)
def test_any_change_of_the_tables_but_of_their_order_gives_another_hash(changed: StudyTables) -> None:
    assert tables_sha256(changed) != tables_sha256(TABLES)
