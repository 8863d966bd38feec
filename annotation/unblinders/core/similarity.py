"""Whether two accounts may be one person's: a hint for those who consent, and no proof of anything."""

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

# Letters of other scripts, and digits, that are drawn like Latin ones; what each is drawn like.
_DRAWN_LIKE: Final = str.maketrans(
    {
        **dict.fromkeys("аα", "a"),
        **dict.fromkeys("вβь", "b"),
        **dict.fromkeys("сϲ", "c"),
        **dict.fromkeys("ԁ", "d"),
        **dict.fromkeys("еε3", "e"),
        **dict.fromkeys("һнη", "h"),
        **dict.fromkeys("кκ", "k"),
        **dict.fromkeys("1|iіιıӏł", "l"),
        **dict.fromkeys("јϳ", "j"),
        **dict.fromkeys("м", "m"),
        **dict.fromkeys("пո", "n"),
        **dict.fromkeys("оοσ0ø", "o"),
        **dict.fromkeys("рρ", "p"),
        **dict.fromkeys("ԛ", "q"),
        **dict.fromkeys("гɼ", "r"),
        **dict.fromkeys("ѕ5$", "s"),
        **dict.fromkeys("тτ", "t"),
        **dict.fromkeys("υս", "u"),
        **dict.fromkeys("ѵν", "v"),
        **dict.fromkeys("ԝω", "w"),
        **dict.fromkeys("хχ", "x"),
        **dict.fromkeys("уүγ", "y"),
        "æ": "ae",
        "œ": "oe",
    }
)
_READ_AS: Final = (("rn", "m"), ("vv", "w"), ("cl", "d"))
_SAME_DOMAIN: Final = {"googlemail.com": "gmail.com"}


@dataclass(frozen=True)
class Known:
    """Somebody as they are known: `part` is what they are in the study, in words.

    `further` are other addresses of their account.
    """

    name: str
    email: str
    part: str = ""
    further: Sequence[str] = ()

    @property
    def addresses(self) -> tuple[str, ...]:
        return (self.email, *self.further)


def hints(candidate: Known, others: Iterable[Known]) -> tuple[str, ...]:
    """What, in words, of the candidate is like somebody else of the study: names, and addresses of one mailbox."""
    return tuple(hint for other in others for hint in _of_two(candidate, other))


def _of_two(candidate: Known, other: Known) -> Iterator[str]:
    whom = f"{other.name} ({other.part})" if other.part else other.name
    for email, like in product(candidate.addresses, other.addresses):
        if said := _addresses(email, like):
            yield f"The address {email} {said} {like}, the address of {whom}."
            break
    if said := _names(candidate.name, other.name):
        yield f"The name {candidate.name} {said} that of {whom}."


def _addresses(one: str, other: str) -> str:
    if one == other:
        return "is the same as"
    if mailbox(one) == mailbox(other):
        return "leads to the same mailbox, as only tags, dots or case differ, as"
    if _skeleton(mailbox(one)) == _skeleton(mailbox(other)):
        return "looks like"
    (local, _, _), (other_local, _, _) = mailbox(one).partition("@"), mailbox(other).partition("@")
    if len(local) > 2 and _skeleton(local) == _skeleton(other_local):
        return "has the same name before the @ as"
    return ""


def _names(one: str, other: str) -> str:
    first, second = sorted(_skeleton(one).split()), sorted(_skeleton(other).split())
    if not first or not second:
        return ""
    if one == other:
        return "is the same as"
    if first == second:
        return "differs only in case, accents, order or look-alike letters from"
    if _one_apart("".join(first), "".join(second)):
        return "is one letter apart from"
    return ""


def mailbox(email: str) -> str:
    """The address without what many servers pass over: case, a tag behind a plus, dots before the @."""
    local, _, domain = unicodedata.normalize("NFKC", email).strip().lower().rpartition("@")
    domain = domain.rstrip(".")
    return f"{local.partition('+')[0].replace('.', '')}@{_SAME_DOMAIN.get(domain, domain)}"


def _skeleton(text: str) -> str:
    """What a text looks like at a glance: Latin letters without case and accents, look-alikes made one."""
    taken_apart = unicodedata.normalize("NFKD", text.casefold())
    bare = "".join(letter for letter in taken_apart if not unicodedata.combining(letter))
    drawn = bare.translate(_DRAWN_LIKE)
    for pair, letter in _READ_AS:
        drawn = drawn.replace(pair, letter)
    return " ".join("".join(letter if letter.isalnum() or letter == "@" else " " for letter in drawn).split())


def _one_apart(one: str, other: str) -> bool:
    """Whether one letter is added, missing or exchanged; in words of fewer than five letters that says nothing."""
    short, long = sorted((one, other), key=len)
    if len(short) < 5 or len(long) - len(short) > 1:
        return False
    same = next((at for at, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    rest = short[same + 1 :] if len(short) == len(long) else short[same:]
    return rest == long[same + 1 :]
