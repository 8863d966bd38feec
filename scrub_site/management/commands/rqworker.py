"""RQ's workers, which start on a database of this version only, with what jobs need imported before they fork."""

from django.core.management.base import CommandParser
from django_rq.management.commands import rqworker

from scrub_site import jobs, urls  # noqa: F401 - what handlers need, and links in mails
from scrub_site.database.migration_check import require_database


class Command(rqworker.Command):
    help = "Do the work of the named queues, until stopped."

    def add_arguments(self, parser: CommandParser) -> None:
        # django-rq says it is typed, but this method of its is not.
        super().add_arguments(parser)  # type: ignore[no-untyped-call]
        # It waits for messages for 15 s less, and gives a sign of life each time.
        parser.set_defaults(worker_ttl=75)

    def handle(self, *arguments: str, **options: object) -> None:
        require_database()
        # django-rq says it is typed, but this method of its is not.
        super().handle(*arguments, **options)  # type: ignore[no-untyped-call]
