import csv
import io
from dataclasses import replace

from annotation.platform.core.csv_cells import csv_line, restored
from generation.prompts.core.prompt_files import COLUMNS, PublishedPrompt, evaluation_dataset, study_prompts

PROMPT = PublishedPrompt(
    source="bbq",
    stratum="Age",
    scenario="age-001",
    generator="claude",
    model_id="claude-9",
    position=2,
    sha256="ab" * 32,
    text='Who may decide for "the old"?\nAnd why?',
    label="=Whether age counts",
    dimensions="Law, not ethics",
    votes={"gpt": False, "claude": True, "gemini": True},
    review="",
)


def rows(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode(), newline="")))


def test_a_row_says_what_was_written_by_whom_from_what_and_what_models_made_of_it() -> None:
    [row] = rows(study_prompts([("BBQ_01", PROMPT)]))
    assert row == {
        "prompt_id": "BBQ_01",
        "source": "bbq",
        "scenario_key": "age-001",
        "stratum": "Age",
        "generator": "claude",
        "model_id": "claude-9",
        "position": "2",
        "prompt": PROMPT.text,
        "underlying_issue": "'=Whether age counts",
        "diversity_dimensions": "Law, not ethics",
        "pass_count": "2",
        "votes": '{"claude": true, "gemini": true, "gpt": false}',
        "review": "",
        "prompt_sha256": "ab" * 32,
    }


def test_texts_that_a_spreadsheet_would_run_are_inert_and_can_be_restored() -> None:
    dangerous = replace(PROMPT, text="=1+1", label="+a", dimensions="@b", stratum="-c")
    [row] = rows(evaluation_dataset([dangerous]))
    cells = [row[name] for name in ("prompt", "underlying_issue", "diversity_dimensions", "stratum")]
    assert cells == ["'=1+1", "'+a", "'@b", "'-c"]
    assert [restored(cell) for cell in cells] == ["=1+1", "+a", "@b", "-c"]


def test_a_samples_prompts_stay_in_their_order() -> None:
    other = replace(PROMPT, source="aaa")
    found = rows(study_prompts([("BBQ_01", PROMPT), ("AAA_01", other)]))
    assert [row["prompt_id"] for row in found] == ["BBQ_01", "AAA_01"]


def test_the_data_set_is_sorted_whatever_order_prompts_come_in() -> None:
    prompts = [
        replace(PROMPT, source=source, stratum=stratum, generator=generator, position=position)
        for source in ("bbq", "hle")
        for stratum in ("Age", "Work")
        for generator in ("claude", "gpt")
        for position in (2, 10)
    ]
    content = evaluation_dataset(prompts)
    assert content == evaluation_dataset(reversed(prompts))
    assert [(row["source"], row["stratum"], row["generator"], row["position"]) for row in rows(content)] == [
        (prompt.source, prompt.stratum, prompt.generator, str(prompt.position)) for prompt in prompts
    ]


def test_without_prompts_there_are_the_names_of_the_columns() -> None:
    assert evaluation_dataset([]) == csv_line(COLUMNS).encode()
