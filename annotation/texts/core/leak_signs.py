"""Words and marks that give a text's source away.

The lists are short on purpose: a scholar who writes about artificial intelligence, about Claude Lévi-Strauss or
about years of teaching must pass. What they miss, the coordinator's own reading has to catch.
"""

from typing import Final, Literal

Kind = Literal[
    "self_reference", "model_name", "refusal", "address", "markup", "contact", "truncated", "author_name"
]

_MODEL: Final = (
    r"(?:(?:AI |large )?language model|LLM|(?:AI|artificial intelligence)(?: (?:model|assistant|system|chatbot))?"
    r"|chatbot|neural network|virtual assistant)"
)
_MODELS: Final = r"(?:(?:(?:AI |[Ll]arge )?[Ll]anguage |AI )models|LLMs|AIs|AI (?:assistants|systems)|[Cc]hatbots)"
_INNER_LIFE: Final = r"(?:beliefs|emotions|experiences|feelings|opinions|preferences|views)"
_CANNOT: Final = (
    r"(?:can't|cannot|can not|am unable to|am not able to|'m unable to|'m not able to"
    r"|won't(?: be able to)?|will not(?: be able to)?)"
)
_THIS: Final = r"(?:that|the|this|your)"
_WORK: Final = r"(?:answer|content|draft|essay|question|reply|request|response|task|text|version)"
_SURNAME: Final = r"(?:[- ](?:d[eiu]|la|van|von|[A-Z]\.)){0,4}[- ][A-Z][\w'-]"

SIGNS: Final[dict[Kind, tuple[str, ...]]] = {
    "self_reference": (
        rf"\b(?:[Aa]s|[Bb]eing) an? {_MODEL}\b(?=,| I\b| (?:trained|developed|created|built|designed) (?:by|to)\b)"
        r"(?=[^.!?]{0,200}?\b(?:I|[Mm]e|[Mm]y)\b)",
        rf"\bI, as an? {_MODEL}\b|\b[Ss]peaking as an? {_MODEL}\b|\b[Aa]s a machine, I\b",
        rf"\bI(?:'m| am) (?:just |only |merely )?an? {_MODEL}\b"
        r"(?=[,.;:!]| (?:and|but|so|that|which|with|without|trained|developed|created|built)\b)",
        rf"\b(?:{_MODEL}|{_MODELS}|[Ss]ystems) (?:like|such as) (?:me|myself)\b",
        rf"\b(?:[Ww]e|[Ll]ike other|[Uu]nlike other) {_MODELS}\b",
        r"\b[Uu]nlike humans?, I\b",
        r"\b[Mm]y (?:training data|(?:knowledge|training) cut-?off|knowledge (?:ends|stops) in)\b",
        r"\b[Aa]s of my (?:last|latest) (?:training|update)\b",
        r"\b[Mm]y (?:last|latest) (?:knowledge|training) update\b",
        r"\b[Mm]y (?:developers|programmers)\b|\b[Mm]y programming\b(?! (?:class|course|job|language|skill|work))",
        r"\bI (?:was|have been|am) trained on (?:(?:a|an|the|large|vast) ){0,3}(?:data|texts?|corpus|corpora)\b",
        r"\bI was (?:built|created|designed|developed|made|programmed|trained) by "
        r"(?:a team of engineers|an? (?:AI|tech) company|Alibaba|Amazon|Google|Meta|Microsoft|xAI)\b",
        rf"\bI (?:do not|don't) have (?:any )?(?:personal|subjective) {_INNER_LIFE}\b(?! (?:in|of|with)\b)",
        rf"\bI (?:do not|don't) have {_INNER_LIFE} of my own\b|\bI lack (?:consciousness|sentience)\b",
        r"\b[Mm]y (?:answers|responses) are generated\b",
        r"\bI (?:do not|don't) have access to real-time\b",
        r"\bI (?:can't|cannot) (?:browse|search) the (?:internet|web)\b",
        r"\b(?i:this (?:answer|essay|response|text)) (?:is|was) (?:drafted|generated|produced|written) "
        rf"(?:by|with the help of|using) (?:an? )?{_MODEL}\b",
    ),
    "model_name": (
        r"(?i:\bchat ?gpt\b|\bgpt-?\d{1,9}(?:\.\d{1,9}){0,3}\w{0,9}|\bopenai\b)",
        r"\b(?:DeepSeek|GPT(?!-?\d)|Grok|LLaMA|Magistral|Mixtral|Nemotron|Qwen\d{0,9})\b",
        r"\b(?:Bard by Google|Bing Chat|Command R|GitHub Copilot|Google Bard|Meta AI|Microsoft Copilot"
        r"|Mistral (?:AI|Large|Medium|Small)|Perplexity AI)\b",
        r"\b(?:Gemma|Kimi|Llama|Mistral)(?=[ -]?K?\d)|\b(?:GLM|Phi)-\d|\bo[1-9](?:-mini|-preview|-pro)\b",
        r"\bAnthropic\b(?! [Pp]rinciple)",
        rf"(?<![\w-])(?<!Jean )Claude(?: (?:Opus|Sonnet|Haiku|Code|AI|\d{{1,9}}(?:\.\d{{1,9}}){{0,3}})"
        rf"|\b(?!{_SURNAME}))",
        r"(?<!Project )(?<!born under )\bGemini\b"
        r"(?! (?:astronauts?|capsules?|constellation|missions?|program(?:me)?|spacecraft|twins|zodiac))",
    ),
    "refusal": (
        rf"(?i:\b(?:I apologi[sz]e|(?:I'm |I am )?sorry|I'm afraid|I am afraid),? (?:but )?I ?{_CANNOT}\b)",
        rf"(?i:\bI ?{_CANNOT} (?:assist|comply|engage|help)(?: you)? with "
        rf"(?:{_THIS} {_WORK}|creating|that[.,]|writing))",
        rf"(?i:\bI ?{_CANNOT} (?:answer|complete|fulfill?|generate) (?:{_THIS} {_WORK}|content))",
        r"(?i:\bI (?:have to|must) (?:respectfully )?decline (?:that|this|your) request)",
        rf"(?i:\bI ?{_CANNOT} (?:give|offer|provide|share) "
        r"(?:an opinion|(?:legal|medical) advice|personal opinions))",
        r"(?i:\bI (?:do not|don't) feel comfortable (?:answering|discussing|generating|providing|writing))",
        r"(?i:\b(?:against|violates?) my (?:content )?(?:guidelines|policies|policy|programming)\b)",
        r"(?i:\bmy guidelines (?:do not|don't|prevent|prohibit)\b)",
    ),
    "address": (
        r"(?m:^(?:Absolutely|Certainly|Of course|Sure|(?:Good|Great|Excellent) question|Happy to help)!)",
        r"(?m:^(?:Absolutely|Certainly|Of course|Okay|Sure),? (?:below|here)(?:'s| is| are)\b)",
        rf"(?m:^(?:Below|Here)(?:'s| is) (?:an?|my|the|your) (?:[^\n.:]{{0,99}} )?{_WORK}\b[^\n.]{{0,99}}:)",
        r"(?m:^(?:Okay, )?[Tt]he user (?:asks|has asked|is asking|wants) (?:for |me )?(?:an?|the|this|to)\b"
        r"[^\n.]{0,199}\b(?:answer|essay|response|text)\b)",
        r"\bI hope (?:it|that|this)(?: answer| essay)? (?:answers your|helps\b[.!]|is helpful|meets your)",
        r"\bI hope you find (?:it|that|this) (?:helpful|useful)\b",
        r"\b[Ll]et me know if (?:there is anything|you(?:'d| have| need| want| would))\b",
        r"\b(?:Do you want|Would you like) me to\b|\bShall I (?:continue|go on)\b",
        r"\b[Aa]nything else you would like\b",
        r"\b[Ii]f you(?:'d like| like| want| would like| wish), I (?:can|could)\b",
        r"\bI can also (?:give|offer|provide|write) (?:you )?an?\b[^\n.]{0,99}\bversion\b",
        r"\b[Ff]eel free to (?:ask|reach out|let me know)\b|\b[Hh]appy to help with\b",
        r"\b(?:I'd|I would) be (?:glad|happy) to (?:clarify|elaborate|expand|help|provide|revise)\b",
        r"\b[Tt]hank you for (?:the|this|your) (?:[\w-]{1,30} )?(?:prompt|question)\b",
    ),
    "markup": (
        r"\*\*|(?<!\w)__(?=[^\W_])|~~|```|`[^`\n]+`|(?<![\w*])\*\w[^*\n]*\*(?![\w*])",
        r"(?m:^(?:#{1,6}|[>*+]) (?=\S)|^\|[^\n]*\|$|^(?:- )?\[[ x]\] )",
        r"!?\[[^\[\]\n]{0,999}\]\([^()\s]{0,999}[()]|\[\^\w{1,30}\]|【[^【】\n]{0,99}】|:contentReference\b|\bciteturn\d\w{1,99}",
        r"</?[A-Za-z][\w-]{0,30}(?:\s{1,9}[\w-]{1,30}=[^<>\n]{0,999}|\s{0,9}/?)>|<\|[^|\n]{0,99}\|>|&(?:[a-z]{2,6}|#\d{1,9});",
        r"\\[a-z]{1,30}\{|\\[()\[\]]|\$\$|(?<![\w$])\$[A-Za-z\\](?:[^$\n]{0,40}[^\s$])?\$(?!\w)",
        r"\[(?:Insert|Name|Your|[Cc]itation needed)\b[^\[\]\n]{0,199}[\[\]]|\{\{[^{}\n]{0,199}\}\}",
        "[\u2600-\u27bf\U0001f300-\U0001faff]",  # pictures that models put where Markdown has a bullet
    ),
    "contact": (
        r"(?<![\w.+-])[\w.+-]+@[\w-]{1,63}(?:\.[\w-]{1,63}){1,9}",
        r"(?<!\d)\d{4}-\d{4}-\d{4}-\d{3}[\dX]\b",  # an ORCID iD
    ),
}
