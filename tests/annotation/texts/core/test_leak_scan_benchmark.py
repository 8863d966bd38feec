"""The benchmark of the leak scan: what it reads, and its intervals."""

import json

import pytest

from benchmarks.leak_scan import read, report, wilson


@pytest.mark.parametrize(
    ("found", "total", "low", "high"),
    [
        # p = 8/10, z² = 3.8415: middle .8 + .1921 = .9921, half 1.96·√(.016 + .0096) = .3136, over 1.3841
        (8, 10, 0.4902, 0.9433),
        (0, 0, 0.0, 1.0),
        (0, 200, 0.0, 0.0188),  # z²/(n + z²) = 3.8415 / 203.8415
    ],
)
def test_the_interval_of_a_share_is_wilsons(found: int, total: int, low: float, high: float) -> None:
    assert wilson(found, total) == pytest.approx((low, high), abs=1e-4)


def test_a_set_is_told_by_label_manner_and_kind() -> None:
    rows = [
        {"text": "As an AI, I cannot vote.", "label": "leak", "manner": "plain", "kind": "model"},
        {"text": "Towns differ.", "label": "leak", "manner": "indirect", "kind": "model"},
        {"text": "Towns differ", "label": "clean"},
    ]
    lines = list(report(list(read(map(json.dumps, rows)))))
    assert [" ".join(line.split("[")[0].split()) for line in lines] == [
        "leaks found 1 of 2 50.0%",
        "manner indirect 0 of 1 0.0%",
        "manner plain 1 of 1 100.0%",
        "kind model 1 of 2 50.0%",
        "clean texts held 0 of 1 0.0%",
    ]


def test_a_signature_that_nobody_is_shown_counts_as_found() -> None:
    texts = ["Towns differ from villages. — Dr. Ruth Abara", "Towns differ from villages."]
    rows = read(json.dumps({"text": text, "label": "leak"}) for text in texts)
    assert [(row.is_found, bool(row.findings)) for row in rows] == [(True, False), (False, False)]


def test_a_label_that_is_neither_is_refused() -> None:
    with pytest.raises(ValueError, match="leak or clean"):
        list(read(['{"text": "Towns differ.", "label": "maybe"}']))
