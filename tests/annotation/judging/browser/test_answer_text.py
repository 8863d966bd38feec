"""Places in an answer's text, in code points: from the page's selection to what is sent, and back again."""

from itertools import combinations
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

TEXT = "One 👩‍🔬 and 𝔘.\n\n\n\nSecond line\nof é text.\n\nLast"


def in_text(page: Page, function: str, argument: Any = None) -> Any:
    """What `function(text, prose, argument)` returns for an answer that reads `TEXT`."""
    page.goto(reverse("account_login"))
    return page.evaluate(
        f"""async ([paragraphs, argument]) => {{
          const {{ AnswerText }} = await import("/static/judging/marks/answer-text.js");
          const element = document.createElement("div");
          const prose = element.appendChild(document.createElement("div"));
          prose.className = "prose";
          for (const words of paragraphs) prose.appendChild(document.createElement("p")).textContent = words;
          document.body.append(element);
          return ({function})(new AnswerText(element), prose, argument);
        }}""",
        [TEXT.split("\n\n"), argument],
    )


def test_passages_are_found_again_by_code_points(page: Page) -> None:
    spans = list(combinations(range(len(TEXT) + 1), 2))
    found = in_text(
        page,
        "(text, prose, spans) => spans.map(([start, end]) => text.passageIn(text.rangeOf({ start, end })))",
        spans,
    )
    for (start, end), span in zip(spans, found, strict=True):
        wanted = TEXT[start:end].strip()
        assert (TEXT[span["start"] : span["end"]] if span else "") == wanted


def test_a_passage_that_reaches_out_of_the_text_ends_with_it(page: Page) -> None:
    span = in_text(
        page,
        """(text, prose) => {
          const range = document.createRange();
          range.setStart(prose.lastChild.firstChild, 1);
          range.setEndAfter(document.body.lastChild);
          return text.passageIn(range);
        }""",
    )
    assert TEXT[span["start"] : span["end"]] == "ast"


def test_sentences_are_passages_of_one_line(page: Page) -> None:
    spans = in_text(page, "(text) => text.sentences()")
    assert [TEXT[span["start"] : span["end"]] for span in spans] == [
        "One 👩‍🔬 and 𝔘.",
        "Second line",
        "of é text.",
        "Last",
    ]
