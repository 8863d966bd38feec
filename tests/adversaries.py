"""Texts that are made to take long, of any length, and how long something takes with them."""

import gc
from collections.abc import Callable
from itertools import cycle, islice
from time import process_time
from typing import Final

ORDINARY_ROUNDS: Final = 500_000
ORDINARY_TEXT: Final = "Ab c. " * 20_000
ORDINARY_SECONDS: Final = 0.017  # that an ordinary machine takes for so many empty rounds and this text

ALPHABETS: Final[dict[str, str]] = {
    "one digit": "0",
    "digits apart": "0 ",
    "digits and full stops": "1. ",
    "one letter": "a",
    "one capital": "I",
    "one full stop": ".",
    "one hyphen": "-",
    "one en dash": "–",
    "one space": " ",
    "one tab": "\t",
    "one line end": "\n",
    "one star": "*",
    "one underscore": "_",
    "one tilde": "~",
    "one hash": "#",
    "one pipe": "|",
    "one backslash": "\\",
    "one backtick": "`",
    "one at": "@",
    "one ampersand": "&",
    "one dollar": "$",
    "one quotation mark": '"',
    "one apostrophe": "'",
    "opening brackets": "[",
    "opening pictures": "![",
    "opening parentheses": "(",
    "opening braces": "{",
    "opening tags": "<a ",
    "tags with attributes": "<a a=a ",
    "comments": "<!-- ",
    "closing brackets": "]",
    "links begun": "[a](",
    "links nested": "[[a]](",
    "links": "[a](b)",
    "entities": "&amp;",
    "entities in entities": "&amp;" + "amp;" * 500,
    "numbered entities": "&#38;#38;",
    "emphasis begun": "*a_",
    "strong emphasis begun": "**a ",
    "emphasis of both kinds": "*_",
    "backticks of growing number": "`a``b```c````d",
    "fences": "```\n",
    "quotations": "> ",
    "lists in lists": "- ",
    "numbered lists": "1. a\n",
    "tables": "|a|b\n|-|-\n",
    "headings": "# a\n",
    "underlined headings": "a\n=\n",
    "titles in bold": "**A**\n",
    "lines of one letter": "a\n",
    "paragraphs of one letter": "a\n\n",
    "words of one letter": "a ",
    "capitals of one letter": "A ",
    "initials": "A. ",
    "a.a.a": "a.",
    "decimals": "1.2,",
    "addresses begun": "a@",
    "addresses": "a@b.c ",
    "ORCID iDs begun": "0000-",
    "dashes and spaces": "– - ",
    "hyphens and words": "a-",
    "ellipses spaced": ". ",
    "full stops and quotes": '."',
    "sentence ends": "?!.",
    "signatures": "— Jane Doe\n\n",
    "word counts": "(400 words) ",
    "word counts begun": "word count ",
    "a model of itself": "As an AI, ",
    "a model of its work": "Here is a text ",
    "a model of versions": "I can also give a ",
    "I can": "I can't ",
    "a user of it": "the user wants ",
    "who judges": "judge judges this ",
    "names of models": "Claude 3.5 gpt-4 ",
    "Claude of somewhere": "Claude-de-la-van",
    "commas": "a,",
    "semicolons": "a;b;",
    "quoted cells": '"a""b",',
    "objects": '{"a":',
    "lists of lists": "[[",
    "dotted keys": "a.a.a.",
    "combining marks": "\u0301",
    "combining marks in the wrong order": "\u0301\u0323",
    "combining marks of a letter": "e\u0301\u0323\u0327",
    "zero-width joiners": "a\u200d",
    "zero-width spaces": "\u200b",
    "spaces of many kinds": "\u00a0\u2003\u3000",
    "line separators": "\u2028\u2029\x85",
    "emoji": "\U0001f600",
    "emoji joined": "\U0001f468\u200d\U0001f469\u200d",
    "flags": "\U0001f1e6",
    "Korean letters apart": "\u1100\u1161\u11a8",
    "letters that grow in capitals": "ß\u0149",
    "Arabic marks": "\u0628\u064e\u0651",
    "from right to left": "\u202e\u05d0",
    "Chinese": "漢字",
    "control characters": "\x01\x7f",
    "surrogates": "\ud800",
    "carriage returns": "\r",
    "reasoning begun": "<think>",
    "reasoning ended": "</think>",
    "prompts begun": "<prompt_1>",
    "fields begun": "<question>",
}
"""What is repeated to make each text."""


def text_of(alphabet: str, length: int) -> str:
    """`length` characters of `alphabet` repeated."""
    return "".join(islice(cycle(alphabet), length))


def least_seconds(work: Callable[[], object], *, times: int = 3) -> float:
    """The least processor time that `work` takes of several times, so that a busy machine makes no difference.

    No garbage is looked for meanwhile: how long that takes depends on all that the tests before have left.
    """

    def once() -> float:
        began = process_time()
        work()
        return process_time() - began

    was_enabled = gc.isenabled()
    gc.disable()
    try:
        return min(once() for _ in range(times))
    finally:
        if was_enabled:
            gc.enable()


def least_ordinary_seconds(work: Callable[[], object], *, times: int) -> float:
    """The least processor time of so many that `work` would take on an ordinary machine (3 GHz).

    A core that shares its caches with a busy one takes twice as long, now and then: each time goes by what a fixed
    amount of work took just before it and just after. Limits in seconds hold on ordinary machines, and are not
    tightened on quick ones.
    """

    def once() -> float:
        before, taken, after = (least_seconds(timed, times=1) for timed in (_fixed_work, work, _fixed_work))
        return taken / max(1.0, (before + after) / 2 / ORDINARY_SECONDS)

    return min(once() for _ in range(times))


def _fixed_work() -> None:
    for _ in range(ORDINARY_ROUNDS):
        pass
    " ".join([word.upper() for word in ORDINARY_TEXT.split()])
