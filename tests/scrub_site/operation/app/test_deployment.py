"""The site as it is deployed: its settings in production, its image, its Compose file."""

import json
import os
import re
import secrets
import shutil
import socket
import subprocess
import sys
import tomllib
from pathlib import Path

import httpx
import pytest

from analysis.data.core.judgment_frame import write_csv
from analysis.release.core.building import build_release
from benchmarks.support.server import free_port
from scrub_site.environment import KEY_FOR_DEBUG
from scrub_site.local_stack.demo import platform
from scrub_site.local_stack.postgres import DATABASE_FORMAT
from tests.analysis.data.core.judgments import judgments
from tests.analysis.release.core.releases import a_study, some_facts, write
from tests.folders import PROJECT
from tests.waiting import eventually

PRODUCTION = {
    "PATH": os.environ["PATH"],
    "SECRET_KEY": secrets.token_urlsafe(50),
    "SITE_URL": "https://studio.example.org",
    "DATABASE_URL": "postgres://nobody@nowhere/none",
    "REDIS_URL": "redis://nowhere",
}

# What a module imports, also by a call.
IMPORTED = re.compile(r'(?:from |import |import\()"(\.[^"]+)"')
SHOW = "from django.template import engines; print(engines['django'].from_string({!r}).render())"


def python(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Python in an environment of its own; an empty value leaves the variable out."""
    given = {name: value for name, value in (PRODUCTION | environment).items() if value}
    command = [sys.executable, "-W", "error", *arguments]
    return subprocess.run(command, env=given, cwd=PROJECT, capture_output=True, text=True, check=False, timeout=120)


def manage(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A command of the site in an environment of its own."""
    return python(str(PROJECT / "manage.py"), *arguments, **environment)


class TestProduction:
    def test_production_is_found_secure_by_djangos_own_check(self) -> None:
        checked = manage("check", "--deploy", "--fail-level", "WARNING")
        assert checked.returncode == 0, checked.stderr

    @pytest.mark.parametrize("missing", ["SECRET_KEY", "DATABASE_URL", "REDIS_URL"])
    def test_production_does_not_start_without_what_it_must_be_told(self, missing: str) -> None:
        started = manage("check", **{missing: ""})
        assert started.returncode != 0
        assert missing in started.stderr.splitlines()[-1]

    @pytest.mark.parametrize(
        ("given", "told"),
        [
            ({"DEMO_MODE": "1"}, "Remove DEMO_MODE where real people work"),
            ({"DEMO_MODE": "1", "DEBUG": "0"}, "Remove DEMO_MODE where real people work"),
            ({"SECRET_KEY": KEY_FOR_DEBUG}, "Set SECRET_KEY to a long random text of your own"),
            ({"SECRET_KEY": "x"}, "Set SECRET_KEY to a long random text of your own"),
            ({"SITE_URL": "studio.example.org"}, "SITE_URL must be a scheme and a host"),
            ({"TRUSTED_PROXY_COUNT": "-1"}, "TRUSTED_PROXY_COUNT must be the number of proxies"),
            ({"DATABASE_URL": "postgres://scrub:p#w@host/scrub"}, "DATABASE_URL holds no address that can be read"),
            ({"LOG_LEVEL": "loud"}, "LOG_LEVEL must be one of"),
        ],
    )
    def test_production_does_not_start_with_what_would_open_it_and_says_what_to_do(
        self, given: dict[str, str], told: str
    ) -> None:
        started = manage("check", **given)
        assert started.returncode != 0
        [line] = started.stderr.splitlines()
        assert told in line

    def test_a_web_server_that_does_not_start_says_why_in_one_line(self) -> None:
        started = python("-m", "gunicorn", "--check-config", "scrub_site.wsgi:application", SECRET_KEY="short")
        assert started.returncode != 0
        [line] = started.stderr.splitlines()
        assert line.startswith("The web server does not start. Set SECRET_KEY to a long random text")

    def test_a_demonstration_starts_with_debug(self) -> None:
        started = manage("check", DEMO_MODE="1", DEBUG="1", SECRET_KEY="")
        assert started.returncode == 0, started.stderr

    @pytest.mark.parametrize(
        ("given", "hosts"),
        [
            ({}, ["studio.example.org"]),
            ({"SITE_URL": "http://[::1]:8000"}, ["[::1]"]),
            ({"ALLOWED_HOSTS": "www.example.org"}, ["studio.example.org", "www.example.org"]),
            ({"DEBUG": "1"}, ["studio.example.org", "localhost", "127.0.0.1", "[::1]"]),
        ],
    )
    def test_a_site_answers_to_its_own_name_and_to_loopback_with_debug_alone(
        self, given: dict[str, str], hosts: list[str]
    ) -> None:
        show = "from scrub_site.settings import ALLOWED_HOSTS; print(*ALLOWED_HOSTS)"
        shown = python("-c", show, **given)
        assert shown.stdout.split() == hosts, shown.stderr

    def test_keys_of_before_still_count_beside_the_new_one(self) -> None:
        show = "from scrub_site.settings import SECRET_KEY_FALLBACKS; print(*SECRET_KEY_FALLBACKS)"
        shown = python("-c", show, SECRET_KEY_FALLBACKS="older,oldest")
        assert shown.stdout.split() == ["older", "oldest"], shown.stderr

    @pytest.mark.parametrize("name", ["scrub_site.probe", "scrub_site.beats"])
    def test_whoever_asks_for_health_loads_nothing_of_the_site(self, name: str) -> None:
        asked = python("-c", f"import sys, {name}; print('django' in sys.modules)")
        assert asked.stdout == "False\n"

    def test_a_container_asks_its_site_for_health_by_the_sites_own_name(self) -> None:
        port = free_port()
        image = (PROJECT / "Dockerfile").read_text(encoding="utf-8")
        (asked,) = re.findall(r"HEALTHCHECK [^[]+(\[.+\])", image)

        def listens() -> bool:
            with socket.socket() as asking:
                return not asking.connect_ex(("127.0.0.1", port))

        def healthy() -> bool:
            return not subprocess.run(
                [sys.executable, *command], env=PRODUCTION, cwd=PROJECT, check=False
            ).returncode

        address = f"http://localhost:{port}"
        command = [word.replace("http://localhost:8000", address) for word in json.loads(asked)[1:]]
        web, *_ = platform(PRODUCTION, port)
        with subprocess.Popen(web.command, env=PRODUCTION, cwd=PROJECT, stderr=subprocess.DEVNULL) as server:
            try:
                eventually(listens)  # which costs less to ask
                eventually(healthy)
                refused = httpx.get(f"{address}/health/live/", timeout=30)
            finally:
                server.terminate()
        assert refused.status_code == 400


@pytest.fixture(scope="module")
def collected(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of static files in production, which is made without any server."""
    folder = tmp_path_factory.mktemp("static")
    done = manage("collectstatic", "--no-input", STATIC_ROOT=str(folder))
    assert done.returncode == 0, done.stderr[-2000:]
    return folder


class TestStaticFilesInProduction:
    def test_static_files_in_production_are_compressed_under_names_that_change_with_their_content(
        self, collected: Path
    ) -> None:
        assert list(collected.glob("platform/base.????????????.css.gz"))

    def test_static_files_in_production_name_every_module_by_its_content_also_where_another_imports_it(
        self, collected: Path
    ) -> None:
        modules = [path.relative_to(PROJECT / "static") for path in (PROJECT / "static").rglob("*.js")]
        served = {path: list((collected / path.parent).glob(f"{path.stem}.????????????.js")) for path in modules}
        assert modules
        assert [path for path, files in served.items() if len(files) != 1] == []
        imported = [
            name for files in served.values() for name in IMPORTED.findall(files[0].read_text(encoding="utf-8"))
        ]
        assert imported
        assert [name for name in imported if not re.fullmatch(r"[\w./-]+\.[0-9a-f]{12}\.js", name)] == []

    def test_static_files_in_production_are_preloaded_by_the_names_that_modules_import_each_other_by(
        self, collected: Path
    ) -> None:
        script, preloaded = self.linked(collected, '{% module "writing/writing-room.js" %}')
        assert len(preloaded) == len(set(preloaded)) > 10
        assert modules_behind(script) <= set(preloaded)

    def test_the_judging_room_s_modules_come_in_one_file_and_one_for_the_way_of_judging(
        self, collected: Path
    ) -> None:
        tags = '{% module "judging/judging-room.js" %}{% preload_module "judging/judging-scores.js" %}'
        script, preloaded = self.linked(collected, tags)
        assert [file.name.split(".")[:2] for file in (script, *preloaded)] == [
            ["judging-room", "bundle"],
            ["judging-scores", "bundle"],
        ]
        left = modules_behind(script).difference(preloaded)
        assert {file.name.split(".")[0] for file in left} == {"judging-tiers"}
        assert all(file.is_file() for file in left)

    def linked(self, collected: Path, tags: str) -> tuple[Path, list[Path]]:
        """The script that the tags load, and what they preload."""
        show = SHOW.format("{% load modules %}" + tags)
        shown = manage("shell", "--verbosity=0", f"--command={show}", STATIC_ROOT=str(collected))
        assert shown.returncode == 0, shown.stderr
        (script,) = re.findall(r'src="/static/([^"]+)"', shown.stdout)
        return collected / script, [
            collected / name for name in re.findall(r'href="/static/([^"]+)"', shown.stdout)
        ]


def modules_behind(script: Path) -> set[Path]:
    """The files that a browser fetches for it, among them those that it imports by a call."""
    fetched: set[Path] = set()
    waiting = {script}
    while waiting:
        file = waiting.pop()
        names = IMPORTED.findall(file.read_text(encoding="utf-8"))
        waiting |= {(file.parent / name).resolve() for name in names} - fetched
        fetched |= waiting
    return fetched


class TestWithoutAnySettings:
    """What anybody runs who checks or analyses files: on a new machine, with no server and no settings."""

    NOTHING = dict.fromkeys(PRODUCTION, "")

    @pytest.mark.parametrize("arguments", [("--help",), ("help", "analyse"), ("verify_audit", "-h")])
    def test_without_any_settings_every_command_says_how_it_is_used(self, arguments: tuple[str, ...]) -> None:
        told = manage(*arguments, **self.NOTHING)
        assert told.returncode == 0, told.stderr
        assert told.stderr == ""

    def test_judgments_are_analysed_without_any_settings(self, tmp_path: Path) -> None:
        ranks = {("Q1", f"j{judge}"): {"gpt-1": 1, "claude-1": 2} for judge in range(3)}
        file, out = tmp_path / "judgments.csv", tmp_path / "out"
        with file.open("wb") as buffer:
            write_csv(judgments(ranks), buffer)
        done = manage("analyse", f"--judgments={file}", f"--out={out}", "--draws=100", **self.NOTHING)
        assert done.returncode == 0, done.stderr
        assert (out / "results.json").exists()

    def test_a_release_is_verified_without_any_settings(self, tmp_path: Path) -> None:
        folder = write(build_release(a_study(), some_facts(), k=1).files, tmp_path)
        done = manage("verify_blinding", f"--release={folder}", **self.NOTHING)
        # The hashes that this one names are made up.
        assert "The judgments are not those that were frozen when the study was closed." in done.stderr

    def test_without_any_settings_whoever_names_nothing_to_verify_is_told_what_there_is(self) -> None:
        told = manage("verify_blinding", **self.NOTHING)
        assert "one of the arguments study --release is required" in told.stderr.splitlines()[-1]

    @pytest.mark.parametrize("arguments", [("verify_blinding", "study"), ("run_loop",), ("rqworker", "default")])
    def test_without_any_settings_nothing_else_starts(self, arguments: tuple[str, ...]) -> None:
        started = manage(*arguments, **self.NOTHING)
        assert started.returncode != 0
        assert "Set SECRET_KEY" in started.stderr.splitlines()[-1]


class TestComposeFile:
    compose = (PROJECT / "docker-compose.yml").read_text(encoding="utf-8")

    def test_the_compose_file_takes_only_values_that_the_example_names(self) -> None:
        example = (PROJECT / ".env.example").read_text(encoding="utf-8")
        wanted = set(re.findall(r"\$\{(\w+)", self.compose))
        assert wanted == set(re.findall(r"^#?([A-Z_]+)=", example, re.MULTILINE))

    def test_the_compose_file_passes_on_every_setting_that_is_described(self) -> None:
        page = (PROJECT / "docs" / "reference" / "settings.md").read_text(encoding="utf-8")
        described = set(re.findall(r"^\| `([A-Z_]+)` \|", page.partition("## ")[0], re.MULTILINE))
        fixed_by_the_image = {"STATIC_ROOT", "STATE_DIR", "DEMO_MODE", "DEBUG"}
        passed_on = set(re.findall(r"^ +([A-Z_]+): ", self.compose, re.MULTILINE))
        assert "SITE_URL" in described
        assert described - passed_on == fixed_by_the_image

    def test_every_service_that_is_told_a_secret_may_be_told_it_by_a_file_instead(self) -> None:
        """Of PostgreSQL's own image the variable must be empty then."""
        files = (PROJECT / "deploy" / "secrets.yml").read_text(encoding="utf-8")
        declared = set(re.findall(r"^  (\w+): \{ file: \./secrets/\1 \}$", files, re.M))
        assert set(re.findall(r"/run/secrets/(\w+)", files)) == declared
        shared, _, services = self.compose.partition("\nservices:")
        told = set(re.findall(r"^ +(\w+): .*\$\{(?:\w*_PASSWORD|SECRET_KEY|EMAIL_URL)[:}]", shared, re.M))
        told |= set(re.findall(r"^ +(\w+): .*\$\{\w*_PASSWORD[:}]", services, re.M))
        assert told == set(re.findall(r"(\w+)_FILE:", files))
        assert all(f'{name}: ""' in files for name in told)
        assert set(re.findall(r"^  ([a-z-]+):", services, re.M)) - {"redis"} - {"data", "outside", "static"} == set(
            re.findall(r"^  ([a-z-]+):", files.partition("\nservices:")[2].partition("\nsecrets:")[0], re.M)
        )

    def test_the_compose_file_publishes_a_port_for_each_web_server_on_the_loopback_address(self) -> None:
        ports = ["${PORT:-8000}", "${PORT_B:-8001}"]
        assert re.findall(r"ports: (.+)", self.compose) == [f'["127.0.0.1:{port}:8000"]' for port in ports]

    def test_only_what_prepares_the_database_or_restores_it_knows_who_owns_it(self) -> None:
        services = dict(
            re.findall(r"^  ([a-z-]+):.*\n((?:(?: {4}.*)?\n)+)", self.compose.partition("\nservices:")[2], re.M)
        )
        assert {"web-a", "web-b", "worker", "mail", "calls", "loop", "backup", "redis"} < services.keys()
        for secret, known in {
            "POSTGRES_PASSWORD": {"migrate", "postgres"},
            "OWNER_PASSWORD": {"migrate", "restore"},
        }.items():
            assert {name for name, text in services.items() if secret in text} == known
            assert secret not in self.compose.partition("\nservices:")[0]

    def test_the_compose_file_has_its_database_made_as_the_local_stack_makes_it(self) -> None:
        found = re.search(r"POSTGRES_INITDB_ARGS: (?:>-\s+)?(.+)", self.compose)
        assert found
        assert found[1].split() == list(DATABASE_FORMAT)

    def test_further_machines_run_what_the_first_runs_and_its_redis_differs_by_a_password_alone(self) -> None:
        first, further = (
            (PROJECT / "deploy" / name).read_text("utf-8") for name in ("first-host.yml", "further-host.yml")
        )
        told = set(
            re.findall(r"^  ([a-z-]+): \*app", (PROJECT / "deploy" / "secrets.yml").read_text("utf-8"), re.M)
        )
        services = [
            set(re.findall(r"^  ([a-z-]+):", text.partition("\nservices:")[2], re.M)) for text in (first, further)
        ]
        assert services == [told | {"postgres", "redis"}, told]
        [usual], [with_password] = (
            re.findall(r"command: \[(redis-server.+)\]", text) for text in (self.compose, first)
        )
        assert with_password == f'{usual}, --requirepass, "${{REDIS_PASSWORD}}"'
        page = (PROJECT / "docs" / "how-to" / "scale-out.md").read_text("utf-8")
        wanted = set(re.findall(r"\$\{(\w+):\?", first + further))
        assert wanted == {"REDIS_PASSWORD", "PRIVATE_ADDRESS", "FIRST_HOST"}
        assert all(f"`{name}`" in page for name in wanted)

    def test_the_compose_file_starts_the_same_web_server_as_the_local_stack(self) -> None:
        image = (PROJECT / "Dockerfile").read_text(encoding="utf-8")
        words = re.findall(r'"([^"]+)"', image.rpartition("CMD [")[2])
        web, *_ = platform({}, 8000)
        assert [word.replace("0.0.0.0", "127.0.0.1") for word in words] == list(web.command[2:])  # noqa: S104


@pytest.mark.skipif(not shutil.which("promtool"), reason="Prometheus is not installed here")
def test_each_alert_fires_for_what_it_is_there_for_and_for_nothing_near_it() -> None:
    rules = PROJECT / "deploy" / "prometheus"
    subprocess.run(["promtool", "test", "rules", "rules_test.yml"], cwd=rules, check=True, timeout=60)  # noqa: S607


def test_every_alert_rule_is_tried_and_explained() -> None:
    rules, tried, page = (
        (PROJECT / name).read_text("utf-8")
        for name in (
            "deploy/prometheus/rules.yml",
            "deploy/prometheus/rules_test.yml",
            "docs/how-to/watch-the-site.md",
        )
    )
    names = re.findall(r"alert: (\w+)", rules)
    assert len(names) == 5
    for name in names:
        assert re.search(rf"alertname: {name}\n +exp_alerts", tried)
        assert f"| `{name}` |" in page


def test_what_is_in_the_image_knows_its_own_version(tmp_path: Path) -> None:
    """Every analysis is kept with it. The image holds what `.dockerignore` lets in."""
    kept = [
        line[1:] for line in (PROJECT / ".dockerignore").read_text("utf-8").splitlines() if line.startswith("!")
    ]
    for name in kept:
        source, target = PROJECT / name, tmp_path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if source.is_dir() else shutil.copy)(source, target)
    asked = [sys.executable, "-c", "from analysis.report.code_version import code_version; print(code_version())"]
    told = subprocess.run(asked, cwd=tmp_path, capture_output=True, text=True, check=True, timeout=60).stdout
    version = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    assert re.fullmatch(rf"{re.escape(version)}\+[0-9a-f]{{64}}\n", told)
