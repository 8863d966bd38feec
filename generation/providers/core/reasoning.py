"""Reasoning that a server left in a text, because it knows no better: found by its marks, and taken off.

What only looks like a mark, because the answer quotes one, stays. Reasoning without any mark is no business of
readers: texts are scanned for it (`annotation.texts.core.leaks.musings`) before anybody is shown them.
"""

import re
from bisect import bisect_left
from typing import Final

# What reasoning is put between: DeepSeek, Qwen and many others; Claude-like; Seed; Mistral; Kimi.
_NAMES: Final = r"think|thinking|thought|reasoning|seed:think"
_OPENS: Final = re.compile(rf"<(?P<tag>{_NAMES})(?:\s[^<>]{{0,80}})?>|\[THINK\]|◁think▷", re.IGNORECASE)
_CLOSES: Final = re.compile(rf"</(?:{_NAMES})>|\[/THINK\]|◁/think▷", re.IGNORECASE)
_CLOSED_BY: Final = {"[think]": "[/THINK]", "◁think▷": "◁/think▷"}
# Channels of OpenAI's open models, as their tokens or, where a server left these out, as the words between them.
_FINAL: Final = re.compile(r"<\|channel\|>\s{0,20}final\b[^<]{0,100}(?:<\|constrain\|>[^<]{0,100})?<\|message\|>")
_CHANNEL: Final = re.compile(r"<\|channel\|>")
_ENDS: Final = re.compile(r"<\|(?:return|end|start|call)\|>")
_BARE: Final = re.compile(r"analysis[A-Z\"“']")
_BARE_END: Final = re.compile(r"assistantfinal(?=\S)")
_BEFORE_BARE_END: Final = " \n\t.!?\"”'"
_QUOTES: Final = "`'\"‘’“”«»"
_FENCE: Final = "```"


def without_reasoning(text: str) -> str:
    """The answer in a text that may begin with reasoning; "" where it holds nothing else."""
    begun = text.lstrip()
    if _CHANNEL.search(text):
        return _of_channels(text)
    if _BARE.match(begun):
        for end in _BARE_END.finditer(begun):
            if begun[end.start() - 1] in _BEFORE_BARE_END:
                return begun[end.end() :].lstrip()
    if opening := _OPENS.match(begun):
        return _after(begun, opening)
    return _after_unopened(text)


def _of_channels(text: str) -> str:
    """The last message of the channel “final”. A text that only quotes a channel's mark has it not in front."""
    final = list(_FINAL.finditer(text))
    if final:
        return _ENDS.split(text[final[-1].end() :], maxsplit=1)[0].strip()
    is_quoted = not re.match(r"(?:<\|start\|>\s{0,20}assistant)?\s{0,20}<\|channel\|>", text.lstrip())
    return text if is_quoted else ""


def _after(text: str, opening: re.Match[str]) -> str:
    """What follows the mark that closes what the text opens with. What is opened like it in between is closed
    first, but for a mark that the answer quotes.
    """
    mark = f"</{opening['tag']}>" if opening["tag"] else _CLOSED_BY[opening[0].casefold()]
    closings = [each for each in _CLOSES.finditer(text, opening.end()) if each[0].casefold() == mark.casefold()]
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
    """What follows a mark that closes what was opened in the request, as some chat templates do."""
    for closing in _CLOSES.finditer(text):
        if not _is_quoted(text, closing):
            return text[closing.end() :].lstrip()
    return text


def _is_quoted(text: str, mark: re.Match[str]) -> bool:
    """Whether a sentence speaks of the mark: it stands in quotation marks, in code, or amid a line's words."""
    before, after = text[: mark.start()], text[mark.end() :]
    if any(near and near in _QUOTES for near in (before[-1:], after[:1])) or before.count(_FENCE) % 2:
        return True
    line_before, line_after = before.rpartition("\n")[2], after.partition("\n")[0]
    begins, ends = not line_before.strip(), not line_after.strip()
    # "…so yes.</think>Yes.": who speaks of a mark puts it between spaces.
    is_glued = not line_before[-1:].isspace() and line_after[:1].isalnum()
    return not (begins or ends or is_glued)
