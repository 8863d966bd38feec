"""The identity of a wanted reply: the same key is never called for twice."""

import hashlib
from collections.abc import Mapping
from typing import Any

from annotation.platform.core.sealing import canonical_json


def call_key(
    *,
    target: Mapping[str, Any],
    template: str,
    inputs: Mapping[str, Any],
    replicate: int,
    subject: int | None = None,
    after: str = "",
) -> str:
    """SHA-256, in hex, of everything that could change the reply, and of which repetition it is.

    `target` names provider, model and parameters; `template` is the template's name and content hash. `subject` is
    the `Subject` that the call is about: equal texts of two subjects are asked about twice. `after` is the key of
    the call whose conversation it goes on.
    """
    wanted: dict[str, Any] = {"target": target, "template": template, "inputs": inputs, "replicate": replicate}
    if subject is not None:
        wanted["subject"] = subject
    if after:
        wanted["after"] = after
    return hashlib.sha256(canonical_json(wanted)).hexdigest()


def key_once_more(key: str) -> str:
    """The key of a call that is asked instead of the one with this key."""
    return hashlib.sha256(canonical_json({"once_more": key})).hexdigest()
