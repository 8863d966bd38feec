"""The texts of a release, scanned once more when it is prepared: what they still say of their writers."""

from typing import Any, Final

import pandas as pd

from analysis.data.core.judgment_frame import HUMAN
from annotation.study.models.participation import Participation, Role
from annotation.study.models.studies import Study
from annotation.texts.core.leaks.signs import Kind
from annotation.texts.providers.reader import READER, Unreadable

# What identifies a person. That a text is by a machine, or about its task, is no secret any more.
IDENTIFYING: Final[frozenset[Kind]] = frozenset(
    {"author_name", "own_name", "contact", "own_work", "own_post", "own_life", "own_words"}
)


def scan_of_texts(study: Study, answers: pd.DataFrame) -> dict[str, Any]:
    """What today's scan finds in these answers, as ANSWERS has them, that are by people; as JSON values.

    `texts` were scanned, `unread` of them could not be; `found` has of each finding `response`, `prompt`, `quote`
    and `meaning`. Names are those of all the study's writers.
    """
    by_people = answers[(answers["arm"] == HUMAN) & (answers["text"] != "")]
    writers = Participation.objects.filter(study=study, role=Role.WRITER)
    names = sorted(set(writers.values_list("user__name", flat=True)))
    unread, found = 0, []
    for response, prompt, text in by_people[["response_id", "prompt_id", "text"]].itertuples(index=False):
        try:
            reading = READER.read(text, names=names)
        except Unreadable:
            unread += 1
            continue
        found += [
            {
                "response": response,
                "prompt": prompt,
                "quote": reading.text[finding.start : finding.end],
                "meaning": finding.meaning,
            }
            for finding in reading.findings
            if finding.kind in IDENTIFYING
        ]
    return {"texts": len(by_people), "unread": unread, "found": found}
