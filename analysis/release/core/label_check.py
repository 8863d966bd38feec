"""The few lines by which whoever has a release computes every label again, without a word of this code."""

from typing import Final

LABEL_CHECK: Final = """\
import hashlib
import hmac
import json
from pathlib import Path

import pandas as pd

study = json.loads(Path("study.json").read_text("utf-8"))["study"]
seed = bytes.fromhex(study["seed"])
assert hashlib.sha256(seed).hexdigest() == study["commitment"]

def place(judge, prompt, answer):
    parts = [part.encode() for part in ("scrub/label/v1", judge, prompt, answer)]
    return hmac.digest(seed, b"".join(len(part).to_bytes(4, "big") + part for part in parts), "sha256")

items = pd.read_parquet("SCRuBAnnotations/task2_annotation_items.parquet")
for (judge, prompt), item in items.groupby(["judge_id", "prompt_id"]):
    ordered = sorted(item["true_id"], key=lambda answer: place(judge, prompt, answer))
    shown = item.sort_values("blinded_label")["true_id"]
    assert ordered == list(shown), f"{judge}, {prompt}"
"""
