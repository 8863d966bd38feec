"""A table of somebody's own as a source: which of its columns holds what a scenario is made of."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from annotation.platform.core.cells import one_line, text
from annotation.platform.core.errors import Refused
from annotation.platform.core.line_files import BrokenFile
from annotation.platform.core.table_import import Field, ParsedRow, Problem, Table, read, take
from generation.sources.core.funnel import Funnel, Reduction, Scenario
from generation.sources.core.shapes import FINISHED, SHAPES, ShapeName

MAX_BYTES: Final = 50_000_000
MAX_ROWS: Final = 100_000

MAX_PROMPTS_OF_ONE: Final = 32_767  # of one scenario, as their places are kept

MAX_NAME_LENGTH: Final = 80  # characters of a key or a stratum
MAX_TEXT_LENGTH: Final = 20_000
MAX_PROMPT_LENGTH: Final = 10_000
MAX_LABEL_LENGTH: Final = 300
MAX_MODEL_LENGTH: Final = 40  # the name of a model's family
MAX_MODEL_ID_LENGTH: Final = 120

_OF_A_PROMPT: Final = ("text", "label", "dimensions", "generator", "model_id")

ONLY_STRATUM: Final = "all"
"""The stratum of every scenario of a table that names none."""


def _parts(cell: str) -> list[str]:
    """Texts on lines of their own or, in a single line, separated by semicolons."""
    found = [part.strip() for part in cell.split("\n" if "\n" in cell else ";")]
    return [part for part in found if part]


def _answers(cell: str) -> list[str]:
    answers = _parts(cell)
    if len(answers) < 2:
        raise Refused("must be at least two, separated by semicolons or on lines of their own")
    return answers


def _quotes(cell: str) -> list[dict[str, str]]:
    """Quotations; they name no document, so nothing checks them."""
    return [{"text": line.strip(), "document": "", "citation": ""} for line in cell.splitlines() if line.strip()]


_TAKES: Final[Mapping[str, Callable[[str], Any]]] = {
    "answers": _answers,
    "quotes": _quotes,
    "subject": one_line(MAX_NAME_LENGTH),
    "theme": one_line(MAX_NAME_LENGTH),
    "concept": one_line(MAX_NAME_LENGTH),
}
_ALSO: Final[Mapping[str, tuple[str, ...]]] = {
    "context": ("scene", "scenario", "vignette"),
    "question": ("prompt", "text"),
    "answers": ("answer", "options", "choices"),
    "subject": ("topic", "raw_subject"),
    "concept": ("name",),
    "interpretation": ("definition", "description"),
    "quotes": ("quote", "quotation"),
}

_STRATUM: Final = Field("stratum", "Stratum", one_line(MAX_NAME_LENGTH), also=("category", "group", "domain"))

FIELDS: Final[Mapping[ShapeName, tuple[Field, ...]]] = {
    shape.name: (
        *(
            Field(name, label, _TAKES.get(name, text(MAX_TEXT_LENGTH)), name in shape.required, _ALSO.get(name, ()))
            for name, label in shape.fields.items()
        ),
        Field("key", "Key", one_line(MAX_NAME_LENGTH), also=("id", "code", "number")),
        _STRATUM,
    )
    for shape in SHAPES.values()
    if shape.name != FINISHED
} | {
    FINISHED: (
        Field(
            "text", "Prompt", text(MAX_PROMPT_LENGTH), is_required=True, also=("prompt", "prompt_text", "question")
        ),
        Field("label", "Underlying issue", one_line(MAX_LABEL_LENGTH), also=("underlying_issue", "issue", "title")),
        Field("dimensions", "Diversity dimensions", text(MAX_TEXT_LENGTH), also=("diversity_dimensions",)),
        Field(
            "generator",
            "Written by",
            one_line(MAX_MODEL_LENGTH),
            also=("generator_family", "family", "model_family", "model"),
        ),
        Field("model_id", "Its model", one_line(MAX_MODEL_ID_LENGTH), also=("generator_model",)),
        Field("key", "Scenario", one_line(MAX_NAME_LENGTH), also=("scenario_key", "scenario", "scenario_id")),
        Field("source", "Benchmark", one_line(MAX_NAME_LENGTH), also=("benchmark", "dataset")),
        _STRATUM,
    )
}
"""What a column can hold, by the shape that rows are to have. Without a key, the number of its line names a row. Of
finished prompts several may be of one key, which names a scenario of its benchmark.
"""


def read_table(data: bytes) -> Table:
    """Like `table_import.read`, for a table as large as sources are."""
    return read(data, max_bytes=MAX_BYTES, max_rows=MAX_ROWS)


def reduce(name: str, data: bytes, shape: ShapeName, mapping: Mapping[str, str]) -> Reduction:
    """Every row of the table in a file as a scenario; `mapping` is field → column.

    Raises `BrokenFile` with every problem where a line does not say what the shape needs, or repeats a key.
    """
    table = read_table(data)
    problems = [*table.problems]
    if table.columns:
        problems += _faults_of(mapping, table, FIELDS[shape])
    if problems:
        raise BrokenFile(name, problems)
    lines, problems = take(table.rows, FIELDS[shape], mapping)
    if shape == FINISHED:
        lines = _by_benchmark(lines)
    problems += _torn(lines) if shape == FINISHED else _repeated(lines)
    if problems:
        raise BrokenFile(name, sorted(problems, key=lambda problem: problem.line or 0))
    funnel = Funnel("all rows", lines, lambda line: (_key(line), ""))
    if shape == FINISHED:
        return funnel.reduction(_finished(lines))
    return funnel.reduction(_scenario(line, shape) for line in lines)


def _faults_of(mapping: Mapping[str, str], table: Table, fields: Sequence[Field]) -> Iterator[Problem]:
    known = {field.name for field in fields}
    for name, column in mapping.items():
        if name not in known:
            yield Problem(f"nothing here is called “{name}”; columns can hold {', '.join(sorted(known))}")
        elif column and column not in table.columns:
            yield Problem(f"there is no column “{column}” for “{name}”")
    for field in fields:
        if field.is_required and not mapping.get(field.name):
            yield Problem(f"no column is named for the {field.label.lower()}")


def _repeated(lines: Sequence[ParsedRow]) -> Iterator[Problem]:
    first: dict[str, int] = {}
    for line in lines:
        earlier = first.setdefault(_key(line), line.line)
        if earlier != line.line:
            yield Problem(f"the key “{_key(line)}” is in line {earlier} already", line.line)


def _by_benchmark(lines: list[ParsedRow]) -> list[ParsedRow]:
    """Rows with the benchmark in their keys where there are several of them, of which each has keys of its own."""
    if len({line.values.get("source") for line in lines}) < 2:
        return lines
    return [
        replace(line, values={**line.values, "key": f"{line.values['source']}/{line.values['key']}"})
        if "source" in line.values and "key" in line.values
        else line
        for line in lines
    ]


def _torn(lines: Sequence[ParsedRow]) -> Iterator[Problem]:
    """A scenario is of one stratum, and has no prompt by one writer twice, nor more than can be counted."""
    numbers = Counter[str]()
    strata: dict[str, tuple[str, int]] = {}
    texts: dict[tuple[str, str, str], int] = {}
    for line in lines:
        own = str(line.values.get("stratum", ONLY_STRATUM))
        stratum, earlier = strata.setdefault(_key(line), (own, line.line))
        if stratum != own:
            yield Problem(f"the scenario “{_key(line)}” is of stratum “{stratum}” in line {earlier}", line.line)
        numbers[_key(line)] += 1
        if numbers[_key(line)] == MAX_PROMPTS_OF_ONE + 1:
            yield Problem(
                f"the scenario “{_key(line)}” has more than {MAX_PROMPTS_OF_ONE:,} prompts; is another column "
                "its key?",
                line.line,
            )
        if line.line == earlier and len(_key(line)) > MAX_NAME_LENGTH:
            yield Problem(
                f"the benchmark and the scenario must have {MAX_NAME_LENGTH - 1} characters together at most",
                line.line,
            )
        place = _key(line), str(line.values.get("generator", "")), str(line.values["text"])
        if (first := texts.setdefault(place, line.line)) != line.line:
            yield Problem(f"the same prompt is in line {first} already", line.line)


def _finished(lines: Sequence[ParsedRow]) -> Iterator[Scenario]:
    """One for each scenario, with all prompts that were written from it, in the order of the lines."""
    strata: dict[str, str] = {}
    prompts: dict[str, list[dict[str, str]]] = {}
    for line in lines:
        strata.setdefault(_key(line), str(line.values.get("stratum", ONLY_STRATUM)))
        prompts.setdefault(_key(line), []).append({name: str(line.values.get(name, "")) for name in _OF_A_PROMPT})
    return (Scenario(key, stratum, {"prompts": prompts[key]}) for key, stratum in strata.items())


def _key(line: ParsedRow) -> str:
    return str(line.values.get("key", f"line-{line.line}"))


def _scenario(line: ParsedRow, shape: ShapeName) -> Scenario:
    payload = {field: line.values.get(field, "") for field in SHAPES[shape].fields}
    return Scenario(_key(line), str(line.values.get("stratum", ONLY_STRATUM)), payload)
