"""The official clients' types as judges of what we send and read.

They take longer to load than all other tests of providers together, so whoever asks first waits for them.
"""

import sys
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Any

from pydantic import ConfigDict, TypeAdapter
from typing_extensions import is_typeddict

_CLOSED = ConfigDict(extra="forbid", arbitrary_types_allowed=True)


@cache
def official(module: str, name: str) -> Any:
    """The type of that name: `official("openai.types", "Batch")`."""
    return getattr(import_module(module), name)


@cache
def _closed(module: str, name: str) -> TypeAdapter[Any]:
    """For a type whose unknown fields are faults: as they come, these types let them pass."""
    kind = official(module, name)
    for loaded, types in list(sys.modules.items()):
        if loaded.startswith(module.partition(".")[0] + ".types"):
            for each in vars(types).values():
                if is_typeddict(each):
                    each.__pydantic_config__ = _CLOSED
    return TypeAdapter(kind)


def check_openai(body: Mapping[str, Any]) -> None:
    """Raise `ValidationError` for a body the official client would not send. Its types require no field."""
    assert body.keys() >= {"model", "input", "store"}
    asked = _closed("openai.types.responses.response_create_params", "ResponseCreateParamsNonStreaming")
    asked.validate_python(body, strict=True)


def check_anthropic(body: Mapping[str, Any]) -> None:
    """The same; messages are read lazily, and so are walked through."""
    asked = _closed("anthropic.types.message_create_params", "MessageCreateParamsNonStreaming")
    list(asked.validate_python(body)["messages"])


def check_chat(body: Mapping[str, Any]) -> None:
    asked = _closed("openai.types.chat.completion_create_params", "CompletionCreateParamsNonStreaming")
    list(asked.validate_python(body)["messages"])


def check_google(body: Mapping[str, Any]) -> None:
    """The client has no one type for the whole body: its parts are checked."""
    assert body.keys() <= {"contents", "generationConfig", "safetySettings", "systemInstruction"}
    system = [body["systemInstruction"]] if "systemInstruction" in body else []
    for content in [*system, *body["contents"]]:
        official("google.genai.types", "Content").model_validate(content)
    official("google.genai.types", "GenerationConfig").model_validate(body["generationConfig"])
    for setting in body.get("safetySettings", []):
        official("google.genai.types", "SafetySetting").model_validate(setting)
