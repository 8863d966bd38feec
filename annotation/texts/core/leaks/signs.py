"""What findings are, and marks that give a text's source away whatever it says: markup and addresses."""

from typing import Final, Literal

Kind = Literal[
    "self_reference",
    "model_name",
    "refusal",
    "musing",
    "address",
    "task",
    "study",
    "circumstances",
    "own_work",
    "own_post",
    "own_life",
    "own_name",
    "own_words",
    "author_name",
    "contact",
    "disguise",
    "markup",
    "truncated",
]
Severity = Literal[1, 2, 3]
SURELY: Final[Severity] = 3
PROBABLY: Final[Severity] = 2
PERHAPS: Final[Severity] = 1

MARKUP: Final = (
    r"\*\*|(?<!\w)__(?=[^\W_])|~~|```|`[^`\n]+`|(?<![\w*])\*\w[^*\n]*\*(?![\w*])",
    r"(?m:^(?:#{1,6}|[>*+]) (?=\S)|^\|[^\n]*\|$|^(?:- )?\[[ x]\] )",
    r"!?\[[^\[\]\n]{0,999}\]\([^()\s]{0,999}[()]|\[\^\w{1,30}\]|【[^【】\n]{0,99}】|:contentReference\b|\bciteturn\d\w{1,99}",
    r"</?[A-Za-z][\w-]{0,30}(?:\s{1,9}[\w-]{1,30}=[^<>\n]{0,999}|\s{0,9}/?)>|<\|[^|\n]{0,99}\|>|&(?:[a-z]{2,6}|#\d{1,9});",
    r"\\[a-z]{1,30}\{|\\[()\[\]]|\$\$|(?<![\w$])\$[A-Za-z\\](?:[^$\n]{0,40}[^\s$])?\$(?!\w)",
    r"\[(?:Insert|Name|Your|[Cc]itation needed)\b[^\[\]\n]{0,199}[\[\]]|\{\{[^{}\n]{0,199}\}\}",
    "[\u2600-\u27bf\U0001f300-\U0001faff]",  # pictures that models put where Markdown has a bullet
)

SIGNATURE: Final = (  # initials alone, where a text ends or a paragraph begins
    r"[(:;–—] ?(?!(?:U\.S|U\.K|U\.N|E\.U|A\.D|B\.C|P\.S|N\.B|D\.C|R\.I\.P|Q\.E\.D|A\.M|P\.M)\b)"
    r"(?:[A-Z]\.[ -]?){2,4}\)?\.?\s{0,9}\Z",
    r"(?m:^(?!(?:U\.S|U\.K|U\.N|E\.U|A\.D|B\.C|P\.S|N\.B|D\.C)\b)"
    r"(?:[A-Z]\. ?){2,4}, (?:on|in|for|from|who|with)\b)",
)

CONTACT: Final = (
    r"(?<![\w.+-])[\w.+-]+@[\w-]{1,63}(?:\.[\w-]{1,63}){1,9}",
    r"\b[\w.+-]{1,64} ?[(\[]at[)\]] ?[\w-]{1,63}(?:\.[\w-]{1,63}){1,9}",
    r"(?<![\w@/.])@[A-Za-z]\w{2,30}(?![\w@])",  # a handle
    r"(?i:[(\[] ?dot ?[)\]])",
    r"(?<!\d)\d{4}-\d{4}-\d{4}-\d{3}[\dX]\b",  # an ORCID iD
    r"(?i:\borcid\.org/)",
)
