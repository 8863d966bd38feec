"""A large study in judging, and its progress page requested without a network.

Import this only once Django knows the database: its models come with it.
"""

import statistics
import time
from datetime import datetime, timedelta
from itertools import islice, product
from typing import Any

from django.conf import settings
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.assignment.models import WorkGivenOut
from annotation.judging.models.judging import JudgingItem
from annotation.platform.models.users import User
from annotation.platform.services.clock import database_now
from annotation.study.models.participation import Consent, Participation, Profile, Role
from annotation.study.models.prompts import PromptVersion
from annotation.study.models.studies import Study
from annotation.study.selectors.consents import CONSENT_VERSION
from tests.clients import signed_in
from tests.factories import PROFILE, a_study, coordinator_of

ROUNDS = 15
BEGUN = timedelta(days=20)  # ago


def measure(judges: int, prompts: int, items: int) -> tuple[float, int, float]:
    """Median server time of the page in milliseconds, its queries, and its size in kilobytes."""
    settings.ALLOWED_HOSTS = ["testserver"]
    with transaction.atomic():
        study = a_study(f"progress-{judges}-{prompts}-{items}", prompts=prompts)
        fill(study, judges, items, database_now())
        client, address = signed_in(coordinator_of(study)), reverse("progress", args=[study.slug])
        with CaptureQueriesContext(connection) as asked:
            page = client.get(address)
            queries = len(asked)
        times = []
        for _ in range(ROUNDS):
            started = time.perf_counter()
            client.get(address)
            times.append(1000 * (time.perf_counter() - started))
        transaction.set_rollback(True)
    return statistics.median(times), queries, len(page.content) / 1000


def fill(study: Study, judges: int, items: int, now: datetime) -> None:
    """Judging has been open for 20 days; every third judge has submitted all of their items."""
    people = User.objects.bulk_create(
        User(email=f"{number}.{study.slug}@example.org", name=f"Judge Number {number}") for number in range(judges)
    )
    members = Participation.objects.bulk_create(
        Participation(study=study, user=person, role=Role.JUDGE, pseudonym=f"J-{number:04}")
        for number, person in enumerate(people)
    )
    Participation.objects.filter(study=study).update(joined_at=now - BEGUN)
    Consent.objects.bulk_create(Consent(participation=member, version=CONSENT_VERSION) for member in members)
    Profile.objects.bulk_create(Profile(participation=member, **PROFILE) for member in members)
    versions = list(PromptVersion.objects.filter(prompt__study=study).select_related("prompt"))
    places = islice(product(range(len(versions)), range(judges)), items)
    JudgingItem.objects.bulk_create(
        (
            JudgingItem(
                study=study,
                participation=members[judge],
                prompt=versions[(turn + judge) % len(versions)].prompt,
                prompt_version=versions[(turn + judge) % len(versions)],
                position=turn + 1,
                **_submitted(now - timedelta(hours=judge + turn), now) if judge % 3 == 0 else {},
            )
            for turn, judge in places
        ),
        batch_size=2000,
    )
    WorkGivenOut.objects.create(study=study, task="judging")
    Study.objects.filter(pk=study.pk).update(state="judging")


def _submitted(at: datetime, now: datetime) -> dict[str, Any]:
    return {"state": "submitted", "opened_at": now - BEGUN, "touched_at": at, "submitted_at": at}
