"""How long a large file of constitutional trials takes to be analysed: `python -m benchmarks.trials`.

20 scenarios, 3 models and 6 conditions are 360 answers; 5 evaluators score each in 4 approaches. One of them gives
one value to all in the first, another never replies in the third, and one reply in fifty fails. Needs no server.
Ends with 1 where a core works on it for 15 s.
"""

import csv
import io
import os
import random
import tempfile
import time
from itertools import product
from pathlib import Path

import django
from django.core.management import call_command

MAX_SECONDS = 15
CONDITIONS = ("no_constitution", "harm", "justice", "sovereignty", "order", "denied_fact")
COLUMNS = ("scenario", "model", "condition", "approach", "evaluator", "integrity", "transparency", "overall")
APPROACHES = ("A", "B", "C", "D")


def rows() -> list[tuple[object, ...]]:
    draw = random.Random(5)  # noqa: S311 - nothing is secret
    found = []
    for scenario, model, condition in product(range(20), range(3), CONDITIONS):
        truth = draw.gauss(84, 6) - 30 * (condition == "denied_fact")
        for approach, evaluator in product(APPROACHES, range(5)):
            points = [min(max(round(truth + draw.gauss(0, 4)), 0), 100) for _ in range(2)]
            if approach == "A":
                scores: list[object] = [1 if evaluator == 0 else int(each >= 60) for each in points]
            elif approach == "D":
                scores = list(points)
            else:
                scores = [(each >= 60) + (each >= 85) for each in points]
            if draw.random() < 0.02 or (approach, evaluator) == ("C", 4):
                scores = [-1, -1]
            own = round(sum(points) / 2) if approach == "D" else ""
            code = ("go", "stay", "ask")[CONDITIONS.index(condition) % 3]
            found.append((f"s{scenario}", f"m{model}", condition, approach, f"e{evaluator}", *scores, own, code))
    return found


def main() -> None:
    content = io.StringIO()
    writer = csv.writer(content)
    writer.writerow((*COLUMNS, "conclusion"))
    writer.writerows(rows())
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "trials.csv"
        file.write_text(content.getvalue(), encoding="utf-8")
        began, busy = time.perf_counter(), time.process_time()
        columns = ("--columns", "scenario=prompt,model=respondent,scenario+model+condition=unit")
        call_command(
            "analyse", "--trials", str(file), "--out", f"{folder}/out", *columns, "--controls", "denied_fact",
            stdout=io.StringIO(),
        )  # fmt: skip
        taken, busy = time.perf_counter() - began, time.process_time() - busy
        files = sum(1 for each in Path(folder, "out").rglob("*") if each.is_file())
    print(f"{len(rows()):,} rows: {taken:.1f} s, {busy:.1f} s of them at work; {files} files")
    if busy >= MAX_SECONDS:
        raise SystemExit(1)


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "scrub_site.settings")
    os.environ.setdefault("DEBUG", "1")
    # Settings ask for both, and nothing here connects to either.
    os.environ.setdefault("DATABASE_URL", "postgres://nobody@/none?host=/nowhere")
    os.environ.setdefault("REDIS_URL", "unix:///nowhere")
    django.setup()
    main()
