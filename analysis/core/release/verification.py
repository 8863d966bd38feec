"""What an outsider can recompute from a release alone: the commitment, every label, and the frozen hashes."""

import re
from collections.abc import Iterator

from analysis.core.judgment_frame import frame_sha256, masked
from analysis.core.release.consistency import inconsistencies
from analysis.core.release.facts import ReleaseFacts
from analysis.core.study_tables import StudyTables, in_order, sources_hmac, table, table_sha256
from annotation.core.blinding import LABELS, commitment, labels
from annotation.core.text import sha256_hex

LABEL = "Response {}"  # as labels are published


def differences(tables: StudyTables, facts: ReleaseFacts) -> Iterator[str]:
    """In words, each thing that contradicts another, does not follow from the seed or is not what was frozen."""
    yield from inconsistencies(tables, facts)
    seed = seed_of(facts)
    if seed is None:
        yield "The seed is not one: it has to have 64 hexadecimal digits."
        return
    if commitment(seed) != facts.commitment:
        yield "The seed does not match its commitment."
    yield from _labels(tables, seed)
    if not is_reduced(tables):
        found, frozen = frozen_hashes(tables, seed), frozen_at_closing(facts)
        for what in sorted(frozen):
            if found.get(what) != frozen[what]:
                yield f"The {what} are not those that were frozen when the study was closed."


def seed_of(facts: ReleaseFacts) -> bytes | None:
    """The revealed seed; `None` where what stands there is none."""
    return bytes.fromhex(facts.seed) if re.fullmatch("[0-9a-f]{64}", facts.seed) else None


def is_reduced(tables: StudyTables) -> bool:
    """Whether something was withdrawn, so that the release has less than was frozen."""
    return not tables.tombstones.empty


def frozen_at_closing(facts: ReleaseFacts) -> dict[str, str]:
    """The hashes that a release names as those of closing. Studies closed earlier froze less than others."""
    return {"judgments": facts.frozen_sha256, **facts.frozen_tables}


def frozen_hashes(tables: StudyTables, seed: bytes) -> dict[str, str]:
    """The hashes under which a study is frozen at closing, with everything masked that was masked then."""
    ordered = in_order(tables)
    given = tables.answers[tables.answers["response_id"].isin(tables.items["true_id"])]
    texts = sorted(
        (answer, sha256_hex(text)) for answer, text in zip(given["response_id"], given["text"], strict=True)
    )
    return {
        "judgments": frame_sha256(masked(ordered.judgments)),
        "guesses": table_sha256(ordered.guesses),
        "texts": table_sha256(table(texts, ("response_id", "text_sha256"))),
        "sources": sources_hmac(seed, given),
    }


def _labels(tables: StudyTables, seed: bytes) -> Iterator[str]:
    for (judge, prompt), item in tables.items.groupby(["judge_id", "prompt_id"]):
        found = dict(zip(item["blinded_label"], item["true_id"], strict=True))
        responses = sorted(set(found.values()))
        if len(responses) < len(item) or not 2 <= len(responses) <= len(LABELS):
            yield f"Judge {judge}, prompt {prompt}: these are not 2 to {len(LABELS)} different answers."
            continue
        due = labels(seed, judge=str(judge), prompt=str(prompt), responses=responses)
        expected = {LABEL.format(label): response for label, response in due.items()}
        if wrong := sorted(label for label in found if found[label] != expected.get(label)):
            yield f"Judge {judge}, prompt {prompt}: {', '.join(wrong)} differs from the seeded order."
