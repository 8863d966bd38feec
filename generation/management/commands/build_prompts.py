"""From sources to a sample of prompts: `manage.py build_prompts STUDY --source SLUG --at-most DOLLARS`."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.core.errors import Refused
from annotation.core.phrases import counted
from annotation.models.studies import Study
from generation.management.pipeline import Pipeline
from generation.management.working import dollars
from generation.models.candidates import PromptSample
from generation.models.sources import Source
from generation.selectors.pool import Amounts, pool_of


class Command(BaseCommand):
    help = (
        "Have a study's models write prompts from sources, judge and compare them; draw a map of each source and a "
        "sample. Given again, it goes on where it was broken off; nothing is paid for twice."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="the study's short name")
        parser.add_argument(
            "--source", action="append", required=True, metavar="SLUG", help="a source; may be given again"
        )
        parser.add_argument(
            "--at-most", type=dollars, required=True, metavar="DOLLARS", help="what this command may cost"
        )
        parser.add_argument("--seed", type=int, help="of the sample; the study's if not given")
        parser.add_argument(
            "--per-source", type=int, help="prompts from each source in the sample; the study's if not given"
        )
        parser.add_argument("--out", type=Path, metavar="DIR", help="folder for the sample and all prompts as CSV")

    def handle(
        self,
        *,
        study: str,
        source: list[str],
        at_most: Decimal,
        seed: int | None,
        per_source: int | None,
        out: Path | None,
        **_options: Any,
    ) -> None:
        found = _study(study)
        pipeline = Pipeline(found, _sources(source), found.created_by, at_most, self.stdout.write)
        try:
            sample = _build(
                pipeline,
                seed=found.sampling_seed if seed is None else seed,
                per_source=per_source or found.prompts_per_source,
            )
        except Refused as refusal:
            raise CommandError(str(refusal)) from refusal
        for line in _report(found, sample):
            self.stdout.write(line)
        if out:
            call_command("export_prompts", found.slug, out=out, stdout=self.stdout)


def _study(slug: str) -> Study:
    try:
        return Study.objects.select_related("created_by").get(slug=slug)
    except Study.DoesNotExist:
        raise CommandError(f"There is no study “{slug}”.") from None


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
    for source in pool_of(study).sources:
        yield f"\n{source.name} ({source.code})"
        yield from _funnel(source.amounts)
    for row in sample.report:
        yield from row["shortfalls"]
    yield f"\nSample {sample.pk} with seed {sample.seed}: {counted(sample.prompts.count(), 'prompt')}."


def _funnel(amounts: Amounts) -> Iterator[str]:
    for number, what in (
        (amounts.items, "items"),
        (amounts.scenarios, "scenarios"),
        (amounts.asked, "prompts asked for"),
        (amounts.written, f"written  (declined {amounts.declined:,}, unusable {amounts.given_up:,})"),
        (amounts.passed, "passed"),
        (amounts.sampled, "in the sample"),
    ):
        yield f"{number:>8,}  {what}"
