"""Tables of people's own as sources. What is written into each test is the file, byte for byte."""

import pytest

from annotation.platform.core.line_files import BrokenFile
from annotation.platform.core.table_import import suggest
from generation.sources.core.shapes import SHAPES, ShapeName
from generation.sources.core.table_sources import FIELDS, MAX_PROMPTS_OF_ONE, MAX_ROWS, read_table, reduce


def problems(data: bytes, shape: ShapeName = "question", **mapping: str) -> list[str]:
    with pytest.raises(BrokenFile) as caught:
        reduce("own.csv", data, shape, mapping)
    return [str(problem) for problem in caught.value.problems]


def test_every_row_is_a_scenario_with_the_fields_of_the_shape() -> None:
    data = b"nr,topic,text\n7,Law,Is it fair?\n9,,Is it just?\n"
    mapping = {"key": "nr", "stratum": "topic", "subject": "topic", "question": "text"}
    reduction = reduce("own.csv", data, "question", mapping)
    assert [(step.name, step.kept, step.removed) for step in reduction.steps] == [("all rows", 2, 0)]
    assert [(one.key, one.stratum, dict(one.payload)) for one in reduction.scenarios] == [
        ("7", "Law", {"question": "Is it fair?", "subject": "Law"}),
        ("9", "all", {"question": "Is it just?", "subject": ""}),
    ]


def test_without_keys_the_number_of_its_line_names_a_row() -> None:
    data = b'question\n"Is it\nfair?"\nIs it just?\n'
    reduction = reduce("own.csv", data, "question", {"question": "question"})
    assert [one.key for one in reduction.scenarios] == ["line-2", "line-4"]


@pytest.mark.parametrize(
    "row",
    [
        b'"The baker; the courier ; Nobody"',
        b'"The baker\nthe courier\nNobody"',
    ],
)
def test_answers_are_parted_by_semicolons_or_on_lines_of_their_own(row: bytes) -> None:
    data = b"context,question,answers\nTwo met.,Who was late?," + row
    mapping = {name: name for name in ("context", "question", "answers")}
    [scenario] = reduce("own.csv", data, "scenario", mapping).scenarios
    assert scenario.payload["answers"] == ["The baker", "the courier", "Nobody"]


def test_answers_may_be_a_list_in_json_lines() -> None:
    data = b'{"context": "Two met.", "question": "Who was late?", "answers": ["The baker", "Nobody"]}'
    mapping = {name: name for name in ("context", "question", "answers")}
    [scenario] = reduce("own.jsonl", data, "scenario", mapping).scenarios
    assert scenario.payload["answers"] == ["The baker", "Nobody"]


def test_a_single_answer_is_none_to_choose_from() -> None:
    data = b"context,question,answers\nTwo met.,Who was late?,The baker"
    assert problems(data, "scenario", context="context", question="question", answers="answers") == [
        "line 2: the possible answers must be at least two, separated by semicolons or on lines of their own"
    ]


def test_quotations_have_a_line_each_and_name_no_document() -> None:
    data = b'concept,interpretation,quotes\nTrust,Relying on others.,"We rely.\nWe must."'
    mapping = {name: name for name in ("concept", "interpretation", "quotes")}
    [scenario] = reduce("own.csv", data, "concept", mapping).scenarios
    assert scenario.payload == {
        "theme": "",
        "concept": "Trust",
        "interpretation": "Relying on others.",
        "quotes": [
            {"text": "We rely.", "document": "", "citation": ""},
            {"text": "We must.", "document": "", "citation": ""},
        ],
    }


def test_every_problem_is_named_by_its_line() -> None:
    data = b"id,question\n1,Is it fair?\n2,\n1,Is it just?\n" + b"x" * 81 + b",Is it kind?\n"
    assert problems(data, question="question", key="id") == [
        "line 3: nothing is given for the question",
        "line 4: the key “1” is in line 2 already",
        "line 5: the key must have 80 characters at most, and has 81",
    ]


def test_a_mapping_names_columns_that_are_there_and_fields_that_are_known() -> None:
    assert problems(b"frage\nIs it fair?\n", question="fragen", colour="frage") == [
        "there is no column “fragen” for “question”",
        "nothing here is called “colour”; columns can hold key, question, stratum, subject",
    ]
    assert problems(b"frage\nIs it fair?\n", subject="frage") == ["no column is named for the question"]


def test_larger_tables_are_read_than_people_bring_into_a_study() -> None:
    rows = b"question\n" + b"Is it fair?\n" * 5001
    assert len(reduce("own.csv", rows, "question", {"question": "question"}).scenarios) == 5001
    [problem] = read_table(b"q\n" + b"x\n" * (MAX_ROWS + 1)).problems
    assert problem.text == "There are more than 100,000 lines. Bring them in several parts."


@pytest.mark.parametrize("shape", SHAPES)
def test_columns_that_go_by_the_names_of_fields_are_found(shape: ShapeName) -> None:
    names = [field.name for field in FIELDS[shape]]
    assert suggest(names, FIELDS[shape]) == {name: name for name in names}


def test_prompts_of_one_scenario_are_kept_together_in_their_order() -> None:
    data = b"scenario,stratum,prompt,generator\ns1,A,What is owed?,gpt\ns2,A,Who decides?,claude\ns1,A,To whom?,\n"
    fields = FIELDS["prompts"]
    reduction = reduce("pool.csv", data, "prompts", suggest(read_table(data).columns, fields))
    assert [(one.key, one.stratum) for one in reduction.scenarios] == [("s1", "A"), ("s2", "A")]
    prompts = reduction.scenarios[0].payload["prompts"]
    assert isinstance(prompts, list)
    assert [(prompt["text"], prompt["generator"]) for prompt in prompts] == [
        ("What is owed?", "gpt"),
        ("To whom?", ""),
    ]


def test_a_scenario_of_two_strata_and_a_prompt_that_is_there_twice_are_refused_by_their_lines() -> None:
    data = b"key,stratum,text\ns1,A,What is owed?\ns1,B,To whom?\ns1,A,What is owed?\n"
    assert problems(data, "prompts", key="key", stratum="stratum", text="text") == [
        "line 3: the scenario “s1” is of stratum “A” in line 2",
        "line 4: the same prompt is in line 2 already",
    ]


def test_scenarios_of_the_same_key_in_two_benchmarks_are_two() -> None:
    data = b"source,scenario_key,prompt\nHLE,1,What is owed?\nBBQ,1,Who decides?\nBBQ,1,To whom?\n"
    mapping = suggest(read_table(data).columns, FIELDS["prompts"])
    scenarios = reduce("pool.csv", data, "prompts", mapping).scenarios
    assert [(one.key, len(one.payload["prompts"])) for one in scenarios] == [("HLE/1", 1), ("BBQ/1", 2)]  # type: ignore[arg-type]
    only_one = reduce("pool.csv", data.replace(b"HLE,1", b"BBQ,2"), "prompts", mapping).scenarios
    assert [one.key for one in only_one] == ["2", "1"]
    long = data.replace(b"HLE,1", b"HLE," + b"x" * 77)
    with pytest.raises(BrokenFile, match="line 2: the benchmark and the scenario must have 79 characters together"):
        reduce("pool.csv", long, "prompts", mapping)


def test_a_scenario_with_more_prompts_than_can_be_counted_is_refused_once() -> None:
    data = b"key,text\n" + b"".join(b"all,Number %d?\n" % number for number in range(MAX_PROMPTS_OF_ONE + 2))
    assert problems(data, "prompts", key="key", text="text") == [
        "line 32769: the scenario “all” has more than 32,767 prompts; is another column its key?"
    ]
