"""Scores the answers of a CSV file by the panel: `manage.py score_responses FILE.csv --judge MODEL`."""

import os
from decimal import Decimal
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.platform.core.phrases import counted
from generation.apps import PROVIDERS
from generation.calls.models import GenerationRun
from generation.management.model_runs import says_what_is_kept
from generation.management.scoring import add_scoring_arguments, add_ways, have_scored, read_file, way_wanted
from generation.panel.core.panel import OVERALL, Mode
from generation.panel.core.score_files import GivenAnswer, heading, score_line
from generation.panel.services.panel import rubric_of
from generation.panel.services.score_files import scored


class Command(BaseCommand):
    help = (
        "Have every answer of a CSV file scored on each dimension, from every perspective, by each judge, and "
        "write the scores beside it. Given again, it goes on where it was broken off; nothing is paid for twice."
    )
    requires_system_checks = [PROVIDERS]

    def add_arguments(self, parser: CommandParser) -> None:
        add_scoring_arguments(parser)
        add_ways(parser)
        parser.add_argument("--out", type=Path, help="where the scores go; FILE.scores.csv if not given")

    @says_what_is_kept()
    def handle(
        self,
        *,
        file: Path,
        out: Path | None,
        judge: list[str],
        at_most: Decimal | None,
        retry_failed: bool,
        price: list[tuple[str, str, str]],
        mode: Mode,
        rubric: str | None,
        approach: str,
        tell: list[str] | None,
        without_perspectives: bool,
        reasons: bool,
        examples: Path | None,
        **_options: object,
    ) -> None:
        way = way_wanted(
            rubric=rubric,
            approach=approach,
            tell=tell,
            without_perspectives=without_perspectives,
            reasons=reasons,
            examples=examples,
        )
        answers = read_file(file)
        out = out or file.with_suffix(".scores.csv")
        _check_place(out)
        run = have_scored(
            answers,
            judges=judge,
            at_most=at_most,
            retry_failed=retry_failed,
            prices=price,
            out=self.stdout,
            way=way,
            mode=mode,
        )
        written, missing = _write(out, run, answers)
        self.stdout.write(self.style.SUCCESS(f"Wrote {counted(written, 'score')} to {out}."))
        if missing:
            raise CommandError(
                f"{counted(missing, 'score')} could not be had and left out. --retry-failed asks for them again."
            )


def _check_place(out: Path) -> None:
    """Check the place before anything is paid for. Raises `CommandError` where the scores cannot be written."""
    if out.is_dir() or not os.access(out.parent, os.W_OK):
        raise CommandError(f"{out} cannot be written. Nothing was sent.")


def _write(out: Path, run: GenerationRun, answers: list[GivenAnswer]) -> tuple[int, int]:
    """How many scores were written, and how many are missing. The file is there whole or not at all."""
    part = out.with_name(f".{out.name}.part")
    try:
        counts = _write_all(part, run, answers)
        part.replace(out)
    finally:
        part.unlink(missing_ok=True)
    return counts


def _write_all(path: Path, run: GenerationRun, answers: list[GivenAnswer]) -> tuple[int, int]:
    by_dimension = run.mode == "per_dimension"
    columns = [each.key for each in rubric_of(run).dimensions] if by_dimension else [OVERALL]
    with_reasons = run.materials["reasons"]
    written = missing = 0
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write(heading(columns, reasons=with_reasons))
        for line in scored(run, answers):
            if line.scores is None:
                missing += 1
                continue
            written += 1
            file.write(
                score_line(
                    line.answer,
                    judge_model=line.judge_model,
                    perspective=line.perspective,
                    scores=[line.scores[column] for column in columns],
                    abstained=line.abstained,
                    reasons=[line.reasons.get(column, "") for column in columns] if with_reasons else (),
                )
            )
    return written, missing
