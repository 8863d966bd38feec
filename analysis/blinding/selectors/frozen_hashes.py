"""What was frozen when a study was closed beside the hashes of it: the rows as they are, and the tables kept."""

from collections.abc import Mapping
from typing import Final

import pandas as pd

from analysis.blinding.core.blinding_record import Freezing
from analysis.blinding.selectors import sealed_tables
from analysis.data.core.study_tables import rows_in_order
from analysis.frozen.models import Freeze
from analysis.frozen.selectors import frozen_tables
from annotation.study.models.participation import Participation
from annotation.study.models.studies import Study

# Whose model made an answer is looked up among the study's models, which may get other names and be added to.
LOOKED_UP: Final = ["model_id", "family"]


def freezings(study: Study, *, recorded: Mapping[str, str]) -> list[Freezing]:
    """The hash of everything frozen as its rows are now, then of the tables kept that are not what they were.

    Each beside the one that the freeze has and the one that was `recorded`.
    """
    freeze = Freeze.objects.filter(study=study).first()
    frozen = {frozen_tables.JUDGMENTS: freeze.sha256, **freeze.tables} if freeze else {}
    judgments = frozen.get(frozen_tables.JUDGMENTS)
    kept, sealed = frozen_tables.kept_tables(study), sealed_tables.kept_tables(study)
    rows = {
        **frozen_tables.hashes_of(frozen_tables.collected_tables(study), kept=judgments),
        **sealed_tables.hashes_of(study, _comparable(study, sealed_tables.collected_tables(study), sealed)),
    }
    tables = {
        **frozen_tables.hashes_of(kept, kept=judgments),
        **(sealed_tables.hashes_of(study, sealed) if sealed else {}),
    }
    return [
        *(Freezing(what, sha256, frozen.get(what), recorded.get(what)) for what, sha256 in rows.items()),
        *(
            Freezing(f"{what} in the tables kept", sha256, frozen.get(what), recorded.get(what))
            for what, sha256 in tables.items()
            if any(hashes.get(what, sha256) != sha256 for hashes in (frozen, recorded))
        ),
    ]


def _comparable(
    study: Study, now: Mapping[str, pd.DataFrame], kept: Mapping[str, pd.DataFrame]
) -> Mapping[str, pd.DataFrame]:
    """The tables as they are now, with what may rightly have changed since the study was closed as it was then."""
    if not kept:
        return now
    return {
        **now,
        "answers": _with_names_of_then(now["answers"], kept["answers"]),
        "participants": _as_of_then(study, now["participants"], kept["participants"]),
    }


def _with_names_of_then(now: pd.DataFrame, then: pd.DataFrame) -> pd.DataFrame:
    names = then.set_index("response_id")[LOOKED_UP].reindex(now["response_id"]).fillna("")
    return now.assign(**{name: names[name].to_numpy() for name in LOOKED_UP})


def _as_of_then(study: Study, now: pd.DataFrame, then: pd.DataFrame) -> pd.DataFrame:
    """Leaves out those who have come since; what those had said who have withdrawn since is not compared."""
    gone = Participation.objects.filter(study=study, consent__withdrawn_at__isnull=False).values("pseudonym")
    is_gone = then["participant_id"].isin(gone.values_list("pseudonym", flat=True))
    there = now[now["participant_id"].isin(then.loc[~is_gone, "participant_id"])]
    return rows_in_order("participants", pd.concat([there, then[is_gone]], ignore_index=True))
