"""Prompts that are finished when they come, as those of a published pool: candidates of studies that draw on it."""

from collections import defaultdict
from typing import Any, Final

from django.db.models import ProtectedError, Q, QuerySet

from annotation.platform.core.errors import Refused
from annotation.platform.core.phrases import listed
from annotation.platform.core.text import sha256_hex
from annotation.platform.models.users import User
from annotation.platform.services.clock import database_now
from annotation.study.models.studies import Study
from generation.calls.core.lifecycles import RUN
from generation.calls.models import Call, GenerationRun
from generation.catalogue.models import Target
from generation.prompts.models import Bundle, Candidate, PairVote, PromptMap, QualityVote, SampledPrompt
from generation.prompts.selectors.origins import PUBLISHED
from generation.sources.models import Source

UNNAMED: Final = "unnamed"  # who wrote a prompt of which the file does not say


class FinishedPrompts:
    """Prompts whose writers become models of the study that write no more. Who published them let them through a
    filter of their own, so that they pass until somebody here judges them.
    """

    def take_up(self, *, study: Study, source: Source, by: User) -> None:
        now, writers = database_now(), dict[tuple[str, str], Target]()
        prompts: dict[tuple[int, int], list[dict[str, Any]]] = defaultdict(list)
        for scenario, payload in source.scenarios.order_by("pk").values_list("pk", "payload"):
            for prompt in payload["prompts"]:
                name = prompt["generator"] or UNNAMED, prompt["model_id"]
                if name not in writers:
                    writers[name] = Target.objects.create(
                        study=study,
                        role=Target.Role.PROMPTS,
                        family=name[0],
                        provider=PUBLISHED,
                        model_id=name[1],
                        retired_at=now,
                        retired_by=by,
                    )
                prompts[scenario, writers[name].pk].append(prompt)
        bundles = Bundle.objects.bulk_create(
            Bundle(study=study, scenario_id=scenario, target_id=writer, scratchpad="")
            for scenario, writer in prompts
        )
        Candidate.objects.bulk_create(
            (
                Candidate(
                    bundle=bundle,
                    position=position,
                    label=prompt["label"],
                    dimensions=prompt["dimensions"],
                    text=prompt["text"],
                    sha256=sha256_hex(prompt["text"]),
                )
                for bundle, written in zip(bundles, prompts.values(), strict=True)
                for position, prompt in enumerate(written, start=1)
            ),
            batch_size=1_000,
        )

    def give_back(self, *, study: Study, source: Source) -> None:
        bundles = Bundle.objects.filter(study=study, scenario__source=source)
        prompts = Candidate.objects.filter(bundle__in=bundles)
        if (
            QualityVote.objects.filter(candidate__in=prompts).exists()
            or PairVote.objects.filter(Q(first__in=prompts) | Q(second__in=prompts)).exists()
            or SampledPrompt.objects.filter(candidate__in=prompts).exists()
        ):
            raise Refused(
                f"Prompts of “{source.name}” have been judged or are in a sample, so that the source stays. Where "
                "nothing was taken from the sample, discard it first."
            )
        self._check_calls(study, source, prompts)
        writers = set(bundles.values_list("target", flat=True))
        PromptMap.objects.filter(study=study, source=source).delete()
        try:
            prompts.delete()
        except ProtectedError as error:  # whatever is built upon prompts, of which nothing is known here
            uses = sorted({str(type(use)._meta.verbose_name_plural) for use in error.protected_objects})
            raise Refused(
                f"Prompts of “{source.name}” are in use as {listed(uses)}, so that the source stays."
            ) from error
        bundles.delete()
        Target.objects.filter(pk__in=writers, provider=PUBLISHED).exclude(
            pk__in=Bundle.objects.values("target")
        ).delete()

    def _check_calls(self, study: Study, source: Source, prompts: QuerySet[Candidate]) -> None:
        calls = Call.objects.filter(Q(candidate__in=prompts) | Q(beside__in=prompts))
        run = GenerationRun.objects.filter(study=study, pk__in=calls.values("run")).order_by("number").first()
        if run is None:
            return
        if RUN.allows("withdraw", run.state):
            raise Refused(
                f"Run {run.known_as} is to ask models about prompts of “{source.name}”. Withdraw its plan first."
            )
        raise Refused(f"Run {run.known_as} asks models about prompts of “{source.name}”, so that the source stays.")


FINISHED_PROMPTS: Final = FinishedPrompts()
