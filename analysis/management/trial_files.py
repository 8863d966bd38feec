"""Options of `analyse` for files of constitutional trials."""

from argparse import ArgumentTypeError

from django.core.management.base import CommandParser

from analysis.rating_files.core.reading import scales_in, words_in


def add_trial_arguments(parser: CommandParser) -> None:
    parser.add_argument(
        "--baseline", default="", metavar="NAME", help="of trials, the condition without a framework"
    )
    parser.add_argument(
        "--controls",
        type=words_in,
        default=(),
        metavar="NAME,…",
        help="of trials, conditions that must score lower",
    )
    parser.add_argument(
        "--integrity", default="", metavar="NAME", help="of trials, the dimension that is integrity"
    )
    parser.add_argument(
        "--margin",
        type=_points,
        default=5.0,
        metavar="POINTS",
        help="of trials, what counts as equal integrity (5)",
    )
    parser.add_argument(
        "--smallest-effect",
        type=_points,
        default=5.0,
        metavar="POINTS",
        help="of trials, the smallest difference of other dimensions that matters (5)",
    )

    parser.add_argument(
        "--scales",
        type=_scales,
        default={},
        metavar="APPROACH=LOW-HIGH,…",
        help="of trials, what evaluators could choose from, such as A=0-1,B=1-3,D=0-100",
    )


def _scales(text: str) -> dict[str, tuple[float, float]]:
    try:
        return scales_in(text)
    except ValueError as error:
        raise ArgumentTypeError(str(error)) from error


def _points(text: str) -> float:
    try:
        points = float(text)
    except ValueError:
        points = 0.0
    if not 0 < points <= 100:
        raise ArgumentTypeError(f"“{text}” is no number of points between 0 and 100")
    return points
