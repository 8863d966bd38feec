"""Prompt, model and condition cut from a column's cells: by a template such as `{prompt}/{respondent}/{condition}`,
or by a regular expression with groups of these names.
"""

import re
from typing import Final

CUT: Final = ("prompt", "respondent", "condition")
_GROUP: Final = "(?P<"
_PLACE: Final = re.compile(r"\{(\w*)\}")


def is_expression(text: str) -> bool:
    """Whether it is a regular expression, which may take very long, and no template."""
    return _GROUP in text


def cut_pattern(text: str) -> re.Pattern[str]:
    """What a whole cell has to match. In a template `{}` stands for anything, and each place ends where what is
    behind it first occurs.

    Raises ValueError, in words, for what cuts none of CUT, another thing, or one of them twice.
    """
    try:
        found = re.compile(text if is_expression(text) else _of_template(text))
    except re.error as error:
        raise ValueError(f"“{text}” is no regular expression: {error}") from error
    if not found.groupindex or not set(found.groupindex) <= set(CUT):
        raise ValueError(f"“{text}” does not cut {', '.join(CUT)} as in {{prompt}}/{{respondent}}/{{condition}}")
    return found


def _of_template(text: str) -> str:
    literals, names = _PLACE.split(text)[::2], _PLACE.findall(text)
    if "" in literals[1:-1]:
        raise ValueError(f"“{text}” has nothing between two of its places, which could end anywhere")
    pattern = re.escape(literals[0])
    for name, behind in zip(names, literals[1:], strict=True):
        what = f"(?:(?!{re.escape(behind)})[\\s\\S])+" if behind else "[\\s\\S]+"
        pattern += (f"(?P<{name}>{what})" if name else what) + re.escape(behind)
    return pattern


def cut_in(text: str) -> tuple[str, str]:
    """The column, and how its cells are cut, as in `response_id={prompt}/{respondent}`.

    Raises ValueError, in words, for anything else.
    """
    column, _, how = (side.strip() for side in text.partition("="))
    cut_pattern(how)
    if not column:
        raise ValueError(f"“{text}” names no column as in response_id={{prompt}}/{{respondent}}/{{condition}}")
    return column, how


def respondents_in(text: str) -> dict[str, tuple[str, str]]:
    """Model and condition by respondent, as in `gpt-agree=gpt:agree,gpt=gpt:baseline`.

    Raises ValueError, in words, for anything else.
    """
    found: dict[str, tuple[str, str]] = {}
    for part in text.split(","):
        theirs, is_given, ours = (side.strip() for side in part.rpartition("="))
        model, is_told, condition = (side.strip() for side in ours.rpartition(":"))
        if not (is_given and is_told and theirs and model):
            raise ValueError(f"“{part.strip()}” does not name model and condition as in gpt-agree=gpt:agree")
        found[theirs] = model, condition
    return found
