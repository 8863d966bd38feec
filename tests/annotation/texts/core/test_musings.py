"""Reasoning that a server left in a text without any mark is found by what it says."""

import pytest

from annotation.texts.core.reading import read_text

ANSWER = "Promises bind because they are made, and not because they are kept."


@pytest.mark.parametrize(
    "musing",
    [
        "Okay, let's see. The user wants an essay on justice. I need to cover both sides.",
        "The user is asking about moral luck. Let me think step by step.",
        "Hmm, so the question is about promises. First, I should outline Kant. Wait, maybe Mill is better.",
        "Alright, the task: write 400 words on democracy. Plan: 1) define, 2) objections, 3) conclusion.",
        "We need to produce an answer about lying. The user says no headings. Let's draft.",
        "Analyze the user's request: two positions are wanted.",
        "Got it. Let's tackle this. They want nuance.",
        "Okay so I think the key here is consent. Actually no, it's harm.",
        "Let me write this out properly now.",
        "Word count check: about 395. Good.",
        "User wants a nuanced essay. Must avoid bullet points. Let's craft.",
        "Okay.\n\nThe user wants nuance.\n\nLet me outline: intro, argument, reply.",
    ],
)
def test_thinking_aloud_before_an_answer_is_found_where_it_stands(musing: str) -> None:
    read = read_text(f"{musing}\n\n{ANSWER}")
    found = [each for each in read.findings if each.kind == "musing"]
    assert len(found) == 1
    assert found[0].end <= read.text.index(ANSWER)
    assert found[0].severity == 3


@pytest.mark.parametrize(
    "text",
    [
        "Let us think of the user first. The user wants an answer, and the machine wants nothing.",
        "Okay, says the child, and goes to bed. The parent has won, and has lost an argument.",
        "Let me begin with a distinction. We should keep it in view. The question asks too much.",
        "The user asks for advice and receives a paragraph. What the user wants is reassurance.",
        "First we need to say what a promise is. Then we should ask whom it binds.",
        "Wait, one might say: is that not the same? It is not.",
        "The first draft says what the writer knew; the last what she found out. Plan: nothing.",
        "Okay, I said. Two hours passed. It rained. A bell rang. Nobody came. The user wants more, he said.",
    ],
)
def test_one_sign_of_thinking_aloud_is_none(text: str) -> None:
    assert [each for each in read_text(text).findings if each.kind == "musing"] == []
