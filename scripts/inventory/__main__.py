"""The commands of the inventory; see the package's description."""

import argparse
import logging
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path

import django
from django.db import connection
from django.test.utils import override_settings

from scripts.inventory import demo, imports
from scripts.inventory.aspects import ASPECTS
from scripts.inventory.clock import standing_at
from scripts.inventory.folders import Aspect
from scripts.inventory.renames import Renames
from scripts.inventory.source import PROJECT

STATE = PROJECT / ".local" / "inventory"
# What reads files and imports modules alone does not connect to these addresses.
NO_SERVERS = {"DATABASE_URL": "postgres://nobody@/none?host=/nowhere", "REDIS_URL": "unix:///nowhere"}


def main() -> int:
    """The exit status: of a comparison 0 where all is the same, and 1 where something differs."""
    options = _arguments()
    os.environ |= {"DJANGO_SETTINGS_MODULE": "scrub_site.settings", "DEBUG": "1", "DEMO_MODE": "1"}
    aspects = [] if options.command == "demo" else [each for each in ASPECTS if each.name in options.aspects]
    if options.command == "compare" or (aspects and all(aspect.needs == "nothing" for aspect in aspects)):
        os.environ |= NO_SERVERS
    if "DATABASE_URL" not in os.environ:
        return _on_the_stack(sys.argv[1:])
    django.setup()
    if options.command == "compare":
        return _compare(options.before, options.after, Renames.read(options.renames), aspects)
    if options.command == "demo":
        with _migrated_database():
            demo.make(options.file)
        return 0
    return _record(options.folder, aspects, options.demo)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m scripts.inventory", description="What a move must not change.")
    commands = parser.add_subparsers(dest="command", required=True)
    make = commands.add_parser("demo", help="write the demonstration's data to a file")
    make.add_argument("file", type=Path)
    record = commands.add_parser("record", help="write an inventory of the working tree")
    record.add_argument("folder", type=Path, help="a new folder, or one of an earlier inventory")
    record.add_argument("--demo", type=Path, metavar="FILE", help="for pages and the release, which need its data")
    compare = commands.add_parser("compare", help="list what differs between two inventories")
    compare.add_argument("before", type=Path)
    compare.add_argument("after", type=Path, help="of the working tree as it is now")
    compare.add_argument("--renames", type=Path, metavar="FILE", help="TOML: what moved")
    names = [aspect.name for aspect in ASPECTS]
    for sub in (record, compare):
        sub.add_argument("--aspects", nargs="+", choices=names, default=names, metavar="NAME", help=" ".join(names))
    return parser.parse_args()


def _on_the_stack(arguments: Sequence[str]) -> int:
    """The same command on a PostgreSQL and a Redis of its own."""
    stack = [sys.executable, "-m", "scrub_site.local_stack", "run", "--throwaway", "--state", str(STATE), "--"]
    return subprocess.run([*stack, sys.executable, "-m", "scripts.inventory", *arguments], check=False).returncode


def _record(folder: Path, aspects: Sequence[Aspect], data: Path | None) -> int:
    """Without the demonstration's data, what needs them is left out."""
    chosen = [aspect for aspect in aspects if data or aspect.needs != "data"]
    for needed in ("nothing", "database", "data"):
        among = [aspect for aspect in chosen if aspect.needs == needed]
        if among:
            with _prepared(needed, data):
                for aspect in among:
                    _record_one(aspect, folder / aspect.name)
    return 0


def _record_one(aspect: Aspect, folder: Path) -> None:
    started = time.monotonic()
    shutil.rmtree(folder, ignore_errors=True)
    aspect.record(folder)
    print(f"{aspect.name}: {time.monotonic() - started:.1f} s", flush=True)


@contextmanager
def _prepared(needed: str, data: Path | None) -> Iterator[None]:
    """What aspects of a kind need."""
    with _migrated_database() if needed != "nothing" else nullcontext():
        if data and needed == "data":
            with demo.restored(data) as instant, standing_at(instant):
                yield
        else:
            yield


@contextmanager
def _migrated_database() -> Iterator[None]:
    name = connection.settings_dict["NAME"]
    logging.disable(logging.WARNING)  # of pages that are not there for somebody
    connection.creation.create_test_db(verbosity=0, autoclobber=True)
    try:
        with override_settings(DEBUG=False):  # it shows errors otherwise; static files keep their names with it
            yield
    finally:
        connection.creation.destroy_test_db(name, verbosity=0)


def _compare(before: Path, after: Path, renames: Renames, aspects: Sequence[Aspect]) -> int:
    count = 0
    for aspect in aspects:
        folders = before / aspect.name, after / aspect.name
        missing = [folder for folder in folders if not folder.is_dir()]
        found = [f"{folder} is missing" for folder in missing] or list(aspect.compare(*folders, renames))
        print(f"{aspect.name}: {len(found) or 'no'} differences")
        print("".join(f"    {line}\n" for line in found), end="")
        count += len(found)
    print("".join(f"{note}\n" for note in imports.notes(renames)), end="")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
