"""What a coordinator fills in about payments."""

from datetime import date
from decimal import Decimal
from typing import Any

from django import forms

from annotation.coordination.core.honoraria import Account
from annotation.coordination.selectors.honoraria import Ledger
from annotation.platform.services.clock import database_today

MAX_NOTE_LENGTH = 200  # characters


class PaidForm(forms.Form):
    """When something was paid, and what is to be kept beside it."""

    day = forms.DateField(
        label="Paid on",
        initial=database_today,
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
    )
    note = forms.CharField(
        required=False,
        max_length=MAX_NOTE_LENGTH,
        label="Note",
        help_text="For instance how it was paid, or the number of the transfer.",
    )

    def clean_day(self) -> date:
        day: date = self.cleaned_data["day"]
        if day > database_today():
            raise forms.ValidationError("This day is still to come. Record a payment once it is made.")
        return day


class PaymentForm(PaidForm):
    """One payment to one person, whose account is as it is now. More than is open is taken once that was ticked."""

    amount = forms.DecimalField(max_digits=9, decimal_places=2, min_value=Decimal("0.01"), label="Amount")
    ahead = forms.BooleanField(required=False, label="Pay ahead what is not open yet", widget=forms.HiddenInput)
    field_order = ("amount", "ahead", "day", "note")

    def __init__(self, account: Account, currency: str, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.account, self.currency = account, currency

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        more = data.get("amount", Decimal(0)) - self.account.owed
        # Where the account is not as it was seen, that is said first, by the service.
        if more > 0 and self.data.get("mark") == self.account.mark:
            self.fields["ahead"].widget = forms.CheckboxInput()
            if not data["ahead"]:
                message = f"That is {more:.2f} {self.currency} more than is open. Tick to pay it ahead."
                self.add_error("ahead", message)
        return data


class OpenPaymentsForm(PaidForm):
    """What is open, for the people who are ticked; beside each goes the mark of the account as it was seen."""

    people = forms.MultipleChoiceField(error_messages={"required": "Choose at least one person."})

    def __init__(self, ledger: Ledger, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        people: Any = self.fields["people"]
        people.choices = [(line.pseudonym, line.pseudonym) for line in ledger.lines]

    def marks(self) -> dict[str, str]:
        """Marks of those who were chosen, by pseudonym."""
        return {pseudonym: self.data.get(f"mark-{pseudonym}", "") for pseudonym in self.cleaned_data["people"]}


class ReversalForm(forms.Form):
    reason = forms.CharField(
        max_length=MAX_NOTE_LENGTH, label="Reason", help_text="Kept in the list and the audit trail."
    )
