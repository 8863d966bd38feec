"""Finds what gives a text's source away, for a coordinator to look at before any judge does.

The word lists are short on purpose: a scholar who writes about artificial intelligence, about Claude Lévi-Strauss
or about years of teaching must pass. What they miss, the coordinator's own reading has to catch.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

Kind = Literal["self_reference", "model_name", "refusal", "markup", "truncated", "author_name"]


_MACHINE: Final = (
    r"(?:(?:AI |large )?language model|LLM|(?:AI|artificial intelligence)(?: (?:model|assistant|system|chatbot))?"
    r"|chatbot|virtual assistant)"
)
_CANNOT: Final = r"(?:can't|cannot|can not|am unable to|am not able to|'m unable to|'m not able to|won't|will not)"
_SURNAME: Final = r"(?:[- ](?:d[eiu]|la|van|von|[A-Z]\.))*[- ][A-Z][\w'-]"

_SIGNS: Final[dict[Kind, tuple[str, ...]]] = {
    "self_reference": (
        rf"\b[Aa]s an? {_MACHINE}\b(?=,| I\b| (?:trained|developed|created|built) by)"
        r"(?=[^.!?]*\b(?:I|[Mm]e|[Mm]y)\b)",
        rf"\bI(?:'m| am) (?:just |only |merely )?an? {_MACHINE}\b"
        r"(?=[,.;:!]| (?:and|but|so|that|which|with|without|trained|developed|created|built)\b)",
        r"\b[Mm]y (?:training data|(?:knowledge|training) cut-?off)\b",
        r"\bI was trained on (?:(?:a|an|the|large|vast) )*(?:data|texts?|corpus|corpora)\b",
    ),
    "model_name": (
        r"(?i:\bchat ?gpt\b|\bgpt-?\d+(?:\.\d+)*\w*|\bopenai\b)",
        r"\b(?:DeepSeek|GPT(?!-?\d)|Grok|LLaMA|Magistral|Mixtral|Qwen)\b",
        r"\b(?:Google Bard|Microsoft Copilot|GitHub Copilot|Mistral (?:AI|Large|Medium|Small))\b",
        r"\b(?:Gemma|Kimi|Llama|Mistral)(?=[ -]?K?\d)",
        r"\bAnthropic\b(?! [Pp]rinciple)",
        rf"(?<![\w-])(?<!Jean )Claude(?: (?:Opus|Sonnet|Haiku|Code|AI|\d+(?:\.\d+)*)|\b(?!{_SURNAME}))",
        r"(?<!Project )\bGemini\b"
        r"(?! (?:astronauts?|capsules?|constellation|missions?|program(?:me)?|spacecraft|twins|zodiac))",
    ),
    "refusal": (
        rf"(?i:\bI(?:'m| am) sorry,? but I ?{_CANNOT}\b)",
        rf"(?i:\bI ?{_CANNOT} (?:assist|comply|help)(?: you)? with (?:that|this|your) (?:question|request|task))",
        rf"(?i:\bI ?{_CANNOT} (?:answer|complete|fulfill?|generate) (?:that|this|your) (?:question|request))",
        r"(?i:\bI must (?:respectfully )?decline (?:that|this|your) request)",
        r"(?i:\b(?:against|violates?) my (?:content )?(?:guidelines|policies|policy|programming)\b)",
    ),
    "markup": (
        r"\*\*|(?<!\w)__(?=[^\W_])|~~|```|`[^`\n]+`|(?<![\w*])\*\w[^*\n]*\*(?![\w*])",
        r"(?m:^(?:#{1,6}|[>*+]) (?=\S)|^\|.*\|$)",
        r"!?\[[^\]\n]*\]\([^)\s]*\)|\[\^\w+\]",
        r"</?[A-Za-z][\w-]*(?:\s+[\w-]+=[^<>\n]*)?\s*/?>|<\|[^|\n]*\|>|&(?:amp|gt|lt|nbsp|quot|#\d+);",
    ),
}
_PATTERNS: Final = [(kind, re.compile(pattern)) for kind, patterns in _SIGNS.items() for pattern in patterns]

_ENDS_COMPLETE: Final = re.compile(r"""[.!?。！？।؟]["')\]]*(?:\[\d+\])?$""")
_CONTEXT: Final = 30  # characters shown on either side of a finding

_Span = tuple[int, int, Kind]


@dataclass(frozen=True)
class Finding:
    """`text[start:end]` may identify the source; `excerpt` shows it with a little of what stands around it."""

    kind: Kind
    start: int
    end: int
    excerpt: str


def scan(text: str, *, names: Sequence[str] = ()) -> tuple[Finding, ...]:
    """Return what may identify the source of a normalised `text`, in the order of the text.

    `names` are the people who must not be recognised, such as the author: each is found as whole words, with
    any white space between its parts, and only where it begins with a capital, so that a Will or a Rose does
    not turn every verb and flower into a finding. A text that ends without a full stop, question mark or the
    like counts as truncated, and so does an empty one.
    """
    spans = {*_signs(text), *_author_names(text, names), *_truncation(text)}
    return tuple(Finding(kind, start, end, _excerpt(text, start, end)) for start, end, kind in sorted(spans))


def _signs(text: str) -> Iterator[_Span]:
    for kind, pattern in _PATTERNS:
        for found in pattern.finditer(text):
            yield found.start(), found.end(), kind


def _author_names(text: str, names: Sequence[str]) -> Iterator[_Span]:
    for parts in filter(None, map(str.split, names)):
        pattern = r"(?<!\w)" + r"\s+".join(map(re.escape, parts)) + r"(?!\w)"
        for found in re.finditer(pattern, text, re.IGNORECASE):
            first = found[0][0]
            if first == first.upper():
                yield found.start(), found.end(), "author_name"


def _truncation(text: str) -> Iterator[_Span]:
    if not _ENDS_COMPLETE.search(text):
        yield text.rfind(" ") + 1, len(text), "truncated"


def _excerpt(text: str, start: int, end: int) -> str:
    return " ".join(text[max(0, start - _CONTEXT) : end + _CONTEXT].split())
