"""The tables of audits of benchmarks: what was flagged, ruled and corrected, and what models answered."""

from typing import Final

from analysis.data.core.audits import ORDER
from analysis.release.core.columns import Column, Layout, number, text, whole

AUDITS: Final = "BenchmarkAudits"

_BENCHMARK: Final = text("benchmark", "the benchmark, as the study calls it")
_QUESTION: Final = whole("item", "the question’s number in its benchmark", "from 1, in the file’s order")
_OPTIONS: Final = text("options", "what there is to choose from, as a JSON list; empty where answers are free")
_MODEL: Final = text("respondent_id", "the study’s name of the model that answered; empty of a rephrasing")
_MODE: Final = text(
    "mode",
    "how it was asked; empty of a rephrasing",
    "singly, history; history, cleaned and history, corrected in conversations about another subset",
)
_WORDING: Final = text("wording", "in which words it was asked", "published, corrected, rephrased")
_NUMBER: Final = whole("number", "of a correction or rephrasing, from 1; 0 as published")

# Files without their endings, by the tables of a study.
AUDIT_TABLES: Final = {name: f"{AUDITS}/{name}" for name in ORDER}


def _layout(table: str, row: str, *columns: Column) -> Layout:
    return Layout(AUDITS, table.removeprefix("audit_"), AUDIT_TABLES[table], row, tuple(ORDER[table]), columns)


AUDIT_LAYOUTS: Final = (
    _layout(
        "audit_questions",
        "a question of an audited benchmark, as published",
        _BENCHMARK,
        text("layout", "the layout of its files", "socialiqa, tomi, fauxpas, table"),
        _QUESTION,
        text("story", "the story’s key"),
        text("cluster", "stories that are variants of each other"),
        text("source", "where the story is from; empty where the files do not say it"),
        text("story_kind", "the kind of story; empty where the files do not say it"),
        text("kind", "the kind of question; empty where the files do not say it"),
        text("story_text", "the story"),
        text("question_text", "the question"),
        _OPTIONS,
        text("gold", "the right answer, as the files give it"),
        whole("gold_option", "the number of the option that it means, from 1; blank where there is none"),
    ),
    _layout(
        "audit_flags",
        "what an annotator said of a question",
        _BENCHMARK,
        _QUESTION,
        text("participant_id", "the annotator’s pseudonym"),
        text("category", "the primary category of the flaw", "structural, semantic, pragmatic, none"),
        text("verdict", "what was said of it as a whole", "sound, model, flawed"),
        text("flaws", "every flaw by category and key, parted by semicolons"),
        text("notes", "what was noted of them"),
        text("evaluation", "how the benchmark evaluates, with what it concerns, parted by semicolons"),
    ),
    _layout(
        "audit_rulings",
        "what became of a question",
        _BENCHMARK,
        _QUESTION,
        text("category", "what it was found to be", "structural, semantic, pragmatic, none"),
        text("fate", "what became of it", "stays, corrected, excluded"),
        text("how", "by whom", "both agree, disputed, sampled, not reviewed"),
        text("correction", "the right answer in place of the published one; empty where that stands"),
        text("changes", "all that is corrected, as a JSON object; empty where nothing is"),
        text("reason", "why, in the adjudicator’s words"),
        number("weight", "1 over the probability that it came to be reviewed; 0 where it was not"),
    ),
    _layout(
        "audit_subsets",
        "a question of a frozen subset",
        _BENCHMARK,
        text("subset", "the subset", "original, cleaned, corrected"),
        _QUESTION,
        text("sha256", "SHA-256 over the names and hashes of the subset’s files"),
    ),
    _layout(
        "audit_predictions",
        "a question that a model was asked",
        _BENCHMARK,
        _QUESTION,
        _MODEL,
        text("model_id", "the model, as its provider calls it"),
        _MODE,
        _WORDING,
        _NUMBER,
        text("state", "what became of it", "answered, failed, not asked"),
        text("prediction", "what the model answered; empty where it did not"),
    ),
    _layout(
        "audit_rephrasings",
        "a question in other words",
        _BENCHMARK,
        _QUESTION,
        _NUMBER,
        text("model_id", "the model that rephrased it, as its provider calls it"),
        text("story_text", "the story"),
        text("question_text", "the question"),
        _OPTIONS,
    ),
    _layout(
        "audit_marks",
        "a mark of an answer or of a rephrasing",
        _BENCHMARK,
        _QUESTION,
        _MODEL,
        _MODE,
        _WORDING,
        _NUMBER,
        text("by", "who marked", "person, model"),
        text("marker", "a person’s pseudonym, or the study’s name of the judge model"),
        text("verdict", "what was said", "right, wrong, granularity; same, changed of a rephrasing"),
    ),
)
