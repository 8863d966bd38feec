"""Prompts that models write for a study from two small sources, as far as a study in design may have come."""

from io import BytesIO
from pathlib import Path
from typing import Any

from annotation.platform.services import work
from annotation.study.models.studies import Study
from generation.catalogue.models import Target
from generation.catalogue.services import targets
from generation.demo.providers import DemoProvider
from generation.prompts.core.work_kinds import DRAW_MAP
from generation.prompts.services import prompt_maps, samples
from generation.providers.catalogue import endpoint
from generation.sources.core.source_files import read_source
from generation.sources.core.source_kinds import KindName
from generation.sources.models import Source
from generation.sources.services.sources import import_source, use_source
from scrub_site.demo import texts

FOLDER = Path(__file__).resolve().parent / "sources"
# They differ in how much of what they write is fit for experts, and in how often they repeat themselves.
MODELS = {
    "claude": {"quality": 0.9, "variety": 0.9},
    "gpt": {"quality": 0.75, "variety": 0.7, "spoils": 0.1, "declines": 0.05},
    "gemini": {"quality": 0.6, "variety": 0.45, "spoils": 0.1, "declines": 0.15},
}


def load_pool(study: Study) -> None:
    """Prompts of both sources are written, judged, mapped and sampled; those of the questions are compared as well.

    Comparing those of the concepts is planned, and waits for somebody to approve it. One model has proposed
    concepts from the rules of a reading room, about which nobody has decided.
    """
    concepts = _source(
        "concepts", "concepts", "MSC", "Concepts of an invented guide", "concepts.toml", "osterby.txt"
    )
    questions = _source("hle", "questions", "HLE", "Questions in the form of HLE", "questions.jsonl")
    for source in (concepts, questions):
        use_source(study=study, source=source, by=study.created_by)
    for family, options in MODELS.items():
        _name_model(study, family, options)
    demo = DemoProvider(endpoint("demo"))
    for purpose, only in (("prompts", {}), ("quality", {}), ("pairs", {"sources": [questions.pk]})):
        run = texts.plan(study, purpose=purpose, only=only)
        texts.work_off(run, lambda batch: [demo.reply(outgoing.request) for outgoing in batch])
    texts.plan(study, purpose="pairs", only={"sources": [concepts.pk]})
    _propose(study, demo)
    for source in (concepts, questions):
        asked = prompt_maps.ask_for_map(study=study, source=source, by=study.created_by)
        prompt_maps.draw_map(asked.pk)
        work.cancel_open_tasks(kind=DRAW_MAP, subject=asked.pk)
    samples.make_sample(study=study, by=study.created_by)


def _propose(study: Study, demo: DemoProvider) -> None:
    source = _source("concepts", "rules", "RUL", "Concepts of a reading room’s rules", "reading_room.txt")
    use_source(study=study, source=source, by=study.created_by)
    only = {"sources": [source.pk], "number": 6}
    run = texts.plan(study, purpose="concepts", only=only, targets=[Target.objects.filter(study=study)[:1].get()])
    texts.work_off(run, lambda batch: [demo.reply(outgoing.request) for outgoing in batch])


def _source(kind: KindName, slug: str, code: str, name: str, *files: str) -> Source:
    reading = read_source(kind, [(file, BytesIO((FOLDER / file).read_bytes())) for file in files])
    imported = import_source(
        slug=slug,
        kind=kind,
        shape="concept" if kind == "concepts" else "question",
        code=code,
        name=name,
        licence="Written for this demonstration",
        reduction=reading.reduction,
        files=reading.files,
        documents=reading.documents,
        by=None,
    )
    return imported.source


def _name_model(study: Study, family: str, options: dict[str, Any]) -> None:
    targets.add_target(
        study=study,
        role="prompts",
        family=family,
        provider="demo",
        model_id=texts.MODELS[family],
        options=options,
        by=study.created_by,
    )
