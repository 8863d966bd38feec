"""Writes the files in which a study's prompts are published: `manage.py export_prompts STUDY --out FOLDER`."""

from pathlib import Path
from typing import cast

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.study.models.studies import Study
from generation.prompts.core.prompt_files import EVALUATION_DATASET, STUDY_PROMPTS
from generation.prompts.core.quality import Scheme
from generation.prompts.models import PromptSample
from generation.prompts.selectors.prompt_files import evaluation_dataset_csv, study_prompts_csv


class Command(BaseCommand):
    help = (
        f"Write {STUDY_PROMPTS}, the prompts of a sample, and {EVALUATION_DATASET}, all that pass by the same "
        "rule: the files that the pages offer, byte for byte."
    )
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="its short name, as in addresses")
        parser.add_argument("--sample", type=int, help="its number; if not given the one taken, or else the newest")
        parser.add_argument("--out", type=Path, default=Path(), help="folder for the files; here if not given")

    def handle(self, *, study: str, sample: int | None, out: Path, **_options: object) -> None:
        found = Study.objects.filter(slug=study).first()
        if found is None:
            raise CommandError(f"There is no study “{study}”.")
        drawn = _sample(found, sample)
        if drawn is None:
            raise CommandError("No sample is drawn yet." if sample is None else "There is no such sample.")
        scheme = cast(Scheme, drawn.scheme)
        files = {
            STUDY_PROMPTS: study_prompts_csv(drawn),
            EVALUATION_DATASET: evaluation_dataset_csv(found, scheme=scheme, least_passes=drawn.least_passes),
        }
        out.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            _write(out / name, content)
            self.stdout.write(self.style.SUCCESS(f"Wrote {out / name}."))


def _sample(study: Study, number: int | None) -> PromptSample | None:
    samples = PromptSample.objects.filter(study=study).select_related("study")
    if number is not None:
        return samples.filter(pk=number).first()
    return samples.filter(taken_at__isnull=False).first() or samples.first()


def _write(path: Path, content: bytes) -> None:
    """The file is there whole or not at all."""
    part = path.with_name(f".{path.name}.part")
    try:
        part.write_bytes(content)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
