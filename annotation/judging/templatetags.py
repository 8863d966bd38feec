"""What the judging room repeats hundreds of times, or shows alike to everybody, built as one string each.

An item has some 300 radio buttons; the template language takes 50 times as long over them. A dimension's inputs
differ by the score given and by the answer's slot alone, so each is built once a process and the slot put in.
"""

from functools import lru_cache
from uuid import UUID

from django import template
from django.template.defaultfilters import floatformat
from django.template.loader import render_to_string
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from annotation.judging.core.judgments import place_field, score_field
from annotation.judging.selectors.judging import Answer, ItemPage, RankRow
from annotation.study.core.rubric import Dimension, Rubric, Scale

register = template.Library()
register.simple_tag(place_field)

# A longer scale takes a number field for each dimension instead of a row of buttons.
MAX_BUTTONS = 11
# Stands for the answer's slot until the inputs are put on a page.
ANY_SLOT = UUID(int=0)


@register.simple_tag
def score_strip(answer: Answer, rubric: Rubric) -> SafeString:
    """The inputs for every dimension of `answer`, those given checked or filled in."""
    scores, scale = answer.scores, rubric.scale
    inputs = "".join([_inputs(dimension, scale, scores.get(dimension.key)) for dimension in rubric.dimensions])
    return mark_safe(inputs.replace(str(ANY_SLOT), str(answer.slot)))  # noqa: S308  all of it escaped, numbers or an id


@lru_cache(maxsize=4096)
def _inputs(dimension: Dimension, scale: Scale, given: int | None) -> str:
    values = range(scale.minimum, scale.maximum + 1, scale.step)
    name = escape(score_field(ANY_SLOT, dimension.key))
    if len(values) <= MAX_BUTTONS:
        return _buttons(name, dimension, values, given)
    return _number(name, dimension, scale, given)


def _buttons(name: str, dimension: Dimension, values: range, given: int | None) -> str:
    buttons = "".join(
        f'<label><input type="radio" name="{name}" value="{value}"{" checked" if value == given else ""}>'
        f"<span>{value}</span></label>"
        for value in values
    )
    return (
        f'<fieldset class="dimension" data-dimension="{escape(dimension.key)}">'
        f'<legend>{_term(dimension)}</legend><div class="scale" data-scale>{buttons}</div></fieldset>'
    )


def _number(name: str, dimension: Dimension, scale: Scale, given: int | None) -> str:
    value = "" if given is None else f' value="{given}"'
    return (
        f'<div class="dimension points" data-dimension="{escape(dimension.key)}">{_term(dimension)}'
        f'<label class="soft" for="{name}"><span class="visually-hidden">{escape(dimension.name)}</span> '
        f"{scale.minimum}–{scale.maximum}</label>"
        f'<input type="number" id="{name}" name="{name}" inputmode="numeric" min="{scale.minimum}" '
        f'max="{scale.maximum}" step="{scale.step}" aria-describedby="{name}:problem"{value}>'
        f'<p class="dimension-problem" id="{name}:problem" data-problem></p>{_bands(dimension, scale, given)}</div>'
    )


def _bands(dimension: Dimension, scale: Scale, given: int | None) -> str:
    """A track to point at, as wide as the scale, and what each band means. The track is no control of its own:
    the field is, and a track that could be tabbed to would begin in the middle, which is a hint.
    """
    if not scale.bands:
        return ""
    anchors = {"low": dimension.low, "medium": dimension.medium, "high": dimension.high}
    held = None if given is None else scale.band(given)
    widths = "".join(
        f'<span data-points="{band.maximum - band.minimum + 1}">{escape(band.name)}</span>' for band in scale.bands
    )
    meanings = "".join(
        f'<li data-band data-least="{band.minimum}" data-most="{band.maximum}"'
        f"{' class=is-held' if band == held else ''}><strong>{escape(band.name)} "
        f'<span class="tabular">{band.minimum}–{band.maximum}</span></strong> '
        f"{escape(anchors.get(band.key, ''))}</li>"
        for band in scale.bands
    )
    return (
        f'<div class="track needs-script" data-track aria-hidden="true">{widths}<i data-marker></i></div>'
        f'<ul class="bands">{meanings}</ul>'
    )


def _term(dimension: Dimension) -> str:
    return (
        f'<button type="button" class="term" popovertarget="{_definition_id(dimension)}">'
        f"{escape(dimension.name)}</button>"
    )


def _definition_id(dimension: Dimension) -> str:
    return f"definition-{escape(dimension.key)}"


@register.simple_tag
@lru_cache(maxsize=64)
def score_definitions(rubric: Rubric) -> SafeString:
    """What each dimension's name opens: its definition, its questions and the ends of its scale. Once a page."""
    return mark_safe("".join(map(_definition, rubric.dimensions)))  # noqa: S308  every text put in is escaped


def _definition(dimension: Dimension) -> str:
    questions = "".join(f"<li>{escape(question)}</li>" for question in dimension.questions)
    return (
        f'<div class="definition" id="{_definition_id(dimension)}" popover role="group" '
        f'aria-label="{escape(dimension.name)}"><h3>{escape(dimension.name)}</h3>'
        f"<p>{escape(dimension.definition)}</p><ul>{questions}</ul>"
        f"<p><strong>Low</strong> {escape(dimension.low)}</p>"
        f"<p><strong>High</strong> {escape(dimension.high)}</p></div>"
    )


@register.simple_tag
@lru_cache(maxsize=64)
def rubric_panel(rubric: Rubric, *, scored: bool) -> SafeString:
    """The whole rubric to read, rendered once a process: a frozen rubric never changes.

    Where answers are not `scored` but ranked, it is without its scale and its advice on scoring.
    """
    return render_to_string("judging/_rubric.html", {"rubric": rubric, "scored": scored})


@register.simple_tag
@lru_cache(maxsize=64)
def parts_legend(rubric: Rubric) -> SafeString:
    """What the pieces of the bars in a live ranking stand for, in their order."""
    names = "".join(f"<li>{escape(dimension.short_name)}</li>" for dimension in rubric.dimensions)
    return mark_safe(  # noqa: S308  names are escaped
        f'<ul class="parts-legend" aria-label="Parts of the bars, from the left">{names}</ul>'
    )


@register.simple_tag
def score_cells(answer: Answer, rubric: Rubric, *, composites: bool) -> SafeString:
    """A table row's cells: the scores of `answer` in the rubric's order and, with `composites`, their sum and mean.

    Composites are left blank until every answer of the item has its scores, as the ranking is.
    """
    scores = answer.scores
    cells = [_cell(escape(dimension.key), scores.get(dimension.key, "–")) for dimension in rubric.dimensions]
    total = sum(scores.values())
    if rubric.combine == "sum":
        cells.append(_cell("sum", total if composites else "–"))
    cells.append(_cell("mean", floatformat(total / len(rubric.dimensions), 1) if composites else "–"))
    return mark_safe("".join(cells))  # noqa: S308  numbers, and keys escaped


def _cell(key: str, value: object) -> str:
    return f'<td class="num" data-cell="{key}">{value}</td>'


@register.simple_tag
def ranking_rows(page: ItemPage, *, live: bool) -> SafeString:
    """The ranking as table bodies, one for each rank, with a row for each answer that has it.

    `live`: in the room, where letters lead to their answers and the script adds bars.
    """
    return mark_safe("".join(_band(page, row, live=live) for row in page.ranking))  # noqa: S308  as below


@register.simple_tag
def ranking_row(page: ItemPage, *, linked: bool) -> SafeString:
    """A live row without values, for the script to copy; `linked`: its letter leads to the answer."""
    nobody = RankRow(rank=0, labels=(), composite=0, mean=0)
    return mark_safe(_row(page, nobody, "", live=True, linked=linked))  # noqa: S308  numbers, and labels, which are letters


def _band(page: ItemPage, row: RankRow, *, live: bool) -> str:
    tie = ' class="is-tie"' if len(row.labels) > 1 else ""
    rows = "".join(_row(page, row, label, live=live, linked=live) for label in row.labels)
    return f"<tbody{tie}>{rows}</tbody>"


def _row(page: ItemPage, row: RankRow, label: str, *, live: bool, linked: bool) -> str:
    shared = "=" if len(row.labels) > 1 else ""
    letter = f'<a href="#answer-{label}" data-open="{label}">{label}</a>' if linked else label
    cells = [f"<td data-rank>{row.rank}{shared}</td>"] if len(page.answers) > 1 else []
    cells.append(f'<th scope="row" data-label>{letter}</th>')
    if page.scored and page.rubric.combine == "sum":
        cells.append(f'<td class="num" data-sum>{row.composite:g}</td>')
    if page.scored:
        cells.append(f'<td class="num" data-mean>{floatformat(row.mean, 1)}</td>')
    if page.scored and live:
        cells.append('<td class="parts needs-script" data-parts></td>')
    return f"<tr>{''.join(cells)}</tr>"
