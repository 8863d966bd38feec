"""Two judges of one prompt take turns, step by step; at each step it is asserted exactly who sees what.

Everybody opens every page they could have an interest in: those of the study, and every address of both items.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from uuid import UUID

import pytest
from django.test import Client
from django.urls import reverse

from analysis.ceremony.services import ceremony
from annotation.judging.models.judging import JudgingItem
from annotation.judging.services import guessing, judging, scoring
from annotation.judging.services.scoring import Given, JustificationGiven, MarkMade
from annotation.platform.models.users import User
from annotation.study.models.participation import Role
from annotation.study.models.responses import Response
from annotation.study.models.studies import Study
from tests.clients import signed_in, without_tokens
from tests.factories import (
    a_judging_study,
    a_person,
    coordinator_of,
    judging_items_of,
    members_of,
    opened,
    researchers_of,
    scored,
    slots_of,
)

pytestmark = pytest.mark.django_db

OF_AN_ITEM = ("judging_item", "judging_state", "judging_receipt", "judging_guesses")
OF_THE_STUDY = ("study", "texts", "writing_desk", "results", "judgments_csv", "consent_text")

# Step → what a judge sees of the own item once it is taken. At the end the texts are there again, to guess about.
OWN = {
    "assigned": "",
    "opened": "texts",
    "scored": "texts scores",
    "put into words": "texts scores words note",
    "submitted": "texts scores words note receipt",
    "taken back": "texts scores words note",
    "submitted again": "texts scores words note receipt",
    "guessed": "scores words note receipt",
    "collection closed": "scores words note receipt",
}
# What everybody else sees of it, at every step. Once judging is over, researchers see how it came out, masked.
OTHERS = {
    "the other judge": "",
    "a writer": "",
    "the coordinator": "",
    "a researcher": "",
    "a stranger": "",
}


@dataclass
class Turn:
    """A judge, their one item, and how far they are."""

    item: JudgingItem
    words: str
    note: str
    step: str = "assigned"
    steps: Iterator[str] = field(init=False)

    def __post_init__(self) -> None:
        self.steps = self._steps()

    @property
    def person(self) -> User:
        return self.item.participation.user

    def go_on(self) -> None:
        self.step = next(self.steps)

    def _steps(self) -> Iterator[str]:
        slots = slots_of(self.item)
        opened(self.item)
        yield "opened"
        scored(self.item, **dict.fromkeys(slots, 7))
        yield "scored"
        note = MarkMade(slots["A"], slots["A"], None, None, "", self.note)
        given = Given(justification=JustificationGiven(self.words), marks=(note,))
        scoring.save(item_id=self.item.pk, given=given, by=self.person)
        yield "put into words"
        judging.submit_item(item_id=self.item.pk, by=self.person)
        yield "submitted"
        judging.reopen(item_id=self.item.pk, by=self.person)
        yield "taken back"
        judging.submit_item(item_id=self.item.pk, by=self.person)
        yield "submitted again"
        guesses = {slot: guessing.Guessed("human", 4) for slot in slots.values()}
        guessing.guess(item_id=self.item.pk, guesses=guesses, by=self.person)
        yield "guessed"

    def signs(self, other: "Turn") -> dict[str, list[str]]:
        """What each thing is known by. Of the texts those that the other judge does not have."""
        texts = Response.objects.filter(pk__in=_responses(self.item) - _responses(other.item))
        return {
            "texts": [text.split(" first arose")[0] for text in texts.values_list("text", flat=True)],
            "scores": [f'"score:{slot}:conceptual_clarity": 7' for slot in slots_of(self.item).values()],
            "words": [self.words],
            "note": [self.note],
            "receipt": [JudgingItem.objects.get(pk=self.item.pk).sha256 or "no hash so far"],
        }


def _responses(item: JudgingItem) -> set[UUID]:
    return set(item.slots.values_list("response_id", flat=True))


@pytest.fixture
def study() -> Study:
    """One prompt, two judges with a set of human answers each, a writer, both researchers and the coordinator."""
    return a_judging_study(2, 1, 2, prompts=1, rationale="optional")


@pytest.fixture
def turns(study: Study) -> tuple[Turn, Turn]:
    first, second = (judging_items_of(study, judge=number)[0] for number in range(2))
    return (
        Turn(first, "The first judge thinks B lucid.", "A thought of the first judge."),
        Turn(second, "The second judge prefers C.", "Nobody else reads this one."),
    )


def cast(study: Study) -> dict[str, User]:
    return {
        "a writer": members_of(study, Role.WRITER)[0].user,
        "the coordinator": coordinator_of(study),
        "a researcher": researchers_of(study)[0],
        "a stranger": a_person("Some Stranger"),
    }


def all_pages(client: Client, study: Study, turns: Sequence[Turn]) -> str:
    """Everything that this person gets to read anywhere."""
    addresses = [reverse("home"), *(reverse(name, args=[study.slug]) for name in OF_THE_STUDY)]
    addresses += [reverse(name, args=[turn.item.pk]) for turn in turns for name in OF_AN_ITEM]
    return "\n".join(_read(client, address) for address in addresses)


def _read(client: Client, address: str) -> str:
    answer = client.get(address)
    return answer.content.decode() if answer.status_code == 200 else ""


def seen(pages: str, turn: Turn, other: Turn) -> str:
    """What of the turn's item can be read there, in the order of the table."""
    return " ".join(thing for thing, signs in turn.signs(other).items() if any(sign in pages for sign in signs))


@pytest.fixture
def signed(study: Study, turns: tuple[Turn, Turn]) -> dict[User, Client]:
    """Everybody, signed in once."""
    return {person: signed_in(person) for person in (*cast(study).values(), *(turn.person for turn in turns))}


def check(study: Study, turns: tuple[Turn, Turn], signed: dict[User, Client]) -> None:
    """Both items against the two tables, for everybody."""
    others = {who: all_pages(signed[person], study, turns) for who, person in cast(study).items()}
    judges = [all_pages(signed[turn.person], study, turns) for turn in turns]
    for number, turn in enumerate(turns):
        other = turns[1 - number]
        at = f"{turn.person.name} is at “{turn.step}”, the other judge at “{other.step}”"
        assert seen(judges[number], turn, other) == OWN[turn.step], at
        pages = {"the other judge": judges[1 - number], **others}
        assert {who: seen(read, turn, other) for who, read in pages.items()} == OTHERS, at


def test_at_each_step_everybody_sees_what_they_may_and_no_more(
    study: Study, turns: tuple[Turn, Turn], signed: dict[User, Client]
) -> None:
    check(study, turns, signed)
    for _ in [step for step in OWN if step not in ("assigned", "collection closed")]:
        for turn in turns:
            turn.go_on()
            check(study, turns, signed)
    ceremony.close_study(study=study, by=researchers_of(study)[0], despite_missing=True)
    for turn in turns:
        turn.step = "collection closed"
    check(study, turns, signed)


def test_the_coordinator_sees_how_far_judging_is_and_nothing_of_it(study: Study, turns: tuple[Turn, Turn]) -> None:
    first, second = turns
    page = reverse("study", args=[study.slug])
    desk = signed_in(coordinator_of(study))
    before = desk.get(page).content.decode()
    for _ in range(4):
        first.go_on()
    assert first.step == "submitted"
    after = desk.get(page).content.decode()
    assert before != after
    assert seen(after, first, second) == seen(after, second, first) == ""


def test_a_judge_does_not_even_see_that_the_other_has_begun(study: Study, turns: tuple[Turn, Turn]) -> None:
    first, second = turns
    before = without_tokens(all_pages(signed_in(second.person), study, turns))
    while first.step != "guessed":
        first.go_on()
        assert without_tokens(all_pages(signed_in(second.person), study, turns)) == before


def test_researchers_see_no_source_until_two_of_them_have_unblinded(study: Study, turns: tuple[Turn, Turn]) -> None:
    for turn in turns:
        while turn.step != "guessed":
            turn.go_on()
    first, second = researchers_of(study)
    ceremony.close_study(study=study, by=first, despite_missing=True)
    sources = ("family-1", *(writer.pseudonym for writer in members_of(study, Role.WRITER)))
    asking, deciding = signed_in(first), signed_in(second)
    masked = all_pages(asking, study, turns)
    assert not [source for source in sources if source in masked]
    asked = ceremony.request_unblinding(study=study, reason="All is in.", by=first)
    assert not [source for source in sources if source in all_pages(deciding, study, turns)]
    ceremony.decide_unblinding(request=asked, approve=True, by=second)
    assert "family-1" in all_pages(asking, study, turns)
