"""What commands of coordinators share: whole numbers, the study, and who approves what is spent."""

from argparse import ArgumentTypeError
from collections.abc import Callable

from django.core.management.base import CommandError

from annotation.platform.models.users import User
from annotation.study.models.studies import Study
from annotation.study.policies.roles import can_coordinate


def whole_number(least: int, most: int) -> Callable[[str], int]:
    """The type of an argument. It raises `ArgumentTypeError`."""

    def read(text: str) -> int:
        if not (text.isdecimal() and least <= int(text) <= most):
            raise ArgumentTypeError(f"“{text}” is no whole number from {least} to {most:,}")
        return int(text)

    return read


def study_named(slug: str) -> Study:
    try:
        return Study.objects.get(slug=slug)
    except Study.DoesNotExist:
        raise CommandError(f"There is no study “{slug}”.") from None


def coordinator_named(email: str, study: Study) -> User:
    person = User.objects.filter(email=email.strip().lower(), is_active=True).first()
    if person is None or not can_coordinate(person, study):
        raise CommandError(f"{email} is no coordinator of “{study}”. Only one of them may approve what it spends.")
    return person
