#!/usr/bin/env python
"""Runs a management command of SCRuB Studio."""

import os
import signal
import sys

from django.core.management import execute_from_command_line

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "scrub_site.settings")
    try:
        execute_from_command_line(sys.argv)
    except KeyboardInterrupt:  # whoever gave the command knows why
        sys.exit(128 + signal.SIGINT)
