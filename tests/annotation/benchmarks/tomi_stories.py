"""Stories in ToMi's words, made up for tests."""

import io

from annotation.benchmarks.core.contents import read_contents
from annotation.benchmarks.core.layouts import Files
from annotation.benchmarks.models.benchmarks import Benchmark
from annotation.benchmarks.services import benchmarks as services
from annotation.study.models.studies import Study
from tests.factories import coordinator_of

FALSE_BELIEF = """\
1 Nora entered the attic.
2 Paul entered the attic.
3 The kite is in the trunk.
4 Paul likes the kite
5 Paul exited the attic.
6 Nora moved the kite to the basket.
"""

RETURN = f"{FALSE_BELIEF}7 Paul entered the attic.\n"

BEGINNING = "Where was the kite at the beginning?"
REALLY = "Where is the kite really?"
NORA_LOOKS = "Where will Nora look for the kite?"
PAUL_LOOKS = "Where will Paul look for the kite?"
PAUL_ABOUT_NORA = "Where does Paul think that Nora searches for the kite?"
NORA_ABOUT_PAUL = "Where does Nora think that Paul searches for the kite?"

ANSWERS = {
    BEGINNING: "trunk",
    REALLY: "basket",
    NORA_LOOKS: "basket",
    PAUL_LOOKS: "trunk",
    PAUL_ABOUT_NORA: "trunk",
    NORA_ABOUT_PAUL: "trunk",
}


def as_generated(story: str, answers: dict[str, str]) -> bytes:
    """Each question below its story, as ToMi's generator writes them."""
    number = len(story.splitlines()) + 1
    return "".join(f"{story}{number} {question}\t{gold}\t1\n" for question, gold in answers.items()).encode()


SWAPPED = as_generated(FALSE_BELIEF, {**ANSWERS, PAUL_LOOKS: "basket"})


def a_benchmark(study: Study, data: bytes = SWAPPED, name: str = "ToMi") -> Benchmark:
    files: Files = {"questions": ("test.txt", io.BytesIO(data))}
    contents = read_contents("tomi", files)
    return services.add_benchmark(study=study, name=name, contents=contents, by=coordinator_of(study))
