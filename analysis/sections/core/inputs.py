"""What a section is computed from: masked judgments alone, or the tables of a study whose sources are known."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Final

import pandas as pd

from analysis.data.core.parameters import Parameters
from analysis.data.core.study_tables import StudyTables
from analysis.sections.core.report import SILENT, Progress
from annotation.study.core.rubric import Scale

NOBODY: Final = "nobody judged"


@dataclass(frozen=True, kw_only=True)
class Masked:
    """Judgments, of which nothing here is about who wrote an answer.

    `ranked` has all of them, with ranks as the parameters' mode has them; `scopes` those of ordinary items: all
    (`WHOLE`, which is `standard` too), then each domain's. `parameters.draws` resamples are drawn: as many as were
    asked for, or fewer of very many judgments, and `parameters.scale` has the scale's ends, where they are known.
    `scale` is the rubric's, where it is known.
    """

    ranked: pd.DataFrame
    standard: pd.DataFrame
    scopes: Mapping[str, pd.DataFrame]
    scale: Scale | None
    parameters: Parameters
    progress: Progress = SILENT

    def by_scope(self, stage: str) -> Iterator[tuple[str, pd.DataFrame]]:
        """Every scope with its judgments; before each, the stage's progress is reported."""
        for number, (scope, rows) in enumerate(self.scopes.items()):
            self.progress.tell(stage, number, len(self.scopes))
            yield scope, rows


def nobody_judged(inputs: Masked) -> str:
    """Why a section about judgments does not apply; "" where there are any."""
    return NOBODY * inputs.ranked.empty


@dataclass(frozen=True, kw_only=True)
class Unblinded(Masked):
    """The inputs with `tables` of the study, whose judgments have their sources, as `ranked` and `scopes` have."""

    tables: StudyTables

    def limited_to(self, names: tuple[str, ...]) -> "Unblinded":
        """The inputs with these tables and the judgments alone; the others are empty, as if nothing of the kind
        were known.
        """
        tables = {name: getattr(self.tables, name) for name in ("judgments", "scale", *names)}
        return replace(self, tables=StudyTables(**tables))


TABLES = frozenset(each.name for each in fields(StudyTables))
