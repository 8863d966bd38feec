"""The order in which an update replaces what runs. Docker itself only notes here what it is asked for."""

import asyncio
import fcntl
import io
import os
import subprocess
from pathlib import Path

import pytest
from django.core.management import call_command

from benchmarks.support import judging_study
from scripts.try_update import Seen, Watched
from tests.folders import PROJECT

# Notes each command, and of what replaces a web server also whom nginx would ask then.
DOCKER = """#!/usr/bin/env bash
shift
echo "$* $(tr '\\n' ' ' 2>/dev/null <"$NGINX_UPSTREAM")" >>"$NOTES"
case "$*" in
"$FAILS") exit 1 ;;
"port web-a 8000") [ -z "$A_IS_AWAY" ] && echo 127.0.0.1:8000 ;;
"port web-b 8000") echo 127.0.0.1:8001 ;;
esac
"""
A, B = "server 127.0.0.1:8000;", "server 127.0.0.1:8001;"


def update(folder: Path, **environment: str) -> tuple[int, list[str], str]:
    """The script's code, what it asked Docker for, and what it said of a failure."""
    docker = folder / "docker"
    docker.write_text(DOCKER, encoding="utf-8")
    docker.chmod(0o755)
    upstream, notes = folder / "studio.conf", folder / "notes"
    upstream.write_text("as before", encoding="utf-8")
    given = {
        "PATH": f"{folder}:{os.environ['PATH']}",
        "NOTES": str(notes),
        "NGINX_UPSTREAM": str(upstream),
        "NGINX_RELOAD": f"cp {upstream} {folder}/read",
        "DRAIN_SECONDS": "0",
        "A_IS_AWAY": "",
        "FAILS": "nothing",
        **environment,
    }
    command = [PROJECT / "deploy" / "update"]
    done = subprocess.run(
        command, env=given, cwd=folder, check=False, timeout=30, stderr=subprocess.PIPE, text=True
    )
    return done.returncode, [line.strip() for line in notes.read_text(encoding="utf-8").splitlines()], done.stderr


def test_while_a_web_server_is_replaced_nginx_asks_the_other_one_alone_and_both_afterwards(tmp_path: Path) -> None:
    code, asked, _ = update(tmp_path)
    assert code == 0
    up = "up --detach --no-deps --wait"
    in_order = [
        "run --rm migrate as before",
        f"exec --no-TTY web-a touch /tmp/drain {B}",
        f"{up} web-a {B}",
        f"exec --no-TTY web-a rm -f /tmp/drain {B}",  # which one that was not replaced still has
        f"exec --no-TTY web-b touch /tmp/drain {A}",
        f"{up} web-b {A}",
        f"exec --no-TTY web-b rm -f /tmp/drain {A}",
        f"{up} worker mail calls loop backup {A} {B}",
    ]
    assert [line for line in asked if line in in_order] == in_order
    assert (tmp_path / "read").read_text(encoding="utf-8") == f"{A}\n{B}\n"


def test_where_the_other_web_server_is_away_the_one_that_answers_is_not_replaced(tmp_path: Path) -> None:
    code, asked, _ = update(tmp_path, A_IS_AWAY="1")
    assert code == 1
    assert not [line for line in asked if "web-b" in line and line.startswith("up")]
    assert A not in (tmp_path / "studio.conf").read_text(encoding="utf-8")


def test_without_nginx_no_port_is_asked_for(tmp_path: Path) -> None:
    code, asked, _ = update(tmp_path, NGINX_UPSTREAM="")
    assert code == 0
    assert not [line for line in asked if line.startswith("port")]


@pytest.mark.parametrize(
    ("step", "standing", "last"),
    [
        ("build", "Both web servers go on answering, as the version before.", "build"),
        ("run --rm migrate", "Both web servers go on answering, as the version before.", "run --rm migrate"),
        (
            "up --detach --no-deps --wait web-a",
            "web-b goes on answering; web-a was being replaced.",
            "exec --no-TTY web-a rm -f /tmp/drain",
        ),
        (
            "up --detach --no-deps --wait web-b",
            "web-a goes on answering; web-b was being replaced.",
            "exec --no-TTY web-b rm -f /tmp/drain",
        ),
        (
            "up --detach --no-deps --wait worker mail calls loop backup",
            "Both web servers are of the new version.",
            "up --detach --no-deps --wait worker mail calls loop backup",
        ),
    ],
)
def test_an_update_that_stops_half_way_says_who_answers_and_lets_nobody_wait_for_ever(
    step: str, standing: str, last: str, tmp_path: Path
) -> None:
    code, asked, said = update(tmp_path, FAILS=step, NGINX_UPSTREAM="")
    assert code == 1
    assert f"The update has stopped. {standing}" in said
    assert asked[-1] == last


def test_a_second_update_does_not_run_beside_the_first(tmp_path: Path) -> None:
    (tmp_path / "notes").touch()
    folder = os.open(tmp_path, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        code, asked, said = update(tmp_path)
    finally:
        os.close(folder)
    assert (code, asked, said) == (1, [], "Another update is running.\n")


@pytest.mark.parametrize(
    ("answer", "counts"),
    [
        ("200 OK", (1, 0)),
        ("302 Found\r\nLocation: /writing/1/receipt/", (1, 0)),
        ("302 Found\r\nLocation: /accounts/login/?next=/writing/1/", (0, 1)),
        ("503 Service Unavailable", (0, 1)),
    ],
)
def test_whoever_is_asked_to_sign_in_during_an_update_has_not_been_answered(
    answer: str, counts: tuple[int, int]
) -> None:
    async def reply(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(f"HTTP/1.1 {answer}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode())
        writer.close()

    async def ask(seen: Seen) -> None:
        async with await asyncio.start_server(reply, "127.0.0.1", 0) as server:
            await Watched(server.sockets[0].getsockname()[1], "session", seen).get("/writing/1/")

    seen = Seen()
    asyncio.run(ask(seen))
    assert (seen.answered, len(seen.failed)) == counts


@pytest.mark.django_db
def test_the_blinding_holds_of_the_study_that_trying_an_update_leaves_on_a_site() -> None:
    judging_study.prepare(judges=1, items=1, name="tried")
    call_command("verify_blinding", "tried", stdout=io.StringIO())
