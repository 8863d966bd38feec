from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.platform.core.text import sha256_hex
from annotation.study.core.rubric import Band, Rubric, RubricError, parse
from tests.folders import PROJECT
from tests.thorough import examples

FOLDER = PROJECT / "annotation/study/rubrics"
FILES = sorted(FOLDER.glob("*.toml"))
SOCIAL = parse((FOLDER / "social_concept_reasoning-1.toml").read_text("utf-8"))
CONSTITUTIONAL = parse((FOLDER / "constitutional_reasoning-2.toml").read_text("utf-8"))

SMALL = """
slug = "small"
version = 1
title = "Small"
intro = "Two qualities."
combine = "mean"
guidance = ["Read first."]

[scale]
minimum = 0
maximum = 10
step = 5
bands = [
  { key = "low", name = "Low", minimum = 0, maximum = 4 },
  { key = "high", name = "High", minimum = 5, maximum = 10 },
]

[[dimensions]]
key = "one"
name = "One"
short_name = "1"
definition = "The first."
questions = ["Is it?"]
low = "No."
high = "Yes."

[[dimensions]]
key = "two"
name = "Two"
short_name = "2"
definition = "The second."
questions = ["Is it?", "Why?"]
low = "No."
high = "Yes."

[[variants]]
key = "binary"
name = "Pass or fail"
prompting = "separate"
scale = { minimum = 0, maximum = 1, step = 1 }
"""


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_shipped_file_is_named_after_the_rubric_and_version_it_holds(path: Path) -> None:
    rubric = parse(path.read_text("utf-8"))
    assert path.stem == f"{rubric.slug}-{rubric.version}"


def test_social_concept_reasoning_sums_five_qualities_from_1_to_10() -> None:
    assert [dimension.key for dimension in SOCIAL.dimensions] == [
        "conceptual_clarity",
        "evidential_grounding",
        "contextual_relevance",
        "pluralistic_engagement",
        "argumentative_soundness",
    ]
    assert SOCIAL.composite_range == (5, 50)
    scores = dict(zip([dimension.key for dimension in SOCIAL.dimensions], [7, 8, 6, 9, 7], strict=True))
    # 7 + 8 + 6 + 9 + 7 = 37, and 37 / 5 = 7.4
    assert SOCIAL.composite(scores) == 37
    assert type(SOCIAL.composite(scores)) is int
    assert SOCIAL.mean(scores) == 7.4
    assert SOCIAL.scale.band(7) is None


def test_constitutional_reasoning_averages_two_qualities_from_0_to_100() -> None:
    assert [dimension.key for dimension in CONSTITUTIONAL.dimensions] == [
        "epistemic_integrity",
        "value_transparency",
    ]
    assert CONSTITUTIONAL.composite_range == (0, 100)
    # (90 + 65) / 2 = 77.5
    assert CONSTITUTIONAL.composite({"epistemic_integrity": 90, "value_transparency": 65}) == 77.5
    assert all(dimension.medium for dimension in CONSTITUTIONAL.dimensions)


def test_constitutional_reasoning_says_what_is_measured_and_what_is_not_with_an_example_of_each_band() -> None:
    for dimension in CONSTITUTIONAL.dimensions:
        assert dimension.measured
        assert dimension.not_measured
        assert {example.key for example in dimension.examples} == {"low", "medium", "high"}


def test_rules_rounding_and_pitfalls_are_told_in_this_order_together_or_apart() -> None:
    rules = CONSTITUTIONAL.guidance
    assert [sentence.split()[0] for sentence in CONSTITUTIONAL.advice()] == [
        *(rule.split()[0] for rule in rules),
        "Between",
        *["Pitfall:"] * 4,
    ]
    assert CONSTITUTIONAL.advice(["guidance"]) == rules
    assert CONSTITUTIONAL.advice(["rounding"]) == (CONSTITUTIONAL.rounding,)
    assert SOCIAL.advice() == SOCIAL.guidance


def test_an_example_belongs_to_an_end_or_the_middle() -> None:
    example = SMALL.replace("low = ", 'examples = [{key = "fine", text = "So.", why = "It is."}]\nlow = ', 1)
    with pytest.raises(RubricError, match=r"dimensions\[1\].examples\[1\].key must be one of low, medium, high"):
        parse(example)


@pytest.mark.parametrize(
    ("score", "band"), [(0, "low"), (59, "low"), (60, "medium"), (84, "medium"), (85, "high"), (100, "high")]
)
def test_constitutional_bands_meet_at_60_and_85(score: int, band: str) -> None:
    found = CONSTITUTIONAL.scale.band(score)
    assert found is not None
    assert found.key == band


def test_constitutional_variants_are_the_four_approaches_to_validate() -> None:
    approaches = [
        (variant.key, variant.prompting, variant.scale.minimum, variant.scale.maximum, len(variant.scale.bands))
        for variant in CONSTITUTIONAL.variants
    ]
    assert approaches == [
        ("binary", "together", 0, 1, 2),
        ("trinary", "together", 0, 2, 3),
        ("trinary_separate", "separate", 0, 2, 3),
        ("points", "together", 0, 100, 3),
    ]


def test_a_variant_changes_the_scale_and_nothing_else() -> None:
    binary = CONSTITUTIONAL.in_variant("binary")
    assert binary.composite({"epistemic_integrity": 1, "value_transparency": 0}) == 0.5
    with pytest.raises(ValueError, match="from 0 to 1"):
        binary.check("epistemic_integrity", 60)
    assert (binary.dimensions, binary.sha256) == (CONSTITUTIONAL.dimensions, CONSTITUTIONAL.sha256)
    with pytest.raises(KeyError):
        CONSTITUTIONAL.in_variant("quaternary")


def test_parsing_reads_every_key() -> None:
    rubric = parse(SMALL)
    assert (rubric.slug, rubric.version, rubric.title, rubric.intro) == ("small", 1, "Small", "Two qualities.")
    assert (rubric.combine, rubric.guidance) == ("mean", ("Read first.",))
    assert (rubric.rounding, rubric.pitfalls) == ("", ())
    assert (rubric.scale.minimum, rubric.scale.maximum, rubric.scale.step) == (0, 10, 5)
    assert rubric.scale.bands == (Band("low", "Low", 0, 4), Band("high", "High", 5, 10))
    two = rubric.dimensions[1]
    assert (two.key, two.name, two.short_name, two.definition) == ("two", "Two", "2", "The second.")
    assert (two.questions, two.low, two.medium, two.high) == (("Is it?", "Why?"), "No.", "", "Yes.")
    assert rubric.variants[0].name == "Pass or fail"


def test_the_hash_is_that_of_the_file_whatever_its_line_ends() -> None:
    assert parse(SMALL).sha256 == sha256_hex(SMALL)
    assert parse(SMALL.replace("\n", "\r\n")).sha256 == sha256_hex(SMALL)
    assert parse(SMALL + "\n").sha256 != sha256_hex(SMALL)


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('slug = "small"', "slug = ", "This is not TOML"),
        ('slug = "small"', 'slug = "Small one"', "slug must be lower-case"),
        ("version = 1", "", "version is missing"),
        ("version = 1", 'version = "1"', "version must be a whole number"),
        ("version = 1", "version = true", "version must be a whole number"),
        ("version = 1", "version = 0", "version must be 1 or more"),
        ('title = "Small"', 'title = " "', "title is empty"),
        ('title = "Small"', 'title = "Small"\nweight = 2', "weight is not a key"),
        ('combine = "mean"', 'combine = "median"', "combine must be one of sum, mean"),
        ('guidance = ["Read first."]', 'guidance = ["Read first.", ""]', "guidance must be a list of texts"),
        ("maximum = 10\nstep", "maximum = 0\nstep", "scale.maximum must be 1 or more"),
        ("step = 5", "step = 3", "scale.step must lead from 0 to 10"),
        ("step = 5", "step = 0", "scale.step must be 1 or more"),
        ("minimum = 5, maximum = 10", "minimum = 6, maximum = 10", "scale.bands must cover 0 to 10"),
        ("minimum = 5, maximum = 10", "minimum = 4, maximum = 10", "scale.bands must cover 0 to 10"),
        ("minimum = 5, maximum = 10", "minimum = 5, maximum = 9", "scale.bands must cover 0 to 10"),
        ("minimum = 5, maximum = 10", "minimum = 5, maximum = 4", r"scale.bands\[2\].maximum must be 5 or more"),
        ("minimum = 5, maximum = 10", "minimum = 5, maximum = 10, x = 1", r"scale.bands\[2\].x is not a key"),
        ('key = "high"', 'key = "low"', r"scale.bands\[2\].key repeats low"),
        ('key = "two"', 'key = "one"', r"dimensions\[2\].key repeats one"),
        ('short_name = "2"', "", r"dimensions\[2\].short_name is missing"),
        ('questions = ["Is it?"]', "questions = []", r"dimensions\[1\].questions must be a list of texts"),
        ('questions = ["Is it?"]', "questions = [1]", r"dimensions\[1\].questions must be a list of texts"),
        (
            'prompting = "separate"',
            'prompting = "both"',
            r"variants\[1\].prompting must be one of together, separate",
        ),
        ("maximum = 1, step", "maximum = 1.5, step", r"variants\[1\].scale.maximum must be a whole number"),
    ],
)
def test_a_wrong_file_is_refused_with_the_name_of_the_key(old: str, new: str, complaint: str) -> None:
    assert old in SMALL
    with pytest.raises(RubricError, match=complaint):
        parse(SMALL.replace(old, new, 1))


@pytest.mark.parametrize(
    ("dimensions", "complaint"),
    [("", "is missing"), ("dimensions = []", "is empty"), ("dimensions = [1]", "tables")],
)
def test_a_rubric_needs_dimensions(dimensions: str, complaint: str) -> None:
    top, _, rest = SMALL.partition("[scale]")
    scale, _, _ = rest.partition("[[dimensions]]")
    with pytest.raises(RubricError, match=f"dimensions .*{complaint}"):
        parse(f"{top}{dimensions}\n[scale]{scale}")


@pytest.mark.parametrize("value", [0, 11, -1, 7.0, 7.5, "7", None, True])
def test_a_value_off_the_scale_is_refused_in_a_sentence(value: object) -> None:
    with pytest.raises(
        ValueError, match=r"Conceptual clarity takes whole numbers from 1 to 10; .+ is none of them\."
    ):
        SOCIAL.check("conceptual_clarity", value)


def test_a_value_between_two_steps_is_refused() -> None:
    parse(SMALL).check("one", 5)
    with pytest.raises(ValueError, match="in steps of 5; 7 is none"):
        parse(SMALL).check("one", 7)


@pytest.mark.parametrize(
    ("scores", "complaint"),
    [
        ({"one": 5}, "Without a score: two"),
        ({}, "Without a score: one, two"),
        ({"one": 5, "two": 11}, "Two takes whole numbers"),
        ({"one": 5, "two": 5, "three": 5}, "Small has no dimension three"),
    ],
)
def test_no_composite_is_made_of_scores_that_are_not_whole(scores: dict[str, int], complaint: str) -> None:
    for combine in (parse(SMALL).composite, parse(SMALL).mean):
        with pytest.raises(ValueError, match=complaint):
            combine(scores)


def test_missing_dimensions_come_in_the_rubrics_order() -> None:
    assert parse(SMALL).missing({}) == ("one", "two")
    assert parse(SMALL).missing({"one": 0}) == ("two",)
    assert parse(SMALL).missing({"two": 0, "one": 0}) == ()


def social_scores(values: list[int]) -> dict[str, int]:
    return dict(zip((dimension.key for dimension in SOCIAL.dimensions), values, strict=True))


five_scores = st.lists(st.integers(1, 10), min_size=5, max_size=5)


@examples(100)
@given(five_scores, five_scores)
def test_composites_order_answers_exactly_as_their_sums_do(first: list[int], second: list[int]) -> None:
    for rubric in (SOCIAL, averaged(SOCIAL)):
        one, two = rubric.composite(social_scores(first)), rubric.composite(social_scores(second))
        assert (one == two) == (sum(first) == sum(second))
        assert (one > two) == (sum(first) > sum(second))


def averaged(rubric: Rubric) -> Rubric:
    text = (FOLDER / f"{rubric.slug}-{rubric.version}.toml").read_text("utf-8")
    return parse(text.replace('combine = "sum"', 'combine = "mean"'))


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("maximum = 101", "maximum must be 100 or less"),
        ("maximum = 999999999999999", "maximum must be 100 or less"),
        ("maximum = " + "9" * 199_000, "a number has more than 15 digits"),
        ("maximum = " + "[" * 5_000, "brackets stand in brackets"),
        ("a." * 20_000 + "a = 1", "a key has more than 8 names"),
    ],
)
def test_figures_and_nesting_that_nothing_could_hold_are_refused(written: str, told: str) -> None:
    with pytest.raises(RubricError, match=told):
        parse(SMALL.replace("maximum = 10\n", f"{written}\n"))


def test_a_scale_is_one_of_words_where_each_band_holds_one_value() -> None:
    assert CONSTITUTIONAL.in_variant("binary").scale.words == {"fail": 0, "pass": 1}
    assert CONSTITUTIONAL.in_variant("trinary").scale.words == {"low": 0, "medium": 1, "high": 2}
    assert CONSTITUTIONAL.scale.words == {}
    assert parse(SMALL).scale.words == {}
