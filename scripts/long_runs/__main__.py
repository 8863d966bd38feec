"""The command; see the package's description."""

import argparse
from pathlib import Path
from typing import Final

from scripts import long_runs
from scripts.long_runs.choosing import left_to_long_runs, timed
from tests.thorough import ALWAYS_RUN, LONG_RUNS, names_in

BY_HAND: Final = "# By hand"  # from here on the list is left as it is


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m scripts.long_runs", description=long_runs.__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("folder", type=Path, help="what the timed run has written")
    seconds = timed(parser.parse_args().folder)
    begin_always_run = tuple(names_in(ALWAYS_RUN))
    always = frozenset(name for name in seconds if name.startswith(begin_always_run))
    chosen = list(left_to_long_runs(seconds, always))
    _, marker, by_hand = LONG_RUNS.read_text(encoding="utf-8").partition(BY_HAND)
    LONG_RUNS.write_text("".join(f"{name}\n" for name in chosen) + marker + by_hand, encoding="utf-8")
    saved, all_of_them = sum(map(seconds.__getitem__, chosen)), sum(seconds.values())
    print(f"{len(chosen)} of {len(seconds)} tests are left to long runs.")
    print(f"They take {saved:.0f} of {all_of_them:.0f} seconds.")


if __name__ == "__main__":
    main()
