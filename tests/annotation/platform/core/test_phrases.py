"""Words around numbers and names."""

import pytest

from annotation.platform.core.phrases import with_article
from annotation.study.models.participation import Role


@pytest.mark.parametrize("role", Role)
def test_a_role_has_the_article_that_its_first_sound_asks_for(role: Role) -> None:
    wanted = {Role.ANNOTATOR: "an annotator", Role.ADJUDICATOR: "an adjudicator"}
    assert with_article(role.label.lower()) == wanted.get(role, f"a {role.label.lower()}")
