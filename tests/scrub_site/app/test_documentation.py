"""The documentation against the program: links lead somewhere, lists are whole, examples run."""

import re
from pathlib import Path
from typing import Any

import pytest

from analysis.agreement.sections import AGREEMENT
from analysis.ceremony.services import ceremony
from analysis.data.core.judgment_frame import csv_bytes
from analysis.data.core.parameters import WHOLE, Parameters
from analysis.masked.core.masked_report import analyse_masked
from analysis.unblinded.selectors.unblinding import unblinded_judgments
from annotation.judging.models.judging import BlindedSlot, JudgingItem
from annotation.people.forms.recruiting import FIELDS as PERSON
from annotation.people.services import recruiting
from annotation.platform.core import table_import
from annotation.study.forms.prompts import FIELDS as PROMPT
from annotation.study.models.prompts import Prompt
from annotation.study.models.studies import Study
from annotation.study.services import prompts
from annotation.texts.models.seeds import StudySeed
from scrub_site.demo.judgments import judge_item
from tests.factories import a_judging_study, a_study, coordinator_of, researchers_of
from tests.folders import PROJECT

DOCS = PROJECT / "docs"
FRONT = [PROJECT / "README.md", PROJECT / "CONTRIBUTING.md"]
PAGES = [*FRONT, *sorted(DOCS.rglob("*.md"))]


def in_project(path: Path) -> str:
    return str(path.relative_to(PROJECT))


def anchors(page: Path) -> set[str]:
    """What headings are called in addresses."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("document", PAGES, ids=in_project)
def test_links_lead_somewhere(document: Path) -> None:
    for link in re.findall(r"\]\(([^)]+)\)", document.read_text(encoding="utf-8")):
        if "://" in link:
            continue
        path, _, anchor = link.partition("#")
        target = (document.parent / path).resolve() if path else document
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


def test_every_page_is_in_the_list_of_pages() -> None:
    index = DOCS / "README.md"
    linked = {(DOCS / link).resolve() for link in re.findall(r"\]\(([^)#]+)", index.read_text(encoding="utf-8"))}
    assert set(PAGES) - {*FRONT, index} == linked


def test_every_setting_is_described() -> None:
    program = "".join(
        (PROJECT / "scrub_site" / name).read_text(encoding="utf-8") for name in ("settings.py", "environment.py")
    )
    read = set(re.findall(r'\b(?:env|given)(?:\.get\(|\[|, )"([A-Z_]+)"', program))
    page = (DOCS / "reference" / "settings.md").read_text(encoding="utf-8")
    described = set(re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE))
    assert described - {"PORT", "NO_COLOR"} == read


def test_every_command_is_described() -> None:
    page = (DOCS / "reference" / "commands.md").read_text(encoding="utf-8")
    commands = {path.stem for path in PROJECT.glob("*/management/commands/*.py")} - {"__init__"}
    targets = set(re.findall(r"^([\w-]+):", (PROJECT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    assert {"analyse", "import_source", "load_demo", "verify_audit"} <= commands  # of every app
    assert commands <= set(re.findall(r"^\| `(\w+)", page, re.MULTILINE))
    assert targets == set(re.findall(r"^\| `make ([\w-]+)", page, re.MULTILINE))


@pytest.mark.django_db
class TestExamplesOfAnalysis:
    """On the file of a small unblinded study: three judges, two prompts, four answers, the same for all."""

    @pytest.fixture
    def study(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Study:
        study = a_judging_study(human=2, model=2, judges=3, prompts=2, human_sets="fixed")
        first, second = researchers_of(study)
        dimensions = "conceptual_clarity evidential_grounding contextual_relevance pluralistic_engagement".split()
        for item in JudgingItem.objects.filter(study=study).select_related("participation__user"):
            answers = BlindedSlot.objects.filter(item=item).order_by("response").values_list("response", flat=True)
            qualities = {str(answer): 0.3 + 0.15 * place for place, answer in enumerate(answers)}
            judge_item(item, qualities, [*dimensions, "argumentative_soundness"])
        ceremony.close_study(study=study, by=first, despite_missing=True)
        request = ceremony.request_unblinding(study=study, reason="All is in.", by=first)
        ceremony.decide_unblinding(request=request, approve=True, by=second)
        study.refresh_from_db()
        (tmp_path / "task2_human_judgments.csv").write_bytes(csv_bytes(unblinded_judgments(study)))
        monkeypatch.chdir(tmp_path)
        return study

    def example(self, number: int, **values: str) -> dict[str, Any]:
        """The names that the page's example leaves behind, with `values` in place of the dots."""
        page = (DOCS / "how-to" / "analyse-judgments.md").read_text(encoding="utf-8")
        code = re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL)[number]
        for marker, value in values.items():
            code = re.sub(rf'({marker} = .*?)"…"', rf'\g<1>"{value}"', code)
        names: dict[str, Any] = {}
        exec(code, names)  # noqa: S102 - our own page
        return names

    def test_kendalls_w_of_the_example_is_that_of_the_masked_analysis(self, study: Study) -> None:
        mean = sum((w := self.example(0)["w"]).values()) / len(w)
        found = analyse_masked(unblinded_judgments(study), parameters=Parameters(draws=100))[AGREEMENT][WHOLE]
        assert mean == pytest.approx(found.summary.w_tie_corrected.mean.value)
        assert 0 < mean <= 1

    def test_labels_of_the_example_follow_from_the_seed(
        self, study: Study, capsys: pytest.CaptureFixture[str]
    ) -> None:
        kept = StudySeed.objects.get(study=study)
        self.example(1, SEED=bytes(kept.seed).hex(), COMMITMENT=kept.commitment)
        assert "6 items: every label follows from the seed" in capsys.readouterr().out

    def test_a_label_that_was_altered_is_noticed_by_the_example(self, study: Study) -> None:
        path = Path("task2_human_judgments.csv")
        swap = {"Response A": "Response B", "Response B": "Response A"}
        altered = re.sub("Response [AB]", lambda found: swap[found.group()], path.read_text(encoding="utf-8"))
        path.write_text(altered, encoding="utf-8")
        kept = StudySeed.objects.get(study=study)
        with pytest.raises(AssertionError):
            self.example(1, SEED=bytes(kept.seed).hex(), COMMITMENT=kept.commitment)


@pytest.mark.django_db
class TestExamplesOfTables:
    """Files as they are linked to, brought to an empty study in design."""

    EXAMPLES = PROJECT / "static" / "examples"

    @pytest.mark.parametrize(
        ("name", "codes"),
        [("prompts.csv", ["BBQ_01", "HLE_01", "MSC_01"]), ("prompts.jsonl", ["BBQ_01", "MSC_01"])],
    )
    def test_prompts_of_the_examples_are_imported_as_they_stand(self, name: str, codes: list[str]) -> None:
        study = a_study(prompts=0)
        table = table_import.read((self.EXAMPLES / name).read_bytes())
        lines, faults = table_import.take(table.rows, PROMPT, table_import.suggest(table.columns, PROMPT))
        prompts.import_prompts(study=study, lines=lines, by=coordinator_of(study))
        assert (table.problems, faults) == ((), [])
        assert sorted(Prompt.objects.values_list("code", flat=True)) == codes

    def test_people_of_the_example_are_invited_as_they_stand(self) -> None:
        study = a_study(prompts=0)
        table = table_import.read((self.EXAMPLES / "people.csv").read_bytes())
        mapping = table_import.suggest(table.columns, PERSON)
        lines, faults = table_import.take(table.rows, PERSON, mapping)
        assert (table.problems, faults) == ((), [])
        assert mapping.keys() == {field.name for field in PERSON}
        assert recruiting.import_people(study=study, lines=lines, by=coordinator_of(study)).invited == 3
