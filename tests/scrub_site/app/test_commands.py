"""What it takes to start a command: no more of the site than what the command is about."""

import subprocess
import sys

import pytest
from django.core.management import get_commands, load_command_class

from benchmarks.support.calls_run import environment
from generation.apps import PROVIDERS

APPS = ("annotation", "generation", "analysis", "scrub_site")
# It asks what is wrong with the whole site; and Django's own, given `--skip-checks`, serves for workers.
CHECK_EVERYTHING = {"check_site", "rqworker"}
CALL_MODELS = {"benchmarks", "build_prompts", "framings", "injection_trial", "score_responses", "trials"}
OF_THE_ANALYSIS = (
    "pandas",
    "matplotlib",
    "sklearn",
    "pyarrow",
    "scipy.stats",
    "scipy.special",
    "analysis.report.sections",
)


def test_of_our_own_commands_only_those_about_the_whole_site_load_all_of_it_to_check_it() -> None:
    ours = {name: load_command_class(app, name) for name, app in get_commands().items() if app in APPS}
    found = {name for name, command in ours.items() if command.requires_system_checks == "__all__"}
    assert found == CHECK_EVERYTHING
    checked = {name for name, command in ours.items() if PROVIDERS in command.requires_system_checks}
    assert checked == CALL_MODELS


@pytest.mark.django_db(transaction=True)
def test_a_command_that_analyses_nothing_loads_no_library_of_the_analysis() -> None:
    started = subprocess.run(
        [sys.executable, "-X", "importtime", "manage.py", "settle_run", "7", "--billed", "0"],
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert "No run 7 scores a file." in started.stderr
    loaded = {line.rpartition("|")[2].strip() for line in started.stderr.splitlines()}
    assert "generation.calls.models" in loaded
    assert not [name for name in OF_THE_ANALYSIS if name in loaded]
