"""What a report says of models' errors on an audited benchmark, in words."""

import json
from collections.abc import Sequence

import matplotlib

from analysis.benchmarks.core.audit_files import Prediction, Ruling
from analysis.benchmarks.core.audit_report import AuditReport, audit_report
from analysis.benchmarks.core.study_audits import StudyAudit
from analysis.benchmarks.exhibits import audit_exhibits
from analysis.benchmarks.prose import audit_headlines, audit_passages
from analysis.benchmarks.sections import AUDITS
from analysis.data.core.parameters import Parameters
from analysis.data.core.results import Estimate
from analysis.sections.exhibits.fonts import make_faces_known
from analysis.sections.exhibits.theme import STYLE
from annotation.benchmarks.core.items import Question, Story

STORIES = tuple(
    Story(key=str(number), text="", questions=(Question("?", "yes", number),), cluster=str(number))
    for number in range(1, 9)
)
# The label of the first is wrong, the second is flawed.
RULINGS = (Ruling(1, "structural", "no"), Ruling(2, "semantic"))


def said(model: str, mode: str, words: str) -> list[Prediction]:
    """A letter for each question: y and n, a dot where it was not asked."""
    meant = {"y": "yes", "n": "no"}
    return [Prediction(model, n, meant[word], mode) for n, word in enumerate(words, start=1) if word in meant]


def reported(predictions: Sequence[Prediction], rulings: Sequence[Ruling] = RULINGS) -> AuditReport:
    one = StudyAudit("Set", "mapped", STORIES, (), (), tuple(rulings), tuple(predictions), {}, (), (), {})
    return audit_report([one], Parameters(draws=50))


def headline(found: AuditReport) -> str:
    *_, last = audit_headlines(found)
    return breaking_anywhere(last)


def breaking_anywhere(text: str) -> str:
    return text.replace("\N{NO-BREAK SPACE}", " ")


def test_a_headline_on_errors_is_of_one_way_to_ask_which_it_names_with_the_model() -> None:
    singly = said("m", "singly", "nnnnyyyy")
    with_history = said("m", "history", "nyyyyyyy")
    cleaned = said("m", "history, cleaned", "..nnnyyy")
    found = reported([*with_history, *cleaned, *singly])
    assert headline(found) == (
        "Of the errors of m, asked singly, “Set” is answerable for at least 25.0 % and at most 50.0 %, "
        "as far as it was reviewed and marked."
    )
    [passage] = audit_passages(found)
    assert "history, cleaned" not in " ".join(passage.paragraphs)
    assert headline(reported([*with_history, *cleaned])) == (
        "Of the errors of m, asked with history, “Set” is answerable for at least 100.0 % and at most 100.0 %."
    ), "of a wrong label nobody has to mark anything"


def test_a_headline_on_errors_of_several_models_says_whose_are_least_and_most() -> None:
    found = reported(
        [
            *said("m", "singly", "nnnnyyyy"),
            *said("other", "singly", "nyyyyyyy"),
            *said("right", "singly", "yyyyyyyy"),
        ]
    )
    assert headline(found) == (
        "Of the errors of 2 models, asked singly, “Set” is answerable for a share whose lower bound is 25.0 % (m) "
        "to 100.0 % (other), and whose upper bound is 50.0 % (m) to 100.0 % (other), as far as it was reviewed and "
        "marked."
    )


def test_without_errors_there_is_no_headline_on_them() -> None:
    assert all("errors" not in each for each in audit_headlines(reported(said("m", "singly", "yyyyyyyy"))))


def test_errors_on_questions_that_nobody_reviewed_are_in_the_upper_bound_and_sampled_ones_are_weighted() -> None:
    rulings = (*RULINGS, Ruling(3, "none"), Ruling(4, "none", weight=5))
    found = reported(said("m", "history", "nnnnnnnn"), rulings)
    assert "at least 12.5 % and at most 75.0 %" in headline(found)
    [passage] = audit_passages(found)
    assert "weighted, of reviewed questions alone: m, history: at least 12.5 %" in breaking_anywhere(
        passage.paragraphs[1]
    )
    [table] = [exhibit.table for exhibit in audit_exhibits(found) if exhibit.name == "audit-errors"]
    row = dict(zip((column.heading for column in table.columns), table.rows[0], strict=True))
    assert (row["The model’s"], row["Not reviewed"], row["Not marked"]) == (2, 4, 7)
    shown = row["At most, weighted"]
    assert isinstance(shown, Estimate)
    assert shown.value == 2 / 8


def test_what_was_computed_before_reviews_were_told_apart_is_still_read_and_shown() -> None:
    found = json.loads(AUDITS.adapter.dump_json(reported(said("m", "singly", "nnnnyyyy"))))
    for split in found["benchmarks"][0]["errors"]:
        del split["counts"][2], split["counts"][4], split["weighted"], split["unmarked"]
    read = AUDITS.adapter.validate_python(found)
    [exhibit] = [exhibit for exhibit in audit_exhibits(read) if exhibit.name == "audit-errors"]
    [row] = exhibit.table.rows
    assert row[2:9] == (1, 0, None, 1, 2, None, None)
    assert exhibit.draw
    make_faces_known()
    with matplotlib.rc_context(STYLE):
        figure = exhibit.draw()
        figure.draw_without_rendering()
        [legend] = figure.legends
        assert legend.get_window_extent().x0 >= 0, "the legend is not cut off"
    assert "as far as it was reviewed and marked" in headline(read)


def test_scores_of_conversations_about_a_subset_on_others_are_no_longer_shown() -> None:
    found = json.loads(AUDITS.adapter.dump_json(reported(said("m", "history, cleaned", "nnnnyyyy"))))
    [benchmark] = found["benchmarks"]
    [kept] = [score for score in benchmark["scores"] if score["of"] == "questions"]
    benchmark["scores"] += [{**kept, "subset": "original"}, {**kept, "subset": "original", "part": "kind: a"}]
    benchmark["differences"] += [{**kept, "subset": "cleaned − original"}]
    tables = {each.name: each.table.rows for each in audit_exhibits(AUDITS.adapter.validate_python(found))}
    shown = {row[3]: row[-1] for row in tables["audit-scores"] if row[:3] == ("m", "history, cleaned", "questions")}
    assert isinstance(shown["cleaned"], Estimate)
    assert shown["cleaned"].value is not None
    for left_out in (shown["original"], tables["audit-parts"][-1][-1], tables["audit-differences"][-1][-1]):
        assert isinstance(left_out, Estimate)
        assert (left_out.value, left_out.reason) == (None, "not computed by this version")
