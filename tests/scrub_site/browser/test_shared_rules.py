"""Rules that browser and server both hold: texts, words, the change between two texts, and what makes a ranking."""

import json
from typing import Any

import pytest
from django.urls import reverse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from playwright.sync_api import Page

from annotation.judging.core.ranking import competition_ranks
from annotation.platform.core.text import clean, sha256_hex
from annotation.writing.core import deltas
from tests.annotation.judging import ranking_rules
from tests.annotation.judging.core.test_ranking import a_rubric
from tests.annotation.judging.core.test_ranking import ranked as ranked_by_the_server
from tests.annotation.judging.ranking_rules import LABELS, RANKINGS, SHEETS, Rank, score_lists
from tests.folders import VECTORS

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WORDS = json.loads((VECTORS / "words.json").read_text("utf-8"))
DELTAS = json.loads((VECTORS / "deltas.json").read_text("utf-8"))


@pytest.fixture(autouse=True)
def any_page(page: Page) -> None:
    """Modules are imported from the site's own pages only."""
    page.goto(reverse("account_login"))


def test_the_browser_counts_words_as_the_server_does(page: Page) -> None:
    counted = page.evaluate(
        """async (texts) => {
          const { countWords } = await import("/static/platform/words.js");
          return texts.map(countWords);
        }""",
        [vector["text"] for vector in WORDS],
    )
    assert counted == [vector["words"] for vector in WORDS]


def test_the_browser_cleans_and_hashes_texts_as_the_server_does(page: Page) -> None:
    texts = [
        "first\r\nsecond\rthird\u2028fourth\u2029fifth\x0bsixth\x0cseventh\x85eighth",
        "soft\u00adhyphen zero\u200bwidth word\u2060joiner \ufeffmark",
        "nul\x00 bell\x07 escape\x1b delete\x7f tab\t stays",
        "cafe\u0301 A\u030a \u212b \u2126 \u1e9b\u0323",
        "👩\u200d👧 joiner\u200cnon \u180e",
    ]
    cleaned = page.evaluate(
        """async (texts) => {
          const { clean, sha256 } = await import("/static/platform/words.js");
          return Promise.all(texts.map(async (text) => [clean(text), await sha256(clean(text))]));
        }""",
        texts,
    )
    assert cleaned == [[clean(text), sha256_hex(clean(text))] for text in texts]
    assert (
        page.evaluate("async () => (await import('/static/platform/words.js')).clean('lone \\ud83d')")
        == "lone \ufffd"
    )


def test_browser_and_server_find_the_same_change_between_two_texts(page: Page) -> None:
    expected = [[vector[part] for part in ("at", "delete", "insert")] for vector in DELTAS]
    ours = [deltas.between(vector["before"], vector["after"]) for vector in DELTAS]
    assert [[delta.at, delta.delete, delta.insert] for delta in ours] == expected
    theirs = page.evaluate(
        """async (vectors) => {
          const { apply, between } = await import("/static/writing/deltas.js");
          return vectors.map(({ before, after }) => {
            const change = between(before, after);
            return [[change.at, change.delete, change.insert], apply(before, change) === after];
          });
        }""",
        DELTAS,
    )
    assert theirs == [[change, True] for change in expected]


def test_browser_and_server_count_the_same_characters(page: Page) -> None:
    texts = [vector["after"] for vector in DELTAS]
    lengths = page.evaluate(
        "async (texts) => texts.map((await import('/static/writing/deltas.js')).lengthOf)", texts
    )
    assert lengths == [len(text) for text in texts]


# -- rankings ----------------------------------------------------------------------------------------------------

# One page serves all examples of a test: modules keep nothing.
generated = settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])


def browser_ranks(page: Page) -> Rank:
    """The browser's rule as a function of the test."""
    script = "async (scores) => (await import('/static/judging/ranking/ranking.js')).competitionRanks(scores)"
    return lambda scores: page.evaluate(script, list(scores))


def ranked(page: Page, sheet: list[list[int]]) -> list[list[object]]:
    """A row for each answer, best first: rank, label, sum and mean to one decimal."""
    answers = [{"label": LABELS[at], "scores": scores} for at, scores in enumerate(sheet)]
    rows = page.evaluate(
        "async (answers) => (await import('/static/judging/ranking/ranking.js')).scoredRows(answers)", answers
    )
    return [[row["rank"], label, row["sum"], row["mean"]] for row in rows for label in row["labels"]]


def test_the_browser_ranks_as_the_server_does(page: Page) -> None:
    found = page.evaluate(
        """async (vectors) => {
          const { competitionRanks, tieGroups } = await import("/static/judging/ranking/ranking.js");
          return vectors.map(({ scores }) => [competitionRanks(scores), tieGroups(scores)]);
        }""",
        RANKINGS,
    )
    assert found == [[vector["competition"], vector["ties"]] for vector in RANKINGS]


def test_the_browser_ranks_score_sheets_as_the_server_does(page: Page) -> None:
    assert [ranked(page, vector["scores"]) for vector in SHEETS] == [vector["ranking"] for vector in SHEETS]


@generated
@given(sheet=ranking_rules.sheets(), combine=st.sampled_from(["sum", "mean"]))
def test_browser_and_server_rank_any_score_sheet_alike(page: Page, sheet: list[list[int]], combine: str) -> None:
    rubric = a_rubric(len(sheet[0]), combine=combine)
    assert ranked(page, sheet) == ranked_by_the_server(rubric, sheet)


@generated
@given(scores=score_lists, random=st.randoms(use_true_random=False))
def test_in_the_browser_shuffled_scores_take_their_ranks_along(page: Page, scores: list[int], random: Any) -> None:
    order = random.sample(range(len(scores)), len(scores))
    ranking_rules.check_order_does_not_matter(browser_ranks(page), scores, order)


@generated
@given(scores=score_lists)
def test_in_the_browser_only_equal_scores_tie(page: Page, scores: list[int]) -> None:
    ranking_rules.check_ties_are_exactly_equal_scores(browser_ranks(page), scores)


@generated
@given(raised=ranking_rules.raises())
def test_in_the_browser_raising_a_score_never_hurts_it(page: Page, raised: tuple[list[int], int, int]) -> None:
    ranking_rules.check_raising_never_hurts(browser_ranks(page), *raised)


# -- tiers of a direct ranking -------------------------------------------------------------------------------------

STEPS = [
    # places, position of the answer, step, places afterwards
    ([1, 2, 3, 4], 3, -1, [1, 2, 3, 3]),  # alone: joins the one above it
    ([1, 2, 3, 3], 3, -1, [1, 2, 4, 3]),  # tied: stands alone above those it was with
    ([1, 2, 2, 4], 1, 1, [1, 3, 2, 4]),  # or below
    ([1, 2, 3, 4], 0, -1, [1, 2, 3, 4]),  # there is nothing above the first
    ([1, 2, 3, 4], 3, 1, [1, 2, 3, 4]),
    ([1, 1, 1, 1], 2, -1, [2, 2, 1, 2]),
    ([3, None, 1, None], 1, -1, [2, 3, 1, None]),  # without a place: the last, whichever way it is moved
    ([None, None], 1, 1, [None, 1]),
]


def test_an_answer_steps_into_a_tie_and_out_of_it(page: Page) -> None:
    stepped = page.evaluate(
        """async (steps) => {
          const { placesOf, stepped, tiersOf } = await import("/static/judging/ranking/tiers.js");
          return steps.map(([places, at, step]) => placesOf(stepped(tiersOf(places), at, step), places.length));
        }""",
        STEPS,
    )
    assert stepped == [afterwards for *_, afterwards in STEPS]


@generated
@given(places=st.lists(st.none() | st.integers(1, 8), min_size=1, max_size=8))
def test_tiers_keep_the_order_of_places(page: Page, places: list[int | None]) -> None:
    kept = page.evaluate(
        """async (places) => {
          const { placesOf, tiersOf } = await import("/static/judging/ranking/tiers.js");
          return placesOf(tiersOf(places), places.length);
        }""",
        places,
    )
    ranks = iter(competition_ranks([-place for place in places if place is not None]))
    assert kept == [None if place is None else next(ranks) for place in places]
