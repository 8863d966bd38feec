"""The providers a site knows, and models worth offering: what an operator configures in TOML.

Addresses and the names of keys come from files alone. A coordinator chooses among them and can never direct a key
to an address of their own.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Annotated, Any

from pydantic import ConfigDict, Field, TypeAdapter, with_config

from generation.providers.core.prices import Price, Rate
from generation.providers.core.strict_reading import read_strictly

NAME = re.compile(r"[a-z][a-z0-9-]{0,39}")
ADDRESS = re.compile(r"https?://[^\s/?#@]+(/[^\s?#]{0,500}[^\s?#/])?|")
VARIABLE = re.compile(r"[A-Z][A-Z0-9_]*|")
LEVELS = frozenset({"low", "medium", "high"})


@with_config(ConfigDict(extra="forbid"))
@dataclass(frozen=True)
class Endpoint:
    """A provider: its wire format at an address, and how much may be asked of it at a time.

    `key_variable` names the environment variable with the key ("" where none is needed). `concurrency` is the
    most requests on their way at once, `per_minute` the most that leave in a minute (None: no limit), of all
    workers together. `settings` is what the wire format needs to know of this address. `embeddings` are its
    models that turn texts into numbers, asked as OpenAI's are, with US dollars for a million tokens.
    """

    name: str
    label: str
    wire: str
    base_url: str = ""
    key_variable: str = ""
    concurrency: Annotated[int, Field(ge=1, le=1000)] = 8
    per_minute: Annotated[int, Field(ge=1)] | None = None
    batches: bool = False
    embeddings: Mapping[str, Rate] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not NAME.fullmatch(self.name):
            raise ValueError("its name should be of small letters, digits and hyphens, up to 40")
        if not ADDRESS.fullmatch(self.base_url):
            raise ValueError("base_url should be like https://host/v1, without a password and a slash at the end")
        if not VARIABLE.fullmatch(self.key_variable):
            raise ValueError("key_variable should be the name of a variable, such as OUR_API_KEY")


@with_config(ConfigDict(extra="forbid"))
@dataclass(frozen=True)
class KnownModel:
    """A model the form offers. `efforts` are the provider's names for the study's low, medium and high.

    `takes_efforts` are all the names that the model takes (None: not known, so any that its provider has), and
    `max_output_tokens` the highest output cap (None: not known). `reasons`: whether it thinks before it answers.
    """

    provider: str
    model_id: Annotated[str, Field(min_length=1, max_length=120)]
    family: Annotated[str, Field(min_length=1, max_length=40)]
    label: str
    weak_temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    efforts: Mapping[str, str] = field(default_factory=dict)
    takes_efforts: tuple[str, ...] | None = None
    max_output_tokens: Annotated[int, Field(ge=1)] | None = None
    reasons: bool = True
    options: Mapping[str, Any] = field(default_factory=dict)
    prices: tuple[Price, ...] = ()

    def __post_init__(self) -> None:
        if strange := sorted(self.efforts.keys() - LEVELS):
            raise ValueError(f"efforts knows low, medium and high, not {', '.join(strange)}")

    def check(self, *, effort: str, max_output_tokens: int | None = None) -> None:
        """Raise `ValueError`, in words for a person, for what the model is known to refuse."""
        if effort and self.takes_efforts is not None and effort.lower() not in self.takes_efforts:
            takes = f"but {', '.join(self.takes_efforts)}" if self.takes_efforts else "nor any other"
            raise ValueError(f"it takes no effort “{effort}”, {takes}")
        most = self.max_output_tokens
        if most is not None and max_output_tokens is not None and max_output_tokens > most:
            raise ValueError(f"its output cap is at most {most:,}, not {max_output_tokens:,}")

    def effort(self, level: str) -> str:
        """The provider's name for the study's level, the same where it has no other; "" to leave it unsaid."""
        return self.efforts.get(level, level)


@dataclass(frozen=True)
class Catalogue:
    """`version` is the SHA-256, in hex, of the files it was read from."""

    endpoints: Mapping[str, Endpoint]
    models: tuple[KnownModel, ...]
    version: str

    def model(self, provider: str, model_id: str) -> KnownModel | None:
        """What is known of a provider's model."""
        wanted = (provider, model_id)
        return next((model for model in self.models if (model.provider, model.model_id) == wanted), None)


@with_config(ConfigDict(extra="forbid"))
@dataclass(frozen=True)
class _File:
    providers: dict[str, dict[str, Any]] = field(default_factory=dict)
    models: list[dict[str, Any]] = field(default_factory=list)


_FILE = TypeAdapter(_File)
_ENDPOINT = TypeAdapter(Endpoint)
_MODEL = TypeAdapter(KnownModel)


def read_catalogue(files: Sequence[str]) -> Catalogue:
    """The catalogue in these TOML texts; what a later one says of a provider or model replaces an earlier one's.

    Raises `ValueError` that names what is wrong, in words for an operator.
    """
    endpoints: dict[str, Endpoint] = {}
    models: dict[tuple[str, str], KnownModel] = {}
    for text in files:
        file = read_strictly(_FILE, tomllib.loads(text))
        endpoints |= {endpoint.name: endpoint for endpoint in _endpoints(file.providers)}
        models |= {(model.provider, model.model_id): model for model in _models(file.models)}
    for model in models.values():
        if model.provider not in endpoints:
            raise ValueError(f"The model {model.model_id} has a provider that no file names: {model.provider}.")
    version = sha256("\0".join(files).encode()).hexdigest()
    return Catalogue(endpoints, tuple(models.values()), version)


def _endpoints(tables: Mapping[str, Any]) -> Iterator[Endpoint]:
    for name, table in tables.items():
        try:
            yield read_strictly(_ENDPOINT, {"name": name, **table})
        except ValueError as fault:
            raise ValueError(f"The provider {name}: {fault}.") from None


def _models(tables: Sequence[Mapping[str, Any]]) -> Iterator[KnownModel]:
    for number, table in enumerate(tables, start=1):
        try:
            yield read_strictly(_MODEL, table)
        except ValueError as fault:
            raise ValueError(f"Model {number} ({table.get('model_id', 'without model_id')}): {fault}.") from None
