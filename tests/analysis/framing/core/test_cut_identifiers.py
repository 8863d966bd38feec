"""Templates and expressions that cut prompt, model and condition from identifiers."""

import time

import pytest

from analysis.framing.core.cut_identifiers import cut_in, cut_pattern, respondents_in


@pytest.mark.parametrize(
    ("how", "cell", "found"),
    [
        (
            "{prompt}/{respondent}/{condition}",
            "P1/gpt/agree",
            {"prompt": "P1", "respondent": "gpt", "condition": "agree"},
        ),
        ("{prompt}|{}", "P1|gpt.agree", {"prompt": "P1"}),
        ("{respondent}__{condition}", "gpt_5__agree__2", {"respondent": "gpt_5", "condition": "agree__2"}),
        ("r{}-{prompt} ({condition})", "r12-P.1 (a+b)", {"prompt": "P.1", "condition": "a+b"}),
        (r"(?P<prompt>P\d)/.*", "P1/x", {"prompt": "P1"}),
        ("{prompt}/{respondent}", "P1", None),
        ("{prompt}.{respondent}", "P1/gpt", None),
    ],
)
def test_each_place_of_a_template_ends_where_what_is_behind_it_first_occurs(
    how: str, cell: str, found: dict[str, str] | None
) -> None:
    matched = cut_pattern(how).fullmatch(cell)
    assert (matched and matched.groupdict()) == found


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("id={}/x", "does not cut prompt, respondent, condition"),
        ("id={model}/{prompt}", "does not cut"),
        ("id={prompt}{condition}", "nothing between two of its places"),
        ("id={prompt}/{prompt}", "no regular expression"),
        ("id=(?P<prompt>[", "no regular expression"),
        ("id", "does not cut"),
        ("={prompt}/{respondent}", "names no column"),
    ],
)
def test_what_cuts_nothing_known_is_refused_in_words(text: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        cut_in(text)


def test_a_template_takes_no_longer_where_nothing_fits() -> None:
    pattern = cut_pattern("{prompt}a{respondent}a{}a{condition}!")
    begun = time.perf_counter()
    assert pattern.fullmatch("ba" * 20_000) is None
    assert time.perf_counter() - begun < 1


@pytest.mark.parametrize("text", ["gpt-agree=gpt", "gpt", "=gpt:agree", "gpt=:agree"])
def test_respondents_without_model_and_condition_are_refused_in_words(text: str) -> None:
    assert respondents_in("gpt-agree=gpt:agree, gpt=gpt:") == {"gpt-agree": ("gpt", "agree"), "gpt": ("gpt", "")}
    with pytest.raises(ValueError, match="does not name model and condition"):
        respondents_in(text)
