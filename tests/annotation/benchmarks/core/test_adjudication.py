"""What is adjudicated, and what a ruling may say."""

import pytest

from annotation.benchmarks.core.adjudication import RulingGiven, ruling_from, to_adjudicate
from annotation.platform.core.errors import Refused

SEED = bytes(range(32))
PUBLISHED = {"gold": "box", "text": "Where is it?", "story": "Nora came."}


def ruled(category: str, fate: str, reason: str, changes: dict[str, str]) -> RulingGiven:
    return ruling_from(
        category=category,
        fate=fate,
        reason=reason,
        changes=changes,
        options=("box", "bag"),
        published=PUBLISHED,
    )


def test_all_disagreements_and_a_share_of_the_agreements_rounded_up_are_adjudicated() -> None:
    said = {f"{n}": ["none", "none"] for n in range(25)} | {
        "x": ["semantic", "none"],
        "y": ["semantic", "pragmatic"],
    }
    disputed, sample = to_adjudicate(said, seed=SEED, context="ToMi", agreements=10)
    assert disputed == {"x", "y"}
    assert len(sample) == 3
    assert sample < said.keys() - disputed
    assert to_adjudicate(said, seed=SEED, context="ToMi", agreements=10) == (disputed, sample)
    assert to_adjudicate(said, seed=bytes(32), context="ToMi", agreements=10)[1] != sample
    assert to_adjudicate(said, seed=SEED, context="ToMi", agreements=0)[1] == set()
    assert len(to_adjudicate(said, seed=SEED, context="ToMi", agreements=100)[1]) == 25


@pytest.mark.parametrize(
    ("category", "fate", "reason", "changes"),
    [
        ("dull", "stays", "", {}),
        ("semantic", "vanishes", "", {}),
        ("none", "excluded", "Because.", {}),
        ("none", "corrected", "Because.", {"gold": "bag"}),
        ("semantic", "excluded", " ", {}),
        ("semantic", "corrected", "Because.", {"gold": " box "}),
        ("semantic", "corrected", "Because.", {}),
        ("semantic", "corrected", "Because.", {"options": "a"}),
        ("semantic", "corrected", "Because.", {"gold": "garden"}),
        ("semantic", "corrected", "Because.", {"story": "w" * 20_001}),
        ("semantic", "excluded", "w" * 2_001, {}),
    ],
)
def test_a_ruling_that_contradicts_itself_is_refused(
    category: str, fate: str, reason: str, changes: dict[str, str]
) -> None:
    with pytest.raises(Refused):
        ruled(category, fate, reason, changes)


def test_only_what_differs_from_what_was_published_is_a_change() -> None:
    assert ruled("structural", "corrected", "It moved.", {**PUBLISHED, "gold": "bag"}).changes == {"gold": "bag"}
    assert ruled("structural", "excluded", "Beyond repair.", {"gold": "bag"}).changes == {}
