"""What a release tells of how prompts came to their words."""

import pytest

from analysis.release.selectors.release_facts import wordings_of
from annotation.design.services import protocol
from annotation.writing.services import remarks, rewordings
from tests.factories import a_writing_study, assignments_of, coordinator_of, written

pytestmark = pytest.mark.django_db

EDITED, WHY = "When is a rule that all share fair?", "Towns were puzzling."


def test_a_release_tells_how_a_prompt_came_to_its_words_and_not_what_writers_said() -> None:
    study = a_writing_study(prompts=1, feedback="each_prompt", allow_prompt_rewrites=True)
    answer, by = written(assignments_of(study)[0]), coordinator_of(study)
    remarks.give_feedback(assignment=answer, feedback="Which towns?", by=answer.participation.user)
    rewordings.decide(assignment=answer, wording=EDITED, reason=WHY, by=by)
    second = protocol.clone_study(study=study, slug="second", title="Second", with_prompts=True, by=by)
    assert wordings_of(study) == {}
    assert wordings_of(second) == {
        "BBQ_01": [
            {"number": 1, "text": answer.prompt_version.text, "round": "trial", "reason": ""},
            {"number": 2, "text": EDITED, "round": "second", "reason": WHY},
        ]
    }
