"""What an outsider can recompute from a release alone: the commitment, every label, and the frozen hashes."""

from collections.abc import Iterator

from analysis.core.judgment_frame import frame_sha256, masked
from analysis.core.release.facts import ReleaseFacts
from analysis.core.study_tables import StudyTables, in_order, table, table_sha256
from annotation.core.blinding import commitment, labels
from annotation.core.text import sha256_hex

LABEL = "Response {}"  # as labels are published


def differences(tables: StudyTables, facts: ReleaseFacts) -> Iterator[str]:
    """In words, each thing that does not follow from the seed, or is not what was promised."""
    seed = bytes.fromhex(facts.seed)
    if commitment(seed) != facts.commitment:
        yield "The seed does not match its commitment."
    yield from _labels(tables, seed)
    yield from _judgments(tables)
    if not is_reduced(tables):
        found, frozen = frozen_hashes(tables), {"judgments": facts.frozen_sha256, **facts.frozen_tables}
        for what in sorted(frozen):
            if found.get(what) != frozen[what]:
                yield f"The {what} are not those that were frozen when the study was closed."


def is_reduced(tables: StudyTables) -> bool:
    """Whether something was withdrawn, so that the release has less than was frozen."""
    return not tables.tombstones.empty


def frozen_hashes(tables: StudyTables) -> dict[str, str]:
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
    }


def _labels(tables: StudyTables, seed: bytes) -> Iterator[str]:
    for (judge, prompt), item in tables.items.groupby(["judge_id", "prompt_id"]):
        found = dict(zip(item["blinded_label"], item["true_id"], strict=True))
        due = labels(seed, judge=str(judge), prompt=str(prompt), responses=sorted(found.values()))
        expected = {LABEL.format(label): response for label, response in due.items()}
        if wrong := sorted(label for label in found if found[label] != expected.get(label)):
            yield f"Judge {judge}, prompt {prompt}: {', '.join(wrong)} differs from the seeded order."


def _judgments(tables: StudyTables) -> Iterator[str]:
    """Judgments of answers that the judge was not given under that label."""
    names = ["judge_id", "prompt_id", "blinded_label", "true_id"]
    given = set(tables.items[names].itertuples(index=False, name=None))
    for judge, prompt, label, response in tables.judgments[names].itertuples(index=False, name=None):
        if (judge, prompt, label, response) not in given:
            yield f"Judge {judge}, prompt {prompt}: {label} was judged as another answer than the one given."
