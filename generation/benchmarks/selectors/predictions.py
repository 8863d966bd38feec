"""What models answered to a benchmark's questions, as far as it stands."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, cast

from annotation.benchmarks.core.subsets import ORIGINAL, SUBSETS
from annotation.benchmarks.models.benchmarks import Benchmark
from annotation.platform.core.csv_cells import csv_line
from annotation.platform.core.model_names import told_apart
from generation.benchmarks.core.asking import HISTORY, PUBLISHED, REPHRASED, SINGLY
from generation.benchmarks.models import Prediction, Wording
from generation.benchmarks.selectors.wordings import asked_stories
from generation.calls.models import Call, GenerationRun
from generation.catalogue.models import Target

ANSWERED: Final = "answered"
FAILED: Final = "failed"
NOT_ASKED: Final = "not asked"
STATES: Final = {"accepted": ANSWERED, "failed": FAILED, "not_asked": NOT_ASKED}
COLUMNS: Final = ("model", "model_id", "question", "mode", "wording", "number", "state", "prediction")


@dataclass(frozen=True)
class Predicted:
    """What became of a question that a model was asked. `mode` is “singly” or “history”; of conversations about the
    questions of another subset than the original one, “history, cleaned” or “history, corrected”.

    `prediction` is there where the model answered.
    """

    target: Target
    wording: Wording
    mode: str
    state: str
    prediction: Prediction | None = None


def predicted(benchmark: Benchmark) -> list[Predicted]:
    """All that was asked and settled. Of what was asked once more, or asked otherwise later, the last counts."""
    settled = _settled(benchmark)
    predictions = {
        prediction.call_id: prediction
        for prediction in Prediction.objects.filter(wording__question__story__benchmark=benchmark)
    }
    found = [
        _predicted(call, SINGLY, predictions)
        for call in _last(call for call in settled if _mode(call) == SINGLY)
        if _stands(call)
    ]
    conversations = [call for call in settled if _mode(call) == HISTORY]
    for subset in SUBSETS:
        asked = {call.target_id for call in conversations if call.run.materials["only"]["subset"] == subset}
        if asked:
            stories = asked_stories(benchmark, subset)
            found += (
                _predicted(call, mode_of(subset), predictions)
                for call in _told(conversations, stories, sorted(asked))
            )
    return sorted(found, key=_order)


def mode_of(subset: str) -> str:
    """What conversations about a subset's questions are called."""
    return HISTORY if subset == ORIGINAL else f"{HISTORY}, {subset}"


def predictions_csv(benchmark: Benchmark) -> str:
    """Answers to the questions as they are published or corrected, as `analyse_audit` reads them."""
    found = [each for each in predicted(benchmark) if each.wording.kind != REPHRASED and each.prediction]
    names = told_apart({each.target.pk: (each.target.family, each.target.model_id) for each in found})
    return csv_line(COLUMNS) + "".join(csv_line(_cells(each, names[each.target.pk])) for each in found)


def _cells(each: Predicted, name: str) -> list[str]:
    return [
        name,
        each.target.model_id,
        str(each.wording.question.number),
        each.mode,
        each.wording.kind,
        str(each.wording.number or ""),
        each.state,
        each.prediction.words if each.prediction else "",
    ]


def _settled(benchmark: Benchmark) -> list[Call]:
    """Settled calls in the order in which they were planned, with what they are about."""
    calls = Call.objects.filter(
        run__purpose=GenerationRun.Purpose.PREDICTION,
        subject__wording__question__story__benchmark=benchmark,
        state__in=STATES,
    )
    wording = "subject__wording"
    told = ("run", "target", f"{wording}__question__story__benchmark", f"{wording}__call")
    return list(calls.select_related(*told).order_by("pk"))


def _mode(call: Call) -> str:
    return str(call.run.materials["only"]["mode"])


def _wording(call: Call) -> Wording:
    return cast(Wording, call.subject.wording)  # type: ignore[union-attr]


def _stands(call: Call) -> bool:
    """Whether what it asks is what is asked now: not so of a rephrasing that another one was asked for instead."""
    rephrased_by = _wording(call).call
    return rephrased_by is None or rephrased_by.state == "accepted"


def _last(calls: Iterator[Call]) -> list[Call]:
    """One call for each question and model: one that was answered before any other, and the last of these."""
    found: dict[tuple[int, int], Call] = {}
    for call in calls:
        place = (call.target_id, _wording(call).pk)
        if place not in found or call.state == "accepted" or found[place].state != "accepted":
            found[place] = call
    return list(found.values())


def _told(calls: Sequence[Call], stories: Sequence[Sequence[Wording]], targets: Sequence[int]) -> Iterator[Call]:
    """The calls of the conversations about these stories, each as far as it came."""
    by_place: dict[tuple[int, int, int], Call] = {}
    for call in calls:
        place = (call.target_id, _wording(call).pk, call.after_id or 0)
        if place not in by_place or call.state == "accepted" or by_place[place].state != "accepted":
            by_place[place] = call
    for target in targets:
        for story in stories:
            before = 0
            for wording in story:
                found = by_place.get((target, wording.pk, before))
                if found is None:
                    break
                yield found
                before = found.pk


def _predicted(call: Call, mode: str, predictions: dict[int, Prediction]) -> Predicted:
    return Predicted(call.target, _wording(call), mode, STATES[call.state], predictions.get(call.pk))


def _order(each: Predicted) -> tuple[str, int, str, str, int, int]:
    wording = each.wording
    kind = "" if wording.kind == PUBLISHED else wording.kind
    return (each.target.family, each.target.pk, each.mode, kind, wording.question.number, wording.number)
