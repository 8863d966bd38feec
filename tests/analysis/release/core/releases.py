"""A small study's tables and facts, to release: three prompts, two judges, two writers, two models."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import UUID

import pandas as pd

from analysis.data.core import audits, framed, study_pool, study_trials
from analysis.data.core.judgment_frame import EXTRA_COLUMNS, SCRUB_DIMENSIONS, columns
from analysis.data.core.study_tables import (
    ANSWERS,
    GUESSES,
    ITEMS,
    ORDER,
    PANEL_EXPECTED,
    PANEL_LEADING,
    PANEL_TRAILING,
    PARTICIPANTS,
    PROMPTS,
    TOMBSTONES,
    StudyTables,
    in_order,
    table,
)
from analysis.release.core.facts import ReleaseFacts
from annotation.judging.core.ranking import competition_ranks, mid_ranks
from annotation.platform.core import blinding
from annotation.platform.core.text import count_words, sha256_hex
from annotation.study.core import rubric
from generation.prompts.core.prompt_files import PublishedPrompt

SEED = bytes(range(32))
RUBRIC_TOML = (Path(rubric.__file__).parents[1] / "rubrics/social_concept_reasoning-1.toml").read_text("utf-8")
RUBRIC = rubric.parse(RUBRIC_TOML)
JUDGES = ("J-1", "J-2")
KINDS = {"AAA_01": "standard", "AAA_02": "standard", "BBB_01": "cal_quality_floor"}

# What files have to carry through unharmed.
AWKWARD = "=SUM(A1)\r\n\"quoted\", '+1'\tand – “more” | 日本\n"

CANDIDATE = PublishedPrompt(
    source="bbq",
    stratum="Age",
    scenario="age-001",
    generator="claude",
    model_id="claude-9",
    position=2,
    sha256=sha256_hex("=Why?"),
    text="=Why?",
    label="-age",
    dimensions="Law, not ethics",
    votes={"gpt": False, "claude": True},
    review="",
)


def response_id(prompt: str, number: int) -> str:
    return str(UUID(bytes=blinding.keyed_hash(SEED, "response", prompt, str(number))[:16]))


def a_study() -> StudyTables:
    """Of each prompt two human answers and two of models, one weak on a calibration prompt, and one at maximum."""
    judgments = pd.DataFrame([row for prompt in KINDS for judge in JUDGES for row in _judged(prompt, judge)])
    numbers = dict.fromkeys((*SCRUB_DIMENSIONS, "score", "mid_rank", "seconds", "order_seen"), "float64")
    texts = dict.fromkeys(set(judgments.columns) - {*numbers, "rank"}, "str")
    tables = StudyTables(
        judgments=judgments.astype(numbers | texts)[columns(SCRUB_DIMENSIONS, EXTRA_COLUMNS)],
        prompts=table(
            ((code, code[:3], kind, 1, sha256_hex(f"={code}?"), f"={code}?") for code, kind in KINDS.items()),
            PROMPTS,
        ),
        answers=table((row for prompt in KINDS for row in _answers(prompt)), ANSWERS),
        items=table((row for prompt in KINDS for judge in JUDGES for row in _items(prompt, judge)), ITEMS),
        guesses=table(
            [("AAA_01", "J-1", response_id("AAA_01", number), "human", 4) for number in (1, 2)]
            + [("AAA_01", "J-1", response_id("AAA_01", 3), "unknown", None)],
            GUESSES,
        ),
        panel=table(
            (row for prompt in KINDS for row in _panel(prompt)),
            [*PANEL_LEADING, *SCRUB_DIMENSIONS, *PANEL_TRAILING, framed.REASONS],
        ),
        panel_expected=table(
            (
                (mode, "alone", row[0], 2)
                for prompt in KINDS
                for row in _answers(prompt)
                for mode in ("holistic", "per_dimension")
            ),
            PANEL_EXPECTED,
        ),
        participants=table(
            [
                *((f"W-{n}", "writer", "doctorate", True, "Law", 3 + n, "Germany", 2.5) for n in range(1, 7)),
                ("J-1", "judge", "doctorate", True, "History", 12, "France", 1.5),
                ("J-2", "judge", "master", None, "", 4, "Kenya", None),
            ],
            PARTICIPANTS,
        ),
        tombstones=table((), TOMBSTONES),
        ideology=("progressive", "conservative", 5),
        scale=RUBRIC.scale,
    )
    extra_tables: dict[str, Any] = {
        name: table(rows, columns)
        for name, (rows, columns) in (under_pressure() | on_trial() | of_a_pool() | audited()).items()
    }
    return in_order(replace(tables, **extra_tables))


def _answers(prompt: str) -> list[tuple[object, ...]]:
    """1 and 2 people's, 3 and 4 models', 5 of a model at maximum capability."""
    weak = "weak" if KINDS[prompt] == "cal_quality_floor" else "model"
    sources = [
        ("human", "W-1", "", ""),
        ("human", "W-2", "", ""),
        ("model", "claude", "claude-9", "Anthropic"),
        (weak, "gpt", "gpt-9", "OpenAI"),
        ("maximum", "gpt", "gpt-9", "OpenAI"),
    ]
    rows: list[tuple[object, ...]] = []
    for number, (arm, source, model, family) in enumerate(sources, start=1):
        text = f"{AWKWARD}Answer {number} to {prompt}."
        identity = response_id(prompt, number), prompt, arm, source, model, family
        rows.append((*identity, count_words(text), sha256_hex(text), text))
    return rows


def _labels(prompt: str, judge: str) -> dict[str, int]:
    """Label → number of the answer."""
    numbers = {response_id(prompt, number): number for number in (1, 2, 3, 4)}
    shown = blinding.labels(SEED, judge=judge, prompt=prompt, responses=list(numbers))
    return {f"Response {label}": numbers[response] for label, response in shown.items()}


def _judged(prompt: str, judge: str) -> list[dict[str, object]]:
    """Answers 3 and 4 get a point more than 1 and 2 on every dimension."""
    shown = _labels(prompt, judge)
    level = {1: 5, 2: 5, 3: 6, 4: 6}
    composites = [5 * level[number] for number in shown.values()]
    places = zip(shown.items(), competition_ranks(composites), mid_ranks(composites), strict=True)
    return [
        {
            "prompt_id": prompt,
            "true_id": response_id(prompt, number),
            "blinded_label": label,
            "item_type": KINDS[prompt],
            "true_source": "human" if number < 3 else "model",
            "model": {3: "claude", 4: "gpt"}.get(number, ""),
            "rank": float(rank),
            "score": 5 * level[number],
            "judge_id": judge,
            **dict.fromkeys(SCRUB_DIMENSIONS, level[number]),
            "mid_rank": mid_rank,
            "justification": AWKWARD,
            "seconds": 61.3,
            "order_seen": 1 + list(KINDS).index(prompt),
            "rubric_sha256": RUBRIC.sha256,
        }
        for (label, number), rank, mid_rank in places
    ]


def _items(prompt: str, judge: str) -> list[tuple[object, ...]]:
    order, human_set = 1 + list(KINDS).index(prompt), None if KINDS[prompt] != "standard" else 1
    return [
        (prompt, judge, label, response_id(prompt, number), KINDS[prompt], order, human_set, "", 0)
        for label, number in _labels(prompt, judge).items()
    ]


def _panel(prompt: str) -> list[tuple[object, ...]]:
    """Two perspectives of one judge model: every answer in two ways by itself, those that were judged in two ways
    as each judge saw them.
    """
    blank, points = [None] * len(SCRUB_DIMENSIONS), [8] * len(SCRUB_DIMENSIONS)
    replies: list[tuple[Any, ...]] = [
        *((row, blank, 7, "holistic", "alone", ("", "")) for row in _answers(prompt)),
        *((row, points, None, "per_dimension", "alone", ("", "")) for row in _answers(prompt)),
        *(
            (row, points, None, mode, "as_judged", (judge, mentioned))
            for row in _answers(prompt)[:4]
            for mode, mentioned in (("per_dimension", ""), ("inferred", SCRUB_DIMENSIONS[0]))
            for judge in JUDGES
        ),
    ]
    return [
        (row[0], row[3], "gemini-9", perspective, *given, abstained, *way, "Google", *rest, said)
        for row, given, *way, rest in replies
        for perspective, abstained, said in (("ethicist", 0, '{"holistic": "Fair."}'), ("historian", 1, ""))
    ]


def under_pressure() -> dict[str, tuple[list[tuple[object, ...]], tuple[str, ...]]]:
    """Rows and columns: one prompt in two framings, answered by one model and scored by one judge model."""
    rule = 42, "mechanical,model", "c0" * 32
    said = {"agree": f"{AWKWARD}I know it: {{}}", "disagree": f"{AWKWARD}I doubt it: {{}}"}
    texts = {key: text.format("=AAA_01?") for key, text in said.items()}
    answers = [("baseline", None), ("agree", 1), ("disagree", 1)]
    ids = {condition: f"1/AAA_01/{condition}/claude/alone/1" for condition, _ in answers}
    of_answer = f"{AWKWARD}Because."
    told = count_words(of_answer), sha256_hex(of_answer), of_answer
    points = (7,) * len(SCRUB_DIMENSIONS)
    return {
        "framing_conditions": (
            [
                ("1", 1, "agree", "For it", "Agree.", "It agrees.", "disagree", *rule),
                ("1", 2, "disagree", "Against it", "Disagree.", "It disagrees.", "", *rule),
            ],
            framed.CONDITIONS,
        ),
        "framings": (
            [
                ("1", "AAA_01", key, 1, 1, "model", "gpt-9", "", "passed", "", sha256_hex(text), text)
                for key, text in texts.items()
            ],
            framed.FRAMINGS,
        ),
        "framing_checks": (
            [("1", "AAA_01", 1, "model", key, "self_contained", 1, "It is.", 1) for key in texts],
            framed.CHECKS,
        ),
        "framed_answers": (
            [
                (
                    ids[key],
                    "1",
                    "AAA_01",
                    key,
                    version,
                    "claude",
                    "claude-9",
                    "Anthropic",
                    "alone",
                    1,
                    "answered",
                    *told,
                )
                for key, version in answers
            ],
            framed.FRAMED_ANSWERS,
        ),
        "framed_scores": (
            [
                (
                    ids[key],
                    "claude",
                    "AAA_01",
                    key,
                    "gemini-9",
                    "ethicist",
                    *points,
                    0,
                    "1",
                    "alone",
                    "framing",
                    1,
                    "Google",
                    '{"conceptual_clarity": "Clear."}',
                )
                for key in ids
            ],
            (*framed.SCORES_LEADING, *SCRUB_DIMENSIONS, *framed.SCORES_TRAILING, framed.REASONS),
        ),
    }


def audited() -> dict[str, tuple[list[tuple[object, ...]], tuple[str, ...]]]:
    """A benchmark of one question, whose label was corrected, with what a model answered to it in two wordings."""
    place, asked = ("ToMi", 1), ("gpt", "singly")
    return {
        "audit_questions": (
            [
                (
                    *("ToMi", "tomi", 1, "1", "1", "", "false belief", "memory"),
                    *("Nora left.", "Who left?", "[]", "Paul", None),
                )
            ],
            audits.AUDIT_QUESTIONS,
        ),
        "audit_flags": (
            [(*place, "A01", "structural", "flawed", "structural.wrong_label", "It was Nora, as it says.", "")],
            audits.AUDIT_FLAGS,
        ),
        "audit_rulings": (
            [(*place, "structural", "corrected", "disputed", "Nora", '{"gold": "Nora"}', "So it says.", 1.0)],
            audits.AUDIT_RULINGS,
        ),
        "audit_subsets": ([("ToMi", "original", 1, "e" * 64)], audits.AUDIT_SUBSETS),
        "audit_predictions": (
            [
                (*place, "gpt", "gpt-4", "singly", "published", 0, "answered", "Nora"),
                (*place, "gpt", "gpt-4", "singly", "rephrased", 1, "answered", "Nora"),
            ],
            audits.AUDIT_PREDICTIONS,
        ),
        "audit_rephrasings": (
            [(*place, 1, "gpt-4", "Nora went away.", "Who went away?", "[]")],
            audits.AUDIT_REPHRASINGS,
        ),
        "audit_marks": ([(*place, *asked, "published", 0, "person", "A01", "wrong")], audits.AUDIT_MARKS),
    }


def on_trial() -> dict[str, tuple[list[tuple[object, ...]], tuple[str, ...]]]:
    """Rows and columns: a scenario answered by one model under a framework and none, one answer scored."""
    rule = "system", "conceptual_clarity", 5.0, 4.5, 42, "c1" * 32
    said = f"{AWKWARD}Reasoning: so."
    ids = {key: f"AAA_01/{key}/1/1" for key in ("none", "order")}
    of_model, of = ("claude", "claude-9", "Anthropic"), ("conceptual_clarity",)
    return {
        "trial_conditions": (
            [
                ("none", 1, "baseline", "None", "", *rule),
                ("order", 2, "framework", "Order", f"{AWKWARD}Keep order.", *rule),
            ],
            study_trials.TRIAL_CONDITIONS,
        ),
        "trial_scenarios": (
            [("ferry", 1, "A ferry", "Here.", f"{AWKWARD}One.\nTwo.", "So?", "Few against many", 1)],
            study_trials.TRIAL_SCENARIOS,
        ),
        "trial_answers": (
            [
                (
                    *(ids["none"], "AAA_01", "ferry", "none", 1, *of_model, "answered", response_id("AAA_01", 3)),
                    *("Close it.", count_words(said), sha256_hex(said), said),
                ),
                (ids["order"], "AAA_01", "ferry", "order", 1, *of_model, "failed", "", "", None, "", ""),
            ],
            study_trials.TRIAL_ANSWERS,
        ),
        "trial_scores": (
            [
                (ids["none"], "D", "points", "gemini-9", "Google", 1, *of, 88, "", 1, 0.0125, "All is told."),
                (ids["none"], "D", "points", "gpt-9", "OpenAI", 1, *of, None, "failed", 1, 0.025, ""),
            ],
            (*study_trials.TRIAL_SCORES, study_trials.REASON),
        ),
        "trial_conclusions": ([(ids["none"], "coder 1", f"{AWKWARD}Close it.")], study_trials.TRIAL_CONCLUSIONS),
    }


def of_a_pool() -> dict[str, tuple[list[tuple[object, ...]], tuple[str, ...]]]:
    """Rows and columns: one source, a scenario of it, and a prompt by one of two generators."""
    return {
        "pool_funnel": (
            [("BBQ", 1, "=SUM(A1)\r\n\"all\", 'rows' – | $x$", 58, 0), ("BBQ", 2, "prompts written", 5, 0)],
            study_pool.POOL_FUNNEL,
        ),
        "pool_diversity": ([("BBQ", "age-1", "claude & gpt", 25, 1, 25, 3, 4)], study_pool.POOL_DIVERSITY),
        "pool_map": (
            [
                ("BBQ", "prompt", "age-1", "claude", 1, "Age", 0.25, -1.0),
                ("BBQ", "scenario", "age-1", "", None, "Age", 0.0, 0.5),
            ],
            study_pool.POOL_MAP,
        ),
    }


def without_writer(tables: StudyTables, writer: str = "W-1", number: int = 1) -> StudyTables:
    """As they are once this writer, whose are the answers of this number, has withdrawn."""
    gone = {response_id(prompt, number): prompt for prompt in KINDS}
    return replace(
        tables,
        judgments=tables.judgments[~tables.judgments["true_id"].isin(gone)],
        answers=tables.answers[tables.answers["source"] != writer],
        items=tables.items.assign(withdrawn=tables.items["true_id"].isin(gone).astype("float64")),
        guesses=tables.guesses[~tables.guesses["true_id"].isin(gone)],
        panel=tables.panel[~tables.panel["response_id"].isin(gone)],
        panel_expected=tables.panel_expected[~tables.panel_expected["response_id"].isin(gone)],
        participants=tables.participants[tables.participants["participant_id"] != writer],
        tombstones=table(
            [("writer", writer, "", "consent withdrawn")]
            + [("answer", answer, prompt, "consent withdrawn") for answer, prompt in gone.items()],
            TOMBSTONES,
        ),
    )


def shuffled(tables: StudyTables) -> StudyTables:
    """The same rows in another order."""
    return replace(tables, **{name: getattr(tables, name).sample(frac=1, random_state=7) for name in ORDER})


def some_facts(**others: object) -> ReleaseFacts:
    facts = ReleaseFacts(
        number=1,
        slug="pilot",
        title="A “pilot” | study: 日本",
        description="What it was for.",
        is_synthetic=False,
        licence="",
        dates={"unblind": "2026-03-02T10:00:00+00:00", "lock_design": "2026-01-05T09:00:00+00:00"},
        design={
            "format": "scrub-design/1",
            "parameters": {"writing_minutes": 30, "every_writer_answers_every_prompt": True},
        },
        design_sha256="de" * 32,
        rubric_toml=RUBRIC_TOML,
        rubric_sha256=RUBRIC.sha256,
        templates={"answers": "answer:0123abcd"},
        template_texts={"answer:0123abcd": "{prompt}\nWrite."},
        commitment=blinding.commitment(SEED),
        seed=SEED.hex(),
        frozen_sha256="fe" * 32,
        frozen_rows=24,
        frozen_tables={"guesses": "ab" * 32},
        sample={"AAA_01": CANDIDATE},
        passing=(CANDIDATE,),
    )
    return replace(facts, **others)  # type: ignore[arg-type]


def write(files: Mapping[str, bytes], folder: Path) -> Path:
    """A release's files in a folder."""
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return folder
