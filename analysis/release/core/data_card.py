"""The data card: a release's README, with the header that hubs of data sets read."""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from analysis.release.core.anonymity import Generalised
from analysis.release.core.audit_layouts import AUDIT_TABLES, AUDITS
from analysis.release.core.codebook import CODEBOOK
from analysis.release.core.columns import Kind, Layout
from analysis.release.core.croissant import CROISSANT
from analysis.release.core.facts import ReleaseFacts
from analysis.release.core.framing_layouts import ADVERSARIAL
from analysis.release.core.label_check import LABEL_CHECK
from analysis.release.core.layout import PARTICIPANTS
from analysis.release.core.licences import LICENCES
from analysis.release.core.manifest import MANIFEST
from analysis.release.core.panel_layouts import EXPECTED, PANEL
from analysis.release.core.pool_figures import FIGURES
from analysis.release.core.pool_layouts import POOLED
from analysis.release.core.study_file import RUBRIC_FILE, STUDY_FILE, TEMPLATES
from analysis.release.core.trial_layouts import TRIALS
from analysis.sections.exhibits.exhibit import Exhibit
from annotation.platform.core.phrases import counted
from annotation.study.core.parameters import sections_of
from annotation.study.core.rubric import Rubric
from annotation.unblinders.core.commitment import BY_CONSENT

DATA_CARD: Final = "README.md"
_MAX_VALUE_LENGTH: Final = 60
_DTYPES: Final[Mapping[Kind, str]] = {"text": "string", "whole": "int64", "number": "float64", "truth": "bool"}
_TAGS: Final = ("human-evaluation", "expert-judgments", "blinded-study", "llm-as-a-judge", "croissant")
_SIZES: Final = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))

_FILES: Final = """\
CSV opens everywhere. A text in it that a spreadsheet would run as a formula has one apostrophe in front. Parquet
has every value exactly as it is, and types: blank numbers are null, blank texts empty. `codebook.csv` explains
every column of every table.
"""

READING: Final = f"""\
{_FILES}
```python
import pandas as pd

judgments = pd.read_parquet("SCRuBAnnotations/task2_human_judgments.parquet")
```

The configurations SCRuBSample, SCRuBAnnotations and SCRuBEval have the names and splits of the SCRuB data set, and
the CSV its files, so that scripts for it run here. `datasets.load_dataset` reads the Parquet, and gives all splits
of a configuration the same columns: those that a table does not have are null. A configuration with the name of a
file holds this one table, with its own columns alone. Tables without rows are in no configuration."""

SCORED: Final = """\
Judge models scored answers. `panel_scores` has their replies as the SCRuB data set publishes them, one for each
answer, judge model and perspective: a score for every dimension of an answer that was shown by itself. Replies that
were asked for in any other way (one overall score, without the rubric, all answers of an item at once as its judge
saw them, or scores read out of a judge’s own words) are in `panel_scores_other_ways`, where `mode`, `presentation`
and `judge_id` tell them apart. Compare the ways; do not average over them."""

BLINDING: Final = f"""\
Every judge saw the answers to a prompt under labels of their own. The labels follow from a secret seed. The SHA-256
of the seed was published when the design was locked; the seed itself was revealed when the study was unblinded. So
nobody could choose an order afterwards, and anybody can compute every label again:

```python
{LABEL_CHECK}```

Answers of people who have withdrawn are left out of all other tables; their random ids stay in the table of items,
since labels could not be computed without them."""

# Of audits of benchmarks, in which nobody judges.
AUDIT_READING: Final = f"""\
{_FILES}
```python
import pandas as pd

flags = pd.read_parquet("{AUDIT_TABLES["audit_flags"]}.parquet")
```

The configuration {AUDITS} has all of an audit. A configuration with the name of a file holds this one table, with
its own columns alone. Tables without rows are in no configuration."""

AUDIT_BLINDING: Final = """\
Nobody saw another’s flags before adjudication, and the adjudicator saw no names. Who looked at which questions and
in which order, and which agreements were adjudicated, follow from a secret seed. The SHA-256 of the seed was
published when the design was locked; the seed itself was revealed when the study was unblinded."""

PRESSURE: Final = f"""\
Models rewrote prompts into framings that take sides, and the study’s models answered prompts and framings; the
panel scored what they said. No person judged these answers, and no judge of the study saw one. In
`{ADVERSARIAL}`, `respondent_id`, `prompt_id` and `condition` say what a score is of; `baseline` is the prompt
itself. A
prompt’s framings pass their checks together or fail together: those that failed are published with the reason, and
nobody answered them."""

TRIED: Final = f"""\
Models answered scenarios with established facts under frameworks of values, and under none; evaluators, which were
told neither the framework nor the model, scored the same answers in several ways. In `{TRIALS}`, answers under a
condition of the kind `control` were made to fail: they must score lower, and belong into no comparison of
frameworks."""

FROM_SOURCES: Final = f"""\
Prompts were written by models from the scenarios of sources. `{POOLED}` has what each step left of a source, how
many pairs of prompts for a scenario models called equivalent, of which functional diversity is made, and where
scenarios and prompts lie on a map of their texts, whose axes have no unit.

`{FIGURES}` has pictures of these tables as SVG, PNG and PDF, and the figures in each as CSV. They follow from the
tables, and are in no configuration."""

AUDITED: Final = f"""\
Two annotators looked, each alone, at every question of a benchmark, or at those that a model missed and a sample of
the others; an adjudicator ruled on those on which they differ and on a sample of those on which they agree. Models
answered the questions. In `{AUDITS}`, flags are as they were before anybody ruled. A question whose `weight` is
above 1 stands for others that nobody looked at. Questions keep the words in which they were published, also where a
label was found to be wrong: take corrections from the table of rulings."""

LIMITS: Final = """\
- Texts and justifications are in people’s own words. Texts were scanned for hints at who wrote them, not for all
  that a person may have told of themselves: do not try to find out who anybody is.
- Ranks were given beside all answers of an item, also where one of them is not published any more.
- Items of the types `cal_quality_floor` and `cal_source_attribution` calibrate judges. They belong into no
  comparison of people and models.
- Another release of the same study may tell more of the same people in another way. Together, releases can tell
  more than each of them: the promise of k people in every combination holds for each release by itself.
- What judges think good is their judgment by this rubric, not a measurement of truth."""


AUDIT_LIMITS: Final = """\
- Notes and reasons are in people’s own words and were not scanned: do not try to find out who anybody is.
- Another release of the same study may tell more of the same people in another way. Together, releases can tell
  more than each of them: the promise of k people in every combination holds for each release by itself.
- What annotators and the adjudicator call a flaw is their judgment, not a measurement of truth."""


def data_card(
    facts: ReleaseFacts,
    rubric: Rubric,
    rows: Mapping[Layout, int],
    generalised: Sequence[Generalised],
    withdrawn: Mapping[str, int],
    *,
    k: int,
    figures: Sequence[Exhibit] = (),
) -> bytes:
    """The card. `rows` has how many each table holds, in the order in which to tell of them; `figures` are the
    exhibits that are published beside them.
    """
    is_scored = any(number for each, number in rows.items() if each.config == PANEL and each != EXPECTED)
    is_audit = facts.preset == "audit"
    reading, blinding, limits = (
        (AUDIT_READING, AUDIT_BLINDING, AUDIT_LIMITS) if is_audit else (READING, BLINDING, LIMITS)
    )
    sections = {
        "What is in it": _contents(rows),
        "How to read it": reading,
        "How the study was done": _design(facts, rubric),
        **({"What judge models said": SCORED} if is_scored else {}),
        **({"Answers under pressure": PRESSURE} if any(each.config == ADVERSARIAL for each in rows) else {}),
        **({"Constitutional trials": TRIED} if any(each.config == TRIALS for each in rows) else {}),
        **({"Where prompts come from": _from_sources(figures)} if figures else {}),
        **({"Benchmark audits": AUDITED} if any(each.config == AUDITS for each in rows) else {}),
        "Blinding": "\n\n".join(filter(None, (blinding, _unblinders(facts.unblinders), _hashes(facts)))),
        "People": _people(generalised, withdrawn, k),
        "Before you use it": limits,
        "Licence": _licence(facts.licence),
    }
    parts = [_header(facts, rows), f"# {facts.title}", *_about(facts)]
    for heading, body in sections.items():
        parts += [f"## {heading}", body]
    return ("\n\n".join(parts) + "\n").encode()


def _header(facts: ReleaseFacts, rows: Mapping[Layout, int]) -> str:
    """YAML; texts are written as JSON, which is YAML too."""
    size = next((name for most, name in _SIZES if max(rows.values()) < most), "n>1M")
    lines = [
        "---",
        f"pretty_name: {json.dumps(facts.title, ensure_ascii=False)}",
        f"license: {LICENCES[facts.licence].hub if facts.licence else 'unknown'}",
        "tags:",
        *(f"- {tag}" for tag in _TAGS),
        "size_categories:",
        f"- {size}",
        "configs:",
    ]
    configs = _configs([each for each, number in rows.items() if number])  # no reader makes a split of no rows
    for config, splits in configs.items():
        lines += [f"- config_name: {config}", "  data_files:"]
        for split, each in splits.items():
            lines += [f"  - split: {split}", f"    path: {each.stem}.parquet"]
    lines.append("dataset_info:")
    for config, splits in configs.items():
        lines += [f"- config_name: {config}", "  features:"]
        # Readers of a configuration want the same columns in all of its splits, and fill in those that are missing.
        kinds = {column.name: column.kind for each in splits.values() for column in each.columns}
        for name, kind in kinds.items():
            lines += [f"  - name: {name}", f"    dtype: {_DTYPES[kind]}"]
    return "\n".join([*lines, "---"])


def _configs(layouts: Collection[Layout]) -> dict[str, dict[str, Layout]]:
    """Tables by configuration and split: those of the published data set, and each table by itself.

    All in one format, for readers choose theirs by the first file and then read every file with it.
    """
    found: dict[str, dict[str, Layout]] = {}
    for each in layouts:
        found.setdefault(each.config, {})[each.split] = each
    return {**dict(sorted(found.items())), **{each.table: {"train": each} for each in layouts}}


def _licence(spdx: str) -> str:
    if not spdx:
        return "None was given: ask the researchers of the study before you use the data."
    return f"[{LICENCES[spdx].name}]({LICENCES[spdx].address}) ({spdx})"


def _about(facts: ReleaseFacts) -> Iterator[str]:
    if facts.is_synthetic:
        yield "**Texts and judgments in this data set were made up. They say nothing about people or models.**"
    if facts.description:
        yield facts.description
    yield f"This is release {facts.number} of the study `{facts.slug}`."


def _contents(rows: Mapping[Layout, int]) -> str:
    lines = (
        (f"{each.config} / {each.split}", f"`{each.stem}.csv`, `.parquet`", f"{number:,}", each.row)
        for each, number in rows.items()
    )
    others = (
        f"Beside them, `{STUDY_FILE}` has the whole design, dates, hashes and the seed, `{RUBRIC_FILE}` the rubric "
        f"as it was frozen, `{TEMPLATES}/` the wordings of requests to models where there were any, "
        f"`{CODEBOOK}` every column, `{CROISSANT}` a description for machines, and `{MANIFEST}` "
        f"the SHA-256 of every file, to be checked with `sha256sum --check {MANIFEST}`."
    )
    return f"{_table(('configuration / split', 'file', 'rows', 'a row is'), lines)}\n\n{others}"


def _from_sources(figures: Sequence[Exhibit]) -> str:
    lines = ((f"`{FIGURES}/{each.name}`", each.title, each.describes, each.method) for each in figures)
    return f"{FROM_SOURCES}\n\n{_table(('files, without ending', 'title', 'shows', 'how it was found'), lines)}"


def _design(facts: ReleaseFacts, rubric: Rubric) -> str:
    lines = (
        (section.title, label, told)
        for section in sections_of(facts.preset)
        for name, label in section.labels.items()
        if name in facts.parameters and (told := _value(facts.parameters[name])) and len(told) <= _MAX_VALUE_LENGTH
    )
    steps = ((at, what.replace("_", " ")) for what, at in sorted(facts.dates.items(), key=lambda item: item[1]))
    scale = rubric.scale
    dimensions = ", ".join(dimension.name.lower() for dimension in rubric.dimensions)
    scored = (
        f"Rubric: {rubric.title}, version {rubric.version}. Dimensions, each from {scale.minimum} to "
        f"{scale.maximum}: {dimensions}. The score is their {rubric.combine}."
    )
    return "\n\n".join(
        [
            *([] if facts.preset == "audit" else [scored]),
            *_style(facts),
            _table(("part", "parameter", "value"), lines),
            _table(("when", "step"), steps),
            *([_table(("models were asked for", "templates"), facts.templates.items())] if facts.templates else []),
            *_efforts(facts),
        ]
    )


def _efforts(facts: ReleaseFacts) -> list[str]:
    """What models were told of how much to think; nothing of a release that does not say."""
    lines = [(what, model, told) for what, models in facts.efforts.items() for model, told in models.items()]
    return [_table(("models were asked for", "model", "effort"), lines)] if lines else []


def _style(facts: ReleaseFacts) -> list[str]:
    """The rules by which texts were made alike; nothing where a release does not say."""
    versions = " and ".join(map(str, facts.normalisation))
    return [f"Answers were brought into one style by version {versions} of the rules."] if versions else []


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return "" if value is None else str(value).replace("_", " ")


def _unblinders(said: Mapping[str, Any]) -> str:
    """Who could unblind, by name, and how each came into office; nothing of a release that does not say."""
    if not said.get("in_office"):
        return ""
    lines = [
        f"- {', '.join(filter(None, (each['name'], each['affiliation'])))}: {each['by']}"
        + (f" ({each['consent']})" if each["by"] == BY_CONSENT else "")
        for each in said["in_office"]
    ]
    third = said.get("third_person")
    named = f"\n\nNamed for a recovery: {third['name']}, {third['affiliation']}." if third else ""
    return "Two of these together, and nobody else, could lift the blinding:\n\n" + "\n".join(lines) + named


def _hashes(facts: ReleaseFacts) -> str:
    return _table(
        ("SHA-256 or seed", "of what"),
        (
            (f"`{facts.commitment}`", "the seed: the commitment"),
            *(
                ((f"`{sha256}`", f"who alone could unblind, with the commitment: the statement in `{STUDY_FILE}`"),)
                if (sha256 := facts.unblinders.get("statement_sha256"))
                else ()
            ),
            (f"`{facts.seed}`", "the seed itself, in hexadecimal digits"),
            (f"`{facts.design_sha256}`", "the design"),
            *_judgments(facts),
            *(
                ((f"`{facts.audit_head}`", "the head of the audit trail at unblinding"),)
                if facts.audit_head
                else ()
            ),
        ),
    )


def _judgments(facts: ReleaseFacts) -> Iterator[tuple[str, str]]:
    """Nothing of an audit, in which nobody judges by a rubric."""
    if facts.preset != "audit":
        yield f"`{facts.rubric_sha256}`", f"the rubric, `{RUBRIC_FILE}`"
        yield (
            f"`{facts.frozen_sha256}`",
            f"the {facts.frozen_rows:,} judgments as collection was closed, without sources",
        )


def _people(generalised: Sequence[Generalised], withdrawn: Mapping[str, int], k: int) -> str:
    meanings = [
        column.name for column in PARTICIPANTS.columns if generalised and column.name in generalised[0].columns
    ]
    header = "role", "people", "in the rarest combination", "nothing told of", *meanings
    lines = (
        (
            each.role,
            str(each.people),
            "fewer than k: nothing is told" if each.is_withheld else str(each.smallest_group),
            str(each.withheld),
            *(each.columns[name] for name in meanings),
        )
        for each in generalised
    )
    told = [
        "People are known by pseudonyms. What they said of themselves is told only so far that every combination "
        f"of it holds at least {k} of those who had the same role.",
        *([_table(header, lines)] if generalised else []),
    ]
    if withdrawn:
        gone = ", ".join(counted(number, kind) for kind, number in withdrawn.items())
        told.append(
            f"Withdrawn, and in no table but that of what is gone and, by random id, that of items: {gone}."
        )
    return "\n\n".join(told)


def _table(header: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    cells = [header, ["---"] * len(header), *lines]
    return "\n".join(
        "| " + " | ".join(" ".join(cell.replace("|", "\\|").split()) for cell in line) + " |" for line in cells
    )
