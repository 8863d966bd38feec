"""The steps from sources to a sample of prompts, each of which goes on where it was left."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from django.db.models import F, Max, QuerySet, Sum
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from annotation.platform.core.errors import Refused
from annotation.platform.models.users import User
from annotation.study.models.studies import Study
from generation.calls.models import GenerationRun
from generation.calls.services import planning
from generation.management.model_runs import costs, work_off
from generation.prompts.models import Bundle, PromptMap, PromptSample
from generation.prompts.selectors.candidates import rule_of
from generation.prompts.services import prompt_maps, samples
from generation.sources.models import Source
from generation.sources.services.sources import use_source

OPEN = ("planning", "planned", "running", "stopped")
PLANNED_ELSEWHERE = 0.2  # seconds after which a plan that another process makes is looked at again


@dataclass
class Pipeline:
    """One study's way from `sources` to a sample; runs are approved by `by` and cost `left` US dollars in all.

    Runs about other sources or scenarios, by another rule or in another wording, are left alone.
    """

    study: Study
    sources: Sequence[Source]
    by: User
    left: Decimal
    say: Callable[[str], object]
    scenarios: int | None = None  # of each source that are written from, all if not given
    console: Console = field(default_factory=lambda: Console(stderr=True))

    def draw_on_sources(self) -> None:
        for source in self.sources:
            use_source(study=self.study, source=source, by=self.by)

    def write(self) -> None:
        self._have_done("prompts", "Writing", {"scenarios": self.scenarios} if self.scenarios else {})

    def judge(self) -> None:
        self._have_done("quality", "Judging", {"scheme": self.study.quality_voting})

    def compare(self) -> None:
        study = self.study
        rule = {
            "stage": "after" if study.diversity_after_filter else "before",
            "scheme": study.quality_voting,
            "mixed": study.mixed_pair_evaluators,
        }
        self._have_done("pairs", "Comparing", rule)

    def draw_maps(self) -> None:
        """A lexical map of each source, where none has been drawn since its last prompt was written."""
        for source in self.sources:
            bundles = Bundle.objects.filter(study=self.study, scenario__source=source)
            newest = bundles.aggregate(at=Max("made_at"))["at"]
            maps = PromptMap.objects.filter(study=self.study, source=source)
            if newest is None or maps.filter(drawn_at__isnull=False, asked_at__gt=newest).exists():
                continue
            asked = prompt_maps.ask_for_map(study=self.study, source=source, by=self.by)
            prompt_maps.draw_map(asked.pk)
            self.say(f"Drew a map of {source}.")

    def draw_sample(self, *, seed: int, per_source: int) -> PromptSample:
        rule = rule_of(self.study)
        return samples.make_sample(study=self.study, by=self.by, seed=seed, per_source=per_source, **rule)

    def _have_done(self, purpose: str, title: str, rule: Mapping[str, Any]) -> None:
        """What was planned so before and is still open, and whatever else is wanted."""
        only = {**rule, "sources": sorted(source.pk for source in self.sources)}
        open_runs = GenerationRun.objects.filter(study=self.study, purpose=purpose, state__in=OPEN).order_by("pk")
        self._check_nobody_elses(open_runs.filter(materials__only=only, state="running"))
        plan = planning.plan_run(study=self.study, by=self.by, purpose=purpose, only=only)
        own = open_runs.filter(materials__only=only, materials__templates=plan.materials["templates"])
        others = list(open_runs.exclude(pk__in=own.values("pk")).values_list("pk", flat=True))
        for run in own:
            self._work_off(run, title)
        for number in others:
            self.say(
                f"Run {number} was planned for other sources or scenarios, by another rule or in another wording, "
                "and is left alone. What it lists as well is not asked for twice: let it go on, or withdraw it."
            )

    def _check_nobody_elses(self, running: QuerySet[GenerationRun]) -> None:
        """Raises `Refused` where the limit of a run at work is another person's: it stays as it is."""
        if run := running.exclude(approved_by=self.by).select_related("approved_by").first():
            raise Refused(
                f"Run {run.pk} is at work on this, approved by {run.approved_by}. Wait until it has ended, or stop "
                "it, and give the command again."
            )

    def _work_off(self, run: GenerationRun, title: str) -> None:
        _list_calls(run)
        if run.state == "withdrawn":
            return
        with self._progress(run, title) as recorded:
            cost = work_off(run, at_most=self.left, by=self.by, recorded=recorded)
        self.left = max(self.left - cost, Decimal(0))
        done = run.shares.aggregate(accepted=Sum("accepted"), failed=Sum("failed"), not_asked=Sum("not_asked"))
        failed = f", {done['failed']:,} failed" if done["failed"] else ""
        failed += f", {done['not_asked']:,} not asked" if done["not_asked"] else ""
        self.say(f"{title}: {done['accepted']:,} replies{failed}; {costs(run)}.")

    @contextmanager
    def _progress(self, run: GenerationRun, title: str) -> Iterator[Callable[[], None]]:
        """A bar that shows what the database says whenever it is told to look."""
        shares = run.shares.order_by()
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        with Progress(*columns, console=self.console, transient=True) as bar:
            shown = bar.add_task(title, total=shares.aggregate(planned=Sum("planned"))["planned"])

            def look() -> None:
                settled = shares.aggregate(settled=Sum(F("accepted") + F("failed") + F("not_asked")))["settled"]
                bar.update(shown, completed=settled)

            look()
            yield look


def _list_calls(run: GenerationRun) -> None:
    """Until the plan is there, whoever makes it."""
    planning.fill_plan(run.pk)
    run.refresh_from_db()
    while run.state == "planning":
        time.sleep(PLANNED_ELSEWHERE)
        planning.fill_plan(run.pk)
        run.refresh_from_db()
