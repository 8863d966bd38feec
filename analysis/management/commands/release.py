"""Writes what a study publishes to a folder: `manage.py release STUDY --out DIR [--k 5] [--licence CC-BY-4.0]`."""

from pathlib import Path

from django.core.exceptions import PermissionDenied
from django.core.management.base import BaseCommand, CommandError, CommandParser

from analysis.blinding.services.verification import check_untouched
from analysis.management.folders import make_folder, shown_progress, write_files
from analysis.management.studies import study_named
from analysis.release.core.building import BuiltRelease, build_release
from analysis.release.selectors.release_facts import release_facts
from analysis.release.services.releases import check_k, check_licence
from analysis.unblinded.selectors.study_tables import study_tables
from annotation.platform.core.errors import Refused
from annotation.platform.core.phrases import counted
from annotation.study.models.studies import Study


class Command(BaseCommand):
    help = (
        "Write the files of a release of an unblinded study to a new or empty folder: tables as CSV and Parquet, "
        "data card, Croissant, codebook, rubric, seed, sums. Records nothing: publishing happens in the browser."
    )
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="the study's short name")
        parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="a new or empty folder")
        parser.add_argument(
            "--k", type=int, default=5, help="fewest people in any combination of what is told of them (5)"
        )

        parser.add_argument("--licence", default="", metavar="SPDX", help="the identifier of the data's licence")

    def handle(self, *, study: str, out: Path, k: int, licence: str, **_options: object) -> None:
        found = study_named(study)
        make_folder(out)
        built = _build(found, k, licence)
        written = write_files(built.files.items(), out)
        self._tell(built)
        self.stdout.write(self.style.SUCCESS(f"Wrote {counted(written, 'file')} to {out}."))

    def _tell(self, built: BuiltRelease) -> None:
        for each in built.report["generalised"]:
            told = ", ".join(f"{column} {words}" for column, words in each["columns"].items())
            rarest = (
                f"{each['smallest_group']} in the rarest combination, nothing told of {each['withheld']}: {told}"
            )
            what = "too few to tell anything of them" if each["is_withheld"] else rarest
            self.stdout.write(f"{counted(each['people'], each['role'])}, {what}.")
        for kind, number in built.report["withdrawn"].items():
            self.stdout.write(f"Withdrawn: {counted(number, kind)}.")


def _build(study: Study, k: int, licence: str) -> BuiltRelease:
    try:
        check_k(k)
        check_licence(licence)
        with shown_progress("Reading") as progress:
            facts = release_facts(study, licence=licence)
            check_untouched(study)
            return build_release(study_tables(study), facts, k=k, progress=progress)
    except (PermissionDenied, Refused) as error:
        raise CommandError(str(error)) from error
