"""The official clients' types as judges of what we send and read."""

import sys
from collections.abc import Mapping
from typing import Any

import anthropic.types.message_create_params as anthropic_params
import openai.types.chat.completion_create_params as chat_params
import openai.types.responses.response_create_params as openai_params
from google.genai import types as google
from pydantic import ConfigDict, TypeAdapter
from typing_extensions import is_typeddict

_CLOSED = ConfigDict(extra="forbid", arbitrary_types_allowed=True)


def _close_all() -> None:
    """Unknown fields are faults: as they come, these types let them pass."""
    for name, module in list(sys.modules.items()):
        if name.startswith(("openai.types", "anthropic.types")):
            for kind in vars(module).values():
                if is_typeddict(kind):
                    kind.__pydantic_config__ = _CLOSED


_close_all()
_OPENAI = TypeAdapter[Any](openai_params.ResponseCreateParamsNonStreaming)
_ANTHROPIC = TypeAdapter[Any](anthropic_params.MessageCreateParamsNonStreaming)
_CHAT = TypeAdapter[Any](chat_params.CompletionCreateParamsNonStreaming)


def check_openai(body: Mapping[str, Any]) -> None:
    """Raise `ValidationError` for a body the official client would not send. Its types require no field."""
    assert body.keys() >= {"model", "input", "store"}
    _OPENAI.validate_python(body, strict=True)


def check_anthropic(body: Mapping[str, Any]) -> None:
    """The same; messages are read lazily, and so are walked through."""
    list(_ANTHROPIC.validate_python(body)["messages"])


def check_chat(body: Mapping[str, Any]) -> None:
    list(_CHAT.validate_python(body)["messages"])


def check_google(body: Mapping[str, Any]) -> None:
    """The client has no one type for the whole body: its parts are checked."""
    assert body.keys() <= {"contents", "generationConfig", "safetySettings"}
    for content in body["contents"]:
        google.Content.model_validate(content)
    google.GenerationConfig.model_validate(body["generationConfig"])
    for setting in body.get("safetySettings", []):
        google.SafetySetting.model_validate(setting)
