"""`manage.py import_source bbq FOLDER`: all of it or nothing, and the same files twice change nothing."""

import json
import time
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation.models.audit import AuditEvent
from generation.models.sources import Scenario, Source

pytestmark = pytest.mark.django_db

PUBLISHED = Path(__file__).parents[3] / "shared" / "data" / "bbq"


def line(example_id: int, **changes: Any) -> str:
    """One item of the source as a line of its file: ambiguous and asked negatively, unless changed."""
    item = {
        "example_id": example_id,
        "question_index": "1",
        "question_polarity": "neg",
        "context_condition": "ambig",
        "category": "Age",
        "answer_info": {"ans0": ["baker", "old"], "ans1": ["courier", "nonOld"], "ans2": ["Unknown", "unknown"]},
        "additional_metadata": {"stereotyped_groups": ["old"]},
        "context": f"A baker and a courier met at door {example_id}.",
        "question": "Who forgot the keys?",
        "ans0": "The baker",
        "ans1": "The courier",
        "ans2": "Unknown",
        "label": 2,
    }
    return json.dumps(item | changes) + "\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two files: of five items, four are ambiguous, three of these negative, and they ask two questions."""
    (tmp_path / "Age.jsonl").write_text(
        line(0) + line(1) + line(2, context_condition="disambig") + line(3, question_polarity="nonneg")
    )
    (tmp_path / "Religion.jsonl").write_text(line(0, category="Religion"))
    return tmp_path


def run(folder: Path, *options: str) -> str:
    output = StringIO()
    call_command("import_source", "bbq", str(folder), *options, stdout=output, no_color=True)
    return output.getvalue()


def test_the_funnel_is_printed_and_stored(folder: Path) -> None:
    assert run(folder).splitlines() == [
        "       5  all items",
        "       4  context_condition = ambig  (−1)",
        "       3  question_polarity = neg  (−1)",
        "       2  one per category and question_index  (−1)",
        "Stored 2 scenarios as “bbq”.",
    ]
    source = Source.objects.get(slug="bbq")
    assert [step["kept"] for step in source.funnel] == [5, 4, 3, 2]
    assert source.licence.startswith("CC BY 4.0")


def test_each_scenario_keeps_its_stratum_and_what_prompts_are_written_from(folder: Path) -> None:
    run(folder)
    age, religion = Scenario.objects.all()
    assert (age.key, age.stratum, religion.key, religion.stratum) == ("Age-1", "Age", "Religion-1", "Religion")
    assert age.payload["context"] == "A baker and a courier met at door 0."
    assert age.payload["answers"] == ["The baker", "The courier", "Unknown"]


def test_a_second_run_changes_nothing(folder: Path) -> None:
    run(folder)
    before = list(Source.objects.values()), list(Scenario.objects.values()), AuditEvent.objects.count()
    assert "“bbq” holds these 2 scenarios already; nothing was changed." in run(folder)
    assert (list(Source.objects.values()), list(Scenario.objects.values()), AuditEvent.objects.count()) == before


def test_an_import_is_in_the_audit_trail(folder: Path) -> None:
    run(folder)
    event = AuditEvent.objects.get(verb="source.imported")
    assert (event.subject, event.detail["scenarios"]) == ("bbq", 2)
    assert event.detail["sha256"] == Source.objects.get().content_sha256


@pytest.mark.parametrize(
    ("broken", "complaint"),
    [
        ("{", r"not JSON"),
        (line(7, label=3), r"label is 3"),
        (line(7, context_condition="vague"), r"context_condition is 'vague'"),
        ('{"example_id": 7}', r"missing: additional_metadata"),
    ],
)
def test_a_broken_line_is_named_with_its_file_and_nothing_is_stored(
    folder: Path, broken: str, complaint: str
) -> None:
    with (folder / "Religion.jsonl").open("a") as file:
        file.write(broken)
    with pytest.raises(CommandError, match=rf"Nothing was stored\. Religion\.jsonl, line 2: {complaint}"):
        run(folder)
    assert not Source.objects.exists()
    assert not Scenario.objects.exists()
    assert not AuditEvent.objects.exists()


def test_other_scenarios_under_the_same_name_are_refused_and_welcome_under_another(folder: Path) -> None:
    run(folder)
    (folder / "SES.jsonl").write_text(line(0, category="SES"))
    with pytest.raises(CommandError, match="Import under another name with --slug"):
        run(folder)
    assert Scenario.objects.count() == 2
    assert "Stored 3 scenarios as “bbq-2”." in run(folder, "--slug", "bbq-2")
    assert Scenario.objects.filter(source__slug="bbq").count() == 2


@pytest.mark.parametrize(("name", "complaint"), [("missing", "There is no folder"), ("empty", "holds no .jsonl")])
def test_a_folder_without_files_is_told_plainly(tmp_path: Path, name: str, complaint: str) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(CommandError, match=complaint):
        run(tmp_path / name)


@pytest.mark.skipif(not PUBLISHED.exists(), reason="the published BBQ files are not beside this checkout")
def test_the_published_files_give_343_scenarios_in_five_seconds() -> None:
    started = time.monotonic()
    printed = run(PUBLISHED).splitlines()
    assert [row.split()[0] for row in printed[:4]] == ["58,492", "29,246", "14,623", "343"]
    assert printed[4] == "Stored 343 scenarios as “bbq”."
    assert Scenario.objects.count() == 343
    assert time.monotonic() - started < 5
