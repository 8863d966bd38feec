"""Rules that browser and server both hold: texts, words, the change between two texts, and what makes a ranking."""

import json
from pathlib import Path

import pytest
from django.urls import reverse
from playwright.sync_api import Page

from annotation.core import deltas
from annotation.core.text import clean, sha256_hex

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

VECTORS = Path(__file__).parents[1] / "vectors"
WORDS = json.loads((VECTORS / "words.json").read_text("utf-8"))
DELTAS = json.loads((VECTORS / "deltas.json").read_text("utf-8"))
RANKINGS = json.loads((VECTORS / "ranking.json").read_text("utf-8"))


@pytest.fixture(autouse=True)
def any_page(page: Page) -> None:
    """Modules are imported from the site's own pages only."""
    page.goto(reverse("account_login"))


def test_the_browser_counts_words_as_the_server_does(page: Page) -> None:
    counted = page.evaluate(
        """async (texts) => {
          const { countWords } = await import("/static/js/words.js");
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
          const { clean, sha256 } = await import("/static/js/words.js");
          return Promise.all(texts.map(async (text) => [clean(text), await sha256(clean(text))]));
        }""",
        texts,
    )
    assert cleaned == [[clean(text), sha256_hex(clean(text))] for text in texts]
    assert page.evaluate("async () => (await import('/static/js/words.js')).clean('lone \\ud83d')") == "lone \ufffd"


def test_browser_and_server_find_the_same_change_between_two_texts(page: Page) -> None:
    expected = [[vector[part] for part in ("at", "delete", "insert")] for vector in DELTAS]
    ours = [deltas.between(vector["before"], vector["after"]) for vector in DELTAS]
    assert [[delta.at, delta.delete, delta.insert] for delta in ours] == expected
    theirs = page.evaluate(
        """async (vectors) => {
          const { apply, between } = await import("/static/js/deltas.js");
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
    lengths = page.evaluate("async (texts) => texts.map((await import('/static/js/deltas.js')).lengthOf)", texts)
    assert lengths == [len(text) for text in texts]


def test_the_browser_ranks_as_the_server_does(page: Page) -> None:
    ranked = page.evaluate(
        """async (vectors) => {
          const { competitionRanks, tieGroups } = await import("/static/js/ranking.js");
          return vectors.map(({ scores }) => [competitionRanks(scores), tieGroups(scores)]);
        }""",
        RANKINGS,
    )
    assert ranked == [[vector["competition"], vector["ties"]] for vector in RANKINGS]


MOVES = [
    # places, position of the answer, step, places afterwards
    ([1, 2, 3, 4], 3, -1, [1, 2, 4, 3]),  # changes places with the one above it
    ([1, 2, 2, 3], 3, -1, [1, 2, 2, 2]),  # joins two that tie
    ([1, 2, 4, 4], 2, -1, [1, 2, 3, 4]),  # takes a free place
    ([1, 2, 3, 4], 0, -1, [1, 2, 3, 4]),  # there is nothing above the first
    ([1, 2, 3, 4], 3, 1, [1, 2, 3, 4]),
    ([3, None, 1, None], 1, -1, [3, 2, 1, None]),  # the first free place, whichever way it is moved
    ([3, None, 1, None], 3, 1, [3, None, 1, 2]),
]


def test_an_answer_moves_up_and_down(page: Page) -> None:
    moved = page.evaluate(
        """async (moves) => {
          const { movedPlaces } = await import("/static/js/ranking.js");
          return moves.map(([places, position, step]) => movedPlaces(places, position, step));
        }""",
        MOVES,
    )
    assert moved == [afterwards for *_, afterwards in MOVES]
