"""What is stored or compared in the database goes by the database's clock; hosts' clocks differ."""

import ast
import re
from pathlib import Path

import pytest

from tests.folders import PROJECT

FOLDERS = ("annotation", "generation", "analysis", "scrub_site", "benchmarks", "scripts")
CLOCKS = {
    "django.utils.timezone.now",
    "django.utils.timezone.localdate",
    "django.utils.timezone.localtime",
    "datetime.datetime.now",
    "datetime.datetime.utcnow",
    "datetime.datetime.today",
    "datetime.date.today",
    "time.time",
    "time.time_ns",
    "time.gmtime",
    "time.localtime",
}
# They ask no clock about a time that they are given.
CONVERTERS = {"django.utils.timezone.localdate", "django.utils.timezone.localtime", "time.gmtime", "time.localtime"}
# Where a host's own clock is right, and why.
RIGHT = {
    "scrub_site/watching/site_check.py": "It is the host's own clock that is checked.",
    "scrub_site/static_files/other_releases.py": "Times of files are the host's, and so are they compared.",
    "benchmarks/support/calls_run.py": "It names what no other run may be called.",
    "benchmarks/support/prompts_study.py": "It names what no other study may be called.",
    "scripts/inventory/clock.py": "It is checked that the host's clock, too, stands still.",
    "scripts/inventory/demo.py": "Both clocks will stand still at this moment.",
    "generation/providers/http.py": "A provider's moment to come back at is compared with when its answer came.",
}


def asks_a_hosts_clock(path: Path) -> bool:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    imported = _imported(tree)
    return any(_is_clock(node, imported) for node in ast.walk(tree))


def _imported(tree: ast.AST) -> dict[str, str]:
    """What each imported name stands for, in full."""
    names = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            parent = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
            for alias in node.names:
                name = alias.asname or alias.name.partition(".")[0]
                names[name] = parent + (alias.name if alias.asname or parent else name)
    return names


def _is_clock(node: ast.AST, imported: dict[str, str]) -> bool:
    """Whether it is a call of a clock, or gives one to Django as a default."""
    if isinstance(node, ast.keyword):
        return node.arg in {"auto_now", "auto_now_add"} or _in_full(node.value, imported) in CLOCKS
    if not isinstance(node, ast.Call):
        return False
    name = _in_full(node.func, imported)
    return name in CLOCKS and not (name in CONVERTERS and node.args)


def _in_full(node: ast.AST, imported: dict[str, str]) -> str:
    first, dot, rest = (
        ast.unparse(node).partition(".") if isinstance(node, ast.Name | ast.Attribute) else ("", "", "")
    )
    return imported.get(first, first) + dot + rest


def modules() -> list[Path]:
    return [
        path
        for folder in FOLDERS
        for path in sorted((PROJECT / folder).rglob("*.py"))
        if "migrations" not in path.relative_to(PROJECT).parts
    ]


def test_only_the_listed_modules_ask_the_clock_of_the_host_they_run_on() -> None:
    assert len(modules()) > 500
    asking = {str(path.relative_to(PROJECT)) for path in modules() if asks_a_hosts_clock(path)}
    assert asking == set(RIGHT)


@pytest.mark.parametrize(
    "source",
    [
        "from django.utils import timezone\nx = timezone.now()",
        "from django.utils import timezone\nx = timezone.localdate()",
        "from django.utils.timezone import now\nx = now()",
        "from datetime import datetime\nx = datetime.now(UTC)",
        "import datetime\nx = datetime.datetime.now(UTC)",
        "import datetime as dt\nx = dt.date.today()",
        "import time\nx = time.time()",
        "from time import time_ns as moment\nx = moment()",
        "x = models.DateTimeField(auto_now_add=True)",
        "x = models.DateTimeField(auto_now=True)",
        "from django.utils import timezone\nx = models.DateTimeField(default=timezone.now)",
        "from django.utils.timezone import now\nx = models.DateTimeField(default=now)",
    ],
)
def test_a_module_that_asks_its_hosts_clock_is_found(source: str, tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text(source)
    assert asks_a_hosts_clock(module)


@pytest.mark.parametrize(
    "call",
    ["timezone.localdate(database_now())", "timezone.localtime(when)", "time.monotonic()"],
)
def test_a_module_that_is_given_the_time_asks_no_clock_for_it(call: str, tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text(f"import time\nfrom django.utils import timezone\nx = {call}")
    assert not asks_a_hosts_clock(module)


# `timesince` and `timeuntil` without the moment to compare with, and the `now` tag.
IN_TEMPLATES = re.compile(r"\|\s*time(?:since|until)\b(?!:)|\{%-?\s*now\b")


def test_no_template_asks_the_clock_of_the_host_it_is_rendered_on() -> None:
    folders = [PROJECT / "templates", *(PROJECT / folder for folder in FOLDERS)]
    templates = [path for folder in folders for path in folder.rglob("*") if path.suffix in {".html", ".txt"}]
    assert any(path.name == "base.html" for path in templates)
    assert [path for path in templates if IN_TEMPLATES.search(path.read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize(
    ("part", "asks"),
    [
        ("{{ begun|timesince }}", True),
        ("{{ ends | timeuntil|capfirst }}", True),
        ('{% now "Y" %}', True),
        ("{{ begun|timesince:offer.at }}", False),
        ("{% if now %}", False),
    ],
)
def test_a_template_that_asks_its_hosts_clock_is_found(part: str, asks: bool) -> None:
    assert bool(IN_TEMPLATES.search(part)) == asks
