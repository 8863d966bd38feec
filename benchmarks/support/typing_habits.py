"""How people type a passage into a plain field, and how models mark it up: habits drawn by a seed."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from textwrap import fill
from typing import Final

from benchmarks.support.passages import Part, Passage

_QUOTED: Final = re.compile("“([^“”]*)”")
_QUOTED_WITHIN: Final = re.compile("‘([^‘’]*)’")
_EMPHASIS: Final = re.compile(r"\*([^*]+)\*")
_CITATION: Final = re.compile(r"\[(\d)\]")
DIRECTIONS: Final = ("\u200e", "\u202a", "\u2066")
_RAISED: Final = "⁰¹²³⁴⁵⁶⁷⁸⁹"

Chosen = Mapping[str, str]

HABITS_OF_PEOPLE: Final[Mapping[str, Sequence[str]]] = {
    "quotes": (
        '"|"',
        '"|"',
        '"|"',
        "“|”",
        "'|'",
        "«|»",
        "„|“",
        "``|''",
        "‘|’",
        "'' | ''",
        "‚|‘",
        ",,|''",
        "”|”",
        "»|«",
    ),
    "quotes within": ("'|'", "‘|’", '"|"'),
    "apostrophe": ("'", "'", "'", "’", "´", "`", "‘", "ʼ", "′"),
    "aside": (" - ", " - ", " -- ", "--", " – ", "—", " — ", ", ", " -", "- ", " --- ", " ~ ", " ― "),
    "range": ("-", "-", "–", " - ", "--", " – "),
    "ellipsis": ("...", "...", "…", ". . .", "..", " ...", "....", "… "),
    "space": (" ", " ", "  ", "  ", "\u00a0 "),
    "paragraph": ("\n\n", "\n\n", "\n", "\n\n\n", "\n\t", "\n    ", "\r\n\r\n", " \n\n", "\n \n"),
    "wrap": ("", "", "", "", "50", "110", "64", "72", "78", "95"),
    "list": (
        "- ",
        "* ",
        "• ",
        "1. ",
        "1) ",
        "(1) ",
        "a) ",
        "i. ",
        "– ",
        "-> ",
        "\t- ",
        "o\t",
        "> ",
        "inline",
        "none",
        "1- ",
        "1: ",
        "(i) ",
        "· ",
        "~ ",
        "#1 ",
        "+ ",
    ),
    "list end": ("", "", ",", ";", "."),
    "title": (
        "",
        "",
        "",
        "plain",
        "CAPS",
        "underlined",
        "colon",
        "numbered",
        "spaced",
        "dashed",
        "lettered",
        "starred",
    ),
    "emphasis": ("", "*|*", "_|_", "", "", "**|**"),
    "ending": (
        "",
        "",
        "",
        "",
        "— {name}",
        "{name}",
        "{initials}",
        "Best regards,\n{name}",
        "Word count: {words}",
        "({words} words)",
        "Signed: {name}",
        "/ {name}",
        "Thank you for reading.\n\n{name}",
        "END",
        "[{words} words]",
        "Total: {words}",
    ),
    "opening": ("", "", "", "", "", "Dear reviewers,", "Hello,"),
    "slip": ("", "", "", " ,", "( ", "no space", "!!", ":-)"),
    "pasted": ("", "", "", "", "ligatures", "soft hyphens", "marks of direction", "zero width", "full width"),
    "citation": ("[|]", "[|]", "[|]", "raised"),
}
HABITS_OF_MODELS: Final[Mapping[str, Sequence[str]]] = {
    "quotes": ("“|”", "“|”", '"|"', "&quot;|&quot;", "&ldquo;|&rdquo;"),
    "quotes within": ("‘|’", "'|'"),
    "apostrophe": ("’", "’", "'", "&#39;", "&rsquo;"),
    "aside": ("—", "—", "—", " — ", " – ", "&mdash;", "\u200a—\u200a"),
    "range": ("–", "–", "-", "&ndash;", "\u2011"),
    "ellipsis": ("…", "...", "&hellip;", "… "),
    "space": (" ", " ", " ", "\u202f", " \u200b"),
    "paragraph": ("\n\n", "\n\n", "\n\n", "\n\n---\n\n", "  \n\n", "\n\n***\n\n", "<br><br>", "html"),
    "wrap": ("", "", "", "", "80"),
    "list": (
        "- ",
        "* ",
        "1. ",
        "- ",
        "* ",
        "1. ",
        "+ ",
        "• ",
        "1\\. ",
        "- [ ] ",
        "✅ ",
        "<li>",
        "loose",
        "bold numbers",
        "🔹 ",
        "1) ",
        "– ",
        "➤ ",
        "a. ",
        "* **",
    ),
    "list end": ("", "", "", ".", ";"),
    "title": (
        "",
        "## ",
        "### ",
        "**|**",
        "# ",
        "## 1. ",
        "setext",
        "<h2>|</h2>",
        "***|***",
        "## 🚀 ",
        "### **|**",
        "__|__",
        "#### ",
        "**Part 1: |**",
        "📌 **|**",
        "<strong>|</strong>",
        "## **1. |**",
    ),
    "emphasis": (
        "*|*",
        "**|**",
        "_|_",
        "`|`",
        "",
        "***|***",
        "<em>|</em>",
        "==|==",
        "<b>|</b>",
        "**_|_**",
        "<u>|</u>",
    ),
    "ending": (
        "",
        "",
        "",
        "**Word count:** {words}",
        "*(Word count: {words})*",
        "*— {name}*",
        "---\n*{words} words*",
        "***",
    ),
    "opening": ("", "", "", "", "```markdown"),
    "slip": ("", "", "bold opening", "quoted"),
    "pasted": ("", "", "", "marks of direction", "zero width", "word joiners", "tags"),
    "citation": ("[|]", "[|]", "[^|]", "raised", "[[|]](https://example.org/x)", "\\[|\\]"),
}


FURTHER_HABITS_OF_PEOPLE: Final[Mapping[str, Sequence[str]]] = {
    "quotes": ("<<|>>", "‹|›", "″|″", "“|“", "''|''", "„|”", '"|„'),
    "apostrophe": ("‛", "ʹ", "＇"),
    "aside": (" .. ", " − ", " -- -- ", "  -  ", " -– ", " ... ", " ‒ "),
    "range": ("—", "‒", "−", "~"),
    "ellipsis": ("….", " . . .", "· · ·", "....."),
    "space": ("   ", "\t", " \u2003"),
    "paragraph": ("\n\n* * *\n\n", "\n\n~\n\n", "\n.\n", "\f", "\v", "\n\n§ ", "\n\n-----\n\n", "\n\n\u3000"),
    "list": ("1.) ", "1/ ", "— ", "= ", "(a) ", "A) ", "1.\t", "¤ ", "» ", "=> ", "1 - ", "No. 1: ", "-"),
    "title": ("bracketed", "equals", "full stop", "arrow"),
    "emphasis": ("/|/", "'|'", "+|+"),
    "ending": (
        "(ca. {words} words)",
        "~{words} words",
        "[{name}]",
        "~ {name}",
        "Yours,\n{name}",
        "(end)",
        "Fin.",
        "- - -",
        "{words}",
        "Written by {name}",
    ),
    "opening": ("Hi all,", "To whom it may concern:", "My answer:", "A:", "Answer"),
    "slip": (" ;", " .", "??", ",,"),
    "pasted": ("bullets of a word processor", "object marks", "narrow spaces"),
}
FURTHER_HABITS_OF_MODELS: Final[Mapping[str, Sequence[str]]] = {
    "quotes": ("&#8220;|&#8221;", "&#34;|&#34;", '\\"|\\"'),
    "apostrophe": ("&apos;", "&#8217;", "\\'"),
    "aside": ("&#8212;", " &mdash; ", "\u2009—\u2009", "---", "⸺"),
    "range": ("&#8211;", "−", "\u2060–\u2060"),
    "ellipsis": ("&#8230;", "⋯", "\\..."),
    "paragraph": ("\n\n___\n\n", "\n\n* * *\n\n", "\n\n&nbsp;\n\n", "<br/>\n<br/>\n", "\\n\\n", "\n\n<hr>\n\n"),
    "list": ("- **", "▪ ", "◦ ", "‣ ", "* [x] ", "🔸 ", "→ ", "&bull; ", "(1) ", "**1)** ", "❶ "),
    "title": (
        "<h3>|</h3>",
        "**|:**",
        "## *|*",
        "##### ",
        "### 1) ",
        "<b>|</b>",
        "## | ##",
        "## ✨ | ✨",
        "\\section{|}",
        "#|",
    ),
    "emphasis": (
        "<i>|</i>",
        "<mark>|</mark>",
        "\\textit{|}",
        "<strong>|</strong>",
        "<span>|</span>",
        "[|]{.underline}",
    ),
    "ending": (
        "<!-- {words} words -->",
        "`{words} words`",
        "> Word count: {words}",
        "### Word count: {words}",
        "**[END]**",
        "_Approx. {words} words_",
        "Total words: **{words}**",
        "[End of essay]",
    ),
    "opening": ("```", "```text", "~~~markdown"),
    "citation": ("<sup>|</sup>", "^|^", "<sup>[|]</sup>"),
}
"""Habits that the rules of normalisation were not made with; half of what is drawn where they are asked for."""


@dataclass(frozen=True)
class Typed:
    """What is sent in, and the habits it was typed or marked with."""

    text: str
    habits: Chosen


def by_a_person(passage: Passage, chance: Random, *, further: bool = False) -> Typed:
    """As somebody types it."""
    habits = _drawn(HABITS_OF_PEOPLE, FURTHER_HABITS_OF_PEOPLE if further else {}, chance)
    return Typed(_as_people_do(passage, habits, chance), habits)


def by_a_model(passage: Passage, chance: Random, *, further: bool = False) -> Typed:
    """As a model marks it up."""
    habits = _drawn(HABITS_OF_MODELS, FURTHER_HABITS_OF_MODELS if further else {}, chance)
    return Typed(_as_models_do(passage, habits, chance), habits)


def _drawn(
    habits: Mapping[str, Sequence[str]], further: Mapping[str, Sequence[str]], chance: Random
) -> dict[str, str]:
    found = {}
    for name, options in habits.items():
        is_further = name in further and chance.random() < 0.5
        found[name] = chance.choice(further[name] if is_further else options)
    return found


def _signs(text: str, habits: Chosen) -> str:
    """The signs within a sentence by habit; the double marks first, for what stands in them keeps its own."""
    text = text.replace("—", " — ").replace("  —  ", " — ")
    text = _QUOTED_WITHIN.sub(lambda found: "\ue001".join(["\ue000" + found[1], ""]), text)
    text = _CITATION.sub(lambda found: _cited(found[1], habits["citation"]), text)
    text = text.replace("’", "\ue002").replace("–", "\ue003").replace(" — ", "\ue004").replace("…", "\ue005")
    opening, closing = habits["quotes"].split("|")
    text = _QUOTED.sub(lambda found: f"{opening}{found[1]}{closing}", text)
    if habits["emphasis"]:
        first, last = habits["emphasis"].split("|")
        text = _EMPHASIS.sub(lambda found: f"{first}{found[1]}{last}", text)
    else:
        text = _EMPHASIS.sub(r"\1", text)
    within, within_end = habits["quotes within"].split("|")
    signs = {
        "\ue000": within,
        "\ue001": within_end,
        "\ue002": habits["apostrophe"],
        "\ue003": habits["range"],
        "\ue004": habits["aside"],
        "\ue005": habits["ellipsis"],
    }
    return "".join(signs.get(character, character) for character in text).replace("  ", " ")


def _cited(number: str, how: str) -> str:
    if how == "raised":
        return _RAISED[int(number)]
    return number.join(how.split("|"))


def _list(part: Part, habits: Chosen, lead: str, sentences: Sequence[str]) -> str:
    marker, end = habits["list"], habits["list end"]
    if part.kind == "items":
        last = "." if end in (",", ";", ".") else ""
        sentences = [*(text + end for text in sentences[:-1]), sentences[-1] + last]
    if marker == "inline":
        joined = (
            "; ".join(text.rstrip(",;.") for text in sentences) if part.kind == "items" else " ".join(sentences)
        )
        return f"{lead} {joined.rstrip('.')}."
    lines = [_marked(marker, number, text) for number, text in enumerate(sentences, start=1)]
    gap = "\n\n" if marker == "loose" else "\n"
    return f"{lead}{gap if marker != 'loose' else chr(10) * 2}" + gap.join(lines)


def _marked(marker: str, number: int, text: str) -> str:
    special: dict[str, Callable[[], str]] = {
        "none": lambda: text[0].upper() + text[1:],
        "loose": lambda: f"- {text}",
        "bold numbers": lambda: f"**{number}.** {text}",
        "i. ": lambda: f"{'i' * number}. {text}",
        "(i) ": lambda: f"({'i' * number}) {text}",
        "a. ": lambda: f"{'abcdef'[number - 1]}. {text}",
        "* **": lambda: f"* **{text.partition(' ')[0]}** {text.partition(' ')[2]}",
        "a) ": lambda: f"{'abcdef'[number - 1]}) {text}",
        "<li>": lambda: f"<li>{text}</li>",
    }
    return special[marker]() if marker in special else marker.replace("1", str(number)) + text


def _ending(passage: Passage, habits: Chosen, words: int) -> str:
    initials = " ".join(f"{name[0]}." for name in passage.author.split())
    return habits["ending"].format(name=passage.author, initials=initials, words=words)


def _as_people_do(passage: Passage, habits: Chosen, chance: Random) -> str:
    found: list[str] = []
    for number, (part, title) in enumerate(zip(passage.parts, passage.titles, strict=True), start=1):
        sentences = [_signs(text, habits) for text in part.sentences]
        if part.kind == "paragraph":
            text = habits["space"].join(_with_slip(sentence, habits["slip"], chance) for sentence in sentences)
            if habits["wrap"]:
                text = fill(text, int(habits["wrap"]))
        else:
            text = _list(part, habits, _signs(part.lead, habits), sentences)
        if habits["title"] and (number == 1 or habits["title"] != "plain") and part.kind == "paragraph":
            found.append(_title_as_people_do(title, habits["title"], number) + chance.choice(["\n", "\n\n"]) + text)
        else:
            found.append(text)
    text = habits["paragraph"].join(found)
    if habits["paragraph"] in ("\n\t", "\n    ") and not habits["wrap"]:
        text = habits["paragraph"][1:] + text
    ending, words = "", len(text.split())
    if habits["ending"]:
        ending = "\n\n" + _ending(passage, habits, words)
    opening = f"{habits['opening']}\n\n" if habits["opening"] else ""
    return _pasted(f"{opening}{text}{ending}", habits["pasted"], chance)


def _title_as_people_do(title: str, how: str, number: int) -> str:  # noqa: PLR0911  (a table of habits)
    match how:
        case "CAPS":
            return title.upper()
        case "underlined":
            return f"{title}\n{'-' * len(title)}"
        case "colon":
            return f"{title}:"
        case "numbered":
            return f"{number}. {title}"
        case "dashed":
            return f"-- {title} --"
        case "lettered":
            return f"{'ABCDEFGH'[number - 1]}. {title}"
        case "starred":
            return f"*** {title} ***"
        case "spaced":
            return f"   {title}  \n"
        case "bracketed":
            return f"[{title}]"
        case "equals":
            return f"== {title} =="
        case "full stop":
            return f"{title}."
        case "arrow":
            return f">> {title}"
    return title


def _with_slip(sentence: str, slip: str, chance: Random) -> str:  # noqa: PLR0911  (a table of habits)
    if not slip or chance.random() < 0.7:
        return sentence
    match slip:
        case " ,":
            return sentence.replace(", ", " , ", 1)
        case "( ":
            return sentence.replace("(", "( ", 1).replace(")", " )", 1)
        case "no space":
            return sentence.replace(", ", ",", 1)
        case "!!" | "??":
            return sentence.replace(slip[0], slip)
        case " ;" | " .":
            return sentence.replace(slip[1], slip, 1)
        case ",,":
            return sentence.replace(",", ",,", 1)
    return f"{sentence} {slip}"


def _pasted(text: str, what: str, chance: Random) -> str:  # noqa: PLR0911  (a table of habits)
    match what:
        case "ligatures":
            return text.replace("fi", "ﬁ").replace("fl", "ﬂ")
        case "soft hyphens":
            return text.replace("tion", "\u00adtion")
        case "marks of direction":
            return text.replace(". ", f".{chance.choice(DIRECTIONS)} ")
        case "zero width":
            return text.replace(" the ", " \u200bthe\ufeff ")
        case "full width":
            return text.replace("(", "（").replace(")", "）").replace(":", "：")
        case "bullets of a word processor":
            return text.replace("\n- ", "\n\uf0b7\t")
        case "object marks":
            return text.replace("\n\n", "\n\n\ufffc", 1)
        case "narrow spaces":
            return text.replace(" ", "\u2009", 3)
        case "word joiners":
            return text.replace(", ", "\u2060, ")
        case "tags":
            return text.replace(". ", ".\U000e0041\U000e0042 ")
    return text


def _as_models_do(passage: Passage, habits: Chosen, chance: Random) -> str:
    found: list[str] = []
    for number, (part, title) in enumerate(zip(passage.parts, passage.titles, strict=True), start=1):
        sentences = [_signs(text, habits) for text in part.sentences]
        if part.kind == "paragraph":
            if habits["slip"] == "bold opening":
                sentences[0] = f"**{sentences[0]}**" if "*" not in sentences[0] else sentences[0]
            text = habits["space"].join(sentences)
            if habits["wrap"]:
                text = fill(text, int(habits["wrap"]))
            if habits["slip"] == "quoted" and number == 2:
                text = "\n".join(f"> {line}" for line in text.split("\n"))
        else:
            text = _list(part, habits, _signs(part.lead, habits), sentences)
        is_titled = habits["title"] and (part.kind == "paragraph")
        found.append((_title_as_models_do(title, habits["title"], number) if is_titled else "") + text)
    if habits["paragraph"] == "html":
        text = "\n".join(
            f"<p>{part}</p>" if not part.startswith(("<", "#")) and "\n" not in part else f"\n{part}\n"
            for part in found
        )
    else:
        text = habits["paragraph"].join(found)
    words = len(text.split())
    if habits["ending"]:
        text += "\n\n" + _ending(passage, habits, words)
    if habits["opening"]:
        fence = habits["opening"][:3]
        text = f"{habits['opening']}\n{text}\n{fence}"
    return _pasted(text, habits["pasted"], chance)


def _title_as_models_do(title: str, how: str, number: int) -> str:
    if how == "setext":
        return f"{title}\n{'=' * len(title)}\n\n"
    if "|" in how:
        first, last = how.replace("1", str(number)).split("|")
        return f"{first}{title}{last}\n\n"
    return f"{how.replace('1', str(number))}{title}\n\n"
