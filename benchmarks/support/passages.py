"""Passages of argument, composed by a seed, with everything in them that people and models set differently.

They stand in a notation of their own: “quotation”, ’ for every apostrophe, — around asides, – in ranges, … and
*emphasis*.
"""

from dataclasses import dataclass
from random import Random
from typing import Final, Literal

NOUNS: Final = (
    "trust|custom|the law|a promise|public shame|solidarity|the market|kinship|honour|"
    "the ballot|gossip|a well-kept archive|co-operation|the welfare state|collective memory|long-"
    "term planning|a half-forgotten rule|the family|loyalty|hospitality|a jury|self-restraint|"
    "reputation|the civil service|a strike|the census|forgiveness|a quota|tolerance|ritual|"
    "a gift|the village council|anonymity|inheritance|rank|a free press|neighbourliness|"
    "punishment|care work|the boycott"
).split("|")
PEOPLE: Final = (
    "tenants|nurses|magistrates|second-generation migrants|voters|apprentices|shopkeepers|clerks|"
    "foster parents|miners|delegates|farm-hands|judges|teachers|old-age pensioners|outsiders|"
    "taxpayers|parishioners|co-workers|guests"
).split("|")
NAMES: Final = (
    "Durkheim|O’Neill|Arendt|Weber|Ostrom|Du Bois|Goffman|Lévi-Strauss|Tocqueville|Hirschman|Douglas|Simmel".split(
        "|"
    )
)
SAYINGS: Final = (
    "fair enough|it was never voted on|the dead hand of the past|everyone pays|a club good|"
    "who guards the guards|no taxation without representation|the rules of the game|"
    "we have always done it this way|cheap talk"
).split("|")
ADVERBS: Final = (
    "rarely|often|in practice|by and large|at first sight|almost never|for the most part|over time".split("|")
)

SENTENCES: Final = (
    "What holds {a} together is {adverb} written down.",
    "{A} binds {p} who have never met, and it does so without {b}.",
    "{n} called this “{s}”, and the phrase has stuck.",
    "Between {y1}–{y2} the share of {p} who relied on {a} fell from {d1}% to {d2}%.",
    "It is one thing to praise {a} — another to live under it.",
    "{A} — unlike {b} — can’t be bought.",
    "Three things — {a}, {b}, and {c} — are confused in this debate.",
    "Yet {p} don’t obey {a} because it’s there; they obey because others do.",
    "“{S},” they say, but who are “they”?",
    "Is {a} a cause, or only a sign, of {b}?",
    "{n} ({y1}) thought otherwise [{k}].",
    "If {a} fails, {b} takes its place… or nothing does.",
    "That’s why {adverb} the *same* rule weighs more on {p} than on {q}.",
    "A rule-bound order needs {a}; a face-to-face one needs {b}.",
    "Of {m} {p} who were asked, {d1} named {a} first (see pp. {d1}–{d3}).",
    "We might object that {a} is older than {b}: it isn’t.",
    "{P} know this; {q} learn it late.",
    "To {p}, {a} looks like {b}; to {q}, like theft.",
    "The answer depends on {a}, on {b}, and on how many {p} can leave.",
    "Nobody would say that the {p}’ claim counts for nothing.",
    "Here {n}’s point — made in the {y1}s and often repeated — still stands: {a} is *made*, not found.",
    "By contrast, {a} does not scale: what works for {d1} {p} won’t work for {m},000.",
    "I doubt it.",
    "So far, so good.",
    "But {adverb} that is not what happens!",
    "{A} asks for {b}, e.g. when {p} and {q} share a well.",
    "As {n} put it, “{a} is what is left when ‘{s}’ no longer convinces”.",
    "Such an {x}-year experiment would cost about ${m},500, or {d1}.{k} million in today’s money.",
    "The test is simple: would {p} accept {a} if they did not know their place in it?",
    "This does not make {a} worthless; it makes it political.",
    "Where {a} is weak, {p} turn to {b}—and pay for it.",
    "Both sides — the {p} and the {q} — had read their {n}.",
)
ITEMS: Final = (
    "{a}",
    "the consent of {p}",
    "{a} among {p}",
    "time for {b}",
    "a way out for {p}",
    "{b} that {p} can see",
)
STATEMENTS: Final = (
    "{A} gives {p} a reason to stay.",
    "{P} are told about {a} before it binds them.",
    "{A} can be undone, and everybody knows how.",
    "Nobody profits from {b} alone.",
    "{A} isn’t the same as {b}.",
)
LEADS: Final = (
    "Three conditions have to be met:",
    "It helps to keep some things apart:",
    "What {p} ask for is modest:",
    "{n} lists what this takes:",
)
TITLES: Final = (
    "{A} and Its Limits",
    "The Case of {A}",
    "Who Pays for {A}",
    "Why {A} Matters",
    "On {A}",
    "{A}, Past and Present",
)


@dataclass(frozen=True)
class Part:
    """A paragraph of sentences, or a list of what `lead` announces: of short `items`, or of whole sentences."""

    kind: Literal["paragraph", "items", "statements"]
    sentences: tuple[str, ...]
    lead: str = ""


@dataclass(frozen=True)
class Passage:
    """An answer in parts, with a title for each that a writer may set or not."""

    parts: tuple[Part, ...]
    titles: tuple[str, ...]
    author: str


def passage(seed: int) -> Passage:
    """The passage of this number, 150 to 450 words long."""
    chance = Random(f"passage {seed}")  # noqa: S311  (a benchmark's)
    parts = [_paragraph(chance) for _ in range(chance.randint(2, 5))]
    if chance.random() < 0.5:
        parts.insert(chance.randint(1, len(parts)), _list(chance))
    titles = tuple(_filled(chance.choice(TITLES), chance) for _ in parts)
    given, surname = ("Jane", "Tom", "Ngozi", "María", "Wei", "Ada"), ("Doe", "Okafor", "Núñez")
    author = f"{chance.choice(given)} {chance.choice(surname)}"
    return Passage(tuple(parts), titles, author)


def _paragraph(chance: Random) -> Part:
    number = chance.randint(3, 7)
    return Part("paragraph", tuple(_filled(text, chance) for text in chance.sample(SENTENCES, number)))


def _list(chance: Random) -> Part:
    lead = _filled(chance.choice(LEADS), chance)
    if chance.random() < 0.5:
        return Part("items", tuple(_filled(text, chance) for text in chance.sample(ITEMS, 3)), lead)
    return Part("statements", tuple(_filled(text, chance) for text in chance.sample(STATEMENTS, 3)), lead)


def _filled(text: str, chance: Random) -> str:
    a, b, c = chance.sample(NOUNS, 3)
    p, q = chance.sample(PEOPLE, 2)
    saying, year = chance.choice(SAYINGS), chance.randint(1890, 1990)
    return text.format(
        a=a,
        b=b,
        c=c,
        A=_capital(a),
        p=p,
        q=q,
        P=_capital(p),
        s=saying,
        S=_capital(saying),
        n=chance.choice(NAMES),
        adverb=chance.choice(ADVERBS),
        y1=year,
        y2=year + chance.randint(2, 30),
        d1=chance.randint(11, 50),
        d2=chance.randint(2, 10),
        d3=chance.randint(51, 99),
        k=chance.randint(1, 9),
        m=chance.randint(100, 900),
        x=chance.choice(("eight", "eleven")),
    )


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]
