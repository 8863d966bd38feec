"""Constitutional trials: `manage.py trials STUDY --by EMAIL --at-most DOLLARS`."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.urls import reverse

from annotation.assignment.services import assembling, designing
from annotation.platform.core.errors import Refused
from annotation.platform.core.phrases import counted
from annotation.study.selectors.rubrics import rubric_by_hash
from annotation.texts.policies import takes_texts
from generation.apps import PROVIDERS
from generation.management.approved_runs import ApprovedRuns
from generation.management.arguments import coordinator_named, study_named, whole_number
from generation.management.model_runs import add_approval_arguments, approval, says_what_is_kept
from generation.trials.selectors.designs import approaches_of
from generation.trials.services import answers, model_coding, scores
from generation.trials.services.designs import make_cases

NOBODY_JUDGES = "Nobody judges: answers to a case under several conditions may be alike."


@dataclass(kw_only=True)
class TrialChain(ApprovedRuns):
    """From scenarios to evaluators' scores; each step goes on where it was left."""

    def prepare(self) -> None:
        """Cases, and the design locked."""
        if self.study.state == "design":
            number = make_cases(study=self.study, by=self.by)
            designing.lock_design(study=self.study, by=self.by)
            self.study.refresh_from_db()
            self.say(f"{counted(number, 'case')}; the design is locked.")

    def answer(self, repeats: int) -> None:
        if takes_texts(self.study):
            self.have_done(answers.plan_answers(study=self.study, by=self.by, repeats=repeats), "Answering")

    def open(self) -> None:
        """Where nobody judges; people's judging is opened by a person."""
        if takes_texts(self.study):
            if self.study.has_judging:
                raise Refused(
                    "People judge in this study: open judging on its page, and give the command again afterwards."
                )
            assembling.open_judging(study=self.study, by=self.by, reason=NOBODY_JUDGES)
            self.study.refresh_from_db()

    def score(self, approaches: Sequence[str], repeats: int) -> None:
        planned = scores.plan_scores(study=self.study, approaches=approaches, repeats=repeats, by=self.by)
        for run in planned:
            letter = next(
                letter
                for letter, key, _, _ in approaches_of(rubric_by_hash(self.study.rubric_id))
                if key == run.materials["approach"]
            )
            self.have_done(run, f"Approach {letter}")

    def code(self) -> None:
        """What answers recommend, by the evaluators; people code on its page."""
        self.have_done(model_coding.plan_codes(study=self.study, by=self.by), "Coding")


class Command(BaseCommand):
    help = (
        "Make a study's cases, lock its design, have its models answer each case under each condition and its "
        "evaluators score the answers, and if wanted code what they "
        "recommend. Given again, it goes on where it was broken off; nothing is paid for twice."
    )
    requires_system_checks = [PROVIDERS]

    def add_arguments(self, parser: CommandParser) -> None:
        add_approval_arguments(parser)
        parser.add_argument(
            "--approaches", nargs="+", metavar="LETTER", help="ways to ask evaluators, such as A D (all of them)"
        )
        parser.add_argument(
            "--repeats",
            type=whole_number(1, answers.MAX_REPEATS),
            default=1,
            metavar="NUMBER",
            help="answers to a case under one condition (1)",
        )
        parser.add_argument(
            "--scores",
            type=whole_number(1, scores.MAX_REPEATS),
            default=1,
            metavar="NUMBER",
            help="times each evaluator scores an answer (1)",
        )

        parser.add_argument(
            "--code",
            action="store_true",
            help="have the evaluators code what answers recommend, too: each scenario needs two categories",
        )

    @says_what_is_kept()
    def handle(
        self,
        *,
        study: str,
        by: str,
        at_most: Decimal,
        approaches: Sequence[str] | None,
        repeats: int,
        scores: int,
        code: bool,
        **_options: Any,
    ) -> None:
        found = study_named(study)
        coordinator = coordinator_named(by, found)
        keys = {letter: key for letter, key, _, _ in approaches_of(rubric_by_hash(found.rubric_id))}
        letters = list(approaches or keys)
        if unknown := [letter for letter in letters if letter not in keys]:
            raise CommandError(
                f"The study’s rubric has no approach {unknown[0]}. It has: {', '.join(keys) or 'none'}."
            )
        self.stdout.write(approval(coordinator, at_most))
        chain = TrialChain(study=found, by=coordinator, left=at_most, say=self.stdout.write)
        try:
            chain.prepare()
            chain.answer(repeats)
            chain.open()
            chain.score([keys[letter] for letter in letters], scores)
            if code:
                chain.code()
        except Refused as refusal:
            raise CommandError(str(refusal)) from refusal
        self.stdout.write(f"Done, at {reverse('trial_approaches', args=[found.slug])}.")
