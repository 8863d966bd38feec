"""`manage.py import_source KIND PATH…`: all of it or nothing, and the same files twice change nothing."""

import json
import time
from hashlib import sha256
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from annotation.platform.models.audit import AuditEvent
from generation.sources.models import Document, RemovedItem, Scenario, Source
from tests.folders import SHARED_DATA
from tests.generation.sources.bbq_items import bbq_line as line

pytestmark = pytest.mark.django_db

PUBLISHED = SHARED_DATA / "bbq"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two files: of five items, four are ambiguous, three of these negative, and they ask two questions."""
    (tmp_path / "Age.jsonl").write_text(
        line(0) + line(1) + line(2, context_condition="disambig") + line(3, question_polarity="nonneg")
    )
    (tmp_path / "Religion.jsonl").write_text(line(0, category="Religion"))
    return tmp_path


def run(path: Path, *options: str, kind: str = "bbq") -> str:
    output = StringIO()
    call_command("import_source", kind, str(path), *options, stdout=output, no_color=True)
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


def test_what_each_step_removed_is_kept_with_its_place_in_the_funnel(folder: Path) -> None:
    run(folder)
    assert [*RemovedItem.objects.values_list("step", "key", "text")] == [
        (1, "Age 2", "A baker and a courier met at door 2. Who forgot the keys?"),
        (2, "Age 3", "A baker and a courier met at door 3. Who forgot the keys?"),
        (3, "Age 1", "A baker and a courier met at door 1. Who forgot the keys?"),
    ]


def test_the_files_are_named_with_their_hashes(folder: Path) -> None:
    run(folder)
    hashes = [sha256((folder / name).read_bytes()).hexdigest() for name in ("Age.jsonl", "Religion.jsonl")]
    assert Source.objects.get().files == [
        {"name": "Age.jsonl", "sha256": hashes[0]},
        {"name": "Religion.jsonl", "sha256": hashes[1]},
    ]


def test_a_second_run_changes_nothing(folder: Path) -> None:
    run(folder)
    before = list(Source.objects.values()), list(Scenario.objects.values()), AuditEvent.objects.count()
    assert "“bbq” holds 2 scenarios of this content already; nothing was changed." in run(folder)
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
    with pytest.raises(CommandError, match="Import this one under another short name"):
        run(folder)
    assert Scenario.objects.count() == 2
    assert "Stored 3 scenarios as “bbq-2”." in run(folder, "--slug", "bbq-2")
    assert Scenario.objects.filter(source__slug="bbq").count() == 2


@pytest.mark.parametrize(
    ("name", "complaint"), [("missing", "There is no file or folder"), ("empty", "holds no .jsonl")]
)
def test_a_folder_without_files_is_told_plainly(tmp_path: Path, name: str, complaint: str) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(CommandError, match=complaint):
        run(tmp_path / name)


def test_counts_by_rule_are_printed_and_stored(tmp_path: Path) -> None:
    """Two of three are of the category, and one of these asks who coined something."""
    questions = [
        ("h1", "Who coined the phrase moral luck?", "Humanities/Social Science"),
        ("h2", "When is it just to break a promise?", "Humanities/Social Science"),
        ("h3", "What is the mass of the sample?", "Physics"),
    ]
    (tmp_path / "hle.jsonl").write_text(
        "".join(
            json.dumps({"id": key, "question": text, "category": category, "raw_subject": "Ethics"}) + "\n"
            for key, text, category in questions
        )
    )
    assert run(tmp_path / "hle.jsonl", kind="hle").splitlines() == [
        "       3  all questions",
        "       2  category = Humanities/Social Science  (−1)",
        "              −1  Physics",
        "       2  a keyword of 6 groups",
        "              +1  ethics and moral reasoning",
        "              +1  interpersonal and cooperative dynamics",
        "       1  none of 61 exclusions  (−1)",
        "              −1  direct recall: asks who did something",
        "Stored 1 scenario as “hle”.",
    ]
    source = Source.objects.get()
    assert (source.kind, source.shape, source.code) == ("hle", "question", "HLE")
    assert [step["rules"] for step in source.funnel] == [
        {},
        {"Physics": 1},
        {},
        {"direct recall: asks who did something": 1},
    ]
    assert source.funnel[2]["admitted"] == {
        "ethics and moral reasoning": 1,
        "interpersonal and cooperative dynamics": 1,
    }
    assert RemovedItem.objects.get(step=3).rule == "direct recall: asks who did something"


def test_concepts_come_with_the_documents_they_quote(tmp_path: Path) -> None:
    (tmp_path / "charter.txt").write_text("Who keeps the well keeps the peace.")
    (tmp_path / "concepts.csv").write_text(
        "name,interpretation,quote,document,citation\nStewardship,Care for a good.,keeps the peace,charter,1\n"
    )
    assert "Stored 1 scenario as “msc”." in run(tmp_path, kind="concepts")
    assert Document.objects.get().text == "Who keeps the well keeps the peace."
    assert Scenario.objects.get().payload["quotes"] == [
        {"text": "keeps the peace", "document": "charter", "citation": "1"}
    ]


class TestTable:
    OPTIONS = ("--slug=own", "--code=OWN", "--name=Questions of our own", "--shape=question")

    @pytest.fixture
    def table(self, tmp_path: Path) -> Path:
        (tmp_path / "own.csv").write_text("Frage;Fach\nWer trägt die Kosten?;Ethik\n")
        return tmp_path / "own.csv"

    def test_a_table_is_read_by_the_columns_that_are_named(self, table: Path) -> None:
        run(table, *self.OPTIONS, "--map", "question=Frage", "--map", "stratum=Fach", kind="table")
        scenario = Scenario.objects.get()
        assert (scenario.key, scenario.stratum) == ("line-2", "Ethik")
        assert scenario.payload == {"question": "Wer trägt die Kosten?", "subject": ""}
        assert Source.objects.get().mapping == {"question": "Frage", "stratum": "Fach"}

    def test_a_table_needs_a_name_of_its_own(self, table: Path) -> None:
        with pytest.raises(CommandError, match="Give such a source --slug and --code and --name"):
            run(table, "--map", "question=Frage", kind="table")

    def test_a_table_without_a_column_for_what_is_needed_is_refused(self, table: Path) -> None:
        with pytest.raises(
            CommandError, match=r"Nothing was stored\. own\.csv: no column is named for the question"
        ):
            run(table, *self.OPTIONS, kind="table")

    def test_a_table_takes_no_mapping_that_says_nothing(self, table: Path) -> None:
        with pytest.raises(CommandError, match="does not say FIELD=COLUMN"):
            run(table, *self.OPTIONS, "--map", "question", kind="table")


@pytest.mark.skipif(not PUBLISHED.exists(), reason="the published BBQ files are not beside this checkout")
def test_the_published_files_give_343_scenarios_and_all_that_was_removed_in_eight_seconds() -> None:
    started = time.process_time()
    printed = run(PUBLISHED).splitlines()
    assert [row.split()[0] for row in printed[:4]] == ["58,492", "29,246", "14,623", "343"]
    assert printed[4] == "Stored 343 scenarios as “bbq”."
    assert time.process_time() - started < 8  # of this process, however busy the machine is
    assert Scenario.objects.count() == 343
    assert RemovedItem.objects.count() == 58_492 - 343
