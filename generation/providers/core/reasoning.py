"""Reasoning that a server left in a text, because it knows no better: found by its marks, and taken off.

What only looks like a mark, because the answer quotes one, stays. Reasoning without any mark is no business of
readers: texts are scanned for it (`annotation.texts.core.leaks.musings`) before anybody is shown them, and for
marks that were left.
"""

import re
from bisect import bisect_left
from typing import Final

# What reasoning is put between: DeepSeek, Qwen and many others; those that were told to; Seed; Mistral; Kimi;
# Cohere; those taught by distilled thoughts; Gemma.
_NAMES: Final = r"think|thinking|thoughts?|reasoning|reflection|analysis|scratchpad|ant_?thinking|seed:think"
_CLOSED_BY: Final = {
    "[think]": "[/THINK]",
    "◁think▷": "◁/think▷",
    "<|start_thinking|>": "<|END_THINKING|>",
    "<|begin_of_thought|>": "<|end_of_thought|>",
    "<|channel>thought": "<channel|>",
}
_OPENS: Final = re.compile(
    rf"<(?P<tag>{_NAMES})(?:\s[^<>]{{0,80}})?>|\[THINK\]|◁think▷"
    r"|<\|START_THINKING\|>|<\|begin_of_thought\|>|<\|channel>thought",
    re.IGNORECASE,
)
_CLOSES: Final = re.compile(
    rf"</(?:{_NAMES})>|\[/THINK\]|◁/think▷|<\|END_THINKING\|>|<\|end_of_thought\|>|<channel\|>", re.IGNORECASE
)
# What such models put around the answer that follows.
_WRAPPERS: Final = (
    ("<answer>", "</answer>"),
    ("<response>", "</response>"),
    ("<|START_RESPONSE|>", "<|END_RESPONSE|>"),
    ("<|begin_of_solution|>", "<|end_of_solution|>"),
)
# Channels of OpenAI's open models, as their tokens or, where a server left these out, as the words between them.
_FINAL: Final = re.compile(r"<\|channel\|>\s{0,20}final\b[^<]{0,100}(?:<\|constrain\|>[^<]{0,100})?<\|message\|>")
_CHANNEL: Final = re.compile(r"<\|channel\|>")
_ENDS: Final = re.compile(r"<\|(?:return|end|start|call)\|>")
_BARE: Final = re.compile(r"analysis[A-Z\"“']")
_BARE_END: Final = re.compile(r"(?<=[ \n\t.!?\"”'])assistantfinal(?=\S)")
_BARE_END_OF_ANY: Final = re.compile(r"(?<=[\n.!?])assistantfinal(?=\n|[^\s.,;:!?\"”’)])")
_AROUND: Final = "`'\"‘’“”«»*_()[]"  # what is quoted, or stands out from a sentence
_FENCE: Final = "```"
_NEAR: Final = 200  # characters of a line that are looked at


def without_reasoning(text: str) -> str:
    """The answer in a text that may begin with reasoning; "" where it holds nothing else."""
    answer = _after_reasoning(text)
    return text if answer == text else _unwrapped(answer)


def _unwrapped(answer: str) -> str:
    for begin, end in _WRAPPERS:
        if answer.startswith(begin):
            return answer.removeprefix(begin).rstrip().removesuffix(end).strip()
    return answer


def _after_reasoning(text: str) -> str:
    begun = text.lstrip()
    if _CHANNEL.search(text):
        return _of_channels(text)
    bare_end = _BARE_END if _BARE.match(begun) else _BARE_END_OF_ANY
    if end := bare_end.search(begun):
        return begun[end.end() :].lstrip()
    if opening := _OPENS.match(begun):
        return _after(begun, opening)
    return _after_unopened(text)


def _of_channels(text: str) -> str:
    """The last message of the channel “final”. A text that only quotes a channel's mark has it not in front."""
    final = [mark for mark in _FINAL.finditer(text) if not _is_quoted(text, mark)]
    if final:
        return _ENDS.split(text[final[-1].end() :], maxsplit=1)[0].strip()
    is_quoted = not re.match(r"(?:<\|start\|>\s{0,20}assistant)?\s{0,20}<\|channel\|>", text.lstrip())
    return text if is_quoted else ""


def _after(text: str, opening: re.Match[str]) -> str:
    """What follows the mark that closes what the text opens with. What is opened like it in between is closed
    first, but for a mark that the answer quotes; one that the reasoning quotes closes nothing.
    """
    mark = f"</{opening['tag']}>" if opening["tag"] else _CLOSED_BY[opening[0].casefold()]
    closings = [each for each in _CLOSES.finditer(text, opening.end()) if each[0].casefold() == mark.casefold()]
    closings = [each for each in closings if not _is_in_quotes(text, each)] or closings
    opened = [each.start() for each in _OPENS.finditer(text, opening.end()) if _is_like(each, opening)]
    end = closings[0] if closings else None
    for number, closing in enumerate(closings[1:], start=1):
        if end is None or bisect_left(opened, end.start()) < number or _is_quoted(text, closing):
            break
        end = closing
    return text[end.end() :].lstrip() if end else ""


def _is_like(one: re.Match[str], other: re.Match[str]) -> bool:
    same = one["tag"] or one[0], other["tag"] or other[0]
    return same[0].casefold() == same[1].casefold()


def _after_unopened(text: str) -> str:
    """What follows a mark that closes what was opened in the request, as some chat templates do. One that closes
    what the text itself opens, and not in front, is spoken of.
    """
    opened = [each.start() for each in _OPENS.finditer(text) if not _is_quoted(text, each)]
    for number, closing in enumerate(_CLOSES.finditer(text)):
        if bisect_left(opened, closing.start()) <= number and not _is_quoted(text, closing):
            return text[closing.end() :].lstrip()
    return text


def _is_quoted(text: str, mark: re.Match[str]) -> bool:
    """Whether a sentence speaks of the mark: it stands in quotation marks, amid a line's words, or in code."""
    in_words = _is_in_quotes(text, mark) or _is_amid_words(text, mark)
    return in_words or text.count(_FENCE, 0, mark.start()) % 2 == 1


def _is_amid_words(text: str, mark: re.Match[str]) -> bool:
    """“End with </think>” is, “…so yes.</think>Yes.” is not: who speaks of a mark puts it between spaces."""
    before = text[max(0, mark.start() - _NEAR) : mark.start()].rpartition("\n")[2]
    after = text[mark.end() : mark.end() + _NEAR].partition("\n")[0]
    if not before.strip() or before[-1] in ".!?":
        return False
    if not after.strip():
        return before[-1].isspace() and before.rstrip()[-1].isalnum()
    return before[-1].isspace() or after[0].isspace() or after[0] in ".,;:!?)"


def _is_in_quotes(text: str, mark: re.Match[str]) -> bool:
    before, after = text[max(0, mark.start() - 2) : mark.start()], text[mark.end() : mark.end() + 1]
    opens = not before[:-1].strip() or before[0] in _AROUND
    return before[-1:] in _AROUND and after in _AROUND and opens and bool(before and after)
