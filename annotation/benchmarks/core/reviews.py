"""What an annotator says of a question: read from a form, checked, and whether it is all that is asked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, cast

from annotation.benchmarks.core.scheme import CATEGORIES, EVALUATION, Scheme
from annotation.platform.core.errors import Refused
from annotation.platform.core.text import clean, count_words

Verdict = Literal["", "flawed", "model", "sound"]
VERDICTS: Final[Mapping[str, str]] = {
    "flawed": "Flawed",
    "model": "Model’s own error",
    "sound": "No flaw",
}
Scope = Literal["item", "story", "benchmark"]
SCOPES: Final[Mapping[str, str]] = {
    "item": "this question",
    "story": "the whole story",
    "benchmark": "the benchmark",
}
DATA: Final = "data"
EVALUATION_AXIS: Final = "evaluation"
AXES: Final = (DATA, EVALUATION_AXIS)
MIN_WORDS: Final = 3
MAX_WORDS: Final = 30
NOTE_CHARACTERS: Final = 1_000


Posted = Mapping[str, Sequence[str]]
"""A form's fields, each with all the values that it was sent with."""


@dataclass(frozen=True, order=True)
class FlagGiven:
    """A flag: on the data axis a category and a flaw of it, on the item; on the other a category of its own, a
    scope.
    """

    axis: str
    category: str
    flaw: str = ""
    scope: str = "item"
    note: str = ""

    @property
    def name(self) -> str:
        """What it is called in forms."""
        return f"{self.category}.{self.flaw}" if self.axis == DATA else self.category


@dataclass(frozen=True)
class Given:
    """`flags` come in order, each once."""

    verdict: Verdict = ""
    flags: tuple[FlagGiven, ...] = field(default=())

    @property
    def data_flags(self) -> tuple[FlagGiven, ...]:
        return tuple(flag for flag in self.flags if flag.axis == DATA)

    @property
    def category(self) -> str:
        """The primary category, the first of several in the scheme's order; “none” where there is no flaw."""
        found = {flag.category for flag in self.data_flags}
        return next((name for name in CATEGORIES if name in found), "none")


def given_from(posted: Posted, scheme: Scheme, *, several: bool) -> Given:
    """What a form says. Notes of what is not chosen are left out.

    `several`: whether a question may have more than one flaw. Raises `Refused` for what the page cannot send.
    """
    verdict = _last(posted, "verdict")
    if verdict not in ("", *VERDICTS):
        raise Refused("There is no such verdict.")
    flags = []
    for name in dict.fromkeys(posted.get("flaw", ())) if verdict == "flawed" else ():
        category, _, flaw = name.partition(".")
        if not scheme.has(category, flaw):
            raise Refused("The scheme has no such flaw. Reload the page; what is saved stays.")
        flags.append(FlagGiven(DATA, category, flaw, note=_note(posted, name)))
    if len(flags) > 1 and not several:
        raise Refused("In this benchmark a question has one flaw: the gravest.")
    for name in dict.fromkeys(posted.get("evaluation", ())):
        scope = _last(posted, f"scope:{name}") or "item"
        if name not in EVALUATION or scope not in SCOPES:
            raise Refused("The evaluation axis has no such entry. Reload the page; what is saved stays.")
        flags.append(FlagGiven(EVALUATION_AXIS, name, scope=scope, note=_note(posted, name)))
    return Given(cast(Verdict, verdict), tuple(sorted(flags)))


def _last(posted: Posted, name: str) -> str:
    return next(reversed(posted.get(name, ())), "")


def _note(posted: Posted, name: str) -> str:
    note = " ".join(clean(_last(posted, f"note:{name}")).split())
    if len(note) > NOTE_CHARACTERS:
        raise Refused(f"A note has at most {MAX_WORDS} words.")
    return note


def lacks(given: Given) -> list[str]:
    """What is still asked of the annotator, in words for them; empty where the review is complete."""
    if not given.verdict:
        return ["Say whether the question is flawed."]
    if given.verdict == "flawed" and not given.data_flags:
        return ["Choose the flaw."]
    found = []
    for flag in given.flags:
        words = count_words(flag.note)
        if flag.axis == DATA or words:  # on the evaluation axis a note may be left out
            if words < MIN_WORDS:
                found.append(f"Say in {MIN_WORDS} words at least what is wrong.")
            elif words > MAX_WORDS:
                found.append(f"The note has {words} words, and {MAX_WORDS} at most are taken.")
    return list(dict.fromkeys(found))


def as_fields(given: Given) -> dict[str, list[str]]:
    """The form's fields that say this: the other way round than `given_from`."""
    fields: dict[str, list[str]] = {
        "verdict": [given.verdict] if given.verdict else [],
        "flaw": [],
        "evaluation": [],
    }
    for flag in given.flags:
        fields["flaw" if flag.axis == DATA else "evaluation"].append(flag.name)
        if flag.note:
            fields[f"note:{flag.name}"] = [flag.note]
        if flag.axis != DATA:
            fields[f"scope:{flag.name}"] = [flag.scope]
    return fields
