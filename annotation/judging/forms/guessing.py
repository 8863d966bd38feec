"""Who wrote the answers of an item, as a judge guesses at the very end."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from uuid import UUID

from django import forms

from annotation.judging.models.judging import Guess
from annotation.judging.selectors.judging import Answer
from annotation.judging.services.guessing import MAX_CONFIDENCE, MIN_CONFIDENCE, Guessed

UNKNOWN = Guess.Source.UNKNOWN.value
SOURCES = [
    (Guess.Source.HUMAN, "A person"),
    (Guess.Source.MODEL, "A model"),
    (Guess.Source.UNKNOWN, "I don’t know"),
]
POLES = {MIN_CONFIDENCE: "a pure guess", MAX_CONFIDENCE: "quite sure"}
CONFIDENCES = [(n, f"{n}, {POLES[n]}" if n in POLES else str(n)) for n in range(MIN_CONFIDENCE, MAX_CONFIDENCE + 1)]


class GuessForm(forms.Form):
    """A source for each answer and, unless it is unknown, a confidence: fields `source:SLOT`, `confidence:SLOT`."""

    use_required_attribute = False  # missing guesses are named with everything else kept, here and without a script

    def __init__(
        self, *args: Any, answers: Sequence[Answer], options: Mapping[str, str] | None = None, **kwargs: Any
    ) -> None:
        """`options`, names by key, stand for people and models where there are some."""
        super().__init__(*args, **kwargs)
        self.answers = answers
        choices = [*options.items(), (UNKNOWN, "I don’t know")] if options else SOURCES
        for answer in answers:
            self.fields[f"source:{answer.slot}"] = forms.ChoiceField(
                label=f"Which framework was answer {answer.label} asked for under?"
                if options
                else f"Who wrote answer {answer.label}?",
                choices=choices,
                widget=forms.RadioSelect,
                error_messages={
                    "required": f"Answer {answer.label}: which framework, or you don’t know?"
                    if options
                    else f"Answer {answer.label}: a person, a model, or you don’t know?"
                },
            )
            self.fields[f"confidence:{answer.slot}"] = forms.TypedChoiceField(
                label=f"How sure are you about answer {answer.label}?",
                choices=CONFIDENCES,
                coerce=int,
                empty_value=None,
                required=False,
                widget=forms.RadioSelect,
            )

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        for answer in self.answers:
            needs_confidence = data.get(f"source:{answer.slot}", UNKNOWN) not in ("", UNKNOWN)
            confidence = f"confidence:{answer.slot}"
            if needs_confidence and data.get(confidence) is None and confidence not in self.errors:
                self.add_error(confidence, f"Answer {answer.label}: how sure are you?")
        return data

    def by_answer(self) -> Iterator[tuple[Answer, forms.BoundField, forms.BoundField]]:
        """Each answer with its two fields."""
        for answer in self.answers:
            yield answer, self[f"source:{answer.slot}"], self[f"confidence:{answer.slot}"]

    @property
    def guesses(self) -> dict[UUID, Guessed]:
        data = self.cleaned_data
        return {
            answer.slot: Guessed(data[f"source:{answer.slot}"], data[f"confidence:{answer.slot}"])
            for answer in self.answers
        }
