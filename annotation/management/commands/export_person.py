"""Writes all that the site holds of one person: `manage.py export_person EMAIL --out FILE`."""

import json
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.coordination.selectors.person_data import Encoder, person_data
from annotation.platform.models.users import User


def person(email: str) -> User:
    """Whose account this is; raises `CommandError` where it is nobody's."""
    found = User.objects.filter(email__iexact=email.strip()).first()
    if found is None:
        raise CommandError(f"Nobody has an account with the address {email}.")
    return found


class Command(BaseCommand):
    help = (
        "Write all that the site holds of one person as a JSON file, for a request of theirs. Writers are told of "
        "their own answers; nothing tells a judge who wrote what."
    )
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("email", help="the address of their account")
        parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="a new file; - for the output")

    def handle(self, *, email: str, out: Path, **_options: object) -> None:
        text = json.dumps(person_data(person(email)), cls=Encoder, ensure_ascii=False, indent=2)
        if str(out) == "-":
            self.stdout.write(text)
            return
        try:
            with out.open("x", encoding="utf-8") as file:
                file.write(f"{text}\n")
        except FileExistsError:
            raise CommandError(f"{out} is there already.") from None
        out.chmod(0o600)
        self.stdout.write(f"Written: {out}. Hand it over encrypted, and delete it then.")
