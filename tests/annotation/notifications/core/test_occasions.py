"""What is mailed at changes of phase, as shipped."""

import pytest

from annotation.notifications.core.occasions import ALWAYS, OCCASIONS, SUBJECT_CHARACTERS, filled_in, standard
from annotation.platform.core.mail_templates import parse_template
from tests.folders import PROJECT

WORDINGS = PROJECT / "annotation/notifications/wordings"
VALUES = {"name": "Ada {link}", "study": "Two towns", "link": "https://studio.example/studies/towns/"}


def test_every_occasion_has_words_and_all_words_an_occasion() -> None:
    assert {path.stem.rpartition("-")[0] for path in WORDINGS.iterdir()} == set(OCCASIONS)


@pytest.mark.parametrize("key", OCCASIONS)
def test_every_mail_can_be_filled_in_and_leads_to_the_study(key: str) -> None:
    occasion = OCCASIONS[key]
    assert set(occasion.placeholders) == set(occasion.examples)
    words = standard(parse_template(key, (WORDINGS / f"{key}-1.txt").read_text(encoding="utf-8")))
    subject, text = filled_in(occasion, words, {**VALUES, **occasion.examples})
    assert set(ALWAYS) == set(VALUES)
    assert "Two towns" in subject
    assert text.startswith("Dear Ada {link},")
    assert f"\n{VALUES['link']}\n" in f"{text}\n"
    assert all(example in text + subject for example in occasion.examples.values())


def test_a_subject_is_one_line_and_is_cut_to_what_a_row_holds() -> None:
    occasion = OCCASIONS["unblinding_declined"]
    words = standard(parse_template("odd-1", "Title: A\nSubject: {reason}\n\nB"))
    values = {**VALUES, "by": "Ada", "reason": "Too\nearly. " + "x" * 400}
    subject, _ = filled_in(occasion, words, values)
    assert subject.startswith("Too early. x")
    assert len(subject) == SUBJECT_CHARACTERS
