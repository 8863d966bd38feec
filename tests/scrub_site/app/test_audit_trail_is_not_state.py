"""The audit trail tells and proves what happened. What services and pages decide by stands in tables of its own."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from annotation.platform.core.lifecycle import STUDY
from annotation.platform.models.audit_verbs import AuditVerb
from tests.scrub_site.app.test_structure import HANDWRITTEN, imports, in_project, tree
from tests.scrub_site.crawl.routes_analysis import ANALYSIS

# Those whose subject is the trail itself, and what each shows or checks of it.
READERS: Final = {
    "analysis/blinding/selectors/blinding_record.py": "the trail, compared with what the tables hold",
    "analysis/blinding/selectors/office_record.py": "the trail of who could unblind, compared likewise",
    "analysis/ceremony/selectors/record.py": "the record of the ceremony, with the numbers of its seals",
    "annotation/coordination/selectors/person.py": "what the trail says about a member",
    "annotation/coordination/selectors/person_data.py": "what somebody did, handed over to them on request",
    "annotation/management/commands/verify_audit.py": "whether the chain is whole",
    "annotation/models.py": "the registry of models",
    "annotation/platform/services/audit.py": "writing and sealing it",
    "annotation/writing/selectors/answer_record.py": "what the trail says about an answer",
    "scrub_site/watching/selectors.py": "how many events wait for a seal",
}
TABLE: Final = re.compile(r"annotation_audit(event|seal)|\baudit(event|seal)\b|\bAudit(Event|Seal)\b")
DECLARED: Final = "annotation/platform/models/"
VERBS: Final = set(AuditVerb.values)


def texts(path: Path) -> Iterator[str]:
    """Every text that a module has, its SQL among them, without docstrings of several words."""
    yield from (
        node.value
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


def reads_the_trail(path: Path) -> bool:
    """Whether the module has the trail's tables, by their classes, by relation or by their names in SQL."""
    modules = any(re.search(r"models\.audit(\.\w+)?$", name) for _, name in imports(tree(path)))
    return modules or any(TABLE.search(text) for text in texts(path))


def test_nobody_reads_the_audit_trail_but_those_whose_subject_it_is() -> None:
    found = {in_project(path) for path in HANDWRITTEN if reads_the_trail(path)}
    assert READERS
    assert {name for name in found if not name.startswith(DECLARED)} == READERS.keys()


def test_no_verb_of_the_trail_stands_in_the_program_as_a_loose_text() -> None:
    found = [
        f"{in_project(path)}: {text}"
        for path in HANDWRITTEN
        if in_project(path) != f"{DECLARED}audit_verbs.py"
        for text in texts(path)
        if text in VERBS
    ]
    assert not found


def recorded() -> set[str]:
    """The verbs that services and views name, and those made of the tables that say what can be done."""
    named = {
        AuditVerb[node.attr].value
        for path in HANDWRITTEN
        if {"services", "views"} & set(path.with_suffix("").parts)
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "AuditVerb"
    }
    steps = {f"study.{step.verb}" for step in STUDY.transitions}
    decisions = {"text.clear", "text.read_again", "text.reject"}  # what `intake.decide` is for
    tried = {line.name for line in ANALYSIS if line.method == "POST"} | {"judgments_csv"}
    return named | steps | decisions | {f"{name}.refused" for name in tried}


def test_every_verb_of_the_trail_is_recorded_by_somebody_and_nobody_records_another() -> None:
    assert len(VERBS) > 100
    assert recorded() == VERBS


def test_every_verb_has_words_of_its_own_for_people() -> None:
    assert len(set(AuditVerb.labels)) == len(VERBS)
    assert all(label[0].isupper() and "_" not in label for label in AuditVerb.labels)
