"""Counting sentences, with what looks like an end of one and is none."""

import pytest

from generation.prompts.core.sentences import count_sentences


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("", 0),
        ("*** … –", 0),
        ("A sentence without an end", 1),
        ("One. Two? Three! Four…", 4),
        ("Is it fair?! Who says so", 2),
        ("One.\n\nTwo.", 2),
        ("A heading\n\nA sentence.", 2),
        ("A line\nthat goes on.", 1),
        ("Wait... what? No.", 2),
        ("Rents rose by 3.5 per cent. Why?", 2),
        ("Families move, e.g. from towns, i.e. from work. Who gains?", 2),
        ("Dr. Okoye and Prof. Lind disagree. Who is right?", 2),
        ("J. S. Mill wrote of liberty. So did others.", 2),
        ("The U.S. Congress voted. Why?", 2),
        ("It follows Rawls et al. and others. Does it hold?", 2),
        ("See no. 5 of the code. Some say no. Others agree.", 3),
        ("They differ, as you and I. What follows?", 2),
        ("Some ask “Why us?” and leave. Others stay.", 2),
        ("“Why us?” Some ask that. (Others do not.) Who is right?", 4),
        ("A rule is *fair.* Its use is not.", 2),
        ("Is that so?Perhaps", 1),
        ("Each fears Group B. What would a fair rule have to weigh?", 2),
        ("Each fears Group B. Rents rose at once.", 2),
        ("She prefers plan B. Others object.", 2),
        ("They chose between A and B. Rents rose at once.", 2),
        ("Susan B. Anthony voted. Was that civil disobedience?", 2),
        ("Is it just? J. Rawls says so.", 2),
        ("So argued J. S. Mill of liberty. Who agrees?", 2),
        ("Some need Vitamin C. 20 others pay.", 2),
        ("Families move to the U.S. What do they owe?", 2),
        ("Wer darf das? Öffentlich fragt niemand.", 2),
    ],
)
def test_sentences_are_counted_as_people_would(text: str, sentences: int) -> None:
    assert count_sentences(text) == sentences
