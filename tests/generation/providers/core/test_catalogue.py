"""What an operator writes about providers and models, and what is shipped."""

import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from pytest_django import Settings

from generation.demo import providers as demo
from generation.providers import anthropic_messages, google_generate, openai_responses, provider, wires
from generation.providers.base import Outcome
from generation.providers.catalogue import SHIPPED, catalogue, known_model
from generation.providers.chat_completions import Turns
from generation.providers.core.catalogue import LEVELS, Catalogue, Endpoint, KnownModel, read_catalogue
from generation.providers.core.prices import Price
from tests.folders import PROJECT
from tests.generation.providers.core.asking import request

OURS = """
[providers.ours]
label = "Ours"
wire = "chat_completions"
base_url = "http://127.0.0.1:8000/v1"

[[models]]
provider = "ours"
model_id = "open-1"
family = "open"
label = "Open 1"
efforts = { low = "", high = "max" }
prices = [{ input = 0.5, output = 1, since = 2026-01-01 }]
"""


def shipped() -> Catalogue:
    return read_catalogue([file.read_text(encoding="utf-8") for file in SHIPPED])


def test_providers_and_models_are_read_with_their_defaults() -> None:
    read = read_catalogue([OURS])
    ours = read.endpoints["ours"]
    assert (ours.name, ours.key_variable, ours.concurrency, ours.per_minute) == ("ours", "", 8, None)
    model = read.model("ours", "open-1")
    assert model is not None
    assert str(model.prices[0].input) == "0.5"
    assert read.model("ours", "open-2") is None


def test_an_effort_is_said_as_the_provider_calls_it_or_not_at_all() -> None:
    model = read_catalogue([OURS]).models[0]
    assert [model.effort(level) for level in ("low", "medium", "high")] == ["", "medium", "max"]


def test_a_later_file_replaces_what_an_earlier_one_says_and_adds_the_rest() -> None:
    again = OURS.replace("Ours", "Ours, anew").replace("Open 1", "Open 1, anew")
    read = read_catalogue([*(file.read_text() for file in SHIPPED), OURS, again])
    assert read.endpoints["ours"].label == "Ours, anew"
    assert [model.label for model in read.models if model.provider == "ours"] == ["Open 1, anew"]
    assert read.endpoints.keys() == shipped().endpoints.keys() | {"ours"}


def test_the_version_changes_with_every_letter_of_every_file() -> None:
    versions = {read_catalogue(files).version for files in ([OURS], [OURS, ""], [OURS + "#"], [OURS, OURS])}
    assert len(versions) == 4


def with_line(line: str) -> str:
    """OURS with a field of the provider replaced or added."""
    name = line.partition(" ")[0]
    kept = [other for other in OURS.splitlines() if not other.startswith(f"{name} =")]
    kept.insert(kept.index("[providers.ours]") + 1, line)
    return "\n".join(kept)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("[provider.ours]", "provider is not known here"),
        ("[providers.ours", "at the end|Expected|Unclosed|Invalid|at line"),
        ("providers = 3", "providers should be a valid dictionary"),
        ('[providers.ours]\nwire = "demo"', "The provider ours: label is missing."),
        ('[providers."our own"]\nlabel = "O"\nwire = "demo"', "The provider our own: its name should be"),
        (with_line('base_url = "ftp://x"'), "The provider ours: base_url should be like https://host/v1"),
        (with_line('base_url = "https://x/v1/"'), "The provider ours: base_url should be like"),
        (with_line('base_url = "https://me:secret@x/v1"'), "The provider ours: base_url should be like"),
        (with_line("concurrency = 0"), "concurrency should be greater than or equal to 1"),
        (with_line('key = "sk-1"'), "The provider ours: key is not known here."),
        (with_line('key_variable = "sk-my-key"'), "key_variable should be the name of a variable"),
        (with_line('embeddings = ["unpriced"]'), "The provider ours: embeddings should be a valid dictionary"),
        (with_line("embeddings = { small = -1 }"), "The provider ours: embeddings.small should be greater"),
        (OURS.replace('"ours"', '"theirs"'), "The model open-1 has a provider that no file names: theirs."),
        (
            OURS.replace("medium", "").replace("low", "lowest"),
            r"Model 1 \(open-1\): efforts knows low, medium and high",
        ),
        (OURS.replace("output = 1", "output = -1"), r"Model 1 \(open-1\): prices.0.output should be greater"),
        (OURS.replace('model_id = "open-1"\n', ""), r"Model 1 \(without model_id\): model_id is missing."),
    ],
    ids=str,
)
def test_a_fault_is_named_with_its_place(text: str, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        read_catalogue([text])


def test_everything_shipped_is_understood_by_its_provider() -> None:
    assert {provider(name).name for name in shipped().endpoints} == shipped().endpoints.keys()
    for model in shipped().models:
        asked = provider(model.provider)
        asked.check(model.options)
        if model.weak_temperature is not None:
            assert asked.takes_temperature(model.effort("medium"), model.options), model.label


def test_every_shipped_model_takes_the_efforts_of_the_studys_levels() -> None:
    for model in shipped().models:
        for level in LEVELS:
            asked = request(model=model.model_id, effort=model.effort(level), options=model.options)
            provider(model.provider).check_request(asked)
            model.check(effort=asked.effort, max_output_tokens=asked.max_output_tokens)


def test_every_shipped_price_says_when_it_was_seen_and_only_hosts_lack_one() -> None:
    priced = [model for model in shipped().models if model.provider != "demo"]
    assert all(price.seen for model in priced for price in model.prices)
    unpriced = {model.provider for model in priced if not model.prices}
    # Servers of one's own cost nothing here, and what these hosts take is not known.
    assert unpriced - {"vllm", "ollama"} == {"google", "openrouter", "together"}


@pytest.mark.parametrize(
    ("model_id", "effort", "why"),
    [
        ("gpt-6.2-sol", "none", "it takes no effort “none”, but low, medium, high, xhigh, max"),
        ("gpt-5.4", "max", "it takes no effort “max”"),
        ("gpt-5.4", "minimal", "it takes no effort “minimal”"),
        ("claude-opus-4-6", "xhigh", "it takes no effort “xhigh”, but low, medium, high, max"),
        ("claude-haiku-4-5", "low", "it takes no effort “low”, nor any other"),
        ("gemini-3.1-pro-preview", "MINIMAL", "it takes no effort “MINIMAL”"),
        ("mistral-medium-3.5", "medium", "it takes no effort “medium”, but none, high"),
    ],
)
def test_a_model_is_known_to_refuse_efforts_that_its_provider_has_for_others(
    model_id: str, effort: str, why: str
) -> None:
    [model] = [model for model in shipped().models if model.model_id == model_id]
    with pytest.raises(ValueError, match=why):
        model.check(effort=effort)
    model.check(effort="")


def test_a_model_is_known_to_refuse_a_cap_above_its_own() -> None:
    [model] = [model for model in shipped().models if model.model_id == "claude-haiku-4-5"]
    model.check(effort="", max_output_tokens=64_000)
    with pytest.raises(ValueError, match="its output cap is at most 64,000, not 64,001"):
        model.check(effort="", max_output_tokens=64_001)


def test_keys_are_named_wherever_requests_leave_this_machine() -> None:
    for endpoint in shipped().endpoints.values():
        is_ours = endpoint.wire == "demo" or endpoint.base_url.startswith("http://127.0.0.1")
        assert bool(endpoint.key_variable) is not is_ours
        assert is_ours or endpoint.base_url.startswith("https://")


def test_embeddings_have_a_price_wherever_a_key_is_needed() -> None:
    offered = [endpoint for endpoint in shipped().endpoints.values() if endpoint.embeddings]
    assert {endpoint.name for endpoint in offered} == {"openai", "mistral", "ollama"}
    for endpoint in offered:
        assert all(bool(price) is bool(endpoint.key_variable) for price in endpoint.embeddings.values())


def test_an_unknown_provider_is_refused_with_the_known_names() -> None:
    with pytest.raises(KeyError, match=r"no provider is called 'dmeo'; known: anthropic, .*demo"):
        provider("dmeo")


def test_an_operators_file_is_read_beside_what_is_shipped(settings: LazySettings, tmp_path: Path) -> None:
    file = tmp_path / "providers.toml"
    file.write_text(OURS)
    settings.PROVIDERS_FILE = str(file)
    assert provider("ours").body is not None
    assert known_model("ours", "open-1") == catalogue().model("ours", "open-1")
    assert provider("demo").name == "demo"
    settings.PROVIDERS_FILE = ""
    assert known_model("ours", "open-1") is None


def test_one_provider_object_serves_all_callers() -> None:
    assert provider("demo") is provider("demo")


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ('wire = "telegraph"', "The provider ours: wire should be one of demo, openai_responses,"),
        ('base_url = ""', "The provider ours: base_url is missing"),
        ('wire = "demo"\nsettings = { a = 1 }', "The provider ours: demo takes no settings"),
        ("batches = true", "The provider ours: chat_completions takes no batches"),
        ('wire = "demo"\nembeddings = { m = 0 }', "The provider ours: demo gives no embeddings"),
        ('settings = { cap_field = "tokens" }', "The provider ours: cap_field should be 'max_tokens' or"),
    ],
)
def test_what_only_a_wire_format_can_judge_is_judged_when_it_is_first_used(
    line: str, fault: str, settings: Settings, tmp_path: Path
) -> None:
    file = tmp_path / "providers.toml"
    file.write_text(with_line(line))
    settings.PROVIDERS_FILE = str(file)
    with pytest.raises(ValueError, match=fault):
        provider("ours")


DESCRIBED = (
    Endpoint,
    KnownModel,
    Price,
    openai_responses.Options,
    anthropic_messages.Settings,
    anthropic_messages.Options,
    google_generate.Options,
    Turns,
    demo.Options,
)


class TestTheReferencePage:
    PAGE = (PROJECT / "docs" / "reference" / "providers.md").read_text(encoding="utf-8")

    def test_the_reference_pages_example_can_be_read(self) -> None:
        (example,) = re.findall(r"```toml\n(.*?)```", self.PAGE, re.DOTALL)
        (ours,) = read_catalogue([example]).endpoints.values()
        wires()[ours.wire](ours)

    @pytest.mark.parametrize("kind", DESCRIBED, ids=lambda kind: f"{kind.__module__}.{kind.__name__}")
    def test_the_reference_page_describes_every_field(self, kind: Any) -> None:
        missing = {field.name for field in fields(kind) if f"`{field.name}`" not in self.PAGE}
        assert missing <= {"name"}

    def test_the_reference_page_names_every_provider_with_its_key_every_format_and_every_outcome(self) -> None:
        endpoints = shipped().endpoints.values()
        keys = {endpoint.key_variable for endpoint in endpoints} - {""}
        names = {*(endpoint.name for endpoint in endpoints), *wires(), *Outcome}
        assert [name for name in names | keys if f"`{name}`" not in self.PAGE] == []
