import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.platform.core.sealing import GENESIS, canonical_json, chained_digest

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abc", max_size=2), inner, max_size=3),
    max_leaves=8,
)
records = st.dictionaries(st.sampled_from(["verb", "subject", "actor"]), values, min_size=1)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"b": 1, "a": [True, None]}, b'{"a":[true,null],"b":1}'),
        ({"subject": "Zürich"}, '{"subject":"Zürich"}'.encode()),
        ({}, b"{}"),
    ],
)
def test_canonical_bytes_are_sorted_compact_and_utf8(value: object, expected: bytes) -> None:
    assert canonical_json(value) == expected


@given(st.dictionaries(st.text("abcd", max_size=3), values, max_size=4))
def test_the_order_in_which_keys_were_set_makes_no_difference(value: dict[str, object]) -> None:
    turned = dict(reversed(value.items()))
    assert canonical_json(turned) == canonical_json(value)


def test_a_value_that_json_does_not_have_is_refused() -> None:
    with pytest.raises(TypeError):
        canonical_json({"at": object()})


def test_a_digest_is_the_plain_hash_of_the_previous_one_and_the_record() -> None:
    written_out = "0" * 64 + '{"subject":"trial","verb":"study.created"}'
    expected = hashlib.sha256(written_out.encode()).hexdigest()
    assert chained_digest(GENESIS, {"verb": "study.created", "subject": "trial"}) == expected


def chain(events: list[dict[str, object]]) -> list[str]:
    digests = [GENESIS]
    for event in events:
        digests.append(chained_digest(digests[-1], event))
    return digests[1:]


@given(st.lists(records, min_size=1, max_size=6), st.data())
def test_a_change_shows_in_its_own_digest_and_in_every_later_one(
    events: list[dict[str, object]], data: st.DataObject
) -> None:
    place = data.draw(st.integers(0, len(events) - 1))
    changed = [*events[:place], {**events[place], "detail": "added later"}, *events[place + 1 :]]
    before, after = chain(events), chain(changed)
    assert before[:place] == after[:place]
    assert all(old != new for old, new in zip(before[place:], after[place:], strict=True))
