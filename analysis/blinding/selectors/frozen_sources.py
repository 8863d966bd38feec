"""What is frozen when a study is closed, sources and all: of these a hash that tells nothing before unblinding."""

import pandas as pd

from analysis.blinding.selectors.collected_tables import collected_answers, collected_items, prompts
from analysis.data.core.study_tables import SOURCES, sources_hmac, table, table_hmac
from analysis.frozen.selectors.frozen_tables import frozen_tables
from annotation.judging.models.judging import BlindedSlot
from annotation.study.models.studies import Study
from annotation.texts.models.provenance import Stimulus
from annotation.texts.models.seeds import StudySeed


def all_frozen(study: Study) -> dict[str, str]:
    """The hash of each table beside the judgments, by its name.

    Those that tell of sources, or of what an item is for, are keyed with the study's seed.
    """
    seed = bytes(StudySeed.objects.get(study=study).seed)
    return {
        **frozen_tables(study),
        "sources": sources_hmac(seed, _given_sources(study)),
        "prompts": table_hmac(seed, "prompts", prompts(study)),
        "assignments": table_hmac(seed, "items", collected_items(study)),
        "answers": table_hmac(seed, "answers", collected_answers(study)),
    }


def _given_sources(study: Study) -> pd.DataFrame:
    """Where every answer is from that a judge was given."""
    given = BlindedSlot.objects.filter(item__study=study).exclude(item__state="cancelled").values("response")
    sources = Stimulus.objects.filter(pk__in=given).values_list("response_id", "arm", "source_code")
    return table(sources, SOURCES)
