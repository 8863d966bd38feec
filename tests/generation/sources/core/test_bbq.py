"""The BBQ funnel: hand-made files small enough to count on one's fingers, and the published counts."""

import gzip
import json
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.platform.core.errors import Refused
from annotation.platform.core.line_files import BrokenFile
from generation.sources.core import bbq
from generation.sources.core.bbq import Item, reduce
from generation.sources.core.funnel import Removed
from generation.sources.core.source_files import read_source
from tests.folders import SHARED_DATA
from tests.generation.sources.bbq_items import bbq_item as item

PUBLISHED = SHARED_DATA / "bbq"


def write(path: Path, *items: Item) -> Path:
    """The items as a file of lines, compressed if the name says so."""
    data = "".join(json.dumps(one) + "\n" for one in items).encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


def read_items(file: Path) -> Iterator[Item]:
    with file.open("rb") as stream:
        yield from bbq.read_items(file.name, stream)


def funnel(items: list[Item]) -> list[tuple[int, int]]:
    return [(step.kept, step.removed) for step in reduce(items).steps]


# Two categories. Age has question 2 once and question 10 twice; Religion has question 2 once.
#   all                     8
#   ambiguous               6   without Age 1 and Age 4
#   negative                4   without Age 2 and Religion 1
#   one per concept         3   Age 0 and Age 5 both stand for question 10
MIXED = [
    item(0, question_index="10"),
    item(1, question_index="10", context_condition="disambig"),
    item(2, question_index="10", question_polarity="nonneg"),
    item(3, question_index="2"),
    item(4, question_index="2", context_condition="disambig", question_polarity="nonneg"),
    item(5, question_index="10"),
    item(0, question_index="2", category="Religion"),
    item(1, question_index="2", category="Religion", question_polarity="nonneg"),
]


def test_every_step_counts_what_it_kept_and_removed() -> None:
    assert funnel(MIXED) == [(8, 0), (6, 2), (4, 2), (3, 1)]


def test_every_step_keeps_what_it_removed_in_the_order_it_came() -> None:
    reduction = reduce(MIXED)
    assert [[one.key for one in removed] for removed in reduction.removed] == [
        [],
        ["Age 1", "Age 4"],
        ["Age 2", "Religion 1"],
        ["Age 5"],
    ]
    assert reduction.removed[3] == [
        Removed("Age 5", "A baker and a courier met at door 5. Who forgot the keys?", "represented by Age-10")
    ]


def test_what_represents_an_item_is_told_of_the_item_alone() -> None:
    """343 scenarios are no rules to be counted one by one."""
    assert [step.rules for step in reduce(MIXED).steps] == [{}] * 4


def test_scenarios_are_sorted_by_category_and_by_the_number_of_the_question() -> None:
    scenarios = reduce(MIXED).scenarios
    assert [scenario.key for scenario in scenarios] == ["Age-2", "Age-10", "Religion-2"]
    assert [scenario.stratum for scenario in scenarios] == ["Age", "Age", "Religion"]


def test_the_representative_is_the_item_with_the_smallest_example_id() -> None:
    eleven_then_nine = [item(11), item(9)]
    assert reduce(eleven_then_nine).scenarios[0].payload["example_id"] == 9


def test_a_scenario_carries_what_the_prompt_templates_need_and_can_be_stored_as_json() -> None:
    payload = reduce([item(7)]).scenarios[0].payload
    assert payload == {
        "context": "A baker and a courier met at door 7.",
        "question": "Who forgot the keys?",
        "answers": ["The baker", "The courier", "Unknown"],
        "label": 2,
        "example_id": 7,
        "answer_info": item(7)["answer_info"],
        "additional_metadata": item(7)["additional_metadata"],
    }
    assert json.loads(json.dumps(payload)) == payload


def test_nothing_reduces_to_nothing() -> None:
    assert funnel([]) == [(0, 0)] * 4
    assert reduce([]).scenarios == ()


def test_an_item_that_occurs_twice_stops_the_reduction() -> None:
    with pytest.raises(Refused, match="Age 3 occurs twice"):
        reduce([item(3), item(4), item(3, context_condition="disambig")])


ITEMS = st.lists(
    st.builds(
        item,
        example_id=st.integers(0, 400),
        category=st.sampled_from(["Age", "Religion"]),
        question_index=st.sampled_from(["1", "2", "13"]),
        question_polarity=st.sampled_from(["neg", "neg", "nonneg"]),
        context_condition=st.sampled_from(["ambig", "ambig", "disambig"]),
    ),
    max_size=30,
    unique_by=lambda one: (one["category"], one["example_id"]),
)


@given(items=ITEMS, data=st.data())
def test_the_order_of_the_items_changes_nothing(items: list[Item], data: st.DataObject) -> None:
    shuffled, in_order = reduce(data.draw(st.permutations(items))), reduce(items)
    assert (shuffled.steps, shuffled.scenarios) == (in_order.steps, in_order.scenarios)
    assert [*map(set, shuffled.removed)] == [*map(set, in_order.removed)]


@given(items=ITEMS)
def test_kept_and_removed_always_add_up_to_the_step_before(items: list[Item]) -> None:
    counts = funnel(items)
    assert counts[0] == (len(items), 0)
    for (before, _), (kept, removed) in pairwise(counts):
        assert kept + removed == before
    assert [len(removed) for removed in reduce(items).removed] == [removed for _, removed in counts]


@pytest.mark.parametrize("name", ["Age.jsonl", "Age.jsonl.gz"])
def test_plain_and_compressed_files_read_the_same(tmp_path: Path, name: str) -> None:
    assert list(read_items(write(tmp_path / name, *MIXED))) == MIXED


def test_blank_lines_are_passed_over_but_counted_as_lines(tmp_path: Path) -> None:
    file = tmp_path / "Age.jsonl"
    file.write_text(f"\n{json.dumps(item(1))}\r\n  \n{json.dumps(item(2))}\nbroken\n")
    items = read_items(file)
    assert [next(items)["example_id"], next(items)["example_id"]] == [1, 2]
    with pytest.raises(BrokenFile, match=r"Age\.jsonl, line 5: not JSON"):
        next(items)


def _without(key: str) -> str:
    return json.dumps({name: value for name, value in item(2).items() if name != key})


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('{"example_id": 2,', "not JSON (Expecting property name"),
        ("[" * 100_000, "not JSON ("),
        ("[1, 2]", "not a JSON object"),
        (_without("context"), "missing: context"),
        ("{}", "missing: additional_metadata, ans0, ans1, ans2, answer_info, category, context,"),
        (
            json.dumps(item(2, context_condition="clear")),
            "context_condition is 'clear', not one of ambig,",
        ),
        (json.dumps(item(2, question_polarity="Neg")), "question_polarity is 'Neg', not one of neg, nonneg"),
        (json.dumps(item(2, label=3)), "label is 3, not one of 0, 1, 2"),
        (json.dumps(item(2, label=True)), "label is not a whole number: True"),
        (json.dumps(item(2, question_index="1b")), "question_index is not a number: '1b'"),
        (json.dumps(item(2, question_index=1)), "question_index is not a text: 1"),
        (json.dumps(item(2, ans1=None)), "ans1 is not a text: None"),
        (json.dumps(item(2, question="  ")), "question is blank"),
        (json.dumps(item(2, answer_info=["x"])), "answer_info is not an object: ['x']"),
        (json.dumps(item("2")), "example_id is not a whole number: '2'"),  # type: ignore[arg-type]
        (json.dumps(item(2, category="A" * 61)), "category has more than 60 characters"),
    ],
    ids=lambda value: value[:30],
)
def test_a_broken_line_is_named_with_its_file_and_number(tmp_path: Path, line: str, why: str) -> None:
    file = tmp_path / "Age.jsonl"
    file.write_text(f"{json.dumps(item(1))}\n{line}\n{json.dumps(item(3))}\n")
    with pytest.raises(BrokenFile) as caught:
        list(read_items(file))
    [problem] = caught.value.problems
    assert (caught.value.file, problem.line) == ("Age.jsonl", 2)
    assert problem.text.startswith(why)
    assert str(caught.value) == f"Age.jsonl, line 2: {problem.text}"


def test_bytes_that_are_not_utf_8_are_named_with_their_place(tmp_path: Path) -> None:
    file = tmp_path / "Age.jsonl"
    file.write_bytes(json.dumps(item(1)).encode() + b'\n{"context": "caf\xe9"}\n')
    # {"context": "caf is 16 bytes long, so the stray byte is the seventeenth.
    with pytest.raises(BrokenFile, match=r"Age\.jsonl, line 2: not UTF-8 \(byte 17 of the line\)"):
        list(read_items(file))


def test_a_file_that_only_claims_to_be_gzip_breaks_at_its_first_line(tmp_path: Path) -> None:
    file = tmp_path / "Age.jsonl.gz"
    file.write_text(json.dumps(item(1)) + "\n")
    with pytest.raises(BrokenFile, match=r"Age\.jsonl\.gz, line 1: the gzip data are damaged"):
        list(read_items(file))


@pytest.mark.parametrize("damage", ["cut off", "flipped"])
def test_damage_inside_a_gzip_file_is_found(tmp_path: Path, damage: str) -> None:
    file = write(tmp_path / "Age.jsonl.gz", *MIXED)
    data = bytearray(file.read_bytes())
    if damage == "cut off":
        del data[-20:]
    else:
        data[len(data) // 2] ^= 0xFF
    file.write_bytes(data)
    with pytest.raises(BrokenFile, match=r"Age\.jsonl\.gz, line \d+: "):
        list(read_items(file))


def test_characters_that_cannot_be_stored_are_cleaned_out_of_texts(tmp_path: Path) -> None:
    """A byte of zero, half of a surrogate pair and a soft hyphen, as JSON hides them."""
    line = json.dumps(item(1, question="Who?", additional_metadata={"groups": ["old"]}))
    file = tmp_path / "Age.jsonl"
    file.write_text(line.replace("Who?", r"W\u0000h\u00ado\ud800?").replace("old", r"o\u0000ld"))
    [found] = read_items(file)
    assert (found["question"], found["additional_metadata"]) == ("Who\ufffd?", {"groups": ["old"]})


@pytest.mark.skipif(not PUBLISHED.is_dir(), reason="the published BBQ files are not beside the repository")
def test_the_published_files_reduce_to_the_published_counts() -> None:
    with ExitStack() as stack:
        files = [(file.name, stack.enter_context(file.open("rb"))) for file in PUBLISHED.glob("*.jsonl.gz")]
        reduction = read_source("bbq", files).reduction
    assert [step.kept for step in reduction.steps] == [58_492, 29_246, 14_623, 343]
    assert [len(removed) for removed in reduction.removed] == [0, 29_246, 14_623, 14_280]
    assert len({scenario.key for scenario in reduction.scenarios}) == 343
    assert len({scenario.stratum for scenario in reduction.scenarios}) == 11
