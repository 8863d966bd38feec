"""Files of an audit are read whole, or every line that is wrong is named."""

import io

import pytest

from analysis.benchmarks.core.audit_files import (
    HISTORY,
    SINGLY,
    Flag,
    Prediction,
    Ruling,
    read_flags,
    read_predictions,
    read_rulings,
)
from annotation.platform.core.line_files import BrokenFile

QUESTIONS = range(1, 4)


def file(text: str) -> tuple[str, io.BytesIO]:
    return "a.csv", io.BytesIO(text.encode())


def test_every_column_of_an_audits_files_is_read() -> None:
    flags = read_flags(file("question,annotator,category\n1,Ada,none\n1,Bo,semantic\n"), QUESTIONS)
    assert flags == [Flag(1, "Ada", "none"), Flag(1, "Bo", "semantic")]
    ruled = (
        "question,category,correction,weight,fate,reworded\n2,structural,B,,corrected,yes\n3,none,,10,excluded,no\n"
    )
    rulings = read_rulings(file(ruled), QUESTIONS)
    assert rulings == [
        Ruling(2, "structural", "B", is_reworded=True),
        Ruling(3, "none", weight=10.0, is_excluded=True),
    ]
    lines = (
        '{"model": "m", "question": "1", "prediction": ""}\n{"model": "m", "question": "1", "mode": "history"}\n'
    )
    assert read_predictions(file(lines), QUESTIONS) == [
        Prediction("m", 1, "", SINGLY),
        Prediction("m", 1, "", HISTORY),
    ]


def test_what_a_model_answered_to_a_corrected_question_stands_beside_its_answer_as_published() -> None:
    text = (
        "model,question,prediction,mode,wording\nm,1,a,singly,published\nm,1,b,singly,corrected\n"
        'm,2,c,singly,corrected\nm,1,d,"history, corrected",corrected\nm,2,e,"history, corrected",published\n'
        "m,3,f,history,corrected\n"
    )
    assert read_predictions(file(text), QUESTIONS) == [
        Prediction("m", 1, "a", SINGLY, corrected_words="b"),
        Prediction("m", 1, "", "history, corrected", corrected_words="d"),
        Prediction("m", 2, "e", "history, corrected"),
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("question,category\n1,odd\n", "line 2"),
        ("question,category\n9,none\n", "the benchmark has no question 9"),
        ("question,category\n1,none\n1,semantic\n", "line 3: this says again what line 2 says"),
        ("question,category,weight\n1,none,0.5\n", "must be a number of at least 1"),
        ("question,category,weight\n1,none,nan\n", "must be a number of at least 1"),
        ("question\n1\n", "no column is called category"),
        ("", "There is nothing in it"),
    ],
)
def test_faults_of_an_audits_file_are_named(text: str, told: str) -> None:
    with pytest.raises(BrokenFile, match=told):
        read_rulings(file(text), QUESTIONS)


def test_a_prediction_without_a_mode_is_one_of_a_question_asked_singly() -> None:
    with pytest.raises(BrokenFile, match="says again"):
        read_predictions(file("model,question,prediction,mode\nm,1,a,\nm,1,b,singly\n"), QUESTIONS)
