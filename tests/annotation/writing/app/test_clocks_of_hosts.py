"""The web server's and the loop's hosts have clocks that are an hour wrong: everything goes by the database's."""

import asyncio
import gzip
import shutil
import subprocess
import sys
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from pathlib import Path

import pytest
from django.conf import settings
from django.utils.timezone import localtime

from annotation.platform.models.audit import AuditEvent
from annotation.platform.services.clock import database_now
from annotation.writing.models import WritingAssignment
from benchmarks.support.calls_run import environment
from benchmarks.support.room_client import Outcome, Room
from benchmarks.support.wire import Connection
from tests import another_clock
from tests.answers import pass_time
from tests.clients import signed_in
from tests.factories import a_writing_study, assignments_of
from tests.thorough import IS_THOROUGH
from tests.waiting import eventually

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(not shutil.which("cc"), reason="there is no C compiler here"),
]

HOUR = timedelta(hours=1)
MINUTE, GRACE = timedelta(minutes=1), timedelta(seconds=10)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return another_clock.library(tmp_path_factory.mktemp("clock"))


@pytest.mark.parametrize("ahead", [HOUR, -HOUR] if IS_THOROUGH else [HOUR])
def test_deadlines_receipts_and_audit_go_by_the_databases_clock_whatever_the_hosts_say(
    ahead: timedelta, library: Path
) -> None:
    study = a_writing_study(writers=2, prompts=2, writing_minutes=30)
    handed_in, over = assignments_of(study)
    going_on = assignments_of(study, writer=1)[0]
    site = environment() | {"DEBUG": "1", "SECRET_KEY": settings.SECRET_KEY}
    sessions = [signed_in(each.participation.user).cookies["sessionid"].value for each in (over, going_on)]
    began = database_now()
    with another_clock.web_server(site | another_clock.off_by(ahead, library)) as port:
        found = asyncio.run(visit(port, sessions[0], handed_in.pk, over.pk))
        asyncio.run(visit(port, sessions[1], going_on.pk))
    assert abs(found.clock - database_now() - ahead) < MINUTE, "the clock is wrong indeed"
    for assignment in (over, going_on, handed_in):
        assignment.refresh_from_db()
        assert assignment.started_at is not None
        assert assignment.deadline_at == assignment.started_at + 30 * MINUTE
        assert began <= assignment.started_at <= database_now()
    assert handed_in.submitted_at is not None
    assert localtime(handed_in.submitted_at).strftime("%H:%M") in found.page

    pass_time(over, 30 * MINUTE + GRACE)  # until saves are not taken any more
    asked = database_now()
    command = [sys.executable, "manage.py", "run_loop"]
    loop = subprocess.Popen(command, env=site | another_clock.off_by(-ahead, library))
    try:
        eventually(WritingAssignment.objects.filter(pk=over.pk).exclude(response=None).exists, within=60)
        eventually(lambda: AuditEvent.objects.filter(seal__isnull=False).exists(), within=60)
    finally:
        loop.terminate()
        loop.wait(timeout=60)
    over.refresh_from_db()
    going_on.refresh_from_db()
    assert over.submitted_by_clock
    assert over.submitted_at is not None
    assert asked - MINUTE <= over.submitted_at <= database_now()
    assert over.response is not None
    assert over.response.text == found.text
    assert (going_on.state, going_on.submitted_at) == ("writing", None)
    since = AuditEvent.objects.filter(at__gte=began)
    assert since.count() > 6
    assert not since.filter(at__gt=database_now()).exists()


@dataclass
class Visit:
    """The time on the server's host, the page of the first answer in the end, and what was saved of the last."""

    clock: datetime
    page: str
    text: str


async def visit(port: int, session: str, *assignments: int) -> Visit:
    """Begin and save each, one after the other; all but the last are handed in."""
    connection = Connection(port, {"sessionid": session}, patience=30)
    try:
        for pk in assignments:
            room = Room(connection, pk)
            await room.enter()
            assert await room.save(f"What was written in {pk}, where the clock is wrong. " * 20) is Outcome.SAVED
            if pk != assignments[-1]:
                assert await room.hand_in(room.text)
        answer = await connection.get(f"/writing/{assignments[0]}/{'receipt/' if len(assignments) > 1 else ''}")
    finally:
        connection.close()
    assert answer.status == HTTPStatus.OK
    page = (gzip.decompress(answer.body) if "content-encoding" in answer.headers else answer.body).decode()
    return Visit(parsedate_to_datetime(answer.headers["date"]), page, room.text)
