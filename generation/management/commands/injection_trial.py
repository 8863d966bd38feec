"""Tries whether essays can steer their judges: `manage.py injection_trial FILE.csv --judge MODEL`."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from pathlib import Path
from statistics import fmean

from django.core.management.base import BaseCommand, CommandParser

from annotation.platform.core.phrases import counted
from generation.apps import PROVIDERS
from generation.management.model_runs import says_what_is_kept
from generation.management.scoring import add_scoring_arguments, have_scored, read_file
from generation.panel.core.injections import Comparison, Seats, compare, twins
from generation.panel.core.score_files import GivenAnswer
from generation.panel.services.panel import usual_way
from generation.panel.services.score_files import Scored, scored


class Command(BaseCommand):
    help = (
        "Have every answer of a CSV file scored as it is and with each of several tricks in it (orders to the "
        "judge, closed fences, imitated replies), and compare the scores of these twins."
    )
    requires_system_checks = [PROVIDERS]

    def add_arguments(self, parser: CommandParser) -> None:
        add_scoring_arguments(parser)

    @says_what_is_kept()
    def handle(
        self,
        *,
        file: Path,
        judge: list[str],
        at_most: Decimal | None,
        retry_failed: bool,
        price: list[tuple[str, str, str]],
        **_options: object,
    ) -> None:
        answers = list(_twins(read_file(file)))
        run = have_scored(
            answers, judges=judge, at_most=at_most, retry_failed=retry_failed, prices=price, out=self.stdout
        )
        for line in _report(compare(_by_twin(scored(run, answers)))):
            self.stdout.write(line)


def _twins(answers: Sequence[GivenAnswer]) -> Iterator[GivenAnswer]:
    """Each known by the trick in it and the answer's own id, with a colon between."""
    dimensions = [dimension.key for dimension in usual_way().scored_by.dimensions]
    prompts = {answer.response_id: answer.prompt_text for answer in answers}
    texts = {answer.response_id: answer.response_text for answer in answers}
    for (trick, name), text in twins(texts, dimensions).items():
        yield GivenAnswer(f"{trick}:{name}", prompts[name], text, "")


def _by_twin(lines: Iterable[Scored]) -> dict[tuple[str, str], Seats]:
    found: dict[tuple[str, str], dict[tuple[str, str], float]] = defaultdict(dict)
    for line in lines:
        if line.scores is not None:
            trick, _, name = line.answer.response_id.partition(":")
            found[trick, name][line.judge_model, line.perspective] = fmean(line.scores.values())
    return dict(found)


def _report(comparisons: Iterable[Comparison]) -> Iterator[str]:
    yield "Mean difference that a trick makes to scores, in points of the scale (standard error over essays):"
    for each in comparisons:
        difference = "none" if each.difference is None else f"{each.difference:+.2f}"
        error = "" if each.standard_error is None else f" ({each.standard_error:.2f})"
        rose = f"{each.raised} of {counted(each.pairs, 'pair')} rose"
        yield f"{difference:>6}{error}  {each.injection.title}: {rose}, {each.unscored} without a score"
