"""The identity of a wanted reply: the same key is never called for twice."""

import hashlib
from collections.abc import Mapping
from typing import Any

from annotation.platform.core.sealing import canonical_json


def call_key(*, target: Mapping[str, Any], template: str, inputs: Mapping[str, Any], replicate: int) -> str:
    """SHA-256, in hex, of everything that could change the reply, and of which repetition it is.

    `target` names provider, model and parameters; `template` is the template's name and content hash.
    """
    wanted = {"target": target, "template": template, "inputs": inputs, "replicate": replicate}
    return hashlib.sha256(canonical_json(wanted)).hexdigest()
