"""Recomputes a study's labels from its seed: `manage.py verify_blinding STUDY`."""

from django.core.management.base import BaseCommand, CommandError, CommandParser

from analysis.services.verification import check_blinding
from annotation.models.seeds import StudySeed
from annotation.models.studies import Study


class Command(BaseCommand):
    help = (
        "Recompute the seed's commitment and every label of a study. Ends with an error that names each label that "
        "differs. The seed itself is never printed."
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
        if not check.passed:
            raise CommandError("\n".join(check.differences))
        items = f"all labels of {check.items:,} items follow from it" if check.items else "no item has labels yet"
        self.stdout.write(self.style.SUCCESS(f"The seed matches its commitment, and {items}."))
