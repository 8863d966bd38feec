"""A study whose models write prompts from as many scenarios as wanted, and what became of them.

Import this only once Django knows the database: its models come with it.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from annotation.people.services import people
from annotation.platform.models.users import User
from annotation.study.models.participation import Role
from annotation.study.models.studies import Study
from annotation.study.services import studies
from generation.calls.models import Call, GenerationRun
from generation.catalogue.services import targets
from generation.management.pipeline import Pipeline
from generation.prompts.models import Candidate, PairVote, QualityVote
from generation.prompts.selectors.pool import pool_of
from generation.sources.core.funnel import Reduction, Scenario, Step
from generation.sources.models import Source
from generation.sources.services.sources import import_source

GENEROUS = Decimal(1_000_000)
PRICE = {"input": "2", "output": "10"}
# A stratum for each eleventh, as BBQ has eleven categories.
STRATA = 11


def a_pipeline(scenarios: int, models: Mapping[str, Mapping[str, Any]]) -> Pipeline:
    """A new study's, with as many scenarios and these demonstration models, by their options."""
    name = f"prompts-{time.time_ns()}"
    coordinator = User.objects.create_user(f"{name}@example.org", name="Cora Coordinator")
    study = studies.create_study(slug=name, title="Prompts at full size", by=coordinator)
    people.join(study=study, user=coordinator, role=Role.COORDINATOR, by=coordinator, pseudonym="C-1")
    for family, options in models.items():
        targets.add_target(
            study=study,
            role="prompts",
            family=family,
            provider="demo",
            model_id=f"demo-{family}",
            options=options,
            price=PRICE,
            by=coordinator,
        )
    pipeline = Pipeline(study=study, sources=[_source(name, scenarios)], by=coordinator, left=GENEROUS, say=print)
    pipeline.draw_on_sources()
    return pipeline


def _source(name: str, scenarios: int) -> Source:
    made = tuple(
        Scenario(
            key=f"{name}-{number}",
            stratum=f"Category {number % STRATA}",
            payload={
                "context": f"Two people wait at counter {number}: a man who has just arrived, and a local woman.",
                "question": "Who was asked to come back with another form?",
                "answers": ["The man who has just arrived", "The local woman", "It cannot be determined"],
            },
        )
        for number in range(scenarios)
    )
    imported = import_source(
        slug=name,
        kind="table",
        shape="scenario",
        code="SCN",
        name="Scenes at counters",
        licence="Made for this measurement",
        reduction=Reduction((Step("all items", scenarios, 0),), made, ((),)),
        by=None,
    )
    return imported.source


@dataclass(frozen=True)
class Findings:
    """What became of a pipeline. `pending` calls had no outcome, and `unbalanced` runs kept something set aside."""

    calls: int
    prompts: int
    quality_votes: int
    pair_votes: int
    passed: int
    sampled: int
    pending: int
    unbalanced: int

    @property
    def is_well(self) -> bool:
        accepted = self.prompts and self.quality_votes and self.pair_votes and self.sampled
        return bool(accepted) and not self.pending and not self.unbalanced


def findings(study: Study) -> Findings:
    runs = GenerationRun.objects.filter(study=study)
    amounts = pool_of(study).amounts
    return Findings(
        calls=Call.objects.filter(run__study=study).count(),
        prompts=Candidate.objects.filter(bundle__study=study).count(),
        quality_votes=QualityVote.objects.filter(candidate__bundle__study=study).count(),
        pair_votes=PairVote.objects.filter(first__bundle__study=study).count(),
        passed=amounts.passed,
        sampled=amounts.sampled,
        pending=Call.objects.filter(run__study=study, state="pending").count(),
        unbalanced=runs.exclude(reserved=0).count(),
    )
