#!/usr/bin/env python
"""Runs a management command of SCRuB Studio."""

import os
import secrets
import signal
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line

# Settings want these. Nothing listens at such addresses, and nothing is signed with this key.
OF_NO_SERVER = {
    "SECRET_KEY": secrets.token_urlsafe(50),
    "DATABASE_URL": "postgres://nobody@/none?host=/nowhere",
    "REDIS_URL": "unix:///nowhere",
}


def needs_no_server(words: list[str]) -> bool:
    """Whether a command, with its options, works on files alone, or only tells how commands are used."""
    command = words[0] if words else "help"
    options = {word.partition("=")[0] for word in words}
    return (
        command in ("help", "analyse")
        or (command == "verify_blinding" and (len(words) == 1 or "--release" in options))
        or not options.isdisjoint({"--help", "-h"})
    )


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "scrub_site.settings")
    if needs_no_server(sys.argv[1:]):
        for name, value in OF_NO_SERVER.items():
            os.environ[name] = os.environ.get(name) or value
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as fault:  # it says what to do; where in the program that was found helps nobody
        sys.exit(f"Nothing was started. {fault}")
    except KeyboardInterrupt:  # whoever gave the command knows why
        sys.exit(128 + signal.SIGINT)
