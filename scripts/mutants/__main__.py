"""The commands; see the package's description."""

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path

from scripts import mutants
from scripts.mutants.drawing import Mutant, draw
from scripts.mutants.trials import TrialError, check_tree, killed_by


def main() -> int:
    """The exit status: 0 where every fault was noticed."""
    parser = argparse.ArgumentParser(prog="python -m scripts.mutants", description=mutants.__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    commands = parser.add_subparsers(dest="command", required=True)
    drawing = commands.add_parser("draw", help="write faults to a file")
    trying = commands.add_parser("try", help="put each fault into a clone and run the tests around it")
    for command in (drawing, trying):
        command.add_argument("file", type=Path)
    drawing.add_argument("--seed", type=int, default=17)
    trying.add_argument("--tree", type=Path, required=True, help="a clone, which is changed and put back")
    trying.add_argument("--share", default="1/1", help="which of how many equal shares of the faults")
    options = parser.parse_args()
    if options.command == "draw":
        lines = [json.dumps(asdict(mutant)) for mutant in draw(options.seed)]
        options.file.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return 0
    check_tree(options.tree)
    part, parts = map(int, options.share.split("/"))
    read = [Mutant(**json.loads(line)) for line in options.file.read_text(encoding="utf-8").splitlines()]
    return _try(read[part - 1 :: parts], options.tree)


def _try(chosen: list[Mutant], tree: Path) -> int:
    unnoticed = 0
    for mutant in chosen:
        try:
            told = killed_by(mutant, tree)
            unnoticed += told is None
        except (TrialError, ValueError, FileNotFoundError) as error:
            told = f"NOT TRIED: {error}"
        print(f"{mutant} | {told or 'NOT NOTICED'}", flush=True)
    print(f"{len(chosen)} faults, {unnoticed} not noticed")
    return int(unnoticed > 0)


if __name__ == "__main__":
    sys.exit(main())
