"""An experiment under pressure: `manage.py framings STUDY --by EMAIL --at-most DOLLARS`."""

from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.urls import reverse

from annotation.platform.core.errors import Refused
from annotation.platform.core.file_sizes import check_size
from annotation.platform.core.limits import TOML_BYTES
from annotation.platform.core.line_files import text_of_file
from annotation.platform.core.phrases import counted
from annotation.study.models.studies import Study
from generation.apps import PROVIDERS
from generation.framing.core.conditions import SHIPPED_TOML
from generation.framing.core.standing import CHECKS
from generation.framing.models import FramingSet
from generation.framing.selectors.framings import Framed
from generation.framing.services.scores import SHOWN
from generation.framing.services.sets import MAX_PROMPTS, make_set
from generation.management.arguments import coordinator_named, study_named, whole_number
from generation.management.framing_chain import FramingChain
from generation.management.model_runs import add_approval_arguments, approval, says_what_is_kept

MAX_SEED = 2**31 - 1
BY_MODELS = ("mechanical", "model")


class Command(BaseCommand):
    help = (
        "Have a study's models rewrite prompts into framings that take sides, check and answer them, and the panel "
        "score the answers. Given again, it goes on where it was broken off; nothing is paid for twice."
    )
    requires_system_checks = [PROVIDERS]

    def add_arguments(self, parser: CommandParser) -> None:
        add_approval_arguments(parser)
        parser.add_argument(
            "--set", type=whole_number(1, MAX_SEED), metavar="NUMBER", help="go on with this one; nothing is drawn"
        )
        parser.add_argument(
            "--prompts", type=whole_number(1, MAX_PROMPTS), default=30, metavar="NUMBER", help="that are drawn (30)"
        )
        parser.add_argument(
            "--seed", type=whole_number(0, MAX_SEED), default=42, metavar="NUMBER", help="of the draw (42)"
        )
        parser.add_argument(
            "--conditions",
            type=Path,
            metavar="FILE",
            help="what prompts are rewritten into, in TOML (the four that come with the site)",
        )
        parser.add_argument(
            "--needs",
            nargs="+",
            choices=list(CHECKS),
            default=BY_MODELS,
            help="who has to find nothing wrong in framings (a program and a model)",
        )
        parser.add_argument(
            "--origin",
            choices=FramingSet.Origin.values,
            default=FramingSet.Origin.STUDY,
            help="draw the study’s prompts, or others of its pool (study)",
        )
        parser.add_argument(
            "--again", action="store_true", help="have the prompts themselves answered twice, to show the noise"
        )
        parser.add_argument(
            "--alone", action="store_true", help="ask the framings alone, without the instruction about the length"
        )
        parser.add_argument(
            "--shows", choices=list(SHOWN), default="framing", help="what judge models read above an answer"
        )

    @says_what_is_kept()
    def handle(
        self,
        *,
        study: str,
        by: str,
        at_most: Decimal,
        set: int | None,  # noqa: A002
        prompts: int,
        seed: int,
        conditions: Path | None,
        needs: Sequence[str],
        origin: str,
        again: bool,
        alone: bool,
        shows: str,
        **_options: Any,
    ) -> None:
        found = study_named(study)
        coordinator = coordinator_named(by, found)
        self.stdout.write(approval(coordinator, at_most))
        try:
            drawn = (
                _set_numbered(found, set)
                if set
                else make_set(
                    study=found,
                    by=coordinator,
                    number=prompts,
                    seed=seed,
                    needs=needs,
                    conditions=_text_of(conditions) if conditions else SHIPPED_TOML,
                    origin=origin,
                )
            )
            chain = FramingChain(
                study=found,
                by=coordinator,
                left=at_most,
                say=self.stdout.write,
                framing_set=drawn,
                instructed=not alone,
                again=again,
                shows=shows,
            )
            chain.write()
            chain.check()
            if waiting := chain.waiting():
                raise CommandError(_waits(waiting, reverse("framing_set", args=[found.slug, drawn.pk])))
            chain.answer()
            chain.score()
        except Refused as refusal:
            raise CommandError(str(refusal)) from refusal
        address = reverse("framing_set", args=[found.slug, drawn.pk])
        self.stdout.write(f"Done: {counted(drawn.prompts.count(), 'prompt')} under pressure, at {address}.")


def _set_numbered(study: Study, number: int) -> FramingSet:
    drawn = FramingSet.objects.filter(study=study, pk=number).select_related("study").first()
    if drawn is None:
        raise CommandError(f"The study has no set {number}.")
    return drawn


def _text_of(path: Path) -> str:
    try:
        check_size(path, TOML_BYTES)
        return text_of_file(path)
    except (OSError, Refused) as error:
        raise CommandError(f"{path}: {getattr(error, 'strerror', None) or error}") from error


def _waits(waiting: Sequence[Framed], address: str) -> str:
    reasons = " ".join(sorted({each.standing.reason for each in waiting}))
    waits = "prompt waits" if len(waiting) == 1 else "prompts wait"
    return (
        f"{len(waiting):,} {waits}: {reasons} See {address}, and give the command again afterwards. "
        "What came back is kept."
    )
