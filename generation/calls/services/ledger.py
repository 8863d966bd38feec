"""A run's ledger: what is in flight, what it cost, how far each target is.

Whoever changes them locks the run's row, so that they are always the sum of what they count.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from django.db.models import F

from annotation.study.services import studies
from generation.calls.models import Attempt, Call, GenerationRun, OutcomeCount, RunShare
from generation.providers.core.prices import Price, price_from

NOTHING = Decimal(0)


@dataclass
class Tally:
    attempts: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: Decimal = NOTHING
    assumed: Decimal = NOTHING


def lock_run(run_id: int) -> GenerationRun:
    """The run, its row locked and its study's state unchanging until the transaction ends."""
    run = GenerationRun.objects.select_related("study").defer("materials").get(pk=run_id)
    if run.study:
        studies.lock_shared(run.study)
    run.refresh_from_db(
        fields=("state", "spend_cap", "reserved", "spent", "materials"),
        from_queryset=GenerationRun.objects.select_for_update(no_key=True),
    )
    return run


def frozen_price(run: GenerationRun, target_id: int) -> Price:
    """The target's price, as the run was approved with it."""
    return _price(json.dumps(run.materials["prices"][str(target_id)]))


@lru_cache(maxsize=256)  # each call of a run asks for it
def _price(row: str) -> Price:
    return price_from(json.loads(row))


class Ledger:
    """What a transaction changes in the counts of a run that it holds; `write` is its last step."""

    def __init__(self, run: GenerationRun) -> None:
        self.run = run
        self._reserved = NOTHING
        self._spent = NOTHING
        self._assumed = NOTHING
        self._outcomes: defaultdict[tuple[int, str], Tally] = defaultdict(Tally)
        self._settled: defaultdict[int, Counter[str]] = defaultdict(Counter)

    @property
    def left(self) -> Decimal:
        """US dollars that may still be set aside; none before somebody approved a cap."""
        run = self.run
        left: Decimal = (run.spend_cap or NOTHING) - run.spent - run.reserved
        return left - self._spent - self._reserved

    def set_aside(self, worst: Decimal) -> None:
        """An attempt is about to leave; a negative sum: it did not leave after all."""
        self._reserved += worst

    def end(self, attempt: Attempt) -> None:
        """An attempt has its outcome and cost."""
        self._count(attempt, 1)

    def take_out(self, attempt: Attempt) -> None:
        """An attempt that counts as lost is to be counted as what it is; called before it is changed."""
        self._count(attempt, -1)

    def settle(self, call: Call) -> None:
        """A call has become accepted or failed."""
        self._settled[call.target_id][call.state] += 1

    def unsettle(self, call: Call) -> None:
        """A settled call is about to be settled otherwise; called before it is changed."""
        self._settled[call.target_id][call.state] -= 1

    def not_asked(self, by_target: Mapping[int, int]) -> None:
        """Note that so many more calls, by target, are not asked; fewer where a number is negative."""
        for target_id, number in by_target.items():
            self._settled[target_id]["not_asked"] += number

    def write(self) -> None:
        GenerationRun.objects.filter(pk=self.run.pk).update(
            reserved=F("reserved") + self._reserved,
            spent=F("spent") + self._spent,
            assumed=F("assumed") + self._assumed,
        )
        for (target_id, outcome), tally in self._outcomes.items():
            self._write_outcome(target_id, outcome, tally)
        for target_id, settled in self._settled.items():
            changes = {state: F(state) + number for state, number in settled.items()}
            RunShare.objects.filter(run=self.run, target_id=target_id).update(**changes)

    def _count(self, attempt: Attempt, sign: int) -> None:
        cost = attempt.cost or NOTHING
        assumed = cost if attempt.is_assumed else NOTHING
        self._reserved -= sign * attempt.reserved
        self._spent += sign * cost
        self._assumed += sign * assumed
        tally = self._outcomes[attempt.call.target_id, attempt.outcome]
        tally.attempts += sign
        tally.input_tokens += sign * attempt.input_tokens
        tally.output_tokens += sign * attempt.output_tokens
        tally.cost += sign * cost
        tally.assumed += sign * assumed

    def _write_outcome(self, target_id: int, outcome: str, tally: Tally) -> None:
        changes = vars(tally)
        row = OutcomeCount.objects.filter(run=self.run, target_id=target_id, outcome=outcome)
        if not row.update(**{name: F(name) + value for name, value in changes.items()}):
            OutcomeCount.objects.create(run=self.run, target_id=target_id, outcome=outcome, **changes)
