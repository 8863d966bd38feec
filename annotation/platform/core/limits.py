"""How much of anything that somebody sends is read. More is refused before it is parsed, with words that say so.

What stands here is read while somebody waits, in at most 200 ms of a processor, whatever it is made of.
"""

from typing import Final

ANSWER_CHARACTERS: Final = 30_000  # of an answer, by whomever: 5,000 words, far more than anybody writes by hand
REPLY_CHARACTERS: Final = 200_000  # of the part of a model's reply that is read as JSON or by its tags

TABLE_BYTES: Final = 500_000  # of a table of people or prompts
TABLE_ROWS: Final = 5_000
TABLE_COLUMNS: Final = 60
COLUMN_NAME_CHARACTERS: Final = 80

TOML_BYTES: Final = 200_000  # of a rubric, an instrument or a list of concepts
TOML_DEPTH: Final = 12  # brackets in brackets
TOML_NAMES: Final = 8  # in a dotted key
TOML_MARKS: Final = 8_000  # keys, brackets, commas and quotation marks
DIGITS: Final = 15  # of a number: what every program keeps exactly

DOCUMENT_BYTES: Final = 200_000  # of a text that concepts quote
LINE_BYTES: Final = 1_000_000  # of a line of a source
SOURCE_BYTES: Final = 500_000_000  # of a file of a source, once it is unpacked
SOURCE_SECONDS: Final = 10  # of a processor, for files of a source or benchmark through the site
QUOTATIONS: Final = 40  # of a concept
LIST_QUOTATIONS: Final = 1_000  # of a list of concepts
BENCHMARK_BYTES: Final = 2_000_000  # of a file of a benchmark that comes through the site, unpacked
SCORED_BYTES: Final = 50_000_000  # of a file of answers that the panel scores
RATING_FILE_BYTES: Final = 20_000_000  # of a file of ratings that comes through the site
RATING_FILE_SECONDS: Final = 30  # of a processor, for reading one of these
JUDGMENTS_BYTES: Final = 500_000_000  # of a file of judgments, or results of an analysis

READING_MEMORY: Final = 1_000_000_000  # bytes of the process that reads texts
READING_SECONDS: Final = 5  # of a processor, for one text in the background
READING_AT_ONCE_SECONDS: Final = 1  # of a processor, for one text that somebody or something waits for
