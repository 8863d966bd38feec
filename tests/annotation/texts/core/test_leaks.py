from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.texts.core.leaks import MAX_FINDINGS, scan
from benchmarks.leaks import corpus, measure


def kinds(text: str, **options: Sequence[str]) -> list[str]:
    return [finding.kind for finding in scan(text, **options)]


@pytest.mark.parametrize(
    "text",
    [
        "As an AI language model, I have no lived experience.",
        "As a large language model, I weigh both sides.",
        "As an AI, it is not my place to judge.",
        "As a language model trained by a company, I cannot vote.",
        "I am an AI and do not vote.",
        "I'm just a language model.",
        "My training data end in spring.",
        "Nothing after my knowledge cutoff is considered.",
        "I was trained on a large corpus.",
    ],
)
def test_a_machine_speaking_of_itself_is_found(text: str) -> None:
    assert "self_reference" in kinds(text)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("I asked ChatGPT.", "ChatGPT"),
        ("I asked chat gpt.", "chat gpt"),
        ("So says GPT-4o, at least.", "GPT-4o"),
        ("It was gpt-5.4.", "gpt-5.4"),
        ("A GPT wrote it.", "GPT"),
        ("OpenAI disagrees.", "OpenAI"),
        ("Anthropic published it.", "Anthropic"),
        ("This is Claude.", "Claude"),
        ("Ask Claude Opus about it.", "Claude Opus"),
        ("It was Claude 4.6.", "Claude 4.6"),
        ("Google's Gemini wrote it.", "Gemini"),
        ("Answered by Llama 3.", "Llama"),
        ("Answered by LLaMA.", "LLaMA"),
        ("Mistral Large wrote it.", "Mistral Large"),
        ("DeepSeek and Qwen differ.", "DeepSeek"),
        ("Grok wrote it.", "Grok"),
    ],
)
def test_the_name_of_a_model_or_its_maker_is_found(text: str, found: str) -> None:
    first = scan(text)[0]
    assert first.kind == "model_name"
    assert text[first.start : first.end] == found


@pytest.mark.parametrize(
    "text",
    [
        "I'm sorry, but I can't help with that.",
        "I am sorry but I cannot discuss this.",
        "I cannot assist with this request.",
        "I'm unable to comply with your request.",
        "I won't generate that content, and I cannot answer this question.",
        "I must respectfully decline this request.",
        "That would be against my guidelines.",
    ],
)
def test_a_refusal_is_found(text: str) -> None:
    assert "refusal" in kinds(text)


@pytest.mark.parametrize(
    "text",
    [
        "Certainly! Fairness has two sides.",
        "First.\n\nSure, here is the second part.",
        "Here is a 400-word essay on shared rules:\n\nTowns differ.",
        "I hope this helps.",
        "Let me know if you would like more.",
        "Would you like me to add references?",
    ],
)
def test_a_word_to_whoever_asked_is_found(text: str) -> None:
    assert "address" in kinds(text)


@pytest.mark.parametrize("text", ["Write to ada@example.org, please.", "I am 0000-0002-1825-0097."])
def test_an_address_of_the_author_is_found(text: str) -> None:
    assert "contact" in kinds(text)


@pytest.mark.parametrize(
    "mark",
    "**bold** __bold__ *soft* ~~gone~~ `code` ``` [text](address) [^1] <br/> </think> <|end|> &amp;".split(),
)
def test_leftover_markup_is_found(mark: str) -> None:
    assert set(kinds(f"Some {mark} words.")) == {"markup"}


@pytest.mark.parametrize("opening", ["# ", "### ", "> ", "* ", "+ "])
def test_leftover_markup_that_opens_a_paragraph_is_found(opening: str) -> None:
    assert kinds(f"First.\n\n{opening}Second.") == ["markup"]


@pytest.mark.parametrize(
    "text", ["", "It stops in the", "It stops here,", "It stops here:", "It stops (here)", "so –"]
)
def test_a_text_without_an_end_is_found(text: str) -> None:
    assert kinds(text) == ["truncated"]


@pytest.mark.parametrize(
    "text",
    [
        "Done.",
        "Is it done?",
        "Done!",
        'He said "done."',
        "(It is done.)",
        'She wrote "so it is (or was)."',
        "Well known.[12]",
        "And so on...",
        "完了。",
    ],
)
def test_a_text_with_an_end_is_left_alone(text: str) -> None:
    assert kinds(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "In my years of teaching, I have seen this often.",
        "As an AI researcher, I study language models.",
        "As an AI ethicist I disagree.",
        "I am an AI researcher.",
        "I was trained by anthropologists in the field.",
        "Language models and artificial intelligence change how courts decide.",
        "Critics treat the system as an AI, not as an institution.",
        "Claude Lévi-Strauss and Claude Monet never met; Claude M. Steele writes on stereotype threat.",
        "Claude de Saint-Simon is confused with Henri; Jean-Claude Passeron and Jean Claude Kaufmann are not.",
        "A llama is an animal, and the mistral a wind; Gabriela Mistral was a poet.",
        "Project Gemini came before Apollo, and the Gemini astronauts trained for it.",
        "The Anthropic Principle is no anthropic argument.",
        "To grok a norm is to live it.",
        "I cannot help noticing that I must decline to judge.",
        "I'm sorry, but that is wrong.",
        "Platforms say that a post violates their content policies.",
        "#MeToo changed the debate.",
        "If x < 3 and y > 2, or 2*3*4 = 24, then snake_case_names stay [as they are] (really).",
        "Fill in the ____ yourself.",
        "R&D matters at AT&T.",
    ],
)
def test_a_scholars_prose_is_left_alone(text: str) -> None:
    assert kinds(text) == []


NAMES = ["Rose Will", "Will", "Ana-María Ñúñez", "demo-small-2", " ", ""]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("My name is Rose Will.", ["Rose Will", "Will"]),
        ("My name is ROSE\nWILL.", ["ROSE\nWILL", "WILL"]),
        ("Ana-María Ñúñez wrote it.", ["Ana-María Ñúñez"]),
        ("She will, as a rose will, wilt.", []),
        ("Willpower and Goodwill.", []),
        ("Answered by demo-small-2.", ["demo-small-2"]),
    ],
)
def test_names_given_are_found_as_whole_capitalised_words(text: str, found: list[str]) -> None:
    findings = scan(text, names=NAMES)
    assert [text[finding.start : finding.end] for finding in findings] == found
    assert {finding.kind for finding in findings} <= {"author_name"}


def test_findings_come_in_the_order_of_the_text_with_what_surrounds_them() -> None:
    text = (
        "A first sentence of some length.\n\nAs an AI, I am not OpenAI. I cannot assist with this request. Then it"
    )
    findings = scan(text)
    assert [finding.kind for finding in findings] == ["self_reference", "model_name", "refusal", "truncated"]
    # 30 characters on either side, of which the two line breaks show as one space
    assert findings[0].excerpt == "rst sentence of some length. As an AI, I am not OpenAI. I cannot as"
    assert [text[finding.start : finding.end] for finding in findings] == [
        "As an AI",
        "OpenAI",
        "I cannot assist with this request",
        "it",
    ]


@settings(max_examples=200, deadline=None)
@given(st.text(st.sampled_from("aI*<>[]()`_ \n.Claude")), st.lists(st.text(max_size=5), max_size=2))
def test_every_finding_lies_within_the_text(text: str, names: list[str]) -> None:
    for finding in scan(text, names=names):
        assert 0 <= finding.start <= finding.end <= len(text)
        assert finding.excerpt == " ".join(finding.excerpt.split())


@pytest.mark.parametrize(
    ("part", "recall", "false_positives"),
    [
        ("known", 0.99, 0.02),
        ("held_out", 0.85, 0.02),
    ],
)
def test_giveaways_planted_in_essays_are_found_and_clean_essays_pass(
    part: str, recall: float, false_positives: float
) -> None:
    result = measure(corpus()[part])
    assert result.recall >= recall, result.missed
    assert result.false_positives <= false_positives, result.stopped


def test_giveaways_of_every_kind_are_planted() -> None:
    assert {row["kind"] for row in corpus()["known"]["planted"]} == {
        "address",
        "author_name",
        "contact",
        "markup",
        "model_name",
        "refusal",
        "self_reference",
        "truncated",
    }


def test_of_countless_findings_the_first_hundred_are_told() -> None:
    findings = scan("**a** " * 1000)
    assert len(findings) == MAX_FINDINGS
    assert [finding.start for finding in findings] == sorted(finding.start for finding in findings)


@pytest.mark.parametrize(
    "text",
    [
        "[the text](https://example.org/a_(b)) here.",
        'A <a href="https://example.org" class="b">link.',
        "Write to ada.lovelace+essays@mail.example.org.",
        "{{{name}}} here.",
    ],
)
def test_marks_within_marks_are_found(text: str) -> None:
    assert kinds(text)
