"""Answers to a benchmark's questions: which are wanted, how they are asked for, and how they are kept."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from django.db import transaction

from annotation.benchmarks.core.subsets import ORIGINAL, SUBSETS
from annotation.benchmarks.models.benchmarks import Benchmark
from annotation.benchmarks.models.rulings import Subset
from annotation.platform.core.errors import Refused
from annotation.platform.core.limits import ANSWER_CHARACTERS
from annotation.platform.core.text import clean, sha256_hex
from annotation.platform.models.users import User
from annotation.platform.services.clock import database_now
from annotation.study.models.studies import Study
from annotation.study.policies.roles import check_coordinator
from annotation.study.services import studies
from generation.benchmarks.core.asking import (
    EXPECTED_TOKENS,
    FREE_TEMPLATE,
    HISTORY,
    MODES,
    ONE_WORD_TEMPLATE,
    OPTIONS_TEMPLATE,
    SINGLY,
    question_turn,
)
from generation.benchmarks.models import Prediction, Wording
from generation.benchmarks.selectors.wordings import asked_stories, rephrasings_of, rules_of
from generation.benchmarks.services.rules import want_wordings
from generation.calls.core.call_keys import call_key
from generation.calls.core.planned_calls import PlannedCall
from generation.calls.models import Call, GenerationRun, Subject
from generation.calls.services import planning
from generation.calls.services.good_replies import GoodReply
from generation.calls.services.purposes import Purpose
from generation.catalogue.core.prompt_templates import PromptTemplate
from generation.catalogue.models import Target
from generation.catalogue.services import targets as target_services
from generation.catalogue.services import templates
from generation.prompts.services import pool
from generation.providers import provider
from generation.providers.base import Request


@transaction.atomic
def plan_predictions(
    *, benchmark: Benchmark, by: User, mode: str = SINGLY, subset: str = ORIGINAL, rephrased: bool = False
) -> GenerationRun:
    """A run in which every model of the study that answers is asked the questions of a subset.

    With history each story is a conversation, in the order of its questions. `rephrased` asks the rephrasings of
    the questions instead, each by itself. What was answered in the same words, after the same conversation, is not
    asked again, whatever the subset. Nothing is sent. Raises `Refused` while the design may change, and for a
    subset that is not frozen yet.
    """
    study = benchmark.study
    check_coordinator(by, study)
    studies.lock_for_update(study)
    if mode not in MODES or subset not in SUBSETS or (rephrased and mode != SINGLY):
        raise ValueError("Questions are asked in no such way.")
    if closed := closed_for_models(study):
        raise Refused(closed)
    check_subset(benchmark, subset)
    want_wordings(benchmark, subset)
    if rephrased and not rephrasings_of(benchmark, subset):
        raise Refused("No question was rephrased yet.")
    return planning.plan_run(
        study=study,
        by=by,
        purpose=GenerationRun.Purpose.PREDICTION,
        only={"benchmark": benchmark.pk, "mode": mode, "subset": subset, "rephrased": rephrased},
    )


def closed_for_models(study: Study) -> str:
    """Why models are asked nothing about the study's benchmarks at present; "" while they are."""
    if study.state == "design":
        return "Benchmarks may still change: models are asked once the design is locked."
    return "The study is released: what models said stays as it is." if study.state == "released" else ""


def check_subset(benchmark: Benchmark, subset: str) -> None:
    if subset != ORIGINAL and not Subset.objects.filter(benchmark=benchmark, kind=subset).exists():
        raise Refused(f"The {subset} questions of {benchmark.name} are not frozen yet.")


class Predictions(Purpose):
    """The purpose “prediction”: a question at a time, with its story, alone or after what was said of the story."""

    role = Target.Role.ANSWERS
    asks_again = True

    def closed(self, run: GenerationRun) -> str:
        return closed_for_models(pool.study_of(run))

    def materials(self, run: GenerationRun, targets: Sequence[Target]) -> dict[str, Any]:
        study, rules = pool.study_of(run), rules_of(benchmark_of(run))
        efforts = {
            str(target.pk): target.effort or target_services.effort_of(target, study.matched_effort)
            for target in targets
        }
        names = [OPTIONS_TEMPLATE, FREE_TEMPLATE, *([ONE_WORD_TEMPLATE] if rules.says_one_word else [])]
        most = rules.output_tokens or study.output_token_cap
        return {
            "templates": templates.materials(study, names),
            "efforts": efforts,
            "temperatures": temperatures(targets, efforts, rules.temperature),
            "output_tokens": {"expected": min(EXPECTED_TOKENS, most), "most": most},
        }

    def scope(self, run: GenerationRun) -> Sequence[tuple[str, str]]:
        only = pool.only(run)
        told = "rephrasings, " if only["rephrased"] else ""
        of_each = "each question " if only["mode"] == HISTORY else ""
        return [
            ("Benchmark", benchmark_of(run).name),
            ("Asked", f"{told}{of_each}{MODES[only['mode']]}"),
            ("Subset", only["subset"]),
        ]

    def wanted(self, run: GenerationRun) -> Iterator[PlannedCall]:
        asked, only = _Asked.of(run), pool.only(run)
        benchmark = benchmark_of(run)
        stands = _replaced(run)
        stories = (
            [[wording] for wording in rephrasings_of(benchmark, only["subset"])]
            if only["rephrased"]
            else asked_stories(benchmark, only["subset"])
        )
        targets = [share.target for share in run.shares.select_related("target__study").order_by("target")]
        identities = {target.pk: asked.identity(target) for target in targets}
        for story in stories:
            turns = [(wording, asked.prompt(wording)) for wording in story]
            for target in targets:
                for call in self._conversation(asked, target.pk, identities[target.pk], turns):
                    key, after = stands.get(call.key, call.key), stands.get(call.after_key, call.after_key)
                    yield replace(call, key=key, after_key=after)

    def _conversation(
        self, asked: "_Asked", target: int, identity: dict[str, object], turns: Sequence[tuple[Wording, str]]
    ) -> Iterator[PlannedCall]:
        """The calls about a story's questions; each after the one before, where the mode has it so."""
        after, characters = "", len(asked.system)
        for replies, (wording, prompt) in enumerate(turns):
            is_later = asked.mode == HISTORY
            key = call_key(
                target=identity,
                template=asked.template(wording).version,
                inputs={"mode": asked.mode, "system": sha256_hex(asked.system), "prompt": sha256_hex(prompt)},
                replicate=1,
                subject=wording.pk,
                after=after,
            )
            yield PlannedCall(
                key=key,
                target_id=target,
                characters=characters + len(prompt),
                subject_id=wording.pk,
                after_key=after,
                replies=replies if is_later else 0,
            )
            if is_later:
                after, characters = key, characters + len(prompt)

    def requests(self, run: GenerationRun, calls: Sequence[Call]) -> dict[int, Request]:
        asked = _Asked.of(run)
        wordings = Wording.objects.in_bulk({call.subject_id for call in calls})
        targets = Target.objects.in_bulk({call.target_id for call in calls})
        return {
            call.pk: asked.request(targets[call.target_id], wordings[cast(int, call.subject_id)]) for call in calls
        }

    def accept(self, good: Sequence[GoodReply], *, run: GenerationRun) -> Mapping[int, str]:
        study, mode = pool.study_of(run), pool.only(run)["mode"]
        studies.lock_shared(study)
        if self.closed(run):
            return {each.call.pk: "superseded" for each in good}
        words = {each.call.pk: clean(each.reply.text).strip() for each in good}
        unusable = {pk: "empty" for pk, said in words.items() if not 0 < len(said) <= ANSWER_CHARACTERS}
        taken = [each.call for each in good if each.call.pk not in unusable]
        before = dict(
            Prediction.objects.filter(call__in=[call.after_id for call in taken if call.after_id]).values_list(
                "call", "pk"
            )
        )
        now = database_now()
        subjects = Subject.objects.bulk_create(Subject(kind="prediction") for _ in taken)
        Prediction.objects.bulk_create(
            Prediction(
                subject=subject,
                wording_id=call.subject_id,
                mode=mode,
                target_id=call.target_id,
                after_id=before.get(call.after_id or 0),
                call=call,
                words=words[call.pk],
                predicted_at=now,
            )
            for subject, call in zip(subjects, taken, strict=True)
        )
        return unusable


PREDICTIONS = Predictions()


def benchmark_of(run: GenerationRun) -> Benchmark:
    return Benchmark.objects.select_related("study").get(pk=pool.only(run)["benchmark"], study=run.study)


def _replaced(run: GenerationRun) -> dict[str, str]:
    """The keys of calls that were asked once more, each with that of the call which stands instead: conversations
    continue from that call.
    """
    calls = Call.objects.filter(run__study=run.study, run__purpose=run.purpose, instead_of__isnull=False).order_by(
        "-pk"
    )
    found: dict[str, str] = {}
    for old, new in calls.values_list("instead_of__key", "key"):
        found[old] = found.get(new, new)
    return found


def temperatures(
    targets: Sequence[Target], efforts: Mapping[str, str], temperature: float
) -> dict[str, float | None]:
    """Temperatures by the target's id; None where the model takes no other than its own."""
    return {
        str(target.pk): temperature
        if provider(target.provider).takes_temperature(efforts[str(target.pk)], target.options)
        else None
        for target in targets
    }


@dataclass(frozen=True)
class _Asked:
    """How a run asks."""

    run: GenerationRun
    mode: str
    system: str
    templates: Mapping[str, PromptTemplate]

    @classmethod
    def of(cls, run: GenerationRun) -> "_Asked":
        texts = {name: PromptTemplate(name, text) for name, text in run.materials["templates"].items()}
        one_word = texts.get(ONE_WORD_TEMPLATE)
        return cls(run, pool.only(run)["mode"], one_word.fill() if one_word else "", texts)

    def template(self, wording: Wording) -> PromptTemplate:
        return self.templates[OPTIONS_TEMPLATE if wording.options else FREE_TEMPLATE]

    def prompt(self, wording: Wording) -> str:
        return question_turn(
            self.template(wording), story=wording.story, text=wording.text, options=wording.options
        )

    def request(self, target: Target, wording: Wording) -> Request:
        said = self.run.materials
        return Request(
            model=target.model_id,
            prompt=self.prompt(wording),
            system=self.system,
            effort=said["efforts"][str(target.pk)],
            max_output_tokens=said["output_tokens"]["most"],
            temperature=said["temperatures"][str(target.pk)],
            options=target.options,
        )

    def identity(self, target: Target) -> dict[str, object]:
        said = self.run.materials
        return target_services.identity(
            target,
            purpose=self.run.purpose,
            effort=said["efforts"][str(target.pk)],
            temperature=said["temperatures"][str(target.pk)],
            output_token_cap=said["output_tokens"]["most"],
        )
