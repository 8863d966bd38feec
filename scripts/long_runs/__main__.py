"""The command; see the package's description."""

import argparse
from pathlib import Path
from typing import Final

from scripts import long_runs
from scripts.long_runs.choosing import left_to_long_runs, recorded
from tests.thorough import ALWAYS_RUN, LONG_RUNS, names_in

BY_HAND: Final = "# By hand"  # from here on the list is left as it is


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m scripts.long_runs", description=long_runs.__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("folder", type=Path, help="what the recorded run has written")
    tests = recorded(parser.parse_args().folder)
    begin_always_run = tuple(names_in(ALWAYS_RUN))
    chosen = list(left_to_long_runs(tests, frozenset(name for name in tests if name.startswith(begin_always_run))))
    _, marker, by_hand = LONG_RUNS.read_text(encoding="utf-8").partition(BY_HAND)
    LONG_RUNS.write_text("".join(f"{name}\n" for name in chosen) + marker + by_hand, encoding="utf-8")
    all_seconds, saved = (sum(tests[name].seconds for name in names) for names in (tests, chosen))
    print(
        f"{len(chosen)} of {len(tests)} tests are left to long runs, with {saved:.0f} of {all_seconds:.0f} seconds"
    )


if __name__ == "__main__":
    main()
