"""What is stored or compared in the database goes by the database's clock; hosts' clocks differ."""

import ast
from pathlib import Path

from tests.folders import PROJECT

APPS = ("annotation", "generation", "analysis", "scrub_site")
CLOCKS = {
    "timezone.now",
    "timezone.localdate",
    "timezone.localtime",
    "datetime.now",
    "datetime.utcnow",
    "datetime.today",
    "date.today",
    "time.time",
}
# Where a host's own clock is right, and why.
RIGHT = {
    "generation/providers/http.py": "A provider's moment to come back at is compared with when its answer came.",
}


def asks_a_hosts_clock(path: Path) -> bool:
    return any(_is_clock(node) for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


def _is_clock(node: ast.AST) -> bool:
    if isinstance(node, ast.keyword):
        return node.arg in {"auto_now", "auto_now_add"} or _is_reference(node.value)
    if not isinstance(node, ast.Call):
        return False
    name = ast.unparse(node.func)
    told = name in {"timezone.localdate", "timezone.localtime"} and node.args  # of a time that is given
    return name.removeprefix("datetime.datetime.") in CLOCKS and not told


def _is_reference(node: ast.AST) -> bool:
    """Django asks a clock that is given as a default."""
    return isinstance(node, ast.Attribute) and ast.unparse(node) in CLOCKS


def modules() -> list[Path]:
    return [
        path
        for app in APPS
        for path in sorted((PROJECT / app).rglob("*.py"))
        if "migrations" not in path.relative_to(PROJECT).parts
    ]


def test_only_the_listed_modules_ask_the_clock_of_the_host_they_run_on() -> None:
    assert len(modules()) > 500
    asking = {str(path.relative_to(PROJECT)) for path in modules() if asks_a_hosts_clock(path)}
    assert asking == set(RIGHT)


def test_a_module_that_asks_its_hosts_clock_is_found(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    for line in (
        "timezone.now()",
        "timezone.localdate()",
        "datetime.now(UTC)",
        "time.time()",
        "models.DateTimeField(auto_now_add=True)",
        "models.DateTimeField(auto_now=True)",
        "models.DateTimeField(default=timezone.now)",
    ):
        module.write_text(line)
        assert asks_a_hosts_clock(module), line
    for line in ("timezone.localdate(database_now())", "timezone.localtime(when)", "time.monotonic()"):
        module.write_text(line)
        assert not asks_a_hosts_clock(module), line
