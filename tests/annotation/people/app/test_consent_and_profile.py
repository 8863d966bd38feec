"""Consent and the intake form: what is shown, what is kept, and when a person may begin to work."""

import hashlib

import pytest
from django.core.exceptions import PermissionDenied
from django.urls import reverse
from django.utils import timezone

from annotation.coordination.selectors.reminders import candidates
from annotation.design.services import protocol
from annotation.people.selectors.people import consent_sections
from annotation.people.selectors.recruiting import here, member_lines
from annotation.people.services import people
from annotation.platform.core.errors import Refused
from annotation.platform.core.text import sha256_hex
from annotation.platform.models.audit import AuditEvent
from annotation.study.models.participation import Consent, EligibilityChange, Participation, Profile, Role
from annotation.study.models.studies import Study
from annotation.study.policies.participation import STUDIED, is_ready
from annotation.writing.selectors.writing import missing_step
from tests.clients import signed_in
from tests.factories import a_member, a_study, agree, coordinator_of
from tests.pages import in_words

pytestmark = pytest.mark.django_db

PROFILE = {
    "highest_degree": "doctorate",
    "r1_institution": "no",
    "discipline": "Law",
    "years_experience": "12",
    "country": "Ghana",
}
INSTRUMENT = """
low = "progressive"
high = "conservative"
labels = ["Disagree", "Neither", "Agree"]
[[items]]
key = "taxes"
text = "Public services should be paid for by higher taxes."
reversed = true
[[items]]
key = "customs"
text = "Old customs deserve the benefit of the doubt."
reversed = false
"""


@pytest.fixture
def study() -> Study:
    return a_study()


def again(member: Participation) -> Participation:
    """The participation as it is now."""
    return Participation.objects.get(pk=member.pk)


class TestConsent:
    def test_consent_is_read_given_once_and_followed_by_the_profile(self, study: Study) -> None:
        client = signed_in(a_member(study, Role.WRITER, ready=False).user)
        path = reverse("consent", args=[study.slug])
        page = client.get(path).content.decode()
        assert "<h2>What is recorded</h2>" in page

        answer = {"agreed": "on", "text_sha256": hashlib.sha256(study.consent_text.encode()).hexdigest()}
        for _ in range(2):
            assert client.post(path, answer)["Location"] == reverse("profile", args=[study.slug])

        given = Consent.objects.get(participation__role=Role.WRITER)
        assert (given.version, given.text_sha256) == (study.consent_version, answer["text_sha256"])
        assert "You agreed to version 5" in client.get(path).content.decode()

    def test_consent_needs_the_tick_and_the_text_that_was_shown(self, study: Study) -> None:
        client = signed_in(a_member(study, Role.WRITER, ready=False).user)
        path = reverse("consent", args=[study.slug])
        shown = hashlib.sha256(study.consent_text.encode()).hexdigest()

        assert "Tick the box" in client.post(path, {"text_sha256": shown}).content.decode()
        Study.objects.update(consent_text="Something else\nentirely.")
        changed = client.post(path, {"agreed": "on", "text_sha256": shown}, follow=True)
        assert "The text has changed" in changed.content.decode()
        assert not Consent.objects.filter(participation__role=Role.WRITER).exists()

    def test_consent_can_be_kept_as_the_bytes_whose_hash_is_recorded(self, study: Study) -> None:
        member = a_member(study, Role.JUDGE)
        response = signed_in(member.user).get(reverse("consent_text", args=[study.slug]))

        assert response["Content-Type"] == "text/plain; charset=utf-8"
        assert response["Content-Disposition"] == 'attachment; filename="consent-trial-version-5.txt"'
        given = Consent.objects.get(participation=member)
        assert hashlib.sha256(response.content).hexdigest() == given.text_sha256

    def test_consent_once_withdrawn_is_not_given_again_by_a_click(self, study: Study) -> None:
        member = a_member(study, Role.WRITER)
        Consent.objects.filter(participation=member).update(withdrawn_at=timezone.now())
        client, path = signed_in(member.user), reverse("consent", args=[study.slug])

        shown = hashlib.sha256(study.consent_text.encode()).hexdigest()
        assert client.post(path, {"agreed": "on", "text_sha256": shown})["Location"] == path
        assert "You withdrew your consent" in client.get(path).content.decode()
        assert not is_ready(again(member))

    def test_before_consent_declining_is_offered_and_no_withdrawal_and_afterwards_the_other_way_round(
        self, study: Study
    ) -> None:
        member = a_member(study, Role.WRITER, ready=False)
        client = signed_in(member.user)
        addresses = [reverse(name, args=[study.slug]) for name in ("study", "own_data", "consent")]
        before = [in_words(client.get(address)) for address in addresses]
        for page, words in zip(before, ("withdrawing it", "or withdraw", "Withdraw my consent"), strict=True):
            assert words not in page
        assert "Consent, or declining" in before[0]
        assert "Decline to take part" in before[2]
        agree(member)
        after = [in_words(client.get(address)) for address in addresses]
        assert "Consent, and withdrawing it" in after[0]
        assert "Decline to take part" not in after[2]
        assert "Withdraw my consent" in after[2]

    def test_whoever_declines_has_left_the_study_and_is_told_so(self, study: Study) -> None:
        member = a_member(study, Role.JUDGE, ready=False)
        client = signed_in(member.user)
        for _ in range(2):
            answer = client.post(reverse("consent_decline", args=[study.slug]), follow=True)
            assert "You take no part in" in in_words(answer)
        assert again(member).left_at is not None
        assert AuditEvent.objects.filter(verb="person.left", subject=member.pseudonym).count() == 1
        assert "You have not agreed to this" in in_words(client.get(reverse("consent", args=[study.slug])))
        assert client.get(reverse("study", args=[study.slug])).status_code == 302
        people.come_back(participation=member, reason="Changed their mind.", by=coordinator_of(study))
        assert "Agree and go on" in in_words(client.get(reverse("consent", args=[study.slug])))

    def test_whoever_has_agreed_cannot_decline_but_withdraw(self, study: Study) -> None:
        member = a_member(study, Role.WRITER)
        answer = signed_in(member.user).post(reverse("consent_decline", args=[study.slug]), follow=True)
        assert "You have agreed already." in in_words(answer)
        assert again(member).left_at is None

    @pytest.mark.parametrize("role", [role for role in Role if role not in STUDIED])
    def test_nobody_declines_who_is_not_asked_for_consent(self, study: Study, role: Role) -> None:
        member = a_member(study, role, ready=False)
        for _ in range(2):
            with pytest.raises(PermissionDenied, match="asked of those whose work is the study’s data only"):
                people.decline(participation=member, by=member.user)
        assert again(member).left_at is None

    def test_consent_is_to_the_text_that_was_read_though_another_one_has_come_since(self, study: Study) -> None:
        member = a_member(study, Role.WRITER, ready=False)
        first, read = study.consent_version, sha256_hex(study.consent_text)
        protocol.change_parameters(study=study, changes={"consent_text": "New."}, by=coordinator_of(study))
        with pytest.raises(Refused, match="The text has changed"):
            people.give_consent(participation=member, text_sha256=read, by=member.user)
        assert not Consent.objects.filter(participation=member).exists()
        agree(member)
        given = Consent.objects.get(participation=member)
        assert (given.version, given.text_sha256) == (f"{first}.1", sha256_hex("New."))

    def test_consent_cannot_be_given_to_no_text(self) -> None:
        study = a_study()
        member = a_member(study, Role.WRITER, ready=False)
        study.consent_text = ""
        study.save()
        member.study.refresh_from_db()

        assert (
            "no consent text yet"
            in signed_in(member.user).get(reverse("consent", args=[study.slug])).content.decode()
        )
        with pytest.raises(Refused, match="no consent text"):
            agree(member)

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("Heading\nOne.\nTwo.\n\nThree.", [("Heading", ("One.", "Two.")), ("", ("Three.",))]),
            ("\n\nAlone.\n\n\n\nLast\n  one.  \n", [("", ("Alone.",)), ("Last", ("one.",))]),
            ("", []),
        ],
    )
    def test_consent_text_is_shown_in_parts(self, text: str, expected: list[tuple[str, tuple[str, ...]]]) -> None:
        assert [(part.heading, part.paragraphs) for part in consent_sections(text)] == expected


class TestProfile:
    @pytest.fixture
    def member(self, study: Study) -> Participation:
        member = a_member(study, Role.WRITER, ready=False)
        agree(member)
        return member

    def path(self, member: Participation) -> str:
        return reverse("profile", args=[member.study.slug])

    def test_a_profile_comes_after_consent(self, study: Study) -> None:
        member = a_member(study, Role.WRITER, ready=False)
        response = signed_in(member.user).get(self.path(member))

        assert response["Location"] == reverse("consent", args=[study.slug])

    def test_a_profile_is_kept_and_opens_the_study(self, member: Participation) -> None:
        response = signed_in(member.user).post(self.path(member), PROFILE)

        assert response["Location"] == reverse("study", args=[member.study.slug])
        kept = Profile.objects.get(participation=member)
        assert (kept.highest_degree, kept.r1_institution, kept.discipline) == ("doctorate", False, "Law")
        assert (kept.years_experience, kept.country, kept.ideology) == (12, "Ghana", {})
        assert is_ready(again(member))

    @pytest.mark.parametrize(
        ("changes", "complaint"),
        [
            ({"years_experience": "81"}, "“Years of research experience” has to be 80 or less"),
            ({"years_experience": "-1"}, "has to be 0 or more"),
            ({"discipline": "Astrology"}, "not one of the available choices"),
            ({"country": ""}, "“Country” cannot be left empty"),
            ({"r1_institution": "none"}, "You named a doctorate"),
            ({"highest_degree": "master"}, "You named no doctorate"),
        ],
    )
    def test_a_profile_says_what_is_wrong_with_an_answer(
        self, member: Participation, changes: dict[str, str], complaint: str
    ) -> None:
        page = signed_in(member.user).post(self.path(member), {**PROFILE, **changes})

        assert complaint in page.content.decode()
        assert not Profile.objects.filter(participation=member).exists()

    @pytest.mark.parametrize(
        ("changes", "shortfall"),
        [
            ({"years_experience": "2"}, "at least 3 years of research experience"),
            ({"highest_degree": "none", "r1_institution": "none"}, "at least a master"),
        ],
    )
    def test_a_profile_that_does_not_meet_the_rule_is_told_plainly_and_can_be_corrected(
        self, member: Participation, changes: dict[str, str], shortfall: str
    ) -> None:
        client, path = signed_in(member.user), self.path(member)

        assert client.post(path, {**PROFILE, **changes})["Location"] == path
        page = client.get(path).content.decode()
        assert "With these answers you cannot take part." in page
        assert shortfall in page
        assert not is_ready(again(member))

        client.post(path, PROFILE)
        assert is_ready(again(member))

    def test_a_changed_answer_about_eligibility_is_shown_to_the_coordinator_with_both_values(
        self, member: Participation
    ) -> None:
        """Two years are too few; twelve are not. A discipline decides nothing, so that its change is not kept."""
        client, study = signed_in(member.user), member.study
        client.post(self.path(member), {**PROFILE, "years_experience": "2"})
        client.post(self.path(member), {**PROFILE, "years_experience": "2"})
        assert not EligibilityChange.objects.exists(), "the same answer again is no change"
        client.post(self.path(member), {**PROFILE, "discipline": "History"})

        [change] = EligibilityChange.objects.filter(participation=member)
        assert (change.question, change.before, change.after) == ("years_experience", "2", "12")
        coordinator = signed_in(coordinator_of(study))
        shown = coordinator.get(reverse("person", args=[study.slug, member.pseudonym])).content.decode()
        assert "Years of research experience: “2” became “12”" in " ".join(shown.split())
        assert "Answers changed" in coordinator.get(reverse("study_people", args=[study.slug])).content.decode()
        own = client.get(reverse("own_data", args=[study.slug])).content.decode()
        assert "Years of research experience, before" in own

    def test_a_profile_offers_the_countries_of_the_standard_and_takes_no_other(self, member: Participation) -> None:
        client = signed_in(member.user)
        page = client.get(self.path(member)).content.decode()
        assert '<option value="United Kingdom">' in page
        refused = client.post(self.path(member), {**PROFILE, "country": "Atlantis"})
        assert "not one of the available choices" in refused.content.decode()

    def test_a_profile_has_no_institution_class_without_a_doctorate(self, member: Participation) -> None:
        answers = {**PROFILE, "highest_degree": "master", "r1_institution": "none"}
        signed_in(member.user).post(self.path(member), answers)

        assert Profile.objects.get(participation=member).r1_institution is None

    def test_a_profile_asks_only_what_the_study_asks(self, member: Participation) -> None:
        Study.objects.update(profile_questions=["country", "ideology"])
        client = signed_in(member.user)

        page = client.get(self.path(member)).content.decode()
        assert 'name="country"' in page
        assert 'name="years_experience"' not in page
        assert "Political orientation" not in page, "the study has no instrument"
        client.post(self.path(member), {"country": "Peru"})
        assert is_ready(again(member))

    def test_a_profile_asks_the_items_of_the_instrument_and_takes_no_answer_for_an_answer(
        self, member: Participation
    ) -> None:
        Study.objects.update(profile_questions=["ideology"], ideology_instrument=INSTRUMENT)
        client = signed_in(member.user)

        assert "Old customs deserve" in client.get(self.path(member)).content.decode()
        client.post(self.path(member), {"item_taxes": "3", "item_customs": ""})
        assert Profile.objects.get(participation=member).ideology == {"taxes": 3, "customs": None}

    @pytest.mark.parametrize(
        ("first", "then", "instrument"),
        [
            (["country"], ["country", "discipline"], ""),
            (["discipline"], ["years_experience"], ""),
            (["country"], ["highest_degree"], ""),
            (["highest_degree"], ["highest_degree", "r1_institution"], ""),
            (["country"], ["ideology"], INSTRUMENT),
        ],
    )
    def test_a_profile_that_lacks_a_question_asked_since_is_to_be_filled_in_again(
        self, member: Participation, first: list[str], then: list[str], instrument: str
    ) -> None:
        Study.objects.update(profile_questions=first)
        client = signed_in(member.user)
        client.post(self.path(member), PROFILE)
        assert is_ready(again(member))
        Study.objects.update(profile_questions=then, ideology_instrument=instrument)
        assert not is_ready(again(member))
        assert missing_step(again(member)) == "profile"
        [line] = member_lines(list(here(member.study, role=Role.WRITER)))
        assert not line.has_profile
        [candidate] = candidates(again(member).study)
        assert candidate.standing.left == "your profile"
        page = client.get(self.path(member)).content.decode()
        assert "The questions have changed since you filled this in." in page
        assert "you cannot take part" not in page
        client.post(self.path(member), PROFILE)
        assert is_ready(again(member)), "political orientation may be left unanswered"
        assert "The questions have changed" not in client.get(self.path(member)).content.decode()

    def test_a_profile_without_a_doctorate_is_complete_without_its_institution(self, member: Participation) -> None:
        signed_in(member.user).post(
            self.path(member), PROFILE | {"highest_degree": "master", "r1_institution": "none"}
        )
        assert is_ready(again(member))

    def test_a_profile_is_skipped_where_nothing_is_asked(self, member: Participation) -> None:
        Study.objects.update(profile_questions=[])
        response = signed_in(member.user).get(self.path(member))

        assert response["Location"] == reverse("study", args=[member.study.slug])
        assert is_ready(again(member))
