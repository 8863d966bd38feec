"""What frames of `leak_rules_plain.toml` find, and what only looks like it. Regressions, not a measure."""

import pytest

from annotation.texts.core.leaks.scan import scan


def kinds(text: str) -> set[str]:
    return {finding.kind for finding in scan(text)}


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("The word you entered, progress, meant something else to Turgot.", "address"),
        ("I gather that you wanted a ruling on whether trees have standing.", "address"),
        ("Or shall I translate the Latin as well?", "address"),
        ("Hurrying now: Tarde, imitation, 1890.", "circumstances"),
        ("It has gone eleven here, and Kant seems sterner than at noon.", "circumstances"),
        ("The raters grading depth should note that no textbook has this parallel.", "study"),
        ("In the control arm of your experiment nobody would see Hume.", "study"),
        ("Page limit reached, so Nozick must wait.", "task"),
        ("I argued much the same in a plenary at Uppsala.", "own_work"),
        ("Cycling through Delft last autumn, I saw why Vermeer needed walls.", "own_life"),
        ("We were luckier, but I was once deported, in Calais, and the book has it right.", "own_life"),
        ("The Aldermanns, of whom I am the youngest, never left the mill.", "own_name"),
        ("DeepSeek's R1, writing this, prefers Mencius.", "self_reference"),
    ],
)
def test_what_is_said_outright_is_found(text: str, kind: str) -> None:
    assert kind in kinds(text)


@pytest.mark.parametrize(
    "text",
    [
        "If I have a good reason, why should I put up with the other?",
        "Judges should know the statute, and raters of bonds should know the market.",
        "The term limit was reached in 1951, so Truman could have run again.",
        "Walking across Königsberg at the same hour, Kant set the town's clocks.",
        "Participants in the study of 1971 were told to play guards.",
        "Dr. Johnson kicked the stone, and thought that he had refuted Berkeley thus.",
        "Prof. Dr. Habermas replied at once.",
        "Visitors were told that the picture had been made with Midjourney.",
        "Somebody has to be punished, or the law is a dead letter.",
        "Economists mine the registers for prices.",
    ],
)
def test_what_only_looks_like_it_is_let_through(text: str) -> None:
    assert not kinds(text)
