"""What processor a job takes that does next to nothing: a mail is sent, by a worker that has loaded the whole site.

    python -m benchmarks.light_jobs [--jobs 100]

On the database of `DATABASE_URL` and the Redis of `REDIS_URL`, with a worker of its own; mails go nowhere. A job's
process is forked, connects to the database and ends, all of which counts. Ends with 1 where a job takes more than
50 ms.
"""

import argparse
import os
import time

import django

from annotation.people.core.work_kinds import MAIL_ACCOUNT
from benchmarks.rate import processor

MAX_PROCESSOR_SECONDS = 0.05  # seconds of a processor for a job
MAX_WAIT = 600.0  # seconds until something is stuck


def light_jobs(number: int) -> bool:
    """Whether so many jobs took no more than they may each."""
    from annotation.people.services import account_mail  # noqa: PLC0415 - models exist only once Django is set up
    from annotation.platform.models.work import Task  # noqa: PLC0415
    from benchmarks.support import calls_run  # noqa: PLC0415
    from scrub_site.management.commands import run_loop  # noqa: PLC0415

    with calls_run.workers(1, queue="mail") as crew:
        calls_run.wait_until_ready(1)
        begun = processor(crew.processes[0].pid)
        for place in range(number):
            account_mail.post(email=f"person-{place}@example.org", subject="A notice", body="Something happened.")
        mails = Task.objects.filter(kind=MAIL_ACCOUNT)
        began = time.monotonic()
        while mails.filter(done_at=None).exists():
            if time.monotonic() - began > MAX_WAIT:
                raise TimeoutError("mails are still waiting")
            run_loop.dispatch()
            time.sleep(0.1)
        each = (processor(crew.processes[0].pid) - begun) / number
    failed = mails.exclude(last_error="").count()
    print(f"{number} mails, {failed} of them not sent: {1000 * each:.1f} ms of a processor each")
    return not failed and each <= MAX_PROCESSOR_SECONDS


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=100)
    arguments = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "scrub_site.settings")
    os.environ["EMAIL_URL"] = "dummymail://"
    django.setup()
    if not light_jobs(arguments.jobs):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
