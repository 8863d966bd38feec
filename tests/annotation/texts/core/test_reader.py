"""Texts are read in a process of their own, and none can do more than end it."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from annotation.texts.core.reading import read_text
from annotation.texts.providers.reader import Limits, Reader, Unreadable
from tests.annotation.texts.stubborn_reader import MODULE
from tests.factories import GIVEAWAY, an_essay

SHORT = Limits(processor=1, in_all=60)


@pytest.fixture
def reader() -> Iterator[Reader]:
    reader = Reader(MODULE, limits=SHORT)
    yield reader
    reader.stop()


def process_of(reader: Reader) -> int:
    assert reader._child
    return reader._child.pid


@pytest.mark.parametrize("text", [an_essay(), GIVEAWAY, "By *Ada Example*: “naïve” \U0001f642 \ud800 \0", ""])
def test_a_reader_says_what_reading_a_text_in_this_process_says(reader: Reader, text: str) -> None:
    assert reader.read(text, names=["Ada Example"]) == read_text(text, names=["Ada Example"])


@pytest.mark.parametrize(
    ("text", "limits", "why"),
    [
        ("This counts for ever.", SHORT, "more than 1 s of a processor"),
        ("This sleeps.", Limits(processor=1, in_all=0.5), "more than 0.5 s to read"),
        ("This takes all memory.", SHORT, "more than 1 GB of memory"),
        ("This is killed.", SHORT, "its process was killed"),
        ("This is at fault.", SHORT, "a fault of the program"),
    ],
)
def test_whatever_ends_a_readers_process_is_told_and_the_next_text_is_read(
    reader: Reader, text: str, limits: Limits, why: str
) -> None:
    with pytest.raises(Unreadable, match=why):
        reader.read(text, limits=limits)
    assert reader.read("Towns differ.").text == "Towns differ."


def test_many_texts_are_read_in_one_process_each_with_its_own_seconds(reader: Reader) -> None:
    """Together they take more of a processor than one may."""
    text, used = an_essay(sentences=300), 0.0
    process = reader.read(text) and process_of(reader)
    while used < 3 * SHORT.processor:
        reader.read(text)
        with open(f"/proc/{process}/stat") as status:
            ticks = status.read().rsplit(")", 1)[1].split()[11:13]
        used = sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")
    assert process_of(reader) == process


def test_a_process_that_was_killed_between_two_texts_is_replaced_without_a_word(reader: Reader) -> None:
    reader.read("One.")
    os.kill(process_of(reader), signal.SIGKILL)
    os.waitid(os.P_PID, process_of(reader), os.WEXITED | os.WNOWAIT)
    assert reader.read("Two.").text == "Two."


def test_an_exchange_that_is_broken_off_leaves_no_answer_for_the_next_text(reader: Reader) -> None:
    class TimeIsUp(Exception):
        """As a worker raises it where work takes longer than it may."""

    def raise_it(*_: object) -> None:
        raise TimeIsUp

    reader.read("One.")
    before = signal.signal(signal.SIGALRM, raise_it)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        with pytest.raises(TimeIsUp):
            reader.read("This sleeps.")
    finally:
        signal.signal(signal.SIGALRM, before)
    assert reader.read("Two.").text == "Two."


def test_the_readers_process_knows_neither_django_nor_secrets() -> None:
    script = (
        "import os, sys\n"
        "from annotation.texts.providers import reading_child\n"
        "print([name for name in sys.modules if name.split('.')[0] in ('django', 'psycopg', 'redis')])\n"
    )
    done = subprocess.run([sys.executable, "-c", script], env={}, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_readers_process_is_given_no_environment(reader: Reader) -> None:
    reader.read("One.")
    with open(f"/proc/{process_of(reader)}/environ", "rb") as environment:
        assert b"SECRET_KEY" not in (given := environment.read())
    assert b"DATABASE_URL" not in given


def test_the_readers_process_ends_with_the_one_that_started_it() -> None:
    script = (
        "import django; django.setup()\n"
        f"from annotation.texts.providers.reader import Reader; reader = Reader({MODULE!r})\n"
        "reader.read('One.'); print(reader._child.pid, flush=True)\n"
        "import os, signal; os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    given = {**os.environ, "DJANGO_SETTINGS_MODULE": "scrub_site.settings"}
    done = subprocess.run([sys.executable, "-c", script], env=given, capture_output=True, text=True, check=False)
    assert done.returncode == -signal.SIGKILL
    until = time.monotonic() + 20
    while time.monotonic() < until:
        try:
            os.kill(int(done.stdout), 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    pytest.fail("it is still there")
