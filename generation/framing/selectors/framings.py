"""How far a set's prompts are: their framings as they stand, and what checks say of them."""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from django.db.models import Max

from annotation.platform.core.sealing import canonical_json
from annotation.platform.models.users import User
from generation.calls.models import Attempt, Call, GenerationRun
from generation.framing.core.conditions import Conditions, read_conditions
from generation.framing.core.mechanical_checks import Finding, findings
from generation.framing.core.requests import Verdict
from generation.framing.core.standing import Standing, standing
from generation.framing.models import FramedPrompt, Framing, FramingCheck, FramingSet


@dataclass(frozen=True)
class Framed:
    """A prompt with its framings by condition, none before all are written; checks are of just these texts.

    `people` has the verdicts by the id of whoever gave them.
    """

    prompt: FramedPrompt
    texts: Mapping[str, str]
    findings: tuple[Finding, ...]
    model: tuple[Verdict, ...] | None
    people: Mapping[int, tuple[Verdict, ...]]
    standing: Standing

    @property
    def id(self) -> int:
        return self.prompt.subject_id

    @property
    def code(self) -> str:
        return self.prompt.code

    def said_by(self, person: User) -> tuple[Verdict, ...] | None:
        return self.people.get(person.pk)


def conditions_of(framing_set: FramingSet) -> Conditions:
    return _read(framing_set.conditions_toml)


@lru_cache(maxsize=16)
def _read(toml: str) -> Conditions:
    return read_conditions(toml)


def current_texts(prompts: Iterable[int], conditions: Conditions) -> dict[int, dict[str, str]]:
    """The newest framings in the conditions' order, by prompt; nothing of a prompt that lacks one."""
    newest = newest_framings(prompts)
    found = {prompt: {each.condition: each.text for each in framings} for prompt, framings in newest.items()}
    return {
        prompt: {key: texts[key] for key in conditions.keys}
        for prompt, texts in found.items()
        if all(key in texts for key in conditions.keys)
    }


def newest_framings(prompts: Iterable[int]) -> defaultdict[int, list[Framing]]:
    """The newest version of each framing, by prompt."""
    found: defaultdict[int, list[Framing]] = defaultdict(list)
    newest = Framing.objects.filter(prompt__in=list(prompts)).order_by("prompt_id", "condition", "-version")
    for framing in newest.distinct("prompt_id", "condition"):
        found[framing.prompt_id].append(framing)
    return found


def written_by(framing_set: FramingSet) -> dict[int, str]:
    """The keys of the calls that brought the newest framings of a model, by prompt."""
    written = Framing.objects.filter(prompt__set=framing_set, call__isnull=False).order_by("version", "pk")
    return dict(written.values_list("prompt", "call__key"))


def checked_by(framing_set: FramingSet) -> dict[tuple[int, str], str]:
    """The keys of the calls that brought checks, by prompt and the hash of the framings that they are about."""
    checks = FramingCheck.objects.filter(prompt__set=framing_set, call__isnull=False)
    return {
        (prompt, sha256): key
        for prompt, sha256, key in checks.order_by("pk").values_list("prompt", "texts_sha256", "call__key")
    }


def texts_sha256(texts: Mapping[str, str]) -> str:
    """SHA-256, in hex, of all framings of a prompt together: what a check is about."""
    return hashlib.sha256(canonical_json(dict(texts))).hexdigest()


def framed_prompts(framing_set: FramingSet) -> list[Framed]:
    """Every prompt of the set, in the study's order, with the same few queries however many they are."""
    conditions, needs = conditions_of(framing_set), framing_set.needs
    prompts = framing_set.prompts.select_related("set__study", "prompt_version", "candidate", "rewriter")
    rows = list(prompts.order_by("prompt_version__prompt__position", "code"))
    texts = current_texts([row.pk for row in rows], conditions)
    model, people = _checks(framing_set, {pk: texts_sha256(each) for pk, each in texts.items()})
    gave_up, check_failed = _gave_up(framing_set), _checks_failed(framing_set)
    found = []
    for row in rows:
        its, said_by = texts.get(row.pk), people[row.pk]
        wrong = None if its is None else findings(row.text, its, conditions)
        stands = standing(
            needs,
            gave_up=row.pk in gave_up,
            check_failed=row.pk in check_failed,
            findings=wrong,
            model=model.get(row.pk),
            people=list(said_by.values()),
        )
        found.append(Framed(row, its or {}, wrong or (), model.get(row.pk), said_by, stands))
    return found


def _checks(
    framing_set: FramingSet, current: Mapping[int, str]
) -> tuple[dict[int, tuple[Verdict, ...]], defaultdict[int, dict[int, tuple[Verdict, ...]]]]:
    """What the model says, and what people say by their ids, of the texts that have the `current` hashes."""
    model: dict[int, tuple[Verdict, ...]] = {}
    people: defaultdict[int, dict[int, tuple[Verdict, ...]]] = defaultdict(dict)
    for check in FramingCheck.objects.filter(prompt__set=framing_set).order_by("pk"):
        if check.texts_sha256 != current.get(check.prompt_id):
            continue
        verdicts = tuple(Verdict(**said) for said in check.verdicts)
        if check.reviewer_id:
            people[check.prompt_id][check.reviewer_id] = verdicts
        else:
            model[check.prompt_id] = verdicts
    return model, people


def _gave_up(framing_set: FramingSet) -> set[int]:
    """The prompts whose rewriter gave no usable reply, and is not asked again."""
    about = Call.objects.filter(subject__framed_prompt__set=framing_set, state="failed")
    return set(about.filter(run__purpose=GenerationRun.Purpose.FRAMING).values_list("subject_id", flat=True))


def _checks_failed(framing_set: FramingSet) -> set[int]:
    """The prompts whose framings, as they are now, the model was asked about last without a usable reply."""
    asked = Call.objects.filter(
        run__study=framing_set.study,
        run__purpose=GenerationRun.Purpose.FRAMING_CHECK,
        subject__framed_prompt__set=framing_set,
    )
    newest = asked.order_by("subject", "-pk").distinct("subject").values("pk")
    written = Framing.objects.filter(prompt__set=framing_set).order_by()
    last_words = dict(written.values_list("prompt").annotate(Max("made_at")))
    failed = Attempt.objects.filter(call__in=newest, call__state="failed").order_by("call", "number")
    last_asked = dict(failed.values_list("call__subject", "sent_at"))
    return {prompt for prompt, sent in last_asked.items() if prompt in last_words and last_words[prompt] < sent}
