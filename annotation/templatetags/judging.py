"""Score inputs and cells, built as one string each.

An item has some 300 radio buttons; the template language takes 50 times as long over them.
"""

from django import template
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from annotation.core.rubric import Dimension, Rubric, Scale
from annotation.forms.judging import place_field, score_field
from annotation.selectors.judging import Answer

register = template.Library()
register.simple_tag(place_field)

# A longer scale takes a number field for each dimension instead of a row of buttons.
MOST_BUTTONS = 11


@register.simple_tag
def score_strip(answer: Answer, rubric: Rubric) -> SafeString:
    """The inputs for every dimension of `answer`, those given checked or filled in."""
    values = range(rubric.scale.minimum, rubric.scale.maximum + 1, rubric.scale.step)
    parts = []
    for dimension in rubric.dimensions:
        name = escape(score_field(answer.slot, dimension.key))
        given = answer.scores.get(dimension.key)
        if len(values) <= MOST_BUTTONS:
            parts.append(_buttons(name, dimension, values, given))
        else:
            parts.append(_number(name, dimension, rubric.scale, given))
    return mark_safe("".join(parts))  # noqa: S308  every value put in is escaped or a number


def _buttons(name: str, dimension: Dimension, values: range, given: int | None) -> str:
    buttons = "".join(
        f'<label><input type="radio" name="{name}" value="{value}"{" checked" if value == given else ""}>'
        f"<span>{value}</span></label>"
        for value in values
    )
    return (
        f'<fieldset class="dimension" data-dimension="{escape(dimension.key)}">'
        f'<legend>{escape(dimension.name)}</legend><div class="scale">{buttons}</div></fieldset>'
    )


def _number(name: str, dimension: Dimension, scale: Scale, given: int | None) -> str:
    value = "" if given is None else f' value="{given}"'
    return (
        f'<div class="dimension" data-dimension="{escape(dimension.key)}">'
        f'<label for="{name}">{escape(dimension.name)} <small>{scale.minimum}–{scale.maximum}</small></label>'
        f'<input type="number" id="{name}" name="{name}" inputmode="numeric" min="{scale.minimum}" '
        f'max="{scale.maximum}" step="{scale.step}"{value}></div>'
    )


@register.simple_tag
def score_cells(answer: Answer, rubric: Rubric) -> SafeString:
    """A table row's cells: the scores of `answer` in the rubric's order, then what they amount to."""
    cells = "".join(
        f'<td class="num" data-cell="{escape(dimension.key)}">{answer.scores.get(dimension.key, "–")}</td>'
        for dimension in rubric.dimensions
    )
    complete = not rubric.missing(answer.scores)
    total = f"{rubric.composite(answer.scores):g}" if complete else "–"
    mean = f"{rubric.mean(answer.scores):.1f}" if complete else "–"
    sum_cell = f'<td class="num" data-cell="sum">{total}</td>' if rubric.combine == "sum" else ""
    return mark_safe(f'{cells}{sum_cell}<td class="num" data-cell="mean">{mean}</td>')  # noqa: S308
