"""The commands of the inventory; see the package's description."""

import argparse
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

from scripts.inventory import imports
from scripts.inventory.aspects import ASPECTS
from scripts.inventory.folders import Aspect
from scripts.inventory.renames import Renames
from scripts.inventory.source import PROJECT

STATE = PROJECT / ".local" / "inventory"
# Comparing reads folders and imports modules: nothing connects to these addresses.
NO_SERVERS = {"DATABASE_URL": "postgres://nobody@/none?host=/nowhere", "REDIS_URL": "unix:///nowhere"}


def main() -> int:
    """The exit status: of a comparison 0 where all is the same, and 1 where something differs."""
    options = _arguments()
    os.environ |= {"DJANGO_SETTINGS_MODULE": "scrub_site.settings", "DEBUG": "1", "DEMO_MODE": "1"}
    if options.command == "compare":
        os.environ |= NO_SERVERS
        django.setup()
        return _compare(options.before, options.after, Renames.read(options.renames), _chosen(options.aspects))
    if "DATABASE_URL" not in os.environ:
        return _on_the_stack(sys.argv[1:])
    django.setup()
    return _record(options.folder, _chosen(options.aspects))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m scripts.inventory", description="What a move must not change.")
    commands = parser.add_subparsers(dest="command", required=True)
    record = commands.add_parser("record", help="write an inventory of the working tree")
    record.add_argument("folder", type=Path, help="a new folder, or one of an earlier inventory")
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


def _chosen(names: Sequence[str]) -> list[Aspect]:
    return [aspect for aspect in ASPECTS if aspect.name in names]


def _record(folder: Path, aspects: Sequence[Aspect]) -> int:
    with _migrated_database() if any(aspect.needs != "nothing" for aspect in aspects) else nullcontext():
        for aspect in aspects:
            started = time.monotonic()
            shutil.rmtree(folder / aspect.name, ignore_errors=True)
            aspect.record(folder / aspect.name)
            print(f"{aspect.name}: {time.monotonic() - started:.1f} s", flush=True)
    return 0


@contextmanager
def _migrated_database() -> Iterator[None]:
    name = connection.settings_dict["NAME"]
    connection.creation.create_test_db(verbosity=0, autoclobber=True)
    try:
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
