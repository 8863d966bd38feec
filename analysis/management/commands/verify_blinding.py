"""Recomputes a study's items and judgments: `manage.py verify_blinding STUDY`."""

from django.core.management.base import BaseCommand, CommandError, CommandParser

from analysis.services.verification import BlindingCheck, check_blinding
from annotation.core.phrases import counted
from annotation.models.seeds import StudySeed
from annotation.models.studies import Study


class Command(BaseCommand):
    help = (
        "Recompute the seed's commitment, every item and every submitted judgment of a study. Ends with an error "
        "that names each thing that differs. What an old study has no record of is left out, and said. "
        "Neither the seed nor any source is ever printed."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="the study's short name")

    def handle(self, *, study: str, **_options: object) -> None:
        try:
            check = check_blinding(Study.objects.get(slug=study))
        except Study.DoesNotExist:
            known = ", ".join(Study.objects.order_by("slug").values_list("slug", flat=True))
            raise CommandError(f"No study is called “{study}”. There are: {known}.") from None
        except StudySeed.DoesNotExist:
            raise CommandError(f"“{study}” has no seed yet: its design is not locked.") from None
        for omission in check.omissions:
            self.stdout.write(self.style.WARNING(omission))
        if not check.passed:
            raise CommandError("\n".join(check.differences))
        self.stdout.write(self.style.SUCCESS(f"The seed matches its commitment. {_checked(check)}"))


def _checked(check: BlindingCheck) -> str:
    if not check.items:
        return "No item has labels yet."
    items, judgments = counted(check.items, "item"), counted(check.judgments, "submitted judgment")
    return (
        f"Recomputed without a difference: {items}, {judgments}. Run verify_audit too: it shows whether the trail "
        f"they are compared with was changed."
    )
