"""From sources to a sample: `manage.py build_prompts STUDY --source SLUG --by EMAIL --at-most DOLLARS`."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.platform.core.errors import Refused
from annotation.platform.core.phrases import counted
from annotation.study.models.studies import Study
from generation.apps import PROVIDERS
from generation.management.arguments import coordinator_named, study_named, whole_number
from generation.management.model_runs import add_approval_arguments, approval, says_what_is_kept
from generation.management.pipeline import Pipeline
from generation.prompts.models import PromptSample
from generation.prompts.selectors.pool import Amounts, pool_of
from generation.sources.models import Source

MAX_SCENARIOS = 100_000
MAX_PER_SOURCE = 500
MAX_SEED = 2**31 - 1


class Command(BaseCommand):
    help = (
        "Have a study's models write prompts from sources, judge and compare them; draw a map of each source and a "
        "sample. Given again, it goes on where it was broken off; nothing is paid for twice."
    )
    requires_system_checks = [PROVIDERS]

    def add_arguments(self, parser: CommandParser) -> None:
        add_approval_arguments(parser)
        parser.add_argument(
            "--source", action="append", required=True, metavar="SLUG", help="a source; may be given again"
        )
        parser.add_argument(
            "--scenarios",
            type=whole_number(1, MAX_SCENARIOS),
            metavar="NUMBER",
            help="for a trial: of each source only so many, spread over its strata",
        )
        parser.add_argument(
            "--seed",
            type=whole_number(0, MAX_SEED),
            metavar="NUMBER",
            help="of the sample; the study's if not given",
        )
        parser.add_argument(
            "--per-source",
            type=whole_number(1, MAX_PER_SOURCE),
            metavar="NUMBER",
            help="prompts from each source in the sample; the study's if not given",
        )
        parser.add_argument("--out", type=Path, metavar="DIR", help="folder for the sample and all prompts as CSV")

    @says_what_is_kept()
    def handle(
        self,
        *,
        study: str,
        source: list[str],
        by: str,
        at_most: Decimal,
        scenarios: int | None,
        seed: int | None,
        per_source: int | None,
        out: Path | None,
        **_options: Any,
    ) -> None:
        found = study_named(study)
        coordinator = coordinator_named(by, found)
        pipeline = Pipeline(
            study=found,
            sources=_sources(source),
            by=coordinator,
            left=at_most,
            say=self.stdout.write,
            scenarios=scenarios,
        )
        self.stdout.write(approval(coordinator, at_most))
        try:
            sample = _build(
                pipeline,
                seed=found.sampling_seed if seed is None else seed,
                per_source=found.prompts_per_source if per_source is None else per_source,
            )
        except Refused as refusal:
            raise CommandError(str(refusal)) from refusal
        for line in _report(found, sample):
            self.stdout.write(line)
        if out:
            call_command("export_prompts", found.slug, sample=sample.pk, out=out, stdout=self.stdout)


def _sources(slugs: Sequence[str]) -> list[Source]:
    found = {source.slug: source for source in Source.objects.filter(slug__in=slugs)}
    if missing := [slug for slug in slugs if slug not in found]:
        raise CommandError(f"There is no source “{missing[0]}”. Import it first: manage.py import_source.")
    return [found[slug] for slug in dict.fromkeys(slugs)]


def _build(pipeline: Pipeline, *, seed: int, per_source: int) -> PromptSample:
    pipeline.draw_on_sources()
    pipeline.write()
    pipeline.judge()
    pipeline.compare()
    pipeline.draw_maps()
    return pipeline.draw_sample(seed=seed, per_source=per_source)


def _report(study: Study, sample: PromptSample) -> Iterator[str]:
    sampled = {row["source"]: row["chosen"] for row in sample.report}
    for source in pool_of(study).sources:
        yield f"\n{source.name} ({source.code})"
        yield from _funnel(source.amounts, sampled.get(source.slug, 0))
    for row in sample.report:
        yield from row["shortfalls"]
    yield f"\nSample {sample.pk} with seed {sample.seed}: {counted(sample.prompts.count(), 'prompt')}."


def _funnel(amounts: Amounts, sampled: int) -> Iterator[str]:
    for number, what in (
        (amounts.items, "items"),
        (amounts.scenarios, "scenarios"),
        (amounts.asked, "prompts asked for"),
        (amounts.written, f"written  (declined {amounts.declined:,}, unusable {amounts.given_up:,})"),
        (amounts.passed, "passed"),
        (sampled, "in the sample"),
    ):
        yield f"{number:>8,}  {what}"
