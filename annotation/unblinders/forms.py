"""What is asked about offices of unblinder."""

from django import forms

REASON = "Mailed to the whole team, and kept in the record."


class AcceptForm(forms.Form):
    name = forms.CharField(max_length=120, label="Your name", help_text="As it is published.")
    affiliation = forms.CharField(
        max_length=160, label="Your affiliation", help_text="Institution and place, published with your name."
    )


class ThirdPersonForm(forms.Form):
    name = forms.CharField(max_length=120, label="Name", help_text="Published with the commitment.")
    affiliation = forms.CharField(max_length=160, label="Affiliation", help_text="Published with the commitment.")
    email = forms.EmailField(
        max_length=254,
        label="Address",
        help_text="Of somebody outside the team. Its hash alone is published.",
    )


class ProposalForm(forms.Form):
    """Whom to propose; after the lock, why."""

    candidate = forms.ChoiceField(label="Researcher", help_text="Of those who take part in this study.")

    def __init__(self, *args: object, people: list[tuple[int, str]], is_locked: bool, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.fields["candidate"].choices = people  # type: ignore[attr-defined]
        if is_locked:
            self.fields["reason"] = forms.CharField(max_length=500, label="Why?", help_text=REASON)
