"""Runs that a command plans and approves for somebody, and works off itself, within one limit in dollars."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from django.db.models import F, QuerySet, Sum
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from annotation.platform.core.errors import Refused
from annotation.platform.models.users import User
from annotation.study.models.studies import Study
from generation.calls.models import GenerationRun
from generation.calls.services import planning, runs
from generation.management.model_runs import costs
from generation.management.model_runs import work_off as worked_off_here

OPEN = ("planning", "planned", "running", "stopped")
PLANNED_ELSEWHERE = 0.2  # seconds after which a plan that another process makes is looked at again


@dataclass(kw_only=True)
class ApprovedRuns:
    """Runs of one study that `by` approves; they cost `left` US dollars in all. `say` tells how far they are."""

    study: Study
    by: User
    left: Decimal
    say: Callable[[str], object]
    console: Console = field(default_factory=lambda: Console(stderr=True))

    def check_nobody_elses(self, running: QuerySet[GenerationRun]) -> None:
        """Raises `Refused` where the limit of a run at work is another person's: it stays as it is."""
        if run := running.exclude(approved_by=self.by).select_related("approved_by").first():
            raise Refused(
                f"Run {run.known_as} is at work on this, approved by {run.approved_by}. Wait until it has ended, "
                "or stop it, and give the command again."
            )

    def have_done(self, planned: GenerationRun, title: str, *, of: Mapping[str, Any] | None = None) -> None:
        """What was planned so before and is still open, and whatever else is wanted: runs about the same, or about
        all that `of` names; where the plan is not narrowed, all of its purpose.
        """
        alike = GenerationRun.objects.filter(study=self.study, purpose=planned.purpose, state__in=OPEN)
        narrowed = planned.materials.get("only")
        if of is not None:
            alike = alike.filter(materials__only__contains=of)
        elif narrowed:
            alike = alike.filter(materials__only=narrowed)
        alike = alike.order_by("pk")
        self.check_nobody_elses(alike.filter(state="running"))
        for run in alike:
            self.work_off(run, title)

    def withdraw(self, planned: GenerationRun) -> None:
        """A plan that is not wanted, unless it came to nothing by itself."""
        _list_calls(planned)
        if planned.state == "planned":
            runs.withdraw_plan(run=planned, by=self.by)

    def work_off(self, run: GenerationRun, title: str) -> None:
        _list_calls(run)
        if run.state == "withdrawn":
            return
        with self._progress(run, title) as recorded:
            cost = worked_off_here(run, at_most=self.left, by=self.by, recorded=recorded)
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
    """List the plan's calls until it is complete, whoever makes it."""
    planning.fill_plan(run.pk)
    run.refresh_from_db()
    while run.state == "planning":
        time.sleep(PLANNED_ELSEWHERE)
        planning.fill_plan(run.pk)
        run.refresh_from_db()
