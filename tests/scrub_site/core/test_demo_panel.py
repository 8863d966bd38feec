"""The demonstration's finished study has a panel of every mode."""

import inspect
from types import SimpleNamespace
from typing import Any, get_args

import pytest

from annotation.study.models.studies import Study
from generation.panel.core.panel import Mode
from scrub_site.demo import finished, panel, texts


def test_the_finished_study_has_the_panel_asked_in_every_mode(monkeypatch: pytest.MonkeyPatch) -> None:
    modes: list[str] = []

    def plan(_study: Study, *, mode: str, **_asked_for: Any) -> None:
        modes.append(mode)

    monkeypatch.setattr(texts, "plan", plan)
    monkeypatch.setattr(texts, "work_off", lambda *_args, **_options: None)
    monkeypatch.setattr(panel, "standing_judges", lambda _study: ["a judge"])
    monkeypatch.setattr(panel, "rubric_by_hash", lambda _sha256: SimpleNamespace(dimensions=[]))
    panel.ask_panel(Study(), {})
    panel.read_justifications(Study())
    assert sorted(modes) == sorted(get_args(Mode))
    steps = inspect.getsource(finished)
    assert "ask_panel(study" in steps
    assert "read_justifications(study" in steps
