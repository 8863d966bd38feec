"""What of the rubric a study's panel is told, and that scores given otherwise are not mixed with it."""

import pytest

from annotation.study.core.rubric_parts import PARTS
from generation.calls.services.claiming import Outgoing
from generation.panel.selectors.panel import opinions, panel_settings
from generation.providers.base import Reply
from tests.factories import a_judging_study
from tests.generation.calls.model_runs import worked_off
from tests.generation.panel.panels import ONE_JUDGE, SEATS, asked, seven, with_judges

pytestmark = pytest.mark.django_db


def test_a_panel_told_other_parts_of_the_rubric_is_asked_again_in_a_setting_of_its_own() -> None:
    study = with_judges(a_judging_study(1, 1, 1, **ONE_JUDGE), "gpt")
    low = f"Low: {study.rubric.toml.split('low = ')[1][1:30]}"
    sent: list[str] = []

    def noted(outgoing: Outgoing) -> Reply:
        sent.append(outgoing.request.prompt)
        return seven(outgoing)

    for parts in (list(PARTS), ["definitions"]):
        study.panel_rubric_parts = parts
        study.save()
        run = worked_off(asked(study), noted)
        assert run.materials["parts"] == parts
    texts = len(sent) // (2 * SEATS)
    assert [low in prompt for prompt in sent] == [True] * texts * SEATS + [False] * texts * SEATS
    [setting] = panel_settings(study)
    assert setting.template_version == run.template_version
    assert len(opinions(study, setting)) == texts * SEATS
