"""Scores by the panel of disciplinary perspectives: which are wanted, how they are asked for, how they are kept."""

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass
from functools import cache, lru_cache
from itertools import product
from typing import Any, cast
from uuid import UUID

from annotation.platform.core.errors import Refused
from annotation.platform.core.sealing import canonical_json
from annotation.platform.core.text import sha256_hex
from annotation.platform.services import many_rows
from annotation.study.core.rubric import Rubric, parse
from annotation.study.core.rubric_parts import PARTS
from annotation.study.models.studies import Study
from annotation.study.selectors.rubrics import standard_rubrics
from generation.calls.core.call_keys import call_key
from generation.calls.core.json_replies import Unreadable
from generation.calls.core.planned_calls import PlannedCall
from generation.calls.models import Call, GenerationRun
from generation.calls.selectors.calls import ReplyLine
from generation.calls.services.good_replies import GoodReply
from generation.calls.services.purposes import Purpose
from generation.catalogue.core.prompt_templates import PromptTemplate
from generation.catalogue.models import Target
from generation.catalogue.services import targets as target_services
from generation.catalogue.services import templates
from generation.panel.core.panel import OVERALL, Materials, Mode, Shape, panel_prompt, reply_schema
from generation.panel.core.panel_examples import Examples, examples_for, read_once, version_of_examples
from generation.panel.core.panel_replies import read_reply
from generation.panel.core.perspectives import PERSPECTIVES, Perspective, frozen, thawed
from generation.panel.core.rubric_texts import USUAL_PARTS, check_parts, named_parts, told_parts
from generation.panel.core.ways_to_score import WayToScore, unusual, version_of
from generation.panel.models import PanelScore
from generation.panel.selectors.panel import standing_judges
from generation.panel.selectors.panel_subjects import Subject, about_items, responses_shown, subjects
from generation.providers.base import Request

# For texts of a file, which belong to no study that would say so.
RUBRIC_OF_FILES = "social_concept_reasoning-1"
EFFORT_OF_FILES = "medium"
MAX_FILE_TOKENS = 16_000
# A judge reasons a little before it scores; the reply itself is short.
EXPECTED_TOKENS = 400
TOKENS_OF_A_REASON = 40


class Panel(Purpose):
    """The purpose “panel”."""

    role = Target.Role.PANEL

    def closed(self, run: GenerationRun) -> str:
        if run.study is None or run.study.state in ("closed", "unblinded"):
            return ""
        if run.study.state == "released":
            return "The study is released: the panel's scores stay as they are."
        if about_items(run):
            return "The panel reads what judges submitted: it is asked once the study is closed."
        if run.study.state == "judging":
            return ""
        return "The panel scores what judges see: it is asked once judging is open and no text changes any more."

    def materials(self, run: GenerationRun, targets: Sequence[Target]) -> dict[str, Any]:
        study = run.study
        if study is not None:
            self.check_plan(run, study)
        level = study.matched_effort if study else EFFORT_OF_FILES
        asked = self.way(run)
        perspectives = frozen(PERSPECTIVES) if asked.perspectives and run.mode != "inferred" else []
        return {
            "templates": templates.materials(study, [asked.template(run.mode)]),
            "rubric": asked.rubric,
            "approach": asked.approach,
            "told": list(asked.parts),
            "perspectives": perspectives,
            "reasons": asked.reasons,
            "examples": asked.examples,
            "unusual": [
                *unusual(asked.parts, perspectives, reasons=asked.reasons),
                *_named_examples(asked, run.mode),
            ],
            "efforts": {
                str(target.pk): target.effort or target_services.effort_of(target, level) for target in targets
            },
            "output_tokens": {
                "expected": EXPECTED_TOKENS + _tokens_of_reasons(asked, run.mode),
                "most": study.output_token_cap if study else MAX_FILE_TOKENS,
            },
        }

    def check_plan(self, run: GenerationRun, study: Study) -> None:
        """Raise `Refused` where nothing is to be scored, no judge is there to score, or the judges are not the
        study's.
        """
        _check_plan(run, study)

    def way(self, run: GenerationRun) -> WayToScore:
        """How a run that is being planned is to ask."""
        return _way_of(run)

    def wanted(self, run: GenerationRun) -> Iterator[PlannedCall]:
        return wanted_about(run, self.about(run))

    def about(self, run: GenerationRun, ids: Collection[Any] | None = None) -> Iterator[Subject]:
        """Everything the run is about, or what of it has one of `ids`."""
        return subjects(run, ids)

    def requests(self, run: GenerationRun, calls: Sequence[Call]) -> dict[int, Request]:
        """Nothing for a call whose texts may not be sent any more, because somebody has withdrawn their consent."""
        instrument = _instrument(run)
        about = {subject.id: subject for subject in self.about(run, {_subject_id(call) for call in calls})}
        targets = Target.objects.in_bulk({call.target_id for call in calls})
        requests = {}
        for call in calls:
            if subject := about.get(_subject_id(call)):
                target = targets[call.target_id]
                requests[call.pk] = Request(
                    model=target.model_id,
                    prompt=instrument.prompt(subject.labels, subject.materials, call.perspective, call.dimension),
                    effort=run.materials["efforts"][str(target.pk)],
                    max_output_tokens=run.materials["output_tokens"]["most"],
                    schema=reply_schema(instrument.shape(subject.labels, call.dimension)),
                    options=target.options,
                    replicate=call.replicate,
                )
        return requests

    def accept(self, good: Sequence[GoodReply], *, run: GenerationRun) -> Mapping[int, str]:
        instrument = _instrument(run)
        shown = responses_shown({each.call.item_id for each in good if each.call.item_id})
        unreadable, scores = {}, []
        for each in good:
            try:
                scores += _scores(each, instrument, _responses(each.call, shown))
            except Unreadable as fault:
                each.attempt.detail = str(fault)
                unreadable[each.call.pk] = "unreadable"
        many_rows.insert(scores)
        return unreadable

    def brought_sha256(self, run: GenerationRun) -> str:
        scores = PanelScore.objects.filter(call__run=run).order_by("call__key", "response")
        rows = scores.values_list("call__key", "response_id", "scores", "abstained", "mentioned", "reasons")
        brought = [
            (key, str(response), *said, *([reasons] if reasons else [])) for key, response, *said, reasons in rows
        ]
        return hashlib.sha256(canonical_json(brought)).hexdigest()

    def scope(self, run: GenerationRun) -> Sequence[tuple[str, str]]:
        """What judge models are told and asked for, as far as it can be chosen."""
        said = run.materials
        told = ", ".join(PARTS[part].lower() for part in told_parts(said))
        seats = len(said["perspectives"])
        return [
            ("Told of the rubric", told or "names of dimensions only"),
            ("Perspectives", str(seats) if seats else "none"),
            ("Reasons beside scores", "asked for" if said.get("reasons") else "not asked for"),
            ("Worked examples", str(len(read_once(said.get("examples", ""))) or "none")),
        ]

    def said(self, call: Call) -> Sequence[ReplyLine]:
        return list(_reply_lines(call))


PANEL = Panel()


def usual_way() -> WayToScore:
    """How texts of a file are scored unless it is said otherwise."""
    return WayToScore(standard_rubrics()[RUBRIC_OF_FILES].toml)


def _way_of(run: GenerationRun) -> WayToScore:
    """How a run that is being planned is to ask: as its study does, or as is wanted for a file."""
    if run.study:
        return WayToScore(
            run.study.rubric.toml,
            parts=check_parts(run.study.panel_rubric_parts),
            reasons=run.study.panel_gives_reasons and run.mode != "inferred",
            examples="" if about_items(run) else templates.current(run.study, "panel_examples").text,
        )
    way = run.materials["only"].get("way")
    return WayToScore(**way) if way else usual_way()


def wanted_about(run: GenerationRun, about: Iterable[Subject], *, repeats: int = 1) -> Iterator[PlannedCall]:
    """What the run wants to know about these of its subjects, from every perspective of every judge, so often."""
    instrument = _instrument(run)
    judges = [
        (share.target_id, _identity(run, share.target)) for share in run.shares.select_related("target__study")
    ]

    @cache
    def frame_length(labels: tuple[str, ...], seat: str, dimension: str) -> int:
        return len(instrument.prompt(labels, Materials("", {}), seat, dimension))

    for subject in about:
        inputs = {**subject.identity, **instrument.identity}
        asked = product(instrument.seats.items(), instrument.prompts, range(1, repeats + 1))
        for (seat, told), dimension, replicate in asked:
            inputs["perspective"] = sha256_hex("\x1f".join(astuple(told))) if told else ""
            if dimension:
                inputs["dimension"] = dimension
            for target, identity in judges:
                yield PlannedCall(
                    key=call_key(
                        target=identity, template=instrument.template.version, inputs=inputs, replicate=replicate
                    ),
                    target_id=target,
                    characters=frame_length(subject.labels, seat, dimension) + subject.materials.length,
                    perspective=seat,
                    dimension=dimension,
                    replicate=replicate,
                    **{subject.reference: subject.id},
                )


@dataclass(frozen=True)
class _Instrument:
    """How a run asks. `seats` are its perspectives by key; without any there is one, "".

    `prompts` are the dimensions that each have one of their own, or one "" for all of them.
    """

    mode: Mode
    template: PromptTemplate
    rubric: Rubric
    seats: Mapping[str, Perspective | None]
    prompts: Sequence[str]
    parts: Sequence[str]
    approach: str
    reasons: bool
    perspectives_version: str
    examples: Examples

    @property
    def identity(self) -> dict[str, Any]:
        """What distinguishes a call. Defaults are left out, so that earlier keys stay valid."""
        return {
            "rubric": self.rubric.sha256,
            **({"approach": self.approach} if self.approach else {}),
            **({"parts": named_parts(self.parts)} if tuple(self.parts) != USUAL_PARTS else {}),
            **({"perspectives": self.perspectives_version} if self.perspectives_version else {}),
            **({"reasons": True} if self.reasons else {}),
            **({"examples": version} if (version := version_of_examples(self.examples)) else {}),
        }

    def shape(self, labels: tuple[str, ...], dimension: str) -> Shape:
        return Shape(self.mode, self.rubric, labels, dimension, self.reasons)

    def prompt(self, labels: tuple[str, ...], materials: Materials, seat: str, dimension: str) -> str:
        shape = self.shape(labels, dimension)
        return panel_prompt(
            self.template,
            shape,
            materials,
            perspective=self.seats[seat],
            parts=self.parts,
            examples=self.examples[dimension],
        )


def _instrument(run: GenerationRun) -> _Instrument:
    said = run.materials
    [(name, wording)] = said["templates"].items()
    perspectives = thawed(said["perspectives"])
    prompts = _prompts(_parsed(said["rubric"]), said.get("approach", ""))
    shape = Shape(cast("Mode", run.mode), rubric_of(run), reasons=said.get("reasons", False))
    return _Instrument(
        mode=cast("Mode", run.mode),
        template=PromptTemplate(name, wording),
        rubric=rubric_of(run),
        seats={seat.key: seat for seat in perspectives} or {"": None},
        prompts=prompts,
        parts=told_parts(said),
        approach=said.get("approach", ""),
        reasons=said.get("reasons", False),
        perspectives_version=version_of(said["perspectives"]),
        examples=examples_for(said.get("examples", ""), shape, prompts),
    )


def _reply_lines(call: Call) -> Iterator[ReplyLine]:
    """A line for each score, in the rubric's order; those of answers judged together begin with their letters."""
    names = {each.key: each.name for each in rubric_of(call.run).dimensions} | {OVERALL: "Overall"}
    shown = responses_shown({call.item_id})[call.item_id] if call.item_id else {}
    letters = {response: f"{letter}: " for letter, response in shown.items()}
    for score in PanelScore.objects.filter(call=call).order_by("pk"):
        letter = letters.get(score.response_id, "") if score.response_id else ""
        for key, name in names.items():
            if key in score.scores:
                yield ReplyLine(f"{letter}{name}", str(score.scores[key]), score.reasons.get(key, ""))
        if score.abstained:
            yield ReplyLine(f"{letter}Abstains", "yes")


def _named_examples(way: WayToScore, mode: str) -> list[str]:
    """What the setting is called for the examples it has. Raises `Refused` for those of another form."""
    shape = Shape(cast("Mode", mode), way.scored_by, reasons=way.reasons)
    prompts = _prompts(_parsed(way.rubric), way.approach)
    version = version_of_examples(examples_for(way.examples, shape, prompts))
    return [f"examples:{version}"] if version else []


def _tokens_of_reasons(way: WayToScore, mode: str) -> int:
    if not way.reasons:
        return 0
    return TOKENS_OF_A_REASON * (len(way.scored_by.dimensions) if mode == "per_dimension" else 1)


def _prompts(rubric: Rubric, approach: str) -> Sequence[str]:
    if approach and rubric.variant(approach).prompting == "separate":
        return [dimension.key for dimension in rubric.dimensions]
    return [""]


def rubric_of(run: GenerationRun) -> Rubric:
    """The rubric a run scores by, on the scale of its approach."""
    rubric, approach = _parsed(run.materials["rubric"]), run.materials.get("approach", "")
    return rubric.in_variant(approach) if approach else rubric


@lru_cache(maxsize=16)
def _parsed(toml: str) -> Rubric:
    return parse(toml)


def _check_plan(run: GenerationRun, study: Study) -> None:
    """Raise `Refused` where there is nothing to score, or another panel than the study's to do it."""
    judges = standing_judges(study).count()
    if judges != study.panel_judge_models:
        what_to_do = "Add what is missing" if judges < study.panel_judge_models else "Retire what is too many"
        raise Refused(
            f"The panel of this study has {study.panel_judge_models} models, {judges} are configured. {what_to_do}."
        )
    if run.mode == "inferred" and not about_items(run):
        raise Refused("Scores are read out of a judge's words about a whole item, never about one answer alone.")
    if about_items(run) and next(subjects(run), None) is None:
        what = "justified" if run.mode == "inferred" else "submitted"
        raise Refused(f"There is nothing for the panel to read yet: no judge has {what} an item.")


def _identity(run: GenerationRun, target: Target) -> dict[str, object]:
    return target_services.identity(
        target,
        purpose=run.purpose,
        mode=run.mode,
        presentation=run.presentation,
        effort=run.materials["efforts"][str(target.pk)],
        output_token_cap=run.materials["output_tokens"]["most"],
    )


def _subject_id(call: Call) -> Any:
    return call.response_id or call.item_id or call.given_id or call.subject_id


def _responses(call: Call, shown: Mapping[int, Mapping[str, UUID]]) -> Mapping[str, UUID | None]:
    """The responses a call is about by label; one alone, or a text of a file (None), under ""."""
    return shown[call.item_id] if call.item_id else {"": call.response_id}


def _scores(good: GoodReply, instrument: _Instrument, responses: Mapping[str, UUID | None]) -> list[PanelScore]:
    """What a reply says of its responses."""
    labels = tuple(label for label in responses if label)
    scores = read_reply(good.reply.text, instrument.shape(labels, good.call.dimension))
    return [
        PanelScore(
            call=good.call,
            response_id=response,
            scores=dict(scores[label].values),
            abstained=scores[label].abstained,
            mentioned=list(scores[label].mentioned),
            reasons=dict(scores[label].reasons),
        )
        for label, response in responses.items()
    ]
