"""Answers by models to the prompts of a study: which are wanted, how they are asked for, and how they enter it."""

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

from django.db.models import Case, Q, Value, When

from annotation.platform.core.blinding import seeded_order
from annotation.platform.core.errors import Refused
from annotation.platform.core.limits import ANSWER_CHARACTERS
from annotation.platform.core.sealing import canonical_json
from annotation.platform.core.text import sha256_hex
from annotation.study.models.prompts import PromptVersion
from annotation.study.models.protocol import ModelAnswerRules
from annotation.study.models.studies import Study
from annotation.study.selectors.prompts import latest_versions
from annotation.study.services import studies
from annotation.texts.models.provenance import Arm, Kind, PromptPlan, Stimulus
from annotation.texts.models.seeds import StudySeed
from annotation.texts.policies import takes_text
from annotation.texts.services import intake
from generation.answers.models import ModelAnswer
from generation.calls.core.call_keys import call_key
from generation.calls.core.planned_calls import PlannedCall
from generation.calls.models import Attempt, Call, GenerationRun
from generation.calls.selectors.runs import MIN_CALLS
from generation.calls.services.good_replies import GoodReply, one_by_one
from generation.calls.services.purposes import Purpose
from generation.catalogue.core.prompt_templates import PromptTemplate
from generation.catalogue.models import Target
from generation.catalogue.services import targets as target_services
from generation.catalogue.services import templates
from generation.providers import provider
from generation.providers.base import Request

Track = GenerationRun.Track
# Besides the answer itself a model at some effort reasons about as long again; three words are four tokens.
TOKENS_PER_TARGET_WORD = 3
AT_MAXIMUM = "answer_maximum"


@dataclass(frozen=True)
class Need:
    """`number` answers of a model to a prompt that the study is to have."""

    version: PromptVersion
    target: Target
    arm: Arm
    number: int = 1


@dataclass(frozen=True)
class Before:
    """A call planned before for such a need; one that `stands` leaves nothing to be asked for anew."""

    key: str
    replicate: int
    stands: bool


# Answers at maximum effort are read beside no others: nothing holds their length.
TEMPLATES: Mapping[str, Sequence[str]] = {
    Track.MATCHED: ["answer", "weak_answer"],
    Track.MAXIMUM: [AT_MAXIMUM],
}

# By prompt, family and arm; of weak answers, of which a prompt has one, by no family.
AnswerSlot = tuple[int, str, str]


class Answers(Purpose):
    """The purpose “answers”."""

    role = Target.Role.ANSWERS

    def closed(self, run: GenerationRun) -> str:
        if takes_text(_study(run), _arm(run)):
            return ""
        until = "the study is released" if run.track == Track.MAXIMUM else "judging opens"
        return f"Model answers are collected after the design is locked and before {until}."

    def materials(self, run: GenerationRun, targets: Sequence[Target]) -> dict[str, Any]:
        study = _study(run)
        named = len({target.family for target in _active(study)})
        if run.track == Track.MATCHED and named < study.model_targets_expected:
            raise Refused(
                f"The study shows answers of {study.model_targets_expected} models, {named} are configured."
            )
        weak = targets if run.track == Track.MATCHED else ()
        return {
            "templates": templates.materials(study, TEMPLATES[run.track]),
            "efforts": {str(target.pk): _effort(run, target) for target in targets},
            "temperatures": {str(target.pk): _weak_temperature(target, _effort(run, target)) for target in weak},
            "output_tokens": {
                "expected": study.target_words * TOKENS_PER_TARGET_WORD,
                "most": study.output_token_cap,
            },
        }

    def scope(self, run: GenerationRun) -> Sequence[tuple[str, str]]:
        """How many of its answers are over the limit; of a few, one of which may be a weak one, nothing."""
        words = _lengths(run)
        if len(words) < MIN_CALLS or AT_MAXIMUM in run.materials["templates"]:
            return ()
        limit = _study(run).model_word_limit
        over = sum(each > limit for each in words)
        return [
            ("Over the word limit", f"{over} of {len(words)} answers have more than {limit} words and were kept")
        ]

    def brought_sha256(self, run: GenerationRun) -> str:
        """The hash of answers that no judge is given alone: of the others a hash without a key would tell who wrote
        them.
        """
        if run.track != Track.MAXIMUM:
            return ""
        written = dict(ModelAnswer.objects.filter(call__run=run).values_list("response", "raw_text"))
        sources = Stimulus.objects.filter(response__in=written).values_list("response", "source_code")
        brought = sorted((str(response), source, sha256_hex(written[response])) for response, source in sources)
        return hashlib.sha256(canonical_json(brought)).hexdigest()

    def wanted(self, run: GenerationRun) -> Iterator[PlannedCall]:
        """One text for every need: those called for before by their own keys, the missing ones by new ones.

        A run that is `only` about one place wants one text there, and tells of no other.
        """
        before = _calls_before(_study(run))
        characters = _longest_request(run)
        for need in _needs(run):
            calls = before[_slot(need.version.prompt_id, need.target.family, need.arm)]
            kept = [call for call in calls if call.stands][: need.number]
            last = max((call.replicate for call in calls), default=0)
            missing = range(last + 1, last + 1 + need.number - len(kept))
            if _only(run):
                kept, missing = [], missing[:1]
            keys = {call.replicate: call.key for call in kept}
            keys |= {replicate: _key(run, need, replicate) for replicate in missing}
            for replicate, key in keys.items():
                yield PlannedCall(
                    key=key,
                    target_id=need.target.pk,
                    characters=characters,
                    prompt_version_id=need.version.pk,
                    arm=need.arm,
                    replicate=replicate,
                )

    def requests(self, run: GenerationRun, calls: Sequence[Call]) -> dict[int, Request]:
        versions = PromptVersion.objects.in_bulk({call.prompt_version_id for call in calls})
        targets = Target.objects.in_bulk({call.target_id for call in calls})
        return {
            call.pk: _request(
                run, versions[call.prompt_version_id], targets[call.target_id], Arm(call.arm), call.replicate
            )
            for call in calls
        }

    def accept(self, good: Sequence[GoodReply], *, run: GenerationRun) -> Mapping[int, str]:
        return one_by_one(good, partial(_accept, run))


ANSWERS = Answers()


def _accept(run: GenerationRun, good: GoodReply) -> str:
    call, attempt, text = good.call, good.attempt, good.reply.text
    study = _study(run)
    studies.lock_shared(study)
    if ANSWERS.closed(run):
        return "superseded"
    if len(text) > ANSWER_CHARACTERS:  # no answer is; it is neither counted nor scanned
        return "empty"
    has_limit = AT_MAXIMUM not in run.materials["templates"]
    if (
        has_limit
        and study.over_limit == ModelAnswerRules.OverLimit.RETRY
        and intake.words_shown(text) > study.model_word_limit
    ):
        longer = _over_limit_before(call)
        if len(longer) + 1 < study.over_limit_attempts:
            return "over_limit"
        attempt, text = min([*longer, (attempt, text)], key=lambda pair: intake.words_shown(pair[1]))
    try:
        response = intake.admit(
            study=study,
            prompt=cast(PromptVersion, call.prompt_version).prompt,
            text=text,
            arm=Arm(call.arm),
            source_code=call.target.family,
            names=[call.target.model_id],
            by=None,
        )
    except Refused:  # nothing but marks
        return "empty"
    ModelAnswer.objects.create(call=call, attempt=attempt, raw_text=text, response=response)
    return ""


def _study(run: GenerationRun) -> Study:
    return cast(Study, run.study)  # the run of a file's texts asks for no answers


def _lengths(run: GenerationRun) -> list[int]:
    """The lengths of the run's answers, as judges would be shown them."""
    return list(ModelAnswer.objects.filter(call__run=run).values_list("response__word_count", flat=True))


def _arm(run: GenerationRun) -> Arm:
    """The arm of a run's ordinary answers."""
    return Arm.MAXIMUM if run.track == Track.MAXIMUM else Arm.MODEL


def _active(study: Study) -> list[Target]:
    return list(Target.objects.filter(study=study, role=Target.Role.ANSWERS, retired_at__isnull=True))


def _effort(run: GenerationRun, target: Target) -> str:
    """The effort: on the matched track the target's own, where it has one; otherwise what its provider calls the
    study's.
    """
    study = _study(run)
    if run.track == Track.MAXIMUM:
        return target_services.effort_of(target, study.maximum_effort)
    return target.effort or target_services.effort_of(target, study.matched_effort)


def _needs(run: GenerationRun) -> Iterator[Need]:
    """What the run's models are asked for; limited to a prompt, a family and an arm where it is `only` about
    these.
    """
    needs = _maximum(run) if run.track == Track.MAXIMUM else _matched(run)
    for need in needs:
        place = {"prompt": need.version.prompt_id, "family": need.target.family, "arm": str(need.arm)}
        if _only(run) in (None, place):
            yield need


def _only(run: GenerationRun) -> dict[str, Any] | None:
    place: dict[str, Any] | None = run.materials.get("only")
    return place


def _maximum(run: GenerationRun) -> Iterator[Need]:
    targets = _targets(run).values()
    for version in latest_versions(_study(run)):
        yield from (Need(version, target, Arm.MAXIMUM) for target in targets)


def _matched(run: GenerationRun) -> Iterator[Need]:
    study, targets = _study(run), _targets(run)
    kinds = dict(PromptPlan.objects.filter(prompt__study=study).values_list("prompt_id", "kind"))
    seed = bytes(StudySeed.objects.get(study=study).seed)
    families = sorted(target.family for target in _active(study))
    for version in latest_versions(study):
        kind = kinds[version.prompt_id]
        each = study.answers_per_target_in_attribution if kind == Kind.SOURCE_ATTRIBUTION else 1
        yield from (Need(version, target, Arm.MODEL, each) for target in targets.values())
        weak = targets.get(seeded_order(seed, "weak", version.prompt.code, items=families)[0])
        if kind == Kind.QUALITY_FLOOR and weak:
            yield Need(version, weak, Arm.WEAK)


def _targets(run: GenerationRun) -> dict[str, Target]:
    return {share.target.family: share.target for share in run.shares.select_related("target__study")}


def _calls_before(study: Study) -> Mapping[AnswerSlot, list[Before]]:
    """Stands: a text that is not rejected, or a call that brought none yet and still can, by its own run."""
    rejected = Stimulus.objects.filter(study=study, state="rejected").values("pk")
    stands = ~Q(answer__response__in=rejected) & (Q(state="accepted") | Q(target__retired_at__isnull=True))
    calls = Call.objects.filter(run__study=study, prompt_version__isnull=False).annotate(
        stands=Case(When(stands, then=Value(True)), default=Value(False))
    )
    found: defaultdict[AnswerSlot, list[Before]] = defaultdict(list)
    for prompt, family, arm, *before in calls.order_by("replicate").values_list(
        "prompt_version__prompt_id", "target__family", "arm", "key", "replicate", "stands"
    ):
        found[_slot(prompt, family, arm)].append(Before(*before))
    return found


def _slot(prompt: int, family: str, arm: str) -> AnswerSlot:
    return prompt, "" if arm == Arm.WEAK else family, arm


def _longest_request(run: GenerationRun) -> int:
    """Characters of the longest request of any call: from sums of the true lengths one could tell which prompts are
    asked for more.
    """
    prompts = max((len(version.text) for version in latest_versions(_study(run))), default=0)
    return prompts + max(map(len, run.materials["templates"].values()))


def _key(run: GenerationRun, need: Need, replicate: int) -> str:
    study = _study(run)
    request = _request(run, need.version, need.target, need.arm, replicate)
    return call_key(
        target=target_services.identity(
            need.target,
            effort=request.effort,
            temperature=request.temperature,
            output_token_cap=request.max_output_tokens,
        ),
        template=_template(run, need.target, need.arm).version,
        inputs={
            "prompt": need.version.prompt.code,
            "text": need.version.sha256,
            "arm": need.arm,
            "target_words": study.target_words,
            "word_limit": study.model_word_limit,
        },
        replicate=replicate,
    )


def _weak_temperature(target: Target, effort: str) -> float | None:
    """None where the model takes no temperature: it has to be told to be weak."""
    takes_it = provider(target.provider).takes_temperature(effort, target.options)
    return target.weak_temperature if takes_it else None


def _effort_in(run: GenerationRun, target: Target) -> str:
    effort: str = run.materials["efforts"][str(target.pk)]
    return effort


def _template(run: GenerationRun, target: Target, arm: Arm) -> PromptTemplate:
    is_told = arm == Arm.WEAK and _weak_temperature(target, _effort_in(run, target)) is None
    usual = AT_MAXIMUM if AT_MAXIMUM in run.materials["templates"] else "answer"
    name = "weak_answer" if is_told else usual
    return PromptTemplate(name, run.materials["templates"][name])


def _request(run: GenerationRun, version: PromptVersion, target: Target, arm: Arm, replicate: int) -> Request:
    study, effort = _study(run), _effort_in(run, target)
    return Request(
        model=target.model_id,
        prompt=_template(run, target, arm).fill(
            prompt=version.text, target_words=study.target_words, word_limit=study.model_word_limit
        ),
        effort=effort,
        max_output_tokens=run.materials["output_tokens"]["most"],
        temperature=_weak_temperature(target, effort) if arm == Arm.WEAK else None,
        options=target.options,
        replicate=replicate,
    )


def _over_limit_before(call: Call) -> list[tuple[Attempt, str]]:
    """Attempts of the call that were too long, with what they said."""
    read = provider(call.target.provider).read
    attempts = call.attempts.filter(outcome="over_limit")
    return [(attempt, read(attempt.status, {}, attempt.reply).text) for attempt in attempts]
