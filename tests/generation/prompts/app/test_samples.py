import pytest
from django.core.exceptions import PermissionDenied

from annotation.platform.core.errors import Refused
from annotation.platform.core.text import sha256_hex
from annotation.platform.models.audit import AuditEvent
from annotation.study.models.prompts import Prompt, PromptVersion
from annotation.study.models.studies import Study
from annotation.study.services.prompts import add_prompt, remove_prompt
from generation.prompts.models import Candidate, PromptSample
from generation.prompts.services.samples import Taken, discard_sample, make_sample, take_sample
from tests.factories import a_person, a_study, coordinator_of, locked
from tests.generation.prompts.candidates import GENERATORS, a_pool, reviewed, voted

pytestmark = pytest.mark.django_db


@pytest.fixture
def study() -> Study:
    return a_study(prompts=0)


def a_sample(study: Study, **rule: object) -> PromptSample:
    return make_sample(study=study, by=coordinator_of(study), **rule)  # type: ignore[arg-type]


def chosen(sample: PromptSample) -> list[Candidate]:
    prompts = sample.prompts.order_by("position").select_related("candidate__bundle__scenario__source")
    return [prompt.candidate for prompt in prompts]


def codes(sample: PromptSample) -> list[str]:
    return [prompt.code for prompt in sample.prompts.order_by("position")]


class TestDrawing:
    def test_every_source_gives_its_number_to_a_sample_under_codes_of_its_own(self, study: Study) -> None:
        voted(a_pool(study, sources=("HLE", "BBQ"), scenarios=4))
        sample = a_sample(study, per_source=3)
        assert codes(sample) == ["BBQ_01", "BBQ_02", "BBQ_03", "HLE_01", "HLE_02", "HLE_03"]
        assert [prompt.bundle.scenario.source.code for prompt in chosen(sample)] == ["BBQ"] * 3 + ["HLE"] * 3
        # a generator each in either source
        assert sorted(prompt.bundle.target.family for prompt in chosen(sample)) == sorted(GENERATORS * 2)
        assert [source["shortfalls"] for source in sample.report] == [[], []]

    def test_only_prompts_that_enough_models_pass_are_drawn(self, study: Study) -> None:
        pool = a_pool(study, scenarios=1)
        voted(pool[:2])
        voted(pool[2:4], fails=["gpt"])
        voted(pool[4:], fails=["gpt", "gemini"])
        assert set(chosen(a_sample(study))) == set(pool[:4])
        assert set(chosen(a_sample(study, least_passes=3))) == set(pool[:2])

    def test_where_only_others_vote_all_of_them_have_to_pass_a_prompt_that_is_drawn(self, study: Study) -> None:
        pool = a_pool(study, scenarios=1)
        voted(pool, fails=["gpt"])
        by_gpt = {candidate for candidate in pool if candidate.bundle.target.family == "gpt"}
        assert set(chosen(a_sample(study, per_source=15, scheme="others"))) == by_gpt

    def test_a_prompt_that_a_person_fails_is_never_drawn(self, study: Study) -> None:
        pool = a_pool(study, scenarios=1)
        voted(pool)
        for candidate in pool[:12]:
            reviewed(candidate, passes=False)
        reviewed(pool[12], passes=True)
        assert set(chosen(a_sample(study))) == set(pool[12:])

    def test_a_passing_review_rescues_nothing(self, study: Study) -> None:
        pool = a_pool(study, scenarios=1)
        voted(pool, fails=["gpt", "gemini"])
        reviewed(pool[0], passes=True)
        with pytest.raises(Refused, match="No prompt passes"):
            a_sample(study)

    def test_a_text_that_is_there_twice_is_drawn_once(self, study: Study) -> None:
        pool = a_pool(study, scenarios=1)
        voted(pool)
        Candidate.objects.update(text=pool[0].text, sha256=pool[0].sha256)
        assert len(chosen(a_sample(study))) == 1

    def test_what_falls_short_of_a_sample_is_reported(self, study: Study) -> None:
        pool = a_pool(study, scenarios=2, strata=2)
        voted(pool[:1])
        [source] = a_sample(study, per_source=2).report
        assert source == {
            "source": "bbq",
            "code": "BBQ",
            "name": "The BBQ source",
            "wanted": 2,
            "chosen": 1,
            "eligible": 1,
            "strata": [
                {"name": "Stratum 1", "eligible": 1, "chosen": 1},
                {"name": "Stratum 2", "eligible": 0, "chosen": 0},
            ],
            "generators": [
                {"name": "claude", "eligible": 1, "chosen": 1},
                {"name": "gemini", "eligible": 0, "chosen": 0},
                {"name": "gpt", "eligible": 0, "chosen": 0},
            ],
            "shortfalls": ["1 fewer than wanted: no other prompt passes.", "No prompt passes in Stratum 2."],
        }

    def test_the_same_rule_gives_the_same_sample_and_another_seed_another(self, study: Study) -> None:
        voted(a_pool(study, scenarios=6))
        first = a_sample(study, per_source=4)
        assert a_sample(study, per_source=4) == first
        assert PromptSample.objects.count() == AuditEvent.objects.filter(verb="sample.made").count() == 1
        assert chosen(a_sample(study, per_source=4, seed=43)) != chosen(first)

    def test_two_studies_that_hold_the_same_draw_the_same_whatever_their_ids(self, study: Study) -> None:
        other = a_study("other", prompts=0)
        voted(reversed(a_pool(other, generators=GENERATORS[::-1], scenarios=6)))
        voted(a_pool(study, scenarios=6))
        assert a_sample(study).content_sha256 == a_sample(other).content_sha256

    def test_a_samples_hash_is_of_codes_and_texts_in_order(self, study: Study) -> None:
        voted(a_pool(study))
        sample = a_sample(study, per_source=2)
        first, second = chosen(sample)
        expected = f"BBQ_01 {sha256_hex(first.text)}\nBBQ_02 {sha256_hex(second.text)}\n"
        assert sample.content_sha256 == sha256_hex(expected)

    def test_nobody_but_a_coordinator_draws_a_sample(self, study: Study) -> None:
        voted(a_pool(study))
        with pytest.raises(PermissionDenied):
            make_sample(study=study, by=a_person("Somebody Else"))


class TestTaking:
    @pytest.fixture
    def sample(self, study: Study) -> PromptSample:
        voted(a_pool(study, sources=("BBQ", "MSC"), scenarios=4))
        return a_sample(study, per_source=3)

    def test_a_samples_prompts_become_the_studys_word_for_word(self, study: Study, sample: PromptSample) -> None:
        assert take_sample(sample=sample, by=coordinator_of(study)) == Taken(added=6, known=0)
        prompts = list(Prompt.objects.filter(study=study))
        assert [(prompt.code, prompt.domain) for prompt in prompts] == [(code, code[:3]) for code in codes(sample)]
        assert [prompt.title for prompt in prompts] == [candidate.label for candidate in chosen(sample)]
        texts = PromptVersion.objects.filter(prompt__study=study).order_by("prompt__position")
        assert [version.text for version in texts] == [candidate.text for candidate in chosen(sample)]
        assert [sampled.prompt for sampled in sample.prompts.order_by("position")] == prompts
        assert sample.taken_by == coordinator_of(study)

    def test_where_a_sample_is_taken_again_nothing_changes_and_what_was_removed_comes_back(
        self, study: Study, sample: PromptSample
    ) -> None:
        person = coordinator_of(study)
        take_sample(sample=sample, by=person)
        when = sample.taken_at
        assert take_sample(sample=sample, by=person) == Taken(added=0, known=6)
        remove_prompt(prompt=Prompt.objects.get(study=study, code="BBQ_02"), by=person)
        assert take_sample(sample=sample, by=person) == Taken(added=1, known=5)
        assert sample.taken_at == when
        assert AuditEvent.objects.filter(verb="sample.taken").count() == 1

    def test_prompts_of_the_study_with_other_codes_stay_when_a_sample_is_taken(
        self, study: Study, sample: PromptSample
    ) -> None:
        person = coordinator_of(study)
        add_prompt(study=study, code="OWN_01", domain="OWN", text="What is owed to guests?", by=person)
        take_sample(sample=sample, by=person)
        assert Prompt.objects.filter(study=study).count() == 7

    def test_where_a_code_is_taken_by_another_text_no_sample_is_taken(
        self, study: Study, sample: PromptSample
    ) -> None:
        person = coordinator_of(study)
        add_prompt(study=study, code="MSC_03", domain="MSC", text="What is owed to guests?", by=person)
        with pytest.raises(Refused, match="the code MSC_03 is taken by a prompt of the study with another text"):
            take_sample(sample=sample, by=person)
        assert Prompt.objects.filter(study=study).count() == 1
        sample.refresh_from_db()
        assert sample.taken_at is None

    def test_where_the_study_has_a_text_under_another_code_no_sample_is_taken(
        self, study: Study, sample: PromptSample
    ) -> None:
        person = coordinator_of(study)
        add_prompt(study=study, code="OWN_01", domain="OWN", text=chosen(sample)[0].text, by=person)
        with pytest.raises(Refused, match="the text is that of prompt OWN_01"):
            take_sample(sample=sample, by=person)

    def test_what_a_person_failed_since_it_was_drawn_is_not_taken(self, study: Study, sample: PromptSample) -> None:
        reviewed(chosen(sample)[1], passes=False)
        with pytest.raises(Refused, match="BBQ_02 would not pass any more"):
            take_sample(sample=sample, by=coordinator_of(study))
        assert not Prompt.objects.filter(study=study).exists()

    def test_once_the_design_is_locked_no_sample_is_taken(self, study: Study, sample: PromptSample) -> None:
        person = coordinator_of(study)
        add_prompt(study=study, code="OWN_01", domain="OWN", text="What is owed to guests?", by=person)
        locked(study)
        with pytest.raises(Refused, match="only while the study is being designed"):
            take_sample(sample=sample, by=person)

    def test_nobody_but_a_coordinator_takes_or_discards_a_sample(self, sample: PromptSample) -> None:
        for verb in (take_sample, discard_sample):
            with pytest.raises(PermissionDenied):
                verb(sample=sample, by=a_person("Somebody Else"))

    def test_a_discarded_sample_is_gone_and_is_drawn_again_alike(self, study: Study, sample: PromptSample) -> None:
        before = sample.content_sha256
        stale = PromptSample.objects.get(pk=sample.pk)
        discard_sample(sample=sample, by=coordinator_of(study))
        assert not PromptSample.objects.exists()
        with pytest.raises(Refused, match="discarded meanwhile"):
            take_sample(sample=stale, by=coordinator_of(study))
        assert a_sample(study, per_source=3).content_sha256 == before

    def test_a_sample_that_was_taken_stays_on_record(self, study: Study, sample: PromptSample) -> None:
        take_sample(sample=sample, by=coordinator_of(study))
        with pytest.raises(Refused, match="stays on record"):
            discard_sample(sample=sample, by=coordinator_of(study))
        assert PromptSample.objects.filter(pk=sample.pk).exists()
