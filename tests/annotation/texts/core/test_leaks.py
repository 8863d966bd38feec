"""What the leak scan finds and leaves alone. A few sentences for each rule: regressions, not a measure."""

from collections.abc import Sequence
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.texts.core.leaks.rules import GROUPS
from annotation.texts.core.leaks.scan import MAX_FINDINGS, gravest, read_sentences, scan
from annotation.texts.core.leaks.signs import PERHAPS, PROBABLY, SURELY, Kind
from annotation.texts.core.leaks.words import CLASSES
from tests.thorough import examples


def kinds(text: str, **options: Sequence[str]) -> list[str]:
    return [finding.kind for finding in scan(text, **options)]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("As an AI language model, I have no lived experience.", "self_reference"),
        ("I'm just a language model.", "self_reference"),
        ("Systems like me are trained to sound certain.", "self_reference"),
        ("This answer was written by an AI.", "self_reference"),
        ("I have no childhood to look back on.", "self_reference"),
        ("My training data end in spring.", "self_reference"),
        ("The people who built me wanted me to be careful.", "self_reference"),
        ("My knowledge only goes up to early 2024.", "self_reference"),
        ("I cannot access current news.", "self_reference"),
        ("I am Claude.", "model_name"),
        ("I asked ChatGPT for an outline.", "model_name"),
        ("I'm sorry, but I can't help with that.", "refusal"),
        ("I cannot provide legal advice.", "refusal"),
        ("My guidelines ask me to present several perspectives.", "refusal"),
        ("Please consult a qualified attorney.", "refusal"),
        ("Certainly! Fairness has two sides.", "address"),
        ("Here is a 400-word essay on shared rules:", "address"),
        ("Let me know if you would like more.", "address"),
        ("As you requested, I've avoided lists.", "address"),
        ("I have kept this under the 600-word limit.", "task"),
        ("I see that I have five minutes left.", "task"),
        ("The prompt asks whether markets corrode morals.", "task"),
        ("I was asked to write without headings.", "task"),
        ("I wrote this without any AI help.", "study"),
        ("As a participant in this study, I'll be frank.", "study"),
        ("Whoever is rating this will know.", "study"),
        ("Sorry for the typos, I'm typing on my phone.", "circumstances"),
        ("I'm quoting from memory.", "circumstances"),
        ("If I had more time I'd discuss Mill.", "circumstances"),
        ("I argued this in my 2016 book.", "own_work"),
        ("See my article in the Journal of Law and Society.", "own_work"),
        ("During my fieldwork in Oaxaca I saw it.", "own_work"),
        ("Our lab found the same in mice.", "own_work"),
        ("I'm a professor of sociology.", "own_post"),
        ("Where I live, in Lagos, nobody queues.", "own_post"),
        ("My undergraduates always raise this objection.", "own_post"),
        ("I hold a doctorate in anthropology.", "own_life"),
        ("My grandmother was a seamstress.", "own_life"),
        ("As a mother of two, I know what exhaustion is.", "own_life"),
        ("The firm that trained me charges by the token.", "self_reference"),
        ("I cannot feel grief.", "self_reference"),
        ("Whoever set this question has read Latour.", "address"),
        ("Happy to go deeper on any of these points.", "address"),
        ("Only a page is allowed here.", "task"),
        ("The researchers promised us that nobody would know.", "study"),
        ("My eyes are closing.", "circumstances"),
        ("When the boxes were opened for me, the letters told another story.", "own_work"),
        ("The editors made me take it out.", "own_work"),
        ("Those of us who sit on appointment committees know it.", "own_post"),
        ("I was lucky to be supervised by a pupil of Elias.", "own_post"),
        ("My brother hid them in a cellar.", "own_life"),
        ("I slept in the barn.", "own_life"),
        ("If I sound harsh, the people who built me wanted that.", "self_reference"),
        ("Here in Denmark this would count as rude.", "own_life"),
        ("The voice now addressing you is a program's.", "self_reference"),
        ("My contribution to this study ends here.", "study"),
        ("Your wording leaves open who is to pay.", "address"),
        ("A competing answer will cite Putnam, and I do not.", "study"),
        ("During a stint as deputy ombudsman I came to like complaint.", "own_post"),
        ("My name is Helen.", "own_name"),
        ("Best wishes, Tom", "own_name"),
        ("Als KI-Sprachmodell habe ich keine Meinung.", "self_reference"),
        ("Mes étudiants me le demandent souvent.", "own_post"),
        ("Espero que esto te ayude.", "address"),
        ("I miei studenti non sono d'accordo.", "own_post"),
        ("Como modelo de linguagem, não posso votar.", "self_reference"),
        ("作为一个人工智能语言模型，我没有观点。", "self_reference"),
    ],
)
def test_whoever_speaks_of_themselves_is_found(text: str, kind: str) -> None:
    assert kind in kinds(text)


def test_no_word_of_a_class_is_read_as_two() -> None:
    words = frozenset[str]().union(*CLASSES.values()) - {"cannot"}
    assert {word for word in words if len(read_sentences(word)[0].words) != 1} == set()


@pytest.mark.parametrize(
    "text",
    [
        "I did my fieldwork there.",
        "I did my field work there.",
        "My field-work was there.",
        "My coauthor and I disagree.",
        "My co-author and I disagree.",
        "I cowrote a paper on it.",
        "I co-wrote a paper on it.",
        "My copy-editor changed that.",
        "It was so in my hometown.",
        "It was so in my home town.",
        "I am a civil servant in Leeds.",
        "I was fine-tuned on such texts.",
    ],
)
def test_a_compound_is_found_however_it_is_written(text: str) -> None:
    assert kinds(text)


def test_every_kind_that_has_rules_is_a_kind_of_finding() -> None:
    assert {group.kind for group in GROUPS} <= set(get_args(Kind))


@pytest.mark.parametrize(
    "text",
    [
        "Language models are trained on large corpora of text.",
        "The author of Middlemarch knew how small lives are shaped.",
        "As an AI ethicist, Jones argues, one must ask who benefits.",
        "‘I am a language model,’ the program wrote.",
        'The narrator confesses: "I was trained as a lawyer, and I lie for a living."',
        "We as a society have not decided what we owe to strangers.",
        "In this essay I will argue that promises bind.",
        "My thesis is that gratitude cannot be owed.",
        "Suppose that I am a doctor with five patients.",
        "Imagine a village. I am the baker. My customers pay in promises.",
        "If I were a judge, my duty would be to the law.",
        "I shall not discuss the whole literature here.",
        "I take this to be the lesson of the trolley problem.",
        "The question asks too much of the concept.",
        "Consider how an assistant declines: it says that it has no opinions.",
        "Our knowledge of the early church depends on a few letters.",
        "In our solar system, eight bodies count as planets.",
        "You might object that nobody consents to being born.",
        "Let me begin with a distinction.",
        "World War I was trained into a generation.",
        "A professor of sociology at Leeds found the reverse.",
        "Her grandmother, who had been a slave, taught her to read.",
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
        "Should I keep my promise when a stranger needs my help?",
        "We should be impartial, and even more careful.",
        "It would be wrong for me to break it.",
        "Those who read this as a defence have missed the irony.",
        "The other one is harder, and I shall return to it.",
        "You might want to object that I have changed the subject.",
        "Other writers have gone further, and I think they are wrong.",
        "We do not have data on recent events.",
        "To forgive the offender is not to excuse the offence.",
        "A claim supported by most historians persuades me.",
        "I learned from Hume to distrust the self.",
        "When an algorithm denies me a loan, I am owed a reason.",
        "My employer may ask me to work late.",
        "The student who copies cheats me.",
        "However I came into existence, the debt remains.",
    ],
)
def test_a_scholars_prose_is_left_alone(text: str) -> None:
    assert kinds(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "I am a lаngυage mоdel.",  # Cyrillic and Greek letters
        "I am a lan\u200dguage mo\u200ddel.",
        "I am a l a n g u a g e m o d e l.",
        "I am a l.a.n.g.u.a.g.e m.o.d.e.l.",
        "I am a lan guage mod el.",
        "I am a l4ngu4ge m0del.",
        "I am a langauge model.",
        "I am a languagemodel.",
        "I AM A LANGUAGE MODEL.",
        "Ｉ ａｍ ａ ｌａｎｇｕａｇｅ ｍｏｄｅｌ．",
        "I am an A.I. assistant.",
    ],
)
def test_words_in_disguise_are_read_as_they_are_meant(text: str) -> None:
    assert "self_reference" in kinds(text)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("So says GPT-4o, at least.", "GPT-4o"),
        ("It was gpt-5.4.", "gpt-5.4"),
        ("OpenAI disagrees.", "OpenAI"),
        ("Anthropic published it.", "Anthropic"),
        ("It was said by Claude Opus before.", "Claude Opus"),
        ("DeepSeek and Qwen differ.", "DeepSeek"),
    ],
)
def test_the_name_of_a_model_or_its_maker_is_found_with_its_version(text: str, found: str) -> None:
    named = [finding for finding in scan(text) if finding.kind == "model_name"]
    assert text[named[0].start : named[0].end] == found


def test_the_name_of_a_model_is_subject_matter_where_such_machines_are_discussed() -> None:
    alone = "The case in the brief was invented by ChatGPT, and the court was not amused."
    assert kinds(f"Towns differ. {alone}") == ["model_name"]
    assert kinds(f"Chatbots invent cases. Language models err. {alone}") == []


@pytest.mark.parametrize(
    ("text", "severity"),
    [
        ("As an AI language model, I take no sides.", SURELY),
        ("My father drove a bus.", PROBABLY),
        ("In this matter OpenAI disagrees with them.", PERHAPS),
        ("Towns differ.", 0),
    ],
)
def test_a_finding_says_how_surely_it_leaks_and_why(text: str, severity: int) -> None:
    findings = scan(text)
    assert gravest(findings) == severity
    assert all(finding.meaning for finding in findings)


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


NAMES = ["Rose Will", "Will", "Ana-María Ñúñez", "demo-small-2", " ", ""]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("So said Rose Will.", ["Rose Will"]),
        ("So said ROSE\nWILL.", ["ROSE\nWILL"]),
        ("So said Will.", ["Will"]),
        ("Ana-María Ñúñez wrote it.", ["Ana-María Ñúñez"]),
        ("She will, as a rose will, wilt.", []),
        ("Willpower and Goodwill.", []),
        ("Said demo-small-2.", ["demo-small-2"]),
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
    assert [text[finding.start : finding.end] for finding in findings[1:]] == [
        "OpenAI",
        "I cannot assist with this request",
        "it",
    ]


@examples(200)
@given(st.text(st.sampled_from("aI*<>[]()`_ \n.Claude'\"4\u200dаmy b")), st.lists(st.text(max_size=5), max_size=2))
def test_every_finding_lies_within_the_text(text: str, names: list[str]) -> None:
    for finding in scan(text, names=names):
        assert 0 <= finding.start <= finding.end <= len(text)
        assert finding.excerpt == " ".join(finding.excerpt.split())


def test_of_countless_findings_the_first_hundred_are_told() -> None:
    findings = scan("**a** " * 1000)
    assert len(findings) == MAX_FINDINGS
    assert [finding.start for finding in findings] == sorted(finding.start for finding in findings)


def test_what_a_character_of_an_invented_dialogue_says_is_nobodys_own() -> None:
    lines = ["A. You asked whether my book was honest.", "B. I teach in Leeds.", "A. So you say.", "B. So I do."]
    assert kinds("\n\n".join(lines)) == []
    assert "own_post" in kinds(lines[1])


def test_a_transcript_of_a_user_and_an_assistant_is_no_dialogue_that_the_text_invents() -> None:
    lines = ["User: I ask.", "Assistant: I am a language model.", "User: So?", "Assistant: I was trained on text."]
    assert "self_reference" in kinds("\n\n".join(lines))


def test_a_sign_of_another_language_needs_two_words_of_it() -> None:
    assert kinds("A lone dime is worse off among pennies.") == []
    assert "own_life" in kinds("Ich bin in einem Dorf aufgewachsen, und der Wald war nah.")
