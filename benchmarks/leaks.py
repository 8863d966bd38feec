"""How much of what gives a source away the leak scan finds, and how often it stops clean prose.

    python -m benchmarks.leaks

Each sentence of `tests/vectors/leaks.json` is put into an essay as its first, a middle and its last paragraph, one
that breaks off only as the last. The word lists were written with the sentences called `known` at hand; those
`held_out` were written afterwards and have changed nothing, so that theirs are the figures to expect.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from annotation.texts.core.leaks import scan

CORPUS = Path(__file__).parents[1] / "tests" / "vectors" / "leaks.json"
ESSAY = (
    "A rule that everybody may follow is not yet a rule that everybody had a part in making.",
    "Two towns with the same law can live under it in quite different ways, as every historian of law knows.",
    "What looks like agreement from afar is often patience, and patience has a price.",
)


@dataclass(frozen=True)
class Result:
    """Essays with a giveaway by its kind, `planted` and `found`; of the `clean` ones without, those `stopped`."""

    planted: Counter[str]
    found: Counter[str]
    missed: tuple[str, ...]
    clean: int
    stopped: tuple[str, ...]

    @property
    def recall(self) -> float:
        return self.found.total() / self.planted.total()

    @property
    def false_positives(self) -> float:
        return len(self.stopped) / self.clean


def corpus() -> dict[str, dict[str, Any]]:
    """By part: the sentences `planted`, each with its kind and perhaps the author's names, and the `clean` ones."""
    parts: dict[str, dict[str, Any]] = json.loads(CORPUS.read_text("utf-8"))
    return parts


def measure(part: Mapping[str, Any]) -> Result:
    planted, found = Counter[str](), Counter[str]()
    missed: list[str] = []
    for row in part["planted"]:
        for essay in _essays(row["text"], breaks_off=row["kind"] == "truncated"):
            planted[row["kind"]] += 1
            if scan(essay, names=row.get("names", ())):
                found[row["kind"]] += 1
            else:
                missed.append(row["text"])
    clean = [(text, essay) for text in part["clean"] for essay in _essays(text)]
    stopped = [text for text, essay in clean if scan(essay)]
    return Result(planted, found, tuple(dict.fromkeys(missed)), len(clean), tuple(stopped))


def _essays(text: str, *, breaks_off: bool = False) -> Iterator[str]:
    for place in (len(ESSAY),) if breaks_off else (0, 1, len(ESSAY)):
        yield "\n\n".join([*ESSAY[:place], text, *ESSAY[place:]])


def main() -> None:
    for name, part in corpus().items():
        result = measure(part)
        print(f"{name.replace('_', ' ')}: recall {result.recall:.1%} of {result.planted.total()} essays")
        for kind, number in sorted(result.planted.items()):
            print(f"  {kind:<16} {result.found[kind]:>4} of {number}")
        _print_all("missed", result.missed)
        print(f"  false positives {result.false_positives:.1%}: {len(result.stopped)} of {result.clean} essays")
        _print_all("stopped", tuple(dict.fromkeys(result.stopped)))


def _print_all(word: str, texts: Sequence[str]) -> None:
    for text in texts:
        print(f"  {word}: {text}")


if __name__ == "__main__":
    main()
