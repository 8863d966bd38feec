"""A study's tables: what its analysis reads and its release publishes.

All that was collected is read as it was frozen when the study was closed; what may still be collected afterwards
is read as it is: answers that no judge is given, and what the panel of judge models says.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

import pandas as pd

from analysis.blinding.selectors.sealed_tables import answers_for_no_judge, instrument_of, sealed_tables
from analysis.data.core.study_tables import TOMBSTONES, StudyTables, in_order, rows_in_order, table
from analysis.frozen.selectors.frozen_tables import JUDGMENTS, frozen_tables
from analysis.unblinded.selectors.audit_tables import audit_tables
from analysis.unblinded.selectors.framing_tables import framing_tables
from analysis.unblinded.selectors.panel_tables import panel_expected, panel_scores
from analysis.unblinded.selectors.pool_tables import pool_tables
from analysis.unblinded.selectors.trial_tables import trial_tables
from analysis.unblinded.selectors.unblinding import Withdrawn, with_sources
from annotation.study.models.studies import Study
from annotation.study.policies.unblinding import check_unblinded
from annotation.study.selectors.rubrics import rubric_by_hash

WITHDRAWN: Final = "consent withdrawn"
WITHHELD: Final = "withheld, for what the scan found in it"


def study_tables(study: Study) -> StudyTables:
    """Everything that counts of a study, without what those gave who have withdrawn their consent.

    Raises `PermissionDenied` before the study is unblinded, and `Refused` where a table is not as it was frozen.
    """
    check_unblinded(study)
    frozen, sealed = frozen_tables(study), sealed_tables(study)
    withdrawn = Withdrawn.of(study, sealed["answers"])
    answers = _answers(study, sealed["answers"], withdrawn)
    sources = dict(zip(answers["response_id"], answers["source"], strict=True))
    asked = instrument_of(study)
    people = sealed["participants"]
    judgments = withdrawn.leaves(frozen[JUDGMENTS])
    return in_order(
        replace(
            StudyTables(
                judgments=with_sources(judgments, answers=sealed["answers"], items=sealed["items"]),
                prompts=sealed["prompts"],
                answers=answers,
                items=_items(sealed["items"], withdrawn),
                guesses=withdrawn.leaves(frozen["guesses"]),
                panel=panel_scores(study, sources),
                panel_expected=panel_expected(study, sources),
                participants=people[~people["participant_id"].isin(withdrawn.people)],
                tombstones=table(_tombstones(sealed, withdrawn), TOMBSTONES),
                ideology=(asked.low, asked.high, len(asked.labels)) if asked else None,
                scale=rubric_by_hash(study.rubric_id).scale,
                rubric=rubric_by_hash(study.rubric_id),
            ),
            **framing_tables(study),
            **trial_tables(study),
            **pool_tables(study),
            **audit_tables(study),
        )
    )


def _answers(study: Study, frozen: pd.DataFrame, withdrawn: Withdrawn) -> pd.DataFrame:
    everything = pd.concat([frozen, answers_for_no_judge(study)], ignore_index=True)
    return rows_in_order("answers", everything[~everything["response_id"].isin(withdrawn.answers)])


def _items(items: pd.DataFrame, withdrawn: Withdrawn) -> pd.DataFrame:
    """Items without judges who have withdrawn; answers of writers who have are marked, as labels rest on them."""
    kept = items[~items["judge_id"].isin(withdrawn.people)]
    return kept.assign(
        replaces_judge=kept["replaces_judge"].where(~kept["replaces_judge"].isin(withdrawn.people), ""),
        withdrawn=kept["true_id"].isin(withdrawn.answers).astype("float64"),
    )


def _tombstones(sealed: Mapping[str, pd.DataFrame], withdrawn: Withdrawn) -> Iterator[Sequence[str]]:
    people, answers, items = sealed["participants"], sealed["answers"], sealed["items"]
    gone = people[people["participant_id"].isin(withdrawn.people)]
    for role, pseudonym in zip(gone["role"], gone["participant_id"], strict=True):
        yield role, pseudonym, "", WITHDRAWN
    theirs = answers[answers["response_id"].isin(withdrawn.answers)]
    for response, prompt in zip(theirs["response_id"], theirs["prompt_id"], strict=True):
        yield "answer", response, prompt, WITHHELD if response in withdrawn.withheld else WITHDRAWN
    judged = items[items["judge_id"].isin(withdrawn.people)].drop_duplicates(["judge_id", "prompt_id"])
    for judge, prompt in zip(judged["judge_id"], judged["prompt_id"], strict=True):
        yield "item", judge, prompt, WITHDRAWN
