"""A study that is being designed: its parameters, prompts and people can still be changed."""

from datetime import timedelta

from annotation.people.services import people
from annotation.platform.services.clock import database_today
from annotation.study.models.participation import Role
from annotation.study.models.studies import Study
from annotation.study.services import studies
from scrub_site.demo import cast
from scrub_site.demo.live import add_prompts, essay_prompts
from scrub_site.demo.pool import load_pool


def load_designed() -> Study:
    """Half the prompts are there, and models have written some to choose from; some people have joined, and one has
    not answered the invitation yet.
    """
    coordinator = cast.person(cast.COORDINATOR)
    study = studies.create_study(
        slug="next",
        title="Next study: in design",
        description="What comes after the pilot round. Its numbers, prompts and people are still to be settled.",
        is_demo=True,
        consent_text=cast.CONSENT,
        by=coordinator,
        answers_per_prompt=4,
        ratings_per_prompt=3,
        writing_due_on=database_today() + timedelta(days=40),
        judging_due_on=database_today() + timedelta(days=75),
        fee_per_answer=40,
        fee_per_item=15,
    )
    cast.staff(study)
    for number, name in enumerate(cast.WRITERS[:4], start=1):
        cast.member(study, name, Role.WRITER, pseudonym=f"W-N{number:02}", ready=number < 3)
    for number, name in enumerate(cast.JUDGES[:2], start=1):
        cast.member(study, name, Role.JUDGE, pseudonym=f"J-N{number:02}", ready=False)
    add_prompts(study, essay_prompts()[:3])
    people.invite(study=study, email="noor.haddad@example.org", name="Noor Haddad", role=Role.JUDGE, by=coordinator)
    load_pool(study)
    return study
