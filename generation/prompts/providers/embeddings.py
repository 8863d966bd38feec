"""Ways to turn texts into numbers, and numbers into places on a map: what every site has, and what it may have.

Libraries are loaded when they are used: loading takes longer than drawing a map, and only some sites have all.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal
from functools import cache, partial
from importlib import import_module
from importlib.util import find_spec
from itertools import chain
from typing import Any, Final

import numpy as np
from pydantic import TypeAdapter

from annotation.platform.core.errors import Refused
from generation.calls.core.estimates import CHARACTERS_PER_TOKEN
from generation.prompts.core.prompt_map import Vectors
from generation.providers import provider
from generation.providers.base import Outcome
from generation.providers.batch_exchange import BatchFault, Exchange
from generation.providers.catalogue import catalogue
from generation.providers.core.catalogue import Endpoint
from generation.providers.core.prices import MILLIONTH
from generation.providers.http import HttpProvider
from generation.providers.json_access import items_at
from generation.providers.keys import NoKey, key_of

LEXICAL: Final = "lexical"
PCA: Final = "pca"
LEXICAL_DIMENSIONS: Final = 100
A_WORD: Final = r"[^\W\d_]{2,}"
LOCAL_MODEL: Final = "all-MiniLM-L6-v2"
TEXTS_IN_A_REQUEST: Final = 64
TEXTS_ON_THIS_MACHINE: Final = 512
MIN_TEXTS_FOR_UMAP: Final = 20
TO_INSTALL: Final = "Not installed. Whoever runs this site can add it: pip install '.[maps]'"

_ROWS: Final = TypeAdapter(list[list[float]])


@dataclass(frozen=True)
class Method:
    """A way to turn texts into numbers.

    `missing` says what this site would need for it, "" where it is ready. `at_a_time`: so many texts are given to
    `vectors` at once, and what it gives is the same whatever other texts there are; None where it takes all texts
    of a map together and each counts for the others. `price` is in US dollars for a million tokens. `vectors` may
    raise `BatchFault`.
    """

    name: str
    label: str
    missing: str
    vectors: Callable[[Sequence[str]], Vectors]
    at_a_time: int | None
    price: Decimal = Decimal(0)

    def cost(self, characters: int) -> Decimal:
        """US dollars that texts with so many characters will probably cost, to the millionth, rounded up."""
        dollars = self.price * characters / CHARACTERS_PER_TOKEN / 1_000_000
        return dollars.quantize(MILLIONTH, ROUND_CEILING)


@dataclass(frozen=True)
class Projection:
    """A way to turn vectors into places, of shape (texts, 2). `missing` as of a method.

    `places` takes all vectors and which of them are prompts': these decide where there is a choice, for scenarios
    are another kind of text, and that difference alone would fill the plane. May raise `Refused`.
    """

    name: str
    label: str
    missing: str
    places: Callable[[Vectors, slice], Vectors]


def methods() -> Mapping[str, Method]:
    """All that this site may have, by name; the first is ready everywhere."""
    known = [
        Method(LEXICAL, "The words that texts share; nothing leaves this site", "", _lexical, None),
        Method(
            f"sentence-transformers {LOCAL_MODEL}",
            f"Sentence embeddings on this machine ({LOCAL_MODEL})",
            "" if find_spec("sentence_transformers") else TO_INSTALL,
            _embedded_here,
            TEXTS_ON_THIS_MACHINE,
        ),
        *_endpoints(),
    ]
    return {method.name: method for method in known}


def projections() -> Mapping[str, Projection]:
    """All that this site may have, by name; the first is ready everywhere."""
    known = (
        Projection(PCA, "The two directions in which prompts differ most (PCA)", "", _pca),
        Projection("umap", "Neighbours stay neighbours (UMAP)", "" if find_spec("umap") else TO_INSTALL, _umap),
    )
    return {projection.name: projection for projection in known}


def _endpoints() -> Iterator[Method]:
    for endpoint in catalogue().endpoints.values():
        for model, price in endpoint.embeddings.items():
            yield Method(
                f"{endpoint.name} {model}",
                f"{model} of {endpoint.label}" + (f", at ${price} for a million tokens" if price else ""),
                _missing_key(endpoint),
                partial(_embedded_by, endpoint.name, model),
                TEXTS_IN_A_REQUEST,
                price,
            )


def _missing_key(endpoint: Endpoint) -> str:
    try:
        key_of(endpoint)
    except NoKey as missing:
        return str(missing)
    return ""


def _embedded_by(name: str, model: str, texts: Sequence[str]) -> Vectors:
    """What the provider's embeddings endpoint gives, in the form that OpenAI's has."""
    asked = provider(name)
    assert isinstance(asked, HttpProvider)  # noqa: S101 - the catalogue is checked to name no other
    body = Exchange(asked).ask("POST", "/embeddings", json={"model": model, "input": list(texts)})
    vectors = _rows(body, len(texts))
    if vectors is None:
        raise BatchFault(Outcome.FINAL_REQUEST, f"{model} did not answer with a row of numbers for each text.")
    return vectors


def _rows(body: Any, number: int) -> Vectors | None:
    """As many vectors in the order of the texts; None where the answer holds anything else."""
    found = {item.get("index"): item.get("embedding") for item in items_at(body, "data")}
    try:
        vectors = np.array(_ROWS.validate_python([found.get(place) for place in range(number)]))
    except ValueError:  # not numbers, or not as many in each row
        return None
    return vectors if vectors.ndim == 2 and np.isfinite(vectors).all() else None


def _embedded_here(texts: Sequence[str]) -> Vectors:
    return np.asarray(_local_model().encode(list(texts), normalize_embeddings=True), dtype=np.float64)


@cache
def _local_model() -> Any:
    return import_module("sentence_transformers").SentenceTransformer(LOCAL_MODEL)


def _lexical(texts: Sequence[str]) -> Vectors:
    """TF-IDF over the words that two texts or more have, reduced by a truncated SVD (latent semantic analysis)."""
    vectorizer = import_module("sklearn.feature_extraction.text").TfidfVectorizer(
        min_df=2, sublinear_tf=True, token_pattern=A_WORD
    )
    words_of = vectorizer.build_analyzer()
    texts_by_word = Counter(chain.from_iterable(set(words_of(text)) for text in texts))
    if max(texts_by_word.values(), default=0) < 2:
        return np.zeros((len(texts), 1))
    weights = vectorizer.fit_transform(texts)
    dimensions = min(LEXICAL_DIMENSIONS, *weights.shape)
    if dimensions == 1:
        return np.asarray(weights.toarray(), dtype=np.float64)
    svd = import_module("sklearn.decomposition").TruncatedSVD(dimensions, random_state=0)
    return np.asarray(svd.fit_transform(weights), dtype=np.float64)


def _pca(vectors: Vectors, prompts: slice) -> Vectors:
    leaders = vectors[prompts]
    if (leaders == leaders[:1]).all():  # nothing to tell them apart by
        return np.zeros((len(vectors), 2))
    plane = import_module("sklearn.decomposition").PCA(min(2, *leaders.shape), svd_solver="full").fit(leaders)
    places = plane.transform(vectors)
    return np.pad(places, ((0, 0), (0, 2 - places.shape[1])))


def _umap(vectors: Vectors, prompts: slice) -> Vectors:  # noqa: ARG001
    if len(vectors) < MIN_TEXTS_FOR_UMAP:
        raise Refused(f"UMAP wants at least {MIN_TEXTS_FOR_UMAP} scenarios and prompts. Choose PCA for so few.")
    reducer = import_module("umap").UMAP(metric="cosine", random_state=42, n_jobs=1)
    return np.asarray(reducer.fit_transform(vectors), dtype=np.float64)
