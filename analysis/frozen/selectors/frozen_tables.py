"""What is frozen beside the judgments when a study is closed: guesses and texts, without a word about sources."""

import pandas as pd

from analysis.data.core.study_tables import GUESSES, table, table_sha256
from annotation.judging.models.judging import BlindedSlot, Guess
from annotation.judging.selectors.requested_ratings import surplus
from annotation.platform.core.text import sha256_hex
from annotation.study.models.responses import Response
from annotation.study.models.studies import Study


def frozen_tables(study: Study) -> dict[str, str]:
    """The SHA-256 of each table, by its name."""
    return {"guesses": table_sha256(masked_guesses(study)), "texts": table_sha256(given_texts(study))}


def masked_guesses(study: Study) -> pd.DataFrame:
    """What judges guessed of the answers of the items that count, in the order of prompts, judges and answers."""
    guesses = Guess.objects.filter(slot__item__study=study).exclude(slot__item__in=surplus(study))
    rows = guesses.values_list(
        "slot__item__prompt__code",
        "slot__item__participation__pseudonym",
        "slot__response_id",
        "source",
        "confidence",
    )
    return table(rows, GUESSES).sort_values(["prompt_id", "judge_id", "true_id"], ignore_index=True)


def given_texts(study: Study) -> pd.DataFrame:
    """The SHA-256 of every text that a judge was given, by the answer's id."""
    given = BlindedSlot.objects.filter(item__study=study).exclude(item__state="cancelled").values("response")
    texts = Response.objects.filter(pk__in=given).values_list("pk", "text")
    rows = sorted((str(response), sha256_hex(text)) for response, text in texts)
    return table(rows, ("response_id", "text_sha256"))
