"""Habits that no tool checks by itself, and a proof that the one tool that guards provenance really does."""

import ast
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from django.apps import apps
from django.contrib import admin
from django.db.models import Model, UniqueConstraint

from tests.folders import PROJECT

PACKAGES = ("annotation", "generation", "analysis", "scrub_site")
SOURCES = sorted(path for package in PACKAGES for path in (PROJECT / package).rglob("*.py"))
TESTS = sorted((PROJECT / "tests").rglob("*.py"))
MIGRATIONS = [path for path in SOURCES if path.parent.name == "migrations" and path.name != "__init__.py"]
HANDWRITTEN = [path for path in SOURCES if path not in MIGRATIONS]
REQUIREMENTS = sorted((PROJECT / "requirements").glob("*.txt"))
MAX_LINES = 400

# Rows of these say who wrote, judged or made what. Django's admin would show them past every policy.
IN_THE_ADMIN: set[type[Model]] = set()


def in_project(path: Path) -> str:
    return str(path.relative_to(PROJECT))


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def imports(node: ast.AST) -> Iterator[tuple[int, str]]:
    """Line and full name of everything imported anywhere below `node`."""
    for part in ast.walk(node):
        if isinstance(part, ast.Import):
            yield from ((part.lineno, alias.name) for alias in part.names)
        elif isinstance(part, ast.ImportFrom):
            yield from ((part.lineno, f"{part.module}.{alias.name}") for alias in part.names)


def test_there_is_something_to_check() -> None:
    assert len(HANDWRITTEN) > 50
    assert len(TESTS) > 10
    assert MIGRATIONS
    assert REQUIREMENTS


def test_models_are_imported_from_their_subjects_module() -> None:
    shortcut = re.compile(r"(annotation|generation|analysis)\.models(\.[A-Z]\w*)?")
    found = [
        f"{in_project(path)}:{line} imports {name}"
        for path in HANDWRITTEN + TESTS
        for line, name in imports(tree(path))
        if shortcut.fullmatch(name)
    ]
    assert not found


def test_our_own_modules_are_imported_by_statements_which_import_linter_reads() -> None:
    """But for what only packages above know, which is loaded once all models are there. The others load libraries
    that a site may lack, or that take seconds.
    """
    by_name = re.compile(r"\b(import_module|import_string|__import__)\(")
    found = [in_project(path) for path in HANDWRITTEN if by_name.search(path.read_text(encoding="utf-8"))]
    assert found == [
        "analysis/release/core/croissant.py",
        "generation/apps.py",
        "generation/prompts/providers/embeddings.py",
        "scrub_site/apps.py",
    ]


# What the judging room stands on. Foreign keys are strings, which no contract over imports sees.
BELOW_PROVENANCE = {"annotation.platform", "annotation.study", "annotation.judging"}


def subject_of(model: type[Model]) -> str:
    return ".".join(model.__module__.split(".")[:2])


def test_no_row_of_the_judging_room_or_below_points_at_provenance() -> None:
    masked = [model for model in apps.get_models() if subject_of(model) in BELOW_PROVENANCE]
    assert {subject_of(model) for model in masked} == BELOW_PROVENANCE
    found = [
        f"{model.__name__}.{field.name}"
        for model in masked
        for field in model._meta.get_fields()
        if field.concrete and isinstance(field.related_model, type)
        if field.related_model.__module__.split(".")[0] in PACKAGES
        if subject_of(field.related_model) not in BELOW_PROVENANCE
    ]
    assert found == []


def test_nothing_is_imported_inside_a_function() -> None:
    found = [
        f"{in_project(path)}:{line} imports {name}"
        for path in HANDWRITTEN
        for function in ast.walk(tree(path))
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for line, name in imports(function)
    ]
    assert not found


@pytest.mark.parametrize(
    ("habit", "pattern"),
    [
        ("forms validate, services write", r"\b(ModelForm|modelform_factory|inlineformset_factory)\b"),
        ("models are imported, so that import-linter sees them", r"\bget_model\("),
        (
            "only the keyed hash puts things in an order",
            r"\bimport random\b|\bfrom random import\b|order_by\(\"\?\"\)",
        ),
        ("no line ends between a figure and its per cent sign", r"\} %(?! ?\w)"),
    ],
)
def test_no_file_breaks_a_habit_of_the_program(habit: str, pattern: str) -> None:
    found = [
        f"{in_project(path)}: {match.group()}"
        for path in HANDWRITTEN
        for match in re.finditer(pattern, path.read_text(encoding="utf-8"))
    ]
    assert not found, habit


def test_constants_that_bound_something_are_called_min_and_max() -> None:
    name = r"_?[A-Z][A-Z0-9_]*"
    constants = re.compile(rf"^(?:export )?(?:const )?((?:{name}, )*{name})(?:: [^=\n]+)? = ", re.MULTILINE)
    paths = [
        path
        for folder in (*PACKAGES, "benchmarks", "scripts", "static", "tests")
        for path in (PROJECT / folder).rglob("*")
        if path.suffix in (".py", ".js")
    ]
    found = [
        f"{in_project(path)}: {name}"
        for path in paths
        for names in constants.findall(path.read_text(encoding="utf-8"))
        for name in names.split(", ")
        if re.match(r"_?(LEAST|MOST|FEWEST|LONGEST|SHORTEST)", name)
    ]
    assert found == []


def test_nothing_is_imported_that_another_package_keeps_to_itself() -> None:
    """It may be gone with that package's next version."""
    found = [
        f"{in_project(path)}:{line} imports {name}"
        for path in HANDWRITTEN + TESTS
        for line, name in imports(tree(path))
        if re.search(r"\.internal(\.|$)", name)
    ]
    assert not found


def test_every_form_is_protected_against_forged_requests_but_the_one_that_mail_programs_post() -> None:
    found = [in_project(path) for path in HANDWRITTEN if "csrf_exempt" in path.read_text(encoding="utf-8")]
    assert found == ["annotation/coordination/views/unsubscribe.py"]


def test_only_providers_speak_http_to_others() -> None:
    providers = PROJECT / "generation" / "providers"
    found = [
        f"{in_project(path)}:{line} imports {name}"
        for path in HANDWRITTEN
        if providers not in path.parents
        for line, name in imports(tree(path))
        if name.split(".")[0] in {"httpx", "requests", "aiohttp", "urllib3"}
    ]
    assert not found


def test_no_data_of_a_study_is_in_djangos_admin() -> None:
    registered = {model for model in admin.site._registry if model.__module__.split(".")[0] in PACKAGES}
    assert registered == IN_THE_ADMIN


def test_every_default_order_is_total() -> None:
    """Rows that tie would come in another order on another day, and so would hashes over them."""
    ours = [model for model in apps.get_models() if model.__module__.split(".")[0] in PACKAGES]
    assert ours
    assert [model.__name__ for model in ours if model._meta.ordering and not _is_total(model)] == []


def _is_total(model: type[Model]) -> bool:
    names = {name.lstrip("-") for name in model._meta.ordering or () if isinstance(name, str)}
    keys = [
        set(constraint.fields)
        for constraint in model._meta.constraints
        if isinstance(constraint, UniqueConstraint) and constraint.fields and constraint.condition is None
    ]
    unique = {field.name for field in model._meta.fields if field.unique} | {"pk"}
    return bool(names & unique) or any(key <= names for key in keys)


@pytest.mark.parametrize("path", MIGRATIONS, ids=in_project)
def test_a_migration_says_in_its_name_what_it_does(path: Path) -> None:
    assert re.fullmatch(r"\d{4}_[a-z][a-z0-9_]+\.py", path.name)
    assert "auto" not in path.name


def test_no_file_of_the_program_is_longer_than_400_lines() -> None:
    lengths = {in_project(path): len(path.read_text(encoding="utf-8").splitlines()) for path in HANDWRITTEN}
    assert {name: lines for name, lines in lengths.items() if lines > MAX_LINES} == {}


@pytest.mark.parametrize("path", REQUIREMENTS, ids=in_project)
class TestLockedRequirements:
    def test_locked_requirements_name_no_package_index(self, path: Path) -> None:
        lines = path.read_text(encoding="utf-8").splitlines()
        settings = [
            line for line in lines if "://" in line or re.match(r"\s*(-i|-f|--(extra-)?index|--find)", line)
        ]
        assert not settings

    def test_locked_requirements_pin_every_package_by_version_and_hash(self, path: Path) -> None:
        content = path.read_text(encoding="utf-8").replace("\\\n", " ")
        packages = [line for line in content.splitlines() if line and line[0] not in "# "]
        assert packages
        assert not [
            line
            for line in packages
            if not re.match(r"[\w.-]+(\[[\w,]+\])?==\S+.* --hash=sha256:[0-9a-f]{64}", line)
        ]


# Imports that somebody might write one day, in modules that there are and in new ones: the contract each breaks.
JUDGING, MASKED = "Judging cannot reach who made a text", "The masked analysis cannot reach who made a text"
BREAKING = (
    ("annotation.judging.services.judging", "annotation.texts.models.provenance", JUDGING),
    ("annotation.judging.core.ranking", "annotation.texts.models.seeds", JUDGING),
    ("annotation.judging.views.judging_history", "annotation.texts.models.provenance", JUDGING),
    ("annotation.judging.comparing.views", "annotation.assignment.selectors.assignment_rows", JUDGING),
    ("annotation.judging.selectors.earlier", "annotation.writing.models", JUDGING),
    ("annotation.judging.jobs", "generation.answers.services.answers", JUDGING),
    # By a detour: both ask what a study's rubric is.
    ("annotation.study.selectors.rubrics", "annotation.texts.models.seeds", JUDGING),
    ("annotation.study.selectors.rubrics", "annotation.texts.models.seeds", MASKED),
    ("analysis.frozen.selectors.judgments", "annotation.texts.models.provenance", MASKED),
    ("analysis.masked.selectors.lengths", "analysis.unblinded.selectors.unblinding", MASKED),
    ("annotation.writing.services.writing", "generation.calls.models", "Apps depend in one direction"),
    (
        "annotation.study.selectors.studies",
        "annotation.people.selectors.people",
        "Annotation's subjects, from the ground up",
    ),
    ("analysis.data.core.results", "analysis.report.core.latex", "Analysis' subjects, from the ground up"),
    ("generation.calls.selectors.calls", "generation.prompts.models", "Generation's subjects, from the ground up"),
    ("annotation.writing.selectors.writing", "annotation.writing.services.writing", "Layers inside every subject"),
    ("annotation.people.core.limits", "django", "The core is pure"),
    ("analysis.agreement.selectors.sources", "annotation.texts.models.provenance", "The core is pure"),
    (
        "generation.framing.services.answers",
        "annotation.texts.services.intake",
        "Answers under pressure cannot reach a judge",
    ),
    ("generation.answers.services.answers", "httpx", "Only providers and health speak HTTP"),
)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program's packages, to break something in."""
    folder = tmp_path_factory.mktemp("program")
    for path in SOURCES:
        target = folder / path.relative_to(PROJECT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    shutil.copy(PROJECT / "pyproject.toml", folder)
    return folder


def lint(folder: Path) -> subprocess.CompletedProcess[str]:
    program = Path(sys.executable).with_name("lint-imports")
    return subprocess.run(
        [str(program), "--no-cache"], cwd=folder, capture_output=True, text=True, check=False, timeout=120
    )


@pytest.fixture(scope="module")
def as_it_is(copy: Path) -> subprocess.CompletedProcess[str]:
    return lint(copy)


@pytest.fixture(scope="module")
def broken(copy: Path, as_it_is: object) -> dict[str, str]:
    """What is said of the copy, by contract, once it has every import of `BREAKING` and a package nobody knows."""
    for importer, imported, _ in BREAKING:
        path = copy.joinpath(*importer.split(".")).with_suffix(".py")
        path.parent.mkdir(exist_ok=True)
        (path.parent / "__init__.py").touch()
        with path.open("a", encoding="utf-8") as module:
            module.write(f"\nimport {imported}\n")
    (copy / "annotation" / "grading").mkdir()
    (copy / "annotation" / "grading" / "__init__.py").touch()
    _, _, said = lint(copy).stdout.partition("Broken contracts")
    parts = re.split(r"^(\S.*)\n-+\n", said, flags=re.MULTILINE)
    return {title: " ".join(text.split()) for title, text in zip(parts[1::2], parts[2::2], strict=True)}


def test_import_contracts_are_kept(as_it_is: subprocess.CompletedProcess[str]) -> None:
    assert as_it_is.returncode == 0, as_it_is.stdout


@pytest.mark.parametrize(("importer", "imported", "contract"), BREAKING)
def test_a_contract_notices_an_import_that_breaks_it(
    broken: dict[str, str], importer: str, imported: str, contract: str
) -> None:
    assert f" {importer} -> {imported} " in broken[contract]


def test_a_package_must_have_its_place_in_the_order(broken: dict[str, str]) -> None:
    assert "- annotation.grading" in broken["Annotation's subjects, from the ground up"]
