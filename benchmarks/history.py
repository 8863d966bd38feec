"""What it costs to keep every save: rows and bytes for half an hour at an answer.

    python -m benchmarks.history [--sessions 50]

Starts a demonstration of its own and ends it. Nobody waits: typists' clocks run as fast as their saves are kept.
"""

import argparse

from benchmarks.support.stack import demonstration, django_on

# Minutes of the half hour in which somebody types, 40 words in each; while they think, nothing is saved.
MINUTES_TYPING = {"about 400 words, and time to think": 12, "half an hour without a break": 30}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.history")
    parser.add_argument("--sessions", type=int, default=50)
    sessions = parser.parse_args().sessions
    with demonstration() as stack:
        django_on(stack)
        from benchmarks.support import saved_sessions  # noqa: PLC0415 - models exist only once Django is set up

        for name, minutes in MINUTES_TYPING.items():
            print(f"{name}; each of {sessions}:")
            saved_sessions.measure(sessions, minutes=minutes)


if __name__ == "__main__":
    main()
