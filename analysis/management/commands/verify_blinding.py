"""Recomputes what was promised: `manage.py verify_blinding STUDY`, or `--release FOLDER` for a published one."""

from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from analysis.blinding.services.verification import BlindingCheck, check_blinding
from analysis.data.core.study_tables import ORDER, StudyTables
from analysis.management.studies import study_named
from analysis.release.core.facts import ReleaseFacts
from analysis.release.core.release_folder import (
    ReleaseFolderError,
    csv_faults,
    file_faults,
    manifest_faults,
    read_facts,
    read_release,
    row_faults,
)
from analysis.release.core.verification import COARSENED, FROZEN, compared, differences, frozen_at_closing
from annotation.platform.core.phrases import counted
from annotation.texts.models.seeds import StudySeed


class Command(BaseCommand):
    help = (
        "Recompute the seed's commitment, every item and every submitted judgment of a study. Or, with --release, "
        "from a release's files alone: their sums, whether they fit one another, the commitment, every label and "
        "the frozen hashes. Ends with an error that names each thing that differs. What there is no record of is "
        "left out, and said. Neither the seed nor any source is ever printed."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("study", nargs="?", help="the study's short name")
        what.add_argument("--release", type=Path, metavar="FOLDER", help="the folder of a release, unpacked")

    def handle(self, *, study: str | None, release: Path | None, **_options: object) -> None:
        if release is not None:
            self._verify_release(release)
        elif study is not None:
            self._verify_study(study)

    def _verify_study(self, study: str) -> None:
        try:
            check = check_blinding(study_named(study))
        except StudySeed.DoesNotExist:
            raise CommandError(f"“{study}” has no seed yet: its design is not locked.") from None
        self._end(check.omissions, check.differences, _checked(check))

    def _verify_release(self, folder: Path) -> None:
        faults: list[str] = []
        try:
            faults += manifest_faults(folder)
            faults += file_faults(folder)
            faults += csv_faults(folder)
            faults += row_faults(folder)
            tables, facts = read_release(folder), read_facts(folder)
        except ReleaseFolderError as error:
            raise CommandError("\n".join(dict.fromkeys([*faults, str(error)]))) from None
        items = len(tables.items.drop_duplicates(["judge_id", "prompt_id"]))
        frozen = ", ".join(compared(tables, facts))
        self._end(
            _left_out(tables, facts),
            [*faults, *differences(tables, facts)],
            f"Every label of {counted(items, 'item')} follows from it."
            f"{frozen and f' As they were frozen: {frozen}.'} Compare the commitment with the one "
            f"that was published when the design was locked: {facts.commitment}{_statement(facts)}",
        )

    def _end(self, omissions: Iterable[str], differences: Iterable[str], checked: str) -> None:
        for omission in omissions:
            self.stdout.write(self.style.WARNING(omission))
        if found := "\n".join(differences):
            raise CommandError(found)
        self.stdout.write(self.style.SUCCESS(f"The seed matches its commitment. {checked}"))


def _statement(facts: ReleaseFacts) -> str:
    """The commitment to the unblinders, which was published with that to the seed."""
    sha256 = facts.unblinders.get("statement_sha256")
    return f", and that to the unblinders: {sha256}" if sha256 else ""


def _left_out(tables: StudyTables, facts: ReleaseFacts) -> Iterator[str]:
    frozen = frozen_at_closing(facts)
    if uncompared := ", ".join(sorted(frozen.keys() - compared(tables, facts).keys())):
        gone = ", ".join(
            counted(number, kind) for kind, number in sorted(Counter(tables.tombstones["kind"]).items())
        )
        yield (
            f"Data were withdrawn ({gone}), so some frozen hashes are of more than these, and not compared: "
            f"{uncompared}. What an earlier release has as well can be compared with it."
        )
    if coarsened := ", ".join(sorted(COARSENED & facts.frozen_tables.keys())):
        yield f"Published coarser than it was frozen, so that nobody is found by it, and not compared: {coarsened}."
    if not facts.unblinders.get("statement"):
        yield "The release has no statement of who alone could unblind, so nobody who did is compared with one."
    if unhashed := ", ".join(name for name in ORDER if _is_unhashed(name, tables, facts)):
        yield f"The release names no hash of these tables, so they were not compared with one: {unhashed}."
    if not facts.file_hashes:
        yield "The release names no hash of its files, so what no figure is of was not compared with one."
    if unknown := ", ".join(sorted(FROZEN - frozen.keys())):
        yield f"The release names no hash frozen when the study was closed, so nothing was compared, of: {unknown}."


def _is_unhashed(name: str, tables: StudyTables, facts: ReleaseFacts) -> bool:
    """Whether there is such a table, and the release, as an earlier version's, has no hash of it."""
    return name not in facts.table_hashes and not getattr(tables, name).empty


def _checked(check: BlindingCheck) -> str:
    if not check.items:
        return "No item has labels yet."
    items, judgments = counted(check.items, "item"), counted(check.judgments, "submitted judgment")
    return (
        f"Recomputed without a difference: {items}, {judgments}. Run verify_audit too: it shows whether the trail "
        f"they are compared with was changed."
    )
