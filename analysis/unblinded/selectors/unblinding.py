"""The only place where judgments meet their sources."""

from dataclasses import dataclass
from uuid import UUID

import pandas as pd

from analysis.blinding.selectors.collected_tables import ITEM_TYPES
from analysis.data.core.judgment_frame import HUMAN, MODEL
from analysis.frozen.selectors.judgments import masked_judgments
from annotation.study.models.participation import Participation
from annotation.study.models.studies import Study
from annotation.study.policies.unblinding import check_unblinded
from annotation.texts.models.provenance import Arm, ItemPlan, Stimulus


@dataclass(frozen=True)
class Withdrawn:
    """Who has withdrawn their consent, by pseudonym, and the ids of the answers they wrote."""

    people: frozenset[str]
    answers: frozenset[UUID]

    def leaves(self, rows: pd.DataFrame) -> pd.DataFrame:
        """Of rows with `judge_id` and `true_id`, those that are neither by one of them nor about their answers.

        Ranks stay as they were given beside those that are gone.
        """
        theirs = rows["judge_id"].isin(self.people) | rows["true_id"].isin(map(str, self.answers))
        return rows[~theirs]


def withdrawn_from(study: Study) -> Withdrawn:
    """Raises `PermissionDenied` before the study is unblinded."""
    check_unblinded(study)
    people = Participation.objects.filter(study=study, consent__withdrawn_at__isnull=False).values("pseudonym")
    theirs = Stimulus.objects.filter(study=study, arm=Arm.HUMAN, source_code__in=people)
    return Withdrawn(
        people=frozenset(people.values_list("pseudonym", flat=True)),
        answers=frozenset(theirs.values_list("response_id", flat=True)),
    )


def unblinded_judgments(study: Study) -> pd.DataFrame:
    """The frame of judgments with item types and sources, without what those gave who have withdrawn their consent.

    Raises `PermissionDenied` before the study is unblinded.
    """
    return judgments_without(withdrawn_from(study), study)


def judgments_without(withdrawn: Withdrawn, study: Study) -> pd.DataFrame:
    """The same frame without what these people gave, whoever has withdrawn since they were looked up."""
    frame = withdrawn.leaves(masked_judgments(study))
    if frame.empty:
        return frame
    plans = ItemPlan.objects.filter(item__study=study).values_list(
        "item__prompt__code", "item__participation__pseudonym", "kind"
    )
    item_types = {(prompt, judge): ITEM_TYPES[kind] for prompt, judge, kind in plans}
    stimuli = Stimulus.objects.filter(study=study).values_list("response_id", "arm", "source_code")
    made_by = {str(response): (arm, source) for response, arm, source in stimuli}
    arms, sources = zip(*frame["true_id"].map(made_by), strict=True)
    return frame.assign(
        item_type=[item_types[key] for key in zip(frame["prompt_id"], frame["judge_id"], strict=True)],
        true_source=[HUMAN if arm == Arm.HUMAN else MODEL for arm in arms],
        model=["" if arm == Arm.HUMAN else source for arm, source in zip(arms, sources, strict=True)],
    )
