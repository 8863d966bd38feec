"""What a coordinator writes down: concepts with their quotations, and the documents these come from."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django import forms

from annotation.platform.core.limits import DOCUMENT_BYTES, QUOTATIONS
from annotation.platform.forms.fields import TextFileField
from generation.sources.core.concept_files import DOCUMENTS
from generation.sources.core.concepts import (
    MAX_CITATION_LENGTH,
    MAX_NAME_LENGTH,
    MAX_NEAREST,
    MAX_QUOTE_LENGTH,
    MAX_TITLE_LENGTH,
    Passage,
    Quote,
    QuoteCheck,
    check_quote,
    passage_of,
)
from generation.sources.core.table_sources import MAX_TEXT_LENGTH
from generation.sources.models import Document, ProposedConcept

MIN_ROWS, MAX_ROWS = 2, QUOTATIONS
ROW: Final = ("text", "document", "citation")


@dataclass(frozen=True)
class QuoteRow:
    """The fields of a quotation, and what looking it up found: `None` where there is nothing to look up.

    `passage` is how it stands in its document, `verified` a box to tick for whoever has to read it there.
    """

    number: int
    text: forms.BoundField
    document: forms.BoundField
    citation: forms.BoundField
    check: QuoteCheck | None
    passage: Passage | None
    verified: forms.BoundField | None


class ConceptForm(forms.Form):
    """A concept with `rows` places for quotations, which stay empty where they are not needed.

    Every quotation is looked up in the text of its document.
    """

    theme = forms.CharField(max_length=MAX_NAME_LENGTH, required=False, label="Theme", help_text="Groups concepts.")
    name = forms.CharField(max_length=MAX_NAME_LENGTH, label="Concept")
    interpretation = forms.CharField(
        max_length=MAX_TEXT_LENGTH,
        label="Interpretation",
        help_text="What the concept means in the documents that it is taken from.",
        widget=forms.Textarea(attrs={"rows": 4}),
    )

    def __init__(
        self, documents: Sequence[Document], data: Any = None, *, initial: Any = None, rows: int = MIN_ROWS
    ) -> None:
        super().__init__(data, initial=initial)
        self.documents = {document.title: document for document in documents}
        self.rows = min(max(rows, MIN_ROWS), MAX_ROWS)
        self._looked_up: dict[tuple[str, str], QuoteCheck] = {}
        for number in range(self.rows):
            self.fields |= _quote_fields(number, list(self.documents))

    @property
    def quotes(self) -> list[QuoteRow]:
        return [self.quote(number) for number in range(self.rows)]

    def quote(self, number: int) -> QuoteRow:
        """The place of that number, with what is in it now looked up, whether the form is valid or not."""
        text, document, citation = (self[f"quote_{number}_{name}"] for name in ROW)
        words, source = text.value(), self.documents.get(document.value())
        check = self._check(words, source) if source and words and words.strip() else None
        passage = passage_of(words, source.text) if source and check and check.is_found else None
        return QuoteRow(number, text, document, citation, check, passage, self._verified(number))

    def _verified(self, number: int) -> forms.BoundField | None:  # noqa: ARG002
        return None

    def _check(self, words: str, document: Document) -> QuoteCheck:
        """Each quotation is looked up once; what comes near it is sought for the first that are not found."""
        key = (document.title, words)
        if key not in self._looked_up:
            missed = sum(not check.is_found for check in self._looked_up.values())
            self._looked_up[key] = check_quote(words, document.text, seeks_nearest=missed < MAX_NEAREST)
        return self._looked_up[key]

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        described = {name: data.get(name, "") for name in ("theme", "name", "interpretation")}
        return {**described, "quotes": list(self._quotes(data))}

    def _quotes(self, data: Mapping[str, Any]) -> Iterator[Quote]:
        for row in self.quotes:
            text, document, citation = (data.get(f"quote_{row.number}_{name}", "") for name in ROW)
            if not text:
                continue
            if not document:
                self.add_error(row.document.name, "Choose the document that it is taken from.")
            elif row.check and not row.check.is_found:
                # Above the form: beside its field, what looking it up finds meanwhile is shown.
                self.add_error(None, f"Quotation {row.number + 1} is not in its document word for word.")
            yield Quote(text, document, citation)


def _quote_fields(number: int, titles: Sequence[str]) -> dict[str, forms.Field]:
    named = f"quote_{number}"
    return {
        f"{named}_text": forms.CharField(
            max_length=MAX_QUOTE_LENGTH,
            required=False,
            label="Words",
            help_text="As they stand there; “[…]” where you leave some out.",
            widget=forms.Textarea(attrs={"rows": 3}),
        ),
        f"{named}_document": forms.ChoiceField(
            choices=[("", "choose"), *zip(titles, titles, strict=True)], required=False, label="Document"
        ),
        f"{named}_citation": forms.CharField(
            max_length=MAX_CITATION_LENGTH, required=False, label="Where in it", help_text="A section or page."
        ),
    }


def of_concept(payload: Mapping[str, Any]) -> tuple[dict[str, str], int]:
    """What a stored concept fills into the form, and how many quotations it has."""
    initial = {"theme": payload["theme"], "name": payload["concept"], "interpretation": payload["interpretation"]}
    for number, quote in enumerate(payload["quotes"]):
        initial |= {f"quote_{number}_{name}": quote[name] for name in ROW}
    return initial, len(payload["quotes"])


class ProposalForm(ConceptForm):
    """A concept made of a model's proposal: whoever takes it up says of each quotation that they have read it."""

    def __init__(
        self, documents: Sequence[Document], data: Any = None, *, initial: Any = None, rows: int = MIN_ROWS
    ) -> None:
        super().__init__(documents, data, initial=initial, rows=rows)
        for number in range(self.rows):
            self.fields[f"quote_{number}_verified"] = forms.BooleanField(
                required=False, label="I have read it in the document, and it bears out the interpretation."
            )

    def _verified(self, number: int) -> forms.BoundField:
        return self[f"quote_{number}_verified"]

    def clean(self) -> dict[str, Any]:
        given, data = self.cleaned_data, super().clean()
        for row in self.quotes:
            if given.get(row.text.name) and not given.get(f"quote_{row.number}_verified"):
                self.add_error(
                    f"quote_{row.number}_verified",
                    "Read the passage where it stands, and say so. To leave the quotation out, empty its place.",
                )
        verified = [quote for quote in data["quotes"] if self._is_verified(given, quote)]
        return {**data, "verified": verified}

    def _is_verified(self, given: Mapping[str, Any], quote: Quote) -> bool:
        return any(
            given.get(f"quote_{number}_verified") and given.get(f"quote_{number}_text") == quote.text
            for number in range(self.rows)
        )


def of_proposal(proposal: ProposedConcept) -> tuple[dict[str, str], int]:
    """What a proposal fills into the form, and how many quotations it has."""
    quotes = [{**quote, "document": proposal.document.title} for quote in proposal.quotes]
    return of_concept(
        {
            "theme": proposal.theme,
            "concept": proposal.name,
            "interpretation": proposal.interpretation,
            "quotes": quotes,
        }
    )


class DeclineForm(forms.Form):
    """Why a proposed concept is left aside."""

    reason = forms.CharField(
        max_length=400,
        label="Reason",
        help_text="Kept with the proposal, such as “another name for Candour” or “quotes what is not there”.",
    )


class DocumentForm(forms.Form):
    """A text that concepts quote: pasted, or as a file."""

    title = forms.CharField(max_length=MAX_TITLE_LENGTH, label="Title", help_text="Quotations name it by this.")
    citation = forms.CharField(max_length=MAX_CITATION_LENGTH, label="Citation", help_text="As in a bibliography.")
    text = forms.CharField(
        max_length=DOCUMENT_BYTES, required=False, label="Text", widget=forms.Textarea(attrs={"rows": 8})
    )
    file = TextFileField(
        what="A document",
        max_bytes=DOCUMENT_BYTES,
        required=False,
        label="Or a text file",
        help_text=f"In UTF-8, up to {DOCUMENT_BYTES // 1000} kB.",
        widget=forms.FileInput(attrs={"accept": ",".join(DOCUMENTS)}),
    )

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        file = data.pop("file", None)
        if file:
            data["text"] = file
        elif not data.get("text") and not self.has_error("file"):
            self.add_error("text", "Paste the text, or choose a file.")
        return data
