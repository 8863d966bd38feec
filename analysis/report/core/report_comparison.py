"""Whether two reports are the same, to the last digit, and what differs between them."""

import re
from dataclasses import astuple, dataclass, replace
from math import isclose
from typing import Final

from analysis.data.core.results import Estimate
from analysis.report.core.report_leaves import Leaf, leaves
from analysis.report.core.results_file import lacks
from analysis.report.sections import registered
from analysis.sections.core.report import Report

# Another kind of processor adds in another order: that changes last digits, and none before these.
ROUNDING: Final = 1e-9  # of a number
NOUGHT: Final = 1e-12  # of what may be 0: two sums that cancel each other leave their own last digits
ABSENT: Final = "not there"
NOTHING: Final = re.compile(r"(?!)")


@dataclass(frozen=True, slots=True)
class Difference:
    """What two reports have under a name, `ABSENT` where one of them has nothing of the kind."""

    name: str
    one: Leaf
    other: Leaf


@dataclass(frozen=True, slots=True)
class Comparison:
    """`compared` counts the names that at least one of the two reports has something under.

    Of two estimates everything counts: value, interval, observations, reasons. What was asked for counts too, since
    the same figures from other parameters are another analysis.
    """

    compared: int
    differences: tuple[Difference, ...]

    @property
    def is_same(self) -> bool:
        return not self.differences

    @property
    def is_rounding(self) -> bool:
        """Whether nothing but numbers differs, and these by less than `ROUNDING` of themselves or than `NOUGHT`."""
        return all(_differ_in_rounding(each.one, each.other) for each in self.differences)


def compare(one: Report, other: Report, *, leaving_out: re.Pattern[str] = NOTHING) -> Comparison:
    """Name by name, in the order of the first report; what only the other one has comes last.

    Names that begin with what is to be left out are neither compared nor counted.
    """
    of_one, of_other = dict(leaves(one)), dict(leaves(other))
    names = [name for name in of_one | of_other if not leaving_out.match(name)]
    found = (Difference(name, of_one.get(name, ABSENT), of_other.get(name, ABSENT)) for name in names)
    return Comparison(len(names), tuple(each for each in found if _found(each.one) != _found(each.other)))


def comparable(one: Report, other: Report) -> tuple[Report, Report, list[str]]:
    """Both reports without the sections that the code of one of them did not know, and the titles of these."""
    lacking = [section for section in registered("page") if lacks(one, section) != lacks(other, section)]
    titles = list(dict.fromkeys(section.title for section in lacking))
    return one.without(*lacking), other.without(*lacking), titles


def _found(leaf: Leaf) -> Leaf:
    """An entry without the level of an interval that has no ends: that was asked for, and is a parameter."""
    if isinstance(leaf, Estimate) and leaf.interval and leaf.interval.reason:
        return replace(leaf, interval=replace(leaf.interval, level=0))
    return leaf


def _differ_in_rounding(one: Leaf, other: Leaf) -> bool:
    parts, others = _parts(one), _parts(other)
    return len(parts) == len(others) and all(map(_is_close, parts, others))


def _parts(leaf: Leaf) -> tuple[object, ...]:
    """All that an estimate says, and what its interval says; anything else as it is."""
    if not isinstance(leaf, Estimate):
        return (leaf,)
    return (*astuple(replace(leaf, interval=None)), *(astuple(leaf.interval) if leaf.interval else ()))


def _is_close(one: object, other: object) -> bool:
    if isinstance(one, float) and isinstance(other, float):
        return isclose(one, other, rel_tol=ROUNDING, abs_tol=NOUGHT)
    return one == other
