"""What a report says of models' errors on an audited benchmark, in words."""

from collections.abc import Sequence

from analysis.benchmarks.core.audit_files import Prediction, Ruling
from analysis.benchmarks.core.audit_report import AuditReport, audit_report
from analysis.benchmarks.core.study_audits import StudyAudit
from analysis.benchmarks.prose import audit_headlines, audit_passages
from analysis.data.core.parameters import Parameters
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
    return last


def test_a_headline_on_errors_is_of_one_way_to_ask_which_it_names_with_the_model() -> None:
    singly = said("m", "singly", "nnnnyyyy")
    with_history = said("m", "history", "nyyyyyyy")
    cleaned = said("m", "history, cleaned", "..nnnyyy")
    found = reported([*with_history, *cleaned, *singly])
    assert headline(found) == (
        "Of the errors of m, asked singly, Set is answerable for at least 25.0 % and at most 50.0 %."
    )
    [passage] = audit_passages(found)
    assert "history, cleaned" not in " ".join(passage.paragraphs)
    assert headline(reported([*with_history, *cleaned])) == (
        "Of the errors of m, asked with history, Set is answerable for at least 100.0 % and at most 100.0 %."
    )


def test_a_headline_on_errors_of_several_models_says_whose_are_least_and_most() -> None:
    found = reported(
        [
            *said("m", "singly", "nnnnyyyy"),
            *said("other", "singly", "nyyyyyyy"),
            *said("right", "singly", "yyyyyyyy"),
        ]
    )
    assert headline(found) == (
        "Of the errors of 2 models, asked singly, Set is answerable for at least 25.0 % (m) to 100.0 % (other) and "
        "at most 50.0 % (m) to 100.0 % (other)."
    )


def test_without_errors_there_is_no_headline_on_them() -> None:
    assert all("errors" not in each for each in audit_headlines(reported(said("m", "singly", "yyyyyyyy"))))
