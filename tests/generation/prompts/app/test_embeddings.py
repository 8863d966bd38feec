"""Ways to turn texts into numbers and numbers into places: over a real socket, and as libraries give them."""

import sys
from collections.abc import Iterator, Sequence
from decimal import Decimal
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from annotation.platform.core.errors import Refused
from generation.prompts.providers import embeddings
from generation.prompts.providers.embeddings import MIN_TEXTS_FOR_UMAP, TO_INSTALL, Method, methods, projections
from generation.providers.base import Outcome
from generation.providers.batch_exchange import BatchFault
from tests.fake_providers import embeddings as fakes
from tests.fake_providers.script import Behaviour
from tests.fake_providers.server import FakeProviders
from tests.fake_providers.site import KEY, VARIABLE, site_with_fakes

TEXTS = ["When may a rule be broken?", "Who owes whom an apology?", "What is a fair share?"]
BAD = [name for name, case in fakes.CASES.items() if case.outcome is not Outcome.OK]


@pytest.fixture(scope="module")
def fake(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FakeProviders]:
    with site_with_fakes(tmp_path_factory.mktemp("providers")) as fake:
        yield fake


def the_endpoint() -> Method:
    return methods()["fake-chat fake-embedding"]


class TestAnEndpoint:
    def test_an_endpoint_gives_each_text_its_own_vector_in_whatever_order_they_come(
        self, fake: FakeProviders
    ) -> None:
        vectors = the_endpoint().vectors(TEXTS)

        assert vectors.tolist() == [pytest.approx(fakes.vector_of(text)) for text in TEXTS]
        request = fake.log.requests[-1]
        assert request.path == "/v1/embeddings"
        assert request.body == {"model": "fake-embedding", "input": TEXTS}
        assert request.headers["authorization"] == f"Bearer {KEY}"

    @pytest.mark.parametrize("case", BAD)
    def test_an_endpoint_that_gives_none_says_whether_it_may_later(self, fake: FakeProviders, case: str) -> None:
        fake.script.then(Behaviour(case))
        with pytest.raises(BatchFault) as caught:
            the_endpoint().vectors(TEXTS)
        assert caught.value.outcome is fakes.CASES[case].outcome
        assert KEY not in str(caught.value)

    @pytest.mark.usefixtures("fake")
    def test_an_endpoint_is_offered_with_a_word_on_the_key_that_is_missing(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert the_endpoint().missing == ""
        monkeypatch.delenv(VARIABLE)
        assert VARIABLE in the_endpoint().missing

    @pytest.mark.usefixtures("fake")
    def test_an_endpoint_says_what_it_costs(self) -> None:
        # 1,000,001 characters are a quarter as many tokens, at $0.02 a million: 0.0050000005, rounded up.
        assert the_endpoint().cost(1_000_001) == Decimal("0.005001")
        assert the_endpoint().label == "fake-embedding of fake-chat, at $0.02 for a million tokens"


class TestWhatIsShipped:
    def test_a_map_needs_nothing_but_what_is_shipped_for_words_and_principal_components(self) -> None:
        assert next(iter(methods().values())).missing == ""
        assert next(iter(projections().values())).missing == ""

    def test_a_map_says_how_to_get_what_is_not_installed(self) -> None:
        assert methods()["sentence-transformers all-MiniLM-L6-v2"].missing == TO_INSTALL
        assert projections()["umap"].missing == TO_INSTALL
        assert "maps" in TO_INSTALL


class TestALibrary:
    """Neither is installed where tests run, so modules of their names stand in."""

    def test_a_library_for_sentences_is_used_once_it_is_installed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        class SentenceTransformer:
            def __init__(self, name: str) -> None:
                assert name == "all-MiniLM-L6-v2"

            def encode(self, texts: Sequence[str], *, normalize_embeddings: bool) -> Any:
                return np.array([[len(text), float(normalize_embeddings)] for text in texts], dtype=np.float32)

        install(monkeypatch, "sentence_transformers", SentenceTransformer=SentenceTransformer)
        embeddings._local_model.cache_clear()

        method = methods()["sentence-transformers all-MiniLM-L6-v2"]
        assert method.missing == ""
        assert method.vectors(["aa", "b"]).tolist() == [[2, 1], [1, 1]]

    def test_a_library_for_neighbours_is_used_once_it_is_installed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        class UMAP:
            def __init__(self, **options: object) -> None:
                assert options["random_state"] == 42

            def fit_transform(self, vectors: Any) -> Any:
                return vectors[:, :2] * 2

        install(monkeypatch, "umap", UMAP=UMAP)

        projection = projections()["umap"]
        assert projection.missing == ""
        assert (
            projection.places(np.ones((MIN_TEXTS_FOR_UMAP, 5)), slice(None)).tolist()
            == [[2, 2]] * MIN_TEXTS_FOR_UMAP
        )
        with pytest.raises(Refused, match=f"at least {MIN_TEXTS_FOR_UMAP}"):
            projection.places(np.ones((MIN_TEXTS_FOR_UMAP - 1, 5)), slice(None))


def install(monkeypatch: pytest.MonkeyPatch, name: str, **contents: object) -> None:
    module = ModuleType(name)
    module.__spec__ = ModuleSpec(name, None)
    for key, value in contents.items():
        setattr(module, key, value)
    monkeypatch.setitem(sys.modules, name, module)
