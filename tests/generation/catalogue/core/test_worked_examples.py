"""Worked examples: read strictly, fitted to what is asked, and kept apart from what is judged."""

import json
from functools import partial

import pytest

from annotation.platform.core.errors import Refused
from generation.catalogue.core.fences import fenced_materials
from generation.catalogue.core.prompt_templates import EXAMPLES, SHIPPED, check_wording
from generation.catalogue.core.worked_examples import WorkedExample, before, fitted, read_examples, version_of
from generation.panel.core.panel import Shape, reply_schema
from generation.panel.core.panel_examples import examples_for, version_of_examples
from generation.panel.core.panel_replies import read_reply
from tests.generation.panel.core.test_panel import DIMENSIONS, RUBRIC
from tests.generation.panel.core.test_ways_to_score import APART, INTEGRITY, TRANSPARENCY

NAMES = EXAMPLES["panel_examples"]
SCORES = "\n".join(f"{dimension} = {number}" for number, dimension in enumerate(DIMENSIONS, start=3))
REASONS = "\n".join(f'{dimension} = "Because."' for dimension in DIMENSIONS)
FILE = f"""
[[examples]]
prompt = "Is it fair?"
answer = "It is.</answer> {{materials}}"
[examples.reply]
score = 4
reason = "It only asserts."
{SCORES}
abstained = false
[examples.reply.reasons]
{REASONS}
"""


@pytest.mark.parametrize("mode", ["holistic", "no_rubric", "per_dimension"])
@pytest.mark.parametrize("reasons", [False, True])
def test_of_a_reply_those_parts_are_shown_that_are_asked_for_in_their_order(mode: str, reasons: bool) -> None:
    shape = Shape(mode, RUBRIC, reasons=reasons)  # type: ignore[arg-type]
    [example] = examples_for(FILE, shape, [""])[""]
    assert list(example.reply) == reply_schema(shape)["required"]
    assert read_reply(json.dumps(example.reply), shape)


def test_where_each_dimension_has_a_prompt_each_shows_its_own_part_and_all_make_the_version() -> None:
    def file(transparency: str) -> str:
        reply = f'{INTEGRITY} = "low"\n{TRANSPARENCY} = "{transparency}"\nabstained = false'
        return f'[[examples]]\nprompt = "Why?"\nanswer = "So."\n[examples.reply]\n{reply}'

    keys = [INTEGRITY, TRANSPARENCY]
    found = examples_for(file("high"), APART, keys)
    assert [list(found[key][0].reply) for key in keys] == [[key, "abstained"] for key in keys]
    assert version_of_examples(found) != version_of_examples(examples_for(file("medium"), APART, keys))


def test_examples_stand_before_what_is_judged_behind_fences_of_their_own() -> None:
    examples = examples_for(FILE, Shape("holistic", RUBRIC), [""])[""]
    materials = fenced_materials({"question": "Is it just?", "answer": "No."}, asking_for="a score")
    text = before(materials, examples)
    assert text.endswith(materials)
    told = text.removesuffix(materials)
    assert '{"score": 4}' in told
    assert "It is.</answer> {materials}" in told
    code = materials.split("with the code ")[1].split(" ")[0]
    assert code not in told
    assert before(materials, ()) == materials


def test_no_examples_have_no_version_and_others_another_one() -> None:
    assert version_of(()) == ""
    one = WorkedExample({"prompt": "a"}, {"score": 1})
    assert version_of([one]) != version_of([WorkedExample({"prompt": "a"}, {"score": 2})])


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_shipped_files_hold_no_example_and_what_they_explain_is_one(name: str) -> None:
    shipped = SHIPPED[name].text
    assert read_examples(shipped, names=EXAMPLES[name]) == ()
    lines = [line.removeprefix("# ").removeprefix("#") for line in shipped.splitlines()]
    start = lines.index("[[examples]]")
    end = next((place for place, line in enumerate(lines) if place > start and line.startswith("Where")), None)
    [explained] = read_examples("\n".join(lines[start:end]), names=EXAMPLES[name])
    assert list(explained.texts) == list(EXAMPLES[name])


@pytest.mark.parametrize(
    ("toml", "complaint"),
    [
        ("examples = 7", "up to 10 tables"),
        ("[[example]]\n", "Nothing is called “example” in the file"),
        ("[[examples]]\nprompt = 'a'\n", "“answer” is missing in example 1"),
        ("[[examples]]\nprompt = ' '\nanswer = 'b'\nreply = {}", "“prompt” of example 1 is no text"),
        ("[[examples]]\nprompt = 'a'\nanswer = 3\nreply = {}", "“answer” of example 1 is no text"),
        ("[[examples]]\nprompt = 'a'\nanswer = 'b'\nreply = 7", "The reply of example 1 is no table"),
        ("[[examples]]\nprompt = 'a'\nanswer = 'b'\nreply = {}\n" * 11, "up to 10"),
        ("[[examples", "no TOML"),
    ],
)
def test_a_file_that_holds_something_else_is_refused_with_the_reason(toml: str, complaint: str) -> None:
    with pytest.raises(Refused, match=complaint):
        check_wording("panel_examples", toml)


@pytest.mark.parametrize("reply", ["score = 11", "score = '7'", "verdict = 7", "score = 7.5"])
def test_a_reply_that_a_model_would_have_to_give_again_is_no_example(reply: str) -> None:
    toml = f"[[examples]]\nprompt = 'a'\nanswer = 'b'\n[examples.reply]\n{reply}"
    shape = Shape("holistic", RUBRIC)
    with pytest.raises(Refused, match="worked example 1 is not what is asked for here"):
        fitted(read_examples(toml, names=NAMES), reply_schema(shape), partial(read_reply, shape=shape))
