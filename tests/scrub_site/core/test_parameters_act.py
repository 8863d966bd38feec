"""No parameter of a study is only recorded: the documentation says that each decides something."""

import re
from pathlib import Path

import pytest

from annotation.study.core.parameters import LABELS

ROOT = Path(__file__).parents[3]
# Where parameters are declared, labelled and filled in: to be named there is to be recorded.
DECLARED = {"protocol.py", "parameters.py", "presets.py", "design.py", "forms.py", "studies.py"}
READ_IN = [
    path
    for app in ("annotation", "generation", "analysis", "templates")
    for path in (ROOT / app).rglob("*.*")
    if path.suffix in (".py", ".html") and path.name not in DECLARED and "migrations" not in path.parts
]
PROGRAM = "\n".join(path.read_text() for path in READ_IN)


@pytest.mark.parametrize("name", sorted(LABELS))
def test_every_parameter_is_read_by_something_that_acts_on_it(name: str) -> None:
    assert re.search(rf'\.{name}\b|"{name}"', PROGRAM)
