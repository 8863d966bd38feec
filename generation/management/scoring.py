"""What commands that have texts scored share: the plan, the limit, the work in this process, what is left."""

from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Final

from django.core.management.base import CommandError, CommandParser, OutputWrapper
from django.db.models import Sum

from annotation.platform.core.errors import Refused
from annotation.platform.core.file_sizes import check_size
from annotation.platform.core.limits import SCORED_BYTES, TOML_BYTES
from annotation.platform.core.line_files import text_of_file
from annotation.platform.core.phrases import counted
from annotation.study.core.rubric import parse
from annotation.study.core.rubric_parts import PARTS
from annotation.study.selectors.rubrics import standard_rubrics
from generation.calls.models import Call, GenerationRun
from generation.calls.services import runs
from generation.calls.services.runs import UNSETTLED
from generation.calls.services.waiting_calls import IN_VAIN
from generation.catalogue.core.prompt_templates import check_wording
from generation.catalogue.models import Target
from generation.management.model_runs import TAKEN_UP_AGAIN, costs, dollars, work_off
from generation.panel.core.panel import Mode
from generation.panel.core.rubric_texts import USUAL_PARTS, check_parts
from generation.panel.core.score_files import GIVEN_COLUMNS, GivenAnswer, read_answers
from generation.panel.core.ways_to_score import WayToScore
from generation.panel.services.panel import usual_way
from generation.panel.services.score_files import judge_named, plan_scores, runs_with
from generation.providers.core.prices import price_from

MODES: Final[tuple[Mode, ...]] = ("per_dimension", "holistic", "no_rubric")


def add_scoring_arguments(parser: CommandParser) -> None:
    parser.add_argument("file", type=Path, help=f"CSV with the columns {', '.join(GIVEN_COLUMNS)}")
    parser.add_argument(
        "--judge", action="append", required=True, metavar="MODEL", help="a model that judges; may be given again"
    )
    parser.add_argument(
        "--at-most", type=dollars, metavar="DOLLARS", help="what this may cost; without it nothing is sent"
    )
    parser.add_argument(
        "--price",
        action="append",
        nargs=3,
        default=[],
        metavar=("MODEL", "INPUT", "OUTPUT"),
        help="US dollars for a million tokens that a judge reads and writes, where the site does not know it",
    )
    parser.add_argument("--retry-failed", action="store_true", help="ask again for scores that could not be had")


def add_ways(parser: CommandParser) -> None:
    """Arguments that say how texts are scored; `way_wanted` reads them."""
    standard = ", ".join(standard_rubrics())
    parser.add_argument("--rubric", help=f"a rubric file, or one of {standard}")
    parser.add_argument("--approach", default="", help="one of the rubric's variants: another scale, more prompts")
    parser.add_argument("--mode", choices=MODES, default="per_dimension", help="what a judge gives")
    parser.add_argument(
        "--tell",
        action="append",
        choices=list(PARTS),
        help=f"a part of the rubric that judges are told; may be given again; {' and '.join(USUAL_PARTS)} if not",
    )
    parser.add_argument(
        "--without-perspectives", action="store_true", help="ask each judge once, from no perspective"
    )
    parser.add_argument("--examples", type=Path, help="a TOML file of worked examples that judges are shown")
    parser.add_argument("--reasons", action="store_true", help="have a sentence beside each score, and write it")


def way_wanted(
    *,
    rubric: str | None,
    approach: str,
    tell: Sequence[str] | None,
    without_perspectives: bool,
    reasons: bool,
    examples: Path | None,
) -> WayToScore:
    """Raises `CommandError` for an invalid rubric, and for invalid examples."""
    toml = _rubric(rubric) if rubric else usual_way().rubric
    parts = check_parts(tell) if tell else USUAL_PARTS
    return WayToScore(
        toml,
        approach=approach,
        parts=parts,
        perspectives=not without_perspectives,
        reasons=reasons,
        examples=_examples(examples) if examples else "",
    )


def _examples(file: Path) -> str:
    try:
        check_size(file, TOML_BYTES)
        toml = text_of_file(file)
        check_wording("panel_examples", toml)
    except (OSError, Refused) as error:
        raise CommandError(f"{file} holds no worked examples: {error}") from error
    return toml


def _rubric(named: str) -> str:
    if standard := standard_rubrics().get(named):
        return standard.toml
    try:
        check_size(Path(named), TOML_BYTES)
        toml = text_of_file(Path(named))
        parse(toml)
    except (OSError, Refused) as error:
        raise CommandError(f"{named} is no rubric: {error}") from error
    return toml


def read_file(file: Path) -> list[GivenAnswer]:
    """The answers of a file. Raises `CommandError` that names it and its first fault."""
    try:
        check_size(file, SCORED_BYTES)
        return read_answers(file.read_bytes())
    except (OSError, Refused) as error:
        raise CommandError(f"{file}: {error}") from error


def have_scored(
    answers: list[GivenAnswer],
    *,
    judges: list[str],
    at_most: Decimal | None,
    retry_failed: bool,
    out: OutputWrapper,
    prices: Sequence[tuple[str, str, str]] = (),
    way: WayToScore | None = None,
    mode: Mode = "per_dimension",
) -> GenerationRun:
    """Ask for every score that is not there yet, here and now; the run that knows what is wanted.

    Goes on where an earlier command was broken off. Raises `CommandError`, and sends nothing, where it would cost
    something and no limit is given.
    """
    try:
        run = plan_scores(answers=answers, judges=_named(judges, prices), way=way, mode=mode)
        failed = list(runs_with(run, states=IN_VAIN).filter(state="finished")) if retry_failed else []
        pending = list(runs_with(run, states=UNSETTLED))
        for each in pending:  # one that a killed command left running sends nothing more before it may
            runs.stop_run(run=each, reason=TAKEN_UP_AGAIN, by=None)
        open_runs = [*failed, *pending]
        _announce(open_runs, out)
        _check_limit(open_runs, at_most)
        left = at_most or Decimal(0)
        for each in open_runs:
            left = max(left - _work_off(each, at_most=left, out=out), Decimal(0))
    except Refused as refusal:
        raise CommandError(str(refusal)) from refusal
    return run


def _named(judges: Sequence[str], prices: Sequence[tuple[str, str, str]]) -> list[Target]:
    """Raises `Refused` for an invalid price, and for one of no judge."""
    said = {name: {"input": read, "output": written} for name, read, written in prices}
    if others := ", ".join(name for name in said if name not in judges):
        raise Refused(f"{others} has a price and is no judge here.")
    for name, price in said.items():
        try:
            price_from(price)
        except ValueError as fault:
            raise Refused(f"The price of {name} is none: {fault}.") from fault
    return [judge_named(name, price=said.get(name)) for name in judges]


def _announce(open_runs: list[GenerationRun], out: OutputWrapper) -> None:
    calls = sum(_to_ask(run) for run in open_runs)
    out.write(f"{counted(calls, 'score')} to ask for, at an estimated {_estimate(open_runs):.2f} US dollars.")


def _to_ask(run: GenerationRun) -> int:
    return Call.objects.filter(run=run, state__in=IN_VAIN if run.state == "finished" else UNSETTLED).count()


def _estimate(open_runs: list[GenerationRun]) -> Decimal:
    """An estimate of what is open: a run's share of it is taken as being as dear as the rest."""
    total = Decimal(0)
    for run in open_runs:
        whole = run.shares.aggregate(cost=Sum("cost", default=0), planned=Sum("planned", default=0))
        total += whole["cost"] * _to_ask(run) / max(whole["planned"], 1)
    return total


def _check_limit(open_runs: list[GenerationRun], at_most: Decimal | None) -> None:
    if at_most is None and _estimate(open_runs) > 0:
        raise CommandError("Nothing was sent. Say with --at-most how many US dollars this may cost.")


def _work_off(run: GenerationRun, *, at_most: Decimal, out: OutputWrapper) -> Decimal:
    cost = work_off(run, at_most=at_most)
    out.write(f"Run {run.pk} is finished; {costs(run)}.")
    return cost
