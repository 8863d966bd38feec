"""The steps from sources to a sample of prompts, each of which goes on where it was left."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Max

from generation.calls.models import GenerationRun
from generation.calls.services import planning
from generation.management.approved_runs import OPEN, ApprovedRuns
from generation.prompts.models import Bundle, PromptMap, PromptSample
from generation.prompts.selectors.candidates import rule_of
from generation.prompts.services import prompt_maps, samples
from generation.sources.models import Source
from generation.sources.services.sources import use_source


@dataclass(kw_only=True)
class Pipeline(ApprovedRuns):
    """One study's way from `sources` to a sample.

    Runs about other sources or scenarios, by another rule or in another wording, are left alone.
    """

    sources: Sequence[Source]
    scenarios: int | None = None  # of each source that are written from, all if not given

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
            "order": study.pair_order,
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
        self.check_nobody_elses(open_runs.filter(materials__only=only, state="running"))
        plan = planning.plan_run(study=self.study, by=self.by, purpose=purpose, only=only)
        own = open_runs.filter(materials__only=only, materials__templates=plan.materials["templates"])
        others = list(open_runs.exclude(pk__in=own.values("pk")).values_list("number", flat=True))
        for run in own:
            self.work_off(run, title)
        for number in others:
            self.say(
                f"Run {number} was planned for other sources or scenarios, by another rule or in another wording, "
                "and is left alone. What it lists as well is not asked for twice: let it go on, or withdraw it."
            )
