"""Whom a coordinator invites, one at a time or in a table."""

from collections.abc import Sequence
from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from annotation.people.core.limits import MAX_CAPACITY
from annotation.platform.core import cells
from annotation.platform.core.errors import Refused
from annotation.platform.core.table_import import Field
from annotation.platform.forms.fields import WrittenField
from annotation.study.models.participation import Role

MAX_NAME_LENGTH = 120
MAX_ADDRESS_LENGTH = 254
MAX_MESSAGE_LENGTH = 2000  # characters


def _address(cell: str) -> str:
    try:
        validate_email(cell)
    except ValidationError:
        raise Refused("must be a mail address such as ada@example.org") from None
    return cells.text(MAX_ADDRESS_LENGTH)(cell)


def _role(cell: str) -> Role:
    for role in Role:
        if cell.casefold() in (role.value, role.label.casefold()):
            return role
    raise Refused(
        "must be writer, judge, coordinator or researcher, or in an audit of benchmarks annotator or adjudicator"
    )


# What a column of an imported table can hold.
FIELDS = (
    Field("name", "Name", cells.one_line(MAX_NAME_LENGTH), is_required=True, also=("full name",)),
    Field("email", "Address", _address, is_required=True, also=("mail", "e-mail address")),
    Field("role", "Role", _role, is_required=True),
    Field("institution", "Institution", cells.one_line(160), also=("university", "affiliation")),
    Field("capacity", "Capacity", cells.number(MAX_CAPACITY)),
    Field("available_from", "First day", cells.day, also=("from",)),
    Field("available_until", "Last day", cells.day, also=("until",)),
    Field("prefers", "Preferences", cells.topics, also=("preferred",)),
    Field("excludes", "Exclusions", cells.topics, also=("excluded",)),
)


class MessageForm(forms.Form):
    """Words of one's own for mails that invite."""

    message = WrittenField(
        required=False,
        max_length=MAX_MESSAGE_LENGTH,
        label="Your message",
        help_text="Added to the mail, which also tells the study’s description, task, fee, day and link.",
        widget=forms.Textarea(attrs={"rows": 4, "dir": "auto"}),
    )


class InviteForm(MessageForm):
    name = forms.CharField(max_length=MAX_NAME_LENGTH, label="Name")
    email = forms.EmailField(
        max_length=MAX_ADDRESS_LENGTH, label="Address", help_text="A personal link is mailed there."
    )
    role = forms.ChoiceField(
        label="Role",
        help_text="A person has one role in a study; it cannot be changed later.",
    )
    field_order = ("name", "email", "role", "message")

    def __init__(self, roles: Sequence[Role], data: Any = None) -> None:
        super().__init__(data)
        cast(forms.ChoiceField, self.fields["role"]).choices = [(role.value, role.label) for role in roles]


class CoordinatorForm(forms.Form):
    """Whom an administrator invites to coordinate a study."""

    name = forms.CharField(max_length=MAX_NAME_LENGTH, label="Coordinator’s name")
    email = forms.EmailField(max_length=MAX_ADDRESS_LENGTH, label="Coordinator’s address")
