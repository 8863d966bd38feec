"""A purpose of calls that go on conversations: stories with questions, asked one after the other."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from generation.calls.core.call_keys import call_key
from generation.calls.core.planned_calls import PlannedCall
from generation.calls.models import Call, GenerationRun, Subject
from generation.calls.services import planning, runs
from generation.calls.services.good_replies import GoodReply
from generation.calls.services.purposes import Purpose
from generation.catalogue.models import Target
from generation.catalogue.services import targets
from generation.providers.base import Request

NAME = "talk"
SYSTEM = "Answer in one word."
PRICE = {"input": "2", "output": "10"}
EXPECTED, MAX_OUTPUT_TOKENS = 10, 4000

Stories = list[list[tuple[int, str]]]


class Talk(Purpose):
    """`only` has the stories, each a list of questions: the id of its subject, and its text."""

    role = Target.Role.PANEL
    asks_again = True

    def closed(self, run: GenerationRun) -> str:  # noqa: ARG002
        return ""

    def materials(self, run: GenerationRun, targets: Sequence[Target]) -> dict[str, Any]:
        only = run.materials["only"]
        return {
            "templates": {},
            "efforts": {str(target.pk): only.get("effort", "low") for target in targets},
            "temperatures": {str(target.pk): only["temperature"] for target in targets if "temperature" in only},
            "output_tokens": {"expected": EXPECTED, "most": MAX_OUTPUT_TOKENS},
        }

    def wanted(self, run: GenerationRun) -> Iterator[PlannedCall]:
        for share in run.shares.select_related("target"):
            identity = targets.identity(share.target, purpose=NAME, output_token_cap=MAX_OUTPUT_TOKENS)
            for story in run.materials["only"]["stories"]:
                after, characters = "", len(SYSTEM)
                for number, (subject, text) in enumerate(story):
                    characters += len(text)
                    inputs = {"question": text}
                    key = call_key(
                        target=identity, template="", inputs=inputs, replicate=1, subject=subject, after=after
                    )
                    yield PlannedCall(
                        key=key,
                        target_id=share.target_id,
                        characters=characters,
                        subject_id=subject,
                        after_key=after,
                        replies=number,
                    )
                    after = key

    def requests(self, run: GenerationRun, calls: Sequence[Call]) -> dict[int, Request]:
        texts = {subject: text for story in run.materials["only"]["stories"] for subject, text in story}
        return {
            call.pk: Request(
                model="m",
                prompt=texts[call.subject_id],
                effort=run.materials["efforts"][str(call.target_id)],
                max_output_tokens=MAX_OUTPUT_TOKENS,
                temperature=run.materials["temperatures"].get(str(call.target_id)),
                system=SYSTEM,
            )
            for call in calls
            if call.subject_id in texts
        }

    def accept(self, good: Sequence[GoodReply], *, run: GenerationRun) -> Mapping[int, str]:  # noqa: ARG002
        return {}


TALK = Talk()


def stories(number: int, questions: int, *, text: str = "Where is the ball?") -> Stories:
    """So many stories, whose questions are all put in the same words."""
    made = Subject.objects.bulk_create(Subject(kind="question") for _ in range(number * questions))
    ids = [subject.pk for subject in made]
    return [[(subject, text) for subject in ids[n * questions : (n + 1) * questions]] for n in range(number)]


def a_model(provider: str = "demo", family: str = "teller") -> Target:
    return targets.add_target(
        study=None, role="panel", family=family, provider=provider, model_id="m", by=None, price=PRICE
    )


def planned(told: Stories, *models: Target, uses_batches: bool = False, **only: Any) -> GenerationRun:
    run = planning.plan_run(
        study=None,
        by=None,
        purpose=NAME,
        targets=models,
        uses_batches=uses_batches,
        only={"stories": told, **only},
    )
    planning.fill_plan(run.pk)
    run.refresh_from_db()
    return run


def started(told: Stories, *models: Target, **parameters: Any) -> GenerationRun:
    run = planned(told, *models, **parameters)
    runs.start_run(run=run, spend_cap=Decimal(1000), by=None)
    run.refresh_from_db()
    return run


def states(run: GenerationRun) -> dict[str, int]:
    found = list(Call.objects.filter(run=run).values_list("state", flat=True))
    return {state: found.count(state) for state in sorted(set(found))}


def in_turn(run: GenerationRun) -> list[Call]:
    """The calls of a run about one story, each after the one before it; none that is superseded."""
    by_before = {call.after_id: call for call in Call.objects.filter(run=run).exclude(state="superseded")}
    chain = [by_before[None]]
    while call := by_before.get(chain[-1].pk):
        chain.append(call)
    return chain
