"""Files of panel scores of answers under pressure: how they are read."""

from dataclasses import replace

from analysis.data.core.judgment_frame import JudgmentFileError
from analysis.framing.core.framing_file import FramingColumns, read_framings
from analysis.rating_files.core.reading import RatingOptions, Read, asked_of


def read_pressure(content: bytes, options: RatingOptions) -> Read:
    """Raises JudgmentFileError or RubricError."""
    rubric, scale, asked = asked_of(options, "framings")
    if asked.raters:
        raise JudgmentFileError(
            f"{', '.join(asked.raters)}: judge models have no columns of their own here; a row is what one of them "
            "replied about one answer"
        )
    said = FramingColumns(options.design.baseline, options.respondents, options.cuts)
    tables, doubts = read_framings(content, asked, said)
    return Read(replace(tables, scale=rubric.scale if rubric else None), scale, doubts)
