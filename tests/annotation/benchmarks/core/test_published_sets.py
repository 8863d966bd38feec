"""The published sets, where they lie beside the project: their counts, and what follows from their stories."""

import random
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from annotation.benchmarks.core.findings import findings
from annotation.benchmarks.core.items import Reading, Story
from annotation.benchmarks.core.layouts import LAYOUTS, LayoutName, read
from annotation.benchmarks.core.tomi_world import world_of

SETS: Final = Path(__file__).resolve().parents[5] / "shared" / "data" / "social_audit"

pytestmark = pytest.mark.skipif(not SETS.is_dir(), reason="the published sets are not beside the project")


def published(layout: LayoutName, questions: str, labels: str = "") -> Reading:
    with (SETS / questions).open("rb") as stream, (SETS / (labels or questions)).open("rb") as beside:
        files = {"questions": (questions, stream), **({"labels": (labels, beside)} if labels else {})}
        return read(LAYOUTS[layout], files)  # type: ignore[arg-type]  # slots by name


def tomi() -> tuple[Story, ...]:
    return published("tomi", "tomi_test_cleaned.jsonl.gz").stories


def _questions(stories: tuple[Story, ...]) -> int:
    return sum(len(story.questions) for story in stories)


def test_the_sets_have_the_counts_that_were_published() -> None:
    social = published("socialiqa", "socialiqa_dev_cleaned.jsonl.gz", "socialiqa_dev_labels_cleaned.lst").stories
    faux_pas = published("fauxpas", "fauxpas_cleaned.csv.gz").stories
    assert [sum(len(story.questions) for story in found) for found in (social, tomi(), faux_pas)] == [
        1378,
        550,
        160,
    ]
    assert [len(tomi()), len(faux_pas), len({story.cluster for story in faux_pas})] == [100, 40, 22]
    assert Counter(story.source for story in faux_pas) == {
        "Baron-Cohen et al. (1999), Experts": 18,
        "Shapira et al. (2023), Experts": 11,
        "Shapira et al. (2023), AI+Experts": 11,
    }
    assert sorted({len(story.questions) for story in tomi()}) == [3, 4, 5, 6]


def test_all_550_corrected_labels_follow_from_their_stories() -> None:
    for story in tomi():
        assert {q.text: world_of(story.text).answers(q.text) for q in story.questions} == {
            question.text: (question.gold,) for question in story.questions
        }


def test_of_labels_swapped_at_random_every_one_is_found_and_no_other() -> None:
    chance = random.Random(40)  # noqa: S311  # a seed that anybody can use again
    stories = list(tomi())
    places = {story.key: {question.gold for question in story.questions} for story in stories}
    can_swap = [
        (n, m) for n, story in enumerate(stories) for m in range(len(story.questions)) if len(places[story.key]) > 1
    ]
    swapped = chance.sample(can_swap, 40)
    for n, m in swapped:
        story = stories[n]
        asked = story.questions[m]
        [other, *_] = sorted(places[story.key] - {asked.gold})
        questions = (*story.questions[:m], replace(asked, gold=other), *story.questions[m + 1 :])
        stories[n] = replace(story, questions=questions)
    found = [(finding.line, finding.kind) for finding in findings(stories, "tomi")]
    assert sorted(found) == sorted((stories[n].questions[m].line, "label") for n, m in swapped)
