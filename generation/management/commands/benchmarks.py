"""Audits of benchmarks: `manage.py benchmarks STUDY --by EMAIL --at-most DOLLARS`."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db.models import Count
from django.urls import reverse

from annotation.benchmarks.core.subsets import ORIGINAL, SUBSETS
from annotation.benchmarks.models.benchmarks import Benchmark, Story
from annotation.platform.core.errors import Refused
from generation.apps import PROVIDERS
from generation.benchmarks.core.asking import HISTORY, MODES, SINGLY
from generation.benchmarks.services.model_marks import plan_model_marks
from generation.benchmarks.services.predictions import plan_predictions
from generation.benchmarks.services.rephrasings import plan_rephrasings
from generation.management.approved_runs import ApprovedRuns
from generation.management.arguments import coordinator_named, study_named
from generation.management.model_runs import add_approval_arguments, approval, says_what_is_kept


@dataclass(kw_only=True)
class AuditChain(ApprovedRuns):
    """Models' part in one benchmark; each step goes on where it was left."""

    benchmark: Benchmark
    subset: str

    def answer(self, modes: Sequence[str]) -> None:
        for mode in modes:
            run = plan_predictions(benchmark=self.benchmark, by=self.by, mode=mode, subset=self.subset)
            self.have_done(run, f"{self.benchmark.name}, {mode}")

    def rephrase(self, *, one_each: bool) -> None:
        run = plan_rephrasings(benchmark=self.benchmark, by=self.by, subset=self.subset, one_each=one_each)
        self.have_done(run, f"{self.benchmark.name}, rephrasing")
        answers = plan_predictions(benchmark=self.benchmark, by=self.by, subset=self.subset, rephrased=True)
        self.have_done(answers, f"{self.benchmark.name}, rephrasings")

    def mark(self, modes: Sequence[str]) -> None:
        for mode in modes:
            run = plan_model_marks(benchmark=self.benchmark, by=self.by, subset=self.subset, mode=mode)
            self.have_done(run, f"{self.benchmark.name}, marks of answers {mode}")


class Command(BaseCommand):
    help = (
        "Have a study’s models answer the questions of its benchmarks, by themselves and in conversations about "
        "their stories; with rephrasings and marks where these are asked for. Given again, it goes on where it was "
        "broken off; nothing is paid for twice."
    )
    requires_system_checks = [PROVIDERS]

    def add_arguments(self, parser: CommandParser) -> None:
        add_approval_arguments(parser)
        parser.add_argument("--benchmark", metavar="NAME", help="one of the study's benchmarks (all of them)")
        parser.add_argument("--subset", choices=SUBSETS, default=ORIGINAL, help="whose questions (original)")
        parser.add_argument(
            "--modes",
            nargs="+",
            choices=list(MODES),
            help="singly, history (both where stories have several questions)",
        )
        parser.add_argument("--rephrase", action="store_true", help="put questions into other words, and ask these")
        parser.add_argument("--one-each", action="store_true", help="with one rephrasing of each call")
        parser.add_argument("--mark", action="store_true", help="have judge models mark the answers")

    @says_what_is_kept()
    def handle(
        self,
        *,
        study: str,
        by: str,
        at_most: Decimal,
        benchmark: str | None,
        subset: str,
        modes: Sequence[str] | None,
        rephrase: bool,
        one_each: bool,
        mark: bool,
        **_options: Any,
    ) -> None:
        found = study_named(study)
        coordinator = coordinator_named(by, found)
        audited = list(Benchmark.objects.filter(study=found).select_related("study").order_by("pk"))
        chosen = [each for each in audited if benchmark in (None, each.name)]
        if not chosen:
            names = ", ".join(each.name for each in audited) or "none"
            raise CommandError(f"The study has no such benchmark. It has: {names}.")
        self.stdout.write(approval(coordinator, at_most))
        left = at_most
        for each in chosen:
            chain = AuditChain(
                study=found, by=coordinator, left=left, say=self.stdout.write, benchmark=each, subset=subset
            )
            asked = modes or ([SINGLY, HISTORY] if _has_conversations(each) else [SINGLY])
            try:
                chain.answer(asked)
                if rephrase:
                    chain.rephrase(one_each=one_each)
                if mark:
                    chain.mark(asked)
            except Refused as refusal:
                raise CommandError(str(refusal)) from refusal
            left = chain.left
            self.stdout.write(f"Done, at {reverse('benchmark_models', args=[found.slug, each.pk])}.")


def _has_conversations(benchmark: Benchmark) -> bool:
    stories = Story.objects.filter(benchmark=benchmark).annotate(asked=Count("questions"))
    return stories.filter(asked__gt=1).exists()
