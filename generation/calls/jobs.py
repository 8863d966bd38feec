"""Work on runs of calls: planning, a lane's turn, batches. No transaction is open while a request is away."""

import logging
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import timedelta
from uuid import uuid4

from django.conf import settings
from django.db import InterfaceError, OperationalError, connection
from django.urls import reverse
from redis.exceptions import RedisError

from annotation.platform.core.work_kinds import WorkKind, WorkRows
from annotation.platform.services import work
from annotation.platform.services.clock import database_now
from generation.calls.core.retries import MAX_PATIENCE
from generation.calls.core.work_kinds import LOOK_AT_BATCH, PLAN_RUN, SEND_BATCH, WORK_RUN, run_of, subject_of_lane
from generation.calls.models import GenerationRun, ProviderBatch
from generation.calls.services import batching, claiming, planning, rate_limits, recording, runs
from generation.calls.services.claiming import Outgoing
from generation.calls.services.provider_states import IDLE, ProviderState, is_away, is_there
from generation.calls.services.rate_limits import Wish
from generation.calls.services.recording import Arrival
from generation.providers.async_sender import AsyncSender
from generation.providers.base import Reply

log = logging.getLogger(__name__)

# A turn claims for so long, so that a worker comes round to other runs. Then it waits for what is on its way.
TURN = 60.0
# Replies that come within this time, in seconds, are recorded together; where they come quickly, within so many
# times as long, so that a transaction is for many.
GATHER, QUICK = 0.05, 3
# Where nothing comes back, a worker looks again after so many seconds.
PATIENCE = 1.0
# Where others have only just begun, it looks so many times within that time: their first replies tell the rest.
LOOKS = 4
DATABASE_AWAY = (OperationalError, InterfaceError)


def work_run(
    subject: str,
    *,
    on_recorded: Callable[[], None] = lambda: None,
    goes_on: Callable[[], bool] = lambda: True,
) -> None:
    """One turn of a run's lane, RUN/LANE: claim, send and record, and ask for the next turn.

    `on_recorded` is called each time replies were kept. Once `goes_on` says no, nothing more leaves, and what is on
    its way is waited for.
    """
    run_id, lane = map(int, subject.split("/"))
    endpoints = claiming.endpoints(run_id)
    with AsyncSender[Outgoing]() as sender:
        states = [ProviderState(endpoint) for endpoint in endpoints]
        turn = Turn(run_id, lane, states, sender, on_recorded=on_recorded, goes_on=goes_on)
        turn.work()
    if turn.resumes_in:
        work.ask(kind=WORK_RUN, subject=subject, due=database_now() + timedelta(seconds=turn.resumes_in))
    else:
        runs.go_on(run_id, lane)


class Turn:
    """A lane's turn: one thread for the database and Redis, this one, and the sender's for the network."""

    def __init__(
        self,
        run_id: int,
        lane: int,
        providers: Sequence[ProviderState],
        sender: AsyncSender[Outgoing],
        *,
        on_recorded: Callable[[], None],
        goes_on: Callable[[], bool],
    ) -> None:
        self.run_id = run_id
        self.lane = lane
        subject = subject_of_lane(run_id, lane)
        self.providers = {provider.name: provider for provider in providers}
        self.sender = sender
        self.on_recorded = on_recorded
        self.goes_on = goes_on
        self.holder = f"{subject}/{uuid4().hex}"
        # Attempts at all that is claimed and not yet recorded.
        self.in_hand: set[int] = set()
        self.arrivals: list[Arrival] = []
        self.unsent: list[int] = []
        self.claims = True
        self.has_claimed = False
        # Since when there was nothing more to claim; None while there is.
        self.nothing_since: float | None = None
        # Whether the last claim left calls behind, for want of money or until it is known that a model takes any.
        self.is_short = False
        # How often it was looked for more at once, before anything was claimed.
        self.looks = 0
        # Seconds until a provider may be asked again, where the turn ends because of its pause.
        self.resumes_in = 0.0
        # Why there is no hope for a provider's models at the moment, in words, by its name.
        self.hopeless: dict[str, str] = {}
        # Why the turn ends early, and is not one that has done its part.
        self.fault: RedisError | work.LeaseLost | None = None
        self.began = self.heard_from_database = time.monotonic()
        self.renewed = 0.0

    def work(self) -> None:
        """Work until nothing is left to claim, or the time is up, and everything on its way is recorded.

        Raises `RedisError` where Redis went away, `LeaseLost` where the lane is somebody else's by now, and what
        the database said where it stayed away. What never left costs nothing, however it ends.
        """
        try:
            while self.claims or self.in_hand:
                try:
                    self._round()
                except DATABASE_AWAY as error:
                    self._wait_for_database(error)
                else:
                    self.heard_from_database = time.monotonic()
        finally:
            self._claim_no_more()
            with suppress(*DATABASE_AWAY):
                self._undo_unsent()
        self._leave()
        if self.fault:
            raise self.fault

    def _round(self) -> None:
        self._agree()
        if self.claims:
            self._send_more()
        if self.in_hand or self.claims:
            self._receive()
        self._record()
        while self.hopeless:
            runs.stop_provider(self.run_id, *self.hopeless.popitem())
        self._undo_unsent()
        self._renew()
        if self._only_waits():
            self._give_way()

    def _only_waits(self) -> bool:
        """Whether nothing is left but to wait for replies, and not just for a moment."""
        if not self.in_hand or self.fault or not work.is_being_done():
            return False
        at_an_end = self.nothing_since is not None and time.monotonic() - self.nothing_since > IDLE
        return not self.claims or at_an_end

    def _give_way(self) -> None:
        """Leave the lane to its next turn, and the worker to other runs, and wait for what is on its way."""
        self._claim_no_more()
        self._undo_unsent()
        runs.go_on(self.run_id, self.lane)
        work.give_way()

    def _agree(self) -> None:
        """Tell all workers what this one uses, and hear how much it may."""
        try:
            for provider in self.providers.values():
                provider.allowed = rate_limits.acquire(
                    provider.endpoint, holder=self.holder, wish=self._wish(provider)
                )
                provider.unused = provider.allowed.sends
        except RedisError as error:
            self._claim_no_more()
            self.fault = error

    def _wish(self, provider: ProviderState) -> Wish:
        using = self.sender.on_their_way(provider.name)
        if not self.claims or time.monotonic() < provider.look_again:
            return Wish(using=using, slots=using, sends=0, unused=provider.unused)
        most = provider.endpoint.concurrency
        return Wish(using=using, slots=most, sends=max(0, most - self._busy(provider)), unused=provider.unused)

    def _busy(self, provider: ProviderState) -> int:
        if not provider.heard:
            return provider.claimed
        return self.sender.on_their_way(provider.name) + self.sender.waiting(provider.name)

    def _send_more(self) -> None:
        now = time.monotonic()
        time_is_up = now - self.began > TURN and work.is_being_done()  # a command has no other run to come round to
        if time_is_up or not self.goes_on():
            self._claim_no_more()
            return
        self.sender.allow({provider.name: provider.allowed.slots for provider in self.providers.values()})
        looked_for = [provider for provider in self.providers.values() if now >= provider.look_again]
        room = {provider.name: room for provider in looked_for if (room := self._room(provider)) > 0}
        outgoing = claiming.claim(self.run_id, room=room) if room else []
        if outgoing is None:
            self._claim_no_more()
            return
        for each in outgoing:
            self.in_hand.add(each.attempt_id)
            self.sender.send(each.provider, each, each.request)
        found = Counter(each.provider for each in outgoing)
        self.has_claimed = self.has_claimed or bool(found)
        for provider in looked_for:
            provider.unused -= found[provider.name]
            provider.claimed += found[provider.name]
            if found[provider.name] < room.get(provider.name, 0):
                provider.look_again = now + PATIENCE
                self.is_short = self.is_short or claiming.left_some(self.run_id)
        idle = [provider for provider in self.providers.values() if provider.is_idle]
        on_hold = sum(self.sender.waiting(provider.name) for provider in idle)
        is_at_an_end = all(provider.is_idle or provider.look_again > now for provider in self.providers.values())
        self.nothing_since = (self.nothing_since or now) if is_at_an_end else None
        if is_at_an_end and len(self.in_hand) == on_hold:
            self._end_early(idle)

    def _end_early(self, idle: Sequence[ProviderState]) -> None:
        """Nothing can be claimed now, nor leave."""
        self.resumes_in = min((provider.allowed.paused for provider in idle), default=0.0)
        if not self.has_claimed and not self.resumes_in:
            if self.is_short and self.looks < LOOKS:
                self.looks += 1
                self._look_at_once()
                return
            time.sleep(PATIENCE)  # others have what there is: no reason to come back at once
        self._claim_no_more()

    def _room(self, provider: ProviderState) -> int:
        """How many calls to claim: what may leave now, and a little ahead where nothing forbids it."""
        if provider.endpoint.per_minute is not None:
            return min(provider.allowed.slots - self._busy(provider), provider.allowed.sends)
        return provider.allowed.slots + provider.ahead() - self._busy(provider)

    def _claim_no_more(self) -> None:
        """Nothing leaves any more; what has left is waited for."""
        self.claims = False
        self.unsent += [each.attempt_id for each in self.sender.take_back()]

    def _undo_unsent(self) -> None:
        if not self.unsent:
            return
        claiming.take_back(self.run_id, self.unsent)
        self.in_hand.difference_update(self.unsent)
        self.unsent = []

    def _receive(self) -> None:
        by_provider: defaultdict[str, list[Reply]] = defaultdict(list)
        is_quick = any(0 < provider.seconds_each < QUICK * GATHER for provider in self.providers.values())
        gather = QUICK * GATHER if is_quick and not self.is_short else GATHER
        patience = PATIENCE / LOOKS if self.looks and not self.has_claimed else PATIENCE
        for delivery in self.sender.deliveries(patience=patience, gather=gather):
            self.arrivals.append(Arrival(delivery.ticket.attempt_id, delivery.reply, delivery.milliseconds))
            self.providers[delivery.provider].note(delivery.milliseconds)
            by_provider[delivery.provider].append(delivery.reply)
        with suppress(RedisError):  # the next round finds out
            for name, replies in by_provider.items():
                self._heed(self.providers[name], replies)

    def _heed(self, provider: ProviderState, replies: Sequence[Reply]) -> None:
        """Leave a provider alone, for everybody, that asks for it, or that is away and answers nothing else."""
        failures = [reply for reply in replies if is_away(reply)]
        asked = max((reply.retry_after or 0.0 for reply in failures), default=0.0)
        if 0 < asked <= MAX_PATIENCE:
            self.sender.allow({provider.name: 0})
            rate_limits.pause(provider.name, asked)
        if any(is_there(reply) for reply in replies):
            if provider.allowed.in_trouble:
                rate_limits.succeed(provider.name)
        elif failures:
            self._leave_alone(provider, failures[-1])

    def _leave_alone(self, provider: ProviderState, failure: Reply) -> None:
        self.sender.allow({provider.name: 0})
        if rate_limits.fail(provider.name) > MAX_PATIENCE:
            minutes = round(MAX_PATIENCE / 60)
            self.hopeless[provider.name] = (
                f"Nothing but failures came from {provider.name} for {minutes} minutes, the last one: "
                f"{failure.detail} Let the run go on when it is back."
            )

    def _record(self) -> None:
        """Record what came. What cannot be recorded holds nothing else up: its lease runs out, and it is lost."""
        if not self.arrivals:
            return
        freed = 0
        try:
            freed = recording.record(self.run_id, self.arrivals)
        except DATABASE_AWAY:
            raise
        except Exception:
            for arrival in self.arrivals:
                freed += self._record_alone(arrival)
        if freed or self.is_short:  # what waited for these replies, or what they set aside, may leave at once
            self._look_at_once()
        if freed and not self.claims:
            runs.go_on(self.run_id, self.lane)
        self.in_hand.difference_update(arrival.attempt_id for arrival in self.arrivals)
        self.arrivals = []
        self.on_recorded()

    def _look_at_once(self) -> None:
        self.is_short = False
        for provider in self.providers.values():
            provider.look_again = 0.0

    def _record_alone(self, arrival: Arrival) -> int:
        try:
            return recording.record(self.run_id, [arrival])
        except DATABASE_AWAY:
            raise
        except Exception:
            log.exception("the reply to attempt %s cannot be recorded", arrival.attempt_id)
            return 0

    def _renew(self) -> None:
        """Tell everybody, well before the leases run out, that this worker is alive.

        Where the lane is somebody else's, nothing more is claimed; what is on its way is paid for, and recorded.
        """
        if time.monotonic() - self.renewed < settings.LEASE_SECONDS / 6:
            return
        claiming.renew(self.in_hand)
        try:
            work.renew(timedelta(seconds=settings.LEASE_SECONDS))
        except work.LeaseLost as lost:
            self._claim_no_more()
            self.fault = lost
        self.renewed = time.monotonic()

    def _wait_for_database(self, error: Exception) -> None:
        """Keep what came in memory; after as long as a lease the calls are somebody else's, and it is given up."""
        if time.monotonic() - self.heard_from_database > settings.LEASE_SECONDS:
            raise error
        log.warning("the database is away, trying again: %s", str(error).strip().partition("\n")[0])
        connection.close()
        time.sleep(PATIENCE)

    def _leave(self) -> None:
        with suppress(RedisError):  # what is not given back runs out
            for provider in self.providers.values():
                rate_limits.release(provider.endpoint, holder=self.holder, unused=provider.unused)


def _found(run: GenerationRun) -> tuple[str, str]:
    return f"Run {run.known_as}", reverse("run", args=[run.pk])


RUNS = WorkRows(GenerationRun, _found)
CALLS_WORK = (
    WorkKind(
        PLAN_RUN,
        lambda subject: planning.fill_plan(int(subject)),
        label="was not planned to its end",
        rows=RUNS,
    ),
    WorkKind(
        WORK_RUN,
        work_run,
        label="models were not asked any further",
        rows=WorkRows(GenerationRun, _found, row=run_of),
        queue="calls",
    ),
    WorkKind(
        SEND_BATCH,
        lambda subject: batching.send_batch(int(subject)),
        label="its batches were not sent",
        rows=RUNS,
        queue="calls",
    ),
    WorkKind(
        LOOK_AT_BATCH,
        lambda subject: batching.look_at_batch(int(subject)),
        label="the replies of a batch were not taken in",
        rows=WorkRows(ProviderBatch, lambda batch: _found(batch.run), related=("run",), study="run__study"),
        queue="calls",
    ),
)
