"""Words by what they are about, for the grammar of self-reference: `annotation/texts/data/leak_words*.toml`."""

import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

_FOLDER: Final = Path(__file__).resolve().parents[2] / "data"


def _noun_forms(word: str) -> Iterable[str]:
    if ":" in word:
        return word.split(":")
    if word.endswith(("s", "x", "ch", "sh")):
        return (word, word + "es")
    if word.endswith("y") and word[-2] not in "aeiou":
        return (word, word[:-1] + "ies")
    return (word, word + "s")


def _present(word: str) -> tuple[str, ...]:
    base = word.partition(":")[0]
    if base.endswith(("s", "x", "ch", "sh", "o")):
        third = base + "es"
    elif base.endswith("y") and base[-2] not in "aeiou":
        third = base[:-1] + "ies"
    else:
        third = base + "s"
    stem = base[:-1] if base.endswith("e") and not base.endswith("ee") else base
    return (base, third, stem + "ing", *((base + base[-1] + "ing",) if _doubles(base) else ()))


def _past(word: str) -> tuple[str, ...]:
    base, *irregular = word.split(":")
    if irregular:
        return tuple(irregular)
    if base.endswith("e"):
        return (base + "d",)
    if base.endswith("y") and base[-2] not in "aeiou":
        return (base[:-1] + "ied",)
    return (base + "ed", *((base + base[-1] + "ed",) if _doubles(base) else ()))


def _doubles(base: str) -> bool:
    """Whether a last consonant may be doubled, as in programmed: after one vowel."""
    return len(base) > 2 and base[-1] not in "aeiouwxy" and base[-2] in "aeiou" and base[-3] not in "aeiou"


def _verb_forms(word: str) -> Iterable[str]:
    return (*_present(word), *_past(word))


def _itself(word: str) -> Iterable[str]:
    return (word,)


_FORMS: Final[Mapping[str, Callable[[str], Iterable[str]]]] = {
    "nouns": _noun_forms,
    "verbs": _verb_forms,
    "pasts": _past,
    "words": _itself,
}


def read_classes(toml: str) -> Iterator[tuple[str, frozenset[str]]]:
    """The classes of such a file by name, with all forms of their words. Raises `KeyError` for an unknown kind."""
    for name, lists in tomllib.loads(toml).items():
        written = ((kind, word) for kind, words in lists.items() for word in words.split())
        yield name, frozenset(form for kind, word in written for form in _FORMS[kind](word))


CLASSES: Final[Mapping[str, frozenset[str]]] = {
    name: words
    for path in sorted(_FOLDER.glob("leak_words*.toml"))
    for name, words in read_classes(path.read_text("utf-8"))
}

TOPICS: Final = frozenset(
    name
    for file in ("leak_words_of_fields.toml", "leak_words_of_hints.toml")
    for name in tomllib.loads((_FOLDER / file).read_text("utf-8"))
)
"""Classes of what people mention who speak of themselves."""

_FOR_KEYS: Final = """
    machine machinery machinery_sure product company own_machine made knowledge policy request publication
    publication_own role workplace workplace_sure learner class degree fieldwork fieldwork_own grant ai rater
    study slip writing_now limit format clock length task_sure colleague serial advice_kind inner_sure produced
    publish collected
"""
_MORE_KEYS: Final = """
    model models system systems conversation internet personal opinion opinions human english without quickly
    provide assist assistance sorry apologies native limited published hospital hometown cowrote cowritten
    coeditor coeditors cowriter coedit finetuned finetuning civilservant civilservants copyeditor copyeditors
    copyediting readingroom readingrooms fieldsite fieldsites
"""
KEYS: Final = frozenset(_MORE_KEYS.split()) | frozenset(
    word for name in _FOR_KEYS.split() for word in CLASSES[name] if len(word) > 4 and word.isalpha()
)
"""Words that are recognised when they are broken in two."""

NEVER_MISSPELT: Final = frozenset(
    """
    corps follows finding ballet license patent filed selling sentence dances decent naive patents camps trails
    leaning collage layer curse drifting founder tasted mister paints coarse cares drifted faulty modes tying
    drifts firmer writhing founders automation licenses solder lessen rabbits hates weighs mopped fender ballets
    publishes sever jutting curses spilling muster chaplin pointer planer crates rumbling trapping finder mater
    crate collages perish mistrial topping jetting messes masking navels carters cremated suction studious
    framer pipers simples basses grander pointers fenders mitral busses sturgeon billets canter falters deigned
    samplers clonic stiles billet maser severs cremate fallow tipping perishes lessens rafters finders writer
    writers trail strain retrained modular companion fortune portion potion caution mission section fiction
    faction traction tractor factor sector doctors minster mortar lecher letter latter litter prompter promoter
    sensor censor censors reviser revisor devisor divisor pistol pastel postal poster hostel casual causal
    untied trainer drained grained retain obtain detain professed
    """.split()
)
"""Words of the language that are one letter away from a word of the classes."""
