"""Rubrics as data: a TOML file in, a checked and frozen `Rubric` out, and the arithmetic of its scores."""

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeVar, get_args

from annotation.platform.core.errors import Refused
from annotation.platform.core.text import sha256_hex
from annotation.platform.core.toml_files import NotToml, read_toml
from annotation.study.core.rubric_parts import ADVICE

Combine = Literal["sum", "mean"]
Prompting = Literal["together", "separate"]
End = Literal["low", "medium", "high"]

MAX_SCORE = 100
MAX_VERSION = 9_999
MAX_KEY_LENGTH = 40  # characters

_IDENTIFIER = re.compile(r"[a-z][a-z0-9_]*")


class RubricError(Refused):
    """The file is no rubric; the message names the key that is wrong."""


@dataclass(frozen=True)
class Band:
    """A named stretch of a scale, both ends included."""

    key: str
    name: str
    minimum: int
    maximum: int


@dataclass(frozen=True)
class Scale:
    """Whole numbers from `minimum` to `maximum` in steps of `step`; bands, if any, cover it without gaps."""

    minimum: int
    maximum: int
    step: int
    bands: tuple[Band, ...]

    def allows(self, value: object) -> bool:
        """Say whether `value` is a whole number on the scale."""
        return (
            type(value) is int and self.minimum <= value <= self.maximum and (value - self.minimum) % self.step == 0
        )

    @property
    def words(self) -> dict[str, int]:
        """The values by the keys of their bands where each band is of one, such as pass and fail; else none."""
        words = {band.key: band.minimum for band in self.bands if band.minimum == band.maximum}
        return words if len(words) == len(self.bands) and self.step == 1 else {}

    def band(self, value: int) -> Band | None:
        """Return the band that holds `value`; None on a scale without bands."""
        return next((band for band in self.bands if band.minimum <= value <= band.maximum), None)


@dataclass(frozen=True)
class Example:
    """A passage that belongs to one end of a dimension, or to its middle, and why it does."""

    key: End
    text: str
    why: str


@dataclass(frozen=True)
class Dimension:
    """One quality to score, with the anchors for its low end, its high end and, where given, its middle.

    Where the file says so, also what is measured and what is not, and up to an example for each end.
    """

    key: str
    name: str
    short_name: str
    definition: str
    questions: tuple[str, ...]
    low: str
    medium: str
    high: str
    measured: tuple[str, ...] = ()
    not_measured: tuple[str, ...] = ()
    examples: tuple[Example, ...] = ()


@dataclass(frozen=True)
class Variant:
    """Another way to ask for the same rubric: another scale, or a prompt for each dimension."""

    key: str
    name: str
    scale: Scale
    prompting: Prompting


@dataclass(frozen=True)
class Rubric:
    """A measuring instrument. `sha256` is that of its file, in UTF-8 with LF line ends.

    `guidance` says how to use it; where the file has them apart, `rounding` does so between bands, and `pitfalls`
    are to be avoided.
    """

    slug: str
    version: int
    title: str
    intro: str
    guidance: tuple[str, ...]
    dimensions: tuple[Dimension, ...]
    scale: Scale
    combine: Combine
    variants: tuple[Variant, ...]
    sha256: str
    rounding: str = ""
    pitfalls: tuple[str, ...] = ()

    def advice(self, parts: Collection[str] = ADVICE) -> tuple[str, ...]:
        """Sentences on scoring, those of `parts`, as people and judge models see them."""
        told = {
            "guidance": self.guidance,
            "rounding": (self.rounding,) if self.rounding else (),
            "pitfalls": tuple(f"Pitfall: {pitfall}" for pitfall in self.pitfalls),
        }
        return tuple(sentence for part in ADVICE if part in parts for sentence in told[part])

    @property
    def composite_range(self) -> tuple[int, int]:
        """The lowest and the highest composite."""
        factor = len(self.dimensions) if self.combine == "sum" else 1
        return self.scale.minimum * factor, self.scale.maximum * factor

    def composite(self, scores: Mapping[str, int]) -> float:
        """Return the sum (an int) or the mean of the dimensions' scores, on which answers are ranked.

        Composites tie exactly where the sums of whole scores do: equal sums divided by one count are equal
        floats, and different sums are not. Raises `ValueError` where a score is missing, off the scale or of no
        dimension of this rubric.
        """
        return self._total(scores) if self.combine == "sum" else self.mean(scores)

    def mean(self, scores: Mapping[str, int]) -> float:
        """Return the mean of the dimensions, in points of the scale: the figure to report, however combined."""
        return self._total(scores) / len(self.dimensions)

    def missing(self, scores: Mapping[str, int]) -> tuple[str, ...]:
        """Return the keys of the dimensions without a score, in the rubric's order."""
        return tuple(dimension.key for dimension in self.dimensions if dimension.key not in scores)

    def check(self, dimension_key: str, value: object) -> None:
        """Raise `ValueError`, in a sentence for the person scoring, unless `value` can be given."""
        dimension = next((d for d in self.dimensions if d.key == dimension_key), None)
        if dimension is None:
            raise ValueError(f"{self.title} has no dimension {dimension_key}.")
        if not self.scale.allows(value):
            steps = "" if self.scale.step == 1 else f" in steps of {self.scale.step}"
            raise ValueError(
                f"{dimension.name} takes whole numbers from {self.scale.minimum} to {self.scale.maximum}{steps}; "
                f"{value!r} is none of them."
            )

    def variant(self, key: str) -> Variant:
        """Return the variant `key`. Raises `KeyError` for an unknown one."""
        return {variant.key: variant for variant in self.variants}[key]

    def in_variant(self, key: str) -> "Rubric":
        """Return this rubric on the scale of the variant `key`. Raises `KeyError` for an unknown variant."""
        return replace(self, scale=self.variant(key).scale)

    def _total(self, scores: Mapping[str, int]) -> int:
        if missing := self.missing(scores):
            raise ValueError(f"Without a score: {', '.join(missing)}.")
        for key, value in scores.items():
            self.check(key, value)
        return sum(scores.values())


_Choice = TypeVar("_Choice", bound=str)
_Part = TypeVar("_Part", Band, Dimension, Example, Variant)
_Value = TypeVar("_Value")


def parse(toml_text: str) -> Rubric:
    """Return the rubric in `toml_text`. Raises `RubricError` naming the first key that is wrong."""
    toml_text = toml_text.replace("\r\n", "\n")
    try:
        file = _Table(read_toml(toml_text), "")
    except NotToml as error:
        raise RubricError(str(error)) from error
    rubric = Rubric(
        slug=file.identifier("slug"),
        version=file.integer("version", at_least=1, at_most=MAX_VERSION),
        title=file.text("title"),
        intro=file.text("intro"),
        guidance=file.texts("guidance"),
        dimensions=file.tables("dimensions", _dimension),
        scale=_scale(file.table("scale")),
        combine=file.choice("combine", get_args(Combine)),
        variants=file.tables("variants", _variant, optional=True),
        sha256=sha256_hex(toml_text),
        rounding=file.text("rounding", optional=True),
        pitfalls=file.texts("pitfalls", optional=True),
    )
    file.finish()
    return rubric


def _dimension(table: "_Table") -> Dimension:
    return Dimension(
        key=table.identifier("key"),
        name=table.text("name"),
        short_name=table.text("short_name"),
        definition=table.text("definition"),
        questions=table.texts("questions"),
        low=table.text("low"),
        medium=table.text("medium", optional=True),
        high=table.text("high"),
        measured=table.texts("measured", optional=True),
        not_measured=table.texts("not_measured", optional=True),
        examples=table.tables("examples", _example, optional=True),
    )


def _example(table: "_Table") -> Example:
    return Example(key=table.choice("key", get_args(End)), text=table.text("text"), why=table.text("why"))


def _variant(table: "_Table") -> Variant:
    return Variant(
        key=table.identifier("key"),
        name=table.text("name"),
        scale=_scale(table.table("scale")),
        prompting=table.choice("prompting", get_args(Prompting)),
    )


def _scale(table: "_Table") -> Scale:
    minimum = table.integer("minimum", at_least=0)
    maximum = table.integer("maximum", at_least=minimum + 1, at_most=MAX_SCORE)
    step = table.integer("step", at_least=1)
    if (maximum - minimum) % step:
        raise table.error("step", f"must lead from {minimum} to {maximum}")
    bands = table.tables("bands", _band, optional=True)
    starts = [band.minimum for band in bands] + [maximum + 1]
    ends = [minimum - 1] + [band.maximum for band in bands]
    if bands and any(start != end + 1 for start, end in zip(starts, ends, strict=True)):
        raise table.error("bands", f"must cover {minimum} to {maximum} in order, without gap or overlap")
    table.finish()
    return Scale(minimum, maximum, step, bands)


def _band(table: "_Table") -> Band:
    minimum = table.integer("minimum")
    return Band(
        key=table.identifier("key"),
        name=table.text("name"),
        minimum=minimum,
        maximum=table.integer("maximum", at_least=minimum),
    )


class _Table:
    """One table of the file: hands out each key once, checked, and complains by the key's full name."""

    def __init__(self, values: dict[str, Any], path: str) -> None:
        self._left = dict(values)
        self._path = path

    def error(self, key: str, complaint: str) -> RubricError:
        return RubricError(f"{self._path}{key} {complaint}.")

    def finish(self) -> None:
        if self._left:
            raise self.error(min(self._left), "is not a key of a rubric")

    def integer(self, key: str, *, at_least: int | None = None, at_most: int | None = None) -> int:
        value = self._take(key, int, "a whole number")
        if at_least is not None and value < at_least:
            raise self.error(key, f"must be {at_least} or more")
        if at_most is not None and value > at_most:
            raise self.error(key, f"must be {at_most} or less")
        return value

    def text(self, key: str, *, optional: bool = False) -> str:
        value = self._take(key, str, "text", default="" if optional else None)
        if not optional and not value.strip():
            raise self.error(key, "is empty")
        return value.strip()

    def identifier(self, key: str) -> str:
        value = self.text(key)
        if not _IDENTIFIER.fullmatch(value):
            raise self.error(key, "must be lower-case letters, digits and underscores, a letter first")
        if len(value) > MAX_KEY_LENGTH:
            raise self.error(key, f"has more than {MAX_KEY_LENGTH} characters")
        return value

    def choice(self, key: str, allowed: tuple[_Choice, ...]) -> _Choice:
        value = self.text(key)
        for option in allowed:
            if option == value:
                return option
        raise self.error(key, f"must be one of {', '.join(map(str, allowed))}")

    def texts(self, key: str, *, optional: bool = False) -> tuple[str, ...]:
        values = self._take(key, list, "a list of texts", default=[] if optional else None)
        if (not values and not optional) or not all(isinstance(value, str) and value.strip() for value in values):
            raise self.error(key, "must be a list of texts, none of them empty")
        return tuple(value.strip() for value in values)

    def table(self, key: str) -> "_Table":
        return _Table(self._take(key, dict, "a table"), f"{self._path}{key}.")

    def tables(self, key: str, read: Callable[["_Table"], _Part], *, optional: bool = False) -> tuple[_Part, ...]:
        """Return every table of the list `key`, read and finished; their `key`s must differ."""
        values = self._take(key, list, "a list of tables", default=[] if optional else None)
        if not values and not optional:
            raise self.error(key, "is empty")
        parts: list[_Part] = []
        for position, value in enumerate(values, start=1):
            if not isinstance(value, dict):
                raise self.error(key, "must be a list of tables")
            table = _Table(value, f"{self._path}{key}[{position}].")
            part = read(table)
            table.finish()
            if part.key in {earlier.key for earlier in parts}:
                raise table.error("key", f"repeats {part.key}")
            parts.append(part)
        return tuple(parts)

    def _take(self, key: str, kind: type[_Value], description: str, *, default: _Value | None = None) -> _Value:
        value = self._left.pop(key, default)
        if value is None:
            raise self.error(key, "is missing")
        if type(value) is not kind:
            raise self.error(key, f"must be {description}")
        return value
