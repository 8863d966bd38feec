"""One design, one byte string: stable where nothing was decided otherwise, different wherever something was."""

import hashlib
import json
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from annotation.design.core.design_hash import design_bytes, design_sha256

DESIGN: dict[str, Any] = {
    "parameters": {
        "writing_minutes": 30,
        "feedback": "end",
        "fee_per_answer": Decimal("12.5"),
        "writing_due_on": date(2027, 3, 1),
        "judging_due_on": None,
        "writing_aids": False,
        "profile_questions": ["country", "discipline"],
    },
    "rubric_sha256": "a" * 64,
    "consent_sha256": "b" * 64,
    "prompts": {"BBQ_01": "c" * 64, "HLE_01": "d" * 64},
}


def test_a_design_is_canonical_json_that_anybody_can_hash() -> None:
    design = design_bytes(**DESIGN)
    assert design_sha256(design) == hashlib.sha256(design).hexdigest()
    read = json.loads(design)
    assert read["format"] == "scrub-design/1"
    assert read["parameters"]["fee_per_answer"] == "12.50"
    assert read["parameters"]["writing_due_on"] == "2027-03-01"
    assert json.dumps(read, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode() == design


def test_order_and_the_way_an_amount_is_written_make_no_difference() -> None:
    parameters = DESIGN["parameters"]
    turned = {name: parameters[name] for name in reversed(parameters)} | {
        "fee_per_answer": Decimal("12.50"),
        "profile_questions": ["discipline", "country"],
    }
    prompts = dict(reversed(DESIGN["prompts"].items()))
    assert design_bytes(**DESIGN | {"parameters": turned, "prompts": prompts}) == design_bytes(**DESIGN)


@pytest.mark.parametrize(
    "changed",
    [
        *({"parameters": DESIGN["parameters"] | other} for other in (
            {"writing_minutes": 31},
            {"writing_minutes": None},
            {"fee_per_answer": Decimal("12.51")},
            {"writing_due_on": date(2027, 3, 2)},
            {"writing_aids": True},
            {"profile_questions": ["country"]},
        )),
        {"rubric_sha256": "e" * 64},
        {"consent_sha256": "e" * 64},
        {"prompts": {"BBQ_01": "c" * 64}},
        {"prompts": {"BBQ_01": "d" * 64, "HLE_01": "c" * 64}},
        {"prompts": {"BBQ_02": "c" * 64, "HLE_01": "d" * 64}},
    ],
)  # fmt: skip
def test_whatever_is_decided_otherwise_shows(changed: dict[str, Any]) -> None:
    assert design_bytes(**DESIGN | changed) != design_bytes(**DESIGN)


def test_a_value_that_json_does_not_have_is_refused() -> None:
    with pytest.raises(TypeError):
        design_bytes(**DESIGN | {"parameters": {"writing_minutes": object()}})
