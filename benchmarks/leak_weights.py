"""Fit the weights of `annotation.texts.core.leaks.evidence` to labelled texts.

    python -m benchmarks.leak_weights [FILE...] [--write]

Files are as for `benchmarks.leak_scan`; without any, the sets that the kept weights are of. Every sentence of a
leak counts as one, every sentence of a clean text as none, both labels with the same weight in all (logistic
regression with a ridge, fitted by L-BFGS). Without `--write` nothing is written, and the exit code is 1 where other
weights are kept than these.
"""

import json
import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import sqrt
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize
from scipy.sparse import csr_array

from annotation.texts.core.leaks.evidence import WEIGHTS_FILE, features
from annotation.texts.core.leaks.grammar import told
from annotation.texts.core.leaks.scan import read_sentences
from annotation.texts.core.reading import read_text

_SETS: Final = Path(__file__).parent / "leak_sets"
SETS: Final = [
    *(
        path
        for number in ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
        for path in sorted(_SETS.glob(f"{number}-*.jsonl"))
    ),
    *sorted(_SETS.glob("weighed*.jsonl")),
]

RIDGE: Final = 0.3
FIRST_PERSON: Final = 4.0
"""How much more a clean sentence with an I counts: an I by itself is to weigh little."""
MIN_WEIGHT: Final = 0.3  # what weighs less is not written
MIN_SENTENCES: Final = 3  # sentences that a feature has to be in

Example = tuple[bool, frozenset[str]]


def examples(files: Sequence[Path]) -> Iterator[Example]:
    """The sentences of labelled English texts: whether they are of a leak, and what in them is weighed."""
    for file in files:
        for row in map(json.loads, filter(str.strip, file.read_text("utf-8").splitlines())):
            if row.get("language", "en") != "en":
                continue
            for sentence in told(read_sentences(read_text(row["text"]).text)):
                if row["label"] == "leak" or not sentence.is_supposed:
                    yield row["label"] == "leak", features(sentence)


def fit(read: Sequence[Example]) -> Mapping[str, float]:
    """The weight of each feature. Raises `ZeroDivisionError` where no example is a leak."""
    counts = Counter(name for _, names in read for name in names)
    kept = sorted(name for name, count in counts.items() if count >= MIN_SENTENCES)
    column = {name: at for at, name in enumerate(kept)}
    cells = [
        (row, column[name], 1 / sqrt(len(names)))
        for row, (_, names) in enumerate(read)
        for name in names
        if name in column
    ]
    rows, columns, values = zip(*cells, strict=True)
    matrix = csr_array((values, (rows, columns)), shape=(len(read), len(kept)))
    is_leak = np.array([label for label, _ in read], dtype=float)
    is_first = np.array([any(name.startswith("I ") for name in names) for _, names in read])
    share = np.where(is_first & (is_leak == 0), FIRST_PERSON, 1.0)
    share[is_leak > 0] = share[is_leak == 0].sum() / is_leak.sum()
    share /= share.mean()

    def loss(weights: npt.NDArray[np.float64]) -> tuple[float, npt.NDArray[np.float64]]:
        scores = matrix @ weights
        likely = 1 / (1 + np.exp(-scores))
        value = (share * (np.logaddexp(0, scores) - is_leak * scores)).sum() + RIDGE * (weights @ weights) / 2
        return float(value), matrix.T @ (share * (likely - is_leak)) + RIDGE * weights

    found = minimize(loss, np.zeros(len(kept)), jac=True, method="L-BFGS-B", options={"maxiter": 300})
    return dict(zip(kept, found.x.tolist(), strict=True))


def as_kept(weights: Mapping[str, float]) -> str:
    """The lines of the file of weights."""
    return "".join(
        f"{name}\t{weight:.2f}\n" for name, weight in sorted(weights.items()) if abs(weight) >= MIN_WEIGHT
    )


def main(arguments: list[str]) -> int:
    parser = ArgumentParser(prog="python -m benchmarks.leak_weights")
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE")
    parser.add_argument("--write", action="store_true", help="replace the weights that the scan reads")
    options = parser.parse_args(arguments)
    lines = as_kept(fit(list(examples(options.files or SETS))))
    is_kept = lines == WEIGHTS_FILE.read_text("utf-8")
    print(f"{lines.count(chr(10))} weights, {'as kept' if is_kept else 'others than are kept'}")
    if options.write:
        WEIGHTS_FILE.write_text(lines, "utf-8")
    return 0 if is_kept or options.write else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
