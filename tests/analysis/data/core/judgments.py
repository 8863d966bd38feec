"""Builds frames of judgments for tests."""

from collections.abc import Mapping, Sequence

import pandas as pd

from analysis.data.core.judgment_frame import columns


def judgments(
    ranks: Mapping[tuple[str, str], Mapping[str, int]],
    *,
    scores: Mapping[str, Sequence[float]] | None = None,
    dimensions: Sequence[str] = (),
    item_type: str = "standard",
) -> pd.DataFrame:
    """Frame from {(prompt, judge): {answer: rank}}.

    An answer's id is its source and a number, `human-1` or `claude-1`; `scores` gives an answer's dimensions,
    the same from every judge.
    """
    rows = []
    for (prompt, judge), ranking in ranks.items():
        for place, (answer, rank) in enumerate(ranking.items()):
            source = answer.partition("-")[0]
            rows.append(
                {
                    "prompt_id": prompt,
                    "true_id": answer,
                    "blinded_label": f"Response {chr(ord('A') + place)}",
                    "item_type": item_type,
                    "true_source": "human" if source == "human" else "model",
                    "model": "" if source == "human" else source,
                    "rank": rank,
                    "score": sum((scores or {}).get(answer, ())),
                    "judge_id": judge,
                    **dict(zip(dimensions, (scores or {}).get(answer, ()), strict=True)),
                }
            )
    return pd.DataFrame(rows, columns=columns(dimensions))
