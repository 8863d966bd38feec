"""The study that a command names by its short name."""

from django.core.management.base import CommandError

from annotation.study.models.studies import Study


def study_named(slug: str) -> Study:
    """Raises `CommandError`, which names those that there are."""
    try:
        return Study.objects.get(slug=slug)
    except Study.DoesNotExist:
        known = ", ".join(Study.objects.order_by("slug").values_list("slug", flat=True))
        raise CommandError(f"No study is called “{slug}”. There are: {known}.") from None
