"""Marks within a paragraph: emphasis, code, links, tags and formulas lose them and keep their words."""

import re
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

_TAG: Final = re.compile(
    r"</?(?:a|abbr|b|big|center|cite|code|del|em|font|i|ins|kbd|mark|p|pre|q|s|samp|small|span|strike|strong|sub|sup"
    r"|table|tbody|td|th|thead|tr|tt|u|ul|ol|li|var|wbr)(?:\s{1,9}[\w-]{1,30}=[^<>]*|\s{0,9}/?)>",
    re.IGNORECASE,
)
_READ_BY_THE_PARSER: Final = re.compile(r"[!*<\[\]\\_`~]")
_STAR_INSIDE_WORD: Final = re.compile(r"(?<=[^\W_])\*(?=[^\W_])")
_QUOTED_BY_BACKTICKS: Final = re.compile(r"``([^`\n]{1,1000}?)''")
_BACKTICK: Final = re.compile(r"(?<!`)`(?!`)")
_HIGHLIGHT: Final = re.compile(r"(?<![=\w])==(?=[^\s=])([^=\n]{1,300})(?<=\S)==(?![=\w])")
_NUMBER_OF_NOTE: Final = re.compile(r"\^?[\w.-]{1,12}(?:[,;] ?[\w.-]{1,12}){0,9}")
_NOTE: Final = re.compile(r"\[\^([\w-]{1,30})\]")

_FORMULA: Final = re.compile(
    r"\\\(([^\n]{1,300}?)\\\)|\\\[([^\n]{1,300}?)\\\]|\$\$([^$\n]{1,300})\$\$"
    r"|(?<![\w$\\])\$(?=[^\s$])([^$\n]{1,120})(?<=\S)\$(?![\w$])"
)
_SEEMS_TEX: Final = re.compile(r"[\\^_={}<>+]|\A[A-Za-z]\Z")
_DOLLARS: Final = re.compile(r"\A[0-9][\d,.]*(?:[\s-]|\Z)")
_FRACTION: Final = re.compile(r"\\[dt]?frac\{([^{}]{1,99})\}\{([^{}]{1,99})\}")
_WRAPPED: Final = re.compile(
    r"\\(?:text|textit|textbf|texttt|textsc|emph|underline|mathrm|mathbf|mathit|mathcal|mathbb|operatorname)"
    r"\{([^{}]{0,300})\}"
)
_COMMAND: Final = re.compile(r"\\([A-Za-z]{1,20})")
_COMMANDS: Final = {
    **dict.fromkeys(("times", "ast"), "*"),
    **dict.fromkeys(("le", "leq"), "<="),
    **dict.fromkeys(("ge", "geq"), ">="),
    **dict.fromkeys(("ne", "neq"), "!="),
    **dict.fromkeys(("to", "rightarrow", "longrightarrow"), "->"),
    **dict.fromkeys(("Rightarrow", "implies"), "=>"),
    **dict.fromkeys(("left", "right", "quad", "qquad", "displaystyle"), ""),
    **dict.fromkeys(("ldots", "dots", "cdots"), "..."),
    "pm": "+/-",
    "cdot": "·",
    "approx": "≈",
    "infty": "∞",
}


class _Markdown(MarkdownIt):
    def validateLink(self, url: str) -> bool:  # noqa: N802  (the parser's own name)
        """Whether what stands in parentheses behind brackets is an address; otherwise both are prose."""
        return super().validateLink(url) and bool(re.search(r"[./:#@]", url))


_MARKDOWN: Final = _Markdown("commonmark").enable(["strikethrough"]).disable(["reference"])


def without_inline_marks(text: str) -> str:
    """Return the words of `text`, a paragraph without line breaks, and what of its signs is no mark."""
    if "$" in text or "\\" in text:
        text = _WRAPPED.sub(r"\1", _FORMULA.sub(_without_tex, text))
    if "`" in text:
        text = _with_apostrophes(_QUOTED_BY_BACKTICKS.sub(r'"\1"', text))
    text = _HIGHLIGHT.sub(r"\1", text)
    text = _NOTE.sub(r"[\1]", text)
    if not _READ_BY_THE_PARSER.search(text):
        return text
    text = _STAR_INSIDE_WORD.sub(r"\\*", text)
    return "".join(_plain(child) for token in _MARKDOWN.parseInline(text) for child in token.children or ())


def _with_apostrophes(text: str) -> str:
    """Backticks that stand for apostrophes as such; any other has to be opened before it closes."""
    is_open = False

    def apostrophe_or_code(found: re.Match[str]) -> str:
        nonlocal is_open
        before, after = text[max(0, found.start() - 1) : found.start()], text[found.end() : found.end() + 1]
        if before.isalnum() and (after.isalnum() or not is_open):
            return "'"
        is_open = not is_open
        return "`"

    return _BACKTICK.sub(apostrophe_or_code, text)


def _plain(token: Token) -> str:
    match token.type:
        case "text" | "text_special" | "code_inline" | "image":
            return token.content
        case "softbreak" | "hardbreak":
            return " "
        case "html_inline":
            return "" if token.content.startswith("<!--") else _TAG.sub("", token.content)
        case _:
            return ""


def _without_tex(found: re.Match[str]) -> str:
    inner = next(filter(None, found.groups()))
    if found[2] and _NUMBER_OF_NOTE.fullmatch(inner):
        return f"[{inner}]"
    if found[4] and (not _SEEMS_TEX.search(inner) or _DOLLARS.match(inner)):
        return found[0]
    inner = _WRAPPED.sub(r"\1", _FRACTION.sub(r"\1/\2", inner))
    inner = _COMMAND.sub(lambda command: _COMMANDS.get(command[1], command[1]), inner)
    return re.sub(r"\\[,;:! ]", " ", inner).replace("{", "").replace("}", "").strip()
