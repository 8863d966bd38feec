"""What an outsider can recompute from a release alone: the commitment, every label, and the frozen hashes."""

import re
from collections.abc import Iterator
from typing import Final

from analysis.data.core.judgment_frame import frame_sha256, masked
from analysis.data.core.study_tables import (
    ANSWERS,
    COLLECTED_ITEMS,
    StudyTables,
    in_order,
    sources_hmac,
    table,
    table_hashes,
    table_hmac,
    table_sha256,
)
from analysis.release.core.consistency import inconsistencies
from analysis.release.core.facts import ReleaseFacts
from annotation.platform.core.blinding import LABELS, commitment, labels
from annotation.platform.core.text import sha256_hex
from annotation.unblinders.core.commitment import published_contradictions

LABEL = "Response {}"  # as labels are published
JUDGMENTS: Final = "judgments"
# Of every study that is closed today.
FROZEN: Final = frozenset({JUDGMENTS, "guesses", "texts", "domains", "sources", "prompts", "items", "answers"})
COARSENED: Final = frozenset({"participants"})  # published so that nobody is found by it, and so never as frozen


def differences(tables: StudyTables, facts: ReleaseFacts) -> Iterator[str]:
    """Each thing, in words, that contradicts another, does not follow from the seed or is not what was frozen."""
    yield from inconsistencies(tables, facts)
    published = table_hashes(tables)
    for name, sha256 in sorted(facts.table_hashes.items()):
        if published.get(name) != sha256:
            yield f"The table {name} is not the one that was published."
    seed = seed_of(facts)
    if seed is None:
        yield "The seed is not one: it has to have 64 hexadecimal digits."
        return
    if commitment(seed) != facts.commitment:
        yield "The seed does not match its commitment."
    yield from published_contradictions(facts.unblinders, seed_sha256=facts.commitment)
    yield from _labels(tables, seed)
    found = frozen_hashes(tables, seed, kept=facts.frozen_sha256)
    for what, frozen in compared(tables, facts).items():
        if found.get(what) != frozen:
            yield f"The {what} are not those that were frozen when the study was closed."


def seed_of(facts: ReleaseFacts) -> bytes | None:
    """The revealed seed; `None` where what stands there is not one."""
    return bytes.fromhex(facts.seed) if re.fullmatch("[0-9a-f]{64}", facts.seed) else None


def frozen_at_closing(facts: ReleaseFacts) -> dict[str, str]:
    """The hashes that a release names as those of closing, by what they are of; older studies froze less.

    Without those of what is published coarser than it was frozen.
    """
    named = {JUDGMENTS: facts.frozen_sha256, **facts.frozen_tables}
    return {what: sha256 for what, sha256 in sorted(named.items()) if what not in COARSENED}


def compared(tables: StudyTables, facts: ReleaseFacts) -> dict[str, str]:
    """The differences in what the release has, since nothing of it was withdrawn.

    Judgments are compared wherever there are as many as were frozen: then none of them is gone. Nobody's withdrawal
    takes a prompt.
    """
    frozen = frozen_at_closing(facts)
    gone = set(tables.tombstones["kind"])
    left_out = set()
    if (tables.items["withdrawn"] == 1).any() or "item" in gone:
        left_out = {*frozen} - {"prompts", "domains"}
        if len(tables.judgments) == facts.frozen_rows:
            left_out.remove(JUDGMENTS)
    if "judge" in gone:
        left_out.add("items")  # they no longer name whom somebody replaced
    if "answer" in gone:
        left_out.add("answers")
    return {what: sha256 for what, sha256 in frozen.items() if what not in left_out}


def frozen_hashes(tables: StudyTables, seed: bytes, *, kept: str | None = None) -> dict[str, str]:
    """The hashes under which a study is frozen at closing, with everything masked that was masked then.

    `kept` is the one of judgments, where there is one: an earlier version may have made it.
    """
    ordered = in_order(tables)
    given = tables.answers[tables.answers["response_id"].isin(tables.items["true_id"])]
    texts = sorted(
        (answer, sha256_hex(text)) for answer, text in zip(given["response_id"], given["text"], strict=True)
    )
    return {
        JUDGMENTS: frame_sha256(masked(ordered.judgments), kept=kept),
        "guesses": table_sha256(ordered.guesses),
        "texts": table_sha256(table(texts, ("response_id", "text_sha256"))),
        "sources": sources_hmac(seed, given),
        "prompts": table_hmac(seed, "prompts", tables.prompts),
        "domains": table_sha256(ordered.prompts[["prompt_id", "domain"]]),
        "items": table_hmac(seed, "items", tables.items[list(COLLECTED_ITEMS)]),
        "answers": table_hmac(
            seed, "answers", tables.answers.loc[tables.answers["arm"] != "maximum", list(ANSWERS)]
        ),
    }


def _labels(tables: StudyTables, seed: bytes) -> Iterator[str]:
    for (judge, prompt), item in tables.items.groupby(["judge_id", "prompt_id"]):
        found = dict(zip(item["blinded_label"], item["true_id"], strict=True))
        responses = sorted(set(found.values()))
        if len(responses) < len(item) or not 1 <= len(responses) <= len(LABELS):
            yield f"Judge {judge}, prompt {prompt}: these are not 1 to {len(LABELS)} different answers."
            continue
        due = labels(seed, judge=str(judge), prompt=str(prompt), responses=responses)
        expected = {LABEL.format(label): response for label, response in due.items()}
        if wrong := sorted(label for label in found if found[label] != expected.get(label)):
            yield f"Judge {judge}, prompt {prompt}: {', '.join(wrong)} differs from the seeded order."
