"""The units by which systemd runs the site: they start what the local stack starts, and end what hangs."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from scrub_site.local_stack.demo import platform
from tests.folders import PROJECT


def test_the_systemd_units_start_what_the_local_stack_starts() -> None:
    units = PROJECT / "deploy" / "systemd"
    python = "/opt/scrub-studio/.venv/bin/python "
    wanted = re.findall(r"scrub-[\w@]+\.service", (units / "scrub.target").read_text(encoding="utf-8"))
    started = set()
    for name in wanted:
        kind, _, instance = name.removesuffix(".service").partition("@")
        unit = (units / (f"{kind}@.service" if instance else name)).read_text(encoding="utf-8")
        started |= {
            command.replace("%i", instance) for command in re.findall(rf"^ExecStart={python}(.+)$", unit, re.M)
        }
    commands = [child.command[1:] for port in (8000, 8001) for child in platform({}, port)]
    assert started == {" ".join(command).replace(f"{PROJECT}/", "") for command in commands}


def test_only_the_unit_that_prepares_the_database_is_told_who_owns_it_and_runs_what_compose_runs() -> None:
    units = {unit.name: unit.read_text("utf-8") for unit in (PROJECT / "deploy" / "systemd").iterdir()}
    assert [name for name, text in units.items() if "/etc/scrub-studio/owner" in text] == ["scrub-migrate.service"]
    compose = (PROJECT / "docker-compose.yml").read_text(encoding="utf-8")
    prepared = re.findall(r"^ExecStart=\S+python manage.py (\w+)$", units["scrub-migrate.service"], re.M)
    [command] = re.findall(r'command: \[sh, -c, "(.+)"\]', compose)
    assert prepared == re.findall(r"manage.py (\w+)", command)


def test_the_systemd_units_end_what_gives_no_sign_of_life_as_soon_as_compose_does() -> None:
    units = PROJECT / "deploy" / "systemd"
    texts = [(units / name).read_text("utf-8") for name in ("scrub-worker@.service", "scrub-loop.service")]
    found = re.findall(r"^WatchdogSec=(\d+)$", "\n".join(texts), re.M)
    compose = (PROJECT / "docker-compose.yml").read_text(encoding="utf-8")
    limits = re.findall(r"scrub_site.beats, \S+, \"(\d+)\", --end", compose)
    assert found == limits
    assert len(limits) == 2


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed here")
def test_systemd_finds_nothing_wrong_with_the_units(tmp_path: Path) -> None:
    """Programs are looked up where they are to be; here a harmless one stands in for those of /opt/scrub-studio."""
    for unit in (PROJECT / "deploy" / "systemd").iterdir():
        text = re.sub(r"/opt/scrub-studio/\S+/(python|scrub-backup)", "/usr/bin/env", unit.read_text("utf-8"))
        (tmp_path / unit.name).write_text(text, encoding="utf-8")
    names = [unit.name.replace("@.", "@8000.") for unit in tmp_path.iterdir()]
    verify = ["systemd-analyze", "verify", "--man=no", *names]  # where units are is the folder it runs in
    verified = subprocess.run(verify, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60)
    told = [line for line in verified.stderr.splitlines() if "scrub" in line]
    assert (verified.returncode, told) == (0, [])
