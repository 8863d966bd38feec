"""What is frozen, when a study is closed, without a word about sources: as it is now, and as it was then."""

from collections.abc import Mapping
from typing import Final

import pandas as pd

from analysis.data.core.judgment_frame import EXTRA_COLUMNS, columns, frame_sha256
from analysis.data.core.study_tables import GUESSES, rows_in_order, table, table_from_bytes, table_sha256
from analysis.frozen.models import Freeze, FrozenTable
from analysis.frozen.selectors.judgments import masked_judgments
from annotation.judging.models.judging import BlindedSlot, Guess
from annotation.judging.selectors.requested_ratings import surplus
from annotation.platform.core.errors import Refused
from annotation.platform.core.text import sha256_hex
from annotation.study.models.prompts import Prompt
from annotation.study.models.responses import Response
from annotation.study.models.studies import Study
from annotation.study.selectors.rubrics import rubric_by_hash

JUDGMENTS: Final = "judgments"
COLUMNS: Final = {
    "guesses": GUESSES,
    "texts": ("response_id", "text_sha256"),
    "domains": ("prompt_id", "domain"),
}


def collected_tables(study: Study) -> dict[str, pd.DataFrame]:
    """Judgments, guesses, hashes of the texts that judges were given, and domains, as the rows have them now."""
    return {
        JUDGMENTS: masked_judgments(study),
        "guesses": _guesses(study),
        "texts": _texts(study),
        "domains": _domains(study),
    }


def hashes_of(tables: Mapping[str, pd.DataFrame], *, kept: str | None = None) -> dict[str, str]:
    """The SHA-256 of each table by its name; `kept` is that of judgments which an earlier version may have made."""
    return {
        name: frame_sha256(found, kept=kept) if name == JUDGMENTS else table_sha256(found)
        for name, found in tables.items()
    }


def frozen_tables(study: Study) -> dict[str, pd.DataFrame]:
    """The tables as they were kept when the study was closed.

    A table that an earlier version did not keep is as its rows are now. Raises `Refused` where one of them has not
    the hash under which it was frozen.
    """
    freeze, tables = Freeze.objects.get(study=study), kept_tables(study)
    if tables.keys() != {JUDGMENTS, *COLUMNS}:
        tables = {**collected_tables(study), **tables}
    check_hashes(hashes_of(tables, kept=freeze.sha256), freeze)
    return tables


def kept_tables(study: Study) -> dict[str, pd.DataFrame]:
    """The tables that were kept when the study was closed, unchecked."""
    kept = FrozenTable.objects.filter(freeze__study=study).values_list("name", "content")
    names = {**COLUMNS, JUDGMENTS: _columns_of_judgments(study)}
    return {name: table_from_bytes(bytes(content), names[name]) for name, content in kept}


def check_hashes(found: Mapping[str, str], freeze: Freeze) -> None:
    """Raise `Refused` where a table has another hash than the one it was frozen under.

    A study that was closed when less was frozen has no hash of the rest.
    """
    kept = {JUDGMENTS: freeze.sha256, **freeze.tables}
    if altered := [name for name, sha256 in found.items() if kept.get(name, sha256) != sha256]:
        raise Refused(
            f"These are not the {' and '.join(altered)} that were frozen when collection was closed: their hash "
            "differs. Nothing was computed. Find out what was changed before anything is published."
        )


def _columns_of_judgments(study: Study) -> list[str]:
    return columns([dimension.key for dimension in rubric_by_hash(study.rubric_id).dimensions], EXTRA_COLUMNS)


def _guesses(study: Study) -> pd.DataFrame:
    """What judges guessed of the answers of the items that count, in the order of prompts, judges and answers."""
    guesses = Guess.objects.filter(slot__item__study=study).exclude(slot__item__in=surplus(study))
    rows = guesses.values_list(
        "slot__item__prompt__code",
        "slot__item__participation__pseudonym",
        "slot__response_id",
        "source",
        "confidence",
    )
    return rows_in_order("guesses", table(rows, GUESSES))


def _texts(study: Study) -> pd.DataFrame:
    """The SHA-256 of every text that a judge was given, by the answer's id."""
    given = BlindedSlot.objects.filter(item__study=study).exclude(item__state="cancelled").values("response")
    texts = Response.objects.filter(pk__in=given).values_list("pk", "text")
    rows = sorted((str(response), sha256_hex(text)) for response, text in texts)
    return table(rows, COLUMNS["texts"])


def _domains(study: Study) -> pd.DataFrame:
    domains = Prompt.objects.filter(study=study).values_list("code", "domain")
    return table(sorted(domains), COLUMNS["domains"])
