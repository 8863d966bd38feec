"""The inputs of a score strip: built from cached pieces, right for every answer."""

import re
from html import unescape
from uuid import UUID, uuid4

from annotation.judging.selectors.judging import Answer
from annotation.judging.templatetags import rubric_panel, score_cells, score_definitions, score_strip
from annotation.study.core.rubric import parse
from annotation.study.selectors.rubrics import RUBRICS
from annotation.study.services.studies import STANDARD_RUBRIC

RUBRIC = parse(STANDARD_RUBRIC.read_text("utf-8"))
LONG = parse((RUBRICS / "constitutional_reasoning-2.toml").read_text("utf-8"))


def an_answer(**scores: int) -> Answer:
    return Answer(uuid4(), "A", "Some text.", scores)


def checked(html: str) -> list[tuple[str, str]]:
    """Name and value of each radio button that is checked."""
    return re.findall(r'name="([^"]+)" value="(\d+)" checked', html)


def test_each_answer_has_its_own_fields_with_its_own_scores_checked() -> None:
    for clarity in (7, 3, 7):
        answer = an_answer(conceptual_clarity=clarity, contextual_relevance=10)
        html = score_strip(answer, RUBRIC)
        assert checked(html) == [
            (f"score:{answer.slot}:conceptual_clarity", str(clarity)),
            (f"score:{answer.slot}:contextual_relevance", "10"),
        ]
        assert html.count('type="radio"') == 5 * 10
        assert set(re.findall(r"score:([^:]+):", html)) == {str(answer.slot)}
        assert str(UUID(int=0)) not in html


def test_a_long_scale_has_a_number_field_for_each_dimension() -> None:
    html = score_strip(an_answer(epistemic_integrity=85), LONG)
    assert html.count('type="number"') == len(LONG.dimensions)
    assert re.findall(r'value="(\d+)"', html) == ["85"]
    assert 'min="0" max="100" step="1"' in html


def test_every_name_leads_to_a_definition_that_is_on_the_page_once() -> None:
    named = re.findall(r'popovertarget="([^"]+)"', score_strip(an_answer(), RUBRIC))
    assert len(named) == 5
    assert re.findall(r' id="([^"]+)"', score_definitions(RUBRIC)) == named


def test_composites_stand_in_a_row_only_once_there_is_a_ranking() -> None:
    answer = an_answer(**{dimension.key: 7 for dimension in RUBRIC.dimensions})
    assert re.findall(">([^<]+)</td>", score_cells(answer, RUBRIC, composites=False)) == [*"77777", "–", "–"]
    assert re.findall(">([^<]+)</td>", score_cells(answer, RUBRIC, composites=True)) == [*"77777", "35", "7.0"]


def test_a_definition_says_the_name_and_the_questions() -> None:
    dimension = RUBRIC.dimensions[0]
    shown = unescape(score_definitions(RUBRIC))
    assert f"<h3>{dimension.name}</h3>" in shown
    assert all(f"<li>{question}</li>" in shown for question in dimension.questions)


def test_advice_on_scoring_stands_in_the_rubric_only_where_answers_are_scored() -> None:
    with_scores, with_places = (unescape(rubric_panel(RUBRIC, scored=scored)) for scored in (True, False))
    assert all(advice in with_scores and advice not in with_places for advice in RUBRIC.advice())
    assert all(dimension.definition in with_places for dimension in RUBRIC.dimensions)
