"""The only place where judgments meet their sources."""

from dataclasses import dataclass
from typing import Self

import pandas as pd

from analysis.blinding.selectors.sealed_tables import sealed_tables, withheld_answers
from analysis.data.core.judgment_frame import HUMAN, MODEL
from analysis.frozen.selectors.frozen_tables import JUDGMENTS, frozen_tables
from annotation.study.models.participation import Participation
from annotation.study.models.studies import Study
from annotation.study.policies.unblinding import check_unblinded


@dataclass(frozen=True)
class Withdrawn:
    """Who has withdrawn their consent, by pseudonym, and the ids of the answers they wrote or that are withheld."""

    people: frozenset[str]
    answers: frozenset[str]
    withheld: frozenset[str]

    @classmethod
    def of(cls, study: Study, answers: pd.DataFrame) -> Self:
        """Who has withdrawn by now, and what of these answers is theirs."""
        gone = Participation.objects.filter(study=study, consent__withdrawn_at__isnull=False)
        people = frozenset(gone.values_list("pseudonym", flat=True))
        theirs = answers["source"].isin(people) & (answers["arm"] == HUMAN)
        withheld = withheld_answers(study)
        return cls(people, frozenset(answers.loc[theirs, "response_id"]) | withheld, withheld)

    def leaves(self, rows: pd.DataFrame) -> pd.DataFrame:
        """The rows, with `judge_id` and `true_id`, that are neither by one of them nor about their answers.

        Ranks stay as they were given beside those that are gone.
        """
        theirs = rows["judge_id"].isin(self.people) | rows["true_id"].isin(self.answers)
        return rows[~theirs]


def unblinded_judgments(study: Study) -> pd.DataFrame:
    """The frame of judgments with item types and sources, without what those gave who have withdrawn their consent.

    Raises `PermissionDenied` before the study is unblinded.
    """
    check_unblinded(study)
    sealed = sealed_tables(study)
    withdrawn = Withdrawn.of(study, sealed["answers"])
    judgments = withdrawn.leaves(frozen_tables(study)[JUDGMENTS])
    return with_sources(judgments, answers=sealed["answers"], items=sealed["items"])


def with_sources(judgments: pd.DataFrame, *, answers: pd.DataFrame, items: pd.DataFrame) -> pd.DataFrame:
    """Masked judgments with the item types of these items, and where these answers are from."""
    keys = ["prompt_id", "judge_id"]
    item_types = items.drop_duplicates(keys).set_index(keys)["item_type"]
    made_by = answers.set_index("response_id")[["arm", "source"]].reindex(judgments["true_id"])
    is_human = (made_by["arm"] == HUMAN).to_numpy()
    return judgments.assign(
        item_type=item_types.reindex(pd.MultiIndex.from_frame(judgments[keys])).to_numpy(),
        true_source=pd.Series(is_human, judgments.index).map({True: HUMAN, False: MODEL}).astype("str"),
        model=pd.Series(made_by["source"].to_numpy(), judgments.index).where(~is_human, "").astype("str"),
    )
